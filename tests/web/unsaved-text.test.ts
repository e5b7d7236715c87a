/** Text that was not saved when the connection, the page or the tab was gone: nothing typed is lost. */
import { expect, test } from 'vitest'
import { describeApp } from './app.js'
import { openSource, waitUntilSaved } from './steps.js'

describeApp('unsaved text', (app) => {
  test('stays while the connection is lost, and the header says so', async () => {
    const change = await app.newChange('Offline', 'one\n')
    const page = await app.openTab(change.path)
    await openSource(page)
    await app.context.setOffline(true)
    await page.keyboard.type('two')
    await page.locator('.save-line', { hasText: 'Offline' }).waitFor()
    await page.keyboard.type(' three')
    await app.context.setOffline(false)
    await waitUntilSaved(page)
    await expect.poll(change.text).toContain('two three')
  })

  test('of a page that was left goes on when it is opened again', async () => {
    const change = await app.newChange('Leave', 'one\n')
    const page = await app.openTab(change.path)
    await openSource(page)
    await page.route('**/text', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await page.keyboard.type('left behind')
    await page.locator('.save-line', { hasText: 'Offline' }).waitFor()
    await page.getByRole('link', { name: 'Changes' }).click()
    await page.locator('.source-pane').waitFor({ state: 'detached' })
    await page.unroute('**/text')
    await page.waitForTimeout(200)
    await page.getByRole('link', { name: 'Write' }).click()
    await page.locator('.cm-content', { hasText: 'left behind' }).waitFor()
    await waitUntilSaved(page)
    await expect.poll(change.text).toContain('left behind')
  })

  test.each(['before', 'after'])(
    'of another tab is taken up when that ends %s the next one was opened',
    async (when) => {
      const change = await app.newChange(`Two tabs, ${when}`, 'one\n')
      const first = await app.openTab(change.path)
      await openSource(first)
      await first.route('**/text', (route) =>
        route.request().method() === 'PATCH' ? route.abort() : route.continue(),
      )
      await first.keyboard.type('of the first')
      await first.locator('.save-line', { hasText: 'Offline' }).waitFor()
      const opened = app.openTab(change.path)
      if (when === 'before') await first.close()
      const second = await opened
      if (when === 'after') {
        await second.locator('.cm-content', { hasText: 'one' }).waitFor()
        await first.close()
      }
      await second.locator('.cm-content', { hasText: 'of the first' }).waitFor()
      await waitUntilSaved(second)
      await expect.poll(change.text).toBe('one\nof the first')
    },
  )

  test('goes from tab to tab and back where the browser has no locks, as at plain http', async () => {
    const change = await app.newChange('Plain http', 'one\n')
    const open = async () => {
      const page = await app.openTab('about:blank')
      await page.addInitScript(() =>
        Object.defineProperty(Navigator.prototype, 'locks', { value: undefined }),
      )
      await page.goto(change.path)
      await openSource(page)
      return page
    }
    const first = await open()
    await first.route('**/text', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await first.keyboard.type('of the first')
    await first.locator('.save-line', { hasText: 'Offline' }).waitFor()
    const beside = await open()
    expect(await beside.locator('.cm-content').innerText()).not.toContain('of the first')
    await beside.close()
    // It does not answer in time, as a tab that the browser has frozen: others take it for gone.
    await first.evaluate(() => {
      const { postMessage } = BroadcastChannel.prototype
      Object.assign(window, { thaw: () => Object.assign(BroadcastChannel.prototype, { postMessage }) })
      BroadcastChannel.prototype.postMessage = () => {}
    })
    const second = await open()
    await second.locator('.cm-content', { hasText: 'of the first' }).waitFor()
    await first.locator('.save-line', { hasText: 'Opened in another tab' }).waitFor()
    await first.evaluate('thaw()')
    await second.keyboard.type(', then the second')
    await first.unroute('**/text')
    await first.getByRole('button', { name: 'Write here again' }).click()
    await first.locator('.cm-content', { hasText: 'then the second' }).waitFor()
    await second.locator('.save-line', { hasText: 'Opened in another tab' }).waitFor()
    await first.locator('.cm-content').click()
    await first.keyboard.press('ControlOrMeta+End')
    await first.keyboard.type(' and again')
    await expect.poll(change.text).toBe('one\nof the first, then the second and again')
  })
})
