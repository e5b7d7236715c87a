/** Emoji as the document writes them, by code points, and as characters. */

/** Returns the hexadecimal code points of `characters`, joined by hyphens, without variation selectors. */
export function emojiCode(characters: string): string {
  return Array.from(characters, (character) => character.codePointAt(0)!)
    .filter((code) => code !== 0xfe0f)
    .map((code) => code.toString(16))
    .join('-')
}

/** Returns the characters that a code such as `1f1e8-1f1ed` names, or undefined when it names none. */
export function emojiCharacters(code: string): string | undefined {
  const codes = code
    .split('-')
    .map((part) => (/^[0-9a-f]{1,6}$/i.test(part) ? Number.parseInt(part, 16) : -1))
  const isValid = codes.every(
    (value) => value > 0x1f && value <= 0x10ffff && (value < 0xd800 || value > 0xdfff),
  )
  return isValid ? String.fromCodePoint(...codes) : undefined
}
