/**
 * Style sheet of rare blocks: linked by each page with one of them, and by no other. The classes that are styled only there
 * are read from the sheets themselves.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { galleryContext, galleryDocument } from '../dev/gallery/document.js'
import { gallerySite } from '../dev/gallery/site.js'
import { packageRoot } from '../src/server/package-root.js'
import { createPageFragments, renderFragment } from '../src/site/blocks/fragments.js'
import { renderDocument } from '../src/site/blocks/render.js'
import { html } from '../src/site/html.js'
import { renderPage } from '../src/site/layout/page.js'

const layout = new URL('src/site/layout/', packageRoot)

function classesOf(sheet: string, without: readonly string[] = []): ReadonlySet<string> {
  const names = [...readFileSync(new URL(sheet, layout), 'utf8').matchAll(/@import '(\S+)'/g)]
  const rules = names
    .filter(([, name]) => !without.some((one) => name!.endsWith(one)))
    .map(([, name]) => readFileSync(new URL(name!, layout), 'utf8').replace(/\/\*[^]*?\*\//g, ''))
  return new Set([...rules.join('\n').matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name!))
}

/** Sheets with additional rules for blocks that are styled elsewhere. */
const more = ['/text.css', '/theme.css', '/print.css']
const everywhere = classesOf('styles.css', more)
const own = new Set([...classesOf('blocks.css')].filter((name) => !everywhere.has(name) && name !== 'anchor'))

function sheetsOf(body: ReturnType<typeof html>, more = {}): readonly string[] {
  const page = renderPage({ site: gallerySite, title: 'Page', navigation: [], outline: [], body, ...more })
  return [...page.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href]) => href!)
}

test('is linked with its blocks', async () => {
  const covered = new Set<string>()
  for (const block of galleryDocument.blocks) {
    const fragments = createPageFragments()
    const context = { ...galleryContext, fragments }
    const document = { ...galleryDocument, blocks: [block] }
    renderDocument(document, context)
    for (const [owner, fragment] of fragments.deferred)
      fragments.setResult(owner, await renderFragment(fragment))
    const body = renderDocument(document, context)
    const classes = [...body.toString().matchAll(/ class="([^"]*)"/g)].flatMap(([, names]) =>
      names!.split(' '),
    )
    const needed = classes.filter((name) => own.has(name))
    for (const name of needed) covered.add(name)
    const isNeeded = needed.length > 0 || body.toString().includes('<math')
    const text = `${block.type}: ${needed.join(' ')}`
    expect(sheetsOf(body), text).toEqual(['site.css', ...(isNeeded ? ['blocks.css'] : []), 'reference.css'])
  }
  const blocks = ['stepper', 'columns', 'cards', 'updates', 'prompt-head', 'attachment']
  const others = ['drawing', 'card-line', 'annotated', 'notes', 'text-orange', 'background-purple']
  expect([...covered]).toEqual(expect.arrayContaining([...blocks, ...others]))
})

test('is linked with a cover, and not for similar names', () => {
  const body = html`<p class="prompting">tabs, columns and "cards" in text-red</p>`
  expect(sheetsOf(body)).not.toContain('blocks.css')
  expect(sheetsOf(body, { cover: { light: { src: 'a.png' }, size: 'hero' } })).toContain('blocks.css')
})
