import { describe, expect, it } from 'vitest'
import type { Block, BlockType, Inline, OpenAPIBlock, Table } from '../../core/document/types.js'
import { createBudget } from '../../core/budget.js'
import { viewOfBlock } from '../../core/openapi/block-view.js'
import { readOperation } from '../../core/openapi/operation.js'
import { wholeSpecification } from '../../core/openapi/specification.js'
import type { MissingPart } from '../../core/openapi/view.js'
import { parsePage } from '../../core/markdown/parse.js'
import { nothing, trusted } from '../html.js'
import type { RenderContext } from './context.js'
import { iconNames } from './icon-names.js'
import { drawingsFor, knownIcon } from './icons.js'
import { createPageFragments } from './fragments.js'
import { renderDocument } from './render.js'
import { contextOf, documentOf, paragraph, text } from './testing.js'

const span = { start: 0, end: 0 }

function rendered(block: Block | readonly Block[], context: Partial<RenderContext> = {}): string {
  return renderDocument(documentOf(...[block].flat()), contextOf(context)).toString()
}

function line(...inlines: readonly (string | Inline)[]): string {
  return rendered(paragraph(...inlines)).replace(/^<p>|<\/p>\s*$/g, '')
}

/** One example of every type; the compiler asks for a new one when a type is added. */
const examples: {
  readonly [Type in BlockType]: Type extends OpenAPIBlock['type']
    ? OpenAPIBlock
    : Extract<Block, { readonly type: Type }>
} = {
  paragraph: { ...paragraph('visible'), align: 'center' },
  heading: { type: 'heading', span, level: 1, anchor: 'visible', children: [text('visible')] },
  list: {
    type: 'list',
    span,
    kind: 'ordered',
    start: 3,
    tight: true,
    items: [{ span, blocks: [paragraph('visible')] }],
  },
  divider: { type: 'divider', span },
  blockquote: { type: 'blockquote', span, blocks: [paragraph('visible')] },
  hint: { type: 'hint', span, style: 'warning', blocks: [paragraph('visible')] },
  code: { type: 'code', span, code: 'visible' },
  math: { type: 'math', span, formula: 'x^2' },
  images: { type: 'images', span, images: [{ src: 'a.png', alt: 'visible' }] },
  file: { type: 'file', span, src: 'a/visible.pdf', caption: [] },
  drawing: { type: 'drawing', span, src: 'a.svg', alt: 'visible' },
  embed: { type: 'embed', span, url: 'https://visible.example/x', caption: [] },
  'content-ref': { type: 'content-ref', span, url: 'a.md', label: 'visible' },
  'reusable-content': { type: 'reusable-content', span, src: 'visible.md' },
  expandable: { type: 'expandable', span, title: [text('visible')], anchor: 'a', open: false, blocks: [] },
  tabs: { type: 'tabs', span, tabs: [{ span, title: 'visible', anchor: 'a', blocks: [] }] },
  stepper: { type: 'stepper', span, steps: [{ span, blocks: [paragraph('visible')] }] },
  columns: { type: 'columns', span, columns: [{ span, width: '25%', blocks: [paragraph('visible')] }] },
  table: {
    type: 'table',
    span,
    view: 'grid',
    columns: [{ title: [text('visible')], type: 'text' }],
    rows: [],
  },
  if: { type: 'if', span, expression: 'yes', blocks: [paragraph('visible')] },
  updates: {
    type: 'updates',
    span,
    format: 'full',
    updates: [{ span, date: '2026-01-31', anchor: 'u', tags: ['visible'], blocks: [] }],
  },
  prompt: { type: 'prompt', span, description: 'visible', text: 'x' },
  'openapi-operation': { type: 'openapi-operation', span, method: 'get', path: '/visible', blocks: [] },
  'openapi-schemas': { type: 'openapi-schemas', span, schemas: ['visible'], blocks: [] },
  'openapi-webhook': { type: 'openapi-webhook', span, name: 'visible', blocks: [] },
  swagger: { type: 'swagger', span, src: 'visible.yaml', blocks: [] },
  integration: { type: 'integration', span, integration: 'visible', block: 'b', props: {} },
  html: { type: 'html', span, html: '<p>visible</p>' },
}

describe('every block', () => {
  it.each(Object.values(examples).map((block) => [block.type, block] as const))(
    '%s is rendered',
    (type, block) => {
      const markup = rendered(block, {
        evaluate: () => true,
        include: () => documentOf(paragraph('visible')),
      })
      if (type === 'divider') expect(markup.trim()).toBe('<hr>')
      else if (type === 'math') expect(markup).toMatch(/<math[^]*<msup>[^]*<mn[^>]*>2<\/mn>/)
      else expect(markup).toContain('visible')
      expect(markup).not.toContain(' style=')
      expect(rendered(block, { evaluate: () => true, include: () => documentOf(paragraph('visible')) })).toBe(
        markup,
      )
    },
  )
})

