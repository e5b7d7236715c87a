/**
 * The body of a page out of its text: parsed, with everything that it names loaded, rendered.
 *
 * It knows the site by plain values and by questions, so that it runs where it is called or in a thread.
 * Rendering asks no questions that wait, so every destination is resolved and every reusable content is
 * loaded beforehand. The links of a reusable content are written as seen from its own file; before it is
 * parsed they are written anew as seen from the page, so that one table answers for both.
 */
import { createBudget } from '../../core/budget.js'
import { conditionLimits, evaluate, holds } from '../../core/conditions/evaluate.js'
import { parseExpression } from '../../core/conditions/parse.js'
import { outline } from '../../core/document/headings.js'
import type { Document } from '../../core/document/types.js'
import { visitBlocks } from '../../core/document/visit.js'
import type { Hash } from '../../core/ids.js'
import { retarget } from '../../core/links/relative.js'
import { replaceDestinations } from '../../core/links/replace.js'
import { resolveReference } from '../../core/links/resolve.js'
import { hasRightToLeft, isRightToLeft } from '../../core/language/direction.js'
import { parseFragment, parsePage } from '../../core/markdown/parse.js'
import type { PieceResult } from '../../store/reading/pieces.js'
import type { FileTarget, LinkTarget, RenderContext } from '../blocks/context.js'
import type { Piece, Pieces } from '../blocks/context.js'
import { createPieces } from '../blocks/pieces.js'
import { deepestInclude, renderDocument, renderLimits } from '../blocks/render.js'
import type { OutlineEntry } from '../layout/view.js'
import type { inputsOf } from './content.js'

/** Where a page stands and how it is shown: plain values. */
export interface Place {
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
}

export interface Composed {
  readonly markup: string
  /** The document's own, when it begins with a title. */
  readonly title?: string
  readonly outline: readonly OutlineEntry[]
  readonly isEmpty: boolean
  /** False when another time more of it may be shown: too much was going on. */
  readonly isFinal: boolean
}

/** Characters of a page and what it includes that are read at once: about a tenth of a second of the worst. */
export const longestAtOnce = 60_000
/** Characters of all contents that a page includes, over all levels; each is read once. */
const longestIncluded = 2_000_000
/** Contents that are loaded together: each may be a megabyte. */
const filesAtOnce = 16
/** Pieces of a page that may fail until the others of it are not tried. */
const mostFailures = 2

/** Returns the body of a page with this text; undefined when that takes a thread. */
export async function composeBody(
  place: Place,
  questions: Questions,
  text: string,
): Promise<Composed | undefined> {
  if (text.length > longestAtOnce && place.isAside !== true) return undefined
  const parsed = parsePage(text)
  const loaded: Loaded = { seen: new Map(), includes: new Map(), isMixed: hasRightToLeft(text) }
  if (!(await loadAll(place, questions, parsed, loaded))) return undefined
  const pieces = createPieces()
  const context: RenderContext = { ...contextOf(place, loaded), pieces }
  let rendered = renderDocument(parsed.document, context)
  let isFinal = true
  if (pieces.heavy.size > 0) {
    isFinal = await settlePieces(questions, pieces)
    rendered = renderDocument(parsed.document, context)
  }
  return {
    ...(parsed.title !== undefined && parsed.title.text !== '' && { title: parsed.title.text }),
    markup: rendered.toString(),
    outline: outline(parsed.document),
    isEmpty: parsed.document.blocks.length === 0,
    isFinal,
  }
}

/** Has the heavy pieces done one after another, so that no page keeps others waiting; false when some were refused. */
async function settlePieces({ piece: ask }: Questions, pieces: Pieces): Promise<boolean> {
  let isFinal = true
  let failures = 0
  for (const [owner, piece] of pieces.heavy) {
    const result = failures < mostFailures ? await ask(piece) : undefined
    if (result !== undefined && 'lost' in result) {
      failures++
      if (result.lost === 'busy') isFinal = false
    }
    pieces.settle(owner, result !== undefined && 'markup' in result ? result.markup : undefined)
  }
  return isFinal
}

