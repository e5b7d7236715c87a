/**
 * Inlines in ProseMirror: text has the marks of the dialect, links and footnote references are marks around it, and what is
 * no text is one atom with the inline as its attribute.
 */
import { Mark, type MarkSpec, type NodeSpec, type Node as ProseNode, type Schema } from 'prosemirror-model'
import { emojiCharacters } from '../../../core/document/emoji-code.js'
import type { Inline, Mark as TextMark } from '../../../core/document/types.js'

const simpleMarks: readonly (readonly [name: TextMark['type'], tag: string, others: readonly string[]])[] = [
  ['bold', 'strong', ['b']],
  ['italic', 'em', ['i']],
  ['underline', 'u', ['ins']],
  ['strikethrough', 'del', ['s', 'strike']],
  ['keyboard', 'kbd', []],
  ['superscript', 'sup', []],
  ['subscript', 'sub', []],
]

export const markSpecs: Readonly<Record<string, MarkSpec>> = {
  link: {
    attrs: { url: {}, title: { default: null }, mention: { default: null } },
    inclusive: false,
    parseDOM: [
      {
        tag: 'a[href]',
        getAttrs: (element) => ({
          url: element.getAttribute('data-url') ?? element.getAttribute('href') ?? '',
          title: element.getAttribute('title'),
          mention: element.hasAttribute('data-mention') || null,
        }),
      },
    ],
    // Following a link is a command of the app; a destination may be a path in the space.
    toDOM: ({ attrs: { url, title, mention } }) => [
      'a',
      {
        href: safeHref(String(url)),
        'data-url': String(url),
        ...(title !== null && { title: String(title) }),
        ...(mention === true && { class: 'mention', 'data-mention': '' }),
        rel: 'noopener noreferrer',
      },
      0,
    ],
  },
  annotation: {
    // `place` parts references to one footnote that are beside each other.
    attrs: { identifier: {}, place: { default: 0 } },
    inclusive: false,
    excludes: 'annotation',
    parseDOM: [
      {
        tag: 'span[data-footnote]',
        getAttrs: (element) => ({ identifier: element.getAttribute('data-footnote') }),
      },
    ],
    toDOM: ({ attrs: { identifier } }) => [
      'span',
      { class: 'annotated', 'data-footnote': String(identifier) },
      0,
    ],
  },
  color: {
    attrs: { text: { default: null }, background: { default: null } },
    parseDOM: [
      {
        tag: 'span[data-color], span[data-background]',
        getAttrs: (element) => ({
          text: element.getAttribute('data-color'),
          background: element.getAttribute('data-background'),
        }),
      },
      { tag: 'mark', getAttrs: () => ({ background: 'yellow' }) },
    ],
    toDOM: ({ attrs: { text, background } }) => [
      'span',
      {
        class: [colorClass('text', text), colorClass('background', background)].filter(Boolean).join(' '),
        ...(text !== null && { 'data-color': String(text) }),
        ...(background !== null && { 'data-background': String(background) }),
      },
      0,
    ],
  },
  ...Object.fromEntries(
    simpleMarks.map(([name, tag, others]) => [
      name,
      {
        parseDOM: [tag, ...others].map((one) => ({ tag: one })),
        toDOM: () => [tag, 0],
      } satisfies MarkSpec,
    ]),
  ),
  // The name is a block's as well.
  inline_code: { code: true, parseDOM: [{ tag: 'code' }], toDOM: () => ['code', 0] },
}

/** Colours that the style sheet of the site has classes for. */
const colorNames = new Set(
  'red orange yellow green blue purple primary info success warning danger'.split(' '),
)

function colorClass(kind: 'text' | 'background', value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const name = value.replace(/^\$/, '').toLowerCase()
  return colorNames.has(name) ? `${kind}-${name}` : undefined
}

/** Only these are links in the browser; a path of the space is resolved by the app. */
export function safeHref(url: string): string {
  return /^(?:https?:|mailto:|tel:)/i.test(url) ? url : '#'
}

export const inlineSpecs: Readonly<Record<string, NodeSpec>> = {
  text: { group: 'inline' },
  hard_break: {
    group: 'inline',
    inline: true,
    selectable: false,
    linebreakReplacement: true,
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
  },
  atom: {
    group: 'inline',
    inline: true,
    atom: true,
    attrs: { inline: { default: { type: 'inline-html', html: '' } } },
    parseDOM: [
      {
        tag: 'span[data-inline]',
        getAttrs: (element) => {
          const inline = parseInline(element.getAttribute('data-inline') ?? '')
          return inline === undefined ? false : { inline }
        },
      },
      {
        tag: 'img[src]',
        getAttrs: (element) => ({
          inline: {
            type: 'inline-image',
            src: element.getAttribute('src'),
            ...(element.getAttribute('alt') && { alt: element.getAttribute('alt') }),
          },
        }),
      },
    ],
    toDOM: ({ attrs }) => [
      'span',
      { 'data-inline': JSON.stringify(attrs['inline']) },
      inlineLabel(attrs['inline'] as Inline),
    ],
    leafText: ({ attrs }) => inlineLabel(attrs['inline'] as Inline),
  },
}

