/**
 * Forms over attributes: one for every construct, made from the fields that the construct declares. The form of a block has
 * a section for the block and one for each of its parts (tabs, steps, columns); that of an inline has one. The app displays
 * it; this file says what is in it and sets what is entered, each as one step that can be undone.
 */
import type { Node as ProseNode } from 'prosemirror-model'
import { type Command, NodeSelection, Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { Inline } from '../../core/document/types.js'
import type { SourceAttributes } from '../../core/editing/source-blocks.js'
import { documentText as text } from '../i18n/document-text.js'
import { cellFields, columnOf, setCellValues } from './blocks/cell-values.js'
import { setColumnAttributes } from './commands/column-commands.js'
import { addTableColumnAt, deleteTableColumnAt, moveTableColumnAt } from './commands/table-commands.js'
import { type AttributeField, attributesOf, changedAttributes } from './construct.js'
import { inlineForms } from './inlines/inline-forms.js'
import { blockNodes } from './schema.js'

export interface FormSection {
  /** Where the node is that has the attributes. */
  readonly position: number
  readonly title: string
  readonly fields: readonly AttributeField[]
  readonly attributes: SourceAttributes
  /** The place of a part among its siblings; undefined for the block itself. */
  readonly index?: number
}

export interface OpenForm {
  readonly position: number
  readonly title: string
  readonly sections: readonly FormSection[]
  /** What a part is called, where some can be added. */
  readonly part?: string
}

/** Returns the form of the node at a position; undefined where it has none. */
export function formAt(doc: ProseNode, position: number): OpenForm | undefined {
  const node = position <= doc.content.size ? doc.nodeAt(position) : null
  if (node === null) return undefined
  if (node.isInline) return inlineForm(node, position)
  if (node.type.name === 'table_cell') return cellForm(doc, node, position)
  const { label, fields = [], parts } = blockNodes.get(node.type.name) ?? {}
  if (label === undefined || (fields.length === 0 && parts === undefined)) return undefined
  const title =
    node.type.name === 'table' && attributesOf(node)['view'] === 'cards' ? text.blocks.cards : label
  const own: FormSection[] =
    fields.length === 0 ? [] : [{ position, title, fields, attributes: attributesOf(node) }]
  if (parts === undefined) return { position, title, sections: own }
  const { label: part = '', fields: partFields = [] } = blockNodes.get(parts)!
  const sections = partsOf(node, position).map(({ node: child, position: at }, index) => ({
    position: at,
    title: partTitle(child, part, index),
    fields: partFields,
    attributes: attributesOf(child),
    index,
  }))
  // Of pictures the files matter more than how they are placed.
  const all = node.type.name === 'images' ? [...sections, ...own] : [...own, ...sections]
  return { position, title, sections: all, part }
}

function partTitle(part: ProseNode, name: string, index: number): string {
  const numbered = text.partName(name, index + 1)
  const words = part.type.name === 'table_header' ? part.textContent.trim() : ''
  return words === '' ? numbered : words
}

/** The parts of a block: those of a table are its columns, by their titles. */
function partsOf(node: ProseNode, position: number) {
  const isTable = node.type.name === 'table'
  const around = isTable ? node.firstChild! : node
  const parts: { readonly node: ProseNode; readonly position: number }[] = []
  around.forEach((part, offset) => {
    parts.push({ node: part, position: position + offset + (isTable ? 2 : 1) })
  })
  return parts
}

/** Values of a cell that are chosen. */
function cellForm(doc: ProseNode, cell: ProseNode, position: number): OpenForm | undefined {
  const column = columnOf(doc, position)
  const form = column && cellFields(cell, column)
  return form && { position, title: form.title, sections: [{ position, ...form }] }
}

function inlineForm(node: ProseNode, position: number): OpenForm | undefined {
  if (node.type.name !== 'atom') return undefined
  const { type, ...attributes } = node.attrs['inline'] as Inline
  const form = inlineForms.get(type)
  if (form === undefined) return undefined
  const { title, fields } = form
  return {
    position,
    title,
    sections: [{ position, title, fields, attributes: attributes as SourceAttributes }],
  }
}

/** Sets attributes of the node at a position; those that are undefined are removed. */
export function setFormAttributes(position: number, changed: SourceAttributes): Command {
  return (state, dispatch) => {
    const node = state.doc.nodeAt(position)
    if (node === null) return false
    if (node.type.name === 'table_header') return setColumnAttributes(position, changed)(state, dispatch)
    if (node.type.name === 'table_cell') return setCellValues(position, changed)(state, dispatch)
    const { tr } = state
    if (node.isInline) {
      const inline = changedAttributes(node.attrs['inline'] as SourceAttributes, changed)
      tr.setNodeAttribute(position, 'inline', inline)
    } else tr.setNodeAttribute(position, 'attributes', changedAttributes(attributesOf(node), changed))
    dispatch?.(tr)
    return true
  }
}

/** Adds a part to the block at a position, behind its last one. */
export function addPart(position: number): Command {
  return (state, dispatch) => {
    const node = state.doc.nodeAt(position)
    const type = blockNodes.get(node?.type.name ?? '')?.parts
    if (node === null || type === undefined) return false
    if (node.type.name === 'table') return addTableColumnAt(position)(state, dispatch)
    const count = node.childCount
    const attributes = type === 'tab' ? { title: text.partName(text.blocks.tab, count + 1) } : {}
    const last = node.lastChild
    const copied = type === 'update' && last ? { date: attributesOf(last)['date'], tags: [] } : attributes
    const part = state.schema.nodes[type]!.createAndFill({ attributes: copied })
    if (part === null) return false
    dispatch?.(state.tr.insert(position + node.nodeSize - 1, part))
    return true
  }
}

/** Removes a part of the block at a position; the last one stays, so that there is a block. */
export function removePart(position: number, index: number): Command {
  return (state, dispatch) => {
    const node = state.doc.nodeAt(position)
    if (node === null) return false
    const parts = partsOf(node, position)
    const part = parts[index]
    if (part === undefined || parts.length === 1) return false
    if (node.type.name === 'table') return deleteTableColumnAt(position, index)(state, dispatch)
    dispatch?.(state.tr.delete(part.position, part.position + part.node.nodeSize))
    return true
  }
}

/** Exchanges a part with its neighbour. */
export function movePart(position: number, index: number, direction: -1 | 1): Command {
  return (state, dispatch) => {
    const node = state.doc.nodeAt(position)
    if (node === null) return false
    const parts = partsOf(node, position)
    const [part, other] = [parts[index], parts[index + direction]]
    if (part === undefined || other === undefined) return false
    if (node.type.name === 'table') return moveTableColumnAt(position, index, direction)(state, dispatch)
    const target = direction < 0 ? other.position : part.position + other.node.nodeSize
    dispatch?.(state.tr.delete(part.position, part.position + part.node.nodeSize).insert(target, part.node))
    return true
  }
}

/** Returns the forms of the selected node and of the blocks around it, the innermost first. */
export function formsAround(view: EditorView): readonly OpenForm[] {
  const { selection, doc } = view.state
  const { $from } = selection
  const positions = selection instanceof NodeSelection ? [selection.from] : []
  for (let { depth } = $from; depth > 0; depth--) positions.push($from.before(depth))
  return positions.flatMap((position) => {
    const node = doc.nodeAt(position)
    // The columns of a table and the parts of a group have their sections in the form of it.
    if (node === null || node.type.name === 'table_header' || partTypes.has(node.type.name)) return []
    return formAt(doc, position) ?? []
  })
}

const partTypes = new Set([...blockNodes.values()].flatMap(({ parts }) => parts ?? []))

const formKey = new PluginKey<number | null>('form')

/** Follows the node whose form is open through edits; `onForm` is called with each of its versions. */
export function formPlugin(onForm: (form: OpenForm | undefined) => void): Plugin {
  return new Plugin<number | null>({
    key: formKey,
    state: {
      init: () => null,
      apply(tr, before) {
        const meta = tr.getMeta(formKey) as { readonly position: number | null } | undefined
        if (meta) return meta.position
        if (before === null || !tr.docChanged) return before
        return mapped(tr, before)
      },
    },
    props: {
      // A click on an inline that is no text opens its form, and one on a picture that is not there: there is nothing else
      // to do in it.
      handleClickOn(view, _, node, position, event, isDirect) {
        if (!view.editable) return false
        const isMissing = event.target instanceof Element && event.target.closest('.missing-image') !== null
        if (isMissing && node.type.name === 'images') return openForm(position)(view.state, view.dispatch)
        if (!isDirect || node.type.name !== 'atom') return false
        view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, position)))
        return openForm(position)(view.state, view.dispatch)
      },
      handleDoubleClickOn: (view, _, node, position, __, isDirect) =>
        isDirect &&
        view.editable &&
        node.isBlock &&
        node.isAtom &&
        openForm(position)(view.state, view.dispatch),
    },
    view: () => ({
      update(view, before) {
        const position = formKey.getState(view.state) ?? null
        if (position === formKey.getState(before) && view.state.doc === before.doc) return
        if (position === null && (formKey.getState(before) ?? null) === null) return
        onForm(position === null ? undefined : formAt(view.state.doc, position))
      },
      destroy: () => onForm(undefined),
    }),
  })
}

function mapped(tr: Transaction, position: number): number | null {
  const { deletedAfter, pos } = tr.mapping.mapResult(position, 1)
  // A saved text may replace a block by an equal one.
  const isSame = tr.doc.nodeAt(pos)?.type === tr.before.nodeAt(position)?.type
  return deletedAfter && !isSame ? null : pos
}

/** Opens the form of the node at a position, or closes the one that is open. */
export function openForm(position: number | undefined): Command {
  return (state, dispatch) => {
    if (position !== undefined && formAt(state.doc, position) === undefined) return false
    dispatch?.(state.tr.setMeta(formKey, { position: position ?? null }).setMeta('addToHistory', false))
    return true
  }
}