describe('headings and anchors', () => {
  it('are targets for former anchors, unless the page has them', () => {
    const heading = { ...examples.heading, anchor: 'math-and-tex', aliases: ['math-tex', 'taken'] } as const
    const other = { ...examples.heading, anchor: 'taken' } as const
    const page = renderDocument({ blocks: [other, heading] }, contextOf()).toString()
    expect(page).toContain('<h2 id="math-and-tex"><span id="math-tex"></span>visible')
    expect(page.match(/id="taken"/g)).toHaveLength(1)
  })

  it('starts below the title of the page and links to itself', () => {
    expect(rendered({ ...examples.heading, level: 2, anchor: '合并' })).toBe(
      `<h3 id="合并">visible<a class="anchor" href="#${encodeURIComponent('合并')}" aria-label="Link to this section">#</a></h3>\n`,
    )
  })

  it('keeps ids unique when an include is rendered twice', () => {
    const markup = rendered([examples['reusable-content'], examples['reusable-content'], examples.heading], {
      include: () => documentOf(examples.heading),
    })
    expect([...markup.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)).toEqual([
      'visible',
      'visible-1',
      'visible-2',
    ])
  })
})

describe('lists', () => {
  it('renders a tight list without paragraphs and a loose one with them', () => {
    expect(rendered(examples.list)).toMatch(/<ol start="3">\s*<li>visible<\/li>\s*<\/ol>/)
    expect(rendered({ ...examples.list, tight: false })).toMatch(/<li><p>visible<\/p>\s*<\/li>/)
  })

  it('renders tasks as read-only checkboxes', () => {
    const items = [true, false].map((checked) => ({ span, checked, blocks: [paragraph('t')] }))
    const markup = rendered({ type: 'list', span, kind: 'tasks', tight: true, items })
    expect(markup.match(/<input type="checkbox" disabled checked /g)).toHaveLength(1)
    expect(markup.match(/<input type="checkbox" disabled/g)).toHaveLength(2)
  })
})