/** Required members of the inlines that are atoms. */
const atomMembers: ReadonlyMap<string, string> = new Map([
  ['icon', 'icon'],
  ['expression', 'expression'],
  ['inline-math', 'formula'],
  ['inline-image', 'src'],
  ['button', 'label'],
  ['inline-html', 'html'],
  ['emoji', 'code'],
])

function parseInline(json: string): Inline | undefined {
  try {
    const value = JSON.parse(json) as Readonly<Record<string, unknown>>
    const member = atomMembers.get(String(value['type']))
    return member !== undefined && typeof value[member] === 'string'
      ? (value as unknown as Inline)
      : undefined
  } catch {
    return undefined
  }
}

/** Returns an atom as text. */
export function inlineLabel(inline: Inline): string {
  switch (inline.type) {
    case 'icon':
      return inline.icon
    case 'expression':
      return inline.expression
    case 'inline-math':
      return inline.formula
    case 'inline-image':
      return inline.alt ?? ''
    case 'button':
      return inline.label
    case 'inline-html':
      return inline.html
    case 'annotation':
      return `[^${inline.identifier}]`
    case 'link':
      return inline.url
    default:
      return ''
  }
}

/** Returns the nodes of inlines; a run of blanks is one space, as it is displayed. */
export function nodesOfInlines(schema: Schema, inlines: readonly Inline[]): ProseNode[] {
  return new InlineReader(schema).read(inlines, Mark.none)
}

class InlineReader {
  private annotations = 0

  constructor(private readonly schema: Schema) {}

  read(inlines: readonly Inline[], around: readonly Mark[]): ProseNode[] {
    return inlines.flatMap((inline) => this.readOne(inline, around))
  }

  private readOne(inline: Inline, around: readonly Mark[]): readonly ProseNode[] {
    const { nodes, marks, text } = this.schema
    switch (inline.type) {
      case 'text': {
        const words = inline.text.replace(/[ \t\r\n\f]+/g, ' ')
        if (words === '') return []
        const own = (inline.marks ?? []).map((mark) => this.markOf(mark))
        return [
          text.call(
            this.schema,
            words,
            own.reduce((set: readonly Mark[], mark) => mark.addToSet(set), around),
          ),
        ]
      }
      case 'break':
        return [nodes['hard_break']!.create(null, null, around)]
      case 'emoji': {
        const characters = emojiCharacters(inline.code)
        if (characters !== undefined) return [text.call(this.schema, characters, around)]
        break
      }
      case 'link': {
        const { url, title = null, mention = null, children } = inline
        if (isFlat(inline) && !around.some(({ type }) => type === marks['link']))
          return this.read(children, marks['link']!.create({ url, title, mention }).addToSet(around))
        break
      }
      case 'annotation': {
        const { identifier, children } = inline
        if (isFlat(inline) && !around.some(({ type }) => type === marks['annotation'])) {
          const place = this.annotations++
          return this.read(children, marks['annotation']!.create({ identifier, place }).addToSet(around))
        }
        break
      }
      default:
    }
    return [nodes['atom']!.create({ inline }, null, around)]
  }

  private markOf(mark: TextMark): Mark {
    const { type } = mark
    return mark.type === 'color'
      ? this.schema.marks['color']!.create({ text: mark.text ?? null, background: mark.background ?? null })
      : this.schema.marks[type === 'code' ? 'inline_code' : type]!.create()
  }
}

/** Whether something is displayed inside, and nothing of the same type. */
function isFlat(outer: Inline & { readonly children: readonly Inline[] }): boolean {
  const pending: Inline[] = [...outer.children]
  let hasContent = false
  for (let inline = pending.pop(); inline; inline = pending.pop()) {
    if (inline.type === outer.type) return false
    if (inline.type === 'link' || inline.type === 'annotation') {
      if (inline.children.length === 0) return false
      pending.push(...inline.children)
    } else if (inline.type !== 'text' || inline.text !== '') hasContent = true
  }
  return hasContent
}

/** Marks that are inlines with children. */
const wrappers = new Set(['link', 'annotation'])

interface Leaf {
  readonly inline: Inline
  readonly wrappers: readonly Mark[]
}

/** Returns the inlines of the content of a text block. */
export function inlinesOfNode(node: ProseNode): Inline[] {
  const leaves: Leaf[] = []
  node.forEach((child) => {
    const around = child.marks.filter(({ type }) => wrappers.has(type.name))
    leaves.push({ inline: leafOf(child), wrappers: around })
  })
  return nest(leaves)
}

function leafOf(node: ProseNode): Inline {
  if (node.isText) {
    const marks = node.marks.flatMap((mark) => markOfText(mark))
    return { type: 'text', text: node.text!, ...(marks.length > 0 && { marks }) }
  }
  return node.type.name === 'hard_break' ? { type: 'break' } : (node.attrs['inline'] as Inline)
}

