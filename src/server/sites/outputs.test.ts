/** Outputs of a site for programs: llms.txt, Markdown, feeds, metadata, and suggestions for missing pages. */
import { DOMParser } from '@xmldom/xmldom'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import { indexSpace } from '../../resources/search/index-space.js'
import type { Person } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'

const updates = `---
description: News & "more" <here>
---

# Changes

{% updates format="full" %}
{% update date="2026-03-01" tags="api,big" %}
## Faster \`<search>\` & more

Words of \`March\`.

* one
* two
{% endupdate %}

{% update date="2026-01-31" %}
Only words \u0001of January.
{% endupdate %}
{% endupdates %}
`

describeSqlite('outputs for programs', (engine) => {
  let client: SiteClient
  let ann: Person
  let acme: OrganizationId
  let base: string
  let site: string
  const read = (path: string, headers?: Record<string, string>) => client.read(base + path, headers)
  const url = (path: string) => `http://octavo.test${base}${path}`

  beforeAll(async () => {
    client = await openSiteClient(await engine.open())
    ann = await client.person('ann')
    acme = await client.organization(ann)
    const space = await client.folder(ann, acme, 'Guide', {
      'README.md': '---\ndescription: Where it begins\n---\n\n# Home\n\nWords of home.\n',
      'setup/README.md': '# Setup\n',
      'setup/installation.md': '# Installation\n\nWords of installation, see [home](../README.md).\n',
      'setup/upgrade.md': '# Upgrade\n\nWords.\n',
      'changes.md': updates,
      'quiet.md': '---\nnoIndex: true\n---\n\n# Quiet\n\nQuiet words.\n',
      'quiet/below.md': '# Below\n\nQuiet words.\n',
      'hidden.md': '---\nhidden: true\n---\n\n# Hidden\n\nHidden words.\n',
      'topic.md': '# Topic\n\nWords.\n',
      'SUMMARY.md':
        '# Table of contents\n\n* [Home](README.md)\n* [Setup](setup/README.md)\n  * [Installation](setup/installation.md)\n  * [Upgrade \\[v2\\]](setup/upgrade.md)\n* [Changes](changes.md)\n* [Quiet](quiet.md)\n  * [Below](quiet/below.md)\n* [Hidden](hidden.md)\n\n## Group\n\n* [Topic](topic.md)\n',
    })
    ;({ base, id: site } = await client.publish(ann, acme, { title: 'Docs', spaces: [space] }))
  })

  test('llms.txt is at every URL where programs look for it', async () => {
    const { text, headers } = await read('llms.txt')
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(text).toBe(`# Docs

> The text of all pages: [llms-full.txt](${url('llms-full.txt')})

## Guide

- [Home](${url('readme.md')}): Where it begins
- [Setup](${url('setup.md')})
- [Installation](${url('setup/installation.md')})
- [Upgrade \\[v2\\]](${url('setup/upgrade.md')})
- [Changes](${url('changes.md')}): News & "more" <here>
- [Topic](${url('topic.md')})
`)
    for (const path of ['sitemap.md', '.well-known/sitemap.md']) expect((await read(path)).text).toBe(text)
    for (const [, address] of text.matchAll(/\((http[^)]*)\)/g))
      expect((await client.read(new URL(address!).pathname)).status, address).toBe(200)
  })

  test('llms-full.txt contains the texts, also hidden ones, but none excluded from search', async () => {
    const { text, status } = await read('llms-full.txt')
    expect(status).toBe(200)
    expect(text).toContain(
      `# Installation\n\nSource: ${url('setup/installation.md')}\n\nWords of installation, see [home](${url('readme.md')}).\n`,
    )
    expect(text).toContain(`# Home\n\nSource: ${url('readme.md')}\n\nWords of home.\n`)
    expect(text).toContain('Hidden words.')
    expect(text).not.toContain('Quiet')
    expect(text).not.toContain('Next pages')
    expect((await read('llms-full.txt/1')).text).toBe(text)
    for (const part of ['2', '0', 'x', '99999999'])
      expect((await read(`llms-full.txt/${part}`)).status, part).toBe(404)
  })

  test('llms-full.txt of a large site is split into parts of a hundred pages, each page once', async () => {
    const files: Record<string, string> = {}
    const lines = ['# Table of contents', '']
    for (let index = 0; index < 450; index++) {
      const name = `page-${String(index).padStart(3, '0')}`
      files[`${name}.md`] = `# Title ${index}\n\nWords ${index}.\n`
      lines.push(`* [Title ${index}](${name}.md)`)
    }
    files['SUMMARY.md'] = `${lines.join('\n')}\n`
    const space = await client.folder(ann, acme, 'Large', files)
    const indexing = { services: client.services, spaceId: space as SpaceId, now: Date.now }
    await indexSpace({ ...indexing, signal: new AbortController().signal })
    const large = await client.publish(ann, acme, { title: 'Large', spaces: [space] })
    const titles: number[] = []
    let next: string | undefined = `${large.base}llms-full.txt`
    let parts = 0
    while (next !== undefined) {
      const { text, status } = await client.read(next)
      expect(status).toBe(200)
      parts++
      titles.push(...[...text.matchAll(/^# Title (\d+)$/gm)].map(([, number]) => Number(number)))
      const more: string | undefined = /^\[Next pages\]\(([^)]*)\)$/m.exec(text)?.[1]
      next = more && new URL(more).pathname
    }
    expect(parts).toBe(5)
    expect(titles).toEqual(Array.from({ length: 450 }, (_, index) => index))

    // In a large space only the pages near the path and the results of the index are compared.
    expect((await client.read(`${large.base}pgae-123.md`)).text).toMatch(/^# Page not found\n/)
    const moved = await client.read(`${large.base}old/page-217`)
    expect(moved.status).toBe(404)
    expect(moved.text).toContain(`href="${large.base}page-217"`)
  })

  test('a page is Markdown for clients that prefer it', async () => {
    const negotiated = await read('setup/installation', { accept: 'text/markdown, text/html;q=0.5' })
    expect(negotiated.headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(negotiated.text).toBe((await read('setup/installation.md')).text)
    expect(negotiated.headers['vary']).toContain('accept')
    // Neither is cached for the other, whichever was requested first.
    for (const accept of ['text/html', '*/*', 'text/markdown;q=0.1, text/html', 'text/markdown;q=0'])
      expect((await read('setup/installation', { accept })).text, accept).toContain('<!doctype html>')
    expect((await read('', { accept: 'text/markdown' })).text).toContain('# Home\n')
    expect((await read('setup/installation', { accept: 'text/markdown' })).text).toBe(negotiated.text)
    expect((await read('setup/installation')).headers['vary']).toContain('accept')
  })

  test('a page without text lists its subpages', async () => {
    expect((await read('setup.md')).text).toBe(
      `# Setup\n\n- [Installation](${url('setup/installation.md')})\n- [Upgrade \\[v2\\]](${url('setup/upgrade.md')})\n`,
    )
    expect((await read('group.md')).text).toBe(`# Group\n\n- [Topic](${url('topic.md')})\n`)
  })

  test.each([
    ['setup/instalation', 'setup/installation'],
    ['installation', 'setup/installation'],
    ['guides/Installation/', 'setup/installation'],
    ['setup/upgrades', 'setup/upgrade'],
  ])('an address that names nothing leads on: %s', async (wrong, right) => {
    const page = await read(wrong)
    expect(page.status).toBe(404)
    const suggested = /<nav class="suggestions"[^]*?<\/nav>/.exec(page.text)![0]
    expect(/href="([^"]*)"/.exec(suggested)![1]).toBe(base + right)
    const note = await read(`${wrong.replace(/\/$/, '')}.md`)
    expect([note.status, note.headers['x-robots-tag']]).toEqual([200, 'noindex'])
    expect(/\]\(([^)]*)\)/.exec(note.text)![1]).toBe(url(`${right}.md`))
    expect((await read(wrong, { accept: 'text/markdown' })).text).toBe(note.text)
  })

  test('unlisted pages are not suggested, and nothing for paths without a similar page', async () => {
    for (const path of ['hiden', 'zzzzzz', 'wp-login.php'])
      expect((await read(path)).text, path).not.toContain('class="suggestions"')
    expect((await read('hiden.md')).text).not.toContain('hidden.md')
    expect((await read('%22%3E%3Cscript%3E.md')).text).not.toContain('script')
  })

  test('updates of a page have a feed', async () => {
    const page = await read('changes')
    expect(page.text).toContain(
      `<link rel="alternate" href="${base}changes/rss.xml" type="application/rss+xml">`,
    )
    expect((await read('')).text).not.toContain('rss.xml')
    const { text, status, headers } = await read('changes/rss.xml')
    expect([status, headers['content-type']]).toEqual([200, 'application/rss+xml; charset=utf-8'])
    const problems: string[] = []
    const onError = (_level: string, message: string) => void problems.push(message)
    const xml = new DOMParser({ errorHandler: onError }).parseFromString(text, 'text/xml')
    expect(problems).toEqual([])
    const texts = (name: string) =>
      Array.from(xml.getElementsByTagName(name), ({ textContent }) => textContent!)
    expect(texts('title')).toEqual(['Changes | Docs', 'Faster <search> & more', 'January 31, 2026'])
    expect(texts('pubDate')).toEqual(['Sun, 01 Mar 2026 00:00:00 GMT', 'Sat, 31 Jan 2026 00:00:00 GMT'])
    expect(texts('category')).toEqual(['api', 'big'])
    expect(texts('description')).toEqual([
      'News & "more" <here>',
      '<p>Words of March.</p><p>one</p><p>two</p>',
      '<p>Only words of January.</p>',
    ])
    const [, ...links] = texts('link')
    for (const link of links)
      expect(page.text).toContain(`<article class="update" id="${link.replace(url('changes#'), '')}">`)
    expect(texts('guid')).toEqual(links)
    for (const path of ['setup/rss.xml', 'readme/rss.xml', 'nothing/rss.xml'])
      expect((await read(path)).status, path).toBe(404)
    expect((await read('rss.xml')).headers['location']).toBe(`${base}readme/rss.xml`)
    expect((await read('CHANGES/rss.xml')).headers['location']).toBe(`${base}changes/rss.xml`)
  })

  test('the feed of a long page is parsed in a worker thread', async () => {
    const text = `${updates}\n${'words '.repeat(20_000)}\n`
    const space = await client.folder(ann, acme, 'Long', {
      'README.md': text,
      'none.md': 'words '.repeat(20_000),
    })
    const long = await client.publish(ann, acme, { title: 'Long', spaces: [space] })
    const { text: xml } = await client.read(`${long.base}readme/rss.xml`)
    expect(xml.match(/<item>/g)).toHaveLength(2)
    expect((await client.read(`${long.base}none/rss.xml`)).status).toBe(404)
  })

  test('a page has metadata for previews and search engines', async () => {
    const { text } = await read('setup/installation')
    const meta = (name: string) =>
      new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)">`).exec(text)?.[1]
    expect(meta('og:url')).toBe(url('setup/installation'))
    expect(meta('twitter:card')).toBe('summary_large_image')
    expect(meta('article:modified_time')).toMatch(/^2026-/)
    const written = /<script type="application\/ld\+json">(.*)<\/script>/.exec(text)![1]!
    const [article, crumbs] = JSON.parse(written)['@graph']
    expect(article).toMatchObject({
      '@type': 'TechArticle',
      headline: 'Installation',
      url: url('setup/installation'),
      inLanguage: 'en',
      isPartOf: { name: 'Docs', url: url('') },
      image: meta('og:image'),
    })
    expect(crumbs.itemListElement).toEqual([
      { '@type': 'ListItem', position: 1, name: 'Setup', item: url('setup') },
      { '@type': 'ListItem', position: 2, name: 'Installation', item: url('setup/installation') },
    ])
    const evil = await client.space(ann, acme, 'Evil', [
      { slug: 'evil', markdown: '# `</script><script>`alert(1)//\n' },
    ])
    const { base: at } = await client.publish(ann, acme, { title: 'Evil', spaces: [evil.id] })
    const page = (await client.read(at)).text
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page)![1]!
    expect(JSON.parse(data)['@graph'][0].headline).toBe('</script><script>alert(1)//')
    expect((await read('quiet')).text).not.toContain('ld+json')
  })

  test('every page opens the search with the words in its URL', async () => {
    for (const path of ['', 'setup/installation', 'setup']) {
      const { status, text, headers } = await read(`${path}?q=zebra+crossing`)
      expect([status, headers['x-robots-tag']], path).toEqual([200, 'noindex'])
      expect(text, path).toContain('<title>Search: zebra crossing | Docs</title>')
      expect(text, path).toContain('value="zebra crossing"')
    }
    expect((await read('nothing?q=zebra')).status).toBe(404)
    expect((await read('SETUP?q=zebra')).headers['location']).toBe(`${base}setup?q=zebra`)
    expect((await read('setup/installation')).text).toContain('<title>Installation | Docs</title>')
  })

  test('a page has a social image, and the site a favicon', async () => {
    const { text } = await read('setup/installation')
    const picture = new URL(/property="og:image" content="([^"]*)"/.exec(text)![1]!).pathname
    const sign = /<link rel="apple-touch-icon" href="([^"]*)">/.exec(text)![1]!
    expect(sign).toBe(`${base}~octavo/icon`)
    for (const [path, width, height] of [
      [picture, 1200, 630],
      [picture.replace('~octavo', '~gitbook'), 1200, 630],
      [sign, 192, 192],
    ] as const) {
      const { statusCode, headers, rawPayload } = await client.server.inject({
        url: path,
        headers: { host: 'octavo.test', 'accept-encoding': 'br' },
      })
      expect([statusCode, headers['content-type'], headers['content-encoding']], path).toEqual([
        200,
        'image/png',
        undefined,
      ])
      expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'png', width, height })
    }
    expect((await client.read(`${base}~octavo/ogimage/nothing`)).status).toBe(404)
    const show = (visibility: string) =>
      client.request(ann, 'PATCH', `/orgs/${acme}/sites/${site}`, { visibility })
    await show('share-link')
    for (const path of [picture, sign]) expect((await client.read(path)).status, path).toBe(404)
    await show('public')
  })

  test('a site that is closed to crawlers lists its pages for readers only', async () => {
    const show = (visibility: string) =>
      client.request(ann, 'PATCH', `/orgs/${acme}/sites/${site}`, { visibility })
    await show('unlisted')
    for (const path of ['sitemap.xml', 'sitemap-pages.xml']) expect((await read(path)).status).toBe(404)
    for (const path of ['llms.txt', 'llms-full.txt', 'changes/rss.xml']) {
      const { status, headers } = await read(path)
      expect([status, headers['x-robots-tag']], path).toEqual([200, 'noindex'])
    }
    expect((await read('robots.txt')).text).toBe('User-agent: *\nDisallow: /\n')
    await show('share-link')
    for (const path of ['llms.txt', 'llms-full.txt', 'changes/rss.xml', 'setup.md', 'setup/nothing.md'])
      expect((await read(path)).status, path).toBe(404)
    await show('public')
  })
})
