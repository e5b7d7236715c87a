/** Source converters: each export has the file layout of its program; Word documents were written by Word and by a library. */
import { readFile, readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import {
  AlignmentType,
  Bookmark,
  Document,
  ExternalHyperlink,
  FootnoteReferenceRun,
  HeadingLevel,
  ImageRun,
  InternalHyperlink,
  LevelFormat,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from 'docx'
import { zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { parsePage } from '../../../core/markdown/parse.js'
import { parseSummary } from '../../../core/markdown/summary.js'
import { createInlineReader } from '../../../store/reading/reader.js'
import type { ArchiveItem } from '../archive.js'
import { readZip } from '../read-zip.js'
import { type OpenItems, singleFile } from './source.js'
import { type FileSource, convertItems } from './sources.js'

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64') // prettier-ignore

type Files = Readonly<Record<string, string | Uint8Array>>

/** Returns the files as an uploaded zip. */
function zipped(files: Files): OpenItems {
  const bytes = zipSync(
    Object.fromEntries(
      Object.entries(files).map(([path, text]) => [
        path,
        typeof text === 'string' ? Buffer.from(text) : text,
      ]),
    ),
  )
  return () => readZip(bytes)
}

interface Converted {
  readonly texts: Readonly<Record<string, string>>
  readonly files: readonly string[]
  readonly reports: readonly string[]
  readonly summary: string
}

async function convert(source: FileSource, open: OpenItems, splitsChapters = true): Promise<Converted> {
  const texts: Record<string, string> = {}
  const files: string[] = []
  const reports: string[] = []
  const seen = new Set<string>()
  const context = { reader: createInlineReader(), splitsChapters }
  for await (const item of convertItems(source, open, context) as AsyncIterable<ArchiveItem>) {
    if ('notice' in item) reports.push(`${item.path}: ${item.notice}`)
    else if ('leftOut' in item) reports.push(`${item.path}: ${item.leftOut}`)
    else {
      expect(seen.has(item.path), item.path).toBe(false)
      seen.add(item.path)
      const bytes = await item.open()
      if (item.path.endsWith('.md')) texts[item.path] = Buffer.from(bytes).toString()
      else files.push(item.path)
    }
  }
  const { 'SUMMARY.md': summary = '', ...pages } = texts
  // Every link target exists.
  for (const [path, text] of Object.entries(pages)) {
    for (const { url } of parsePage(text).references) {
      if (/^(?:[a-z]+:|#)|^Nowhere$|passwd/.test(url)) continue
      const target = new URL(url, `https://a.example/${path}`).pathname.slice(1)
      expect([
        path,
        url,
        decodeURIComponent(target) in pages || files.includes(decodeURIComponent(target)),
      ]).toEqual([path, url, true])
    }
  }
  expect(parseSummary(summary).problems).toEqual([])
  return { texts: pages, files, reports, summary }
}

it('an HTML site becomes pages at their paths, with its menu as the table of contents', async () => {
  const page = (title: string, body: string) =>
    `<!doctype html><html lang="en"><head><title>${title} — Manual 1.0</title><link rel="stylesheet" href="_static/a.css"></head><body>` +
    '<div class="sphinxsidebar"><ul><li><a href="index.html">Start</a></li></ul><p class="caption">Guide</p><ul><li><a href="guide/install.html">Install</a><ul><li><a href="guide/linux.html">Linux</a></li></ul></li></ul></div>' +
    `<div class="document"><div class="body" role="main"><section id="x"><h1>${title}<a class="headerlink" href="#x">¶</a></h1>${body}</section></div></div></body></html>`
  const { texts, files, reports, summary } = await convert(
    'html',
    zipped({
      'index.html': page(
        'Start',
        '<p>See <a href="guide/install.html#on-linux">how</a>, <a href="guide/">all</a>.</p>',
      ),
      'guide/index.html': page(
        'All',
        '<p><img src="../_images/a%20b.png" alt="A"> <a href="../files/x.pdf">x</a></p>',
      ),
      'guide/install.html': page(
        'Install',
        '<p><a href="../index.html">up</a> <a href="linux.html">Linux</a></p>',
      ),
      'guide/linux.html': page('Linux', '<p>l</p>'),
      'old.html': '<meta http-equiv="refresh" content="0; url=index.html">',
      'genindex.html': page('Index', ''),
      '_images/a b.png': png,
      'files/x.pdf': 'pdf',
      '_static/a.css': 'a{}',
      '_static/b.js': 'b',
    }),
  )
  expect(texts['README.md']).toBe(
    '# Start\n\nSee [how](guide/install.md#on-linux), [all](guide/README.md).\n',
  )
  expect(texts['guide/README.md']).toBe('# All\n\n![A](../_images/a%20b.png) [x](../files/x.pdf)\n')
  expect(Object.keys(texts).toSorted()).toEqual([
    'README.md',
    'guide/README.md',
    'guide/install.md',
    'guide/linux.md',
  ])
  expect(files).toEqual(['_images/a b.png', 'files/x.pdf'])
  expect(summary).toBe(
    '# Table of contents\n\n* [Start](README.md)\n\n## Guide\n\n* [Install](guide/install.md)\n  * [Linux](guide/linux.md)\n\n***\n\n* [All](guide/README.md)\n',
  )
  expect(reports).toEqual([
    'genindex.html: Made by a program for itself, such as an index of words: left out.',
    'old.html: A page that only leads to index.html: left out.',
    '_static: 2 files that no page shows, such as styles and scripts: left out.',
  ])
})

it('without a menu, the tree follows the next and up links; a menu in a frame counts as one', async () => {
  const page = (title: string, head: string) => `<title>${title}</title>${head}<h1>${title}</h1><p>x</p>`
  const steps = {
    'index.html': page('Book', '<link rel="next" href="a.html">'),
    'a.html': page('A', '<link rel="up" href="index.html"><link rel="next" href="z.html">'),
    'z.html': page('Z', '<link rel="up" href="a.html"><link rel="next" href="b.html">'),
    'b.html': page('B', '<link rel="up" href="index.html"><a rel="prev next" href="index.html">on</a>'),
    'summary.html': page('Summary', ''),
  }
  const byStep = await convert('html', zipped(steps))
  expect(byStep.summary).toBe(
    '# Table of contents\n\n* [Book](README.md)\n* [A](a.md)\n  * [Z](z.md)\n* [B](b.md)\n* [Summary](summary-1.md)\n',
  )
  const menu =
    '<ol class="chapter"><li><a href="b.html">B</a></li><li><ol class="section"><li><a href="a.html">A</a></li><li><a href="z.html">Z</a></li></ol></li></ol>'
  const byMenu = await convert('html', zipped({ ...steps, 'toc.html': menu }))
  expect(byMenu.summary).toBe(
    '# Table of contents\n\n* [Book](README.md)\n* [B](b.md)\n  * [A](a.md)\n  * [Z](z.md)\n* [Summary](summary-1.md)\n',
  )
})

it('colliding names get numbers, and names outside of the tree are refused', async () => {
  const page = (link: string) => `<h1>T</h1><p><a href="${link}">x</a></p>`
  const { texts } = await convert(
    'html',
    zipped({
      'index.html': page('A.html'),
      'A.html': page('a.htm'),
      'a.htm': page('index.htm'),
      'index.htm': page('../../etc/passwd'),
    }),
  )
  expect(texts).toEqual({
    'A.md': '# T\n\n[x](a-1.md)\n',
    'README.md': expect.stringContaining('passwd'),
    'README-1.md': '# T\n\n[x](A.md)\n',
    'a-1.md': '# T\n\n[x](README.md)\n',
  })
  await expect(convert('html', zipped({ '../a.html': 'a' }))).rejects.toThrow('leads out of the archive')
})

it('a link of a page to its own anchor points to the heading above it', async () => {
  const { texts } = await convert(
    'html',
    zipped({
      'index.html': '<h1>Start</h1><p><a href="tools%20a.html">t</a></p>',
      'tools a.html':
        '<h1>Tools</h1><p><a href="tools%20a.html#opt">how</a> <a href="tools a.html#two">two</a> <a href="index.html#opt">else</a></p><h2><a name="one"></a>Options</h2><dl><dt><a name="opt"></a><b>--fast</b></dt><dd>Quick.</dd></dl><h2 id="two">More</h2>',
    }),
  )
  expect(texts['tools a.md']).toContain('[how](#one) [two](#two) [else](README.md#opt)')
})

it('a link to an anchor of another page uses its new name, whichever page comes first', async () => {
  const term = (name: string) =>
    `<h2 id="all-${name}">Of ${name}</h2><dl><dt id="m.${name}">${name}</dt><dd>x</dd></dl>`
  const { texts } = await convert(
    'html',
    zipped({
      'a.html': `<h1>A</h1><p><a href="b.html#m.b">b</a> <a href="b.html#top">top</a> <a href="b.html#gone">gone</a></p>${term('a')}`,
      'b.html': `<main><section id="top"><h1>B</h1><p><a href="a.html#m.a">a</a></p>${term('b')}</section></main>`,
      'index.html': '<h1>Start</h1><p><a href="a.html">a</a></p>',
    }),
  )
  expect(texts['a.md']).toContain('[b](b.md#all-b) [top](b.md) [gone](b.md#gone)')
  expect(texts['b.md']).toContain('[a](a.md#all-a)')
})

it('pages are decoded in their declared encoding, links resolved against <base>, and frames reported', async () => {
  const { texts, reports } = await convert(
    'html',
    zipped({
      'index.html':
        '<base href="sub/"><h1>Start</h1><p><a href="x.html">x</a> <a href="../old.html">old</a></p>',
      'sub/x.html': Buffer.from('<meta charset="shift_jis"><h1>\x93\xfa\x96{</h1>', 'latin1'),
      'russian.html': Buffer.from('<meta charset="windows-1251"><h1>\xd0\xf3\xf1\xfc</h1>', 'latin1'),
      'chinese.html': Buffer.from(
        '<meta http-equiv="Content-Type" content="text/html; charset=gbk"><h1>\xd6\xd0\xce\xc4</h1>',
        'latin1',
      ),
      'old.html': Buffer.from('<h1>Caf\xe9</h1>', 'latin1'),
      'broken.html': Buffer.concat([Buffer.from('<h1>Ü, ü and '), Buffer.from([0xfc]), Buffer.from('</h1>')]),
      'frames.html': '<title>F</title><frameset cols="20%,80%"><frame src="index.html"></frameset>',
    }),
  )
  expect(texts['README.md']).toBe('# Start\n\n[x](sub/x.md) [old](old.md)\n')
  expect(texts['sub/x.md']).toBe('# 日本\n')
  expect(texts['russian.md']).toBe('# Русь\n')
  expect(texts['chinese.md']).toBe('# 中文\n')
  expect(texts['old.md']).toBe('# Café\n')
  expect(texts['broken.md']).toBe('# Ü, ü and \uFFFD\n')
  expect(reports).toEqual(['frames.md: Not carried over: a set of frames, whose pages stand for themselves.'])
})

it('a single HTML file becomes a single page', async () => {
  const { texts, files } = await convert(
    'html',
    singleFile('a b.html', Buffer.from(`<p>a <img src="data:image/png;base64,${png.toString('base64')}">`)),
  )
  expect(texts).toEqual({ 'README.md': '# a b\n\na ![](.gitbook/assets/readme-image-1.png)\n' })
  expect(files).toEqual(['.gitbook/assets/readme-image-1.png'])
  await expect(convert('html', zipped({ 'a.txt': 'a' }))).rejects.toThrow('it holds no page of HTML')
})

it('a Word document becomes a page with headings, lists, tables, images and notes', async () => {
  const cell = (text: string) => new TableCell({ children: [new Paragraph(text)] })
  const numbered = (text: string, level = 0) =>
    new Paragraph({ text, numbering: { reference: 'steps', level } })
  const levels = [0, 1].map((level) => ({
    level,
    format: LevelFormat.DECIMAL,
    text: `%${level + 1}.`,
    alignment: AlignmentType.START,
  }))
  const document = new Document({
    numbering: { config: [{ reference: 'steps', levels }] },
    footnotes: { 1: { children: [new Paragraph('The note.')] } },
    sections: [
      {
        children: [
          new Paragraph({ text: 'Manual', heading: HeadingLevel.TITLE }),
          new Paragraph({ text: 'First part', heading: HeadingLevel.HEADING_1 }),
          new Paragraph({
            children: [
              new TextRun('Plain, '),
              new TextRun({ text: 'bold', bold: true }),
              new TextRun(' and '),
              new ExternalHyperlink({ link: 'https://a.example/b', children: [new TextRun('a link')] }),
              new FootnoteReferenceRun(1),
              new TextRun('.'),
            ],
          }),
          new Paragraph({ text: 'Below', heading: HeadingLevel.HEADING_2 }),
          numbered('one'),
          numbered('one and a half', 1),
          numbered('two'),
          new Table({
            rows: [
              new TableRow({ tableHeader: true, children: [cell('Key'), cell('Value')] }),
              new TableRow({ children: [cell('a'), cell('1|2')] }),
            ],
          }),
          new Paragraph({
            children: [new ImageRun({ type: 'png', data: png, transformation: { width: 10, height: 10 } })],
          }),
        ],
      },
    ],
  })
  const bytes = await Packer.toBuffer(document)
  const { texts, files, reports } = await convert('docx', singleFile('Manual.docx', bytes))
  expect(texts['README.md']).toBe(
    '# Manual\n\n## First part\n\nPlain, **bold** and [a link](https://a.example/b)[^1].\n\n### Below\n\n1. one\n   1. one and a half\n2. two\n\n' +
      '| Key | Value |\n| --- | --- |\n| a | 1\\|2 |\n\n![](.gitbook/assets/readme-image-1.png)\n\n[^1]: The note.\n',
  )
  expect(files).toEqual(['.gitbook/assets/readme-image-1.png'])
  expect(reports).toEqual([])
})

it('a Word document with chapters becomes a page for each, with links and notes between them', async () => {
  const heading = (text: string, name: string) =>
    new Paragraph({
      heading: HeadingLevel.HEADING_1,
      children: [new Bookmark({ id: name, children: [new TextRun(text)] })],
    })
  const to = (name: string, text: string) =>
    new InternalHyperlink({ anchor: name, children: [new TextRun(text)] })
  const picture = () => new ImageRun({ type: 'png', data: png, transformation: { width: 10, height: 10 } })
  const note = (text: string) => ({ children: [new Paragraph(text)] })
  const document = new Document({
    footnotes: { 1: note('Of the preface.'), 2: note('Of the first.'), 3: note('Of the second.') },
    sections: [
      {
        children: [
          new Paragraph({ text: 'The manual', heading: HeadingLevel.TITLE }),
          new Paragraph({ children: [new TextRun('See '), to('_Toc2', 'two'), new FootnoteReferenceRun(1)] }),
          heading('First: how & why', '_Toc1'),
          new Paragraph({
            children: [
              to('_Toc2', 'On'),
              new TextRun(' or '),
              to('detail', 'to a detail'),
              new FootnoteReferenceRun(2),
            ],
          }),
          new Paragraph({ text: 'Below', heading: HeadingLevel.HEADING_2 }),
          new Paragraph({ children: [picture()] }),
          heading('Second', '_Toc2'),
          new Paragraph({
            children: [to('_Toc1', 'Back'), new TextRun(' and down'), picture(), new FootnoteReferenceRun(3)],
          }),
          new Paragraph({
            heading: HeadingLevel.HEADING_2,
            children: [new Bookmark({ id: 'detail', children: [new TextRun('A detail')] })],
          }),
          heading('Second', '_Toc3'),
        ],
      },
    ],
  })
  const bytes = await Packer.toBuffer(document)
  const { texts, files, reports, summary } = await convert('docx', singleFile('Manual.docx', bytes))
  expect(texts).toEqual({
    'README.md': '# The manual\n\nSee [two](second.md)[^1]\n\n[^1]: Of the preface.\n',
    'first-how-why.md':
      '# First: how & why\n\n[On](second.md) or [to a detail](second.md#detail)[^1]\n\n## Below\n\n![](.gitbook/assets/first-how-why-image-1.png)\n\n[^1]: Of the first.\n',
    'second.md':
      '# Second\n\n[Back](first-how-why.md) and down![](.gitbook/assets/second-image-1.png)[^1]\n\n## A detail <a href="#detail" id="detail"></a>\n\n[^1]: Of the second.\n',
    'second-1.md': '# Second\n',
  })
  expect(files).toHaveLength(2)
  expect(reports).toEqual([])
  expect(summary).toBe(
    '# Table of contents\n\n* [The manual](README.md)\n  * [First: how & why](first-how-why.md)\n  * [Second](second.md)\n  * [Second](second-1.md)\n',
  )

  const together = await convert('docx', zipped({ 'a/Manual.docx': bytes, 'Other.docx': bytes }))
  expect(Object.keys(together.texts)).toContain('a/Manual/second.md')
  expect(together.texts['a/Manual.md']).toContain('[two](Manual/second.md)')
  expect(together.summary).toContain('* [The manual](a/Manual.md)\n  * [First: how & why](a/Manual/')

  const whole = await convert('docx', singleFile('Manual.docx', bytes), false)
  expect(Object.keys(whole.texts)).toEqual(['README.md'])
  expect(whole.texts['README.md']).toContain('[two](#_Toc2)')
  expect(whole.texts['README.md']).toContain('[^3]: Of the second.')
  expect(whole.summary).toBe('')
})

it('monospaced words and lines of a Word document become code', async () => {
  const mono = (text: string) => new TextRun({ text, font: 'Courier New' })
  const document = new Document({
    sections: [
      {
        children: [
          new Paragraph({ text: 'Usage', heading: HeadingLevel.TITLE }),
          new Paragraph({
            children: [
              new TextRun('Run '),
              mono('npm test'),
              new TextRun({ text: ' twice', font: 'Monotype Corsiva' }),
              new ExternalHyperlink({ link: 'https://a.example/', children: [mono('npm')] }),
            ],
          }),
          new Paragraph({ children: [mono('one')] }),
          new Paragraph('or'),
          new Paragraph({ children: [mono('if a:')] }),
          new Paragraph({ children: [] }),
          new Paragraph({ children: [mono('  b'), mono('()')] }),
          new Paragraph({ children: [] }),
          new Paragraph({ children: [mono('Heading')], heading: HeadingLevel.HEADING_1 }),
        ],
      },
    ],
  })
  const { texts } = await convert('docx', singleFile('a.docx', await Packer.toBuffer(document)))
  expect(texts['README.md']).toBe(
    '# Usage\n\nRun `npm test` twice[`npm`](https://a.example/)\n\n`one`\n\nor\n\n```\nif a:\n\n  b()\n```\n\n## Heading\n',
  )
})

it('numbers of a Word list go on after paragraphs and tables, and begin where Word begins', async () => {
  const levels = (start: number) =>
    [0, 1].map((level) => ({ level, format: LevelFormat.DECIMAL, text: `%${level + 1}.`, start }))
  const item = (text: string, { reference = 'steps', level = 0, instance = 0 } = {}) =>
    new Paragraph({ text, numbering: { reference, level, instance } })
  const cell = (text: string) => new TableCell({ children: [new Paragraph(text)] })
  const document = new Document({
    numbering: {
      config: [
        { reference: 'steps', levels: levels(1) },
        { reference: 'later', levels: levels(5) },
        { reference: 'points', levels: [{ level: 0, format: LevelFormat.BULLET, text: '-' }] },
      ],
    },
    sections: [
      {
        children: [
          item('alpha'),
          new Paragraph('Between.'),
          item('beta'),
          item('inner', { level: 1 }),
          new Table({ rows: [new TableRow({ children: [cell('x'), cell('y')] })] }),
          item('gamma'),
          item('inner again', { level: 1 }),
          new Paragraph('Another list.'),
          item('one', { instance: 1 }),
          item('two', { instance: 1 }),
          item('a third list', { instance: 2 }),
          new Paragraph('Not from one.'),
          item('five', { reference: 'later' }),
          item('a point', { reference: 'points' }),
          new Paragraph('Back.'),
          item('delta'),
        ],
      },
    ],
  })
  const { texts } = await convert('docx', singleFile('a.docx', await Packer.toBuffer(document)))
  expect(texts['README.md']!.split('\n').filter((line) => /^\s*(?:\d|-)|^[A-Z]/.test(line))).toEqual([
    '1. alpha',
    'Between.',
    '2. beta',
    '   1. inner',
    '3. gamma',
    '   1. inner again',
    'Another list.',
    '1. one',
    '2. two',
    '1) a third list',
    'Not from one.',
    '5. five',
    '- a point',
    'Back.',
    '4. delta',
  ])
})

it('numbered paragraphs of a style of the second level are items below those of the first', async () => {
  const [number, second] = ['List Number', 'List Number 2'].map((name) => ({
    id: name.replaceAll(' ', ''),
    name,
    basedOn: 'Normal',
  }))
  const styled = (text: string, style: { readonly id: string }, reference: string) =>
    new Paragraph({ text, style: style.id, numbering: { reference, level: 0 } })
  const level = { level: 0, format: LevelFormat.DECIMAL, text: '%1.' }
  const document = new Document({
    styles: { paragraphStyles: [number!, second!] },
    numbering: {
      config: [
        { reference: 'first', levels: [level] },
        { reference: 'second', levels: [level] },
      ],
    },
    sections: [
      {
        children: [
          styled('alpha', number!, 'first'),
          styled('a', second!, 'second'),
          styled('b', second!, 'second'),
          styled('beta', number!, 'first'),
        ],
      },
    ],
  })
  const { texts } = await convert('docx', singleFile('a.docx', await Packer.toBuffer(document)))
  expect(texts['README.md']).toBe('# a\n\n1. alpha\n   1. a\n   2. b\n2. beta\n')
})

it('a HYPERLINK field of Word becomes a link with its fragment, ignoring other switches', async () => {
  const link = (field: string) =>
    `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK ${field}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>x</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`
  const body = [
    link('"https://a.example/b" \\l "part"'),
    link('"https://a.example/c" \\o "a &quot; tip" \\t "_blank"'),
    link('\\l "here" \\o "tip"'),
    link('"https://a.example/d"'),
  ]
  const { texts } = await convert(
    'docx',
    singleFile(
      'a.docx',
      zipSync({
        'word/document.xml': Buffer.from(
          `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p>${body.join('')}</w:p><w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:bookmarkStart w:id="1" w:name="here"/><w:r><w:t>Here</w:t></w:r></w:p></w:body></w:document>`,
        ),
        '_rels/.rels': Buffer.from(
          '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
        ),
        '[Content_Types].xml': Buffer.from('<Types/>'),
      }),
    ),
  )
  expect(texts['README.md']).toContain(
    '[x](https://a.example/b#part)[x](https://a.example/c)[x](#)[x](https://a.example/d)',
  )
})

it('documents written by Word are converted, and unsupported parts reported', async () => {
  const folder = join(
    dirname(createRequire(import.meta.url).resolve('mammoth/package.json')),
    'test/test-data',
  )
  const names = (await readdir(folder)).filter((name) => name.endsWith('.docx'))
  expect(names.length).toBeGreaterThan(10)
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name))] as const),
  )
  const { texts, reports, files: pictures } = await convert('docx', zipped(Object.fromEntries(files)))
  expect(texts['tables.md']).toContain('<table')
  expect(texts['footnotes.md']).toMatch(
    /Ouch\[\^1\]\.\[\^2\]\n[^]*\[\^1\]: A tachyon walks into a bar\.\n\n?\[\^2\]: Fin\.\n/,
  )
  expect(texts['simple-list.md']).toBe('# simple-list\n\n- Apple\n- Banana\n')
  expect(texts['strikethrough.md']).toContain('~~')
  expect(pictures).toContain('.gitbook/assets/tiny-picture-image-1.png')
  expect(reports).toContainEqual('comments.md: Not carried over: comments (2 times).')
  // A linked image from the local file system is never read.
  expect(texts['external-picture.md']).not.toContain('![')
  expect(reports.filter((one) => one.startsWith('external-picture'))).toHaveLength(1)
})

