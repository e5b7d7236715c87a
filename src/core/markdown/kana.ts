/** Hepburn romanisation of kana; long vowel marks are dropped. */

// prettier-ignore
const monographs = new Map(
  Array.from(
    ('あa いi うu えe おo かka きki くku けke こko さsa しshi すsu せse そso たta ちchi つtsu てte とto なna にni ぬnu ねne のno ' +
      'はha ひhi ふfu へhe ほho まma みmi むmu めme もmo やya ゆyu よyo らra りri るru れre ろro わwa ゐi ゑe をwo んn ' +
      'がga ぎgi ぐgu げge ごgo ざza じji ずzu ぜze ぞzo だda ぢji づzu でde どdo ばba びbi ぶbu べbe ぼbo ぱpa ぴpi ぷpu ぺpe ぽpo ' +
      'ゔvu ぁa ぃi ぅu ぇe ぉo ゃya ゅyu ょyo').matchAll(/(.)([a-z]+)/g),
    (pair) => [pair[1]!, pair[2]!] as const,
  ),
)
/** Small kana replace the vowel of the kana before: き and ゃ are kya, し and ゃ sha, ふ and ぁ fa. */
const small = new Map(
  Object.entries({ ゃ: 'ya', ゅ: 'yu', ょ: 'yo', ぁ: 'a', ぃ: 'i', ぅ: 'u', ぇ: 'e', ぉ: 'o' }),
)

/** Returns whether a text contains kana, which means that its ideographs are Japanese. */
export function hasKana(text: string): boolean {
  return /[\u3041-\u3096\u30a1-\u30fa]/.test(text)
}

/** Returns the text with its kana romanised. */
export function romanizeKana(text: string): string {
  let result = ''
  let isDoubled = false
  for (const written of text.normalize('NFKC')) {
    const kana = toHiragana(written)
    if (kana === 'っ') {
      isDoubled = true
      continue
    }
    if (written === 'ー') {
      result = /[aiueo]$/.test(result) ? result.slice(0, -1) : result
      continue
    }
    const sound = monographs.get(kana)
    const joined = small.has(kana) ? join(result, small.get(kana)!) : undefined
    if (joined !== undefined) result = joined
    else if (sound === undefined) result += written
    else result += (isDoubled ? (sound.startsWith('c') ? 't' : sound[0]!) : '') + sound
    isDoubled = false
  }
  return result
}

/** The last syllable combined with a small kana; undefined when the two do not combine. */
function join(result: string, vowel: string): string | undefined {
  if (vowel.startsWith('y')) {
    if (!/[a-z]i$/.test(result)) return undefined
    const stem = result.slice(0, -1)
    return stem + (/(?:sh|ch|j)$/.test(stem) ? vowel.slice(1) : vowel)
  }
  if (/(?:f|v)u$|(?:sh|ch|j)i$/.test(result)) return result.slice(0, -1) + vowel
  if (/(?:^|[^a-z])u$/.test(result)) return `${result.slice(0, -1)}w${vowel}`
  return /(?:te|to|de|do)$/.test(result) ? result.slice(0, -1) + vowel : undefined
}

function toHiragana(character: string): string {
  const code = character.charCodeAt(0)
  return code >= 0x30a1 && code <= 0x30f6 ? String.fromCharCode(code - 0x60) : character
}
