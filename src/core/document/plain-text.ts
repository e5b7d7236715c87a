/** Plain text of a document, for search, summaries and anchors; without expressions and HTML. */
import { emojiCharacters } from './emoji-code.js'
import type { Block, Document, Inline } from './types.js'
import { innerBlocks, innerInlines } from './visit.js'

/** Returns the text of inlines, or of a whole document with a line break between its blocks. */
export function plainText(source: Document | readonly Inline[]): string {
  if (isInlines(source)) return source.map(inlineText).join('')
  const lines: string[] = []
  for (const block of source.blocks) pushBlock(block, lines)
  return lines.join('\n')
}

function isInlines(source: Document | readonly Inline[]): source is readonly Inline[] {
  return Array.isArray(source)
}

function inlineText(inline: Inline): string {
  switch (inline.type) {
    case 'text':
      return inline.text
    case 'break':
      return '\n'
    case 'link':
    case 'annotation':
      return plainText(inline.children)
    case 'emoji':
      return emojiCharacters(inline.code) ?? ''
    case 'inline-math':
      return inline.formula
    case 'inline-image':
      return inline.alt ?? ''
    case 'button':
      return inline.label
    case 'anchor':
    case 'icon':
    case 'expression':
    case 'inline-html':
      return ''
  }
}

function pushBlock(block: Block, lines: string[]): void {
  const push = (text: string | undefined): void => {
    if (text !== undefined && text.trim() !== '') lines.push(text)
  }
  if (block.type === 'table') {
    push(block.columns.map((column) => plainText(column.title)).join(' '))
    for (const row of block.rows) push(row.map((cell) => plainText(cell)).join(' '))
    return
  }
  if (block.type === 'images') for (const image of block.images) push(image.alt)
  for (const inlines of innerInlines(block)) push(plainText(inlines))
  if (block.type === 'code') push(block.code)
  else if (block.type === 'math') push(block.formula)
  else if (block.type === 'content-ref') push(block.label)
  else if (block.type === 'prompt') push(`${block.description}\n${block.text}`)
  else if (block.type === 'drawing') push(block.alt)
  if (block.type === 'tabs') {
    for (const tab of block.tabs) {
      push(tab.title)
      for (const inner of tab.blocks) pushBlock(inner, lines)
    }
    return
  }
  for (const blocks of innerBlocks(block)) for (const inner of blocks) pushBlock(inner, lines)
}
