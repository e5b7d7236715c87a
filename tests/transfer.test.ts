/** Transfer of a space: what moves with it, checked for every table of the database that names a space. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { OrganizationId, SpaceId } from '../src/core/ids.js'
import { followLinksJob } from '../src/resources/content/content-jobs.js'
import { followLinksHandler } from '../src/resources/links/follow-links.js'
import { indexSpace } from '../src/resources/search/index-space.js'
import type { Database } from '../src/store/db/database.js'
import { listViolations } from '../src/store/db/invariants.js'
import { drainJobs } from '../src/store/jobs/testing.js'
import { readCatalog } from './catalog.js'
import { type TestClient, type Person, openTestClient } from './test-client.js'
import { describeEngines } from './engines.js'
import { acrossTestOrganizations } from './test-rows.js'
import { type WebServer, serveWeb } from './web-server.js'

/** The content list of a site is not transferred. */
const holdsBack = 'site_spaces'
/** Depends on the fields of the organization: `custom-fields.test.ts` covers what moves. */
const ofFields = 'custom_field_values'
/** Feedback and views of readers belong to the site. */
const ofSites = ['page_feedback', 'page_views', 'site_events']
/** Requested reviewers and inboxes belong to members of the former organization: covered by their own tests. */
const ofPeople = ['requested_reviewers', 'inbox_entries']
/** Computed again on request. */
const made = 'pdfs'
/** Follows a source and settings of its organization, so it follows nothing elsewhere. */
const following = ['space_translations', 'translation_memory', 'translation_pages'] as const
const staying = new Set<string>([ofFields, ...ofPeople, made, ...following, ...ofSites])

