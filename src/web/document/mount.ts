/**
 * The rich editor of one page: a text with its blocks becomes a document to write in, and what is written becomes splices of
 * the text. What others wrote, and what the server made of a save, is applied to the open document.
 */
import { baseKeymap } from 'prosemirror-commands'
import { dropCursor } from 'prosemirror-dropcursor'
import { gapCursor } from 'prosemirror-gapcursor'
import { history } from 'prosemirror-history'
import { keymap } from 'prosemirror-keymap'
import type { Node as ProseNode, ResolvedPos } from 'prosemirror-model'
import {
  type Command,
  EditorState,
  NodeSelection,
  Plugin,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import { tableEditing } from 'prosemirror-tables'
import { Mapping } from 'prosemirror-transform'
import { Decoration, DecorationSet, EditorView } from 'prosemirror-view'
import type { HashMemo } from '../../core/editing/canonical.js'
import type { EditedBlock, SourceDocument } from '../../core/editing/source-blocks.js'
import { type Splice, applySplices } from '../../core/editing/splice.js'
import { type Snapshot, type TextVersion, applyText } from './apply-text.js'
import { blockAt, insertBlocks } from './commands/block-commands.js'
import { documentText as texts } from '../i18n/document-text.js'
import { type ViewContext, attributesOf, plainContext } from './construct.js'
import { type OpenForm, formAt, formPlugin, openForm } from './form.js'
import { BlocksReader, type OpaqueSpan } from './from-blocks.js'
import { type ClipboardOptions, clipboardPlugin } from './input/clipboard.js'
import { findPlugin } from './input/find.js'
import { markdownShortcuts } from './input/input-rules.js'
import { documentKeys } from './input/keymap.js'
import { type SlashMenu, slashPlugin } from './input/slash-menu.js'
import { keysPlugin } from './keys.js'
import { Origins } from './origins.js'
import { type Insertable, blockNodes, documentSchema } from './schema.js'
import { offsetOfPosition, positionOfOffset } from './selection-offsets.js'
import { documentEdit } from './splices.js'
import { type BlockHandleOptions, blockHandlePlugin } from './view/block-handle.js'
import { commentMarksPlugin } from './view/comment-marks.js'
import { blockViews } from './view/block-view.js'
import { inlineViews } from './view/inline-view.js'
import { renderedBlocksPlugin } from './view/rendered-blocks.js'
import './document.css'

export interface MountOptions extends Partial<ViewContext> {
  readonly text: string
  readonly document: SourceDocument
  readonly asSource?: readonly OpaqueSpan[]
  readonly isEditable?: boolean
  /** Hashes of the blocks of the document, where its next versions are made from it. */
  readonly memo?: HashMemo
  /** Something was written; `edit` and `text` say what. */
  readonly onChange?: () => void
  readonly onSelection?: (state: EditorState) => void
  /** The key of links, while text or a link is selected. */
  readonly onLink?: () => void
  readonly slashMenu?: SlashMenu
  /** The handle beside a block was clicked, or its key pressed. */
  readonly onBlockMenu?: BlockHandleOptions['onMenu']
  /** A form over attributes was opened, has changed, or was closed; `anchor` is what it belongs to. */
  readonly onForm?: (form: OpenForm | undefined, anchor: Element | undefined) => void
  /** The menu of a table is opened from the bar above it. */
  readonly onTableMenu?: (anchor: Element) => void
  /** Returns the title and destination of an address of the app that is pasted. */
  readonly describeAddress?: ClipboardOptions['describeAddress']
  /** Marked words of a comment were clicked. */
  readonly onComment?: (id: string) => void
  /** The keys of find, and of replace. */
  readonly onFind?: (withReplace: boolean) => void
  /** Converts markup or Markdown from the clipboard to blocks. */
  readonly convert?: (
    content: { readonly html: string } | { readonly markdown: string },
  ) => Promise<readonly EditedBlock[] | undefined>
  /** Stores a pasted or dropped file; returns its path. */
  readonly upload?: (file: File) => Promise<string | undefined>
}

/** An edit of the text, as the API takes it. */
export interface DescribedEdit {
  readonly splices: Splice[]
  readonly canonical: string
  readonly wider: Splice[][]
}

export interface DocumentHandle {
  readonly view: EditorView
  /** The text with everything that was written, in its narrowest form. */
  text(): string
  /** The same as splices of the acknowledged text, which is the last one only once no composition is under way. */
  changes(): { readonly base: string; readonly splices: readonly Splice[] }
  /**
   * The edit of the acknowledged text; undefined when there is none. It is remembered as what is on its way to the server,
   * until a version of the text is applied.
   */
  edit(): DescribedEdit | undefined
  /**
   * Takes over the next version of the text: of the last `edit` with what came from others, or, `'others'`, of the
   * acknowledged text with what others did alone. Selection, history, and what is not saved yet stay.
   */
  apply(version: TextVersion, of?: 'edit' | 'others'): void
  run(command: Command): boolean
  insert(block: EditedBlock, range?: { readonly from: number; readonly to: number }): boolean
  /** Inserts an entry of the menu, and opens its form where there is something to choose. */
  insertEntry(entry: Insertable, range?: { readonly from: number; readonly to: number }): boolean
  /** Opens the menu of the block of the cursor; false where there is none. */
  openBlockMenu(): boolean
  setEditable(isEditable: boolean): void
  focus(): void
  /** The offset of the cursor in the text. */
  offset(): number | undefined
  focusOffset(offset: number): void
  /** The offset in the text of a position of the document, and the position of an offset. */
  offsetOf(position: number): number | undefined
  positionOf(offset: number): number
  destroy(): void
}

let mounted = 0

/** Shows the document in an element. */
export function mountDocument(parent: HTMLElement, options: MountOptions): DocumentHandle {
  return new MountedDocument(parent, options)
}

class MountedDocument implements DocumentHandle {
  readonly view: EditorView
  /** The acknowledged text, and the document that was sent, each with what happened since. */
  private base: Snapshot
  private sent: Snapshot | undefined
  private isEditable: boolean
  private readonly memo: HashMemo
  /** A version that has to wait for the end of a composition. */
  private waiting: (() => void)[] = []

  constructor(
    parent: HTMLElement,
    private readonly options: MountOptions,
  ) {
    const { text, document: source, asSource = [], isEditable = true } = options
    this.isEditable = isEditable
    this.memo = options.memo ?? new WeakMap()
    const origins = new Origins()
    const read = new BlocksReader(documentSchema, text, origins, asSource, this.memo).document(source)
    this.base = { doc: read.doc, base: { text, source: read.source, origins }, mapping: new Mapping() }
    const context = {
      ...plainContext,
      ...definedMembers(options),
      openTableMenu: options.onTableMenu,
      openForm: options.onForm && ((position: number) => this.runQuietly(openForm(position))),
    }
    this.view = new EditorView(parent, {
      state: EditorState.create({ doc: read.doc, plugins: this.plugins() }),
      editable: () => this.isEditable,
      nodeViews: { ...blockViews(context), ...inlineViews(context) },
      attributes: {
        class: 'body document-editor',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': texts.label,
        translate: 'no',
      },
      dispatchTransaction: (tr) => this.dispatch(tr),
      handleDOMEvents: {
        compositionend: () => {
          setTimeout(() => this.applyWaiting())
          return false
        },
      },
    })
  }

  private plugins(): Plugin[] {
    const { slashMenu, onLink, onBlockMenu, onForm, onFind, convert, upload, describeAddress } = this.options
    return [
      keysPlugin(() => this.base.base.origins),
      ...(slashMenu ? [slashPlugin(slashMenu)] : []),
      markdownShortcuts(documentSchema),
      documentKeys({
        ...(onLink && { link: onLink }),
        ...(onFind && { find: onFind }),
        ...(onBlockMenu && { blockMenu: () => this.openBlockMenu() }),
        ...(onForm && { form: () => this.openFormOfSelection() }),
      }),
      keymap(baseKeymap),
      clipboardPlugin({
        editor: `${++mounted}`,
        convert: convert ?? (() => Promise.resolve(undefined)),
        upload: upload ?? (() => Promise.resolve(undefined)),
        describeAddress: describeAddress ?? (() => Promise.resolve(undefined)),
        nodesOf: (blocks) => this.nodesOf(blocks),
      }),
      history(),
      gapCursor(),
      dropCursor({ class: 'drop-cursor' }),
      tableEditing(),
      findPlugin(),
      ...(this.options.onComment ? [commentMarksPlugin(this.options.onComment)] : []),
      ...(onForm ? [formPlugin((form) => onForm(form, form && this.elementAt(form.position)))] : []),
      ...(onBlockMenu ? [blockHandlePlugin({ onMenu: onBlockMenu })] : []),
      renderedBlocksPlugin(),
      currentBlockPlugin(),
      placeholderPlugin(texts.placeholder),
    ]
  }

  private dispatch(tr: Transaction): void {
    const before = this.view.state
    const { state, transactions } = before.applyTransaction(tr)
    for (const one of transactions) {
      this.base.mapping.appendMapping(one.mapping)
      this.sent?.mapping.appendMapping(one.mapping)
    }
    this.view.updateState(state)
    if (!state.doc.eq(before.doc) && tr.getMeta('remote') !== true) this.options.onChange?.()
    if (!state.selection.eq(before.selection)) this.options.onSelection?.(state)
  }

  text(): string {
    const { base, splices } = this.changes()
    return applySplices(base, splices)
  }

  changes(): { readonly base: string; readonly splices: readonly Splice[] } {
    const { base } = this.base
    const edit = documentEdit(base, this.view.state.doc, this.memo, ['change'])
    return { base: base.text, splices: edit?.widths[0] ?? [] }
  }

  edit(): DescribedEdit | undefined {
    const { doc } = this.view.state
    const edit = documentEdit(this.base.base, doc, this.memo)
    this.sent = { doc, base: this.base.base, mapping: new Mapping() }
    if (edit === undefined) return undefined
    const [splices, ...wider] = edit.widths
    return { splices: [...splices!], canonical: edit.meant, wider: wider.map((one) => [...one]) }
  }

  apply(version: TextVersion, of: 'edit' | 'others' = 'edit'): void {
    const apply = (): void => {
      const snapshot = (of === 'edit' ? this.sent : undefined) ?? this.base
      const applied = applyText(this.view.state.tr, snapshot, version, this.memo)
      this.sent = undefined
      this.base = applied.snapshot
      const { transaction } = applied
      if (transaction === undefined) return
      const before = this.base.mapping
      // The mapping of what is applied is in the snapshot already.
      this.base = { ...this.base, mapping: new Mapping() }
      this.view.dispatch(transaction.setMeta('addToHistory', false).setMeta('remote', true))
      this.base.mapping = before
    }
    this.waiting.push(apply)
    if (!this.view.composing) this.applyWaiting()
  }

  private applyWaiting(): void {
    if (this.view.isDestroyed || this.view.composing || this.waiting.length === 0) return
    for (const apply of this.waiting.splice(0)) apply()
    // What was composed is an edit of the new text now.
    this.options.onChange?.()
  }

  /** The element of the node at a position. */
  private elementAt(position: number): Element | undefined {
    const dom = this.view.nodeDOM(position)
    return dom instanceof Element ? dom : undefined
  }

  openBlockMenu(): boolean {
    const { selection } = this.view.state
    const block =
      selection instanceof NodeSelection && selection.node.isBlock
        ? { position: selection.from }
        : blockAt(selection.$from)
    const anchor = block && this.elementAt(block.position)
    if (!block || !anchor) return false
    this.options.onBlockMenu?.({ position: block.position, anchor })
    return true
  }

  /** Opens the form of a selected block or inline; false where a text is selected. */
  private openFormOfSelection(): boolean {
    const { selection } = this.view.state
    if (!(selection instanceof NodeSelection) || !selection.node.isAtom) return false
    return this.runQuietly(openForm(selection.from))
  }

  /** Runs a command without taking the focus. */
  private runQuietly(command: Command): boolean {
    return command(this.view.state, this.view.dispatch, this.view)
  }

  run(command: Command): boolean {
    const isDone = command(this.view.state, this.view.dispatch, this.view)
    this.view.focus()
    return isDone
  }

  insert(block: EditedBlock, range?: { readonly from: number; readonly to: number }): boolean {
    return this.run(insertBlocks(this.nodesOf([block]), range))
  }

  insertEntry(entry: Insertable, range?: { readonly from: number; readonly to: number }): boolean {
    if ('block' in entry) {
      const isDone = this.insert(entry.block, range)
      const { selection } = this.view.state
      const block = selection instanceof NodeSelection ? selection.from : topOfNew(selection)
      if (isDone && entry.isChosen && block !== undefined) this.runQuietly(openForm(block))
      return isDone
    }
    const { schema, tr, selection } = this.view.state
    const { from, to } = range ?? selection
    const atom = schema.nodes['atom']!.create({ inline: entry.inline })
    tr.replaceRangeWith(from, to, atom)
    const position = tr.mapping.map(from, -1)
    if (tr.doc.nodeAt(position)?.type !== atom.type) return false
    this.view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, position)).scrollIntoView())
    this.view.focus()
    return this.runQuietly(openForm(position))
  }

  private nodesOf(blocks: readonly EditedBlock[]): readonly ProseNode[] {
    const { text, origins } = this.base.base
    const reader = new BlocksReader(documentSchema, text, origins, [], this.memo)
    return blocks.map((block) => reader.block(withoutSpans(block)))
  }

  setEditable(isEditable: boolean): void {
    this.isEditable = isEditable
    this.view.setProps({ editable: () => this.isEditable })
  }

  focus(): void {
    this.view.focus()
  }

  offset(): number | undefined {
    return this.offsetOf(this.view.state.selection.head)
  }

  offsetOf(position: number): number | undefined {
    const { text, origins } = this.base.base
    return offsetOfPosition(this.view.state.doc, position, text, origins)
  }

  positionOf(offset: number): number {
    const { doc } = this.view.state
    const { text, origins } = this.base.base
    return Math.min(positionOfOffset(doc, offset, text, origins) ?? 0, doc.content.size)
  }

  focusOffset(offset: number): void {
    const { doc, tr } = this.view.state
    const $position = doc.resolve(this.positionOf(offset))
    this.view.dispatch(tr.setSelection(Selection.near($position)).scrollIntoView())
    this.view.focus()
  }

  destroy(): void {
    this.view.destroy()
  }
}

