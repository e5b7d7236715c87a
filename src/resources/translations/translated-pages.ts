/** Translation status of pages and blocks: computed from the source, the machine tree and the space. */
import type { PageId } from '../../core/ids.js'
import { count, range } from '../../core/merkle/map.js'
import { loadTexts } from '../../core/merkle/steps.js'
import { internTexts, matchSequences } from '../../core/merge/lcs.js'
import { findPages } from '../../core/pages/read.js'
import { entryOf } from '../../core/pages/titles.js'
import type { PageRecord, Snapshot } from '../../core/pages/types.js'
import { writeRow } from '../../core/translation/check.js'
import { type Row, splitText } from '../../core/translation/split.js'
import type { Services } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import type { TranslatedBlock, TranslatedPage } from '../../contract/space-translations.js'
import type { Db } from '../../store/db/database.js'
import type { ContentServices } from '../content/expansion.js'
import { type ContentContext, getContent } from '../content/content.js'
import { type SpaceRow, headOf } from '../spaces/store.js'
import {
  type SpaceTranslationRow,
  type MemoryRow,
  type PageStateRow,
  loadMemory,
  loadPageStates,
} from './space-translation-store.js'
import { hashOfUnit } from './translatable-texts.js'
import { hashOfBlock, translationOf } from './machine-tree.js'

/** The contents that the status is computed from. */
export interface TranslationContents {
  readonly db: Db
  readonly services: Services
  readonly row: SpaceTranslationRow
  /** The source now, and as of the last run. */
  readonly source: ContentContext
  readonly before: ContentContext
  readonly space: ContentContext
}

/** Returns the current content of a space. */
export function headContent(db: Db, services: ContentServices, row: SpaceRow): Promise<ContentContext> {
  const { organization_id: organizationId, id: spaceId } = row
  return getContent({ db, services, organizationId, spaceId }, headOf(row))
}

/** Opens the contents of the translation of a space. */
export async function openTranslationContents(
  db: Db,
  services: Services,
  {
    row,
    source,
    space,
  }: { readonly row: SpaceTranslationRow; readonly source: SpaceRow; readonly space: SpaceRow },
): Promise<TranslationContents> {
  const location = { db, services, organizationId: row.organization_id, spaceId: source.id }
  return {
    db,
    services,
    row,
    source: await headContent(db, services, source),
    before: await getContent(location, row.source_revision_id),
    space: await headContent(db, services, space),
  }
}

type PageState = TranslatedPage['state']

/** Pages per batch when filtering by state. */
const pagesPerBatch = 500

/** Lists the pages of the source by id: a cursor stays valid under concurrent writes. */
export async function listTranslatedPages(
  contents: TranslationContents,
  { page, limit, state }: { page?: string; limit: number; state?: PageState },
): Promise<{ items: TranslatedPage[]; count?: number; next?: { page: string } }> {
  if (page !== undefined && !/^[\w-]{1,100}$/.test(page)) throw new ApiError('invalid_page_cursor')
  const { pages } = contents.source.revision.snapshot
  const items: TranslatedPage[] = []
  let after = page
  for (let isMore = true; isMore && items.length <= limit;) {
    const step = state === undefined ? limit + 1 : pagesPerBatch
    const from = after === undefined ? {} : { from: `${after}\u0000` }
    const found = await contents.source.run(range(pages, { ...from, limit: step }))
    isMore = found.length === step
    after = found.at(-1)?.[0] ?? after
    const batch = await statesOf(
      contents,
      found.map(([, value]) => value),
    )
    items.push(...batch.filter((one) => state === undefined || one.state === state))
    if (state === undefined) break
  }
  const listed = items.slice(0, limit)
  const last = listed.at(-1)
  return {
    items: listed,
    ...(state === undefined && { count: await contents.source.run(count(pages)) }),
    ...(items.length > limit && last !== undefined && { next: { page: last.id } }),
  }
}

/** Returns the status of one page and its blocks; undefined when the source does not have the page. */
export async function getTranslatedPage(
  contents: TranslationContents,
  id: PageId,
): Promise<{ page: TranslatedPage; blocks: TranslatedBlock[] } | undefined> {
  const [record] = await contents.source.run(findPages(contents.source.revision.snapshot, [id]))
  if (record === undefined) return undefined
  const [page] = await statesOf(contents, [record])
  return { page: page!, blocks: await blocksOf(contents, record) }
}

async function statesOf(
  contents: TranslationContents,
  records: readonly PageRecord[],
): Promise<TranslatedPage[]> {
  const { db, row, source, before, space, services } = contents
  const ids = records.map(({ id }) => id)
  const machine = JSON.parse(row.machine) as Snapshot
  const then = await before.run(findPages(before.revision.snapshot, ids))
  const machinePages = await source.run(findPages(machine, ids))
  const now = await space.run(findPages(space.revision.snapshot, ids))
  const states = await loadPageStates(db, row, ids)
  return records.map((record, index) => {
    const { missing = 0, failed = 0, outdated = '[]' } = states.get(record.id) ?? {}
    const outdatedBlocks = (JSON.parse(outdated) as string[]).length
    const [previous, generated, current] = [then[index], machinePages[index], now[index]]
    const edited = generated !== undefined && current !== undefined && !hasSameText(generated, current)
    const isNew = generated === undefined || row.is_whole === 1
    const isOutdated =
      previous === undefined || !hasSameText(previous, record) || (edited && outdatedBlocks > 0)
    const state: PageState = isNew
      ? 'missing'
      : isOutdated
        ? 'outdated'
        : missing > 0 || failed > 0
          ? 'incomplete'
          : edited
            ? 'edited'
            : 'up-to-date'
    return {
      object: 'translated-page',
      id: record.id,
      title: (current ?? record).title,
      ...(record.type !== 'link' && { path: record.path }),
      state,
      edited,
      missing,
      failed,
      outdated: edited ? outdatedBlocks : 0,
      urls: { location: services.addresses.api(`/spaces/${row.space_id}/translation/pages/${record.id}`) },
    }
  })
}

