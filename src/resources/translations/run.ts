/**
 * Translation runs: the job that updates translated spaces from their sources.
 *
 * A run processes what changed in the source since the last run, and what is still untranslated. Units in the
 * translation memory are not sent again, and each response is stored as it arrives: a run that is killed, fails or is
 * canceled resumes where it stopped. The space is written once, at the end. Without a translator nothing is sent; the
 * page tree is still updated.
 */
import type { PageId, SpaceId, UserId } from '../../core/ids.js'
import { sameSnapshot } from '../../core/pages/build.js'
import type { Snapshot } from '../../core/pages/types.js'
import { findFault } from '../../core/translation/check.js'
import type { Unit } from '../../core/translation/split.js'
import { formatTagged, parseTagged, withoutDirectionControls } from '../../core/translation/tagged.js'
import type { Services } from '../../access/route/scope.js'
import type { Tx } from '../../store/db/database.js'
import { enqueue } from '../../store/jobs/outbox.js'
import type { GiveUpHandlers, JobHandlers } from '../../store/jobs/worker.js'
import { translateSpaceJob } from '../content/content-jobs.js'
import { commit } from '../content/commit.js'
import type { ContentServices } from '../content/expansion.js'
import { type ContentContext, getContent } from '../content/content.js'
import { findMember } from '../members/store.js'
import { findSpace, headOf } from '../spaces/store.js'
import { findChangedTexts, allTexts } from './changed-texts.js'
import { chatTranslator } from './chat-translator.js'
import {
  type SpaceTranslationKey,
  type SpaceTranslationRow,
  type MemoryRow,
  findSpaceTranslation,
  clearMemory,
  loadMemory,
  loadPageStates,
  putMemory,
  putPageStates,
  updateSpaceTranslation,
} from './space-translation-store.js'
import { readGuidance } from './guidance.js'
import { findTranslation } from './store.js'
import { hashOfUnit, readTranslatableTexts, unitsOfText } from './translatable-texts.js'
import { type TranslationRequest, type MachineTranslator, TranslatorFailure } from './machine-translator.js'
import { findTranslator } from './translators.js'
import { mergeMachineTree, buildMachineTree, findOutdatedBlocks } from './machine-tree.js'

type RunServices = ContentServices & Pick<Services, 'database' | 'addresses' | 'remote'>

export interface TranslationRunContext {
  readonly services: RunServices
  readonly now: () => number
  /** Waits; ends early when the signal aborts. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Milliseconds for one response of the translator; two minutes by default. */
  readonly timeout?: number
}

/** Units and characters per request, and concurrent requests. */
const unitsPerRequest = 30
const charactersPerRequest = 6_000
const concurrentRequests = 3
/** Tries of one request, and the first and the longest pause between them. */
const maxTries = 3
const initialBackoff = 1_000
const maxBackoff = 60_000
/** Tries of the job before the run fails. */
const maxAttempts = 8
/** Tries to write the space when it is edited concurrently. */
const maxWrites = 6

/** Requests a run; requests before it starts share one run. */
export async function requestRun(
  tx: Tx,
  row: SpaceTranslationRow,
  {
    userId,
    again,
    now,
  }: { userId: SpaceTranslationRow['asked_by']; again?: 'failed' | 'everything'; now: number },
): Promise<SpaceTranslationRow> {
  const { organization_id: organizationId, space_id: spaceId } = row
  const asked = row.asked + 1
  const payload = { organizationId, spaceId, asked }
  await enqueue(tx, { organizationId, type: translateSpaceJob, key: spaceId, payload, at: now })
  return updateSpaceTranslation(tx, row, {
    asked,
    asked_by: userId,
    state: row.state === 'running' ? 'running' : 'pending',
    again: again === 'everything' || row.again === 'everything' ? 'everything' : (again ?? row.again),
    updated_at: now,
  })
}

export function translationHandlers(context: TranslationRunContext): JobHandlers {
  return {
    async [translateSpaceJob]({ organizationId, spaceId, asked }, { job, signal }) {
      const run = new Run(context, { organization_id: organizationId, space_id: spaceId }, signal)
      await run.execute(asked !== undefined, job.attempt >= maxAttempts)
    },
  }
}

