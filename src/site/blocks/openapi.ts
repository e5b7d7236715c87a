/**
 * OpenAPI blocks: an operation, schemas, or a webhook of a specification.
 *
 * The caller provides the specification; without it the block renders method, path and the author's text. Complete
 * without scripts: sections open natively, and samples are below their titles.
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
import { highlighted, copyButton } from './code.js'
import type { PageRenderer } from './context.js'
import { renderDescription } from './description.js'
import { icon } from './icons.js'
import { type SchemaOptions, renderParameters, renderSchema } from './openapi-schema.js'
import { renderTry } from './openapi-try.js'
import { safeUrl } from './safe-url.js'

/**
 * A box for the operation, webhook or schemas that the block names; without their details where the page has shown as
 * much of specifications as it may.
 */
export function renderOpenAPI(block: OpenAPIBlock, page: PageRenderer): Html {
  const specification = page.context.specification?.(block)
  if (specification?.operation === undefined && specification?.schemas === undefined)
    return renderView(block, specification, page)
  const { whole } = specification
  return (
    page.reference(() => renderView(block, specification, page)) ??
    renderView(block, { isLeftOut: true, ...(whole && { whole }) }, page)
  )
}

function renderView(
  block: OpenAPIBlock,
  specification: SpecificationView | undefined,
  page: PageRenderer,
): Html {
  const operation = specification?.operation
  // Before anything else of the block: rendering its content changes the heading that counts as directly above.
  const isHead = block.type !== 'openapi-schemas' && !isHiddenOrMissing(specification)
  const head = isHead ? operationHead(block, operation, page) : nothing
  const sourceLink = linkToSource(block, specification, page)
  const notice = specification && specificationNotice(specification, page.words)
  const own = block.blocks.length > 0 && html`<div class="openapi-text">${page.blocks(block.blocks)}</div>`
  const schemas =
    block.type === 'openapi-schemas' &&
    specification?.missing?.kind !== 'specification' &&
    specification?.isLeftOut !== true &&
    renderSchemas(block, specification, { options: { opens: false, sourceLink }, page })
  if (head === nothing && own === false && operation === undefined && schemas === false && !notice)
    return nothing
  return html`<div class="openapi" role="group" aria-label="${operation?.summary ?? page.words.apiReference}">
    ${head}${own}${
      operation !== undefined &&
      renderOperation(operation, specification?.samples ?? [], {
        options: { opens: operation.opensSchemas, sourceLink },
        page,
      })
    }${schemas}${notice !== undefined && html`<p class="facts cut">${notice}${specification?.isLeftOut === true && sourceLink}</p>`}
  </div>\n`
}

/** A link to the specification after a sentence, if the reader may read all of it. */
function linkToSource(
  { src }: OpenAPIBlock,
  specification: SpecificationView | undefined,
  { context }: PageRenderer,
): Html {
  const whole = specification?.whole ?? (src === undefined ? undefined : context.file(src))
  return whole === undefined
    ? nothing
    : html` (<a${attributes({ href: safeUrl(whole.href) })}>${whole.name}</a>)`
}

/** Only the author's text is rendered of an operation that does not exist, or that the specification hides. */
function isHiddenOrMissing(view: SpecificationView | undefined): boolean {
  if (view === undefined || view.isLeftOut === true) return false
  return view.operation === undefined && view.unread === undefined
}

/** Returns why there are no details: unreadable, without what the block names, or more than a page shows. */
export function specificationNotice(
  { unread, missing, isLeftOut }: SpecificationView,
  words: Words,
): string | undefined {
  if (isLeftOut === true) return words.referenceLeftOut
  if (unread === 'waiting') return words.specificationWaiting
  if (unread !== undefined) return fill(words.specificationWrong, unread.problem)
  if (missing === undefined) return undefined
  const { kind, names } = missing
  const message = kind === 'specification' ? words.specificationMissing : words.specificationPartMissing
  return fill(message, names.join(', '))
}

