/** `<page>/rss.xml`: the updates of a page, for programs that tell people of new ones. RSS 2.0. */
import { type ToldUpdate, readUpdates } from '../../core/document/updates.js'
import { parsePage } from '../../core/markdown/parse.js'
import { encodeText } from '../blocks/safe-url.js'
import { writtenDate } from '../blocks/updates.js'
import { escapeHtml } from '../html.js'
import { askUpdates } from '../pages/ask-page.js'
import { type ShownContent, readOpenTexts } from '../pages/content.js'
import { longestAtOnce } from '../pages/load.js'
import type { ReadablePage } from '../routing/destination.js'
import { oneLine } from './markdown-link.js'

/** Updates that are told, the first of the page. */
const mostTold = 100
/** Characters of one that are told; the rest is read on the page. */
const longestTold = 4_000

export interface Rss {
  readonly text: string
  /** False when another time there may be more to tell: too much was going on. */
  readonly isFinal: boolean
}

/** Returns the XML; undefined for a page without updates. */
export async function readRss(shown: ShownContent, page: ReadablePage): Promise<Rss | undefined> {
  if (page.type !== 'document' || page.text === undefined) return undefined
  const [text] = await readOpenTexts(shown, page, [page.text])
  const { updates, isFinal } =
    text!.length <= longestAtOnce
      ? { updates: readUpdates(parsePage(text!).document), isFinal: true }
      : await askUpdates(shown, page, text!)
  return updates && { text: formatRss(shown, page, updates.slice(0, mostTold)), isFinal }
}

function formatRss(shown: ShownContent, page: ReadablePage, updates: readonly ToldUpdate[]): string {
  const { linker, site, variant } = shown
  const address = linker.canonical(page)
  const language = variant.language ?? site.customization.internationalization.locale
  const description = page.type === 'document' ? page.description : undefined
  const newest = Math.max(...updates.map(({ date }) => timeOf(date) ?? 0))
  const lines = [
    element('title', `${page.title} | ${site.customization.title ?? site.title}`),
    element('link', address),
    element('description', description ?? page.title),
    element('language', language),
    `<atom:link rel="self" type="application/rss+xml" href="${clean(linker.absolute(linker.rss(page)))}"/>`,
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
  { anchor, date, tags, title, text }: ToldUpdate,
  address: string,
  language: string,
): string {
  const link = `${address}#${encodeText(anchor)}`
  const time = timeOf(date)
  const paragraphs = text
    .slice(0, longestTold)
    .split('\n')
    .map((line) => `<p>${escapeHtml(line)}</p>`)
  const lines = [
    element('title', title ?? writtenDate(date, 'full', language)),
    element('link', link),
    `<guid isPermaLink="true">${clean(link)}</guid>`,
    ...(time === undefined ? [] : [element('pubDate', new Date(time).toUTCString())]),
    ...tags.map((tag) => element('category', tag)),
    ...(text === '' ? [] : [`<description>${clean(paragraphs.join(''))}</description>`]),
  ]
  return `<item>\n${lines.join('\n')}\n</item>`
}

function element(name: string, text: string): string {
  return `<${name}>${clean(oneLine(text))}</${name}>`
}

/** The beginning of a calendar day, in milliseconds since 1970. */
function timeOf(date: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined
  const time = Date.parse(date)
  return Number.isNaN(time) ? undefined : time
}

/** Text as XML can hold it: some characters of people's texts have no place there, however they are written. */
function clean(text: string): string {
  return escapeHtml(text.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, ''))
}