describe('code', () => {
  const source = 'const a = `\nb`\nlet c'

  it('keeps the code unchanged as the text of the markup', () => {
    for (const more of [
      {},
      { lineNumbers: true },
      { highlighted: [1] },
      { syntax: 'ts' },
      { syntax: 'no-such' },
    ]) {
      const markup = rendered({ type: 'code', span, code: source, ...more })
      const inner = /<code[^>]*>([^]*)<\/code>/.exec(markup)?.[1] ?? ''
      expect(inner.replace(/<[^>]*>/g, '')).toBe(source)
    }
  })

  it.each([
    ['ts', 'TypeScript'],
    ['Dockerfile', 'Dockerfile'],
    ['c++', 'C++'],
    ['text', undefined],
    ['{.line}', undefined],
    [undefined, undefined],
  ])('names its language: %s as %s', (syntax, name) => {
    const markup = rendered({ type: 'code', span, code: 'x', ...(syntax !== undefined && { syntax }) })
    expect(/code-language">([^<]*)</.exec(markup)?.[1]).toBe(name)
    expect(markup.includes('<figcaption>')).toBe(name !== undefined)
  })

  it('has a wrap button for long lines, unless they are already wrapped', () => {
    const code = 'x'.repeat(100)
    expect(rendered({ type: 'code', span, code })).toContain('data-wrap')
    expect(rendered({ type: 'code', span, code, overflow: 'wrap' })).not.toContain('data-wrap')
    expect(rendered({ type: 'code', span, code: 'x' })).not.toContain('data-wrap')
  })

  it('closes and reopens colours at line ends', () => {
    const markup = rendered({
      type: 'code',
      span,
      code: source,
      syntax: 'ts',
      lineNumbers: true,
      highlighted: [1],
    })
    expect(markup).toContain('<span class="line marked"><span class="hljs-string">b`</span>\n</span>')
    expect(markup).toContain('<pre tabindex="0" class="numbered">')
  })

  it.each([
    ['py', 'hljs-keyword', 'def a(): pass'],
    ['Rust', 'hljs-keyword', 'fn a() {}'],
    ['diff', 'hljs-addition', '+ a'],
    ['yml', 'hljs-attr', 'a: 1'],
  ])('colours %s', (syntax, className, code) => {
    expect(rendered({ type: 'code', span, syntax, code })).toContain(className)
  })

  it.each(['../../package', '__proto__', 'constructor', 'toString', 'x'.repeat(5000)])(
    'does not know %j',
    (syntax) => {
      expect(rendered({ type: 'code', span, syntax, code: 'a < b' })).toContain('a &lt; b</code>')
    },
  )

  it('leaves very long code plain', () => {
    expect(rendered({ type: 'code', span, syntax: 'json', code: '"a",'.repeat(30_000) })).not.toContain(
      'hljs-',
    )
  })

  it('renders a diagram as its source, with a note', () => {
    expect(rendered({ type: 'code', span, syntax: 'mermaid', code: 'a --> b' })).toMatch(
      /Diagram, shown as its source[^]*a --&gt; b/,
    )
    const block = { type: 'code', span, syntax: 'Mermaid', code: 'a --> b', title: 'Way' } as const
    const fragments = createPageFragments()
    renderDocument({ blocks: [block] }, contextOf({ fragments }))
    expect([...fragments.deferred.values()]).toEqual([{ kind: 'diagram', text: 'a --> b' }])
    fragments.setResult(block, '<svg></svg>')
    expect(renderDocument({ blocks: [block] }, contextOf({ fragments })).toString()).toMatch(
      /role="img" aria-label="Way; its source follows"><svg><\/svg><\/div>[^]*<figcaption>Way<[^]*<details[^]*a --&gt; b/,
    )
  })

  it('folds long code only if the author sets it', () => {
    const code = 'x\n'.repeat(40)
    expect(rendered({ type: 'code', span, code, expandable: true })).toContain('<details')
    expect(rendered({ type: 'code', span, code })).not.toContain('<details')
    expect(rendered({ type: 'code', span, code: 'x', expandable: true })).not.toContain('<details')
  })
})

describe('formulas', () => {
  it('are MathML without styles, colours as attributes', () => {
    expect(line({ type: 'inline-math', formula: '\\color{red}{x}' })).toContain('mathcolor="#ff0000"')
  })

  it.each(['\\frac{a', '\\href{https://a.example}{x}', 'x'.repeat(20_000)])(
    'that fail show their source',
    (formula) => {
      expect(line({ type: 'inline-math', formula })).toContain(`>${formula}</code>`)
    },
  )
})

describe('pictures', () => {
  const file = { href: '/f/a.png', name: 'a.png', width: 800, height: 400 }
  it.each([
    [{}, 'width="800" height="400"'],
    [{ width: '200' }, 'width="200" height="100"'],
    [{ height: '100px' }, 'width="200" height="100"'],
    [{ width: '50%' }, 'width="50%" decoding'],
    [{ width: 'wide' }, 'width="800" height="400"'],
  ])('%j has the size %s', (declared, size) => {
    const block: Block = { type: 'images', span, images: [{ src: 'a.png', alt: 'A', ...declared }] }
    const markup = rendered(block, { file: () => file })
    expect(markup).toContain(`<img src="/f/a.png" alt="A" ${size}`)
  })

  it('are lazy, except for the first one without a dark variant', () => {
    const images = (src: string, srcDark?: string): Block => ({
      type: 'images',
      span,
      images: [{ src, ...(srcDark !== undefined && { srcDark }) }],
    })
    const markup = rendered([images('0.png', '1.png'), images('2.png'), images('3.png')])
    const isLazy = [...markup.matchAll(/<img [^>]*>/g)].map(([tag]) => tag.includes('loading="lazy"'))
    expect(isLazy).toEqual([true, true, false, true])
  })

  it.each<[string, object, boolean, string]>([
    ['in the column', {}, false, 'min(100vw, 45rem, 800px)'],
    ['on a wide page', {}, true, 'min(100vw, 66rem, 800px)'],
    ['with a width', { width: '300' }, false, 'min(100vw, 45rem, 300px)'],
    ['with a share of the column', { width: '50%' }, false, 'min(100vw, 45rem, 800px)'],
    ['over the full width', { fullWidth: true }, false, 'min(100vw, 66rem)'],
  ])('%s are offered in their sizes', (_, declared, isWide, sizes) => {
    const sized = { ...file, sizes: [480, 800].map((width) => ({ href: `/f/a.png?v=1&w=${width}`, width })) }
    const { fullWidth, ...image } = declared as { fullWidth?: boolean }
    const block: Block = {
      type: 'images',
      span,
      ...(fullWidth && { fullWidth }),
      images: [{ src: 'a', ...image }],
    }
    const markup = rendered(block, { file: () => sized, isWide })
    expect(markup).toContain(
      `srcset="/f/a.png?v=1&amp;w=480 480w, /f/a.png?v=1&amp;w=800 800w" sizes="${sizes}"`,
    )
  })

  it('are in the markup twice if they have a dark variant', () => {
    const markup = rendered({
      type: 'images',
      span,
      images: [{ src: 'a.png', srcDark: 'b.png', caption: [text('Cap')] }],
    })
    expect(markup).toMatch(
      /src="a.png" alt="" class="when-light"[^]*src="b.png" alt="" class="when-dark"[^]*<figcaption>Cap</,
    )
  })
})

describe('files and embeds', () => {
  it('offers a download with kind and size', () => {
    const file = { href: '/f/1', name: 'a b.pdf', size: 1_482_113 }
    expect(rendered({ ...examples.file, src: 'x' }, { file: () => file })).toMatch(
      /<a class="card-line" href="\/f\/1" download="a b.pdf">[^]*a b.pdf[^]*PDF · 1.5 MB/,
    )
  })

  it.each([
    ['video/mp4', '<video src="/f/1" controls'],
    ['audio/mpeg', '<audio src="/f/1" controls'],
  ])('plays %s among its own files in place', (contentType, expected) => {
    const context = { file: () => ({ href: '/f/1', name: 'x', contentType }) }
    expect(rendered({ ...examples.embed, url: 'x' }, context)).toContain(expected)
    expect(rendered({ ...examples.file, src: 'x' }, context)).toContain(expected)
  })

  it('plays a video in its size, behind its poster', () => {
    const files = new Map([
      ['a.mp4', { href: '/f/1', name: 'a.mp4', contentType: 'video/mp4' }],
      ['a.png', { href: '/f/2', name: 'a.png', contentType: 'image/png' }],
    ])
    const { document } = parsePage('<video src="a.mp4" poster="a.png" width="320"></video>')
    const context = contextOf({ file: (src) => files.get(src) })
    expect(renderDocument(document, context).toString()).toContain(
      '<video src="/f/1" poster="/f/2" controls preload="metadata" playsinline width="320"></video>',
    )
  })

  it('leads the destinations in HTML to the same places', () => {
    const source =
      '<video><source src="a.webm"><source src=a.mp4><track src=\'a.vtt\'></video>\n\n<ruby><a href="b.md">b</a> <a href="gone.md">c</a></ruby>'
    const context = contextOf({
      file: (src) => (src.startsWith('a.') ? { href: `/f/${src}?"x"`, name: src } : undefined),
      link: (url) => (url === 'b.md' ? { href: '/b' } : { href: url, broken: true }),
    })
    const markup = renderDocument(parsePage(source).document, context).toString()
    expect([...markup.matchAll(/ (?:src|href)="([^"]*)"/g)].map(([, url]) => url)).toEqual([
      '/f/a.webm?&#x22;x&#x22;',
      '/f/a.mp4?&#x22;x&#x22;',
      '/f/a.vtt?&#x22;x&#x22;',
      '/b',
      'gone.md',
    ])
  })

  it('never frames another host: renders a card with a link', () => {
    const markup = rendered({ ...examples.embed, url: 'https://www.youtube.com/watch?v=1&t=2' })
    expect(markup).toContain('<a class="card-line" href="https://www.youtube.com/watch?v=1&amp;t=2"')
    expect(markup).toContain('<strong>YouTube</strong>')
    expect(markup).not.toMatch(/<(?:iframe|img|script)/)
  })
})

