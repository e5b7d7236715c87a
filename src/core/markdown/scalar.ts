/** Decoding of a single YAML scalar, including quotes. */
import { parseDocument } from 'yaml'
import { isBoundedYaml } from './yaml-text.js'

/** Returns the value of a YAML scalar; anything else is returned as written. */
export function decodeScalar(characters: string): string {
  if (/^[A-Za-z./][\w./-]*$/.test(characters)) return characters
  if (!isBoundedYaml(characters)) return characters
  const document = parseDocument(characters, { logLevel: 'silent', schema: 'failsafe' })
  const value: unknown = document.errors.length > 0 ? characters : document.toJS({ maxAliasCount: 0 })
  return typeof value === 'string' ? value : characters
}
