/** Reports what an import has under conditions, and who sees it on the site that shows it. */
import { join } from 'node:path'
import type { ImportReport } from '../../resources/imports/report.js'
import type { Reporter } from '../reporter.js'

/** Pages that the sentence names. */
const maxNamed = 20

/** How the site shows what is under conditions. */
interface ConditionsOnSite {
  /** Number of pages, parts, sections and variants under conditions. */
  readonly conditions: number
  /** Paths of the pages that are under conditions or hold such parts. */
  readonly pages: readonly string[]
  readonly isAdaptive: boolean
  readonly isPublished: boolean
}

/** Returns the paths of the pages with conditions; `folder` precedes them. */
export function pagesWithConditions({ problems }: Pick<ImportReport, 'problems'>, folder = ''): string[] {
  const paths = problems.filter(({ kind }) => kind === 'condition').map(({ path }) => join(folder, path))
  return [...new Set(paths)]
}

/** Says which pages hold conditional content, and what a visitor without claims sees of it. */
export function reportConditions(
  report: Reporter,
  { conditions, pages, isAdaptive, isPublished }: ConditionsOnSite,
): void {
  if (conditions === 0) return
  const more = pages.length > maxNamed ? ` and ${pages.length - maxNamed} more` : ''
  const named = pages.length === 0 ? '' : ` (${pages.slice(0, maxNamed).join(', ')}${more})`
  const what = `${conditions} ${conditions === 1 ? 'page, part or section is' : 'pages, parts or sections are'} under conditions${named}`
  const sentence = isAdaptive
    ? `${what}. The site is adaptive: a visitor without claims sees none of it, unless a condition holds without claims.`
    : isPublished
      ? `${what}. The site is published and not adaptive: every visitor sees all of it, also without claims.`
      : `${what}. The site is not published: it is not adaptive, so every visitor would see all of it. Make it adaptive and publish it, or repeat the command with --publish.`
  const seenWithoutClaims = isAdaptive ? 'none' : isPublished ? 'all' : 'unpublished'
  report.warn(sentence, {
    kind: 'conditions',
    conditions,
    pages: pages.slice(0, maxNamed),
    published: isPublished,
    adaptive: isAdaptive,
    seenWithoutClaims,
  })
}