/** Fails runs whose jobs are given up, such as when every server was killed: no worker would resume them. */
export function translationGiveUpHandlers(context: TranslationRunContext): GiveUpHandlers {
  return {
    async [translateSpaceJob]({ organizationId, spaceId }) {
      const key = { organization_id: organizationId, space_id: spaceId }
      await new Run(context, key, new AbortController().signal).fail()
    },
  }
}

/** The run was canceled, or the translation was deleted. */
class RunCanceled extends Error {}

interface PendingUnit {
  readonly hash: string
  readonly unit: Unit
  readonly text: string
  /** The existing translation, for a unit that is translated again; it stays when the new response is unusable. */
  readonly existing?: MemoryRow
}

class Run {
  private problem: string | null = null

  constructor(
    private readonly context: TranslationRunContext,
    private readonly key: SpaceTranslationKey,
    private readonly signal: AbortSignal,
  ) {}

  async execute(wasRequested: boolean, isLastAttempt: boolean): Promise<void> {
    const row = await this.change((tx, found) => this.begin(tx, found, wasRequested))
    if (row === undefined || row.state !== 'running') return
    const source = await this.contentOf(row.source_space_id)
    if (source === undefined || (await this.contentOf(row.space_id)) === undefined) {
      await this.failInTrash()
      return
    }
    try {
      const ids = await this.idsOf(row, source)
      const failure = await this.translate(row, source, ids)
      if (failure !== undefined && !failure.isFinal && !isLastAttempt) {
        await this.change((tx, found) =>
          updateSpaceTranslation(tx, found, {
            state: 'pending',
            problem: failure.message,
            updated_at: this.now(),
          }),
        )
        throw failure
      }
      if (failure !== undefined) this.problem = failure.message
      await this.finish(row, source, ids, failure === undefined ? 'completed' : 'failed')
    } catch (error) {
      if (!(error instanceof RunCanceled)) throw error
    }
  }

  async fail(): Promise<void> {
    this.problem = 'The server came to no end with it. Run it again to try once more.'
    await this.end('failed')
  }

  private now(): number {
    return this.context.now()
  }

  /** Runs `work` on the current row under the organization lock; returns undefined when the row is gone. */
  private change<Result>(
    work: (tx: Tx, row: SpaceTranslationRow) => Promise<Result>,
  ): Promise<Result | undefined> {
    const lockScope = { organizations: [this.key.organization_id] }
    return this.context.services.database.writeWithLocks(lockScope, async (tx) => {
      const row = await findSpaceTranslation(tx, this.key)
      return row && work(tx, row)
    })
  }

  private async begin(tx: Tx, row: SpaceTranslationRow, wasRequested: boolean): Promise<SpaceTranslationRow> {
    if (wasRequested && row.state === 'canceled') return row
    if (row.again !== null) await clearMemory(tx, row, row.again)
    return updateSpaceTranslation(tx, row, {
      state: 'running',
      again: null,
      is_whole: row.again === 'everything' ? 1 : row.is_whole,
      done: 0,
      total: 0,
      characters: row.state === 'running' ? row.characters : 0,
      problem: null,
      began_at: this.now(),
      ended_at: null,
      updated_at: this.now(),
    })
  }

  private async contentOf(spaceId: SpaceId): Promise<ContentContext | undefined> {
    const { database } = this.context.services
    const { organization_id: organizationId } = this.key
    const space = await findSpace(database.read, organizationId, spaceId)
    if (space === undefined || space.deleted_at !== null) return undefined
    return getContent(
      { db: database.read, services: this.context.services, organizationId, spaceId },
      headOf(space),
    )
  }

  private async before(row: SpaceTranslationRow): Promise<Snapshot> {
    const { organization_id: organizationId, source_space_id: spaceId } = row
    const source = {
      db: this.context.services.database.read,
      services: this.context.services,
      organizationId,
      spaceId,
    }
    return (await getContent(source, row.source_revision_id)).revision.snapshot
  }

