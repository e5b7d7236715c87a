/** What is rendered aside for a site: pieces of pages, and whole pages that are long. Knows nothing of threads. */
import { readUpdates } from '../core/document/updates.js'
import { parsePage } from '../core/markdown/parse.js'
import type { NamedBlock } from '../core/openapi/shown-words.js'
import type { SpecificationView } from '../core/openapi/view.js'
import type { PieceAnswer, PieceResult } from '../store/reading/pieces.js'
import type { Piece } from './blocks/context.js'
import { renderPiece } from './blocks/pieces.js'
import type { PageTask } from './pages/ask-page.js'
import { composeMarkdown } from './pages/compose-markdown.js'
import { composeBody } from './pages/compose.js'
import type { Seen } from './pages/load.js'

export type SiteTask = Piece | PageTask

/** Returns what becomes of a task; `ask` takes a `Question` to who gave it. */
export async function doTask(
  task: SiteTask,
  ask: (question: unknown) => Promise<unknown>,
): Promise<PieceAnswer> {
  if (!('place' in task)) {
    const markup = await renderPiece(task)
    return markup === undefined ? {} : { markup }
  }
  if (task.kind === 'updates') return { markup: '', about: readUpdates(parsePage(task.text).document) }
  const questions = {
    resolve: async (urls: readonly string[]) => (await ask({ resolve: urls })) as ReadonlyMap<string, Seen>,
    texts: async (hashes: readonly string[]) => (await ask({ texts: hashes })) as readonly string[],
    piece: async (piece: Piece) => (await ask({ piece })) as PieceResult,
    specifications: async (specifications: readonly NamedBlock[]) =>
      (await ask({ specifications })) as ReadonlyMap<string, SpecificationView>,
  }
  const compose = task.kind === 'markdown' ? composeMarkdown : composeBody
  const composed = await compose(task.place, questions, task.text)
  if (composed === undefined) return {}
  const { markup, ...about } = composed
  return { markup, about }
}
