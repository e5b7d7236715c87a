/** A whole document: every block of the gallery, many scripts, links between pages, pictures, and hostile input. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { galleryContext, galleryDocument } from '../../../dev/gallery/document.js'
import { checkPdf, hasPdfTools, readPdf, textOfPdf, wordsOfPdf } from '../../../tests/pdf-tools.js'
import { createPageFragments, renderFragment } from '../blocks/fragments.js'
import { renderDocument } from '../blocks/render.js'
import { type Book, type BookPage, writeBook } from './book.js'
import { printBook } from './print-book.js'

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })))

const fonts = fileURLToPath(new URL('../../../dist/fonts', import.meta.url))
const prefix = 'http://octavo.test/~octavo/pdf-page/'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-book-'))
  folders.push(folder)
  return folder
}

function bookOf(pages: readonly Partial<BookPage>[], more: Partial<Book> = {}): Book {
  return {
    title: 'The book',
    language: 'en',
    words: { contents: 'Contents' },
    hasCover: true,
    pagePrefix: prefix,
    pages: pages.map((page, index) => ({
      id: `page${index}`,
      level: 1,
      isGroup: false,
      title: `Page ${index}`,
      markup: '',
      ...page,
    })),
    ...more,
  }
}

async function print(
  book: Book,
  files: Readonly<Record<string, Uint8Array | string>> = {},
  care = 'all' as const,
) {
  const folder = newFolder()
  const listed = Object.entries(files).map(([source, bytes], index) => {
    writeFileSync(join(folder, `picture-${index}`), bytes)
    return { source, path: `picture-${index}` }
  })
  writeFileSync(join(folder, 'book.json'), JSON.stringify({ book, files: listed }))
  const progress: number[] = []
  const sheets = await printBook(folder, { fonts, care, progress: (done) => progress.push(done) })
  return {
    path: join(folder, 'book.pdf'),
    sheets,
    progress,
    source: readFileSync(join(folder, 'book.typ'), 'utf8'),
  }
}

async function galleryMarkup(): Promise<string> {
  const fragments = createPageFragments()
  const context = { ...galleryContext, fragments }
  renderDocument(galleryDocument, context)
  for (const [owner, fragment] of fragments.deferred)
    fragments.setResult(owner, await renderFragment(fragment))
  return renderDocument(galleryDocument, context).toString()
}

const scripts = `<h2 id="arabic">مرحبا بالعالم</h2><p>هذا نص عربي مع <code>code</code> وأرقام 123.</p>
<p>שלום עולם</p><h2 id="chinese">中文标题</h2><p>这是一个中文段落。繁體</p><p>日本語の段落です。</p><p>한국어 문단입니다.</p><p>😀 🚀 👍🏽</p>`

describe.skipIf(!hasPdfTools)('a book', () => {
  test('aligns titles of another direction at their start, and page numbers at the edge', async () => {
    const pages = [
      { title: 'مرحبا', description: 'بالعالم', markup: '<p>Words.</p>' },
      { title: 'Left', description: 'too', markup: '<p>Words.</p>' },
    ]
    const { path } = await print(bookOf(pages, { title: 'Mixed مختلط', hasCover: false }))
    const [[hello, world, ...rest], [left, too]] = wordsOfPdf(path) as [any[], any[]]
    // Between the margins there are 465 points, from 65 on.
    for (const { to } of [hello, world]) expect(to).toBeGreaterThan(525)
    for (const { from } of [left, too]) expect(from).toBeLessThan(70)
    const footer = rest.filter(({ text }) => text !== 'Words.')
    expect(footer).toHaveLength(3)
    expect(footer.find(({ text }) => text === '1').to).toBeGreaterThan(525)
    for (const { text, to } of footer) if (text !== '1') expect(to).toBeLessThan(200)
  })

  test('contains every block and script, with an outline, a table of contents, and working links', async () => {
    const picture = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#7b4dd1' } })
      .jpeg()
      .toBuffer()
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>'
    const links = `<p><a href="${prefix}page2#chinese">to a heading</a> <a href="${prefix}page1">to a page</a>
      <a href="#here">here</a> <a href="#">above</a> <a href="https://example.com/a?b=c">away</a> <a href="${prefix}nowhere">gone</a></p>
      <h2 id="here">Here it is</h2>
      <div class="images"><figure><img src="a.jpg" alt="A purple field"><figcaption>Below it</figcaption></figure></div>
      <p>In a line: <img class="inline-image" src="b.svg" alt="A box"> and missing: <img src="https://elsewhere.test/c.png" alt="Afar"></p>`
    const { path, sheets, progress } = await print(
      bookOf([
        { title: 'Guide', isGroup: true },
        {
          level: 2,
          title: 'Every block',
          icon: 'shapes',
          description: 'All of them',
          markup: await galleryMarkup(),
        },
        { level: 2, title: 'Scripts', emoji: '1f30d', markup: scripts },
        { title: 'Links', markup: links },
      ]),
      { 'a.jpg': picture, 'b.svg': drawing },
    )
    checkPdf(path)
    const { pages, outlines, away, within } = readPdf(path)
    expect(pages).toBe(sheets)
    expect(progress).toEqual([1, 2, 3, 4])
    expect(outlines.map(({ title }) => title.trim())).toEqual(['Guide', 'Links'])
    expect(outlines[0]!.kids.map(({ title }) => title.replace(/^\P{Letter}+/u, ''))).toEqual([
      'Every block',
      'Scripts',
    ])
    expect(outlines[0]!.kids[1]!.kids.map(({ title }) => title)).toEqual(['مرحبا بالعالم', '中文标题'])
    expect(outlines[1]!.kids.map(({ title }) => title)).toEqual(['Here it is'])
    const [start, end] = [outlines[0]!.kids[1]!.destpageposfrom1, outlines[1]!.destpageposfrom1]
    // The table of contents, then the links of the pages: none is broken.
    expect(within.filter((page) => page < 1 || page > pages)).toEqual([])
    expect(within.slice(-4)).toEqual([start, 3, end, end])
    expect(away).toEqual(
      expect.arrayContaining(['https://example.com/a?b=c', 'https://elsewhere.test/c.png']),
    )
    const text = textOfPdf(path)
    for (const words of [
      'Contents',
      'All is well',
      'The backup was restored on another machine',
      'export async function merge',
      'From writer to reader',
      'Is it right?',
      'pnpm add',
      'Does it need a database server?',
      'Joins two revisions',
      'One process, one folder, ten minutes',
      'The yearly report',
      'Answers the content of a space',
      'You are a technical writer',
      'The note opens here',
      '这是一个中文段落',
      '日本語の段落です',
      '한국어 문단입니다',
      'Below it',
      'Afar',
      'gone',
    ])
      expect(text).toContain(words)
    // Typeset from right to left, extracted in logical order.
    expect(text).toMatch(/مرحبا/)
    expect(text).toMatch(/שלום/)
  })

  test('a single page has neither cover nor contents', async () => {
    const { path, sheets } = await print(
      bookOf([{ title: 'Alone', markup: '<p>Word</p>' }], { hasCover: false }),
    )
    expect(sheets).toBe(1)
    expect(textOfPdf(path)).toMatch(/^Alone Word The book 1/)
  })

  test('long tables repeat their head, and long code continues on the next page', async () => {
    const rows = Array.from({ length: 120 }, (_, at) => `<tr><td>Row ${at}</td><td>Value</td></tr>`).join('')
    const lines = Array.from({ length: 150 }, (_, at) => `line ${at}`).join('\n')
    const markup = `<table><thead><tr><th>Heading</th><th>Other</th></tr></thead><tbody>${rows}</tbody></table>
      <figure class="code"><pre><code>${lines}</code></pre></figure>`
    const { path, sheets } = await print(bookOf([{ markup }]))
    const text = textOfPdf(path)
    expect(sheets).toBeGreaterThan(6)
    expect(text.match(/Heading Other/g)!.length).toBeGreaterThan(2)
    for (const end of ['Row 0 ', 'Row 119 ', 'line 0 ', 'line 149']) expect(text).toContain(end)
  })

  test('an error in one picture, table, link or nesting affects only itself', async () => {
    const nest = '<blockquote>'.repeat(80) + 'deep words' + '</blockquote>'.repeat(80)
    const spans =
      '<table><tr><td colspan="900" rowspan="900">wide</td><td>b</td></tr><tr><td rowspan="2">c</td></tr></table>'
    const markup = `<p><img src="broken.png" alt="Broken"> <img src="bomb.svg" alt="Bomb"></p>${nest}${spans}
      <p id="same">one</p><p id="same">two</p><a href="#same">same</a><a href="#">nothing</a><a href="javascript:alert(1)">bad</a>
      <details><summary>S<summary>T</summary></details><ol start="-5"><li></li></ol><ul></ul><dl></dl><pre></pre><figure></figure>
      <math><mfrac><mi>a</mi></mfrac><mtable></mtable><msup></msup><munder><mo>x</mo></munder></math>`
    const { path } = await print(
      bookOf(
        [{ title: '#panic() "$x$\\', emoji: 'zz', icon: '../../etc', description: '\u202e\ud800', markup }],
        {
          title: '*"',
          language: 'x"y',
        },
      ),
      {
        'broken.png': 'no picture',
        'bomb.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9e9" height="1"><!',
      },
    )
    checkPdf(path)
    const text = textOfPdf(path)
    for (const words of ['#panic() "$x$\\', 'Broken', 'Bomb', 'deep words', 'wide', 'one', 'two', 'bad'])
      expect(text).toContain(words)
  })
})

test('the source of twice as many pages is about twice as long', async () => {
  const markup = await galleryMarkup()
  const assets = { picture: () => undefined, icon: () => 'x.svg', drawing: () => 'x.svg' }
  const length = (count: number) =>
    writeBook(bookOf(Array.from({ length: count }, () => ({ markup }))), assets).length
  const [one, two] = [length(4), length(8)]
  expect(two / one).toBeLessThan(2.1)
})
