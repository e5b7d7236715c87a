/** Static export of a site: a folder behind a plain file server, below a path, read by a program and by a browser. */
import { browserPath } from './browser.js'
import { openBrowser } from './shared-browser.js'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { type Server, createServer as createFileServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrganizationId, SiteId } from '../src/core/ids.js'
import { type StaticExport, writeStaticExport } from '../src/server/static-export/export-site.js'
import { findOrganization } from '../src/resources/organizations/store.js'
import { findSite } from '../src/resources/sites/store.js'
import { findAddresses } from '../src/site/static-export/markup.js'
import type { Person } from './test-client.js'
import { describeSqlite } from './engines.js'
import { plainCustomization } from './customization/samples.js'
import { processSpecs } from './openapi-specs.js'
import { type SiteClient, openSiteClient } from './site-client.js'

const below = '/some/where/'
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
}

/** Serves a folder as the simplest of servers do: a folder in it by its `index.html`. */
async function serveFolder(folder: string): Promise<Server> {
  const server = createFileServer(async (request, response) => {
    const { pathname } = new URL(request.url!, 'http://x')
    const inside = pathname.startsWith(below) ? decodeURIComponent(pathname.slice(below.length)) : 'none'
    const name = inside === '' || inside.endsWith('/') ? `${inside}index.html` : inside
    const bytes = await readFile(join(folder, normalize(name))).catch(() => undefined)
    response.writeHead(bytes === undefined ? 404 : 200, {
      'content-type':
        bytes === undefined ? types['.html']! : (types[extname(name)] ?? 'application/octet-stream'),
    })
    response.end(bytes ?? (await readFile(join(folder, '404.html'))))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

describeSqlite('the static export of a site', (engine) => {
  let siteClient: SiteClient
  let ann: Person
  let acme: OrganizationId
  /** What this test made, and alone removes. */
  let own: string | undefined
  let [folder, site, guide, host] = ['', '', '', '']
  let exported: StaticExport
  let server: Server | undefined

  const must = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await siteClient.request(ann, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  const write = async (target: string, more: { publicUrl?: string; server?: FastifyInstance } = {}) => {
    const { read } = siteClient.services.database
    const found = (await findSite(read, acme, site as SiteId))!
    const addressed = { ...found, organizationHostname: (await findOrganization(read, acme))!.hostname }
    return writeStaticExport({
      services: siteClient.services,
      server: siteClient.server,
      site: addressed,
      target,
      now: Date.now(),
      ...more,
    })
  }
  const namesIn = async (target: string) =>
    (await readdir(target, { recursive: true, withFileTypes: true }))
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name).slice(target.length + 1))
  const text = (name: string) => readFile(join(folder, name), 'utf8')

  beforeAll(async () => {
    siteClient = await openSiteClient(await engine.open())
    ann = await siteClient.person('ann')
    acme = await siteClient.organization(ann)
    guide = await siteClient.folder(ann, acme, 'Guide', {
      'README.md':
        '# Guide\n\nSee [setting up](setup/README.md#ports), [data](数据.md), and [the file](.gitbook/assets/run.html).\n\n![a picture](.gitbook/assets/dot.svg)\n',
      'SUMMARY.md':
        '# Table of contents\n\n* [Guide](README.md)\n* [Setup](setup/README.md)\n  * [Deep](setup/deep.md)\n* [数据](数据.md)\n\n## Further\n\n* [More](further/more.md)\n* [Secret](secret.md)\n\n## Made\n\n* ```yaml\n  type: builtin:openapi\n  title: Shop\n  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: shop\n  ```\n',
      'setup/README.md':
        '# Setup\n\n## Ports\n\nThe configuration of zebras.\n\n## Other\n\nQuaggas eat grass.\n',
      'setup/deep.md': '# Deep\n\nBack to [the guide](../README.md).\n',
      '数据.md': '# 数据\n\n如何安装数据库\n',
      'further/more.md': '# More\n\nMore of it.\n',
      'secret.md': '---\nif: visitor.claims.unsigned.staff\n---\n\n# Secret\n\nnobody knows xyzzy\n',
      '.gitbook.yaml': 'redirects:\n  old/place: setup/deep.md\n',
      '.gitbook/assets/run.html': '<script>alert(1)</script>',
      '.gitbook/assets/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>',
    })
    const paths = {
      '/ounces': {
        get: {
          operationId: 'listOunces',
          tags: ['ounces'],
          summary: 'List ounces',
          responses: { 200: { description: 'Done.' } },
        },
      },
    }
    await must('PUT', `/orgs/${acme}/openapi/shop`, {
      source: { text: JSON.stringify({ openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths }) },
    })
    await processSpecs(siteClient)
    const api = await siteClient.space(ann, acme, 'API', [
      { slug: 'calls', markdown: '# Calls\n\nzebras call.\n' },
    ])
    const french = await siteClient.space(ann, acme, 'Guide FR', [
      { slug: 'accueil', markdown: '# Accueil\n' },
    ])
    ;({ id: site } = await siteClient.publish(ann, acme, { title: 'Docs', spaces: [guide] }))
    const at = `/orgs/${acme}/sites/${site}`
    await must('PATCH', at, { adaptiveContent: { enabled: true } })
    await must('PUT', `${at}/customization`, { ...plainCustomization, feedback: { enabled: true } })
    const section = await must('POST', `${at}/sections`, { spaceId: api.id })
    const home = (await must('GET', `${at}/sections`)).items.find(({ id }: any) => id !== section.id)
    await must('PATCH', `/spaces/${french.id}`, { language: 'fr' })
    await must('POST', `${at}/site-spaces`, { spaceId: french.id, sectionId: home.id, title: 'Français' })
    await must('POST', `${at}/redirects`, {
      source: '/former/Calls',
      destination: { kind: 'site-section', siteSectionId: section.id },
    })
    await must('POST', `${at}/redirects`, {
      source: '/elsewhere',
      destination: { kind: 'external', url: 'https://octavo.test/else?a=1&b=2' },
    })
    own = await mkdtemp(join(tmpdir(), 'octavo-static-'))
    folder = join(own, 'site')
    exported = await write(folder)
    server = await serveFolder(folder)
    host = `http://127.0.0.1:${(server.address() as AddressInfo).port}${below}`
  })
  afterAll(async () => {
    server?.close()
    if (own !== undefined) await rm(own, { recursive: true })
  })

  /** Follows every address of every page, and answers what was met. */
  async function walk(): Promise<Map<string, { status: number; text: string }>> {
    const met = new Map<string, { status: number; text: string }>()
    const waiting = [host]
    for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
      if (met.has(address) || !address.startsWith(host)) continue
      const answer = await fetch(address)
      const text = await answer.text()
      met.set(address, { status: answer.status, text })
      if (!answer.headers.get('content-type')?.startsWith('text/html')) continue
      for (const { href, element } of findAddresses(text)) {
        if (element === 'meta') continue
        const next = new URL(href, address)
        next.hash = ''
        waiting.push(next.href)
      }
    }
    return met
  }

  test('every link of every page resolves, below any path', async () => {
    const met = await walk()
    const lost = [...met].filter(([, { status }]) => status !== 200).map(([address]) => address)
    expect(lost).toEqual([])
    const paths = [...met.keys()].map((address) => decodeURIComponent(address.slice(host.length)))
    for (const path of [
      '',
      'setup/',
      'setup/deep/',
      '数据/',
      'further/more/',
      'api/',
      'setup/deep.md',
      '数据.md',
      'made/shop/',
      'made/shop/ounces/',
      'made/shop/ounces.md',
    ])
      expect(paths, path).toContain(path)
    expect(paths.filter((path) => path.endsWith('français/'))).toHaveLength(1)
    expect(met.get(`${host}setup/`)!.text).toContain('The configuration of zebras.')
    expect(met.get(`${host}made/shop/ounces/`)!.text).toContain('/ounces')
    // Below the URL of the site, because it is adaptive.
    expect(paths.some((path) => /^~octavo\/file\/.*\/dot\.svg$/.test(path))).toBe(true)
    expect(exported).toMatchObject({ pages: 9, missing: [] })
    expect(exported.files).toBe((await namesIn(folder)).length)
  })

  test('contains only what a visitor without claims may read', async () => {
    for (const name of await namesIn(folder)) expect(await text(name), name).not.toMatch(/xyzzy|Secret/)
    // It was there to be left out.
    expect((await must('GET', `/spaces/${guide}/content`)).pages.length).toBeGreaterThan(0)
    expect(JSON.stringify(await must('GET', `/spaces/${guide}/content/pages`))).toContain('Secret')
    await must('PATCH', `/orgs/${acme}/sites/${site}`, { visibility: 'visitor-auth' })
    await expect(write(`${folder}-closed`)).rejects.toThrow(/not open to everybody/)
    await must('PATCH', `/orgs/${acme}/sites/${site}`, { visibility: 'public' })
    expect((await readdir(own!)).toSorted()).toEqual(['site'])
  })

  test('the full text equals that of the site, assembled from the exported pages', async () => {
    const withoutAddresses = (text: string) =>
      text.replace(/^Source: .*$/gm, 'Source').replace(/\]\([^)]*\)/g, ']')
    const siteText = await siteClient.read('/@acme/docs/llms-full.txt')
    expect(siteText.text).toContain('\n# Deep\n\nSource: ')
    const written = await text('llms-full.txt')
    expect(withoutAddresses(written)).toBe(withoutAddresses(siteText.text))
    expect(written).toContain('\n# Deep\n\nSource: setup/deep.md\n')
  })

  test('redirects redirect, and files are not executable content', async () => {
    const leading = async (path: string) => /url=([^"]*)"/.exec(await (await fetch(host + path)).text())?.[1]
    expect(await leading('former/Calls/')).toBe('../../api/')
    expect(await leading('old/place/')).toBe('../../setup/deep/')
    expect(await leading('elsewhere/')).toBe('https://octavo.test/else?a=1&amp;b=2')
    expect(await leading('further/')).toBe('more/')
    expect(await text('_redirects')).toContain('/former/Calls /api/ 307\n')
    const names = await namesIn(folder)
    expect(names.filter((name) => name.includes('run.html'))).toEqual([
      expect.stringMatching(/run\.html\.txt$/),
    ])
    for (const name of ['404.html', 'robots.txt', 'sitemap.xml', 'llms.txt', '.nojekyll'])
      expect(names).toContain(name)
    expect(await text('llms.txt')).toContain('](setup/deep.md)')
    expect(await text('readme.md')).toContain('](setup.md#ports)')
    expect(await text('sitemap.xml')).toContain('<loc>http://octavo.test/@')
    expect(await text('setup/index.html')).not.toContain('data-view')
    // A static export has no server for feedback.
    expect(await text('setup/index.html')).not.toContain('class="feedback"')
    expect((await siteClient.read(`/@acme/docs/setup`)).text).toContain('class="feedback"')
    expect(await text('setup/index.html')).toContain('~octavo/mcp')
    expect(await text('setup/index.html')).toMatch(/rel="canonical" href="http:\/\/octavo\.test\/@/)
  })

  test('with a base URL, sitemaps and canonical links contain it', async () => {
    const target = `${folder}-own`
    await write(target, { publicUrl: 'https://docs.octavo.test/v1/' })
    const read = (name: string) => readFile(join(target, name), 'utf8')
    expect(await read('sitemap-pages.xml')).toContain('<loc>https://docs.octavo.test/v1/setup/deep/</loc>')
    expect(await read('robots.txt')).toContain('Sitemap: https://docs.octavo.test/v1/sitemap.xml')
    expect(await read('setup/index.html')).toContain(
      'rel="canonical" href="https://docs.octavo.test/v1/setup/"',
    )
    const [article] = JSON.parse(
      /<script type="application\/ld\+json">(.*?)<\/script>/.exec(await read('setup/index.html'))![1]!,
    )['@graph']
    expect(article.url).toBe('https://docs.octavo.test/v1/setup/')
    expect(article.isPartOf.url).toBe('https://docs.octavo.test/v1/')
    const picture = article.image.replace('https://docs.octavo.test/v1/', '')
    expect((await readFile(join(target, picture))).subarray(1, 4).toString()).toBe('PNG')
    for (const name of ['index.html', 'setup/deep/index.html']) {
      const [, preview] = /property="og:image" content="https:\/\/docs\.octavo\.test\/v1\/([^"]+)"/.exec(
        await read(name),
      )!
      expect((await readFile(join(target, preview!))).subarray(1, 4).toString(), name).toBe('PNG')
      expect(await read(name)).not.toContain('class="feedback"')
    }
    expect(await read('_redirects')).toContain('/v1/former/Calls /v1/api/ 307\n')
    for (const name of await namesIn(target))
      expect(await read(name), name).not.toMatch(/http:\/\/octavo\.test\/@(?!.*~octavo\/search)/)
  })

  /** The server, with an action before the first request of a path. */
  const beforeFirstRequest = (path: string, what: () => Promise<unknown>): FastifyInstance => {
    let isDone = false
    const inject = async (options: { url: string }) => {
      if (!isDone && options.url.endsWith(path)) {
        isDone = true
        await what()
      }
      return siteClient.server.inject(options)
    }
    return Object.create(siteClient.server, { inject: { value: inject } })
  }

  test('pages are those of the time when it began', async () => {
    const { id: page } = await must('GET', `/spaces/${guide}/content/path/setup%2Fdeep`)
    const rewrite = (markdown: string) =>
      siteClient.change(ann, guide, [{ operation: 'update_page', page, document: { markdown } }])
    const target = `${folder}-changed`
    const server = beforeFirstRequest('/finding.js', () => rewrite('# Deep\n\nWritten later.\n'))
    await write(target, { server })
    const deep = join(target, 'setup/deep/index.html')
    expect(await readFile(deep, 'utf8')).toContain('Back to')
    await write(target)
    expect(await readFile(deep, 'utf8')).toContain('Written later.')
    await rewrite('# Deep\n\nBack to [the guide](../README.md).\n')
  })

  test('of a site that is closed meanwhile there is none', async () => {
    const target = `${folder}-closed`
    const at = `/orgs/${acme}/sites/${site}`
    const server = beforeFirstRequest('/robots.txt', () => must('POST', `${at}/unpublish`))
    await expect(write(target, { server })).rejects.toThrow(/not open to everybody/)
    expect(existsSync(target)).toBe(false)
    await expect(write(target)).rejects.toThrow(/not open to everybody/)
    await must('POST', `${at}/publish`)
  })

  test('a folder of something else is left alone, and an earlier export is replaced by a complete new one', async () => {
    const place = `${folder}-other`
    await mkdir(place)
    await writeFile(join(place, 'mine.txt'), 'mine')
    await expect(write(place)).rejects.toThrow(/holds something else/)
    expect(await readdir(place)).toEqual(['mine.txt'])
    await writeFile(join(folder, 'left-over.txt'), 'x')
    await write(folder)
    expect(await namesIn(folder)).not.toContain('left-over.txt')
    expect((await readdir(own!)).filter((name) => name.includes('.part'))).toEqual([])
  })

  describe.skipIf(!existsSync(browserPath))('in a browser', () => {
    test('pages are styled, search works, and the page for 404 links back', async () => {
      const browser = await openBrowser()
      try {
        const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
        const failed: string[] = []
        page.on('response', (answer) => {
          if (answer.status() >= 400 && !answer.url().includes('/lost')) failed.push(answer.url())
        })
        page.on('pageerror', (error) => {
          // A page that is left while it fades in reports an error, which is ignored.
          if (!String(error).includes('Transition was skipped')) failed.push(String(error))
        })
        await page.goto(`${host}setup/deep/`)
        expect(await page.evaluate('document.styleSheets.length')).toBeGreaterThan(0)
        await page.click('.body a')
        await page.waitForURL(host)
        await page.keyboard.press('/')
        await page.keyboard.type('configuring zebra')
        await page.locator('.search-dialog a', { hasText: 'Setup' }).first().click()
        await page.waitForURL((url) => url.pathname === `${below}setup/`)

        await page.goto(`${host}~octavo/search/?q=quaggas`)
        await page.locator('.results a', { hasText: 'Setup' }).first().waitFor()
        expect(await page.locator('.result-count').last().textContent()).toContain('Results: 1')
        // What the Markdown of a page from a specification references, without its text.
        await page.goto(`${host}~octavo/search/?q=listOunces`)
        await page.locator('.results a', { hasText: 'ounces' }).first().waitFor()
        expect(failed).toEqual([])

        await page.goto(`${host}lost/in/the/deep`)
        await page.locator('base').waitFor({ state: 'attached' })
        await page.locator('a.brand').click()
        await page.waitForURL(host)
      } finally {
        await browser.close()
      }
    })
  })
})
