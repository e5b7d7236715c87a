/** Customized site in a browser: with every setting chosen, it requests no other host, and its text is legible. */
import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/store/db/open.js'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../src/store/db/database.js'
import { browserPath } from '../browser.js'
import { type TestBrowser, openBrowser } from '../shared-browser.js'
import { type SiteClient, openSiteClient } from '../site-client.js'
import { chosenCustomization } from './samples.js'

const markdown = `---
icon: rocket
---

# Start

Words, **bold** ones, *slanted* ones, \`code\`, and a [link](https://elsewhere.test/).

{% hint style="info" %}
Know this.
{% endhint %}

{% hint style="danger" %}
Not this.
{% endhint %}

## More

| Name | What |
| --- | --- |
| one | the first |
`

describe.skipIf(!existsSync(browserPath))('a site with every setting chosen', () => {
  let folder: string | undefined
  let database: Database
  let api: SiteClient
  let browser: TestBrowser
  let address: string
  let put: (change: object) => Promise<void>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'octavo-customized-'))
    database = await openDatabase({ dataFolder: folder })
    api = await openSiteClient(database)
    const ann = await api.person('ann')
    const acme = await api.organization(ann)
    const space = await api.space(ann, acme, 'Guide', [
      { slug: 'start', markdown },
      { slug: 'next', markdown: '# Next\n' },
    ])
    const site = await api.publish(ann, acme, { title: 'Docs', spaces: [space.id] })
    const settings = chosenCustomization(space.id)
    put = async (change) => {
      const path = `/orgs/${acme}/sites/${site.id}/customization`
      const answer = await api.request(ann, 'PUT', path, { ...settings, ...change })
      expect(answer.status, answer.text).toBe(200)
    }
    await put({})
    await api.server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = api.server.server.address() as AddressInfo
    address = `http://127.0.0.1:${port}${site.base}`
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await api?.server.close()
    await database?.close()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  test.each(['light', 'dark'] as const)('requests no other host, in %s', async (colorScheme) => {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 900 } })
    const requests: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await page.goto(address)
    await page.evaluate('document.fonts.ready')
    const own = new URL('/', address).href
    expect(requests.filter((url) => !url.startsWith(own) && !url.startsWith('data:'))).toEqual([])
    expect(complaints).toEqual([])
    // Presence before absence: the fonts in use were loaded, and no other.
    const faces = requests.filter((url) => url.endsWith('.woff2?v=5.3.0')).map((url) => url.split('/').at(-1))
    expect(faces).toContain('poppins-latin-400-normal.woff2?v=5.3.0')
    expect(faces.filter((name) => !name!.includes('-latin-'))).toEqual([])
    const family = `getComputedStyle(document.querySelector('.body p')).fontFamily`
    expect(await page.evaluate(family)).toContain('site-text')
    await page.close()
  })

  test('dismisses an announcement until its text changes', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await page.goto(address)
    await page.locator('.announcement button').click()
    await page.locator('.announcement').waitFor({ state: 'detached' })
    await page.reload()
    expect(await page.locator('.announcement').isVisible()).toBe(false)
    await put({ announcement: { enabled: true, message: 'Version 3 is out', style: 'success' } })
    await page.reload()
    expect(await page.locator('.announcement').innerText()).toContain('Version 3')
    expect(await page.locator('.announcement').isVisible()).toBe(true)
    await page.close()
  })

  test.each([360, 768, 1440])('is never wider than a window of %i', async (width) => {
    for (const preset of ['default', 'none']) {
      const { header } = chosenCustomization('')
      await put({ header: { ...header, links: header.links.slice(0, 2), preset } })
      const page = await browser.newPage({ viewport: { width, height: 900 } })
      await page.goto(address)
      expect(await page.evaluate('document.documentElement.scrollWidth'), preset).toBe(width)
      const isColumn = width > 1024
      expect(await page.locator('.side-head').isVisible()).toBe(preset === 'none' && isColumn)
      expect(await page.locator('.header').isVisible()).toBe(preset !== 'none' || !isColumn)
      await page.close()
    }
  })
})
