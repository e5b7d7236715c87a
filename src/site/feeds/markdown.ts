/** A page as the Markdown it was written in, as far as its reader may have it; a page without a text lists its subpages. */
import { children } from '../../core/pages/read.js'
import { type ShownContent, isListed, readOpenTexts } from '../pages/content.js'
import { titleInLists } from '../pages/navigation.js'
import type { ReadablePage } from '../routing/destination.js'

export async function readMarkdown(shown: ShownContent, page: ReadablePage): Promise<string> {
  if (page.type === 'document' && page.text !== undefined) {
    const [text] = await readOpenTexts(shown, page, [page.text])
    return text!
  }
  const { content } = shown
  const below = await content.run(children(content.revision.snapshot, page.id))
  const lines = below
    .filter((child) => isListed(shown, child))
    .map((child) => {
      const href = child.type === 'link' ? child.url : shown.linker.markdown(child)
      return `- [${titleInLists(child)}](${href})`
    })
  return `# ${page.title}\n\n${lines.join('\n')}\n`
}
