/**
 * Numbering of Word lists: the number of each item, as Word counts (`w:numId`, `w:start`, `w:startOverride`). A list goes on
 * after a paragraph or a table, while the library, which knows only whether an item is numbered, begins each part with 1.
 *
 * The library gets a numbering part in which each level names its list. The numbers then pass through it as marks in the
 * text, between characters that no document can contain.
 */
import { type DocumentParts, type WordElement, isEmpty } from './docx-elements.js'

interface Level {
  readonly index: string
  readonly format: string
  readonly start: number
  /** Paragraph style whose paragraphs are items of the level. */
  readonly style: string | undefined
}

interface AbstractNumbering {
  readonly levels: readonly Level[]
  /** Style that has the levels instead. */
  readonly styleLink: string | undefined
}

/** A list (`w:num`). */
interface NumberedList {
  readonly abstract: string
  /** What counts its items: the abstract numbering, together with its other lists, unless the list begins again. */
  readonly counter: string
  /** First number of each level. */
  readonly starts: ReadonlyMap<string, number>
}

/** The lists of a document, and those of its paragraph styles. */
export interface Numbering {
  readonly lists: ReadonlyMap<string, NumberedList>
  readonly styles: ReadonlyMap<string, string>
}

const numberingPart = 'word/numbering.xml'
/** By this the levels of the part that the library gets name their list. */
const prefix = 'octavo-list-'
/** Lists that are told apart; the others keep the numbers of the library. */
const maxLists = 5_000

/** Returns the numbering of a document, and the parts for the library. */
export function readNumbering(parts: DocumentParts): { numbering: Numbering; parts: DocumentParts } {
  const xml = textOf(parts, numberingPart)
  const abstracts = new Map<string, AbstractNumbering>()
  for (const element of elementsNamed(xml, 'w:abstractNum')) {
    const id = attributeOf(element, 'w:abstractNumId')
    if (id !== undefined) abstracts.set(id, readAbstract(element))
  }
  const lists = new Map<string, NumberedList>()
  for (const element of elementsNamed(xml, 'w:num')) {
    const id = attributeOf(element, 'w:numId')
    const abstract = valueOf(element, 'w:abstractNumId')
    const definition = abstract === undefined ? undefined : abstracts.get(abstract)
    if (id === undefined || abstract === undefined || definition === undefined || lists.size >= maxLists)
      continue
    const starts = new Map(definition.levels.map(({ index, start }) => [index, start]))
    let counter = abstract
    for (const override of elementsNamed(element, 'w:lvlOverride')) {
      const level = attributeOf(override, 'w:ilvl')
      const start = Number(valueOf(override, 'w:startOverride') ?? Number.NaN)
      if (level === undefined || !Number.isSafeInteger(start)) continue
      starts.set(level, start)
      counter = prefix + id
    }
    lists.set(id, { abstract, counter, starts })
  }
  const numbering = { lists, styles: listsOfStyles(textOf(parts, 'word/styles.xml')) }
  if (lists.size === 0) return { numbering, parts }
  const written = formatPart(abstracts, lists)
  return { numbering, parts: new Map(parts).set(numberingPart, Buffer.from(written)) }
}

function readAbstract(element: string): AbstractNumbering {
  const levels = elementsNamed(element, 'w:lvl').map((level): Level => {
    const start = Number(valueOf(level, 'w:start') ?? '1')
    return {
      index: attributeOf(level, 'w:ilvl') ?? '0',
      format: valueOf(level, 'w:numFmt') ?? 'decimal',
      start: Number.isSafeInteger(start) && start >= 0 ? start : 1,
      style: valueOf(level, 'w:pStyle'),
    }
  })
  return { levels, styleLink: valueOf(element, 'w:numStyleLink') }
}

/** Returns the list of each paragraph style that has one, its own or that of the style it is based on. */
function listsOfStyles(xml: string): ReadonlyMap<string, string> {
  const own = new Map<string, { readonly list: string | undefined; readonly base: string | undefined }>()
  for (const element of elementsNamed(xml, 'w:style')) {
    const id = attributeOf(element, 'w:styleId')
    if (id !== undefined)
      own.set(id, { list: valueOf(element, 'w:numId'), base: valueOf(element, 'w:basedOn') })
  }
  const found = new Map<string, string>()
  for (const id of own.keys()) {
    let style = own.get(id)
    for (let depth = 0; style !== undefined && style.list === undefined && depth < 20; depth++)
      style = style.base === undefined ? undefined : own.get(style.base)
    if (style?.list !== undefined) found.set(id, style.list)
  }
  return found
}

function formatPart(
  abstracts: ReadonlyMap<string, AbstractNumbering>,
  lists: ReadonlyMap<string, NumberedList>,
): string {
  const element = (name: string, value: string): string => `<${name} w:val="${value}"/>`
  const abstractOf = (id: string, { levels, styleLink }: AbstractNumbering, list?: string): string => {
    const inner = levels.map(({ index, format, style }) => {
      const named = list === undefined ? style : prefix + list
      return `<w:lvl w:ilvl="${index}">${element('w:numFmt', format)}${named === undefined ? '' : element('w:pStyle', named)}</w:lvl>`
    })
    const link = styleLink === undefined ? '' : element('w:numStyleLink', styleLink)
    return `<w:abstractNum w:abstractNumId="${id}">${inner.join('')}${link}</w:abstractNum>`
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">',
    // By these the library finds the level of a style.
    ...[...abstracts].map(([id, abstract]) => abstractOf(id, abstract)),
    ...[...lists].map(([id, { abstract }]) => abstractOf(prefix + id, abstracts.get(abstract)!, id)),
    ...[...lists.keys()].map(
      (id) => `<w:num w:numId="${id}">${element('w:abstractNumId', prefix + id)}</w:num>`,
    ),
    '</w:numbering>',
  ].join('')
}

