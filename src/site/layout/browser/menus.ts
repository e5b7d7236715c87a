/**
 * Menus of the header are `details` elements; a click elsewhere or Escape closes them. If the tabs of the sections
 * overflow their row, the current one is scrolled into view.
 */

/** Closes open menus on clicks elsewhere and Escape, with delegated listeners for all pages. */
export function startMenus(): void {
  const open = (): Iterable<HTMLDetailsElement> =>
    document.querySelectorAll<HTMLDetailsElement>('[data-menu][open]')
  document.addEventListener('click', (event) => {
    for (const menu of open())
      if (!(event.target instanceof Node && menu.contains(event.target))) menu.open = false
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    for (const menu of open()) {
      menu.open = false
      menu.querySelector('summary')?.focus()
    }
  })
}

/** Scrolls the row only: `scrollIntoView` would also move the starting point of keyboard navigation. */
export function showCurrentTab(): void {
  const tab = document.querySelector('.sections > [aria-current], .sections > .menu > .current')
  const row = tab?.closest('.sections')
  if (!tab || !row) return
  const middleOf = (element: Element): number => {
    const { left, width } = element.getBoundingClientRect()
    return left + width / 2
  }
  row.scrollLeft += middleOf(tab) - middleOf(row)
}
