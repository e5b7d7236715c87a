/** The Conversation tab of a change request: comments, reviews and events in order. */
import type { ChangeRequest } from '../../contract/change-requests.js'
import type { Space } from '../../contract/spaces.js'
import { text } from '../i18n/text.js'
import { EmptyState } from '../ui/display.js'

export default function Conversation({
  space,
  change,
}: {
  readonly space: Space
  readonly change: ChangeRequest
}) {
  return (
    <div className="content-main" key={`${space.id}/${change.id}`}>
      <EmptyState icon="fileText" title={text.change.noConversation} />
    </div>
  )
}
