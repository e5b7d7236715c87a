/** Language detection from tallied evidence: the script, then distinctive letters and stop words. */
import { languageOfScript, scripts } from './scripts.js'
import { stopWords } from './stop-words.js'
import type { LanguageTally } from './tally.js'

/** Minimum of letters for a result, of its own script: a title or two may be in any language. */
const minLetters = 40
/** Minimum share of letters for a non-Latin script: every manual contains Latin names. */
const minScriptShare = 0.2
/** A character of these scripts carries as much as several letters. */
const weights: ReadonlyMap<string, number> = new Map([
  ['Han', 3],
  ['Hiragana', 2],
  ['Katakana', 2],
  ['Hangul', 3],
])
/**
 * Minimum share of stop words of the best language, its minimum lead (factor) over the next one, and how many different
 * ones it needs: a name or a code that is repeated (`de`, `en`, `do`) is no evidence of a language.
 */
const minStopWordShare = 0.08
const minLead = 1.03
const minDifferentWords = 4

/** Returns the language code of a tally, such as `de` or `zh-tw`; undefined when it is unclear. */
export function detectLanguage(tally: LanguageTally): string | undefined {
  const of = (name: string): number => tally[name] ?? 0
  const weighted = [...scripts.keys()].map((script) => ({
    script,
    weight: of(script) * (weights.get(script) ?? 1),
  }))
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0)
  if (total < minLetters) return undefined
  const others = weighted.filter(({ script }) => script !== 'Latin')
  const other = others.reduce((most, one) => (one.weight > most.weight ? one : most))
  const kana = of('Hiragana') + of('Katakana')
  const japanese = kana * 2 + of('Han') * 3
  const isClear = (weight: number): boolean => weight >= minLetters && weight / total >= minScriptShare
  if (kana > of('Han') / 20 && isClear(japanese)) return 'ja'
  if (isClear(other.weight)) return detectByScript(other.script, of)
  // Too few letters of another script say neither this nor that.
  return other.weight / total >= minScriptShare ? undefined : detectByStopWords(tally)
}

function detectByScript(script: string, of: (name: string) => number): string | undefined {
  const letters = of(script)
  const defaultLanguage = languageOfScript.get(script)
  const hasSignLetters = (language: string, share: number): boolean =>
    of(`sign ${language}`) > letters * share
  switch (script) {
    case 'Han':
      return of('sign zh-tw') > of('sign zh') ? 'zh-tw' : 'zh'
    case 'Cyrillic':
      if (hasSignLetters('be', 0.005)) return 'be'
      if (hasSignLetters('sr', 0.01)) return 'sr'
      if (hasSignLetters('uk', 0.02) && of('sign uk') > of('sign ru')) return 'uk'
      if (hasSignLetters('mk', 0.005)) return 'mk'
      return hasSignLetters('bg', 0.005) && of('sign bg') > of('sign ru') ? 'bg' : defaultLanguage
    case 'Arabic':
      if (hasSignLetters('ur', 0.02)) return 'ur'
      return hasSignLetters('fa', 0.01) ? 'fa' : defaultLanguage
    case 'Hebrew':
      return hasSignLetters('yi', 0.01) ? 'yi' : defaultLanguage
    default:
      return defaultLanguage
  }
}

function detectByStopWords(tally: LanguageTally): string | undefined {
  const scores = new Map<string, { language: string; count: number; different: number }>()
  for (const [word, languages] of stopWords) {
    const count = tally[`word ${word}`] ?? 0
    if (count === 0) continue
    for (const language of languages) {
      const score = scores.get(language) ?? { language, count: 0, different: 0 }
      score.count += count
      score.different += 1
      scores.set(language, score)
    }
  }
  const [best, next] = [...scores.values()].toSorted((one, other) => other.count - one.count)
  const words = tally['words'] ?? 0
  if (best === undefined || best.count < words * minStopWordShare) return undefined
  if (best.different < minDifferentWords) return undefined
  return next !== undefined && best.count < next.count * minLead ? undefined : best.language
}