/** Blocks of another text are new in this one. */
function withoutSpans({ type, attributes, inlines, blocks }: EditedBlock): EditedBlock {
  return {
    type,
    attributes,
    ...(inlines && { inlines }),
    ...(blocks && { blocks: blocks.map(withoutSpans) }),
  }
}

function definedMembers({ icon, fileUrl, describeLink, drawPreview }: MountOptions): Partial<ViewContext> {
  return {
    ...(icon && { icon }),
    ...(fileUrl && { fileUrl }),
    ...(describeLink && { describeLink }),
    ...(drawPreview && { drawPreview }),
  }
}

/** The position of the block of the page that a new cursor is in, where it has a form. */
function topOfNew({ $from }: Selection): number | undefined {
  for (let { depth } = $from; depth > 0; depth--)
    if (formAt($from.doc, $from.before(depth)) && $from.node(depth).type.spec.group === 'block')
      return $from.before(depth)
  return undefined
}

/**
 * Marks the innermost block with a form that the cursor is in: its button is displayed there, also without a pointer. The title
 * of a column is marked too: titles without words are displayed only while the cursor is in them.
 */
function currentBlockPlugin(): Plugin {
  return new Plugin({
    props: {
      decorations({ doc, selection }) {
        const { $from } = selection
        const marks: Decoration[] = []
        for (let { depth } = $from; depth > 0; depth--) {
          const node = $from.node(depth)
          if (node.type.name === 'table_header') marks.push(markOf($from, depth))
          if (node.isTextblock && !node.type.spec.code) continue
          const block = blockNodes.get(node.type.name)
          if (block?.view === undefined || (block.fields === undefined && block.parts === undefined)) continue
          return DecorationSet.create(doc, [...marks, markOf($from, depth)])
        }
        return null
      },
    },
  })
}

const markOf = ($at: ResolvedPos, depth: number): Decoration =>
  Decoration.node($at.before(depth), $at.after(depth), { class: 'has-cursor' })

/** Says in an empty line what can be done there. */
function placeholderPlugin(words: string): Plugin {
  return new Plugin({
    props: {
      decorations({ doc, selection }) {
        if (!(selection instanceof TextSelection) || !selection.empty) return null
        const { $head } = selection
        const { parent } = $head
        if (parent.type.name !== 'paragraph' || parent.content.size > 0) return null
        const isTop = $head.depth === 1
        if (!isTop && attributesOf($head.node(1))['kind'] !== undefined) return null
        return DecorationSet.create(doc, [
          Decoration.node($head.before(), $head.after(), {
            class: 'is-placeholder',
            'data-placeholder': words,
          }),
        ])
      },
    },
  })
}
