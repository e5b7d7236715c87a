/** Prints the problems of an import, with file and line. */
import { join } from 'node:path'
import type { ImportReport } from '../../resources/imports/report.js'
import type { Reporter } from '../reporter.js'

/** Prints the problems; `folder` precedes their paths, where the import read a folder inside of the given one. */
export function reportProblems(
  report: Reporter,
  { problems, problemCount }: Pick<ImportReport, 'problems' | 'problemCount'>,
  { folder = '' }: { readonly folder?: string } = {},
): void {
  report.warnAll(
    problems.map((problem) => {
      const { line, message } = problem
      const path = join(folder, problem.path)
      const place = line === undefined ? path : `${path}:${line}`
      return { sentence: `${place}: ${message}`, members: { ...problem, path } }
    }),
  )
  if (problemCount > problems.length)
    report.warn(`There are ${problemCount} in all.`, { kind: 'more', problemCount })
}
