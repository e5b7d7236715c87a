/** Commands on whole blocks: move, duplicate, delete, insert, and turn into another one. */
import { Fragment, type Node as ProseNode, type NodeType, type ResolvedPos } from 'prosemirror-model'
import {
  type Command,
  type EditorState,
  NodeSelection,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import { findWrapping, liftTarget } from 'prosemirror-transform'
import { attributesOf } from '../construct.js'

/** A block in the document, among its siblings. */
export interface BlockPosition {
  readonly node: ProseNode
  readonly position: number
  readonly parent: ProseNode
  readonly index: number
}

/** Nodes that are moved and removed as a whole with what they are a part of. */
const fixedParts = new Set(['summary', 'table_row', 'table_cell', 'table_header', 'image'])

/**
 * Returns the block at a position: the innermost one that can stand elsewhere; an item rather than its first paragraph, and
 * a table rather than the only one of a cell.
 */
export function blockAt($position: ResolvedPos): BlockPosition | undefined {
  for (let { depth } = $position; depth > 0; depth--) {
    const node = $position.node(depth)
    const parent = $position.node(depth - 1)
    if (!node.isBlock || fixedParts.has(node.type.name)) continue
    const isOnlyContent =
      (parent.type.name === 'list_item' && $position.index(depth - 1) === 0) ||
      (parent.type.name === 'table_cell' && parent.childCount === 1)
    if (isOnlyContent) continue
    return { node, position: $position.before(depth), parent, index: $position.index(depth - 1) }
  }
  return undefined
}

/** Returns the block of the selection. */
export function selectedBlock({ selection }: EditorState): BlockPosition | undefined {
  if (selection instanceof NodeSelection && selection.node.isBlock) {
    const { $from, node } = selection
    return { node, position: selection.from, parent: $from.parent, index: $from.index() }
  }
  return blockAt(selection.$from)
}

type FindBlock = (state: EditorState) => BlockPosition | undefined

/** Moves a block before the one above it, or behind the one below. */
export function moveBlock(direction: 'up' | 'down', find: FindBlock = selectedBlock): Command {
  return (state, dispatch) => {
    const block = find(state)
    if (block === undefined) return false
    const { node, position, parent, index } = block
    const other = parent.maybeChild(direction === 'up' ? index - 1 : index + 1)
    if (!other || other.type.name === 'footnote' || fixedParts.has(other.type.name)) return false
    const target = direction === 'up' ? position - other.nodeSize : position + other.nodeSize
    if (!dispatch) return true
    const offset = state.selection.from - position
    const tr = state.tr.delete(position, position + node.nodeSize).insert(target, node)
    if (state.selection instanceof NodeSelection) tr.setSelection(NodeSelection.create(tr.doc, target))
    else
      tr.setSelection(
        Selection.near(tr.doc.resolve(Math.min(target + Math.max(1, offset), tr.doc.content.size))),
      )
    dispatch(tr.scrollIntoView())
    return true
  }
}

/** Inserts a copy behind the block. */
export function duplicateBlock(find: FindBlock = selectedBlock): Command {
  return (state, dispatch) => {
    const block = find(state)
    if (block === undefined) return false
    const { node, position } = block
    dispatch?.(state.tr.insert(position + node.nodeSize, node).scrollIntoView())
    return true
  }
}

export function deleteBlock(find: FindBlock = selectedBlock): Command {
  return (state, dispatch) => {
    const block = find(state)
    if (block === undefined) return false
    if (!dispatch) return true
    const { node, position, parent } = block
    const { tr } = state
    // What has to have a part goes with its last one.
    if (parent.childCount > 1 || parent.type.name === 'doc') tr.delete(position, position + node.nodeSize)
    else tr.deleteRange(position, position + node.nodeSize)
    if (tr.doc.childCount === 0 || tr.doc.firstChild!.type.name === 'footnote')
      tr.insert(0, tr.doc.type.schema.nodes['paragraph']!.create())
    tr.setSelection(Selection.near(tr.doc.resolve(Math.min(position, tr.doc.content.size)), -1))
    dispatch(tr.scrollIntoView())
    return true
  }
}

/** Selects the block around the selection, and with each repetition the one around that. */
export const selectBlock: Command = (state, dispatch) => {
  const { $from, $to } = state.selection
  const depth = state.selection instanceof NodeSelection ? $from.depth : $from.sharedDepth($to.pos)
  for (let at = depth; at > 0; at--) {
    const node = $from.node(at)
    if (fixedParts.has(node.type.name) || !NodeSelection.isSelectable(node)) continue
    dispatch?.(state.tr.setSelection(NodeSelection.create(state.doc, $from.before(at))))
    return true
  }
  return false
}

/**
 * Inserts blocks where the cursor is: an empty paragraph is replaced, else they are put behind the block of the cursor.
 * The cursor goes into the first text of them.
 */
export function insertBlocks(
  nodes: readonly ProseNode[],
  range?: { readonly from: number; readonly to: number },
): Command {
  return (state, dispatch) => {
    const { tr } = state
    if (range) tr.delete(range.from, range.to)
    const place = insertPosition(tr, nodes)
    if (place === undefined) return false
    if (!dispatch) return true
    tr.replaceWith(place.from, place.to, Fragment.from(nodes))
    const inside = firstText(nodes[0]!)
    const at = place.from + (inside ?? 0)
    const $at = tr.doc.resolve(at)
    if (inside !== undefined) tr.setSelection(TextSelection.near($at))
    else if ($at.nodeAfter && NodeSelection.isSelectable($at.nodeAfter))
      tr.setSelection(NodeSelection.create(tr.doc, at))
    dispatch(tr.scrollIntoView())
    return true
  }
}

function insertPosition(
  tr: Transaction,
  nodes: readonly ProseNode[],
): { from: number; to: number } | undefined {
  const { $from } = tr.selection
  for (let { depth } = $from; depth >= 0; depth--) {
    const parent = $from.node(depth)
    const index = $from.index(depth)
    const child = depth < $from.depth ? $from.node(depth + 1) : undefined
    const isEmpty = child?.type.name === 'paragraph' && child.content.size === 0
    const [start, end] = isEmpty ? [index, index + 1] : [index + (child ? 1 : 0), index + (child ? 1 : 0)]
    if (!parent.canReplace(start, end, Fragment.from(nodes))) continue
    if (child === undefined) return { from: $from.pos, to: $from.pos }
    const after = $from.after(depth + 1)
    return isEmpty ? { from: $from.before(depth + 1), to: after } : { from: after, to: after }
  }
  return undefined
}

/** The offset of the first text block in a node, where a person writes on. */
function firstText(node: ProseNode): number | undefined {
  if (node.isTextblock) return 1
  let found: number | undefined
  node.descendants((child, offset) => {
    if (found === undefined && child.isTextblock) found = offset + 2
    return found === undefined
  })
  return found
}

/** What a block can be turned into. */
export const turnTargets = [
  'paragraph', 'heading-1', 'heading-2', 'heading-3', 'bullets', 'numbers', 'tasks', 'quote', 'hint', 'code', 'expandable',
] as const // prettier-ignore
export type TurnTarget = (typeof turnTargets)[number]

/** Turns the text blocks of the selection into another kind of block; their text stays. */
export function turnInto(target: TurnTarget): Command {
  return (state, dispatch) => {
    const { nodes } = state.schema
    switch (target) {
      case 'paragraph':
        return setTextType(nodes['paragraph']!, {})(state, dispatch)
      case 'heading-1':
      case 'heading-2':
      case 'heading-3':
        return setTextType(nodes['heading']!, { level: Number(target.slice(-1)) })(state, dispatch)
      case 'code':
        return setTextType(nodes['code']!, {})(state, dispatch)
      case 'bullets':
      case 'numbers':
      case 'tasks':
        return turnIntoList(target)(state, dispatch)
      case 'quote':
        return wrapSelection(nodes['blockquote']!, {})(state, dispatch)
      case 'hint':
        return wrapSelection(nodes['hint']!, { style: 'info' })(state, dispatch)
      case 'expandable':
        return turnIntoExpandable(state, dispatch)
    }
  }
}

/** Headings in cells have no syntax. */
function isInCell($position: ResolvedPos): boolean {
  for (let { depth } = $position; depth > 0; depth--)
    if ($position.node(depth).type.spec['tableRole']) return true
  return false
}

function setTextType(type: NodeType, attributes: Readonly<Record<string, number>>): Command {
  return (state, dispatch) => {
    const { $from, from, to } = state.selection
    if (type.name === 'heading' && isInCell($from)) return false
    const { tr } = state
    state.doc.nodesBetween(from, to, (node, position) => {
      if (!node.isTextblock || !convertible.has(node.type.name)) return
      const { align } = attributesOf(node)
      const alignment = typeof align === 'string' && type.name !== 'code' ? { align } : {}
      const place = tr.mapping.map(position)
      if (type.name === 'code') {
        const text = node.textBetween(0, node.content.size, undefined, (leaf) =>
          leaf.type.name === 'hard_break' ? '\n' : leaf.textContent,
        )
        const content = text === '' ? null : state.schema.text(text)
        const next = type.create({ key: node.attrs['key'], attributes: {} }, content)
        if (
          tr.doc
            .resolve(place)
            .parent.canReplaceWith(tr.doc.resolve(place).index(), tr.doc.resolve(place).index() + 1, type)
        )
          tr.replaceWith(place, place + node.nodeSize, next)
      } else if (node.type.name === 'code') {
        const lines = node.textContent.split('\n')
        const content = lines.flatMap((line, index) => [
          ...(index > 0 ? [state.schema.nodes['hard_break']!.create()] : []),
          ...(line === '' ? [] : [state.schema.text(line)]),
        ])
        tr.replaceWith(
          place,
          place + node.nodeSize,
          type.create({ key: node.attrs['key'], attributes }, content),
        )
      } else
        tr.setNodeMarkup(place, type, { key: node.attrs['key'], attributes: { ...alignment, ...attributes } })
    })
    if (!tr.docChanged) return false
    dispatch?.(
      tr.setSelection(Selection.near(tr.doc.resolve(Math.min(from, tr.doc.content.size)))).scrollIntoView(),
    )
    return true
  }
}

const convertible = new Set(['paragraph', 'heading', 'code'])

function wrapSelection(type: NodeType, attributes: Readonly<Record<string, string>>): Command {
  return (state, dispatch) => {
    const { $from, $to } = state.selection
    const range = $from.blockRange($to)
    const wrapping = range && findWrapping(range, type, { attributes })
    if (!range || !wrapping) return false
    dispatch?.(state.tr.wrap(range, wrapping).scrollIntoView())
    return true
  }
}

function turnIntoExpandable(state: EditorState, dispatch?: (tr: Transaction) => void): boolean {
  const { $from } = state.selection
  const { nodes } = state.schema
  const text = $from.parent
  if (!text.isTextblock || !text.inlineContent || text.type.spec.code) return false
  if (!$from.node(-1).canReplaceWith($from.index(-1), $from.index(-1) + 1, nodes['expandable']!)) return false
  const position = $from.before()
  const expandable = nodes['expandable']!.create({ attributes: { open: false } }, [
    nodes['summary']!.create(null, text.content),
    nodes['paragraph']!.create(),
  ])
  dispatch?.(state.tr.replaceWith(position, position + text.nodeSize, expandable).scrollIntoView())
  return true
}

const listAttributes = {
  bullets: { kind: 'unordered', tight: true },
  numbers: { kind: 'ordered', start: 1, tight: true },
  tasks: { kind: 'tasks', tight: true },
} as const

/** Makes a list of the blocks, or another kind of list of the one around them; of the same kind, blocks again. */
export function turnIntoList(kind: keyof typeof listAttributes): Command {
  return (state, dispatch) => {
    const { $from, $to } = state.selection
    const { nodes } = state.schema
    const attributes = listAttributes[kind]
    const depth = listDepth($from)
    if (depth !== undefined) {
      const list = $from.node(depth)
      const { tr } = state
      const position = $from.before(depth)
      const own = attributesOf(list)
      if (own['kind'] === attributes.kind) return liftOutOfList(state, dispatch)
      tr.setNodeAttribute(position, 'attributes', { ...attributes, tight: own['tight'] === true })
      list.forEach((item, offset) => {
        const checked = kind === 'tasks' ? { checked: attributesOf(item)['checked'] === true } : {}
        tr.setNodeAttribute(position + 1 + offset, 'attributes', checked)
      })
      dispatch?.(tr.scrollIntoView())
      return true
    }
    const range = $from.blockRange($to)
    if (!range) return false
    const { tr } = state
    const itemAttributes = kind === 'tasks' ? { checked: false } : {}
    const items: ProseNode[] = []
    for (let index = range.startIndex; index < range.endIndex; index++) {
      const child = range.parent.child(index)
      items.push(nodes['list_item']!.create({ attributes: itemAttributes }, itemContent(child)))
    }
    const list = nodes['list']!.create({ attributes }, items)
    if (!range.parent.canReplaceWith(range.startIndex, range.endIndex, nodes['list']!)) return false
    if (!dispatch) return true
    tr.replaceWith(range.start, range.end, list)
    const offset = $from.pos - range.start
    tr.setSelection(Selection.near(tr.doc.resolve(Math.min(range.start + offset + 2, tr.doc.content.size))))
    dispatch(tr.scrollIntoView())
    return true
  }
}

/** Items begin with text: a heading becomes a paragraph. */
function itemContent(node: ProseNode): ProseNode {
  if (node.type.name !== 'heading') return node
  return node.type.schema.nodes['paragraph']!.create({ key: node.attrs['key'], attributes: {} }, node.content)
}

function listDepth($position: ResolvedPos): number | undefined {
  for (let { depth } = $position; depth > 0; depth--) {
    const { name } = $position.node(depth).type
    if (name === 'list') return depth
    if (name !== 'list_item' && name !== 'paragraph') return undefined
  }
  return undefined
}

/** Takes the items of the selection out of their list. */
function liftOutOfList(state: EditorState, dispatch?: (tr: Transaction) => void): boolean {
  const { $from, $to } = state.selection
  const range = $from.blockRange($to, (node) => node.type.name === 'list')
  if (!range) return false
  const { tr } = state
  const items: ProseNode[] = []
  for (let index = range.startIndex; index < range.endIndex; index++)
    items.push(...range.parent.child(index).children)
  const list = range.parent
  const before = list.children.slice(0, range.startIndex)
  const after = list.children.slice(range.endIndex)
  const nodes = [
    ...(before.length > 0 ? [list.copy(Fragment.from(before))] : []),
    ...items,
    ...(after.length > 0 ? [list.type.create({ attributes: list.attrs['attributes'] }, after)] : []),
  ]
  const start = range.start - 1 - before.reduce((size, node) => size + node.nodeSize, 0)
  tr.replaceWith(start, start + list.nodeSize, nodes)
  const shift = before.length > 0 ? 0 : -2
  tr.setSelection(
    Selection.near(tr.doc.resolve(Math.max(0, Math.min($from.pos + shift, tr.doc.content.size)))),
  )
  dispatch?.(tr.scrollIntoView())
  return true
}

/** Takes the blocks of the selection out of the container around them: a quote, a hint, a condition. */
export const liftBlock: Command = (state, dispatch) => {
  const { $from, $to } = state.selection
  const range = $from.blockRange($to)
  const target = range && liftTarget(range)
  if (!range || target === null || target === undefined) return false
  dispatch?.(state.tr.lift(range, target).scrollIntoView())
  return true
}
