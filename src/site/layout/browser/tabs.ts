/**
 * Tabs: turns groups of sections into tabs, after the pattern of the ARIA authoring practices.
 *
 * A hidden panel is hidden "until found": a search in the page and a link to a heading inside it open
 * its tab. The last selected title is stored, so that a reader who selected "npm" once sees "npm" again.
 */
import { readStored, writeStored } from './storage.js'

/** Activates every group of tabs. */
export function startTabs(left: AbortSignal): void {
  for (const group of document.querySelectorAll<HTMLElement>('[data-tabs]')) startGroup(group)
  const openTarget = (): void => openAround(location.hash)
  addEventListener('hashchange', openTarget, { signal: left })
  openTarget()
}

function startGroup(group: HTMLElement): void {
  const list = group.querySelector<HTMLElement>(':scope > [role=tablist]')
  if (list === null) return
  const tabs = [...list.querySelectorAll<HTMLElement>('[role=tab]')]
  tabs.forEach((tab, index) => {
    tab.addEventListener('click', () => {
      select(tabs, tab)
      writeStored('tab', titleOf(tab))
      for (const other of document.querySelectorAll<HTMLElement>('[data-tabs]')) follow(other, titleOf(tab))
    })
    tab.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1, Home: -index, End: tabs.length - 1 - index }[event.key]
      if (step === undefined) return
      event.preventDefault()
      const rightToLeft = getComputedStyle(list).direction === 'rtl' && event.key.startsWith('Arrow')
      const next = tabs[(index + (rightToLeft ? -step : step) + tabs.length) % tabs.length]
      next?.focus()
      next?.click()
    })
    panelOf(tab)?.addEventListener('beforematch', () => select(tabs, tab))
  })
  group.classList.add('ready')
  if (tabs[0] !== undefined) select(tabs, tabs[0])
  follow(group, readStored('tab'))
}

function titleOf(tab: HTMLElement): string {
  return tab.textContent?.trim() ?? ''
}

function panelOf(tab: HTMLElement): HTMLElement | null {
  return document.getElementById(tab.getAttribute('aria-controls') ?? '')
}

function select(tabs: readonly HTMLElement[], selected: HTMLElement): void {
  for (const tab of tabs) {
    const on = tab === selected
    tab.setAttribute('aria-selected', String(on))
    tab.tabIndex = on ? 0 : -1
    const panel = panelOf(tab)
    if (on) panel?.removeAttribute('hidden')
    else panel?.setAttribute('hidden', 'until-found')
  }
}

function follow(group: HTMLElement, title: string | null): void {
  const tabs = [...group.querySelectorAll<HTMLElement>(':scope > [role=tablist] > [role=tab]')]
  const same = tabs.find((tab) => titleOf(tab) === title)
  if (same !== undefined) select(tabs, same)
}

/** Opens all elements that hide the target of the fragment, from the outside in, and scrolls to it. */
function openAround(hash: string): void {
  const target = hash.length > 1 ? document.getElementById(decode(hash.slice(1))) : null
  if (target === null) return
  let opened = false
  for (let element: HTMLElement | null = target; element !== null; element = element.parentElement) {
    if (element instanceof HTMLDetailsElement && !element.open) opened = element.open = true
    if (element.getAttribute('role') === 'tabpanel' && element.hasAttribute('hidden')) {
      document.getElementById(element.getAttribute('aria-labelledby') ?? '')?.click()
      opened = true
    }
  }
  if (opened) target.scrollIntoView()
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
