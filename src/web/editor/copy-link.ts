/** The address of a heading, or of the page: the nearest heading above the block of the cursor. */
import { spacePath } from '../routes/addresses.js'
import type { DocumentHandle } from '../document/mount.js'
import { copyText } from '../ui/clipboard.js'
import type { EditedPage } from './choices.js'
import { fetchLinkablePages, headingsOf } from './page-links.js'

/** Copies it; false where the page is not stored yet. */
export async function copyBlockLink(
  { view }: DocumentHandle,
  { source, page }: EditedPage,
): Promise<boolean> {
  const pages = await fetchLinkablePages(source)
  const target = pages.find(({ id }) => id === page)
  if (target === undefined) return false
  const { doc, selection } = view.state
  /** How many headings with the same words come before: equal ones have different fragments. */
  const seen = new Map<string, number>()
  let last: { readonly words: string; readonly place: number } | undefined
  doc.descendants((node, position) => {
    if (position > selection.from) return false
    if (node.type.name === 'heading') {
      const words = node.textContent.trim()
      const place = seen.get(words) ?? 0
      seen.set(words, place + 1)
      last = { words, place }
    }
    return !node.isTextblock
  })
  const { words, place } = last ?? { words: undefined, place: 0 }
  const headings = words === undefined ? [] : await headingsOf(source, target)
  const id = headings.filter(({ title }) => title.trim() === words)[place]?.id
  const fragment = id === undefined ? '' : `#${encodeURIComponent(id)}`
  await copyText(`${location.origin}${spacePath(source.space, target.path)}${fragment}`)
  return true
}
