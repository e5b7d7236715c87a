/** Changelog: updates on a timeline, each with an anchor. */
import type { Update, Updates } from '../../core/document/types.js'
import { html, type Html } from '../html.js'
import { compared } from './comparison.js'
import type { PageRenderer } from './context.js'
import { supportedLocale } from '../words/words.js'
import { encodeText } from './safe-url.js'

/** A list of articles with their dates and tags. */
export function renderUpdates(block: Updates, page: PageRenderer): Html {
  return html`<div class="updates">
    ${block.updates.map((update) => renderUpdate(update, block.format, page))}
  </div>\n`
}

function renderUpdate(update: Update, format: Updates['format'], page: PageRenderer): Html {
  const anchor = page.anchor(update.anchor)
  return html`<article class="update" id="${anchor}">
    <header>
      ${compared(
        update,
        page,
        () =>
          html`<a class="update-date" href="#${encodeText(anchor)}"><time datetime="${update.date}">${formatDate(update.date, format, page.context.language ?? 'en')}</time></a>${
            update.tags.length > 0 &&
            html`<ul class="tags" role="list">
          ${update.tags.map((tag) => html`<li>${tag}</li>`)}
        </ul>`
          }`,
      )}
    </header>
    <div class="update-body">${page.blocks(update.blocks)}</div>
  </article>\n`
}

const styles = {
  full: { year: 'numeric', month: 'long', day: 'numeric' },
  short: { year: 'numeric', month: 'short', day: 'numeric' },
  numeric: { year: 'numeric', month: '2-digit', day: '2-digit' },
} as const

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Cache of formatted days: those of one import repeat on all of its pages. */
const formattedDates = new Map<string, string>()
const maxFormattedDates = 500

/** Returns a calendar day ("2026-01-31") in the reader's language; invalid days unchanged. */
export function formatDate(date: string, format: Updates['format'], language: string): string {
  const key = `${format} ${date} ${language}`
  const cached = formattedDates.get(key)
  if (cached !== undefined) return cached
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(Date.parse(date))) return date
  const formatted = formatter(format, language).format(new Date(`${date}T00:00:00Z`))
  if (formattedDates.size >= maxFormattedDates) formattedDates.clear()
  formattedDates.set(key, formatted)
  return formatted
}

function formatter(format: Updates['format'], language: string): Intl.DateTimeFormat {
  const key = `${format} ${language}`
  const cached = formatters.get(key)
  if (cached !== undefined) return cached
  const created = new Intl.DateTimeFormat(supportedLocale(language), {
    ...styles[format],
    timeZone: 'UTC',
  })
  // A formatter costs 0.1 ms; languages are few, but their tags are user input.
  if (formatters.size < 200) formatters.set(key, created)
  return created
}
