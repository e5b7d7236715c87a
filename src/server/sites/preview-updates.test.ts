/** Live updates of previews in a real browser: a notice when the space changes, and no open connection in hidden tabs. */
import { browserPath } from '../../../tests/browser.js'
import { openBrowser } from '../../../tests/shared-browser.js'
import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeSqlite } from '../../../tests/engines.js'
import { openSiteClient } from '../../../tests/site-client.js'

describeSqlite('an open preview', (engine) => {
  async function open(work: (at: Opened) => Promise<void>) {
    const client = await openSiteClient(await engine.open())
    const ann = await client.person('ann')
    const acme = await client.organization(ann)
    const { id: space } = await client.space(ann, acme, 'Guide', [
      { slug: 'home', markdown: '# Home\n' },
      { slug: 'start', markdown: '# Start\n' },
    ])
    await client.publish(ann, acme, { title: 'Docs', visibility: 'public', spaces: [space] })
    await client.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = client.server.server.address() as AddressInfo
    const browser = await openBrowser()
    try {
      const context = await browser.newContext({
        extraHTTPHeaders: { authorization: `Bearer ${ann.token}` },
      })
      const page = await context.newPage()
      const ready = page.waitForResponse((answer) => answer.url().includes('/events'))
      await page.goto(`http://127.0.0.1:${port}/s/${space}/`)
      expect((await ready).status()).toBe(200)
      const write = (slug: string) =>
        client.change(ann, space, [
          { operation: 'insert_page', title: slug, slug, document: { markdown: '' } },
        ])
      const rename = async (title: string) =>
        expect((await client.request(ann, 'PATCH', `/spaces/${space}`, { title })).status).toBe(200)
      await work({ context, page, write, rename })
    } finally {
      await browser.close()
      await client.server.close()
    }
  }
  interface Opened {
    readonly context: BrowserContext
    readonly page: Page
    readonly write: (slug: string) => Promise<void>
    readonly rename: (title: string) => Promise<void>
  }

  test.skipIf(!existsSync(browserPath))(
    'shows a notice when the content changes, and the new content on request',
    async () => {
      await open(async ({ page, write, rename }) => {
        const notice = page.locator('[data-follow]')
        const laterLink = page.locator('nav.navigation', { hasText: 'later' })
        // A change of other resources of the space is no change of its text.
        await rename('Guides')
        await page.waitForTimeout(1_500)
        expect(await notice.isVisible()).toBe(false)
        await write('later')
        await notice.waitFor()
        expect(await notice.textContent()).toMatch(/This space has changed\.\s+Load it again/)
        expect(await laterLink.count()).toBe(0)
        await notice.getByRole('link').click()
        await laterLink.waitFor()
        expect(await notice.isVisible()).toBe(false)
      })
    },
  )

  test.skipIf(!existsSync(browserPath))(
    'has no connection while it is hidden, and catches up afterwards',
    async () => {
      await open(async ({ page, write }) => {
        const see = (hidden: boolean) =>
          page.evaluate((isHidden) => {
            Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true })
            document.dispatchEvent(new Event('visibilitychange'))
          }, hidden)
        await page.waitForTimeout(300)
        const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/events'))
        await see(true)
        await ended
        await write('meanwhile')
        await page.waitForTimeout(1_500)
        expect(await page.locator('[data-follow]').isVisible()).toBe(false)
        await see(false)
        await page.locator('[data-follow]').waitFor()
      })
    },
  )

  test.skipIf(!existsSync(browserPath))('is not on sites', async () => {
    await open(async ({ page }) => {
      const href = await page.locator('nav.navigation a').first().getAttribute('href')
      expect(href).toMatch(/^\/s\//)
      const site = await page.request.get(new URL('/@acme/docs/', page.url()).href)
      const text = await site.text()
      expect(text).not.toContain('data-follow')
      expect(text).not.toContain('follow.js')
    })
  })
})
