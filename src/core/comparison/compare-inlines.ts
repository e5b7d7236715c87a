/**
 * Word diff of formatted text: the inlines of both versions in one row, those of one version alone marked. Words are equal
 * when they also look the same and lead to the same place.
 */
import type { Inline, Link, Mark, Text } from '../document/types.js'
import { type DiffPart, type TokenRun, diffTokens, wordTokens } from '../merge/diff-words.js'
import { plainText } from '../document/plain-text.js'

/** A word, or an inline that is no text; `link` is the link around it. */
interface Token {
  readonly key: string
  readonly inline: Inline
  readonly link?: { readonly key: string; readonly link: Link }
}

/** Share of the longer text that must be unchanged, for the two to be read as one text. */
const minShared = 0.2

export interface ComparedInlines {
  readonly inlines: readonly Inline[]
  readonly words: readonly DiffPart[]
}

/** Whether word diffs of these inlines make sense: a tag of HTML may open in one inline and close in another. */
export function canCompareInlines(inlines: readonly Inline[]): boolean {
  return inlines.every(
    (inline) =>
      inline.type !== 'inline-html' && (inline.type !== 'link' || canCompareInlines(inline.children)),
  )
}

/** Returns the inlines of both versions; `mark` is called for each that only one of them has. */
export function compareInlines(
  before: readonly Inline[],
  after: readonly Inline[],
  mark: (inline: Inline, change: 'added' | 'removed') => void,
  budget: { work: number },
): ComparedInlines {
  const [a, b] = [tokensOf(before), tokensOf(after)]
  const compared = diffTokens(a, b, ({ key }) => key, budget)
  const runs = isMostlyOther(compared, a, b) ? wholeRuns(a, b) : compared
  const words = runs.map(({ change, tokens }) => ({
    change,
    text: plainText(tokens.map(({ inline }) => inline)),
  }))
  return { inlines: [...joined(runs, mark)], words: words.filter(({ text }) => text !== '') }
}

function tokensOf(inlines: readonly Inline[], link?: Token['link']): Token[] {
  return inlines.flatMap((inline): Token[] => {
    if (inline.type === 'text') {
      const format = `${link?.key ?? ''}${inline.marks === undefined ? '' : JSON.stringify(inline.marks)}`
      // Where the lines of a text are broken is not seen.
      return (inline.text.match(wordTokens) ?? []).map((text) => ({
        key: text.trim() === '' && format === '' ? ' ' : `${format} ${text}|`,
        inline: textOf(text, inline.marks),
        ...(link && { link }),
      }))
    }
    if (inline.type === 'link' && inline.mention !== true && link === undefined) {
      const key = `link ${JSON.stringify([inline.url, inline.title])} `
      return tokensOf(inline.children, { key, link: inline })
    }
    const key = `${link?.key ?? ''}${JSON.stringify(inline, withoutSpans)}|`
    return [{ key, inline, ...(link && { link }) }]
  })
}

const withoutSpans = (name: string, value: unknown) =>
  name === 'span' || name === 'aliases' || name === 'anchor' ? undefined : value

const textOf = (text: string, marks: readonly Mark[] | undefined): Text => ({
  type: 'text',
  text,
  ...(marks && { marks }),
})

function isMostlyOther(runs: readonly TokenRun<Token>[], a: readonly Token[], b: readonly Token[]): boolean {
  const words = (tokens: readonly Token[]) => tokens.filter(({ key }) => key.trim() !== '').length
  const same = runs.reduce((sum, { change, tokens }) => sum + (change === 'same' ? words(tokens) : 0), 0)
  return same < minShared * Math.max(words(a), words(b))
}

function wholeRuns(before: readonly Token[], after: readonly Token[]): TokenRun<Token>[] {
  return [
    { change: 'removed' as const, tokens: before },
    { change: 'added' as const, tokens: after },
  ].filter(({ tokens }) => tokens.length > 0)
}

/** Yields the inlines, words joined to texts, and what is in one link put back into it. */
function* joined(
  runs: readonly TokenRun<Token>[],
  mark: (inline: Inline, change: 'added' | 'removed') => void,
): Iterable<Inline> {
  let open: { readonly around: NonNullable<Token['link']>; readonly parts: Changed[] } | undefined
  const close = function* (): Iterable<Inline> {
    if (open === undefined) return
    const { around, parts } = open
    open = undefined
    const link = { ...around.link, children: parts.map(({ inline }) => inline) }
    const [{ change: first }] = parts as [Changed]
    // A link of one version leads where it does there.
    if (first !== 'same' && parts.every(({ change }) => change === first)) mark(link, first)
    else for (const { inline, change } of parts) if (change !== 'same') mark(inline, change)
    yield link
  }
  for (const { change, tokens } of runs) {
    for (const { inlines, around } of groupsOf(tokens)) {
      if (around?.key !== open?.around.key) yield* close()
      if (around !== undefined) open ??= { around, parts: [] }
      for (const inline of inlines) {
        if (open !== undefined) {
          open.parts.push({ inline, change })
          continue
        }
        if (change !== 'same') mark(inline, change)
        yield inline
      }
    }
  }
  yield* close()
}

interface Changed {
  readonly inline: Inline
  readonly change: DiffPart['change']
}

interface Group {
  readonly inlines: Inline[]
  readonly around: Token['link'] | undefined
}

/** Groups the tokens of a run by the link around them, and joins neighbouring words of one format. */
function groupsOf(tokens: readonly Token[]): Group[] {
  const groups: { inlines: Inline[]; around: Token['link'] | undefined; words: string[]; marks: string }[] =
    []
  const flush = (group: (typeof groups)[number] | undefined) => {
    if (group === undefined || group.words.length === 0) return
    const last = group.inlines.pop() as Text
    group.inlines.push(textOf(group.words.join(''), last.marks))
    group.words.length = 0
  }
  for (const { inline, link } of tokens) {
    let group = groups.at(-1)
    if (group === undefined || group.around?.key !== link?.key) {
      flush(group)
      group = { inlines: [], around: link, words: [], marks: '' }
      groups.push(group)
    }
    const marks = inline.type === 'text' ? JSON.stringify(inline.marks ?? []) : ''
    if (inline.type === 'text' && group.words.length > 0 && group.marks === marks) {
      group.words.push(inline.text)
      continue
    }
    flush(group)
    // A copy: an inline that occurs twice has two marks.
    group.inlines.push({ ...inline })
    if (inline.type === 'text') group.words.push(inline.text)
    group.marks = marks
  }
  flush(groups.at(-1))
  return groups
}
