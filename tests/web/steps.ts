/** Steps of a person in the app: what they look for on a screen and do there, by the names that they see. */
import type { Locator, Page } from 'playwright-core'

/** Opens the Markdown of the page, with the cursor at its end. */
export async function openSource(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Markdown' }).click()
  await page.locator('.source-pane .cm-content').click()
  await page.keyboard.press('ControlOrMeta+End')
}

/** Opens the rich text of the page, with the cursor at its end. */
export async function openRich(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Rich text' }).click()
  const editor = page.getByRole('textbox', { name: 'Text of the page' })
  await editor.click()
  await page.keyboard.press('ControlOrMeta+End')
  return editor
}

/** Waits until the line in the header says so. */
export async function waitUntilSaved(page: Page): Promise<void> {
  await page.locator('.save-line', { hasText: 'Saved' }).waitFor()
}

/** Creates a page in the list of pages of a change request, and opens it. */
export async function createPage(page: Page, title: string): Promise<void> {
  const before = page.url()
  await page.getByRole('button', { name: 'New page, group or link' }).click()
  await page.getByRole('menuitem', { name: 'New page' }).click()
  await page.getByRole('dialog').getByLabel('Title of the page').fill(title)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.href !== before)
}

/** Imports a folder of this computer as a space, and opens it. */
export async function importFolder(page: Page, folder: string): Promise<void> {
  await page.getByRole('button', { name: 'Import' }).click()
  await page.locator('input[type=file]').nth(1).setInputFiles(folder)
  await page.getByRole('button', { name: 'Open the space' }).click()
}

/** Merges the change request, and opens the space. */
export async function merge(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Merge' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
  await page.getByRole('button', { name: 'Open the space' }).click()
}
