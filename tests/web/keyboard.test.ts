/** The app without a mouse: from the sign-in to a merged page by keyboard alone. */
import { expect, test } from 'vitest'
import { describeApp } from './app.js'
import { runCommand, tabTo, waitUntilSaved } from './steps.js'

describeApp('the keyboard alone', (app) => {
  test('signs in, creates a space, writes a page and merges it', async () => {
    const context = await app.browser.newContext({
      baseURL: app.base,
      viewport: { width: 1280, height: 800 },
    })
    const page = await app.openTab(await app.signInLink(), context)
    const { keyboard } = page
    await tabTo(page, 'button', /sign in/i)
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Home' }).waitFor()

    await runCommand(page, 'New space')
    await page.getByLabel('Name').waitFor()
    await keyboard.type('Keys')
    await keyboard.press('Enter')
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    await keyboard.press('e')
    await page.waitForURL(/\/~\/changes\/1\//)

    await runCommand(page, 'New page')
    await page.getByRole('dialog').getByLabel('Title of the page').waitFor()
    await keyboard.type('By hand')
    await keyboard.press('Enter')
    await page.waitForURL(/by-hand$/)
    await tabTo(page, 'textbox', /Text of the page/)
    await keyboard.type('Written without a mouse.')
    await waitUntilSaved(page)

    // In the text, the keys of the palette make a link.
    await tabTo(page, 'button', /^Merge$/)
    await keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Merge' }).waitFor()
    await tabTo(page, 'button', /^Merge$/)
    await keyboard.press('Enter')
    await tabTo(page, 'button', /Open the space/)
    await keyboard.press('Enter')
    await page.getByRole('treeitem', { name: 'By hand' }).waitFor()
    await page.waitForURL((url) => !url.pathname.includes('/~/'))
    await tabTo(page, 'tree', /Pages/)
    await keyboard.press('End')
    await keyboard.press('Enter')
    await page.getByText('Written without a mouse.').waitFor()
    await context.close()
  })

  test('types into the palette while it is loaded', async () => {
    const page = await app.context.newPage()
    let load = (): void => {}
    const asked = new Promise<void>((resolve) => {
      void page.route('**/~octavo/app/palette-*.js', async (route) => {
        await new Promise<void>((go) => {
          load = go
          resolve()
        })
        await route.continue()
      })
    })
    await page.goto('/')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.keyboard.press('ControlOrMeta+k')
    // Each of them is the key of an action elsewhere.
    await page.keyboard.type('[?/ge')
    await asked
    load()
    await page.getByRole('combobox').waitFor()
    expect(await page.getByRole('combobox').inputValue()).toBe('[?/ge')
    expect(await page.getByRole('dialog').count()).toBe(1)
  })
})
