/**
 * From page to page without a new document: the next page is fetched, and its body put in the place of this one's.
 *
 * A link that the pointer rests on is fetched before the click. Whatever is not a page just like this one (another
 * look, language or version of the program, a program of its own, an answer that is no page) is opened by the browser
 * as ever, and so is everything when the fetching fails.
 */
import { addStyles } from './later.js'
import { recall } from './memory.js'

/** Milliseconds: under the pointer before a page is fetched, for which that is kept, and without a sign of progress. */
const [resting, fresh, patience] = [100, 10_000, 200]

interface Page {
  readonly document: Document
  /** Where it stands, which the address that was asked for may have led on to. */
  readonly url: string
}

/** Brings the page to life by `start`, and each that comes in its place; the signal ends what the one before began. */
export function startPages(start: (left: AbortSignal) => void): void {
  const root = document.documentElement
  const own = likenessOf(document, location.href)
  let leaving = new AbortController()
  start(leaving.signal)
  // Beside programs of a page, or of others, nobody may take its body away.
  if (own === undefined) return

  const { theme } = root.dataset
  let ahead: { href: string; at: number; page: Promise<Page> } | undefined
  /** Addresses of what is no page like this one. */
  const others = new Set<string>()
  let asking: AbortController | undefined
  let isOver = false
  let shown = pageOf(location)
  const places = new Map<string, number>()
  const entryOf = (): number => (history.state as { octavo?: number } | null)?.octavo ?? 0
  const placeOf = (): string => `${entryOf()} ${location.href}`
  let entries = entryOf()

  const read = (href: string): Promise<Page> => {
    if (ahead?.href === href && performance.now() - ahead.at < fresh) return ahead.page
    const page = load(href)
    ahead = { href, at: performance.now(), page }
    page.catch(() => others.add(href))
    return page
  }
  async function load(href: string): Promise<Page> {
    const answer = await fetch(href, { headers: { accept: 'text/html' } })
    const { status, url } = answer
    if (status !== 200 || !answer.headers.get('content-type')?.startsWith('text/html')) throw new Error(href)
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    // Who chose colours has them on every page.
    const isColored = recall('theme') !== null || page.documentElement.dataset['theme'] === theme
    if (!isColored || likenessOf(page, url) !== own) throw new Error(href)
    await addPart(page, url)
    return { document: page, url }
  }

  /** Shows the page of an address, which is new or was gone to by the history already. */
  async function go(to: URL, isNew: boolean): Promise<void> {
    asking?.abort()
    const turn = (asking = new AbortController())
    const slow = setTimeout(() => root.classList.add('loading'), patience)
    try {
      const page = await read(to.origin + pageOf(to))
      if (turn.signal.aborted) return
      if (isNew) {
        const at = new URL(page.url)
        at.hash ||= to.hash
        history.scrollRestoration = 'manual'
        isOver = true
        history.pushState({ octavo: ++entries }, '', at)
      }
      ahead = undefined
      show(page.document)
    } catch {
      if (turn.signal.aborted) return
      if (isNew) location.assign(to)
      else location.reload()
    } finally {
      clearTimeout(slow)
      if (asking === turn) {
        asking = undefined
        root.classList.remove('loading')
      }
    }
  }

  function show(page: Document): void {
    leaving.abort()
    leaving = new AbortController()
    shown = pageOf(location)
    root.classList.remove('drawer-open')
    const lasting = 'meta[charset], script, link[rel=stylesheet]'
    for (const one of document.head.querySelectorAll(`:scope > :not(${lasting})`)) one.remove()
    document.head.append(...page.head.querySelectorAll(`:scope > :not(${lasting})`))
    document.body.replaceWith(page.body)
    start(leaving.signal)
    const place = places.get(placeOf())
    // By the browser itself, so that what is styled as the target is the target.
    if (place === undefined && targetOf(location) !== null) location.replace(location.hash)
    else {
      scrollTo({ top: place ?? 0, behavior: 'instant' })
      document.getElementById('octavo-content')!.focus({ preventScroll: true })
    }
    tell(document.title)
  }

  document.addEventListener('click', (event) => {
    const to = leadOf(event)
    if (to === undefined || others.has(to.origin + pageOf(to)) || event.defaultPrevented) return
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void go(to, true)
  })
  let timer = 0
  const look = (event: Event): void => {
    clearTimeout(timer)
    const to = leadOf(event)
    // A finger only passes by.
    if (to === undefined || (event as PointerEvent).pointerType === 'touch') return
    const href = to.origin + pageOf(to)
    if (!others.has(href)) timer = window.setTimeout(() => void read(href).catch(() => {}), resting)
  }
  document.addEventListener('pointerover', look)
  document.addEventListener('focusin', look)
  addEventListener('popstate', () => {
    if (pageOf(location) !== shown) void go(new URL(location.href), false)
    else if (isOver && targetOf(location) === null)
      scrollTo({ top: places.get(placeOf()) ?? 0, behavior: 'instant' })
  })
  const keepPlace = (): void => {
    // While the next page is on its way the address may be that of the next one already.
    if (asking === undefined) places.set(placeOf(), scrollY)
  }
  addEventListener('scroll', keepPlace, { passive: true })
  // A document that is opened anew is put in its place by the browser.
  addEventListener('pagehide', () => (history.scrollRestoration = 'auto'))
  addEventListener('pageshow', () => {
    if (isOver) history.scrollRestoration = 'manual'
  })
}

