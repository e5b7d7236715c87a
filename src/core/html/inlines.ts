/** Converts inline content: text with marks, links, images, formulas, footnotes. Collapses whitespace as browsers do. */
import type { Image, Inline, Link, Mark, Text } from '../document/types.js'
import { trimInlines } from '../markdown/caption.js'
import { defined } from '../markdown/reader.js'
import { marksOfStyle } from './marks.js'
import { readMath } from './math.js'
import { ignoredNames } from './element-names.js'
import { type HtmlElement, type HtmlNode, classesOf, hasClass, isElement, textOf, valueOf } from './nodes.js'
import { findFootnote, registerFootnote } from './footnotes.js'
import type { HtmlReader } from './reader.js'
import { isBoilerplate } from './boilerplate.js'

/** Returns the inlines of `nodes`, each text with `marks` outside of its own; nodes nested too deep become text. */
export function readInlines(
  reader: HtmlReader,
  nodes: readonly HtmlNode[],
  marks: readonly Mark[] = [],
): Inline[] {
  return reader.budget.nested(
    () => {
      const out: Inline[] = []
      for (const node of nodes) readNode(reader, node, marks, out)
      return joined(out)
    },
    () => {
      reader.reportLoss('marks in lines that stand too deep in one another')
      const out: Inline[] = []
      for (const node of nodes) push(out, textOf(node, isIgnored), marks)
      return joined(out)
    },
  )
}

const isIgnored = ({ name }: HtmlElement): boolean => ignoredNames.has(name)

/** Appends text with whitespace collapsed, also across inlines; equally marked texts are joined at the end. */
function push(out: Inline[], text: string, marks: readonly Mark[]): void {
  const single = text.replaceAll('\ufeff', '').replace(/[ \t\r\n\f]+/g, ' ')
  const last = out.at(-1)
  const hasBlank = last?.type === 'break' || (last?.type === 'text' && last.text.endsWith(' '))
  const rest = hasBlank && single.startsWith(' ') ? single.slice(1) : single
  if (rest !== '')
    out.push(marks.length > 0 ? { type: 'text', text: rest, marks } : { type: 'text', text: rest })
}

/** Joins adjacent texts with the same marks. */
function joined(inlines: readonly Inline[]): Inline[] {
  const out: Inline[] = []
  let texts: string[] = []
  const end = (): void => {
    const last = out.at(-1)
    if (texts.length > 1 && last?.type === 'text') out[out.length - 1] = { ...last, text: texts.join('') }
    texts = []
  }
  for (const inline of inlines) {
    const last = out.at(-1)
    if (texts.length > 0 && inline.type === 'text' && last?.type === 'text' && hasSameMarks(inline, last)) {
      texts.push(inline.text)
      continue
    }
    end()
    out.push(inline)
    if (inline.type === 'text') texts = [inline.text]
  }
  end()
  return out
}

function hasSameMarks({ marks: one = [] }: Text, { marks: other = [] }: Text): boolean {
  return (
    one === other ||
    (one.length === other.length && one.every(({ type }, index) => type === other[index]!.type))
  )
}

const markOfName = new Map<string, Mark>(
  Object.entries({
    bold: 'b strong',
    italic: 'i em cite dfn var',
    underline: 'u ins',
    strikethrough: 's del strike',
    code: 'code samp tt',
    keyboard: 'kbd',
    superscript: 'sup',
    subscript: 'sub',
  }).flatMap(([type, names]) => names.split(' ').map((name): [string, Mark] => [name, { type } as Mark])),
)

function readNode(reader: HtmlReader, node: HtmlNode, marks: readonly Mark[], out: Inline[]): void {
  reader.budget.spend('steps', 1)
  if (node.kind === 'text') return push(out, node.value, marks)
  if (reader.skipped.has(node)) return
  const math = readMath(node)
  if (math !== undefined) {
    if (math.formula !== '') out.push({ type: 'inline-math', formula: math.formula })
    return
  }
  if (isBoilerplate(node)) return
  switch (node.name) {
    case 'br':
      out.push({ type: 'break' })
      return
    case 'img':
      return readImage(reader, node, out)
    case 'a':
      return readLink(reader, node, marks, out)
    case 'q':
      push(out, '“', marks)
      append(out, readInlines(reader, node.children, marks))
      return push(out, '”', marks)
    case 'svg':
    case 'canvas':
    case 'object':
    case 'embed':
      return reader.reportLoss(
        node.name === 'svg' ? 'drawings in the page itself (svg)' : `elements <${node.name}>`,
      )
    case 'input':
      if (valueOf(node, 'type') === 'checkbox') push(out, node.attributes.has('checked') ? '☑ ' : '☐ ', marks)
      return
  }
  if (ignoredNames.has(node.name)) return
  const isBlank = node.children.length === 0
  // Icons are empty; text in them would be icon names.
  if (isBlank || hasClass(node, 'material-icons', 'material-symbols-outlined')) return
  append(out, readInlines(reader, node.children, marksOf(reader, node, marks)))
}

const normalWeight = /(?:^|;)\s{0,8}font-weight:\s{0,8}(?:normal|400)/i

