/**
 * Saving of one text by splices (operational transformation against the server): what was typed is journalled, sent 400 ms
 * after the last key and at the latest after 2 s, and acknowledged before "Saved" appears. What others wrote meanwhile
 * comes with the answer and is rebased over what was typed since.
 *
 * Three texts: the acknowledged one, that one with the edit that is being sent, and the local one. Only one save is on
 * its way at a time; a save without an answer is sent again unchanged, under its number, so that it counts once.
 */
import { diffTexts } from '../../core/editing/diff-texts.js'
import { rebaseSplices } from '../../core/editing/rebase.js'
import { type Splice, applySplices } from '../../core/editing/splice.js'
import type { Draft, DraftBase, Journal, StoredDraft, TextKey } from './journal.js'

/** An edit of the text with the hash `base`; `canonical` and `wider` are those of the API. */
export interface TextEdit extends DescribedEdit {
  readonly base: string
  readonly seq: number
  readonly client: string
}

export interface DescribedEdit {
  readonly splices: Splice[]
  readonly canonical?: string
  readonly wider?: Splice[][]
}

export type SaveAnswer =
  | {
      readonly kind: 'saved'
      /** Hash of the text after the edit and what came with it. */
      readonly hash: string
      /** What others wrote since `base`, on the text with the edit. */
      readonly came: readonly Splice[]
      /** Those that were taken: the ones that were sent, or wider ones of the same edit. */
      readonly splices: readonly Splice[]
    }
  /** Both sides changed the same; nothing was written. `theirs` is the stored text. */
  | { readonly kind: 'conflict'; readonly theirs: DraftBase }
  /** The server cannot be reached, or is not ready; tried again later. */
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'signedOut' }
  | Refusal

/** Nothing was written, and sending it again would not help. */
export interface Refusal {
  readonly kind: 'refused'
  /** The permission is lost; the change request is merged or archived; the page, change request or space is gone. */
  readonly reason: 'forbidden' | 'closed' | 'gone' | 'other'
  readonly message: string
}

export type SaveText = (edit: TextEdit) => Promise<SaveAnswer>

type SentEdit = NonNullable<Draft['sent']>

export type SaveState =
  | { readonly kind: 'saved'; readonly isMerged: boolean }
  | (UnsavedState & {
      /** True when the browser stores nothing, as with a full disk: what is unsaved is in this tab alone. */
      readonly isInTabOnly: boolean
    })

type UnsavedState =
  | { readonly kind: 'saving' }
  | { readonly kind: 'offline'; readonly changes: number }
  | { readonly kind: 'signedOut' }
  /** Another tab goes on with what was unsaved here: nothing is written here any more. */
  | { readonly kind: 'elsewhere' }
  | Refusal
  | { readonly kind: 'conflict'; readonly ours: string; readonly theirs: DraftBase }

export interface TextSessionOptions {
  readonly key: TextKey
  /** Unique for this tab and opening of the text. */
  readonly client: string
  readonly journal: Journal
  readonly save: SaveText
  /** Calls `edit` with what was typed last, where the editor does so only once per frame. */
  readonly readEditor?: () => void
  /** Describes the edit from the acknowledged text to the local one, where the editor knows better than a text diff. */
  readonly describe?: (base: string) => DescribedEdit | undefined
  /** The stored text is another one: a save was acknowledged. May call `edit`. */
  readonly onAcknowledged?: (text: string) => void
  readonly onState: (state: SaveState) => void
  /** The local text has changed by the edits of others: splices of the text before, and the new text. */
  readonly onRemote: (splices: readonly Splice[], text: string) => void
}

const quiet = 400
const longest = 2000
const retries = [1000, 2000, 4000, 8000, 15_000, 30_000]

export class TextSession {
  private acknowledged: DraftBase
  private sent: SentEdit | undefined
  /** The local text as an edit of the acknowledged one, and itself once it is needed: a key costs what it changed. */
  private edits: readonly Splice[]
  private localText: string | undefined
  private seq: number
  /** Local updates since the last acknowledged save. */
  private changes = 0
  private failures = 0
  private firstUnsaved: number | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private journalWrite: Promise<void> | undefined
  private saving: Promise<void> | undefined
  private isClosed = false
  isHandedOver = false
  private wasDurable = true
  readonly client: string
  private state: UnsavedState | Extract<SaveState, { kind: 'saved' }> = { kind: 'saved', isMerged: false }

