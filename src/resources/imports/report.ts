/** What is told of an import when it is done: how much came in, and what somebody should look at. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ImportPlan } from '../../core/pages/import.js'
import { createLinkCheck } from '../../core/pages/check-links.js'
import { isInclude, joinPath } from '../../core/pages/paths.js'
import { type ImportProblem, sortProblems } from '../../core/pages/import-problems.js'
import { findNameCollisions } from '../../core/pages/name-collisions.js'
import type { ReadTree } from './read-tree.js'
import type { Structure } from './structure.js'

export interface ImportReport {
  /** Pages that have a text. */
  readonly pages: number
  /** Pictures and other files, reusable contents among them. */
  readonly files: number
  /** Markdown files that are kept, and no pages. */
  readonly unlisted: number
  /** Files and whole folders that did not come in. */
  readonly leftOut: number
  /** How many problems there are; the first ten thousand are listed. */
  readonly problemCount: number
  /** In the order in which they are told. */
  readonly problems: readonly ImportProblem[]
}

const maxProblems = 10_000
/** Texts whose links are looked at before others have their turn. */
const textsPerYield = 50

/** Answers what is told of a tree that was imported as planned. */
export async function createReport(
  { plan, problems: summaryFileProblems }: ImportPlan,
  { tree, problems, summaryProblems }: Structure,
  read: ReadTree,
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
    // Nobody reads what is no page.
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
