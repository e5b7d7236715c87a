/**
 * Comparison of a text in two contents, as a person sees them in the app. Long texts are compared in a worker thread with a
 * deadline; past it both versions are displayed, one as removed and one as added.
 */
import { parseFragment, parsePage } from '../../core/markdown/parse.js'
import { plainText } from '../../core/document/plain-text.js'
import type { DocumentChange, Side } from '../../core/comparison/types.js'
import { drawingsFor } from '../blocks/icons.js'
import { html, trusted } from '../html.js'
import { type ComposedComparison, type ComparedVersions, composeComparison } from './compose-comparison.js'
import type { VisibleContent } from './content.js'
import type { PageQueries } from './load-page.js'
import { resolveTarget } from './page-body.js'
import {
  type ComparisonQuery,
  type ComparisonTask,
  type TextPlace,
  answerQuery,
  pageInput,
} from './page-tasks.js'

/** A text in a content; empty where the content has none. */
export interface ComparedText {
  readonly visible: VisibleContent
  readonly page: TextPlace
  readonly text: string
}

/** Returns the comparison of a page's text, or of a reusable content's. */
export async function renderComparison(
  sides: Readonly<Record<Side, ComparedText>>,
  isFragment: boolean,
): Promise<Omit<ComposedComparison, 'isFinal'>> {
  const inputs = { before: inputOf(sides.before, isFragment), after: inputOf(sides.after, isFragment) }
  const versions: ComparedVersions = {
    before: { settings: inputs.before.settings, text: sides.before.text },
    after: { settings: inputs.after.settings, text: sides.after.text },
  }
  const queries = { before: inputs.before.queries, after: inputs.after.queries }
  const composed =
    (await composeComparison(versions, queries)) ??
    (await compareInWorker(sides, versions, queries)) ??
    bothVersions(versions, isFragment)
  // There is no page around it that has the drawings of its icons.
  return { ...composed, markup: composed.markup + drawingsFor(trusted(composed.markup)).toString() }
}

function inputOf({ visible, page }: ComparedText, isFragment: boolean) {
  const { settings, queries } = pageInput(visible, page, (url, target) => resolveTarget(visible, url, target))
  return { settings: { ...settings, ...(isFragment && { isFragment }) }, queries }
}

async function compareInWorker(
  { before, after }: Readonly<Record<Side, ComparedText>>,
  versions: ComparedVersions,
  queries: Readonly<Record<Side, PageQueries>>,
): Promise<ComposedComparison | undefined> {
  const inWorker = ({ settings, text }: ComparedVersions[Side]) => {
    return { settings: { ...settings, isInWorker: true as const }, text }
  }
  const task: ComparisonTask = {
    kind: 'comparison',
    versions: { before: inWorker(versions.before), after: inWorker(versions.after) },
    dependencies: [before, after].flatMap(({ visible: { site, content } }) => [
      site.fingerprint,
      site.base,
      JSON.stringify(site.specifications),
      content.spaceId,
      content.revision.id,
    ]),
  }
  const result = await after.visible.pages.render(task, async (message) => {
    const { side, query } = message as ComparisonQuery
    return answerQuery(queries[side], query)
  })
  if (!('markup' in result)) return undefined
  return { ...(result.about as Omit<ComposedComparison, 'markup'>), markup: result.markup }
}

/** The plain texts of both versions, for texts that cannot be compared in time. */
function bothVersions(
  { before, after }: ComparedVersions,
  isFragment: boolean,
): Omit<ComposedComparison, 'isFinal'> {
  const wordsOf = (text: string) => plainText((isFragment ? parseFragment(text) : parsePage(text)).document)
  const id = 'c1'
  const change: DocumentChange = { id, type: 'edited', block: 'document', key: {}, words: [] }
  const markup = html`<div class="diff-sides" data-change="${id}"><del class="diff-removed"><pre tabindex="0">${wordsOf(before.text)}</pre></del><ins class="diff-added"><pre tabindex="0">${wordsOf(after.text)}</pre></ins></div>`
  return { markup: markup.toString(), changes: [change], isTruncated: true }
}
