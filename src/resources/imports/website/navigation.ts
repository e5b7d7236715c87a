/**
 * Menu merging: the menus of all pages of a site as one tree. Many sites show on each page only the part of their
 * menu around it, so the parts are merged: a child of an item on one page is a child of it in the whole.
 */
import type { NavigationItem } from '../../../core/html/navigation.js'

/** An item that links to a page of the site, or a group. */
export interface MenuItem {
  readonly title: string
  /** Key of the page; absent for a group. */
  readonly page?: string
  readonly children: MenuItem[]
}

export interface Menu {
  readonly items: readonly MenuItem[]
  /** Merges the menu of a page; a menu that was merged before costs nothing. */
  add(items: readonly NavigationItem[]): void
}

/**
 * Maximum items of all menus together; more are of a site that shows its whole menu, slightly different, on every
 * page.
 */
const maxItems = 2_000_000
const maxDepth = 30

/** Returns an empty menu; `pageOf` returns the key of the page that a URL refers to, undefined for other URLs. */
export function createMenu(pageOf: (url: string) => string | undefined): Menu {
  const root: MenuItem = { title: '', children: [] }
  const byPage = new Map<string, MenuItem>()
  const groups = new Map<MenuItem, Map<string, MenuItem>>()
  const merged = new Set<string>()
  let visitedItems = 0

  function findOrAddGroup(parent: MenuItem, title: string): MenuItem {
    const siblings = groups.get(parent) ?? new Map<string, MenuItem>()
    groups.set(parent, siblings)
    const found = siblings.get(title) ?? { title, children: [] }
    if (!siblings.has(title)) {
      siblings.set(title, found)
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
      // An external link is not a page; its children take its position.
      else item = parent
      if (depth < maxDepth) addItems(children, item, depth + 1)
    }
  }

  return {
    items: root.children,
    add(items) {
      if (items.length === 0) return
      const text = JSON.stringify(items)
      if (merged.has(text)) return
      merged.add(text)
      addItems(items, root, 0)
    },
  }
}
