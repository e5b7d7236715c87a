/** Search excerpts: the part of a text that matches a query best, with the matching words highlighted. */
import { foldText, withoutLonger } from './words.js'

export interface Excerpt {
  /** On one line; `…` marks omitted text. */
  readonly text: string
  /** Half-open ranges of UTF-16 offsets in `text`, in order, apart from each other. */
  readonly marks: readonly (readonly [start: number, end: number])[]
}

interface Match {
  readonly start: number
  readonly end: number
  readonly terms: ReadonlySet<string>
}

/** Returns a function that extracts about `length` characters of `body` around the most different `terms` (of `queryTerms`). */
export function createExcerpter(terms: readonly string[]): (body: string, length: number) => Excerpt {
  const prefixes = withoutLonger(terms)
  return (body, length) => {
    const line = body.replace(/\s/g, ' ')
    return cutAround(line, findMatches(line, terms, prefixes), length)
  }
}

function cutAround(line: string, matches: readonly Match[], length: number): Excerpt {
  const start = startOfWindow(line, matches, length)
  const end = start + length >= line.length ? line.length : endOfWord(line, start + length, start)
  const before = start > 0 ? '…' : ''
  const shift = before.length - start
  return {
    text: before + line.slice(start, end) + (end < line.length ? '…' : ''),
    marks: merge(matches.filter((match) => match.start >= start && match.end <= end)).map(
      (match) => [match.start + shift, match.end + shift] as const,
    ),
  }
}

function findMatches(line: string, terms: readonly string[], prefixes: readonly string[]): Match[] {
  if (terms.length === 0) return []
  const chunks = simple.test(line) ? likelyChunks(line, prefixes) : line.matchAll(anyChunk)
  const matches: Match[] = []
  for (const chunk of chunks) {
    if (plainWord.test(chunk[0])) {
      matches.push(...matchesOfPlain(chunk[0], chunk.index, terms))
      continue
    }
    const words = [...chunk[0].matchAll(/[\p{L}\p{N}\p{M}]+/gu)]
    const inside = words.flatMap((word) => matchesOf(word[0], chunk.index + word.index, terms))
    matches.push(...(inside.length > 0 ? inside : matchesOf(chunk[0], chunk.index, terms)))
  }
  return matches
}

/** Characters of ASCII without the signs that are spelled out. */
const simple = /^[ -"$-*,-~]*$/
// linear: the part in parentheses fails behind the last letter of a run only, so once in each run.
const anyChunk = /[\p{L}\p{N}](?:\S*[\p{L}\p{N}\p{M}#+])?/gu
// linear: the same.
const simpleChunk = /[A-Za-z0-9](?:\S*[A-Za-z0-9])?/
// linear: begins where a run of letters ends, and reads on to the next one.
const joint = /[a-z0-9](?=[^a-z0-9 ]+[a-z0-9])/g

/**
 * Returns those chunks of simple text that may match, in order: which hold a term, or more than one word and so perhaps
 * a term as a whole. Folding is slow beside this, and most chunks are neither.
 */
function likelyChunks(line: string, terms: readonly string[]): { 0: string; index: number }[] {
  const lower = line.toLowerCase()
  const chunks = new Map<number, string>()
  /** Adds the chunk around an index; returns its end, so that none of it is scanned again. */
  const take = (at: number): number => {
    const space = lower.indexOf(' ', at)
    const [start, end] = [lower.lastIndexOf(' ', at) + 1, space < 0 ? lower.length : space]
    chunks.set(start, line.slice(start, end))
    return end
  }
  for (const term of terms)
    for (let at = lower.indexOf(term); at >= 0; at = lower.indexOf(term, at)) at = take(at)
  let taken = 0
  for (const { index } of lower.matchAll(joint)) if (index >= taken) taken = take(index)
  return [...chunks]
    .toSorted(([one], [other]) => one - other)
    .map(([start, run]) => {
      const { 0: chunk, index } = simpleChunk.exec(run)!
      return { 0: chunk, index: start + index }
    })
}

/** A word that is folded by its capital alone. */
const plainWord = /^[A-Z]?[a-z]*$/

function matchesOfPlain(word: string, at: number, terms: readonly string[]): Match[] {
  const folded = word.toLowerCase()
  const found = terms.filter((term) => folded.startsWith(term))
  return found.length === 0 ? [] : [{ start: at, end: at + word.length, terms: new Set(found) }]
}

function matchesOf(word: string, at: number, terms: readonly string[]): Match[] {
  const folded = foldText(word).split(' ')
  const found = terms.filter((term) => folded.some((part) => part.startsWith(term)))
  if (found.length === 0) return []
  // In scripts without spaces a word is a whole line: only the queried characters are marked.
  const exact = found.flatMap((term) =>
    /^[\u0e00-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\u{323af}]+$/u.test(term)
      ? occurrences(word, term, at)
      : [],
  )
  return exact.length > 0
    ? exact.toSorted((a, b) => a.start - b.start)
    : [{ start: at, end: at + word.length, terms: new Set(found) }]
}

function occurrences(word: string, term: string, at: number): Match[] {
  const found: Match[] = []
  for (let index = word.indexOf(term); index >= 0; index = word.indexOf(term, index + 1)) {
    found.push({ start: at + index, end: at + index + term.length, terms: new Set([term]) })
  }
  return found
}

/** The window that begins a little before the match from which most different terms are in reach. */
function startOfWindow(line: string, matches: readonly Match[], length: number): number {
  if (line.length <= length || matches.length === 0) return 0
  const reach = length * 0.75
  const counts = new Map<string, number>()
  let best = matches[0]!
  let most = 0
  let last = 0
  for (const first of matches) {
    for (; last < matches.length && matches[last]!.end - first.start <= reach; last++) {
      for (const term of matches[last]!.terms) counts.set(term, (counts.get(term) ?? 0) + 1)
    }
    if (counts.size > most) {
      most = counts.size
      best = first
    }
    for (const term of first.terms) {
      const left = (counts.get(term) ?? 0) - 1
      if (left > 0) counts.set(term, left)
      else counts.delete(term)
    }
    if (matches[last] === first) last++
  }
  const wanted = Math.max(0, Math.min(Math.floor(best.start - length * 0.25), line.length - length))
  if (wanted === 0) return 0
  const space = line.indexOf(' ', wanted)
  const start = space >= 0 && space < best.start ? space + 1 : wanted
  return /[\udc00-\udfff]/.test(line[start]!) ? start - 1 : start
}

function endOfWord(line: string, end: number, start: number): number {
  const space = line.lastIndexOf(' ', end)
  const cut = space > start + (end - start) / 2 ? space : end
  return /[\ud800-\udbff]/.test(line[cut - 1]!) ? cut - 1 : cut
}

function merge(matches: readonly Match[]): { start: number; end: number }[] {
  const merged: { start: number; end: number }[] = []
  for (const { start, end } of matches) {
    const last = merged.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return merged
}