describe('includes', () => {
  it('ends where content includes itself, after rendering it once', () => {
    const include = (): ReturnType<typeof documentOf> =>
      documentOf(paragraph('once'), examples['reusable-content'])
    expect(rendered(examples['reusable-content'], { include }).match(/once/g)).toHaveLength(1)
  })

  it('ends five deep', () => {
    const include = (src: string): ReturnType<typeof documentOf> =>
      documentOf(paragraph('level'), { ...examples['reusable-content'], src: `${src}+` })
    expect(rendered(examples['reusable-content'], { include }).match(/level/g)).toHaveLength(5)
  })

  it('is nothing when unknown', () => {
    expect(rendered(examples['reusable-content'])).toBe('')
  })
})

describe('conditions and values', () => {
  it.each([
    [true, 'visible'],
    ['x', 'visible'],
    [undefined, ''],
    [0, ''],
  ])('a block under %j', (value, expected) => {
    expect(rendered(examples.if, { evaluate: () => value })).toContain(expected)
    if (expected === '') expect(rendered(examples.if, { evaluate: () => value })).toBe('')
  })

  it.each([
    ['<1.0>', '&lt;1.0&gt;'],
    [42, '42'],
    [false, 'false'],
    [undefined, ''],
    [{ secret: 1 }, ''],
    [null, ''],
    [Number.NaN, ''],
    [Infinity, ''],
  ])('an expression of %s prints %j', (value, printed) => {
    expect(rendered(paragraph({ type: 'expression', expression: 'x' }), { evaluate: () => value })).toBe(
      `<p>${printed}</p>\n`,
    )
  })
})

describe('tabs', () => {
  it('reads as titled sections in order, each with its anchor, and names its button', () => {
    const tabs = ['One', 'Two'].map((title) => ({
      span,
      title,
      anchor: title.toLowerCase(),
      blocks: [paragraph(`in ${title}`)],
    }))
    const markup = rendered({ type: 'tabs', span, tabs })
    expect(markup).toMatch(/tab-title">One<[^]*in One[^]*tab-title">Two<[^]*in Two/)
    expect(markup.match(/role="tab"/g)).toHaveLength(2)
    expect(markup).toMatch(
      /aria-controls="two"[^]*<section class="tab" id="two" role="tabpanel" aria-labelledby="two-tab">/,
    )
  })
})

describe('columns', () => {
  it.each([
    [
      ['50%', '50%'],
      ['6', '6'],
    ],
    [
      ['33%', undefined],
      ['4', '8'],
    ],
    [[undefined, undefined], []],
    [
      ['99%', '99%', undefined],
      ['11', '11', '1'],
    ],
  ])('of widths %j take shares %j', (widths, shares) => {
    const columns = widths.map((width) => ({ span, blocks: [], ...(width === undefined ? {} : { width }) }))
    const found = [...rendered({ type: 'columns', span, columns }).matchAll(/data-share="(\d+)"/g)].map(
      ([, share]) => share,
    )
    expect(found).toEqual(shares)
  })
})

