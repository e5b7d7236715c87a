/**
 * Going back beside others who write: merges, edits, another rollback and the end of the space, through two processes
 * on one database. Whoever was told that it is done finds it in the history, which is one line, each on the one before.
 */
import { beforeAll, expect, test } from 'vitest'
import type { OrganizationId } from '../src/core/ids.js'
import type { Database } from '../src/store/db/database.js'
import { listViolations } from '../src/store/db/invariants.js'
import { type TestResponse, type TestClient, type Person, openTestClient } from './test-client.js'
import { describeEngines } from './engines.js'

interface Place {
  readonly space: string
  /** The revision that is gone back to. */
  readonly before: string
  readonly page: string
  readonly requests: readonly string[]
}

type Asked = readonly [method: string, path: string, body?: unknown]

const insert = (slug: string) => ({
  changes: [{ operation: 'insert_page', title: slug, slug, document: { markdown: `# ${slug}\n` } }],
})
const rewrite = (page: string, words: string) => ({
  changes: [{ operation: 'update_page', page, document: { markdown: `# a\n\n${words}\n` } }],
})
const goBack = ({ space, before }: Place): Asked => ['POST', `${space}/revisions/${before}/rollback`]
const merge = ({ space, requests }: Place, nth: number): Asked => [
  'POST',
  `${space}/change-requests/${requests[nth]}/merge`,
]
const edit = ({ space }: Place, body: unknown): Asked => ['POST', `${space}/content`, body]

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

  async function must(...[method, path, body]: Asked): Promise<any> {
    const answer = await clients[0].request(ann, method, path, body)
    expect(answer.status, `${method} ${path} ${answer.text}`).toBeLessThan(300)
    return answer.body
  }

  /** A space of two pages, of which the second came later, with two change requests that add one each. */
  async function newPlace(): Promise<Place> {
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

  /** Sends all at once, by turns through both processes; the first one through this. */
  function race(all: readonly Asked[], first: 0 | 1): Promise<TestResponse[]> {
    return Promise.all(all.map((one, at) => clients[at % 2 === first ? 0 : 1].request(ann, ...one)))
  }

  /** Reads the history, newest first, and finds it to be one line that tells of each answer that was a success. */
  async function readLine({ space }: Place, all: readonly Asked[], answers: readonly TestResponse[]) {
    const { items } = await must('GET', `${space}/revisions?limit=100`)
    const line = items as { id: string; type: string; parents: string[]; mergedFrom?: { id: string } }[]
    for (const [at, { parents }] of line.entries()) expect(parents[0]).toBe(line[at + 1]?.id)
    for (const [at, { status, body, text }] of answers.entries()) {
      expect(status, `${all[at]![1]}: ${text}`).toBeLessThan(500)
      if (status >= 300) continue
      const made = body.object === 'revision' ? body.id : body.revision
      const known = line.find(({ id }) => id === made)
      expect(known, `${all[at]![1]} made ${made}`).toBeDefined()
      const merged = /change-requests\/(\w+)\/merge$/.exec(all[at]![1])?.[1]
      if (merged !== undefined) expect(known).toMatchObject({ type: 'merge', mergedFrom: { id: merged } })
    }
    expect(await listViolations(database.read)).toEqual([])
    return line
  }

  const slugs = async ({ space }: Place): Promise<string[]> =>
    (await must('GET', `${space}/content/pages`)).pages.map(({ slug }: { slug: string }) => slug)

  /** What a place says when these have been done in the order of its line. */
  function replay(
    line: readonly { readonly type: string; readonly mergedFrom?: { readonly id: string } }[],
    { requests }: Place,
  ) {
    const names = new Set<string>()
    for (const { type, mergedFrom } of line.toReversed()) {
      if (type === 'rollback') names.clear()
      if (mergedFrom !== undefined) names.add('cd'[requests.indexOf(mergedFrom.id)]!)
    }
    return names
  }

  const turns = [0, 1] as const

  test.each(turns)('beside merges undoes those that were before, and no other', async (first) => {
    const place = await newPlace()
    const all = [merge(place, 0), goBack(place), merge(place, 1)]
    const answers = await race(all, first)
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 200])
    const line = await readLine(place, all, answers)
    expect(
      line
        .map(({ type }) => type)
        .toSorted()
        .slice(-3),
    ).toEqual(['merge', 'merge', 'rollback'])
    expect((await slugs(place)).toSorted()).toEqual(['a', ...replay(line, place)].toSorted())
  })

  test.each(turns)(
    'beside a change request that takes in the space leaves it to be merged',
    async (first) => {
      const place = await newPlace()
      const request = `${place.space}/change-requests/${place.requests[0]}`
      const all = [['POST', `${request}/update`, {}] as const, goBack(place)]
      const answers = await race(all, first)
      expect(answers.map(({ status }) => status)).toEqual([200, 201])
      await readLine(place, [all[1]!], [answers[1]!])
      await must('POST', `${request}/merge`)
      // What was gone back from is gone, whether the change request had taken it in or not.
      expect(await slugs(place)).toEqual(['a', 'c'])
    },
  )

  test.each(turns)('beside edits leaves each of them in the history', async (first) => {
    const place = await newPlace()
    const all = [edit(place, insert('e')), goBack(place), edit(place, rewrite(place.page, 'Edited.'))]
    const answers = await race(all, first)
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 200])
    const line = await readLine(place, all, answers)
    expect(line.map(({ type }) => type).toSorted()).toEqual([...Array<string>(5).fill('edits'), 'rollback'])
    // What came after it stands, and what came before it can be had again from where it stood.
    const at = line.findIndex(({ type }) => type === 'rollback')
    const told = await Promise.all(
      line.map(async ({ id }) => {
        const { pages } = await must('GET', `${place.space}/revisions/${id}`)
        return pages.map(({ slug }: { slug: string }) => slug)
      }),
    )
    expect(told[at]).toEqual(['a'])
    expect(told.flat()).toContain('e')
    const page = await must('GET', `${place.space}/content/page/${place.page}?format=markdown`)
    expect(page.markdown).toBe(
      line.slice(0, at).some(({ id }) => id === answers[2]!.body.revision) ? '# a\n\nEdited.\n' : '# a\n',
    )
  })

  test.each(turns)('beside the same is done once, and the other is told so', async (first) => {
    const place = await newPlace()
    const all = [goBack(place), goBack(place), goBack(place)]
    const answers = await race(all, first)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    const line = await readLine(place, all, answers)
    expect(line.map(({ type }) => type)).toEqual(['rollback', 'edits', 'edits', 'edits'])
    expect(await slugs(place)).toEqual(['a'])
  })

  test.each(turns)('beside the end of the space is done before it, or not at all', async (first) => {
    const place = await newPlace()
    const answers = await race([goBack(place), ['DELETE', place.space]], first)
    expect(answers[1]!.status).toBe(205)
    expect([201, 409]).toContain(answers[0]!.status)
    await must('POST', `${place.space}/restore`)
    const line = await readLine(place, [goBack(place)], [answers[0]!])
    expect(line.filter(({ type }) => type === 'rollback')).toHaveLength(answers[0]!.status === 201 ? 1 : 0)
    expect(await slugs(place)).toEqual(answers[0]!.status === 201 ? ['a'] : ['a', 'b'])
  })
})