function markOfText({ type: { name }, attrs }: Mark): TextMark[] {
  if (wrappers.has(name)) return []
  if (name !== 'color') return [{ type: name === 'inline_code' ? 'code' : name } as TextMark]
  const { text, background } = attrs as { text: string | null; background: string | null }
  return [{ type: 'color', ...(text !== null && { text }), ...(background !== null && { background }) }]
}

/** Puts links and annotations around what has their marks; of two that begin together, the longer is the outer one. */
function nest(leaves: readonly Leaf[]): Inline[] {
  const inlines: Inline[] = []
  for (let index = 0; index < leaves.length;) {
    let outer: Mark | undefined
    let end = index + 1
    for (const mark of leaves[index]!.wrappers) {
      let last = index + 1
      while (last < leaves.length && mark.isInSet(leaves[last]!.wrappers)) last++
      if (outer === undefined || last > end) [outer, end] = [mark, last]
    }
    if (outer === undefined) inlines.push(leaves[index]!.inline)
    else {
      const mark = outer
      const inner = leaves.slice(index, end).map((leaf) => ({
        inline: leaf.inline,
        wrappers: leaf.wrappers.filter((one) => !one.eq(mark)),
      }))
      inlines.push(wrap(mark, nest(inner)))
    }
    index = end
  }
  return orderMarks(inlines.some(({ type }) => type === 'annotation') ? settleAnnotations(inlines) : inlines)
}

/** A reference to a footnote is around the word before it, or around the inline there: what it was made of does not matter. */
function settleAnnotations(inlines: readonly Inline[]): Inline[] {
  const settled: Inline[] = []
  for (const inline of inlines) {
    if (inline.type !== 'annotation') {
      append(settled, inline)
      continue
    }
    for (const child of inline.children) append(settled, child)
    const children: Inline[] = []
    const last = settled.at(-1)
    if (last?.type === 'text') {
      const start = startOfLastWord(last.text)
      if (start < last.text.length) {
        settled.pop()
        if (start > 0) settled.push({ ...last, text: last.text.slice(0, start) })
        children.push({ ...last, text: last.text.slice(start) })
      }
    } else if (last && last.type !== 'break' && last.type !== 'anchor' && last.type !== 'annotation') {
      settled.pop()
      children.push(last)
    }
    settled.push({ ...inline, children })
  }
  return settled
}

/** Where the word at the end of a text begins; its length where it ends with a blank. */
export function startOfLastWord(text: string): number {
  let start = text.length
  while (start > 0 && !/\s/.test(text[start - 1]!)) start--
  return start
}

function append(inlines: Inline[], inline: Inline): void {
  const last = inlines.at(-1)
  const isSame =
    inline.type === 'text' &&
    last?.type === 'text' &&
    JSON.stringify(inline.marks) === JSON.stringify(last.marks)
  if (isSame) inlines[inlines.length - 1] = { ...last, text: last.text + inline.text }
  else inlines.push(inline)
}

function wrap({ type: { name }, attrs }: Mark, children: readonly Inline[]): Inline {
  if (name === 'annotation') {
    const { identifier } = attrs as { readonly identifier: string }
    // The body is a footnote of the text.
    return { type: 'annotation', identifier, children } as unknown as Inline
  }
  const { url, title, mention } = attrs as { url: string; title: string | null; mention: boolean | null }
  return {
    type: 'link',
    url,
    ...(title !== null && { title }),
    ...(mention !== null && { mention }),
    children,
  }
}

/** Orders the marks of texts as they nest: one that began before, or ends later, is the outer one. */
function orderMarks(inlines: readonly Inline[]): Inline[] {
  let open: readonly TextMark[] = []
  return inlines.map((inline, index) => {
    if (inline.type !== 'text' || inline.marks === undefined) {
      open = []
      return inline
    }
    const { marks } = inline
    if (marks.length === 1) {
      open = marks
      return inline
    }
    const stays: TextMark[] = []
    for (const mark of open) {
      const same = marks.find((one) => isSameMark(one, mark))
      if (same === undefined) break
      stays.push(same)
    }
    const ends = new Map(marks.map((mark) => [mark, endOf(inlines, index, mark)]))
    const starts = marks
      .filter((mark) => !stays.includes(mark))
      .toSorted((a, b) => ends.get(b)! - ends.get(a)!)
    open = [...stays, ...starts]
    return { ...inline, marks: open }
  })
}

/** Runs are short; a limit makes the order linear in the text all the same. */
const maxRun = 50

function endOf(inlines: readonly Inline[], start: number, mark: TextMark): number {
  let end = start + 1
  for (; end < inlines.length && end < start + maxRun; end++) {
    const inline = inlines[end]!
    if (inline.type !== 'text' || !inline.marks?.some((one) => isSameMark(one, mark))) break
  }
  return end
}

function isSameMark(one: TextMark, other: TextMark): boolean {
  if (one.type !== other.type) return false
  return (
    one.type !== 'color' ||
    other.type !== 'color' ||
    (one.text === other.text && one.background === other.background)
  )
}
