/** Lengths of texts in UTF-8 bytes, as they are stored and sent. */

/** Returns the length of a text in bytes of UTF-8; a lone surrogate counts as the three bytes that replace it. */
export function byteLength(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    const pair = unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00
    // A pair is two units and four bytes; anything else above 0x7f is one unit and two or three bytes.
    bytes += pair ? 2 : unit < 0x800 ? 1 : 2
    if (pair) index += 1
  }
  return bytes
}

/** Returns the longest prefix of a text within a number of UTF-8 bytes and UTF-16 units. */
export function cutToBytes(text: string, mostBytes: number, mostUnits = Infinity): string {
  let end = 0
  let bytes = 0
  for (const character of text) {
    bytes += byteLength(character)
    if (bytes > mostBytes || end + character.length > mostUnits) break
    end += character.length
  }
  return text.slice(0, end)
}
