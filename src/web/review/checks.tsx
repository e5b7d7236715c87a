/** The Checks tab of a change request: what a merge needs, and what is missing. */
import type { ChangeRequest } from '../../contract/change-requests.js'
import type { Space } from '../../contract/spaces.js'
import { text } from '../i18n/text.js'
import { EmptyState } from '../ui/display.js'

export default function Checks({ space, change }: { readonly space: Space; readonly change: ChangeRequest }) {
  return (
    <div className="content-main" key={`${space.id}/${change.id}`}>
      <EmptyState icon="check" title={text.change.noChecks} />
    </div>
  )
}