it('an invalid Word document is reported, and one with a forged size refused', async () => {
  const { reports } = await convert(
    'docx',
    zipped({ 'a.docx': zipSync({ 'word/x.xml': Buffer.from('<a/>') }) }),
  )
  expect(reports).toHaveLength(1)
  expect(reports[0]).toContain('the whole page, which cannot be read')
  const bomb = zipSync({ 'word/document.xml': new Uint8Array(50_000_000) })
  await expect(convert('docx', singleFile('a.docx', bomb))).rejects.toThrow(
    'times larger than its packed form',
  )
  const deep = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${'<w:sdt>'.repeat(30_000)}`
  const broken = await convert(
    'docx',
    singleFile(
      'a.docx',
      zipSync({ 'word/document.xml': Buffer.from(deep), '[Content_Types].xml': Buffer.from('<Types/>') }),
    ),
  )
  expect(broken.reports).toHaveLength(1)
})

it('a Google document is converted from its zipped page, with styles, lists and notes', async () => {
  const html =
    '<html><head><meta content="text/html; charset=UTF-8" http-equiv="content-type"><style type="text/css">.c1{font-weight:700}.c2{font-style:italic}.lst-kix_q-0{list-style-type:none}</style></head>' +
    '<body class="c5 doc-content"><p class="c0 title" id="h.abc"><span class="c3">My document</span></p><h1 class="c4" id="h.k1"><span>Part</span></h1>' +
    '<p class="c0"><span>Some </span><span class="c1">bold</span><span>, </span><span class="c1 c2">both</span><sup><a href="#ftnt1" id="ftnt_ref1">[1]</a></sup><span> and </span>' +
    '<span><a href="https://www.google.com/url?q=https://a.example/?b%3Dc&amp;sa=D&amp;ust=1">a link</a></span></p>' +
    '<ul class="c6 lst-kix_q-0 start"><li class="c0 li-bullet-0"><span>one</span></li></ul><ul class="c6 lst-kix_q-1 start"><li><span>deeper</span></li></ul><ul class="c6 lst-kix_q-0"><li><span>two</span></li></ul>' +
    '<p><span style="overflow: hidden; display: inline-block; width: 10px"><img alt="" src="images/image1.png" style="width: 10px" title=""></span></p>' +
    '<table class="c7"><tr><td><p><span class="c1">A</span></p></td></tr></table>' +
    '<hr><div><p class="c0"><a href="#ftnt_ref1" id="ftnt1">[1]</a><span>&nbsp;The note.</span></p></div></body></html>'
  const { texts, files } = await convert(
    'google-docs',
    zipped({ 'Mydocument.html': html, 'images/image1.png': png }),
  )
  expect(texts['README.md']).toBe(
    '# My document\n\n## Part\n\nSome **bold**, ***both***[^1] and [a link](https://a.example/?b=c)\n\n- one\n  - deeper\n- two\n\n<figure><img src="images/image1.png" alt="" width="10"><figcaption></figcaption></figure>\n\n**A**\n\n[^1]: The note.\n',
  )
  expect(files).toEqual(['images/image1.png'])
})

it('links of a Google document to its title heading point to the page', async () => {
  const entry = (id: string, words: string) =>
    `<p class="c0"><span><a class="c1" href="#${id}">${words}</a></span></p>`
  const html =
    '<html><head><title>Guide</title></head><body class="doc-content">' +
    entry('h.title1', 'Guide') +
    entry('h.part2', 'Part') +
    '<h1 class="c2" id="h.title1"><span>Guide</span></h1><p><span>Text.</span></p>' +
    '<h2 class="c3" id="h.part2"><span>Part</span></h2><p><span>See <a href="#h.title1">above</a>.</span></p></body></html>'
  const { texts } = await convert('google-docs', zipped({ 'Guide.html': html }))
  expect(texts['README.md']).toBe(
    '# Guide\n\n[Guide](#)\n\n[Part](#h.part2)\n\nText.\n\n## Part <a href="#h.part2" id="h.part2"></a>\n\nSee [above](#).\n',
  )
})

it('the tree of a Confluence HTML export follows its index', async () => {
  const page = (title: string, body: string) =>
    `<!DOCTYPE html><html><head><title>Docs : ${title}</title><link rel="stylesheet" href="styles/site.css"></head><body class="theme-default aui-theme-default"><div id="page"><div id="main" class="aui-page-panel">` +
    `<div id="main-header"><div id="breadcrumb-section"><ol id="breadcrumbs"><li class="first"><span><a href="index.html">Docs</a></span></li></ol></div><h1 id="title-heading" class="pagetitle"><span id="title-text"> Docs : ${title} </span></h1></div>` +
    `<div id="content" class="view"><div class="page-metadata">Created by <span class="author"> A</span></div><div id="main-content" class="wiki-content group">${body}</div></div></div></div></body></html>`
  const index =
    '<html><head><title>Docs (Docs)</title></head><body><div id="page"><div id="main" class="aui-page-panel"><div id="main-header"><h1 id="title-heading" class="pagetitle"><span id="title-text">Space Details:</span></h1></div><div id="content"><div id="main-content" class="pageSection"><table class="confluenceTable"><tr><th class="confluenceTh">Key</th><td class="confluenceTd">DOC</td></tr><tr><th>Name</th><td>Docs</td></tr></table></div><br/><br/>' +
    '<div class="pageSection"><div class="pageSectionHeader"><h2 class="pageSectionTitle">Available Pages:</h2></div><ul><li><a href="Home_1.html">Home</a><img src="images/icons/contenttypes/home_page_16.png" height="16" width="16" border="0" align="absmiddle"/><ul><li><a href="Getting-Started_2.html">Getting Started</a><ul><li><a href="3.html">Über uns</a></li></ul></li></ul></li></ul></div></div></div></div></body></html>'
  const { texts, files, summary, reports } = await convert(
    'confluence',
    zipped({
      'index.html': index,
      'Home_1.html': page(
        'Home',
        '<p>To <a href="Getting-Started_2.html#GettingStarted-Setup">start</a></p>',
      ),
      'Getting-Started_2.html': page(
        'Getting Started',
        '<div class="toc-macro"><ul><li><a href="#GettingStarted-Setup">Setup</a></li></ul></div><h2 id="GettingStarted-Setup">Setup</h2>' +
          '<div class="confluence-information-macro confluence-information-macro-warning"><p class="title">Mind</p><span class="aui-icon aui-icon-small aui-iconfont-error confluence-information-macro-icon"></span><div class="confluence-information-macro-body"><p>the gap</p></div></div>' +
          '<div class="code panel pdl"><div class="codeHeader panelHeader pdl"><b>A.java</b></div><div class="codeContent panelContent pdl"><pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: java; gutter: false; theme: Confluence">int a;</pre></div></div>' +
          '<div id="expander-1" class="expand-container"><div id="expander-control-1" class="expand-control"><span class="expand-control-icon"><img src="images/icons/grey_arrow_down.png"/></span><span class="expand-control-text">More</span></div><div id="expander-content-1" class="expand-content"><p>inside</p></div></div>' +
          '<ul class="inline-task-list"><li class="checked" data-inline-task-id="1"><span>done</span></li><li data-inline-task-id="2"><span>open</span></li></ul>' +
          '<p><span class="confluence-embedded-file-wrapper"><img class="confluence-embedded-image" src="attachments/2/9.png" data-image-src="attachments/2/9.png"/></span></p>',
      ),
      '3.html': page('Über uns', '<p><a href="Home_1.html">home</a></p>'),
      'attachments/2/9.png': png,
      'attachments/2/10.bin': 'x',
      'styles/site.css': 'a{}',
    }),
  )
  expect(texts['README.md']).toBe('# Home\n\nTo [start](getting-started.md#GettingStarted-Setup)\n')
  expect(texts['getting-started.md']).toBe(
    '# Getting Started\n\n## Setup <a href="#GettingStarted-Setup" id="GettingStarted-Setup"></a>\n\n{% hint style="danger" %}\n**Mind**\n\nthe gap\n{% endhint %}\n\n' +
      '{% code title="A.java" %}\n```java\nint a;\n```\n{% endcode %}\n\n<details>\n\n<summary>More</summary>\n\ninside\n\n</details>\n\n- [x] done\n- [ ] open\n\n![](attachments/2/9.png)\n',
  )
  expect(texts['getting-started/über-uns.md']).toBe('# Über uns\n\n[home](../README.md)\n')
  expect(files).toEqual(['attachments/2/9.png'])
  expect(summary).toBe(
    '# Table of contents\n\n* [Home](README.md)\n* [Getting Started](getting-started.md)\n  * [Über uns](getting-started/über-uns.md)\n',
  )
  expect(reports).toHaveLength(2)
  await expect(convert('confluence', zipped({ 'entities.xml': '<a/>', 'b.txt': 'b' }))).rejects.toThrow(
    'no page of Confluence',
  )
})

const id = (digit: string) => digit.repeat(32)

it('a Confluence XML export is converted with pages, macros, files and order', async () => {
  const cdata = (text: string) => `<![CDATA[${text.replaceAll(']]>', ']] >')}]]>`
  const page = (id: number, title: string, more: string, kind = 'Page') =>
    `<object class="${kind}" package="com.atlassian.confluence.pages"><id name="id">${id}</id><property name="title">${cdata(title)}</property><property name="contentStatus">${cdata('current')}</property>${more}<collection name="bodyContents" class="java.util.Collection"><element class="BodyContent" package="com.atlassian.confluence.core"><id name="id">9${id}</id></element></collection></object>`
  const ref = (name: string, kind: string, id: number) =>
    `<property name="${name}" class="${kind}" package="com.atlassian.confluence.pages"><id name="id">${id}</id>\n</property>`
  const body = (of: number, text: string) =>
    `<object class="BodyContent" package="com.atlassian.confluence.core"><id name="id">9${of}</id><property name="body">${cdata(text)}</property>${ref('content', 'Page', of)}<property name="bodyType">2</property></object>`
  const file = (id: number, of: number, name: string, version: number, more = '') =>
    `<object class="Attachment" package="com.atlassian.confluence.pages"><id name="id">${id}</id><property name="title">${cdata(name)}</property><property name="contentStatus">${cdata('current')}</property><property name="version">${version}</property>${ref('containerContent', 'Page', of)}${more}</object>`
  const macro = (name: string, parameters: string, held: string) =>
    `<ac:structured-macro ac:name="${name}" ac:schema-version="1">${parameters}${held}</ac:structured-macro>`
  const parameter = (name: string, value: string) => `<ac:parameter ac:name="${name}">${value}</ac:parameter>`
  const rich = (html: string) => `<ac:rich-text-body>${html}</ac:rich-text-body>`
  const home =
    macro('toc', '', '') +
    '<p>Caf&eacute;&nbsp;&amp; <strong>more</strong>: <ac:link><ri:page ri:content-title="Set &amp; go" /><ac:plain-text-link-body><![CDATA[set <up>]]></ac:plain-text-link-body></ac:link>, ' +
    '<ac:link ac:anchor="First steps"><ri:page ri:content-title="Set &amp; go" /></ac:link>, <ac:link><ri:page ri:content-title="Not here" /></ac:link>.</p>' +
    macro('info', parameter('title', 'Mind'), rich('<p>Words.</p>')) +
    macro('warning', '', rich('<p>Hot.</p>')) +
    macro(
      'code',
      parameter('language', 'java') + parameter('title', 'A.java'),
      '<ac:plain-text-body><![CDATA[if (a < b && c) { x("&amp;"); }]]></ac:plain-text-body>',
    ) +
    macro('expand', parameter('title', 'More'), rich('<p>Inside.</p>')) +
    '<ac:task-list><ac:task><ac:task-id>1</ac:task-id><ac:task-status>complete</ac:task-status><ac:task-body><span>Done</span></ac:task-body></ac:task><ac:task><ac:task-status>incomplete</ac:task-status><ac:task-body>Open</ac:task-body></ac:task></ac:task-list>' +
    '<ac:layout><ac:layout-section ac:type="single"><ac:layout-cell><table><tbody><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></tbody></table></ac:layout-cell></ac:layout-section></ac:layout>' +
    '<p><ac:image ac:width="120" ac:alt="Plan"><ri:attachment ri:filename="plan a.png" /></ac:image></p>' +
    '<p><ac:image><ri:attachment ri:filename="shared.png"><ri:page ri:content-title="Deep" /></ri:attachment></ac:image></p>' +
    macro('gadget', '', '') +
    '<p>' +
    macro('status', parameter('title', 'READY'), '') +
    ' <ac:emoticon ac:name="tick" /> <ac:emoticon ac:name="blue-star" ac:emoji-id="1f4cb" ac:emoji-fallback=":clipboard:" /> <ac:image ac:class="emoticon emoticon-smile" ac:alt="(x)"><ri:url ri:value="https://w.example/smile.svg" /></ac:image></p>'
  const entities =
    '<?xml version="1.0" encoding="UTF-8"?>\n<hibernate-generic datetime="2024-01-01">' +
    body(1, home) +
    `<object class="Space" package="com.atlassian.confluence.spaces"><id name="id">7</id><property name="name">${cdata('Space')}</property>${ref('homePage', 'Page', 1)}</object>` +
    page(1, 'Home', '') +
    page(2, 'Second', `${ref('parent', 'Page', 1)}<property name="position">5</property>`) +
    page(3, 'Set & go', `${ref('parent', 'Page', 1)}<property name="position">2</property>`) +
    page(4, 'Deep', ref('parent', 'Page', 2)) +
    page(5, 'Old words', ref('originalVersion', 'Page', 1)) +
    page(6, 'News', '', 'BlogPost') +
    page(8, 'Thrown away', '').replace('current', 'deleted') +
    body(3, '<h1>First steps</h1><p>One.</p><h2>Below</h2>') +
    body(5, '<p>old</p>') +
    body(6, '<p>New.</p>') +
    body(2, '<p>Broken <b>here</p>') +
    file(21, 1, 'plan a.png', 2) +
    file(22, 1, 'plan a.png', 1, ref('originalVersion', 'Attachment', 21)) +
    file(23, 4, 'shared.png', 1) +
    file(24, 1, 'unused.zip', 1) +
    '</hibernate-generic>'
  const { texts, files, reports, summary } = await convert(
    'confluence',
    zipped({
      'entities.xml': entities,
      'exportDescriptor.properties': 'exportType=space',
      'attachments/1/21/1': 'older',
      'attachments/1/21/2': png,
      'attachments/4/23/1': png,
      'attachments/1/24/1': 'zip',
    }),
  )
  expect(summary).toBe(
    '# Table of contents\n\n* [Home](README.md)\n* [Set & go](set-go.md)\n* [Second](second.md)\n  * [Deep](second/deep.md)\n\n## Blog\n\n* [News](blog/news.md)\n',
  )
  const first = texts['README.md']!
  for (const part of [
    '# Home\n\nCafé',
    '**more**: [set \\<up>](set-go.md), [Set & go](set-go.md#first-steps), Not here.',
    '{% hint style="info" %}\n**Mind**\n\nWords.\n{% endhint %}',
    '{% hint style="danger" %}\nHot.\n{% endhint %}',
    'if (a < b && c) { x("&amp;"); }',
    '```java',
    'A.java',
    '<summary>More</summary>',
    '- [x] Done\n- [ ] Open',
    '| A | B |\n| --- | --- |\n| 1 | 2 |',
    '.gitbook/assets/plan%20a.png',
    'alt="Plan" width="120"',
    '![](.gitbook/assets/shared.png)',
    '**READY** ✅ 📋 🙂',
  ])
    expect(first).toContain(part)
  expect(texts['set-go.md']).toBe('# Set & go\n\n## First steps\n\nOne.\n\n### Below\n')
  expect(texts['second.md']).toContain('Broken **here**')
  expect(texts['second/deep.md']).toBe('# Deep\n\n')
  expect(Object.keys(texts).toSorted()).toEqual([
    'README.md',
    'blog/news.md',
    'second.md',
    'second/deep.md',
    'set-go.md',
  ])
  expect(files).toEqual(['.gitbook/assets/plan a.png', '.gitbook/assets/shared.png'])
  expect(reports).toEqual([
    'README.md: Not carried over: links to what the export does not hold.',
    'README.md: Not carried over: the macro "gadget".',
    'attachments/1/21: A file that no page shows, such as styles and scripts: left out.',
    'attachments/1/24: A file that no page shows, such as styles and scripts: left out.',
  ])
})