function hasSameText(a: PageRecord, b: PageRecord): boolean {
  const text = (page: PageRecord) => (page.type === 'document' ? page.text : undefined)
  const entry = (page: PageRecord) => (page.type === 'document' ? entryOf(page) : page).title
  return a.title === b.title && entry(a) === entry(b) && text(a) === text(b)
}

async function blocksOf(contents: TranslationContents, record: PageRecord): Promise<TranslatedBlock[]> {
  const { db, row, source, before, space } = contents
  const [previous] = await before.run(findPages(before.revision.snapshot, [record.id]))
  const [currentPage] = await space.run(findPages(space.revision.snapshot, [record.id]))
  const [now, then, current] = [
    rowsOf(await textOf(source, record)),
    rowsOf(await textOf(before, previous)),
    rowsOf(await textOf(space, currentPage)),
  ]
  const units = [...now, ...then].flatMap(({ parts }) => parts.filter((part) => typeof part !== 'string'))
  const memory = await loadMemory(db, row, units.map(hashOfUnit))
  const states = await loadPageStates(db, row, [record.id])
  const outdated = new Set(JSON.parse(states.get(record.id)?.outdated ?? '[]') as string[])
  const written = pairBlocks(
    then.map((one) => writeRow(one, (unit) => translationOf(unit, memory))),
    current.map(sourceOf),
  )
  const known = match(now.map(sourceOf), then.map(sourceOf))
  return now.map((one, index): TranslatedBlock => {
    const sourceBlock = { kind: one.kind, source: sourceOf(one) }
    const at = known[index]!
    const currentBlock = at < 0 ? undefined : written[at]
    if (at < 0 || currentBlock === undefined || row.is_whole === 1)
      return { ...sourceBlock, state: at < 0 && then.length > 0 ? 'outdated' : 'missing' }
    const translation = currentBlock.text
    if (currentBlock.isEdited)
      return {
        ...sourceBlock,
        translation,
        state: outdated.has(hashOfBlock(translation)) ? 'outdated' : 'edited',
      }
    return { ...sourceBlock, ...(translation !== undefined && { translation }), ...stateOfRow(one, memory) }
  })
}

function stateOfRow(
  row: Row,
  memory: ReadonlyMap<string, MemoryRow>,
): Pick<TranslatedBlock, 'state' | 'problem'> {
  let state: TranslatedBlock['state'] = 'up-to-date'
  for (const part of row.parts) {
    if (typeof part === 'string') continue
    const known = memory.get(hashOfUnit(part))
    if (known === undefined) state = 'missing'
    else if (known.words === null)
      return { state: 'failed', ...(known.fault !== null && { problem: known.fault }) }
  }
  return { state }
}

async function textOf(content: ContentContext, page: PageRecord | undefined): Promise<string> {
  if (page?.type !== 'document' || page.text === undefined) return ''
  return (await content.run(loadTexts([page.text])))[0]!
}

function rowsOf(text: string): readonly Row[] {
  return splitText(text).rows
}

function sourceOf({ kind, parts }: Row): string {
  const included = kind === 'front matter' ? parts.slice(0, 1) : parts
  return included.map((part) => (typeof part === 'string' ? part : part.raw)).join('')
}

/** Returns for each text of the first list its index in the second; -1 when it has none. */
function match(a: readonly string[], b: readonly string[]): Int32Array {
  const [left, right] = internTexts(a, b)
  return matchSequences(left!, right!)
}

interface CurrentBlock {
  readonly text: string
  readonly isEdited: boolean
}

/**
 * Returns for each block of the machine tree its current block: the same, or the edited text between the same
 * neighbours.
 */
function pairBlocks(
  generated: readonly string[],
  current: readonly string[],
): readonly (CurrentBlock | undefined)[] {
  const positions = match(generated, current)
  const pairs: (CurrentBlock | undefined)[] = []
  let next = 0
  for (let index = 0; index < generated.length; index += 1) {
    const at = positions[index]!
    if (at >= 0) {
      pairs.push({ text: current[at]!, isEdited: false })
      next = at + 1
      continue
    }
    let until = index + 1
    while (until < generated.length && positions[until]! < 0) until += 1
    const end = until < generated.length ? positions[until]! : current.length
    pairs.push(next < end ? { text: current[next]!, isEdited: true } : undefined)
    if (next < end) next += 1
  }
  return pairs
}

export type { PageStateRow }
