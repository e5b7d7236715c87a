/**
 * Phrase matching: whether words follow one another in a text, whatever punctuation and spaces are between them.
 *
 * Equals a search for ` word ` in the spelled-out text, without spelling it out: a search reads some forty
 * texts, each of which would be copied twice, and a leading space is found at every word.
 */
import { isSpaceless, spellOut } from './words.js'

/** Returns a text in the form that the functions of `phraseMatcher` search. */
export function phraseText(text: string): string {
  return ascii.test(text) ? text.toLowerCase() : spellOut(text)
}

/** Returns a function that tests whether the words, separated by spaces, follow one another in a `phraseText`. */
export function phraseMatcher(words: string): (text: string) => boolean {
  const [first, ...others] = words.split(' ') as [string, ...string[]]
  if (first === '') return () => false
  // Scripts without spaces have no ends of words.
  const beginsAnywhere = isSpaceless(words[0]!)
  const endsAnywhere = isSpaceless(words.at(-1)!)
  const isEnd = (text: string, end: number) =>
    endsAnywhere || end === text.length || !isLetter(text.charCodeAt(end))
  return (text) => {
    for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
      if (!beginsAnywhere && at > 0 && isLetter(text.charCodeAt(at - 1))) continue
      let end = at + first.length
      const isFollowed = others.every((word) => {
        const next = endOfGap(text, end)
        if (next === end || !text.startsWith(word, next)) return false
        end = next + word.length
        return true
      })
      if (isFollowed && isEnd(text, end)) return true
    }
    return false
  }
}

const ascii = /^[\u0000-\u007f]*$/

function endOfGap(text: string, from: number): number {
  let at = from
  while (at < text.length && !isLetter(text.charCodeAt(at))) at += 1
  return at
}

/** In a `phraseText`, which beyond ASCII has only letters, marks and digits. */
function isLetter(code: number): boolean {
  return code > 127 || (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
}
