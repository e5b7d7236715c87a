/**
 * Title and link title of a document. The title is the own one of the text (front matter, else its first heading), the
 * link title is the entry of the table of contents where that says something else.
 *
 * Both are stored in the record, and the entry beside them where it does not follow from them, so that an export writes
 * it as it was. Earlier records have the text of the entry as title, whatever the text says; they stay as they are until
 * their text or entry is written.
 */
import type { Description } from './describe.js'
import type { ContentsEntry, DocumentPage } from './types.js'

type TitleSource = Pick<Description, 'title' | 'metadata'>

/** Returns the title that a text has itself. */
export function ownTitle(description: TitleSource | undefined): string | undefined {
  return description?.metadata.title ?? description?.title
}

/** Returns the entry of a page; with the description of its text, without what comes from there. */
export function entryOf(page: DocumentPage, description?: TitleSource): ContentsEntry {
  if (page.contentsEntry !== undefined) return page.contentsEntry
  const { title, linkTitle } = page
  const isOwn = linkTitle === undefined || linkTitle === description?.metadata.linkTitle
  return isOwn ? { title } : { title, linkTitle }
}

/** Returns the page with the titles that follow from its entry and its text. */
export function withTitles(
  { linkTitle: _linkTitle, contentsEntry: _entry, ...page }: DocumentPage,
  entry: ContentsEntry,
  description: TitleSource | undefined,
): DocumentPage {
  const title = ownTitle(description) ?? entry.title
  const linkTitle =
    description?.metadata.linkTitle ?? entry.linkTitle ?? (entry.title === title ? undefined : entry.title)
  const isImplied = entry.title === title && entry.linkTitle === linkTitle
  return {
    ...page,
    title,
    ...(linkTitle !== undefined && { linkTitle }),
    ...(!isImplied && { contentsEntry: entry }),
  }
}

/** Returns the entry of a page whose text changes: one that equalled the title follows it, others stay. */
export function entryAfterEdit(
  page: DocumentPage,
  before: TitleSource | undefined,
  after: TitleSource,
): ContentsEntry {
  const entry = entryOf(page, before)
  const follows = entry.title === (ownTitle(before) ?? page.title)
  return follows ? { ...entry, title: ownTitle(after) ?? entry.title } : entry
}
