/** The DOM of inlines that are no text: icons, expressions, formulas, pictures, buttons. */
import type { Node as ProseNode } from 'prosemirror-model'
import type { NodeView, NodeViewConstructor } from 'prosemirror-view'
import type { Inline } from '../../../core/document/types.js'
import type { ViewContext } from '../construct.js'
import { element } from '../dom.js'
import { inlineLabel } from '../inlines/inline-nodes.js'

export function inlineViews(context: ViewContext): Record<string, NodeViewConstructor> {
  return { atom: (node) => new InlineView(node, context) }
}

class InlineView implements NodeView {
  readonly dom: HTMLElement

  constructor(
    node: ProseNode,
    private readonly context: ViewContext,
  ) {
    const inline = node.attrs['inline'] as Inline
    this.dom = element('span', { class: `inline-atom inline-${inline.type}`, contenteditable: 'false' })
    this.display(inline)
  }

  ignoreMutation(): boolean {
    return true
  }

  private display(inline: Inline): void {
    const { dom, context } = this
    switch (inline.type) {
      case 'icon': {
        const drawn = context.icon(inline.icon)
        dom.title = inline.icon
        return dom.append(drawn ?? inline.icon)
      }
      case 'inline-image': {
        const url = context.fileUrl(inline.src)
        if (url === undefined)
          return dom.append(element('span', { class: 'missing-image' }, inline.alt ?? inline.src))
        const size = inline.size === 'original' ? 'inline-image original' : 'inline-image'
        return dom.append(element('img', { src: url, alt: inline.alt ?? '', class: size }))
      }
      case 'button':
        return dom.append(element('span', { class: `button ${inline.kind}` }, inline.label))
      case 'inline-math': {
        dom.append(element('code', {}, inline.formula))
        void context
          .drawPreview('inline-math', inline.formula)
          .then((drawn) => drawn && dom.replaceChildren(drawn))
          .catch(() => undefined)
        return undefined
      }
      case 'anchor':
        dom.title = inline.aliases.join(', ')
        return dom.append('#')
      default:
        return dom.append(element('code', {}, inlineLabel(inline)))
    }
  }
}
