/** Directory of ids: its rows, and the cached entries of a process while another process transfers resources. */
import { beforeEach, expect, it } from 'vitest'
import { readOrganizationOf } from '../src/store/cache/directory.js'
import type { OrganizationId } from '../src/core/ids.js'
import type { Database } from '../src/store/db/database.js'
import { listViolations } from '../src/store/db/invariants.js'
import { type TestClient, type Person, openTestClient } from './test-client.js'
import { describeEngines } from './engines.js'

describeEngines('the directory', (engine) => {
  let database: Database
  let api: TestClient
  let ann: Person
  let organization: OrganizationId
  let otherOrganization: OrganizationId

  beforeEach(async () => {
    database = await engine.open()
    api = await openTestClient(database)
    ann = await api.person('ann')
    organization = await api.organization(ann)
    otherOrganization = await api.organization(ann, 'Elsewhere')
  })

  const make = async (method: string, path: string, body?: unknown) => {
    const answer = await api.request(ann, method, path, body)
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body?.id as string
  }
  const readCached = async (other: TestClient, id: string) =>
    readOrganizationOf(other.services.caches, await other.services.caches.readContext({}), id)
  const entries = () => database.read.selectFrom('directory').selectAll().orderBy('kind').execute()

  it('follows resources that are created, transferred and removed', async () => {
    const collection = await make('POST', `/orgs/${organization}/collections`)
    const space = await make('POST', `/orgs/${organization}/spaces`, { parent: collection })
    const site = await make('POST', `/orgs/${organization}/sites`, { spaces: [] })
    const provider = await make('POST', `/orgs/${organization}/saml`, { label: 'Provider' })
    expect(await entries()).toEqual([
      { id: collection, kind: 'collection', organization_id: organization },
      { id: provider, kind: 'saml-provider', organization_id: organization },
      { id: site, kind: 'site', organization_id: organization },
      { id: space, kind: 'space', organization_id: organization },
    ])

    await make('POST', `/collections/${collection}/transfer`, { organization: otherOrganization })
    await make('DELETE', `/orgs/${organization}/saml/${provider}`)
    expect(await entries()).toEqual([
      { id: collection, kind: 'collection', organization_id: otherOrganization },
      { id: site, kind: 'site', organization_id: organization },
      { id: space, kind: 'space', organization_id: otherOrganization },
    ])

    await make('POST', `/spaces/${space}/transfer`, { organization })
    await make('DELETE', `/collections/${collection}`)
    expect(await entries()).toEqual([
      { id: site, kind: 'site', organization_id: organization },
      { id: space, kind: 'space', organization_id: organization },
    ])
    expect(await listViolations(database.read)).toEqual([])
  })

  it('stays cached while anything else is committed, and is read again after another process transferred something', async () => {
    const space = await make('POST', `/orgs/${organization}/spaces`)
    const other = await openTestClient(await engine.openAgain())
    expect(await readCached(other, space)).toBe(organization)
    await make('PATCH', `/spaces/${space}`, { title: 'Another title' })
    await make('POST', `/orgs/${organization}/spaces`)
    const readContext = await other.services.caches.readContext({})
    expect(await readOrganizationOf(other.services.caches, readContext, space)).toBe(organization)
    expect(readContext.reads).toBe(0)

    await make('POST', `/spaces/${space}/transfer`, { organization: otherOrganization })
    expect(await readCached(other, space)).toBe(otherOrganization)
  })

  it('is reported and rebuilt when it disagrees with the tables', async () => {
    const space = await make('POST', `/orgs/${organization}/spaces`)
    const site = await make('POST', `/orgs/${organization}/sites`, { spaces: [] })
    await database.write(async (tx) => {
      await tx
        .updateTable('directory')
        .set({ organization_id: otherOrganization })
        .where('id', '=', space)
        .execute()
      await tx.updateTable('directory').set({ id: 'gone' }).where('id', '=', site).execute()
    })
    const broken = await listViolations(database.read)
    expect(broken.map(({ problem, ids }) => [problem, ids])).toEqual([
      [expect.stringContaining('under another organization'), expect.arrayContaining([space, site])],
      [expect.stringContaining('names what is gone'), ['gone']],
    ])
    await database.write(broken[0]!.repair!)
    expect(await listViolations(database.read)).toEqual([])
  })
})
