/** What the menu of a site says of its pages: the largest tree of links that a page carries beside its content. */
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
import { isHeading } from './parts.js'
import { isAround, isStep } from './breadcrumbs.js'
import { isUnseen } from './boilerplate.js'

export interface NavigationItem {
  readonly title: string
  /** Absent for what is a mere group. */
  readonly url?: string
  readonly children: readonly NavigationItem[]
}

const menus =
  /^(?:sphinxsidebar|wy-menu|wy-menu-vertical|theme-doc-sidebar-menu|menu|md-nav--primary|sidebar|sidebar-tree|vpsidebar|bd-sidebar|sidebar-content|nav-list|toctree-wrapper|nav-container|navbar-nav|site-nav|chapter)$/
/** What Sphinx puts into the text of a page; there may be several, one below each heading. */
const contents = 'toctree-wrapper'

/** More would be no menu. */
const mostItems = 20_000
const mostLevels = 10

/** Returns the items of the menu, none where there is none of more than two pages. */
export function readNavigation(
  document: HtmlElement,
  destination: (url: string) => string | undefined,
): readonly NavigationItem[] {
  let best: readonly NavigationItem[] = []
  let most = 2
  // Menus do not stand in menus, or each would be read for every one around it.
  let end: HtmlElement | undefined
  let heading: HtmlElement | undefined
  const parts: Part[] = []
  const choose = (items: readonly NavigationItem[]): void => {
    const pages = countPages(items)
    if (pages > most) [best, most] = [items, pages]
  }
  for (const element of descendants(document)) {
    if (end && standsInside(element, end)) continue
    // What stands below the title alone is no group.
    if (isHeading(element)) heading = element.name === 'h1' ? undefined : element
    if (!isMenu(element)) continue
    end = element
    const budget = { left: mostItems }
    // The list itself may be what says that it is a menu.
    const items = itemsOf([element], destination, budget, 0)
    if (items.length > 0 && hasClass(element, contents)) parts.push({ heading, items })
    else choose(items)
  }
  choose(together(parts))
  return best
}

/** One table of contents of several, and the heading above it. */
interface Part {
  readonly heading: HtmlElement | undefined
  readonly items: readonly NavigationItem[]
}

/** Tables of contents on one page are parts of one; those that have no captions are called as the heading above them. */
function together(parts: readonly Part[]): readonly NavigationItem[] {
  if (parts.length < 2) return parts.flatMap(({ items }) => items)
  const whole: NavigationItem[] = []
  let last: { readonly heading: HtmlElement; readonly children: NavigationItem[] } | undefined
  for (const { heading, items } of parts) {
    const title = heading && textOf(heading, isUnseen).replace(/\s+/g, ' ').trim().slice(0, 200)
    if (!heading || !title || items.some(({ url }) => url === undefined)) whole.push(...items)
    else if (last?.heading === heading) last.children.push(...items)
    else {
      last = { heading, children: [...items] }
      whole.push({ title, children: last.children })
    }
  }
  return whole
}

function standsInside(element: HtmlElement, outer: HtmlElement): boolean {
  for (let one: HtmlElement | undefined = element; one; one = one.parent) if (one === outer) return true
  return false
}

function isMenu(element: HtmlElement): boolean {
  if (element.linkedLetters === 0 || isAround(element)) return false
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
  const add = (found: readonly NavigationItem[]): void => {
    if (group !== undefined && found.length > 0) items.push({ title: group, children: found })
    else for (const item of found) items.push(item)
    group = undefined
  }
  for (const node of nodes) {
    if (node.kind === 'text' || --budget.left < 0 || level > mostLevels || isAround(node)) continue
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

/** The items of one list; one without words of its own holds what stands below the one before it. */
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
    if (label !== undefined && isStep(label)) continue
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

/** What an item is called: its first link, or its first words; those of the items in it are theirs. */
function labelOf(item: HtmlElement): HtmlElement | undefined {
  const waiting = [...elementsOf(item)].toReversed()
  let words: HtmlElement | undefined
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.name === 'ul' || next.name === 'ol') continue
    if (next.name === 'a' && wordsOf(next) !== '') return next
    if (words === undefined && !next.holdsBlock && wordsOf(next) !== '') words = next
    for (const inner of elementsOf(next).toReversed()) waiting.push(inner)
  }
  return words
}
