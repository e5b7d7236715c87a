/** Published site over a real connection: the fast path of cached pages, and navigation in a browser. */
import { browserPath } from './browser.js'
import { type TestBrowser, openBrowser } from './shared-browser.js'
import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OrganizationId, SpaceId } from '../src/core/ids.js'
import { indexSpace } from '../src/resources/search/index-space.js'
import type { Person } from './test-client.js'
import { describeSqlite } from './engines.js'
import { type SiteClient, openSiteClient } from './site-client.js'

if (!existsSync(browserPath))
  process.stderr.write(
    `no browser at ${browserPath}: its test is skipped (OCTAVO_TEST_BROWSER names another)\n`,
  )

const longLine = `${'`'.repeat(3)}\n${'a very long line of code '.repeat(20)}\n${'`'.repeat(3)}`
const wideTable = `| ${'column | '.repeat(12)}\n| ${'--- | '.repeat(12)}\n| ${'value | '.repeat(12)}`

describeSqlite('a site over a connection', (engine) => {
  let api: SiteClient
  let ann: Person
  let acme: OrganizationId
  let space: { id: string; pages: ReadonlyMap<string, string> }
  let base: string
  let port: number
  let host: string

  beforeAll(async () => {
    api = await openSiteClient(await engine.open())
    ann = await api.person('ann')
    acme = await api.organization(ann)
    space = await api.space(ann, acme, 'Guide', [
      { slug: 'start', markdown: `# Start\n\n${longLine}\n\n${wideTable}\n` },
      { slug: 'zebra', markdown: '# Zebra\n\n## Stripes\n\nBlack and white quaggas.\n' },
      { slug: 'horse', markdown: '# Horse\n\nOf one colour.\n' },
      {
        slug: 'parts',
        markdown:
          '# Parts\n\n[Elsewhere](https://elsewhere.example/a?b=c)\n\n<details>\n\n<summary>More</summary>\n\nWords.\n\n</details>\n',
      },
    ])
    ;({ base } = await api.publish(ann, acme, { title: 'Docs', spaces: [space.id] }))
    await indexSpace({
      services: api.services,
      spaceId: space.id as SpaceId,
      signal: new AbortController().signal,
      now: Date.now,
    })
    await api.server.listen({ host: '127.0.0.1', port: 0 })
    port = (api.server.server.address() as AddressInfo).port
    host = `http://127.0.0.1:${port}`
  })
  afterAll(() => api.server.close())

  /** With the `Host` of the product, which the fast path requires; `fetch` cannot set the header. */
  async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
    const { request } = await import('node:http')
    return new Promise<{ status: number; text: string; bytes: Buffer; headers: Record<string, unknown> }>(
      (resolve, reject) => {
        const sent = request(
          { host: '127.0.0.1', port, path, method, headers: { host: 'octavo.test', ...headers } },
          (answer) => {
            const chunks: Buffer[] = []
            answer.on('data', (chunk: Buffer) => chunks.push(chunk))
            answer.on('end', () => {
              const bytes = Buffer.concat(chunks)
              resolve({
                status: answer.statusCode!,
                text: bytes.toString(),
                bytes,
                headers: answer.headers,
              })
            })
          },
        )
        sent.on('error', reject).end()
      },
    )
  }

  test('the router and the fast path return equal pages, and both show an edit', async () => {
    const url = `${base}zebra`
    const withoutTimes = ({ date: _date, 'keep-alive': _alive, ...headers }: Record<string, unknown>) =>
      headers
    const [first, second] = [await get(url), await get(url)]
    expect(first.status).toBe(200)
    expect(second.text).toBe(first.text)
    expect(withoutTimes(second.headers)).toEqual(withoutTimes(first.headers))
    const etag = String(first.headers['etag'])
    expect(await get(url, { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' })
    const head = await get(url, {}, 'HEAD')
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      String(Buffer.byteLength(first.text)),
    ])

    for (const word of ['Grey', 'Brown']) {
      await api.change(ann, space.id, [
        {
          operation: 'update_page',
          page: space.pages.get('zebra'),
          document: { markdown: `# Zebra\n\n## Stripes\n\n${word} quaggas.\n` },
        },
      ])
      const changed = await get(url, { 'if-none-match': etag })
      expect(changed.status).toBe(200)
      expect(changed.text).toContain(`${word} quaggas.`)
    }
    const { items } = (await api.request(ann, 'GET', `/orgs/${acme}/sites`)).body
    await api.request(ann, 'POST', `/orgs/${acme}/sites/${items[0].id}/unpublish`)
    expect((await get(url)).status).toBe(404)
    await api.request(ann, 'POST', `/orgs/${acme}/sites/${items[0].id}/publish`)
    expect((await get(url)).status).toBe(200)
  })

  test.each(['zebra', 'nothing-here', '~octavo/search?q=quaggas', '?q=quaggas'])(
    'what leaves compressed is the same, and is known by its own tag: %s',
    async (path) => {
      const url = base + path
      const whole = await get(url)
      const tags = new Set([whole.headers['etag']])
      expect(whole.headers).toMatchObject({ vary: expect.stringMatching(/^accept-encoding(?:, accept)?$/) })
      const { vary } = whole.headers
      expect(whole.headers['content-encoding']).toBeUndefined()
      for (const [accepted, encoding, decode] of [
        ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
        ['gzip;q=1, br;q=0.5', 'gzip', gunzipSync],
      ] as const) {
        const headers = { 'accept-encoding': accepted }
        // The second response comes from the cache, where it is cached.
        for (const turn of ['first', 'second']) {
          const answer = await get(url, headers)
          expect(answer.status, turn).toBe(whole.status)
          expect(decode(answer.bytes).toString()).toBe(whole.text)
          expect(answer.headers).toMatchObject({
            'content-encoding': encoding,
            'content-length': String(answer.bytes.length),
            'content-type': whole.headers['content-type'],
            'cache-control': whole.headers['cache-control'],
            vary,
          })
          tags.add(answer.headers['etag'])
          const head = await get(url, headers, 'HEAD')
          expect([head.bytes.length, head.headers['content-length']]).toEqual([
            0,
            answer.headers['content-length'],
          ])
        }
      }
      expect(tags.size).toBe(3)
      if (whole.status !== 200) return
      const [plain, br, gzip] = [...tags].map(String) as [string, string, string]
      for (const [accepted, own, other] of [
        ['identity', plain, br],
        ['br', br, gzip],
        ['gzip', gzip, plain],
      ] as const) {
        const headers = { 'accept-encoding': accepted }
        const known = await get(url, { ...headers, 'if-none-match': `"x", ${own}` })
        expect([known.status, known.text]).toEqual([304, ''])
        expect(known.headers).toMatchObject({ etag: own, vary: expect.stringMatching(/^accept-encoding/) })
        expect((await get(url, { ...headers, 'if-none-match': other })).status).toBe(200)
      }
    },
  )

  const cachedBytes = () => {
    const found = api.services.caches.stats().find(({ kind }) => kind === 'rendered page')
    return found?.bytes ?? 0
  }

  test('pages are compressed once, and pages requested once are not cached', async () => {
    const headers = { 'accept-encoding': 'br' }
    await get(`${base}zebra.md`, headers)
    const bytes = cachedBytes()
    expect(bytes).toBeGreaterThan(0)
    for (const path of ['zebra.md', 'nothing', '~octavo/search?q=a', '?q=b'])
      expect((await get(base + path, headers)).headers['content-encoding'], path).toBe('br')
    expect(cachedBytes()).toBe(bytes)
  })

  test('a page is cached in the requested encoding only', async () => {
    const before = cachedBytes()
    const packed = await get(`${base}horse`, { 'accept-encoding': 'gzip' })
    const bytes = cachedBytes()
    const plain = await get(`${base}horse`)
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true)
    expect(bytes - before).toBeGreaterThan(packed.bytes.length)
    expect(bytes - before).toBeLessThan(plain.bytes.length)
    expect(cachedBytes() - bytes).toBeGreaterThan(plain.bytes.length)
  })

  test('cached compressed pages take one lookup each, except every sixteenth', async () => {
    const headers = { 'accept-encoding': 'br' }
    const { bytes } = await get(base, headers)
    const hits = () => api.services.caches.stats().reduce((sum, kind) => sum + kind.hits, 0)
    const before = hits()
    for (let turn = 0; turn < 32; turn++)
      expect((await get(base, headers)).bytes.equals(bytes), String(turn)).toBe(true)
    expect(hits() - before).toBeGreaterThanOrEqual(32)
    expect(hits() - before).toBeLessThanOrEqual(32 + 3)
  })

  test('the style sheet and the program leave as they were compressed when they were built', async () => {
    const { text } = await get(base)
    const hrefs = [...text.matchAll(/(?:href|src)="(\/~octavo\/assets\/[^"]+)"/g)].map(([, href]) => href!)
    expect(hrefs).toHaveLength(2)
    for (const href of hrefs) {
      const whole = await get(href)
      const [br, gzip] = await Promise.all(
        ['br', 'gzip'].map((encoding) => get(href, { 'accept-encoding': encoding })),
      )
      expect(brotliDecompressSync(br!.bytes).equals(whole.bytes), href).toBe(true)
      expect(gunzipSync(gzip!.bytes).equals(whole.bytes), href).toBe(true)
      expect(new Set([whole, br!, gzip!].map(({ headers }) => headers['etag'])).size).toBe(3)
      for (const { headers } of [whole, br!, gzip!]) {
        expect(headers).toMatchObject({ vary: 'accept-encoding' })
        expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
      }
      const known = await get(href, { 'accept-encoding': 'br', 'if-none-match': String(br!.headers['etag']) })
      expect(known.status).toBe(304)
    }
  })

  describe.skipIf(!existsSync(browserPath))('from page to page', () => {
    let browser: TestBrowser
    let page: Page
    const link = (title: string) => page.locator('.navigation a', { hasText: title })
    const scrolled = () => page.evaluate('Math.round(scrollY)')
    /** Collects the beacons that a page sends to the site from now on, with the status of each response. */
    function collectBeacons(telling: Page): [path: string, said: string | null, status: number][] {
      const beacons: [string, string | null, number][] = []
      telling.on('response', (answer) => {
        const [, path] = answer.url().split('~octavo/')
        const request = answer.request()
        if (request.method() === 'POST') beacons.push([path!, request.postData(), answer.status()])
      })
      return beacons
    }
    /** True until a new document is loaded. */
    const isSameDocument = () => page.evaluate('window.isSameDocument === true')

    beforeAll(async () => {
      browser = await openBrowser()
    })
    afterAll(() => browser.close())
    beforeEach(async () => {
      page = await browser.newPage({ viewport: { width: 1280, height: 240 } })
      page.setDefaultTimeout(6_000)
      // The first view is reported before a test begins to listen to beacons.
      await Promise.all([
        page.waitForResponse((answer) => answer.url().includes('~octavo/view/')),
        page.goto(host + base),
      ])
      await page.evaluate('window.isSameDocument = true')
    })
    afterEach(() => page.close())

    test('a hovered link is prefetched, and its page opens on click without another request', async () => {
      const requests: string[] = []
      page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
      await Promise.all([
        page.waitForResponse((answer) => answer.url().endsWith('/zebra')),
        link('Zebra').hover(),
      ])
      await link('Zebra').click()
      await page.waitForURL(/\/zebra$/)
      expect(await page.title()).toBe('Zebra | Docs')
      expect(await page.locator('h1').textContent()).toBe('Zebra')
      expect(await page.locator('[aria-current=page]').textContent()).toContain('Zebra')
      expect(await page.locator('link[rel=canonical]').getAttribute('href')).toMatch(/\/zebra$/)
      expect(await page.evaluate('document.activeElement.id')).toBe('octavo-content')
      // Read out, as the title of a new document would be.
      await page.getByRole('status').filter({ hasText: 'Zebra | Docs' }).waitFor()
      expect(requests).toEqual([`GET ${base}zebra`, `POST ${base}~octavo/view/zebra`])
      expect(await isSameDocument()).toBe(true)
    })

    test('going back in history restores the scroll position', async () => {
      // A font that loads later makes lines higher, and the browser anchors its scroll position.
      await page.evaluate('document.fonts.ready.then(() => scrollTo(0, 150))')
      await page.waitForFunction('scrollY === 150')
      await link('Zebra').click()
      await page.waitForURL(/\/zebra$/)
      expect(await scrolled()).toBe(0)
      await page.locator('.small-outline, .outline, .body').locator('h2 a').first().click({ force: true })
      await page.waitForURL(/#stripes$/)
      await page.goBack()
      await page.waitForURL(/\/zebra$/)
      await page.goBack()
      await page.locator('h1', { hasText: 'Start' }).waitFor()
      await expect.poll(scrolled).toBe(150)
      await page.goForward()
      await page.locator('h1', { hasText: 'Zebra' }).waitFor()
      expect(await page.title()).toBe('Zebra | Docs')
      expect(await isSameDocument()).toBe(true)
    })

    test('a link to a heading of another page scrolls there, and the scripts of the page run once', async () => {
      await link('Zebra').click()
      await page.waitForURL(/\/zebra$/)
      await link('Start').click()
      await page.locator('h1', { hasText: 'Start' }).waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('strip')
      await page.getByRole('option', { name: 'Stripes' }).click()
      await page.waitForURL(/\/zebra#stripes$/)
      await page.waitForFunction(`document.querySelector(':target')?.textContent.includes('Stripes')`)
      expect(await page.locator('dialog').count()).toBe(0)
      await page.keyboard.press('Control+k')
      await page.locator('.search-dialog').waitFor()
      expect(await page.locator('dialog').count()).toBe(1)
      expect(await isSameDocument()).toBe(true)
    })

    test('the referrer is reported once, however many pages are opened', async () => {
      const beacons: (string | null)[] = []
      page.on('request', (request) => {
        if (request.url().includes('~octavo/view/')) beacons.push(request.postData())
      })
      await page.goto(host + base, { referer: 'https://elsewhere.example/' })
      await link('Zebra').click()
      await page.waitForURL(/\/zebra$/)
      await expect.poll(() => beacons).toEqual(['referrer=elsewhere.example', 'referrer='])
    })

    test('a click on a link to another host is reported with its host and position, one within the site is not', async () => {
      const beacons = collectBeacons(page)
      // Leaves the reader on the page, so that the response to the beacon can still be read.
      await page.route('https://elsewhere.example/**', (route) => route.fulfill({ status: 204 }))
      await link('Parts').click()
      await page.locator('.expandable').waitFor()
      await page.getByRole('link', { name: 'Elsewhere' }).click()
      await expect
        .poll(() => beacons.toSorted())
        .toEqual([
          ['view/parts', 'link=elsewhere.example&position=content', 204],
          ['view/parts', 'referrer=', 204],
        ])
    })

    test('an opened search result is reported with its query', async () => {
      const beacons = collectBeacons(page)
      await page.keyboard.press('/')
      await page.keyboard.type('strip')
      // The results of the first letters are displayed until then.
      await page.getByText('All results for “strip”').waitFor()
      await page.getByRole('option', { name: 'Stripes' }).click()
      await page.waitForURL(/\/zebra#stripes$/)
      await expect
        .poll(() => beacons.toSorted())
        .toEqual([
          ['view/zebra', 'query=strip', 204],
          ['view/zebra', 'referrer=', 204],
        ])
    })

    test('a page with rare blocks loads their style sheet', async () => {
      await link('Parts').click()
      const part = page.locator('.expandable')
      await part.waitFor()
      const lookOf = () =>
        page.evaluate('getComputedStyle(document.querySelector(".expandable")).borderTopStyle')
      expect(await lookOf()).toBe('solid')
      expect(await isSameDocument()).toBe(true)
      const sheets = '[...document.querySelectorAll("link[rel=stylesheet]")].map(({ href }) => href)'
      const swapped = await page.evaluate(sheets)
      await link('Zebra').click()
      await page.waitForURL(/\/zebra$/)
      await page.goBack()
      await part.waitFor()
      expect(await page.evaluate(sheets)).toEqual(swapped)
      expect(await isSameDocument()).toBe(true)
      await page.reload()
      expect(await lookOf()).toBe('solid')
      expect(await page.evaluate(sheets)).toEqual(swapped)
    })

    test('a slow page shows a progress indicator, and the last click counts', async () => {
      let send = () => {}
      const delay = new Promise<void>((resolve) => (send = resolve))
      await page.route('**/zebra', async (route) => {
        await delay
        await route.continue()
      })
      await link('Zebra').click()
      await page.locator('html.loading').waitFor({ state: 'attached' })
      send()
      await page.waitForURL(/\/zebra$/)
      expect(await page.locator('html.loading').count()).toBe(0)
      expect(await isSameDocument()).toBe(true)
    })

    test.each([
      [
        'another version of the program',
        (text: string) => ({ body: text.replaceAll('site.js?v=', 'site.js?v=x') }),
      ],
      [
        'another language',
        (text: string) => ({ body: text.replace('<html lang="en"', '<html lang="ar" dir="rtl"') }),
      ],
      ['an error', (text: string) => ({ body: text, status: 500 })],
      ['no page', (text: string) => ({ body: text, contentType: 'text/plain' })],
    ])('%s is opened by the browser', async (_, changed) => {
      const { text } = await get(`${base}zebra`)
      await page.route('**/zebra', (route) =>
        route.fulfill({ contentType: 'text/html; charset=utf-8', ...changed(text) }),
      )
      await link('Zebra').click()
      await page.waitForURL(/\/zebra$/)
      await expect.poll(isSameDocument).toBe(false)
    })

    test('a failed fetch, and a click for a new tab, are left to the browser', async () => {
      await page.route('**/zebra', (route) =>
        route.request().resourceType() === 'fetch' ? route.abort() : route.continue(),
      )
      const [opened] = await Promise.all([
        page.context().waitForEvent('page'),
        link('Zebra').click({ modifiers: ['Control'] }),
      ])
      await opened.waitForURL(/\/zebra$/)
      expect(await page.locator('h1').textContent()).toBe('Start')
      await link('Zebra').click()
      await page.waitForURL(/\/zebra$/)
      await expect.poll(isSameDocument).toBe(false)
    })
  })

  test.skipIf(!existsSync(browserPath))('a browser on a small screen reads and searches it', async () => {
    const browser = await openBrowser()
    try {
      const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
      page.setDefaultTimeout(6_000)
      const elsewhere: string[] = []
      const complaints: string[] = []
      page.on('request', (request) => {
        if (!request.url().startsWith(host) && !request.url().startsWith('data:'))
          elsewhere.push(request.url())
      })
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))

      const fetched: string[] = []
      page.on('request', (request) => fetched.push(request.url()))
      const dialogs = () => fetched.filter((url) => url.includes('/dialogs.')).length
      await page.goto(host + base)
      expect(await page.title()).toBe('Start | Docs')
      expect(dialogs()).toBe(0)
      // Written as text: the types of a browser are not available.
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
      expect(await page.evaluate('document.documentElement.classList.contains("js")')).toBe(true)

      await page.keyboard.press('Control+k')
      await page.keyboard.type('strip')
      const found = page.getByRole('group', { name: 'Zebra' }).getByRole('option', { name: 'Stripes' })
      expect(await found.locator('mark').first().textContent()).toBe('Stripes')
      await page.getByRole('button', { name: 'Close the search' }).click()
      expect(await found.isVisible()).toBe(false)
      await page.getByRole('link', { name: 'Search' }).click()
      await page.keyboard.type('strip')
      await found.click()
      await page.waitForURL(/\/zebra#stripes$/)
      expect(await page.locator('h1').textContent()).toBe('Zebra')
      expect(elsewhere).toEqual([])
      expect(complaints).toEqual([])
      expect(dialogs()).toBe(2)
    } finally {
      await browser.close()
    }
  })

  test.skipIf(!existsSync(browserPath))(
    'a browser that does not get the dialog searches by the ordinary pages',
    async () => {
      const browser = await openBrowser()
      try {
        const page = await browser.newPage({ viewport: { width: 1280, height: 740 } })
        page.setDefaultTimeout(6_000)
        await page.route('**/dialogs.*', (route) => route.abort())
        await page.goto(host + base)
        await page.getByRole('searchbox', { name: 'Search' }).click()
        await page.keyboard.type('strip')
        await page.keyboard.press('Enter')
        await page.waitForURL(/\?q=strip$/)
        expect(await page.getByRole('link', { name: 'Zebra' }).first().isVisible()).toBe(true)
        const display = `getComputedStyle(document.querySelector('.search-large')).display`
        expect(await page.evaluate(display)).toBe('flex')
        await page.goto(host + base)
        await page.keyboard.press('/')
        const focused = () => page.evaluate(`document.activeElement.matches('form[data-search] input')`)
        await expect.poll(focused).toBe(true)
      } finally {
        await browser.close()
      }
    },
  )
})
