/**
 * Constructs of the editor: what one block type of the dialect is in ProseMirror. Each file of `blocks/` has the nodes of
 * one construct: their schema, how they are made from a source block and written back, their attributes as form fields,
 * and their DOM. None of them knows the schema that is made from all.
 *
 * The node of a block has its type as name, with `_` for `-`, and two attributes: `key`, which names the block in this
 * editor for as long as it lives, and `attributes`, those of the source block.
 */
import type { Mark, NodeSpec, Node as ProseNode } from 'prosemirror-model'
import type { EditorView } from 'prosemirror-view'
import type { JsonValue } from '../../core/document/json-node.js'
import type { Inline } from '../../core/document/types.js'
import type { EditedBlock, SourceAttributes, SourceBlock } from '../../core/editing/source-blocks.js'

/** Makes nodes of what a source block contains. */
export interface BlockReader {
  create(name: string, attributes: SourceAttributes, content: readonly ProseNode[], key?: number): ProseNode
  inlines(inlines: readonly Inline[]): ProseNode[]
  text(text: string): ProseNode[]
  /** A paragraph to write in where there are no blocks. */
  blocks(blocks: readonly EditedBlock[]): ProseNode[]
}

/** Writes what a node contains. */
export interface BlockWriter {
  inlines(node: ProseNode): readonly Inline[]
  blocks(node: ProseNode): readonly EditedBlock[]
  block(node: ProseNode): EditedBlock
  /** The block of the text that a node came from. */
  origin(node: ProseNode): SourceBlock | undefined
}

export type BlockContent = Pick<EditedBlock, 'attributes' | 'inlines' | 'blocks'>

/**
 * Where a block has its content: in its inlines, in its blocks (with a paragraph to write in where there are none, unless
 * they are optional), or as text or inlines in one of its attributes.
 */
export type ContentForm =
  | 'inlines'
  | 'blocks'
  | 'optional blocks'
  | 'none'
  | { readonly text: string }
  | { readonly caption: string }
  | {
      /** Returns undefined for a block that only its source can show. */
      readonly read: (block: EditedBlock, reader: BlockReader) => readonly ProseNode[] | undefined
      readonly write: (node: ProseNode, writer: BlockWriter) => BlockContent
    }

/**
 * How an attribute is entered. Kinds that name something of the content (a page, a file, an operation) suggest what there is;
 * an operation is two attributes, `path` and `method`.
 */
export type FieldKind =
  | 'text'
  | 'choice'
  | 'flag'
  | 'list'
  | 'number'
  | 'date'
  | 'lines'
  | 'options'
  | 'expression'
  | 'icon'
  | 'language'
  | 'page'
  | 'picture'
  | 'file'
  | 'person'
  | 'reusable-content'
  | 'specification'
  | 'operation'
  | 'webhook'
  | 'schemas'

/** An attribute as a field of a form. */
export interface AttributeField {
  readonly name: string
  readonly label: string
  readonly kind: FieldKind
  /** Values of a choice with their labels; the first one is the default, which is not written when `isOptional`. */
  readonly options?: readonly (readonly [value: string, label: string])[]
  readonly isOptional?: boolean
  /** It is never empty: without it the block has no syntax. */
  readonly isRequired?: boolean
  readonly placeholder?: string
  /** Whether the attribute matters beside the others; always when absent. */
  readonly isUsed?: (attributes: SourceAttributes) => boolean
}

/** What the DOM of blocks needs from the app around the editor. */
export interface ViewContext {
  /** Returns the drawing of an icon. */
  readonly icon: (name: string) => Element | undefined
  /** Returns the address of a file or picture; undefined when it is missing. */
  readonly fileUrl: (src: string) => string | undefined
  /** Returns what a destination leads to, where that is known; otherwise `onKnown` is called when it is. */
  readonly describeLink: (url: string, onKnown: () => void) => LinkDescription | undefined
  /** Draws a formula or a diagram. */
  readonly drawPreview: (kind: PreviewKind, source: string) => Promise<Element | undefined>
  /** Opens the form over the attributes of the node at a position, beside an element. */
  readonly openForm: ((position: number, anchor: Element) => void) | undefined
  /** Opens the menu of rows and columns beside an element. */
  readonly openTableMenu: ((anchor: Element) => void) | undefined
}