describe('tables', () => {
  const table: Table = {
    type: 'table',
    span,
    view: 'grid',
    columns: [
      { title: [text('Done')], type: 'checkbox' },
      { title: [text('State')], type: 'select', options: [{ value: 'a', label: 'Stable', color: 'green' }] },
      { title: [text('Liked')], type: 'rating', max: 4 },
      { title: [text('Count')], type: 'number', width: '120' },
      { title: [text('Secret')], type: 'text', hidden: true },
    ],
    rows: [
      [
        { blocks: [], values: ['true'] },
        { blocks: [], values: ['a', 'unknown'] },
        { blocks: [], values: ['3'] },
        { blocks: [], values: ['7'] },
        { blocks: [paragraph('hidden text')] },
      ],
    ],
  }

  it('renders typed values as icons with hidden words', () => {
    const markup = rendered(table)
    expect(markup).toContain('aria-label="Yes"')
    expect(markup).toContain(
      '<span class="chip background-green">Stable</span><span class="chip">unknown</span>',
    )
    expect(markup).toContain('aria-label="3 of 4">★★★<span>★</span>')
    expect(markup).toMatch(/<col width="120">/)
    expect(markup).toMatch(/<td class="align-right">7<\/td>/)
    expect(markup).not.toMatch(/Secret|hidden text/)
    expect(markup.match(/<th scope="col"/g)).toHaveLength(4)
  })

  it('gives columns of sentences more room, and labels cells of stacked tables', () => {
    const columns = ['Name', 'Meaning'].map((title) => ({ title: [text(title)], type: 'text' as const }))
    const row = (...words: string[]) => words.map((word) => ({ blocks: [paragraph(word)] }))
    const few = rendered({ ...table, columns, rows: [row('a', 'b'.repeat(60)), row('c')] })
    expect(few).toContain('<div class="table stacks named" tabindex="0"')
    expect(few).toContain('<th scope="col" role="columnheader" class="room-2">Meaning</th>')
    expect(few).toContain('<td role="cell" data-label="Name">c</td><td role="cell"></td>')
    expect(rendered({ ...table, columns, rows: [row('a'.repeat(60), 'b')] })).toContain('"table stacks"')
    const one = columns.slice(0, 1)
    expect(rendered({ ...table, columns: one, rows: [row('a'.repeat(60))] })).not.toContain('stacks')
    const short = rendered({ ...table, columns, rows: [row('a', 'b')] })
    expect(short).not.toMatch(/stacks|data-label|role="cell"|room-/)
    const headless = rendered({ ...table, columns, hideHeader: true, rows: [row('a', 'b'.repeat(200))] })
    expect(headless).toContain('<td class="room-3">')
    expect(headless).not.toContain('stacks')
    const four = [...columns, ...columns]
    expect(rendered({ ...table, columns: four, rows: [row('a', 'b'.repeat(60), 'c', 'd')] })).toContain(
      '<div class="table keeps-first"',
    )
  })

  it('survives a row that is too short, and drops an empty header', () => {
    expect(rendered({ ...table, rows: [[]] })).toContain('<td colspan="4"></td>')
    expect(rendered({ ...table, hideHeader: true })).not.toContain('<thead>')
  })

  const card: Table = {
    ...table,
    view: 'cards',
    columns: [
      { title: [], type: 'text' },
      { title: [], type: 'content-ref', hidden: true, cardTarget: true },
      { title: [], type: 'image', hidden: true, cardCover: true },
    ],
    rows: [
      [
        { blocks: [paragraph('Install')] },
        { blocks: [], href: 'install.md' },
        { blocks: [], href: 'c.png', objectFit: 'contain' },
      ],
    ],
  }

  it('renders a row as a card: cover, and one link named by its title', () => {
    const markup = rendered(card)
    expect(markup).toContain('<a class="card-link" href="install.md">Install</a>')
    expect(markup).toContain('<img class="card-cover fit-contain" src="c.png" alt=""')
    expect(markup.match(/<a /g)).toHaveLength(1)
  })

  it('never nests links: a title with its own link keeps it', () => {
    const linked = paragraph({ type: 'link', url: 'other.md', children: [text('Other')] })
    const markup = rendered({ ...card, rows: [[{ blocks: [linked] }, { blocks: [], href: 'install.md' }]] })
    expect(markup).toMatch(/<a href="other.md">Other<\/a>[^]*class="card-link"[^]*href="install.md"/)
    expect(markup).not.toMatch(/<a [^>]*>(?:(?!<\/a>)[^])*<a /)
  })

  it('never nests links: a heading has a link of its own', () => {
    const heading = { type: 'heading', span, level: 3, anchor: 'h', children: [text('Install it')] } as const
    const markup = rendered({ ...card, rows: [[{ blocks: [heading] }, { blocks: [], href: 'install.md' }]] })
    expect(markup).not.toMatch(/<a [^>]*>(?:(?!<\/a>)[^])*<a /)
    expect(markup).toMatch(/class="card-link"[^>]*href="install.md"[^>]*aria-label="Install it"><\/a>/)
  })

  it('is not a link if its target is gone', () => {
    expect(rendered(card, { link: (url) => ({ href: url, broken: true }) })).not.toContain('<a ')
  })
})

describe('links', () => {
  const link = (resolveLink: RenderContext['link'], more: object = {}): string =>
    rendered(paragraph({ type: 'link', url: 'x.md', children: [text('x')], ...more }), {
      link: resolveLink,
      externalInNewTab: true,
    })

  it('has the target of the context', () => {
    expect(link(() => ({ href: '/x' }), { title: 'T' })).toBe('<p><a href="/x" title="T">x</a></p>\n')
    expect(link(() => ({ href: 'https://x.example', external: true }))).toContain(
      'target="_blank" rel="noopener"',
    )
  })

  it('stays text if it is broken', () => {
    expect(link(() => ({ href: '/x', broken: true }))).not.toContain('<a')
    expect(link(() => ({ href: 'javascript:x' }))).not.toContain('<a')
  })

  it('has the title of its page', () => {
    const page = { title: 'The <page>', emoji: '1f680' }
    expect(link(() => ({ href: '/x', page }), { mention: true, title: 'mention' })).toMatch(
      /<a class="mention"\s+href="\/x"><span class="emoji">🚀<\/span>The &lt;page&gt;<\/a>/,
    )
  })
})

