/** Texts of pages with their blocks, over HTTP: hashes, spans, conditional requests, and the three places of content. */
import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type Person, type TestClient, openTestClient } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'

const markdown =
  '---\nicon: gear\n---\n\n# Guide 😀\n\nFirst *words*.\n\n- item\n\n  > quote[^1]\n\n[^1]: note\n'
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

describeSqlite('the text of a page', (engine) => {
  let api: TestClient
  let ann: Person
  let space: string
  let page: string
  let places: string[]

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    ann = await api.person('ann')
    const organization = await api.organization(ann)
    const made = await send('POST', `/orgs/${organization}/spaces`, { editMode: 'live', empty: true })
    space = `/spaces/${made.body.id}`
    const changes = [
      { operation: 'insert_page', document: { markdown } },
      { operation: 'insert_page', document: { markdown: '' }, title: 'Empty' },
    ]
    const written = await send('POST', `${space}/content?compat=false`, { changes })
    page = written.body.changes[0].page.id
    const { body } = await send('POST', `${space}/change-requests`, {})
    places = [
      `${space}/content`,
      `${space}/change-requests/${body.number}/content`,
      `${space}/revisions/${body.revision}`,
    ]
  })

  const send = (method: string, path: string, body?: object) => api.request(ann, method, path, body)
  const sourceOf = ({ span }: any) => markdown.slice(span.start, span.end)

  test('has its hash and its blocks with their spans in every place', async () => {
    for (const place of places) {
      const { status, body, headers } = await send('GET', `${place}/page/${page}/text`)
      expect([status, body.text, body.hash, headers['etag']]).toEqual([
        200,
        markdown,
        hashOf(markdown),
        `W/"${hashOf(markdown)}"`,
      ])
      expect(markdown.slice(body.frontMatter.start, body.frontMatter.end)).toBe('---\nicon: gear\n---\n')
      expect([body.title.text, sourceOf(body.title)]).toEqual(['Guide 😀', 'Guide 😀'])
      expect(body.blocks.map((block: any) => [block.type, sourceOf(block)])).toEqual([
        ['paragraph', 'First *words*.'],
        ['list', '- item\n\n  > quote[^1]'],
      ])
      expect(body.blocks[1].blocks[0].blocks.map(sourceOf)).toEqual(['item', '> quote[^1]'])
      expect(body.footnotes[0]).toMatchObject({ identifier: '1', blocks: [{ type: 'paragraph' }] })
    }
  })

  test('is not sent again to whoever has it', async () => {
    for (const place of places) {
      const answer = await api.server.inject({
        url: `/v1${place}/page/${page}/text`,
        headers: { authorization: `Bearer ${ann.token}`, 'if-none-match': `"${hashOf(markdown)}"` },
      })
      expect([answer.statusCode, answer.body]).toEqual([304, ''])
    }
  })

  test('of an empty page has a hash as well, and other pages have none', async () => {
    const { body } = await send('GET', `${places[0]}/path/empty`)
    const empty = await send('GET', `${places[0]}/page/${body.id}/text`)
    expect(empty.body).toMatchObject({ text: '', hash: hashOf(''), blocks: [] })
    expect((await send('GET', `${places[0]}/page/unknown/text`)).status).toBe(404)
  })

  test('the document has the same spans when they are asked for', async () => {
    const spansOf = (node: any): string[] => [
      ...(node.span ? [sourceOf(node)] : []),
      ...(node.nodes ?? []).flatMap(spansOf),
    ]
    for (const place of places) {
      const path = `${place}/page/${page}/document`
      expect(spansOf((await send('GET', path)).body)).toEqual([])
      const { body } = await send('GET', `${path}?spans=true`)
      expect(spansOf(body)).toEqual(
        expect.arrayContaining(['First *words*.', '- item\n\n  > quote[^1]', 'item']),
      )
    }
    expect((await send('GET', `${places[0]}/page/${page}/document?spans=some`)).status).toBe(400)
  })
})
