/** Views of one text: source, rich text and preview have the same place, and each helps in its own way. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type OpenChange, describeApp } from './app.js'
import { openSource, waitUntilSaved } from './steps.js'

/** Long enough to scroll, with markup that the views write differently. */
const longText = `# Start\n\n${Array.from(
  { length: 80 },
  (_, at) => `Paragraph ${at}, *with* a [link](other.md) and **strong words**.\n`,
).join('\n')}`

describeApp('views of a text', (app) => {
  const write = (change: OpenChange, ...changes: readonly object[]) =>
    app.call('POST', `${change.apiPath}/content`, { changes })
  const source = (page: Page) => page.locator('.source-pane .cm-content')

  /** The selected words, and the paragraph at the top of the window with its distance. */
  const placeOf = (page: Page) =>
    page.evaluate(() => {
      const side = document.querySelector('.editor-side')!
      const { top } = side.getBoundingClientRect()
      const lines = [...side.querySelectorAll('.cm-line, .document-editor > p')]
      const first = lines.find(
        (line) => line.getBoundingClientRect().bottom > top && line.textContent.startsWith('Paragraph'),
      )!
      return {
        words: getSelection()!.toString(),
        paragraph: Number(/\d+/.exec(first.textContent)![0]),
        distance: first.getBoundingClientRect().top - top,
      }
    })

  test('selection and scroll position are the same in both, and after the preview', async () => {
    const change = await app.newChange('Place', longText)
    const page = await app.openTab(change.path)
    await openSource(page)
    await page.locator('.editor-side').evaluate((side) => (side.scrollTop = 1000))
    const line = source(page).locator('.cm-line', { hasText: 'Paragraph 40,' })
    await line.click()
    await page.keyboard.press('End')
    for (let count = 0; count < 3; count++) await page.keyboard.press('ArrowLeft')
    for (let count = 0; count < 5; count++) await page.keyboard.press('Shift+ArrowLeft')
    const before = await placeOf(page)
    expect(before.words).toBe('words')
    await page.getByRole('button', { name: 'Rich text' }).click()
    await page.locator('.document-editor').waitFor()
    await expect.poll(async () => (await placeOf(page)).words).toBe('words')
    const inRich = await placeOf(page)
    expect(Math.abs(inRich.paragraph - before.paragraph)).toBeLessThan(2)
    expect(inRich.distance).toBeLessThan(40)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type(' typed')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.frameLocator('iframe').getByText('Paragraph 40').waitFor()
    await page.getByRole('button', { name: 'Rich text' }).click()
    expect(Math.abs((await placeOf(page)).paragraph - before.paragraph)).toBeLessThan(2)
    await page.getByRole('button', { name: 'Markdown' }).click()
    await source(page).waitFor()
    await expect
      .poll(async () => Math.abs((await placeOf(page)).paragraph - before.paragraph))
      .toBeLessThan(2)
    await page.keyboard.type(', on')
    await waitUntilSaved(page)
    await expect
      .poll(change.text)
      .toContain('Paragraph 40, *with* a [link](other.md) and **strong words typed, on**.')
  })

  test('the source completes tags, attributes, pages, variables, emoji and icons', async () => {
    const change = await app.newChange('Completions', 'one\n')
    await write(
      change,
      { operation: 'insert_page', title: 'Second page', document: { markdown: 'two\n' } },
      { operation: 'insert_reusable_content', title: 'Shared', document: { markdown: 'three\n' } },
      { operation: 'update_variables', variables: { edition: 'two' } },
    )
    const page = await app.openTab(change.path)
    await openSource(page)
    const complete = async (words: string, option: string) => {
      await page.keyboard.type(words)
      await page.locator('.cm-tooltip-autocomplete li', { hasText: option }).first().waitFor()
      // Options that were just drawn take no key yet.
      await page.waitForTimeout(100)
      await page.keyboard.press('Enter')
    }
    await complete('{% hi', 'hint')
    // Behind the value of the style, which is selected.
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await complete(' ic', 'icon')
    await complete('roc', 'rocket')
    await page.keyboard.press('ControlOrMeta+End')
    await complete('[a](sec', 'second-page.md')
    await page.keyboard.press('End')
    await complete(' {% include "', 'shared')
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.type(' <code class="expression">')
    await complete('sp', 'space.vars.edition')
    await page.keyboard.type('</code>')
    await complete(' :rocke', ':rocket:')
    await waitUntilSaved(page)
    await expect.poll(change.text).toContain('{% hint style="info" icon="rocket" %}')
    const text = await change.text()
    expect(text).toContain('{% endhint %}')
    expect(text).toContain('[a](second-page.md)')
    expect(text).toMatch(/\{% include "[^"]*shared[^"]*\.md/)
    expect(text).toContain('<code class="expression">space.vars.edition</code>')
    expect(text).toContain(':rocket:')
  })

  test('the source displays the problems of the text at their lines', async () => {
    const change = await app.newChange('Problems', 'one\n\n[gone](missing.md)\n')
    const page = await app.openTab(change.path)
    await openSource(page)
    await page.getByRole('button', { name: 'One place needs a look' }).click()
    await page.locator('.cm-panel-lint', { hasText: 'missing.md leads nowhere.' }).waitFor()
    expect(await page.locator('.cm-line:has(.cm-lintRange)').textContent()).toBe('[gone](missing.md)')
    await page.keyboard.press('Escape')
    await page.getByText('[gone](missing.md)').click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('{% hint style="none" %}')
    await page.locator('.cm-line:has(.cm-lintRange)', { hasText: 'hint' }).waitFor()
  })

  test('the preview is the page in a site, for a visitor, at three widths, and leads nowhere by itself', async () => {
    const change = await app.newChange(
      'Preview',
      '# Start\n\n{% if visitor.claims.plan == "pro" %}\nFor pro.\n{% endif %}\n\n[other](other.md) [away](https://example.com/)\n',
    )
    await write(change, {
      operation: 'insert_page',
      title: 'Other',
      document: { markdown: 'The other page.\n' },
    })
    const site = await app.call('POST', `/orgs/${app.organization}/sites`, {
      title: 'Handbook site',
      spaces: [change.space],
    })
    const place = `/orgs/${app.organization}/sites/${site.id}/adaptive-schema`
    await app.call('PUT', place, {
      jsonSchema: {
        type: 'object',
        properties: { plan: { type: 'string', enum: ['free', 'pro'], description: 'What they pay.' } },
        additionalProperties: false,
      },
    })
    const page = await app.openTab(change.path)
    await page.getByRole('button', { name: 'Preview' }).click()
    const frame = page.frameLocator('.preview-frame')
    await frame.getByText('For pro.').waitFor()
    await page.getByLabel('Site', { exact: true }).selectOption('Handbook site')
    await frame.getByText('Handbook site').first().waitFor()
    await page.getByRole('button', { name: 'All content' }).first().click()
    await page.getByLabel('plan').selectOption('free')
    await page.getByRole('button', { name: 'Show the page to this visitor' }).click()
    await frame.getByText('For pro.').waitFor({ state: 'detached' })
    for (const [name, width] of [
      ['Phone', 390],
      ['Tablet', 768],
    ] as const) {
      await page.getByRole('button', { name }).click()
      await expect.poll(() => frame.locator('html').evaluate((html) => html.clientWidth)).toBe(width)
    }
    await page.getByRole('button', { name: 'Dark' }).click()
    await expect
      .poll(() => frame.locator('html').evaluate((html) => getComputedStyle(html).colorScheme))
      .toContain('dark')
    const { pathname } = new URL(page.url())
    await frame.getByRole('link', { name: 'away' }).click()
    await page.getByText('This link leads to https://example.com/').first().waitFor()
    expect(new URL(page.url()).pathname).toBe(pathname)
    await frame.getByRole('link', { name: 'other' }).first().click()
    await page.waitForURL(/\/other$/)
    await frame.getByText('The other page.').waitFor()
    await page.getByRole('button', { name: 'Preview beside the text' }).click()
    await openSource(page)
    await page.keyboard.type('Beside it.')
    await frame.getByText('Beside it.').waitFor()
  })
})
