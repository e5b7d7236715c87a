/** Import sources: each imports its sample from a local server; the test compares page counts, the tree, the text of one page, and the reported problems. */
import { expect, test } from 'vitest'
import { routes } from '../src/server/api/api.js'
import { openTestClient } from './test-client.js'
import { describeSqlite } from './engines.js'
import { archiveOf, samples } from './import-samples/samples.js'
import { serveWeb } from './web-server.js'

interface Outcome {
  readonly pages: number
  readonly files: number
  /** Titles of the top of the tree, its first five. */
  readonly tree: readonly string[]
  /** Parts of the Markdown of the page `page`. */
  readonly holds: readonly string[]
  /** How many problems there are of each kind. */
  readonly problems: Readonly<Record<string, number>>
}

const outcomes: Readonly<Record<string, Outcome>> = {
  website: {
    pages: 10,
    files: 1,
    tree: ['ItsDangerous', 'General Concepts', 'Serialization Interface', 'Signing Interface', 'Exceptions'],
    holds: [
      '[Signing Interface](signer.md)',
      '[`Serializer`](#api)',
      '```python\nfrom itsdangerous.serializer',
    ],
    problems: { 'left-out': 2 },
  },
  html: {
    pages: 18,
    files: 1,
    tree: ['Welcome to Click', 'Documentation', 'Miscellaneous Pages'],
    holds: ['[virtualenv](#virtualenv)', '```\npip install click\n```', '```python\nimport click'],
    problems: {},
  },
  markdown: {
    pages: 5,
    files: 1,
    tree: ['Elsa Workflows 3', 'Expressions'],
    holds: ['description: >-', '{% code title="Program.cs" %}\n```csharp\n', '{% hint style="info" %}'],
    problems: { image: 1, link: 3, anchor: 2 },
  },
  zip: {
    pages: 42,
    files: 0,
    tree: ['Api', 'Best practices'],
    holds: ["```js\nimport { errors } from 'undici'"],
    problems: {},
  },
  docx: {
    pages: 1,
    files: 0,
    tree: ['Options'],
    holds: [
      '[`option()`](https://click.palletsprojects.com/en/8.1.x/api/#click.option)',
      'def echo(string_to_echo):\n    click.echo(string_to_echo)\n',
      'Usage: dots [OPTIONS]\n\nOptions:\n',
      '1. If a name is not prefixed',
    ],
    problems: { anchor: 1 },
  },
  'github-wiki': {
    pages: 3,
    files: 1,
    tree: ['Home', 'Getting Started', 'Reference'],
    holds: [
      '[the settings](<reference/Settings.md#network>)',
      '![How it flows](<images/flow.svg>)',
      '> [!NOTE]',
    ],
    problems: { 'left-out': 1 },
  },
  confluence: {
    pages: 3,
    files: 1,
    tree: ['Operations Home', 'Release checklist', 'On call'],
    holds: [
      '{% hint style="warning" %}\n**Not on Fridays**',
      '- [x] The changelog is written',
      '{% code title="rollout.sh" %}\n```bash\n',
      '| Roll out to **one** server | On call | 5 |',
    ],
    problems: { 'left-out': 1 },
  },
  notion: {
    pages: 3,
    files: 1,
    tree: ['Onboarding', 'Ann', 'Bo'],
    holds: [
      '💡 Your laptop',
      '- [ ] Meet your team',
      '<summary>How do I',
      '| Money, Travel |',
      'h = \\frac{d}{8}',
    ],
    problems: {},
  },
  'google-docs': {
    pages: 1,
    files: 1,
    tree: ['Field notes'],
    holds: [
      '- Terns, on the rocks\n  - with young ones',
      '(https://example.com/list?year=2024)',
      '```\ncount --from monday\n',
      '*Both counts by eye.*',
    ],
    problems: {},
  },
  openapi: { pages: 1, files: 1, tree: ['Pets'], holds: ['{% openapi src="petstore.yaml"'], problems: {} },
}

/** Too many to be counted one by one: the pages that the sample lacks, and links of the pages to where their authors are. */
const manyLinks = new Set(['html', 'zip'])

describeSqlite('samples of imports', ({ open }) => {
  test.each(samples)('$source', async (sample) => {
    const { source, files, page } = sample
    const web = await serveWeb((request, response) => {
      const path = decodeURIComponent(new URL(request.url!, 'http://a').pathname).slice(1)
      const bytes = path === 'sample' ? archiveOf(sample) : files[path]
      if (bytes === undefined) response.writeHead(404).end()
      else response.writeHead(200, path.endsWith('.html') ? { 'content-type': 'text/html' } : {}).end(bytes)
    })
    try {
      const api = await openTestClient(await open(), routes, { remote: web.remote })
      const admin = await api.person('admin')
      const organization = await api.organization(admin)
      const wanted = { title: 'Space', editMode: 'live' }
      const { id } = (await api.request(admin, 'POST', `/orgs/${organization}/spaces`, wanted)).body
      const from =
        source === 'website'
          ? { url: `${web.url}/index.html`, source }
          : { url: `${web.url}/sample`, source: source === 'openapi' ? 'zip' : source }
      const { body } = await api.request(admin, 'POST', `/spaces/${id}/content/import`, from)
      const { pages } = (await api.request(admin, 'GET', `/spaces/${id}/content/pages`)).body
      const path = encodeURIComponent(page || 'readme')
      const response = await api.request(admin, 'GET', `/spaces/${id}/content/path/${path}?format=markdown`)
      const expected = outcomes[source]!
      expect({
        pages: body.pages,
        files: body.files,
        tree: pages.slice(0, 5).map(({ title }: { title: string }) => title),
      }).toEqual({ pages: expected.pages, files: expected.files, tree: expected.tree })
      for (const part of expected.holds) expect(response.body.markdown).toContain(part)
      if (manyLinks.has(source)) return
      const problemCounts: Record<string, number> = {}
      for (const { kind } of body.problems) problemCounts[kind] = (problemCounts[kind] ?? 0) + 1
      expect(problemCounts).toEqual(expected.problems)
    } finally {
      await web.close()
    }
  })
})
