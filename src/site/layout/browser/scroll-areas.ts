/**
 * Tables, code and drawings that are wider than their place: the edges show on which side there is more, and only what
 * scrolls is a stop for the keyboard.
 *
 * A table that fits is no scroll area at all, so that its header can stay in sight while the page is scrolled; one
 * that does not, and is higher than the window, scrolls both ways inside itself for the same reason.
 */

const areas = '.table, .code pre, .drawing'

/** Follows every such area of the page. */
export function startScrollAreas(): void {
  const sizes = new ResizeObserver((entries) => {
    for (const area of new Set(entries.map(({ target }) => areaOf(target)))) mark(area)
  })
  for (const area of document.querySelectorAll<HTMLElement>(areas)) {
    sizes.observe(area)
    if (area.firstElementChild !== null) sizes.observe(area.firstElementChild)
    area.addEventListener('scroll', () => mark(area), { passive: true })
  }
}

function areaOf(element: Element): HTMLElement {
  return element.closest<HTMLElement>(areas) as HTMLElement
}

function mark(area: HTMLElement): void {
  // Clipped, a table hides how wide it is from the area.
  const inner = area.querySelector<HTMLElement>(':scope > table')
  const hidden = Math.max(area.scrollWidth, inner?.offsetWidth ?? 0) - area.clientWidth
  // Counted from the other side, and below zero, where lines are read from right to left.
  const passed = Math.abs(area.scrollLeft)
  const fits = hidden <= 1
  area.classList.toggle('fits', fits)
  area.classList.toggle('more-before', !fits && passed > 1)
  area.classList.toggle('more-behind', !fits && passed < hidden - 1)
  area.closest('.code')?.classList.toggle('overflows', !fits)
  if (inner !== null) area.classList.toggle('tall', !fits && inner.offsetHeight > innerHeight * 0.8)
  if (fits) area.removeAttribute('tabindex')
  else area.tabIndex = 0
}
