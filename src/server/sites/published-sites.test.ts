/** Published sites over HTTP: what readers get at every URL, and who gets it. */
import { strToU8, zipSync } from 'fflate'
import { beforeAll, describe, expect, test } from 'vitest'
import type { OrganizationId, SiteId, SpaceId } from '../../core/ids.js'
import { indexSpace } from '../../resources/search/index-space.js'
import { updateSite } from '../../resources/sites/store.js'
import { createInlineSearch } from '../../store/search-workers/search-service.js'
import { addToDirectory } from '../../store/db/directory.js'
import { describeEngines } from '../../../tests/engines.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'
import type { Person } from '../../../tests/test-client.js'

describeEngines('published sites', (engine) => {
  let client: SiteClient
  let ann: Person
  let acme: OrganizationId
  let guide: { id: string; pages: ReadonlyMap<string, string> }
  let base: string
  let site: string

  beforeAll(async () => {
    client = await openSiteClient(await engine.open())
    ann = await client.person('ann')
    acme = await client.organization(ann)
    guide = await client.space(ann, acme, 'Guide', [
      { slug: 'hello', markdown: '# Hello\n\nRead [the second](second.md#part) and [nothing](gone.md).\n' },
      { slug: 'second', markdown: '# Second\n\n## Part\n\nSee [home](hello.md).\n' },
      { slug: 'inner', into: 'second', markdown: '# Inner\n\n[up](../second.md)\n' },
      { slug: 'folder', markdown: '---\ndescription: All of it\n---\n' },
      { slug: 'leaf', into: 'folder', markdown: '# Leaf\n\nText.\n' },
      { slug: 'secret-plan', markdown: '---\nhidden: true\n---\n\n# Plan\n\nHidden text.\n' },
    ])
    ;({ base, id: site } = await client.publish(ann, acme, { title: 'Docs', spaces: [guide.id] }))
  })

  /** Creates a space from a tree of files. */
  async function importSpace(title: string, files: Record<string, string>): Promise<string> {
    const { id } = await client.space(ann, acme, title, [])
    await client.request(ann, 'PATCH', `/spaces/${id}`, { editMode: 'live' })
    const entries = Object.entries(files).map(([name, text]) => [name, strToU8(text)])
    const imported = await client.server.inject({
      method: 'POST',
      url: `/v1/spaces/${id}/content/archive`,
      headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/zip' },
      payload: Buffer.from(zipSync(Object.fromEntries(entries))),
    })
    expect(imported.statusCode, imported.body).toBe(201)
    return id
  }

  test('the first page is at the root, the others at their paths', async () => {
    expect(base).toBe('/@acme/docs/')
    const first = await client.read(base)
    expect(first.status).toBe(200)
    expect(first.text).toMatch(/<h1[^>]*>Hello<\/h1>/)
    expect(first.text).toContain(`<a href="${base}second#part">the second</a>`)
    expect(first.text).toContain('<link rel="canonical" href="http://octavo.test/@acme/docs/">')
    const inner = await client.read(`${base}second/inner`)
    expect(inner.text).toContain(`<a href="${base}second">up</a>`)
    expect((await client.read(`${base}second`)).text).toContain(`<a href="${base}">home</a>`)
  })

  test('an imported set in a right-to-left language is rendered that way', async () => {
    const words = 'המדריך הזה מתאר כיצד להגדיר את השרת; זה לא קשה וכל אחד יכול לעשות זאת.'
    const space = await importSpace('Hebrew', {
      'README.md': `---\ndescription: ${words}\n---\n\n# שלום\n\n${words}\n`,
      'english.md': '# English page!\n\nWords.\n',
    })
    expect((await client.request(ann, 'GET', `/spaces/${space}`)).body.language).toBe('he')
    const { base: at } = await client.publish(ann, acme, { title: 'Hebrew', spaces: [space] })
    const { text } = await client.read(at)
    expect(text).toContain('<html lang="he" dir="rtl"')
    expect(text).toMatch(/<h1[^>]* dir="rtl">/)
    expect(text).toContain('<p class="lead" dir="rtl">')
    expect(text).toContain(`<p dir="rtl">${words}</p>`)
    expect((await client.read(`${at}english`)).text).toContain('<p dir="ltr">Words.</p>')
    expect((await client.read(base)).text).not.toMatch(/ dir=/)
  })

  test('content that a reader may not see is at no URL of a site', async () => {
    const closed = (words: string) => `{% if visitor.claims.plan == "pro" %}\n${words}\n{% endif %}\n`
    const files = {
      'README.md': `# Home\n\nOpen words. [Closed](closed.md)\n\n{% if "pro" == "pro" %}\nAdmitted words\n{% endif %}\n\n{% content-ref url="closed.md" %}\n[Closed](closed.md)\n{% endcontent-ref %}\n\n${closed('## Sesame heading\n\nSesame words [sesame](sesame-target.md).')}\nIn a line {% if visitor.claims.plan %}sesame{% endif %}.\n\n{% include ".gitbook/includes/part.md" %}\n`,
      'closed.md':
        '---\nif: visitor.claims.plan == "pro"\ndescription: Sesame description\n---\n\n# Sesame title\n\nSesame.\n',
      'closed/below.md': '# Below\n\nOpen below.\n',
      'sesame-target.md': '---\nif: visitor.claims.plan == "pro"\n---\n\n# Sesame target\n',
      '.gitbook/includes/part.md': `Open part.\n\n${closed('Sesame part')}\n`,
      'SUMMARY.md':
        '# Table of contents\n\n* [Home](README.md)\n* [Sesame title](closed.md)\n  * [Below](closed/below.md)\n* [Sesame target](sesame-target.md)\n',
    }
    const space = await importSpace('Adaptive', files)
    const indexing = {
      services: client.services,
      spaceId: space as SpaceId,
      signal: new AbortController().signal,
      now: Date.now,
    }
    await indexSpace(indexing)
    const { id, base: at } = await client.publish(ann, acme, { title: 'Adaptive', spaces: [space] })
    const patched = await client.request(ann, 'PATCH', `/orgs/${acme}/sites/${id}`, {
      adaptiveContent: { enabled: true },
    })
    expect(patched.status).toBe(200)
    const paths = [
      '',
      'readme',
      'readme.md',
      'closed',
      'closed.md',
      'closed/below',
      'closed/below.md',
      'sesame-target.md',
    ]
    const others = [
      'llms.txt',
      'llms-full.txt',
      'sitemap-pages.xml',
      'robots.txt',
      '~octavo/search?q=open',
      '~octavo/search?q=heading',
      '?q=words',
      '~octavo/theme.css',
      'closed/rss.xml',
      'llms-full.txt/1',
    ]
    const texts = new Map<string, string>()
    for (const path of [...paths, ...others]) texts.set(path, (await client.read(at + path)).text)
    for (const [path, text] of texts) {
      // Paths and links that the author wrote may remain; words may not.
      expect(text.replace(/sesame-target/g, ''), path).not.toMatch(/sesame/i)
    }
    expect(texts.get('')).toContain('Open words')
    expect(texts.get('')).toContain('Admitted words')
    expect(texts.get('')).toContain('Open part')
    expect(texts.get('readme.md') ?? '').toContain('Open words')
    expect(texts.get('~octavo/search?q=open')).toContain('Open words')
    // Subpages of a closed page are closed too.
    expect(texts.get('closed/below')).not.toContain('Open below')
  })

  test('pages closed to crawlers are closed with their subpages', async () => {
    const space = await importSpace('Quiet', {
      'README.md': '# Home\n',
      'quiet.md': '---\nnoIndex: true\n---\n\n# Quiet\n',
      'quiet/below.md': '# Below\n',
      'open.md': '# Open\n',
      'SUMMARY.md':
        '# Table of contents\n\n* [Home](README.md)\n* [Quiet](quiet.md)\n  * [Below](quiet/below.md)\n* [Open](open.md)\n',
    })
    const { base: at } = await client.publish(ann, acme, { title: 'Quiet', spaces: [space] })
    const map = (await client.read(`${at}sitemap-pages.xml`)).text
    for (const [path, isFound] of [
      ['quiet', false],
      ['quiet/below', false],
      ['open', true],
    ] as const) {
      const { status, text } = await client.read(at + path)
      expect([status, text.includes('name="robots" content="noindex')], path).toEqual([200, !isFound])
      expect(map.includes(`${at}${path}</loc>`), path).toBe(isFound)
    }
  })

  test('a page has a meta description: its description, else its first paragraph', async () => {
    const description = (text: string) =>
      [/name="description" content="([^"]*)"/, /property="og:description" content="([^"]*)"/].map(
        (pattern) => pattern.exec(text)?.[1],
      )
    const inner = await client.read(`${base}folder/leaf`)
    expect(description(inner.text)).toEqual(['Text.', 'Text.'])
    expect(inner.text).not.toContain('class="lead"')
    expect(description((await client.read(`${base}folder`)).text)).toEqual(['All of it', 'All of it'])
  })

  test('a broken link is text with a note', async () => {
    expect((await client.read(base)).text).toMatch(/<span class="broken-link" title="[^"]+">nothing<\/span>/)
  })

  test('a page without text shows its subpages', async () => {
    const { text } = await client.read(`${base}folder`)
    expect(text).toContain(`href="${base}folder/leaf"`)
    expect(text).toContain('class="cards"')
    expect(text).toContain('All of it')
  })

  test('hidden pages are reached only by their URL', async () => {
    const hidden = await client.read(`${base}secret-plan`)
    expect(hidden.status).toBe(200)
    expect(hidden.text).toContain('Hidden text.')
    for (const path of ['', 'second', 'sitemap-pages.xml', 'llms.txt', 'secret-plans', 'secret-plans.md']) {
      expect((await client.read(base + path)).text).not.toContain('secret-plan')
    }
    expect((await client.read(`${base}folder/leaf`)).text).not.toContain('rel="next"')
  })

  test.each([
    // Other spellings: permanent redirects.
    ['/@acme/docs', 308, '/@acme/docs/'],
    ['/@acme/docs?q=part', 308, '/@acme/docs/?q=part'],
    ['/@ACME/Docs/second', 308, '/@acme/docs/second'],
    ['/@acme/docs/SECOND', 308, '/@acme/docs/second'],
    ['/@acme/docs/SECOND.md', 308, '/@acme/docs/second.md'],
    ['/@acme/docs/second/', 308, '/@acme/docs/second'],
    ['/@acme/docs//second///inner', 308, '/@acme/docs/second/inner'],
    // Another page or variant may become the first one: temporary redirects.
    ['/@acme/docs/hello', 307, '/@acme/docs/'],
    ['/@acme/docs/guide/second', 307, '/@acme/docs/second'],
    ['/@acme/docs/hello?utm=1', 307, '/@acme/docs/?utm=1'],
  ])('%s leads with %i to %s', async (from, code, to) => {
    const { status, headers } = await client.read(from)
    expect([status, headers['location']]).toEqual([code, to])
    // Redirects are cached no longer than the page itself.
    expect(headers['cache-control']).toContain('max-age=0, must-revalidate')
    expect((await client.read(to)).status).toBe(200)
  })

  test("a missing path gets the site's 404, with its pages", async () => {
    for (const path of ['nothing', 'second/nothing', 'a'.repeat(300)]) {
      const { status, text, headers } = await client.read(base + path)
      expect(status, path).toBe(404)
      expect(text, path).toContain('Page not found')
      expect(text).toContain(`href="${base}second"`)
      expect(headers['x-robots-tag']).toBe('noindex')
    }
    expect((await client.read(base + 'a'.repeat(3000))).status).toBe(400)
  })

  test('headers forbid whatever the page does not use', async () => {
    const { headers } = await client.read(base)
    const policy = headers['content-security-policy']!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("base-uri 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBeDefined()
    expect(headers['x-robots-tag']).toBeUndefined()
  })

  test('Markdown is the source text, and HEAD is GET without a body', async () => {
    const source = await client.read(`${base}second.md`)
    expect(source.text).toBe(`# Second\n\n## Part\n\nSee [home](http://octavo.test${base}hello.md).\n`)
    expect(source.headers['content-type']).toBe('text/markdown; charset=utf-8')
    const [get, head] = [await client.read(base), await client.read(base, {}, 'HEAD')]
    expect(head.text).toBe('')
    expect(head.status).toBe(200)
    for (const name of ['content-length', 'etag', 'content-type'])
      expect(head.headers[name]).toBe(get.headers[name])
  })

  test('crawlers get a sitemap', async () => {
    const index = await client.read(`${base}sitemap.xml`)
    expect(index.headers['content-type']).toContain('xml')
    expect(index.text).toContain('<loc>http://octavo.test/@acme/docs/sitemap-pages.xml</loc>')
    const map = await client.read(`${base}sitemap-pages.xml`)
    expect(map.text).toContain('<loc>http://octavo.test/@acme/docs/second/inner</loc>')
    expect((await client.read(`${base}robots.txt`)).text).toContain(
      'Sitemap: http://octavo.test/@acme/docs/sitemap.xml',
    )
    expect((await client.read(`${base}llms.txt`)).text).toContain(
      '- [Second](http://octavo.test/@acme/docs/second.md)',
    )
  })

  test('a page is answered with 304 until it changes', async () => {
    const first = await client.read(`${base}folder/leaf`)
    const etag = first.headers['etag']!
    expect(first.headers['cache-control']).toBe('public, max-age=0, must-revalidate')
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await client.read(`${base}folder/leaf`, { 'if-none-match': known })
      expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag])
    }
    expect((await client.read(`${base}folder/leaf`, { 'if-none-match': '"other"' })).status).toBe(200)
    // Only a success may be answered as not modified.
    const missing = await client.read(`${base}folder/missing`)
    const missingEtag = missing.headers['etag'] ?? '*'
    for (const known of [missingEtag, '*'])
      expect((await client.read(`${base}folder/missing`, { 'if-none-match': known })).status).toBe(404)

    // An unrelated write does not change it.
    await client.person(`passer-by ${engine.engine}`)
    expect((await client.read(`${base}folder/leaf`, { 'if-none-match': etag })).status).toBe(304)

    await client.change(ann, guide.id, [
      { operation: 'update_page', page: guide.pages.get('leaf'), document: { markdown: '# Leaf\n\nNew.\n' } },
    ])
    const changed = await client.read(`${base}folder/leaf`, { 'if-none-match': etag })
    expect(changed.status).toBe(200)
    expect(changed.text).toContain('New.')
    expect(changed.headers['etag']).not.toBe(etag)
  })

  test('a new title of the site is visible immediately', async () => {
    await client.read(base)
    await client.request(ann, 'PATCH', `/orgs/${acme}/sites/${site}`, { title: 'Manual' })
    expect((await client.read(base)).text).toContain('<title>Hello | Manual</title>')
    await client.request(ann, 'PATCH', `/orgs/${acme}/sites/${site}`, { title: 'Docs' })
  })

  test('text of authors is escaped', async () => {
    const evil = `"><script>alert(1)</script>`
    const { id } = await client.space(ann, acme, evil, [
      {
        slug: 'hello',
        markdown: `---\ndescription: '${evil}'\n---\n\n# ${evil}\n\n<script>alert(2)</script> <img src=x onerror=alert(3)> [a](javascript:alert(4))\n\n${'`'.repeat(3)}html\n<script>alert(5)</script>\n${'`'.repeat(3)}\n`,
      },
    ])
    const made = await client.publish(ann, acme, { title: evil, spaces: [id] })
    for (const path of ['', 'nothing', `?q=${encodeURIComponent(evil)}`, `%3Cscript%3Ealert(6)`]) {
      const { text } = await client.read(made.base + path)
      expect(text).toContain('&lt;script&gt;')
      expect(text.match(/<script>(?!\(function\(r\))/g)).toBeNull()
      expect(text).not.toMatch(/<img[^>]+onerror/i)
      expect(text).not.toContain('href="javascript:')
    }
    const json = await client.read(`${made.base}~octavo/search?q=alert`)
    expect(json.headers['content-type']).toContain('application/json')
  })

  describe('access', () => {
    let own: { id: string; base: string }
    let bob: Person
    let stranger: Person
    const at = () => `/orgs/${acme}/sites/${own.id}`

    beforeAll(async () => {
      own = await client.publish(ann, acme, { title: 'Inside', spaces: [guide.id] })
      bob = await client.person('bob')
      stranger = await client.person('eve')
      await client.join(acme, bob, 'read')
    })

    const as = (person: Person) => ({ authorization: `Bearer ${person.token}` })
    const statuses = async (path = '') => [
      (await client.read(own.base + path)).status,
      (await client.read(own.base + path, as(stranger))).status,
      (await client.read(own.base + path, as(bob))).status,
    ]

    test.each([
      ['public', [200, 200, 200]],
      ['unlisted', [200, 200, 200]],
      ['share-link', [404, 404, 200]],
      ['visitor-auth', [401, 401, 200]],
      ['public', [200, 200, 200]],
    ])('%s: an anonymous reader, a stranger, a member get %j', async (visibility, expected) => {
      await client.request(ann, 'PATCH', at(), { visibility })
      for (const path of ['', 'second', 'second.md', '~octavo/search?q=part', 'llms.txt', 'robots.txt'])
        expect(await statuses(path), path).toEqual(expected)
      const page = await client.read(`${own.base}second`, as(bob))
      const isOpen = visibility === 'public' || visibility === 'unlisted'
      expect(page.headers['cache-control']).toContain(isOpen ? 'public' : 'private')
      const isIndexed = visibility === 'public'
      expect(page.headers['x-robots-tag']).toBe(isIndexed ? undefined : 'noindex')
      expect(page.text.includes('<meta name="robots" content="noindex')).toBe(!isIndexed)
      expect((await client.read(`${own.base}sitemap.xml`, as(bob))).status).toBe(isIndexed ? 200 : 404)
      if (!isIndexed) {
        expect((await client.read(`${own.base}robots.txt`, as(bob))).text).toBe(
          'User-agent: *\nDisallow: /\n',
        )
      }
    })

    test('private answers are compressed only if they repeat nothing of the request', async () => {
      const encodingOf = async (path: string) => {
        const { headers } = await client.read(path, { ...as(bob), 'accept-encoding': 'br, gzip' })
        return headers['content-encoding']
      }
      const encodings = async (at: string) =>
        Promise.all(['', 'second', '~octavo/search?q=part', '?q=part'].map((path) => encodingOf(at + path)))
      await client.request(ann, 'PATCH', at(), { visibility: 'public' })
      expect(await encodings(own.base)).toEqual(['br', 'br', 'br', 'br'])
      await client.request(ann, 'PATCH', at(), { visibility: 'share-link' })
      expect(await encodings(own.base)).toEqual(['br', 'br', undefined, undefined])
      expect(await encodings(`/s/${guide.id}/`)).toEqual(['br', 'br', undefined, undefined])
      expect(await encodingOf('/')).toBeUndefined()
      expect(await encodingOf('/~octavo/sign-in')).toBeUndefined()
    })

    test('a refusal reveals nothing of the pages', async () => {
      for (const visibility of ['share-link', 'visitor-auth']) {
        await client.request(ann, 'PATCH', at(), { visibility })
        for (const path of ['', 'second', 'nothing', 'second.md']) {
          const { text, headers } = await client.read(own.base + path)
          expect(text).not.toMatch(/Second|Part|Guide/)
          expect(headers['cache-control']).toContain('private')
        }
      }
      const [unknown, closed] = [
        await client.read('/@acme/no-such-site/'),
        (await client.request(ann, 'PATCH', at(), { visibility: 'share-link' })) &&
          (await client.read(own.base)),
      ]
      expect(closed.text).toBe(unknown.text)
    })

    test('an unpublished site is not found, and unchanged when published again', async () => {
      await client.request(ann, 'PATCH', at(), { visibility: 'public' })
      await client.request(ann, 'POST', `${at()}/unpublish`)
      expect(await statuses()).toEqual([404, 404, 404])
      const { text } = await client.read(own.base)
      expect(text).not.toContain('Inside')
      await client.request(ann, 'POST', `${at()}/publish`)
      expect(await statuses()).toEqual([200, 200, 200])
    })
  })

  test('a search returns pages with matching sections, and highlights the matches', async () => {
    const long = 'Words of beta stand here, and many others. '.repeat(200)
    const { id } = await client.space(ann, acme, 'Searched', [
      { slug: 'guide', markdown: '# Guide\n' },
      {
        slug: 'alpha',
        into: 'guide',
        markdown: `# Alpha\n\nFirst words.\n\n## The beta\n\n${long}\n\n## Gamma\n\nNo more.\n`,
      },
    ])
    const { base: at } = await client.publish(ann, acme, { title: 'Searched', spaces: [id] })
    const signal = new AbortController().signal
    await indexSpace({ services: client.services, spaceId: id as SpaceId, now: Date.now, signal })
    const found = async (query: string) =>
      JSON.parse((await client.read(`${at}~octavo/search?q=${query}`)).text).items
    const counted = `${at}~octavo/view/guide/alpha`
    const page = { href: `${at}guide/alpha`, counted, breadcrumbs: ['Guide'] }
    const [beta, ...others] = await found('beta')
    expect(others).toEqual([])
    expect(beta).toMatchObject({ ...page, title: { text: 'Alpha', marks: [] } })
    expect(beta.sections).toEqual([
      {
        heading: { text: 'The beta', marks: [[4, 8]] },
        href: `${at}guide/alpha#the-beta`,
        excerpt: { text: expect.stringContaining('beta'), marks: expect.arrayContaining([[9, 13]]) },
      },
    ])
    expect(await found('alpha')).toEqual([
      {
        ...page,
        title: { text: 'Alpha', marks: [[0, 5]] },
        sections: [{ excerpt: { text: 'First words.', marks: [] } }],
      },
    ])
  })

  test('a search that is rejected as busy says so, to readers and to programs', async () => {
    const { database } = client.services
    const searching = createInlineSearch(database, { concurrency: 0, maxWaiting: 0 })
    const full = await openSiteClient(database, undefined, { searching })
    const page = await full.read(`${base}?q=hello`)
    expect([page.status, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
    expect(page.text).toContain('Too many are searching at this moment')
    const answer = await full.read(`${base}~octavo/search?q=hello`)
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1'])
    expect((await full.read(base)).status).toBe(200)
  })

  test('a search returns nothing of a site that was closed while it waited', async () => {
    const { searching } = client.services
    let act = async (): Promise<unknown> => undefined
    const beside = await openSiteClient(client.services.database, undefined, {
      searching: {
        ...searching,
        async find(question, signal) {
          const answer = await searching.find(question, signal)
          await act()
          return answer
        },
      },
    })
    for (const path of [`${base}?q=hello`, `${base}~octavo/search?q=hello`]) {
      act = async () => {}
      expect((await beside.read(path)).status).toBe(200)
      act = () => client.request(ann, 'POST', `/orgs/${acme}/sites/${site}/unpublish`)
      expect((await beside.read(path)).status).toBe(404)
      await client.request(ann, 'POST', `/orgs/${acme}/sites/${site}/publish`)
    }
    const preview = `/s/${guide.id}/~octavo/search?q=hello`
    const authorization = `Bearer ${ann.token}`
    act = async () => {}
    expect((await beside.read(preview, { authorization })).status).toBe(200)
    act = () => client.request(ann, 'DELETE', `/spaces/${guide.id}`)
    expect((await beside.read(preview, { authorization })).status).toBe(404)
    await client.request(ann, 'POST', `/spaces/${guide.id}/restore`)
  })

  test('a group that contains only links is open in a large space', async () => {
    const slugs = Array.from({ length: 420 }, (_, index) => `page-${index}`)
    const id = await importSpace('Large with links', {
      ...Object.fromEntries(slugs.map((slug) => [`${slug}.md`, `# ${slug}\n`])),
      'SUMMARY.md': `# Table of contents\n\n## Links\n\n* [Elsewhere](https://example.com/elsewhere)\n\n## Pages\n\n${slugs.map((slug) => `* [${slug}](${slug}.md)\n`).join('')}`,
    })
    const made = await client.publish(ann, acme, { title: 'Large with links', spaces: [id] })
    const { text } = await client.read(`${made.base}page-7`)
    const navigation = /<nav class="navigation"[^]*?<\/nav>/.exec(text)![0]
    expect(navigation).toMatch(
      /class="nav-group">\s*<p>Links<\/p>[^]*?href="https:\/\/example.com\/elsewhere"/,
    )
  })

  test('a page of a large space shows its ancestors, and gaps that link to the rest', async () => {
    const slugs = Array.from({ length: 450 }, (_, index) => `page-${String(index).padStart(3, '0')}`)
    const summary = slugs.map((slug) => `* [${slug}](${slug}.md)\n`)
    summary[200] += '  * [Below](page-200/below.md)\n'
    const id = await importSpace('Large', {
      ...Object.fromEntries(slugs.map((slug) => [`${slug}.md`, `# ${slug}\n`])),
      'page-200/below.md': '# Below\n',
      'SUMMARY.md': `# Table of contents\n\n${summary.join('')}`,
    })
    const made = await client.publish(ann, acme, { title: 'Large', spaces: [id] })
    const hrefsOf = (text: string) => {
      const navigation = /<nav class="navigation"[^]*?<\/nav>/.exec(text)![0]
      return [...navigation.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!)
    }
    for (const [path, own] of [
      ['', ''],
      ['page-225', 'page-225'],
      ['page-449', 'page-449'],
      ['page-200/below', 'page-200/below'],
    ]) {
      const { text } = await client.read(made.base + path)
      const hrefs = hrefsOf(text)
      expect(hrefs.length).toBeLessThan(80)
      expect(hrefs).toContain(made.base + own)
      expect(text).toMatch(new RegExp(`href="${made.base}${own}"[^>]* aria-current="page"`))
      for (const [, gap] of text.matchAll(/class="nav-gap"><a href="([^"]+)"/g)) {
        expect(hrefs.filter((href) => href === gap)).toHaveLength(1)
        expect(hrefsOf((await client.read(gap!)).text)).toContain(gap)
      }
    }
    const middle = (await client.read(`${made.base}page-200`)).text
    expect(hrefsOf(middle)).toContain(`${made.base}page-200/below`)
    expect(middle).toMatch(new RegExp(`rel="next" href="${made.base}page-200/below"`))
    expect(middle.match(/class="nav-gap"/g)).toHaveLength(2)
    expect((await client.read(`${made.base}nowhere`)).status).toBe(404)
  })

  test('reusable content is rendered as if it were in the page, its links relative to its own file', async () => {
    const id = await importSpace('Reuse', {
      'README.md':
        '# First\n\n{% include ".gitbook/includes/note.md" %}\n\nRun <code class="expression">space.vars.version</code>.\n',
      'deep/page.md': '# Deep\n\n{% include "../.gitbook/includes/note.md" %}\n',
      '.gitbook/includes/note.md': 'Shared words, [deep](../../deep/page.md).\n\n{% include "note.md" %}\n',
      '.gitbook/vars.yaml': 'version: "4.2"\n',
      '.gitbook.yaml': 'redirects:\n  old/place: deep/page.md\n',
      'SUMMARY.md': '# Table of contents\n\n* [First](README.md)\n\n## Group\n\n* [Deep](deep/page.md)\n',
    })
    const made = await client.publish(ann, acme, { title: 'Reuse', spaces: [id] })
    for (const path of ['', 'deep/page']) {
      const { text } = await client.read(made.base + path)
      expect(text).toContain(`Shared words, <a href="${made.base}deep/page">deep</a>`)
    }
    expect((await client.read(made.base)).text).toContain('Run 4.2.')
    expect((await client.read(`${made.base}Old/Place`)).headers['location']).toBe(`${made.base}deep/page`)
    expect((await client.read(`${made.base}group`)).headers['location']).toBe(`${made.base}deep/page`)
  })

  test('recursive includes end after twenty levels, and the rest of the page is rendered', async () => {
    const twenty = (name: string) => `{% include "${name}.md" %}\n\n`.repeat(20)
    const around = (text: string) => `Before it.\n\n${text}\n\nAfter it.\n`
    const id = await importSpace('Twenty', {
      'README.md': `# First\n\n${around(twenty('.gitbook/includes/1'))}`,
      ...Object.fromEntries(
        [1, 2, 3, 4].map((level) => [`.gitbook/includes/${level}.md`, twenty(String(level + 1))]),
      ),
      '.gitbook/includes/5.md': 'A word at the bottom.\n',
      'long.md': `# Long\n\n${around([1, 2, 3].map((part) => `{% include ".gitbook/includes/long-${part}.md" %}`).join('\n\n'))}`,
      ...Object.fromEntries(
        [1, 2, 3].map((part) => [
          `.gitbook/includes/long-${part}.md`,
          `${'`'.repeat(3)}\n${'x'.repeat(900_000)}\n${'`'.repeat(3)}\n`,
        ]),
      ),
      'missing.md': `# Missing\n\n${around('{% include ".gitbook/includes/nowhere.md" %}')}`,
      'SUMMARY.md':
        '# Table of contents\n\n* [First](README.md)\n* [Long](long.md)\n* [Missing](missing.md)\n',
    })
    const made = await client.publish(ann, acme, { title: 'Twenty', spaces: [id] })
    for (const [path, warning] of [
      ['', 'shown as plain text'],
      ['long', 'the page includes too much text'],
      ['missing', ''],
    ] as const) {
      const { status, text } = await client.read(made.base + path)
      expect([path, status]).toEqual([path, 200])
      expect(text.length).toBeLessThan(12_000_000)
      for (const part of ['Before it.', 'After it.', warning]) expect(text.includes(part)).toBe(true)
    }
  })

  test('several spaces: one at the root, the others below their paths', async () => {
    const other = await client.space(ann, acme, 'Old Version', [
      { slug: 'hello', markdown: '# Old\n' },
      { slug: 'second', markdown: `# Old second\n\n[new](http://octavo.test/s/${guide.id}/second#part)\n` },
    ])
    const made = await client.publish(ann, acme, { title: 'Two', spaces: [guide.id, other.id] })
    expect((await client.read(`${made.base}old-version/`)).text).toMatch(/<h1[^>]*>Old<\/h1>/)
    const second = await client.read(`${made.base}old-version/second`)
    expect(second.text).toMatch(/<h1[^>]*>Old second<\/h1>/)
    expect(second.text).toContain(`<a href="${made.base}second#part">new</a>`)
    expect(second.text).toContain(`href="${made.base}old-version/"`)
    // Programs drop the slash of a root: it is content without it too.
    expect((await client.read(`${made.base}old-version`)).text).toMatch(/<h1[^>]*>Old<\/h1>/)
    for (const [from, code, to] of [
      ['Old-Version/SECOND', 308, 'old-version/SECOND'],
      ['guide', 307, ''],
    ] as const) {
      const { status, headers } = await client.read(made.base + from)
      expect([status, headers['location']]).toEqual([code, made.base + to])
    }
    const list = await client.request(ann, 'GET', `/orgs/${acme}/sites/${made.id}/site-spaces`)
    const old = list.body.items.find((item: { default: boolean }) => !item.default)
    await client.request(ann, 'PATCH', `/orgs/${acme}/sites/${made.id}`, { defaultSiteSpace: old.id })
    expect((await client.read(made.base)).text).toMatch(/<h1[^>]*>Old<\/h1>/)
    expect((await client.read(`${made.base}guide/second`)).text).toMatch(/<h1[^>]*>Second<\/h1>/)
  })

  test('a subdomain of sites, and a site with a custom domain', async () => {
    const hostname = 'docs.example.com'
    await client.services.database.write(async (tx) => {
      const key = { organization_id: acme, id: site as SiteId }
      await updateSite(tx, key, { hostname })
      await addToDirectory(tx, 'host', key.organization_id, [hostname])
    })
    const own = await client.read('/second', { host: 'docs.example.com' })
    expect(own.text).toMatch(/<h1[^>]*>Second<\/h1>/)
    expect(own.text).toContain('<a href="/">home</a>')
    expect(own.text).toContain('<link rel="canonical" href="https://docs.example.com/second">')
    expect((await client.read('/SECOND', { host: 'docs.example.com:443' })).headers['location']).toBe(
      '/second',
    )
    expect((await client.read('/', { host: 'docs.example.com' })).text).toMatch(/<h1[^>]*>Hello<\/h1>/)
    expect((await client.read('/second', { host: 'other.example.com' })).status).toBe(404)
    const asset = /href="(\/~octavo\/assets\/[^"]+)"/.exec(own.text)![1]!
    expect((await client.read(asset, { host: 'docs.example.com' })).status).toBe(200)
    // On the product's own host it stays at its path.
    expect((await client.read(`${base}second`)).text).toContain(`<a href="${base}">home</a>`)
  })
})
