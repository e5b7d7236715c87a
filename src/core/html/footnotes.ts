/**
 * Footnotes: a superscript link to an element of the same page that is recognized as a note. A note is read once, at
 * its first reference, and omitted from its own position.
 */
import { type HtmlElement, classesOf, descendants, valueOf, wordsOf } from './nodes.js'
import type { HtmlReader, Footnote } from './reader.js'

/** Matches ids of footnotes. */
const noteId = /^(?:fn|ftnt|footnote|endnote|_{0,2}ftn|_{0,2}edn|cite_note|note-|user-content-fn)/i
const noteClasses = new Set([
  'footnote',
  'footnotes',
  'footnote-list',
  'footnote-item',
  'footnote-definition',
  'references',
  'endnotes',
])

/** Returns the element of the footnote that a link refers to; undefined when it is not a footnote reference. */
export function findFootnote(reader: HtmlReader, a: HtmlElement): HtmlElement | undefined {
  const href = valueOf(a, 'href')
  if (href === undefined || !href.startsWith('#') || href.length < 2) return undefined
  const isReference =
    a.parent?.name === 'sup' ||
    valueOf(a, 'role') === 'doc-noteref' ||
    a.children.some((child) => child.kind === 'element' && child.name === 'sup') ||
    classesOf(a).some((name) => name.startsWith('footnote') && !name.includes('back'))
  if (!isReference) return undefined
  const target = reader.ids.get(href.slice(1))
  if (target === undefined) return undefined
  const note = reader.notes.has(target) ? target : enclosingFootnote(target)
  // A link inside its own note is the back link.
  if (note === undefined) return undefined
  for (let outer = a.parent; outer; outer = outer.parent) if (outer === note) return undefined
  return note
}

/** The complete note around the linked element: a list item, a paragraph, a row. */
function enclosingFootnote(target: HtmlElement): HtmlElement | undefined {
  const isNamed = noteId.test(valueOf(target, 'id') ?? '') || valueOf(target, 'role') === 'doc-endnote'
  let isListed = isNamed
  let one: HtmlElement | undefined = target
  for (let level = 0; one && level < 4 && !isListed; level++, one = one.parent) isListed = isNote(one)
  if (!isListed) return undefined
  let whole = target
  while (
    whole.parent &&
    (whole.name === 'a' || whole.name === 'sup' || whole.name === 'span' || whole.name === 'b')
  )
    whole = whole.parent
  if (whole.name === 'dt') {
    const row = whole.parent?.children ?? []
    // The search is linear per note.
    if (row.length > 5_000) return undefined
    const next = row.slice(row.indexOf(whole) + 1).find((child) => child.kind === 'element')
    return next?.kind === 'element' ? next : undefined
  }
  return whole.name === 'body' || whole.name === 'html' || whole.name === 'main' ? undefined : whole
}

function isNote(element: HtmlElement): boolean {
  const role = valueOf(element, 'role')
  return (
    role === 'doc-endnotes' ||
    role === 'doc-footnote' ||
    role === 'note-list' ||
    classesOf(element).some((name) => noteClasses.has(name))
  )
}

/** Returns the footnote of an element; its body is read after the page. */
export function registerFootnote(reader: HtmlReader, note: HtmlElement): Footnote {
  const existing = reader.notes.get(note)
  if (existing !== undefined) return existing
  const footnote: Footnote = { identifier: String(reader.notes.size + 1), body: [] }
  reader.notes.set(note, footnote)
  reader.skipped.add(note)
  return footnote
}

/** Reads the bodies of the footnotes, which may refer to further ones. */
export function readFootnotes(reader: HtmlReader): void {
  for (const [element, { body }] of reader.notes) {
    for (const one of descendants(element)) if (isBackLink(one)) reader.skipped.add(one)
    for (const block of reader.blocks(element.children)) body.push(block)
  }
}

/** A link from a note back to its reference: an arrow, a number, a letter. */
function isBackLink(element: HtmlElement): boolean {
  if (element.name !== 'a' || !element.attributes.get('href')?.startsWith('#')) return false
  return (
    valueOf(element, 'role') === 'doc-backlink' ||
    classesOf(element).some((name) => name.includes('back')) ||
    /^[^\p{L}]{0,6}$|^\p{L}$/u.test(wordsOf(element))
  )
}
