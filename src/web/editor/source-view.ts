/** Source view: CodeMirror over the Markdown of a page. No React inside. */
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import {
  HighlightStyle,
  LanguageSupport,
  Language,
  defineLanguageFacet,
  syntaxHighlighting,
} from '@codemirror/language'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Annotation, EditorState, StateEffect, Transaction } from '@codemirror/state'
import {
  EditorView,
  drawSelection,
  dropCursor,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { GFM, parser } from '@lezer/markdown'
import type { Splice } from '../../core/editing/splice.js'
import type { ContentSource } from '../api/queries.js'
import { text as texts } from '../i18n/text.js'
import { dialect, htmlHighlighting } from './source-dialect.js'
import { type ViewPosition, scrollerOf, visibleTopOf } from './view-position.js'
import './source-view.css'

export interface SourceView {
  readonly text: string
  /** Applies edits of others; the selection and the undo history stay the person's own. */
  applyRemote(splices: readonly Splice[]): void
  position(): ViewPosition
  moveTo(position: ViewPosition): void
  /** Opens the list of the problems. */
  openProblems(): void
  focus(): void
  destroy(): void
}

const isRemote = Annotation.define<true>()

const markdownData = defineLanguageFacet({
  commentTokens: { block: { open: '<!--', close: '-->' } },
  // Not braces: tags of the dialect are completed with theirs.
  closeBrackets: { brackets: ['(', '[', '"', '`'] },
})
const markdownLanguage = new Language(markdownData, parser.configure([GFM, dialect]), [], 'markdown')

const highlighting = HighlightStyle.define([
  { tag: tags.heading, class: 'source-heading' },
  { tag: tags.strong, class: 'source-strong' },
  { tag: tags.emphasis, class: 'source-emphasis' },
  { tag: tags.strikethrough, class: 'source-strike' },
  { tag: [tags.monospace, tags.processingInstruction], class: 'source-code' },
  { tag: [tags.link, tags.url], class: 'source-link' },
  { tag: [tags.meta, tags.comment, tags.contentSeparator], class: 'source-meta' },
  { tag: tags.quote, class: 'source-quote' },
  { tag: tags.tagName, class: 'source-tag' },
  { tag: [tags.attributeName, tags.propertyName], class: 'source-attribute' },
  { tag: tags.attributeValue, class: 'source-value' },
])

export function mountSourceView(
  parent: HTMLElement,
  {
    text,
    source,
    page,
    onChange,
    onProblems,
  }: {
    readonly text: string
    readonly source: ContentSource
    readonly page: string
    readonly onChange: (text: string) => void
    /** The text was checked, and has so many problems. */
    readonly onProblems: (count: number) => void
  },
): SourceView {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
  const view = new EditorView({
    parent,
    doc: text,
    extensions: [
      EditorView.cspNonce.of(nonce),
      EditorView.contentAttributes.of({
        'aria-label': texts.change.source,
        spellcheck: 'true',
        autocapitalize: 'sentences',
      }),
      EditorState.lineSeparator.of('\n'),
      lineNumbers(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      dropCursor(),
      closeBrackets(),
      search({ top: true }),
      highlightSelectionMatches(),
      EditorView.lineWrapping,
      new LanguageSupport(markdownLanguage),
      syntaxHighlighting(highlighting),
      htmlHighlighting,
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
      EditorView.updateListener.of((update) => {
        const isOwn = update.transactions.some((one) => one.docChanged && one.annotation(isRemote) !== true)
        if (isOwn) onChange(readText(update.state))
      }),
    ],
  })
  let isDestroyed = false
  let openProblems: ((view: EditorView) => boolean) | undefined
  // What helps to write comes after what is written in.
  void import('./source-assist.js').then(({ sourceAssist, openProblems: open }) => {
    if (isDestroyed) return
    openProblems = open
    view.dispatch({ effects: StateEffect.appendConfig.of(sourceAssist({ source, page, onProblems })) })
  })
  return {
    get text() {
      return readText(view.state)
    },
    applyRemote(splices) {
      view.dispatch({
        changes: splices.map(({ start, end, text: insert }) => ({ from: start, to: end, insert })),
        annotations: [isRemote.of(true), Transaction.addToHistory.of(false)],
      })
    },
    position() {
      const { anchor, head } = view.state.selection.main
      const scroller = scrollerOf(view.dom)
      const top = visibleTopOf(scroller, view.contentDOM)
      const { left } = view.contentDOM.getBoundingClientRect()
      const offset = view.posAtCoords({ x: left + 8, y: top + 8 }, false)
      const distance = (view.coordsAtPos(offset)?.top ?? top) - scroller.getBoundingClientRect().top
      return { anchor, head, top: { offset, distance } }
    },
    moveTo({ anchor, head, top }) {
      const { length } = view.state.doc
      const at = (offset: number) => Math.min(offset, length)
      view.dispatch({
        selection: { anchor: at(anchor), head: at(head) },
        ...(top && {
          effects: EditorView.scrollIntoView(at(top.offset), {
            y: 'start',
            yMargin: Math.max(0, top.distance),
          }),
        }),
      })
    },
    openProblems: () => void openProblems?.(view),
    focus: () => view.contentDOM.focus({ preventScroll: true }),
    destroy() {
      isDestroyed = true
      view.destroy()
    },
  }
}

/** CodeMirror counts a line break as one character: with `\n` as its separator, `\r` stays in the text. */
const readText = (state: EditorState): string => state.doc.toString()
