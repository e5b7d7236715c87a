/** Source view: CodeMirror over the Markdown of a page. No React inside. */
import { autocompletion, closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import {
  HighlightStyle,
  LanguageSupport,
  Language,
  defineLanguageFacet,
  syntaxHighlighting,
} from '@codemirror/language'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Annotation, EditorState, Transaction } from '@codemirror/state'
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
import { text as texts } from '../i18n/text.js'
import './source-view.css'

export interface SourceView {
  readonly text: string
  /** Applies edits of others; the selection and the undo history stay the person's own. */
  applyRemote(splices: readonly Splice[]): void
  focus(): void
  destroy(): void
}

const isRemote = Annotation.define<true>()

const markdownData = defineLanguageFacet({ commentTokens: { block: { open: '<!--', close: '-->' } } })
const markdownLanguage = new Language(markdownData, parser.configure([GFM]), [], 'markdown')

const highlighting = HighlightStyle.define([
  { tag: tags.heading, class: 'source-heading' },
  { tag: tags.strong, class: 'source-strong' },
  { tag: tags.emphasis, class: 'source-emphasis' },
  { tag: tags.strikethrough, class: 'source-strike' },
  { tag: [tags.monospace, tags.processingInstruction], class: 'source-code' },
  { tag: [tags.link, tags.url], class: 'source-link' },
  { tag: [tags.meta, tags.comment, tags.contentSeparator], class: 'source-meta' },
  { tag: tags.quote, class: 'source-quote' },
])

export function mountSourceView(
  parent: HTMLElement,
  {
    text,
    isEditable,
    onChange,
  }: { readonly text: string; readonly isEditable: boolean; readonly onChange: (text: string) => void },
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
      EditorState.readOnly.of(!isEditable),
      EditorState.lineSeparator.of('\n'),
      lineNumbers(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      dropCursor(),
      closeBrackets(),
      autocompletion(),
      search({ top: true }),
      highlightSelectionMatches(),
      EditorView.lineWrapping,
      new LanguageSupport(markdownLanguage),
      syntaxHighlighting(highlighting),
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
      EditorView.updateListener.of((update) => {
        const isOwn = update.transactions.some((one) => one.docChanged && one.annotation(isRemote) !== true)
        if (isOwn) onChange(readText(update.state))
      }),
    ],
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
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  }
}

/** CodeMirror counts a line break as one character: with `\n` as its separator, `\r` stays in the text. */
const readText = (state: EditorState): string => state.doc.toString()
