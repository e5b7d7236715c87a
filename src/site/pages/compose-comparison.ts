/** Rendering of the comparison of two versions of a page, from plain values and queries: in the main or a worker thread. */
import { compareDocuments } from '../../core/comparison/compare-documents.js'
import type { DocumentChange, Side } from '../../core/comparison/types.js'
import { comparisonContext } from '../blocks/comparison.js'
import { createPageFragments } from '../blocks/fragments.js'
import { renderDocument } from '../blocks/render.js'
import { contextOf, renderDeferredFragments } from './compose.js'
import {
  type LoadedPage,
  type PageQueries,
  type PageSettings,
  loadPage,
  maxInlineLength,
} from './load-page.js'

/** One version: where it is read, and its text. */
export interface ComparedVersion {
  readonly settings: PageSettings
  readonly text: string
}

export type ComparedVersions = Readonly<Record<Side, ComparedVersion>>

export interface ComposedComparison {
  readonly markup: string
  readonly changes: readonly DocumentChange[]
  readonly isTruncated: boolean
  /** False when a later result may be more complete: the server was busy. */
  readonly isFinal: boolean
}

/** Returns the comparison; undefined when it needs a worker thread. */
export async function composeComparison(
  { before, after }: ComparedVersions,
  queries: Readonly<Record<Side, PageQueries>>,
): Promise<ComposedComparison | undefined> {
  const isLong = before.text.length + after.text.length > maxInlineLength
  if (isLong && after.settings.isInWorker !== true) return undefined
  const was = await loadPage(before.settings, queries.before, before.text)
  const is = await loadPage(after.settings, queries.after, after.text)
  if (was === undefined || is === undefined) return undefined
  const compared = compareDocuments(was.page.document, is.page.document)
  const fragments = createPageFragments()
  const expressions = new Set<string>()
  const contextIn = (settings: PageSettings, loaded: LoadedPage) => contextOf(settings, loaded, expressions)
  const context = {
    ...comparisonContext(compared, {
      before: contextIn(before.settings, was),
      after: contextIn(after.settings, is),
    }),
    fragments,
  }
  let rendered = renderDocument(compared.document, context)
  let isFinal = true
  if (fragments.deferred.size > 0) {
    isFinal = await renderDeferredFragments(queries.after, fragments)
    context.comparison.isPlain = false
    rendered = renderDocument(compared.document, context)
  }
  return {
    markup: rendered.toString(),
    changes: compared.changes,
    isTruncated: context.comparison.isPlain || compared.hasMore,
    isFinal,
  }
}
