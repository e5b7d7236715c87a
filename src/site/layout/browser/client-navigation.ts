/**
 * Client-side navigation: fetches the next page, and replaces the body of the document with its body.
 *
 * A link under the pointer is prefetched before the click. Incompatible pages (another style, language or version of the
 * script, further scripts, a response that is not a page) are opened by the browser as usual, as are all pages whose
 * fetch fails.
 */
import { addStyles } from './lazy-assets.js'
import { readStored } from './storage.js'

/** Milliseconds: hover time before a page is prefetched, lifetime of a prefetched page, and delay of the progress indicator. */
const [hoverDelay, prefetchLifetime, progressDelay] = [100, 10_000, 200]

interface FetchedPage {
  readonly document: Document
  /** Its final URL, after redirects. */
  readonly url: string
}

/** Calls `start` for this page and each that replaces it; the signal aborts when the page is left. */
export function startClientNavigation(start: (left: AbortSignal) => void): void {
  const root = document.documentElement
  const compatibilityKey = compatibilityKeyOf(document, location.href)
  let pageLifetime = new AbortController()
  start(pageLifetime.signal)
  // Further scripts of a page could break if its body were replaced.
  if (compatibilityKey === undefined) return

  const { theme } = root.dataset
  let prefetched: { href: string; at: number; page: Promise<FetchedPage> } | undefined
  /** URLs of incompatible pages. */
  const incompatible = new Set<string>()
  let pending: AbortController | undefined
  let hasNavigated = false
  let currentPath = pathOf(location)
  const scrollPositions = new Map<string, number>()
  const entryOf = (): number => (history.state as { octavo?: number } | null)?.octavo ?? 0
  const scrollKeyOf = (): string => `${entryOf()} ${location.href}`
  let entries = entryOf()

  const fetchCached = (href: string): Promise<FetchedPage> => {
    if (prefetched?.href === href && performance.now() - prefetched.at < prefetchLifetime)
      return prefetched.page
    const page = load(href)
    prefetched = { href, at: performance.now(), page }
    page.catch(() => incompatible.add(href))
    return page
  }
  async function load(href: string): Promise<FetchedPage> {
    const answer = await fetch(href, { headers: { accept: 'text/html' } })
    const { status, url } = answer
    if (status !== 200 || !answer.headers.get('content-type')?.startsWith('text/html')) throw new Error(href)
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    // A theme chosen by the reader applies to every page.
    const isColored = readStored('theme') !== null || page.documentElement.dataset['theme'] === theme
    if (!isColored || compatibilityKeyOf(page, url) !== compatibilityKey) throw new Error(href)
    await addPart(page, url)
    return { document: page, url }
  }

  /** Displays the page of a URL; `isNew` is false if the history already moved to it. */
  async function navigate(to: URL, isNew: boolean): Promise<void> {
    pending?.abort()
    const current = (pending = new AbortController())
    const slow = setTimeout(() => root.classList.add('loading'), progressDelay)
    try {
      const page = await fetchCached(to.origin + pathOf(to))
      if (current.signal.aborted) return
      if (isNew) {
        const at = new URL(page.url)
        at.hash ||= to.hash
        history.scrollRestoration = 'manual'
        hasNavigated = true
        history.pushState({ octavo: ++entries }, '', at)
      }
      prefetched = undefined
      show(page.document)
    } catch {
      if (current.signal.aborted) return
      if (isNew) location.assign(to)
      else location.reload()
    } finally {
      clearTimeout(slow)
      if (pending === current) {
        pending = undefined
        root.classList.remove('loading')
      }
    }
  }

  function show(page: Document): void {
    pageLifetime.abort()
    pageLifetime = new AbortController()
    currentPath = pathOf(location)
    root.classList.remove('drawer-open')
    const persistent = 'meta[charset], script, link[rel=stylesheet]'
    for (const one of document.head.querySelectorAll(`:scope > :not(${persistent})`)) one.remove()
    document.head.append(...page.head.querySelectorAll(`:scope > :not(${persistent})`))
    document.body.replaceWith(page.body)
    start(pageLifetime.signal)
    const scrollPosition = scrollPositions.get(scrollKeyOf())
    // By the browser itself, so that `:target` matches.
    if (scrollPosition === undefined && targetOf(location) !== null) location.replace(location.hash)
    else {
      scrollTo({ top: scrollPosition ?? 0, behavior: 'instant' })
      document.getElementById('octavo-content')!.focus({ preventScroll: true })
    }
    announce(document.title)
  }

  document.addEventListener('click', (event) => {
    const to = linkTargetOf(event)
    if (to === undefined || incompatible.has(to.origin + pathOf(to)) || event.defaultPrevented) return
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void navigate(to, true)
  })
  let timer = 0
  const prefetch = (event: Event): void => {
    clearTimeout(timer)
    const to = linkTargetOf(event)
    // Touch has no hover.
    if (to === undefined || (event as PointerEvent).pointerType === 'touch') return
    const href = to.origin + pathOf(to)
    if (!incompatible.has(href))
      timer = window.setTimeout(() => void fetchCached(href).catch(() => {}), hoverDelay)
  }
  document.addEventListener('pointerover', prefetch)
  document.addEventListener('focusin', prefetch)
  addEventListener('popstate', () => {
    if (pathOf(location) !== currentPath) void navigate(new URL(location.href), false)
    else if (hasNavigated && targetOf(location) === null)
      scrollTo({ top: scrollPositions.get(scrollKeyOf()) ?? 0, behavior: 'instant' })
  })
  const saveScrollPosition = (): void => {
    // While a navigation is pending the URL may already be that of the next page.
    if (pending === undefined) scrollPositions.set(scrollKeyOf(), scrollY)
  }
  addEventListener('scroll', saveScrollPosition, { passive: true })
  // The browser restores the scroll position of reloaded documents.
  addEventListener('pagehide', () => (history.scrollRestoration = 'auto'))
  addEventListener('pageshow', () => {
    if (hasNavigated) history.scrollRestoration = 'manual'
  })
}

