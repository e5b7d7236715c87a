/** Tagged text for translators: inline codes as tags, `<g1>`…`</g1>` around words, `<x2/>` standalone. */
import { type Code, type InlinePart, wordsOf } from './inline.js'

/** Returns the line; signs of the words that could be taken for tags are entities. */
export function formatTagged(pieces: readonly InlinePart[]): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string')
        return piece.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
      if (piece.role === 'alone') return `<x${piece.id}/>`
      return piece.role === 'open' ? `<g${piece.id}>` : `</g${piece.id}>`
    })
    .join('')
}

/** Embeddings, overrides and isolates of text direction; not the marks that texts from right to left need. */
const directionControls = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * Removes the controls of text direction that the source does not have: with them a text reads otherwise than its
 * characters are, so that nobody who reviews it sees what it says.
 */
export function withoutDirectionControls(line: string, source: readonly InlinePart[]): string {
  const words = wordsOf(source)
  return line.replace(directionControls, (control) => (words.includes(control) ? control : ''))
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Parses tagged text; tags of codes that the source does not have stay words. */
export function parseTagged(line: string, source: readonly InlinePart[]): readonly InlinePart[] {
  const codes = new Map<string, Code>()
  for (const piece of source) if (typeof piece !== 'string') codes.set(formatTagged([piece]), piece)
  const pieces: InlinePart[] = []
  let words = ''
  let done = 0
  for (const { 0: found, 1: name, index } of line.matchAll(
    /<\/?[gx]\d{1,6}\s?\/?>|&(amp|lt|gt|quot|apos);/g,
  )) {
    words += line.slice(done, index)
    done = index + found.length
    const code = codes.get(found.replace(/\s/, ''))
    if (name !== undefined) words += entities[name]!
    else if (code === undefined) words += found
    else {
      if (words !== '') pieces.push(words)
      pieces.push(code)
      words = ''
    }
  }
  words += line.slice(done)
  if (words !== '') pieces.push(words)
  return pieces
}