interface Loaded {
  /** By the destination as it is written on the page. */
  readonly seen: Map<string, Seen>
  /** By the file that holds them. */
  readonly includes: Map<string, Document>
  /** True when letters from right to left are among them. */
  isMixed: boolean
}

type Parsed = Pick<ReturnType<typeof parsePage>, 'document' | 'references'>

/**
 * Level by level: what the page names, then what its included contents name, each file once. False when that is
 * more than is read at once.
 */
async function loadAll(place: Place, questions: Questions, parsed: Parsed, loaded: Loaded): Promise<boolean> {
  let left = longestIncluded
  let atOnce = place.isAside === true ? Infinity : longestAtOnce
  let level = [parsed]
  for (let depth = 0; level.length > 0; depth++) {
    const urls = new Set(level.flatMap(({ references }) => references.map(({ url }) => url)))
    const unknown = [...urls].filter((url) => !loaded.seen.has(url))
    if (unknown.length > 0) {
      for (const [url, seen] of await questions.resolve(unknown)) loaded.seen.set(url, seen)
    }
    if (depth === deepestInclude) return true
    const files = [...wantedBy(level, loaded).values()]
    level = []
    for (let at = 0; at < files.length; at += filesAtOnce) {
      const batch = files.slice(at, at + filesAtOnce)
      if (loaded.includes.size >= renderLimits.includes || left <= 0) {
        for (const { path } of batch) loaded.includes.set(path, notShown)
        continue
      }
      const texts = await questions.texts(batch.map(({ hash }) => hash))
      for (const [index, { path }] of batch.entries()) {
        const text = texts[index]!
        left -= text.length
        atOnce -= text.length
        loaded.isMixed ||= hasRightToLeft(text)
        if (atOnce < 0) return false
        const included = left < 0 ? undefined : parseFragment(seenFrom(place, path, text))
        loaded.includes.set(path, included?.document ?? notShown)
        if (included !== undefined) level.push(included)
      }
    }
  }
  return true
}

function wantedBy(level: readonly Parsed[], { seen, includes }: Loaded): ReadonlyMap<string, TextPlace> {
  const wanted = new Map<string, TextPlace>()
  for (const { document } of level) {
    visitBlocks(document, (block) => {
      const text = block.type === 'reusable-content' ? seen.get(block.src)?.text : undefined
      if (text !== undefined && !includes.has(text.path)) wanted.set(text.path, text)
    })
  }
  return wanted
}

const nowhere = { start: 0, end: 0 }
/** What stands in place of a content that is one too many. */
const notShown: Document = {
  blocks: [
    {
      type: 'hint',
      span: nowhere,
      style: 'warning',
      blocks: [
        {
          type: 'paragraph',
          span: nowhere,
          children: [{ type: 'text', text: 'This part is not shown: the page includes too much text.' }],
        },
      ],
    },
  ],
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

function contextOf(place: Place, { seen, includes, isMixed }: Loaded): RenderContext {
  const { inputs, isAdaptive, searchHref, language, externalInNewTab, isWide } = place
  const budget = createBudget(conditionLimits)
  return {
    // A destination that no reference stands for, such as one inside raw HTML, leads where it says.
    link: (url) => seen.get(url)?.link ?? outside(url),
    file: (src) => seen.get(src)?.file,
    include(src) {
      const text = seen.get(src)?.text
      return text && includes.get(text.path)
    },
    evaluate(expression) {
      const parsed = parseExpression(expression)
      if (!parsed.ok) return undefined
      try {
        return evaluate(parsed.expression, inputs, budget)
      } catch {
        // An expression that names what is not there prints nothing, as everywhere.
        return undefined
      }
    },
    holds: (condition) => !isAdaptive || holds(condition, inputs, budget),
    searchHref,
    language,
    direction: isMixed || isRightToLeft(language) ? 'auto' : undefined,
    externalInNewTab,
    isWide,
  }
}

/** A destination on the web, or one that is left as it is. */
export function outside(url: string): LinkTarget {
  return /^(?:https?:)?\/\//i.test(url) ? { href: url, external: true } : { href: url }
}
