/**
 * Replaces words of a block in its Markdown: markup around them and between those that stay is left as it is. The result is
 * parsed and compared: an edit that would change anything but these words is none.
 */
import type { Span } from '../document/types.js'
import { type WordBlock, listWordBlocks } from './word-blocks.js'
import { diffTexts } from '../editing/diff-texts.js'
import { maskUnread, readSource } from '../editing/read-source.js'
import { type Splice, applySplices } from '../editing/splice.js'

/** Inline Markdown instead of a range of the words of a block. */
export interface WordReplacement {
  readonly range: Span
  readonly text: string
}

/** Returns the splices of the text; undefined where the words cannot be replaced without changing more. */
export function replaceWords(
  text: string,
  block: WordBlock,
  { range, text: replacement }: WordReplacement,
): readonly Splice[] | undefined {
  const { span, words } = block
  if (span === undefined) return undefined
  const source = text.slice(span.start, span.end)
  const changes = diffTexts(words.slice(range.start, range.end), replacement).map((splice): Splice => {
    return { ...splice, start: splice.start + range.start, end: splice.end + range.start }
  })
  const whole: Splice = { ...range, text: replacement }
  const before = listWordBlocks(text)
  const expected = block.isCode ? replacement : wordsOf(replacement)
  const at = before.findIndex(({ key }) => key === block.key)
  const isRemoval = replacement.trim() === '' && range.start === 0 && range.end === words.length
  if (isRemoval) return removeBlock(text, block, before, at)
  for (const place of placesOf(source, block)) {
    for (const splices of [changes, [whole]]) {
      for (const isWide of [false, true]) {
        const placed = splices.map((splice) => place(splice, isWide))
        if (placed.some((one) => one === undefined)) continue
        const moved = placed.map((one) => ({
          ...one!,
          start: one!.start + span.start,
          end: one!.end + span.start,
        }))
        if (!areOrdered(moved)) continue
        const after = listWordBlocks(applySplices(text, moved))
        if (isOnlyChange(before, after, at, { range, expected })) return moved
      }
    }
  }
  return undefined
}

/** Returns the removal of a block of the page with the blank lines behind it. */
function removeBlock(
  text: string,
  { key, span }: WordBlock,
  before: readonly WordBlock[],
  at: number,
): readonly Splice[] | undefined {
  if (key.includes('.')) return undefined
  let { end } = span!
  while (text[end] === '\n' || text[end] === '\r') end++
  const splices = [{ start: span!.start, end, text: '' }]
  const after = listWordBlocks(applySplices(text, splices))
  const left = before.toSpliced(at, 1)
  const isOnly =
    left.length === after.length && left.every(({ words }, index) => words === after[index]!.words)
  return isOnly ? splices : undefined
}

/** Ways to find the source of a range of words; a wide one takes the markup at its ends along. */
type Place = (splice: Splice, isWide: boolean) => Splice | undefined

function placesOf(source: string, { words, isCode }: WordBlock): readonly Place[] {
  if (isCode) {
    const start = source.indexOf(words)
    return start < 0
      ? []
      : [(splice) => ({ ...splice, start: splice.start + start, end: splice.end + start })]
  }
  return [maskUnread(source), source].map((masked) => {
    /** The end of the source of the words up to an offset. */
    const endOf = (offset: number) => readSource(masked, words.slice(0, offset)).length
    const startOf = (offset: number) => {
      const [character = ''] = words.slice(offset)
      return endOf(offset + character.length) - character.length
    }
    return (splice, isWide) => {
      const { start, end } = splice
      if (start === end) {
        const at = start === 0 || isWide ? startOf(start) : endOf(start)
        return { ...splice, start: at, end: at }
      }
      const lastLength = isLowSurrogate(words, end - 1) ? 2 : 1
      return isWide
        ? { ...splice, start: endOf(start), end: end === words.length ? endOf(end) : startOf(end) }
        : { ...splice, start: startOf(start), end: startOf(end - lastLength) + lastLength }
    }
  })
}

const isLowSurrogate = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text[at] ?? '')

function areOrdered(splices: readonly Splice[]): boolean {
  return splices.every(({ start, end }, at) => start <= end && start >= (splices[at - 1]?.end ?? 0))
}

/** Returns what is read of inline Markdown. */
function wordsOf(markdown: string): string {
  const [first] = listWordBlocks(`x ${markdown}`)
  return first?.words.slice(2) ?? ''
}

/** Whether two texts have the same blocks and words, except for a range of one block, which has the expected ones. */
function isOnlyChange(
  before: readonly WordBlock[],
  after: readonly WordBlock[],
  at: number,
  { range: { start, end }, expected }: { readonly range: Span; readonly expected: string },
): boolean {
  if (before.length !== after.length) return false
  return before.every((was, index) => {
    const is = after[index]!
    if (was.key !== is.key) return false
    if (index !== at) return was.words === is.words
    const rest = was.words.length - end
    return (
      is.words.length >= start + rest &&
      is.words.startsWith(was.words.slice(0, start)) &&
      is.words.endsWith(was.words.slice(end)) &&
      is.words.slice(start, is.words.length - rest).trim() === expected.trim()
    )
  })
}
