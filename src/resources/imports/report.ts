/** Import report: counts of what was imported, and the problems to review. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ImportPlan } from '../../core/pages/import.js'
import { createLinkCheck } from '../../core/pages/check-links.js'
import { isInclude, joinPath } from '../../core/pages/paths.js'
import { type ImportProblem, sortProblems } from '../../core/pages/import-problems.js'
import { findNameCollisions } from '../../core/pages/name-collisions.js'
import type { ImportedTree } from './read-tree.js'
import type { Structure } from './structure.js'

export interface ImportReport {
  /** Pages that have a document. */
  readonly pages: number
  /** Images and other files, including reusable contents. */
  readonly files: number
  /** Markdown files that are stored but are not pages. */
  readonly unlisted: number
  /** Files and whole folders that were not imported. */
  readonly leftOut: number
  /** Number of problems; only the first ten thousand are listed. */
  readonly problemCount: number
  /** In display order. */
  readonly problems: readonly ImportProblem[]
}

const maxProblems = 10_000
/** Texts whose links are checked before yielding to the event loop. */
const textsPerYield = 50

/** Returns the report of a tree that was imported as planned. */
export async function createReport(
  { plan, problems: summaryFileProblems }: ImportPlan,
  { tree, problems, summaryProblems }: Structure,
  read: ImportedTree,
): Promise<ImportReport> {
  const { config } = tree
  const pages = plan.pages.flatMap((page) =>
    page.type === 'document' && page.text !== undefined ? [page.file] : [],
  )
  const includes = plan.texts.flatMap(({ path }) => (isInclude(path, config) ? [path] : []))
  const unlisted = unlistedIn(plan.texts, config)
  const linkProblems: ImportProblem[] = []
  const check = createLinkCheck(plan, (file) => read.texts.get(file))
  for (const [index, file] of [...pages, ...includes].entries()) {
    if (index % textsPerYield === 0) await nextTurn()
    linkProblems.push(...check(file))
  }
  const isUnlisted = new Set(unlisted)
  const all = [
    ...problems,
    ...summaryProblems(summaryFileProblems),
    // Problems of files that are not pages do not matter.
    ...read.problems.filter(({ path }) => !isUnlisted.has(path)),
    ...findNameCollisions(plan),
    ...linkProblems,
    ...unlisted.map((path) => unlistedProblem(path, tree.summary !== undefined)),
  ]
  return {
    pages: pages.length,
    files: plan.files.length + includes.length,
    unlisted: unlisted.length,
    leftOut: read.problems.filter(({ kind }) => kind === 'left-out').length,
    problemCount: all.length,
    problems: sortProblems(all).slice(0, maxProblems),
  }
}

function unlistedIn(
  texts: ImportPlan['plan']['texts'],
  config: ImportPlan['plan']['config'],
): readonly string[] {
  const summary = joinPath(config.root, config.summary)
  return texts
    .map(({ path }) => path)
    .filter((path) => /\.(?:md|markdown)$/i.test(path) && path !== summary && !isInclude(path, config))
}

function unlistedProblem(path: string, hasSummary: boolean): ImportProblem {
  const message = hasSummary
    ? 'Kept, but no page: the table of contents does not name it.'
    : 'Kept, but no page: it stands outside of the content, or in a hidden folder.'
  return { kind: 'unlisted', path, message }
}
