/**
 * Three-way merge of page records, member by member.
 *
 * Members derived from a document's text are not merged: they are derived again from the merged text. Times never
 * conflict either: the earlier creation and the later update win.
 */
import type { PageId } from '../ids.js'
import type { Json } from '../merkle/types.js'
import { isReadme, folderOf, joinPath, nameOf } from '../pages/paths.js'
import { pathsOfFile } from '../pages/page-paths.js'
import type { ContentConfig } from '../config.js'
import { entryOf } from '../pages/titles.js'
import type { DocumentPage, PageRecord } from '../pages/types.js'
import { type Decisions, type ThreeWay, decideMember, equal, mergeValuesTrivially } from './decisions.js'

const mergedElsewhere = new Set(['id', 'type', 'parent', 'position', 'slug', 'path', 'file', 'text', 'size'])
const timeMembers = new Set(['createdAt', 'updatedAt'])

/** Returns the merged page; both sides have it, and its file and text are one side's until they are merged. */
export function mergePageRecords(
  decisions: Decisions,
  base: PageRecord | undefined,
  ours: PageRecord,
  theirs: PageRecord,
  config: ContentConfig,
): PageRecord {
  const trivial = mergeValuesTrivially({ base, ours, theirs })
  if (trivial) return trivial.value!
  const preferred = decisions.prefer === 'ours' ? ours : theirs
  if (ours.type !== theirs.type) {
    const type = mergeValuesTrivially({ base: base?.type, ours: ours.type, theirs: theirs.type })?.value
    const other = type === ours.type ? theirs : ours
    // What the other side did to the page as it was would be lost with its type.
    const isLost = type !== undefined && !equal(withoutPlace(base), withoutPlace(other))
    const decided =
      type === undefined || isLost
        ? decideMember(decisions, ours.id, 'type', membersOf('type', base, ours, theirs))
        : type
    const chosen = decided === ours.type ? ours : theirs
    return { ...chosen, ...mergeParents(decisions, base, ours, theirs) }
  }
  const merged: Record<string, Json> = { id: ours.id, type: ours.type }
  for (const member of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    if (mergedElsewhere.has(member)) continue
    const versions = membersOf(member, base, ours, theirs)
    const value = timeMembers.has(member)
      ? mergeTimes(member, versions)
      : mergeMember(decisions, preferred, member, versions)
    if (value !== undefined && value !== null) merged[member] = value
  }
  if (ours.type === 'document' && theirs.type === 'document') {
    const entry = mergeEntries(decisions, base?.type === 'document' ? base : undefined, ours, theirs)
    for (const member of ['linkTitle', 'contentsEntry']) if (entry !== undefined) delete merged[member]
    Object.assign(merged, entry)
  }
  Object.assign(merged, mergeParents(decisions, base, ours, theirs))
  if (ours.type !== 'link') Object.assign(merged, mergePagePaths(decisions, base, ours, theirs, config))
  if (ours.type === 'document') {
    // Valid until the texts are merged; a text that only one side changed is the merged text.
    const [before, left, right] = [base, ours, theirs] as (DocumentPage | undefined)[]
    const side = left!.text !== before?.text ? left! : right!
    if (side.text !== undefined) Object.assign(merged, { text: side.text, size: side.size })
  }
  // Members are set by name, which the type checker cannot follow.
  return merged as unknown as PageRecord
}

function withoutPlace(page: PageRecord | undefined): object {
  const {
    parent: _parent,
    position: _position,
    createdAt: _created,
    updatedAt: _updated,
    ...members
  } = {
    ...page,
  } as Partial<PageRecord>
  return members
}

/** Returns the entry in the table of contents that both sides changed, with its link title; undefined for any other. */
function mergeEntries(
  decisions: Decisions,
  base: DocumentPage | undefined,
  ours: DocumentPage,
  theirs: DocumentPage,
): Pick<DocumentPage, 'linkTitle' | 'contentsEntry'> | undefined {
  const entries = { base: base?.contentsEntry, ours: ours.contentsEntry, theirs: theirs.contentsEntry }
  if (mergeValuesTrivially(entries)) return undefined
  const versions = membersOf('linkTitle', base, ours, theirs)
  const linkTitle = decideMember(decisions, ours.id, 'linkTitle', versions)
  const preferred = decisions.prefer === 'ours' ? ours : theirs
  const side = [preferred, ours, theirs].find((page) => (page.linkTitle ?? null) === linkTitle)
  if (side === undefined && linkTitle !== null)
    return {
      linkTitle: String(linkTitle),
      contentsEntry: { ...entryOf(preferred), linkTitle: String(linkTitle) },
    }
  const { linkTitle: label, contentsEntry } = side ?? preferred
  return {
    ...(label !== undefined && { linkTitle: label }),
    ...(contentsEntry !== undefined && { contentsEntry }),
  }
}

