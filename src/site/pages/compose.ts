/**
 * Rendering of a page body: loads all that the page refers to, then renders synchronously. Depends on plain values and
 * queries only, so that it runs in the main or a worker thread.
 */
import { createBudget } from '../../core/budget.js'
import { conditionLimits, holds } from '../../core/conditions/evaluate.js'
import { outline } from '../../core/document/headings.js'
import { summaryOf } from '../../core/document/summary.js'
import { hasUpdates } from '../../core/document/updates.js'
import { isRightToLeft } from '../../core/language/direction.js'
import type { PageFragments, RenderContext } from '../blocks/context.js'
import { createPageFragments } from '../blocks/fragments.js'
import { renderDocument } from '../blocks/render.js'
import type { OutlineEntry } from '../layout/view.js'
import { createEvaluator } from './expressions.js'
import { type LoadedPage, type PageSettings, type PageQueries, loadPage, webLink } from './load-page.js'
import { collectConnectOrigins, hasPendingViews, blockKey } from './specifications.js'

export interface ComposedBody {
  readonly markup: string
  /** The document's own title, when it begins with one. */
  readonly title?: string
  /** The URL fragments of that title. */
  readonly titleAnchors?: readonly string[]
  /** Its beginning, for lists of pages. */
  readonly summary?: string
  readonly outline: readonly OutlineEntry[]
  readonly isEmpty: boolean
  /** True when it contains updates, which have a feed. */
  readonly hasUpdates: boolean
  /** True when it contains API blocks. */
  readonly hasReference: boolean
  /** Origins of the API servers that its readers may call from the page. */
  readonly connects: readonly string[]
  /** The expressions whose values were printed. */
  readonly expressions: readonly string[]
  /** False when a later result may be more complete: the server was busy. */
  readonly isFinal: boolean
}

/** Heavy fragments of a page that may be refused or late before the remaining ones are skipped, until the next request. */
const maxRefusals = 2
/** Heavy fragments of a page that may fail before the remaining ones are text: each may have ended a thread. */
const maxFailures = 20

/** Returns the body of a page with this text; undefined when it needs a worker thread. */
export async function composeBody(
  settings: PageSettings,
  queries: PageQueries,
  text: string,
): Promise<ComposedBody | undefined> {
  const loaded = await loadPage(settings, queries, text)
  if (loaded === undefined) return undefined
  const { title, document } = loaded.page
  const fragments = createPageFragments()
  const expressions = new Set<string>()
  const context: RenderContext = { ...contextOf(settings, loaded, expressions), fragments }
  let rendered = renderDocument(document, context)
  let isFinal = !hasPendingViews(loaded.specifications)
  if (fragments.deferred.size > 0) {
    isFinal = (await renderDeferredFragments(queries, fragments)) && isFinal
    rendered = renderDocument(document, context)
  }
  const summary = summaryOf(document)
  return {
    ...(summary !== undefined && { summary }),
    ...(title !== undefined && title.text !== '' && { title: title.text }),
    ...(title !== undefined && title.anchors.length > 0 && { titleAnchors: title.anchors }),
    markup: rendered.toString(),
    outline: outline(document),
    isEmpty: document.blocks.length === 0,
    hasUpdates: hasUpdates(document),
    hasReference: loaded.hasReference,
    connects: collectConnectOrigins(loaded.specifications.values()),
    expressions: [...expressions],
    isFinal,
  }
}

/** Renders heavy fragments in worker threads, one after another so that no page blocks others; false when some were refused. */
export async function renderDeferredFragments(
  { renderFragment: ask }: Pick<PageQueries, 'renderFragment'>,
  fragments: PageFragments,
): Promise<boolean> {
  let refusals = 0
  let failures = 0
  for (const [owner, fragment] of fragments.deferred) {
    const result = refusals < maxRefusals && failures < maxFailures ? await ask(fragment) : undefined
    if (result !== undefined && 'unavailable' in result) {
      if (result.unavailable === 'busy') refusals++
      else failures++
    }
    fragments.setResult(owner, result !== undefined && 'markup' in result ? result.markup : undefined)
  }
  return refusals === 0
}

/** Returns the context in which the document of a loaded page is rendered. */
export function contextOf(
  settings: PageSettings,
  { targets, includes, isMixed, specifications }: LoadedPage,
  expressions: Set<string>,
): RenderContext {
  const { title, inputs, isAdaptive, searchHref, language, externalInNewTab, isWide } = settings
  const budget = createBudget(conditionLimits)
  return {
    // Destinations without a reference, such as in raw HTML, are used as written.
    link: (url) => targets.get(url)?.link ?? webLink(url),
    file: (src) => targets.get(src)?.file,
    include(src) {
      const text = targets.get(src)?.text
      return text && includes.get(text.path)?.document
    },
    evaluate: createEvaluator(inputs, budget, expressions),
    evaluateCondition: (condition) => !isAdaptive || holds(condition, inputs, budget),
    title,
    specification: (block) => specifications.get(blockKey(block)),
    searchHref,
    language,
    direction: isRightToLeft(language) ? 'rtl' : isMixed ? 'ltr' : undefined,
    externalInNewTab,
    isWide,
  }
}
