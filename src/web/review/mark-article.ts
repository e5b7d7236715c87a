/**
 * Comments in a page for readers: its blocks as words, selected words as a quote, and marks on words by the CSS Custom
 * Highlight API, which leaves the elements as they are.
 */
import { type Quote, findQuote, quoteOf } from '../../core/comments/find-quote.js'
import { type CommentMark, type CommentView, openComment } from './comment-place.js'

/** Elements with words of their own. */
const blocks = 'p, h1, h2, h3, h4, h5, h6, li, td, th, pre, figcaption, summary, dt, dd'
const unread = '.unseen, [aria-hidden="true"], button, svg, script, style'

interface ArticleBlock {
  readonly key: string
  readonly words: string
  readonly texts: readonly { readonly node: Text; readonly start: number }[]
}

/** Returns the blocks of an article with their texts, in reading order. */
function readBlocks(article: HTMLElement): ArticleBlock[] {
  const found = new Map<Element, { words: string; texts: { node: Text; start: number }[] }>()
  // Title and description are no part of the text.
  const walker = document.createTreeWalker(article.querySelector('.body') ?? article, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode() as Text | null; node !== null; node = walker.nextNode() as Text | null) {
    const element = node.parentElement!
    const block = element.closest(blocks)
    if (block === null || element.closest(unread) !== null || !article.contains(block)) continue
    const read = found.get(block) ?? { words: '', texts: [] }
    read.texts.push({ node, start: read.words.length })
    read.words += node.data
    found.set(block, read)
  }
  return [...found.values()].map((block, at) => ({ ...block, key: String(at) }))
}

function rangeOf(
  { texts }: ArticleBlock,
  { start, end }: { readonly start: number; readonly end: number },
): Range {
  const range = document.createRange()
  const first = texts.findLast((one) => one.start <= start)!
  const last = texts.findLast((one) => one.start < end)!
  range.setStart(first.node, start - first.start)
  range.setEnd(last.node, Math.min(end - last.start, last.node.length))
  return range
}

/** The selected words, those of their first block; undefined without a selection in the article. */
export function selectedQuote(article: HTMLElement): Quote | undefined {
  const selection = getSelection()
  if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return undefined
  const range = selection.getRangeAt(0)
  if (!article.contains(range.commonAncestorContainer)) return undefined
  const all = readBlocks(article)
  for (const block of all) {
    let [start, end] = [-1, -1]
    for (const { node, start: at } of block.texts) {
      if (!range.intersectsNode(node)) continue
      const from = node === range.startContainer ? range.startOffset : 0
      const to = node === range.endContainer ? range.endOffset : node.length
      if (to <= from) continue
      if (start < 0) start = at + from
      end = at + to
    }
    if (start < 0) continue
    const words = block.words.slice(start, end)
    const left = words.length - words.trimStart().length
    const trimmed = { start: start + left, end: start + left + words.trim().length }
    if (trimmed.end > trimmed.start) return quoteOf(all, { block, range: trimmed })
  }
  return undefined
}

const names = ['comment', 'comment-suggestion', 'comment-current'] as const

/** Returns the view of an article for its comments. */
export function createArticleView(article: HTMLElement): CommentView & { destroy(): void } {
  let ranges = new Map<string, Range>()
  let marked: { readonly marks: readonly CommentMark[]; readonly current: string | undefined } = {
    marks: [],
    current: undefined,
  }
  function draw(): void {
    const all = marked.marks.length === 0 ? [] : readBlocks(article)
    ranges = new Map()
    const groups = names.map((): Range[] => [])
    for (const { id, quote, isSuggestion } of marked.marks) {
      const place = findQuote(all, quote)
      if (place === undefined) continue
      const range = rangeOf(place.block as ArticleBlock, place.range)
      ranges.set(id, range)
      groups[id === marked.current ? 2 : isSuggestion ? 1 : 0]!.push(range)
    }
    for (const [at, name] of names.entries()) CSS.highlights?.set(name, new Highlight(...groups[at]!))
  }
  const onClick = (event: MouseEvent) => {
    if (getSelection()?.isCollapsed === false) return
    for (const [id, range] of ranges) {
      for (const { left, right, top, bottom } of range.getClientRects()) {
        const { clientX: x, clientY: y } = event
        if (id !== 'new' && x >= left && x <= right && y >= top && y <= bottom) return openComment(id)
      }
    }
  }
  // Diagrams and formulas are rendered later.
  const observer = new MutationObserver(draw)
  observer.observe(article, { childList: true, subtree: true })
  article.addEventListener('click', onClick)
  return {
    selected: () => selectedQuote(article),
    mark(marks, current) {
      marked = { marks, current }
      draw()
    },
    reveal(id) {
      const element = ranges.get(id)?.startContainer.parentElement
      element?.scrollIntoView({ block: 'center' })
      return element != null
    },
    destroy() {
      observer.disconnect()
      article.removeEventListener('click', onClick)
      for (const name of names) CSS.highlights?.delete(name)
    },
  }
}
