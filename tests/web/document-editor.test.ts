/** The rich editor in a browser: what is typed, pasted and composed becomes the Markdown that it means. */
import { existsSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashDocument } from '../../src/core/editing/canonical.js'
import type { SourceDocument } from '../../src/core/editing/source-blocks.js'
import { applySplices } from '../../src/core/editing/splice.js'
import { sourceOf } from '../../src/core/editing/testing.js'
import { packageRoot } from '../../src/server/package-root.js'
import type { DescribedEdit, DocumentHandle } from '../../src/web/document/mount.js'
import { everyConstruct } from '../../src/web/document/testing.js'
import { browserPath } from '../browser.js'
import { type TestBrowser, openBrowser } from '../shared-browser.js'

const entry = `
import { TextSelection } from 'prosemirror-state'
import { mountDocument } from './src/web/document/mount.ts'
import { insertableBlocks } from './src/web/document/schema.ts'
Object.assign(window, {
  insertable: insertableBlocks('2026-01-31'),
  openText(text, source) {
    window.handle?.destroy()
    window.handle = mountDocument(document.querySelector('main'), {
      text,
      document: source,
      onBlockMenu: (block) => (window.menu = block.position),
    })
  },
  /** Puts the cursor behind words, or at the end of the document. */
  putCursor(words) {
    const { view } = window.handle
    let position
    view.state.doc.descendants((node, at) => {
      const index = node.isText ? node.text.indexOf(words ?? node.text) : -1
      if (index >= 0 && (words === undefined || position === undefined)) position = at + index + (words ?? node.text).length
    })
    view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(position ?? 0))))
    view.focus()
  },
})`

declare global {
  var handle: DocumentHandle
  var insertable: readonly { readonly name: string; readonly block: never }[]
  var menu: number | undefined
  var openText: (text: string, source: object) => void
  var putCursor: (words?: string) => void
}

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:"

