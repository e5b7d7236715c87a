/** Check of an unsaved text over HTTP: its problems at their lines, and none for what the content has. */
import { beforeAll, expect, test } from 'vitest'
import { type Person, type TestClient, openTestClient } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'

describeSqlite('the check of a text', (engine) => {
  let api: TestClient
  let ann: Person
  let change: string
  let page: string

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    ann = await api.person('ann')
    const organization = await api.organization(ann)
    const { body: space } = await api.request(ann, 'POST', `/orgs/${organization}/spaces`, { empty: true })
    const { body } = await api.request(ann, 'POST', `/spaces/${space.id}/change-requests`)
    change = `/spaces/${space.id}/change-requests/${body.number}`
    const { body: inserted } = await api.request(ann, 'POST', `${change}/content?compat=false`, {
      changes: [
        { operation: 'insert_page', title: 'Start', document: { markdown: '# Start\n\n## Stored\n' } },
        { operation: 'insert_page', title: 'Other', document: { markdown: '# Other\n\n## Part\n' } },
        {
          operation: 'insert_reusable_content',
          title: 'Shared',
          document: { markdown: '## In shared\n' },
        },
      ],
    })
    page = inserted.changes[0].page.id
  })

  async function check(markdown: string): Promise<string[]> {
    const { status, body } = await api.request(ann, 'POST', `${change}/content/check`, { page, markdown })
    expect(status).toBe(200)
    return body.problems.map(
      ({ kind, line, message }: { kind: string; line: number; message: string }) =>
        `${line} ${kind}: ${message}`,
    )
  }

  test('says what is broken, by line', async () => {
    const markdown = [
      '---',
      'title: [',
      '---',
      '# Start',
      '',
      '[a](other.md#part) [b](missing.md) [c](other.md#none)',
      '',
      '![d](missing.png)',
      '',
      '{% if visitor.claims.plan == "pro" %}',
      'e',
      '{% endif %}',
    ].join('\n')
    expect((await check(markdown)).map((one) => one.replace(/: .*/, ''))).toEqual([
      expect.stringMatching(/^[123] text$/),
      '6 link',
      '6 anchor',
      '8 image',
      '10 condition',
    ])
  })

  test('knows the parts of the unsaved text, not of the stored one', async () => {
    const markdown = '# Start\n\n## Typed\n\n[a](#typed)\n\n[b](#stored)\n'
    expect(await check(markdown)).toEqual(['7 anchor: #stored leads to no part of this page.'])
  })

  test('knows the parts of the reusable contents that the text includes', async () => {
    const { body } = await api.request(ann, 'GET', `${change}/content`)
    const { path } = body.reusableContents[0]
    expect(await check(`[a](#in-shared)\n\n{% include "${path}" %}\n`)).toEqual([])
    expect(await check('[a](#in-shared)\n')).toEqual(['1 anchor: #in-shared leads to no part of this page.'])
  })

  test('answers the list for a text with many problems, and 404 for a page that is none', async () => {
    expect(await check('[a](missing.md)\n\n'.repeat(1500))).toHaveLength(1000)
    const { status } = await api.request(ann, 'POST', `${change}/content/check`, {
      page: 'none',
      markdown: '',
    })
    expect(status).toBe(404)
  })
})
