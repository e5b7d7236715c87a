/**
 * Markdown export of a page, without parts closed to the reader: links are absolute, variables and reusable contents
 * expanded. A page without a text lists its subpages.
 */
import { frontMatterSpan } from '../../core/markdown/front-matter.js'
import { children } from '../../core/pages/read.js'
import type { Target } from '../../core/pages/targets.js'
import type { DocumentPage } from '../../core/pages/types.js'
import type { LinkTarget } from '../blocks/context.js'
import { runPageTask, pageInput } from '../pages/page-tasks.js'
import { type ComposedMarkdown, composeMarkdown } from '../pages/compose-markdown.js'
import { type VisibleContent, isListed, notePrinted, readVisibleTexts } from '../pages/content.js'
import { readLinkDestinations } from '../pages/link-pages.js'
import { titleInLists } from '../pages/navigation.js'
import { isReadable } from '../routing/destination.js'
import type { PageWithPath } from '../routing/linker.js'
import { markdownLink, singleLine } from './markdown-link.js'

export interface PageMarkdown {
  readonly text: string
  /** False when a later result may be more complete: the server was busy. */
  readonly isFinal: boolean
}

/** Returns the Markdown of a page that is open to the reader. */
export async function readMarkdown(visible: VisibleContent, page: PageWithPath): Promise<PageMarkdown> {
  if (page.type === 'document' && page.text !== undefined) {
    const [text] = await readVisibleTexts(visible, page, [page.text])
    if (bodyOf(text!) !== '') return writeOutPage(visible, page, text!)
  }
  const { content, linker } = visible
  const { snapshot } = content.revision
  const below = await content.run(children(snapshot, page.id))
  const destinations = await content.run(readLinkDestinations(snapshot, below))
  const lines = below
    .filter((child) => isListed(visible, child, destinations.get(child.id)?.pages))
    .map((child) => {
      const target = destinations.get(child.id)?.target
      const href =
        target !== undefined
          ? absoluteTarget(visible, child.type === 'link' ? child.url : '', target).href
          : child.type === 'link'
            ? child.url
            : linker.absolute(linker.markdown(child))
      return `- ${markdownLink(titleInLists(child), href)}`
    })
  return { text: `# ${singleLine(page.title)}\n\n${lines.join('\n')}\n`, isFinal: true }
}

/** Returns the text below its front matter and its title. */
export function bodyOf(text: string): string {
  const body = text.slice(frontMatterSpan(text)?.end ?? 0).trim()
  if (!body.startsWith('# ')) return body
  const end = body.indexOf('\n')
  return end < 0 ? '' : body.slice(end).trim()
}

async function writeOutPage(
  visible: VisibleContent,
  page: DocumentPage,
  text: string,
): Promise<PageMarkdown> {
  const { settings, queries } = pageInput(visible, page, (url, target) => ({
    link: absoluteTarget(visible, url, target),
    ...(target.kind === 'text' && { text: { path: target.path, hash: target.entry.text } }),
  }))
  const written = await composeMarkdown(settings, queries, text)
  if (written !== undefined) return { text: noteWritten(visible, page, written), isFinal: written.isFinal }
  const result = await runPageTask(visible, page, { kind: 'markdown', settings, queries, text })
  if ('markup' in result) {
    const about = result.about as Omit<ComposedMarkdown, 'markup'>
    return {
      text: noteWritten(visible, page, { ...about, markup: result.markup }),
      isFinal: about.isFinal,
    }
  }
  // The source text: its links work only within the space.
  return { text, isFinal: result.unavailable !== 'busy' }
}

function noteWritten(
  visible: VisibleContent,
  page: DocumentPage,
  { markup, expressions }: ComposedMarkdown,
): string {
  notePrinted(visible, page, expressions)
  return markup
}

/** The absolute address of a destination; a broken one stays as written. */
function absoluteTarget(visible: VisibleContent, url: string, target: Target): LinkTarget {
  const { linker } = visible
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
