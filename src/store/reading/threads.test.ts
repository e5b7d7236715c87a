import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PageId } from '../../core/ids.js'
import { createInlineReader, unpackDescription } from './reader.js'
import { createThreadedReader } from './threads.js'

const text = '---\ndescription: Short\n---\n\n# Title\n\nTo [b](b.md).\n\n## Part\n\nMore words.\n'
const page = { pageId: 'p' as PageId, title: 'Title', path: 'title', text: '', markdown: text }

let folder: string
let entry: URL
beforeAll(async () => {
  // Inside the checkout, so that the packages are found that the program imports.
  folder = await mkdtemp(join(import.meta.dirname, '../../../node_modules/.octavo-thread-'))
  const program = join(folder, 'thread.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, 'thread.ts')],
    outfile: program,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  })
  entry = pathToFileURL(program)
})
afterAll(() => rm(folder, { recursive: true }))

describe('a reader in threads', () => {
  test('answers what the one in this thread answers', async () => {
    const [threads, inline] = [createThreadedReader(entry, 2), createInlineReader()]
    const [ours, theirs] = [await threads.describe(text), await inline.describe(text)]
    expect(unpackDescription(ours)).toEqual(unpackDescription(theirs))
    expect(unpackDescription(ours)).toMatchObject({ title: 'Title', metadata: { description: 'Short' } })
    expect(unpackDescription(ours).references.map(({ url }) => url)).toEqual(['b.md'])
    expect(await threads.fold(page)).toEqual(await inline.fold(page))
    await threads.close()
  })

  test('answers many, each with its own, and starts again after a rest', async () => {
    const reader = createThreadedReader(entry, 2)
    const titles = Array.from({ length: 200 }, (_, index) => `Title ${index}`)
    const read = await Promise.all(titles.map((title) => reader.describe(`# ${title}\n`)))
    expect(read.map(({ said }) => said.title)).toEqual(titles)
    await reader.close()
    expect((await reader.describe('# Again\n')).said.title).toBe('Again')
    await reader.close()
  })
})

describe('a thread that dies', () => {
  test('takes the text with it that killed it, and no other', async () => {
    const deadly = join(await mkdtemp(join(tmpdir(), 'octavo-thread-')), 'deadly.mjs')
    await writeFile(
      deadly,
      `import { parentPort } from 'node:worker_threads'
       parentPort.on('message', ({ describe, fold }) => {
         if ((describe ?? fold.markdown) === 'deadly') process.exit(7)
         parentPort.postMessage({ said: { title: describe, metadata: {} }, references: new Uint8Array(), problems: [] })
       })`,
    )
    const reader = createThreadedReader(pathToFileURL(deadly), 1)
    const answers = await Promise.all(['a', 'deadly', 'b', 'c', 'd', 'e'].map((one) => reader.describe(one)))
    expect(answers.map(({ said }) => said.title)).toEqual(['a', undefined, 'b', 'c', 'd', 'e'])
    expect(answers[1]!.problems).toHaveLength(1)
    const folded = await reader.fold({ ...page, markdown: 'deadly' })
    expect(folded.page).toMatchObject({ title: 'Title', sections: [] })
    await reader.close()
  })
})
