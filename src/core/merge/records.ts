/**
 * Three versions of a page's record become one, member by member.
 *
 * What a document's text decides is not merged here: it is derived again from the merged text. Times are
 * nobody's words either: the earlier creation and the later update stand.
 */
import type { PageId } from '../ids.js'
import type { Json } from '../merkle/types.js'
import { isReadme, folderOf, joinPath, nameOf } from '../pages/paths.js'
import { placeOfFile } from '../pages/places.js'
import type { ContentConfig } from '../config.js'
import type { DocumentPage, PageRecord } from '../pages/types.js'
import { type Decisions, type Three, decideMember, settleValues } from './decisions.js'

const separate = new Set(['id', 'type', 'parent', 'position', 'slug', 'path', 'file', 'text', 'size'])
const times = new Set(['createdAt', 'updatedAt'])

type Members = Readonly<Record<string, Json | undefined>>

/** Returns the merged page; both sides have it, and its file and text are those of one side until they are merged. */
export function mergeRecords(
  decisions: Decisions,
  base: PageRecord | undefined,
  ours: PageRecord,
  theirs: PageRecord,
  config: ContentConfig,
): PageRecord {
  const settled = settleValues({ base, ours, theirs })
  if (settled) return settled.value!
  const preferred = decisions.prefer === 'ours' ? ours : theirs
  if (ours.type !== theirs.type) {
    const type = settleValues({ base: base?.type, ours: ours.type, theirs: theirs.type })?.value
    const decided = type ?? decideMember(decisions, ours.id, 'type', membersOf('type', base, ours, theirs))
    return decided === ours.type ? ours : theirs
  }
  const merged: Record<string, Json> = { id: ours.id, type: ours.type }
  for (const member of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    if (separate.has(member)) continue
    const versions = membersOf(member, base, ours, theirs)
    const value = times.has(member)
      ? mergeTimes(member, versions)
      : mergeMember(decisions, preferred, member, versions)
    if (value !== undefined && value !== null) merged[member] = value
  }
  Object.assign(merged, mergeParents(decisions, base, ours, theirs))
  if (ours.type !== 'link') Object.assign(merged, mergePlaces(decisions, base, ours, theirs, config))
  if (ours.type === 'document') {
    // Stands until the texts are merged; a text that only one side changed is the merged text.
    const [before, left, right] = [base, ours, theirs] as (DocumentPage | undefined)[]
    const side = left!.text !== before?.text ? left! : right!
    if (side.text !== undefined) Object.assign(merged, { text: side.text, size: side.size })
  }
  return merged as unknown as PageRecord
}

function membersOf(
  member: string,
  base: PageRecord | undefined,
  ours: PageRecord,
  theirs: PageRecord,
): { base?: Json; ours?: Json; theirs?: Json } {
  const [before, left, right] = [base, ours, theirs].map(
    (page) => (page as unknown as Members | undefined)?.[member],
  )
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
  const settled = settleValues(threeOf(versions))
  if (settled) return settled.value
  if (preferred.type === 'document' && member !== 'title') {
    return (preferred as unknown as Members)[member]
  }
  return decideMember(decisions, preferred.id, member, versions)
}

function threeOf({ base, ours, theirs }: { base?: Json; ours?: Json; theirs?: Json }): Three<Json> {
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
  const settled = settleValues(threeOf(parents))
  const parent = (
    settled ? settled.value : decideMember(decisions, ours.id, 'parent', parents)
  ) as PageId | null
  // A position means something among the children of one parent only.
  if (ours.parent !== parent) return { parent, position: theirs.position }
  if (theirs.parent !== parent) return { parent, position: ours.position }
  const positions = membersOf('position', base?.parent === parent ? base : undefined, ours, theirs)
  const position = settleValues(threeOf(positions))?.value
  return { parent, position: (position ?? decideMember(decisions, ours.id, 'position', positions)) as string }
}

type Placed = Exclude<PageRecord, { type: 'link' }>

/** One side may rename a page while the other moves it: folder and name are merged apart. */
function mergePlaces(
  decisions: Decisions,
  base: PageRecord | undefined,
  ours: PageRecord,
  theirs: PageRecord,
  config: ContentConfig,
): Json {
  const pages = [base, ours, theirs].filter((page) => page !== undefined && page.type !== 'link') as Placed[]
  const [before, left, right] = [pages.length === 3 ? pages[0] : undefined, ...pages.slice(-2)]
  const places = { base: before && placeOf(before), ours: placeOf(left!), theirs: placeOf(right!) }
  const settled = settleValues<Json>(places)
  if (settled) return settled.value!
  const parts = (member: 'folder' | 'name') => ({
    ...(before && { base: splitPlace(before, config)[member] }),
    ours: splitPlace(left!, config)[member],
    theirs: splitPlace(right!, config)[member],
  })
  const name =
    settleValues(threeOf(parts('name')))?.value ?? decideMember(decisions, ours.id, 'path', parts('name'))
  const folders = parts('folder')
  const folder = settleValues(threeOf(folders))?.value ?? folders[decisions.prefer]
  const whole = joinPath(folder as string, name as string)
  const known = [left!, right!].find((page) => (page.type === 'document' ? page.file : page.path) === whole)
  if (known) return placeOf(known)
  if (left!.type === 'document') return { ...placeOfFile(whole, config) }
  return { path: whole, slug: nameOf(whole) }
}

function placeOf(page: Placed): Json {
  const place = { path: page.path, slug: page.slug }
  return page.type === 'document' ? { ...place, file: page.file } : place
}

/** A folder's own page is named by its folder. */
function splitPlace(page: Placed, config: ContentConfig): { folder: string; name: string } {
  const whole = page.type === 'document' ? page.file : page.path
  const own = page.type === 'document' && isReadme(whole, config) && folderOf(whole) !== config.root
  const folder = own ? folderOf(folderOf(whole)) : folderOf(whole)
  return { folder, name: folder === '' ? whole : whole.slice(folder.length + 1) }
}
