/** Whoever puts a text keeps what it says of links, by whichever door it comes, and it goes where the text goes. */
import { strToU8, zipSync } from 'fflate'
import { beforeAll, expect, test } from 'vitest'
import type { Hash, OrganizationId } from '../../core/ids.js'
import { parsePage } from '../../core/markdown/parse.js'
import { linksOfParsed } from '../../core/markdown/text-links.js'
import { encodeText, hashOf } from '../../store/content/encoding.js'
import { findTextLinks } from '../../store/content/text-links.js'
import { type Door, type Person, openDoor } from '../../../tests/door.js'
import { describeEngines } from '../../../tests/engines.js'

describeEngines('what texts say of links', (engine) => {
  let door: Door
  let [here, there] = ['' as OrganizationId, '' as OrganizationId]
  let ann: Person

  beforeAll(async () => {
    door = await openDoor(await engine.open())
    ann = await door.person('ann')
    here = await door.organization(ann)
    there = await door.organization(ann)
  })

  async function make(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await door.ask(ann, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  /** Every page of the content has what its text says, as reading the text says it. */
  async function expectKept(content: string, organization = here): Promise<Hash[]> {
    const { pages } = await make('GET', `${content}/pages`)
    const kept: Hash[] = []
    for (const { id } of pages) {
      const { markdown } = await make('GET', `${content}/page/${id}?format=markdown`)
      const hash = hashOf(encodeText(markdown))
      const found = await findTextLinks(door.services.database.read, organization, [hash])
      expect(found.get(hash)).toEqual(linksOfParsed(markdown, parsePage(markdown)))
      kept.push(hash)
    }
    expect(kept.length).toBeGreaterThan(0)
    return kept
  }

  test('is kept by edits, imports and merges, goes along with a space, and goes with its text', async () => {
    const body = { editMode: 'live', empty: true }
    const { id } = await make('POST', `/orgs/${here}/spaces`, body)
    const space = `/spaces/${id}`
    const write = (place: string, change: object) => make('POST', `${place}/content`, { changes: [change] })
    await write(space, {
      operation: 'insert_page',
      document: { markdown: '# One\n\n[a](b.md)\n\nMiddle.\n\n[c](d.md#e)\n' },
    })
    await expectKept(`${space}/content`)

    const [page] = (await make('GET', `${space}/content/pages`)).pages
    const { number } = await make('POST', `${space}/change-requests`)
    const request = `${space}/change-requests/${number}`
    const edit = (first: string, last: string) => {
      const markdown = `# One\n\n[${first}](b.md)\n\nMiddle.\n\n[${last}](d.md#e)\n`
      return { operation: 'update_page', page: page.id, document: { markdown } }
    }
    await write(request, edit('theirs', 'c'))
    await expectKept(`${request}/content`)
    await write(space, edit('a', 'ours'))
    await make('POST', `${request}/merge`)
    const [merged] = await expectKept(`${space}/content`)

    const archive = zipSync({
      'SUMMARY.md': strToU8('* [Two](two.md)\n* [Three](three.md)\n'),
      'two.md': strToU8('# Two\n\n## Part\n\n[three](three.md#x)\n'),
      'three.md': strToU8('# Three\n'),
    })
    const answer = await door.server.inject({
      method: 'POST',
      url: `/v1${space}/content/archive`,
      headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/zip' },
      payload: Buffer.from(archive),
    })
    expect(answer.statusCode, answer.body).toBeLessThan(300)
    const kept = await expectKept(`${space}/content`)
    expect(kept).toHaveLength(2)

    await make('POST', `${space}/transfer`, { organization: there })
    expect(await expectKept(`${space}/content`, there)).toEqual(kept)
    const { database } = door.services
    expect((await findTextLinks(database.read, there, [merged!])).size).toBe(1)
    await database.write((tx) =>
      tx.deleteFrom('objects').where('organization_id', '=', there).where('hash', '=', merged!).execute(),
    )
    expect((await findTextLinks(database.read, there, [merged!])).size).toBe(0)
  })
})
