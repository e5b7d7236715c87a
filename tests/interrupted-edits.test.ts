/**
 * Crash safety of saves that amend a revision: what a kill between any two statements leaves behind, as a copy of the
 * database files at this moment, is opened as a server that starts again would.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { TransactionConnection } from '../src/store/db/concurrent-transaction.js'
import type { Database } from '../src/store/db/database.js'
import { openDatabase } from '../src/store/db/open.js'
import { describeSqlite } from './engines.js'
import { type Person, type TestClient, openTestClient } from './test-client.js'
import { hashOf } from './text-writers.js'

/** Calls back before each statement, begin and commit of a transaction, until the returned function is called. */
async function onEachStep(database: Database, step: () => void): Promise<() => void> {
  let connection!: TransactionConnection
  // SQLite has one connection that writes.
  await database.write((tx) =>
    tx
      .getExecutor()
      .provideConnection(async (provided) => void (connection = provided as TransactionConnection)),
  )
  const spies = (['begin', 'executeQuery', 'commit'] as const).map((name) => {
    const execute = connection[name] as (...values: unknown[]) => Promise<never>
    return vi.spyOn(connection, name).mockImplementation((...values: unknown[]) => {
      step()
      return execute(...values)
    })
  })
  return () => spies.forEach((spy) => spy.mockRestore())
}

describeSqlite('a kill', (engine) => {
  test('between any two steps of a save that amends its revision leaves the acknowledged text and its history', async () => {
    const { dataFolder } = await engine.settings()
    const database = await openDatabase({ dataFolder })
    const api = await openTestClient(database)
    const ann = await api.person('ann')
    const organization = await api.organization(ann)
    const must = async (client: TestClient, person: Person, method: string, path: string, body?: object) => {
      const answer = await client.request(person, method, path, body)
      expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
      return answer.body
    }
    const body = { title: 'Manual', empty: true, editMode: 'live' }
    const { id: space } = await must(api, ann, 'POST', `/orgs/${organization}/spaces`, body)
    const { id } = await must(api, ann, 'POST', `/spaces/${space}/change-requests`, {})
    const request = `/spaces/${space}/change-requests/${id}`
    const changes = [{ operation: 'insert_page', document: { markdown: 'Words' } }]
    const written = await must(api, ann, 'POST', `${request}/content?compat=false`, { changes })
    const path = `${request}/content/page/${written.changes[0].page.id}/text`
    let text = 'Words'
    const save = async (seq: number, word: string) => {
      const splices = [{ start: text.length, end: text.length, text: word }]
      const edit = { base: hashOf(text), client: 'writer01', seq, splices }
      const { revision } = await must(api, ann, 'PATCH', path, edit)
      text += word
      return revision as string
    }
    await save(1, ' one')
    const acknowledged = await save(2, ' two')

    let steps = 0
    const images: Buffer[][] = []
    const files = ['octavo.sqlite', 'octavo.sqlite-wal'].map((name) => join(dataFolder, name))
    // Most statements change pages in memory alone: then the files are as they were.
    const copy = () => {
      steps += 1
      const image = files.map((file) => readFileSync(file))
      const isSame = images.at(-1)?.every((bytes, index) => bytes.equals(image[index]!))
      if (isSame !== true) images.push(image)
    }
    const stop = await onEachStep(database, copy)
    const amending = await save(3, ' three')
    stop()
    copy()
    await database.close()

    const texts: string[] = []
    for (const [index, image] of images.entries()) {
      const folder = join(dataFolder, `image-${index}`)
      mkdirSync(folder)
      for (const [at, bytes] of image.entries()) writeFileSync(join(folder, basename(files[at]!)), bytes)
      const reopened = await openDatabase({ dataFolder: folder })
      try {
        const client = await openTestClient(reopened)
        const read = (at: string) => must(client, ann, 'GET', at)
        texts.push((await read(path)).text)
        const { items } = await read(`${request}/revisions`)
        expect(items[0].id).toBe(texts.at(-1) === text ? amending : acknowledged)
        // The former head is still found, by those who read it before.
        for (const revision of [...items.map((one: { id: string }) => one.id), acknowledged])
          expect(await read(`/spaces/${space}/revisions/${revision}/pages`)).toHaveProperty('pages')
      } finally {
        await reopened.close()
      }
    }
    expect([...new Set(texts)]).toEqual(['Words one two', text])
    expect(texts.at(-1)).toBe(text)
    // Else nothing was proved.
    expect(steps).toBeGreaterThan(10)
  })
})
