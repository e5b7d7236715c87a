/**
 * Decoding of HTML character references (`&amp;`, `&#x26;`).
 * A reference without semicolon or with an unknown name stays as written, as in CommonMark.
 */
import { characterEntities } from 'character-entities'

const reference = /&(?:#[xX]([0-9a-fA-F]{1,6})|#([0-9]{1,7})|([A-Za-z][A-Za-z0-9]{1,31}));/g

/** Returns `text` with every character reference decoded. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(reference, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(characterEntities, name) ? characterEntities[name]! : whole
    const code = hex === undefined ? Number.parseInt(decimal!, 10) : Number.parseInt(hex, 16)
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : '\ufffd'
  })
}

/** Returns `text` escaped for a double-quoted attribute of HTML or of the dialect. */
export function encodeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/%(?=\})/g, '&#37;')
    .replace(/[\r\n]/g, (end) => `&#${end.charCodeAt(0)};`)
}

/** Returns text as HTML on one line. */
export function encodeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/\{(?=%)/g, '&#123;')
    .replace(/[\r\n]+/g, ' ')
}
