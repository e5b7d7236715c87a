/** Scroll spy: marks the current section in the outline. */

/** Pixels from the top of the window above which a heading counts as reached. */
const headingOffset = 120

/** Updates the mark while scrolling, if the page has an outline. */
export function startOutline(left: AbortSignal): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-outline] a')]
  const entries = links.flatMap((link) => {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)))
    return heading === null ? [] : [{ link, heading }]
  })
  if (entries.length === 0) return
  let current: HTMLAnchorElement | undefined
  const mark = (): void => {
    const { scrollY, innerHeight } = window
    const atEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 4 && scrollY > 0
    const reached = atEnd
      ? entries.at(-1)
      : entries.findLast(
          ({ heading }) => heading.checkVisibility() && heading.getBoundingClientRect().top < headingOffset,
        )
    if (reached?.link === current) return
    current?.removeAttribute('aria-current')
    current = reached?.link
    current?.setAttribute('aria-current', 'location')
  }
  let isScheduled = false
  addEventListener(
    'scroll',
    () => {
      if (isScheduled) return
      isScheduled = true
      requestAnimationFrame(() => {
        isScheduled = false
        mark()
      })
    },
    { passive: true, signal: left },
  )
  mark()
}
