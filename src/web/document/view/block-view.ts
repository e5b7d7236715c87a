/** Node views: the DOM of blocks that have controls, in plain DOM. */
import type { Node as ProseNode } from 'prosemirror-model'
import type { EditorView, NodeView, NodeViewConstructor, ViewMutationRecord } from 'prosemirror-view'
import type { SourceAttributes } from '../../../core/editing/source-blocks.js'
import {
  type BlockDom,
  type BlockNode,
  type BlockTools,
  type ViewContext,
  attributesOf,
  changedAttributes,
} from '../construct.js'
import { blockNodes } from '../schema.js'

/** Returns the views of all blocks that have one. */
export function blockViews(context: ViewContext): Record<string, NodeViewConstructor> {
  const views: Record<string, NodeViewConstructor> = {}
  for (const [name, { view: create }] of blockNodes)
    if (create) views[name] = (node, view, getPos) => new BlockView(node, view, getPos, { create, context })
  return views
}

class BlockView implements NodeView {
  readonly dom: HTMLElement
  readonly contentDOM?: HTMLElement
  private readonly block: BlockDom

  constructor(
    private node: ProseNode,
    view: EditorView,
    getPos: () => number | undefined,
    { create, context }: { create: NonNullable<BlockNode['view']>; context: ViewContext },
  ) {
    const tools: BlockTools = {
      ...context,
      view,
      isEditable: () => view.editable,
      node: () => this.node,
      position: getPos,
      setAttributes: (changed: SourceAttributes) => {
        const position = getPos()
        if (position === undefined || !view.editable) return
        const attributes = changedAttributes(attributesOf(this.node), changed)
        view.dispatch(view.state.tr.setNodeAttribute(position, 'attributes', attributes))
      },
    }
    this.block = create(tools)
    this.dom = this.block.dom
    if (this.block.contentDOM) this.contentDOM = this.block.contentDOM
  }

  update(node: ProseNode): boolean {
    if (node.type !== this.node.type) return false
    this.node = node
    this.block.update?.(node)
    return true
  }

  /** What happens in a form is not typed into the text. */
  stopEvent(event: Event): boolean {
    const { form } = this.block
    return form !== undefined && event.target instanceof Node && form.contains(event.target)
  }

  ignoreMutation(mutation: ViewMutationRecord): boolean {
    if (mutation.type === 'selection') return this.stopEvent({ target: mutation.target } as unknown as Event)
    return mutation.type === 'attributes' || !(this.contentDOM?.contains(mutation.target) ?? false)
  }
}
