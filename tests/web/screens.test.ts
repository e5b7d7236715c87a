/** Accessibility of the app: axe finds nothing on its screens, in both themes, on wide and narrow windows. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeApp } from './app.js'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']

type Findings = Record<string, readonly string[]>

async function inspect(page: Page, name: string, findings: Findings): Promise<void> {
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axe)
  const options = JSON.stringify({ runOnly: rules, resultTypes: ['violations'], iframes: false })
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