describeEngines('a transfer', (engine) => {
  let database: Database
  let api: TestClient
  let ann: Person
  let organization: OrganizationId
  let otherOrganization: OrganizationId
  let web: WebServer

  // A first page whose links all fail: the site has gone away.
  const links = Array.from({ length: 30 }, (_, at) => `<a href="/${at}.html">on</a>`).join('')
  beforeAll(async () => {
    web = await serveWeb((request, response) => {
      if (request.url === '/robots.txt' || request.url === '/sitemap.xml') response.writeHead(404).end()
      else if (request.url === '/') response.setHeader('content-type', 'text/html').end(`<h1>A</h1>${links}`)
      else response.destroy()
    })
  })
  afterAll(() => web.close())

  beforeEach(async () => {
    database = await engine.open()
    api = await openTestClient(database, undefined, { remote: web.remote })
    ann = await api.person('ann')
    organization = await api.organization(ann)
    otherOrganization = await api.organization(ann, 'There')
  })

  const make = async (path: string, body?: unknown) => {
    const answer = await api.request(ann, 'POST', path, body)
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body
  }

  /** Returns the rows of the space in each table, without the organization and the times of changes. */
  async function rowsOf(space: SpaceId, organization: OrganizationId): Promise<Record<string, unknown[]>> {
    const rows: Record<string, unknown[]> = {}
    for (const [table, { columns }] of await readCatalog(database.read)) {
      if (staying.has(table)) continue
      const has = (name: string) => columns.some((column) => column.name === name)
      const isOf = has('space_id')
        ? sql`space_id = ${space}`
        : has('change_request_id') &&
          sql`change_request_id in (select id from change_requests where space_id = ${space})`
      if (!isOf) continue
      const found = await sql<Record<string, unknown>>`select * from ${sql.table(table)}
        where organization_id = ${organization} and ${isOf}`.execute(acrossTestOrganizations(database.read))
      rows[table] = found.rows.map((row) => ({
        ...row,
        organization_id: null,
        // The row number, which an engine may reassign, and the search vector of PostgreSQL.
        ...(table === 'search_sections' && { id: 0, words: null }),
      }))
    }
    return rows
  }

  it('takes along all that belongs to a space, and leaves nothing of it behind', async () => {
    const { id } = await make(`/orgs/${organization}/spaces`, { title: 'Guide', editMode: 'live' })
    const stays = await make(`/orgs/${organization}/spaces`, { title: 'Other', editMode: 'live' })
    const named = `http://octavo.test/s/${stays.id}/start`
    const change = {
      operation: 'insert_page',
      document: {
        markdown: `# Moon\n\nTides of a quasar, [and more](${named}).\n\n{% if visitor.claims.plan %}\nTides.\n{% endif %}\n`,
      },
    }
    const signal = AbortSignal.any([])
    const handlers = { [followLinksJob]: followLinksHandler(api.services) }
    const report = (error: unknown) => {
      throw error
    }
    /** Has done what follows from the content of a space. */
    const index = async (spaceId: SpaceId) => {
      await indexSpace({ services: api.services, spaceId, signal, now: Date.now })
      await drainJobs({ database, handlers, now: Date.now, random: () => 0, report, signal })
    }
    for (const space of [id, stays.id]) {
      await make(`/spaces/${space}/content`, { changes: [change] })
      const request = await make(`/spaces/${space}/change-requests`)
      await make(`/spaces/${space}/change-requests/${request.id}/content`, { changes: [change] })
      const commentBody = { body: { markdown: 'Why?' } }
      for (const place of [`/spaces/${space}`, `/spaces/${space}/change-requests/${request.id}`]) {
        const comment = await make(`${place}/comments`, commentBody)
        await make(`${place}/comments/${comment.id}/replies`, commentBody)
        const reaction = { addedReactions: ['1f44d'] }
        await api.request(ann, 'PUT', `${place}/comments/${comment.id}`, reaction)
      }
      await make(`/spaces/${space}/change-requests/${request.id}/reviews`, { status: 'approved' })
      const { pages } = (await api.request(ann, 'GET', `/spaces/${space}/content/pages`)).body
      const text = `/spaces/${space}/content/page/${pages.at(-1).id}/text`
      const { hash } = (await api.request(ann, 'GET', text)).body
      const splices = [{ start: 0, end: 0, text: '\n' }]
      const edit = { base: hash, splices, client: 'editor', seq: 1 }
      expect((await api.request(ann, 'PATCH', text, edit)).status).toBe(200)
      // Previously fetched content is cached for the next time.
      const body = { url: web.url, source: 'website' }
      expect((await api.request(ann, 'POST', `/spaces/${space}/content/import`, body)).status).toBe(400)
      await index(space)
    }
    const [before, beside] = [await rowsOf(id, organization), await rowsOf(stays.id, organization)]
    for (const [table, rows] of Object.entries(before)) {
      if (table !== holdsBack) expect(rows.length, table).toBeGreaterThan(0)
    }

    await make(`/spaces/${id}/transfer`, { organization: otherOrganization })
    for (const [table, rows] of Object.entries(await rowsOf(id, organization)))
      expect(rows, table).toEqual([])
    // The search index is rebuilt in the new organization.
    await index(id)
    expect(await rowsOf(id, otherOrganization)).toEqual(before)
    expect(await rowsOf(stays.id, organization)).toEqual(beside)
    const found = (await api.request(ann, 'GET', `/orgs/${otherOrganization}/search?query=quasar`)).body
    expect(found.items.map((item: { id: string }) => item.id)).toEqual([id])
    expect(await listViolations(database.read)).toEqual([])
  })

  it('ends what follows another space', async () => {
    const settings = await make(`/orgs/${organization}/translations`, {
      title: 'Handbook',
      languages: ['de'],
    })
    const { id: source } = await make(`/orgs/${organization}/spaces`, { title: 'Guide', editMode: 'live' })
    const { space } = await make(`/orgs/${organization}/translations/${settings.id}/spaces`, {
      source,
      language: 'de',
    })
    await make(`/spaces/${space}/transfer`, { organization: otherOrganization })
    expect((await api.request(ann, 'GET', `/spaces/${space}/translation`)).status).toBe(404)
    for (const table of following) {
      const rows = acrossTestOrganizations(database.read).selectFrom(table).select('space_id')
      expect(await rows.execute(), table).toEqual([])
    }
    expect(await listViolations(database.read)).toEqual([])
  })

  it('takes along collections in one another, whose inner ones stay inside', async () => {
    const [outer, inner] = [
      await make(`/orgs/${organization}/collections`),
      await make(`/orgs/${organization}/collections`),
    ]
    const around = await make(`/orgs/${organization}/collections`)
    await make(`/collections/${inner.id}/move`, { parent: outer.id })
    await make(`/collections/${outer.id}/move`, { parent: around.id })
    const { id } = await make(`/orgs/${organization}/spaces`, { parent: inner.id })
    await make(`/collections/${outer.id}/transfer`, { organization: otherOrganization })
    const rows = await acrossTestOrganizations(database.read)
      .selectFrom('collections')
      .select(['id', 'organization_id', 'parent_id'])
      .execute()
    expect(new Set(rows)).toEqual(
      new Set([
        { id: around.id, organization_id: organization, parent_id: null },
        { id: outer.id, organization_id: otherOrganization, parent_id: null },
        { id: inner.id, organization_id: otherOrganization, parent_id: outer.id },
      ]),
    )
    expect((await api.request(ann, 'GET', `/spaces/${id}`)).body).toMatchObject({
      organization: otherOrganization,
      parent: inner.id,
    })
    expect(await listViolations(database.read)).toEqual([])
  })
})
