/** Rich view of a page: the ProseMirror document, bound to the session that saves its text. */
import { convertContent } from './convert-content.js'
import { documentIcon } from './document-icons.js'
import { findFileUrl } from './file-urls.js'
import { type DocumentHandle, mountDocument } from '../document/mount.js'
import { insertableBlocks } from '../document/schema.js'
import { type DocumentChange, applyChangedBlocks } from '../../core/editing/changed-blocks.js'
import type { SourceDocument } from '../../core/editing/source-blocks.js'
import type { TextEdited } from '../../contract/page-text.js'
import type { ContentSource } from '../api/queries.js'
import { text as texts } from '../i18n/text.js'
import type { DescribedEdit } from '../sync/text-session.js'
import { createSlashPopup } from './slash-popup.js'
import { createSelectionToolbar } from './selection-toolbar.js'
import { uploadImage } from './upload-image.js'
import './rich-view.css'

export interface RichView {
  /** The text with what was typed last. */
  text(): string
  describe(base: string): DescribedEdit | undefined
  /** Takes over the answer of a save; `text` is what is stored now. False when the text has to be loaded again. */
  acknowledge(answer: TextEdited, text: string): boolean
  focus(): void
  destroy(): void
}

export function mountRichView(
  parent: HTMLElement,
  {
    source,
    text,
    document: start,
    files,
    onChange,
    onLink,
  }: {
    readonly source: ContentSource
    readonly text: string
    readonly document: SourceDocument
    readonly files: ReadonlyMap<string, string>
    readonly onChange: () => void
    /** Opens the field for the destination of a link. */
    readonly onLink: (handle: DocumentHandle) => void
  },
): RichView {
  let stored = { text, document: start }
  let isScheduled = false
  // Splices of the whole document are worked out once per frame, however many keys it had.
  const schedule = () => {
    if (isScheduled) return
    isScheduled = true
    requestAnimationFrame(() => {
      isScheduled = false
      if (!handle.view.isDestroyed) onChange()
    })
  }
  const slash = createSlashPopup(insertableBlocks(new Date().toISOString().slice(0, 10)), (block, range) =>
    handle.insert(block, range),
  )
  const handle = mountDocument(parent, {
    text,
    document: start,
    icon: documentIcon,
    fileUrl: (src) => findFileUrl(files, src),
    label: texts.editor.label,
    placeholder: texts.editor.placeholder,
    onChange: schedule,
    onSelection: () => toolbar.update(),
    onLink: () => onLink(handle),
    slashMenu: slash,
    convert: (content) => convertContent(source, content),
    upload: (file) => uploadImage(source, file),
  })
  const toolbar = createSelectionToolbar(handle, { onLink: () => onLink(handle) })
  return {
    text: () => handle.text(),
    describe: (base) => (base === stored.text ? handle.edit() : undefined),
    acknowledge(answer, next) {
      const { blocks } = answer
      if (blocks === undefined) return false
      const change: DocumentChange = {
        blocks,
        footnotes: answer.footnotes ?? [],
        ...(answer.frontMatter && { frontMatter: answer.frontMatter }),
        ...(answer.title && { title: answer.title }),
      }
      stored = { text: next, document: applyChangedBlocks(stored.document, change) }
      const asSource = answer.asSource?.map((span) => ({ ...span, reason: texts.editor.asSource }))
      handle.apply({ ...stored, ...(asSource && { asSource }) })
      return true
    },
    focus: () => handle.focus(),
    destroy() {
      toolbar.destroy()
      slash.destroy()
      handle.destroy()
    },
  }
}
