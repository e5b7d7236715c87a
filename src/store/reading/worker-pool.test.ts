import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildThread } from '../../../tests/thread-program.js'
import type { PageId } from '../../core/ids.js'
import { createInlineReader, decodeDescription } from './reader.js'
import { createWorkerReader } from './worker-reader.js'
import { WorkerLost, createWorkerPool } from './worker-pool.js'

const text = '---\ndescription: Short\n---\n\n# Title\n\nTo [b](b.md).\n\n## Part\n\nMore words.\n'
const page = { pageId: 'p' as PageId, title: 'Title', path: 'title', text: '', markdown: text }

let folder: string
let entry: URL
beforeAll(async () => {
  ;({ program: entry, folder } = await buildThread(join(import.meta.dirname, 'thread.ts')))
})
afterAll(() => rm(folder, { recursive: true }))

describe('a reader in threads', () => {
  test('answers what the one in this thread answers', async () => {
    const [threads, inline] = [createWorkerReader(entry, 2), createInlineReader()]
    const [ours, theirs] = [await threads.describe(text), await inline.describe(text)]
    expect(decodeDescription(ours)).toEqual(decodeDescription(theirs))
    expect(decodeDescription(ours)).toMatchObject({ title: 'Title', metadata: { description: 'Short' } })
    expect(decodeDescription(ours).references.map(({ url }) => url)).toEqual(['b.md'])
    expect(await threads.fold(page)).toEqual(await inline.fold(page))
    const html = '<h1>A</h1><p><a href="b">c</a><img src="data:image/png;base64,iVBORw0K"></p>'
    expect(await threads.convert(html)).toEqual(await inline.convert(html))
    expect(await threads.redirect('[a](b)', new Map([['b', 'c']]))).toBe('[a](c)')
    await threads.close()
  })

  test('answers many, each with its own, and starts again after a rest', async () => {
    const reader = createWorkerReader(entry, 2)
    const titles = Array.from({ length: 200 }, (_, index) => `Title ${index}`)
    const read = await Promise.all(titles.map((title) => reader.describe(`# ${title}\n`)))
    expect(read.map(({ description }) => description.title)).toEqual(titles)
    await reader.close()
    expect((await reader.describe('# Again\n')).description.title).toBe('Again')
    await reader.close()
  })
})

/** A program that answers like a reader; the text `dies` ends it always, `once` the first time only. */
async function fragileProgram(): Promise<URL> {
  const place = await mkdtemp(join(tmpdir(), 'octavo-thread-'))
  const program = join(place, 'fragile.mjs')
  await writeFile(
    program,
    `import { parentPort } from 'node:worker_threads'
     import { existsSync, writeFileSync } from 'node:fs'
     const seen = ${JSON.stringify(join(place, 'seen'))}
     parentPort.on('message', ({ describe, fold }) => {
       const text = describe ?? fold.markdown
       if (text === 'dies') process.exit(7)
       if (text === 'once' && !existsSync(seen)) process.exit(writeFileSync(seen, ''))
       if (fold) return parentPort.postMessage({ page: { ...fold, sections: [] }, words: [] })
       parentPort.postMessage({ said: { title: text, metadata: {} }, links: new Uint8Array(), problems: [], language: {} })
     })`,
  )
  return pathToFileURL(program)
}

describe('a thread that dies', () => {
  test('takes the text with it that kills every thread, and no other', async () => {
    const reader = createWorkerReader(await fragileProgram(), 1)
    const answers = await Promise.all(['a', 'dies', 'b', 'c', 'd', 'e'].map((one) => reader.describe(one)))
    expect(answers.map(({ description }) => description.title)).toEqual(['a', undefined, 'b', 'c', 'd', 'e'])
    expect(answers[1]!.problems).toHaveLength(1)
    const folded = await reader.fold({ ...page, markdown: 'dies' })
    expect(folded).toMatchObject({ page: { title: 'Title', sections: [{ heading: 'Title', body: '' }] } })
    expect(folded.failure).toContain('ended')
    await reader.close()
  })

  test('of something else loses nothing: its text is read by another', async () => {
    const reader = createWorkerReader(await fragileProgram(), 1)
    const answers = await Promise.all(['a', 'once', 'b'].map((one) => reader.describe(one)))
    expect(answers.map(({ description }) => description.title)).toEqual(['a', 'once', 'b'])
    await reader.close()
  })
})

describe('threads that rest', () => {
  test('are given nothing while they end: every text is read, whenever it comes', async () => {
    // Rests after each text, so that the next one always comes while the thread is ending.
    const reader = createWorkerReader(await fragileProgram(), 1, { idleTimeout: 0 })
    for (let turn = 0; turn < 20; turn += 1) {
      const folded = await reader.fold({ ...page, markdown: `text ${turn}` })
      expect(folded.failure).toBeUndefined()
      // Zero milliseconds is one at least: this is when the rest begins, and long before the thread has ended.
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    await reader.close()
  })

  test('that are told to end refuse what they were given, and nothing waits for ever', async () => {
    const reader = createWorkerReader(await fragileProgram(), 1)
    const asked = Promise.all(['a', 'b'].map((markdown) => reader.fold({ ...page, markdown })))
    await reader.close()
    expect((await asked).map(({ failure }) => failure)).toEqual([
      expect.stringContaining('told to end'),
      expect.stringContaining('told to end'),
    ])
    expect((await reader.describe('again')).description.title).toBe('again')
    await reader.close()
  })
})

/** A program with a clock: `hangs` never ends, `eats` takes all the memory there is, anything else comes back. */
async function greedyProgram(): Promise<URL> {
  const program = join(await mkdtemp(join(tmpdir(), 'octavo-thread-')), 'greedy.mjs')
  await writeFile(
    program,
    `import { parentPort } from 'node:worker_threads'
     parentPort.on('message', (task) => {
       if (task === 'hangs') for (;;);
       if (task === 'eats') for (const all = []; ; ) all.push(new Array(100_000).fill(task))
       parentPort.postMessage({ task })
     })
     parentPort.postMessage('ready')`,
  )
  return pathToFileURL(program)
}

describe('threads with limits', () => {
  const lost = async (asked: Promise<object>) => {
    const error: unknown = await asked.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    return error instanceof WorkerLost ? error.reason : error
  }

  test('a task past its deadline is refused, and those behind it are done by another thread', async () => {
    const threads = createWorkerPool<string, object>(await greedyProgram(), 1, { deadline: 500 })
    const [before, hangs, behind] = ['a', 'hangs', 'b'].map((task) => threads.run(task))
    expect(await before).toEqual({ task: 'a' })
    expect(await lost(hangs!)).toBe('late')
    expect(await behind).toEqual({ task: 'b' })
    await threads.close()
  })

  test('a task that takes all the memory ends its thread and nothing else', async () => {
    const threads = createWorkerPool<string, object>(await greedyProgram(), 1, { memory: 32 })
    const [eats, behind] = ['eats', 'b'].map((task) => threads.run(task))
    expect(await lost(eats!)).toBe('ended')
    expect(await behind).toEqual({ task: 'b' })
    await threads.close()
  })

  test('what would wait behind too many is refused at once', async () => {
    const limits = { prefetch: 1, maxWaiting: 1, deadline: 500 }
    const threads = createWorkerPool<string, object>(await greedyProgram(), 1, limits)
    const [hangs, waits, refused] = ['hangs', 'b', 'c'].map((task) => threads.run(task))
    expect(await lost(refused!)).toBe('busy')
    expect(await lost(hangs!)).toBe('late')
    expect(await waits).toEqual({ task: 'b' })
    await threads.close()
  })
})
