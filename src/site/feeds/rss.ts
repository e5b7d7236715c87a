/** `<page>/rss.xml`: the updates of a page as an RSS 2.0 feed. */
import { type UpdateEntry, readUpdates } from '../../core/document/updates.js'
import { parsePage } from '../../core/markdown/parse.js'
import { encodeText } from '../blocks/safe-url.js'
import { formatDate } from '../blocks/updates.js'
import { escapeHtml } from '../html.js'
import { readUpdatesInWorker } from '../pages/page-tasks.js'
import { type VisibleContent, readVisibleTexts } from '../pages/content.js'
import { maxInlineLength } from '../pages/load-page.js'
import type { ReadablePage } from '../routing/destination.js'
import { singleLine } from './markdown-link.js'

/** Updates in the feed, the first of the page. */
const maxUpdates = 100
/** Characters of an update in the feed; the rest is on the page. */
const maxUpdateLength = 4_000

export interface Rss {
  readonly text: string
  /** False when a later result may be more complete: the server was busy. */
  readonly isFinal: boolean
}

/** Returns the XML; undefined for a page without updates. */
export async function readRss(visible: VisibleContent, page: ReadablePage): Promise<Rss | undefined> {
  if (page.type !== 'document' || page.text === undefined) return undefined
  const [text] = await readVisibleTexts(visible, page, [page.text])
  const { updates, isFinal } =
    text!.length <= maxInlineLength
      ? { updates: readUpdates(parsePage(text!).document), isFinal: true }
      : await readUpdatesInWorker(visible, page, text!)
  return updates && { text: formatRss(visible, page, updates.slice(0, maxUpdates)), isFinal }
}

function formatRss(visible: VisibleContent, page: ReadablePage, updates: readonly UpdateEntry[]): string {
  const { linker, site, variant } = visible
  const address = linker.canonical(page)
  const language = variant.language ?? site.customization.internationalization.locale
  const description = page.type === 'document' ? page.description : undefined
  const newest = Math.max(...updates.map(({ date }) => timeOf(date) ?? 0))
  const lines = [
    element('title', `${page.title} | ${site.customization.title ?? site.title}`),
    element('link', address),
    element('description', description ?? page.title),
    element('language', language),
    `<atom:link rel="self" type="application/rss+xml" href="${escapeXml(linker.absolute(linker.rss(page)))}"/>`,
    ...(newest > 0 ? [element('lastBuildDate', new Date(newest).toUTCString())] : []),
    ...updates.map((update) => formatUpdate(update, address, language)),
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
${lines.join('\n')}
</channel>
</rss>
`
}

function formatUpdate(
  { anchor, date, tags, title, text }: UpdateEntry,
  address: string,
  language: string,
): string {
  const link = `${address}#${encodeText(anchor)}`
  const time = timeOf(date)
  const paragraphs = text
    .slice(0, maxUpdateLength)
    .split('\n')
    .map((line) => `<p>${escapeHtml(line)}</p>`)
  const lines = [
    element('title', title ?? formatDate(date, 'full', language)),
    element('link', link),
    `<guid isPermaLink="true">${escapeXml(link)}</guid>`,
    ...(time === undefined ? [] : [element('pubDate', new Date(time).toUTCString())]),
    ...tags.map((tag) => element('category', tag)),
    ...(text === '' ? [] : [`<description>${escapeXml(paragraphs.join(''))}</description>`]),
  ]
  return `<item>\n${lines.join('\n')}\n</item>`
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(singleLine(text))}</${name}>`
}

/** The start of a calendar day, in milliseconds since 1970. */
function timeOf(date: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined
  const time = Date.parse(date)
  return Number.isNaN(time) ? undefined : time
}

/** Escaped text without the characters that XML 1.0 forbids even as references. */
function escapeXml(text: string): string {
  return escapeHtml(text.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, ''))
}
