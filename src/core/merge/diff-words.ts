/**
 * Word diff of two texts: unchanged, added and removed parts in reading order, the removed before the added.
 * Linear: past its budget a part is replaced as a whole.
 */
import { internTexts, matchSequences } from './lcs.js'

export interface DiffPart {
  readonly change: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Words, runs of blanks, and single marks; scripts without blanks between words are split into characters. */
export const wordTokens =
  /\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{N}\p{M}_])+|[^]/gu

/** Returns the parts of both texts in order; those not added spell `before`, those not removed spell `after`. */
export function diffWords(before: string, after: string, budget: { work: number }): DiffPart[] {
  const [beforeTokens, afterTokens] = [before.match(wordTokens) ?? [], after.match(wordTokens) ?? []]
  const [a, b] = internTexts(beforeTokens, afterTokens)
  const partner = matchSequences(a!, b!, budget)
  const builder = new DiffPartBuilder()
  let at = 0
  for (const [index, token] of beforeTokens.entries()) {
    const match = partner[index]!
    if (match < 0) {
      builder.put('removed', token)
      continue
    }
    for (; at < match; at++) builder.put('added', afterTokens[at]!)
    builder.put('same', token)
    at = match + 1
  }
  for (; at < afterTokens.length; at++) builder.put('added', afterTokens[at]!)
  return builder.parts()
}

/** Collects parts, joining neighbours of the same kind. */
class DiffPartBuilder {
  private readonly found: DiffPart[] = []
  private removed: string[] = []
  private added: string[] = []
  private same: string[] = []

  put(change: DiffPart['change'], token: string): void {
    if (change === 'same') {
      this.same.push(token)
      return
    }
    if (this.same.length > 0) this.closeCommonRun()
    ;(change === 'removed' ? this.removed : this.added).push(token)
  }

  parts(): DiffPart[] {
    this.closeChange()
    this.push('same', this.same)
    return this.found
  }

  /** Blanks between two changes belong to both: words that changed beside each other read as one change. */
  private closeCommonRun(): void {
    const isBlank = this.same.length === 1 && this.same[0]!.trim() === ''
    if (isBlank && this.removed.length > 0 && this.added.length > 0) {
      this.removed.push(this.same[0]!)
      this.added.push(this.same[0]!)
    } else {
      this.closeChange()
      this.push('same', this.same)
    }
    this.same = []
  }

  /** Ends the current change. Trailing blanks that both sides have count as unchanged. */
  private closeChange(): void {
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

  private push(change: DiffPart['change'], parts: readonly string[]): void {
    if (parts.length === 0) return
    const last = this.found.at(-1)
    if (last?.change === change)
      this.found[this.found.length - 1] = { change, text: last.text + parts.join('') }
    else this.found.push({ change, text: parts.join('') })
  }
}
