/** Extracts links and anchors from a parsed text. */
import type { Block, Document } from '../document/types.js'
import { visitBlocks } from '../document/visit.js'
import type { TextLinks } from '../links/text-links.js'
import { anchorOf } from './anchors.js'
import { type ParsedPage, maxTextLength } from './parse.js'

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
    anchors: collectAnchors(text, document, title?.text),
  }
}

function collectAnchors(text: string, document: Document, title: string | undefined): string[] {
  const anchors = new Set<string>()
  if (text.length > maxTextLength) return []
  if (title !== undefined) anchors.add(anchorOf(title))
  visitBlocks(document, (block) => {
    for (const anchor of anchorsOf(block)) anchors.add(anchor)
  })
  // Explicit ids of elements and headings, anywhere in the text.
  for (const [, id] of text.matchAll(/\s(?:id|name)=["']([^"'\n]{1,200})["']/g)) anchors.add(id!)
  return [...anchors]
}

function anchorsOf(block: Block): readonly string[] {
  const anchored = (list: readonly { readonly anchor: string; readonly aliases?: readonly string[] }[]) =>
    list.flatMap(({ anchor, aliases = [] }) => [anchor, ...aliases])
  switch (block.type) {
    case 'heading':
    case 'expandable':
      return anchored([block])
    case 'tabs':
      return anchored(block.tabs)
    case 'updates':
      return anchored(block.updates)
    default:
      return []
  }
}
