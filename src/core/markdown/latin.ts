/**
 * Transliteration of other alphabets, and of symbols that are words, to Latin letters: only what removing accents does
 * not give. German, Russian, Ukrainian, Greek, Georgian and Arabic follow the tables commonly used for URL slugs.
 */

// prettier-ignore
const table =
  'ä ae ö oe ü ue ß ss æ ae œ oe ø o þ th ð d đ d ł l ı i ƒ f … ... ' +
  'а a б b в v г g д d е e ё yo ж zh з z и i й i к k л l м m н n о o п p р r с s т t у u ф f х kh ц c ч ch ш sh щ sh ' +
  'ъ - ы y ь - э e ю yu я ya є ye і i ї yi ґ g ђ dj ј j љ lj њ nj ћ c џ dz ќ kj ' +
  'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ ks ο o π p ρ r σ s ς s τ t υ y φ f χ x ψ ps ω o ' +
  'ა a ბ b გ g დ d ე e ვ v ზ z თ t ი i კ k ლ l მ m ნ n ო o პ p ჟ zh რ r ს s ტ t უ u ფ p ქ k ღ gh ყ q შ sh ჩ ch ც ts ' +
  'ძ dz წ ts ჭ ch ხ kh ჯ j ჰ h ' +
  'ا a أ a إ i آ aa ؤ u ئ e ء a ب b ت t ث th ج j ح h خ kh د d ذ th ر r ز z س s ش sh ص s ض dh ط t ظ z ع a غ gh ف f ق q ' +
  'ك k ل l م m ن n ه h و w ي y ى a ة h گ g چ ch پ p ژ zh ک k ی y ' +
  '٠ 0 ١ 1 ٢ 2 ٣ 3 ٤ 4 ٥ 5 ٦ 6 ٧ 7 ٨ 8 ٩ 9 ۰ 0 ۱ 1 ۲ 2 ۳ 3 ۴ 4 ۵ 5 ۶ 6 ۷ 7 ۸ 8 ۹ 9 ' +
  '$ usd € eur £ gbp ¥ cny ¢ cent ₹ inr ₽ rub ₩ krw ₺ try ₴ uah ₫ vnd ₪ ils ∂ d © -c- ® -r- ™ -tm-'

const entries = table.split(' ')
const letters = new Map<string, string>()
for (let index = 0; index < entries.length; index += 2) {
  const sound = entries[index + 1]!
  letters.set(entries[index]!, sound === '-' ? '' : sound)
}
const words =
  '& and | or < less-than > greater-than ‹ less-than › greater-than ∞ infinity ♥ love ∆ delta ∑ sum ¤ currency'.split(
    ' ',
  )
for (let index = 0; index < words.length; index += 2) letters.set(words[index]!, `-${words[index + 1]!}-`)

/** Returns lower-case text transliterated to Latin letters; other characters become hyphens. */
export function latinize(text: string): string {
  let result = ''
  for (const character of text) {
    if (character <= '\u007f' && !letters.has(character)) result += character
    else result += letters.get(character) ?? withoutAccents(character)
  }
  return result
}

function withoutAccents(character: string): string {
  if (/^\p{M}$/u.test(character)) return ''
  const [base = ''] = character.normalize('NFD')
  if (base <= '\u007f') return base
  return letters.get(base) ?? '-'
}
