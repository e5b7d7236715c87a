/**
 * The write flow in Firefox ESR and in WebKitGTK: sign in, write rich text and Markdown, paste, undo, reload before the
 * text is saved, merge.
 *
 * Not driven there, for want of a command: the composition of an input method, drops of files of another program, and the
 * native clipboard (pasting is an event with the same content).
 */
import { existsSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { firefoxPath, webkit } from '../browser.js'
import { describeApp } from './app.js'
import { type Tab, openFirefox, openWebkit } from './drivers.js'
import { pasteScript } from './steps.js'

const browsers = [
  { name: 'Firefox ESR', needs: [firefoxPath], open: openFirefox },
  { name: 'WebKitGTK', needs: Object.values(webkit), open: openWebkit },
]

const markdown = '# Start\n\nOne *word*  \nof a   line.\n\n* first\n* second\n'

describeApp('other browsers', (app) => {
  for (const { name, needs, open } of browsers) {
    const missing = needs.filter((path) => !existsSync(path))
    const title = missing.length === 0 ? name : `${name} (skipped: no ${missing.join(', ')})`
    describe.skipIf(missing.length > 0)(title, () => {
      let tab: Tab | undefined
      afterAll(() => tab?.close())

      test('writes a page and merges it', async () => {
        const change = await app.newChange(name, markdown)
        tab = await open()
        await tab.open(app.base + (await app.signInLink()))
        await tab.click('button', 'Sign in')
        await tab.find('h1', 'Home')

        await tab.open(app.base + change.path)
        await tab.click('button', 'Rich text')
        await tab.click('.document-editor li', 'second')
        await tab.press('End')
        await tab.type(' item')
        await tab.press('Enter')
        await tab.type('third **bold** and `code`')
        await tab.find('.save-line', 'Saved')
        const typed = markdown.replace('* second', '* second item\n* third **bold** and `code`')
        await expect.poll(change.text).toBe(typed)

        await tab.type(' and more')
        await tab.press('Control', 'z')
        await tab.press('Enter')
        await tab.press('Enter')
        await tab.type('/hint')
        await tab.find('[role=option]', 'Hint')
        await tab.press('Enter')
        await tab.type('Mind the step')
        await expect.poll(change.text).toMatch(/\{% hint .*%\}\nMind the step\n\{% endhint %\}\n$/)

        await tab.evaluate(
          pasteScript({ 'text/html': '<p>Pasted <b>words</b></p>', 'text/plain': 'Pasted words' }),
        )
        await expect.poll(change.text).toContain('Pasted **words**')

        // The page is left before the last words are saved.
        await tab.type(' and unsaved ones')
        await tab.open(app.base + change.path)
        await tab.find('.document-editor', 'and unsaved ones')
        await expect.poll(change.text).toContain('and unsaved ones')
        expect(await change.text()).toContain('One *word*  \nof a   line.\n\n* first\n* second item\n')

        await tab.click('button', 'Markdown')
        await tab.click('.source-pane .cm-content')
        await tab.press('Control', 'End')
        await tab.type('The end.')
        await expect.poll(change.text).toContain('The end.')
        await tab.find('.save-line', 'Saved')

        await tab.click('button', 'Merge')
        await tab.click('[role=dialog] button', 'Merge')
        await tab.click('button', 'Open the space')
        await tab.find('article, main', 'Mind the step')
        await tab.find('article, main', 'The end.')
      })
    })
  }
})
