/**
 * What the app says while text is not saved, each state reached as it happens to people: another person merged, deleted or
 * rewrote it, the session or the permission is gone, the browser is full, the network lets no stream through.
 */
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { type OpenChange, describeApp } from './app.js'
import { openRich, openSource, waitUntilSaved } from './steps.js'

const saveLine = (page: Page, words: string | RegExp) =>
  page.locator('.save-line', { hasText: words }).waitFor()

describeApp('states of saving', (app) => {
  afterEach(() => app.context.setOffline(false))

  /** Types without a connection; `meanwhile` happens before it is back. */
  async function typeOffline(change: OpenChange, words: string, meanwhile: () => Promise<unknown>) {
    const page = await app.openTab(change.path)
    await openSource(page)
    await app.context.setOffline(true)
    await page.keyboard.type(words)
    await saveLine(page, 'Offline')
    await meanwhile()
    await app.context.setOffline(false)
    return page
  }

  test('a reload without a connection loses nothing', async () => {
    const change = await app.newChange('Reload', 'one\n')
    const page = await typeOffline(change, 'two', async () => {})
    await app.context.setOffline(true)
    await page.keyboard.type(' three')
    await page.waitForTimeout(100)
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload().catch(() => {})
    await app.context.setOffline(false)
    await page.goto(change.path)
    await page.locator('.cm-content', { hasText: 'two three' }).waitFor()
    await waitUntilSaved(page)
    await expect.poll(change.text).toBe('one\ntwo three')
  })

  test('a session that has ended says so, and is taken up by another tab', async () => {
    const change = await app.newChange('Session', 'one\n')
    const link = await app.signInLink()
    const page = await app.openTab(change.path)
    await openSource(page)
    await app.context.clearCookies()
    await page.keyboard.type('two')
    await saveLine(page, 'Signed out, kept in this browser')
    await page.getByRole('link', { name: 'Sign in in another tab' }).waitFor()
    const other = await app.openTab(link)
    await other.getByRole('button', { name: /sign in/i }).click()
    await other.getByRole('heading', { name: 'Home' }).waitFor()
    await other.close()
    await page.getByRole('button', { name: 'Try again' }).click()
    await waitUntilSaved(page)
    await expect.poll(change.text).toBe('one\ntwo')
  })

  test('a full disk of the browser is said, and what is in the tab is saved', async () => {
    const change = await app.newChange('Full', 'one\n')
    const page = await app.openTab(change.path)
    await openSource(page)
    // Chromium cannot be given a small disk: what it does on a full one is that the transaction is aborted.
    await page.evaluate(`
      window.realPut = IDBObjectStore.prototype.put
      IDBObjectStore.prototype.put = function (...values) {
        const request = window.realPut.apply(this, values)
        this.transaction.abort()
        return request
      }`)
    await app.context.setOffline(true)
    await page.keyboard.type('two')
    await saveLine(page, 'kept in this tab only')
    await page.getByText('The storage of this browser is full').waitFor()
    await page.evaluate('IDBObjectStore.prototype.put = window.realPut')
    await page.keyboard.type(' three')
    await saveLine(page, 'kept in this browser')
    await app.context.setOffline(false)
    await waitUntilSaved(page)
    await expect.poll(change.text).toBe('one\ntwo three')
  })

  test('what is not in a merged change request is taken to a new one', async () => {
    const change = await app.newChange('Merged', 'one\n')
    const page = await typeOffline(change, 'two', () => app.call('POST', `${change.apiPath}/merge`))
    await page.getByText('is not saved').waitFor()
    await page.getByRole('button', { name: 'Take it to a new change request' }).click()
    await page.waitForURL((url) => !url.pathname.startsWith(change.path))
    await page.locator('.cm-content', { hasText: 'two' }).waitFor()
    await waitUntilSaved(page)
    const number = /changes\/(\d+)/.exec(page.url())![1]
    const text = async () =>
      (
        await app.call(
          'GET',
          `/spaces/${change.space}/change-requests/${number}/content/page/${change.page}?format=markdown`,
        )
      ).markdown
    await expect.poll(text).toBe('one\ntwo')
  })

  test('what was written on a page that another person deleted stays, and can be thrown away', async () => {
    const change = await app.newChange('Deleted', 'one\n')
    const page = await typeOffline(change, 'two', () =>
      app.call('POST', `${change.apiPath}/content`, {
        changes: [{ operation: 'delete_page', page: change.page }],
      }),
    )
    await page.getByText('is not saved').waitFor()
    await page.getByRole('button', { name: 'Copy the text' }).first().waitFor()
    await page.reload()
    await page.getByText('is not saved').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByText('is not saved').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('button', { name: 'Merge' }).waitFor()
    expect(await page.getByText('is not saved').count()).toBe(0)
  })

  test('a permission that is lost is said, and the text stays', async () => {
    const change = await app.newChange('Permission', 'one\n')
    const context = await app.signIn(await app.invite('cleo@example.com'))
    const home = await app.openTab('/', context)
    await home.getByRole('button', { name: 'Accept the invitation' }).click()
    await home.getByRole('link', { name: 'Permission' }).first().waitFor()
    await home.close()
    const page = await app.openTab(change.path, context)
    await openSource(page)
    await context.setOffline(true)
    await page.keyboard.type('two')
    await saveLine(page, 'Offline')
    const { items } = await app.call('GET', `/orgs/${app.organization}/members`)
    const cleo = items.find(({ user }: { user: { email: string } }) => user.email === 'cleo@example.com')
    await app.call('PATCH', `/orgs/${app.organization}/members/${cleo.id}`, { role: 'read' })
    await context.setOffline(false)
    await page.getByText('is not saved').first().waitFor()
    await page.getByRole('button', { name: 'Copy the text' }).first().waitFor()
    await context.close()
    expect(await change.text()).toBe('one\n')
  })

  test('two people who rewrite the same words both have their text, and one of them chooses', async () => {
    const change = await app.newChange('Both', '# Start\n\nOpen at eight.\n\nlast\n')
    const page = await typeOffline(change, 'nothing yet', () =>
      app.call('POST', `${change.apiPath}/content`, {
        changes: [{ operation: 'update_page', page: change.page, document: { markdown: 'Open at ten.\n' } }],
      }),
    )
    const panel = page.getByRole('alertdialog', { name: 'Another person changed this block too' })
    await panel.waitFor()
    await saveLine(page, 'Another person changed this block too')
    await expect.poll(() => panel.getByLabel('The other text').inputValue()).toContain('Open at ten.')
    expect(await change.text()).toBe('Open at ten.\n')
    await panel.getByLabel('Your text').fill('Open at nine.\n')
    await panel.getByRole('button', { name: 'Keep your text' }).click()
    await waitUntilSaved(page)
    await expect.poll(change.text).toContain('Open at nine.')
  })

  test.each(['refused', 'held back'])('a stream of events that is %s stops nothing', async (how) => {
    const change = await app.newChange(`No stream, ${how}`, 'one\n')
    const page = await app.context.newPage()
    await page.route('**/events*', (route) => (how === 'refused' ? route.abort() : undefined))
    await page.goto(change.path)
    await openRich(page)
    await page.keyboard.type(' two')
    await waitUntilSaved(page)
    await expect.poll(change.text).toBe('one two\n')
    await page.unrouteAll()
  })

  test('a server of another version asks for a reload once everything is saved', async () => {
    const change = await app.newChange('Version', 'one\n')
    const page = await app.openTab(change.path)
    await openSource(page)
    await app.context.setOffline(true)
    await page.keyboard.type('two')
    await saveLine(page, 'Offline')
    // The files of an older build are not there any more.
    await page.route('**/~octavo/app/app-*.js', (route) => route.fulfill({ status: 404 }))
    await app.context.setOffline(false)
    await waitUntilSaved(page)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'New version: reload' }).click()
    await page.locator('.cm-content', { hasText: 'two' }).waitFor()
    expect(await page.getByRole('button', { name: 'New version: reload' }).count()).toBe(0)
    expect(await change.text()).toBe('one\ntwo')
  })

  test.each(['Rich text', 'Markdown'])('%s: a key is never displayed beside "Saved"', async (view) => {
    const change = await app.newChange(`Frame, ${view}`, 'one\n')
    const page = await app.openTab(change.path)
    await (view === 'Markdown' ? openSource(page) : openRich(page))
    await saveLine(page, 'Saved')
    // The answer never comes. The line is read once the frame of the key is painted.
    await page.route('**/text', (route) =>
      route.request().method() === 'PATCH' ? undefined : route.continue(),
    )
    await page.evaluate(`void (window.painted = new Promise((resolve) => {
      window.addEventListener('keydown', () => requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve([
          document.querySelector('.save-line').textContent,
          document.querySelector('.page-editor').textContent.includes('~'),
        ])
        port2.postMessage(0)
      }), { capture: true, once: true })
    }))`)
    await page.keyboard.press('~')
    expect(await page.evaluate('window.painted')).toEqual(['Saving', true])
    page.once('dialog', (dialog) => void dialog.accept())
    await page.unrouteAll()
  })

  test('a merge right after a key has it, and there is none while it cannot be saved', async () => {
    const change = await app.newChange('Merge at once', 'one\n')
    const page = await app.openTab(change.path)
    await openSource(page)
    await page.route('**/text', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await page.keyboard.type('two')
    await page.getByRole('button', { name: 'Merge' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Nothing has changed').waitFor()
    await page.keyboard.press('Escape')
    await page.unrouteAll()
    await waitUntilSaved(page)
    await page.locator('.source-pane .cm-content').click()
    await page.keyboard.press('ControlOrMeta+End')
    await page.route('**/text', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await page.keyboard.type(' three')
    await page.getByRole('button', { name: 'Merge' }).click()
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await dialog.getByText('cannot be saved').waitFor()
    expect((await app.call('GET', change.apiPath)).status).toBe('draft')
    await page.unrouteAll()
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await page.getByRole('button', { name: 'Open the space' }).waitFor()
    const { markdown } = await app.call(
      'GET',
      `/spaces/${change.space}/content/page/${change.page}?format=markdown`,
    )
    expect(markdown).toBe('one\ntwo three')
  })

  test('a rich text that cannot be displayed says so, and its Markdown can be written', async () => {
    const change = await app.newChange('No rich text', 'one\n')
    const page = await app.context.newPage()
    await page.route('**/~octavo/app/rich-view-*.js', (route) => route.abort())
    await page.goto(change.path)
    await page.getByRole('button', { name: 'Rich text' }).click()
    await page.getByText('The rich text cannot be displayed').waitFor()
    await page.locator('.cm-content').click()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.type('two')
    await waitUntilSaved(page)
    await expect.poll(change.text).toBe('one\ntwo')
  })
})
