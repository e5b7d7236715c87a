/** The language of texts, from what speaks for it: the script, then letters and small words. */
import { languageOfScript, scripts } from './scripts.js'
import type { LanguageTally } from './tally.js'

/** Letters that must be seen before anything is said: a title or two may be in any language. */
const leastLetters = 40
/** The share of all letters from which another script than Latin counts: every manual holds Latin names. */
const leastShare = 0.2
/** A character of these scripts says as much as several letters. */
const weights: ReadonlyMap<string, number> = new Map([
  ['Han', 3],
  ['Hiragana', 2],
  ['Katakana', 2],
  ['Hangul', 3],
])
/** Share of the words of a text that are small words of its language, and by how much the next one must fall behind. */
const leastWords = 0.08
const leastLead = 1.03

/** Returns the code of the language that a tally speaks for, such as `de` or `zh-tw`; undefined when it is unclear. */
export function detectLanguage(tally: LanguageTally): string | undefined {
  const of = (name: string): number => tally[name] ?? 0
  const weighed = [...scripts.keys()].map((script) => ({
    script,
    weight: of(script) * (weights.get(script) ?? 1),
  }))
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0)
  if (total < leastLetters) return undefined
  const others = weighed.filter(({ script }) => script !== 'Latin')
  const other = others.reduce((most, one) => (one.weight > most.weight ? one : most))
  const kana = of('Hiragana') + of('Katakana')
  if (kana > of('Han') / 20 && (kana * 2 + of('Han') * 3) / total >= leastShare) return 'ja'
  return other.weight / total >= leastShare ? amongScript(other.script, of) : amongLatin(tally)
}

function amongScript(script: string, of: (name: string) => number): string | undefined {
  const letters = of(script)
  const usual = languageOfScript.get(script)
  const isSigned = (language: string, share: number): boolean => of(`sign ${language}`) > letters * share
  switch (script) {
    case 'Han':
      return of('sign zh-tw') > of('sign zh') ? 'zh-tw' : 'zh'
    case 'Cyrillic':
      if (isSigned('be', 0.005)) return 'be'
      if (isSigned('sr', 0.01)) return 'sr'
      if (isSigned('uk', 0.02) && of('sign uk') > of('sign ru')) return 'uk'
      if (isSigned('mk', 0.005)) return 'mk'
      return isSigned('bg', 0.005) && of('sign bg') > of('sign ru') ? 'bg' : usual
    case 'Arabic':
      if (isSigned('ur', 0.02)) return 'ur'
      return isSigned('fa', 0.01) ? 'fa' : usual
    case 'Hebrew':
      return isSigned('yi', 0.01) ? 'yi' : usual
    default:
      return usual
  }
}

function amongLatin(tally: LanguageTally): string | undefined {
  const scores = Object.entries(tally)
    .filter(([name]) => name.startsWith('word '))
    .toSorted(([, one], [, other]) => other - one)
  const [best, next] = scores
  const words = tally['words'] ?? 0
  if (best === undefined || best[1] < words * leastWords) return undefined
  return next !== undefined && best[1] < next[1] * leastLead ? undefined : best[0].slice('word '.length)
}
