/** Progress page of a PDF that is being generated: shows the percentage, and refreshes itself. */
import { html } from '../html.js'
import { fill, wordsIn } from '../words/words.js'
import { narrowPage } from './narrow-page.js'
import type { SiteView } from './view.js'

export interface ProgressView {
  readonly title: string
  readonly done: number
  readonly total: number
}

/** Seconds between refreshes, by a meta element: works without scripts. */
const refreshSeconds = 2

export function progressPage(site: SiteView, { title, done, total }: ProgressView): string {
  const words = wordsIn(site.language)
  const percent = Math.floor((100 * done) / Math.max(total, 1))
  return narrowPage(site, title, [
    html`<meta http-equiv="refresh" content="${String(refreshSeconds)}">`,
    html`<h1>${title}</h1>`,
    html`<p class="door-note" role="status">${done === 0 ? words.pdfWaits : fill(words.pdfProgress, percent)}</p>`,
    html`<p><progress max="${String(Math.max(total, 1))}" value="${String(done)}"></progress></p>`,
    html`<p class="door-hint">${words.pdfOpensItself}</p>`,
  ])
}
