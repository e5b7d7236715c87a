/**
 * Navigation tree: restores its scroll position, and opens as a drawer on small screens.
 *
 * Without scripts the drawer opens by its fragment (`:target`); with this script, the URL stays clean
 * and the focus stays inside.
 */
import { readStored, writeStored } from './storage.js'

/** Activates the tree, if the page has one. */
export function startNavigation(left: AbortSignal): void {
  const tree = document.querySelector<HTMLElement>('[data-navigation]')
  if (tree === null) return
  keepScrollPosition(tree, left)
  startDrawer(tree, left)
}

function keepScrollPosition(tree: HTMLElement, left: AbortSignal): void {
  const scrollTop = Number(readStored('navigation-scroll', 'sessionStorage'))
  if (scrollTop > 0) tree.scrollTop = scrollTop
  const current = tree.querySelector<HTMLElement>('[aria-current=page]')
  if (current !== null) {
    const [box, frame] = [current.getBoundingClientRect(), tree.getBoundingClientRect()]
    // Not scrollIntoView, which scrolls the page too.
    if (box.top < frame.top || box.bottom > frame.bottom)
      tree.scrollTop += box.top - frame.top - frame.height / 3
  }
  const keep = (): void => writeStored('navigation-scroll', String(tree.scrollTop), 'sessionStorage')
  addEventListener('pagehide', keep, { signal: left })
  left.addEventListener('abort', keep)
}

function startDrawer(tree: HTMLElement, signal: AbortSignal): void {
  const root = document.documentElement
  const opener = document.querySelector<HTMLElement>('[data-open-navigation]')
  const closer = document.querySelector<HTMLElement>('[data-close-navigation]')
  const others = [...document.querySelectorAll<HTMLElement>('main, .footer, .announcement')]
  const show = (open: boolean): void => {
    root.classList.toggle('drawer-open', open)
    for (const other of others) other.inert = open
    if (open) (tree.querySelector<HTMLElement>('[aria-current]') ?? tree.querySelector('a'))?.focus()
    else opener?.focus()
  }
  opener?.addEventListener('click', (event) => {
    event.preventDefault()
    show(true)
  })
  closer?.addEventListener('click', (event) => {
    event.preventDefault()
    show(false)
  })
  const close = (): void => {
    if (root.classList.contains('drawer-open')) show(false)
  }
  addEventListener('keydown', (event) => event.key === 'Escape' && close(), { signal })
  matchMedia('(min-width: 64.01rem)').addEventListener('change', (event) => event.matches && close(), {
    signal,
  })
}
