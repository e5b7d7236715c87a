/**
 * Search terms of API blocks in ordinary pages, so that these are found like generated reference pages. The
 * specification may be read in another process than the page.
 */
import type { NamedBlock } from '../document/openapi.js'
import { attributeValue, findTags } from '../markdown/tags.js'
import { splitList } from '../markdown/updates.js'
import { range } from '../merkle/map.js'
import type { Step } from '../merkle/types.js'
import { readLinkKey, specificationPrefixes } from '../pages/keys.js'
import type { Snapshot } from '../pages/types.js'
import type { OutlineOperation, SpecificationOutline } from './outline.js'

/** Search terms of blocks, by their `blockKey`. */
export type BlockWords = Readonly<Record<string, string>>

/** Most blocks of a page that are rendered with their specification. */
const mostBlocks = 100

/** Returns the specifications that texts embed, by their slugs and addresses: no more than `most`. */
export function* listEmbeddedSpecifications(snapshot: Snapshot, most: number): Step<readonly string[]> {
  const names: string[] = []
  for (const prefix of specificationPrefixes) {
    let from = prefix
    while (names.length < most) {
      const [first] = yield* range(snapshot.links, { prefix, from, limit: 1 })
      if (first === undefined) break
      const { target } = readLinkKey(first[0])
      names.push(target.slice(prefix.length))
      // After all keys of this target, and before those of any other.
      from = `${target}\u0001`
    }
  }
  return names
}

/** Returns the key of the part that a block embeds; undefined for one that names no part. */
export function blockKey(block: NamedBlock): string | undefined {
  const { type, spec, src, path, method = 'post', name, schemas = [] } = block
  const source = spec === undefined ? { src } : { spec: spec.toLowerCase() }
  if (spec === undefined && src === undefined) return undefined
  if (type === 'openapi-schemas') return JSON.stringify([source, 'schemas', schemas])
  const [kind, place] = type === 'openapi-webhook' ? ['webhook', name] : ['operation', path]
  if (place === undefined) return undefined
  return JSON.stringify([source, kind, method.toLowerCase(), place])
}

const types: ReadonlyMap<string, NamedBlock['type']> = new Map([
  ['openapi', 'swagger'],
  ['swagger', 'swagger'],
  ['openapi-operation', 'openapi-operation'],
  ['openapi-schemas', 'openapi-schemas'],
  ['openapi-webhook', 'openapi-webhook'],
])

/** Returns the API blocks of a text, including those in code. */
export function findApiBlocks(markdown: string): readonly NamedBlock[] {
  const found: NamedBlock[] = []
  // Most texts have none.
  if (!/openapi|swagger/.test(markdown)) return found
  for (const { name, closes, attributes } of findTags(markdown)) {
    const type = types.get(name)
    if (closes || type === undefined) continue
    if (found.length === mostBlocks) break
    const value = (attribute: 'spec' | 'src' | 'path' | 'method' | 'name') => {
      const names = attributeValue(attributes, attribute)
      return names === undefined ? {} : { [attribute]: names }
    }
    const schemas = attributeValue(attributes, 'schemas')
    found.push({
      type,
      ...value('spec'),
      ...value('src'),
      ...value('path'),
      ...value('method'),
      ...value('name'),
      ...(schemas !== undefined && { schemas: splitList(schemas) }),
    })
  }
  return found
}

/** Returns the search terms of the operations of a specification, by the keys of blocks with this slug. */
export function wordsOfOperations(
  slug: string,
  { groups }: SpecificationOutline,
): ReadonlyMap<string, string> {
  const words = new Map<string, string>()
  for (const { operations } of groups) {
    for (const operation of operations) {
      const type = 'path' in operation ? 'openapi-operation' : 'openapi-webhook'
      const place = 'path' in operation ? { path: operation.path } : { name: operation.webhook }
      const name = blockKey({ type, spec: slug, method: operation.method, ...place })
      if (name !== undefined)
        words.set(name, [operation.title, searchTextOf(operation)].filter(Boolean).join(' '))
    }
  }
  return words
}

/** Returns the method and path of an operation, which identify it. */
export function operationKey(operation: OutlineOperation): string {
  return `${operation.method.toUpperCase()} ${'path' in operation ? operation.path : operation.webhook}`
}

/** Returns the search terms of the operation. */
export function searchTextOf(operation: OutlineOperation): string {
  return [operationKey(operation), operation.id, operation.words].filter(Boolean).join(' ')
}
