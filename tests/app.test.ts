/**
 * The browser app in a real browser, on a server as users start it: from the first sign-in to a merged page, and writing
 * while connections, tabs and the server fail.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath } from './browser.js'
import { type ServerProgram, startProgram } from './server-program.js'

const run = promisify(execFile)
const program = join(import.meta.dirname, '../bin/octavo.js')
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describe.skipIf(!existsSync(browserPath))('the app', () => {
  let folder: string
  let server: ServerProgram
  let browser: Browser
  let context: BrowserContext
  let token: string
  const failures: string[] = []

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'octavo-app-'))
    server = await startProgram(folder, program)
    browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
    context = await browser.newContext({ baseURL: server.base, viewport: { width: 1280, height: 800 } })
    const [, link] = /(\/~octavo\/sign-in\?link=\S+)/.exec(server.errorOutput())!
    token = /API token: +(\S+)/.exec(server.errorOutput())![1]!
    const page = await context.newPage()
    await page.goto(link!)
    await page.getByRole('button', { name: /sign in/i }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.close()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** A tab whose errors fail the test that reads `failures`. */
  async function openTab(path: string, from = context): Promise<Page> {
    const page = await from.newPage()
    page.on('pageerror', (error) => failures.push(error.message))
    await page.goto(path)
    return page
  }

  async function call(method: string, path: string, body?: object) {
    const response = await fetch(`${server.base}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    // oxlint-disable-next-line typescript/no-explicit-any
    return (await response.json()) as any
  }

  /** Creates a space with one page and a change request of it. */
  async function newChange(title: string, markdown: string) {
    const { items } = await call('GET', '/orgs')
    const space = await call('POST', `/orgs/${items[0].id}/spaces`, { title, empty: true })
    const first = await call('POST', `/spaces/${space.id}/change-requests`, {})
    await call('POST', `/spaces/${space.id}/change-requests/${first.number}/content`, {
      changes: [{ operation: 'insert_page', title: 'Start', document: { markdown } }],
    })
    await call('POST', `/spaces/${space.id}/change-requests/${first.number}/merge`)
    const change = await call('POST', `/spaces/${space.id}/change-requests`, {})
    const { pages } = await call('GET', `/spaces/${space.id}/content/pages`)
    const below = `/spaces/${space.id}/change-requests/${change.number}`
    return {
      below,
      page: pages[0].id as string,
      path: `/s/${space.id}/~/changes/${change.number}/${pages[0].path}`,
      text: async () =>
        (await call('GET', `${below}/content/page/${pages[0].id}?format=markdown`)).markdown as string,
      revisions: async () =>
        (await call('GET', `/spaces/${space.id}/change-requests/${change.number}`)).revision,
    }
  }

  /** Opens the source editor with the cursor at the end of the text. */
  async function openEditor(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Markdown' }).click()
    await page.locator('.source-pane .cm-content').click()
    await page.keyboard.press('ControlOrMeta+End')
  }
  const isSaved = (page: Page) => page.locator('.save-line', { hasText: 'Saved' }).waitFor()

  test('leads from an empty organization to a merged page, by keyboard and mouse', async () => {
    const page = await openTab('/')
    await page.getByRole('button', { name: 'New space' }).first().click()
    await page.getByLabel('Name').fill('Handbook')
    await page.getByRole('button', { name: 'Create space' }).click()
    await page.waitForURL(/\/s\/\w+\//)
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    await page.keyboard.press('e')
    await page.waitForURL(/\/~\/changes\/1\//)
    await page.getByLabel('Subject of the change request').fill('Explain how to install')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'New page, group or link' }).click()
    await page.getByRole('menuitem', { name: 'New page' }).click()
    await page.getByRole('dialog').getByLabel('Title of the page').fill('Install it')
    await page.keyboard.press('Enter')
    await page.waitForURL(/install-it$/)
    await openEditor(page)
    await page.keyboard.type('Run the installer.')
    await page.waitForTimeout(500)
    await isSaved(page)
    await page.getByRole('link', { name: 'Changes' }).click()
    await page.locator('.changed-title', { hasText: 'Install it' }).waitFor()
    await page.getByRole('button', { name: 'Merge' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
    await page.getByRole('button', { name: 'Open the space' }).click()
    await page.getByRole('treeitem', { name: 'Install it' }).click()
    await page.getByText('Run the installer.').waitFor()
    await page.close()
    expect(failures).toEqual([])
  })

  test('leads an invited person into the organization', async () => {
    const { items } = await call('GET', '/orgs')
    const invited = await call('POST', `/orgs/${items[0].id}/invites`, {
      emails: ['ben@example.com'],
      role: 'edit',
    })
    expect(invited).toBeDefined()
    const { stdout } = await run(process.execPath, [program, 'user', 'sign-in-link', 'ben@example.com'], {
      cwd: folder,
    })
    const link = /\/~octavo\/sign-in\?link=\S+/.exec(stdout)![0]
    const other = await browser.newContext({ baseURL: server.base })
    const page = await other.newPage()
    await page.goto(link)
    await page.getByRole('button', { name: /sign in/i }).click()
    await page.getByRole('button', { name: 'Accept the invitation' }).click()
    await page.getByRole('link', { name: 'Octavo guide' }).first().waitFor()
    await other.close()
    expect(failures).toEqual([])
  })

  test('imports a folder of this computer as a space', async () => {
    const source = join(folder, 'my-docs')
    mkdirSync(join(source, 'guide'), { recursive: true })
    writeFileSync(join(source, 'README.md'), '# Welcome\n\nSee [first](guide/first.md).\n')
    writeFileSync(join(source, 'guide/first.md'), '# First steps\n\nOne.\n')
    const page = await openTab('/')
    await page.getByRole('button', { name: 'Import' }).click()
    await page.locator('input[type=file]').nth(1).setInputFiles(source)
    await page.getByRole('button', { name: 'Open the space' }).click()
    await page.getByRole('treeitem', { name: 'Welcome' }).waitFor()
    await page.getByText('See').waitFor()
    await page.close()
    expect(failures).toEqual([])
  })

  test('writes rich text, of which only what was edited changes in the Markdown', async () => {
    const markdown = 'One *word*  \nof a   line.\n\n* first\n* second\n\n<!-- a note -->\n'
    const change = await newChange('Rich', markdown)
    const page = await openTab(change.path)
    await page.getByRole('button', { name: 'Rich text' }).click()
    const editor = page.getByRole('textbox', { name: 'Text of the page' })
    await editor.getByText('second').click()
    await page.keyboard.press('End')
    await page.keyboard.type(' item')
    await page.keyboard.press('Enter')
    await page.keyboard.type('third')
    await isSaved(page)
    await expect.poll(change.text).toBe(markdown.replace('* second', '* second item\n* third'))
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.type('/')
    await page.getByRole('option', { name: 'Heading 1' }).waitFor()
    await page.keyboard.type('heading 1')
    await page.keyboard.press('Enter')
    await page.keyboard.type('News')
    await expect.poll(change.text).toContain('\n## News\n')
    await page.getByRole('button', { name: 'Page settings' }).click()
    await page.getByLabel('Description', { exact: true }).first().fill('What is new')
    await page.keyboard.press('Enter')
    await expect.poll(change.text).toContain('description: What is new')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.frameLocator('iframe').getByRole('heading', { name: 'News' }).waitFor()
    await page.close()
    expect(failures).toEqual([])
  })

  test('displays what others do without a reload, also in the seventh tab', async () => {
    const change = await newChange('Live', 'one\n')
    const space = change.path.replace(/~.*/, '')
    const tabs: Page[] = []
    for (let count = 0; count < 7; count++) tabs.push(await openTab(space))
    const last = tabs.at(-1)!
    await last.getByText('one').waitFor()
    await call('POST', `${change.below}/content`, {
      changes: [{ operation: 'update_page', page: change.page, document: { markdown: 'two\n' } }],
    })
    await call('POST', `${change.below}/merge`)
    await last.getByText('two').waitFor()
    for (const tab of tabs) await tab.close()
    expect(failures).toEqual([])
  })

  test('keeps what is typed while the connection is lost, and says so', async () => {
    const change = await newChange('Offline', 'one\n')
    const page = await openTab(change.path)
    await openEditor(page)
    await context.setOffline(true)
    await page.keyboard.type('two')
    await page.locator('.save-line', { hasText: 'Offline' }).waitFor()
    await page.keyboard.type(' three')
    await context.setOffline(false)
    await isSaved(page)
    await expect.poll(change.text).toContain('two three')
    await page.close()
  })

  test('a page that is left before its text was saved goes on with it when it is opened again', async () => {
    const change = await newChange('Leave', 'one\n')
    const page = await openTab(change.path)
    await openEditor(page)
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
    await isSaved(page)
    await expect.poll(change.text).toContain('left behind')
    await page.close()
  })

  test('a tab that is gone before its text was saved leaves it to the next one', async () => {
    const change = await newChange('Crash', 'one\n')
    const page = await openTab(change.path)
    await openEditor(page)
    await page.route('**/text', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await page.keyboard.type('unsaved words')
    await page.locator('.save-line', { hasText: 'Offline' }).waitFor()
    // The renderer crashes: no handler of the page runs.
    const crashed = page.waitForEvent('crash')
    page.goto('chrome://crash').catch(() => {})
    await crashed
    expect(await change.text()).not.toContain('unsaved')
    await page.close()
    const next = await openTab(change.path)
    await next.locator('.cm-content', { hasText: 'unsaved words' }).waitFor()
    await isSaved(next)
    await expect.poll(change.text).toContain('unsaved words')
    await next.close()
  })

  test('a server that is killed while somebody writes has every word once after its restart', async () => {
    const change = await newChange('Restart', 'start\n')
    const page = await openTab(change.path)
    await openEditor(page)
    const typing = page.keyboard.type('alpha beta gamma delta epsilon zeta eta theta', { delay: 60 })
    await page.waitForTimeout(1200)
    const { port } = new URL(server.base)
    await server.kill()
    await typing
    server = await startProgram(folder, program, {}, port)
    await isSaved(page)
    await expect.poll(change.text).toBe('start\nalpha beta gamma delta epsilon zeta eta theta')
    await page.close()
  })

  test('two tabs that write in one page have both texts', async () => {
    const change = await newChange('Together', 'first paragraph\n\nlast paragraph\n')
    const [one, other] = [await openTab(change.path), await openTab(change.path)]
    await openEditor(one)
    await openEditor(other)
    await one.keyboard.type('from one')
    await other.keyboard.press('ControlOrMeta+Home')
    await other.locator('.cm-line', { hasText: 'first paragraph' }).click()
    await other.keyboard.press('End')
    await other.keyboard.type(' from other')
    await Promise.all([isSaved(one), isSaved(other)])
    await expect.poll(change.text).toContain('from one')
    await expect.poll(change.text).toContain('first paragraph from other')
    await Promise.all([one.close(), other.close()])
  })

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('axe finds nothing on the screens, %s, at %i', async (colorScheme, width) => {
    const change = await newChange(`Axe ${colorScheme}`, 'one\n')
    const found: Record<string, string[]> = {}
    const page = await openTab('/')
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const path of [
      '/',
      '/account',
      '/~octavo/ui',
      change.path,
      change.path.replace(/~.*/, ''),
      '/s/unknown/',
    ]) {
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      await page.evaluate(axe)
      const { violations } = (await page.evaluate(
        `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] })`,
      )) as { violations: { id: string; nodes: { html: string }[] }[] }
      const names = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
      )
      if (names.length > 0) found[path] = names
    }
    expect(found).toEqual({})
    await page.close()
  })
})
