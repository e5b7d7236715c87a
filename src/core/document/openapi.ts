/** Blocks that show a part of a specification. */
import type { Block, OpenAPIBlock } from './types.js'

export function isOpenAPI(block: Block): block is OpenAPIBlock {
  const { type } = block
  return (
    type === 'openapi-operation' ||
    type === 'openapi-webhook' ||
    type === 'openapi-schemas' ||
    type === 'swagger'
  )
}
