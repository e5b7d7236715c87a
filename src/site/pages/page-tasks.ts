/**
 * Input of page rendering: plain values, and queries that load what the page refers to. It is rendered from these in the
 * main thread, or in a worker thread with a deadline, which sends the queries back as messages.
 */
import type { UpdateEntry } from '../../core/document/updates.js'
import type { Side } from '../../core/comparison/types.js'
import type { Hash } from '../../core/ids.js'
import type { NamedBlock } from '../../core/document/openapi.js'
import { resolveOptions } from '../../core/pages/paths.js'
import { type Target, resolveTargets } from '../../core/pages/targets.js'
import type { DocumentPage, FileRecord } from '../../core/pages/types.js'
import type { FragmentResult } from '../../store/reading/fragment-renderer.js'
import type { PageFragment } from '../blocks/context.js'
import {
  type VisibleContent,
  contentLanguage,
  expressionInputs,
  isReachable,
  readVisibleTexts,
} from './content.js'
import type { ComparedVersions } from './compose-comparison.js'
import type { PageSettings, PageQueries, ResolvedTarget } from './load-page.js'

/** A worker task for a page; tasks with equal members have equal results. */
export interface PageTask {
  /** Body as HTML, expanded Markdown, or the updates in it. */
  readonly kind: 'page' | 'markdown' | 'updates'
  readonly settings: PageSettings
  readonly text: string
  /** Site, revision and page: all that the results of its queries depend on. */
  readonly dependencies: readonly string[]
}

/** A worker task that compares two versions of a page. */
export interface ComparisonTask extends Pick<PageTask, 'dependencies'> {
  readonly kind: 'comparison'
  readonly versions: ComparedVersions
}

/** A query of a comparison: one version is read where it is. */
export interface ComparisonQuery {
  readonly side: Side
  readonly query: PageQuery
}

/** A query from a worker thread. */
export type PageQuery =
  | { readonly resolve: readonly string[] }
  | { readonly texts: readonly Hash[] }
  | { readonly fragment: PageFragment }
  | { readonly specifications: readonly NamedBlock[] }

/** The input of page rendering. */
export interface PageInput {
  readonly settings: PageSettings
  readonly queries: PageQueries
}

/** A text that is rendered at its own place: `record` is its page, null for a reusable content. */
export interface TextPlace extends Pick<DocumentPage, 'title' | 'file' | 'layout' | 'generated'> {
  readonly record: DocumentPage | null
}

/** Returns the input for a page; `resolveTarget` maps a target to what its readers see. */
export function pageInput(
  visible: VisibleContent,
  page: DocumentPage | TextPlace,
  resolveTarget: (url: string, target: Target) => ResolvedTarget,
): PageInput {
  const { linker, site, content, fragments, addresses } = visible
  const files = new Map<string, FileRecord>()
  const record = 'record' in page ? page.record : page
  return {
    settings: {
      title: page.title,
      file: page.file,
      resolving: resolveOptions(content.revision.snapshot.config),
      inputs: expressionInputs(visible, record),
      isAdaptive: site.isAdaptive,
      searchHref: linker.search.href,
      language: contentLanguage(visible),
      externalInNewTab: site.customization.externalLinks.target === 'blank',
      isWide: page.layout?.width === 'wide',
    },
    queries: {
      async resolve(urls) {
        const step = resolveTargets(content.revision.snapshot, page.file, urls, [addresses.base])
        const targets = await content.run(step)
        const resolved = await Promise.all(
          [...targets].map(async ([url, target]) => {
            if (target.kind === 'file') files.set(url, target.file)
            // Title and description of a closed page are closed too.
            const isClosed = target.kind === 'page' && !(await isReachable(visible, target.page))
            return [url, resolveTarget(url, isClosed ? { kind: 'broken', path: url } : target)] as const
          }),
        )
        return new Map(resolved)
      },
      texts: (hashes) => readVisibleTexts(visible, record, hashes),
      renderFragment: (fragment) => fragments.render(fragment),
      specifications: (blocks) => visible.readSpecificationViews(blocks, page, (src) => files.get(src)),
    },
  }
}

/** Runs a task on a text of the page in a worker thread. */
export function runPageTask(
  { pages, site, variant, content }: VisibleContent,
  page: DocumentPage,
  { kind, settings, queries, text }: PageInput & Pick<PageTask, 'kind' | 'text'>,
): Promise<FragmentResult> {
  const task: PageTask = {
    kind,
    settings: { ...settings, isInWorker: true },
    text,
    dependencies: [
      site.fingerprint,
      JSON.stringify(site.specifications),
      site.base,
      variant.spaceId,
      content.revision.id,
      page.id,
    ],
  }
  return pages.render(task, (message) => answerQuery(queries, message as PageQuery))
}

/** Answers a query of a worker thread. */
export async function answerQuery(queries: PageQueries, query: PageQuery): Promise<unknown> {
  if ('resolve' in query) return queries.resolve(query.resolve)
  if ('specifications' in query) return queries.specifications(query.specifications)
  return 'texts' in query ? queries.texts(query.texts) : queries.renderFragment(query.fragment)
}

/** Reads the updates of a long text in a worker thread; undefined when there are none, or on timeout. */
export async function readUpdatesInWorker(
  visible: VisibleContent,
  page: DocumentPage,
  text: string,
): Promise<{ readonly updates: readonly UpdateEntry[] | undefined; readonly isFinal: boolean }> {
  const { settings, queries } = pageInput(visible, page, (url) => ({ link: { href: url } }))
  const result = await runPageTask(visible, page, { kind: 'updates', settings, queries, text })
  if ('unavailable' in result) return { updates: undefined, isFinal: result.unavailable !== 'busy' }
  return { updates: result.about as readonly UpdateEntry[] | undefined, isFinal: true }
}
