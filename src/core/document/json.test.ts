import { expect, it } from 'vitest'
import { parseFragment, parsePage } from '../markdown/parse.js'
import { describePage } from '../markdown/describe.js'
import { outline } from './headings.js'
import type { DocumentJson } from './json-node.js'
import { documentJson } from './json.js'
import { plainText } from './plain-text.js'

const resolve = (url: string, kind: string): DocumentJson | undefined =>
  url.endsWith('.md') ? { kind: 'page', page: `${kind}:${url}` } : undefined

const jsonOf = (text: string): DocumentJson => documentJson(parseFragment(text).document, { resolve })
const nodesOf = (text: string): readonly DocumentJson[] => jsonOf(text).nodes as readonly DocumentJson[]

const leaf = (text: string, ...marks: string[]): object => ({
  object: 'leaf',
  text,
  marks: marks.map((type) => ({ object: 'mark', type })),
})

const cases: [text: string, block: object][] = [
  [
    'a **b**',
    {
      object: 'block',
      type: 'paragraph',
      nodes: [{ object: 'text', leaves: [leaf('a '), leaf('b', 'bold')] }],
    },
  ],
  ['### A', { type: 'heading-2', data: { id: 'a' }, meta: { id: 'a' } }],
  [
    '2. a',
    {
      type: 'list-ordered',
      data: { start: 2 },
      nodes: [{ type: 'list-item', nodes: [{ type: 'paragraph' }] }],
    },
  ],
  ['- [x] a', { type: 'list-tasks', nodes: [{ type: 'list-item', data: { checked: true } }] }],
  ['---', { type: 'divider', isVoid: true }],
  [
    '{% hint style="info" %}\na\n{% endhint %}',
    { type: 'hint', data: { style: 'info' }, nodes: [{ type: 'paragraph' }] },
  ],
  [
    '<pre class="language-js"><code>a\n<strong>b\n</strong></code></pre>',
    {
      type: 'code',
      data: { syntax: 'js' },
      nodes: [
        { type: 'code-line', data: {} },
        { type: 'code-line', data: { highlighted: true }, nodes: [{ leaves: [leaf('b')] }] },
      ],
    },
  ],
  ['$$\nx\n$$', { type: 'math', data: { formula: 'x' }, isVoid: true }],
  [
    '<figure><img src="a.png" width="30" alt="c"><figcaption>d</figcaption></figure>',
    {
      type: 'images',
      nodes: [
        {
          type: 'image',
          data: { ref: { kind: 'url', url: 'a.png' }, width: 30, alt: 'c' },
          fragments: [{ nodes: [{ type: 'paragraph' }] }],
        },
      ],
    },
  ],
  [
    '{% content-ref url="a.md" %}{% endcontent-ref %}',
    { type: 'content-ref', data: { ref: { kind: 'page', page: 'content-ref:a.md' } } },
  ],
  [
    '{% include "i.md" %}',
    { type: 'reusable-content', data: { ref: { kind: 'page', page: 'reusable-content:i.md' } } },
  ],
  [
    '<details open><summary>a</summary>\n\nb\n\n</details>',
    {
      type: 'expandable',
      meta: { id: 'a' },
      fragments: [{ type: 'expandable-title' }, { type: 'expandable-body', nodes: [{ type: 'paragraph' }] }],
    },
  ],
  [
    '{% tabs %}{% tab title="x" %}a{% endtab %}{% endtabs %}',
    { type: 'tabs', nodes: [{ type: 'tabs-item', data: { title: 'x' }, meta: { id: 'x' } }] },
  ],
  [
    '{% columns %}{% column width="40%" %}a{% endcolumn %}{% endcolumns %}',
    { type: 'columns', nodes: [{ type: 'column', data: { width: { value: 40, unit: '%' } } }] },
  ],
  ['{% if a %}\nb\n{% endif %}', { type: 'if', data: { expression: 'a' } }],
  [
    '{% openapi-operation spec="s" path="/" method="get" %}',
    { type: 'openapi-operation', data: { ref: { kind: 'openapi', spec: 's' }, path: '/', method: 'get' } },
  ],
  [
    '[a](b.md) [c](d.md "mention") :smile:',
    {
      nodes: [
        {
          object: 'inline',
          type: 'link',
          data: { ref: { kind: 'page', page: 'link:b.md' } },
          nodes: [{ leaves: [leaf('a')] }],
        },
        { object: 'text' },
        { object: 'inline', type: 'mention', isVoid: true },
        { object: 'text' },
        { object: 'inline', type: 'emoji', data: { code: '1f604' } },
      ],
    },
  ],
  [
    '| a |\n|---|\n| b |',
    {
      type: 'table',
      isVoid: true,
      data: {
        view: { type: 'grid', columns: ['c0'] },
        definition: { c0: { id: 'c0', title: 'a', type: 'text' } },
        records: { r0: { values: { c0: 'r0c0' } } },
      },
      fragments: [{ fragment: 'r0c0', nodes: [{ type: 'paragraph' }] }],
    },
  ],
  [
    '<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-type="number">n</th></tr></thead><tbody><tr><td>a</td><td><a href="p.md">p</a></td><td>3</td></tr></tbody></table>',
    {
      data: {
        view: { type: 'cards', cardSize: 'medium', columns: ['c0', 'c2'], targetDefinition: 'c1' },
        records: { r0: { values: { c1: { kind: 'page', page: 'content-ref:p.md' }, c2: 3 } } },
      },
    },
  ],
]

