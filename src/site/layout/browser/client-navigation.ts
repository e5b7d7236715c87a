/**
 * From page to page without a new document: the next page is fetched, and its body put in the place of this one's.
 *
 * A link that the pointer rests on is fetched before the click. Whatever is not a page just like this one (another
 * look, language or version of the program, a program of its own, an answer that is no page) is opened by the browser
 * as ever, and so is everything when the fetching fails.
 */
import { addStyles } from './lazy-assets.js'
import { readStored } from './storage.js'

/** Milliseconds: under the pointer before a page is fetched, for which that is kept, and without a sign of progress. */
const [hoverDelay, prefetchLifetime, progressDelay] = [100, 10_000, 200]

interface FetchedPage {
  readonly document: Document
  /** Where it stands, which the address that was asked for may have led on to. */
  readonly url: string
}

/** Brings the page to life by `start`, and each that comes in its place; the signal ends what the one before began. */
export function startClientNavigation(start: (left: AbortSignal) => void): void {
  const root = document.documentElement
  const compatibilityKey = compatibilityKeyOf(document, location.href)
  let pageLifetime = new AbortController()
  start(pageLifetime.signal)
  // Beside programs of a page, or of others, nobody may take its body away.
  if (compatibilityKey === undefined) return

  const { theme } = root.dataset
  let prefetched: { href: string; at: number; page: Promise<FetchedPage> } | undefined
  /** Addresses of what is no page like this one. */
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
    // Who chose colours has them on every page.
    const isColored = readStored('theme') !== null || page.documentElement.dataset['theme'] === theme
    if (!isColored || compatibilityKeyOf(page, url) !== compatibilityKey) throw new Error(href)
    await addPart(page, url)
    return { document: page, url }
  }

  /** Shows the page of an address, which is new or was gone to by the history already. */
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
    // By the browser itself, so that what is styled as the target is the target.
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
    // A finger only passes by.
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
    // While the next page is on its way the address may be that of the next one already.
    if (pending === undefined) scrollPositions.set(scrollKeyOf(), scrollY)
  }
  addEventListener('scroll', saveScrollPosition, { passive: true })
  // A document that is opened anew is put in its place by the browser.
  addEventListener('pagehide', () => (history.scrollRestoration = 'auto'))
  addEventListener('pageshow', () => {
    if (hasNavigated) history.scrollRestoration = 'manual'
  })
}

/** Returns where a link leads that may lead to a page like this one. */
function linkTargetOf({ target }: Event): URL | undefined {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  if (link === null || link.target !== '' || link.matches('[download], [data-search-for]')) return undefined
  const to = new URL(link.href)
  // What is for programs, files, and the page itself are none of our business.
  if (to.origin !== location.origin || to.pathname.includes('~octavo/') || to.search !== '') return undefined
  if (/\.\w+$/.test(to.pathname) || pathOf(to) === pathOf(location)) return undefined
  return to
}

const pathOf = ({ pathname, search }: URL | Location): string => pathname + search

/** Everything in which pages must be the same; undefined for one that has programs of its own, or is not whole. */
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

/** Resolves when the sheet is there that a page brought. */
let partLoaded: Promise<void> | undefined

/** Brings the sheet for blocks that few pages have, where the page has some; it stays for those that come after. */
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

/** Has the title of the page read out, as a browser does with a new document. */
function announce(title: string): void {
  const status = document.createElement('p')
  status.className = 'unseen'
  status.setAttribute('role', 'status')
  document.body.append(status)
  // What is there from the beginning is not news.
  setTimeout(() => (status.textContent = title), progressDelay)
}
