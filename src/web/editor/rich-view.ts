/** Rich view of a page: the ProseMirror document, bound to the session that saves its text. */
import { convertContent } from './convert-content.js'
import { createDrawer } from './drawings.js'
import { documentIcon } from './document-icons.js'
import { fileUrlsQuery, findFileUrl } from './file-urls.js'
import { mountDocument } from '../document/mount.js'
import { insertables } from '../document/schema.js'
import type { HashMemo } from '../../core/editing/canonical.js'
import { type DocumentChange, applyChangedBlocks } from '../../core/editing/changed-blocks.js'
import type { SourceDocument } from '../../core/editing/source-blocks.js'
import type { TextEdited } from '../../contract/page-text.js'
import { TextSelection } from 'prosemirror-state'
import { markComments, selectedWords } from '../document/view/comment-marks.js'
import { diffTexts } from '../../core/editing/diff-texts.js'
import { type ContentSource, queryClient } from '../api/queries.js'
import { text as texts } from '../i18n/text.js'
import { openComment, registerCommentView, startComment } from '../review/comment-place.js'
import type { DescribedEdit, TextSession } from '../sync/text-session.js'
import { createEditorPopups } from './editor-popups.js'
import { createLinkDescriptions } from './link-descriptions.js'
import { describeAddress } from './page-links.js'
import { createSlashPopup } from './slash-popup.js'
import { createSelectionToolbar } from './selection-toolbar.js'
import { uploadImage } from './upload-image.js'
import { type ViewPosition, movePosition, scrollerOf, visibleTopOf } from './view-position.js'
import './rich-view.css'

export interface RichView {
  /** Tells the session what was typed since the stored text. */
  tell(session: Pick<TextSession, 'edit'>): void
  describe(base: string): DescribedEdit | undefined
  /** Takes over the answer of a save; `text` is what is stored now. False when the text has to be loaded again. */
  acknowledge(answer: TextEdited, text: string): boolean
  position(): ViewPosition
  moveTo(position: ViewPosition): void
  focus(): void
  destroy(): void
}

export function mountRichView(
  parent: HTMLElement,
  {
    source,
    page,
    text,
    document: start,
    files,
    onChange,
  }: {
    readonly source: ContentSource
    readonly page: string
    readonly text: string
    readonly document: SourceDocument
    readonly files: ReadonlyMap<string, string>
    readonly onChange: () => void
  },
): RichView {
  let stored = { text, document: start }
  const memo: HashMemo = new WeakMap()
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
  const edited = { source, page }
  const links = createLinkDescriptions(edited)
  const slash = createSlashPopup(insertables(new Date().toISOString().slice(0, 10)), (entry, range) =>
    handle.insertEntry(entry, range),
  )
  const handle = mountDocument(parent, {
    text,
    document: start,
    memo,
    icon: documentIcon,
    fileUrl: (src) => findFileUrl(queryClient.getQueryData(fileUrlsQuery(source).queryKey) ?? files, src),
    onChange: schedule,
    onSelection: () => toolbar.update(),
    drawPreview: createDrawer(edited),
    describeLink: links.describe,
    onLink: () => popups.openLink(),
    onComment: openComment,
    onFind: (withReplace) => popups.openFind(withReplace),
    onForm: (form, anchor) => popups.showForm(form, anchor),
    onBlockMenu: ({ anchor }) => popups.openMenu('block', anchor),
    onTableMenu: (anchor) => popups.openMenu('table', anchor),
    slashMenu: slash,
    convert: (content) => convertContent(source, content),
    upload: (file) => uploadImage(edited, file),
    describeAddress: (address) => describeAddress(source, page, address),
  })
  const popups = createEditorPopups(() => handle, edited)
  const toolbar = createSelectionToolbar(handle, { onLink: () => popups.openLink(), onComment: startComment })
  const forgetCommentView = registerCommentView({
    selected: () => selectedWords(handle.view.state),
    mark: (marks, current) => markComments(handle.view, marks, current),
    reveal(id) {
      const mark = handle.view.dom.querySelector(`[data-comment="${CSS.escape(id)}"]`)
      mark?.scrollIntoView({ block: 'center' })
      return mark !== null
    },
  })
  return {
    tell(session) {
      const { base, splices } = handle.changes()
      session.edit(base, splices)
    },
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
      stored = { text: next, document: applyChangedBlocks(stored.document, change, memo) }
      const asSource = answer.asSource?.map((span) => ({ ...span, reason: texts.editor.asSource }))
      handle.apply({ ...stored, ...(asSource && { asSource }) })
      return true
    },
    position() {
      const { view } = handle
      const { anchor, head } = view.state.selection
      const scroller = scrollerOf(view.dom)
      const top = visibleTopOf(scroller, view.dom)
      const { left } = view.dom.getBoundingClientRect()
      const first = view.posAtCoords({ left: left + 8, top: top + 8 })?.pos ?? 0
      const offset = handle.offsetOf(first)
      const distance = view.coordsAtPos(first).top - scroller.getBoundingClientRect().top
      const position = {
        anchor: handle.offsetOf(anchor) ?? 0,
        head: handle.offsetOf(head) ?? 0,
        ...(offset !== undefined && { top: { offset, distance } }),
      }
      // Offsets are those of the stored text.
      return movePosition(position, diffTexts(stored.text, handle.text()))
    },
    moveTo({ anchor, head, top }) {
      const { view } = handle
      const { doc, tr } = view.state
      const [$anchor, $head] = [anchor, head].map((offset) => doc.resolve(handle.positionOf(offset)))
      view.dispatch(tr.setSelection(TextSelection.between($anchor!, $head!)))
      if (top === undefined) return
      const scroller = scrollerOf(view.dom)
      const now = view.coordsAtPos(handle.positionOf(top.offset)).top - scroller.getBoundingClientRect().top
      scroller.scrollTop += now - top.distance
    },
    focus: () => handle.focus(),
    destroy() {
      forgetCommentView()
      toolbar.destroy()
      links.destroy()
      popups.destroy()
      slash.destroy()
      handle.destroy()
    },
  }
}
