/** Accessibility: every kind of page of a site is checked against WCAG 2.2 AA by axe in a browser, and operated by keyboard alone. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath } from './browser.js'
import { type Gallery, openGallery } from './gallery.js'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Finding {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** What axe finds, with everything open that opens; each as its rule and where. */
async function findingsOn(page: Page): Promise<string[]> {
  await page.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = true))`)
  // By the DevTools protocol: the content security policy of the page blocks injected scripts.
  await page.evaluate(axe)
  const { violations } = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] })`,
  )) as { violations: readonly Finding[] }
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary.slice(0, 300)}`),
  )
}

describe.skipIf(!existsSync(browserPath))('pages for everybody', () => {
  let gallery: Gallery
  beforeAll(async () => {
    gallery = await openGallery()
  })
  afterAll(() => gallery.close())

  const pageVariants = [
    { language: 'en', width: 1280, dark: false, isWhole: false },
    { language: 'en', width: 390, dark: true, isWhole: true },
    { language: 'ar', width: 1280, dark: true, isWhole: true },
    { language: 'ar', width: 390, dark: false, isWhole: false },
  ]
  const everyPath = ['index.html', 'missing.html', 'error.html', 'search.html', 'feedback.html']

  test.each(pageVariants)(
    'axe finds nothing at $width, dark: $dark, in $language',
    async ({ language, width, dark, isWhole }) => {
      const found: Record<string, readonly string[]> = {}
      const paths = isWhole ? everyPath : ['index.html']
      for (const path of paths) {
        const page = await gallery.open(width, { dark, path, site: { language } })
        found[path] = await findingsOn(page)
        await page.close()
      }
      expect(found).toEqual(Object.fromEntries(paths.map((path) => [path, []])))
    },
  )

  test.each([360, 1280])(
    'search results at %i are navigated by keyboard through their sections',
    async (width) => {
      const page = await gallery.open(width)
      await page.keyboard.press('/')
      await page.keyboard.type('merge')
      const options = page.locator('.search-list [role=option]')
      // The results of the first letters are displayed until then.
      await page.getByText('All results for “merge”').waitFor()
      const lines = (await page.locator('.search-list').innerText()).split(/\n+/)
      const english = ['Working together', 'Merging changes', 'Merge what two people wrote.', 'Merge rules']
      const expected = [
        'Guide · English',
        ...english,
        'Merge when …',
        'Merge conflicts',
        'Reference',
        'Merge',
      ]
      expect(lines).toEqual([...expected, 'All results for “merge”'])
      expect(await options.locator('mark').allTextContents()).toEqual([
        'Mergi',
        ...Array.from({ length: 5 }, () => 'Merge'),
      ])
      expect(await page.getByRole('status').last().textContent()).toBe('Results: 40')
      expect(await findingsOn(page)).toEqual([])
      const chosen = () => page.locator('[role=option][aria-selected=true] strong').textContent()
      const walked = [await chosen()]
      for (let step = 0; step < 3; step++) {
        await page.keyboard.press('ArrowDown')
        walked.push(await chosen())
      }
      expect(walked).toEqual(['Merging changes', 'Merge rules', 'Merge conflicts', 'Merge'])
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await page.waitForURL(/#rules$/)
      await page.locator('.search-dialog').waitFor({ state: 'hidden' })
      // A result on the current page closes the dialog too.
      await page.keyboard.press('/')
      await page.keyboard.type('merge')
      await page.locator('.search-result').first().waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.locator('.search-dialog').waitFor({ state: 'hidden' })
      await page.close()
    },
  )

  test.each([390, 1280])(
    'the keyboard alone reaches everything at %i, sees where it is, and leaves',
    async (width) => {
      const page = await gallery.open(width)
      // An element that does not scroll is no tab stop once it is measured.
      const areMeasured = () =>
        page.evaluate(`[...document.querySelectorAll('.table, .code pre, .drawing')].every((area) => {
          return !area.checkVisibility() || area.matches('.fits, .more-before, .more-behind')
        })`)
      await expect.poll(areMeasured).toBe(true)
      const reachable = (await page.evaluate(`(() => {
      const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
      window.stops = all.filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false }) && one.closest('[inert]') === null)
      return window.stops.length
    })()`)) as number
      expect(reachable).toBeGreaterThan(50)
      const step = `(() => {
      const one = document.activeElement
      if (one === null || one === document.body) return undefined
      const style = getComputedStyle(one)
      const inner = one.closest('.search, .card, .card-line')
      const isOutlined = [one, inner].some((at) => at && (getComputedStyle(at).outlineStyle !== 'none' || getComputedStyle(at).boxShadow !== 'none'))
      return { at: window.stops.indexOf(one), isOutlined, html: one.outerHTML.slice(0, 120) }
    })()`
      const focused = new Set<number>()
      const unseen: string[] = []
      for (let count = 0; count < reachable + 40; count++) {
        await page.keyboard.press('Tab')
        const stop = (await page.evaluate(step)) as
          | { at: number; isOutlined: boolean; html: string }
          | undefined
        if (stop === undefined) break
        focused.add(stop.at)
        if (!stop.isOutlined) unseen.push(stop.html)
      }
      const missed = await page.evaluate(
        `window.stops.filter((_, at) => !${JSON.stringify([...focused])}.includes(at)).map((one) => one.outerHTML.slice(0, 120))`,
      )
      expect({ missed, unseen }).toEqual({ missed: [], unseen: [] })
      // No focus trap: after the last stop the focus leaves the page.
      expect(await page.evaluate('document.activeElement === document.body')).toBe(true)
      await page.close()
    },
  )
})
