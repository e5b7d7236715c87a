/**
 * Normalizes the markup of other products: detects Confluence, Google Docs and Notion in pages, and what programs copy in
 * clipboard HTML, and rewrites it to plain HTML.
 */
import type { Mark } from '../document/types.js'
import { normalizeClipboard } from './clipboard.js'
import { normalizeConfluence } from './confluence.js'
import { normalizeGoogleDocs } from './google.js'
import { measure } from './measure.js'
import type { HtmlElement } from './nodes.js'
import { findNotionPage, joinLists, normalizeNotion } from './notion.js'
import { type Replacements, applyReplacements } from './rewrite.js'

/** Normalizes a document, parsed from `html`, in place. */
export function normalizeExports(
  document: HtmlElement,
  html: string,
  styles: ReadonlyMap<string, readonly Mark[]>,
  { reportLoss, isClipboard }: { reportLoss: (what: string) => void; isClipboard: boolean },
): void {
  const changes: Replacements = new Map()
  const page = html.includes('page-body') ? findNotionPage(document) : undefined
  if (/confluence|panelMacro|wiki-content/i.test(html)) normalizeConfluence(document, changes, reportLoss)
  if (/doc-content|lst-kix_|cmnt_ref|docs-internal-guid|www\.google\.com\/url\?q=/.test(html))
    normalizeGoogleDocs(document, styles, changes, reportLoss)
  if (page) normalizeNotion(page, changes, reportLoss)
  if (isClipboard) normalizeClipboard(document, html, changes)
  if (changes.size === 0 && page === undefined) return
  applyReplacements(document, changes)
  if (page) joinLists(page)
  measure(document)
}
