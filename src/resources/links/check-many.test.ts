/** Checking the links of many texts gives the same result as checking each text alone. */
import { beforeAll, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import { indexSpecifications } from '../../../tests/background-work.js'
import type { Person } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'

/** More than are checked by loading the linked resources only. */
const count = 230

const specification = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Zoo', version: '1', description: '## Opening hours\n\nAlways.' },
  paths: { '/birds': { get: { operationId: 'listBirds', tags: ['birds'], responses: {} } } },
})
const summary = `# Table of contents

* [Start](start.md)
* [Shows](shows.md)
${Array.from({ length: count }, (_, at) => `* [Page ${at}](pages/${at}.md)`).join('\n')}
* \`\`\`yaml
  type: builtin:openapi
  title: Zoo API
  dependencies: { spec: { ref: { kind: file, file: zoo.json } } }
  \`\`\`
`
const links: Readonly<Record<string, string>> = {
  'pages/7.md#part-7': 'ok',
  'pages/7.md#part-8': 'broken',
  'pages/none.md': 'broken',
  '#start': 'ok',
  '#nothing': 'broken',
  'shows.md#shown': 'ok',
  'shows.md#noted': 'ok',
  'shows.md#hidden': 'broken',
  'zoo-api': 'ok',
  'zoo-api#opening-hours': 'ok',
  'zoo-api#closing-hours': 'broken',
  'zoo-api/birds#anything': 'ok',
  'zoo-api/seals': 'broken',
}

describeSqlite('the links of many texts', (engine) => {
  let api: SiteClient
  let ann: Person
  let space: string

  beforeAll(async () => {
    api = await openSiteClient(await engine.open())
    ann = await api.person('ann')
    const organization: OrganizationId = await api.organization(ann)
    const page = (at: number) => {
      const next = `${(at + 1) % count}`
      return `# Page ${at}\n\n## Part ${at}\n\n[a](${next}.md#part-${next}) [b](${next}.md#part-${at}) [c](../zoo-api)\n`
    }
    const listed = Object.keys(links).map((url) => `* [x](${url})`)
    space = await api.folder(ann, organization, 'Zoo', {
      'SUMMARY.md': summary,
      'start.md': `# Start\n\n${listed.join('\n')}\n`,
      'shows.md': '# Shows\n\n{% include ".gitbook/includes/one.md" %}\n\n{% include "notes.md" %}\n',
      'notes.md': '## Noted\n',
      '.gitbook/includes/one.md': '## Shown\n\n[part](#anything)\n',
      'zoo.json': specification,
      ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`pages/${at}.md`, page(at)])),
    })
    await indexSpecifications(api)
  })

  interface Listed {
    readonly items: readonly { readonly destination: string; readonly status: string }[]
    readonly next?: { readonly page: string }
    readonly count: number
    readonly stats: { readonly total: number; readonly broken: { readonly total: number } }
  }
  async function list(place: string): Promise<Listed> {
    const answer = await api.request(ann, 'GET', `/spaces/${space}/${place}`)
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }
  const say = ({ destination, status }: Listed['items'][number]) => `${destination}: ${status}`

  test('are those of each page, and resolve to computed pages', async () => {
    const whole: string[] = []
    let next: string | undefined
    do {
      const query = next === undefined ? '' : `&page=${next}`
      const listed = await list(`links?limit=100${query}`)
      expect(listed.count).toBe(Object.keys(links).length + 3 + 3 * count)
      expect(listed.stats).toEqual({ total: listed.count, broken: { total: 6 + count } })
      whole.push(...listed.items.map(say))
      next = listed.next?.page
    } while (next !== undefined)

    const { pages } = (await api.request(ann, 'GET', `/spaces/${space}/content/pages`)).body
    const single: string[] = []
    // Links of what is computed are no links of the space's texts.
    for (const { id } of pages.filter((page: { computed?: unknown }) => page.computed === undefined))
      single.push(...(await list(`content/page/${id}/links?limit=100`)).items.map(say))
    // Reusable contents are no pages.
    expect(whole.toSorted()).toEqual([...single, '#anything: ok'].toSorted())
    for (const [url, status] of Object.entries(links)) expect(whole).toContain(`${url}: ${status}`)
  })
})
