/**
 * Destinations of a planned import that lead nowhere: missing pictures, links to what is not there, and to parts that
 * a page does not have. Everything is at hand, so nothing is read; one text is looked at at a time.
 */
import type { Reference } from '../document/types.js'
import { resolveReference } from '../links/resolve.js'
import type { SnapshotPlan } from './build.js'
import { type TextParts, createLinkJudge } from './link-judge.js'
import type { Description } from './describe.js'
import { nameOf } from './paths.js'
import type { ImportProblem } from './problems.js'
import { thingsAmong } from './targets.js'
import type { NameEntry } from './types.js'

/** What is known of a text whose destinations are looked at. */
export interface LinkedText extends Omit<TextParts, 'references'>, Pick<Description, 'references'> {
  /** Lines of the references, in the same order. */
  readonly referenceLines: readonly number[]
}

/** Returns the function that answers what leads nowhere in the text of a file. */
export function createLinkCheck(
  plan: SnapshotPlan,
  textAt: (file: string) => LinkedText | undefined,
): (file: string) => ImportProblem[] {
  const readme = nameOf(plan.config.readme)
  const { judge } = createLinkJudge(thingsOf(plan), plan.config, textAt)

  function problemOf(
    file: string,
    { kind, url }: Reference,
  ): Omit<ImportProblem, 'path' | 'line'> | undefined {
    const { target, verdict } = judge(file, kind, resolveReference(file, url, { readme }))
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

function thingsOf({ pages, files, texts }: SnapshotPlan) {
  const entries = new Map<string, NameEntry>()
  for (const page of pages) if (page.type === 'document') entries.set(page.file, { page: page.id })
  for (const file of files) entries.set(file.path, { file: file.id })
  for (const { path, text } of texts) entries.set(path, { text: text.hash, size: text.size })
  return thingsAmong(entries, pages, files)
}
