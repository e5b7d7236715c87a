/**
 * Tokenizer and folding of texts and queries: what the index stores and what queries look up.
 *
 * Words are letters and digits only, because the full-text engines split at everything else, each in its own
 * way. A compound (`pg_hba.conf`, `getUserById`, `C#`, `v2.1`) is stored by its parts and as a whole. Scripts
 * written without spaces are cut into overlapping pairs of characters instead of dictionary words: a dictionary
 * cuts by context and differs between releases, so a word alone would not always find the text that holds it.
 */
import { trimEndOf } from '../trim.js'

export interface QueryTerms {
  /** Each must be found; none twice. */
  readonly terms: readonly string[]
  /** True while the last word may still be being typed: the last term then matches as a prefix. */
  readonly prefixLast: boolean
}

const maxQueryLength = 512
const maxTerms = 32
const maxWordLength = 64
const maxParts = 8

/** Returns the folded words of a text, separated by single spaces. */
export function foldText(text: string): string {
  return foldWords(text).join(' ')
}

/**
 * Returns the folded words of a text: those of scripts without spaces, then the others, each in their order, and at the
 * end what compounds add.
 */
export function foldWords(text: string): readonly string[] {
  const script = scriptOfText(text)
  const folded: string[] = []
  const add = (word: string) => {
    folded.push(cut(word))
  }
  const rest = takeSpaceless(normalise(text), script, add)
  lowerCase(rest).match(script.word)?.forEach(add)
  for (const compound of rest.match(script.compound) ?? []) {
    const { camel, whole } = readPiece(compound, script)
    if (camel.length > 1) camel.forEach(add)
    if (whole !== undefined) add(whole)
  }
  return folded
}

/** Returns the word sequences that the folded form of every text containing this text has, in this order. */
export function foldPhrases(text: string): readonly (readonly string[])[] {
  const script = scriptOfText(text)
  const spaceless: string[] = []
  const rest = takeSpaceless(normalise(text.slice(0, maxQueryLength)), script, (word) =>
    spaceless.push(cut(word)),
  )
  const spaced = (lowerCase(rest).match(script.word) ?? []).map(cut)
  return [spaceless, spaced].filter((words) => words.length > 0)
}

/** Returns the words of a text as they are read, with a space before and behind each run of letters. */
export function spellOut(text: string): string {
  if (ascii.test(text)) return ` ${text.toLowerCase().replace(/[^a-z0-9]+/g, ' ')} `
  const parted = normalise(text).replace(spaceless, ' $& ')
  return ` ${lowerCase(parted).replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')} `
}

/** Returns the words without those that contain another: a text with any of them has one of these. */
export function withoutLonger(words: readonly string[]): readonly string[] {
  const leading: string[] = []
  for (const word of words.toSorted((a, b) => a.length - b.length))
    if (!leading.some((shorter) => word.includes(shorter))) leading.push(word)
  return leading
}

/** Returns whether a folded word or a character is of a script without spaces. */
export function isSpaceless(word: string): boolean {
  return spacelessRuns.test(word)
}

/** Returns the folded words that a text must have to match a query; only its first 512 characters count. */
export function queryTerms(query: string): QueryTerms {
  const plain = normalise(query.slice(0, maxQueryLength))
  const terms = new Set<string>()
  const add = (term: string) => {
    // A repeated word is at its last position: there it may still be being typed.
    terms.delete(term)
    terms.add(cut(term))
  }
  for (const [index, part] of plain.split(spacelessRuns).entries()) {
    if (index % 2 === 1) pairs(part).forEach(add)
    else for (const [piece] of part.matchAll(anyScript.piece)) for (const term of termsOf(piece)) add(term)
  }
  return { terms: [...terms].slice(-maxTerms), prefixLast: /[\p{L}\p{N}\p{M}]$/u.test(plain) }
}

const ascii = /^[\u0000-\u007f]*$/
const spacelessRuns =
  /((?:\p{scx=Han}|\p{scx=Hiragana}|\p{scx=Katakana}|\p{sc=Hangul}|\p{sc=Thai}|\p{sc=Lao}|\p{sc=Khmer}|\p{sc=Myanmar})+)/u
// linear: one loop.
const spaceless = new RegExp(spacelessRuns.source, 'gu')

/** Token patterns: letters and digits, joined by single connectors, with an optional trailing sign. */
interface Script {
  readonly word: RegExp
  readonly piece: RegExp
  /** A token with a connector, an inner capital, or a sign. Most words have none, and are skipped quickly. */
  readonly compound: RegExp
  /** Between the words inside a word. */
  readonly camel: RegExp
}

