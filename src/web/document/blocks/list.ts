/** Lists of bullets, numbers and tasks. */
import { documentText as text } from '../../i18n/document-text.js'
import type { Node as ProseNode } from 'prosemirror-model'
import type { EditedBlock, SourceAttributes } from '../../../core/editing/source-blocks.js'
import { directionOf } from '../../../core/language/direction.js'
import {
  type BlockNodes,
  type BlockTools,
  type BlockWriter,
  type InsertableBlock,
  attributesOf,
  blockAttrs,
} from '../construct.js'
import { beside, element, setAttribute } from '../dom.js'

/** Blocks that begin on the line after another one without becoming a part of it, and those that end with their own line. */
const ownStart = new Set(['code', 'heading', 'blockquote'])
const ownEnd = new Set(['code', 'heading', 'divider'])

/**
 * Whether a tight list stays one: with a blank line between the blocks of an item it is a loose one. Blocks that are beside
 * each other in the text already need none.
 */
function isTight(items: readonly ProseNode[], writer: BlockWriter): boolean {
  return items.every((item) => {
    const blocks = writer.blocks(item)
    const before = writer.origin(item)?.blocks ?? []
    const starts = new Set(before.map(({ span }) => span.start))
    const isNew = ({ span }: EditedBlock) => span === undefined || !starts.has(span.start)
    if (blocks.some((block) => isNew(block) && hasBlankLines(block))) return false
    const next = new Map(before.map(({ span }, index) => [span.start, before[index + 1]?.span.start]))
    return blocks.every((block, index) => {
      const last = blocks[index - 1]
      if (last === undefined || mayFollow(last, block)) return true
      return (
        last.span !== undefined && block.span !== undefined && next.get(last.span.start) === block.span.start
      )
    })
  })
}

/** Whether a new block is written with blank lines that are those of the item around it. */
function hasBlankLines({ type, attributes, blocks = [] }: EditedBlock): boolean {
  switch (type) {
    case 'expandable':
      return true
    case 'paragraph':
    case 'heading':
      return attributes['align'] !== undefined
    case 'hint':
    case 'if':
    case 'tab':
    case 'step':
    case 'column':
    case 'update':
      return blocks.length > 1 || blocks.some(hasBlankLines)
    case 'tabs':
    case 'stepper':
    case 'columns':
    case 'updates':
      return blocks.some(hasBlankLines)
    default:
      return false
  }
}

function mayFollow(before: EditedBlock, block: EditedBlock): boolean {
  if (ownEnd.has(before.type)) return true
  if (before.type !== 'paragraph') return before.type === 'list' && ownStart.has(block.type)
  return ownStart.has(block.type) || (block.type === 'list' && (block.attributes['start'] ?? 1) === 1)
}

export const list: BlockNodes = {
  list: {
    spec: {
      group: 'block',
      content: 'list_item+',
      attrs: { ...blockAttrs, attributes: { default: { kind: 'unordered', tight: true } } },
      parseDOM: [
        { tag: 'ul', attrs: { attributes: { kind: 'unordered', tight: true } } },
        {
          tag: 'ol',
          getAttrs: (dom) => ({
            attributes: { kind: 'ordered', start: Number(dom.getAttribute('start') ?? 1) || 1, tight: true },
          }),
        },
      ],
      toDOM: (node) => {
        const { kind, start } = attributesOf(node)
        if (kind === 'ordered')
          return ['ol', typeof start === 'number' && start !== 1 ? { start: String(start) } : {}, 0]
        return kind === 'tasks' ? ['ul', { class: 'tasks', role: 'list' }, 0] : ['ul', 0]
      },
    },
    content: {
      read: ({ blocks = [] }, reader) => reader.blocks(blocks),
      write(node, writer) {
        const blocks = writer.blocks(node)
        const { kind: type, start = 1, tight } = attributesOf(node)
        const isTasks = blocks.some((item) => item.attributes['checked'] !== undefined)
        const kind = isTasks ? 'tasks' : type === 'ordered' ? 'ordered' : 'unordered'
        const attributes = {
          kind,
          ...(kind === 'ordered' && { start }),
          tight: tight === true && isTight(node.children, writer),
        }
        return { attributes, blocks }
      },
    },
  },
  list_item: {
    spec: {
      content: 'block+',
      defining: true,
      attrs: blockAttrs,
      parseDOM: [{ tag: 'li' }],
      toDOM: () => ['li', 0],
    },
    content: 'blocks',
    view: itemView,
  },
}

function itemView(tools: BlockTools) {
  const dom = element('li')
  const content = element('div', { class: 'item-body' })
  const box = element('input', { type: 'checkbox', 'aria-label': text.done })
  const frame = beside('span', { class: 'task-box' }, box)
  dom.append(content)
  box.addEventListener('change', () => {
    tools.setAttributes({ checked: box.checked })
    tools.view.focus()
  })
  const update = (node: ProseNode): void => {
    const { checked } = attributesOf(node)
    const isTask = typeof checked === 'boolean'
    dom.classList.toggle('task', isTask)
    // Its sign is on the side of its text, whose own direction `auto` does not see.
    setAttribute(dom, 'dir', directionOf(node.textBetween(0, Math.min(node.content.size, 200), ' ')))
    if (!isTask) frame.remove()
    else if (frame.parentNode === null) dom.prepend(frame)
    box.checked = checked === true
    box.disabled = !tools.isEditable()
  }
  update(tools.node())
  return { dom, contentDOM: content, update, form: frame }
}

const paragraph: EditedBlock = { type: 'paragraph', attributes: {}, inlines: [] }

function listBlock(attributes: SourceAttributes, item: SourceAttributes = {}): EditedBlock {
  return {
    type: 'list',
    attributes: { ...attributes, tight: true },
    blocks: [{ type: 'list-item', attributes: item, blocks: [paragraph] }],
  }
}

export const listInsertions: readonly InsertableBlock[] = [
  {
    name: 'bullets',
    title: text.blocks.bullets,
    keywords: text.keywords.bullets,
    icon: 'list',
    group: 'Lists',
    isInCells: true,
    block: listBlock({ kind: 'unordered' }),
  },
  {
    name: 'numbers',
    title: text.blocks.numbers,
    keywords: text.keywords.numbers,
    icon: 'list-ordered',
    group: 'Lists',
    isInCells: true,
    block: listBlock({ kind: 'ordered', start: 1 }),
  },
  {
    name: 'tasks',
    title: text.blocks.tasks,
    keywords: text.keywords.tasks,
    icon: 'list-checks',
    group: 'Lists',
    isInCells: true,
    block: listBlock({ kind: 'tasks' }, { checked: false }),
  },
]
