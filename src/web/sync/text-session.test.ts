/**
 * Saving by splices under lost requests, lost answers and reloads: several writers of one text, a model of the server that
 * rebases as the real one does, and every word in the text exactly once at the end.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rebaseSplices } from '../../core/editing/rebase.js'
import { type Splice, applySplices, composeSplices } from '../../core/editing/splice.js'
import { type Journal, memoryJournal } from './journal.js'
import { type SaveAnswer, type SaveState, type TextEdit, TextSession } from './text-session.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The rule of the server: edits in one order, each rebased over those since its base, and counted once. */
class TextServer {
  readonly history: { readonly text: string; readonly splices: readonly Splice[] }[]
  private readonly answers = new Map<string, Extract<SaveAnswer, { kind: 'saved' }>>()

  constructor(text: string) {
    this.history = [{ text, splices: [] }]
  }

  get text(): string {
    return this.history.at(-1)!.text
  }

  save({ base, splices, seq, client }: TextEdit): Extract<SaveAnswer, { kind: 'saved' }> {
    const earlier = this.answers.get(`${client} ${seq}`)
    if (earlier !== undefined) return earlier
    const from = Number(base)
    const start = this.history[from]!.text
    const since = this.history
      .slice(from + 1)
      .reduce<readonly Splice[]>((all, one) => composeSplices(all, one.splices), [])
    const own = rebaseSplices(start, splices, since).splices
    const came = rebaseSplices(start, since, splices, 'before').splices
    this.history.push({ text: applySplices(this.text, own), splices: own })
    const answer = { kind: 'saved', hash: String(this.history.length - 1), came, splices } as const
    this.answers.set(`${client} ${seq}`, answer)
    return answer
  }
}

/** A small deterministic generator (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296
  }
}

interface Writer {
  session: TextSession
  /** The text of the editor: only what the session says and the person types. */
  shown: string
  state: SaveState
  readonly journal: Journal
  readonly name: string
  opening: number
}

function openWriter(server: TextServer, name: string, save: (edit: TextEdit) => Promise<SaveAnswer>): Writer {
  const writer = { name, journal: memoryJournal(), opening: 0 } as Writer
  reopen(writer, { hash: String(server.history.length - 1), text: server.text }, save)
  return writer
}

function reopen(
  writer: Writer,
  start: ConstructorParameters<typeof TextSession>[0],
  save: (edit: TextEdit) => Promise<SaveAnswer>,
): void {
  const opening = ++writer.opening
  writer.session = new TextSession(start, {
    key: 'text',
    client: `${writer.name}.${opening}`,
    journal: writer.journal,
    async save(edit) {
      const answer = await save(edit)
      // A page that was reloaded receives nothing any more.
      return opening === writer.opening ? answer : new Promise(() => {})
    },
    onState: (state) => {
      writer.state = state
    },
    onRemote: (splices, text) => {
      writer.shown = applySplices(writer.shown, splices)
      expect(writer.shown).toBe(text)
    },
  })
  writer.shown = writer.session.text
}

function type(writer: Writer, at: number, words: string): void {
  writer.shown = writer.shown.slice(0, at) + words + writer.shown.slice(at)
  writer.session.update(writer.shown)
}

