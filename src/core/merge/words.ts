/**
 * What changed between two wordings, as a row of pieces that reads through: the ones that stayed, what came, what went.
 * Of each pair of neighbours that changed, what went stands first. Linear: past its allowance a piece is replaced whole.
 */
import { internTexts, matchSequences } from './lcs.js'

export interface Piece {
  readonly change: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Words, runs of blanks, and single marks; scripts that set no blanks between words are read by character. */
const tokens =
  /\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{N}\p{M}_])+|[^]/gu

/** Returns the pieces of both wordings in order; those that are not added spell `before`, those that are not removed `after`. */
export function diffWords(before: string, after: string, allowance: { work: number }): Piece[] {
  const [was, is] = [before.match(tokens) ?? [], after.match(tokens) ?? []]
  const [a, b] = internTexts(was, is)
  const partner = matchSequences(a!, b!, allowance)
  const row = new Row()
  let at = 0
  for (const [index, token] of was.entries()) {
    const there = partner[index]!
    if (there < 0) {
      row.put('removed', token)
      continue
    }
    for (; at < there; at++) row.put('added', is[at]!)
    row.put('same', token)
    at = there + 1
  }
  for (; at < is.length; at++) row.put('added', is[at]!)
  return row.pieces()
}

/** Pieces as they come, joined with their like. */
class Row {
  private readonly found: Piece[] = []
  private removed: string[] = []
  private added: string[] = []
  private same: string[] = []

  put(change: Piece['change'], token: string): void {
    if (change === 'same') {
      this.same.push(token)
      return
    }
    if (this.same.length > 0) this.keep()
    ;(change === 'removed' ? this.removed : this.added).push(token)
  }

  pieces(): Piece[] {
    this.end()
    this.push('same', this.same)
    return this.found
  }

  /** Blanks between two changes belong to both: words that changed beside each other read as one change. */
  private keep(): void {
    const isBlank = this.same.length === 1 && this.same[0]!.trim() === ''
    if (isBlank && this.removed.length > 0 && this.added.length > 0) {
      this.removed.push(this.same[0]!)
      this.added.push(this.same[0]!)
    } else {
      this.end()
      this.push('same', this.same)
    }
    this.same = []
  }

  /** What changed until here. Trailing blanks that both sides have stay the same. */
  private end(): void {
    const [removed, added] = [this.removed, this.added]
    const isShared = removed.length > 0 && added.length > 0 && removed.at(-1) === added.at(-1)
    const shared = isShared && removed.at(-1)!.trim() === '' ? [removed.pop()!] : []
    if (shared.length > 0) added.pop()
    this.push('removed', removed)
    this.push('added', added)
    this.push('same', shared)
    this.removed = []
    this.added = []
  }

  private push(change: Piece['change'], parts: readonly string[]): void {
    if (parts.length === 0) return
    const last = this.found.at(-1)
    if (last?.change === change)
      this.found[this.found.length - 1] = { change, text: last.text + parts.join('') }
    else this.found.push({ change, text: parts.join('') })
  }
}