function operationHead(block: OpenAPIBlock, operation: OperationView | undefined, page: PageRenderer): Html {
  const { words } = page
  const method = (block.method ?? (block.type === 'openapi-webhook' ? 'post' : '')).toLowerCase()
  const endpoint = block.path ?? block.name ?? block.src ?? block.spec ?? ''
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
        >${server !== undefined && html`<span class="openapi-server">${server}</span>`}${highlightParameters(endpoint)}</code>${isNamed && badges}
    </div>
  </header>`
}

function renderBadges({ isDeprecated, stability, sunset }: OperationView, words: Words): Html {
  return html`${isDeprecated && html` <span class="chip flag-old">${words.deprecated}</span>`}${stability !== undefined && html` <span class="chip">${stability}</span>`}${sunset !== undefined && html` <span class="chip flag-old">${fill(words.worksUntil, sunset)}</span>`}`
}

/** Highlights the parameters of a path. */
function highlightParameters(path: string): Html {
  const parts = path.split(/(\{[^{}]*\})/)
  return html`${parts.map((part) => (part.startsWith('{') ? html`<span class="openapi-name">${part}</span>` : part))}`
}

function renderOperation(
  operation: OperationView,
  samples: readonly SampleView[],
  { options, page }: SchemaContext,
): Html {
  const { words } = page
  return html`${operation.description !== undefined && html`<div class="openapi-text">${renderDescription(operation.description, page)}</div>`}${
    operation.moreAbout !== undefined &&
    html`<p><a${attributes({ href: safeUrl(operation.moreAbout.url) })}>${operation.moreAbout.description ?? words.readMore}</a></p>`
  }
    <div class="openapi-sides">
      <div class="openapi-shown">${renderSamples(samples, page)}${renderTry(operation, page)}</div>
      <div class="openapi-told">
        ${renderSecurity(operation, page)}${renderServers(operation, page)}${parameterGroups.map(
          ([place, label]) =>
            renderParameterGroup(
              operation.parameters.filter((one) => one.place === place),
              label(words),
              { options, page },
            ),
        )}${renderBody(operation, options, page)}
      </div>
    </div>
    ${renderResponses(operation, options, page)}${operation.callbacks.length > 0 && html`<p class="openapi-part">${words.callbacks}</p>${operation.callbacks.map((one) => renderCallback(one, { options, page }))}`}${operation.isCut && html`<p class="facts cut">${words.operationCut}${options.sourceLink}</p>`}`
}

const parameterGroups: readonly (readonly [ParameterLocation, (words: Words) => string])[] = [
  ['path', (words) => words.pathParameters],
  ['query', (words) => words.queryParameters],
  ['querystring', (words) => words.queryParameters],
  ['header', (words) => words.headers],
  ['cookie', (words) => words.cookies],
]

interface SchemaContext {
  readonly options: SchemaOptions
  readonly page: PageRenderer
}

function renderParameterGroup(
  parameters: readonly ParameterView[],
  label: string,
  { options, page }: SchemaContext,
): Html {
  if (parameters.length === 0) return nothing
  return html`<p class="openapi-part">${label}</p>
    ${renderParameters(parameters, options, page)}`
}

/** "No authorization needed" is rendered only beside other alternatives. */
function renderSecurity({ security }: OperationView, page: PageRenderer): Html {
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

function renderScheme(scheme: SchemeView, page: PageRenderer): Html {
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

/** Lists further servers and server variables; the first server is in the head. */
function renderServers({ servers }: OperationView, page: PageRenderer): Html {
  const hasChoices = servers.length > 1 || servers.some(({ variables }) => variables.length > 0)
  if (!hasChoices) return nothing
  const { words } = page
  return html`<details class="nested">
    <summary>${icon('chevron-right')}${words.servers} <span class="count">${servers.length}</span></summary>
    <dl class="properties">
      ${servers.map(
        ({ url, description, variables }) =>
          html`<div>
            <dt><code>${url}</code></dt>
            <dd>${renderDescription(description, page)}${variables.map(
              ({ name, usual, choices, description: variableDescription }) =>
                html`<p class="facts"><code>${name}</code> ${words.usualValue}: <code>${usual}</code>${choices.length > 0 && html` ${words.allowedValues}: ${choices.map((choice) => html`<code>${choice}</code> `)}`}${variableDescription !== undefined && html` ${variableDescription}`}</p>`,
            )}</dd>
          </div>`,
      )}
    </dl>
  </details>`
}

function renderBody({ body }: OperationView, options: SchemaOptions, page: PageRenderer): Html {
  if (body === undefined) return nothing
  const { words } = page
  return html`<p class="openapi-part">${words.body}${body.isRequired && html` <span class="required">${words.required}</span>`}</p>
    ${renderDescription(body.description, page)}${renderContents(body.contents, { options, page })}`
}

function renderContents(contents: readonly ContentView[], context: SchemaContext): Html {
  return html`${contents.map((content, index) => renderContent(content, index === 0, context))}`
}

/** The first media type is expanded, further ones are collapsed. */
function renderContent(content: ContentView, isFirst: boolean, { options, page }: SchemaContext): Html {
  const { mediaType, alike, schema, examples } = content
  const inside = html`${schema !== undefined && renderSchema(schema, options, page)}${examples.map((example) => renderExample(example, page))}`
  if (isFirst)
    return html`<p class="media-type">${[mediaType, ...alike].map((type) => html`<code>${type}</code> `)}</p>${inside}`
  return html`<details class="nested">
    <summary>${icon('chevron-right')}${[mediaType, ...alike].map((type) => html`<code>${type}</code> `)}</summary>
    ${inside}
  </details>`
}

function renderExample(example: ExampleView, page: PageRenderer): Html {
  const { name, summary, text, syntax } = example
  const title = summary ?? (name === undefined ? page.words.example : name)
  return html`<details class="nested">
    <summary>${icon('chevron-right')}${title}</summary>
    ${renderText(example, text, syntax, page)}
  </details>`
}

function renderText(owner: object, text: string, syntax: string | undefined, page: PageRenderer): Html {
  page.spend('steps', 1 + text.length / 100)
  return html`<figure class="code"><div class="code-tools">${copyButton(page)}</div><pre tabindex="0"><code>${highlighted(owner, text, syntax, page)}</code></pre></figure>`
}

function renderResponses(
  { responses, opensResponses }: OperationView,
  options: SchemaOptions,
  page: PageRenderer,
): Html {
  if (responses.length === 0) return nothing
  const first = responses.findIndex(({ status }) => status.startsWith('2'))
  return html`<p class="openapi-part">${page.words.responses}</p>
    <div class="openapi-responses">${responses.map((response, index) =>
      renderResponse(response, opensResponses || index === first, { options, page }),
    )}</div>`
}

function renderResponse(response: ResponseView, isOpen: boolean, { options, page }: SchemaContext): Html {
  const { status, description, headers, contents } = response
  // Descriptions longer than a line are inside.
  const isLong = description !== undefined && (description.length > 100 || /[\n*_`<[]/.test(description))
  const inside = html`${isLong && renderDescription(description, page)}${renderContents(contents, { options, page })}${
    headers.length > 0 &&
    html`<details class="nested">
      <summary>${icon('chevron-right')}${page.words.headers} <span class="count">${headers.length}</span></summary>
      ${renderParameters(headers, options, page)}
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
  { options: outerOptions, page }: SchemaContext,
): Html {
  const showing = { ...outerOptions, opens: operation.opensSchemas }
  const { summary, method, description } = operation
  return html`<details class="response">
    <summary>${icon('chevron-right')}<span class="method method-${method}">${method.toUpperCase()}</span> <span>${summary ?? name}</span></summary>
    <div class="expandable-body"><p><code>${expression}</code></p>${renderDescription(description, page)}${renderBody(operation, showing, page)}${renderResponses(operation, showing, page)}</div>
  </details>`
}

/** Code samples below their titles, with the markup of tabs: a script makes one visible at a time. */
function renderSamples(samples: readonly SampleView[], page: PageRenderer): Html {
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
  specification: SpecificationView | undefined,
  { options, page }: SchemaContext,
): Html {
  const schemas = specification?.schemas
  // Without a specification only the names are rendered.
  if (schemas === undefined)
    return html`${block.schemas?.map((name) => html`<p class="response"><code>${name}</code></p>`)}`
  const isAlone = schemas.length === 1
  return html`${schemas.map(
    (schema) =>
      html`<details class="response"${attributes({ open: isAlone })}>
        <summary>${icon('chevron-right')}<code>${schema.name ?? page.words.schema}</code></summary>
        <div class="expandable-body">${renderSchema(schema, options, page)}</div>
      </details>`,
  )}`
}
