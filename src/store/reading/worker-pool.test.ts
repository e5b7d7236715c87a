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
  ;({ program: entry, folder } = await buildThread(join(import.meta.dirname, 'worker.ts')))
})
afterAll(() => rm(folder, { recursive: true }))

describe('a reader in worker threads', () => {
  test('returns the same as the one in this thread', async () => {
    const [workers, inline] = [createWorkerReader(entry, 2), createInlineReader()]
    const [ours, theirs] = [await workers.describe(text), await inline.describe(text)]
    expect(decodeDescription(ours)).toEqual(decodeDescription(theirs))
    expect(decodeDescription(ours)).toMatchObject({ title: 'Title', metadata: { description: 'Short' } })
    expect(decodeDescription(ours).references.map(({ url }) => url)).toEqual(['b.md'])
    expect(await workers.fold(page)).toEqual(await inline.fold(page))
    const html = '<h1>A</h1><p><a href="b">c</a><img src="data:image/png;base64,iVBORw0K"></p>'
    expect(await workers.convert(html)).toEqual(await inline.convert(html))
    expect(await workers.redirect('[a](b)', new Map([['b', 'c']]))).toBe('[a](c)')
    await workers.close()
  })

  test('parses request bodies like the one in this thread', async () => {
    const [workers, inline] = [createWorkerReader(entry, 2), createInlineReader()]
    const limits = { values: 1_000, depth: 8 }
    const body = { text: '\n"文é😀\\'.repeat(50_000), list: [1.5, -1e-9, null, true, { a: {} }] }
    expect(await workers.parseJson(Buffer.from(JSON.stringify(body)), limits)).toEqual({ value: body })
    for (const json of ['\ufeff[1]', '{"__proto__":1}', '[1', '['.repeat(9) + ']'.repeat(9)]) {
      const bytes = Buffer.from(json)
      expect(await workers.parseJson(bytes, limits), json).toEqual(await inline.parseJson(bytes, limits))
    }
    await workers.close()
  })

  test('returns many results, each for its text, and starts again after its idle timeout', async () => {
    const reader = createWorkerReader(entry, 2)
    const titles = Array.from({ length: 200 }, (_, index) => `Title ${index}`)
    const read = await Promise.all(titles.map((title) => reader.describe(`# ${title}\n`)))
    expect(read.map(({ description }) => description.title)).toEqual(titles)
    await reader.close()
    expect((await reader.describe('# Again\n')).description.title).toBe('Again')
    await reader.close()
  })
})

/** A program that replies like a reader; the text `dies` kills it always, `once` only the first time. */
async function fragileProgram(): Promise<URL> {
  const place = await mkdtemp(join(tmpdir(), 'octavo-worker-'))
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
       parentPort.postMessage({ description: { title: text, metadata: {} }, links: new Uint8Array(), problems: [], language: {} })
     })`,
  )
  return pathToFileURL(program)
}

describe('a worker that dies', () => {
  test('loses only the text that kills every worker', async () => {
    const reader = createWorkerReader(await fragileProgram(), 1)
    const answers = await Promise.all(['a', 'dies', 'b', 'c', 'd', 'e'].map((one) => reader.describe(one)))
    expect(answers.map(({ description }) => description.title)).toEqual(['a', undefined, 'b', 'c', 'd', 'e'])
    expect(answers[1]!.problems).toHaveLength(1)
    const folded = await reader.fold({ ...page, markdown: 'dies' })
    expect(folded).toMatchObject({ page: { title: 'Title', sections: [{ heading: 'Title', body: '' }] } })
    expect(folded.failure).toContain('ended')
    await reader.close()
  })

  test('of another cause loses nothing: its text is read by another worker', async () => {
    const reader = createWorkerReader(await fragileProgram(), 1)
    const answers = await Promise.all(['a', 'once', 'b'].map((one) => reader.describe(one)))
    expect(answers.map(({ description }) => description.title)).toEqual(['a', 'once', 'b'])
    await reader.close()
  })
})

describe('idle workers', () => {
  test('get no tasks while they end: every text is read, whenever it arrives', async () => {
    // Idle after each text, so that the next one always arrives while the worker is ending.
    const reader = createWorkerReader(await fragileProgram(), 1, { idleTimeout: 0 })
    for (let turn = 0; turn < 20; turn += 1) {
      const folded = await reader.fold({ ...page, markdown: `text ${turn}` })
      expect(folded.failure).toBeUndefined()
      // Zero milliseconds is at least one: this is when the worker starts to end, long before it has ended.
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    await reader.close()
  })

  test('that are closed reject their tasks, and nothing waits for ever', async () => {
    const reader = createWorkerReader(await fragileProgram(), 1)
    const requested = Promise.all(['a', 'b'].map((markdown) => reader.fold({ ...page, markdown })))
    await reader.close()
    expect((await requested).map(({ failure }) => failure)).toEqual([
      expect.stringContaining('told to end'),
      expect.stringContaining('told to end'),
    ])
    expect((await reader.describe('again')).description.title).toBe('again')
    await reader.close()
  })
})

/** A program for limits: `hangs` never ends, `eats` uses up all memory, anything else is returned. */
async function greedyProgram(): Promise<URL> {
  const program = join(await mkdtemp(join(tmpdir(), 'octavo-worker-')), 'greedy.mjs')
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

describe('workers with limits', () => {
  const lost = async (requested: Promise<object>) => {
    const error: unknown = await requested.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    return error instanceof WorkerLost ? error.reason : error
  }

  test('a task past its deadline is rejected, and the following ones are completed by another worker', async () => {
    const workers = createWorkerPool<string, object>(await greedyProgram(), 1, { deadline: 500 })
    const [before, hangs, behind] = ['a', 'hangs', 'b'].map((task) => workers.run(task))
    expect(await before).toEqual({ task: 'a' })
    expect(await lost(hangs!)).toBe('late')
    expect(await behind).toEqual({ task: 'b' })
    await workers.close()
  })

  test('a task that uses up all memory ends only its worker', async () => {
    const workers = createWorkerPool<string, object>(await greedyProgram(), 1, { memory: 32 })
    const [eats, behind] = ['eats', 'b'].map((task) => workers.run(task))
    expect(await lost(eats!)).toBe('ended')
    expect(await behind).toEqual({ task: 'b' })
    await workers.close()
  })

  test('a task is rejected immediately when too many wait', async () => {
    const limits = { prefetch: 1, maxWaiting: 1, deadline: 500 }
    const workers = createWorkerPool<string, object>(await greedyProgram(), 1, limits)
    const [hangs, waits, refused] = ['hangs', 'b', 'c'].map((task) => workers.run(task))
    expect(await lost(refused!)).toBe('busy')
    expect(await lost(hangs!)).toBe('late')
    expect(await waits).toEqual({ task: 'b' })
    await workers.close()
  })
})
