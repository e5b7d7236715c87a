/**
 * The life of a change, on both engines: first start, sign in, import a folder, rewrite a page with a picture and a table,
 * merge, and the published page has it.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { browserPath } from '../browser.js'
import { describeEngines } from '../engines.js'
import { App, useApp } from './app.js'
import { importFolder, merge, openRich, pasteScript, waitUntilSaved } from './steps.js'

describeEngines('the life of a change', (engine) => {
  describe.skipIf(!existsSync(browserPath))('in a browser', () => {
    const app = new App()
    useApp(app, async () => {
      const { url } = await engine.settings()
      await app.open(url === undefined ? {} : { OCTAVO_DATABASE_URL: url })
    })

    test('ends as a published page', async () => {
      const folder = join(app.folder, 'my-docs')
      mkdirSync(join(folder, 'guide'), { recursive: true })
      writeFileSync(join(folder, 'README.md'), '# Welcome\n\nSee [first](guide/first.md).\n')
      const first = '# First steps\n\nRead __this__ first.\n\n* one\n* two\n'
      writeFileSync(join(folder, 'guide/first.md'), first)
      const page = await app.openTab('/')
      await importFolder(page, folder)
      await page.getByRole('treeitem', { name: 'Welcome' }).waitFor()
      const space = /\/s\/(\w+)/.exec(page.url())![1]!
      const site = await app.publish(space, 'My docs')

      await page.getByRole('link', { name: 'first', exact: true }).click()
      await page.getByRole('heading', { name: 'First steps' }).first().waitFor()
      await page.keyboard.press('e')
      await page.waitForURL(/\/~\/changes\/\d+\//)
      const [, number] = /\/~\/changes\/(\d+)\//.exec(page.url())!
      const { id } = await app.call('GET', `/spaces/${space}/content/path/guide%2Ffirst`)
      const change = `/spaces/${space}/change-requests/${number}/content/page/${id}?format=markdown`
      const text = async () => (await app.call('GET', change)).markdown
      const editor = await openRich(page)
      await editor.getByText('two', { exact: true }).click()
      await page.keyboard.press('End')
      await page.keyboard.type(' more')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      await page.keyboard.type('/table')
      await page.getByRole('option', { name: 'Table' }).first().waitFor()
      await page.keyboard.press('Enter')
      await page.keyboard.type('Town')
      await page.keyboard.press('Tab')
      await page.keyboard.type('People')
      await expect.poll(text).toContain('People')
      const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#07f' } })
        .png()
        .toBuffer()
      await page.evaluate(
        pasteScript({}, { name: 'map.png', type: 'image/png', base64: picture.toString('base64') }),
      )
      await editor.locator('figure img').waitFor()
      await expect.poll(text).toContain('map.png')
      await waitUntilSaved(page)

      await merge(page)
      await page.getByRole('link', { name: 'first', exact: true }).click()
      await page.locator('article, main').getByText('two more').waitFor()
      await page.getByRole('columnheader', { name: 'Town' }).waitFor()
      const { pathname } = new URL(site)
      const published = await fetch(`${app.base}${pathname.replace(/\/$/, '')}/guide/first`)
      const html = await published.text()
      expect([published.status, html]).toEqual([200, expect.stringContaining('two more')])
      expect(html).toMatch(/<th[^>]*>Town/)
      const [, image] = /<img[^>]* src="([^"]*map[^"]*)"/.exec(html) ?? []
      expect((await fetch(new URL(image!, published.url))).status).toBe(200)
      const { markdown } = await app.call('GET', `/spaces/${space}/content/page/${id}?format=markdown`)
      expect(markdown).toContain('# First steps\n\nRead __this__ first.\n\n* one\n* two more\n')
    })
  })
})
