/** Sends one change of the pages of a change request. */
import { changeContent } from '../../contract/change-requests.js'
import type { Change, ChangeOutcome } from '../../contract/changes.js'
import { api } from './client.js'
import type { ChangeSource } from './queries.js'

/** Returns what the change did, with ids. Throws `ApiRequestError`. */
export async function changePages(
  { space, change }: ChangeSource,
  one: Change,
): Promise<readonly ChangeOutcome[]> {
  const outcome = await api.call(changeContent, {
    params: { spaceId: space, changeRequestId: change },
    query: { compat: false },
    body: { changes: [one] },
  })
  return 'changes' in outcome ? outcome.changes : []
}
