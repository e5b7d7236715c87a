/**
 * Blocks that show a part of an OpenAPI specification: an operation, schemas, a webhook.
 *
 * What is known of the specification comes from the caller; without it the block still says method, path and the
 * writer's own text. Whole without a program: sections open by themselves, and samples stand under their titles.
 */
import type { OpenAPIBlock } from '../../core/document/types.js'
import type {
  CallbackView,
  ContentView,
  ExampleView,
  OperationView,
  ParameterLocation,
  ParameterView,
  ResponseView,
  SampleView,
  SchemeView,
  SpecificationView,
} from '../../core/openapi/view.js'
import { attributes, html, type Html, nothing } from '../html.js'
import type { Words } from '../words/en.js'
import { fill } from '../words/words.js'
import { coloured, copyButton } from './code.js'
import type { Rendering } from './context.js'
import { renderDescription } from './described.js'
import { icon } from './icons.js'
import { type Showing, renderParameters, renderSchema } from './openapi-schema.js'
import { renderTry } from './openapi-try.js'
import { safeUrl } from './safe-url.js'

/** A box for the operation, webhook or schemas that the block names. */
export function renderOpenAPI(block: OpenAPIBlock, page: Rendering): Html {
  const known = page.context.specification?.(block)
  const operation = known?.operation
  // Asked before anything of the block is rendered: what stands above it then is what stood above it on the page.
  const head = block.type === 'openapi-schemas' ? nothing : operationHead(block, operation, page)
  const whole = linkWhole(block, known, page)
  const own = block.blocks.length > 0 && html`<div class="openapi-text">${page.blocks(block.blocks)}</div>`
  return html`<div class="openapi" role="group" aria-label="${operation?.summary ?? page.words.apiReference}">
    ${head}${own}${
      operation !== undefined &&
      renderOperation(operation, known?.samples ?? [], {
        showing: { opens: operation.opensSchemas, whole },
        page,
      })
    }${block.type === 'openapi-schemas' && renderSchemas(block, known, { showing: { opens: false, whole }, page })}${known?.unread !== undefined && html`<p class="facts cut">${sayUnread(known.unread, page.words)}</p>`}
  </div>\n`
}

/** A link to the specification behind a sentence, where whoever reads the page may read all of it. */
function linkWhole(
  { src }: OpenAPIBlock,
  known: SpecificationView | undefined,
  { context }: Rendering,
): Html {
  const whole = known?.whole ?? (src === undefined ? undefined : context.file(src))
  return whole === undefined
    ? nothing
    : html` (<a${attributes({ href: safeUrl(whole.href) })}>${whole.name}</a>)`
}

/** Returns the sentence that stands in place of what a file would say. */
export function sayUnread(unread: NonNullable<SpecificationView['unread']>, words: Words): string {
  if (unread === 'waiting') return words.specificationWaiting
  return fill(words.specificationWrong, unread.problem)
}

function operationHead(block: OpenAPIBlock, operation: OperationView | undefined, page: Rendering): Html {
  const { words } = page
  const method = (block.method ?? (block.type === 'openapi-webhook' ? 'post' : '')).toLowerCase()
  const place = block.path ?? block.name ?? block.src ?? block.spec ?? ''
  const summary = operation?.summary ?? block.summary
  const server = operation === undefined ? block.server : operation.servers[0]?.usual
  const isNamed = summary === undefined || page.isNamedAbove(summary)
  const badges = operation && renderBadges(operation, words)
  return html`<header class="openapi-head">
    ${!isNamed && html`<p class="openapi-summary">${summary}${badges}</p>`}
    <div class="openapi-line">
      ${
        block.type === 'openapi-webhook' && html`<span class="chip">${words.webhook}</span>`
      }${method !== '' && html`<span class="method method-${method}">${method.toUpperCase()}</span>`}<code
        >${server !== undefined && html`<span class="openapi-server">${server}</span>`}${withNames(place)}</code>${isNamed && badges}
    </div>
  </header>`
}

function renderBadges({ isDeprecated, stability, sunset }: OperationView, words: Words): Html {
  return html`${isDeprecated && html` <span class="chip flag-old">${words.deprecated}</span>`}${stability !== undefined && html` <span class="chip">${stability}</span>`}${sunset !== undefined && html` <span class="chip flag-old">${fill(words.worksUntil, sunset)}</span>`}`
}

/** The names in a path stand out. */
function withNames(path: string): Html {
  const parts = path.split(/(\{[^{}]*\})/)
  return html`${parts.map((part) => (part.startsWith('{') ? html`<span class="openapi-name">${part}</span>` : part))}`
}

