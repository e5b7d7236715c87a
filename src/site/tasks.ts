/** Worker tasks of a site: rendering fragments of pages, and whole pages that are long. Independent of the thread API. */
import type { Side } from '../core/comparison/types.js'
import { readUpdates } from '../core/document/updates.js'
import { parsePage } from '../core/markdown/parse.js'
import type { NamedBlock } from '../core/document/openapi.js'
import type { SpecificationView } from '../core/openapi/view.js'
import type { RenderedFragment, FragmentResult } from '../store/reading/fragment-renderer.js'
import type { PageFragment } from './blocks/context.js'
import { renderFragment } from './blocks/fragments.js'
import type { ComparisonTask, PageQuery, PageTask } from './pages/page-tasks.js'
import { composeComparison } from './pages/compose-comparison.js'
import { composeMarkdown } from './pages/compose-markdown.js'
import { composeBody } from './pages/compose.js'
import type { PageQueries, ResolvedTarget } from './pages/load-page.js'

export type SiteTask = PageFragment | PageTask | ComparisonTask

/** Returns the result of a task; `ask` sends a `PageQuery` to the thread that posted it. */
export async function runTask(
  task: SiteTask,
  ask: (query: unknown) => Promise<unknown>,
): Promise<RenderedFragment> {
  if (task.kind === 'comparison') {
    const queriesOf = (side: Side) => queriesTo((query) => ask({ side, query }))
    const composed = await composeComparison(task.versions, {
      before: queriesOf('before'),
      after: queriesOf('after'),
    })
    if (composed === undefined) return {}
    const { markup, ...about } = composed
    return { markup, about }
  }
  if (!('settings' in task)) {
    const markup = await renderFragment(task)
    return markup === undefined ? {} : { markup }
  }
  if (task.kind === 'updates') return { markup: '', about: readUpdates(parsePage(task.text).document) }
  const compose = task.kind === 'markdown' ? composeMarkdown : composeBody
  const composed = await compose(task.settings, queriesTo(ask), task.text)
  if (composed === undefined) return {}
  const { markup, ...about } = composed
  return { markup, about }
}

/** Returns the queries of a page, sent to the thread that posted the task. */
function queriesTo(ask: (query: PageQuery) => Promise<unknown>): PageQueries {
  return {
    resolve: async (urls: readonly string[]) =>
      (await ask({ resolve: urls })) as ReadonlyMap<string, ResolvedTarget>,
    texts: async (hashes) => (await ask({ texts: hashes })) as readonly string[],
    renderFragment: async (fragment: PageFragment) => (await ask({ fragment })) as FragmentResult,
    specifications: async (specifications: readonly NamedBlock[]) =>
      (await ask({ specifications })) as ReadonlyMap<string, SpecificationView>,
  }
}
