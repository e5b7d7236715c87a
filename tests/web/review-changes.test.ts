/** The Changes tab of a change request, and the comparison of two revisions: what a reviewer reads and steps through. */
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { describeApp } from './app.js'

const paragraphs = Array.from({ length: 9 }, (_, at) => `Paragraph ${at} stays.`).join('\n\n')
const before = `Read the *old* text.\n\n${paragraphs}\n\n- one\n- two\n\nThe end.\n`
const after = `Read the **new** text.\n\n${paragraphs}\n\n- one\n- three\n- two\n\nThe end.\n`

const row = (page: Page, name: string) => page.locator('.comparison-row', { hasText: name })
const title = (page: Page, name: string) => page.getByRole('heading', { name, level: 2 })

describeApp('reviewing changes', (app) => {
  test('page by page, with the keyboard alone, in three views', async () => {
    const change = await app.newChange('Reviewed', before)
    await app.call('POST', `${change.apiPath}/content`, {
      changes: [
        { operation: 'update_page', page: change.page, document: { markdown: after } },
        { operation: 'insert_page', document: { markdown: '# Fresh\n\nHello.\n' } },
      ],
    })
    const page = await app.openTab(`${change.path.replace(/\/start$/, '/~/changes/start')}`)
    await title(page, 'Start').waitFor()
    await page.locator('.compared-article ins.diff-added', { hasText: 'new' }).waitFor()
    await page.locator('.compared-article del.diff-removed', { hasText: 'old' }).waitFor()
    expect(await page.locator('[data-key="0"]').count()).toBeGreaterThan(0)
    expect(await row(page, 'Start').innerText()).toContain('2')

    // What did not change is folded, and opens.
    const unchanged = page.getByText('Paragraph 4 stays.')
    expect(await unchanged.isVisible()).toBe(false)
    await page
      .getByText(/^\d+ unchanged blocks$/)
      .first()
      .click()
    await unchanged.waitFor()

    const current = page.locator('[data-current]')
    await page.keyboard.press('n')
    await current.filter({ hasText: 'Read the' }).waitFor()
    await page.keyboard.press('n')
    await current.filter({ hasText: 'three' }).waitFor()
    await page.keyboard.press('n')
    await title(page, 'Fresh').waitFor()
    await current.filter({ hasText: 'Hello.' }).waitFor()
    await page.keyboard.press('p')
    await title(page, 'Start').waitFor()
    await current.filter({ hasText: 'three' }).waitFor()

    await page.getByRole('button', { name: 'Side by side' }).click()
    await page.locator('.only-before', { hasText: 'old' }).waitFor()
    expect(await page.locator('.only-after').innerText()).not.toContain('old')
    await page.getByRole('button', { name: 'Markdown', exact: true }).click()
    await page.locator('.source-comparison ins', { hasText: '**new**' }).waitFor()
    await page.getByRole('button', { name: 'Rendered' }).click()

    // Seen, until somebody edits the page.
    await page.keyboard.press('v')
    await title(page, 'Fresh').waitFor()
    await row(page, 'Start').locator('.comparison-seen').waitFor()
    await page.keyboard.press('v')
    await row(page, 'Fresh').locator('.comparison-seen').waitFor()
    const { pages } = await app.call('GET', `${change.apiPath}/content/pages`)
    const fresh = pages.find((one: { title: string }) => one.title === 'Fresh').id
    await app.call('POST', `${change.apiPath}/content`, {
      changes: [
        { operation: 'update_page', page: fresh, document: { markdown: '# Fresh\n\nHello again.\n' } },
      ],
    })
    await page.reload()
    await row(page, 'Start').locator('.comparison-seen').waitFor()
    await expect.poll(() => row(page, 'Fresh').locator('.comparison-seen').count()).toBe(0)
  })

  test('of two revisions at an address, many of them in parts', async () => {
    const { space } = await app.newChange('Many', 'Here.\n')
    const { revision } = await app.call('GET', `/spaces/${space}`)
    await app.call('PATCH', `/spaces/${space}`, { editMode: 'live' })
    for (let batch = 0; batch < 5; batch++)
      await app.call('POST', `/spaces/${space}/content`, {
        changes: Array.from({ length: 50 }, (_, at) => {
          return { operation: 'insert_page', document: { markdown: `# Page ${batch * 50 + at}\n\nText.\n` } }
        }),
      })
    const page = await app.openTab(`/s/${space}/~/compare?from=${revision}`)
    await page.getByText('250 changes').waitFor()
    expect(await page.locator('.comparison-row').count()).toBeLessThan(60)
    const rows = page.locator('.comparison-rows')
    await expect
      .poll(async () => {
        await rows.evaluate((element) => element.scrollTo(0, element.scrollHeight))
        return rows.evaluate((element) => element.scrollHeight)
      })
      .toBeGreaterThan(7_900)
    await page.locator('.comparison-row').last().click()
    await page.locator('.compared-article ins.diff-added', { hasText: 'Text.' }).waitFor()
  })
})
