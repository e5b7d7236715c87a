/**
 * The keys of a snapshot's index maps. Parts are joined by NUL, which no id, position or file path
 * contains and which sorts below everything, so that related keys are one range.
 */
import type { PageId } from '../ids.js'

const separator = '\u0000'

/** The text that has a link; one that is no page is stored as its file path after a slash, which no page id has. */
export type LinkSource = { readonly page: PageId } | { readonly text: string }

/** Returns the key of a page in `order`: siblings sort by position, equal positions by id. */
export function orderKey(parent: PageId | null, position: string, id: PageId): string {
  return (parent ?? '') + separator + position + separator + id
}

/** Returns the prefix of the keys of a page's children in `order`; null means the top level. */
export function childrenPrefix(parent: PageId | null): string {
  return (parent ?? '') + separator
}

/** Returns the position and page id that a key of `order` holds. */
export function readOrderKey(key: string): { parent: PageId | null; position: string; id: PageId } {
  const [parent, position, id] = key.split(separator) as [string, string, PageId]
  return { parent: parent === '' ? null : (parent as PageId), position, id }
}

/** Returns the key of a link from this source to this target (a file path, or `/pages/<id>` and the like). */
export function linkKey(target: string, source: LinkSource): string {
  return target + separator + ('page' in source ? source.page : `/${source.text}`)
}

/** Link target of every computed page in `links`, so that they are found without reading all pages. */
export const computedTarget = '/computed'

const slugPrefix = '/openapi/'
const addressPrefix = '/openapi-at/'

/** Returns the link target of a specification that a text embeds: by its slug, or its source address. */
export function specificationTarget(name: string): string {
  return (name.includes(':') ? addressPrefix : slugPrefix) + name
}

/** Prefixes of the targets of all specifications. */
export const specificationPrefixes: readonly string[] = [slugPrefix, addressPrefix]

/** Returns the slug or the address of the specification that a target is; undefined for all others. */
export function readSpecificationTarget(target: string): string | undefined {
  const prefix = specificationPrefixes.find((one) => target.startsWith(one))
  return prefix && target.slice(prefix.length)
}

/** Returns the prefix of the keys of everything that points to a target. */
export function linksPrefix(target: string): string {
  return target + separator
}

/** Returns the target and the source that a key of `links` holds. */
export function readLinkKey(key: string): { target: string; source: LinkSource } {
  const [target, source] = key.split(separator) as [string, string]
  return { target, source: source.startsWith('/') ? { text: source.slice(1) } : { page: source as PageId } }
}

/** Returns the key of a page path in `paths`: readers type paths in any case. */
export function pathKey(path: string): string {
  return path.toLowerCase()
}
