/** Three people and a change request in Chromium: its author, a reviewer, and somebody who merges it. */
import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { type App, type OpenChange, describeApp } from './app.js'

const markdown = 'The quick brown fox.\n\nA **second** paragraph.\n'

/** Invites somebody who accepts, and returns where they are signed in. */
async function addMember(app: App, email: string, space: string): Promise<BrowserContext> {
  const context = await app.signIn(await app.invite(email, 'review'))
  const home = await app.openTab('/', context)
  await home.getByRole('button', { name: 'Accept the invitation' }).click()
  await home.getByRole('link', { name: space }).first().waitFor()
  await home.close()
  return context
}

/** Opens the form of a review by its key, which does not fire in a field. */
async function openReview(page: Page) {
  await page.getByRole('button', { name: 'Review', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Conversation' }).focus()
  await page.keyboard.press('a')
  const form = page.getByRole('dialog', { name: 'Your review' })
  await form.waitFor()
  return form
}

describeApp('reviews', (app) => {
  let change: OpenChange
  let ann: BrowserContext
  let mia: BrowserContext

  beforeAll(async () => {
    change = await app.newChange('Reviewed', markdown)
    ann = await addMember(app, 'ann@octavo.test', 'Reviewed')
    mia = await addMember(app, 'mia@octavo.test', 'Reviewed')
    const { items } = await app.call('GET', `/orgs/${app.organization}/members`)
    const { user } = items.find((one: { user: { email: string } }) => one.user.email === 'ann@octavo.test')
    await app.call('PATCH', change.apiPath, { subject: 'Faster foxes', status: 'open' })
    await app.call('PATCH', `/spaces/${change.space}`, {
      mergeRules: { type: 'rules', rules: [{ rule: 'require_specific_reviewers', users: [user.id] }] },
    })
    await edit('The quicker fox.\n\nA **second** paragraph.\n\n![](https://octavo.test/fox.png)\n')
  })

  const edit = (text: string, place = change.apiPath) =>
    app.call('POST', `${place}/content`, {
      changes: [{ operation: 'update_page', page: change.page, document: { markdown: text } }],
    })

  it('are asked for, given, withdrawn and given again, and then somebody merges', async () => {
    const author = await app.openTab(change.path)
    await author.getByRole('button', { name: 'Reviewers' }).click()
    const list = author.getByRole('dialog', { name: 'Reviewers' })
    await list.getByRole('combobox', { name: 'Ask for a review' }).fill('ann')
    await list.getByRole('option', { name: /ann/ }).click()
    await list.getByRole('listitem').filter({ hasText: 'ann' }).getByText('Asked').waitFor()
    await author.keyboard.press('Escape')
    await author.getByRole('button', { name: 'Reviewers: ann: Asked' }).waitFor()

    // The reviewer finds it on Home, and asks for changes with words.
    const reviewer = await app.openTab('/', ann)
    await reviewer.getByRole('heading', { name: 'Waiting for your review' }).waitFor()
    await reviewer
      .getByRole('link', { name: /Faster foxes/ })
      .first()
      .click()
    let form = await openReview(reviewer)
    await form.getByRole('button', { name: 'Ask for changes' }).first().click()
    await form.getByRole('button', { name: 'Ask for changes' }).last().click()
    await form.getByText('Say what should change.').waitFor()
    await form.getByRole('textbox').fill('It is a **fox**.')
    await reviewer.keyboard.press('ControlOrMeta+Enter')
    await form.waitFor({ state: 'detached' })
    await author.getByRole('button', { name: 'Reviewers: ann: Asks for changes' }).waitFor()

    // The author sees what is missing, and where.
    await author.getByRole('link', { name: 'Checks' }).click()
    const check = (name: string) =>
      author.getByRole('listitem').filter({ has: author.getByRole('heading', { name }) })
    await author.getByRole('heading', { name: 'Not ready to merge' }).waitFor()
    await check('Merge rules').getByText('Missing: the approval of ann.').waitFor()
    await check('Comments').getByText('It is a **fox**.').waitFor()
    await check('Alternative texts').getByText('Line 5').waitFor()
    const merge = author.getByRole('button', { name: 'Merge', exact: true })
    expect(await merge.getAttribute('aria-disabled')).toBe('true')

    // The reviewer takes it back, and approves.
    form = await openReview(reviewer)
    await form.getByText('You asked for changes').waitFor()
    await form.getByRole('button', { name: 'Withdraw' }).click()
    await author.getByRole('button', { name: 'Reviewers: ann: Withdrawn' }).waitFor()
    await form.getByRole('textbox').fill('Well said.')
    await form.getByRole('button', { name: 'Approve' }).last().click()
    await form.waitFor({ state: 'detached' })
    await author.getByRole('heading', { name: 'Ready to merge' }).waitFor()
    await check('Alternative texts').getByRole('link', { name: 'Start' }).click()
    await author.waitForURL((url) => url.pathname === change.path)

    const merger = await app.openTab(change.path, mia)
    await merger.getByRole('button', { name: 'Reviewers: ann: Approved' }).waitFor()
    await merger.getByRole('link', { name: 'Conversation' }).focus()
    await expect
      .poll(() => merger.getByRole('button', { name: 'Merge' }).getAttribute('aria-disabled'))
      .toBe(null)
    await merger.keyboard.press('m')
    const dialog = merger.getByRole('dialog')
    await dialog.getByText('1 image of the changed pages has no alternative text.').waitFor()
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await dialog.getByText('The change is part of the space now.').waitFor()
    const closed = author.getByRole('button', { name: 'Review', exact: true })
    await expect.poll(() => closed.getAttribute('aria-disabled')).toBe('true')
  })

  it('of conflicts are made beside what was there before, as readers would see it', async () => {
    await app.call('PATCH', `/spaces/${change.space}`, { mergeRules: { type: 'none' }, editMode: 'live' })
    const { number } = await app.call('POST', `/spaces/${change.space}/change-requests`, {})
    const place = `/spaces/${change.space}/change-requests/${number}`
    await edit('The quicker **red** fox jumps.\n\nA **second** paragraph.\n', place)
    await edit('The quicker *grey* fox jumps.\n\nA **second** paragraph.\n', `/spaces/${change.space}`)
    const page = await app.openTab(`/s/${change.space}/~/changes/${number}/~/checks/`)
    await page
      .getByText('was changed in the space too')
      .or(page.getByText('were changed in the space too'))
      .waitFor()
    await page.getByRole('button', { name: 'Update from the space to resolve them' }).click()
    const conflict = page.locator('.conflict').first()
    await conflict
      .getByRole('group', { name: 'This change' })
      .first()
      .locator('strong', { hasText: 'red' })
      .waitFor()
    await conflict
      .getByRole('group', { name: 'The space' })
      .first()
      .locator('em', { hasText: 'grey' })
      .waitFor()
    await conflict
      .getByRole('group', { name: 'Before' })
      .getByText(/The quick(er| brown) fox/)
      .waitFor()
    await conflict.getByRole('button', { name: 'Own text' }).click()
    const own = conflict.getByRole('textbox', { name: 'Markdown' })
    await own.click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('Our ~~slow~~ fox.')
    await conflict
      .getByRole('group', { name: 'What stays' })
      .last()
      .locator('del, s')
      .getByText('slow')
      .waitFor()
    for (const other of (await page.locator('.conflict').all()).slice(1))
      await other.getByRole('button', { name: 'This change' }).click()
    await page.getByRole('button', { name: 'Apply the answers' }).click()
    await page.getByRole('heading', { name: 'Ready to merge' }).waitFor()
    const { markdown: text } = await app.call('GET', `${place}/content/page/${change.page}?format=markdown`)
    expect(text).toContain('Our ~~slow~~ fox.')

    // The description is written in the Conversation.
    await page.getByRole('link', { name: 'Conversation' }).click()
    await page.getByRole('button', { name: 'Add a description' }).click()
    await page.getByRole('textbox', { name: 'Description' }).fill('Why it **matters**.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByRole('region', { name: 'Description' })
      .locator('strong', { hasText: 'matters' })
      .waitFor()
  })
})
