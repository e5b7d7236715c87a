/**
 * Hostile pages: pages that are expensive to render, published and read over a connection, with the worker threads of the product.
 *
 * No wall clock: while a page waits for its fragments, a small read is sent and completes.
 */
import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../src/store/db/open.js'
import { type FragmentRenderer, createWorkerFragments } from '../src/store/reading/fragment-renderer.js'
import { type NewPage, type SiteClient, openSiteClient } from './site-client.js'
import { buildThread } from './thread-program.js'

const fence = '`'.repeat(3)
const macros = `\\def\\a{${'x'.repeat(5_000)}}${'\\a '.repeat(480)}`
/** What each would do, if it were done as it is written. */
const hostile: Readonly<Record<string, string>> = {
  // Three quarters of a minute in the patterns of the language.
  coloured: `${fence}pgsql\n${'$'.repeat(100_000)}\n${fence}`,
  // Two and a half million letters, each an element.
  macros: `$$\n${macros}\n$$`,
  // Minutes in native code that nothing can stop.
  nested: `<p>${'<custom>'.repeat(10_000)}</p>`,
  // Four hundred million cells.
  table: `<table><tbody><tr>${'<td>a</td>'.repeat(4_000)}</tr>${'<tr><td></td></tr>'.repeat(4_000)}</tbody></table>`,
  // Seconds of parsing and rendering, in a worker thread, which requests link targets and highlighting.
  long: `[Start](start.md) and **more**.\n\n${fence}js\nlet a = 1 // ${'x'.repeat(2_000)}\n${fence}\n\n${'- *item* of a [list](long.md)\n'.repeat(4_000)}`,
  // A minute of layout.
  diagram: `${fence}mermaid\ngraph TD\n${Array.from({ length: 1_500 }, (_, edge) => `n${(edge * 7) % 97} --> n${(edge * 31) % 101}`).join('\n')}\n${fence}`,
  ampersands: '&amp;'.repeat(40_000),
  blanks: `<a href="a${' '.repeat(100_000)}x">blank</a>`,
  slashes: `{% file src="x${'/'.repeat(100_000)}x" %}\n\n{% embed url="x${'/'.repeat(100_000)}x" %}`,
}

let folder: string
let api: SiteClient
let base: string
let port: number
/** Fragments wait for it: closed, a page that needs them cannot be completed. */
let gate: Promise<void> = Promise.resolve()

beforeAll(async () => {
  const built = await buildThread(join(import.meta.dirname, '../src/site/thread.ts'))
  folder = built.folder
  const threads = createWorkerFragments<object>(built.program, 1, Date.now, { deadline: 700 })
  const fragments: FragmentRenderer<object> = {
    render: async (piece) => {
      await gate
      return threads.render(piece)
    },
    close: () => threads.close(),
  }
  const pages = createWorkerFragments<object>(built.program, 1, Date.now, { deadline: 20_000 })
  api = await openSiteClient(await openDatabase({ dataFolder: folder }), undefined, { fragments, pages })
  const ann = await api.person('ann')
  const acme = await api.organization(ann)
  const written: NewPage[] = Object.entries({ start: 'Small.', ...hostile }).map(([slug, text]) => ({
    slug,
    markdown: `# ${slug}\n\nBefore it.\n\n${text}\n\nAfter it.\n`,
  }))
  const space = await api.space(ann, acme, 'Guide', written)
  ;({ base } = await api.publish(ann, acme, { title: 'Docs', spaces: [space.id] }))
  await api.server.listen({ host: '127.0.0.1', port: 0 })
  port = (api.server.server.address() as AddressInfo).port
})
afterAll(async () => {
  await api.server.close()
  await api.services.fragments.close()
  await api.services.pages.close()
  await rm(folder, { recursive: true })
})

async function get(path: string): Promise<{ status: number; text: string }> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers: { host: 'octavo.test' } }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        resolve({ status: answer.statusCode!, text: Buffer.concat(chunks).toString() })
      })
    })
    sent.on('error', reject).end()
  })
}

test('a small read completes while a page waits for its fragments', async () => {
  let open = () => {}
  gate = new Promise((resolve) => (open = resolve))
  const order: string[] = []
  const slow = get(`${base}coloured`).then(() => order.push('slow'))
  expect((await get(base)).text).toContain('Small.')
  order.push('small')
  open()
  await slow
  expect(order).toEqual(['small', 'slow'])
})

test.each(Object.keys(hostile))(
  'the page "%s" is rendered, with the text around the fragment',
  async (slug) => {
    const { status, text } = await get(base + slug)
    expect(status).toBe(200)
    expect(text).toContain('<p>Before it.</p>')
    expect(text).toContain('<p>After it.</p>')
    expect(text.length).toBeLessThan(3_000_000)
  },
)

test('a fragment past its deadline is rendered as its source', async () => {
  const { text } = await get(`${base}coloured`)
  expect(text).toContain('$$$$')
  expect(text).not.toContain('hljs-')
  expect((await get(`${base}diagram`)).text).toContain('Diagram, shown as its source')
  expect((await get(`${base}macros`)).text).toContain('math-source')
  expect((await get(`${base}nested`)).text).toContain('&lt;custom&gt;')
})

test('a long page is what a short one would be: linked and coloured', async () => {
  const { text } = await get(`${base}long`)
  expect(text).toContain(`<a href="${base}">Start</a>`)
  expect(text).toContain('hljs-comment')
  expect(text.match(/<em>item<\/em>/g)).toHaveLength(4_000)
})