function textOf(parts: DocumentParts, name: string): string {
  const bytes = parts.get(name)
  return bytes === undefined ? '' : Buffer.from(bytes).toString('utf8')
}

/** Returns the elements of a name that do not contain each other, with their tags; in one pass. */
function elementsNamed(xml: string, name: string): string[] {
  const found: string[] = []
  const [opening, closing] = [`<${name}`, `</${name}>`]
  for (let start = xml.indexOf(opening); start >= 0;) {
    let end = start + opening.length
    if (/[\s>/]/.test(xml[end] ?? '')) {
      const tagEnd = xml.indexOf('>', end)
      if (tagEnd < 0) break
      const close = xml[tagEnd - 1] === '/' ? tagEnd + 1 : xml.indexOf(closing, tagEnd) + closing.length
      if (close < tagEnd) break
      found.push(xml.slice(start, close))
      end = close
    }
    start = xml.indexOf(opening, end)
  }
  return found
}

/** Returns an attribute of the first tag, as written. */
function attributeOf(element: string, name: string): string | undefined {
  const tag = element.slice(0, element.indexOf('>') + 1)
  const from = tag.indexOf(` ${name}="`)
  if (from < 0) return undefined
  const start = from + name.length + 3
  const end = tag.indexOf('"', start)
  return end < 0 ? undefined : tag.slice(start, end)
}

/** Returns the value of the first child of a name, as written. */
function valueOf(element: string, name: string): string | undefined {
  const at = element.indexOf(`<${name} `)
  return at < 0 ? undefined : attributeOf(element.slice(at, at + maxTagLength), 'w:val')
}

/** Elements with a value have no other attributes. */
const maxTagLength = 500

const mark = '\u0001'

/** Returns the document with a mark of its number at the beginning of each numbered item, in document order. */
export function markNumbers(document: WordElement, { lists, styles }: Numbering): WordElement {
  /** The last number of each level, by counter. */
  const counts = new Map<string, Map<number, number>>()

  function next({ counter, starts }: NumberedList, level: string): number {
    const numbers = counts.get(counter) ?? new Map<number, number>()
    counts.set(counter, numbers)
    const depth = Number(level)
    const number = (numbers.get(depth) ?? (starts.get(level) ?? 1) - 1) + 1
    numbers.set(depth, number)
    // Deeper levels begin again below the next item.
    for (const other of numbers.keys()) if (other > depth) numbers.delete(other)
    return number
  }

  function visit(element: WordElement): WordElement {
    if (element.type === 'paragraph') return visitParagraph(element)
    return element.children === undefined ? element : { ...element, children: element.children.map(visit) }
  }

  function visitParagraph(paragraph: WordElement): WordElement {
    const { numbering } = paragraph
    const named = numbering?.paragraphStyleId
    const id = named?.startsWith(prefix) === true ? named.slice(prefix.length) : named && styles.get(named)
    const list = id ? lists.get(id) : undefined
    if (!numbering || !id || !list) return paragraph
    const number = next(list, numbering.level)
    // An empty item has a number in Word, and is left out by the library.
    if (!numbering.isOrdered || isEmpty(paragraph)) return paragraph
    const first = { type: 'text', value: `${mark}${number}${mark}` }
    return { ...paragraph, children: [first, ...(paragraph.children ?? [])] }
  }

  return visit(document)
}

interface OpenList {
  /** Where its tag is in the output. */
  readonly at: number
  /** Number of the item whose tag was written last; undefined for the first. */
  current: number | undefined
  next: number | undefined
}

const pieces = /<(\/?)(ol|ul|li)>|\u0001(\d{1,15})\u0001/g

/** Returns the HTML of the library with numbered lists that begin where their marks say, and without the marks. */
export function applyNumbers(html: string): string {
  if (!html.includes(mark)) return html
  const out: string[] = []
  const open: OpenList[] = []
  let isItemStart = false
  let done = 0
  for (const match of html.matchAll(pieces)) {
    const [whole, slash, name, number] = match
    const between = html.slice(done, match.index)
    out.push(between)
    if (between !== '') isItemStart = false
    done = match.index + whole.length
    if (number !== undefined) {
      const list = open.at(-1)
      if (isItemStart && list !== undefined) startAt(Number(number), list)
      isItemStart = false
      continue
    }
    if (name === 'li') {
      isItemStart = slash === ''
      const list = open.at(-1)
      if (isItemStart && list !== undefined) {
        list.current = list.next
        list.next = (list.next ?? 1) + 1
      }
    } else if (slash === '') open.push({ at: out.length, current: undefined, next: undefined })
    else open.pop()
    out.push(whole)
  }
  out.push(html.slice(done))
  return out.join('')

  /** The item whose tag was written last has this number. */
  function startAt(number: number, list: OpenList): void {
    if (!out[list.at]!.startsWith('<ol')) return
    const tag = number === 1 ? '<ol>' : `<ol start="${number}">`
    if (list.current === undefined) out[list.at] = tag
    else if (number !== list.current) {
      // Another list directly below: it is a list of its own.
      const item = out.lastIndexOf('<li>')
      out[item] = `</ol>${tag}<li>`
    }
    list.next = number + 1
  }
}
