/**
 * What a page names, loaded before anything is made of it: where its destinations lead, and the reusable contents it
 * includes, over all levels.
 *
 * It knows the site by plain values and by questions, so that it runs where it is called or in a thread. The links of
 * a reusable content are written as seen from its own file; before it is parsed they are written anew as seen from
 * the page, so that one table answers for both.
 */
import { visitBlocks } from '../../core/document/visit.js'
import type { Hash } from '../../core/ids.js'
import { hasRightToLeft } from '../../core/language/direction.js'
import { retarget } from '../../core/links/relative.js'
import { replaceDestinations } from '../../core/links/replace.js'
import { resolveReference } from '../../core/links/resolve.js'
import { type ParsedPage, parseFragment, parsePage } from '../../core/markdown/parse.js'
import type { NamedBlock } from '../../core/openapi/shown-words.js'
import type { SpecificationView } from '../../core/openapi/view.js'
import type { PieceResult } from '../../store/reading/pieces.js'
import type { FileTarget, LinkTarget, Piece } from '../blocks/context.js'
import { deepestInclude, renderLimits } from '../blocks/render.js'
import { wordsIn } from '../words/words.js'
import type { inputsOf } from './content.js'
import { collectAsked } from './specifications.js'

/** Where a page stands and how it is shown: plain values. */
export interface Place {
  /** Of the page, which stands above its text. */
  readonly title: string
  /** Of the page, in its space. */
  readonly file: string
  /** Name of the files that stand for their folder. */
  readonly readme: string
  readonly inputs: ReturnType<typeof inputsOf>
  readonly isAdaptive: boolean
  readonly searchHref: string
  readonly language: string
  readonly externalInNewTab: boolean
  readonly isWide: boolean
  /** True in a thread, where long texts keep nobody waiting. */
  readonly isAside?: true
}

/** What a destination is to the reader of the page. */
export interface Seen {
  readonly link: LinkTarget
  readonly file?: FileTarget
  readonly text?: TextPlace
}

export interface TextPlace {
  readonly path: string
  readonly hash: Hash
}

export interface Questions {
  resolve(urls: readonly string[]): Promise<ReadonlyMap<string, Seen>>
  /** The texts as this reader may see them. */
  texts(hashes: readonly Hash[]): Promise<readonly string[]>
  piece(piece: Piece): Promise<PieceResult>
  /** What blocks show of specifications, by the names of the blocks. */
  specifications(asked: readonly NamedBlock[]): Promise<ReadonlyMap<string, SpecificationView>>
}

/** Characters of a page and what it includes that are read at once: about a tenth of a second of the worst. */
export const longestAtOnce = 60_000
/** Characters of all contents that a page includes, over all levels; each is read once. */
const longestIncluded = 2_000_000
/** Contents that are loaded together: each may be a megabyte. */
const filesAtOnce = 16

/** A text and what was read from it. */
export interface ReadText extends Pick<ParsedPage, 'document' | 'references' | 'expressions'> {
  readonly text: string
}

/** A page with everything that it names at hand. */
export interface LoadedPage {
  readonly page: ParsedPage
  /** By the destination as it is written on the page. */
  readonly seen: ReadonlyMap<string, Seen>
  /** By the file that holds them. */
  readonly includes: ReadonlyMap<string, ReadText>
  /** True when letters from right to left are among them. */
  readonly isMixed: boolean
  /** By the names of the blocks that show them. */
  readonly specifications: ReadonlyMap<string, SpecificationView>
  /** True when there are API blocks in it. */
  readonly hasReference: boolean
}

/** What was read last: a page is asked for as HTML, and right after as Markdown. */
let lastRead: { readonly text: string; readonly page: ParsedPage } | undefined

function readPage(text: string): ParsedPage {
  if (lastRead?.text !== text) lastRead = { text, page: parsePage(text) }
  return lastRead.page
}

/** Returns a page with this text, loaded; undefined when that takes a thread. */
export async function loadPage(
  place: Place,
  questions: Questions,
  text: string,
): Promise<LoadedPage | undefined> {
  let atOnce = place.isAside === true ? Infinity : longestAtOnce
  if (text.length > atOnce) return undefined
  const page = readPage(text)
  const loaded = { seen: new Map<string, Seen>(), includes: new Map<string, ReadText>() }
  let isMixed = hasRightToLeft(text)
  let left = longestIncluded
  // Level by level: what the page names, then what its included contents name, each file once.
  let level: readonly Pick<ReadText, 'document' | 'references'>[] = [page]
  for (let depth = 0; level.length > 0; depth++) {
    const urls = new Set(level.flatMap(({ references }) => references.map(({ url }) => url)))
    const unknown = [...urls].filter((url) => !loaded.seen.has(url))
    if (unknown.length > 0) {
      for (const [url, seen] of await questions.resolve(unknown)) loaded.seen.set(url, seen)
    }
    if (depth === deepestInclude) break
    const files = [...wantedBy(level, loaded).values()]
    const below: ReadText[] = []
    for (let at = 0; at < files.length; at += filesAtOnce) {
      const batch = files.slice(at, at + filesAtOnce)
      if (loaded.includes.size >= renderLimits.includes || left <= 0) {
        for (const { path } of batch) loaded.includes.set(path, notShown(place))
        continue
      }
      const texts = await questions.texts(batch.map(({ hash }) => hash))
      for (const [index, { path }] of batch.entries()) {
        const included = texts[index]!
        left -= included.length
        atOnce -= included.length
        isMixed ||= hasRightToLeft(included)
        if (atOnce < 0) return undefined
        const read = left < 0 ? undefined : readFragment(seenFrom(place, path, included))
        loaded.includes.set(path, read ?? notShown(place))
        if (read !== undefined) below.push(read)
      }
    }
    level = below
  }
  const asked = collectAsked([page, ...loaded.includes.values()].map(({ document }) => document))
  const specifications = asked.length === 0 ? new Map() : await questions.specifications(asked)
  return { page, ...loaded, isMixed, specifications, hasReference: asked.length > 0 }
}

function readFragment(text: string): ReadText {
  return { text, ...parseFragment(text) }
}

function wantedBy(
  level: readonly Pick<ReadText, 'document'>[],
  { seen, includes }: Pick<LoadedPage, 'seen' | 'includes'>,
): ReadonlyMap<string, TextPlace> {
  const wanted = new Map<string, TextPlace>()
  for (const { document } of level) {
    visitBlocks(document, (block) => {
      const text = block.type === 'reusable-content' ? seen.get(block.src)?.text : undefined
      if (text !== undefined && !includes.has(text.path)) wanted.set(text.path, text)
    })
  }
  return wanted
}

/** What stands in place of a content that is one too many. */
function notShown({ language }: Place): ReadText {
  const words = wordsIn(language)
  return readFragment(`{% hint style="warning" %}\n${words.includesTooMuch}\n{% endhint %}\n`)
}

/** Returns the text of `file` with its links written as they would be written in `page`. */
function seenFrom({ file: page, readme }: Place, file: string, text: string): string {
  const replacements = parseFragment(text).references.flatMap((reference) => {
    const resolved = resolveReference(file, reference.url, { readme })
    if (resolved.kind !== 'file') return []
    const url = retarget(reference.url, page, resolved.path, readme)
    return url === reference.url ? [] : [{ span: reference.span, syntax: reference.syntax, url }]
  })
  return replaceDestinations(text, replacements)
}

/** A destination on the web, or one that is left as it is. */
export function outside(url: string): LinkTarget {
  return /^(?:https?:)?\/\//i.test(url) ? { href: url, external: true } : { href: url }
}
