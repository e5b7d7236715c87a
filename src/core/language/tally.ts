/**
 * Tally of language evidence in a text: letters by script, distinctive letters, and stop words.
 *
 * Tallies of many texts can be added; the decision is in `detect.ts`. Code blocks are ignored.
 */
import { plainText } from '../document/plain-text.js'
import type { Document } from '../document/types.js'
import { innerInlines, visitBlocks } from '../document/visit.js'
import { scripts, signLetters } from './scripts.js'
import { stopWords } from './stop-words.js'

/** Counts by kind of evidence: `Han`, `sign fa`, `words`, and each stop word, such as `word und`. */
export type LanguageTally = Readonly<Record<string, number>>

/** Sample of one text: its first screens show the language; tallying the rest would cost as much as parsing it. */
const maxCharacters = 4_000

/** Returns the tally of a document's prose. */
export function tallyLanguage(document: Document): LanguageTally {
  const parts: string[] = []
  let length = 0
  visitBlocks(document, (block) => {
    if (length > maxCharacters) return false
    for (const inlines of innerInlines(block)) {
      const text = plainText(inlines)
      parts.push(text)
      length += text.length
    }
    return undefined
  })
  return tallyText(parts.join('\n').slice(0, maxCharacters))
}

/** Returns the tally of a plain text. */
export function tallyText(text: string): LanguageTally {
  const tally: Record<string, number> = {}
  const count = (name: string, times: number): void => {
    if (times > 0) tally[name] = (tally[name] ?? 0) + times
  }
  for (const [script, pattern] of scripts) count(script, text.match(pattern)?.length ?? 0)
  for (const [language, pattern] of signLetters) count(`sign ${language}`, text.match(pattern)?.length ?? 0)
  if (tally['Latin'] === undefined) return tally
  for (const [word] of text.toLowerCase().matchAll(/\p{Script=Latin}+/gu)) {
    count('words', 1)
    if (stopWords.has(word)) count(`word ${word}`, 1)
  }
  return tally
}

/** Adds one tally to another in place. */
export function addTally(sum: Record<string, number>, tally: LanguageTally): void {
  for (const [name, count] of Object.entries(tally)) sum[name] = (sum[name] ?? 0) + count
}
