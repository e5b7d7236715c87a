/**
 * Broken links of a planned import: missing pictures, links to missing pages, and to sections that a page does not
 * have. Everything is in memory, so nothing is loaded; one text is checked at a time.
 */
import type { Reference } from '../document/types.js'
import { resolveReference } from '../links/resolve.js'
import type { SnapshotPlan } from './build.js'
import { type TextParts, createLinkChecker } from './link-checker.js'
import type { Description } from './describe.js'
import { nameOf } from './paths.js'
import type { ImportProblem } from './import-problems.js'
import { indexRecords } from './targets.js'
import type { NameEntry } from './types.js'

/** A text whose links are checked. */
export interface LinkedText extends Omit<TextParts, 'references'>, Pick<Description, 'references'> {
  /** Lines of the references, in the same order. */
  readonly referenceLines: readonly number[]
}

/** Returns a function that returns the broken links in the text of a file. */
export function createLinkCheck(
  plan: SnapshotPlan,
  textAt: (file: string) => LinkedText | undefined,
): (file: string) => ImportProblem[] {
  const readme = nameOf(plan.config.readme)
  const { check } = createLinkChecker(indexPlan(plan), plan.config, textAt)

  function problemOf(
    file: string,
    { kind, url }: Reference,
  ): Omit<ImportProblem, 'path' | 'line'> | undefined {
    const { target, verdict } = check(file, kind, resolveReference(file, url, { readme }))
    switch (verdict) {
      case 'missing':
        return kind === 'image' || kind === 'cover'
          ? { kind: 'image', message: `The picture ${url} is missing.` }
          : { kind: 'link', message: `${url} leads nowhere.` }
      case 'no-part': {
        const page = target.kind === 'anchor' ? 'this page' : 'that page'
        return { kind: 'anchor', message: `${url} leads to no part of ${page}.` }
      }
      case 'no-page':
        return { kind: 'link', message: `${url} leads to a text that is no page.` }
      default:
        return undefined
    }
  }

  return (file) => {
    const text = textAt(file)
    if (text === undefined) return []
    const { references, referenceLines } = text
    return references.flatMap((reference, index) => {
      const problem = problemOf(file, reference)
      return problem === undefined ? [] : [{ ...problem, path: file, line: referenceLines[index]! }]
    })
  }
}

function indexPlan({ pages, files, texts }: SnapshotPlan) {
  const entries = new Map<string, NameEntry>()
  for (const page of pages) if (page.type === 'document') entries.set(page.file, { page: page.id })
  for (const file of files) entries.set(file.path, { file: file.id })
  for (const { path, text } of texts) entries.set(path, { text: text.hash, size: text.size })
  return indexRecords(entries, pages, files)
}