describe('inlines', () => {
  it('nests marks from the outside in', () => {
    expect(line(text('a', 'bold', 'code'))).toBe('<strong><code>a</code></strong>')
    expect(
      line({ type: 'text', text: 'a', marks: [{ type: 'color', text: '$primary', background: 'pink' }] }),
    ).toBe('<span class="text-primary">a</span>')
  })

  it.each([
    ['1f468-200d-1f4bb', '👨‍💻'],
    ['1f600', '😀'],
    ['d800', ''],
    ['ffffff', ''],
    ['nonsense', ''],
  ])('the emoji %s is %j', (code, expected) => {
    expect(line({ type: 'emoji', code })).toBe(
      expected === '' ? '' : `<span class="emoji">${expected}</span>`,
    )
  })

  it('draws icons by their Font Awesome names, and a neutral one for an unknown name', () => {
    const drawn = (name: string) => line({ type: 'icon', icon: name })
    expect(drawn('magnifying-glass')).toMatch(/^<svg class="icon"[^]*<\/svg>$/)
    expect(drawn('magnifying-glass')).toBe(drawn('fa-search'))
    const neutral = drawn('no-such-thing')
    expect(neutral).toMatch(/^<svg class="icon"[^]*<\/svg>$/)
    expect(drawingsFor(trusted(neutral)).toString()).toContain('<circle')
    for (const name of ['__proto__', 'constructor', '日本', 'a-'.repeat(5000)])
      expect(drawn(name)).toBe(neutral)
    expect([drawn(''), drawn(' ')]).toEqual(['', ''])
  })

  it.each([
    ['house-medical-circle-check', 'hospital'],
    ['plug-circle-plus', 'plug'],
    ['circle-rss', 'rss'],
    ['square-share-nodes', 'share-2'],
    ['user-astronaut-slash', 'user-round'],
    ['Books', 'library'],
    ['kubernetes', 'ship-wheel'],
  ])('takes the icon %s for %s, which comes nearest', (name, own) => {
    expect(knownIcon(name)).toBe(knownIcon(own))
  })

  it('keeps the default icon of a hint with an unknown icon', () => {
    const hint = { type: 'hint', span, style: 'danger', blocks: [] } as const
    expect(rendered({ ...hint, icon: 'no-such-thing' })).toBe(rendered(hint))
    expect(rendered({ ...hint, icon: 'rocket' })).not.toBe(rendered(hint))
  })

  it('knows an icon for every translated name, and translates none that needs no translation', () => {
    const bare = [...iconNames].filter(([name, own]) => knownIcon(own) === nothing || name === own)
    expect(bare).toEqual([])
  })

  it('links a search button to the results page', () => {
    const button: Inline = { type: 'button', label: 'Ask', kind: 'primary', action: 'search', query: 'a&b' }
    expect(rendered(paragraph(button), { searchHref: '/s' })).toContain(
      'href="/s?q=a%26b" data-search-for="a&amp;b"',
    )
  })
})

describe('missing files', () => {
  const nowhere = { link: (url: string) => ({ href: url, broken: true }) }
  const image = { src: '../assets/a%20b.png' }

  it('are icons in place of pictures', () => {
    const markup = rendered({ type: 'images', span, images: [image, { ...image, alt: 'A map' }] }, nowhere)
    expect(markup).toMatch(/class="missing-image" title="This image is missing"><svg[^]*<\/svg>a b.png</)
    expect(markup).toContain('</svg>A map<')
    expect(markup).not.toContain('<img')
    expect(line({ type: 'inline-image', ...image })).toContain('<img')
  })

  it('are cards without a link in place of files', () => {
    const markup = rendered({ type: 'file', span, src: image.src, caption: [] }, nowhere)
    expect(markup).toContain('This file is missing')
    expect(markup).not.toMatch(/<a [^>]*(?:href|download)/)
  })
})

