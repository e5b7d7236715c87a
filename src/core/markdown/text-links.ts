/** Extracts links and anchors from a parsed text. */
import { anchorsOf } from '../document/anchors.js'
import type { TextLinks } from '../links/text-links.js'
import type { ParsedPage } from './parse.js'

/** References per text: a page with more is artificial, and each reference is resolved whenever a list is built. */
export const maxReferences = 10_000

/** Returns the links of a text, at most ten thousand, and its anchors. */
export function linksOfParsed(text: string, { document, title, references }: ParsedPage): TextLinks {
  let at = 0
  return {
    // Both are in document order.
    references: references.slice(0, maxReferences).map(({ kind, url, span }) => {
      while (at < document.blocks.length && document.blocks[at]!.span.end <= span.start) at += 1
      const block = document.blocks[at]
      const isInside = block !== undefined && block.span.start <= span.start
      return { kind, url, ...(isInside && { node: String(at) }) }
    }),
    anchors: [...new Set([...(title?.anchors ?? []), ...anchorsOf(document)])],
  }
}