/** The outer marks plus those that an element adds. */
function marksOf(reader: HtmlReader, element: HtmlElement, marks: readonly Mark[]): readonly Mark[] {
  const added: Mark[] = []
  const own = markOfName.get(element.name)
  // Google Docs wraps everything that is copied in such an element.
  const isNormal = own?.type === 'bold' && normalWeight.test(valueOf(element, 'style') ?? '')
  if (own && !isNormal) added.push(own)
  if (element.name === 'mark') added.push({ type: 'color', background: 'yellow' })
  // Style sheet classes are used only for exports that express all formatting by style.
  if (element.name === 'span' || element.name === 'font' || element.name === 'p') {
    for (const name of classesOf(element)) added.push(...(reader.styles.get(name) ?? []))
    added.push(...marksOfStyle(valueOf(element, 'style') ?? ''))
  }
  const merged = [...marks]
  for (const mark of added) if (!merged.some(({ type }) => type === mark.type)) merged.push(mark)
  return merged.length === marks.length ? marks : merged
}

function append(out: Inline[], inlines: readonly Inline[]): void {
  for (const inline of inlines) {
    if (inline.type === 'text') push(out, inline.text, inline.marks ?? [])
    else out.push(inline)
  }
}

/** Returns the image of an `<img>`; undefined when it has no source. */
export function imageOf(reader: HtmlReader, img: HtmlElement): Image | undefined {
  const [first] = (valueOf(img, 'srcset') ?? valueOf(img, 'data-srcset') ?? '').split(/,?\s+/, 1)
  const written = valueOf(img, 'src')
  const lazy = valueOf(img, 'data-src') ?? valueOf(img, 'data-original')
  // Lazily loaded images have a placeholder as `src`.
  const chosen = written === undefined || (lazy !== undefined && written.startsWith('data:')) ? lazy : written
  const src = reader.destination(chosen ?? (first || undefined), 'image')
  if (src === undefined) return undefined
  const width = valueOf(img, 'width') ?? widthOfStyle(img)
  return defined({
    src,
    alt: valueOf(img, 'alt')?.replace(/\s+/g, ' '),
    width: width !== undefined && /^\d{1,4}(?:px|%)?$/.test(width) ? width.replace('px', '') : undefined,
  })
}

function widthOfStyle(img: HtmlElement): string | undefined {
  const written = /(?:^|;)\s{0,4}width\s{0,4}:\s{0,4}(\d{1,4})(?:\.\d{1,8})?px/i.exec(
    valueOf(img, 'style') ?? '',
  )?.[1]
  return written === undefined || written === '0' ? undefined : written
}

function readImage(reader: HtmlReader, img: HtmlElement, out: Inline[]): void {
  if (hasClass(img, 'emoji', 'emoticon', 'g-emoji') && valueOf(img, 'alt') !== undefined)
    return push(out, valueOf(img, 'alt')!, [])
  const image = imageOf(reader, img)
  // A 1×1 image is a tracking pixel.
  const isDot = valueOf(img, 'width') === '1' && valueOf(img, 'height') === '1'
  if (image && !isDot) out.push({ type: 'inline-image', ...image })
}

function readLink(reader: HtmlReader, a: HtmlElement, marks: readonly Mark[], out: Inline[]): void {
  const note = findFootnote(reader, a)
  if (note !== undefined) {
    return void out.push({ type: 'annotation', ...registerFootnote(reader, note), children: [] })
  }
  const inlines = withoutLinks(readInlines(reader, a.children, marks)).map(withoutLine)
  const href = valueOf(a, 'href')
  const isEmpty = inlines.every(
    (one) => one.type === 'break' || (one.type === 'text' && one.text.trim() === ''),
  )
  if (href === undefined || (isEmpty && !a.children.some(isElement))) return append(out, inlines)
  const url = reader.destination(href, 'link')
  if (url === undefined || isEmpty) return append(out, inlines)
  // An image that links to its full-size version.
  const [only] = inlines
  if (inlines.length === 1 && only?.type === 'inline-image' && only.src === url) return append(out, inlines)
  const children = trimInlines(inlines)
  const [before, after] = blanksAround(inlines)
  push(out, before, marks)
  const link: Link = { type: 'link', url, children }
  out.push(link)
  push(out, after, marks)
}

/** Moves whitespace at the ends of a link outside of it. */
function blanksAround(inlines: readonly Inline[]): [before: string, after: string] {
  const first = inlines[0]
  const last = inlines.at(-1)
  return [
    first?.type === 'text' && first.text.startsWith(' ') ? ' ' : '',
    last?.type === 'text' && last.text.endsWith(' ') ? ' ' : '',
  ]
}

function isUnderline({ type }: Mark): boolean {
  return type === 'underline'
}

/** A link contains no line breaks. */
function withoutLine(inline: Inline): Inline {
  if (inline.type !== 'text' || !inline.marks?.some(isUnderline)) return inline
  const { marks, ...text } = inline
  const others = marks.filter((mark) => !isUnderline(mark))
  return others.length === 0 ? text : { ...text, marks: others }
}

function withoutLinks(inlines: readonly Inline[]): Inline[] {
  return inlines.flatMap((one) => (one.type === 'link' ? one.children : [one]))
}
