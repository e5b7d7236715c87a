/**
 * Incremental link checking: the texts whose link verdicts may differ between two snapshots, at a cost that follows the
 * difference. These are changed, added and deleted texts, and those that point to them by the index `links`.
 */
import type { Hash, PageId } from '../ids.js'
import { diff, range } from '../merkle/map.js'
import { runTogether } from '../merkle/steps.js'
import type { Step } from '../merkle/types.js'
import { type LinkSource, linksPrefix, pathKey, readLinkKey } from './keys.js'
import { findPages } from './read.js'
import type { DocumentPage, PageRecord, Snapshot } from './types.js'

export interface LinkImpact {
  /** Locations of texts with links, in either snapshot. */
  readonly locations: ReadonlySet<string>
  /** Link targets that were added, deleted or changed. */
  readonly targets: ReadonlySet<string>
  /** Changed texts that stay in their files: `findAffected` is passed those whose anchors changed. */
  readonly rewritten: readonly RewrittenText[]
}

export interface RewrittenText {
  /** Undefined for a text that is no page. */
  readonly page: DocumentPage | undefined
  readonly file: string
  readonly before: Hash
  readonly after: Hash
}

/** With more changed keys, checking everything is faster. */
const maxChanges = 1_000

/** Returns the difference; undefined where checking everything is simpler or faster. */
export function* diffForLinks(before: Snapshot, after: Snapshot): Step<LinkImpact | undefined> {
  // Redirects are no targets of links.
  const members = ['root', 'readme', 'summary'] as const
  if (members.some((member) => before.config[member] !== after.config[member])) return undefined
  const [names, pages, files] = yield* runTogether(
    diff(before.names, after.names),
    diff(before.pages, after.pages),
    diff(before.files, after.files),
  )
  if (names.length + pages.length + files.length > maxChanges) return undefined
  const locations = new Set<string>()
  const targets = new Set<string>()
  const rewritten: RewrittenText[] = []
  for (const { key: file, before: old, after: current } of names) {
    locations.add(file)
    if (old && current && 'text' in old && 'text' in current) {
      if (old.text !== current.text)
        rewritten.push({ page: undefined, file, before: old.text, after: current.text })
    } else targets.add(file)
  }
  for (const { key: id, before: old, after: current } of pages) {
    // A group is found by folders, case-insensitively.
    if (addressOf(old) !== addressOf(current) && (old?.type === 'group' || current?.type === 'group'))
      return undefined
    locations.add(linkRowLocation(id, old)).add(linkRowLocation(id, current))
    if (addressOf(old) !== addressOf(current)) {
      targets.add(`/pages/${id}`)
      for (const page of [old, current])
        if (page && 'path' in page) targets.add(`/pages/${pathKey(page.path)}`)
    } else if (old?.type === 'document' && current?.type === 'document' && old.text !== current.text) {
      if (old.text === undefined || current.text === undefined)
        for (const name of namesOf(current)) targets.add(name)
      else rewritten.push({ page: current, file: current.file, before: old.text, after: current.text })
    }
  }
  for (const { key: id, before: old, after: current } of files) {
    if (old === undefined || current === undefined) targets.add(`/files/${id}`)
  }
  return { locations, targets, rewritten }
}

/**
 * Returns the texts of the newer snapshot that point to changed targets; `reshaped` are the rewritten texts
 * whose anchors changed.
 */
export function* findAffected(
  after: Snapshot,
  impact: LinkImpact,
  reshaped: readonly RewrittenText[],
): Step<LinkSource[]> {
  const targets = new Set(impact.targets)
  const includingPages: PageId[] = []
  for (const { page, file } of reshaped) {
    if (page !== undefined) for (const name of namesOf(page)) targets.add(name)
    else
      for (const [key] of yield* range(after.links, { prefix: linksPrefix(file) })) {
        const { source } = readLinkKey(key)
        if ('page' in source) includingPages.push(source.page)
      }
  }
  // Anchors of a reusable content are anchors of the pages that include it.
  for (const page of yield* findPages(after, includingPages))
    if (page?.type === 'document') for (const name of namesOf(page)) targets.add(name)
  return yield* findSources(after, targets)
}

/** Returns the texts that may point to one of the targets, as the index names them; page paths are in lower case. */
export function* findSources(snapshot: Snapshot, targets: ReadonlySet<string>): Step<LinkSource[]> {
  const sources = new Map<string, LinkSource>()
  const add = (key: string): void => {
    const { source } = readLinkKey(key)
    sources.set('page' in source ? source.page : `/${source.text}`, source)
  }
  for (const target of targets)
    for (const [key] of yield* range(snapshot.links, { prefix: linksPrefix(target) })) add(key)
  // Few links name a page by path, and those are case-insensitive.
  if ([...targets].some((target) => target.startsWith('/pages/')))
    for (const [key] of yield* range(snapshot.links, { prefix: '/pages/' }))
      if (targets.has(readLinkKey(key).target.toLowerCase())) add(key)
  return [...sources.values()]
}

/** Returns the location of the row of a page's links: its file; a link page has none. */
export function linkRowLocation(id: string, page: PageRecord | undefined): string {
  return page?.type === 'document' ? page.file : `/${id}`
}

function namesOf({ id, path, file }: DocumentPage): string[] {
  return [file, ...pageNames(id, path)]
}

/** Returns how links name a page, besides by its file. */
export function pageNames(id: PageId, path: string): string[] {
  return [`/pages/${id}`, `/pages/${pathKey(path)}`]
}

/** The members of a page by which links find it. */
function addressOf(page: PageRecord | undefined): string {
  if (page === undefined) return ''
  return `${page.type} ${'path' in page ? page.path : ''} ${page.type === 'document' ? page.file : ''}`
}