function renderOperation(
  operation: OperationView,
  samples: readonly SampleView[],
  { showing, page }: Shown,
): Html {
  const { words } = page
  return html`${operation.description !== undefined && html`<div class="openapi-text">${renderDescription(operation.description, page)}</div>`}${
    operation.moreAbout !== undefined &&
    html`<p><a${attributes({ href: safeUrl(operation.moreAbout.url) })}>${operation.moreAbout.description ?? words.readMore}</a></p>`
  }
    <div class="openapi-sides">
      <div class="openapi-shown">${renderSamples(samples, page)}${renderTry(operation, page)}</div>
      <div class="openapi-told">
        ${renderSecurity(operation, page)}${renderServers(operation, page)}${places.map(([place, label]) =>
          renderPlace(
            operation.parameters.filter((one) => one.place === place),
            label(words),
            { showing, page },
          ),
        )}${renderBody(operation, showing, page)}
      </div>
    </div>
    ${renderResponses(operation, showing, page)}${operation.callbacks.length > 0 && html`<p class="openapi-part">${words.callbacks}</p>${operation.callbacks.map((one) => renderCallback(one, { showing, page }))}`}${operation.isCut && html`<p class="facts cut">${words.operationCut}${showing.whole}</p>`}`
}

const places: readonly (readonly [ParameterLocation, (words: Words) => string])[] = [
  ['path', (words) => words.pathParameters],
  ['query', (words) => words.queryParameters],
  ['querystring', (words) => words.queryParameters],
  ['header', (words) => words.headers],
  ['cookie', (words) => words.cookies],
]

interface Shown {
  readonly showing: Showing
  readonly page: Rendering
}

function renderPlace(parameters: readonly ParameterView[], label: string, { showing, page }: Shown): Html {
  if (parameters.length === 0) return nothing
  return html`<p class="openapi-part">${label}</p>
    ${renderParameters(parameters, showing, page)}`
}

/** One that may be called without anything says so only where others need something. */
function renderSecurity({ security }: OperationView, page: Rendering): Html {
  const { words } = page
  if (security.every((schemes) => schemes.length === 0)) return nothing
  return html`<p class="openapi-part">${words.authorization}</p>
    <dl class="properties">
      ${security.map(
        (schemes, index) =>
          html`${index > 0 && html`<div class="either"><dt>${words.or}</dt><dd></dd></div>`}${
            schemes.length === 0
              ? html`<div><dt>${words.nothingNeeded}</dt><dd></dd></div>`
              : schemes.map((scheme) => renderScheme(scheme, page))
          }`,
      )}
    </dl>`
}

function renderScheme(scheme: SchemeView, page: Rendering): Html {
  const { words } = page
  const { name, kind, place, field, prefix, placeholder, scopes, flows } = scheme
  return html`<div>
    <dt><code class="field">${name}</code> <span class="type">${kind}${place !== undefined && html` · ${place}`}</span></dt>
    <dd>
      ${field !== undefined && html`<p><code>${field}${place === 'header' ? ': ' : '='}${prefix ? `${prefix} ` : ''}${placeholder}</code></p>`}${renderDescription(scheme.description, page)}${scopes.length > 0 && html`<p class="facts">${words.scopes}: ${scopes.map((scope) => html`<code>${scope}</code> `)}</p>`}${flows.map(
        ({ kind: flow, authorizationUrl, tokenUrl }) =>
          html`<p class="facts">${flow}: ${[authorizationUrl, tokenUrl].filter((url) => url !== undefined).map((url) => html`<a${attributes({ href: safeUrl(url) })}>${url}</a> `)}</p>`,
      )}
    </dd>
  </div>`
}

/** The first one stands in the head: others, and what can be chosen of it, are told here. */
function renderServers({ servers }: OperationView, page: Rendering): Html {
  const isTold = servers.length > 1 || servers.some(({ variables }) => variables.length > 0)
  if (!isTold) return nothing
  const { words } = page
  return html`<details class="nested">
    <summary>${icon('chevron-right')}${words.servers} <span class="count">${servers.length}</span></summary>
    <dl class="properties">
      ${servers.map(
        ({ url, description, variables }) =>
          html`<div>
            <dt><code>${url}</code></dt>
            <dd>${renderDescription(description, page)}${variables.map(
              ({ name, usual, choices, description: said }) =>
                html`<p class="facts"><code>${name}</code> ${words.usualValue}: <code>${usual}</code>${choices.length > 0 && html` ${words.allowedValues}: ${choices.map((choice) => html`<code>${choice}</code> `)}`}${said !== undefined && html` ${said}`}</p>`,
            )}</dd>
          </div>`,
      )}
    </dl>
  </details>`
}

function renderBody({ body }: OperationView, showing: Showing, page: Rendering): Html {
  if (body === undefined) return nothing
  const { words } = page
  return html`<p class="openapi-part">${words.body}${body.isRequired && html` <span class="required">${words.required}</span>`}</p>
    ${renderDescription(body.description, page)}${renderContents(body.contents, { showing, page })}`
}

function renderContents(contents: readonly ContentView[], shown: Shown): Html {
  return html`${contents.map((content, index) => renderContent(content, index === 0, shown))}`
}

