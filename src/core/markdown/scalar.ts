/** One value of YAML read by itself, quotes and all. */
import { parseDocument } from 'yaml'
import { isBoundedYaml } from './yaml-text.js'

/** Returns the text that the characters of a YAML scalar mean; what is no scalar is returned as written. */
export function decodeScalar(characters: string): string {
  if (/^[A-Za-z./][\w./-]*$/.test(characters)) return characters
  if (!isBoundedYaml(characters)) return characters
  const document = parseDocument(characters, { logLevel: 'silent', schema: 'failsafe' })
  const value: unknown = document.errors.length > 0 ? characters : document.toJS({ maxAliasCount: 0 })
  return typeof value === 'string' ? value : characters
}
