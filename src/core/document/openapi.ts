/** Blocks that render a part of an OpenAPI specification. */
import type { Block, OpenAPIBlock } from './types.js'

/** The attributes that name the part of a specification that a block embeds. */
export type NamedBlock = Pick<OpenAPIBlock, 'type' | 'spec' | 'src' | 'path' | 'method' | 'name' | 'schemas'>

export function isOpenAPI(block: Block): block is OpenAPIBlock {
  const { type } = block
  return (
    type === 'openapi-operation' ||
    type === 'openapi-webhook' ||
    type === 'openapi-schemas' ||
    type === 'swagger'
  )
}

/** Longest URL of a specification, in characters; a longer one is ignored. */
const maxAddressLength = 2_000

/** Returns the URL of a block's specification, as written; undefined when it has none. */
export function specificationUrl({ src }: { readonly src?: string | undefined }): string | undefined {
  if (src === undefined || src.length > maxAddressLength || src.includes('\0')) return undefined
  return /^https?:\/\//i.test(src) ? src : undefined
}

/** Returns the attributes of a block that name its part. */
export function namedBlockOf({ type, spec, src, path, method, name, schemas }: NamedBlock): NamedBlock {
  return {
    type,
    ...(spec !== undefined && { spec }),
    ...(src !== undefined && { src }),
    ...(path !== undefined && { path }),
    ...(method !== undefined && { method }),
    ...(name !== undefined && { name }),
    ...(schemas !== undefined && { schemas }),
  }
}
