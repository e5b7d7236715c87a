/**
 * What speaks for the language of a text: letters by script, and the small words that only one language has.
 *
 * Tallies of many texts are added up; choosing is in `detect.ts`. Code says nothing about a language.
 */
import { plainText } from '../document/plain-text.js'
import type { Document } from '../document/types.js'
import { innerInlines, visitBlocks } from '../document/visit.js'
import { scripts, signs } from './scripts.js'
import { stopWords } from './stop-words.js'

/** Counts by what was counted: `Han`, `word de`, `sign fa`. */
export type LanguageTally = Readonly<Record<string, number>>

/** Of one text: its first screens say what language it is in, and the rest would cost as much as reading it. */
const mostCharacters = 4_000

/** Returns what speaks for the language of a document's prose. */
export function tallyLanguage(document: Document): LanguageTally {
  const parts: string[] = []
  let length = 0
  visitBlocks(document, (block) => {
    if (length > mostCharacters) return false
    for (const inlines of innerInlines(block)) {
      const text = plainText(inlines)
      parts.push(text)
      length += text.length
    }
    return undefined
  })
  return tallyText(parts.join('\n').slice(0, mostCharacters))
}

/** Returns the same of a plain text. */
export function tallyText(text: string): LanguageTally {
  const tally: Record<string, number> = {}
  const count = (name: string, times: number): void => {
    if (times > 0) tally[name] = (tally[name] ?? 0) + times
  }
  for (const [script, pattern] of scripts) count(script, text.match(pattern)?.length ?? 0)
  for (const [language, pattern] of signs) count(`sign ${language}`, text.match(pattern)?.length ?? 0)
  if (tally['Latin'] === undefined) return tally
  for (const [word] of text.toLowerCase().matchAll(/\p{Script=Latin}+/gu)) {
    count('words', 1)
    for (const language of stopWords.get(word) ?? []) count(`word ${language}`, 1)
  }
  return tally
}

/** Adds one tally to another in place. */
export function addTally(sum: Record<string, number>, tally: LanguageTally): void {
  for (const [name, count] of Object.entries(tally)) sum[name] = (sum[name] ?? 0) + count
}
