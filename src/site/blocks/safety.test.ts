import { describe, expect, it } from 'vitest'
import type { Block, Inline } from '../../core/document/types.js'
import { renderDocument } from './render.js'
import { safeSource, safeUrl } from './safe-url.js'
import { contextOf, documentOf, paragraph, text } from './testing.js'

const span = { start: 0, end: 0 }

function rendered(...blocks: readonly Block[]): string {
  return renderDocument(documentOf(...blocks), contextOf({ evaluate: (expression) => expression })).toString()
}

/** Returns everything dangerous in the tags of the markup: text that merely mentions it is harmless. */
function dangers(markup: string): string[] {
  const found: string[] = []
  for (const [tag, name = '', rest = ''] of markup.matchAll(
    /<([a-zA-Z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^>"'])*)>/g,
  )) {
    // Our own references: to drawings of the page itself.
    if (/^<use href="#icon:[a-z0-9-]+"\/>$/.test(tag)) continue
    if (
      /^(?:script|style|iframe|object|embed|base|link|meta|form|frame|template|foreignobject|animate|set|use)$/i.test(
        name,
      )
    ) {
      found.push(tag)
    }
    for (const [, attribute = '', value = ''] of rest.matchAll(
      /([^\s"'=<>/]+)\s*(?:=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/g,
    )) {
      const unquoted = value.replace(/^["']|["']$/g, '').replace(/&#39;|&quot;|&amp;|[\s\u0000-\u001f]/g, '')
      if (/^on/i.test(attribute) || /^(?:style|srcdoc|formaction|xlink:href)$/i.test(attribute))
        found.push(tag)
      if (/^(?:javascript|vbscript|data:text|data:image\/svg|blob|file):?/i.test(unquoted)) found.push(tag)
    }
  }
  return found
}

const raw: readonly string[] = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math href="javascript:alert(1)">x</math>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" &#14; java&#x0A;script:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<body onload=alert(1)>',
  '<details open ontoggle=alert(1)>x</details>',
  '<video><source onerror="alert(1)"></video>',
  '<video poster="javascript:alert(1)" src="javascript:alert(1)"></video>',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)">',
  '<form action="javascript:alert(1)"><button formaction="javascript:alert(1)">x</button></form>',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<base href="https://evil.example/">',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<style>@import "https://evil.example/x.css"</style>',
  '<div style="background:url(javascript:alert(1))">x</div>',
  '<input autofocus onfocus=alert(1)>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<template><img src=x onerror=alert(1)></template>',
  '<img src="data:image/svg+xml,<svg onload=alert(1)>">',
  '<a href="https://a.example" onclick="alert(1)" id="content" name="body">x</a>',
  '"><img src=x onerror=alert(1)>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<p title="\ue0000\ue001">x</p>',
]

const tableFrame = '<div class="table" tabindex="0">'

describe('raw HTML', () => {
  it('lets a table scroll inside itself', () => {
    const html = '<table class="x"><tr><td colspan="2">a</td></tr></table>'
    expect(rendered({ type: 'html', span, html })).toContain(
      `${tableFrame}<table><tbody><tr><td colspan="2">a<`,
    )
  })

  it.each(raw)('contains nothing dangerous: %s', (html) => {
    const whole = rendered({ type: 'html', span, html })
    const inline = rendered(paragraph('a', { type: 'inline-html', html }, text('b', 'bold')))
    expect(dangers(whole)).toEqual([])
    expect(dangers(inline)).toEqual([])
    // Our own wrapper around tables.
    const withoutFrames = (whole + inline).replaceAll(tableFrame, '')
    expect(withoutFrames).not.toMatch(/\s(?:id|name|class|style)=/)
  })

  it('detects these dangers in unsanitised input, so that the checks above are meaningful', () => {
    const silent = raw.filter((html) => dangers(html).length === 0)
    expect(silent).toEqual(expect.arrayContaining([expect.stringContaining('\ue000')]))
    expect(silent.length).toBeLessThanOrEqual(4)
  })

  it('keeps harmless elements, and joins tags in different inlines', () => {
    expect(rendered({ type: 'html', span, html: '<p>a <u>b</u> <abbr title="t">c</abbr></p>' })).toBe(
      '<p>a <u>b</u> <abbr title="t">c</abbr></p>',
    )
    expect(
      rendered(
        paragraph({ type: 'inline-html', html: '<u>' }, text('x & y', 'bold'), {
          type: 'inline-html',
          html: '</u>',
        }),
      ),
    ).toContain('<p><u><strong>x &amp; y</strong></u></p>')
  })

  it('never inserts our own markup into an attribute', () => {
    const markup = rendered(
      paragraph(
        text('"onclick=alert(1)', 'bold'),
        { type: 'inline-html', html: '<a title="\ue0000\ue001">' },
        'x',
      ),
    )
    expect(markup).toContain('<a title="0">')
  })

  it('survives nesting that no library survives, and renders it as text', () => {
    const markup = rendered({ type: 'html', span, html: '<div>'.repeat(20_000) + '<script>' })
    expect(dangers(markup)).toEqual([])
  })
})

const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`
const inlines: readonly Inline[] = [
  { type: 'link', url: 'javascript:alert(1)', title: hostile, children: [text(hostile)] },
  { type: 'link', url: hostile, mention: true, children: [text(hostile)] },
  { type: 'emoji', code: hostile },
  { type: 'icon', icon: hostile, color: hostile },
  { type: 'expression', expression: hostile },
  { type: 'inline-math', formula: hostile },
  {
    type: 'inline-math',
    formula: '\\href{javascript:alert(1)}{x} \\style{x:y}{z} \\includegraphics{javascript:alert(1)}',
  },
  { type: 'inline-image', src: 'javascript:alert(1)', alt: hostile },
  { type: 'inline-image', src: hostile, srcDark: 'data:text/html,x', alt: hostile, width: hostile },
  { type: 'annotation', identifier: hostile, children: [text(hostile)], body: [paragraph(hostile)] },
  { type: 'button', label: hostile, kind: 'primary', url: 'javascript:alert(1)', icon: hostile },
  { type: 'button', label: hostile, kind: 'secondary', action: 'search', query: hostile },
  { type: 'text', text: hostile, marks: [{ type: 'color', text: hostile, background: hostile }] },
]

const blocks: readonly Block[] = [
  paragraph(...inlines),
  { type: 'heading', span, level: 1, anchor: hostile, children: inlines },
  { type: 'code', span, code: hostile, syntax: hostile, title: hostile, lineNumbers: true, highlighted: [0] },
  { type: 'code', span, code: hostile, syntax: 'xml' },
  { type: 'math', span, formula: `\\text{${hostile}} ` },
  { type: 'math', span, formula: '\\frac{<img src=x onerror=alert(1)>' },
  {
    type: 'images',
    span,
    images: [
      { src: 'vbscript:x', alt: hostile, caption: inlines },
      { src: hostile, height: hostile },
    ],
  },
  { type: 'file', span, src: hostile, caption: inlines },
  { type: 'file', span, src: 'javascript:alert(1)', caption: [] },
  { type: 'embed', span, url: 'javascript:alert(1)', caption: inlines },
  { type: 'embed', span, url: `https://a.example/${hostile}`, caption: [] },
  { type: 'drawing', span, src: hostile, alt: hostile },
  { type: 'content-ref', span, url: 'javascript:alert(1)', label: hostile },
  { type: 'expandable', span, title: inlines, anchor: hostile, open: true, blocks: [] },
  { type: 'tabs', span, tabs: [{ span, title: hostile, icon: hostile, anchor: hostile, blocks: [] }] },
  { type: 'stepper', span, steps: [{ span, icon: hostile, blocks: [] }] },
  { type: 'columns', span, columns: [{ span, width: hostile, blocks: [] }] },
  {
    type: 'updates',
    span,
    format: 'full',
    updates: [{ span, date: hostile, anchor: hostile, tags: [hostile], blocks: [] }],
  },
  { type: 'prompt', span, description: hostile, icon: hostile, text: hostile, openInAIProviders: true },
  { type: 'openapi-operation', span, method: hostile, path: hostile, blocks: [] },
  { type: 'openapi-schemas', span, schemas: [hostile], blocks: [] },
  {
    type: 'integration',
    span,
    integration: hostile,
    block: hostile,
    props: { [hostile]: hostile, url: 'javascript:alert(1)' },
  },
  {
    type: 'table',
    span,
    view: 'cards',
    columns: [
      {
        title: inlines,
        type: 'select',
        width: hostile,
        options: [{ value: hostile, label: hostile, color: hostile }],
      },
      { title: [], type: 'content-ref', hidden: true, cardTarget: true, cardCover: true },
    ],
    rows: [
      [
        { blocks: [], values: [hostile] },
        { blocks: [], href: 'javascript:alert(1)' },
      ],
    ],
  },
]

describe('user text', () => {
  it.each(blocks.map((block) => [block.type, block] as const))(
    'stays text in a block of type %s',
    (_type, block) => {
      expect(dangers(rendered(block))).toEqual([])
    },
  )
})

describe('safeUrl', () => {
  it.each([
    ['https://a.example/x?y#z', 'https://a.example/x?y#z'],
    ['HTTP://a.example', 'HTTP://a.example'],
    ['mailto:a@b.example', 'mailto:a@b.example'],
    ['tel:+1234', 'tel:+1234'],
    ['../page.md#part', '../page.md#part'],
    ['?q=a:b', '?q=a:b'],
    ['#a:b', '#a:b'],
    ['/a:b', '/a:b'],
    ['', ''],
    ['javascript:alert(1)', undefined],
    ['\u0001 java\tscript\n:alert(1)', undefined],
    ['\u00a0javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['data:image/png;base64,AAAA', undefined],
    ['vbscript:x', undefined],
    ['file:///etc/passwd', undefined],
    ['blob:https://a.example/1', undefined],
  ])('%j → %j', (url, expected) => {
    expect(safeUrl(url)).toBe(expected)
  })
})

describe('safeSource', () => {
  it.each([
    ['https://a.example/x.png', 'https://a.example/x.png'],
    ['data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
    ['data:image/svg+xml;base64,AAAA', undefined],
    ['data:image/png,"onerror=', undefined],
    ['mailto:a@b.example', undefined],
    ['', undefined],
  ])('%j → %j', (url, expected) => {
    expect(safeSource(url)).toBe(expected)
  })
})