  /** Opens a stored text, or goes on with what a tab left in the journal. */
  constructor(
    start: DraftBase | StoredDraft,
    private readonly options: TextSessionOptions,
  ) {
    if ('draft' in start) {
      const { draft, base } = start
      this.client = draft.client
      this.acknowledged = base
      this.sent = draft.sent
      this.seq = draft.seq
      this.edits = draft.edits
      this.changes = 1
      this.report({ kind: 'saving' })
      this.schedule(0)
    } else {
      this.client = options.client
      this.acknowledged = start
      this.seq = 1
      this.edits = []
    }
  }

  get key(): TextKey {
    return this.options.key
  }

  get text(): string {
    this.localText ??= applySplices(this.acknowledged.text, this.edits)
    return this.localText
  }

  get hasUnsavedChanges(): boolean {
    return this.sent !== undefined || this.edits.length > 0
  }

  /** The text as the server has it once the edit on its way is acknowledged. */
  private get sentText(): string {
    return this.sent === undefined
      ? this.acknowledged.text
      : applySplices(this.acknowledged.text, this.sent.splices)
  }

  /** Takes over the text of the editor. */
  update(text: string): void {
    if (text === this.text || this.isClosed) return
    this.edits = changedRange(this.acknowledged.text, text)
    this.localText = text
    this.noteChange()
  }

  /**
   * Takes over what the editor has changed in `base`. Where that is not the acknowledged text, the editor has not applied
   * the last answer yet, and will call again.
   */
  edit(base: string, splices: readonly Splice[]): void {
    if (base !== this.acknowledged.text || this.isClosed || areEqual(splices, this.edits)) return
    this.edits = splices
    this.localText = undefined
    this.noteChange()
  }

  private noteChange(): void {
    this.changes++
    this.writeJournal()
    this.firstUnsaved ??= performance.now()
    if (this.state.kind === 'conflict' || this.state.kind === 'refused') return
    // In the frame of the key: "Saved" is never displayed beside a text that is not.
    if (this.state.kind === 'saved') this.report({ kind: 'saving' })
    const sinceFirst = performance.now() - this.firstUnsaved
    this.schedule(Math.max(0, Math.min(quiet, longest - sinceFirst)))
    if (this.state.kind === 'offline') this.report({ kind: 'offline', changes: this.changes })
  }

  /** Sends what is unsaved now, as before leaving the page; resolves when nothing more can be done. */
  async flush(): Promise<void> {
    this.options.readEditor?.()
    clearTimeout(this.timer)
    await this.saving
    while (this.hasUnsavedChanges) {
      const { acknowledged } = this
      await this.save()
      // What was typed while it was on its way is sent too.
      if (acknowledged === this.acknowledged) break
    }
    await this.journalWrite
  }

  /** Fetches what was written elsewhere, by an edit that changes nothing. */
  async pull(): Promise<void> {
    await this.flush()
    if (this.hasUnsavedChanges || this.isClosed) return
    this.sent = { splices: [], seq: this.seq++ }
    await this.save()
  }

  /** Tries again at once: the network is back, or the person has signed in again. */
  retry(): void {
    this.failures = 0
    if (this.hasUnsavedChanges) this.schedule(0)
  }

  /** Settles a conflict: `text` replaces the stored text that the conflict showed. */
  settle(theirs: DraftBase, text: string): void {
    const before = this.text
    this.acknowledged = theirs
    this.sent = undefined
    this.setLocal(text)
    this.writeJournal()
    if (text !== before) this.options.onRemote(diffTexts(before, text), text)
    this.report({ kind: 'saving' })
    this.schedule(0)
  }

  /** Goes on with the text that the server has, where nothing is unsaved. */
  takeOver(stored: DraftBase): void {
    if (this.hasUnsavedChanges || this.saving !== undefined) return
    this.acknowledged = stored
    this.setLocal(stored.text)
  }

  private setLocal(text: string): void {
    this.edits = changedRange(this.acknowledged.text, text)
    this.localText = text
  }

  /** Gives up what cannot be saved here, as a draft of the journal. */
  async leave(): Promise<StoredDraft | undefined> {
    this.close()
    await this.journalWrite
    const drafts = await this.options.journal.list(this.key)
    return drafts.find(({ draft }) => draft.client === this.client)
  }

  /** Leaves the draft to another tab, as it is in the journal. */
  async handOver(): Promise<void> {
    this.close()
    this.isHandedOver = true
    await this.journalWrite
    this.sent = undefined
    this.setLocal(this.acknowledged.text)
    this.report({ kind: 'elsewhere' })
  }

  close(): void {
    this.isClosed = true
    clearTimeout(this.timer)
  }

