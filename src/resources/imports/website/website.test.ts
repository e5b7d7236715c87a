import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestClient, type Person, openTestClient } from '../../../../tests/test-client.js'
import { describeSqlite } from '../../../../tests/engines.js'
import { type RequestListener, type WebServer, serveWeb } from '../../../../tests/web-server.js'
import { routes } from '../../../server/api/api.js'
import type { ImportRun } from '../../../contract/imports.js'
import type { Page } from '../../../contract/pages.js'
import type { OrganizationId, SpaceId } from '../../../core/ids.js'

type Site = Record<string, string | Uint8Array | RequestListener>

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const menu = `<nav class="sidebar"><ul>
<li><a href="/docs/">Welcome</a></li>
<li><span>Guide</span><ul>
  <li><a href="/docs/guide/install.html">Installing</a><ul><li><a href="/docs/guide/linux.html">On Linux</a></li></ul></li>
  <li><a href="/docs/guide/first.html">First steps</a></li>
</ul></li>
<li><a href="/docs/reference/">Reference</a></li>
<li><a href="https://elsewhere.test/">Elsewhere</a></li>
</ul></nav>`

const page = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} · Site</title>${head}</head><body>
<header>Site header</header>${menu}<main><h1>${title}</h1>${body}</main><footer>Copyright</footer></body></html>`

function html(text: string | Buffer, type = 'text/html; charset=utf-8'): RequestListener {
  return (_, response) => response.writeHead(200, { 'content-type': type }).end(text)
}

const to = (location: string, status = 302): RequestListener =>
  function redirect(_, response) {
    response.writeHead(status, { location }).end()
  }

/** A small site with every feature under test. */
const docs: Site = {
  '/robots.txt': 'User-agent: *\nDisallow: /docs/secret\nSitemap: /unreadable\n',
  '/docs/': html(
    page(
      'Welcome',
      `<p>Read <a href="guide/install.html#linux">how to install</a>, <a href="/docs/old">the old page</a>,
      <a href="/docs/secret/plan.html">the plan</a>, <a href="/blog/">the blog</a>,
      <a href="guide/first.html?utm_source=here&sid=77">first steps</a>, <a href="gone.html">gone</a>, <a href="genindex.html">index</a>,
      <a href="files/paper.pdf">a paper</a> and <a href="away">away</a>.</p>
      <p><img src="img/one.png" alt="One"><img src="/img/two.png" alt="Two"><img src="img/lost.png" alt="Lost">
      <img src="data:image/png;base64,${pixel.toString('base64')}" alt="Inside"></p>`,
    ),
  ),
  '/docs/guide/install.html': html(
    page(
      'Installing',
      '<h2 id="linux"><a id="label"></a>Linux</h2><p id="words">See <a href="linux.html">Linux</a>.</p><pre><code>npm i</code></pre>',
    ),
  ),
  '/docs/guide/linux.html': html(
    page(
      'On Linux',
      '<p>Back to <a href="install.html#linux">installing</a>, <a href="install.html#label">1</a>, <a href="install.html#words">2</a>, <a href="install.html#none">3</a>.</p>',
    ),
  ),
  '/docs/guide/first.html': html(
    page(
      'First steps',
      '<p>Step <a href="first.html?print=1">print</a> <a href="FIRST.html">other case</a></p>',
    ),
  ),
  '/docs/guide/FIRST.html': html(page('First in capitals', '<p>Another page.</p>')),
  '/docs/reference/': html(
    page('Reference', '<p><a href="index.html">self</a> <a href="deep/one.html">deep</a></p>'),
  ),
  '/docs/reference/index.html': html(page('Reference', '<p>never asked</p>')),
  '/docs/reference/deep/one.html': html(page('Deep', '<p>Not in the menu.</p>')),
  '/docs/old': to('/docs/guide/install.html', 301),
  '/docs/away': to('http://169.254.169.254/latest/meta-data/'),
  '/docs/unlisted.html': html(page('Unlisted', '<p>In the sitemap alone.</p>')),
  '/docs/copy.html': html(
    page('Copy', '<p>Copy of installing.</p>', '<link rel="canonical" href="/docs/guide/install.html">'),
  ),
  '/docs/latin.html': html(
    Buffer.from(
      '<html><head><meta charset="windows-1252"><title>Latin</title></head><body><main><h1>Caf\u00e9</h1><p>Cr\u00e8me br\u00fbl\u00e9e and more words.</p></main></body></html>',
      'latin1',
    ),
    'text/html',
  ),
  '/docs/img/one.png': pixel,
  '/img/two.png': pixel,
  '/blog/': html(page('Blog', '<p>never asked</p>')),
}

describeSqlite('importing a website', ({ open }) => {
  let api: TestClient
  let admin: Person
  let organization: OrganizationId
  let web: WebServer
  let site: Site = {}

  beforeAll(async () => {
    web = await serveWeb((request, response) => {
      const answer = site[request.url!]
      if (typeof answer === 'function') answer(request, response)
      else if (answer === undefined) response.writeHead(404).end()
      else response.end(answer)
    })
    api = await openTestClient(await open(), routes, { remote: web.remote })
    admin = await api.person('admin')
    organization = await api.organization(admin)
  })
  beforeEach(() => void web.requests.splice(0))
  afterEach(() => void (site = {}))
  afterAll(async () => {
    await api.services.background.close()
    await web.close()
  })

  async function createSpace(): Promise<string> {
    const wanted = { title: 'Space', editMode: 'live' }
    return (await api.request(admin, 'POST', `/orgs/${organization}/spaces`, wanted)).body.id
  }
  const importInto = (space: string, path: string, person = admin) =>
    api.request(person, 'POST', `/spaces/${space}/content/import`, { url: web.url + path, source: 'website' })
  async function begin(space: string, path: string): Promise<ImportRun> {
    const answer = await api.server.inject({
      method: 'POST',
      url: `/v1/spaces/${space}/content/import`,
      headers: { authorization: `Bearer ${admin.token}`, prefer: 'respond-async' },
      payload: { url: web.url + path, source: 'website' },
    })
    expect(answer.statusCode, answer.body).toBe(202)
    expect(answer.headers['location']).toBe(answer.json().urls.location)
    return answer.json()
  }
  const runOf = async (space: string, id: string): Promise<ImportRun> =>
    (await api.request(admin, 'GET', `/spaces/${space}/imports/${id}`)).body
  async function untilEnded(space: string, id: string): Promise<ImportRun> {
    await expect.poll(async () => (await runOf(space, id)).status).not.toBe('in-progress')
    return runOf(space, id)
  }
  async function pagesOf(space: string): Promise<Page[]> {
    return (await api.request(admin, 'GET', `/spaces/${space}/content/pages`)).body.pages
  }
  const outline = (pages: readonly Page[]): unknown[] =>
    pages.map(({ title, path, pages: below = [] }) =>
      below.length === 0 ? `${title} ${path}` : [`${title} ${path}`, outline(below)],
    )
  async function textAt(space: string, path: string): Promise<string> {
    const place = `/spaces/${space}/content/path/${encodeURIComponent(path)}?format=markdown`
    return (await api.request(admin, 'GET', place)).body.markdown
  }
  const headOf = async (space: string): Promise<string> =>
    (await api.request(admin, 'GET', `/spaces/${space}`)).body.revision

  async function fetchesOf(space: string): Promise<number> {
    const rows = await api.services.database.read
      .selectFrom('import_fetches')
      .select('name')
      .where('organization_id', '=', organization)
      .where('space_id', '=', space as SpaceId)
      .execute()
    return rows.length
  }

  it('imports its pages, images, links and menu', async () => {
    site = {
      ...docs,
      '/robots.txt': `User-agent: *\nDisallow: /docs/secret\nSitemap: ${web.url}/map.xml\n`,
      '/map.xml': `<sitemapindex><sitemap><loc>${web.url}/packed.xml.gz</loc></sitemap></sitemapindex>`,
      '/packed.xml.gz': gzipSync(
        `<urlset><url><loc>${web.url}/docs/unlisted.html</loc></url><url><loc>${web.url}/blog/</loc></url>
        <url><loc><![CDATA[${web.url}/docs/latin.html?a=1&b=2]]></loc></url>
        <url><loc>${web.url}/docs/copy.html</loc></url></urlset>`,
      ),
      '/docs/latin.html?a=1&b=2': docs['/docs/latin.html']!,
    }
    const id = await createSpace()
    const answer = await importInto(id, '/docs/')
    expect(answer.status, answer.text).toBe(201)
    expect(outline(await pagesOf(id))).toEqual([
      'Welcome readme',
      'Café latin-a-1-b-2',
      'Unlisted unlisted',
      'First in capitals guide/FIRST',
      ['Guide guide', [['Installing guide/install', ['On Linux guide/linux']], 'First steps guide/first-1']],
      ['Reference reference', ['Deep reference/deep/one']],
    ])
    const paths = (await pagesOf(id)).flatMap(function all(one): string[] {
      return [one.path!, ...(one.pages ?? []).flatMap(all)]
    })
    const welcome = await textAt(id, 'readme')
    for (const there of [
      '(guide/install.md#linux)',
      '[the old page](guide/install.md)',
      '(guide/first-1.md)',
    ])
      expect(welcome).toContain(there)
    for (const outside of ['/docs/secret/plan.html)', '/blog/)', '/docs/gone.html)', 'files/paper.pdf'])
      expect(welcome).toContain(outside)
    expect(welcome).not.toContain('Site header')
    expect(welcome).not.toContain('Copyright')
    expect(await textAt(id, 'guide/linux')).toContain(
      '[installing](install.md#linux), [1](install.md#linux), [2](install.md#linux), [3](install.md#none)',
    )
    expect(paths).not.toContain('copy')

    // Three images with equal bytes are one file, and a missing one stays a link.
    const files = (await api.request(admin, 'GET', `/spaces/${id}/content/files`)).body.items
    expect(files).toHaveLength(1)
    expect(welcome.split('.gitbook/assets/').length - 1).toBe(3)
    expect(welcome).toContain('/docs/img/lost.png')

    // Disallowed URLs and URLs outside of the site were never requested.
    for (const path of [
      '/docs/secret/plan.html',
      '/blog/',
      '/docs/reference/index.html',
      '/docs/files/paper.pdf',
    ])
      expect(web.requests).not.toContain(path)
    expect(web.requests.filter((path) => path === '/docs/guide/first.html')).toHaveLength(1)
    expect(answer.body.pages).toBe(paths.filter((path) => path !== 'guide').length)
    const problems = answer.body.problems.map(
      ({ path, message }: { path: string; message: string }) => `${path} ${message}`,
    )
    for (const problem of [
      '/docs/gone.html It answered 404',
      '/docs/genindex.html Made by a program',
      '/docs/secret/plan.html The robots.txt',
      'img/lost.png The picture',
    ])
      expect(
        problems.some((one: string) => one.includes(problem)),
        problem,
      ).toBe(true)
    // Importing again gives the same revision.
    expect((await importInto(id, '/docs/')).body.revision).toBe(answer.body.revision)
  })

  it('derives the tree from the folders when there is no menu', async () => {
    const plain = (title: string, body: string) =>
      html(`<title>${title}</title><main><h1>${title}</h1>${body}</main>`)
    site = {
      '/a/': plain('Start', '<a href="b/">b</a> <a href="c.html">c</a>'),
      '/a/b/': plain('Folder', '<a href="d.html">d</a>'),
      '/a/b/d.html': plain('Inside', '<p>Words.</p>'),
      '/a/c.html': plain('Beside', '<p>Words.</p>'),
    }
    const id = await createSpace()
    expect((await importInto(id, '/a/')).status).toBe(201)
    expect(outline(await pagesOf(id))).toEqual(['Start readme', ['Folder b', ['Inside b/d']], 'Beside c'])
  })

  it('derives the tree from link relations when there is no menu', async () => {
    const page = (title: string, head: string, crumbs: string, links = '') =>
      `<!doctype html><html><head><title>${title}</title>${head}</head><body>${crumbs}<main><h1>${title}</h1><p>About ${title}.</p>${links}</main></body></html>`
    const link = (rel: string, to: string) => `<link rel="${rel}" href="/manual/${to}">`
    const data = (...items: readonly (readonly [string, string])[]) =>
      `<script type="application/ld+json">${JSON.stringify({
        '@context': 'https://schema.org',
        '@graph': [
          {
            '@type': 'BreadcrumbList',
            itemListElement: items.map(([name, to], at) => ({
              '@type': 'ListItem',
              position: at + 1,
              name,
              item: to === '' ? { '@id': `${web.url}/manual/` } : `${web.url}/manual/${to}`,
            })),
          },
        ],
      })}</script>`
    const optionsHtml =
      '<nav class="theme-doc-breadcrumbs" aria-label="Breadcrumbs"><ul class="breadcrumbs"><li><a aria-label="Home page" href="/manual/"><svg></svg></a></li>' +
      '<li><span>Reference</span></li><li class="breadcrumbs__item--active"><span>Options</span></li></ul></nav>'
    const bar =
      '<div class="related" role="navigation" aria-label="related navigation"><h3>Navigation</h3><ul>' +
      '<li class="right"><a href="/manual/genindex" accesskey="I">index</a></li><li class="right"><a href="/manual/usage" accesskey="N">next</a> |</li><li class="right"><a href="/manual/setup" accesskey="P">previous</a> |</li>' +
      '<li class="nav-item nav-item-0"><a href="/manual/">Manual</a> &#187;</li><li class="nav-item nav-item-1"><a href="/manual/setup" accesskey="U">Setup</a> &#187;</li><li class="nav-item nav-item-this"><a href="">On a Mac</a></li></ul></div>'
    const all = ['setup', 'linux', 'mac', 'usage', 'options', 'loop', 'pool', 'lost']
    site = {
      '/manual/': page(
        'Manual',
        link('next', 'usage'),
        '',
        all.map((one) => `<p><a href="/manual/${one}">${one}</a></p>`).join(''),
      ),
      // After the first page, and before the others alphabetically.
      '/manual/usage': page('Usage', link('next', 'setup') + link('up', ''), ''),
      '/manual/setup': page('Setup', data(['Manual', ''], ['Setup', 'setup']), ''),
      '/manual/linux': page(
        'On Linux',
        data(['Manual', ''], ['Setup', 'setup'], ['On Linux', 'linux']) + '<script>{"@type"</script>',
        '',
      ),
      '/manual/mac': page('On a Mac', '', bar),
      '/manual/options': page('Options', '', optionsHtml),
      '/manual/loop': page('Loop', link('up', 'pool'), ''),
      '/manual/pool': page('Pool', link('up', 'loop'), ''),
      '/manual/lost': page('Lost', '', ''),
    }
    const space = await createSpace()
    expect((await importInto(space, '/manual/')).status).toBe(201)
    expect(outline(await pagesOf(space))).toEqual([
      'Manual readme',
      'Usage usage',
      ['Setup setup', ['On Linux linux', 'On a Mac mac']],
      ['Pool pool', ['Loop loop']],
      'Lost lost',
      ['Reference reference', ['Options options']],
    ])
  })

  it('terminates on endless sites', async () => {
    let made = 0
    const endless: RequestListener = (request, response) => {
      made += 1
      const { pathname } = new URL(request.url!, web.url)
      const links = [
        `${pathname}?page=${made}&sort=${made}`,
        `${pathname}/more`,
        `/trap/calendar/${2000 + made}/${made % 12}/`,
        `/trap/x;jsessionid=${made}`,
        `/trap/x?PHPSESSID=${made}`,
      ]
      const body = links.map((link) => `<a href="${link}">on</a>`).join(' ')
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<h1>${pathname}</h1><p>${made}</p>${body}`)
    }
    site = new Proxy({} as Site, {
      get: (_, path) => (String(path).startsWith('/trap') ? endless : undefined),
    })
    const id = await createSpace()
    // Longer than any response takes on a busy machine.
    const run = await begin(id, '/trap/')
    const { result } = await untilEnded(id, run.id)
    expect(made).toBeLessThan(1_000)
    expect(web.requests.filter((path) => path === '/trap/x')).toHaveLength(1)
    expect(web.requests.filter((path) => /sess/i.test(path))).toEqual([])
    expect(result!.problems.some(({ message }) => message.includes('repeats itself'))).toBe(true)
  })

  describe('refuses', () => {
    it.each<[string, Site, string]>([
      [
        'a site that forbids it',
        { '/robots.txt': 'User-agent: *\nDisallow: /\n', '/a/': html('<h1>A</h1>') },
        'robots.txt',
      ],
      [
        'a site whose robots.txt cannot be read',
        { '/robots.txt': (_, r) => r.writeHead(503).end(), '/a/': html('<h1>A</h1>') },
        'robots.txt',
      ],
      ['a page that is not there', {}, '404'],
      ['a way to a private address', { '/a/': to('http://10.0.0.1/') }, 'public internet'],
      ['a way without an end', { '/a/': to('/a/') }, 'redirects more than'],
      ['what is no page', { '/a/': html('{}', 'application/json') }, 'no page of HTML'],
    ])('%s', async (_, refusedSite, problem) => {
      site = refusedSite
      const id = await createSpace()
      const before = await headOf(id)
      const answer = await importInto(id, '/a/')
      expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(problem)])
      expect(await headOf(id)).toBe(before)
      const [run] = (await api.request(admin, 'GET', `/spaces/${id}/imports`)).body.items
      expect(run).toMatchObject({
        status: 'failed',
        error: { code: 400, message: answer.body.error.message },
      })
    })
  })

  it('reads robots.txt before anything else, and obeys it for pictures and on the way', async () => {
    const robots = 'User-agent: *\nDisallow: /a/private\nDisallow: /img/no\n'
    site = {
      '/robots.txt': robots,
      '/a/': html(
        '<main><h1>A</h1><p><a href="moved.html">moved</a> <a href="b.html">b</a></p><img src="/img/no.png"><img src="/img/via.png"><img src="/img/yes.png"></main>',
      ),
      '/a/moved.html': to('/a/private/plan.html'),
      '/a/private/plan.html': html('<h1>Plan</h1>'),
      '/a/b.html': html('<main><h1>B</h1><p>b</p></main>'),
      '/img/no.png': pixel,
      '/img/via.png': to('/img/no.png'),
      '/img/yes.png': pixel,
      '/closed': to('/a/private/plan.html'),
    }
    const id = await createSpace()
    const answer = await importInto(id, '/a/')
    expect(answer.status, answer.text).toBe(201)
    expect(web.requests[0]).toBe('/robots.txt')
    for (const path of ['/a/private/plan.html', '/img/no.png']) expect(web.requests).not.toContain(path)
    expect(answer.body.problems).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          path: `${web.url}/a/moved.html`,
          message: `It redirects to ${web.url}/a/private/plan.html, which the robots.txt of the site does not allow: left out.`,
        }),
        expect.objectContaining({
          path: `${web.url}/img/no.png`,
          message: expect.stringContaining('robots.txt'),
        }),
        expect.objectContaining({
          path: `${web.url}/img/via.png`,
          message: expect.stringContaining('redirects'),
        }),
      ]),
    )
    expect((await importInto(await createSpace(), '/closed')).body.error.message).toContain('robots.txt')
    expect(web.requests).not.toContain('/a/private/plan.html')
  })

  it('lists every redirect that it does not follow', async () => {
    const paths = Array.from({ length: 30 }, (_, at) => `/a/r${at}x.html`)
    site = {
      '/a/': html(
        `<main><h1>A</h1><p>a</p>${[...paths, 'paper', 'refreshed.html'].map((path) => `<a href="${path}">x</a>`).join(' ')}</main>`,
      ),
      '/a/paper': to('/a/paper.pdf'),
      '/a/refreshed.html': html(
        '<head><meta http-equiv="refresh" content="0; url=https://elsewhere.test/"></head><main><h1>Gone</h1><p>Elsewhere.</p></main>',
      ),
      ...Object.fromEntries(paths.map((path) => [path, to('http://169.254.169.254/latest/')])),
    }
    const { body } = await importInto(await createSpace(), '/a/')
    const refused = body.problems.filter(({ message }: { message: string }) => message.includes('redirect'))
    expect(refused).toHaveLength(paths.length + 2)
    expect(refused).toContainEqual({
      kind: 'left-out',
      path: `${web.url}${paths[0]}`,
      message: 'It redirects to http://169.254.169.254/latest/, out of the site: left out.',
    })
    expect(refused).toContainEqual({
      kind: 'left-out',
      path: `${web.url}/a/paper`,
      message: `It redirects to ${web.url}/a/paper.pdf, which is no page: left out.`,
    })
    expect(refused.find(({ kind }: { kind: string }) => kind === 'conversion').message).toContain(
      'its redirect to https://elsewhere.test/',
    )
  })

  it('respects the crawl delay, one page after the other', async () => {
    let busy = 0
    const times: number[] = []
    const slow =
      (text: string): RequestListener =>
      (_, response) => {
        times.push(performance.now())
        response.writeHead(200, { 'content-type': 'text/html' }).end(text)
      }
    site = {
      '/robots.txt': 'User-agent: Octavo\nCrawl-delay: 0.2\n',
      '/a/': slow('<h1>A</h1><a href="b.html">b</a><a href="c.html">c</a>'),
      '/a/b.html': slow('<h1>B</h1>'),
      '/a/c.html': (request, response) => {
        if ((busy += 1) === 1) response.writeHead(429, { 'retry-after': '1' }).end()
        else slow('<h1>C</h1>')(request, response)
      },
    }
    const id = await createSpace()
    expect((await importInto(id, '/a/')).body.pages).toBe(3)
    const gaps = times.slice(2).map((time, at) => time - times[at + 1]!)
    expect(Math.min(...gaps)).toBeGreaterThan(190)
  })

  /** A chain of pages of which one blocks until it is released. */
  function chain(length: number, held: number): { site: Site; release: () => void; reached: Promise<void> } {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    let tell = (): void => {}
    const reached = new Promise<void>((resolve) => (tell = resolve))
    const pages = Array.from({ length }, (_, at): [string, RequestListener] => [
      at === 0 ? '/long/' : `/long/${at}.html`,
      async (_request, response) => {
        if (at === held) {
          tell()
          await released
        }
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(`<main><h1>Page ${at}</h1><p>Text ${at}</p><a href="${at + 1}.html">on</a></main>`)
      },
    ])
    return { site: Object.fromEntries(pages), release, reached }
  }

  it('reports its progress, and leaves nothing when it is cancelled', async () => {
    const long = chain(10, 6)
    site = long.site
    const id = await createSpace()
    const before = await headOf(id)
    const run = await begin(id, '/long/')
    await long.reached
    await expect.poll(async () => (await runOf(id, run.id)).progress.done).toBeGreaterThanOrEqual(6)
    expect(await runOf(id, run.id)).toMatchObject({
      status: 'in-progress',
      progress: { stage: 'fetching', done: 6 },
    })
    const other = await api.person('other')
    await api.join(organization, other, 'read')
    expect((await api.request(other, 'POST', `/spaces/${id}/imports/${run.id}/cancel`)).status).toBe(403)
    const cancelled = await api.request(admin, 'POST', `/spaces/${id}/imports/${run.id}/cancel`)
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled'])
    expect((await api.request(admin, 'POST', `/spaces/${id}/imports/${run.id}/cancel`)).status).toBe(409)
    await pause(1_500)
    long.release()
    await pause(300)
    expect(web.requests).not.toContain('/long/7.html')
    expect(await headOf(id)).toBe(before)
    expect(await runOf(id, run.id)).toMatchObject({ status: 'cancelled' })
    expect(await fetchesOf(id)).toBe(0)
  })

  it('resumes an interrupted import when it is requested again', async () => {
    const long = chain(80, -1)
    let isAway = true
    const away: RequestListener = (request, response) => {
      const isLate = Number(/\d+/.exec(request.url!)?.[0] ?? 0) >= 10
      if (isAway && isLate) response.destroy()
      else (long.site[request.url!] as RequestListener)(request, response)
    }
    // The start page links to all pages, so that many fail in a row.
    const all = Array.from({ length: 79 }, (_, at) => `<a href="${at + 1}.html">on</a>`).join('')
    site = {
      ...Object.fromEntries(Object.keys(long.site).map((path) => [path, away])),
      '/long/': html(`<main><h1>Start</h1><p>Words</p>${all}</main>`),
    }
    const id = await createSpace()
    const before = await headOf(id)
    const broken = await importInto(id, '/long/')
    expect(broken.status).toBe(400)
    expect(await headOf(id)).toBe(before)
    isAway = false
    web.requests.splice(0)
    const whole = await importInto(id, '/long/')
    expect(whole.body.pages).toBe(80)
    for (const path of ['/long/1.html', '/long/5.html', '/long/9.html'])
      expect(web.requests).not.toContain(path)
    expect(web.requests).toContain('/long/10.html')
    const runs = (await api.request(admin, 'GET', `/spaces/${id}/imports`)).body
    expect(runs.items.map(({ status }: ImportRun) => status)).toEqual(['completed', 'failed'])
    expect(await fetchesOf(id)).toBe(0)
  })

  it('ends with the process, and reports it', async () => {
    const long = chain(10, 5)
    site = long.site
    const id = await createSpace()
    const parts = { remote: web.remote }
    const other = await openTestClient(api.services.database, routes, parts)
    const asking = other.request(admin, 'POST', `/spaces/${id}/content/import`, {
      url: `${web.url}/long/`,
      source: 'website',
    })
    await long.reached
    await other.services.background.close()
    expect((await asking).status).toBe(503)
    long.release()
    const [run] = (await api.request(admin, 'GET', `/spaces/${id}/imports`)).body.items
    expect(run).toMatchObject({ status: 'failed', error: { code: 503 } })
    web.requests.splice(0)
    expect((await importInto(id, '/long/')).body.pages).toBe(10)
    expect(web.requests).not.toContain('/long/2.html')
  })

  it('allows two imports into one space, one after the other', async () => {
    site = { '/a/': html('<main><h1>A</h1><p>a</p></main>'), '/b/': html('<main><h1>B</h1><p>b</p></main>') }
    const id = await createSpace()
    const answers = await Promise.all([importInto(id, '/a/'), importInto(id, '/b/')])
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    const head = await headOf(id)
    expect(answers.map(({ body }) => body.revision)).toContain(head)
    const titles = (await pagesOf(id)).map(({ title }) => title)
    expect([['A'], ['B']]).toContainEqual(titles)
  })

  it('ends without a revision when the space or the permission of the actor is gone', async () => {
    for (const end of ['space', 'right'] as const) {
      const long = chain(6, 3)
      site = long.site
      const id = await createSpace()
      const before = await headOf(id)
      const writer = await api.person(`writer of ${end}`)
      await api.join(organization, writer, 'edit')
      const asking = importInto(id, '/long/', writer)
      await long.reached
      if (end === 'space') await api.request(admin, 'DELETE', `/spaces/${id}`)
      else await api.request(admin, 'DELETE', `/orgs/${organization}/members/${writer.id}`)
      long.release()
      expect((await asking).status).toBe(404)
      expect(await headOf(id)).toBe(before)
    }
  })

  it('is limited to a few concurrent runs per organization', async () => {
    const long = chain(4, 1)
    site = long.site
    const id = await createSpace()
    const runs = [
      await begin(id, '/long/'),
      await begin(id, '/long/'),
      await begin(id, '/long/'),
      await begin(id, '/long/'),
    ]
    const fifth = await importInto(id, '/long/')
    expect([fifth.status, fifth.body.error.message]).toEqual([429, expect.stringContaining('4 things')])
    long.release()
    for (const run of runs) expect((await untilEnded(id, run.id)).status).toBe('completed')
    expect((await importInto(id, '/long/')).status).toBe(201)
  })

  it('is in the audit log once, when it ends', async () => {
    site = { '/a/': html('<main><h1>A</h1><p>a</p></main>') }
    const id = await createSpace()
    const run = await begin(id, '/a/')
    const ended = await untilEnded(id, run.id)
    expect(ended).toMatchObject({ status: 'completed', revision: await headOf(id), result: { pages: 1 } })
    const events = (await api.request(admin, 'GET', `/orgs/${organization}/audit?limit=1000`)).body.items
    const mine = events.filter((one: object) => JSON.stringify(one).includes(id))
    expect(mine.filter((one: object) => JSON.stringify(one).includes('importContentInSpace'))).toHaveLength(1)
  })
})
