/**
 * Concurrent rollback: beside merges, edits, another rollback and the deletion of the space, through two processes on one
 * database. Every acknowledged revision is in the history, which is linear.
 */
import { beforeAll, expect, test } from 'vitest'
import type { OrganizationId } from '../src/core/ids.js'
import type { Database } from '../src/store/db/database.js'
import { listViolations } from '../src/store/db/invariants.js'
import { type TestResponse, type TestClient, type Person, openTestClient } from './test-client.js'
import { describeEngines } from './engines.js'

interface TestSpace {
  readonly space: string
  /** The revision that is gone back to. */
  readonly before: string
  readonly page: string
  readonly requests: readonly string[]
}

type RaceRequest = readonly [method: string, path: string, body?: unknown]

const insert = (slug: string) => ({
  changes: [{ operation: 'insert_page', title: slug, slug, document: { markdown: `# ${slug}\n` } }],
})
const rewrite = (page: string, words: string) => ({
  changes: [{ operation: 'update_page', page, document: { markdown: `# a\n\n${words}\n` } }],
})
const rollback = ({ space, before }: TestSpace): RaceRequest => [
  'POST',
  `${space}/revisions/${before}/rollback`,
]
const merge = ({ space, requests }: TestSpace, nth: number): RaceRequest => [
  'POST',
  `${space}/change-requests/${requests[nth]}/merge`,
]
const edit = ({ space }: TestSpace, body: unknown): RaceRequest => ['POST', `${space}/content`, body]

