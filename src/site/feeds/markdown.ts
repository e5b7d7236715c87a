/** A page as the Markdown it was written in, byte for byte; a page without a text lists its subpages. */
import { loadTexts } from '../../core/merkle/steps.js'
import { children } from '../../core/pages/read.js'
import { type ShownContent, isListed } from '../pages/content.js'
import { titleInLists } from '../pages/navigation.js'
import type { ReadablePage } from '../routing/destination.js'

export async function readMarkdown({ content, ...shown }: ShownContent, page: ReadablePage): Promise<string> {
  if (page.type === 'document' && page.text !== undefined) {
    const [text] = await content.run(loadTexts([page.text]))
    return text!
  }
  const below = await content.run(children(content.revision.snapshot, page.id))
  const lines = below
    .filter((child) => isListed(shown, child))
    .map((child) => {
      const href = child.type === 'link' ? child.url : shown.linker.markdown(child)
      return `- [${titleInLists(child)}](${href})`
    })
  return `# ${page.title}\n\n${lines.join('\n')}\n`
}
