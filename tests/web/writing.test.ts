/** Writing in the app: what is typed becomes the Markdown that it means, and what others do comes without a reload. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeApp } from './app.js'
import { openSource, waitUntilSaved } from './steps.js'

describeApp('writing', (app) => {
  test('of rich text changes in the Markdown only what was edited', async () => {
    const markdown = 'One *word*  \nof a   line.\n\n* first\n* second\n\n<!-- a note -->\n'
    const change = await app.newChange('Rich', markdown)
    const page = await app.openTab(change.path)
    await page.getByRole('button', { name: 'Rich text' }).click()
    const editor = page.getByRole('textbox', { name: 'Text of the page' })
    await editor.getByText('second').click()
    await page.keyboard.press('End')
    await page.keyboard.type(' item')
    await page.keyboard.press('Enter')
    await page.keyboard.type('third')
    await waitUntilSaved(page)
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
  })

  test('of others is displayed without a reload, also in the seventh tab', async () => {
    const change = await app.newChange('Live', 'one\n')
    const tabs: Page[] = []
    for (let count = 0; count < 7; count++) tabs.push(await app.openTab(change.spacePath))
    const last = tabs.at(-1)!
    await last.getByText('one').waitFor()
    await app.call('POST', `${change.apiPath}/content`, {
      changes: [{ operation: 'update_page', page: change.page, document: { markdown: 'two\n' } }],
    })
    await app.call('POST', `${change.apiPath}/merge`)
    await last.getByText('two').waitFor()
  })

  test('in two tabs of one page loses neither text', async () => {
    const change = await app.newChange('Together', 'first paragraph\n\nlast paragraph\n')
    const [one, other] = [await app.openTab(change.path), await app.openTab(change.path)]
    await openSource(one)
    await openSource(other)
    await one.keyboard.type('from one')
    await other.keyboard.press('ControlOrMeta+Home')
    await other.locator('.cm-line', { hasText: 'first paragraph' }).click()
    await other.keyboard.press('End')
    await other.keyboard.type(' from other')
    await Promise.all([waitUntilSaved(one), waitUntilSaved(other)])
    await expect.poll(change.text).toContain('from one')
    await expect.poll(change.text).toContain('first paragraph from other')
  })
})
