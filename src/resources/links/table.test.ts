/** The link table derived from revision to revision equals one computed from scratch. */
import { beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import type { OrganizationId, RevisionId, SpaceId } from '../../core/ids.js'
import { createCaches } from '../../store/cache/caches.js'
import { noObjectCache } from '../../store/content/objects.js'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { getContent } from '../content/content.js'
import { getLinkTable } from './table.js'

describeEngines('the table of links', (engine) => {
  let api: TestClient
  let organization: OrganizationId
  let ann: Person

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    ann = await api.person('ann')
    organization = await api.organization(ann)
  })

  async function make(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await api.request(ann, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }

  /** The table computed from all texts of the content, with empty caches and, if requested, without stored links. */
  async function recount(space: string, revision: RevisionId, isForgotten: boolean) {
    const { database } = api.services
    if (isForgotten)
      await database.write((tx) =>
        sql`delete from text_links where organization_id = ${organization}`.execute(tx),
      )
    const services = { ...api.services, objects: noObjectCache, caches: createCaches(database, 1 << 20) }
    const place = { db: database.read, services, organizationId: organization, spaceId: space as SpaceId }
    return getLinkTable(await getContent(place, revision), services)
  }

  test.each(engine.engine === 'postgres' ? [1] : [1, 2, 3, 4])(
    'after edits of every kind, drawn with seed %i',
    async (seed) => {
      let state = seed * 7919
      const draw = (below: number) => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
        return Math.floor((state / 2_147_483_648) * below)
      }
      const pick = <Item>(items: readonly Item[]): Item => items[draw(items.length)]!
      const body = { editMode: 'live', empty: true }
      const { id: space } = await make('POST', `/orgs/${organization}/spaces`, body)
      const words = ['alpha', 'beta', 'gamma', 'delta']
      let pages: string[] = []
      const files: string[] = []
      const link = () => {
        const word = pick(words)
        return pick([
          `[a](${word}.md)`,
          `[a](${word}.md#${pick(words)})`,
          `[a](${word}.md#${pick(words)})`,
          `[a](../${word}.md#${pick(words)})`,
          `[a](${pick(words)}/${word})`,
          `[a](/pages/${word.toUpperCase()})`,
          `[a](/pages/${pages.length > 0 ? pick(pages) : word}#${pick(words)})`,
          `[a](#${word})`,
          files.length > 0 ? `![a](/files/${pick(files)})` : `![a](${word}.png)`,
          `[a](http://octavo.test/s/${space}/${word})`,
          `{% file src="${word}.md" %}`,
        ])
      }
      const text = () => {
        const parts = Array.from({ length: 1 + draw(4) }, () =>
          draw(3) === 0 ? `## ${pick(words)}` : link(),
        )
        return `# ${pick(words)}\n\n${parts.join('\n\n')}\n`
      }
      const change = (): object => {
        const kind = pages.length < 5 ? 0 : draw(10)
        const page = pages.length === 0 ? '' : pick(pages)
        if (kind === 0) return { operation: 'insert_page', document: { markdown: text() } }
        if (kind <= 4 || kind > 7) return { operation: 'update_page', page, document: { markdown: text() } }
        if (kind === 5) return { operation: 'update_page', page, slug: `${pick(words)}${draw(3) || ''}` }
        if (kind === 6) return { operation: 'update_page', page, into: pick([null, ...pages]) }
        return { operation: 'delete_page', page }
      }
      const listPages = async () => {
        const found: string[] = []
        const walk = (nodes: readonly any[]): void => {
          for (const { id, pages: below = [] } of nodes) {
            found.push(id)
            walk(below)
          }
        }
        walk((await make('GET', `/spaces/${space}/content/pages`)).pages)
        return found
      }

      for (const slug of words)
        await make('POST', `/spaces/${space}/content`, {
          changes: [{ operation: 'insert_page', slug, document: { markdown: text() } }],
        })
      pages = await listPages()
      let refused = 0
      for (let turn = 0; turn < 24; turn += 1) {
        if (draw(8) === 0) {
          const upload = { name: `${pick(words)}.png`, base64: Buffer.from(`${turn}`).toString('base64') }
          const changes = [{ operation: 'insert_files', files: [upload] }]
          files.push(
            (await make('POST', `/spaces/${space}/content?compat=false`, { changes })).insertedFiles[0].id,
          )
        }
        const answer = await api.request(ann, 'POST', `/spaces/${space}/content`, { changes: [change()] })
        // A page cannot go into itself, and some names are taken.
        if (answer.status >= 300) refused += 1
        expect(answer.status, answer.text).toBeLessThan(500)
        pages = await listPages()
        const { stats, count } = await make('GET', `/spaces/${space}/links?limit=0`)
        const { revision } = await make('GET', `/spaces/${space}`)
        const place = { db: api.services.database.read, services: api.services }
        const where = { ...place, organizationId: organization, spaceId: space as SpaceId }
        const carried = await getLinkTable(await getContent(where, revision), api.services)
        const whole = await recount(space, revision, turn % 4 === 0)
        expect(carried).toEqual(whole)

        if (turn % 5 > 0) continue
        // Counted page by page, which does not use tables.
        let [total, broken] = [0, 0]
        for (const page of pages) {
          const ofPage = await make('GET', `/spaces/${space}/content/page/${page}/links?limit=0`)
          total += ofPage.stats.total
          broken += ofPage.stats.broken.total
        }
        expect({ stats, count }).toEqual({ stats: { total, broken: { total: broken } }, count: total })
      }
      expect(refused).toBeLessThan(18)
    },
  )
})