  private schedule(delay: number): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.save(), delay)
  }

  private save(): Promise<void> {
    this.saving ??= this.send().finally(() => {
      this.saving = undefined
    })
    return this.saving
  }

  private async send(): Promise<void> {
    if (this.isHandedOver) return
    if (!this.hasUnsavedChanges) return this.settleSaved(false)
    if (this.sent === undefined) {
      const { acknowledged } = this
      this.options.readEditor?.()
      const described = this.options.describe?.(acknowledged.text)
      const { text: local } = this
      const isExact = described !== undefined && applySplices(acknowledged.text, described.splices) === local
      this.sent = {
        ...(isExact ? described : { splices: diffTexts(acknowledged.text, local) }),
        seq: this.seq++,
      }
      this.firstUnsaved = undefined
      this.writeJournal()
      await this.journalWrite
    }
    if (this.state.kind !== 'offline') this.report({ kind: 'saving' })
    const answer = await this.options.save({
      ...this.sent,
      base: this.acknowledged.hash,
      client: this.client,
    })
    // The journal is the other tab's.
    if (this.isHandedOver) return
    switch (answer.kind) {
      case 'saved':
        this.failures = 0
        return this.acknowledge(answer)
      case 'conflict':
        return this.report({ kind: 'conflict', ours: this.text, theirs: answer.theirs })
      case 'unreachable': {
        const delay = retries[Math.min(this.failures++, retries.length - 1)]!
        this.report({ kind: 'offline', changes: this.changes })
        return this.isClosed ? undefined : this.schedule(delay)
      }
      case 'signedOut':
        return this.report({ kind: 'signedOut' })
      case 'refused':
        return this.report(answer)
    }
  }

  private acknowledge({ hash, came, splices }: Extract<SaveAnswer, { kind: 'saved' }>): void {
    // What the editor reads later is on the new text.
    this.options.readEditor?.()
    const sentText = this.sentText
    const mine = applySplices(this.acknowledged.text, splices)
    // Wider splices of the same edit write some of its blocks in another form.
    const rewritten = mine === sentText ? [] : diffTexts(sentText, mine)
    const { text: before } = this
    const typedBefore = diffTexts(sentText, before)
    const typed =
      rewritten.length === 0 ? typedBefore : [...rebaseSplices(sentText, typedBefore, rewritten).splices]
    const merged = applySplices(mine, came)
    const local = applySplices(merged, rebaseSplices(mine, typed, came).splices)
    const remote =
      rewritten.length === 0 ? rebaseSplices(mine, came, typed, 'before').splices : diffTexts(before, local)
    this.acknowledged = { hash, text: merged }
    this.sent = undefined
    this.setLocal(local)
    this.changes = typed.length === 0 ? 0 : this.changes
    this.writeJournal()
    this.options.onAcknowledged?.(merged)
    if (remote.length > 0) this.options.onRemote(remote, local)
    if (this.hasUnsavedChanges) this.schedule(quiet)
    else this.settleSaved(came.length > 0)
  }

  private settleSaved(isMerged: boolean): void {
    this.changes = 0
    this.firstUnsaved = undefined
    this.report({ kind: 'saved', isMerged })
  }

  private report(state: typeof this.state): void {
    this.state = state
    const isInTabOnly = !this.options.journal.isDurable
    this.options.onState(state.kind === 'saved' ? state : ({ ...state, isInTabOnly } as SaveState))
  }

  /** Stores the state once per turn of the event loop, however many keys it had. */
  private writeJournal(): void {
    this.journalWrite ??= Promise.resolve().then(async () => {
      this.journalWrite = undefined
      const { journal, key } = this.options
      const base = this.acknowledged
      if (!this.hasUnsavedChanges) return journal.remove(this)
      const draft: Draft = {
        key,
        client: this.client,
        seq: this.seq,
        base: base.hash,
        sent: this.sent,
        edits: this.edits,
        writtenAt: Date.now(),
      }
      await journal.put(draft, base)
      // The person is told at once, not with the next save.
      if (this.wasDurable !== journal.isDurable && this.state.kind !== 'saved') this.report(this.state)
      this.wasDurable = journal.isDurable
    })
  }
}

function areEqual(one: readonly Splice[], other: readonly Splice[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ start, end, text }, at) => {
      const { start: otherStart, end: otherEnd, text: otherText } = other[at]!
      return start === otherStart && end === otherEnd && text === otherText
    })
  )
}

/** Returns the difference as one splice from the first to the last changed character: cheap, for every key. */
function changedRange(before: string, after: string): Splice[] {
  if (before === after) return []
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++
  let tail = 0
  while (
    tail < shorter - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++
  return [{ start, end: before.length - tail, text: after.slice(start, after.length - tail) }]
}
