/** A log of updates along a line of time; each can be linked to. */
import type { Update, Updates } from '../../core/document/types.js'
import { html, type Html } from '../html.js'
import type { Rendering } from './context.js'
import { spokenBy } from '../words/words.js'
import { encodeText } from './safe-url.js'

/** A list of articles with their dates and tags. */
export function renderUpdates(block: Updates, page: Rendering): Html {
  return html`<div class="updates">
    ${block.updates.map((update) => renderUpdate(update, block.format, page))}
  </div>\n`
}

function renderUpdate(update: Update, format: Updates['format'], page: Rendering): Html {
  const anchor = page.anchor(update.anchor)
  return html`<article class="update" id="${anchor}">
    <header>
      <a class="update-date" href="#${encodeText(anchor)}"><time datetime="${update.date}">${writtenDate(update.date, format, page.context.language ?? 'en')}</time></a>${
        update.tags.length > 0 &&
        html`<ul class="tags" role="list">
          ${update.tags.map((tag) => html`<li>${tag}</li>`)}
        </ul>`
      }
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

/** Days as they were written last: those of one import stand on all of its pages. */
const writtenDays = new Map<string, string>()
const mostDays = 500

/** A calendar day ("2026-01-31") in the reader's language; as written when it is no such day. */
export function writtenDate(date: string, format: Updates['format'], language: string): string {
  const key = `${format} ${date} ${language}`
  const known = writtenDays.get(key)
  if (known !== undefined) return known
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(Date.parse(date))) return date
  const written = formatter(format, language).format(new Date(`${date}T00:00:00Z`))
  if (writtenDays.size >= mostDays) writtenDays.clear()
  writtenDays.set(key, written)
  return written
}

function formatter(format: Updates['format'], language: string): Intl.DateTimeFormat {
  const key = `${format} ${language}`
  const known = formatters.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(spokenBy(language), {
    ...styles[format],
    timeZone: 'UTC',
  })
  // A formatter costs 0.1 ms; languages are few, but their names come from people.
  if (formatters.size < 200) formatters.set(key, made)
  return made
}
