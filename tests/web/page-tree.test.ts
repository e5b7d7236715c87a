/** The page tree in a browser, by keyboard, mouse and touch: selecting, renaming, moving, hiding, copying and deleting pages. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeApp } from './app.js'

describeApp('the page tree', (app) => {
  interface Node {
    readonly title: string
    readonly hidden?: boolean
    readonly pages?: readonly Node[]
  }
  const print = (nodes: readonly Node[]): string =>
    nodes
      .map(({ title, hidden, pages = [] }) => {
        const below = pages.length === 0 ? '' : `(${print(pages)})`
        return `${title}${hidden === true ? '~' : ''}${below}`
      })
      .join(' ')

  const rowOf = (page: Page, name: string) => page.getByRole('treeitem', { name, exact: true })

  /** Opens a change request whose pages are A, B with C and D below it, and E. */
  async function openPages(title: string): Promise<{ page: Page; tree: () => Promise<string> }> {
    const change = await app.newChange(title, '# A\n\nOne.\n')
    const document = { markdown: '' }
    await app.call('POST', `${change.apiPath}/content`, {
      changes: [
        { operation: 'insert_page', title: 'B', document, ref: 'b' },
        { operation: 'insert_page', title: 'C', document, into: 'b' },
        { operation: 'insert_page', title: 'D', document, into: 'b' },
        { operation: 'insert_page', title: 'E', document },
      ],
    })
    const page = await app.openTab(change.path)
    await rowOf(page, 'E').waitFor()
    return {
      page,
      tree: async () => print((await app.call('GET', `${change.apiPath}/content/pages`)).pages),
    }
  }

  test('renames in place, selects by keys, deletes and takes it back', async () => {
    const { page, tree } = await openPages('By keys')
    await page.getByRole('tree').focus()
    await page.keyboard.press('F2')
    await page.keyboard.type('No')
    await page.keyboard.press('Escape')
    await page.keyboard.press('F2')
    await page.keyboard.type('Alpha')
    await page.keyboard.press('Enter')
    await expect.poll(tree).toBe('Alpha B(C D) E')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('3 selected').waitFor()
    await page.keyboard.press('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete page' }).click()
    await expect.poll(tree).toBe('')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(tree).toBe('Alpha B(C D) E')
    // Keys have an effect once the pages are in the list again.
    await rowOf(page, 'E').waitFor()
    await page.getByRole('tree').focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(tree).toBe('B(C D) Alpha E')
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(tree).toBe('Alpha B(C D) E')
  })

  test('hides and moves several at once, and copies a page with those below it, by its menu', async () => {
    const { page, tree } = await openPages('By menu')
    const row = (name: string) => rowOf(page, name)
    // Buttons are in the document where they are visible: in the current row, and in the one under the pointer.
    await row('E').hover()
    await row('E').getByRole('button', { name: 'More: E' }).waitFor()
    expect(await page.getByRole('treeitem').getByRole('button').count()).toBe(2)
    await row('A').click({ modifiers: ['ControlOrMeta'] })
    await row('E').click({ modifiers: ['ControlOrMeta'] })
    await row('E').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Hide from menus' }).click()
    await expect.poll(tree).toBe('A~ B(C D) E~')
    await row('A').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Move to…' }).click()
    // The field has the focus: words go there, and Enter moves.
    await page.getByRole('option', { name: 'Top level' }).waitFor()
    await page.keyboard.type('b')
    await page.getByRole('option', { name: 'B', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(tree).toBe('B(C D A~ E~)')
    // The open page is A, which has another address now.
    await page.waitForURL(/\/b\/\w+$/)
    await row('B').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await expect.poll(tree).toBe('B(C D A~ E~) B (copy)(C D A~ E~)')
  })

  test('moves a page by dragging it below another one', async () => {
    const { page, tree } = await openPages('By dragging')
    const to = rowOf(page, 'E')
    const { height } = (await to.boundingBox())!
    await rowOf(page, 'A').dragTo(to, { targetPosition: { x: 60, y: height - 2 } })
    await expect.poll(tree).toBe('B(C D) E A')
  })

  test('opens the menu of a page by a long touch on a phone', async () => {
    const { page } = await openPages('By touch')
    const { context } = app
    const phone = await app.browser.newContext({
      baseURL: app.base,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      storageState: await context.storageState(),
    })
    const tab = await app.openTab(page.url(), phone)
    await tab.getByRole('button', { name: 'Pages' }).click()
    const target = rowOf(tab, 'E')
    await target.waitFor()
    const { x, y } = (await target.boundingBox())!
    const session = await phone.newCDPSession(tab)
    const touchPoints = [{ x: x + 60, y: y + 12 }]
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await tab.getByRole('menuitem', { name: 'New page below' }).waitFor()
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await tab.getByRole('menuitem', { name: 'Copy link' }).waitFor()
    await phone.close()
  })

  test('has as many rows in the document as are in view, of ten thousand pages', async () => {
    const space = await app.newChange('Many', '# A\n')
    await app.call('PATCH', `/spaces/${space.space}`, { editMode: 'live' })
    const names = Array.from({ length: 10_000 }, (_, at) => `Page ${at}`)
    const { strToU8, zipSync } = await import('fflate')
    const files = Object.fromEntries(names.map((name, at) => [`p${at}.md`, strToU8(`# ${name}\n`)]))
    const summary = `# Table of contents\n\n${names.map((name, at) => `* [${name}](p${at}.md)`).join('\n')}\n`
    const response = await fetch(`${app.base}/v1/spaces/${space.space}/content/archive`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.token}`, 'content-type': 'application/zip' },
      body: zipSync({ ...files, 'SUMMARY.md': strToU8(summary) }, { level: 0 }) as Uint8Array<ArrayBuffer>,
    })
    expect(response.status).toBe(201)
    const page = await app.openTab(space.spacePath)
    await page.getByRole('treeitem', { name: 'Page 5', exact: true }).waitFor()
    await page.getByRole('tree').evaluate((tree) => tree.scrollTo(0, 100_000))
    await page
      .getByRole('treeitem', { name: /^Page 35\d\d$/ })
      .first()
      .waitFor()
    expect(await page.getByRole('treeitem').count()).toBeLessThanOrEqual(60)
    await page.getByRole('tree').focus()
    await page.keyboard.press('End')
    await page.getByRole('treeitem', { name: 'Page 9999' }).waitFor()
  })
})
