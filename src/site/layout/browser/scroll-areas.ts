/**
 * Scroll areas: tables, code and drawings that overflow get a shadow on the side with more content, and only those that
 * scroll are focusable.
 *
 * A table that fits is no scroll area at all, so that its header can be sticky; one that overflows, and is higher than
 * the window, scrolls both ways inside itself for the same reason.
 */

const areas = '.table, .code pre, .drawing'

/** Observes every scroll area of the page. */
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
  // A clipped table does not contribute to the width of its area.
  const inner = area.querySelector<HTMLElement>(':scope > table')
  const hidden = Math.max(area.scrollWidth, inner?.offsetWidth ?? 0) - area.clientWidth
  // Negative in right-to-left pages.
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