  private async idsOf(row: SpaceTranslationRow, source: ContentContext): Promise<PageId[]> {
    const changed = row.is_whole === 1 ? await allTexts(source) : []
    const changedSince = await findChangedTexts(await this.before(row), source)
    const open = await loadPageStates(this.context.services.database.read, row)
    const left = [...open.values()].filter(({ missing, failed }) => missing > 0 || failed > 0)
    return [...new Set([...changed, ...changedSince, ...left.map(({ page_id: id }) => id)])]
  }

  /** Translates the units of these pages that are not in the memory; returns the failure that stopped it, if any. */
  private async translate(
    row: SpaceTranslationRow,
    source: ContentContext,
    ids: readonly PageId[],
  ): Promise<TranslatorFailure | undefined> {
    const { database } = this.context.services
    const translator = await this.translator()
    if (translator === undefined) return undefined
    const settings = await findTranslation(database.read, row.organization_id, row.settings_id)
    const { instructions, glossary } = readGuidance(settings)
    const languages = { from: row.source_language, to: row.language, instructions }
    const terms = glossary.map(({ term, translations }) => ({
      term,
      translation: translations?.[row.language] ?? null,
    }))
    const units = await this.missing(row, source, ids, translator.charactersPerRun - row.characters)
    const found = await this.change((tx, now) => updateSpaceTranslation(tx, now, { total: units.length }))
    if (found === undefined) throw new RunCanceled()
    const batches = splitIntoBatches(units)
    let failure: TranslatorFailure | undefined
    const worker = async (): Promise<void> => {
      for (let next = batches.shift(); next !== undefined && failure === undefined; next = batches.shift()) {
        const lines = next
        const relevantTerms = terms.filter(({ term }) => lines.some(({ text }) => contains(text, term)))
        try {
          await this.translateBatch(translator, { ...languages, glossary: relevantTerms }, lines)
        } catch (error) {
          if (!(error instanceof TranslatorFailure)) throw error
          failure ??= error
        }
      }
    }
    // Waits for all workers even if one fails: responses are stored before the run ends.
    const ended = await Promise.allSettled(Array.from({ length: concurrentRequests }, worker))
    for (const one of ended) if (one.status === 'rejected') throw one.reason
    return failure
  }

  private async translator(): Promise<MachineTranslator | undefined> {
    const { services, timeout } = this.context
    const row = await findTranslator(services.database.read, this.key.organization_id)
    return row && chatTranslator(services, row, timeout)
  }

  private async missing(
    row: SpaceTranslationRow,
    source: ContentContext,
    ids: readonly PageId[],
    maxCharacters: number,
  ): Promise<PendingUnit[]> {
    const pending = new Map<string, PendingUnit>()
    let left = maxCharacters
    for await (const translatable of readTranslatableTexts(source, ids)) {
      this.signal.throwIfAborted()
      const units = new Map(unitsOfText(translatable).map((unit) => [hashOfUnit(unit), unit]))
      const memory = await loadMemory(this.context.services.database.read, row, [...units.keys()])
      for (const [hash, unit] of units) {
        const existing = memory.get(hash)
        if (
          pending.has(hash) ||
          (existing !== undefined && (existing.words === null || existing.fault === null))
        )
          continue
        const text = formatTagged(unit.pieces)
        left -= text.length
        if (left < 0) {
          this.problem = `The run has sent as many characters as one may: what is missing waits for the next.`
          return [...pending.values()]
        }
        pending.set(hash, { hash, unit, text, ...(existing !== undefined && { existing }) })
      }
    }
    return [...pending.values()]
  }

