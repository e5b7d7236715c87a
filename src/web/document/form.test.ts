import { type Command, EditorState } from 'prosemirror-state'
import { expect, it } from 'vitest'
import type { SourceAttributes } from '../../core/editing/source-blocks.js'
import { addPart, formAt, movePart, openForm, removePart, setFormAttributes } from './form.js'
import { insertableInlines } from './inlines/inline-forms.js'
import { blockNodes } from './schema.js'
import { blockNodesOf, everyConstruct, openText, savedText } from './testing.js'

/** The text after a command on the first node of a type, or on one of its parts. */
function after(text: string, type: string, command: (position: number) => Command): string | undefined {
  const { base, state } = openText(text)
  let position: number | undefined
  state.doc.descendants((node, at) => {
    if (position === undefined && node.type.name === type) position = at
  })
  let current = state
  const isDone = command(position!)(state, (tr) => {
    current = state.applyTransaction(tr).state
  })
  current.doc.check()
  if (!isDone) return undefined
  const saved = savedText(base, current.doc)
  expect([saved.text, saved.width]).toEqual([saved.text, expect.toSatisfy((width: number) => width >= 0)])
  return saved.text
}

const tabs = (...titles: string[]) =>
  `_a_\n\n{% tabs %}\n${titles.map((title) => `{% tab title="${title}" %}\n_${title}_\n{% endtab %}\n`).join('\n')}{% endtabs %}\n`

const cases: [name: string, text: string, type: string, changed: SourceAttributes, expected: string][] = [
  ['a hint', '{% hint style="info" %}\n_a_\n{% endhint %}\n', 'hint', { style: 'danger', icon: 'bolt' }, '{% hint style="danger" icon="bolt" %}\n_a_\n{% endhint %}\n'],
  ['code', '```js\na\n```\n', 'code', { title: 'a.js', lineNumbers: true, overflow: 'wrap' }, '{% code title="a.js" overflow="wrap" lineNumbers="true" %}\n```js\na\n```\n{% endcode %}\n'],
  ['a tab', tabs('One', 'Two'), 'tab', { title: 'First' }, tabs('One', 'Two').replace('title="One"', 'title="First"')],
  ['a step', '{% stepper %}\n{% step %}\n_a_\n{% endstep %}\n{% endstepper %}\n', 'step', { icon: 'bolt' }, '{% stepper %}\n{% step icon="bolt" %}\n_a_\n{% endstep %}\n{% endstepper %}\n'],
  ['a column', '{% columns %}\n{% column %}\n_a_\n{% endcolumn %}\n{% endcolumns %}\n', 'column', { width: '50%' }, '{% columns %}\n{% column width="50%" %}\n_a_\n{% endcolumn %}\n{% endcolumns %}\n'],
  ['an expandable', '<details>\n\n<summary>a</summary>\n\n_b_\n\n</details>\n', 'expandable', { open: true }, '<details open>\n\n<summary>a</summary>\n\n_b_\n\n</details>\n'],
  ['a condition', '{% if a %}\n_b_\n{% endif %}\n', 'if', { expression: 'visitor.claims.b' }, '{% if visitor.claims.b %}\n_b_\n{% endif %}\n'],
  ['an embed', '{% embed url="https://a.test" %}\n', 'embed', { url: 'https://b.test' }, '{% embed url="https://b.test" %}\n'],
  ['a page link', '{% content-ref url="a.md" %}\n[a](a.md)\n{% endcontent-ref %}\n', 'content_ref', { url: 'b.md', label: 'b' }, '{% content-ref url="b.md" %}\n[b](b.md)\n{% endcontent-ref %}\n'],
  ['an operation', '{% openapi-operation spec="a" path="/a" method="get" %}\n{% endopenapi-operation %}\n', 'openapi_operation', { path: '/b', method: 'post' }, '{% openapi-operation spec="a" path="/b" method="post" %}\n{% endopenapi-operation %}\n'],
  ['a heading', '## _a_\n', 'heading', { align: 'center' }, '<div align="center">\n\n## _a_\n\n</div>\n'],
] // prettier-ignore

it.each(cases)('sets attributes of %s', (_, text, type, changed, expected) => {
  expect(after(text, type, (position) => setFormAttributes(position, changed))).toBe(expected)
})

it('adds, moves and removes parts', () => {
  const on = (text: string, command: (position: number) => Command) => after(text, 'tabs', command)
  expect(on(tabs('One', 'Two'), addPart)).toContain('{% tab title="Tab 3" %}')
  expect(on(tabs('One', 'Two'), (at) => movePart(at, 0, 1))).toBe(tabs('Two', 'One'))
  expect(on(tabs('One', 'Two'), (at) => movePart(at, 0, -1))).toBeUndefined()
  expect(on(tabs('One', 'Two', 'Three'), (at) => removePart(at, 1))).toBe(tabs('One', 'Three'))
  expect(on(tabs('One'), (at) => removePart(at, 0))).toBeUndefined()
})

const typedTable = (type: string, cell: string) =>
  `<table><thead><tr><th data-type="${type}">A</th></tr></thead><tbody><tr><td>${cell}</td></tr></tbody></table>\n`

