/** Menus of the header are `details` elements; a click elsewhere or Escape closes them. */

/** Closes open menus when the reader turns to something else. */
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
