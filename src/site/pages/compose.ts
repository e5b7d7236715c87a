/**
 * The body of a page out of its text: loaded, then rendered. Rendering asks no questions that wait. Knows the site by
 * plain values and by questions, so that it runs where it is called or in a thread.
 */
import { createBudget } from '../../core/budget.js'
import { conditionLimits, holds } from '../../core/conditions/evaluate.js'
import { outline } from '../../core/document/headings.js'
import { summaryOf } from '../../core/document/summary.js'
import { hasUpdates } from '../../core/document/updates.js'
import { isRightToLeft } from '../../core/language/direction.js'
import type { Pieces, RenderContext } from '../blocks/context.js'
import { createPieces } from '../blocks/pieces.js'
import { renderDocument } from '../blocks/render.js'
import type { OutlineEntry } from '../layout/view.js'
import { createEvaluator } from './expressions.js'
import { type LoadedPage, type Place, type Questions, loadPage, outside } from './load.js'
import { connectsOf, isAnyWaiting, nameAsked } from './specifications.js'

export interface Composed {
  readonly markup: string
  /** The document's own, when it begins with a title. */
  readonly title?: string
  /** Its beginning, for those who see it in a list. */
  readonly summary?: string
  readonly outline: readonly OutlineEntry[]
  readonly isEmpty: boolean
  /** True when there are updates in it, of which a feed tells. */
  readonly hasUpdates: boolean
  /** True when there are API blocks in it. */
  readonly hasReference: boolean
  /** Origins of the servers that its readers may call from it. */
  readonly connects: readonly string[]
  /** The expressions that were printed. */
  readonly expressions: readonly string[]
  /** False when another time more of it may be shown: too much was going on. */
  readonly isFinal: boolean
}

/** Pieces of a page that may fail until the others of it are not tried. */
const mostFailures = 2

/** Returns the body of a page with this text; undefined when that takes a thread. */
export async function composeBody(
  place: Place,
  questions: Questions,
  text: string,
): Promise<Composed | undefined> {
  const loaded = await loadPage(place, questions, text)
  if (loaded === undefined) return undefined
  const { title, document } = loaded.page
  const pieces = createPieces()
  const expressions = new Set<string>()
  const context: RenderContext = { ...contextOf(place, loaded, expressions), pieces }
  let rendered = renderDocument(document, context)
  let isFinal = !isAnyWaiting(loaded.specifications)
  if (pieces.heavy.size > 0) {
    isFinal = (await settlePieces(questions, pieces)) && isFinal
    rendered = renderDocument(document, context)
  }
  const summary = summaryOf(document)
  return {
    ...(summary !== undefined && { summary }),
    ...(title !== undefined && title.text !== '' && { title: title.text }),
    markup: rendered.toString(),
    outline: outline(document),
    isEmpty: document.blocks.length === 0,
    hasUpdates: hasUpdates(document),
    hasReference: loaded.hasReference,
    connects: connectsOf(loaded.specifications.values()),
    expressions: [...expressions],
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

function contextOf(
  place: Place,
  { seen, includes, isMixed, specifications }: LoadedPage,
  expressions: Set<string>,
): RenderContext {
  const { title, inputs, isAdaptive, searchHref, language, externalInNewTab, isWide } = place
  const budget = createBudget(conditionLimits)
  return {
    // A destination that no reference stands for, such as one inside raw HTML, leads where it says.
    link: (url) => seen.get(url)?.link ?? outside(url),
    file: (src) => seen.get(src)?.file,
    include(src) {
      const text = seen.get(src)?.text
      return text && includes.get(text.path)?.document
    },
    evaluate: createEvaluator(inputs, budget, expressions),
    holds: (condition) => !isAdaptive || holds(condition, inputs, budget),
    title,
    specification: (block) => specifications.get(nameAsked(block)),
    searchHref,
    language,
    direction: isMixed || isRightToLeft(language) ? 'auto' : undefined,
    externalInNewTab,
    isWide,
  }
}