it('chooses the values of cells of typed columns', () => {
  const chosen = (type: string, cell: string, changed: SourceAttributes) =>
    after(typedTable(type, cell), 'table_cell', (position) => setFormAttributes(position, changed))
  expect(chosen('content-ref', '<a href="a.md">a.md</a>', { 0: 'b.md', words: 'B' })).toContain(
    '<a href="b.md">B</a>',
  )
  expect(chosen('content-ref', '', { 0: 'b/c.md' })).toContain('<a href="b/c.md">c.md</a>')
  expect(chosen('files', '<a href="x/a.pdf">a.pdf</a>', { 1: 'b.pdf' })).toMatch(
    /a\.pdf<\/a>, <a href="b\.pdf">b\.pdf<\/a>/,
  )
  expect(chosen('files', '<a href="a.pdf">a.pdf</a>', { 0: '' })).not.toContain('<a')
  expect(chosen('users', '', { 0: '/users/u1', words: 'Ann' })).toContain('<a href="/users/u1">Ann</a>')
  expect(chosen('image', '', { 0: 'a.png' })).toContain('a.png')
  // Words that are no value stay words.
  expect(chosen('content-ref', 'See <a href="a.md">a</a>', { 0: 'b.md' })).toBeUndefined()
})

it('keeps what cells say when the type of their column changes', () => {
  const table = '|a|b|\n|-|-|\n|yes|Red|\n||Blue|\n'
  const typed = (text: string, type: string, column: number) =>
    after(text, 'table', (position) => (state, dispatch) => {
      const { sections } = formAt(state.doc, position)!
      return setFormAttributes(sections[column]!.position, { type })(state, dispatch)
    })!
  const ticked = typed(table, 'checkbox', 1)
  expect(ticked.match(/<input type="checkbox"( checked)?>/g)).toHaveLength(2)
  expect(typed(ticked, 'text', 1)).toContain('✓')
  const chosen = typed(table, 'select', 2)
  expect(chosen).toContain('Red')
  const back = typed(chosen, 'text', 2)
  for (const words of ['Red', 'Blue']) expect(back).toContain(words)
  expect(typed('|a|\n|-|\n|3|\n', 'rating', 1)).toContain('data-type="rating"')
})

it.each(['', 'free words', '<span data-option="x"></span>', '<span data-option="x">X</span>'])(
  'writes other blocks beside a cell of options with %j',
  (cell) => {
    const text = `_a_\n\n<table><thead><tr><th data-type="select">B</th></tr></thead><tbody><tr><td>${cell}</td></tr></tbody></table>\n`
    const { base, state } = openText(text)
    const { nodes } = state.schema
    const hint = nodes['hint']!.create({ attributes: { style: 'info' } }, state.doc.firstChild!)
    const { doc } = state.applyTransaction(
      state.tr.replaceWith(0, state.doc.firstChild!.nodeSize, hint),
    ).state
    expect(savedText(base, doc).text).toBe(text.replace('_a_', '{% hint style="info" %}\n_a_\n{% endhint %}'))
  },
)

it('moves and removes columns of a table from its form', () => {
  const on = (command: (position: number) => Command) =>
    after('|a|b|\n|-|-|\n|c|d|\n', 'table', command)?.replaceAll(/[ -]/g, '')
  expect(on((at) => movePart(at, 0, 1))).toBe('|b|a|\n|||\n|d|c|\n')
  expect(on((at) => removePart(at, 0))).toBe('|b|\n||\n|d|\n')
  expect(on(addPart)).toBe('|a|b||\n||||\n|c|d||\n')
})

it('has a form for every construct with attributes, and one for every inline of the menu', () => {
  const { state } = openText(everyConstruct)
  const without = new Set<string>()
  for (const { node, position } of blockNodesOf(state.doc))
    if (formAt(state.doc, position) === undefined) without.add(node.type.name)
  expect([...without].toSorted()).toEqual([
    'blockquote', 'divider', 'footnote', 'integration', 'list', 'list_item', 'math', 'opaque', 'summary', 'table_cell',
    'table_row',
  ]) // prettier-ignore
  const inlines = new Set<string>()
  state.doc.descendants((node, position) => {
    if (node.type.name === 'atom' && formAt(state.doc, position))
      inlines.add(String(node.attrs['inline'].type))
  })
  expect([...inlines].toSorted()).toEqual(['button', 'expression', 'icon', 'inline-image', 'inline-math'])
  expect([...blockNodes.values()].filter(({ fields, label }) => fields && label === undefined)).toEqual([])
})

it.each(insertableInlines.map(({ name, inline }) => [name, inline] as const))(
  'writes a new inline, %s, as what it is',
  (_, inline) => {
    const { base, state } = openText('_a_ b\n')
    const atom = state.schema.nodes['atom']!.create({ inline })
    const { doc } = state.tr.insert(3, atom)
    const saved = savedText(base, doc)
    expect([saved.text, saved.width]).toEqual([saved.text, 0])
  },
)

it('opens no form of what has none', () => {
  const { state } = openText('***\n')
  expect(openForm(0)(EditorState.create({ doc: state.doc }))).toBe(false)
})
