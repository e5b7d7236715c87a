/** The inbox in a browser: live, by keys, by mouse, signed out; and the preferences of mail and theme. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeApp } from './app.js'

describeApp('inbox', (app) => {
  /** Calls the API as the person of a tab. */
  const callFrom = (page: Page, method: string, path: string, body?: object): Promise<any> =>
    page.evaluate(
      async ([verb, address, sent]) => {
        const response = await fetch(`/v1${address}`, {
          method: verb,
          ...(sent !== undefined && {
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(sent),
          }),
        })
        if (!response.ok) throw new Error(await response.text())
        return response.status === 204 ? undefined : response.json()
      },
      [method, path, body] as const,
    )

  test('has what others did, at once, and is read by keys', async () => {
    const { apiPath, space } = await app.newChange('Prices', '# Prices\n')
    await app.call('PATCH', apiPath, { subject: 'New prices' })
    const context = await app.signIn(await app.invite('bob@inbox.test', 'review'))
    const bob = await app.openTab('/', context)
    await callFrom(bob, 'POST', `/user/invitations/${app.organization}`)
    const { id: admin } = await app.call('GET', '/user')
    const page = await app.openTab('/inbox')
    await page.getByRole('heading', { name: 'Nothing yet' }).waitFor()
    const bar = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Inbox/ })
    expect(await bar.innerText()).toBe('Inbox')

    const markdown = `Is this *right*, [@admin](/users/${admin} "mention")?`
    const comment = await callFrom(bob, 'POST', `${apiPath}/comments`, { body: { markdown } })
    await callFrom(bob, 'POST', `${apiPath}/reviews`, { status: 'approved' })
    const entry = (name: RegExp) => page.getByRole('link', { name })
    await entry(/^unread: .* approved New prices/).waitFor()
    await entry(/^unread: .* mentions you in a comment on New prices/).waitFor()
    await page.getByText('Is this right, @admin?').waitFor()
    await expect.poll(() => bar.innerText()).toMatch(/^Inbox\s+2/)

    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
    await page.keyboard.press('j')
    expect(await focused()).toMatch(/approved/)
    await page.keyboard.press('r')
    await expect.poll(focused).toMatch(/^[^:]* approved/)
    await expect.poll(() => bar.innerText()).toMatch(/^Inbox\s+1/)
    await page.keyboard.press('u')
    await expect.poll(focused).toMatch(/^unread: .* approved/)
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toMatch(/mentions/)
    await page.keyboard.press('k')
    expect(await focused()).toMatch(/approved/)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/s/${space}/~/changes/*/~/conversation/?comment=${comment.id}`)
    await page.locator(`.thread.is-current[data-comment-thread="${comment.id}"]`).waitFor()
    await expect.poll(() => bar.innerText()).toMatch(/^Inbox\s+1/)

    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await page.getByRole('button', { name: 'Unread', exact: true }).click()
    await entry(/mentions/).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await page.getByRole('heading', { name: 'Everything is read' }).waitFor()
    await expect.poll(() => bar.innerText()).toBe('Inbox')
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await entry(/^[^:]* mentions/).hover()
    await page.getByRole('button', { name: 'Mark as unread' }).last().click()
    await expect.poll(() => bar.innerText()).toMatch(/^Inbox\s+1/)
    // A comment on a page opens it beside the page.
    const { pages } = await app.call('GET', `/spaces/${space}/content/pages`)
    const body = { body: { markdown }, page: pages[0].id }
    const { id: beside } = await callFrom(bob, 'POST', `/spaces/${space}/comments`, body)
    await entry(/^unread: .* mentions you in a comment on Prices/).click()
    await page.waitForURL(`**/s/${space}/${pages[0].path}`)
    await page.locator(`.thread.is-current[data-comment-thread="${beside}"]`).waitFor()
    const { items } = await app.call('GET', '/user/inbox?read=false')
    expect(items.map((one: { kind: string }) => one.kind)).toEqual(['mentioned'])
    await context.close()
  })

  test('is behind the sign-in, which leads on to what a mail links to', async () => {
    const context = await app.browser.newContext({ baseURL: app.base })
    const page = await app.openTab('/s/any/~/changes/1/~/conversation/?comment=one', context)
    const address = new URL(page.url())
    expect(address.pathname).toBe('/~octavo/sign-in')
    expect(address.searchParams.get('return')).toBe('/s/any/~/changes/1/~/conversation/?comment=one')
    await page.goto('/inbox')
    const link = new URL(await app.signInLink(), app.base)
    link.searchParams.set('return', new URL(page.url()).searchParams.get('return')!)
    await page.goto(link.href)
    await page.getByRole('button', { name: /sign in/i }).click()
    await page.waitForURL('**/inbox')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await context.close()
  })

  test('is mailed as the account says, which has the theme of all browsers', async () => {
    const page = await app.openTab('/account')
    const preferences = async () => app.call('GET', '/user/preferences')
    await page.getByLabel('Somebody mentions you').selectOption('Once a day')
    await expect.poll(async () => (await preferences()).mail.mention).toBe('daily')
    const theme = () => page.evaluate(() => document.documentElement.dataset['theme'])
    await page.getByRole('button', { name: 'Dark', exact: true }).click()
    expect(await theme()).toBe('dark')
    await expect.poll(async () => (await preferences()).theme).toBe('dark')
    // Changed in another browser.
    await app.call('PATCH', '/user/preferences', { theme: 'light' })
    await page.reload()
    await expect.poll(theme).toBe('light')
    expect(await page.evaluate(() => localStorage.getItem('octavo-app-theme'))).toBe('light')
  })
})
