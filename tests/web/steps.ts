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
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
  await page.getByRole('button', { name: 'Open the space' }).click()
}

/** Merges the change request, and opens the space. */
export async function merge(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Merge' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click()
  await page.getByRole('button', { name: 'Open the space' }).click()
}

/**
 * A script that pastes into the rich text, as an event: the clipboard of the system is shared by all browsers of a machine.
 * A file is given by its base64.
 */
export function pasteScript(
  content: Readonly<Record<string, string>>,
  file?: { readonly name: string; readonly type: string; readonly base64: string },
): string {
  return `(() => {
    const data = new DataTransfer()
    for (const [type, text] of Object.entries(${JSON.stringify(content)})) data.setData(type, text)
    const file = ${JSON.stringify(file ?? null)}
    if (file !== null) {
      const bytes = Uint8Array.from(atob(file.base64), (one) => one.charCodeAt(0))
      data.items.add(new File([bytes], file.name, { type: file.type }))
    }
    const paste = new ClipboardEvent('paste', { bubbles: true, cancelable: true })
    Object.defineProperty(paste, 'clipboardData', { value: data })
    document.querySelector('.document-editor').dispatchEvent(paste)
  })()`
}

/** Presses Tab until the focus is on what has this role and name, as somebody without a mouse does. */
export async function tabTo(page: Page, role: string, name: RegExp): Promise<void> {
  const target = page.getByRole(role as 'button', { name }).first()
  await target.waitFor()
  for (let count = 0; count < 120; count++) {
    if (await target.evaluate((one) => one === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach the ${role} ${name}.`)
}

/** Runs a command by the palette. */
export async function runCommand(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  await page.keyboard.type(name)
  const option = page.getByRole('option', { name }).last()
  await option.waitFor()
  // Pages whose text has these words come first.
  while ((await option.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}
