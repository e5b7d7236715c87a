/**
 * A page cut at its headings into the units that search finds.
 *
 * Conditional blocks are left out: who may see them is known only when somebody asks, and search must not tell. A
 * caller that indexes for one audience resolves the conditions of the text first (`markdown/open-text.ts`).
 */
import { plainText } from '../document/plain-text.js'
import type { Block, Document } from '../document/types.js'
import { innerBlocks, innerInlines } from '../document/visit.js'

export interface Section {
  /** Fragment of the heading; absent before the first heading. */
  readonly anchor?: string
  /** Words of the heading; the title of the page before the first heading. */
  readonly heading: string
  /** Plain text, white space made single spaces. */
  readonly body: string
  /** From 0, in the order of the text. */
  readonly position: number
}

/** A longer body goes on in a further section of the same heading. */
export const maxSectionLength = 4000

/** Returns the sections of a page in order: at least the first, which stands for the page itself. */
export function collectSections(document: Document, title: string): readonly Section[] {
  const sections: Section[] = []
  let heading = title
  let anchor: string | undefined
  let texts: string[] = []

  const close = () => {
    const body = texts.join(' ').replace(/\s+/g, ' ').trim()
    for (const piece of pieces(body)) {
      sections.push({
        ...(anchor !== undefined && { anchor }),
        heading,
        body: piece,
        position: sections.length,
      })
    }
    texts = []
  }
  const read = (blocks: readonly Block[]) => {
    for (const block of blocks) {
      if (block.type === 'if') continue
      if (block.type === 'heading') {
        close()
        heading = plainText(block.children).trim()
        anchor = block.anchor
        continue
      }
      const inner = block.type === 'table' ? [] : innerBlocks(block)
      if (inner.length === 0) {
        texts.push(plainText({ blocks: [block] }))
        continue
      }
      for (const inlines of innerInlines(block)) texts.push(plainText(inlines))
      for (const [index, children] of inner.entries()) {
        if (block.type === 'tabs') texts.push(block.tabs[index]!.title)
        read(children)
      }
    }
  }
  read(document.blocks)
  close()
  return sections
}

/** Cuts at the last space of each piece, or anywhere in a text that has none. */
function pieces(body: string): string[] {
  const found: string[] = []
  let start = 0
  while (body.length - start > maxSectionLength) {
    const space = body.lastIndexOf(' ', start + maxSectionLength)
    let end = space > start + maxSectionLength / 2 ? space : start + maxSectionLength
    if (/[\ud800-\udbff]/.test(body[end - 1]!)) end--
    found.push(body.slice(start, end).trim())
    start = end
  }
  found.push(body.slice(start).trim())
  return found
}
