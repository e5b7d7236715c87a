/** Sends changes of the pages of a change request. */
import { changeContent } from '../../contract/change-requests.js'
import type { Change, ChangeOutcome } from '../../contract/changes.js'
import { api } from './client.js'
import type { ChangeSource } from './queries.js'

/** Makes one change, or several in one commit; at most 50. Returns what they did, with ids. Throws `ApiRequestError`. */
export async function changePages(
  { space, change }: ChangeSource,
  changes: Change | readonly Change[],
): Promise<readonly ChangeOutcome[]> {
  const outcome = await api.call(changeContent, {
    params: { spaceId: space, changeRequestId: change },
    query: { compat: false },
    body: { changes: [changes].flat() as Change[] },
  })
  return 'changes' in outcome ? outcome.changes : []
}
