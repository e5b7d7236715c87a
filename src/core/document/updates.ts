/** The updates of a document, wherever in it they stand: what a feed tells of it. */
import { plainText } from './plain-text.js'
import type { Block, Document, Update } from './types.js'
import { visitBlocks } from './visit.js'

/** One of them, as plain values. */
export interface ToldUpdate {
  /** The fragment that leads to it. */
  readonly anchor: string
  /** As written: a calendar day ("2026-01-31"), or what was written instead of one. */
  readonly date: string
  readonly tags: readonly string[]
  /** Its first heading. */
  readonly title?: string
  /** What else it says, a line for each block. */
  readonly text: string
}

/** True when there are updates among the blocks. */
export function hasUpdates(document: Document): boolean {
  let found = false
  visitBlocks(document, (block) => {
    found ||= block.type === 'updates'
    return !found
  })
  return found
}

/** Returns the updates in their order; undefined when the document has no block of them. */
export function readUpdates(document: Document): readonly ToldUpdate[] | undefined {
  const found: (readonly Update[])[] = []
  visitBlocks(document, (block) => {
    if (block.type === 'updates') found.push(block.updates)
  })
  return found.length === 0 ? undefined : found.flat().map(tell)
}

function tell({ anchor, date, tags, blocks }: Update): ToldUpdate {
  const heading = blocks.findIndex((block) => block.type === 'heading')
  const title = heading < 0 ? '' : wordsOf(blocks.slice(heading, heading + 1))
  const rest = title === '' ? blocks : blocks.filter((_, index) => index !== heading)
  return { anchor, date, tags, ...(title !== '' && { title }), text: wordsOf(rest) }
}

function wordsOf(blocks: readonly Block[]): string {
  return plainText({ blocks }).trim()
}
