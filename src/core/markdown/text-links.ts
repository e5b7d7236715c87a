/** What a text says of links, once it is parsed. */
import type { Block, Document } from '../document/types.js'
import { visitBlocks } from '../document/visit.js'
import type { TextLinks } from '../links/text-links.js'
import { anchorOf } from './anchors.js'
import { type ParsedPage, maxTextLength } from './parse.js'

/** Of one text: a page of more is made to be long, and each of them is looked at whenever a list is made. */
export const mostReferences = 10_000

/** Returns what a text says of links; of its destinations the first ten thousand. */
export function linksOfParsed(text: string, { document, title, references }: ParsedPage): TextLinks {
  let at = 0
  return {
    // Both are in the order of the text.
    references: references.slice(0, mostReferences).map(({ kind, url, span }) => {
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
  // Elements and headings of the author's own naming, wherever they stand.
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