describe('annotations', () => {
  it('open a note at the end of the page, one for two references', () => {
    const body = [paragraph('The note')]
    const annotation: Inline = { type: 'annotation', identifier: '1', children: [text('word')], body }
    const markup = rendered([
      paragraph(annotation, annotation),
      paragraph({ ...annotation, body: [paragraph('Other')] }),
    ])
    expect(markup.match(/popovertarget="octavo-note-1"/g)).toHaveLength(2)
    expect(markup).toMatch(
      /<\/p>\s*<section class="notes"[^]*id="octavo-note-1" popover[^]*The note[^]*id="octavo-note-2" popover[^]*Other/,
    )
    expect(markup.match(/The note/g)).toHaveLength(1)
  })

  it('end when a note refers to itself', () => {
    const body: Block[] = []
    const annotation: Inline = { type: 'annotation', identifier: '1', children: [text('word')], body }
    body.push(paragraph('again', annotation))
    expect(rendered(paragraph(annotation)).match(/id="octavo-note-/g)).toHaveLength(1)
  })
})

describe('updates', () => {
  it.each([
    ['full', 'en', 'January 31, 2026'],
    ['short', 'en', 'Jan 31, 2026'],
    ['numeric', 'de', '31.01.2026'],
    ['full', 'ja', '2026年1月31日'],
    ['full', 'not a language', 'January 31, 2026'],
  ] as const)('dates are written %s in %s', (format, language, expected) => {
    const markup = rendered({ ...examples.updates, format }, { language })
    expect(markup).toContain(expected)
    expect(markup).toContain('datetime="2026-01-31"')
    expect(markup).toContain('<article class="update" id="u">')
  })

  it('leaves invalid dates unchanged', () => {
    expect(
      rendered({ ...examples.updates, updates: [{ span, date: 'soon', anchor: 'u', tags: [], blocks: [] }] }),
    ).toContain('>soon</time')
  })
})

describe('specifications', () => {
  it('renders method and path without a specification, and details with one', () => {
    const block: Block = {
      type: 'openapi-operation',
      span,
      method: 'delete',
      path: '/v1/x',
      blocks: [paragraph('own words')],
    }
    expect(rendered(block)).toMatch(/method-delete">DELETE<[^]*\/v1\/x[^]*own words/)
    const specification = {
      openapi: '3.0.0',
      paths: {
        '/v1/x': {
          delete: {
            summary: 'Remove it',
            deprecated: true,
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
            responses: { 204: { description: 'Gone' } },
          },
        },
      },
    }
    const target = { kind: 'operation', path: '/v1/x', method: 'delete' } as const
    const operation = readOperation(wholeSpecification(specification), target, createBudget())!
    expect(rendered(block, { specification: () => ({ operation }) })).toMatch(
      /Remove it[^]*Deprecated[^]*own words[^]*Path parameters[^]*>id<\/code>[^]*string[^]*required[^]*204[^]*Gone/,
    )
    // A summary equal to the heading directly above is not repeated, unless a block is between them.
    const context = { specification: () => ({ operation }) }
    const render = (blocks: Block[], more: Partial<RenderContext> = {}) =>
      renderDocument({ blocks }, contextOf({ ...context, ...more })).toString()
    const heading: Block = { type: 'heading', span, level: 1, anchor: 'a', children: [text('Remove  it')] }
    const summary = /<p class="openapi-summary">Remove it/
    expect(render([block])).toMatch(summary)
    expect(render([heading, block])).not.toMatch(summary)
    expect(render([heading, block])).toContain('Deprecated')
    expect(render([heading, paragraph('between'), block])).toMatch(summary)
    expect(render([block, block], { title: 'Remove it' }).match(/openapi-summary/g)).toHaveLength(1)
  })

  const openApi = (more: Partial<OpenAPIBlock>): Block => ({
    type: 'openapi-operation',
    span,
    spec: 'pets',
    method: 'get',
    path: '/x',
    blocks: [],
    ...more,
  })
  const renderSchemas = (schema: object, named: object = {}) => {
    const specification = {
      openapi: '3.1.0',
      components: { schemas: { Shown: schema, ...named } },
    }
    const block = openApi({ type: 'openapi-schemas', schemas: ['Shown'] })
    const view = viewOfBlock(wholeSpecification(specification), block as OpenAPIBlock, createBudget())
    return rendered(block, { specification: () => view })
  }

  it('renders details until there are many, however often a page names one', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [
        `member${at}`,
        { type: 'string', description: 'x'.repeat(300) },
      ]),
    )
    const block = openApi({ type: 'openapi-schemas', schemas: ['Wide'] })
    const specification = wholeSpecification({
      openapi: '3.1.0',
      components: { schemas: { Wide: { properties } } },
    })
    const view = viewOfBlock(specification, block as OpenAPIBlock, createBudget())
    const context = contextOf({
      specification: () => ({ ...view, whole: { href: '/all.json', name: 'all.json' } }),
    })
    const renderTimes = (times: number) =>
      renderDocument({ blocks: Array.from({ length: times }, () => block) }, context).toString()
    const [one, hundred] = [renderTimes(1), renderTimes(100)]
    const details = hundred.match(/>member199</g)!.length
    expect(details).toBeGreaterThan(3)
    expect(details * one.length).toBeLessThan(600_000 + one.length)
    const notice = /this part is left out\. \(<a href="\/all\.json">all\.json<\/a>\)/g
    expect(hundred.match(notice)).toHaveLength(100 - details)
    expect(renderTimes(200).match(/>member199</g)).toHaveLength(details)
  })

  it('names what is missing, and renders nothing of it', () => {
    const words = [paragraph('own words')]
    const missing = (kind: MissingPart['kind'], ...names: string[]) => ({
      specification: () => ({ missing: { kind, names } }),
    })
    const operation = rendered(openApi({ blocks: words }), missing('operation', 'GET /x'))
    expect(operation).toMatch(/own words[^]*Not in the specification: GET \/x\./)
    expect(operation).not.toContain('class="method')
    const schemas = openApi({ type: 'openapi-schemas', schemas: ['Nope'] })
    const specification = rendered(schemas, missing('specification', 'pets <b>'))
    expect(specification).toContain('Specification not found: pets &lt;b&gt;.')
    expect(specification).not.toContain('Nope')
  })

  it("renders the author's text alone of an operation that the specification hides", () => {
    const hidden = { specification: () => ({}) }
    const page = rendered(openApi({ blocks: [paragraph('own words')] }), hidden)
    expect(page).toContain('own words')
    expect(page).not.toContain('/x')
    expect(rendered(openApi({}), hidden)).toBe('')
  })

  it('renders the members of subtypes below their base, and null beside another type', () => {
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    const page = renderSchemas(
      { properties: { kind: {}, day: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] } } },
      {},
    )
    expect(page).toMatch(/>day<[^]*string · date<[^]*may be null/)
    expect(page).not.toContain('Any of')
    const subtypes = renderSchemas(
      { properties: { kind: {} }, oneOf: [ref('Circle')] },
      { Circle: { allOf: [ref('Shown'), { properties: { radius: {} } }] } },
    )
    expect(subtypes).toMatch(/>kind<[^]*One of[^]*>Circle<[^]*Shown: described above\.[^]*>radius</)
    expect(subtypes).not.toContain('Circle: described above')
  })

  it('has enum values beyond a hundred in a box that opens', () => {
    const page = renderSchemas({ enum: Array.from({ length: 250 }, (_, at) => `value${at}`) })
    expect(page.match(/<code>value\d+<\/code>/g)).toHaveLength(100)
    expect(page).toMatch(
      /<code>value99<[^]*<details[^]*and 150 more[^]*<pre[^>]*>value100\nvalue101\n[^]*\nvalue249<\/pre>/,
    )
    const described = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`v${at}`, `About ${at}`]))
    const list = renderSchemas({ enum: Object.keys(described), 'x-enumDescriptions': described })
    expect(list).toMatch(/About 99<[^]*and 1 more[^]*About 100</)
  })
})

