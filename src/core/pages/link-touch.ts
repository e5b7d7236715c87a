/**
 * Which texts have links whose truth may differ between two snapshots, at a cost that follows the difference: texts that
 * were changed, came or went, and those that point to what was, as the index `links` knows them.
 */
import type { Hash, PageId } from '../ids.js'
import { diff, range } from '../merkle/map.js'
import { together } from '../merkle/steps.js'
import type { Step } from '../merkle/types.js'
import { type LinkSource, linksPrefix, pathKey, readLinkKey } from './keys.js'
import { findPages } from './read.js'
import type { DocumentPage, FileRecord, NameEntry, PageRecord, Snapshot } from './types.js'

export interface SnapshotTouch {
  /** Places at which a text with links stands now, or stood before. */
  readonly places: ReadonlySet<string>
  /** What links may name that came, went, or became something else. */
  readonly targets: ReadonlySet<string>
  /** Texts that stay where they are: whether fragments still lead into them is for `findTouched` to be told. */
  readonly rewritten: readonly Rewritten[]
}

export interface Rewritten {
  /** Undefined for a text that is no page. */
  readonly page: DocumentPage | undefined
  readonly file: string
  readonly before: Hash
  readonly after: Hash
}

/** A difference of more keys is found faster by looking at everything. */
const mostChanges = 1_000

/** Answers what differs; undefined where looking at everything is simpler or faster. */
export function* compareForLinks(before: Snapshot, after: Snapshot): Step<SnapshotTouch | undefined> {
  if (JSON.stringify(before.config) !== JSON.stringify(after.config)) return undefined
  const [names, pages, files] = yield* together(
    diff(before.names, after.names),
    diff(before.pages, after.pages),
    diff(before.files, after.files),
  )
  if (names.length + pages.length + files.length > mostChanges) return undefined
  const places = new Set<string>()
  const targets = new Set<string>()
  const rewritten: Rewritten[] = []
  for (const { key: file, ...change } of names) {
    const was = change.before as unknown as NameEntry | undefined
    const is = change.after as unknown as NameEntry | undefined
    places.add(file)
    if (was && is && 'text' in was && 'text' in is) {
      if (was.text !== is.text) rewritten.push({ page: undefined, file, before: was.text, after: is.text })
    } else targets.add(file)
  }
  for (const { key: id, ...change } of pages) {
    const was = change.before as unknown as PageRecord | undefined
    const is = change.after as unknown as PageRecord | undefined
    // A group is found by folders, in any case of the letters.
    if (placeOf(was) !== placeOf(is) && (was?.type === 'group' || is?.type === 'group')) return undefined
    places.add(placeOfRow(id, was)).add(placeOfRow(id, is))
    if (placeOf(was) !== placeOf(is)) {
      targets.add(`/pages/${id}`)
      for (const page of [was, is]) if (page && 'path' in page) targets.add(`/pages/${pathKey(page.path)}`)
    } else if (was?.type === 'document' && is?.type === 'document' && was.text !== is.text) {
      if (was.text === undefined || is.text === undefined) for (const name of namesOf(is)) targets.add(name)
      else rewritten.push({ page: is, file: is.file, before: was.text, after: is.text })
    }
  }
  for (const { key: id, ...change } of files) {
    const was = change.before as unknown as FileRecord | undefined
    const is = change.after as unknown as FileRecord | undefined
    if (was === undefined || is === undefined) targets.add(`/files/${id}`)
  }
  return { places, targets, rewritten }
}

/**
 * Answers the texts that point to what was touched, in the snapshot as it is now; `reshaped` are the rewritten texts
 * into which other fragments lead than before.
 */
export function* findTouched(
  after: Snapshot,
  touch: SnapshotTouch,
  reshaped: readonly Rewritten[],
): Step<LinkSource[]> {
  const targets = new Set(touch.targets)
  const shown: PageId[] = []
  for (const { page, file } of reshaped) {
    if (page !== undefined) for (const name of namesOf(page)) targets.add(name)
    else
      for (const [key] of yield* range(after.links, { prefix: linksPrefix(file) })) {
        const { source } = readLinkKey(key)
        if ('page' in source) shown.push(source.page)
      }
  }
  // Fragments of a reusable content lead into the pages that show it.
  for (const page of yield* findPages(after, shown))
    if (page?.type === 'document') for (const name of namesOf(page)) targets.add(name)
  return yield* findSources(after, targets)
}

/** Answers the texts that may point to one of the targets, as the index names them; page paths are in lower case. */
export function* findSources(snapshot: Snapshot, targets: ReadonlySet<string>): Step<LinkSource[]> {
  const sources = new Map<string, LinkSource>()
  const add = (key: string): void => {
    const { source } = readLinkKey(key)
    sources.set('page' in source ? source.page : `/${source.text}`, source)
  }
  for (const target of targets)
    for (const [key] of yield* range(snapshot.links, { prefix: linksPrefix(target) })) add(key)
  // Few links name a page so, and they do it in any case of the letters.
  if ([...targets].some((target) => target.startsWith('/pages/')))
    for (const [key] of yield* range(snapshot.links, { prefix: '/pages/' }))
      if (targets.has(readLinkKey(key).target.toLowerCase())) add(key)
  return [...sources.values()]
}

/** Returns where the row of a page's links stands: at its file; a link page has none. */
export function placeOfRow(id: string, page: PageRecord | undefined): string {
  return page?.type === 'document' ? page.file : `/${id}`
}

function namesOf({ id, path, file }: DocumentPage): string[] {
  return [file, ...pageNames(id, path)]
}

/** Returns how links name a page, besides by its file. */
export function pageNames(id: PageId, path: string): string[] {
  return [`/pages/${id}`, `/pages/${pathKey(path)}`]
}

/** What of a page decides whether a link finds it. */
function placeOf(page: PageRecord | undefined): string {
  if (page === undefined) return ''
  return `${page.type} ${'path' in page ? page.path : ''} ${page.type === 'document' ? page.file : ''}`
}