  /** Translates one batch, retries its unusable lines once, and stores the results. */
  private async translateBatch(
    translator: MachineTranslator,
    about: Omit<TranslationRequest, 'lines' | 'fault'>,
    lines: readonly PendingUnit[],
  ): Promise<void> {
    const first = await this.answer(translator, about, lines)
    const wrong = lines.filter(({ hash }) => first.get(hash)!.words === null)
    const fault = wrong.map(({ hash }) => first.get(hash)!.fault).find((one) => one !== null)
    await this.storeTranslations(
      lines.filter((one) => !wrong.includes(one)),
      first,
    )
    if (wrong.length === 0) return
    const second = await this.answer(translator, { ...about, ...(fault !== undefined && { fault }) }, wrong)
    await this.storeTranslations(wrong, second)
  }

  private async answer(
    translator: MachineTranslator,
    about: Omit<TranslationRequest, 'lines'>,
    units: readonly PendingUnit[],
  ): Promise<Map<string, Pick<MemoryRow, 'words' | 'fault'>>> {
    const lines = units.map(({ text }, index) => ({ id: String(index + 1), text }))
    for (let attempt = 1; ; attempt += 1) {
      this.signal.throwIfAborted()
      await this.recordUsage(lines.reduce((sum, { text }) => sum + text.length, 0))
      try {
        const answered = await translator.translate({ ...about, lines }, this.signal)
        return new Map(
          units.map(({ hash, unit }, index) => [hash, checkAnswer(unit, answered.get(lines[index]!.id))]),
        )
      } catch (error) {
        this.signal.throwIfAborted()
        if (!(error instanceof TranslatorFailure) || error.isFinal || attempt === maxTries) throw error
        const pause = error.retryAfter ?? initialBackoff * 2 ** (attempt - 1)
        await this.context.pause(Math.min(pause, maxBackoff), this.signal)
      }
    }
  }

  /** Records the characters about to be sent, and throws when the run was canceled. */
  private async recordUsage(characters: number): Promise<void> {
    const row = await this.change(async (tx, found) => {
      if (found.state !== 'running') return found
      return updateSpaceTranslation(tx, found, {
        characters: found.characters + characters,
        characters_ever: found.characters_ever + characters,
      })
    })
    if (row?.state !== 'running') throw new RunCanceled()
  }

  private async storeTranslations(
    lines: readonly PendingUnit[],
    answers: ReadonlyMap<string, Pick<MemoryRow, 'words' | 'fault'>>,
  ): Promise<void> {
    if (lines.length === 0) return
    await this.change(async (tx, row) => {
      const { organization_id, space_id } = row
      const rows = lines.map(({ hash, existing }) => {
        const answer = answers.get(hash)!
        const stored =
          answer.words === null && existing !== undefined ? { words: existing.words, fault: null } : answer
        return { organization_id, space_id, hash, ...stored, by_person: 0 as const }
      })
      await putMemory(tx, rows)
      await updateSpaceTranslation(tx, row, { done: row.done + lines.length, updated_at: this.now() })
    })
  }

  /** Writes the space: merged outside the transaction, and again when the space was edited concurrently. */
  private async finish(
    row: SpaceTranslationRow,
    source: ContentContext,
    ids: readonly PageId[],
    state: 'completed' | 'failed',
  ): Promise<void> {
    const { services } = this.context
    const { database } = services
    const treeServices = { db: database.read, services }
    const machine = await buildMachineTree(treeServices, row, { before: await this.before(row), source, ids })
    for (let attempt = 1; attempt <= maxWrites; attempt += 1) {
      this.signal.throwIfAborted()
      const head = await this.contentOf(row.space_id)
      if (head === undefined) return this.failInTrash()
      const merged = await mergeMachineTree(treeServices, row, head.revision.snapshot, machine)
      await machine.sink.stage(database)
      const isWritten = await this.change(async (tx, found) => {
        if (found.state !== 'running') throw new RunCanceled()
        const space = await findSpace(tx, row.organization_id, row.space_id)
        if (space === undefined || space.deleted_at !== null) return false
        if (headOf(space) !== head.revision.id) return false
        const now = this.now()
        await machine.sink.flush(tx)
        if (!sameSnapshot(merged.snapshot, head.revision.snapshot)) {
          const message = 'Brought up to its source'
          await commit(tx, head, {
            type: 'computed',
            snapshot: merged.snapshot,
            sink: machine.sink,
            userId: await this.authorOf(tx, found, source),
            now,
            message,
          })
        }
        await this.recordPageStates(tx, found, machine.open, findOutdatedBlocks(merged.conflicts))
        await updateSpaceTranslation(tx, found, {
          machine: JSON.stringify(machine.snapshot),
          source_revision_id: source.revision.id,
          is_whole: 0,
        })
        return true
      })
      if (isWritten === undefined) return
      if (isWritten) return this.end(state)
    }
    throw new Error('The space was written in whenever its translation was about to be')
  }

