/** Site navigation: the largest tree of links on a page outside its content. */
import {
  type HtmlElement,
  type HtmlNode,
  classesOf,
  descendants,
  elementsOf,
  findElement,
  hasClass,
  textOf,
  valueOf,
  wordsOf,
} from './nodes.js'
import { isHeading } from './anchors.js'
import { isBreadcrumbOrPager, isPagerLink } from './breadcrumbs.js'
import { isBoilerplate } from './boilerplate.js'

export interface NavigationItem {
  readonly title: string
  /** Absent for a group. */
  readonly url?: string
  readonly children: readonly NavigationItem[]
}

const menus =
  /^(?:sphinxsidebar|wy-menu|wy-menu-vertical|theme-doc-sidebar-menu|menu|md-nav--primary|sidebar|sidebar-tree|vpsidebar|bd-sidebar|sidebar-content|nav-list|toctree-wrapper|nav-container|navbar-nav|site-nav|chapter)$/
/** Table of contents in the text of a Sphinx page; there may be several, one below each heading. */
const contents = 'toctree-wrapper'

/** A larger tree is not a menu. */
const maxItems = 20_000
const maxLevels = 10

/** Returns the items of the menu; none when no menu has more than two pages. */
export function readNavigation(
  document: HtmlElement,
  destination: (url: string) => string | undefined,
): readonly NavigationItem[] {
  let best: readonly NavigationItem[] = []
  let most = 2
  // Menus inside menus are skipped, or each would be read once per ancestor.
  let end: HtmlElement | undefined
  let heading: HtmlElement | undefined
  const tables: TableOfContents[] = []
  const choose = (items: readonly NavigationItem[]): void => {
    const pages = countPages(items)
    if (pages > most) [best, most] = [items, pages]
  }
  for (const element of descendants(document)) {
    if (end && isInsideMenu(element, end)) continue
    // Items directly below the title form no group.
    if (isHeading(element)) heading = element.name === 'h1' ? undefined : element
    if (!isMenu(element)) continue
    end = element
    const budget = { left: maxItems }
    // The list itself may be marked as a menu.
    const items = itemsOf([element], destination, budget, 0)
    if (items.length > 0 && hasClass(element, contents)) tables.push({ heading, items })
    else choose(items)
  }
  choose(mergeTablesOfContents(tables))
  return best
}

/** A table of contents, and the heading above it. */
interface TableOfContents {
  readonly heading: HtmlElement | undefined
  readonly items: readonly NavigationItem[]
}

/** Merges the tables of contents of one page; those without captions get the title of the heading above them. */
function mergeTablesOfContents(parts: readonly TableOfContents[]): readonly NavigationItem[] {
  if (parts.length < 2) return parts.flatMap(({ items }) => items)
  const whole: NavigationItem[] = []
  let last: { readonly heading: HtmlElement; readonly children: NavigationItem[] } | undefined
  for (const { heading, items } of parts) {
    const title = heading && textOf(heading, isBoilerplate).replace(/\s+/g, ' ').trim().slice(0, 200)
    if (!heading || !title || items.some(({ url }) => url === undefined)) whole.push(...items)
    else if (last?.heading === heading) last.children.push(...items)
    else {
      last = { heading, children: [...items] }
      whole.push({ title, children: last.children })
    }
  }
  return whole
}

function isInsideMenu(element: HtmlElement, outer: HtmlElement): boolean {
  for (let one: HtmlElement | undefined = element; one; one = one.parent) if (one === outer) return true
  return false
}

function isMenu(element: HtmlElement): boolean {
  if (element.linkedLetters === 0 || isBreadcrumbOrPager(element)) return false
  return (
    element.name === 'nav' ||
    valueOf(element, 'role') === 'navigation' ||
    classesOf(element).some((name) => menus.test(name))
  )
}

function countPages(items: readonly NavigationItem[]): number {
  return items.reduce(
    (count, { url, children }) => count + (url === undefined ? 0 : 1) + countPages(children),
    0,
  )
}

function itemsOf(
  nodes: readonly HtmlNode[],
  destination: (url: string) => string | undefined,
  budget: { left: number },
  level: number,
): NavigationItem[] {
  const items: NavigationItem[] = []
  let group: string | undefined
  const add = (menuItems: readonly NavigationItem[]): void => {
    if (group !== undefined && menuItems.length > 0) items.push({ title: group, children: menuItems })
    else for (const item of menuItems) items.push(item)
    group = undefined
  }
  for (const node of nodes) {
    if (node.kind === 'text' || --budget.left < 0 || level > maxLevels || isBreadcrumbOrPager(node)) continue
    const isList = node.name === 'ul' || node.name === 'ol'
    if (isList) add(itemsOfList(node, destination, budget, level + 1))
    else if (isCaption(node)) group = wordsOf(node).slice(0, 200) || undefined
    else if (node.holdsBlock) add(itemsOf(node.children, destination, budget, level))
  }
  return items
}

function isCaption(element: HtmlElement): boolean {
  if (findElement(element, ({ name }) => name === 'ul' || name === 'a')) return false
  return element.name === 'p' || /^h[2-6]$/.test(element.name) || classesOf(element).includes('caption')
}

/** The items of a list; an item without text has the children of the item before it. */
function itemsOfList(
  list: HtmlElement,
  destination: (url: string) => string | undefined,
  budget: { left: number },
  level: number,
): NavigationItem[] {
  const items: { title: string; url?: string; children: NavigationItem[] }[] = []
  for (const item of elementsOf(list)) {
    if (--budget.left < 0) break
    const label = labelOf(item)
    if (label !== undefined && isPagerLink(label)) continue
    const children = itemsOf(item.children, destination, budget, level)
    const title = label === undefined ? '' : wordsOf(label).slice(0, 200)
    const href = label && valueOf(label, 'href')
    const url = href === undefined || href.startsWith('#') ? undefined : destination(href)
    const before = items.at(-1)
    if (title !== '' && (url !== undefined || children.length > 0))
      items.push({ title, ...(url !== undefined && { url }), children })
    else for (const child of children) (before?.children ?? items).push(child as (typeof items)[number])
  }
  return items
}

/** The title of an item: its first link, or its first text outside of nested items. */
function labelOf(item: HtmlElement): HtmlElement | undefined {
  const pending = [...elementsOf(item)].toReversed()
  let words: HtmlElement | undefined
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.name === 'ul' || next.name === 'ol') continue
    if (next.name === 'a' && wordsOf(next) !== '') return next
    if (words === undefined && !next.holdsBlock && wordsOf(next) !== '') words = next
    for (const inner of elementsOf(next).toReversed()) pending.push(inner)
  }
  return words
}
