/** Titles of operations on generated pages, for clients that print the title of an API block themselves. */
import type { Block, Document } from '../document/types.js'

/** Returns the document of a generated page without the headings that are only the titles of the blocks below them. */
export function withoutOperationTitles(document: Document): Document {
  const { blocks } = document
  return {
    ...document,
    blocks: blocks.filter((block, at) => block.type !== 'heading' || !isOperation(blocks[at + 1])),
  }
}

function isOperation(block: Block | undefined): boolean {
  return block?.type === 'openapi-operation' || block?.type === 'openapi-webhook'
}