  /**
   * Returns the author of the revision: the member who requested the run, or the author of the source revision when
   * that member has left the organization.
   */
  private async authorOf(
    tx: Tx,
    { asked_by: askedBy }: SpaceTranslationRow,
    source: ContentContext,
  ): Promise<UserId> {
    const member = await findMember(tx, this.key.organization_id, askedBy)
    return member === undefined ? source.revision.createdBy : askedBy
  }

  private async recordPageStates(
    tx: Tx,
    row: SpaceTranslationRow,
    open: readonly { page_id: PageId; missing: number; failed: number }[],
    outdated: ReadonlyMap<PageId, readonly string[]>,
  ): Promise<void> {
    const { organization_id, space_id } = row
    const counts = new Map(open.map((one) => [one.page_id, one]))
    const ids = [...new Set([...counts.keys(), ...outdated.keys()])]
    const existing = await loadPageStates(tx, row)
    const rows = ids.map((page_id) => {
      const before = existing.get(page_id)
      const { missing, failed } = counts.get(page_id) ?? {
        missing: before?.missing ?? 0,
        failed: before?.failed ?? 0,
      }
      const blocks = new Set([
        ...(JSON.parse(before?.outdated ?? '[]') as string[]),
        ...(outdated.get(page_id) ?? []),
      ])
      return {
        organization_id,
        space_id,
        page_id,
        missing,
        failed,
        outdated: JSON.stringify([...blocks].slice(-500)),
      }
    })
    await putPageStates(tx, row, rows)
  }

  private failInTrash(): Promise<void> {
    this.problem = 'The source or the translation is in the trash.'
    return this.end('failed')
  }

  /** Records the outcome of a run that is still running. */
  private async end(state: 'completed' | 'failed'): Promise<void> {
    const at = this.now()
    const change = { state, problem: this.problem, ended_at: at, updated_at: at }
    await this.change(async (tx, row) => row.state === 'running' && updateSpaceTranslation(tx, row, change))
  }
}

function checkAnswer(unit: Unit, answer: string | undefined): Pick<MemoryRow, 'words' | 'fault'> {
  if (answer === undefined) return { words: null, fault: 'it was left out of the answer' }
  const line = withoutDirectionControls(joinLines(answer), unit.pieces)
  const pieces = parseTagged(line, unit.pieces)
  const fault = findFault(unit, pieces)
  return fault === undefined ? { words: formatTagged(pieces), fault: null } : { words: null, fault }
}

/** Joins lines: some models wrap lines anywhere; a blank line is a real break and stays, so that it is rejected. */
function joinLines(answer: string): string {
  const lines = answer
    .trim()
    .split('\n')
    .map((line) => line.trim())
  return lines.join(lines.includes('') ? '\n' : ' ')
}

/** Splits units into batches in text order: neighbouring units are in one request. */
function splitIntoBatches(units: readonly PendingUnit[]): PendingUnit[][] {
  const batches: PendingUnit[][] = []
  let characters = 0
  for (const one of units) {
    const last = batches.at(-1)
    const isFull =
      last === undefined ||
      last.length === unitsPerRequest ||
      characters + one.text.length > charactersPerRequest
    if (isFull) {
      batches.push([one])
      characters = one.text.length
    } else {
      last.push(one)
      characters += one.text.length
    }
  }
  return batches
}

function contains(text: string, term: string): boolean {
  return text.toLowerCase().includes(term.toLowerCase())
}