it('Confluence links and macros resolve by title, id and URL; unresolved ones become text', async () => {
  const cdata = (text: string) => `<![CDATA[${text.replaceAll(']]>', ']] >')}]]>`
  const ref = (name: string, kind: string, id: number) =>
    `<property name="${name}" class="${kind}" package="x">\n<id name="id">${id}</id>\n</property>`
  const space = (id: number, key: string, home: number) =>
    `<object class="Space" package="x"><id name="id">${id}</id><property name="key">${cdata(key)}</property>${ref('homePage', 'Page', home)}</object>`
  const page = (id: number, of: number, title: string, more = '', kind = 'Page') =>
    `<object class="${kind}" package="x"><id name="id">${id}</id><property name="title">${cdata(title)}</property>${ref('space', 'Space', of)}<property name="position"/>${more}</object>`
  const body = (of: number, text: string) =>
    `<object class="BodyContent" package="x"><id name="id">9${of}</id><property name="body">${cdata(text)}</property>${ref('content', 'Page', of)}</object>`
  const file = (id: number, of: number, name: string) =>
    `<object class="Attachment" package="x"><id name="id">${id}</id><property name="title">${name}</property><property name="version">1</property>${ref('containerContent', 'Page', of)}</object>`
  const macro = (name: string, held: string) =>
    `<ac:structured-macro ac:name="${name}">${held}</ac:structured-macro>`
  const named = (name: string, held: string) => `<ac:parameter ac:name="${name}">\n${held}\n</ac:parameter>`
  const link = (held: string, words: string) =>
    `<p><ac:link>${held}<ac:link-body>${words}</ac:link-body></ac:link></p>`
  const viewFile = (name: string, of: string, beside = '') =>
    macro('view-file', named('name', `<ri:attachment ri:filename="${name}">${of}</ri:attachment>`) + beside)
  const text =
    macro('children', named('page', '<ac:link />')) +
    link('<ri:page ri:content-title="Plan" />', 'own plan') +
    link('<ri:page ri:content-title="Plan" ri:space-key="B C" />', 'their plan') +
    link('<ri:page ri:content-title="Plan" ri:space-key="Z" />', 'plan of nobody') +
    link('<ri:content-entity ri:content-id="3" />', 'by id') +
    link('<ri:page ri:content-title="@self" />', 'this') +
    link('<ri:user ri:userkey="u" />', '') +
    '<p><a href="https://w.example/pages/viewpage.action?pageId=3#x">seen</a> <a href="https://w.example/wiki/spaces/A/pages/2/Any">new</a> <a href="https://w.example/wiki/spaces/Z/pages/2/Any">other</a> <a href="https://w.example/display/B+C/Plan">old</a> <a href="https://w.example/display/Z/Plan">gone</a></p>' +
    viewFile(
      'a.pdf',
      '<ri:content-entity ri:content-id="3" />',
      named('space', '<ri:space ri:space-key="B C" />'),
    ) +
    viewFile(
      'b.pdf',
      '<ri:page ri:content-title="Plan" ri:space-key="B C" />',
      named('page', '<ac:link><ri:page ri:content-title="Nowhere" /></ac:link>'),
    ) +
    viewFile('none.pdf', '') +
    macro(
      'plantuml',
      `<ac:plain-text-body>${cdata('@startuml\n<style>\nA -> B\n@enduml')}</ac:plain-text-body>`,
    ) +
    macro('include', named('', '<ac:link><ri:page ri:content-title="Plan" /></ac:link>')) +
    macro('widget', named('url', '<ri:url ri:value="https://v.example/1?a=1&amp;b=2" />'))
  const { texts, files, reports, summary } = await convert(
    'confluence',
    zipped({
      'entities.xml':
        '<hibernate-generic>' +
        space(10, 'A', 1) +
        space(20, 'B C', 3) +
        page(1, 10, 'Start') +
        page(2, 10, 'Plan', ref('parent', 'Page', 1)) +
        page(5, 10, 'Plan', '', 'BlogPost') +
        page(3, 20, 'Plan') +
        body(1, text) +
        file(31, 3, 'a.pdf') +
        file(32, 3, 'b.pdf') +
        '</hibernate-generic>',
      'attachments/3/31/1': 'a',
      'attachments/3/32/1': 'b',
    }),
  )
  expect(summary).toBe(
    '# Table of contents\n\n* [Start](README.md)\n* [Plan](plan.md)\n* [Plan](plan-1.md)\n\n## Blog\n\n* [Plan](blog/plan.md)\n',
  )
  expect(texts['README.md']!.replace(/\n{2,}/g, '\n').split('\n')).toEqual([
    '# Start',
    '- [Plan](plan.md)',
    '[own plan](plan.md)',
    '[their plan](plan-1.md)',
    'plan of nobody',
    '[by id](plan-1.md)',
    '[this](README.md)',
    '[seen](plan-1.md) [new](plan.md) [other](https://w.example/wiki/spaces/Z/pages/2/Any) [old](plan-1.md) [gone](https://w.example/display/Z/Plan)',
    '[a.pdf](.gitbook/assets/a.pdf)[b.pdf](.gitbook/assets/b.pdf)none.pdf',
    '```plantuml',
    '@startuml',
    '<style>',
    'A -> B',
    '@enduml',
    '```',
    '[Plan](plan.md)',
    '<https://v.example/1?a=1&b=2>',
    '',
  ])
  expect(files).toEqual(['.gitbook/assets/a.pdf', '.gitbook/assets/b.pdf'])
  expect(reports).toEqual([
    'README.md: Not carried over: links to what the export does not hold.',
    'README.md: Not carried over: who is mentioned.',
    'README.md: Not carried over: files that the export does not hold.',
    'README.md: Not carried over: the macro "include".',
  ])
})