/** Returns where a link leads that may lead to a page like this one. */
function leadOf({ target }: Event): URL | undefined {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  if (link === null || link.target !== '' || link.matches('[download], [data-search-for]')) return undefined
  const to = new URL(link.href)
  // What is for programs, files, and the page itself are none of our business.
  if (to.origin !== location.origin || to.pathname.includes('~octavo/') || to.search !== '') return undefined
  if (/\.\w+$/.test(to.pathname) || pageOf(to) === pageOf(location)) return undefined
  return to
}

const pageOf = ({ pathname, search }: URL | Location): string => pathname + search

/** Everything in which pages must be the same; undefined for one that has programs of its own, or is not whole. */
function likenessOf({ documentElement, head, body }: Document, url: string): string | undefined {
  const scripts = head.querySelectorAll('script[src]')
  if (scripts.length !== 1 || head.querySelector('base') || !body.querySelector('#octavo-content'))
    return undefined
  const lasting = 'link[rel=stylesheet]:not([data-part]), script[src]'
  const addresses = [...head.querySelectorAll(lasting)].map((one) => {
    return new URL((one.getAttribute('href') ?? one.getAttribute('src'))!, url).href
  })
  const names = ['lang', 'dir', 'data-toggleable', 'data-corners']
  return JSON.stringify([names.map((name) => documentElement.getAttribute(name)), addresses])
}

/** Resolves when the sheet is there that a page brought. */
let arriving: Promise<void> | undefined

/** Brings the sheet for blocks that few pages have, where the page has some; it stays for those that come after. */
async function addPart({ head }: Document, url: string): Promise<void> {
  const part = head.querySelector('[data-part]')
  if (part === null) return
  const { href } = new URL(part.getAttribute('href')!, url)
  const there = document.head.querySelector<HTMLLinkElement>('[data-part]')
  if (there === null) {
    const first = document.head.querySelector('link[rel=stylesheet]')!
    arriving = addStyles(href, (link) => {
      link.dataset['part'] = ''
      first.after(link)
    })
  } else if (there.href !== href) throw new Error(href)
  return arriving
}

function targetOf({ hash }: Location): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)))
  } catch {
    return null
  }
}

/** Has the title of the page read out, as a browser does with a new document. */
function tell(title: string): void {
  const status = document.createElement('p')
  status.className = 'unseen'
  status.setAttribute('role', 'status')
  document.body.append(status)
  // What is there from the beginning is not news.
  setTimeout(() => (status.textContent = title), patience)
}
