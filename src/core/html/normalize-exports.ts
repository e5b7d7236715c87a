/** The ways of the programs that people export from: each is looked for by the words that its pages have, then put right. */
import type { Mark } from '../document/types.js'
import { settleConfluence } from './confluence.js'
import { settleGoogle } from './google.js'
import { measure } from './measure.js'
import type { HtmlElement } from './nodes.js'
import { findNotionPage, joinLists, settleNotion } from './notion.js'
import { type Changes, applyChanges } from './rewrite.js'

/** Puts a document right, which was read from `html`. */
export function settleExports(
  document: HtmlElement,
  html: string,
  styles: ReadonlyMap<string, readonly Mark[]>,
  lose: (what: string) => void,
): void {
  const changes: Changes = new Map()
  const page = html.includes('page-body') ? findNotionPage(document) : undefined
  if (/confluence|panelMacro|wiki-content/i.test(html)) settleConfluence(document, changes, lose)
  if (/doc-content|lst-kix_|cmnt_ref|www\.google\.com\/url\?q=/.test(html))
    settleGoogle(document, styles, changes, lose)
  if (page) settleNotion(page, changes, lose)
  if (changes.size === 0 && page === undefined) return
  applyChanges(document, changes)
  if (page) joinLists(page)
  measure(document)
}