it('Notion pages take their title from the text, not from the file name', async () => {
  const { summary, texts } = await convert(
    'notion',
    zipped({
      [`Top ${id('a')}.md`]: `# Top\n\n[Either/or](Top%20${id('a')}/Either%20or%20${id('b')}.md)`,
      [`Top ${id('a')}/Either or ${id('b')}.md`]:
        '# Either/or & more\n\nWords.\n\n# Later\n\n## Last\n\n```\n# x\n```\n',
      [`Top ${id('a')}/Bare ${id('c')}.md`]: 'No heading\n\n# Later\n',
    }),
  )
  expect(summary).toBe(
    '# Table of contents\n\n* [Top](README.md)\n* [Either/or & more](either-or.md)\n* [Bare](bare.md)\n',
  )
  // The hierarchy is preserved.
  expect(texts['either-or.md']).toBe(
    '# Either/or & more\n\nWords.\n\n## Later\n\n### Last\n\n```\n# x\n```\n',
  )
})

it('Notion pages lose their ids, and databases become tables whose rows link to their pages', async () => {
  const inner = {
    [`Home ${id('a')}.md`]: `# Home\n\n[Guide](Home%20${id('a')}/Guide%20${id('b')}.md)\n\n[Tasks](Home%20${id('a')}/Tasks%20${id('c')}.csv)\n\n<aside>\n💡 Mind this\n\n</aside>\n\n[again](https://www.notion.so/Guide-${id('b')}?pvs=4)`,
    [`Home ${id('a')}/Guide ${id('b')}.md`]: `# Guide\n\n![Untitled](Guide%20${id('b')}/Untitled.png)\n\n[Home](../Home%20${id('a')}.md)`,
    [`Home ${id('a')}/Guide ${id('b')}/Untitled.png`]: png,
    [`Home ${id('a')}/Tasks ${id('c')}.csv`]: '\ufeffName,Status\nBuy "milk",Open\n',
    [`Home ${id('a')}/Tasks ${id('c')}_all.csv`]: '\ufeffName,Status\n"Buy ""milk""",Open\nSell | it,\n',
    [`Home ${id('a')}/Tasks ${id('c')}/Buy "milk" ${id('d')}.md`]:
      '# Buy "milk"\n\nStatus: Open\nWhen: today\n\nAt the shop: now',
  }
  const nested = zipped({
    'Export-1-Part-1.zip': zipSync(
      Object.fromEntries(Object.entries(inner).map(([path, text]) => [path, Buffer.from(text)])),
    ),
  })
  const { texts, files, summary } = await convert('notion', nested)
  expect(texts['README.md']).toBe(
    '# Home\n\n[Guide](guide.md)\n\n[Tasks](tasks.md)\n\n{% hint style="info" %}\n💡 Mind this\n\n{% endhint %}\n\n[again](guide.md)',
  )
  expect(texts['guide.md']).toBe('# Guide\n\n![](guide/Untitled.png)\n\n[Home](README.md)')
  expect(texts['tasks.md']).toBe(
    '# Tasks\n\n| Name | Status |\n| --- | --- |\n| [Buy "milk"](tasks/buy-milk.md) | Open |\n| Sell \\| it |   |\n',
  )
  expect(texts['tasks/buy-milk.md']).toBe(
    '# Buy "milk"\n\n- **Status:** Open\n- **When:** today\n\nAt the shop: now',
  )
  expect(files).toEqual(['guide/Untitled.png'])
  expect(summary).toBe(
    '# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n* [Tasks](tasks.md)\n  * [Buy "milk"](tasks/buy-milk.md)\n',
  )
})

