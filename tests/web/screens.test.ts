/** Accessibility of the app: axe finds nothing on its screens, in both themes, on wide and narrow windows. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeApp } from './app.js'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']

type Findings = Record<string, readonly string[]>

/** What opens over a screen is in no landmark, as the patterns of menus have it. */
const overScreen = { region: { enabled: false } }
/** The keys of the text choose in the list below it, which is not reached by itself. */
const belowText = { ...overScreen, 'scrollable-region-focusable': { enabled: false } }

async function inspect(
  page: Page,
  name: string,
  findings: Findings,
  exceptions: Readonly<Record<string, { readonly enabled: boolean }>> = {},
): Promise<void> {
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axe)
  const options = JSON.stringify({
    runOnly: rules,
    rules: exceptions,
    resultTypes: ['violations'],
    iframes: false,
  })
  const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as {
    violations: { id: string; nodes: { html: string }[] }[]
  }
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  )
  if (found.length > 0) findings[name] = found
}

/** A construct of each kind that has a form, and tables with and without titles. */
const markdown = `Words with a [link](start.md).

{% hint style="info" %}
Hint
{% endhint %}

<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td>Card</td><td><a href="start.md">start.md</a></td></tr></tbody></table>

| A | B |
| - | - |
| 1 | 2 |

{% tabs %}
{% tab title="One" %}
Text
{% endtab %}
{% tab title="Two" %}
Text
{% endtab %}
{% endtabs %}

{% columns %}
{% column %}
Left
{% endcolumn %}
{% column %}
Right
{% endcolumn %}
{% endcolumns %}

- [x] Done

The last line
`

const typedTable = `<table><thead><tr><th data-type="content-ref">Page</th><th data-type="rating" data-max="5">Stars</th><th data-type="users">People</th></tr></thead><tbody><tr><td><a href="start.md">start.md</a></td><td>3</td><td></td></tr></tbody></table>
`

describeApp('screens', (app) => {
  async function openPage(path: string, colorScheme: 'light' | 'dark', width = 1280): Promise<Page> {
    const page = await app.openTab(path)
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    return page
  }

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('axe finds nothing on a screen, %s, at %i', async (colorScheme, width) => {
    const { path, spacePath, space } = await app.newChange(`Axe ${width}`, markdown)
    const organization = `/o/${app.organization}`
    await app.publish(space, 'Guide site')
    const [{ id: site }] = (await app.call('GET', `/orgs/${app.organization}/sites`)).items
    const { id: collection } = await app.call('POST', `/orgs/${app.organization}/collections`, {
      title: 'Manuals',
    })
    await app.call('POST', `/spaces/${space}/move`, { parent: collection })
    const findings: Findings = {}
    const page = await openPage('/', colorScheme, width)
    for (const address of [
      '/',
      '/account',
      '/inbox',
      `${organization}/trash`,
      `${organization}/site/${site}`,
      `${organization}/c/${collection}/`,
      '/~octavo/ui',
      path,
      path.replace(/\/start$/, '/~/changes/start'),
      spacePath,
      `${spacePath}~/history`,
      `${spacePath}~/history/start`,
      '/s/unknown/',
    ]) {
      await page.goto(address)
      await page.waitForLoadState('networkidle')
      await inspect(page, address, findings)
    }
    expect(findings).toEqual({})
  })

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('axe finds nothing in what opens over a screen, %s, at %i', async (colorScheme, width) => {
    const change = await app.newChange(`States ${width}`, `${markdown}\n${typedTable}`)
    const findings: Findings = {}
    const page = await openPage(change.path, colorScheme, width)
    const editor = page.locator('.document-editor')
    const check = (name: string) => inspect(page, name, findings, overScreen)
    const close = () => page.keyboard.press('Escape')
    // The browser knows which view was the last one.
    await page.getByRole('button', { name: 'Rich text' }).click()
    await editor.getByText('The last line').click()
    await page.keyboard.press('Alt+Enter')
    await page.getByRole('menu').waitFor()
    await check('menu of a block')
    await close()
    await page.keyboard.press('End')
    await page.keyboard.type(' /')
    await page.getByRole('listbox').waitFor()
    await inspect(page, 'slash menu', findings, belowText)
    await close()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: 'Page, heading or address' }).waitFor()
    await check('link')
    await close()
    await page.keyboard.press('ControlOrMeta+h')
    await page.getByLabel('Find', { exact: true }).fill('line')
    await check('find and replace')
    await close()
    await page.getByRole('button', { name: 'Choose: Page' }).click()
    await page.getByRole('dialog', { name: 'Page', exact: true }).waitFor()
    await check('value of a cell')
    await close()
    await page.locator('.header').click({ position: { x: 3, y: 3 } })
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await check('keys')
    await close()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('dialog').getByRole('combobox').fill('nothing has these words')
    await check('palette')
    await close()
    await page.getByRole('button', { name: 'Merge' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).waitFor()
    await check('merge')
    await close()
    await page.getByRole('button', { name: 'Page settings' }).click()
    await page.locator('.page-panel-form').waitFor()
    await check('settings of a page')
    await page.locator('.page-panel').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.locator('.preview-frame').waitFor()
    await check('preview')
    await page.getByRole('button', { name: 'Markdown' }).click()
    await page.locator('.cm-content').click()
    await page.route('**/text', (route) => route.abort())
    await page.keyboard.type('x')
    await page.locator('.save-line', { hasText: 'Offline' }).waitFor()
    await check('offline')
    await page.route(`**/v1/spaces/${change.space}**`, (route) => route.fulfill({ status: 503, body: '{}' }))
    await page.goto(change.spacePath)
    await page.getByRole('button', { name: 'Try again' }).waitFor({ timeout: 25_000 })
    await check('error')
    expect(findings).toEqual({})
  })

  test('axe finds nothing on the pages of signing in', async () => {
    const findings: Findings = {}
    const context = await app.browser.newContext({ baseURL: app.base, reducedMotion: 'reduce' })
    const page = await app.openTab('/~octavo/sign-in', context)
    await inspect(page, 'password', findings)
    await page.goto('/~octavo/forgotten-password')
    await inspect(page, 'forgotten', findings)
    await page.goto(await app.signInLink())
    await inspect(page, 'link', findings)
    await context.close()
    expect(findings).toEqual({})
  })
})
