/** XLIFF 1.2 exchange: exports the units of a translation for translation tools, and imports their translations. */
import type { PageId } from '../../core/ids.js'
import { findFault } from '../../core/translation/check.js'
import type { Unit } from '../../core/translation/split.js'
import { formatTagged, parseTagged } from '../../core/translation/tagged.js'
import {
  type ReadXliff,
  XliffError,
  type XliffUnit,
  closeXliff,
  formatXliffFile,
  noteOf,
  openXliff,
  parseXliff,
} from '../../core/translation/xliff.js'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import type { Db, Tx } from '../../store/db/database.js'
import { yieldToEventLoop } from '../../store/content/yield-to-event-loop.js'
import type { ContentContext } from '../content/content.js'
import { allTexts } from './changed-texts.js'
import {
  type SpaceTranslationRow,
  type MemoryRow,
  loadMemory,
  loadPageStates,
  putMemory,
  putPageStates,
} from './space-translation-store.js'
import { hashOfUnit, readTranslatableTexts, unitsOfText } from './translatable-texts.js'

interface XliffExportOptions {
  readonly only?: 'missing'
  readonly pageId?: string
}

/** Yields the XLIFF document: all current pages of the source, each unit once. */
export async function* exportXliff(
  db: Db,
  row: SpaceTranslationRow,
  source: ContentContext,
  { only, pageId }: XliffExportOptions,
): AsyncGenerator<Uint8Array> {
  const head = { from: row.source_language, to: row.language }
  const ids = pageId === undefined ? await allTexts(source) : [pageId as PageId]
  const written = new Set<string>()
  yield Buffer.from(openXliff())
  for await (const translatable of readTranslatableTexts(source, ids)) {
    const found = unitsOfText(translatable).map((unit) => ({ unit, hash: hashOfUnit(unit) }))
    const memory = await loadMemory(
      db,
      row,
      found.map(({ hash }) => hash),
    )
    const units: XliffUnit[] = []
    for (const { unit, hash } of found) {
      const target = memory.get(hash)?.words ?? undefined
      if (written.has(hash) || (only === 'missing' && target !== undefined)) continue
      written.add(hash)
      const note = noteOf(unit.pieces)
      units.push({
        id: hash,
        source: formatTagged(unit.pieces),
        ...(target !== undefined && { target }),
        ...(note !== undefined && { note }),
      })
    }
    if (units.length > 0) yield Buffer.from(formatXliffFile(head, { original: translatable.id, units }))
  }
  yield Buffer.from(closeXliff())
}

export interface XliffImportPlan {
  readonly rows: readonly MemoryRow[]
  /** Pages with changed units. */
  readonly pages: readonly PageId[]
  readonly unchanged: number
  readonly unknown: number
  readonly refused: readonly { readonly id: string; readonly problem: string }[]
}

/** Parses an XLIFF document and plans its import; throws 400, with the label, for a document of another translation. */
export async function planXliffImport(
  db: Db,
  row: SpaceTranslationRow,
  source: ContentContext,
  xliff: string,
  called = 'The member "xliff"',
): Promise<XliffImportPlan> {
  const { from, to, units } = await parse(xliff, called)
  if (units.length > 0 && (!isSameLanguage(from, row.source_language) || !isSameLanguage(to, row.language)))
    throw new ApiError('invalid_request', {
      problem: `The file is from "${from.slice(0, 50)}" to "${to.slice(0, 50)}", and this translation from "${row.source_language}" to "${row.language}".`,
    })
  const unitsById = new Map(units.map((unit) => [unit.id, unit]))
  const accepted = new Map<string, MemoryRow>()
  const pages = new Set<PageId>()
  const refused: { id: string; problem: string }[] = []
  let unchanged = 0
  const found = new Set<string>()
  // All pages, not only those that the file names: a unit may occur on several.
  for await (const translatable of readTranslatableTexts(
    source,
    unitsById.size === 0 ? [] : await allTexts(source),
  )) {
    const requested = unitsOfText(translatable)
      .map((unit) => ({ unit, hash: hashOfUnit(unit) }))
      .filter(({ hash }) => unitsById.has(hash))
    if (requested.length === 0) continue
    const memory = await loadMemory(
      db,
      row,
      requested.map(({ hash }) => hash),
    )
    for (const { unit, hash } of requested) {
      if (accepted.has(hash)) pages.add(translatable.id)
      if (found.has(hash)) continue
      found.add(hash)
      const decided = decide(unit, unitsById.get(hash)!.target, memory.get(hash))
      if (decided === undefined) unchanged += 1
      else if ('fault' in decided) refused.push({ id: hash, problem: decided.fault })
      else {
        const { organization_id, space_id } = row
        accepted.set(hash, {
          organization_id,
          space_id,
          hash,
          words: decided.words,
          fault: null,
          by_person: 1,
        })
        pages.add(translatable.id)
      }
    }
  }
  const unknown = unitsById.size - found.size
  return { rows: [...accepted.values()], pages: [...pages], unchanged, unknown, refused }
}

function decide(
  unit: Unit,
  target: string,
  existing: MemoryRow | undefined,
): { readonly words: string } | { readonly fault: string } | undefined {
  const pieces = parseTagged(joinLines(target), unit.pieces)
  const words = formatTagged(pieces)
  if (existing?.words === words) return undefined
  const fault = findFault(unit, pieces)
  return fault === undefined ? { words } : { fault }
}

function joinLines(target: string): string {
  const lines = target.trim().split('\n')
  return lines.map((line) => line.trim()).join(' ')
}

/** Stores the accepted translations, and marks the pages that contain them for the next run. */
export async function applyXliff(
  tx: Tx,
  row: SpaceTranslationRow,
  { rows, pages }: XliffImportPlan,
): Promise<void> {
  await putMemory(tx, rows)
  const states = await loadPageStates(tx, row)
  await putPageStates(
    tx,
    row,
    pages.map((page_id) => {
      const { missing = 0, failed = 0, outdated = '[]' } = states.get(page_id) ?? {}
      const { organization_id, space_id } = row
      return { organization_id, space_id, page_id, missing: Math.max(1, missing), failed, outdated }
    }),
  )
}

async function parse(xliff: string, called: string): Promise<ReadXliff> {
  const yieldIfDue = yieldToEventLoop()
  try {
    const reading = parseXliff(xliff, {
      text: limits.xliffText,
      depth: limits.xliffDepth,
      units: limits.xliffUnits,
    })
    for (;;) {
      const step = reading.next()
      if (step.done === true) return step.value
      await yieldIfDue()
    }
  } catch (error) {
    if (!(error instanceof XliffError)) throw error
    throw new ApiError('invalid_request', { problem: `${called} cannot be read: ${error.message}.` })
  }
}

/** Tools write "en-US" where we write "en". */
function isSameLanguage(actual: string, expected: string): boolean {
  const [a, b] = [actual.toLowerCase().replaceAll('_', '-'), expected]
  return a === b || a.startsWith(`${b}-`)
}
