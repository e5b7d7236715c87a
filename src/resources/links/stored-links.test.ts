/** The links of a text are stored with it by every way of writing, and copied and deleted with the text. */
import { drainJobs } from '../../store/jobs/testing.js'
import { followLinksJob } from '../content/content-jobs.js'
import { followLinksHandler } from './follow-links.js'
import { strToU8, zipSync } from 'fflate'
import { beforeAll, expect, test } from 'vitest'
import type { Hash, OrganizationId } from '../../core/ids.js'
import { parsePage } from '../../core/markdown/parse.js'
import { linksOfParsed } from '../../core/markdown/text-links.js'
import { encodeText, hashOf } from '../../store/content/encoding.js'
import { findTextLinks } from '../../store/content/text-links.js'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'

describeEngines('the stored links of texts', (engine) => {
  let api: TestClient
  let [source, target] = ['' as OrganizationId, '' as OrganizationId]
  let ann: Person

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    ann = await api.person('ann')
    source = await api.organization(ann)
    target = await api.organization(ann)
  })

  async function make(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await api.request(ann, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  /** Expects the stored links of every page to equal those parsed from its text. */
  async function expectStoredLinks(content: string, organization = source): Promise<Hash[]> {
    const { pages } = await make('GET', `${content}/pages`)
    const hashes: Hash[] = []
    for (const { id } of pages) {
      const { markdown } = await make('GET', `${content}/page/${id}?format=markdown`)
      const hash = hashOf(encodeText(markdown))
      const found = await findTextLinks(api.services.database.read, organization, [hash])
      expect(found.get(hash)).toEqual(linksOfParsed(markdown, parsePage(markdown)))
      hashes.push(hash)
    }
    expect(hashes.length).toBeGreaterThan(0)
    return hashes
  }

  test('are written for the saves of a change request when it is merged', async () => {
    const { id } = await make('POST', `/orgs/${source}/spaces`, { empty: true })
    const { number } = await make('POST', `/spaces/${id}/change-requests`)
    const request = `/spaces/${id}/change-requests/${number}`
    const document = { markdown: '# Saved\n\n[a](b.md) and [c](d.md#e).\n' }
    await make('POST', `${request}/content`, { changes: [{ operation: 'insert_page', document }] })
    const saved = hashOf(encodeText(document.markdown))
    expect((await findTextLinks(api.services.database.read, source, [saved])).size).toBe(0)
    await make('POST', `${request}/merge`)
    await drainJobs({
      database: api.services.database,
      handlers: { [followLinksJob]: followLinksHandler(api.services) },
      now: api.now,
      random: Math.random,
      report: (error) => {
        throw error
      },
      signal: new AbortController().signal,
    })
    expect(await expectStoredLinks(`/spaces/${id}/content`)).toEqual([saved])
  })

  test('are written by edits, imports and merges, transferred with a space, and deleted with their text', async () => {
    const body = { editMode: 'live', empty: true }
    const { id } = await make('POST', `/orgs/${source}/spaces`, body)
    const space = `/spaces/${id}`
    const write = (place: string, change: object) => make('POST', `${place}/content`, { changes: [change] })
    await write(space, {
      operation: 'insert_page',
      document: { markdown: '# One\n\n[a](b.md)\n\nMiddle.\n\n[c](d.md#e)\n' },
    })
    await expectStoredLinks(`${space}/content`)

    const [page] = (await make('GET', `${space}/content/pages`)).pages
    const { number } = await make('POST', `${space}/change-requests`)
    const request = `${space}/change-requests/${number}`
    const edit = (first: string, last: string) => {
      const markdown = `# One\n\n[${first}](b.md)\n\nMiddle.\n\n[${last}](d.md#e)\n`
      return { operation: 'update_page', page: page.id, document: { markdown } }
    }
    await write(request, edit('theirs', 'c'))
    await write(space, edit('a', 'ours'))
    await make('POST', `${request}/merge`)
    const [merged] = await expectStoredLinks(`${space}/content`)

    const archive = zipSync({
      'SUMMARY.md': strToU8('* [Two](two.md)\n* [Three](three.md)\n'),
      'two.md': strToU8('# Two\n\n## Part\n\n[three](three.md#x)\n'),
      'three.md': strToU8('# Three\n'),
    })
    const answer = await api.server.inject({
      method: 'POST',
      url: `/v1${space}/content/archive?mode=replace`,
      headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/zip' },
      payload: Buffer.from(archive),
    })
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    const hashes = await expectStoredLinks(`${space}/content`)
    expect(hashes).toHaveLength(2)

    await make('POST', `${space}/transfer`, { organization: target })
    expect(await expectStoredLinks(`${space}/content`, target)).toEqual(hashes)
    const { database } = api.services
    expect((await findTextLinks(database.read, target, [merged!])).size).toBe(1)
    await database.write((tx) =>
      tx.deleteFrom('objects').where('organization_id', '=', target).where('hash', '=', merged!).execute(),
    )
    expect((await findTextLinks(database.read, target, [merged!])).size).toBe(0)
  })
})
