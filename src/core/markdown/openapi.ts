/**
 * `{% openapi-operation spec="…" path="…" method="…" %} … {% endopenapi-operation %}`, its variants for schemas and
 * webhooks, and the legacy `{% openapi src="…" %}`, which names a file instead of a specification.
 */
import type { OpenAPIBlock } from '../document/types.js'
import { type Construct, spanOf } from './construct.js'
import { defined, referAttribute } from './reader.js'
import { attributeFlag, attributeValue, formatTag } from './tags.js'
import { splitList } from './updates.js'

function blockOf(type: OpenAPIBlock['type']): Construct {
  return {
    ending: 'alone',
    read(node, reader) {
      const { attributes } = node.tag
      const schemas = attributeValue(attributes, 'schemas')
      const spec = attributeValue(attributes, 'spec')
      const src = referAttribute(reader, 'openapi', attributes.get('src'))
      if (!spec && !src) {
        reader.problem(`{% ${node.tag.name} %} needs ${type === 'swagger' ? 'src' : 'spec'}`, node.tag.span)
      }
      return [
        defined({
          type,
          span: spanOf(node),
          spec,
          src,
          path: attributeValue(attributes, 'path'),
          method: attributeValue(attributes, 'method')?.toLowerCase(),
          name: attributeValue(attributes, 'name'),
          schemas: schemas === undefined ? undefined : splitList(schemas),
          grouped: attributes.has('grouped') ? attributeFlag(attributes, 'grouped') : undefined,
          blocks: reader.blocks(node.children),
        }),
      ]
    },
  }
}

export const openapi = blockOf('swagger')
export const openapiOperation = blockOf('openapi-operation')
export const openapiSchemas = blockOf('openapi-schemas')
export const openapiWebhook = blockOf('openapi-webhook')

/** Returns the opening tag. */
export function formatOpenAPI(block: Omit<OpenAPIBlock, 'span' | 'blocks'>): string {
  const { type, spec, src, path, method, name, schemas, grouped } = block
  const tag = type === 'swagger' ? 'openapi' : type
  return formatTag(tag, { spec, src, path, method, name, schemas: schemas?.join(','), grouped })
}
