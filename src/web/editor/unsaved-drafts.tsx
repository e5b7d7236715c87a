/**
 * Unsaved text that its page cannot take any more: the page, its change request or the permission is gone. It can be copied,
 * taken to a new change request, or thrown away.
 */
import { useEffect, useState } from 'react'
import { createChangeRequest } from '../../contract/change-requests.js'
import type { Page } from '../../contract/pages.js'
import { changePages } from '../api/change-pages.js'
import { api } from '../api/client.js'
import { type ContentSource, pagesQuery, queryClient, refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { changePath } from '../routes/addresses.js'
import { navigate } from '../routes/navigation.js'
import {
  discardDraft,
  listLeftDrafts,
  moveDraft,
  onDraftsChange,
  pageOfKey,
  textKeysOf,
  textOfDraft,
} from '../sync/drafts.js'
import type { StoredDraft } from '../sync/journal.js'
import { Button } from '../ui/button.js'
import { copyText } from '../ui/clipboard.js'
import { Notice } from '../ui/display.js'
import { reportFailure, showToast } from '../ui/toast.js'

export function UnsavedDrafts({
  source,
  isTaken = () => false,
  titleOf = () => undefined,
  canMove,
}: {
  readonly source: ContentSource
  /** True for pages whose editor goes on with their drafts. */
  readonly isTaken?: (page: string) => boolean
  /** The title of a page that is still there. */
  readonly titleOf?: (page: string) => string | undefined
  /** Whether the space takes new change requests of this person. */
  readonly canMove: boolean
}) {
  const [drafts, setDrafts] = useState<readonly StoredDraft[]>([])
  const { space, change } = source
  useEffect(() => {
    let isGone = false
    const find = () =>
      void listLeftDrafts(textKeysOf({ space, change }).below).then((found) => !isGone && setDrafts(found))
    find()
    const stop = onDraftsChange(find)
    return () => {
      isGone = true
      stop()
    }
  }, [space, change])
  return drafts
    .filter(({ draft }) => !isTaken(pageOfKey(draft.key)))
    .map((draft) => (
      <div className="change-notice" key={draft.draft.client}>
        <Notice tone="amber" icon="triangleAlert">
          {text.save.leftBehind(
            titleOf(pageOfKey(draft.draft.key)) ?? headingOf(textOfDraft(draft)) ?? text.common.untitled,
          )}{' '}
          <CopyText markdown={() => textOfDraft(draft)} />
          {canMove && <MoveToNewChange space={space} draft={() => Promise.resolve(draft)} />}
          <Button variant="quiet" icon="trash" onClick={() => void discardDraft(draft)}>
            {text.save.discard}
          </Button>
        </Notice>
      </div>
    ))
}

export function CopyText({ markdown }: { readonly markdown: () => string }) {
  const copy = async () => {
    await copyText(markdown())
    showToast(text.common.copied)
  }
  return (
    <Button variant="quiet" icon="copy" onClick={() => void reportFailure(copy())}>
      {text.save.copyText}
    </Button>
  )
}

/** Opens a change request, in which the page goes on with the draft; a page that is gone is created anew. */
export function MoveToNewChange({
  space,
  draft,
}: {
  readonly space: string
  readonly draft: () => Promise<StoredDraft | undefined>
}) {
  const [isBusy, setBusy] = useState(false)
  const move = async () => {
    setBusy(true)
    try {
      const found = await draft()
      if (found !== undefined) navigate(await moveToNewChange(space, found))
    } catch (error) {
      showToast((error as Error).message, { kind: 'error' })
    }
    setBusy(false)
  }
  return (
    <Button variant="quiet" icon="gitPullRequest" isBusy={isBusy} onClick={() => void move()}>
      {text.save.toNewChange}
    </Button>
  )
}

/** Returns the address of the page in the new change request. */
async function moveToNewChange(space: string, draft: StoredDraft): Promise<string> {
  const { number } = await api.call(createChangeRequest, { params: { spaceId: space }, body: {} })
  const source = { space, change: number }
  const pages = await queryClient.fetchQuery(pagesQuery(source))
  const page = findById(pages, pageOfKey(draft.draft.key))
  if (page === undefined) {
    const markdown = textOfDraft(draft)
    const title = headingOf(markdown) ?? text.common.untitled
    const [made] = await changePages(source, { operation: 'insert_page', title, document: { markdown } })
    await discardDraft(draft)
    await refresh('space', space)
    const id = made !== undefined && 'page' in made && typeof made.page === 'object' ? made.page.id : ''
    const after = findById(await queryClient.fetchQuery(pagesQuery(source)), id)
    return changePath(space, number, after?.path ?? '')
  }
  await moveDraft(draft, textKeysOf(source).of(page.id))
  await refresh('space', space)
  return changePath(space, number, page.path ?? '')
}

function findById(pages: readonly Page[], id: string): Page | undefined {
  for (const page of pages) {
    const found = page.id === id ? page : findById(page.pages ?? [], id)
    if (found !== undefined) return found
  }
  return undefined
}

/** The words of the first heading. */
export const headingOf = (markdown: string): string | undefined => /^# +(.+)$/m.exec(markdown)?.[1]
