/**
 * Footnotes: a small link to a part of the same page that is known to be a note. What a note says is read once, where
 * it is first referred to, and left out where it stands.
 */
import { type HtmlElement, classesOf, descendants, valueOf, wordsOf } from './nodes.js'
import type { HtmlReader, Note } from './reader.js'

/** Of the address that a reference leads to. */
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

/** Returns the element that holds the note which a link refers to; undefined when it is no such link. */
export function findNote(reader: HtmlReader, a: HtmlElement): HtmlElement | undefined {
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
  const known = reader.notes.has(target) ? target : noteAround(target)
  // A reference that stands in its own note leads back.
  if (known === undefined) return undefined
  for (let outer = a.parent; outer; outer = outer.parent) if (outer === known) return undefined
  return known
}

/** The whole note of the element that an address names: an item of a list, a paragraph, a row. */
function noteAround(target: HtmlElement): HtmlElement | undefined {
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
    // Each is looked for among all.
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

/** Returns the note, which is read when the page is. */
export function takeNote(reader: HtmlReader, note: HtmlElement): Note {
  const known = reader.notes.get(note)
  if (known !== undefined) return known
  const taken: Note = { identifier: String(reader.notes.size + 1), body: [] }
  reader.notes.set(note, taken)
  reader.passedOver.add(note)
  return taken
}

/** Reads what the notes say, which may refer to further ones. */
export function readNotes(reader: HtmlReader): void {
  for (const [element, { body }] of reader.notes) {
    for (const one of descendants(element)) if (isBackLink(one)) reader.passedOver.add(one)
    for (const block of reader.blocks(element.children)) body.push(block)
  }
}

/** A link from a note to where it is referred to: an arrow, a number, a letter. */
function isBackLink(element: HtmlElement): boolean {
  if (element.name !== 'a' || !element.attributes.get('href')?.startsWith('#')) return false
  return (
    valueOf(element, 'role') === 'doc-backlink' ||
    classesOf(element).some((name) => name.includes('back')) ||
    /^[^\p{L}]{0,6}$|^\p{L}$/u.test(wordsOf(element))
  )
}
