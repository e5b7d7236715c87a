/** Client-side navigation: the current address as a store, links that load no new document, and a guard for unsaved work. */
import { type AnchorHTMLAttributes, type MouseEvent, type Ref, useSyncExternalStore } from 'react'
import { parseAddress } from './addresses.js'

const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}
window.addEventListener('popstate', notify)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the path of the address; the component renders again when it changes. */
export const usePath = (): string => useSyncExternalStore(subscribe, () => location.pathname)

/** Opens an address of the app. */
export function navigate(to: string, { replace = false } = {}): void {
  if (to === location.pathname + location.search + location.hash) return
  history[replace ? 'replaceState' : 'pushState'](null, '', to)
  notify()
}

/**
 * A link: to a screen of the app a plain click navigates without loading a document; all other clicks, and all other
 * addresses, are the browser's.
 */
export function Link({
  href,
  onClick,
  ...rest
}: AnchorHTMLAttributes<HTMLAnchorElement> & {
  readonly href: string
  readonly ref?: Ref<HTMLAnchorElement>
}) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    const isScreen =
      href.startsWith('/') && parseAddress(new URL(href, location.href).pathname).screen !== 'unknown'
    if (event.defaultPrevented || !isPlain || !isScreen) return
    event.preventDefault()
    navigate(href)
  }
  return <a href={href} onClick={follow} {...rest} />
}