describe('depth', () => {
  it('survives any nesting of blocks and inlines', () => {
    let block: Block = paragraph('bottom')
    for (let level = 0; level < 50_000; level++) block = { type: 'blockquote', span, blocks: [block] }
    expect(rendered(block)).toContain('shown as plain text')
    let inline: Inline = text('bottom')
    for (let level = 0; level < 50_000; level++) inline = { type: 'link', url: 'x', children: [inline] }
    expect(line(inline)).not.toContain('bottom')
  })

  it.each(['> ', '- ', '1. '])('renders the text of any nesting of the parser: %s', (marker) => {
    for (const levels of [99, 100, 101, 5_000]) {
      const { document } = parsePage(`${marker.repeat(levels)}bottom\n`)
      expect(renderDocument(document, contextOf()).toString()).toContain('bottom')
    }
  })
})

describe('words from right to left', () => {
  const source = [
    '# שלום',
    '',
    'פסקה',
    '',
    '## Heading',
    '',
    '1. English',
    '2. עברית',
    '   - פנים',
    '',
    '- [ ] עברית!',
    '',
    '| עברית | C++ |',
    '| --- | --- |',
    '| a. | ב |',
  ].join('\n')
  const render = (direction?: 'ltr' | 'rtl') =>
    renderDocument(parsePage(source).document, contextOf({ direction })).toString()

  it('have a direction in paragraphs and headings, and keep lists and tables uniform', () => {
    const markup = render('ltr').replace(/\s*\n\s*/g, '')
    expect(markup).toContain('<p dir="rtl">פסקה</p>')
    expect(markup).toMatch(/<h2 id="heading" dir="ltr">/)
    expect(markup).toContain(
      '<ol dir="ltr"><li><bdi dir="ltr">English</bdi></li><li><bdi dir="rtl">עברית</bdi><ul dir="rtl">',
    )
    expect(markup).toContain('<ul class="tasks" role="list" dir="rtl">')
    expect(markup).toContain('<th scope="col"><bdi dir="ltr">C++</bdi></th>')
    expect(markup).toContain('<td><bdi dir="ltr">a.</bdi></td>')
  })

  it.each([
    ['rtl', 'PostgreSQL שומר נתונים', 'rtl'],
    ['rtl', 'PostgreSQL stores data', 'ltr'],
    ['rtl', '`npm ci` מתקין', 'rtl'],
    ['ltr', 'PostgreSQL שומר נתונים', 'ltr'],
    ['ltr', '`npm ci` מתקין', 'rtl'],
    ['ltr', '[`npm ci`](a) מתקין', 'rtl'],
  ] as const)('on a page that is %s, %j is %s', (direction, text, expected) => {
    const markup = renderDocument(parsePage(text).document, contextOf({ direction })).toString()
    expect(markup).toContain(`<p dir="${expected}">`)
  })

  it('leave a line of code alone to the page, and code itself left to right', () => {
    const markup = renderDocument(parsePage('`npm ci`').document, contextOf({ direction: 'rtl' })).toString()
    expect(markup).toBe('<p><code dir="ltr">npm ci</code></p>\n')
  })

  it('keep a list on the side of its page where one item has its letters', () => {
    const { document } = parsePage('- PostgreSQL\n- Redis מהיר')
    const markup = renderDocument(document, contextOf({ direction: 'rtl' })).toString()
    expect(markup.replace(/\s*\n\s*/g, '')).toBe(
      '<ul dir="rtl"><li><bdi dir="ltr">PostgreSQL</bdi></li><li><bdi dir="rtl">Redis מהיר</bdi></li></ul>',
    )
  })

  it('cost nothing where there are none', () => {
    expect(render()).not.toMatch(/ dir=|<bdi>/)
  })
})
