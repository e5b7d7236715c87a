/** The texts that a change request changes, cached by both revisions: the checks of its content read these alone. */
import type { Hash, PageId } from '../../core/ids.js'
import { describeChanges } from '../../core/merge/describe-changes.js'
import { type ContentChange, diffSnapshots } from '../../core/merge/diff-snapshots.js'
import { cacheKind } from '../../store/cache/kinds.js'
import type { CheckContext } from './check.js'

/** A changed text: of a page, or of a reusable content. */
export interface ChangedText {
  readonly page?: { readonly id: PageId; readonly title: string; readonly path: string }
  readonly file: string
  readonly text: Hash
}

interface ContentDifference {
  readonly summary: string
  readonly count: number
  readonly texts: readonly ChangedText[]
}

const differenceKind = cacheKind<ContentDifference>(
  'texts of a change',
  ({ texts }) => 500 + texts.length * 400,
)

export async function findDifference({
  services,
  base,
  content,
}: Pick<CheckContext, 'services' | 'base' | 'content'>): Promise<ContentDifference> {
  const key = `${content.spaceId}${base.revision.id} ${content.revision.id}`
  const known = services.caches.find(differenceKind, key)
  if (known !== undefined) return known
  const changes = await content.run(diffSnapshots(base.revision.snapshot, content.revision.snapshot))
  const difference = {
    summary: describeChanges(changes),
    count: changes.length,
    texts: changes.flatMap(changedText),
  }
  services.caches.put(differenceKind, key, difference)
  return difference
}

function changedText(change: ContentChange): ChangedText[] {
  if (change.type === 'page_created' || change.type === 'page_edited') {
    const { page } = change
    if (page.type !== 'document' || page.text === undefined) return []
    if (change.type === 'page_edited' && !('document' in change.attributes)) return []
    const { id, title, path, file, text } = page
    return [{ page: { id, title, path }, file, text }]
  }
  if (change.type !== 'text_created' && change.type !== 'text_edited') return []
  const { path, after } = change
  // Of texts that are no pages, only reusable contents are rendered anywhere.
  return after !== undefined && 'text' in after && after.id !== undefined
    ? [{ file: path, text: after.text }]
    : []
}
