/**
 * Word blocks: the blocks of a page that have words of their own (paragraphs, headings, code), with their plain words. A
 * comment on words names a range of them; an editor and a rendered page have the same words, whatever the markup.
 */
import { documentJson } from '../document/json.js'
import { type DocumentJson, nodesIn } from '../document/json-node.js'
import type { Span } from '../document/types.js'
import { parsePage } from '../markdown/parse.js'

export interface WordBlock {
  /** As in the document's JSON. */
  readonly key: string
  /** What is read: without markup, and without pictures, emoji, formulas and the bodies of notes. */
  readonly words: string
  /** In the text; undefined for a caption or title, which is part of a larger block. */
  readonly span: Span | undefined
  readonly isCode: boolean
}

/** Returns the word blocks of a page, in reading order. */
export function listWordBlocks(text: string): WordBlock[] {
  const found: WordBlock[] = []
  const { document } = parsePage(text)
  visit(documentJson(document, { resolve: (url) => ({ kind: 'url', url }), spans: true }))
  return found

  function visit(node: DocumentJson): void {
    const { object, key, type } = node
    if (object === 'block' && typeof key === 'string') {
      const nodes = nodesIn(node['nodes'])
      const isCode = type === 'code'
      if (isCode || nodes.some((child) => child['object'] === 'text' || child['object'] === 'inline')) {
        const words = nodes.map(wordsOf).join(isCode ? '\n' : '')
        found.push({ key, words, span: node['span'] as Span | undefined, isCode })
        return
      }
    }
    for (const member of ['nodes', 'fragments'] as const)
      for (const child of nodesIn(node[member])) visit(child)
  }
}

function wordsOf(node: DocumentJson): string {
  if (node['object'] === 'leaf') return String(node['text'] ?? '')
  return [...nodesIn(node['nodes']), ...nodesIn(node['leaves'])].map(wordsOf).join('')
}
