/**
 * Normalizes HTML exports of Notion: callouts, checkboxes, bookmarks, properties and single-item lists become plain
 * HTML. Other pages are not touched.
 */
import { decodePercent } from '../links/resolve.js'
import {
  type HtmlElement,
  type HtmlNode,
  classesOf,
  descendants,
  elementsOf,
  findElement,
  hasClass,
  isElement,
  textOf,
  valueOf,
  wordsOf,
} from './nodes.js'
import { type Replacements, newElement, newText, setChildren } from './rewrite.js'

/** Returns the root element of a Notion page. */
export function findNotionPage(document: HtmlElement): HtmlElement | undefined {
  return findElement(
    document,
    (one) =>
      one.name === 'article' &&
      hasClass(one, 'page') &&
      findElement(one, (body) => hasClass(body, 'page-body')) !== undefined,
  )
}

/** Collects the replacements for a Notion page. */
export function normalizeNotion(
  page: HtmlElement,
  changes: Replacements,
  reportLoss: (what: string) => void,
): void {
  const heading = findElement(page, (one) => hasClass(one, 'page-title'))
  const title = heading && wordsOf(heading)
  for (const element of descendants(page)) {
    const others = replacementFor(element, title, reportLoss)
    if (others !== undefined) changes.set(element, others)
    if (element.name === 'td') separateValues(element, changes)
  }
}

/** Returns the replacement of an element; undefined when it stays. */
function replacementFor(
  element: HtmlElement,
  title: string | undefined,
  reportLoss: (what: string) => void,
): readonly HtmlNode[] | undefined {
  const { name } = element
  if (hasClass(element, 'page-header-icon', 'property-icon', 'bookmark-image', 'status-dot')) return []
  if (name === 'img' && hasClass(element, 'icon')) return []
  if (name === 'img' && hasClass(element, 'page-cover-image')) {
    reportLoss('the cover of the page')
    return []
  }
  // Blank paragraphs would split lists.
  if (name === 'p' && element.children.every(isBlank)) return []
  if (hasClass(element, 'checkbox-on')) return [newElement('input', { type: 'checkbox', checked: '' }, [])]
  if (hasClass(element, 'checkbox-off')) return [newElement('input', { type: 'checkbox' }, [])]
  switch (name) {
    case 'div':
      return /^display:\s?contents;?$/.test(valueOf(element, 'style') ?? '') ? element.children : undefined
    case 'table':
      return hasClass(element, 'properties') ? [propertiesOf(element)] : undefined
    case 'ul':
      return hasClass(element, 'toggle') ? elementsOf(element).flatMap(({ children }) => children) : undefined
    case 'h4': {
      const words = wordsOf(element)
      return hasClass(element, 'collection-title') && (words === '' || words === title) ? [] : undefined
    }
    case 'mark':
      // Most of these are text colours, not highlights.
      return classesOf(element).some((one) => /^highlight-\w{1,20}_background$/.test(one))
        ? undefined
        : [newElement('span', {}, element.children)]
    case 'aside':
    case 'figure':
      return replacementForFigure(element)
  }
  return undefined
}

function isBlank(node: HtmlNode): boolean {
  return node.kind === 'text' && node.value.trim() === ''
}

/** Separates the values of a multi-value property, which only a border separates. */
function separateValues(outer: HtmlElement, changes: Replacements): void {
  const values = elementsOf(outer).filter((one) => hasClass(one, 'selected-value'))
  for (const value of values.slice(1))
    changes.set(value, [newText(', '), newElement('span', {}, value.children)])
}

function replacementForFigure(figure: HtmlElement): readonly HtmlNode[] | undefined {
  if (hasClass(figure, 'callout')) return [calloutOf(figure)]
  const [first] = elementsOf(figure)
  if (first === undefined) return undefined
  if (hasClass(figure, 'link-to-page')) {
    const icon = findElement(figure, (one) => one.name === 'span' && hasClass(one, 'icon'))
    const children = first.children.filter((child) => child !== icon)
    return [newElement('p', {}, [newElement('a', { href: valueOf(first, 'href') ?? '' }, children)])]
  }
  if (hasClass(first, 'bookmark')) return [bookmarkOf(first)]
  const link = hasClass(first, 'source') ? findElement(first, (one) => one.name === 'a') : undefined
  const href = link && valueOf(link, 'href')
  if (href === undefined || /^[a-z]+:/i.test(href)) return undefined
  // The label of a file is its former URL.
  const file = decodePercent(href.split('/').at(-1)!) ?? href
  return [newElement('p', {}, [newElement('a', { href }, [newText(file)])])]
}

