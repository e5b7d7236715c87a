/** Two people who discuss a page in Chromium: comments on words, suggestions, replies, and the Conversation. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { type OpenChange, describeApp } from './app.js'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function violationsOn(page: Page): Promise<unknown> {
  await page.evaluate(axe)
  return page.evaluate(
    `axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map((one) => one.html)]))`,
  )
}

const markdown = 'The **quick** brown fox jumps over the dog.\n\nA second paragraph stands here.\n'

/** Selects words of the text as a mouse does. */
async function selectWords(page: Page, block: string, words: string): Promise<void> {
  const element = page.locator(block, { hasText: words }).first()
  const place = await element.evaluate((root, wanted) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    while (walker.nextNode() !== null) {
      const node = walker.currentNode as Text
      const at = node.data.indexOf(wanted)
      if (at < 0) continue
      range.setStart(node, at)
      range.setEnd(node, at + wanted.length)
      break
    }
    const { left, right, top, bottom } = range.getBoundingClientRect()
    return { left, right, y: (top + bottom) / 2 }
  }, words)
  await page.mouse.move(place.left + 1, place.y)
  await page.mouse.down()
  await page.mouse.move(place.right - 1, place.y, { steps: 4 })
  await page.mouse.up()
}

describeApp('comments', (app) => {
  let change: OpenChange
  let ben: BrowserContext

  beforeAll(async () => {
    change = await app.newChange('Foxes', markdown)
    ben = await app.signIn(await app.invite('ben@octavo.test', 'comment'))
    const home = await app.openTab('/', ben)
    await home.getByRole('button', { name: 'Accept the invitation' }).click()
    await home.getByRole('link', { name: 'Foxes' }).first().waitFor()
    await home.close()
  })

  it('are made on words, answered and resolved, and each is seen by the other person', async () => {
    const mine = await app.openTab(change.path)
    const editor = mine.getByRole('textbox', { name: 'Text of the page' })
    await editor.waitFor()
    await selectWords(mine, '.document-editor p', 'fox jumps')
    await mine.getByRole('toolbar', { name: 'Format' }).getByRole('button', { name: 'Comment' }).click()
    const panel = mine.getByRole('complementary', { name: 'Comments' })
    await panel.locator('.new-thread-words', { hasText: 'fox jumps' }).waitFor()
    await mine.keyboard.type('Which **fox**? @Ad')
    await panel.getByRole('option', { name: 'admin' }).waitFor()
    await mine.keyboard.press('Enter')
    await expect
      .poll(() => panel.getByRole('textbox').inputValue())
      .toMatch(/^Which \*\*fox\*\*\? \[admin\]\(\/users\/\w+ "mention"\) $/)
    // What is written survives a reload.
    await mine.reload()
    await editor.waitFor()
    await selectWords(mine, '.document-editor p', 'fox jumps')
    await mine.getByRole('toolbar', { name: 'Format' }).getByRole('button', { name: 'Comment' }).click()
    await expect.poll(() => panel.getByRole('textbox').inputValue()).toContain('Which **fox**?')
    await panel.getByRole('button', { name: 'Preview' }).click()
    await panel.locator('.comment-preview strong', { hasText: 'fox' }).waitFor()
    await panel.getByRole('button', { name: 'Write' }).click()
    await panel.getByRole('textbox').focus()
    await mine.keyboard.press('ControlOrMeta+Enter')
    await panel.getByRole('article', { name: 'Thread of admin' }).waitFor()
    await mine.locator('.document-editor .comment-mark', { hasText: 'fox jumps' }).waitFor()

    // The other person, who may not edit, sees it marked in the page, and answers.
    const theirs = await app.openTab(change.path, ben)
    await theirs.getByRole('button', { name: /^Comments/ }).click()
    const theirPanel = theirs.getByRole('complementary', { name: 'Comments' })
    await theirPanel.getByText('@admin').waitFor()
    await theirPanel.getByRole('button', { name: 'Reply' }).click()
    await theirs.keyboard.type('The red one.')
    await theirs.keyboard.press('ControlOrMeta+Enter')
    await panel.getByText('The red one.').waitFor()
    await panel.getByRole('button', { name: 'React' }).first().click()
    await mine.getByRole('menuitem', { name: 'Heart' }).click()
    await theirPanel.getByRole('button', { name: /by admin/ }).waitFor()
    // It stays on its words while they are edited around.
    await editor.locator('p').first().click()
    await mine.keyboard.press('Home')
    await mine.keyboard.type('Look: ')
    await mine.locator('.save-line', { hasText: 'Saved' }).waitFor()
    await mine.locator('.document-editor .comment-mark', { hasText: 'fox jumps' }).waitFor()
    await panel.getByRole('button', { name: 'Resolve' }).click()
    // What they had chosen stays where it is.
    await theirPanel.getByText('Resolved').waitFor()
    expect(await violationsOn(mine)).toEqual([])
    await theirs.close()
  })

  it('suggest other words, which are taken from the Conversation', async () => {
    const theirs = await app.openTab(change.path, ben)
    await theirs.locator('.document-editor p, .reader-article p').first().waitFor()
    await selectWords(theirs, '.document-editor p, .reader-article p', 'second')
    await theirs.getByRole('button', { name: 'Suggest an edit' }).click()
    const panel = theirs.getByRole('complementary', { name: 'Comments' })
    await panel.getByLabel('Instead of these words').fill('third')
    await panel.getByRole('button', { name: 'Suggest', exact: true }).click()
    await panel.locator('ins', { hasText: 'third' }).waitFor()

    const mine = await app.openTab(change.path.replace(/(\d+)\/(\w+)$/, '$1/~/conversation/$2'))
    const thread = mine.getByRole('article', { name: 'Thread of ben' })
    await thread.locator('del', { hasText: 'second' }).waitFor()
    await thread.getByRole('button', { name: 'Take' }).click()
    await mine.getByText('The suggestion is part of the page now.').waitFor()
    await expect.poll(() => change.text()).toContain('A third paragraph')
    await thread.getByText('Taken').waitFor()
    await panel.getByText('Taken').waitFor()
    // Taken beside the text, it is in the editor at once.
    await selectWords(theirs, '.reader-article p', 'dog')
    await theirs.getByRole('button', { name: 'Suggest an edit' }).click()
    await panel.getByLabel('Instead of these words').fill('cat')
    await panel.getByRole('button', { name: 'Suggest', exact: true }).click()
    await panel.locator('ins', { hasText: 'cat' }).waitFor()
    const writing = await app.openTab(change.path)
    await writing.locator('.document-editor p', { hasText: 'dog' }).waitFor()
    await writing.getByRole('button', { name: /^Comments/ }).click()
    await writing.getByRole('button', { name: 'Take' }).click()
    await writing.locator('.document-editor p', { hasText: 'over the cat.' }).waitFor()
    await writing.close()
    expect(await violationsOn(mine)).toEqual([])
    // Filters, and a comment on the whole.
    await mine.getByRole('button', { name: 'Open', exact: true }).click()
    await mine.getByText('No comments').waitFor()
    await mine.getByRole('textbox', { name: 'Comment on the whole change' }).fill('Ready?')
    await mine.keyboard.press('ControlOrMeta+Enter')
    await mine.getByRole('article').getByText('Ready?').waitFor()
    await theirs.close()
  })

  it('are written in the page of a space with the keyboard', async () => {
    const page = await app.openTab(`${change.spacePath}start`)
    await page.locator('.reader-article p').first().waitFor()
    await page.keyboard.press('c')
    const panel = page.getByRole('complementary', { name: 'Comments' })
    await panel.getByText('On the page').waitFor()
    await page.keyboard.type('Good.')
    await page.keyboard.press('ControlOrMeta+Enter')
    const thread = panel.getByRole('article', { name: 'Thread of admin' })
    await thread.getByText('Good.').waitFor()
    await thread.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await panel.getByText('No comments').waitFor()
  })
})
