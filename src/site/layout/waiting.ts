/** The page that is shown while something is made: it says how far it is, and asks again by itself. */
import { html } from '../html.js'
import { doorFrame } from './sign-in.js'
import type { SiteView } from './view.js'

export interface Waited {
  readonly title: string
  readonly done: number
  readonly total: number
}

/** Seconds until a browser asks again; without a script, because there is none that could be missing. */
const again = 2

export function waitingPage(site: SiteView, { title, done, total }: Waited): string {
  return doorFrame(site, title, [
    html`<meta http-equiv="refresh" content="${String(again)}">`,
    html`<h1>${title}</h1>`,
    html`<p class="door-note" role="status">${done === 0 ? 'The PDF waits for its turn.' : `The PDF is being made: ${Math.floor((100 * done) / Math.max(total, 1))}%.`}</p>`,
    html`<p><progress max="${String(Math.max(total, 1))}" value="${String(done)}"></progress></p>`,
    html`<p class="door-hint">This page opens it as soon as it is there.</p>`,
  ])
}
