/** A space in a browser: begun with a template, its settings, what its pages share, the trash, and the settings of a page. */
import { expect, test } from 'vitest'
import { describeApp } from './app.js'

describeApp('a space', (app) => {
  test('begins with a template, is renamed, goes to the trash, comes back, and is deleted for ever', async () => {
    const page = await app.openTab('/')
    await page.getByRole('button', { name: 'New space' }).first().click()
    await page.getByText('Handbook of a team').click()
    await page.getByRole('button', { name: 'Create space' }).click()
    await page.waitForURL(/\/s\/\w+\//)
    await page.getByRole('treeitem', { name: 'Decisions' }).waitFor()
    const space = /\/s\/(\w+)/.exec(page.url())![1]!
    const menu = page.getByRole('button', { name: 'More', exact: true })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Space settings' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Our handbook')
    await page.getByLabel('Language').fill('English')
    await page.getByRole('button', { name: 'Save' }).click()
    // What is wrong is said at the field, and what was typed stays.
    await page.getByRole('dialog').locator('.field-error').waitFor()
    await page.getByLabel('Language').fill('en')
    await page.getByLabel('Editing').selectOption('live')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await app.call('GET', `/spaces/${space}`)).toMatchObject({
      title: 'Our handbook',
      editMode: 'live',
      language: 'en',
    })
    await page.getByText('Live', { exact: true }).waitFor()
    const discard = async () => {
      await menu.click()
      await page.getByRole('menuitem', { name: 'Move to trash' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Move to trash' }).click()
      await page.getByRole('heading', { name: 'Home' }).waitFor()
      await page.getByRole('link', { name: 'Trash' }).click()
    }
    await discard()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('The trash is empty').waitFor()
    await page.getByRole('link', { name: 'Our handbook' }).click()
    await discard()
    await page.getByRole('button', { name: 'Delete for ever' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for ever' }).click()
    await page.getByText('The trash is empty').waitFor()
    expect((await app.call('GET', `/orgs/${app.organization}/trash`)).items).toEqual([])
  })

  test.each(['Product documentation', 'API documentation', 'Help center'])(
    'begins with the template %s, which has nothing to mend',
    async (name) => {
      const page = await app.openTab('/')
      await page.getByRole('button', { name: 'New space' }).first().click()
      await page.getByText(name).click()
      const imported = page.waitForResponse((response) => response.url().endsWith('/content/archive'))
      await page.getByRole('button', { name: 'Create space' }).click()
      expect(await (await imported).json()).toMatchObject({ problems: [], unlisted: 0, leftOut: 0 })
      await page.waitForURL(/\/s\/\w+\//)
    },
  )

  test('says at the field which value of a variable is wrong, and keeps what pages share', async () => {
    const change = await app.newChange('Shared', '# A\n')
    const page = await app.openTab(change.path)
    await page.getByRole('button', { name: 'Variables, reusable content and tags' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('seats')
    await dialog.getByLabel('Kind').selectOption('number')
    await dialog.getByLabel('Value', { exact: true }).fill('many')
    await dialog.getByRole('button', { name: 'Add a variable' }).click()
    await dialog.getByText('Write a number, such as 3 or 0.5.').waitFor()
    await dialog.getByLabel('Value', { exact: true }).fill('12')
    await dialog.getByRole('button', { name: 'Add a variable' }).click()
    await dialog.getByText('seats', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Reusable content' }).click()
    await dialog.getByRole('button', { name: 'Add reusable content' }).click()
    await dialog.getByLabel('Title').fill('Notice')
    await dialog.getByLabel('Text, in Markdown').fill('Read this.')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('button', { name: /^Notice/ }).waitFor()
    const { variables, reusableContents } = await app.call('GET', `${change.apiPath}/content`)
    expect(variables).toEqual({ seats: 12 })
    expect(reusableContents).toMatchObject([{ title: 'Notice' }])
  })

  test('the settings of a page are its front matter: condition as a form or as text, tags, description', async () => {
    const change = await app.newChange('Panel', '# A\n\nOne two three.\n')
    await app.call('POST', `${change.apiPath}/content`, {
      changes: [
        { operation: 'insert_tag', label: 'Guide', slug: 'guide' },
        { operation: 'insert_page', title: 'B', document: { markdown: '# B\n\n[To A](start.md)\n' } },
      ],
    })
    const page = await app.openTab(change.path)
    await page.getByRole('button', { name: 'Page settings' }).click()
    const panel = page.getByRole('complementary', { name: 'Page settings' })
    await panel.getByText('4 words').waitFor()
    await panel.getByLabel('Guide').check()
    await expect.poll(change.text).toContain('- guide')
    await panel.getByRole('button', { name: 'Add a condition' }).click()
    await panel.getByLabel('Claim').fill('plan')
    await page.keyboard.press('Enter')
    await panel.getByLabel('Value').fill('pro')
    await page.keyboard.press('Enter')
    await expect.poll(change.text).toContain('if: visitor.claims.plan == "pro"')
    await panel.getByRole('button', { name: 'As text' }).click()
    await panel.getByRole('textbox', { name: 'Who sees it' }).fill('visitor.claims.')
    await page.keyboard.press('Enter')
    await panel.getByText('is not a valid expression').waitFor()
    await page.locator('.description-field').fill('In place')
    await page.keyboard.press('Enter')
    await expect.poll(change.text).toContain('description: In place')
  })
})