/** What comes first stands open; further media types are asked for. */
function renderContent(content: ContentView, isFirst: boolean, { showing, page }: Shown): Html {
  const { mediaType, alike, schema, examples } = content
  const inside = html`${schema !== undefined && renderSchema(schema, showing, page)}${examples.map((example) => renderExample(example, page))}`
  if (isFirst)
    return html`<p class="media-type">${[mediaType, ...alike].map((type) => html`<code>${type}</code> `)}</p>${inside}`
  return html`<details class="nested">
    <summary>${icon('chevron-right')}${[mediaType, ...alike].map((type) => html`<code>${type}</code> `)}</summary>
    ${inside}
  </details>`
}

function renderExample(example: ExampleView, page: Rendering): Html {
  const { name, summary, text, syntax } = example
  const title = summary ?? (name === undefined ? page.words.example : name)
  return html`<details class="nested">
    <summary>${icon('chevron-right')}${title}</summary>
    ${renderText(example, text, syntax, page)}
  </details>`
}

function renderText(owner: object, text: string, syntax: string | undefined, page: Rendering): Html {
  page.spend('steps', 1 + text.length / 100)
  return html`<figure class="code"><div class="code-tools">${copyButton(page)}</div><pre tabindex="0"><code>${coloured(owner, text, syntax, page)}</code></pre></figure>`
}

function renderResponses(
  { responses, opensResponses }: OperationView,
  showing: Showing,
  page: Rendering,
): Html {
  if (responses.length === 0) return nothing
  const first = responses.findIndex(({ status }) => status.startsWith('2'))
  return html`<p class="openapi-part">${page.words.responses}</p>
    <div class="openapi-responses">${responses.map((response, index) =>
      renderResponse(response, opensResponses || index === first, { showing, page }),
    )}</div>`
}

function renderResponse(response: ResponseView, isOpen: boolean, { showing, page }: Shown): Html {
  const { status, description, headers, contents } = response
  // What is longer than a line stands inside.
  const isLong = description !== undefined && (description.length > 100 || /[\n*_`<[]/.test(description))
  const inside = html`${isLong && renderDescription(description, page)}${renderContents(contents, { showing, page })}${
    headers.length > 0 &&
    html`<details class="nested">
      <summary>${icon('chevron-right')}${page.words.headers} <span class="count">${headers.length}</span></summary>
      ${renderParameters(headers, showing, page)}
    </details>`
  }`
  const head = html`<span class="status status-${/^[1-5]/.test(status) ? status.charAt(0) : 'x'}">${status}</span> <span>${!isLong && description !== undefined ? description : ''}</span>`
  if (!isLong && contents.length === 0 && headers.length === 0) return html`<p class="response">${head}</p>`
  return html`<details class="response"${attributes({ open: isOpen })}>
    <summary>${icon('chevron-right')}${head}</summary>
    <div class="expandable-body">${inside}</div>
  </details>`
}

function renderCallback(
  { name, expression, operation }: CallbackView,
  { showing: around, page }: Shown,
): Html {
  const showing = { ...around, opens: operation.opensSchemas }
  const { summary, method, description } = operation
  return html`<details class="response">
    <summary>${icon('chevron-right')}<span class="method method-${method}">${method.toUpperCase()}</span> <span>${summary ?? name}</span></summary>
    <div class="expandable-body"><p><code>${expression}</code></p>${renderDescription(description, page)}${renderBody(operation, showing, page)}${renderResponses(operation, showing, page)}</div>
  </details>`
}

/** Samples under their titles, of which a program shows one at a time: the same markup as of other tabs. */
function renderSamples(samples: readonly SampleView[], page: Rendering): Html {
  if (samples.length === 0) return nothing
  const { words } = page
  const tabs = samples.map((sample) => ({ sample, id: page.anchor(`sample-${idOf(sample.label)}`) }))
  return html`<div class="tabs samples" data-tabs>
    <div class="tab-list" role="tablist" aria-label="${words.codeSamples}">
      ${tabs.map(
        ({ sample, id }, index) =>
          html`<button type="button" role="tab" id="${id}-tab" aria-controls="${id}"${attributes({ 'aria-selected': index === 0 ? 'true' : 'false', tabindex: index === 0 ? 0 : -1 })}>${sample.label}</button>`,
      )}
    </div>
    ${tabs.map(
      ({ sample, id }) =>
        html`<section class="tab" id="${id}" role="tabpanel" aria-labelledby="${id}-tab">
          <p class="tab-title">${sample.label}</p>
          ${renderText(sample, sample.source, sample.language, page)}
        </section>\n`,
    )}
  </div>`
}

function idOf(label: string): string {
  return label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
}

function renderSchemas(
  block: OpenAPIBlock,
  known: SpecificationView | undefined,
  { showing, page }: Shown,
): Html {
  const schemas = known?.schemas
  // Of those that are not known the names alone are told.
  if (schemas === undefined)
    return html`${block.schemas?.map((name) => html`<p class="response"><code>${name}</code></p>`)}`
  const isAlone = schemas.length === 1
  return html`${schemas.map(
    (schema) =>
      html`<details class="response"${attributes({ open: isAlone })}>
        <summary>${icon('chevron-right')}<code>${schema.name ?? page.words.schema}</code></summary>
        <div class="expandable-body">${renderSchema(schema, showing, page)}</div>
      </details>`,
  )}`
}