const anyScript = scriptOf('\\p{Lu}', '\\p{Ll}', '\\p{L}\\p{N}\\p{M}', 'u')
/** The same for ASCII alone, several times faster. */
const asciiScript = scriptOf('A-Z', 'a-z', 'A-Za-z0-9', '')

function scriptOfText(text: string): Script {
  return ascii.test(text) ? asciiScript : anyScript
}

function takeSpaceless(plain: string, script: Script, add: (word: string) => void): string {
  if (script === asciiScript) return plain
  return plain.replace(spaceless, (run) => {
    charactersAndPairs(run, add)
    return ' '
  })
}

function scriptOf(upper: string, lower: string, word: string, flags: string): Script {
  const sign = `(?:#|\\+\\+)(?![${word}])`
  const joint = `[${lower}0-9](?=[${upper}])|[${upper}](?=[${upper}][${lower}])|[${word}][._'-](?=[${word}])`
  const tail = `(?:[._'-][${word}]+)*(?:${sign})?`
  return {
    // linear: one loop.
    word: new RegExp(`[${word}]+`, `g${flags}`),
    // linear: parts are parted by joints that are no letters.
    piece: new RegExp(`[${word}]+${tail}`, `g${flags}`),
    // linear: begins at the first letter of a word only, and a word has one reading.
    compound: new RegExp(
      `(?<![${word}])[${word}]*(?:(?:${joint})[${word}]*${tail}|[${word}]${sign})`,
      `g${flags}`,
    ),
    // linear: three characters at most.
    camel: new RegExp(`(?<=[${lower}0-9])(?=[${upper}])|(?<=[${upper}])(?=[${upper}][${lower}])`, flags),
  }
}

/** The folded forms of a token: its joined parts, its parts at inner capitals, and the whole as one word. */
function readPiece(piece: string, script: Script): { parts: string[]; camel: string[]; whole?: string } {
  const sign = piece.endsWith('#') ? 'sharp' : piece.endsWith('++') ? 'plusplus' : ''
  const joined = sign === '' ? piece : trimEndOf(piece, '#+')
  const written = joined.split(/[._'-]/)
  const camel =
    joined === joined.toLowerCase() ? written : written.flatMap((part) => part.split(script.camel))
  const isShort = camel.length <= maxParts
  const hasWhole = isShort && (written.length > 1 || sign !== '') && piece.length + 8 <= maxWordLength
  return {
    parts: written.map(lowerCase),
    camel: isShort && camel.length > written.length ? camel.map(lowerCase) : [],
    ...(hasWhole && { whole: lowerCase(written.join('')) + sign }),
  }
}

/** Versions, elisions and names with a sign are queried as a whole; other compounds by parts, which finds more. */
function termsOf(piece: string): readonly string[] {
  const { parts, whole } = readPiece(piece, anyScript)
  return whole !== undefined && /\d\.\d|'|[#+]$/.test(piece) ? [whole] : parts
}

/** A run of one character is its own pair. */
function pairs(run: string): string[] {
  const characters = [...run]
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, index) => characters[index]! + character)
}

function charactersAndPairs(run: string, add: (word: string) => void): void {
  let before = ''
  for (const character of run) {
    if (before !== '') add(before + character)
    add(character)
    before = character
  }
}

function cut(word: string): string {
  if (word.length <= maxWordLength) return word
  // A surrogate pair is not cut in half.
  return word.slice(0, maxWordLength).replace(/[\ud800-\udbff]$/, '')
}

function lowerCase(text: string): string {
  const lower = text.toLowerCase()
  return lower.includes('ς') ? lower.replaceAll('ς', 'σ') : lower
}

const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'ss',
  æ: 'ae',
  Æ: 'ae',
  œ: 'oe',
  Œ: 'oe',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  ł: 'l',
  Ł: 'L',
  þ: 'th',
  Þ: 'th',
  ı: 'i',
  '’': "'",
  ʼ: "'",
  '‐': '-',
  '‑': '-',
}
// linear: one character.
const lettersPattern = new RegExp(`[${Object.keys(letters).join('')}]`, 'g')

/** One spelling for every way to write a letter; accents are removed where readers type without them; case stays. */
function normalise(text: string): string {
  if (ascii.test(text)) return text
  return text
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
    .normalize('NFD')
    .replace(/([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hebrew}])\p{Mn}+/gu, '$1')
    .normalize('NFC')
    .replace(lettersPattern, (letter) => letters[letter]!)
}
