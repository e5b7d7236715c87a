/** A heading with its anchor. The page's title is the only h1, so level 1 of a document is an h2. */
import type { Heading } from '../../core/document/types.js'
import { attributes, html, type Html, trusted } from '../html.js'
import type { PageRenderer } from './context.js'
import { directionOfInlines } from './direction.js'
import { encodeText } from './safe-url.js'

/** An h2, h3 or h4 with its anchor link after the text. */
export function renderHeading(block: Heading, page: PageRenderer): Html {
  const tag = trusted(`h${block.level + 1}`)
  const anchor = page.anchor(block.anchor)
  const align = block.align === undefined || block.align === 'start' ? undefined : `align-${block.align}`
  return html`<${tag}${attributes({ id: anchor, class: align, dir: directionOfInlines(block.children, page) })}>${page.aliases(block.aliases)}${page.inlines(block.children)}<a class="anchor" href="#${encodeText(anchor)}" aria-label="${page.words.linkToSection}">#</a></${tag}>\n`
}