it('Confluence pages preserve their first headings, and link to each other by id', async () => {
  const page = (title: string, body: string) =>
    `<html><head><title>Docs : ${title}</title></head><body><h1 id="title-heading">Docs : ${title}</h1><div id="content"><div id="main-content" class="wiki-content group">${body}</div></div></body></html>`
  const { texts, summary } = await convert(
    'confluence',
    zipped({
      // Every nested page is in a list of its own.
      'index.html':
        '<div id="content"><ul><li><a href="Home_11.html">Home</a><ul><li><a href="First_12.html">First</a></li></ul><ul><li><a href="13.html">Zweite</a></li></ul></li></ul></div>',
      'Home_11.html': page(
        'Home',
        '<p><a href="https://w.example/pages/viewpage.action?pageId=12#First-Why?">one</a> <a href="https://w.example/wiki/spaces/DOC/pages/13/Zweite">two</a> <a href="https://w.example/wiki/spaces/DOC/pages/14/None">none</a></p>',
      ),
      'First_12.html': page('First', '<h1 id="First-Why?">Why?</h1><p>a</p>'),
      '13.html': page('Zweite', '<p>b</p>'),
    }),
  )
  expect(texts['README.md']).toBe(
    '# Home\n\n[one](first.md#First-Why%3F) [two](zweite.md) [none](https://w.example/wiki/spaces/DOC/pages/14/None)\n',
  )
  expect(texts['first.md']).toBe('# First\n\n## Why? <a href="#First-Why?" id="First-Why?"></a>\n\na\n')
  expect(parsePage(texts['first.md']!).document.blocks[0]).toMatchObject({ anchor: 'First-Why?' })
  expect(summary).toBe(
    '# Table of contents\n\n* [Home](README.md)\n* [First](first.md)\n* [Zweite](zweite.md)\n',
  )
})