it.each(cases)('presents %j', (text, block) => {
  expect(nodesOf(text)).toHaveLength(1)
  expect(nodesOf(text)[0]).toMatchObject(block)
})

it('gives every node of a document a unique and stable key', () => {
  const text = cases.map(([source]) => source).join('\n\n')
  const keys: string[] = []
  JSON.stringify(jsonOf(text), (name, value: unknown) => {
    if (name === 'key') keys.push(String(value))
    return value
  })
  expect(keys.length).toBeGreaterThan(50)
  expect(new Set(keys).size).toBe(keys.length)
  expect(jsonOf(text)).toEqual(jsonOf(text))
})

const page =
  '---\ntitle: Named\ntags: [a]\ncover: c.png\n---\n# Shown\n\n## One\na [b](c.md)\n\n{% tabs %}\n{% tab title="T" %}\n### Two *x*\n{% endtab %}\n{% endtabs %}\n\n| h |\n|---|\n| d |'

it('extracts plain text and an outline', () => {
  const { document } = parsePage(page)
  expect(plainText(document)).toBe('One\na b\nT\nTwo x\nh\nd')
  expect(outline(document)).toEqual([
    { level: 1, anchor: 'one', text: 'One' },
    { level: 2, anchor: 'two-x', text: 'Two x' },
  ])
})

it('omits small headings and those in hints from the outline', () => {
  const { document } = parsePage(
    '# T\n\n## One\n\n#### Small\n\n{% hint style="info" %}\n### In a hint\n{% endhint %}\n\n### Two\n',
  )
  expect(outline(document).map(({ text }) => text)).toEqual(['One', 'Two'])
})

it('describes a page', () => {
  const { title, metadata, references, problems } = describePage(page)
  expect(title).toBe('Named')
  expect(metadata).toEqual({ title: 'Named', tags: ['a'], cover: { src: 'c.png', yPos: 0 } })
  expect(references.map((reference) => reference.url)).toEqual(['c.png', 'c.md'])
  expect(problems).toEqual([])
  expect(describePage('---\na: [\n---\n# A').title).toBe('A')
  expect(describePage('---\na: [\n---\n# A').problems).toHaveLength(1)
})

it('preserves all code when there are too many lines for a node each', () => {
  const code = Array.from({ length: 100_000 }, (_, index) => String(index)).join('\n')
  const [block] = nodesOf(`\`\`\`\n${code}\n\`\`\``)
  const lines = block!.nodes as readonly { nodes: readonly { leaves: readonly { text: string }[] }[] }[]
  expect(lines).toHaveLength(20_000)
  expect(lines.map((line) => line.nodes[0]!.leaves[0]!.text).join('\n')).toBe(code)
})

it('has spans when they are asked for, of parts as well', () => {
  const text =
    '# T\n\n- a\n- b\n\n{% tabs %}\n{% tab title="x" %}\nc\n{% endtab %}\n{% endtabs %}\n\n| d |\n|---|\n| e |\n'
  const { document } = parsePage(text)
  const sources: string[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('span' in node) {
      const { start, end } = node.span as { start: number; end: number }
      sources.push(text.slice(start, end))
    }
    Object.values(node).forEach(visit)
  }
  visit(documentJson(document, { resolve, spans: true }))
  const tabs = text.slice(text.indexOf('{% tabs'), text.indexOf('\n\n| d'))
  const tab = tabs.slice(tabs.indexOf('{% tab '), tabs.indexOf('\n{% endtabs'))
  expect(sources.toSorted()).toEqual(
    ['- a\n- b', '- a', 'a', '- b', 'b', tabs, tab, 'c', '| d |\n|---|\n| e |', 'e'].toSorted(),
  )
  expect(JSON.stringify(documentJson(document, { resolve }))).not.toContain('"span"')
})
