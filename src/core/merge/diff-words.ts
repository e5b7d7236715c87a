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
  return diffTokens(beforeTokens, afterTokens, (token) => token, budget).map(({ change, tokens }) => ({
    change,
    text: tokens.join(''),
  }))
}

/** Neighbouring tokens of one kind; of unchanged ones those of the later sequence. */
export interface TokenRun<Token> {
  readonly change: DiffPart['change']
  readonly tokens: readonly Token[]
}

/** Does the same for any tokens: two with the same key are equal, one whose key is white space is a blank. */
export function diffTokens<Token>(
  before: readonly Token[],
  after: readonly Token[],
  keyOf: (token: Token) => string,
  budget: { work: number },
): TokenRun<Token>[] {
  const [a, b] = internTexts(before.map(keyOf), after.map(keyOf))
  const partner = matchSequences(a!, b!, budget)
  const builder = new RunBuilder(keyOf)
  let at = 0
  for (const [index, token] of before.entries()) {
    const match = partner[index]!
    if (match < 0) {
      builder.remove(token)
      continue
    }
    for (; at < match; at++) builder.add(after[at]!)
    builder.keep(token, after[match]!)
    at = match + 1
  }
  for (; at < after.length; at++) builder.add(after[at]!)
  return builder.runs()
}

interface Pair<Token> {
  readonly before: Token
  readonly after: Token
}

/** Collects runs, joining neighbours of the same kind. */
class RunBuilder<Token> {
  private readonly found: { change: DiffPart['change']; tokens: Token[] }[] = []
  private removed: Token[] = []
  private added: Token[] = []
  private same: Pair<Token>[] = []

  constructor(private readonly keyOf: (token: Token) => string) {}

  keep(before: Token, after: Token): void {
    this.same.push({ before, after })
  }

  add(token: Token): void {
    if (this.same.length > 0) this.closeCommonRun()
    this.added.push(token)
  }

  remove(token: Token): void {
    if (this.same.length > 0) this.closeCommonRun()
    this.removed.push(token)
  }

  runs(): TokenRun<Token>[] {
    this.closeChange()
    this.pushSame(this.same)
    return this.found
  }

  /** Blanks between two changes belong to both: words that changed beside each other read as one change. */
  private closeCommonRun(): void {
    const [first] = this.same
    const isBlank = this.same.length === 1 && this.keyOf(first!.after).trim() === ''
    if (isBlank && this.removed.length > 0 && this.added.length > 0) {
      this.removed.push(first!.before)
      this.added.push(first!.after)
    } else {
      this.closeChange()
      this.pushSame(this.same)
    }
    this.same = []
  }

  /** Ends the current change. Trailing blanks that both sides have count as unchanged. */
  private closeChange(): void {
    const [before, after] = [this.removed.at(-1), this.added.at(-1)]
    const isShared =
      before !== undefined &&
      after !== undefined &&
      this.keyOf(before) === this.keyOf(after) &&
      this.keyOf(before).trim() === ''
    if (isShared) {
      this.removed.pop()
      this.added.pop()
    }
    this.push('removed', this.removed)
    this.push('added', this.added)
    if (isShared) this.push('same', [after])
    this.removed = []
    this.added = []
  }

  private pushSame(pairs: readonly Pair<Token>[]): void {
    this.push(
      'same',
      pairs.map(({ after }) => after),
    )
  }

  private push(change: DiffPart['change'], tokens: readonly Token[]): void {
    if (tokens.length === 0) return
    const last = this.found.at(-1)
    if (last?.change === change) for (const token of tokens) last.tokens.push(token)
    else this.found.push({ change, tokens: [...tokens] })
  }
}
