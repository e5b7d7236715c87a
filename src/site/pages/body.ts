/**
 * The body of a page for a site: what `compose.ts` asks, answered from the content and the site's addresses.
 *
 * A long page is composed in a thread with a deadline, which asks its questions here; one that is late is
 * shown as the text it is.
 */
import type { Target } from '../../core/pages/targets.js'
import type { DocumentPage, FileRecord, PageRecord } from '../../core/pages/types.js'
import type { PieceResult } from '../../store/reading/pieces.js'
import type { FileTarget, LinkTarget } from '../blocks/context.js'
import { plainPiece } from '../blocks/plain.js'
import { encodeText } from '../blocks/safe-url.js'
import { type Html, trusted } from '../html.js'
import type { CoverSource } from '../layout/view.js'
import { wordsIn } from '../words/words.js'
import { askAside, askedPage } from './ask-page.js'
import { type Composed, composeBody } from './compose.js'
import { type ShownContent, notePrinted } from './content.js'
import { type Seen, outside } from './load.js'
import { offeredText } from './offered-text.js'

export interface Body extends Omit<Composed, 'markup' | 'expressions'> {
  readonly html: Html
  /** What the destinations are that the page's record holds: its cover. */
  source(url: string): CoverSource | undefined
}

/** Returns the body of a page with this text. */
export async function renderBody(shown: ShownContent, page: DocumentPage, text: string): Promise<Body> {
  const known = new Map<string, Seen>()
  const { place, questions } = askedPage(shown, page, (url, target) => {
    const seen = seenAs(shown, url, target)
    known.set(url, seen)
    return seen
  })
  const composed =
    (await composeBody(place, questions, text)) ??
    bodyOf(await askAside(shown, page, { kind: 'page', place, questions, text }), text, place.language)
  const { markup, expressions, ...body } = composed
  notePrinted(shown, page, expressions)
  // Another reader of the page may have asked for the same body, and been told where its cover is.
  const covers = [page.cover?.src, page.cover?.srcDark].filter((url) => url !== undefined && !known.has(url))
  if (covers.length > 0) await questions.resolve(covers as string[])
  return {
    ...body,
    html: trusted(markup),
    source(url) {
      const file = known.get(url)?.file
      if (file !== undefined) return { src: file.href, file }
      return /^https?:/i.test(url) ? { src: url } : undefined
    },
  }
}

function bodyOf(result: PieceResult, text: string, language: string): Composed {
  if ('markup' in result) return { ...(result.about as Omit<Composed, 'markup'>), markup: result.markup }
  const words = wordsIn(language)
  return {
    markup: plainPiece(text, words.slowPage).toString(),
    outline: [],
    isEmpty: false,
    hasUpdates: false,
    hasReference: false,
    connects: [],
    expressions: [],
    isFinal: result.lost !== 'busy',
  }
}

function seenAs(shown: ShownContent, url: string, target: Target): Seen {
  const link = linkTo(shown, url, target)
  if (target.kind === 'file') return { link, file: fileTarget(shown, target.file) }
  if (target.kind !== 'text') return { link }
  const file = offeredText(shown, target)
  return { link, text: { path: target.path, hash: target.entry.text }, ...(file && { file }) }
}

function linkTo(shown: ShownContent, url: string, target: Target): LinkTarget {
  const { linker, site } = shown
  switch (target.kind) {
    case 'page': {
      const { page, fragment } = target
      if (page.type === 'link') return outside(page.url)
      return { href: linker.page(page, fragment), page: linkedPage(page) }
    }
    case 'file':
      return { href: linker.file(target.file) }
    case 'anchor':
      return { href: `#${encodeText(target.fragment)}` }
    case 'space': {
      // A space that this site does not show may be closed to its readers: the link leads nowhere.
      const href = linker.inSpace(target.space, target.path, target.fragment)
      if (href !== undefined) return { href }
      return site.visibility === 'private' ? { href: url } : { href: url, broken: true }
    }
    case 'url':
      return outside(target.url)
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

function fileTarget({ linker }: ShownContent, file: FileRecord): FileTarget {
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