/** A member by its name; every member of a record is JSON, but its interface has no index signature to say so. */
function memberOf(page: PageRecord | undefined, member: string): Json | undefined {
  return (page as unknown as Readonly<Record<string, Json | undefined>> | undefined)?.[member]
}

function membersOf(
  member: string,
  base: PageRecord | undefined,
  ours: PageRecord,
  theirs: PageRecord,
): { base?: Json; ours?: Json; theirs?: Json } {
  const [before, left, right] = [base, ours, theirs].map((page) => memberOf(page, member))
  return {
    ...(before !== undefined && { base: before }),
    ...(left !== undefined && { ours: left }),
    ...(right !== undefined && { theirs: right }),
  }
}

function mergeMember(
  decisions: Decisions,
  preferred: PageRecord,
  member: string,
  versions: { base?: Json; ours?: Json; theirs?: Json },
): Json | null | undefined {
  const trivial = mergeValuesTrivially(toThreeWay(versions))
  if (trivial) return trivial.value
  if (preferred.type === 'document' && member !== 'title') {
    return memberOf(preferred, member)
  }
  return decideMember(decisions, preferred.id, member, versions)
}

function toThreeWay({ base, ours, theirs }: { base?: Json; ours?: Json; theirs?: Json }): ThreeWay<Json> {
  return { base, ours, theirs }
}

function mergeTimes(member: string, { ours, theirs }: { ours?: Json; theirs?: Json }): Json | undefined {
  if (typeof ours !== 'number' || typeof theirs !== 'number') return ours ?? theirs
  return member === 'createdAt' ? Math.min(ours, theirs) : Math.max(ours, theirs)
}

function mergeParents(
  decisions: Decisions,
  base: PageRecord | undefined,
  ours: PageRecord,
  theirs: PageRecord,
): { parent: PageId | null; position: string } {
  const parents = membersOf('parent', base, ours, theirs)
  const trivial = mergeValuesTrivially(toThreeWay(parents))
  const parent = (
    trivial ? trivial.value : decideMember(decisions, ours.id, 'parent', parents)
  ) as PageId | null
  // A position is comparable among the children of one parent only.
  if (ours.parent !== parent) return { parent, position: theirs.position }
  if (theirs.parent !== parent) return { parent, position: ours.position }
  const positions = membersOf('position', base?.parent === parent ? base : undefined, ours, theirs)
  const position = mergeValuesTrivially(toThreeWay(positions))?.value
  return { parent, position: (position ?? decideMember(decisions, ours.id, 'position', positions)) as string }
}

type PageWithPath = Exclude<PageRecord, { type: 'link' }>

/** One side may rename a page while the other moves it: folder and name are merged separately. */
function mergePagePaths(
  decisions: Decisions,
  base: PageRecord | undefined,
  ours: PageRecord,
  theirs: PageRecord,
  config: ContentConfig,
): Json {
  const pages = [base, ours, theirs].filter(
    (page) => page !== undefined && page.type !== 'link',
  ) as PageWithPath[]
  const [before, left, right] = [pages.length === 3 ? pages[0] : undefined, ...pages.slice(-2)]
  const pathFields = {
    base: before && pathFieldsOf(before),
    ours: pathFieldsOf(left!),
    theirs: pathFieldsOf(right!),
  }
  const trivial = mergeValuesTrivially<Json>(pathFields)
  if (trivial) return trivial.value!
  const parts = (member: 'folder' | 'name') => ({
    ...(before && { base: splitPath(before, config)[member] }),
    ours: splitPath(left!, config)[member],
    theirs: splitPath(right!, config)[member],
  })
  const name =
    mergeValuesTrivially(toThreeWay(parts('name')))?.value ??
    decideMember(decisions, ours.id, 'path', parts('name'))
  const folders = parts('folder')
  const folder = mergeValuesTrivially(toThreeWay(folders))?.value ?? folders[decisions.prefer]
  const whole = joinPath(folder as string, name as string)
  const sameAsSide = [left!, right!].find(
    (page) => (page.type === 'document' ? page.file : page.path) === whole,
  )
  if (sameAsSide) return pathFieldsOf(sameAsSide)
  if (left!.type === 'document') return { ...pathsOfFile(whole, config) }
  return { path: whole, slug: nameOf(whole) }
}

function pathFieldsOf(page: PageWithPath): Json {
  const fields = { path: page.path, slug: page.slug }
  return page.type === 'document' ? { ...fields, file: page.file } : fields
}

/** A folder's own page is named by its folder. */
function splitPath(page: PageWithPath, config: ContentConfig): { folder: string; name: string } {
  const whole = page.type === 'document' ? page.file : page.path
  const own = page.type === 'document' && isReadme(whole, config) && folderOf(whole) !== config.root
  const folder = own ? folderOf(folderOf(whole)) : folderOf(whole)
  return { folder, name: folder === '' ? whole : whole.slice(folder.length + 1) }
}
