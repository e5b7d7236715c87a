/**
 * What a text says of links: where its own lead, and which fragments lead into it. Follows from the text alone, so it
 * is kept for ever under the text's hash; what a destination means, and whether it is there, is asked of a tree.
 */
import type { Reference } from '../document/types.js'

export interface TextLinks {
  /** In the order of the text. */
  readonly references: readonly TextReference[]
  /** Every fragment that leads into the text. */
  readonly anchors: readonly string[]
}

export interface TextReference extends Pick<Reference, 'kind' | 'url'> {
  /** The key, in the document's JSON, of the block of the page that it stands in; absent in the front matter. */
  readonly node?: string
}

export const noLinks: TextLinks = { references: [], anchors: [] }
