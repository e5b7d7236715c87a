/** Asks before a revision is restored, and says what happens: a change request, which changes nothing by itself. */
import { restoreRevision } from '../../contract/history.js'
import type { ListedRevision } from '../../contract/revisions.js'
import { api } from '../api/client.js'
import { refresh } from '../api/queries.js'
import { formatExactTime } from '../i18n/format.js'
import { text } from '../i18n/text.js'
import { changePath } from '../routes/addresses.js'
import { navigate } from '../routes/navigation.js'
import { ConfirmDialog } from '../ui/prompts.js'

export default function RestoreDialog({
  space,
  revision: { id, createdAt },
  page,
  onClose,
}: {
  readonly space: string
  readonly revision: Pick<ListedRevision, 'id'> & Partial<Pick<ListedRevision, 'createdAt'>>
  /** The whole space when absent. */
  readonly page: { readonly id: string; readonly title: string } | undefined
  readonly onClose: () => void
}) {
  const restore = async () => {
    const change = await api.call(restoreRevision, {
      params: { spaceId: space, revisionId: id },
      body: page === undefined ? {} : { pages: [page.id] },
    })
    await refresh('space', space, 'changes')
    navigate(changePath(space, change.number, '', 'changes'))
  }
  const time = createdAt === undefined ? text.history.atThatTime : text.history.on(formatExactTime(createdAt))
  return (
    <ConfirmDialog
      title={
        page === undefined ? text.history.restoreSpaceQuestion : text.history.restorePageQuestion(page.title)
      }
      description={
        page === undefined ? text.history.restoreSpaceText(time) : text.history.restorePageText(time)
      }
      submit={text.history.restore}
      onClose={onClose}
      onSubmit={restore}
    />
  )
}
