/** Third-party scripts on published pages: where they run, what the content security policy allows, and where they do not run. */
import { browserPath } from '../../../tests/browser.js'
import { openBrowser } from '../../../tests/shared-browser.js'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createAddresses } from '../../contract/addresses.js'
import type { SiteId } from '../../core/ids.js'
import { findOrganization } from '../../resources/organizations/store.js'
import { findSite } from '../../resources/sites/store.js'
import { writeStaticExport } from '../static-export/export-site.js'
import { describeSqlite } from '../../../tests/engines.js'
import { openSiteClient } from '../../../tests/site-client.js'
import { makeVisitorToken } from '../../../tests/visitor-token.js'

const host = 'acme.sites.localhost'
const integrity = `sha256-${'A'.repeat(43)}=`
const chat = { name: 'Chat', script: 'https://cdn.example.com/chat.js?id=7', integrity, cookies: false }
const count = { name: 'Count', script: 'https://count.example.com:8443/a;b,c.js' }

describeSqlite('scripts on a site', (engine) => {
  async function open(visibility = 'public') {
    const sign = (text: string) => text.length.toString()
    const addresses = createAddresses({
      baseUrl: 'http://octavo.test',
      sitesDomain: 'sites.localhost',
      sign,
    })
    const client = await openSiteClient(await engine.open(), undefined, { addresses })
    const ann = await client.person('ann')
    const acme = await client.organization(ann)
    const { id: space } = await client.space(ann, acme, 'Guide', [
      { slug: 'home', markdown: '# Home\n' },
      { slug: 'start', markdown: '# Start\n' },
    ])
    const { id } = await client.publish(ann, acme, { title: 'Docs', visibility, spaces: [space] })
    const at = `/orgs/${acme}/sites/${id}`
    const ask = (method: string, path: string, body?: object) => client.request(ann, method, at + path, body)
    const put = (...scripts: object[]) => ask('PUT', '/scripts', { scripts })
    const read = async (path: string, headers: Record<string, string> = { host }) => {
      const { status, text, headers: answered } = await client.read(path, headers)
      const policy = Object.fromEntries(
        (answered['content-security-policy'] ?? '').split('; ').map((one) => {
          const [name = '', ...sources] = one.split(' ')
          return [name, sources]
        }),
      )
      return { status, text, etag: answered['etag'], policy, tags: text.match(/<script async[^>]*>/g) ?? [] }
    }
    return { client, ann, acme, id, at, ask, put, read }
  }

  test('are returned as they were set, and to renderers with what they need', async () => {
    const { ask, put } = await open()
    expect((await ask('GET', '/scripts')).body).toEqual({ object: 'site-scripts', scripts: [] })
    expect((await ask('GET', '/published')).body.scripts).toEqual([])
    const expected = { object: 'site-scripts', scripts: [chat, { ...count, cookies: true }] }
    const put200 = await put(chat, { ...count, script: `${count.script}#part`, more: 'unknown' })
    expect([put200.status, put200.body]).toEqual([200, expected])
    expect((await ask('GET', '/scripts')).body).toEqual(expected)
    const publishedScripts = [
      {
        ...chat,
        contentSecurityPolicy:
          'script-src https://cdn.example.com/chat.js; connect-src https://cdn.example.com',
      },
      {
        ...count,
        cookies: true,
        contentSecurityPolicy:
          'script-src https://count.example.com:8443/a%3Bb%2Cc.js; connect-src https://count.example.com:8443',
      },
    ]
    expect((await ask('GET', '/published')).body.scripts).toEqual(publishedScripts)
    expect((await ask('GET', '/integration-scripts')).body).toEqual(publishedScripts)
    await ask('POST', '/unpublish')
    expect((await ask('GET', '/integration-scripts')).body).toEqual([])
  })

  test('run on every page around content, from the next request to the last', async () => {
    const { put, read } = await open()
    const plain = await read('/docs/')
    expect([plain.status, plain.tags]).toEqual([200, []])
    await put(chat, count)
    for (const path of ['/docs/', '/docs/start', '/docs/?q=home', '/docs/nowhere']) {
      const { tags, policy, etag } = await read(path)
      expect(tags, path).toEqual([
        `<script async crossorigin="anonymous" src="${chat.script}" integrity="${integrity}">`,
        `<script async crossorigin="anonymous" src="${count.script}">`,
      ])
      const [self, ...sources] = policy['script-src']!
      expect(self).toBe("'self'")
      expect(sources.filter((source) => !source.startsWith("'sha256-"))).toEqual([
        'https://cdn.example.com/chat.js',
        'https://count.example.com:8443/a%3Bb%2Cc.js',
      ])
      expect(policy['connect-src']).toEqual([
        "'self'",
        'https://cdn.example.com',
        'https://count.example.com:8443',
      ])
      expect({ ...policy, 'script-src': null, 'connect-src': null }).toEqual({
        ...plain.policy,
        'script-src': null,
        'connect-src': null,
      })
      expect(etag).not.toBe(plain.etag)
    }
    await put(count)
    expect((await read('/docs/')).tags.length).toBe(1)
    await put()
    expect(await read('/docs/')).toEqual(plain)
  })

  test("run neither on the product's host, nor in previews, nor on pages without access", async () => {
    const { client, ann, at, ask, put, read } = await open('visitor-auth')
    const key = (await ask('GET', '/publishing/auth')).body.privateKey
    const authorization = `Bearer ${makeVisitorToken(key, { exp: Math.floor(client.now() / 1000) + 600 })}`
    const plain = await read('/@acme/docs/', { authorization })
    expect(plain.status).toBe(200)
    await put(chat)
    const inside = await read('/docs/', { host, authorization })
    expect([inside.status, inside.tags.length]).toEqual([200, 1])

    const outside = await read('/docs/')
    expect([outside.status, outside.tags, outside.policy['connect-src']]).toEqual([401, [], ["'self'"]])
    expect(await read('/@acme/docs/', { authorization })).toEqual(plain)
    const { url } = (await ask('GET', '/publishing/preview')).body
    const { pathname, host: previewHost } = new URL(url)
    const preview = await read(pathname, { host: previewHost })
    expect([preview.status, preview.tags, preview.policy['connect-src']]).toEqual([200, [], ["'self'"]])

    const toldAt = async (address: string) => {
      const found = await client.request(ann, 'POST', '/urls/published', { url: address })
      const renderer = { ...ann, token: found.body.apiToken as string }
      return (await client.request(renderer, 'GET', `${at}/published`)).body.scripts
    }
    expect(await toldAt(`http://${host}/docs/`)).toHaveLength(1)
    expect(await toldAt(url)).toEqual([])
  })

  test('are in the static export of a site with a custom domain', async () => {
    const { client, acme, id, put } = await open()
    await put({ ...chat, script: `${chat.script}&name=a` })
    const { read } = client.services.database
    const found = (await findSite(read, acme, id as SiteId))!
    const { hostname: organizationHostname } = (await findOrganization(read, acme))!
    const folder = await mkdtemp(join(tmpdir(), 'octavo-static-'))
    try {
      const target = join(folder, 'site')
      const site = { ...found, organizationHostname }
      await writeStaticExport({
        services: client.services,
        server: client.server,
        site,
        target,
        now: Date.now(),
      })
      expect(await readFile(join(target, 'start/index.html'), 'utf8')).toContain(
        `<script async crossorigin="anonymous" src="${chat.script}&amp;name=a" integrity="${integrity}"></script>`,
      )
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('are refused where no policy can name them exactly, without any change', async () => {
    const { ask, put } = await open()
    await put(chat)
    const long = (name: string) => `https://cdn.example.com/${name.repeat(900)}.js`
    const refused: readonly (readonly [string, object[]])[] = [
      ['scripts[0].script', [{ ...count, script: 'http://cdn.example.com/a.js' }]],
      ['scripts[0].script', [{ ...count, script: 'http://127.0.0.1/a.js' }]],
      ['scripts[0].script', [{ ...count, script: 'data:text/javascript,1' }]],
      ['scripts[0].script', [{ ...count, script: '/a.js' }]],
      ['scripts[0].script', [{ ...count, script: 'https://' }]],
      ['scripts[0].script', [{ ...count, script: `https://cdn.example.com/${'a'.repeat(1024)}` }]],
      ['scripts[0].script" names a user', [{ ...count, script: 'https://a:b@cdn.example.com/a.js' }]],
      ['scripts[0].script" must name one host', [{ ...count, script: 'https://*.example.com/a.js' }]],
      ['scripts[0].script" must name one host', [{ ...count, script: 'https://[::1]/a.js' }]],
      ['scripts[0].script" must end', [{ ...count, script: 'https://cdn.example.com' }]],
      ['scripts[1].script" must end', [chat, { ...count, script: 'https://cdn.example.com/all/?a=b.js' }]],
      ['scripts[1].script" is the address of scripts[0]', [chat, { ...chat, name: 'Again' }]],
      ['scripts[0].integrity', [{ ...count, integrity: 'sha256-AAAA' }]],
      ['scripts[0].integrity', [{ ...count, integrity: `${integrity} ${integrity}` }]],
      ['scripts[0].name', [{ ...count, name: '' }]],
      ['scripts', [...'abcdefghijk'].map((name) => ({ name, script: `https://cdn.example.com/${name}.js` }))],
      ['scripts" has addresses too long', ['a', 'b', 'c'].map((name) => ({ name, script: long(name) }))],
    ]
    for (const [problem, scripts] of refused) {
      const { status, body, text } = await put(...scripts)
      expect(status, text).toBe(400)
      expect(body.error.message).toContain(problem)
    }
    expect((await ask('PUT', '/scripts', {})).status).toBe(400)
    expect((await ask('GET', '/scripts')).body.scripts).toEqual([chat])
  })

  test.skipIf(!existsSync(browserPath))('run in a browser, and no other scripts do', async () => {
    const { client, put } = await open()
    await put({ name: 'Ours', script: 'https://cdn.example.com/own.js' }, { ...chat, integrity: undefined })
    await client.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = client.server.server.address() as AddressInfo
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      const requestedUrls: string[] = []
      await page.route(/example\.(?:com|org)/, async (route) => {
        const url = route.request().url()
        requestedUrls.push(url)
        // Scripts that a browser blocks do not affect the page.
        if (url.includes('chat.js')) return route.abort()
        const body = `for (const src of ['https://cdn.example.com/other.js', 'https://example.org/a.js'])
            document.head.append(Object.assign(document.createElement('script'), { src }))
          Promise.allSettled(['https://cdn.example.com/beacon', 'https://example.org/beacon'].map((to) => fetch(to)))
            .then((all) => { document.documentElement.dataset.ran = all.map(({ status }) => status).join() })`
        await route.fulfill({
          contentType: 'text/javascript',
          headers: { 'access-control-allow-origin': '*' },
          body,
        })
      })
      await page.goto(`http://${host}:${port}/docs/`)
      await page.waitForSelector('html[data-ran]')
      expect(await page.locator('html').getAttribute('data-ran')).toBe('fulfilled,rejected')
      expect(requestedUrls.toSorted()).toEqual([
        'https://cdn.example.com/beacon',
        chat.script,
        'https://cdn.example.com/own.js',
      ])
      expect(await page.locator('html').getAttribute('class')).toBe('js')
    } finally {
      await browser.close()
      await client.server.close()
    }
  })
})