export type PreviewKind = 'math' | 'inline-math' | 'mermaid'

export interface LinkDescription {
  readonly title?: string
  readonly detail?: string
  readonly icon?: string
  readonly isBroken?: boolean
}

/** What the DOM of blocks has when there is no app. */
export const plainContext: ViewContext = {
  icon: () => undefined,
  fileUrl: (src) => (/^https?:/i.test(src) ? src : undefined),
  describeLink: () => undefined,
  drawPreview: () => Promise.resolve(undefined),
  openForm: undefined,
  openTableMenu: undefined,
}

/** The DOM of one block while it is displayed. */
export interface BlockDom {
  readonly dom: HTMLElement
  readonly contentDOM?: HTMLElement
  /** Displays the node in its next version. */
  readonly update?: (node: ProseNode) => void
  /** Elements whose events and changes are those of a form, not of the text. */
  readonly form?: HTMLElement
}

/** What the controls of a block do. */
export interface BlockTools extends ViewContext {
  readonly view: EditorView
  readonly isEditable: () => boolean
  readonly node: () => ProseNode
  readonly position: () => number | undefined
  setAttributes(changed: SourceAttributes): void
}

export interface BlockNode {
  readonly spec: NodeSpec
  readonly content: ContentForm
  /** Name of the construct, above its form and in menus. */
  readonly label?: string
  readonly fields?: readonly AttributeField[]
  /** The form of a block has a section for each of its parts, such as tabs, where this names their type. */
  readonly parts?: string
  /** Whether the block says nothing yet: it is not written. */
  readonly isBlank?: (node: ProseNode) => boolean
  readonly view?: (tools: BlockTools) => BlockDom
}

export type BlockNodes = Readonly<Record<string, BlockNode>>

export type InsertGroup = 'Text' | 'Inline' | 'Lists' | 'Media' | 'Layout' | 'Data' | 'Reuse'

/** An entry of the menu that inserts blocks. */
export interface InsertableBlock {
  readonly name: string
  readonly title: string
  /** Further words that find it, in lower case. */
  readonly keywords: string
  readonly icon: string
  readonly group: InsertGroup
  /** Plain Markdown of cells has no syntax for the others. */
  readonly isInCells?: boolean
  readonly block: EditedBlock
  /** Opens the form once it is inserted: there is something to choose. */
  readonly isChosen?: boolean
}

/** Attributes of every block node. */
export const blockAttrs = { key: { default: null }, attributes: { default: {} } } as const

export const blockTypeOf = (node: ProseNode): string => node.type.name.replaceAll('_', '-')
export const nodeNameOf = (type: string): string => type.replaceAll('-', '_')
export const attributesOf = (node: ProseNode): SourceAttributes =>
  node.attrs['attributes'] as SourceAttributes

/** Returns an attribute that is a text; pasted ones may be anything. */
export function textAttribute(node: ProseNode, name: string): string | undefined {
  const value = attributesOf(node)[name]
  return typeof value === 'string' ? value : undefined
}

export function flagAttribute(node: ProseNode, name: string): boolean {
  return attributesOf(node)[name] === true
}

/** Returns attributes with some of them changed; those that are undefined are removed. */
export function changedAttributes(attributes: SourceAttributes, changed: SourceAttributes): SourceAttributes {
  const result: Record<string, JsonValue> = {}
  for (const [name, value] of Object.entries({ ...attributes, ...changed }))
    if (value !== undefined) result[name] = value
  return result
}

export type { Mark }
