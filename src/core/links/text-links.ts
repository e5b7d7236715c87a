/**
 * Links of a text: its outgoing references and its anchors. Derived from the text alone, so it is cached permanently
 * under the text's hash; resolving a destination and checking that it exists needs a tree.
 */
import type { Reference } from '../document/types.js'

export interface TextLinks {
  /** In document order. */
  readonly references: readonly TextReference[]
  /** All URL fragments that the text defines. */
  readonly anchors: readonly string[]
}

export interface TextReference extends Pick<Reference, 'kind' | 'url'> {
  /** Key, in the document's JSON, of the block it is in; absent in the front matter. */
  readonly node?: string
}

export const noLinks: TextLinks = { references: [], anchors: [] }