it('the Markdown extensions of Notion are converted to our dialect', async () => {
  const lines = [
    '# Plan',
    '',
    'Costs $5 or $6; $E = mc^2$ and `$a$`.',
    'Second line',
    '',
    '> Quoted',
    '> further',
    '> ',
    '- a',
    'b',
    '',
    '| a | b |',
    '| --- | --- |',
    '| 1 | 2 |',
    '',
    '$$',
    '\\sum x',
    'y',
    '$$',
    '',
    '![image.png](Plan/image.png)',
    '',
    '![What is seen](Plan/image.png)',
    '',
    'What is seen',
    '',
    '- c',
    '    ',
    '    <aside>',
    '    ⚠️ Mind',
    '    ',
    '    </aside>',
    '    ',
    '<aside>',
    '<img src="https://www.notion.so/icons/info_blue.svg" alt="https://www.notion.so/icons/info_blue.svg" width="40px" />',
    '',
    'Words',
    '</aside>',
    '',
    '<!-- notionvc: 28cfa555-f5da-47f8-9341-72250ca928c2 -->d',
  ]
  const { texts } = await convert(
    'notion',
    zipped({ [`Plan ${id('a')}.md`]: lines.join('\n'), 'Plan/image.png': png }),
  )
  expect(texts['README.md']!.split('\n')).toEqual([
    '# Plan',
    '',
    'Costs $5 or $6; $$E = mc^2$$ and `$a$`.\\',
    'Second line',
    '',
    '> Quoted\\',
    '> further',
    '> ',
    '- a\\',
    'b',
    '',
    ...lines.slice(11, 20),
    '![](image.png)',
    '',
    '![](image.png "What is seen")',
    '',
    '- c',
    '    ',
    '    {% hint style="warning" %}',
    '    ⚠️ Mind',
    '    ',
    '    {% endhint %}',
    '    ',
    '{% hint style="info" %}',
    '',
    'Words',
    '{% endhint %}',
    '',
    'd',
  ])
})

