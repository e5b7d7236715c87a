/** Screens of the app for everybody: axe finds nothing on any of them, in both themes, on wide and narrow windows. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { type OpenChange, describeApp } from './app.js'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const paths = (organization: string, { path, spacePath }: OpenChange) => [
  '/',
  '/account',
  `/o/${organization}/trash`,
  '/~octavo/ui',
  path,
  path.replace(/\/start$/, '/~/changes/start'),
  spacePath,
  '/s/unknown/',
]

describeApp('screens', (app) => {
  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('axe finds nothing, %s, at %i', async (colorScheme, width) => {
    const change = await app.newChange(`Axe ${colorScheme}`, 'one\n')
    const found: Record<string, string[]> = {}
    const page = await app.openTab('/')
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const path of paths(app.organization, change)) {
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      await page.evaluate(axe)
      const { violations } = (await page.evaluate(
        `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] })`,
      )) as { violations: { id: string; nodes: { html: string }[] }[] }
      const names = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
      )
      if (names.length > 0) found[path] = names
    }
    expect(found).toEqual({})
  })
})
