/** Blocks around blocks: quotes, hints, steps, columns, updates, conditions. */
import type { NodeSpec, Node as ProseNode } from 'prosemirror-model'
import type { EditedBlock } from '../../../core/editing/source-blocks.js'
import { type AttributeField, type BlockNode, type BlockTools, blockAttrs } from '../construct.js'
import { element, replaceClasses, settingsButton } from '../dom.js'

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
  readonly bodyTag?: 'div' | 'ol'
  readonly tag?: 'div' | 'section' | 'ol' | 'li' | 'article'
  readonly label: string
  readonly fields?: readonly AttributeField[]
  readonly parts?: string
  /** Whether the form of the block around has its section: it has no button of its own. */
  readonly isPart?: boolean
  /** Further classes, from the attributes. */
  readonly classesOf?: (node: ProseNode) => readonly (string | undefined)[]
  /** Displays attributes in further elements. */
  readonly decorate?: (dom: HTMLElement, tools: BlockTools) => ((node: ProseNode) => void) | undefined
}

/** A node whose content is displayed in an element with classes of the site. */
export function container(options: ContainerOptions): BlockNode {
  const { content = 'block+', group = 'block', isolating = false, className, tag = 'div' } = options
  const { label, fields, parts } = options
  const spec: NodeSpec = {
    ...(group !== '' && { group }),
    content,
    defining: true,
    isolating,
    attrs: blockAttrs,
    toDOM: () => [tag, { class: className }, 0],
  }
  return {
    spec,
    content: 'blocks',
    label,
    ...(fields && { fields }),
    ...(parts !== undefined && { parts }),
    view: (tools) => containerDom(options, tools),
  }
}

function containerDom(options: ContainerOptions, tools: BlockTools) {
  const { className, bodyClass, bodyTag = 'div', tag = 'div', classesOf, decorate } = options
  const { fields, parts, isPart } = options
  const dom = element(tag)
  const hasForm = isPart !== true && (fields !== undefined || parts !== undefined)
  const settings = hasForm ? settingsButton(tools) : undefined
  if (settings) dom.append(settings)
  const displayMore = decorate?.(dom, tools)
  const content =
    bodyClass === undefined && !hasForm && !displayMore
      ? dom
      : element(bodyTag, { class: bodyClass ?? 'block-body' })
  if (content !== dom) dom.append(content)
  let classes: readonly string[] = []
  const update = (node: ProseNode): void => {
    const all = [className, settings && 'has-settings', ...(classesOf?.(node) ?? [])]
    const next = all.filter((name) => name !== undefined && name !== '') as string[]
    replaceClasses(dom, classes, next)
    classes = next
    displayMore?.(node)
  }
  update(tools.node())
  return { dom, contentDOM: content, update, ...(settings && { form: settings }) }
}
