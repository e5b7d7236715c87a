/**
 * Broken links of a planned import: missing pictures, links to missing pages, and to sections that a page does not
 * have. Everything is in memory, so nothing is loaded; one text is checked at a time.
 */
import type { Reference } from '../document/types.js'
import { resolveReference } from '../links/resolve.js'
import type { SnapshotPlan } from './build.js'
import { type LinkVerdict, type TextParts, createLinkChecker } from './link-checker.js'
import type { Description } from './describe.js'
import { resolveOptions } from './paths.js'
import type { ImportProblem } from './import-problems.js'
import { indexRecords } from './targets.js'
import type { FileRecord, NameEntry } from './types.js'

/** A text whose links are checked. */
export interface LinkedText extends Omit<TextParts, 'references'>, Pick<Description, 'references'> {
  /** Lines of the references, in the same order. */
  readonly referenceLines: readonly number[]
}

type LinkProblem = Omit<ImportProblem, 'path' | 'line'>

export interface LinkCheck {
  /** Returns the broken links in the text of a file. */
  ofText(file: string): ImportProblem[]
  /** Returns the problem of one link in a file, undefined when it works. */
  ofUrl(file: string, url: string): LinkProblem | undefined
  /** Returns the file, other than a text, that a link in a file leads to. */
  fileOf(file: string, url: string): FileRecord | undefined
}

/** Returns the check of the links of a plan. */
export function createLinkCheck(
  plan: SnapshotPlan,
  textAt: (file: string) => LinkedText | undefined,
): LinkCheck {
  const options = resolveOptions(plan.config)
  const { check } = createLinkChecker(indexPlan(plan), plan.config, textAt)

  function problemOf(file: string, reference: Pick<Reference, 'kind' | 'url'>): LinkProblem | undefined {
    const { kind, url } = reference
    return describeLinkProblem(reference, check(file, kind, resolveReference(file, url, options)))
  }

  return {
    ofText(file) {
      const text = textAt(file)
      if (text === undefined) return []
      const { references, referenceLines } = text
      return references.flatMap((reference, index) => {
        const problem = problemOf(file, reference)
        return problem === undefined ? [] : [{ ...problem, path: file, line: referenceLines[index]! }]
      })
    },
    ofUrl: (file, url) => problemOf(file, { kind: 'link', url }),
    fileOf(file, url) {
      const { target } = check(file, 'file', resolveReference(file, url, options))
      return target.kind === 'file' ? target.file : undefined
    },
  }
}

/** Returns the problem of a link in words; undefined when it works. */
export function describeLinkProblem(
  { kind, url }: Pick<Reference, 'kind' | 'url'>,
  { target, verdict }: LinkVerdict,
): LinkProblem | undefined {
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

function indexPlan({ pages, files, texts }: SnapshotPlan) {
  const entries = new Map<string, NameEntry>()
  for (const page of pages) if (page.type === 'document') entries.set(page.file, { page: page.id })
  for (const file of files) entries.set(file.path, { file: file.id })
  for (const { path, text } of texts) entries.set(path, { text: text.hash, size: text.size })
  return indexRecords(entries, pages, files)
}
