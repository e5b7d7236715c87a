/**
 * Reloads and crashes of tabs, and of the server, while somebody types: what was on the screen is there afterwards, once and
 * in order. Half of the rounds have no connection for saves, so that only the journal of the browser has the text.
 *
 * The suite has a few rounds, all kinds among them; many by hand:
 * `OCTAVO_LOST_KEYS_RUNS=1000 npx vitest run tests/web/lost-keys.test.ts`.
 */
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type App, type OpenChange, describeOwnApp } from './app.js'
import { openSource, waitUntilSaved } from './steps.js'

const rounds = Number(process.env['OCTAVO_LOST_KEYS_RUNS'] ?? 6)
/** Tabs that type at the same time, each in a page of its own. */
const tabs = 3
/** Milliseconds that the browser may need to write what is on the screen, on a busy machine. */
const writing = 500
/** Numbers of the words typed in a round. */
const words = 12

describeOwnApp('reloads and crashes while somebody types', (app) => {
  test(
    `lose no key that was displayed, in ${rounds} rounds`,
    async () => {
      const context = await app.signIn(await app.signInLink())
      const each = Math.ceil(rounds / tabs)
      const writers = Array.from({ length: tabs }, (_, index) => typeAndFail(app, context, index, each))
      const counts = await Promise.all(writers)
      const keys = counts.reduce((sum, one) => sum + one, 0)
      console.log(`${each * tabs} rounds, ${keys} displayed keys, none lost`)
      await context.close()
    },
    180_000 + rounds * 20_000,
  )

  test('leave the text of the crashed tab to the next one', async () => {
    const change = await app.newChange('Crash', 'one\n')
    const page = await app.openTab(change.path)
    await openSource(page)
    await page.route('**/text', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await page.keyboard.type('unsaved words')
    await page.locator('.save-line', { hasText: 'Offline' }).waitFor()
    // The renderer crashes: no handler of the page runs.
    const crashed = page.waitForEvent('crash')
    page.goto('chrome://crash').catch(() => {})
    await crashed
    expect(await change.text()).not.toContain('unsaved')
    await page.close()
    const next = await app.openTab(change.path)
    await next.locator('.cm-content', { hasText: 'unsaved words' }).waitFor()
    await waitUntilSaved(next)
    await expect.poll(change.text).toContain('unsaved words')
  })

  test('lose nothing when the server is killed, and save nothing twice', async () => {
    const change = await app.newChange('Restart', 'start\n')
    const page = await app.openTab(change.path)
    await openSource(page)
    const typing = page.keyboard.type('alpha beta gamma delta epsilon zeta eta theta', { delay: 60 })
    await page.waitForTimeout(1200)
    const restarted = app.restart()
    await typing
    await restarted
    await waitUntilSaved(page)
    await expect.poll(change.text).toBe('start\nalpha beta gamma delta epsilon zeta eta theta')
  })
})

/** Types numbered words, ends the page in the middle, and compares what was displayed with what the next page has. */
async function typeAndFail(app: App, context: BrowserContext, tab: number, count: number): Promise<number> {
  const change = await app.newChange(`Typist ${tab}`, 'start\n')
  let keys = 0
  let page: Page | undefined
  let expected = ''
  for (let round = 0; round < count; round++) {
    page ??= await app.openTab(change.path, context)
    await openSource(page)
    const kind = (round * tabs + tab) % 4
    const isOffline = kind % 2 === 1
    const isCrash = kind >= 2
    if (isOffline)
      await page.route('**/text', (route) =>
        route.request().method() === 'PATCH' ? route.abort() : route.continue(),
      )
    const text = Array.from({ length: words }, (_, word) => `${wordPrefix(tab, round)}${word} `).join('')
    let isOver = false
    const typing = typeUntil(page, text, () => isOver)
    // Anywhere in the text, another place in each round.
    await page.waitForTimeout(40 + ((round * 137 + tab * 211) % (text.length * 15)))
    const displayed = await displayedText(page, wordPrefix(tab, round))
    // The journal writes once per frame, and neither a crash nor a reload leaves time for what it is writing.
    await page.waitForTimeout(writing)
    isOver = true
    if (isCrash) {
      const crashed = page.waitForEvent('crash')
      page.goto('chrome://crash').catch(() => {})
      await crashed
      await page.close()
      page = undefined
    } else {
      page.once('dialog', (dialog) => void dialog.accept())
      if (isOffline) await page.unroute('**/text')
      await page.reload()
    }
    await typing
    keys += displayed.trimEnd().length
    if (rounds > 100 && round % 10 === 9) console.log(`tab ${tab}: ${round + 1} rounds, ${keys} keys`)
    page ??= await app.openTab(change.path, context)
    await page.locator('.cm-content', { hasText: displayed.trim() || 'start' }).waitFor()
    await waitUntilSaved(page)
    expected = await settledText(change, expected, displayed)
    const stored = wordsOfRound(expected, tab, round)
    expect(stored).toBe(text.slice(0, Math.max(stored.length, displayed.trimEnd().length)))
  }
  await page?.close()
  return keys
}

/** Types one key after the other, until the page is gone. */
async function typeUntil(page: Page, text: string, isOver: () => boolean): Promise<void> {
  for (const key of text) {
    if (isOver()) return
    await page.keyboard.type(key).catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** The part of the last line that was typed in this round. */
async function displayedText(page: Page, prefix: string): Promise<string> {
  const content = await page.evaluate(() =>
    [...document.querySelectorAll('.cm-content .cm-line')].map((one) => one.textContent).join('\n'),
  )
  const from = content.indexOf(prefix)
  return from === -1 ? '' : content.slice(from)
}

/** Waits until the stored text has what was displayed behind everything from the rounds before. */
async function settledText(change: OpenChange, before: string, displayed: string): Promise<string> {
  let text = ''
  await expect
    .poll(async () => {
      text = await change.text()
      return text.includes(displayed.trimEnd()) && text.startsWith(before.trimEnd())
    })
    .toBe(true)
  return text
}

/** Begins each word of a round, and nothing else: a word that was cut off stands before the next one. */
const wordPrefix = (tab: number, round: number): string => `t${tab}r${round}w`

function wordsOfRound(text: string, tab: number, round: number): string {
  const from = text.indexOf(wordPrefix(tab, round))
  return from === -1 ? '' : text.slice(from).trimEnd()
}
