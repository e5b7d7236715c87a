/**
 * Analytics beacons for page views and external links, and the feedback form; nothing is stored in the browser.
 */
import { word } from './words.js'

/** Referrer of this document; empty after client-side navigation. */
let { referrer } = document

/** Sends a page view; prefetched pages run no scripts. */
export function countView(): void {
  const from = URL.canParse(referrer) ? new URL(referrer).host : ''
  referrer = ''
  sendBeacon({ referrer: from === location.host ? '' : from })
}

/** Sends clicks on links to other hosts, with the position of the link. */
export function countLinks(): void {
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
    if (link === null || !link.protocol.startsWith('http') || link.host === location.host) return
    const positions = ['announcement', 'header', 'footer', 'navigation']
    const position = positions.find((name) => link.closest(`.${name}`)) ?? 'content'
    sendBeacon({ link: link.host, position: position === 'navigation' ? 'sidebar' : position })
  })
}

function sendBeacon(what: Record<string, string>): void {
  const url = document.querySelector<HTMLElement>('[data-view]')?.dataset['view']
  if (url !== undefined) navigator.sendBeacon(url, new URLSearchParams(what))
}

/** Submits the forms, and replaces each with the response. */
export function startFeedback(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (!form.matches('[data-feedback]')) return
    event.preventDefault()
    send(form, new FormData(form, event.submitter)).catch(() => {
      const failed = document.createElement('p')
      failed.setAttribute('role', 'alert')
      failed.textContent = word('notSent')
      form.querySelector('[role=alert]')?.remove()
      form.append(failed)
    })
  })
}

async function send(form: HTMLFormElement, formData: FormData): Promise<void> {
  const body = new URLSearchParams([...formData].map(([name, value]) => [name, String(value)]))
  const answer = await fetch(form.action, { method: 'POST', body })
  const parsed = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const next = parsed.querySelector<HTMLElement>('.feedback')
  if (!answer.ok || next === null) throw new Error(String(answer.status))
  form.replaceWith(next)
  // Screen readers announce the new form through its focus.
  ;(next.matches('[tabindex]') ? next : next.querySelector<HTMLElement>('[tabindex]'))?.focus()
}
