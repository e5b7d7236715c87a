/** Sites with sections: path resolution, tabs and pickers, feeds, and hidden content. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import { indexSpace } from '../../resources/search/index-space.js'
import type { Person } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'

describeSqlite('a published site with sections', (engine) => {
  let client: SiteClient
  let ann: Person
  let acme: OrganizationId
  let site: string
  let base: string
  const spaces: Record<string, string> = {}
  const links: Record<string, string> = {}
  const sections: Record<string, string> = {}

  async function must(method: string, path: string, body?: object): Promise<any> {
    const answer = await client.request(ann, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }

  /** Guide (Guide, v1), API (API, v2 in German), More > FAQ. */
  beforeAll(async () => {
    client = await openSiteClient(await engine.open())
    ann = await client.person('ann')
    acme = await client.organization(ann)
    for (const title of ['Guide', 'v1', 'API', 'v2', 'FAQ']) {
      const own = { API: ['only-api'], v2: ['only-v2'] }[title] ?? []
      const pages = ['home', 'page', 'api-of-old', ...own].map((slug) => ({
        slug,
        markdown: `# ${title} ${slug}\n\nWords of ${title}.\n`,
      }))
      spaces[title] = (await client.space(ann, acme, title, pages)).id
    }
    await must('PATCH', `/spaces/${spaces['v2']}`, { language: 'de' })
    const made = await client.publish(ann, acme, { title: 'Docs', spaces: [spaces['Guide']!, spaces['v1']!] })
    site = `/orgs/${acme}/sites/${made.id}`
    base = made.base
    for (const title of ['API', 'FAQ'])
      sections[title] = (await must('POST', `${site}/sections`, { spaceId: spaces[title], title })).id
    sections['Docs'] = (await must('GET', `${site}/sections`)).items[0].id
    await must('POST', `${site}/site-spaces`, { spaceId: spaces['v2'], sectionId: sections['API'] })
    await must('POST', `${site}/section-groups`, {
      title: 'More',
      icon: 'gear',
      sections: [sections['FAQ']],
    })
    for (const { id, space } of (await must('GET', `${site}/site-spaces?limit=100`)).items)
      links[space.title] = id
  })

  const read = (path: string) => client.read(base + path)
  const titleAt = async (path: string): Promise<string> => {
    const { status, text, headers } = await read(path)
    if (status === 200) return /<h1[^>]*>([^<]*)/.exec(text)?.[1] ?? text.slice(0, 30)
    return status === 404 ? '404' : `${status} ${headers['location']!.replace(base, '')}`
  }

  test.each([
    // The root: the default variant of the default section.
    ['', 'Guide home'],
    ['page', 'Guide page'],
    ['api-of-old', 'Guide api-of-old'],
    ['PAGE', '308 page'],
    ['nothing', '404'],
    // The default section by its name: its other variants are there, all else is at the root.
    ['docs/v1/', 'v1 home'],
    ['docs/v1/page', 'v1 page'],
    ['docs/v1', 'v1 home'],
    ['docs/', '307 '],
    ['docs', '307 '],
    ['docs/page', '307 page'],
    ['docs/page.md', '307 page.md'],
    ['v1/page.md', '307 docs/v1/page.md'],
    ['docs/guide/page', '307 page'],
    ['docs/nothing', '404'],
    // Its variants were at the root before there were sections, and are found there.
    ['v1/page', '307 docs/v1/page'],
    ['v1', '307 docs/v1/'],
    ['guide/page', '307 page'],
    ['v2/page', '404'],
    // Another section, its default variant, and another one.
    ['api/', 'API home'],
    ['api', 'API home'],
    ['API', '308 api/'],
    ['API/page', '308 api/page'],
    ['//api//page', '308 api//page'],
    ['api//page', '308 api/page'],
    ['api/page', 'API page'],
    ['api/api/page', '307 api/page'],
    ['api/v2/', 'v2 home'],
    ['api/v2', 'v2 home'],
    ['api/v2/page', 'v2 page'],
    ['api/V2/page', '308 api/v2/page'],
    ['api/v2/nothing', '404'],
    // Groups are not in paths.
    ['faq/page', 'FAQ page'],
    ['more/faq/page', '404'],
  ])('"%s" is %s', async (path, meant) => {
    expect(await titleAt(path)).toBe(meant)
  })

  test('the root of a section or variant is the same page without its slash', async () => {
    for (const path of ['api/', 'api/v2/', 'docs/v1/']) {
      const [withSlash, without] = [await read(path), await read(path.slice(0, -1))]
      expect(without.status).toBe(200)
      expect(without.text).toBe(withSlash.text)
      expect(without.text).toContain(`<link rel="canonical" href="http://octavo.test${base}${path}">`)
      // Nothing on it is relative to the address of the page.
      const addresses = [...without.text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, one]) => one!)
      expect(addresses.filter((one) => !/^(?:[/#]|https?:|data:|mailto:)/.test(one))).toEqual([])
    }
  })

  test('a space that follows another one is a language of its site: in the picker, in `lang` and `hreflang`', async () => {
    const pages = ['home', 'page'].map((slug) => ({ slug, markdown: `# ${slug}\n\nWords.\n` }))
    const { id: source } = await client.space(ann, acme, 'Followed', pages)
    await must('PATCH', `/spaces/${source}`, { language: 'en' })
    const settings = await must('POST', `/orgs/${acme}/translations`, { title: 'T', languages: ['fr'] })
    const made = await must('POST', `/orgs/${acme}/translations/${settings.id}/spaces`, {
      source,
      language: 'fr',
    })
    const published = await client.publish(ann, acme, { title: 'Languages', spaces: [source] })
    const before = (await client.read(`${published.base}page`)).text
    expect(before).not.toContain('hreflang')
    await must('POST', `/orgs/${acme}/sites/${published.id}/site-spaces`, { spaceId: made.space })
    const { text } = await client.read(`${published.base}page`)
    const picker = /<details class="menu variants"[^>]*>([^]*?)<\/details>/.exec(text)![1]!
    expect(picker).toContain('aria-label="Language: English"')
    const [, href] = /href="([^"]*)" hreflang="fr"/.exec(picker)!
    const alternates = [...text.matchAll(/<link rel="alternate" href="([^"]*)" hreflang="([^"]*)">/g)]
    expect(alternates.map(([, , language]) => language).toSorted()).toEqual(['en', 'fr'])
    const french = await client.read(href!)
    expect(french.status).toBe(200)
    expect(french.text).toMatch(/<html[^>]* lang="fr"/)
    expect(french.text).toContain('aria-label="Langue')
  })

  test('tabs link to sections, the picker to the variants of the current one', async () => {
    const { text } = await read('api/page')
    const tabs = /<nav class="sections"[^>]*>([^]*?)<\/nav>/.exec(text)![1]!
    const hrefs = [...tabs.matchAll(/href="([^"#]*)"( aria-current="true")?/g)]
    expect(hrefs.map(([, href, current]) => [href!.replace(base, ''), current !== undefined])).toEqual([
      ['', false],
      ['api/', true],
      ['faq/', false],
    ])
    expect(tabs).toMatch(/<summary>.*More/s)
    const picker = /<details class="menu variants"[^>]*>([^]*?)<\/details>/.exec(text)![1]!
    expect(picker).toContain('aria-label="Language: English"')
    expect(picker).toMatch(/lang="de">Deutsch</)
    // To the same page if the other variant has it, else to its first page.
    expect(picker).toContain(`href="${base}api/v2/page" hreflang="de"`)
    expect((await read('api/')).text).toContain(`href="${base}api/v2/" hreflang="de"`)
    expect(picker).not.toContain('docs/v1/')
    const guide = (await read('')).text
    expect(guide).toContain('aria-label="Version: Guide"')
    expect(guide).not.toContain('hreflang')
    // Every page names its translations: the first page by the root, the others by their files.
    for (const [path, page] of [
      ['api/', ''],
      ['api/v2/', ''],
      ['api/page', 'page'],
      ['api/v2/page', 'page'],
    ]) {
      const { text: body } = await read(path!)
      const alternates = [...body.matchAll(/<link rel="alternate" href="([^"]*)" hreflang="([^"]*)">/g)]
      expect(alternates.map(([, href, language]) => `${language} ${href}`).toSorted()).toEqual([
        `de http://octavo.test${base}api/v2/${page}`,
        `en http://octavo.test${base}api/${page}`,
      ])
    }
    await client.change(ann, spaces['v2']!, [
      { operation: 'insert_page', slug: 'only-here', document: { markdown: '# Only here\n' } },
    ])
    expect((await read('api/v2/only-here')).text).not.toContain('<link rel="alternate" href="http')
    // A new page in one language is linked from the pages of the others.
    await client.change(ann, spaces['API']!, [
      { operation: 'insert_page', slug: 'only-here', document: { markdown: '# Only here\n' } },
    ])
    expect((await read('api/v2/only-here')).text).toContain(
      `http://octavo.test${base}api/only-here" hreflang="en"`,
    )
    expect((await read('faq/')).text).not.toContain('menu variants')
  })

  test('a moved, renamed or redirected section is visible with the next request', async () => {
    const order = async () =>
      [
        ...(await read('')).text.match(/<nav class="sections"[^]*?<\/nav>/)![0].matchAll(/href="([^"#]*)"/g),
      ].map(([, href]) => href!.replace(base, ''))
    expect(await order()).toEqual(['', 'api/', 'faq/'])
    const position = { before: { type: 'site-section', siteSection: sections['Docs'] } }
    await must('POST', `${site}/sections/${sections['API']}/move`, { position })
    expect(await order()).toEqual(['api/', '', 'faq/'])
    await must('PATCH', `${site}/sections/${sections['API']}`, { path: 'reference', title: 'Reference' })
    expect(await order()).toEqual(['reference/', '', 'faq/'])
    expect(await titleAt('reference/page')).toBe('API page')
    expect((await read('')).text).toContain('>Reference</a>')
    // Former paths of sections and variants redirect, one name after the other.
    expect(await titleAt('API/page')).toBe('307 reference/page')
    expect(await titleAt('api/v2/page')).toBe('307 reference/v2/page')
    await must('PATCH', `${site}/site-spaces/${links['v2']}`, { path: 'second' })
    expect(await titleAt('reference/v2/page')).toBe('307 reference/second/page')
    expect(await titleAt('reference/v2')).toBe('307 reference/second/')
    expect(await titleAt('reference/v3/page')).toBe('404')
    await must('PATCH', `${site}/site-spaces/${links['v2']}`, { path: 'v2' })
    expect(await titleAt('reference/second/page')).toBe('307 reference/v2/page')
    await must('PATCH', `${site}/sections/${sections['API']}`, { path: 'api', title: 'API' })
    expect(await titleAt('reference/page')).toBe('307 api/page')
    const beside = { before: { type: 'site-space', siteSpace: links['v1'] } }
    await must('POST', `${site}/site-spaces/${links['v2']}/move`, { position: beside })
    expect(await titleAt('api/v2/page')).toBe('307 docs/v2/page')
    await must('POST', `${site}/site-spaces/${links['v2']}/move`, {
      position: { after: { type: 'site-space', siteSpace: links['API'] } },
    })
    expect(await titleAt('api/v2/page')).toBe('v2 page')
    expect(await titleAt('docs/v2/page')).toBe('307 api/v2/page')
    await must('POST', `${site}/sections/${sections['API']}/move`, {
      position: { after: { type: 'site-section', siteSection: sections['Docs'] } },
    })
  })

  test('pages of former defaults redirect from their paths without a name, unless another page is there', async () => {
    expect([await titleAt('only-api'), await titleAt('api/only-v2')]).toEqual(['404', '404'])
    await must('PATCH', site, { defaultSiteSection: sections['API'] })
    expect(await titleAt('only-api')).toBe('API only-api')
    await must('PATCH', site, { defaultSiteSection: sections['Docs'] })
    expect([await titleAt('only-api'), await titleAt('page')]).toEqual(['307 api/only-api', 'Guide page'])
    expect([await titleAt('only-api.md'), await titleAt('only-nothing')]).toEqual([
      '307 api/only-api.md',
      '404',
    ])
    await must('PATCH', `${site}/sections/${sections['API']}`, { defaultSiteSpace: links['v2'] })
    await must('PATCH', `${site}/sections/${sections['API']}`, { defaultSiteSpace: links['API'] })
    expect(await titleAt('api/only-v2')).toBe('307 api/v2/only-v2')
    // Both were at the root: a section, and in it a variant.
    expect(await titleAt('only-v2')).toBe('307 api/v2/only-v2')
    await must('PATCH', `${site}/sections/${sections['API']}`, { draft: true })
    expect(await titleAt('only-api')).toBe('404')
    await must('PATCH', `${site}/sections/${sections['API']}`, { draft: false })
  })

  test('a new default is at the root, the former one at its path', async () => {
    await must('PATCH', site, { defaultSiteSection: sections['API'] })
    expect([await titleAt('page'), await titleAt('docs/page')]).toEqual(['API page', 'Guide page'])
    expect([await titleAt('api/page'), await titleAt('api/v2/page')]).toEqual(['307 page', 'v2 page'])
    await must('PATCH', site, { defaultSiteSection: sections['Docs'] })
    await must('PATCH', `${site}/sections/${sections['API']}`, { defaultSiteSpace: links['v2'] })
    expect([await titleAt('api/page'), await titleAt('api/api/page')]).toEqual(['v2 page', 'API page'])
    await must('PATCH', `${site}/sections/${sections['API']}`, { defaultSiteSpace: links['API'] })
  })

  test('a search finds pages of all sections, and names their sections', async () => {
    for (const title of Object.keys(spaces)) {
      const { signal } = new AbortController()
      await indexSpace({
        services: client.services,
        spaceId: spaces[title] as SpaceId,
        signal,
        now: Date.now,
      })
    }
    const found = async (path: string) => {
      const { items, count } = JSON.parse((await read(`${path}~octavo/search?q=page`)).text)
      const hits = items.map(({ href, section }: any) => `${section}: ${href.replace(base, '')}`)
      return { count, hits: hits.toSorted() }
    }
    const hits = ['API · English: api/page', 'Docs · Guide: page', 'FAQ: faq/page']
    expect(await found('')).toEqual({ count: 3, hits })
    expect((await found('api/v2/')).hits).toEqual(['API · Deutsch: api/v2/page', ...hits.slice(1)])
    const { text } = await read('api/?q=page')
    expect(text).toContain('<h2 class="result-group" dir="auto">FAQ</h2>')
    await must('PATCH', `${site}/sections/${sections['FAQ']}`, { draft: true })
    expect((await found('')).hits).toEqual(hits.slice(0, 2))
    await must('PATCH', `${site}/sections/${sections['FAQ']}`, { draft: false })
  })

  test('feeds contain every section', async () => {
    const origin = 'http://octavo.test'
    const locations = (text: string) => [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, at]) => at!)
    const maps = locations((await read('sitemap.xml')).text)
    expect(maps).toEqual(
      ['', 'docs/v1/', 'api/', 'api/v2/', 'faq/'].map((root) => `${origin}${base}${root}sitemap-pages.xml`),
    )
    const pages = []
    for (const map of maps) pages.push(...locations((await client.read(new URL(map).pathname)).text))
    for (const path of ['', 'page', 'docs/v1/', 'api/page', 'api/v2/page', 'faq/page'])
      expect(pages).toContain(`${origin}${base}${path}`)
    const headings = (text: string) => [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
    const llms = (await read('llms.txt')).text
    expect(headings(llms)).toEqual(['Docs', 'Docs: v1', 'API', 'FAQ', 'Other languages'])
    expect(llms).toContain(`- [API page](${origin}${base}api/page.md)`)
    expect(llms).toContain(`- [Deutsch](${origin}${base}api/v2/llms.txt)`)
    expect(llms).not.toContain('api/v2/page.md')
    // In another language, and pages that no other language has.
    const german = (await read('api/v2/llms.txt')).text
    expect(headings(german)).toEqual(['Docs', 'API: v2', 'FAQ', 'Other languages'])
    expect(german).toContain(`${origin}${base}api/v2/page.md`)
    const full = (await read('llms-full.txt')).text
    expect(full).toContain(`# API page\n\nSource: ${origin}${base}api/page.md\n\nWords of API.\n`)
    expect(full).not.toContain('Words of v2.')
    expect((await read('api/v2/llms-full.txt')).text).toContain('Words of v2.')
  })

  test('a hidden variant is reached only by its URL', async () => {
    await must('PATCH', `${site}/site-spaces/${links['v2']}`, { hidden: true })
    expect(await titleAt('api/v2/page')).toBe('v2 page')
    expect((await read('api/page')).text).not.toContain('api/v2/')
    for (const path of ['sitemap.xml', 'llms.txt', 'llms-full.txt'])
      expect((await read(path)).text, path).not.toContain('api/v2/')
    expect((await read('api/v2/sitemap-pages.xml')).status).toBe(404)
    await must('PATCH', `${site}/site-spaces/${links['FAQ']}`, { hidden: true })
    expect((await read('')).text).not.toMatch(/\b(?:More|faq)\b/)
    await must('PATCH', `${site}/site-spaces/${links['FAQ']}`, { hidden: false })
    await must('PATCH', `${site}/site-spaces/${links['v2']}`, { hidden: false })
  })

  describe('shows nothing of', () => {
    const closed = async () => {
      expect(await titleAt('faq/page')).toBe('404')
      expect((await read('faq/page.md')).text).toMatch(/^# Page not found\n/)
      for (const path of ['', 'sitemap.xml', 'llms.txt', 'llms-full.txt', 'faq/page', 'faq/page.md'])
        expect((await read(path)).text, path).not.toMatch(/\bfaq\b/i)
      expect((await client.read(file)).status).toBe(404)
    }
    let file: string

    beforeAll(async () => {
      await client.change(ann, spaces['FAQ']!, [
        { operation: 'insert_files', files: [{ name: 'a.txt', base64: 'b25l' }] },
      ])
      const { items } = await must('GET', `/spaces/${spaces['FAQ']}/content/files`)
      const url = new URL(items[0].downloadURL)
      url.searchParams.delete('token')
      file = url.pathname + url.search
      expect((await client.read(file)).status).toBe(200)
    })

    test('a draft, nor its files', async () => {
      for (const path of [`sections/${sections['FAQ']}`, `site-spaces/${links['FAQ']}`]) {
        await must('PATCH', `${site}/${path}`, { draft: true })
        await closed()
        await must('PATCH', `${site}/${path}`, { draft: false })
        expect(await titleAt('faq/page')).toBe('FAQ page')
      }
    })

    test('content whose condition is never true on an adaptive site, and warns of it on any other', async () => {
      const condition = 'visitor.claims.unsigned.beta'
      for (const path of [`sections/${sections['FAQ']}`, `site-spaces/${links['FAQ']}`]) {
        await must('PATCH', `${site}/${path}`, { condition })
        expect(await titleAt('faq/page')).toBe('FAQ page')
        const { warnings } = await must('POST', `${site}/publish`)
        expect(warnings).toEqual([
          {
            message: expect.stringContaining('The site is not adaptive'),
            space: spaces['FAQ'],
            pages: [],
          },
        ])
        await must('PATCH', site, { adaptiveContent: { enabled: true } })
        await closed()
        expect((await must('POST', `${site}/publish`)).warnings).toMatchObject([{ pages: [] }])
        await must('PATCH', `${site}/${path}`, { condition: '1 < 2' })
        expect(await titleAt('faq/page')).toBe('FAQ page')
        await must('PATCH', `${site}/${path}`, { condition: null })
        await must('PATCH', site, { adaptiveContent: { enabled: false } })
      }
    })

    test('a default in the trash, which the next one replaces', async () => {
      await must('DELETE', `/spaces/${spaces['Guide']}`)
      expect([await titleAt('page'), await titleAt('docs/v1/page')]).toEqual(['v1 page', '307 page'])
      await must('DELETE', `/spaces/${spaces['v1']}`)
      expect([await titleAt('page'), await titleAt('api/page')]).toEqual(['API page', '307 page'])
      for (const title of ['Guide', 'v1']) await must('POST', `/spaces/${spaces[title]}/restore`)
      expect(await titleAt('page')).toBe('Guide page')
    })
  })
})
