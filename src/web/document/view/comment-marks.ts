/** Marks on the words of comments in the document: decorations that follow what is typed, until comments are read again. */
import type { Node as ProseNode } from 'prosemirror-model'
import { type EditorState, Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { type Quote, findQuote, quoteOf } from '../../../core/comments/find-quote.js'

export interface MarkedWords {
  readonly id: string
  readonly quote: Quote
  readonly isSuggestion: boolean
}

interface MarkState {
  readonly marks: readonly MarkedWords[]
  readonly current: string | undefined
  readonly decorations: DecorationSet
}

const marksKey = new PluginKey<MarkState>('comment marks')

export function commentMarksPlugin(onOpen: (id: string) => void): Plugin {
  return new Plugin<MarkState>({
    key: marksKey,
    state: {
      init: () => ({ marks: [], current: undefined, decorations: DecorationSet.empty }),
      apply(tr, before) {
        const next = tr.getMeta(marksKey) as Pick<MarkState, 'marks' | 'current'> | undefined
        if (next !== undefined) return { ...next, decorations: decorate(tr.doc, next) }
        if (!tr.docChanged) return before
        return { ...before, decorations: before.decorations.map(tr.mapping, tr.doc) }
      },
    },
    props: {
      decorations: (state) => marksKey.getState(state)!.decorations,
      handleClick(_view, _position, event) {
        const mark = (event.target as Element).closest?.('[data-comment]')
        const id = mark?.getAttribute('data-comment')
        if (id != null && id !== 'new') onOpen(id)
        return false
      },
    },
  })
}

/** Marks the words of comments, and those of the current one. */
export function markComments(
  view: EditorView,
  marks: readonly MarkedWords[],
  current: string | undefined,
): void {
  view.dispatch(view.state.tr.setMeta(marksKey, { marks, current }))
}

/** Returns the selected words, those of their first block, or all words of the block of the cursor. */
export function selectedWords({ doc, selection }: EditorState): Quote | undefined {
  const blocks = wordBlocks(doc)
  const { from, to, empty } = selection
  const block = blocks.find(({ end }) => end >= from)
  if (block === undefined || block.start > Math.max(to, from)) return undefined
  const [start, end] = empty
    ? [0, block.words.length]
    : [block.offsetOf(Math.max(from, block.start)), block.offsetOf(Math.min(to, block.end))]
  const words = block.words.slice(start, end)
  const left = words.length - words.trimStart().length
  const range = { start: start + left, end: start + left + words.trim().length }
  return range.end > range.start ? quoteOf(blocks, { block, range }) : undefined
}

interface DocumentBlock {
  readonly key: string
  readonly words: string
  /** Positions of its content. */
  readonly start: number
  readonly end: number
  offsetOf(position: number): number
  positionOf(offset: number): number
}

function decorate(doc: ProseNode, { marks, current }: Pick<MarkState, 'marks' | 'current'>): DecorationSet {
  if (marks.length === 0) return DecorationSet.empty
  const blocks = wordBlocks(doc)
  const found = marks.flatMap(({ id, quote, isSuggestion }) => {
    const place = findQuote(blocks, quote)
    if (place === undefined) return []
    const block = place.block as DocumentBlock
    const kinds = `${isSuggestion ? ' is-suggestion' : ''}${id === current ? ' is-current' : ''}`
    return Decoration.inline(block.positionOf(place.range.start), block.positionOf(place.range.end), {
      class: `comment-mark${kinds}`,
      'data-comment': id,
    })
  })
  return DecorationSet.create(doc, found)
}

/** The text blocks of a document with their words; atoms among them have none. */
function wordBlocks(doc: ProseNode): DocumentBlock[] {
  const blocks: DocumentBlock[] = []
  doc.descendants((node, position) => {
    if (!node.isTextblock) return true
    const start = position + 1
    /** Where each text begins: in the words, and in the document. */
    const texts: { readonly offset: number; readonly position: number; readonly length: number }[] = []
    let words = ''
    node.forEach((child, at) => {
      const text = child.text ?? (child.type.name === 'hard_break' ? '\n' : '')
      if (text === '') return
      texts.push({ offset: words.length, position: start + at, length: text.length })
      words += text
    })
    blocks.push({
      key: String(position),
      words,
      start,
      end: start + node.content.size,
      offsetOf(wanted) {
        const one = texts.findLast((text) => text.position <= wanted)
        return one === undefined ? 0 : one.offset + Math.min(wanted - one.position, one.length)
      },
      positionOf(offset) {
        const one = texts.findLast((text) => text.offset <= offset) ?? texts[0]
        return one === undefined ? start : one.position + Math.min(offset - one.offset, one.length)
      },
    })
    return false
  })
  return blocks
}
