/**
 * A page as Markdown for readers outside of its space, as far as they may have it: links lead to this site, variables
 * are their values, reusable contents are their texts. A page without a text lists its subpages.
 */
import { frontMatterSpan } from '../../core/markdown/front-matter.js'
import { children } from '../../core/pages/read.js'
import type { Target } from '../../core/pages/targets.js'
import type { DocumentPage } from '../../core/pages/types.js'
import type { LinkTarget } from '../blocks/context.js'
import { askAside, askedPage } from '../pages/ask-page.js'
import { type WrittenOut, composeMarkdown } from '../pages/compose-markdown.js'
import { type ShownContent, isListed, notePrinted, readOpenTexts } from '../pages/content.js'
import { titleInLists } from '../pages/navigation.js'
import { isReadable } from '../routing/destination.js'
import type { Placed } from '../routing/linker.js'
import { linkTo, oneLine } from './markdown-link.js'

export interface PageMarkdown {
  readonly text: string
  /** False when another time more of it may be written out: too much was going on. */
  readonly isFinal: boolean
}

/** Returns the Markdown of a page that is open to the reader. */
export async function readMarkdown(shown: ShownContent, page: Placed): Promise<PageMarkdown> {
  if (page.type === 'document' && page.text !== undefined) {
    const [text] = await readOpenTexts(shown, page, [page.text])
    if (bodyOf(text!) !== '') return writeOutPage(shown, page, text!)
  }
  const { content, linker } = shown
  const below = await content.run(children(content.revision.snapshot, page.id))
  const lines = below
    .filter((child) => isListed(shown, child))
    .map((child) => {
      const href = child.type === 'link' ? child.url : linker.absolute(linker.markdown(child))
      return `- ${linkTo(titleInLists(child), href)}`
    })
  return { text: `# ${oneLine(page.title)}\n\n${lines.join('\n')}\n`, isFinal: true }
}

/** Returns the text below its front matter and its title. */
export function bodyOf(text: string): string {
  const body = text.slice(frontMatterSpan(text)?.end ?? 0).trim()
  if (!body.startsWith('# ')) return body
  const end = body.indexOf('\n')
  return end < 0 ? '' : body.slice(end).trim()
}

async function writeOutPage(shown: ShownContent, page: DocumentPage, text: string): Promise<PageMarkdown> {
  const { place, questions } = askedPage(shown, page, (url, target) => ({
    link: targetOf(shown, url, target),
    ...(target.kind === 'text' && { text: { path: target.path, hash: target.entry.text } }),
  }))
  const written = await composeMarkdown(place, questions, text)
  if (written !== undefined) return { text: noteWritten(shown, page, written), isFinal: written.isFinal }
  const result = await askAside(shown, page, { kind: 'markdown', place, questions, text })
  if ('markup' in result) {
    const about = result.about as Omit<WrittenOut, 'markup'>
    return {
      text: noteWritten(shown, page, { ...about, markup: result.markup }),
      isFinal: about.isFinal,
    }
  }
  // As it was written: what it names is found in the space alone.
  return { text, isFinal: result.lost !== 'busy' }
}

function noteWritten(shown: ShownContent, page: DocumentPage, { markup, expressions }: WrittenOut): string {
  notePrinted(shown, page, expressions)
  return markup
}

/** Where a destination leads from anywhere; what leads nowhere stays as the author wrote it. */
function targetOf(shown: ShownContent, url: string, target: Target): LinkTarget {
  const { linker } = shown
  switch (target.kind) {
    case 'page': {
      const { page, fragment } = target
      if (page.type === 'link') return { href: page.url }
      const href = isReadable(page) ? linker.markdown(page, fragment) : linker.page(page, fragment)
      return { href: linker.absolute(href) }
    }
    case 'file':
      return { href: linker.absolute(linker.file(target.file)) }
    case 'space': {
      const href = linker.inSpace(target.space, target.path, target.fragment)
      return href === undefined ? { href: url } : { href: linker.absolute(href) }
    }
    default:
      return { href: url }
  }
}