it('a small Notion database becomes an inline table, and its values link to pages', async () => {
  const top = `Top ${id('a')}`
  const { texts, files, summary } = await convert(
    'notion',
    zipped({
      [`Private & Shared/${top}.md`]: `# Top\n\n[Untitled](Top%20${id('a')}/Untitled%20Database%20${id('b')}.csv)\n\n- x\n    \n    [Tags](Top%20${id('a')}/Tags%20${id('c')}.csv)\n    \n\n[Twice](Top%20${id('a')}/Twice%20${id('d')}.csv) [Twice](Top%20${id('a')}/Twice%20${id('d')}.csv)\n\n[data.csv](Top%20${id('a')}/data.csv)\n`,
      [`Private & Shared/${top}/Untitled Database ${id('b')}.csv`]: 'Name,Use\n<nav>,menu\n',
      [`Private & Shared/${top}/Untitled Database ${id('b')}_all.csv`]: 'Name,Use\n<nav>,menu\n<p>,text\n',
      [`Private & Shared/${top}/Tags ${id('c')}.csv`]: `Name,Page\nA,"Other page (Other%20page%20${id('e')}.md), Gone (https://www.notion.so/Gone-${id('9')}?pvs=21)"\n`,
      [`Private & Shared/${top}/Twice ${id('d')}.csv`]: 'Name\nB\n',
      [`Private & Shared/${top}/data.csv`]: 'a,b\n',
      [`Private & Shared/${top}/Other page ${id('e')}.md`]: `# Other page\n\nUp: Top (https://www.notion.so/Top-${id('a')}?pvs=21)\nFile: Other%20page%20${id('e')}/a%20b.pdf\nSite: a.example (b)\n\nText\n`,
      [`Private & Shared/${top}/Other page ${id('e')}/a b.pdf`]: 'pdf',
    }),
  )
  expect(texts['README.md']).toBe(
    `# Top\n\n| Name | Use |\n| --- | --- |\n| \\<nav> | menu |\n| \\<p> | text |\n\n- x\n    \n    **Tags**\n\n    | Name | Page |\n    | --- | --- |\n    | A | [Other page](other-page.md), [Gone](https://www.notion.so/Gone-${id('9')}?pvs=21) |\n    \n\n[Twice](twice.md) [Twice](twice.md)\n\n[data.csv](data.csv)\n`,
  )
  expect(texts['other-page.md']).toBe(
    '# Other page\n\n- **Up:** [Top](README.md)\n- **File:** [a b.pdf](other-page/a%20b.pdf)\n- **Site:** a.example (b)\n\nText\n',
  )
  expect(files.toSorted()).toEqual(['data.csv', 'other-page/a b.pdf'])
  expect(summary).toBe(
    '# Table of contents\n\n* [Top](README.md)\n* [Twice](twice.md)\n* [Other page](other-page.md)\n',
  )
})

