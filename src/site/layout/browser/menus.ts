/**
 * Menus of the header are `details` elements; a click elsewhere or Escape closes them. Where the tabs of the sections
 * are more than their row is wide, the one that is read is brought into sight.
 */

/** Closes open menus when the reader turns to something else: one listener, whatever the page. */
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

/** Scrolls the row alone: what is scrolled into view by itself would be where the keyboard begins. */
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
