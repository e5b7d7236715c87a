/** Changelog entries (`updates` blocks) of a document, at any depth: the entries of its RSS feed. */
import { plainText } from './plain-text.js'
import type { Block, Document, Update } from './types.js'
import { visitBlocks } from './visit.js'

/** One changelog entry, as plain values. */
export interface UpdateEntry {
  /** URL fragment of the entry. */
  readonly anchor: string
  /** As written: usually a calendar day ("2026-01-31"). */
  readonly date: string
  readonly tags: readonly string[]
  /** Its first heading. */
  readonly title?: string
  /** The rest of its text, a line for each block. */
  readonly text: string
}

/** Returns whether the document contains an updates block. */
export function hasUpdates(document: Document): boolean {
  let isFound = false
  visitBlocks(document, (block) => {
    isFound ||= block.type === 'updates'
    return !isFound
  })
  return isFound
}

/** Returns the entries in document order; undefined when the document has no updates block. */
export function readUpdates(document: Document): readonly UpdateEntry[] | undefined {
  const updateBlocks: (readonly Update[])[] = []
  visitBlocks(document, (block) => {
    if (block.type === 'updates') updateBlocks.push(block.updates)
  })
  return updateBlocks.length === 0 ? undefined : updateBlocks.flat().map(entryOf)
}

function entryOf({ anchor, date, tags, blocks }: Update): UpdateEntry {
  const heading = blocks.findIndex((block) => block.type === 'heading')
  const title = heading < 0 ? '' : textOf(blocks.slice(heading, heading + 1))
  const rest = title === '' ? blocks : blocks.filter((_, index) => index !== heading)
  return { anchor, date, tags, ...(title !== '' && { title }), text: textOf(rest) }
}

function textOf(blocks: readonly Block[]): string {
  return plainText({ blocks }).trim()
}
