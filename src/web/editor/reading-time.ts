/** Words of a text, and the minutes that reading it takes. Pure. */

/** Words that people read in a minute. */
const wordsPerMinute = 220

/** Tags of the dialect and of HTML, destinations of links; bounded, so that what does not end costs little. */
const unread = /\{%[^%]{0,500}%\}|<\/?[A-Za-z][^<>]{0,500}>|\]\([^()]{0,2000}\)/g

/** Scripts that write words without spaces between them. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/**
 * Returns the number of words in Markdown; those of languages without spaces are found by the rules of the language, in
 * short pieces, because the cost of segmenting a text grows with the square of its length.
 */
export function countWords(markdown: string): number {
  const words = new Intl.Segmenter(undefined, { granularity: 'word' })
  let count = 0
  for (const [piece] of readLines(markdown)
    .replace(unread, ' ')
    .matchAll(/\S{1,100}/g)) {
    if (!unspaced.test(piece)) count += Number(/[\p{L}\p{N}]/u.test(piece))
    else for (const { isWordLike } of words.segment(piece)) if (isWordLike === true) count++
  }
  return count
}

/** Returns the text without its front matter and without code. */
function readLines(markdown: string): string {
  const lines = markdown.split('\n')
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1
  let fence: string | undefined
  const read: string[] = []
  for (const line of lines.slice(end + 1)) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark !== undefined && mark.startsWith(fence)) fence = undefined
    } else if (mark !== undefined) fence = mark
    else read.push(line)
  }
  return read.join('\n')
}

/** Returns whole minutes, at least one. */
export const readingMinutes = (words: number): number => Math.max(1, Math.round(words / wordsPerMinute))
