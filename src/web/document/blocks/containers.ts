/** Blocks around blocks: quotes, hints, steps, columns, updates, conditions. */
import type { NodeSpec, Node as ProseNode } from 'prosemirror-model'
import type { EditedBlock } from '../../../core/editing/source-blocks.js'
import { type AttributeField, type BlockNode, type BlockTools, blockAttrs } from '../construct.js'
import { attributeForm, element, replaceClasses } from '../dom.js'

const noParagraph: EditedBlock = { type: 'paragraph', attributes: {}, inlines: [] }

/** Blocks of a new container: a paragraph to write in. */
export const roomToWrite: readonly EditedBlock[] = [noParagraph]

export interface ContainerOptions {
  readonly content?: string
  readonly group?: string
  readonly isolating?: boolean
  readonly className: string
  /** Class of the element around the content, where it is not the element itself. */
  readonly bodyClass?: string
  readonly tag?: 'div' | 'section' | 'ol' | 'li' | 'article'
  readonly fields?: readonly AttributeField[]
  /** Further classes, from the attributes. */
  readonly classesOf?: (node: ProseNode) => readonly (string | undefined)[]
  /** Displays attributes in further elements. */
  readonly decorate?: (dom: HTMLElement, tools: BlockTools) => ((node: ProseNode) => void) | undefined
}

/** A node whose content is displayed in an element with classes of the site, with a form over its attributes. */
export function container(options: ContainerOptions): BlockNode {
  const { content = 'block+', group = 'block', isolating = false, className, fields, tag = 'div' } = options
  const spec: NodeSpec = {
    ...(group !== '' && { group }),
    content,
    defining: true,
    isolating,
    attrs: blockAttrs,
    toDOM: () => [tag, { class: className }, 0],
  }
  return { spec, content: 'blocks', ...(fields && { fields }), view: (tools) => containerDom(options, tools) }
}

function containerDom(options: ContainerOptions, tools: BlockTools) {
  const { className, bodyClass, tag = 'div', fields, classesOf, decorate } = options
  const dom = element(tag)
  const form = fields && attributeForm(fields, tools)
  if (form) dom.append(form.dom)
  const displayMore = decorate?.(dom, tools)
  const content =
    bodyClass === undefined && !form && !displayMore
      ? dom
      : element('div', { class: bodyClass ?? 'block-body' })
  if (content !== dom) dom.append(content)
  let classes: readonly string[] = []
  const update = (node: ProseNode): void => {
    const all = [className, form && 'has-form', ...(classesOf?.(node) ?? [])]
    const next = all.filter((name) => name !== undefined && name !== '') as string[]
    replaceClasses(dom, classes, next)
    classes = next
    form?.update(node)
    displayMore?.(node)
  }
  update(tools.node())
  return { dom, contentDOM: content, update, ...(form && { form: form.dom }) }
}
