/**
 * HTML body of a page on a site: resolves the queries of `compose.ts` with the content and the site's addresses.
 *
 * A long page is composed in a worker thread with a deadline; on timeout its source text is shown instead.
 */
import type { Target } from '../../core/pages/targets.js'
import type { DocumentPage, FileRecord, PageRecord } from '../../core/pages/types.js'
import type { FragmentResult } from '../../store/reading/fragment-renderer.js'
import type { FileTarget, LinkTarget } from '../blocks/context.js'
import { plainTextBox } from '../blocks/plain-text-fallback.js'
import { encodeText } from '../blocks/safe-url.js'
import { type Html, trusted } from '../html.js'
import type { CoverSource } from '../layout/view.js'
import { wordsIn } from '../words/words.js'
import { runPageTask, pageInput } from './page-tasks.js'
import { type ComposedBody, composeBody } from './compose.js'
import { type VisibleContent, notePrinted } from './content.js'
import { type ResolvedTarget, webLink } from './load-page.js'
import { textDownloadTarget } from './text-download.js'

export interface PageBody extends Omit<ComposedBody, 'markup' | 'expressions'> {
  readonly html: Html
  /** Resolves a destination in the page's record: its cover. */
  source(url: string): CoverSource | undefined
}

/** Returns the body of a page with this text. */
export async function renderBody(
  visible: VisibleContent,
  page: DocumentPage,
  text: string,
): Promise<PageBody> {
  const targets = new Map<string, ResolvedTarget>()
  const { settings, queries } = pageInput(visible, page, (url, target) => {
    const resolved = resolveTarget(visible, url, target)
    targets.set(url, resolved)
    return resolved
  })
  const composed =
    (await composeBody(settings, queries, text)) ??
    composedFrom(
      await runPageTask(visible, page, { kind: 'page', settings, queries, text }),
      text,
      settings.language,
    )
  const { markup, expressions, ...body } = composed
  notePrinted(visible, page, expressions)
  // A body shared with a concurrent request has resolved its cover there.
  const covers = [page.cover?.src, page.cover?.srcDark].filter(
    (url) => url !== undefined && !targets.has(url),
  )
  if (covers.length > 0) await queries.resolve(covers as string[])
  return {
    ...body,
    html: trusted(markup),
    source(url) {
      const file = targets.get(url)?.file
      if (file !== undefined) return { src: file.href, file }
      return /^https?:/i.test(url) ? { src: url } : undefined
    },
  }
}

function composedFrom(result: FragmentResult, text: string, language: string): ComposedBody {
  if ('markup' in result) return { ...(result.about as Omit<ComposedBody, 'markup'>), markup: result.markup }
  const words = wordsIn(language)
  return {
    markup: plainTextBox(text, words.slowPage).toString(),
    outline: [],
    isEmpty: false,
    hasUpdates: false,
    hasReference: false,
    connects: [],
    expressions: [],
    isFinal: result.unavailable !== 'busy',
  }
}

/** Returns what a destination on a page leads its readers to. */
export function resolveTarget(visible: VisibleContent, url: string, target: Target): ResolvedTarget {
  const link = linkTarget(visible, url, target)
  if (target.kind === 'file') return { link, file: fileTarget(visible, target.file) }
  if (target.kind !== 'text') return { link }
  const file = textDownloadTarget(visible, target)
  return { link, text: { path: target.path, hash: target.entry.text }, ...(file && { file }) }
}

function linkTarget(visible: VisibleContent, url: string, target: Target): LinkTarget {
  const { linker, site } = visible
  switch (target.kind) {
    case 'page': {
      const { page, fragment } = target
      if (page.type === 'link') return webLink(page.url)
      return { href: linker.page(page, fragment), page: linkedPage(page) }
    }
    case 'file':
      return { href: linker.file(target.file) }
    case 'anchor':
      return { href: `#${encodeText(target.fragment)}` }
    case 'space': {
      // A space outside of this site may be closed to its readers: the link counts as broken.
      const href = linker.inSpace(target.space, target.path, target.fragment)
      if (href !== undefined) return { href }
      return site.visibility === 'private' ? { href: url } : { href: url, broken: true }
    }
    case 'url':
      return webLink(target.url)
    default:
      return { href: url, broken: true }
  }
}

function linkedPage(page: PageRecord) {
  const description = page.type === 'document' ? page.description : undefined
  return {
    title: page.title,
    ...(page.emoji !== undefined && { emoji: page.emoji }),
    ...(page.icon !== undefined && { icon: page.icon }),
    ...(description !== undefined && { description }),
  }
}

function fileTarget({ linker }: VisibleContent, file: FileRecord): FileTarget {
  const sizes = linker.sizes(file)
  return {
    href: linker.file(file),
    name: file.name,
    size: file.size,
    contentType: file.contentType,
    ...(file.width !== undefined && { width: file.width }),
    ...(file.height !== undefined && { height: file.height }),
    ...(sizes.length > 0 && { sizes }),
  }
}