describeEngines('a rollback', (engine) => {
  let database: Database
  let clients: readonly [TestClient, TestClient]
  let ann: Person
  let organization: OrganizationId

  beforeAll(async () => {
    database = await engine.open()
    const api = await openTestClient(database)
    const { files } = api.services
    clients = [api, await openTestClient(await engine.openAgain(), undefined, { files })]
    ann = await api.person('ann')
    organization = await api.organization(ann)
  })

  async function must(...[method, path, body]: RaceRequest): Promise<any> {
    const answer = await clients[0].request(ann, method, path, body)
    expect(answer.status, `${method} ${path} ${answer.text}`).toBeLessThan(300)
    return answer.body
  }

  /** A space of two pages, the second added later, with two change requests that add one page each. */
  async function createTestSpace(): Promise<TestSpace> {
    const wanted = { title: 'Guide', editMode: 'live', empty: true }
    const space = `/spaces/${(await must('POST', `/orgs/${organization}/spaces`, wanted)).id}`
    const first = await must('POST', `${space}/content?compat=false`, insert('a'))
    await must('POST', `${space}/content`, insert('b'))
    const requests: string[] = []
    for (const slug of ['c', 'd']) {
      const { id } = await must('POST', `${space}/change-requests`, { subject: `Add ${slug}` })
      await must('POST', `${space}/change-requests/${id}/content`, insert(slug))
      requests.push(id)
    }
    return { space, before: first.space.revision, page: first.changes[0].page.id, requests }
  }

  /** Sends all concurrently, alternating between both processes, beginning with this one. */
  function race(all: readonly RaceRequest[], first: 0 | 1): Promise<TestResponse[]> {
    return Promise.all(all.map((one, at) => clients[at % 2 === first ? 0 : 1].request(ann, ...one)))
  }

  /** Reads the history, newest first, and asserts that it is linear and contains the revision of every successful response. */
  async function readHistory(
    { space }: TestSpace,
    all: readonly RaceRequest[],
    answers: readonly TestResponse[],
  ) {
    const { items } = await must('GET', `${space}/revisions?limit=100`)
    const history = items as { id: string; type: string; parents: string[]; mergedFrom?: { id: string } }[]
    for (const [at, { parents }] of history.entries()) expect(parents[0]).toBe(history[at + 1]?.id)
    for (const [at, { status, body, text }] of answers.entries()) {
      expect(status, `${all[at]![1]}: ${text}`).toBeLessThan(500)
      if (status >= 300) continue
      const made = body.object === 'revision' ? body.id : body.revision
      const known = history.find(({ id }) => id === made)
      expect(known, `${all[at]![1]} made ${made}`).toBeDefined()
      const merged = /change-requests\/(\w+)\/merge$/.exec(all[at]![1])?.[1]
      if (merged !== undefined) expect(known).toMatchObject({ type: 'merge', mergedFrom: { id: merged } })
    }
    expect(await listViolations(database.read)).toEqual([])
    return history
  }

  const slugs = async ({ space }: TestSpace): Promise<string[]> =>
    (await must('GET', `${space}/content/pages`)).pages.map(({ slug }: { slug: string }) => slug)

  /** The pages of the change requests that remain after the revisions of the history. */
  function replay(
    history: readonly { readonly type: string; readonly mergedFrom?: { readonly id: string } }[],
    { requests }: TestSpace,
  ) {
    const names = new Set<string>()
    for (const { type, mergedFrom } of history.toReversed()) {
      if (type === 'rollback') names.clear()
      if (mergedFrom !== undefined) names.add('cd'[requests.indexOf(mergedFrom.id)]!)
    }
    return names
  }

  const turns = [0, 1] as const

  test.each(turns)('beside merges undoes the earlier ones, and no other', async (first) => {
    const testSpace = await createTestSpace()
    const all = [merge(testSpace, 0), rollback(testSpace), merge(testSpace, 1)]
    const answers = await race(all, first)
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 200])
    const history = await readHistory(testSpace, all, answers)
    expect(
      history
        .map(({ type }) => type)
        .toSorted()
        .slice(-3),
    ).toEqual(['merge', 'merge', 'rollback'])
    expect((await slugs(testSpace)).toSorted()).toEqual(['a', ...replay(history, testSpace)].toSorted())
  })

  test.each(turns)(
    'beside a change request that takes in the space leaves it to be merged',
    async (first) => {
      const testSpace = await createTestSpace()
      const request = `${testSpace.space}/change-requests/${testSpace.requests[0]}`
      const all = [['POST', `${request}/update`, {}] as const, rollback(testSpace)]
      const answers = await race(all, first)
      expect(answers.map(({ status }) => status)).toEqual([200, 201])
      await readHistory(testSpace, [all[1]!], [answers[1]!])
      await must('POST', `${request}/merge`)
      // What was gone back from is gone, whether the change request had taken it in or not.
      expect(await slugs(testSpace)).toEqual(['a', 'c'])
    },
  )

  test.each(turns)('beside edits leaves each of them in the history', async (first) => {
    const testSpace = await createTestSpace()
    const all = [
      edit(testSpace, insert('e')),
      rollback(testSpace),
      edit(testSpace, rewrite(testSpace.page, 'Edited.')),
    ]
    const answers = await race(all, first)
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 200])
    const history = await readHistory(testSpace, all, answers)
    expect(history.map(({ type }) => type).toSorted()).toEqual([
      ...Array<string>(5).fill('edits'),
      'rollback',
    ])
    // Later edits remain, and earlier ones can be restored from their revision.
    const at = history.findIndex(({ type }) => type === 'rollback')
    const slugsByRevision = await Promise.all(
      history.map(async ({ id }) => {
        const { pages } = await must('GET', `${testSpace.space}/revisions/${id}`)
        return pages.map(({ slug }: { slug: string }) => slug)
      }),
    )
    expect(slugsByRevision[at]).toEqual(['a'])
    expect(slugsByRevision.flat()).toContain('e')
    const page = await must('GET', `${testSpace.space}/content/page/${testSpace.page}?format=markdown`)
    expect(page.markdown).toBe(
      history.slice(0, at).some(({ id }) => id === answers[2]!.body.revision) ? '# a\n\nEdited.\n' : '# a\n',
    )
  })

  test.each(turns)('beside the same rollback is done once, and the others are refused', async (first) => {
    const testSpace = await createTestSpace()
    const all = [rollback(testSpace), rollback(testSpace), rollback(testSpace)]
    const answers = await race(all, first)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    const history = await readHistory(testSpace, all, answers)
    expect(history.map(({ type }) => type)).toEqual(['rollback', 'edits', 'edits', 'edits'])
    expect(await slugs(testSpace)).toEqual(['a'])
  })

  test.each(turns)('beside the deletion of the space is done before it, or not at all', async (first) => {
    const testSpace = await createTestSpace()
    const answers = await race([rollback(testSpace), ['DELETE', testSpace.space]], first)
    expect(answers[1]!.status).toBe(205)
    expect([201, 409]).toContain(answers[0]!.status)
    await must('POST', `${testSpace.space}/restore`)
    const history = await readHistory(testSpace, [rollback(testSpace)], [answers[0]!])
    expect(history.filter(({ type }) => type === 'rollback')).toHaveLength(answers[0]!.status === 201 ? 1 : 0)
    expect(await slugs(testSpace)).toEqual(answers[0]!.status === 201 ? ['a'] : ['a', 'b'])
  })
})