describe.skipIf(!existsSync(browserPath))('the rich editor', () => {
  let server: Server
  let browser: TestBrowser
  let page: Page
  const complaints: string[] = []

  beforeAll(async () => {
    const { outputFiles } = await build({
      stdin: { contents: entry, resolveDir: new URL(packageRoot).pathname, loader: 'js' },
      outdir: '/',
      bundle: true,
      write: false,
      format: 'esm',
      plugins: [
        {
          name: 'no parser',
          setup({ onResolve, onLoad }) {
            onResolve({ filter: /^satteri$/ }, () => ({
              path: 'none',
              namespace: 'none',
              sideEffects: false,
            }))
            onLoad({ filter: /./, namespace: 'none' }, () => ({ contents: 'module.exports = {}' }))
          },
        },
      ],
    })
    const [script, styles] = ['.js', '.css'].map(
      (end) => outputFiles.find(({ path }) => path.endsWith(end))!.text,
    )
    server = createServer((request, response) => {
      if (request.url === '/script.js') response.setHeader('content-type', 'text/javascript').end(script)
      else if (request.url === '/styles.css') response.setHeader('content-type', 'text/css').end(styles)
      else
        response
          .setHeader('content-type', 'text/html; charset=utf-8')
          .setHeader('content-security-policy', policy)
          .end(
            '<!doctype html><link rel="icon" href="data:,"><link rel="stylesheet" href="/styles.css"><main></main><script type="module" src="/script.js"></script>',
          )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    browser = await openBrowser()
    page = await browser.newPage({ viewport: { width: 900, height: 900 } })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await page.waitForFunction('window.putCursor !== undefined')
  })
  afterAll(async () => {
    await browser.close()
    await new Promise((resolve) => server.close(resolve))
  })

  async function open(text: string, words?: string): Promise<void> {
    const source: object = sourceOf(text)
    await page.evaluate(([text, source]) => globalThis.openText(text, source), [text, source] as const)
    await page.evaluate((words) => globalThis.putCursor(words), words)
  }

  /** The text after the edit, which is what the document means in the narrowest form. */
  async function edited(text: string): Promise<string> {
    const edit = (await page.evaluate(() => globalThis.handle.edit())) as DescribedEdit | undefined
    if (edit === undefined) return text
    const after = applySplices(text, edit.splices)
    expect([after, hashDocument(sourceOf(after))]).toEqual([after, edit.canonical])
    return after
  }

  /** Keys in angle brackets are pressed, everything else is typed. */
  async function type(input: string): Promise<void> {
    for (const [, key, words] of input.matchAll(/<([\w+]+)>|([^<]+)/g)) {
      if (key !== undefined) await page.keyboard.press(key)
      else await page.keyboard.type(words!)
    }
  }

  const cases: [name: string, text: string, input: string, after: string, words?: string][] = [
    ['a heading', 'a\n', '<Enter># b', 'a\n\n## b\n'],
    ['a nested list', 'a\n', '<Enter>- b<Enter>c<Enter><Tab>d', 'a\n\n- b\n- c\n  - d\n'],
    ['the end of a list', 'a\n', '<Enter>- b<Enter><Enter>c', 'a\n\n- b\n\nc\n'],
    ['numbers', 'a\n', '<Enter>1. b<Enter>c', 'a\n\n1. b\n2. c\n'],
    ['tasks', 'a\n', '<Enter>[ ] b<Enter>c', 'a\n\n- [ ] b\n- [ ] c\n'],
    ['a quote and its end', 'a\n', '<Enter>> b<Enter><Enter>c', 'a\n\n> b\n\nc\n'],
    ['code and its end', 'a\n', '<Enter>```js b<Enter><Tab>c<Control+Enter>d', 'a\n\n```js\nb\n  c\n```\n\nd\n'],
    ['a divider', 'a\n', '<Enter>---b', 'a\n\n***\n\nb\n'],
    ['marks', 'a\n', ' **b** *c* `d` ~~e~~ f', 'a **b** *c* `d` ~~e~~ f\n'],
    ['a link', 'a\n', ' [b](c.md) d', 'a [b](c.md) d\n'],
    ['a formula', 'a\n', ' $$b$$ c', 'a $$b$$ c\n'],
    ['a mark by its key', 'a\n', ' <Control+b>b<Control+b> c', 'a **b** c\n'],
    ['a rule that is taken back', 'a\n', '<Enter># <Backspace>b', 'a\n\n\\# b\n'],
    ['an undone word', 'a\n', ' b<Control+z>', 'a\n'],
    ['a line break', 'a\n', '<Shift+Enter>b', 'a\\\nb\n'],
    ['text behind a heading', '## a\n', '<Enter>b', '## a\n\nb\n'],
    ['a line in a cell', '|a|b|\n|-|-|\n|c|d|\n', '<Enter>e', '|a|b|\n|-|-|\n|c|d<br>e|\n'],
    ['a row', '|a|b|\n|-|-|\n|c|d|\n', '<Tab>e<Tab>f', '|a|b|\n|-|-|\n|c|d|\n| e | f |\n'],
    ['text behind a hint', '{% hint style="info" %}\na\n{% endhint %}\n', '<Enter><Enter>b', '{% hint style="info" %}\na\n{% endhint %}\n\nb\n'],
    ['text behind steps', '{% stepper %}\n{% step %}\na\n{% endstep %}\n{% endstepper %}\n', '<Enter><Enter>b', '{% stepper %}\n{% step %}\na\n{% endstep %}\n{% endstepper %}\n\nb\n'],
    ['text behind code', '```js\na\n```\n', '<ArrowDown>b', '```js\na\n```\n\nb\n'],
    ['text behind a table', '|a|\n|-|\n|c|\n', '<ArrowDown>b', '|a|\n|-|\n|c|\n\nb\n'],
    ['text before code', '```js\na\n```\n', '<ArrowUp>b', 'b\n\n```js\na\n```\n'],
    ['text behind a hint, by the arrow', '{% hint style="info" %}\na\n{% endhint %}\n', '<ArrowDown>b', '{% hint style="info" %}\na\n{% endhint %}\n\nb\n'],
    ['text before a hint, by the arrow', '{% hint style="info" %}\na\n{% endhint %}\n', '<ArrowUp>b', 'b\n\n{% hint style="info" %}\na\n{% endhint %}\n'],
    ['text before a table', '|a|\n|-|\n|c|\n', '<ArrowUp><ArrowUp>b', 'b\n\n|a|\n|-|\n|c|\n'],
    ['text behind columns', '{% columns %}\n{% column %}\na\n{% endcolumn %}\n{% endcolumns %}\n', '<ArrowDown>b', '{% columns %}\n{% column %}\na\n{% endcolumn %}\n{% endcolumns %}\n\nb\n'],
    ['text behind an expandable', '<details>\n\n<summary>t</summary>\n\na\n\n</details>\n', '<ArrowDown>b', '<details>\n\n<summary>t</summary>\n\na\n\n</details>\n\nb\n'],
    ['a moved row', '|a|b|\n|-|-|\n|c|d|\n|e|f|\n', '<Alt+ArrowUp>x', '|a|b|\n|-|-|\n|e|fx|\n|c|d|\n'],
    ['a row less', '|a|b|\n|-|-|\n|c|d|\n|e|f|\n', '<Control+Shift+Backspace>', '|a|b|\n|-|-|\n|c|d|\n'],
    ['a moved block', '_a_\n\nb\n\n__c__\n', '<Alt+ArrowUp>', '_a_\n\n__c__\n\nb\n'],
    ['a copied block', '_a_\n\nb\n', '<Control+Shift+D>', '_a_\n\n_a_\n\nb\n', 'a'],
    ['a block that becomes a list', '_a_\n', '<Control+Shift+8>', '- _a_\n'],
    ['a list that becomes blocks', '- a\n- b\n', '<Control+Shift+8>', '- a\n\nb\n'],
    ['a block that becomes a heading', '_a_\n', '<Control+Alt+2>', '### _a_\n'],
  ] // prettier-ignore

  it.each(cases)('writes %s', async (_, text, input, after, words) => {
    await open(text, words)
    await type(input)
    expect(await edited(text)).toBe(after)
  })

  it('inserts every block of the menu, with the cursor where it is written', async () => {
    const source: object = sourceOf('a\n')
    const inserted = await page.evaluate((source) => {
      return globalThis.insertable.map(({ name, block }) => {
        globalThis.openText('a\n', source)
        globalThis.putCursor()
        const isInserted = globalThis.handle.insert(block)
        const { view } = globalThis.handle
        const isText = view.state.selection.$from.parent.isTextblock
        if (isText) view.dispatch(view.state.tr.insertText('xy'))
        return { name, isInserted, isText, edit: globalThis.handle.edit() }
      })
    }, source)
    expect(inserted.filter(({ isInserted }) => !isInserted)).toEqual([])
    // Those that stand for something elsewhere are written once it is chosen.
    expect(inserted.filter(({ edit }) => edit === undefined).map(({ name }) => name)).toEqual([
      'image', 'file', 'embed', 'page-link', 'include', 'api-operation', 'api-schemas', 'api-webhook',
    ]) // prettier-ignore
    for (const { name, isText, edit } of inserted) {
      if (edit === undefined) continue
      const after = applySplices('a\n', edit.splices)
      expect([after, hashDocument(sourceOf(after))]).toEqual([after, edit.canonical])
      expect([name, isText]).toEqual([name, after.includes('xy')])
    }
    expect(inserted.length).toBeGreaterThan(25)
  })

  it('moves a block by its handle, and opens the menu of a block', async () => {
    await open('_a_\n\nb\n\n__c__\n')
    await page.locator('.document-editor > p').nth(2).hover()
    await page.locator('.block-handle').click()
    expect(await page.evaluate(() => globalThis.menu)).toBe(6)
    const target = (await page.locator('.document-editor > p').first().boundingBox())!
    await page.locator('.document-editor > p').nth(2).hover()
    await page.locator('.block-handle').hover()
    await page.mouse.down()
    await page.mouse.move(target.x + 20, target.y + 6, { steps: 5 })
    await page.mouse.move(target.x + 20, target.y + 4, { steps: 2 })
    await page.mouse.up()
    await expect.poll(() => page.evaluate(() => globalThis.handle.view.state.doc.textContent)).toBe('acb')
    expect(await edited('_a_\n\nb\n\n__c__\n')).toBe('_a_\n\n__c__\n\nb\n')
  })

  it('takes composed characters while others write, and keeps the cursor', async () => {
    await open('a\n\nb\n', 'a')
    const session = await page.context().newCDPSession(page)
    for (const text of ['に', 'にほ', 'にほん'])
      await session.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      })
    const theirs = 'a\n\nb and more\n'
    const source: object = sourceOf(theirs)
    await page.evaluate(
      ([text, document]) => globalThis.handle.apply({ text, document: document as SourceDocument }, 'others'),
      [theirs, source] as const,
    )
    await session.send('Input.insertText', { text: '日本' })
    await expect
      .poll(() => page.evaluate(() => globalThis.handle.view.state.doc.textContent))
      .toBe('a日本b and more')
    await page.keyboard.type('c')
    expect(await edited(theirs)).toBe('a日本c\n\nb and more\n')
  })

  it('lays each text out by its own direction, and code from the left', async () => {
    await open('Left\n\nשלום עולם\n\n- مرحبا\n\n```\nשלום\n```\n')
    const directions = await page.evaluate(() =>
      [...document.querySelectorAll('.document-editor :is(p, li, pre)')].map(
        (element) => `${element.localName} ${getComputedStyle(element).direction}`,
      ),
    )
    expect(directions).toEqual(['p ltr', 'p rtl', 'li rtl', 'p rtl', 'pre ltr'])
  })

  it('opens every construct without a change, under the policy of the app', async () => {
    await open(everyConstruct, 'Words')
    expect(await page.evaluate(() => globalThis.handle.text())).toBe(everyConstruct)
    expect(await page.locator('.opaque-block').count()).toBe(1)
    expect(complaints).toEqual([])
  })
})
