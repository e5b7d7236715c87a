/**
 * Every construct of the dialect, pasted as Markdown, edited and saved by the app on a server: bytes outside stay as they
 * are. Typing each of them is tested by `document-editor.test.ts`.
 */
import { expect, test } from 'vitest'
import { describeApp } from './app.js'
import { openRich, pasteScript, waitUntilSaved } from './steps.js'

/** Each has the word `edit-me`; written as the formatter writes, since pasted text has no bytes of its own. */
const constructs: Readonly<Record<string, string>> = {
  heading: '## A heading edit-me',
  marks: 'Words **bold edit-me** and *italic*, ~~gone~~, `code`, [a link](https://example.com)',
  list: '- one\n- two edit-me\n  - nested',
  numbers: '1. one\n2. two edit-me',
  tasks: '- [ ] open edit-me\n- [x] done',
  quote: '> A quote edit-me',
  code: '```js\nconst a = "edit-me"\n```',
  hint: '{% hint style="info" %}\nA hint edit-me\n{% endhint %}',
  tabs: '{% tabs %}\n{% tab title="One" %}\nA tab edit-me\n{% endtab %}\n{% tab title="Two" %}\nOther\n{% endtab %}\n{% endtabs %}',
  steps: '{% stepper %}\n{% step %}\n### Step edit-me\n\nDo it\n{% endstep %}\n{% endstepper %}',
  columns: '{% columns %}\n{% column %}\nLeft edit-me\n{% endcolumn %}\n{% column %}\nRight\n{% endcolumn %}\n{% endcolumns %}',
  expandable: '<details>\n\n<summary>More</summary>\n\nInside edit-me\n\n</details>',
  table: '| a | b |\n| --- | --- |\n| c edit-me | d |',
  condition: '{% if visitor.claims.plan == "pro" %}\nOnly for some edit-me\n{% endif %}',
  updates: '{% updates format="full" %}\n{% update date="2026-01-31" %}\nWhat changed edit-me\n{% endupdate %}\n{% endupdates %}',
} // prettier-ignore

const names = Object.keys(constructs)
const before = '# Start\n\nOne *word*  \nof a   line.\n\n+ other _marks_\n\n'
const after = '\n\n<!-- a note -->\n\nThe __last__   words\\!\n'

describeApp('constructs', (app) => {
  test('are pasted and edited without a change elsewhere', async () => {
    const start = `${before}${names.map((name) => `slot ${name} slot`).join('\n\n')}${after}`
    const change = await app.newChange('Constructs', start)
    const page = await app.openTab(change.path)
    const editor = await openRich(page)
    let expected = await change.text()
    for (const name of names) {
      const markdown = constructs[name]!
      await editor.getByText(`slot ${name} slot`, { exact: true }).click()
      await page.keyboard.press('Home')
      await page.keyboard.press('Shift+End')
      // The editor notices a selection with its event.
      await page.waitForTimeout(20)
      await page.evaluate(pasteScript({ 'text/plain': markdown }))
      await editor.getByText(`slot ${name} slot`, { exact: true }).waitFor({ state: 'detached' })
      expected = expected.replace(`slot ${name} slot`, () => markdown)
    }
    await expect.poll(change.text).toBe(expected)
    for (let index = 0; index < names.length; index++) {
      const word = editor.getByText('edit-me').first()
      await word.evaluate((element) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          const at = node.nodeValue!.indexOf('edit-me')
          if (at !== -1) getSelection()!.setBaseAndExtent(node, at, node, at + 'edit-me'.length)
        }
      })
      await page.keyboard.type(`edited${index}`)
      await editor.getByText(`edited${index}`).first().waitFor()
      expected = expected.replace('edit-me', `edited${index}`)
    }
    await waitUntilSaved(page)
    await expect.poll(change.text).toBe(expected)
  })
})
