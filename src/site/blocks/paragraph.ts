/** Paragraphs. */
import type { Block, Paragraph } from '../../core/document/types.js'
import { attributes, html, type Html } from '../html.js'
import type { PageRenderer } from './context.js'
import { directionOfInlines } from './direction.js'

/** A `p` with its alignment. */
export function renderParagraph(block: Paragraph, page: PageRenderer): Html {
  if (isTargetOnly(block)) return page.targets(block.aliases)
  const align = block.align === undefined || block.align === 'start' ? undefined : `align-${block.align}`
  return html`<p${attributes({ class: align, dir: directionOfInlines(block.children, page) })}>${page.aliases(block.aliases)}${page.inlines(block.children)}</p>\n`
}

/** Returns whether a block is nothing but a target of links. */
export function isTargetOnly(block: Block): boolean {
  return block.type === 'paragraph' && block.children.length === 0
}
