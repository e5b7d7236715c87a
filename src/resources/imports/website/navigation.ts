/**
 * The menus of all pages of a site as one tree. Many sites show on each page the part of their menu around it, so the
 * parts are put together: what hangs on an item on one page hangs on it in the whole.
 */
import type { NavigationItem } from '../../../core/html/navigation.js'

/** An item that leads to a page of the site, or a mere group. */
export interface MenuItem {
  readonly title: string
  /** Key of the page; absent for a group. */
  readonly page?: string
  readonly children: MenuItem[]
}

export interface Menu {
  readonly items: readonly MenuItem[]
  /** Puts in what a page says; menus that were put in before cost nothing. */
  add(items: readonly NavigationItem[]): void
}

/** Items of all menus together; what is more is of a site that has its whole menu on every page, each another. */
const maxItems = 2_000_000
const maxDepth = 30

/** Returns an empty menu; `pageOf` answers the key of the page that an address leads to, undefined for all else. */
export function createMenu(pageOf: (url: string) => string | undefined): Menu {
  const root: MenuItem = { title: '', children: [] }
  const byPage = new Map<string, MenuItem>()
  const groups = new Map<MenuItem, Map<string, MenuItem>>()
  const known = new Set<string>()
  let visitedItems = 0

  function findOrAddGroup(parent: MenuItem, title: string): MenuItem {
    const inside = groups.get(parent) ?? new Map<string, MenuItem>()
    groups.set(parent, inside)
    const found = inside.get(title) ?? { title, children: [] }
    if (!inside.has(title)) {
      inside.set(title, found)
      parent.children.push(found)
    }
    return found
  }

  function addItems(items: readonly NavigationItem[], parent: MenuItem, depth: number): void {
    for (const { title, url, children } of items) {
      if ((visitedItems += 1) > maxItems) return
      const page = url === undefined ? undefined : pageOf(url)
      let item: MenuItem
      if (page !== undefined) {
        item = byPage.get(page) ?? { title, page, children: [] }
        if (!byPage.has(page)) {
          byPage.set(page, item)
          parent.children.push(item)
        }
      } else if (url === undefined && children.length > 0) item = findOrAddGroup(parent, title)
      // What leads elsewhere is no page; what hangs on it takes its place.
      else item = parent
      if (depth < maxDepth) addItems(children, item, depth + 1)
    }
  }

  return {
    items: root.children,
    add(items) {
      if (items.length === 0) return
      const text = JSON.stringify(items)
      if (known.has(text)) return
      known.add(text)
      addItems(items, root, 0)
    },
  }
}
