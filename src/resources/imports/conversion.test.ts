/** Conversion of clipboard content through the API: its Markdown with blocks, bounded, and for those who may edit. */
import { beforeAll, expect, test } from 'vitest'
import { describeSqlite } from '../../../tests/engines.js'
import { type Person, type TestClient, openTestClient } from '../../../tests/test-client.js'

describeSqlite('conversion of HTML', (engine) => {
  let api: TestClient
  let ann: Person
  let organization: Awaited<ReturnType<TestClient['organization']>>
  let paths: string[]

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    ann = await api.person('ann')
    organization = await api.organization(ann)
    const { id } = (await api.request(ann, 'POST', `/orgs/${organization}/spaces`, {})).body
    const { number } = (await api.request(ann, 'POST', `/spaces/${id}/change-requests`, {})).body
    paths = [`/spaces/${id}`, `/spaces/${id}/change-requests/${number}`]
  })

  const convert = (body: object, person: Person | null = ann, at = paths[1]!) =>
    api.request(person, 'POST', `${at}/content/convert`, body)

  test('returns Markdown, its blocks with their source, and what is left out', async () => {
    const html =
      '<meta charset="utf-8"><h2>Part</h2><ul><li>One</li></ul><img src="file:///tmp/a.png"><form>x</form><svg></svg>'
    for (const at of paths) {
      const { status, body } = await convert({ html }, ann, at)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        markdown: '## Part\n\n- One\n',
        droppedImages: [{ scheme: 'file', name: 'a.png' }],
        footnotes: [],
      })
      const sources = body.blocks.map(({ type, span }: any) => [
        type,
        body.markdown.slice(span.start, span.end),
      ])
      expect(sources).toEqual([
        ['heading', '## Part'],
        ['list', '- One'],
      ])
    }
  })

  test('returns the blocks of Markdown, whose title is a heading', async () => {
    for (const [markdown, expected] of [
      ['# A *b*\n\nc\n', '## A b\n\nc\n'],
      ['A\n===\n\n- b\n', '## A\n\n- b\n'],
      ['a\n', 'a\n'],
    ] as const) {
      const { body } = await convert({ markdown })
      expect(body.markdown).toBe(expected)
      const sources = body.blocks.map(({ span }: any) => expected.slice(span.start, span.end))
      expect(sources.join('\n\n')).toBe(expected.trimEnd())
    }
  })

  test('is refused with what is wrong', async () => {
    const [stranger, reader, editor] = [
      await api.person('stranger'),
      await api.person('reader'),
      await api.person('editor'),
    ]
    await api.join(organization, reader, 'comment')
    await api.join(organization, editor, 'edit')
    for (const [body, status, words] of [
      [{}, 400, '"html" and "markdown"'],
      [{ html: 'a', markdown: 'a' }, 400, 'not both'],
      [{ html: 7 }, 400, '"body.html" must be string'],
      [{ html: 'x'.repeat(10_000_001) }, 413, '10 MB'],
    ] as const) {
      const answer = await convert(body)
      expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringContaining(words)])
    }
    const html = '<p>a</p>'
    expect((await convert({ html }, null)).status).toBe(401)
    expect((await convert({ html }, stranger)).status).toBe(404)
    expect((await convert({ html }, reader)).status).toBe(403)
    expect((await convert({ html }, editor)).status).toBe(200)
  })

  test('keeps the words of HTML that is too deep', async () => {
    const { body } = await convert({ html: `${'<div>'.repeat(2_000)}words` })
    expect(body.markdown).toBe('words\n')
    expect(body.lost).toEqual([expect.stringContaining('too large or too deep')])
  })
})
