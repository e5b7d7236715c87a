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
let seen: string
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-pieces-'))
  const program = join(folder, 'program.mjs')
  seen = join(folder, 'seen')
  // Writes down what it is given; `hangs` never ends, `cannot` has no markup.
  await writeFile(
    program,
    `import { parentPort } from 'node:worker_threads'
     import { appendFileSync } from 'node:fs'
     parentPort.on('message', ({ text }) => {
       appendFileSync(${JSON.stringify(seen)}, text + '\\n')
       if (text === 'hangs') for (;;);
       parentPort.postMessage(text === 'cannot' ? {} : { markup: '<b>' + text + '</b>' })
     })
     parentPort.postMessage('ready')`,
  )
  entry = pathToFileURL(program)
})

const timesSeen = async (text: string) =>
  (await readFile(seen, 'utf8')).split('\n').filter((line) => line === text).length

describe('pieces in threads', () => {
  test('come back as markup; who asks for the same at the same time shares the answer', async () => {
    const pieces = createWorkerFragments<Task>(entry, 1, () => 0)
    const answers = await Promise.all(
      [{ text: 'a' }, { text: 'b' }, { text: 'a' }].map((one) => pieces.render(one)),
    )
    expect(answers.map((answer) => 'markup' in answer && answer.markup)).toEqual([
      '<b>a</b>',
      '<b>b</b>',
      '<b>a</b>',
    ])
    expect(await timesSeen('a')).toBe(1)
    await pieces.close()
  })

  test('cost their deadline once: a failure is remembered, and tried again when it is old', async () => {
    let time = 0
    const pieces = createWorkerFragments<Task>(entry, 1, () => time, { deadline: 300 })
    for (const text of ['hangs', 'cannot']) {
      for (const turn of [1, 2])
        expect([turn, await pieces.render({ text })]).toEqual([turn, { unavailable: 'failed' }])
      expect(await timesSeen(text)).toBe(1)
    }
    time += 11 * 60_000
    expect(await pieces.render({ text: 'cannot' })).toEqual({ unavailable: 'failed' })
    expect(await timesSeen('cannot')).toBe(2)
    await pieces.close()
  })

  test('are refused when too many wait, and that is not remembered', async () => {
    const pieces = createWorkerFragments<Task>(entry, 1, () => 0, { maxWaiting: 0 })
    expect(await pieces.render({ text: 'c' })).toEqual({ unavailable: 'busy' })
    await pieces.close()
    const others = createWorkerFragments<Task>(entry, 1, () => 0, { deadline: 300, maxWaiting: 1 })
    const hanging = others.render({ text: 'hangs' })
    const waiting = others.render({ text: 'd' })
    expect(await others.render({ text: 'e' })).toEqual({ unavailable: 'busy' })
    expect([await hanging, await waiting]).toEqual([{ unavailable: 'failed' }, { markup: '<b>d</b>' }])
    expect(await others.render({ text: 'e' })).toEqual({ markup: '<b>e</b>' })
    await others.close()
  })
})
