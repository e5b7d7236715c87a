/** The rich editor in the app: menus, forms, links, find, tables and what is pasted, by the keyboard as a person has it. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type OpenChange, describeApp } from './app.js'
import { clipboardSamples } from './clipboard-samples.js'

/** Opens the rich text with the cursor behind words. */
async function openAt(page: Page, words: string): Promise<void> {
  await page.locator('.document-editor').getByText(words, { exact: true }).first().click()
  await page.keyboard.press('End')
  // The editor hears of the cursor with the next frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
}

/** The Markdown once it is what is expected, or after a while. */
async function expectText(change: OpenChange, expected: unknown): Promise<void> {
  await expect.poll(() => change.text(), { timeout: 8000 }).toEqual(expected)
}

async function pasteContent(
  page: Page,
  content: Readonly<Record<string, string>>,
  picture = false,
): Promise<void> {
  await page.evaluate(
    ([types, hasPicture]) => {
      const data = new DataTransfer()
      for (const [type, value] of Object.entries(types)) data.setData(type, value)
      if (hasPicture)
        data.items.add(new File([new Uint8Array([137, 80, 78, 71])], 'image.png', { type: 'image/png' }))
      const target = document.querySelector('.document-editor')!
      target.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    },
    [content, picture] as const,
  )
}

describeApp('the rich editor', (app) => {
  const open = async (title: string, markdown: string) => {
    const change = await app.newChange(title, markdown)
    return { change, page: await app.openTab(change.path) }
  }

  test('turns, copies and deletes blocks by their menu, without a mouse', async () => {
    const { change, page } = await open('Menu', '_One_\n\nTwo\n')
    await openAt(page, 'One')
    await page.keyboard.press('Alt+Enter')
    await page.getByRole('menuitem', { name: 'Turn into…' }).waitFor()
    await page.keyboard.type('Turn')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Heading 2' }).waitFor()
    await page.keyboard.type('Heading 2')
    await page.keyboard.press('Enter')
    await page.keyboard.type(' now')
    await expectText(change, expect.stringContaining('### _One now_\n\nTwo\n'))
    await page.keyboard.press('Alt+Enter')
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor()
    await page.keyboard.type('Dup')
    await page.keyboard.press('Enter')
    await expectText(change, expect.stringContaining('### _One now_\n\n### _One now_\n\nTwo\n'))
  })

  test('changes attributes in a form, by the keyboard, and undoes them in one step', async () => {
    const before = '{% hint style="info" %}\n_Words_\n{% endhint %}\n\n_after_\n'
    const { change, page } = await open('Form', before)
    await openAt(page, 'Words')
    await page.keyboard.press('Alt+Enter')
    await page.getByRole('menuitem', { name: 'Settings: Hint' }).waitFor()
    await page.keyboard.type('Settings: H')
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'Hint' })
    await form.getByLabel('Style').selectOption('Danger')
    await expectText(change, expect.stringContaining(before.replace('info', 'danger')))
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    await page.keyboard.press('ControlOrMeta+z')
    await expectText(change, expect.stringContaining(before))
  })

  test('finds pages, headings and addresses for links', async () => {
    const { change, page } = await open('Links', 'Words\n\n## Set it up\n\nMore\n')
    await app.call('POST', `${change.apiPath}/content`, {
      changes: [
        { operation: 'insert_page', title: 'Other page', document: { markdown: 'Text\n\n## Deep inside\n' } },
      ],
    })
    await page.reload()
    await openAt(page, 'Words')
    const link = async (...words: readonly string[]) => {
      await page.keyboard.type(' ')
      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('combobox', { name: 'Page, heading or address' }).waitFor()
      for (const one of words) await page.keyboard.type(one)
      await page.keyboard.press('Enter')
      await page.getByRole('combobox', { name: 'Page, heading or address' }).waitFor({ state: 'detached' })
    }
    await link('other')
    await expectText(change, expect.stringContaining('[Other page](other-page.md)'))
    await link('#set')
    await expectText(change, expect.stringContaining('[Set it up](#set-it-up)'))
    await link('other page#deep')
    await expectText(change, expect.stringContaining('[Deep inside](other-page.md#deep-inside)'))
    await page.keyboard.type(' ')
    await pasteContent(page, { 'text/plain': `${app.base}${change.spacePath}start#set-it-up` })
    await expectText(
      change,
      expect.stringContaining('[Deep inside](other-page.md#deep-inside) [Set it up](#set-it-up)'),
    )
  })

  test('finds and replaces in the page, in one step', async () => {
    const { change, page } = await open('Find', 'A cat, a **cat** and a Cat.\n\n_dog_\n')
    await openAt(page, 'dog')
    await page.keyboard.press('ControlOrMeta+h')
    await page.getByLabel('Find', { exact: true }).fill('cat')
    await page.getByText('3', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('1 of 3').waitFor()
    await page.getByLabel('Replace with').fill('bird')
    await page.getByRole('button', { name: 'Replace all' }).click()
    await expectText(change, expect.stringContaining('A bird, a **bird** and a bird.\n\n_dog_\n'))
    await page.getByLabel('Replace with').press('Escape')
    await page.keyboard.press('ControlOrMeta+z')
    await expectText(change, expect.stringContaining('A cat, a **cat** and a Cat.\n\n_dog_\n'))
  })

  test('changes rows and columns of a table by keys and by its menu', async () => {
    const { change, page } = await open('Table', '|a|b|\n|-|-|\n|c|d|\n|e|f|\n\n_after_\n')
    const table = async () => (await change.text()).replaceAll(/ *\| */g, '|').replaceAll(/-+/g, '-')
    await openAt(page, 'c')
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(table).toContain('|a|b|\n|-|-|\n|e|f|\n|c|d|\n')
    await page.getByRole('button', { name: 'Rows and columns' }).click()
    await page.getByRole('menuitem', { name: 'Column after' }).click()
    await expect.poll(table).toContain('|a||b|\n|-|-|-|\n|e||f|\n|c||d|\n')
    await page.keyboard.press('Alt+Enter')
    await page.getByRole('menuitem', { name: 'Align right' }).click()
    await expect.poll(table).toContain('|-:|-|-|')
    await page.keyboard.press('Tab')
    await page.keyboard.type('x')
    await expect.poll(table).toContain('|c|x|d|\n')
  })

  test('draws formulas and diagrams as readers see them', async () => {
    const { page } = await open(
      'Drawings',
      '$$\na^2\n$$\n\n```mermaid\nflowchart LR\n  A --> B\n```\n\nText\n',
    )
    await page.locator('.block-preview math msup').waitFor()
    await page.locator('.block-preview svg').waitFor()
  })

  test('pastes what programs copy', async () => {
    const { change, page } = await open('Paste', '_One_\n')
    await openAt(page, 'One')
    for (const { types, hasPicture, markdown } of clipboardSamples) {
      await page.keyboard.press('ControlOrMeta+Enter')
      await pasteContent(page, types, hasPicture)
      for (const piece of markdown) await expectText(change, expect.stringContaining(piece))
    }
    expect(await change.text()).toContain('_One_\n\n## Install\n')
  })
})
