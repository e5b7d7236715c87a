/** Screens of an organization and of the account, by mouse and keyboard; what leads back from nothing; a server of another build. */
import { expect, test } from 'vitest'
import { describeApp } from './app.js'

describeApp('the screens around the texts', (app) => {
  test('a site, a collection, a revision and a specification have a page at their addresses', async () => {
    const { organization } = app
    const collection = await app.call('POST', `/orgs/${organization}/collections`, { title: 'Manuals' })
    const { space } = await app.newChange('Guide', 'Words of the guide.\n')
    await app.call('POST', `/spaces/${space}/move`, { parent: collection.id })
    const published = await app.publish(space, 'Guide site')
    const { items } = await app.call('GET', `/orgs/${organization}/sites`)
    const site = items.find(({ title }: { title: string }) => title === 'Guide site')
    const page = await app.openTab(new URL(site.urls.app).pathname)
    await page.getByRole('heading', { name: 'Guide site' }).waitFor()
    expect(await page.getByRole('link', { name: 'Open the site' }).getAttribute('href')).toBe(published)
    await page.getByRole('main').locator('.resource-link', { hasText: 'Guide' }).waitFor()
    await page.goto(new URL(collection.urls.app).pathname)
    await page.getByRole('heading', { name: 'Manuals' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: /Guide/ }).waitFor()
    const revision = await app.call('GET', `/spaces/${space}/content`)
    await page.goto(new URL(revision.urls.app).pathname)
    await page.getByText('Words of the guide.').waitFor()
    await page.getByRole('link', { name: 'Open the current page' }).click()
    await page.waitForURL(new RegExp(`/s/${space}/$`))
  })

  test('what is not there leads back', async () => {
    const page = await app.openTab('/o/unknown')
    await page.getByText('You have no access to this organization').waitFor()
    await page.goto(`/o/${app.organization}/site/unknown/`)
    await page.getByText('It is gone, or not open to you').waitFor()
    await page.getByRole('link', { name: 'Open the organization' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    const response = await page.goto('/nothing')
    expect(response!.status()).toBe(404)
    await page.getByRole('link', { name: 'Go to Home' }).click()
    await page.waitForURL(`${app.base}/`)
  })

  test('a token is made by the keyboard, shown once, works, and is revoked', async () => {
    const page = await app.openTab('/account')
    await page.getByRole('button', { name: 'New token' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Name').waitFor()
    await page.keyboard.type('Release script')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Your new token' })
    const secret = await dialog.locator('code').textContent()
    const status = async () =>
      (await fetch(`${app.base}/v1/user`, { headers: { authorization: `Bearer ${secret}` } })).status
    expect(await status()).toBe(200)
    await dialog.getByRole('button', { name: 'I have stored it' }).click()
    expect(await page.content()).not.toContain(secret)
    await page.getByRole('button', { name: 'Revoke the token Release script' }).click()
    await page.getByText('Release script').waitFor({ state: 'detached' })
    expect(await status()).toBe(401)
  })

  test('preferences are those of the person, in every browser', async () => {
    const page = await app.openTab('/account')
    await page.getByLabel('Somebody mentions you').selectOption('Never')
    await expect.poll(async () => (await app.call('GET', '/user/preferences')).mail.mention).toBe('never')
    await page.getByRole('button', { name: 'Dark' }).click()
    await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark')
    await page.getByRole('button', { name: 'As the system' }).click()
  })

  test('a server with another build asks for a reload', async () => {
    const page = await app.openTab('/')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    expect(await page.getByText('This server has a new version of the app.').count()).toBe(0)
    // The files of an older build are not there any more; the tab looks for its own when its event stream opens.
    await page.route('**/~octavo/app/app-*.js', (route) =>
      route.request().method() === 'HEAD' ? route.fulfill({ status: 404 }) : route.continue(),
    )
    await page.reload()
    await page.getByText('This server has a new version of the app.').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Load it' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
  })

  test('signing out everywhere ends every session', async () => {
    const link = await app.invite('zoe@example.com')
    const context = await app.signIn(link)
    const page = await app.openTab('/account', context)
    await page.getByRole('button', { name: 'Sign out everywhere', exact: true }).click()
    await page.getByRole('link', { name: 'sign in' }).waitFor()
    await page.goto('/account')
    await page.getByLabel('E-mail address').waitFor()
    expect(new URL(page.url()).searchParams.get('return')).toBe('/account')
    await context.close()
  })
})