it('Notion pages exported as HTML convert like those exported as Markdown', async () => {
  const page = (title: string, body: string) =>
    `<html><head><title>${title}</title></head><body><article id="${id('0')}" class="page sans"><header><h1 class="page-title">${title}</h1></header><div class="page-body">${body}</div></article></body></html>`
  const link = (to: string, title: string) =>
    `<figure class="link-to-page"><a href="${to}"><span class="icon">📘</span>${title}</a></figure>`
  const top = `Top%20${id('a')}`
  const { texts, files, summary } = await convert(
    'notion',
    zipped({
      'index.html': '<ul><li>Top</li></ul>',
      [`Top ${id('a')}.html`]: page(
        'Top',
        `${link(`${top}/Tasks%20${id('c')}.html`, 'Tasks')}${link(`${top}/Either%20or%20${id('b')}.html`, 'Either/or')}<p><a href="https://www.notion.so/Either-or-${id('b')}?pvs=4">again</a></p>`,
      ),
      [`Top ${id('a')}/Either or ${id('b')}.html`]: page(
        'Either/or',
        `<figure class="image"><a href="Either%20or%20${id('b')}/a.png"><img style="width:90px" src="Either%20or%20${id('b')}/a.png"></a></figure>`,
      ),
      [`Top ${id('a')}/Either or ${id('b')}/a.png`]: png,
      [`Top ${id('a')}/Tasks ${id('c')}.html`]: page(
        'Tasks',
        `<div class="collection-content"><table class="collection-content"><thead><tr><th>Name</th></tr></thead><tbody><tr><td class="cell-title"><a href="Tasks%20${id('c')}/Buy%20${id('d')}.html">Buy</a></td></tr></tbody></table></div><p><a href="Tasks%20${id('c')}.csv">as a file</a></p>`,
      ),
      [`Top ${id('a')}/Tasks ${id('c')}.csv`]: 'Name\nBuy\n',
      [`Top ${id('a')}/Tasks ${id('c')}_all.csv`]: 'Name\nBuy\n',
      [`Top ${id('a')}/Tasks ${id('c')}/Buy ${id('d')}.html`]: page('Buy', '<p>Milk</p>'),
    }),
  )
  expect(texts).toEqual({
    'README.md': '# Top\n\n[Tasks](tasks.md)\n\n[Either/or](either-or.md)\n\n[again](either-or.md)\n',
    'either-or.md':
      '# Either/or\n\n<figure><img src="either-or/a.png" alt="" width="90"><figcaption></figcaption></figure>\n',
    'tasks.md': '# Tasks\n\n| Name |\n| --- |\n| [Buy](tasks/buy.md) |\n\n[as a file](tasks.md)\n',
    'tasks/buy.md': '# Buy\n\nMilk\n',
  })
  expect(files).toEqual(['either-or/a.png'])
  expect(summary).toBe(
    '# Table of contents\n\n* [Top](README.md)\n* [Tasks](tasks.md)\n  * [Buy](tasks/buy.md)\n* [Either/or](either-or.md)\n',
  )
})

it('a GitHub wiki starts at Home, its names become links, and its sidebar the table of contents', async () => {
  const { texts, files, summary, reports } = await convert(
    'github-wiki',
    zipped({
      'Home.md':
        'Go to [[Getting Started]], [[the faq|FAQ#why]], `[[not this]]`, [here](Getting-Started) and [there](https://github.com/o/r/wiki/faq#why).\n\n[[images/a.png|width=90|alt=What is seen]]\n\n```\n[[nor this]]\n```\n',
      'Getting-Started.md': '# Start\n\n[[Home]] [[Nowhere]]\n',
      'sub/FAQ.md': 'Why',
      'Notes.rst': 'Notes\n=====\n',
      '_Sidebar.md':
        '**Menu**\n\n* [Home](https://github.com/o/r/wiki)\n* Help\n  * [[Questions|FAQ]]\n* [Site](https://a.example)\n',
      '_Footer.md': 'foot',
      'images/a.png': png,
    }),
  )
  expect(texts['README.md']).toBe(
    '# Home\n\nGo to [Getting Started](<Getting-Started.md>), [the faq](<sub/FAQ.md#why>), `[[not this]]`, [here](Getting-Started.md) and [there](sub/FAQ.md#why).\n\n![What is seen](<images/a.png>)\n\n```\n[[nor this]]\n```\n',
  )
  expect(texts['sub/FAQ.md']).toBe('# FAQ\n\nWhy')
  expect(files).toEqual(['Notes.rst', 'images/a.png'])
  expect(summary).toBe(
    '# Table of contents\n\n* [Home](README.md)\n\n## Help\n\n* [Questions](sub/FAQ.md)\n\n***\n\n* [Site](https://a.example)\n* [Getting Started](Getting-Started.md)\n',
  )
  expect(reports).toHaveLength(2)
})
