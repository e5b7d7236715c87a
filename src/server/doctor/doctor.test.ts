import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { indexSpecifications } from '../../../tests/background-work.js'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import type { Hash, OrganizationId, SpaceId } from '../../core/ids.js'
import type { Snapshot } from '../../core/pages/types.js'
import { indexSpace } from '../../resources/search/index-space.js'
import { noObjectCache } from '../../store/content/objects.js'
import { hashOf } from '../../store/content/encoding.js'
import type { Database } from '../../store/db/database.js'
import { openDirectory } from '../../store/files/directory.js'
import { claimJob, enqueue, failJob } from '../../store/jobs/outbox.js'
import { runChecks } from './run-checks.js'
import { acrossTestOrganizations } from '../../../tests/test-rows.js'

const texts = {
  one: '# One\n\nTo [two](two.md) and back.\n',
  two: '# Two\n\nTo [one](one.md), with a quagga.\n',
}

describeEngines('the doctor', ({ open }) => {
  let database: Database
  let api: TestClient
  let ann: Person
  let organizationId: OrganizationId
  let space: SpaceId
  let files: string

  beforeEach(async () => {
    database = await open()
    api = await openTestClient(database)
    files = await mkdtemp(join(tmpdir(), 'octavo-doctor-'))
    Object.assign(api.services, { files: await openDirectory(files) })
    ann = await api.person('ann')
    organizationId = await api.organization(ann)
    space = await create(organizationId)
  })

  async function create(owner: OrganizationId): Promise<SpaceId> {
    const body = { title: 'Guide', editMode: 'live', empty: true }
    const { id } = (await api.request(ann, 'POST', `/orgs/${owner}/spaces`, body)).body
    for (const [slug, markdown] of Object.entries(texts)) {
      const changes = [{ operation: 'insert_page', slug, document: { markdown } }]
      expect((await api.request(ann, 'POST', `/spaces/${id}/content`, { changes })).status).toBe(200)
    }
    await indexSpace({
      services: api.services,
      spaceId: id,
      signal: new AbortController().signal,
      now: Date.now,
    })
    await database.write((tx) => tx.deleteFrom('jobs').execute())
    return id
  }

  /** Returns the reported sentences, and how many problems remain. */
  async function runDoctor({ isRepairing = false } = {}) {
    const reported: string[] = []
    const task = { advance: () => {}, end: () => {} }
    const report = {
      result: () => {},
      warnAll: () => {},
      warn: (sentence: string) => void reported.push(sentence),
      startTask: () => task,
    }
    Object.assign(api.services, { objects: noObjectCache })
    const { problems, repaired } = await runChecks(
      { services: api.services, database, report, now: Date.now() },
      { isRepairing },
    )
    return { reported, problems, repaired }
  }
  const healthy = { reported: [], problems: 0, repaired: 0 }

  async function flip(hash: Hash, owner: OrganizationId): Promise<void> {
    const rows = database.read
      .selectFrom('objects')
      .where('hash', '=', hash)
      .where('organization_id', '=', owner)
    const bytes = Buffer.from((await rows.select('bytes').executeTakeFirstOrThrow()).bytes)
    bytes[Math.floor(bytes.length / 2)]! ^= 1
    await database.write((tx) =>
      tx
        .updateTable('objects')
        .set({ bytes })
        .where('hash', '=', hash)
        .where('organization_id', '=', owner)
        .execute(),
    )
  }

  async function head() {
    const { revision_id: id } = await acrossTestOrganizations(database.read)
      .selectFrom('spaces')
      .select('revision_id')
      .where('id', '=', space)
      .executeTakeFirstOrThrow()
    const row = await acrossTestOrganizations(database.read)
      .selectFrom('revisions')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return {
      id,
      parents: JSON.parse(row.parents) as string[],
      snapshot: JSON.parse(row.snapshot) as Snapshot,
    }
  }
  const readByPath = (slug: string) => api.request(ann, 'GET', `/spaces/${space}/content/path/${slug}`)

  it('reports a job that was given up until later work supersedes it', async () => {
    const fail = async (type: 'index-space' | 'follow-links', key: string) => {
      const payload = { spaceId: key as SpaceId }
      await database.write(async (tx) => {
        await enqueue(tx, { organizationId, type, key, payload, at: 1 })
        const job = await claimJob(tx, { types: [type], now: 2, lease: 1_000 })
        await failJob(tx, job!, { error: 'Broken\nat one', retryAt: null })
      })
    }
    await fail('follow-links', space)
    const problem =
      'The job follow-links of 1970-01-01T00:00:00.001Z was given up: Broken. The next change of the same thing does it again.'
    expect(await runDoctor()).toEqual({ reported: [problem], problems: 1, repaired: 0 })
    // The command line has brought up the index, and the space of the other job is gone.
    await fail('index-space', space)
    await fail('index-space', 'gone')
    expect((await runDoctor()).reported).toEqual([problem])
    await database.write(async (tx) => {
      const payload = { spaceId: space }
      await enqueue(tx, { organizationId, type: 'follow-links', key: space, payload, at: 1 })
    })
    expect(await runDoctor()).toEqual(healthy)
  })

  it('finds no problem in intact data', async () => {
    expect(await runDoctor()).toEqual(healthy)
  })

  it('accepts the links of blocks that refer to specifications in every form', async () => {
    const markdown = [
      '# API',
      '{% openapi-operation spec="PETS" path="/pets" method="get" %}\n{% endopenapi-operation %}',
      '{% openapi src="https://specs.test/Pets.json" path="/pets" method="get" %}\n{% endopenapi %}',
    ].join('\n\n')
    const changes = [{ operation: 'insert_page', slug: 'api', document: { markdown } }]
    expect((await api.request(ann, 'POST', `/spaces/${space}/content`, { changes })).status).toBe(200)
    const { signal } = new AbortController()
    await indexSpace({ services: api.services, spaceId: space, signal, now: Date.now })
    await database.write((tx) => tx.deleteFrom('jobs').execute())
    expect(await runDoctor()).toEqual(healthy)
  })

  it('rebuilds the directory from the tables', async () => {
    await database.write((tx) => tx.deleteFrom('directory').where('id', '=', space).execute())
    expect((await runDoctor()).reported).toEqual([
      expect.stringContaining(`or not at all: ${space}. Say octavo doctor`),
    ])
    expect(await runDoctor({ isRepairing: true })).toMatchObject({ problems: 0, repaired: 1 })
    expect(await runDoctor()).toEqual(healthy)
  })

  it('reports the page and space of a damaged text, and repairs it from an intact copy', async () => {
    await flip(hashOf(Buffer.from(texts.one)), organizationId)
    const first = await runDoctor({ isRepairing: true })
    expect(first.reported).toEqual([
      expect.stringMatching(new RegExp(`space ${space} .*page "one" is damaged.*restore`)),
    ])
    const elsewhere = await api.organization(ann, 'Elsewhere')
    await create(elsewhere)
    expect((await runDoctor()).reported[0]).toContain('whole elsewhere')
    expect(await runDoctor({ isRepairing: true })).toMatchObject({ problems: 0, repaired: 1 })
    expect(await runDoctor()).toEqual(healthy)
    expect((await readByPath('one')).status).toBe(200)
  })

  it('rebuilds damaged maps that are derived from the pages', async () => {
    const { snapshot } = await head()
    await flip(snapshot.paths!, organizationId)
    await flip(snapshot.links!, organizationId)
    Object.assign(api.services, { objects: noObjectCache })
    expect((await readByPath('one')).status).toBe(503)
    expect((await runDoctor()).reported).toEqual([
      expect.stringContaining('its map of paths and links is damaged'),
    ])
    expect(await runDoctor({ isRepairing: true })).toMatchObject({ problems: 0, repaired: 1 })
    expect(await runDoctor()).toEqual(healthy)
    expect((await readByPath('one')).status).toBe(200)
  })

  it('commits a revision with correct maps where intact maps are wrong', async () => {
    const { id, snapshot } = await head()
    const wrong = JSON.stringify({ ...snapshot, paths: null })
    await database.write((tx) =>
      acrossTestOrganizations(tx)
        .updateTable('revisions')
        .set({ snapshot: wrong })
        .where('id', '=', id)
        .execute(),
    )
    api = await openTestClient(database)
    expect((await readByPath('one')).status).toBe(404)
    expect((await runDoctor()).reported).toEqual([
      expect.stringContaining('paths does not follow from its pages'),
    ])
    expect(await runDoctor({ isRepairing: true })).toMatchObject({ problems: 0, repaired: 1 })
    expect((await readByPath('one')).status).toBe(200)
    expect((await head()).id).not.toBe(id)
  })

  it('walks the whole history: reports a missing revision with what refers to it', async () => {
    const { id, parents } = await head()
    await database.write((tx) =>
      acrossTestOrganizations(tx)
        .deleteFrom('revisions')
        .where('id', '=', parents[0] as never)
        .execute(),
    )
    const { reported, problems } = await runDoctor()
    expect(reported).toEqual([
      expect.stringContaining(`${parents[0]} is missing, the parent of revision ${id}`),
    ])
    expect(problems).toBe(1)
  })

  it('checks the search index, and rebuilds it', async () => {
    const found = async () =>
      (await api.request(ann, 'GET', `/spaces/${space}/search?query=quagga&limit=0`)).body.count
    await database.write((tx) =>
      acrossTestOrganizations(tx).deleteFrom('search_sections').where('space_id', '=', space).execute(),
    )
    expect((await runDoctor()).reported.join(' ')).toMatch(
      /is wrong about 2 pages, among them "(one", "two|two", "one)"/,
    )
    expect((await runDoctor({ isRepairing: true })).problems).toBe(0)
    expect([await runDoctor(), await found()]).toEqual([healthy, 1])
    await database.write((tx) =>
      acrossTestOrganizations(tx).deleteFrom('search_spaces').where('space_id', '=', space).execute(),
    )
    expect((await runDoctor()).reported).toEqual([
      expect.stringContaining('is behind its content, and no job'),
    ])
    expect((await runDoctor({ isRepairing: true })).problems).toBe(0)
    expect(await runDoctor()).toEqual(healthy)
  })

  it('checks the indexed text of specifications, and finds an outdated version', async () => {
    const source = { text: '{"openapi":"3.1.0","info":{"title":"Own","version":"1"},"paths":{}}' }
    const put = await api.request(ann, 'PUT', `/orgs/${organizationId}/openapi/own`, { source })
    expect(put.status, put.text).toBeLessThan(300)
    const markdown = '{% openapi-schemas spec="own" schemas="Ferret" %}\n{% endopenapi-schemas %}\n'
    const changes = [{ operation: 'insert_page', slug: 'models', document: { markdown } }]
    expect((await api.request(ann, 'POST', `/spaces/${space}/content`, { changes })).status).toBe(200)
    await indexSpecifications(api)
    await database.write((tx) => tx.deleteFrom('jobs').execute())
    expect(await runDoctor()).toEqual(healthy)
    await database.write((tx) =>
      acrossTestOrganizations(tx)
        .updateTable('search_spaces')
        .set({ specifications: 'earlier' })
        .where('space_id', '=', space)
        .execute(),
    )
    expect((await runDoctor()).reported).toEqual([
      expect.stringContaining('is behind its content, and no job'),
    ])
    expect(await runDoctor({ isRepairing: true })).toMatchObject({ problems: 0, repaired: 1 })
    expect(await runDoctor()).toEqual(healthy)
  })

  it('reads uploaded files completely', async () => {
    const { hash, size } = await api.services.files.put(Buffer.from('bytes of a file'))
    await database.write((tx) =>
      tx.insertInto('blobs').values({ organization_id: organizationId, hash, size, created_at: 1 }).execute(),
    )
    expect(await runDoctor()).toEqual(healthy)
    const path = join(files, hash.slice(0, 2), hash.slice(2))
    const bytes = await readFile(path)
    bytes[3]! ^= 1
    await writeFile(path, bytes)
    expect((await runDoctor()).reported).toEqual([expect.stringContaining(`The file ${hash} is damaged`)])
  })
})
