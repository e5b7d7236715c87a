import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { createWorkerFragments } from './fragment-renderer.js'

interface Task {
  readonly text: string
}

let entry: URL
let tasks: string
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-fragments-'))
  const program = join(folder, 'program.mjs')
  tasks = join(folder, 'tasks')
  // Records its tasks; `hangs` never ends, `hangs once` not at the first try, `cannot` has no markup.
  await writeFile(
    program,
    `import { parentPort } from 'node:worker_threads'
     import { appendFileSync, readFileSync } from 'node:fs'
     const count = (text) =>
       readFileSync(${JSON.stringify(tasks)}, 'utf8').split('\\n').filter((line) => line === text).length
     parentPort.on('message', ({ text }) => {
       appendFileSync(${JSON.stringify(tasks)}, text + '\\n')
       if (text === 'hangs' || (text === 'hangs once' && count(text) === 1)) for (;;);
       parentPort.postMessage(text === 'cannot' ? {} : { markup: '<b>' + text + '</b>' })
     })
     parentPort.postMessage('ready')`,
  )
  entry = pathToFileURL(program)
})

const taskCount = async (text: string) =>
  (await readFile(tasks, 'utf8')).split('\n').filter((line) => line === text).length

describe('fragments in worker threads', () => {
  test('are returned as markup; concurrent calls for the same share the result', async () => {
    const fragments = createWorkerFragments<Task>(entry, 1, () => 0)
    const answers = await Promise.all(
      [{ text: 'a' }, { text: 'b' }, { text: 'a' }].map((one) => fragments.render(one)),
    )
    expect(answers.map((answer) => 'markup' in answer && answer.markup)).toEqual([
      '<b>a</b>',
      '<b>b</b>',
      '<b>a</b>',
    ])
    expect(await taskCount('a')).toBe(1)
    await fragments.close()
  })

  test('that cannot be rendered are tried once, and again much later', async () => {
    let time = 0
    const fragments = createWorkerFragments<Task>(entry, 1, () => time)
    for (const turn of [1, 2])
      expect([turn, await fragments.render({ text: 'cannot' })]).toEqual([turn, { unavailable: 'failed' }])
    expect(await taskCount('cannot')).toBe(1)
    time += 11 * 60_000
    expect(await fragments.render({ text: 'cannot' })).toEqual({ unavailable: 'failed' })
    expect(await taskCount('cannot')).toBe(2)
    await fragments.close()
  })

  test('past their deadline are no failure: they are tried again, but less and less often', async () => {
    let time = 0
    const fragments = createWorkerFragments<Task>(entry, 1, () => time, { deadline: 300 })
    const triesAfter = async (milliseconds: number) => {
      time += milliseconds
      const before = await taskCount('hangs')
      expect(await fragments.render({ text: 'hangs' })).toEqual({ unavailable: 'busy' })
      return (await taskCount('hangs')) - before
    }
    expect(await triesAfter(0)).toBe(1)
    expect(await triesAfter(299)).toBe(0)
    expect(await triesAfter(1)).toBe(1)
    expect(await triesAfter(599)).toBe(0)
    expect(await triesAfter(1)).toBe(1)
    await fragments.close()
  })

  test('that were late once are rendered as soon as the machine has time', async () => {
    let time = 0
    const fragments = createWorkerFragments<Task>(entry, 1, () => time, { deadline: 300 })
    expect(await fragments.render({ text: 'hangs once' })).toEqual({ unavailable: 'busy' })
    time += 300
    expect(await fragments.render({ text: 'hangs once' })).toEqual({ markup: '<b>hangs once</b>' })
    await fragments.close()
  })

  test('are rejected when too many wait, which is not cached', async () => {
    const fragments = createWorkerFragments<Task>(entry, 1, () => 0, { maxWaiting: 0 })
    expect(await fragments.render({ text: 'c' })).toEqual({ unavailable: 'busy' })
    await fragments.close()
    const others = createWorkerFragments<Task>(entry, 1, () => 0, { deadline: 300, maxWaiting: 1 })
    const hanging = others.render({ text: 'hangs' })
    const waiting = others.render({ text: 'd' })
    expect(await others.render({ text: 'e' })).toEqual({ unavailable: 'busy' })
    expect([await hanging, await waiting]).toEqual([{ unavailable: 'busy' }, { markup: '<b>d</b>' }])
    expect(await others.render({ text: 'e' })).toEqual({ markup: '<b>e</b>' })
    await others.close()
  })
})
