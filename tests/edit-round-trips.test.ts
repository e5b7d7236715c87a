/** Round trips of an edit: a counter in the driver, since time depends on the machine. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../src/store/db/database.js'
import { describeEngines } from './engines.js'
import { type Person, type TestClient, openTestClient } from './test-client.js'

describeEngines('round trips', (engine) => {
  let database: Database
  let api: TestClient
  let ann: Person
  let space: string
  let page: string

  beforeAll(async () => {
    database = await engine.open()
    api = await openTestClient(database)
    ann = await api.person('ann')
    const organization = await api.organization(ann)
    const body = { title: 'Manual', empty: true, editMode: 'live' }
    space = (await api.request(ann, 'POST', `/orgs/${organization}/spaces`, body)).body.id
    const changes = [{ operation: 'insert_page', title: 'Page', document: { markdown: 'First words.' } }]
    await api.request(ann, 'POST', `/spaces/${space}/content`, { changes })
    page = (await api.request(ann, 'GET', `/spaces/${space}/content/pages`)).body.pages[0].id
  })

  /** Returns the round trips of an edit of one page after others, as its author causes them word by word. */
  async function countEdit(path: string, markdown: (turn: number) => string): Promise<number> {
    let before = 0
    for (let turn = 0; turn < 4; turn += 1) {
      before = database.roundTrips()
      const changes = [{ operation: 'update_page', page, document: { markdown: markdown(turn) } }]
      const { status, text } = await api.request(ann, 'POST', `${path}/content`, { changes })
      expect(status, text).toBe(200)
    }
    return database.roundTrips() - before
  }

  /** Returns the round trips of an edit by splices after others. */
  async function countSplices(path: string, word: string): Promise<number> {
    const at = `${path}/content/page/${page}/text`
    let { hash } = (await api.request(ann, 'GET', at)).body
    let before = 0
    for (let seq = 1; seq <= 4; seq += 1) {
      before = database.roundTrips()
      const edit = {
        base: hash,
        client: 'writer01',
        seq,
        splices: [{ start: 0, end: 0, text: `${word} ${seq} ` }],
      }
      const { status, text, body } = await api.request(ann, 'PATCH', at, edit)
      expect(status, text).toBe(200)
      ;({ hash } = body)
    }
    return database.roundTrips() - before
  }

  const most = engine.engine === 'postgres' ? 7 : 0

  describe('of an edit of one page', () => {
    test('in a change request', async () => {
      const { id } = (await api.request(ann, 'POST', `/spaces/${space}/change-requests`, {})).body
      const path = `/spaces/${space}/change-requests/${id}`
      expect(await countEdit(path, (turn) => `Words of turn ${turn}.`)).toBeLessThanOrEqual(most)
    })

    test('by splices', async () => {
      const { id } = (await api.request(ann, 'POST', `/spaces/${space}/change-requests`, {})).body
      expect(await countSplices(`/spaces/${space}/change-requests/${id}`, 'Draft')).toBeLessThanOrEqual(most)
      // Other words: objects that are stored already take a trip more.
      expect(await countSplices(`/spaces/${space}`, 'Live')).toBeLessThanOrEqual(most)
    })

    test('in the space', async () => {
      expect(await countEdit(`/spaces/${space}`, (turn) => `Live ${turn}.`)).toBeLessThanOrEqual(most)
    })

    test('whose former text returns, so that its objects are stored already', async () => {
      expect(await countEdit(`/spaces/${space}`, (turn) => `Text ${turn % 2}.`)).toBeLessThanOrEqual(most)
    })
  })
})
