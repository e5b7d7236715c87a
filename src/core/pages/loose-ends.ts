/**
 * Destinations of a planned import that lead nowhere: missing pictures, links to what is not there, and to parts that
 * a page does not have. Everything is at hand, so nothing is read; one text is looked at at a time.
 */
import type { Reference } from '../document/types.js'
import { resolveReference } from '../links/resolve.js'
import type { SnapshotPlan } from './build.js'
import type { Description } from './describe.js'
import { pathKey } from './keys.js'
import { nameOf } from './paths.js'
import type { ImportProblem } from './problems.js'
import { type KnownThings, type Target, targetAmong } from './targets.js'
import type { FileRecord, NameEntry, PageRecord } from './types.js'

/** What is known of a text whose destinations are looked at. */
export interface LinkedText extends Pick<Description, 'references'> {
  /** Lines of the references, in the same order. */
  readonly referenceLines: readonly number[]
  /** Fragments that lead into it. */
  readonly anchors: readonly string[]
}

/** Returns the function that answers what leads nowhere in the text of a file. */
export function createLinkCheck(
  plan: SnapshotPlan,
  textAt: (file: string) => LinkedText | undefined,
): (file: string) => ImportProblem[] {
  const known = thingsOf(plan)
  const readme = nameOf(plan.config.readme)
  const anchors = new Map<string, ReadonlySet<string> | undefined>()

  function leadTo(file: string, url: string): Target {
    return targetAmong(known, resolveReference(file, url, { readme }), plan.config)
  }

  /** Undefined for a page that has parts which are made elsewhere: nobody can tell which. */
  function anchorsOf(file: string): ReadonlySet<string> | undefined {
    if (!anchors.has(file)) anchors.set(file, findAnchors(file))
    return anchors.get(file)
  }

  function findAnchors(file: string): ReadonlySet<string> | undefined {
    const text = textAt(file)
    if (text === undefined || text.references.some(({ kind }) => kind === 'openapi')) return undefined
    const found = new Set(text.anchors)
    for (const { kind, url } of text.references) {
      const target = kind === 'reusable-content' ? leadTo(file, url) : undefined
      if (target?.kind === 'text') for (const anchor of textAt(target.path)?.anchors ?? []) found.add(anchor)
    }
    return found
  }

  function hasPart(file: string, fragment: string): boolean {
    return fragment === '' || (anchorsOf(file)?.has(fragment) ?? true)
  }

  function problemOf(
    file: string,
    { kind, url }: Reference,
  ): Omit<ImportProblem, 'path' | 'line'> | undefined {
    const target = leadTo(file, url)
    switch (target.kind) {
      case 'broken':
        return kind === 'image' || kind === 'cover'
          ? { kind: 'image', message: `The picture ${url} is missing.` }
          : { kind: 'link', message: `${url} leads nowhere.` }
      case 'anchor':
        return hasPart(file, target.fragment)
          ? undefined
          : { kind: 'anchor', message: `${url} leads to no part of this page.` }
      case 'page': {
        const { page, fragment = '' } = target
        const isFound = page.type !== 'document' || page.text === undefined || hasPart(page.file, fragment)
        return isFound ? undefined : { kind: 'anchor', message: `${url} leads to no part of that page.` }
      }
      case 'text': {
        const isMeantAsPage = kind !== 'reusable-content' && /\.(?:md|markdown)$/i.test(target.path)
        return isMeantAsPage
          ? { kind: 'link', message: `${url} leads to a text that is no page.` }
          : undefined
      }
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

function thingsOf({ pages, files, texts }: SnapshotPlan): KnownThings {
  const entries = new Map<string, NameEntry>()
  const byName = new Map<string, PageRecord>()
  const byId = new Map<string, FileRecord>()
  for (const page of pages) {
    byName.set(page.id, page)
    if (page.type !== 'link') byName.set(pathKey(page.path), page)
    if (page.type === 'document') entries.set(page.file, { page: page.id })
  }
  for (const file of files) {
    byId.set(file.id, file)
    entries.set(file.path, { file: file.id })
  }
  for (const { path, text } of texts) entries.set(path, { text: text.hash, size: text.size })
  return {
    entryAt: (path) => entries.get(path),
    pageOf: (name) => byName.get(name) ?? byName.get(pathKey(name)),
    fileOf: (id) => byId.get(id),
  }
}
