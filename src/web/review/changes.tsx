/** The Changes tab of a change request: its pages, each compared with the content of the space. */
import type { ChangeRequest } from '../../contract/change-requests.js'
import type { Space } from '../../contract/spaces.js'
import { ChangedPages } from '../editor/changed-pages.js'

export default function Changes({
  space,
  change,
}: {
  readonly space: Space
  readonly change: ChangeRequest
}) {
  return (
    <div className="content-main">
      <ChangedPages source={{ space: space.id, change: change.number }} />
    </div>
  )
}