function bookmarkOf(card: HtmlElement): HtmlElement {
  const href = valueOf(card, 'href') ?? ''
  const part = (name: string): string => {
    const element = findElement(card, (one) => hasClass(one, name))
    return element ? wordsOf(element) : ''
  }
  const description = part('bookmark-description')
  return newElement('p', {}, [
    newElement('a', { href }, [newText(part('bookmark-title') || href)]),
    ...(description === '' ? [] : [newElement('br', {}, []), newText(description)]),
  ])
}

/** The style of a callout from its emoji or colour; `info` by default. */
const graveness = new Map(
  Object.entries({
    warning: '⚠ ⚠️ 🚧 yellow orange',
    danger: '❗ ❗️ ‼️ 🚨 ⛔ ⛔️ 🛑 ❌ 🚫 🔥 red',
    success: '✅ ✔️ ☑️ 🎉 green',
  }).flatMap(([word, signs]) => signs.split(' ').map((sign): [string, string] => [sign, word])),
)

/** Returns the hint style for the emoji of a callout; undefined for other emoji. */
export function gravenessOf(sign: string): string | undefined {
  return graveness.get(sign)
}

function calloutOf(figure: HtmlElement): HtmlElement {
  const icon = findElement(figure, (one) => one.name === 'span' && hasClass(one, 'icon'))
  const sign = icon ? textOf(icon).trim() || (valueOf(icon, 'data-emoji') ?? '') : ''
  const color = classesOf(figure).flatMap(
    (name) => /^block-color-([a-z]{1,20})(?:_background)?$/.exec(name)?.[1] ?? [],
  )
  const word = gravenessOf(sign) ?? gravenessOf(color[0] ?? '') ?? 'info'
  const parts = elementsOf(figure)
  const children = parts.flatMap((part): HtmlNode[] =>
    icon !== undefined && (part === icon || part.children.includes(icon)) ? [] : part.children,
  )
  const body = parts.length === 0 ? figure.children : children
  if (sign !== '') {
    const line = firstLine(body)
    if (line === undefined) body.unshift(newText(`${sign} `))
    else setChildren(line, [newText(`${sign} `), ...line.children])
  }
  return newElement('div', { class: `admonition ${word}` }, body)
}

/** Returns the paragraph that an element begins with. */
function firstLine(nodes: readonly HtmlNode[]): HtmlElement | undefined {
  const first = nodes.find((node) => isElement(node) || node.value.trim() !== '')
  if (first === undefined || !isElement(first)) return undefined
  return first.name === 'p' ? first : first.name === 'div' ? firstLine(first.children) : undefined
}

/** The properties of a database row, above its text, become a list. */
function propertiesOf(table: HtmlElement): HtmlElement {
  const items = [...descendants(table)].flatMap((row): HtmlElement[] => {
    if (row.name !== 'tr') return []
    const [head, cell] = elementsOf(row)
    if (!head || !cell || (textOf(cell).trim() === '' && elementsOf(cell).length === 0)) return []
    const name = newElement('strong', {}, [newText(`${wordsOf(head)}:`)])
    return [newElement('li', {}, [name, newText(' '), ...cell.children])]
  })
  return newElement('ul', {}, items)
}

const listClass = /^(?:bulleted|numbered|to-do)-list$/

/** Joins adjacent lists: these exports write one list per item. */
export function joinLists(page: HtmlElement): void {
  for (const outer of [page, ...descendants(page)]) {
    let open: { readonly list: HtmlElement; readonly kind: string; next: number } | undefined
    const children: HtmlNode[] = []
    for (const child of outer.children) {
      if (child.kind === 'text') {
        if (child.value.trim() !== '') open = undefined
        children.push(child)
        continue
      }
      const kind = classesOf(child).find((name) => listClass.test(name))
      const start = Number(valueOf(child, 'start') ?? '1')
      const isNext = open !== undefined && kind === open.kind && (child.name !== 'ol' || start === open.next)
      if (isNext) {
        open!.next += elementsOf(child).length
        for (const item of child.children) {
          item.parent = open!.list
          open!.list.children.push(item)
        }
        continue
      }
      open = kind === undefined ? undefined : { list: child, kind, next: start + elementsOf(child).length }
      children.push(child)
    }
    if (children.length < outer.children.length) setChildren(outer, children)
  }
}