test.each([1, 2, 3, 4, 5, 6])('%i: every word of three writers is in the text once', async (seed) => {
  const random = randomOf(seed)
  const server = new TextServer('# Title\n\nfirst\n\nsecond\n')
  const save = async (edit: TextEdit): Promise<SaveAnswer> => {
    await new Promise((resolve) => setTimeout(resolve, random() * 300))
    if (random() < 0.2) return { kind: 'unreachable' }
    const answer = server.save(edit)
    // The answer is lost, the edit is not.
    return random() < 0.2 ? { kind: 'unreachable' } : answer
  }
  const writers = ['a', 'b', 'c'].map((name) => openWriter(server, name, save))
  const words: string[] = []
  for (let step = 0; step < 120; step++) {
    const writer = writers[Math.floor(random() * 3)]!
    const word = `[${writer.name}${step}]`
    words.push(word)
    // Between words: what others wrote is not cut.
    const places = [...writer.shown.matchAll(/(?=\[)|$/g)].map(({ index }) => index)
    type(writer, places[Math.floor(random() * places.length)]!, word)
    await vi.advanceTimersByTimeAsync(random() * 900)
    if (random() < 0.05) {
      // A reload: the page is gone, the journal is not.
      writer.session.close()
      await vi.advanceTimersByTimeAsync(0)
      const [draft] = await writer.journal.list('text')
      reopen(writer, draft ?? { hash: String(server.history.length - 1), text: server.text }, save)
    }
  }
  await vi.advanceTimersByTimeAsync(600_000)
  for (const { session, state } of writers) {
    expect([session.hasUnsavedChanges, state.kind]).toEqual([false, 'saved'])
    expect(await session.flush()).toBeUndefined()
  }
  for (const word of words) expect(server.text.split(word)).toHaveLength(2)
  expect(server.text.replace(/\[\w+\]/g, '')).toBe('# Title\n\nfirst\n\nsecond\n')
})

test('a conflict writes nothing until the person has chosen, and the choice is saved on the stored text', async () => {
  const server = new TextServer('one\n')
  let isConflict = true
  const writer = openWriter(server, 'a', async (edit) => {
    if (isConflict) return { kind: 'conflict', theirs: { hash: '1', text: 'two\n' } }
    return server.save(edit)
  })
  server.save({ base: '0', splices: [{ start: 0, end: 3, text: 'two' }], seq: 1, client: 'b' })
  writer.shown = 'three\n'
  writer.session.update(writer.shown)
  await vi.advanceTimersByTimeAsync(1000)
  expect(writer.state).toMatchObject({
    kind: 'conflict',
    ours: 'three\n',
    theirs: { hash: '1', text: 'two\n' },
  })
  isConflict = false
  writer.session.settle({ hash: '1', text: 'two\n' }, 'two and three\n')
  await vi.advanceTimersByTimeAsync(1000)
  expect([server.text, writer.shown, writer.state.kind]).toEqual([
    'two and three\n',
    'two and three\n',
    'saved',
  ])
})

test('an unreachable server is tried again, and what is unsaved is in the journal meanwhile', async () => {
  const server = new TextServer('one\n')
  let isReachable = false
  const writer = openWriter(server, 'a', async (edit) =>
    isReachable ? server.save(edit) : { kind: 'unreachable' },
  )
  type(writer, 0, 'x')
  type(writer, 1, 'y')
  await vi.advanceTimersByTimeAsync(3000)
  expect(writer.state).toEqual({ kind: 'offline', changes: 2, isInTabOnly: true })
  const [stored] = await writer.journal.list('text')
  expect(applySplices(stored!.base.text, stored!.draft.edits)).toBe('xyone\n')
  isReachable = true
  writer.session.retry()
  await vi.advanceTimersByTimeAsync(100)
  expect([server.text, writer.state.kind]).toEqual(['xyone\n', 'saved'])
  expect(await writer.journal.list('text')).toEqual([])
})

test('a key is unsaved at once, and what was written elsewhere is fetched without one', async () => {
  const server = new TextServer('one\n')
  const writer = openWriter(server, 'a', async (edit) => server.save(edit))
  type(writer, 0, 'x')
  expect(writer.state.kind).toBe('saving')
  await writer.session.flush()
  expect([server.text, writer.state.kind]).toEqual(['xone\n', 'saved'])
  server.save({ base: '1', splices: [{ start: 5, end: 5, text: 'two\n' }], seq: 1, client: 'b' })
  await writer.session.pull()
  expect([writer.shown, writer.state]).toEqual(['xone\ntwo\n', { kind: 'saved', isMerged: true }])
})

test('a flush sends what is typed while it waits, and what the session has not read yet', async () => {
  const server = new TextServer('one\n')
  let typed = ''
  const session: TextSession = new TextSession(
    { hash: '0', text: server.text },
    {
      key: 'text',
      client: 'a.1',
      journal: memoryJournal(),
      save: async (edit) => {
        typed = typed === 'x' ? 'xy' : typed
        return server.save(edit)
      },
      readEditor: () => session.update(`${typed}one\n`),
      onState: () => {},
      onRemote: () => {},
    },
  )
  typed = 'x'
  await session.flush()
  expect([server.text, session.hasUnsavedChanges]).toEqual(['xyone\n', false])
})
