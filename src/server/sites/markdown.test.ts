/** `<page>.md` outside the site: links are absolute, variables and reusable contents are resolved. */
import { beforeAll, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import { describeSqlite } from '../../../tests/engines.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'
import type { Person } from '../../../tests/test-client.js'

const first = `---
cover: .gitbook/assets/a picture.png
---

# First

See [deep](deep/page.md#part "t"), [second](more/second.md), [nothing](gone.md), [out](https://example.com/x.md), [here](#end).

![picture](<.gitbook/assets/a picture.png>) <a href="deep/page.md">html</a>

Run <code class="expression">space.vars.version</code> of <code class="expression">space.vars.nothing</code>.

{% include ".gitbook/includes/note.md" %}

\`\`\`
[deep](deep/page.md) <code class="expression">space.vars.version</code>
\`\`\`
`

const files: Record<string, string> = {
  'README.md': first,
  'deep/page.md': '# Deep\n\n* Note:\n\n  {% include "../.gitbook/includes/note.md" %}\n',
  'more/second.md': '# Second\n',
  'long.md': `# Long\n\n${'Words. '.repeat(10_000)}\n\n[deep](deep/page.md)\n`,
  '.gitbook/includes/note.md':
    '---\ntitle: A note\n---\n\nShared [deep](../../deep/page.md), <code class="expression">space.vars.version</code>.\n\n{% include "note.md" %}\n',
  '.gitbook/vars.yaml': 'version: 1.2_beta\n',
  '.gitbook/assets/a picture.png': 'no picture',
  'SUMMARY.md':
    '# Table of contents\n\n* [First](README.md)\n* [Deep](deep/page.md)\n* [Long](long.md)\n\n## More\n\n* [Second](more/second.md)\n',
}
const note = (site: string) => `Shared [deep](${site}deep/page.md), 1.2_beta.`

describeSqlite('a page as Markdown', (engine) => {
  let client: SiteClient
  let ann: Person
  let acme: OrganizationId
  let base: string
  let space: string
  let site: string

  beforeAll(async () => {
    client = await openSiteClient(await engine.open())
    ann = await client.person('ann')
    acme = await client.organization(ann)
    space = await client.folder(ann, acme, 'Docs', files)
    base = (await client.publish(ann, acme, { title: 'Docs', spaces: [space] })).base
    site = `http://octavo.test${base}`
  })

  test('has absolute links, and resolved variables', async () => {
    const { text, headers } = await client.read(`${base}readme.md`)
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8')
    const picture = /!\[picture\]\(<(.*?)>\)/.exec(text)![1]!
    expect(picture).toMatch(/^http:\/\/octavo\.test\/~octavo\/files\/\w+\/\w+\/a%20picture\.png\?v=[\w-]+$/)
    const [body, code] = first.split('```\n[deep]') as [string, string]
    expect(text).toBe(
      `${body
        .replace('cover: .gitbook/assets/a picture.png', `cover: ${picture}`)
        .replace('<.gitbook/assets/a picture.png>', `<${picture}>`)
        .replace('deep/page.md#part', `${site}deep/page.md#part`)
        .replace('more/second.md', `${site}more/second.md`)
        .replace('href="deep/page.md"', `href="${site}deep/page.md"`)
        .replace('<code class="expression">space.vars.version</code>', '1.2_beta')
        .replace('<code class="expression">space.vars.nothing</code>', '')
        .replace(
          '{% include ".gitbook/includes/note.md" %}',
          `${note(site)}\n\n{% include ".gitbook/includes/note.md" %}`,
        )}\`\`\`\n[deep]${code}`,
    )
    for (const [, url] of text.matchAll(/http:\/\/octavo\.test([^\s)>"#]+)/g)) {
      expect((await client.read(url!)).status, url).toBe(200)
    }
    expect((await client.read(new URL(picture).pathname)).text).toBe('no picture')
  })

  test('keeps the nesting of included content', async () => {
    expect((await client.read(`${base}deep/page.md`)).text).toBe(
      `# Deep\n\n* Note:\n\n  ${note(site)}\n\n  {% include "../.gitbook/includes/note.md" %}\n`,
    )
  })

  test('also when it is long', async () => {
    const { text } = await client.read(`${base}long.md`)
    expect(text).toBe(files['long.md']!.replace('](deep/page.md)', `](${site}deep/page.md)`))
  })

  test('the stored source is unchanged', async () => {
    const { pages } = (await client.request(ann, 'GET', `/spaces/${space}/content/pages`)).body
    const { markdown } = (
      await client.request(ann, 'GET', `/spaces/${space}/content/page/${pages[0].id}?format=markdown`)
    ).body
    expect(markdown).toContain('{% include ".gitbook/includes/note.md" %}')
    expect(markdown).toContain('(deep/page.md#part "t")')
  })

  test('llms.txt has the same links', async () => {
    expect((await client.read(`${base}llms.txt`)).text).toContain(`- [Deep](${site}deep/page.md)`)
  })
})
