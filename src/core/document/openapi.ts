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

/** Characters of an address: one that is longer is no specification's. */
const longestAddress = 2_000

/** Returns where the specification is fetched from that a block shows, as it says that; undefined where it does not. */
export function addressOf({ src }: { readonly src?: string | undefined }): string | undefined {
  if (src === undefined || src.length > longestAddress || src.includes('\0')) return undefined
  return /^https?:\/\//i.test(src) ? src : undefined
}
