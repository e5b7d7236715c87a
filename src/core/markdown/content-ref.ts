/** `{% content-ref url="page.md" %} [page.md](page.md) {% endcontent-ref %}`: a page link rendered as a card. */
import { plainText } from '../document/plain-text.js'
import { captionOf } from './caption.js'
import { type Construct, spanOf } from './construct.js'
import { referAttribute } from './reader.js'
import { formatTag } from './tags.js'

function cardOf(attribute: string): Construct {
  return {
    ending: 'alone',
    read(node, reader) {
      const url = referAttribute(reader, 'content-ref', node.tag.attributes.get(attribute)) ?? ''
      if (url === '') reader.problem(`{% ${node.tag.name} %} needs ${attribute}`, node.tag.span)
      const label = plainText(captionOf(node.children, reader))
      return [{ type: 'content-ref', span: spanOf(node), url, label }]
    },
  }
}

export const contentRef = cardOf('url')

/** Legacy form: `{% page-ref page="page.md" %}`. */
export const pageRef = cardOf('page')

/** Returns the opening tag. */
export function formatContentRef({ url }: { readonly url: string }): string {
  return formatTag('content-ref', { url })
}
