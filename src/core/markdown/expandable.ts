/** `<details><summary>Title</summary>`, Markdown between blank lines, `</details>`. */
import type { Expandable } from '../document/types.js'
import { plainText } from '../document/plain-text.js'
import { captionOf } from './caption.js'
import { spanOf } from './construct.js'
import type { ElementNode } from './nodes.js'
import { elementFlag, elementValue, type Reader } from './reader.js'

/** Returns the block of a `<details>` element. */
export function readDetails(details: ElementNode, reader: Reader): Expandable {
  const summary = details.children.find(
    (child): child is ElementNode => child.kind === 'element' && child.name === 'summary',
  )
  if (!summary)
    reader.problem('<details> needs a <summary>', { start: details.start, end: details.contentStart })
  const title = summary ? captionOf(summary.children, reader) : []
  const id = elementValue(details, 'id')
  return {
    type: 'expandable',
    span: spanOf(details),
    title,
    ...reader.anchors.take(plainText(title), 'details', id),
    ...(id !== undefined && { id }),
    open: elementFlag(details, 'open'),
    blocks: reader.blocks(details.children.filter((child) => child !== summary)),
  }
}
