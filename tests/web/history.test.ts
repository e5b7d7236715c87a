/** History in a browser: revisions by day, two of them compared, a page restored, and who wrote what beside the text. */
import { expect, test } from 'vitest'
import { describeApp } from './app.js'

describeApp('history', (app) => {
  /** A space with a page that two change requests changed, among many other revisions. */
  async function newHistory(title: string, others = 0) {
    const { id: space } = await app.call('POST', `/orgs/${app.organization}/spaces`, {
      title,
      empty: true,
      editMode: 'live',
    })
    const add = async (markdown: string): Promise<string> => {
      const changes = [{ operation: 'insert_page', document: { markdown } }]
      return (await app.call('POST', `/spaces/${space}/content?compat=false`, { changes })).changes[0].page.id
    }
    const page = await add('# Bread\n\nTake flour.\n\nBake it.\n')
    const merge = async (subject: string, markdown: string): Promise<string> => {
      const requests = `/spaces/${space}/change-requests`
      const { number } = await app.call('POST', requests, { subject })
      await app.call('POST', `${requests}/${number}/content`, {
        changes: [{ operation: 'update_page', page, document: { markdown } }],
      })
      return (await app.call('POST', `${requests}/${number}/merge`)).revision
    }
    const first = await merge('Take more', '# Bread\n\nTake more flour.\n\nBake it.\n')
    for (let at = 0; at < others; at++) await add(`# Other ${at}\n`)
    const second = await merge('Cool it', '# Bread\n\nTake more flour.\n\nBake it.\n\nLet it cool.\n')
    return { space, page, first, second }
  }

  test('is a list by day that goes on to the beginning, of which any two can be compared', async () => {
    const { space, first, second } = await newHistory('Long', 60)
    const page = await app.openTab(`/s/${space}/`)
    await page.getByRole('heading', { name: 'Bread' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await page.waitForURL(`**/s/${space}/~/history`)
    const entry = (name: string) => page.getByRole('article', { name, exact: true })
    await entry('Cool it').getByText('Current').waitFor()
    await entry('Cool it').getByRole('link', { name: 'Change #2' }).waitFor()
    expect(await entry('Cool it').innerText()).toMatch(/Edited the page “Bread”\.\s+admin/)
    await page.getByRole('heading', { level: 2, name: String(new Date().getFullYear()) }).waitFor()
    const compare = page.getByRole('button', { name: 'Compare' })
    expect(await compare.getAttribute('aria-disabled')).toBe('true')
    await entry('Cool it').getByRole('checkbox').check()
    const list = page.locator('.history')
    const hasBeginning = async () => {
      await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      return entry('The space began').isVisible()
    }
    await expect.poll(hasBeginning).toBe(true)
    expect(await page.getByRole('article').count()).toBeLessThan(40)
    await entry('Take more').getByRole('checkbox').check()
    await compare.click()
    await page.waitForURL(`**/s/${space}/~/compare?from=${first}&to=${second}`)
  })

  test('of a page restores it in a change request, and says so before', async () => {
    const { space, page: id } = await newHistory('Restored')
    const page = await app.openTab(`/s/${space}/`)
    await page.getByRole('heading', { name: 'Bread' }).waitFor()
    const more = page.locator('.header').getByRole('button', { name: 'More', exact: true })
    await more.click()
    await page.getByRole('menuitem', { name: 'History of this page' }).click()
    await page.waitForURL(`**/s/${space}/~/history/bread`)
    const entries = page.getByRole('article')
    await expect.poll(() => entries.count()).toBe(3)
    await entries.nth(2).getByRole('link', { name: 'Created the page' }).waitFor()
    const menuOf = (at: number) => entries.nth(at).getByRole('button', { name: /^What can be done/ })
    await menuOf(0).click()
    const restore = page.getByRole('menuitem', { name: 'Restore this page' })
    // It is how it is now.
    expect(await restore.getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Escape')
    await menuOf(2).click()
    await restore.click()
    const dialog = page.getByRole('dialog', { name: 'Restore “Bread”?' })
    await dialog.getByText('The space stays as it is until you merge it').waitFor()
    await dialog.getByRole('button', { name: 'Make a change request' }).click()
    await page.waitForURL(/~\/changes\/3\//)
    const textIn = async (place: string) =>
      (await app.call('GET', `/spaces/${space}${place}/content/page/${id}?format=markdown`)).markdown
    expect(await textIn('/change-requests/3')).toBe('# Bread\n\nTake flour.\n\nBake it.\n')
    expect(await textIn('')).toContain('Let it cool.')

    // A page that was deleted is in the revisions that had it.
    const { revision } = await app.call('GET', `/spaces/${space}`)
    await app.call('POST', `/spaces/${space}/content`, { changes: [{ operation: 'delete_page', page: id }] })
    await page.goto(`/s/${space}/~/revisions/${revision}/bread`)
    await page.getByRole('button', { name: 'Restore this page' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make a change request' }).click()
    await page.waitForURL(/~\/changes\/4\//)
    expect(await textIn('/change-requests/4')).toContain('Let it cool.')
  })

  test('has who wrote what beside the text, and on a phone as a list', async () => {
    const { space } = await newHistory('Blamed')
    const page = await app.openTab(`/s/${space}/`)
    const paragraph = page.locator('.reader-article').getByText('Take more flour.')
    await paragraph.waitFor()
    const toggle = async (name: string) => {
      await page.locator('.header').getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await toggle('Show who wrote what')
    const notes = page.getByRole('complementary', { name: 'Who wrote what' }).getByRole('link')
    await expect.poll(() => notes.count()).toBe(3)
    const targets = await notes.evaluateAll((all) =>
      all.map((one) => new URL((one as HTMLAnchorElement).href).pathname),
    )
    expect(targets).toEqual([
      `/s/${space}/~/changes/1/`,
      expect.stringContaining(`/s/${space}/~/revisions/`),
      `/s/${space}/~/changes/2/`,
    ])
    const [text, note] = [await paragraph.boundingBox(), await notes.first().boundingBox()]
    expect(Math.abs(text!.y - note!.y)).toBeLessThan(8)
    expect(note!.x + note!.width).toBeLessThan(text!.x)
    await notes.first().hover()
    await page.getByText(/^Take more · /).waitFor()
    await toggle('Hide who wrote what')
    await notes.first().waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 390, height: 800 })
    await toggle('Show who wrote what')
    const items = page.getByRole('dialog', { name: 'Who wrote what' }).getByRole('listitem')
    await expect.poll(() => items.count()).toBe(3)
    await items.nth(2).getByRole('link').click()
    await page.waitForURL(`**/s/${space}/~/changes/2/**`)
  })
})
