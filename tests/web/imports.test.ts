/** Imports in the app: each source by the dialog, with its report, into a new space and a change request; and a stop. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { zipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { samples } from '../import-samples/samples.js'
import { type WebServer, serveWeb } from '../web-server.js'
import { describeApp } from './app.js'

const wordFile = join(import.meta.dirname, '../import-samples/click-options.docx')
const filesOf = (source: string) => samples.find((one) => one.source === source)!.files

describeApp('the import dialog', (app) => {
  let folder: string
  let web: WebServer
  /** Responses of the website are held back until then. */
  let openGate: () => void
  const gate = new Promise<void>((resolve) => (openGate = resolve))

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'octavo-import-'))
    web = await serveWeb((request, response) => {
      const html = (body: string) => response.setHeader('content-type', 'text/html').end(body)
      if (request.url === '/guide/') html('<main><h1>The guide</h1><a href="two.html">Two</a></main>')
      else if (request.url === '/guide/two.html') html('<main><h1>Second</h1><p>Text of it.</p></main>')
      else if (request.url === '/slow/') void gate.then(() => html('<main><h1>Slow</h1></main>'))
      else response.writeHead(404).end()
    })
  })
  afterAll(async () => {
    openGate()
    await web.close()
    rmSync(folder, { recursive: true, force: true })
  })

  function fileOf(name: string, bytes: string | Uint8Array): string {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
    return path
  }

  async function openDialog(path = '/'): Promise<Page> {
    const page = await app.openTab(path)
    await page.getByRole('navigation').first().waitFor()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox').fill('Import content')
    await page.getByRole('option', { name: 'Import content' }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Import content' }).waitFor()
    return page
  }
  const start = (page: Page) => page.getByRole('button', { name: 'Import', exact: true }).click()
  const report = (page: Page) => page.getByRole('dialog', { name: 'Imported' })

  test.each([
    ['Word', 'Options.docx', () => wordFile, 'Options'],
    ['Markdown', 'Notes.md', () => fileOf('Notes.md', '# Notes on tea\n\nGreen tea.\n'), 'Notes on tea'],
    ['HTML', 'Plan.html', () => fileOf('Plan.html', '<h1>The plan</h1><p>Plain.</p>'), 'The plan'],
    ['Notion', 'Pages.zip', () => fileOf('Pages.zip', zipSync(filesOf('notion'))), undefined],
    ['Confluence', 'Space.zip', () => fileOf('Space.zip', zipSync(filesOf('confluence'))), 'Operations Home'],
  ])('recognizes a file of %s, and makes a space of it', async (format, name, path, title) => {
    const page = await openDialog()
    await page.locator('input[type=file]:not([webkitdirectory])').setInputFiles(path())
    const chosen = page.getByLabel('What it is')
    await chosen.waitFor()
    expect(await chosen.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]!.text)).toContain(
      format,
    )
    await page.getByLabel('Name of the new space').fill(`From ${name}`)
    await start(page)
    await report(page).getByRole('button', { name: 'Open the space' }).click()
    await page.waitForURL(/\/s\/\w+\//)
    const tree = page.getByRole('tree')
    await (title === undefined ? tree.getByRole('treeitem') : tree.getByRole('treeitem', { name: title }))
      .first()
      .waitFor()
  })

  test('sends a folder, and lists each problem with its file, line and page', async () => {
    const root = dirname(fileOf('handbook/README.md', '# Handbook\n\n[Gone](gone.md)\n'))
    fileOf('handbook/rules/one.md', '# One\n\nFine.\n\n![no picture](none.png)\n')
    const page = await openDialog()
    await page.locator('input[webkitdirectory]').setInputFiles(root)
    await expect.poll(() => page.getByLabel('Name of the new space').inputValue()).toBe('handbook')
    await start(page)
    await report(page).getByText('2 places need a look').waitFor()
    const rows = await report(page).getByRole('listitem').allTextContents()
    expect(rows.toSorted()).toEqual([
      expect.stringMatching(/^README\.mdline 3 .*gone/),
      expect.stringMatching(/^rules\/one\.mdline 5 .*none\.png/),
    ])
    await report(page).getByRole('link', { name: 'rules/one.md' }).click()
    await page.waitForURL(/\/s\/\w+\/rules\/one$/)
    await page.locator('article').getByRole('heading', { level: 1, name: 'One' }).waitFor()
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  })

  test('reads a website into a change request of the open space', async () => {
    const { spacePath, space } = await app.newChange('Target', 'Here.\n')
    const page = await openDialog(spacePath)
    await expect.poll(() => page.getByLabel('Space', { exact: true }).inputValue()).toBe(space)
    await page.getByRole('button', { name: 'An address' }).click()
    await page.getByLabel('Address').fill('not an address')
    await start(page)
    await page.getByText('An address begins with https://').waitFor()
    await page.getByLabel('Address').fill(`${web.url}/guide/`)
    await page.keyboard.press('Enter')
    await report(page).getByRole('button', { name: 'Look through the changes' }).click()
    await page.waitForURL(/\/~\/changes\/\d+\/~\/changes\//)
    await page.locator('.comparison-row', { hasText: 'The guide' }).waitFor()
    const { pages } = await app.call('GET', `/spaces/${space}/content/pages`)
    expect(pages).toHaveLength(1)
  })

  test('is stopped, and leaves no space', async () => {
    const spaces = async () => (await app.call('GET', `/orgs/${app.organization}/spaces`)).items.length
    const before = await spaces()
    const page = await openDialog()
    await page.getByRole('button', { name: 'An address' }).click()
    await page.getByLabel('Address').fill(`${web.url}/slow/`)
    await start(page)
    await page.getByText(/^Fetching/).waitFor()
    await page.getByRole('button', { name: 'Stop the import' }).click()
    await page.getByText('The import was stopped. Nothing of it was kept.').waitFor()
    expect(await spaces()).toBe(before)
    expect(await page.getByLabel('Address').inputValue()).toBe(`${web.url}/slow/`)
  })

  test('says what is wrong with a file', async () => {
    const page = await openDialog()
    await start(page)
    await page.getByRole('alert').getByText('Choose files or a folder first.').waitFor()
    await page
      .locator('input[type=file]:not([webkitdirectory])')
      .setInputFiles(fileOf('bad.docx', 'no document'))
    await start(page)
    await page.getByRole('dialog').locator('.notice-red').waitFor()
  })
})
