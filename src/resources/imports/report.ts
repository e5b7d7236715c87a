/** Import report: counts of what was imported, and the problems to review. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { OrganizationId } from '../../core/ids.js'
import type { SnapshotPlan } from '../../core/pages/build.js'
import type { ImportPlan } from '../../core/pages/import.js'
import { createLinkCheck } from '../../core/pages/check-links.js'
import type { Span } from '../../core/document/types.js'
import type { SummaryEntry } from '../../core/markdown/summary.js'
import { configFile, isInclude, summaryFile } from '../../core/pages/paths.js'
import { redirectUrl, redirectsFile } from '../../core/pages/redirects.js'
import { type ImportProblem, sortProblems } from '../../core/pages/import-problems.js'
import { findNameCollisions } from '../../core/pages/name-collisions.js'
import { type SpecificationServices, findMissingSpecifications } from './missing-specifications.js'
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
  /** Number of pages and parts under conditions, which a site that is not adaptive shows to everyone. */
  readonly conditions: number
  /** Number of problems; only the first ten thousand are listed. */
  readonly problemCount: number
  /** In display order. */
  readonly problems: readonly ImportProblem[]
}

const maxProblems = 10_000
/** Texts whose links are checked before yielding to the event loop. */
const textsPerYield = 50

/** Returns the report of a tree that was imported as planned into an organization; `linked` is what its links lead to. */
export async function createReport(
  services: SpecificationServices,
  organizationId: OrganizationId,
  { plan, linked = plan, problems: summaryFileProblems }: ImportPlan & { readonly linked?: SnapshotPlan },
  { tree, problems, summaryProblems, lineOfRedirect }: Structure,
  read: ImportedTree,
): Promise<ImportReport> {
  const { config } = tree
  const pages = plan.pages.flatMap((page) =>
    page.type === 'document' && page.text !== undefined ? [page.file] : [],
  )
  const includes = plan.texts.flatMap(({ path }) => (isInclude(path, config) ? [path] : []))
  const unlisted = unlistedIn(plan.texts, config)
  const linkProblems: ImportProblem[] = []
  await nextTurn()
  const check = createLinkCheck(linked, (file) => read.texts.get(file))
  const files = [...pages, ...includes]
  for (const [index, file] of files.entries()) {
    if (index % textsPerYield === 0) await nextTurn()
    linkProblems.push(...check.ofText(file))
  }
  const brokenParts = [...partsOf(tree.summary ?? [])].flatMap(({ part, span }) => {
    const problem = check.ofUrl(summaryFile(config), part)
    return problem === undefined ? [] : [{ ...problem, span }]
  })
  for (const [index, located] of summaryProblems(brokenParts).entries())
    linkProblems.push({ ...located, kind: brokenParts[index]!.kind })
  for (const [from, to] of Object.entries(config.redirects)) {
    const problem = check.ofUrl(redirectsFile(config), redirectUrl(to))
    if (problem === undefined) continue
    const message = `The redirect of ${from}: ${problem.message}`
    linkProblems.push({ kind: problem.kind, path: configFile, ...lineOfRedirect(from), message })
  }
  const { texts } = read
  linkProblems.push(
    ...(await findMissingSpecifications({ services, organizationId, plan, files, texts, check })),
  )
  await nextTurn()
  const collisions = findNameCollisions(plan)
  await nextTurn()
  const isUnlisted = new Set(unlisted)
  const all = [
    ...problems,
    ...summaryProblems(summaryFileProblems),
    // Problems of files that are not pages do not matter.
    ...read.problems.filter(({ path }) => !isUnlisted.has(path)),
    ...collisions,
    ...linkProblems,
    ...unlisted.map((path) => unlistedProblem(path, tree.summary !== undefined)),
  ]
  return {
    pages: pages.length,
    files: plan.files.length + includes.length,
    unlisted: unlisted.length,
    leftOut: read.problems.filter(({ kind }) => kind === 'left-out').length,
    conditions: all.filter(({ kind }) => kind === 'condition').length,
    problemCount: all.length,
    problems: sortProblems(all).slice(0, maxProblems),
  }
}

interface EntryPart {
  readonly part: string
  readonly span: Span
}

/** Returns the entries of a table of contents that lead to parts of pages. */
function* partsOf(entries: readonly SummaryEntry[]): Iterable<EntryPart> {
  for (const entry of entries) {
    if (entry.kind === 'page' && entry.part !== undefined) yield { part: entry.part, span: entry.span }
    yield* partsOf(entry.children)
  }
}

function unlistedIn(
  texts: ImportPlan['plan']['texts'],
  config: ImportPlan['plan']['config'],
): readonly string[] {
  const summary = summaryFile(config)
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
