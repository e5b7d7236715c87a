/**
 * Blocks that show a part of an OpenAPI specification: an operation, schemas, a webhook.
 *
 * What is known of the specification comes from the caller; without it the block still says method,
 * path and the writer's own text. Requests are never sent from here.
 */
import type { OpenAPIBlock } from '../../core/document/types.js'
import { html, type Html, nothing } from '../html.js'
import type { Words } from '../words/en.js'
import type {
  OperationView,
  ParameterView,
  PropertyView,
  Rendering,
  ResponseView,
  SchemaView,
  SpecificationView,
} from './context.js'
import { coloured } from './code.js'
import { icon } from './icons.js'

/** A box for the operation, webhook or schemas that the block names. */
export function renderOpenAPI(block: OpenAPIBlock, page: Rendering): Html {
  const known = page.context.specification?.(block)
  const own = block.blocks.length > 0 && html`<div class="openapi-text">${page.blocks(block.blocks)}</div>`
  return html`<div class="openapi" role="group" aria-label="${page.words.apiReference}">
    ${block.type === 'openapi-schemas' ? nothing : operationHead(block, known, page)}${own}${
      known?.operation !== undefined && renderOperation(known.operation, page)
    }${renderSchemas(block, known, page)}
  </div>\n`
}

function operationHead(
  block: OpenAPIBlock,
  known: SpecificationView | undefined,
  { words }: Rendering,
): Html {
  const method = (block.method ?? (block.type === 'openapi-webhook' ? 'post' : '')).toLowerCase()
  const place = block.path ?? block.name ?? block.src ?? block.spec ?? ''
  const operation = known?.operation
  const summary = operation?.summary ?? block.summary
  const server = operation?.server ?? block.server
  return html`<header class="openapi-head">
    ${summary !== undefined && html`<p class="openapi-summary">${summary}${operation?.deprecated === true && html` <span class="chip">${words.deprecated}</span>`}</p>`}
    <p class="openapi-line">
      ${
        block.type === 'openapi-webhook' && html`<span class="chip">${words.webhook}</span>`
      }${method !== '' && html`<span class="method method-${method}">${method.toUpperCase()}</span>`}<code
        >${server !== undefined && html`<span class="openapi-server">${server}</span>`}${place}</code>
    </p>
  </header>`
}

function renderOperation(operation: OperationView, page: Rendering): Html {
  const { words } = page
  return html`${operation.description !== undefined && html`<div class="openapi-text">${page.blocks(operation.description.blocks)}</div>`}${
    (operation.parameters?.length ?? 0) > 0 &&
    html`<p class="openapi-part">${words.parameters}</p>
      <dl class="properties">${operation.parameters?.map((parameter) => renderParameter(parameter, page))}</dl>`
  }${
    operation.body !== undefined &&
    html`<p class="openapi-part">${words.body}</p>
      ${renderSchema(operation.body, 0, page)}`
  }${
    (operation.responses?.length ?? 0) > 0 &&
    html`<p class="openapi-part">${words.responses}</p>
      ${operation.responses?.map((response) => renderResponse(response, page))}`
  }`
}

function renderParameter(parameter: ParameterView, { words }: Rendering): Html {
  return html`<div>
    <dt>
      <code>${parameter.name}</code>
      <span class="type">${parameter.type} · ${parameter.place}</span>${required(parameter.required, words)}${parameter.deprecated === true && html` <span class="chip">${words.deprecated}</span>`}
    </dt>
    ${parameter.description !== undefined && html`<dd>${parameter.description}</dd>`}
  </div>`
}

function required(claim: boolean | undefined, words: Words): Html | false {
  return claim === true && html` <span class="required">${words.required}</span>`
}

function renderResponse(response: ResponseView, page: Rendering): Html {
  return html`<details class="response">
    <summary>
      ${icon('chevron-right')}<span class="status status-${response.status.charAt(0)}">${response.status}</span>
      ${response.description ?? ''}
    </summary>
    <div class="expandable-body">${response.schema !== undefined && renderSchema(response.schema, 0, page)}</div>
  </details>`
}

function renderSchemas(block: OpenAPIBlock, known: SpecificationView | undefined, page: Rendering): Html {
  if (block.type !== 'openapi-schemas') return nothing
  const schemas = known?.schemas ?? block.schemas?.map((name): SchemaView => ({ name, type: 'object' })) ?? []
  return html`${schemas.map(
    (schema) =>
      html`<details class="response">
        <summary>
          ${icon('chevron-right')}<code>${schema.name ?? page.words.schema}</code>
          <span class="type">${schema.type}</span>
        </summary>
        <div class="expandable-body">${renderSchema(schema, 0, page)}</div>
      </details>`,
  )}`
}

/** Schemas refer to themselves; the caller unrolls them, and this depth ends it. */
const deepest = 6

function renderSchema(schema: SchemaView, depth: number, page: Rendering): Html {
  return html`${schema.description !== undefined && html`<p>${schema.description}</p>`}${
    schema.properties !== undefined && depth < deepest
      ? html`<dl class="properties">
          ${schema.properties.map((property) => renderProperty(property, depth, page))}
        </dl>`
      : depth === 0 && html`<p class="type">${schema.type}</p>`
  }${schema.example !== undefined && html`<pre class="example" tabindex="0"><code>${coloured(schema, schema.example, 'json', page)}</code></pre>`}`
}

function renderProperty(property: PropertyView, depth: number, page: Rendering): Html {
  const inner = property.properties !== undefined && depth + 1 < deepest
  return html`<div>
    <dt>
      <code>${property.name ?? ''}</code>
      <span class="type">${property.type}</span>${required(property.required, page.words)}
    </dt>
    ${
      (inner || property.description !== undefined) &&
      html`<dd>
        ${
          inner
            ? html`${property.description ?? ''}
                <details class="nested">
                  <summary>${icon('chevron-right')}${page.words.properties}</summary>
                  ${renderSchema({ type: property.type, properties: property.properties ?? [] }, depth + 1, page)}
                </details>`
            : property.description
        }
      </dd>`
    }
  </div>`
}