/** Returns the URL of a link that may be a compatible page. */
function linkTargetOf({ target }: Event): URL | undefined {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  if (link === null || link.target !== '' || link.matches('[download], [data-search-for]')) return undefined
  const to = new URL(link.href)
  // Not API paths, files, or the page itself.
  if (to.origin !== location.origin || to.pathname.includes('~octavo/') || to.search !== '') return undefined
  if (/\.\w+$/.test(to.pathname) || pathOf(to) === pathOf(location)) return undefined
  return to
}

const pathOf = ({ pathname, search }: URL | Location): string => pathname + search

/** Returns everything in which compatible pages are equal; undefined for one with further scripts, or an incomplete one. */
function compatibilityKeyOf({ documentElement, head, body }: Document, url: string): string | undefined {
  const scripts = head.querySelectorAll('script[src]')
  if (scripts.length !== 1 || head.querySelector('base') || !body.querySelector('#octavo-content'))
    return undefined
  const persistent = 'link[rel=stylesheet]:not([data-part]), script[src]'
  const addresses = [...head.querySelectorAll(persistent)].map((one) => {
    return new URL((one.getAttribute('href') ?? one.getAttribute('src'))!, url).href
  })
  const names = ['lang', 'dir', 'data-toggleable', 'data-corners']
  return JSON.stringify([names.map((name) => documentElement.getAttribute(name)), addresses])
}

/** Resolves when the additional style sheet of a page is loaded. */
let partLoaded: Promise<void> | undefined

/** Loads the style sheet of rare blocks, if the page has some; it stays for the following pages. */
async function addPart({ head }: Document, url: string): Promise<void> {
  const part = head.querySelector('[data-part]')
  if (part === null) return
  const { href } = new URL(part.getAttribute('href')!, url)
  const existing = document.head.querySelector<HTMLLinkElement>('[data-part]')
  if (existing === null) {
    const first = document.head.querySelector('link[rel=stylesheet]')!
    partLoaded = addStyles(href, (link) => {
      link.dataset['part'] = ''
      first.after(link)
    })
  } else if (existing.href !== href) throw new Error(href)
  return partLoaded
}

function targetOf({ hash }: Location): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)))
  } catch {
    return null
  }
}

/** Announces the title to screen readers, as a browser does for a new document. */
function announce(title: string): void {
  const status = document.createElement('p')
  status.className = 'unseen'
  status.setAttribute('role', 'status')
  document.body.append(status)
  // Screen readers do not announce initial content.
  setTimeout(() => (status.textContent = title), progressDelay)
}
