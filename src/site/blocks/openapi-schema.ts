/** Schemas of API references: expandable rows without scripts, with the type, constraints and members of each property. */
import type {
  AlternativesView,
  ChoiceView,
  LimitView,
  ParameterView,
  PropertyView,
  SchemaView,
} from '../../core/openapi/view.js'
import { attributes, html, type Html, nothing } from '../html.js'
import type { Words } from '../words/en.js'
import { fill } from '../words/words.js'
import type { PageRenderer } from './context.js'
import { renderDescription } from './description.js'
import { icon } from './icons.js'

/** Options for rendering a schema. */
export interface SchemaOptions {
  /** All nested rows are expanded. */
  readonly opens: boolean
  /** A link to the whole specification, for omitted parts; empty if it is not a file of the space. */
  readonly sourceLink: Html
}

/** A schema: its type, then its members. */
export function renderSchema(schema: SchemaView, showing: SchemaOptions, page: PageRenderer): Html {
  const { name, type, properties } = schema
  const isListed = (properties?.length ?? 0) > 0
  return html`<div class="schema">
    ${(!isListed || type !== 'object' || schema.isNullable) && html`<p><code class="type">${type}</code>${renderFlags(schema, page.words)}</p>`}
    ${name !== schema.title && renderDescription(schema.description, page)}${renderFacts(schema, showing, page)}${renderInside(schema, showing, page)}
  </div>`
}

/** Parameters and headers, rendered like members of a schema. */
export function renderParameters(
  parameters: readonly Pick<
    ParameterView,
    'name' | 'isRequired' | 'isDeprecated' | 'description' | 'schema'
  >[],
  showing: SchemaOptions,
  page: PageRenderer,
): Html {
  return html`<dl class="properties">
    ${parameters.map(({ name, isRequired, isDeprecated, description, schema }) =>
      renderRow(
        {
          name,
          isRequired,
          schema: { ...schema, isDeprecated, ...(description !== undefined && { description }) },
        },
        showing,
        page,
      ),
    )}
  </dl>`
}

function renderRow(
  { name, isRequired, schema }: Pick<PropertyView, 'name' | 'isRequired' | 'schema'>,
  showing: SchemaOptions,
  page: PageRenderer,
): Html {
  const { words } = page
  page.spend('steps', 10)
  const details = html`${renderDescription(schema.description, page)}${renderFacts(schema, showing, page)}${renderNested(schema, showing, page)}`
  return html`<div>
    <dt>
      <code class="field">${name}</code> <span class="type">${schema.type}${schema.format !== undefined && html` · ${schema.format}`}</span>${isRequired && html` <span class="required">${words.required}</span>`}${renderFlags(schema, words)}
    </dt>
    <dd>${details}</dd>
  </div>\n`
}

function renderFlags(schema: SchemaView, words: Words): Html {
  const flags = [
    schema.isDeprecated && words.deprecated,
    schema.isNullable && words.nullable,
    schema.isReadOnly && words.readOnly,
    schema.isWriteOnly && words.writeOnly,
  ].filter((flag) => flag !== false)
  return html`${flags.map((flag) => html` <span class="flag">${flag}</span>`)}`
}

/** Default, example, limits and allowed values. */
function renderFacts(schema: SchemaView, showing: SchemaOptions, page: PageRenderer): Html {
  const { words } = page
  const { constant, usual, example } = schema
  const facts: [string, Html][] = []
  if (constant !== undefined) facts.push([words.constantValue, codeOf(constant)])
  if (usual !== undefined) facts.push([words.usualValue, codeOf(usual)])
  if (example !== undefined && constant === undefined) facts.push([words.example, codeOf(example)])
  for (const [label, value] of limitsOf(schema.limits, words)) facts.push([label, codeOf(value)])
  return html`${facts.length > 0 && html`<p class="facts">${facts.map(([label, value]) => html`<span>${label !== '' && html`${label}: `}${value}</span> `)}</p>`}${renderChoices(schema, showing, page)}`
}

/** Enum values that are rendered without a click; the others are in a box that opens, as one text: an element for each would be most of a page. */
const mostOpenChoices = 100

function renderChoices(
  { choices, moreChoices }: SchemaView,
  { sourceLink }: SchemaOptions,
  page: PageRenderer,
): Html {
  if (choices.length === 0) return nothing
  const { words } = page
  page.spend('steps', choices.length)
  const isDescribed = choices.some(({ description }) => description !== undefined)
  const [open, folded] = [choices.slice(0, mostOpenChoices), choices.slice(mostOpenChoices)]
  return html`${
    isDescribed
      ? html`<p class="facts">${words.allowedValues}:</p>
          ${renderChoiceList(open)}`
      : html`<p class="facts choices">${words.allowedValues}: ${open.map(({ value }) => html`${codeOf(value)} `)}</p>`
  }${
    folded.length > 0 &&
    html`<details class="nested">
      <summary>${icon('chevron-right')}${fill(words.moreValues, folded.length)}</summary>
      ${isDescribed ? renderChoiceList(folded) : html`<pre class="choices">${folded.map(({ value }) => value).join('\n')}</pre>`}
    </details>`
  }${moreChoices > 0 && html`<p class="facts cut">${fill(words.moreValues, moreChoices)}${sourceLink}</p>`}`
}

function renderChoiceList(choices: readonly ChoiceView[]): Html {
  return html`<ul class="choices">
    ${choices.map(({ value, description }) => html`<li>${codeOf(value)}${description !== undefined && html` ${description}`}</li>`)}
  </ul>`
}

function codeOf(value: string): Html {
  return html`<code>${value === '' ? '""' : value}</code>`
}

/** Limits as symbols where possible, which need no translation. */
function limitsOf(limits: readonly LimitView[], words: Words): [string, string][] {
  const of = new Map(limits.map(({ kind, value }) => [kind, value]))
  const result: [string, string][] = []
  const add = (kind: LimitView['kind'], sign: string): void => {
    const value = of.get(kind)
    if (value !== undefined) result.push(['', `${sign} ${value}`])
  }
  add('minimum', '≥')
  add('above', '>')
  add('maximum', '≤')
  add('below', '<')
  const range = (label: string, least: LimitView['kind'], most: LimitView['kind']): void => {
    const [from, to] = [of.get(least), of.get(most)]
    if (from === undefined && to === undefined) return
    result.push([
      label,
      from === to ? from! : to === undefined ? `≥ ${from}` : from === undefined ? `≤ ${to}` : `${from}–${to}`,
    ])
  }
  range(words.lengthOf, 'minLength', 'maxLength')
  range(words.entriesOf, 'minItems', 'maxItems')
  range(words.properties, 'minProperties', 'maxProperties')
  add('multipleOf', '×')
  const pattern = of.get('pattern')
  if (pattern !== undefined) result.push([words.pattern, pattern])
  if (of.has('uniqueItems')) result.push(['', words.noDuplicates])
  return result
}

function renderNested(schema: SchemaView, showing: SchemaOptions, page: PageRenderer): Html {
  const { words } = page
  if (schema.isCircular === true) return html`<p class="facts">${schema.type}: ${words.describedAbove}.</p>`
  const inside = renderInside(schema, showing, page)
  if (inside === nothing) return nothing
  if (!hasMembers(schema)) return schema.alternatives === undefined ? inside : nothing
  return html`<details class="nested"${attributes({ open: showing.opens })}>
    <summary>${icon('chevron-right')}${summaryOf(schema, words)}</summary>
    ${inside}
  </details>`
}

function hasMembers({ properties, alternatives, others, excluded }: SchemaView): boolean {
  return (
    (properties?.length ?? 0) > 0 ||
    alternatives?.schemas.some(hasDetails) === true ||
    (others !== undefined && others !== true) ||
    excluded !== undefined
  )
}

/** True for an alternative with more details than its type. */
function hasDetails(schema: SchemaView): boolean {
  const { description, choices, limits, usual, constant, format, isCut, name } = schema
  return (
    hasMembers(schema) ||
    [description, usual, constant, format, isCut, name].some((one) => one !== undefined) ||
    choices.length + limits.length > 0
  )
}

function summaryOf({ properties, alternatives, others }: SchemaView, words: Words): Html {
  if (properties !== undefined)
    return html`${words.properties} <span class="count">${properties.length}</span>`
  if (alternatives !== undefined) return html`${kindOf(alternatives, words)}`
  return html`${others === undefined ? words.anythingBut : words.otherProperties}`
}

function kindOf({ kind }: AlternativesView, words: Words): string {
  return kind === 'oneOf' ? words.oneOf : words.anyOf
}

function renderInside(schema: SchemaView, showing: SchemaOptions, page: PageRenderer): Html {
  const { words } = page
  const { properties = [], others, alternatives, excluded, enclosingBases = [], isCut } = schema
  if (schema.isCircular === true)
    return html`<p class="facts">${schema.name ?? schema.type}: ${words.describedAbove}.</p>`
  const isEmpty = properties.length === 0 && alternatives === undefined && excluded === undefined
  if (isEmpty && isCut !== true && enclosingBases.length === 0) {
    if (others === undefined || others === true) return nothing
  }
  return html`${
    enclosingBases.length > 0 &&
    html`<p class="facts">${enclosingBases.join(', ')}: ${words.describedAbove}.</p>`
  }${
    properties.length > 0 &&
    html`<dl class="properties">${properties.map((property) => renderRow(property, showing, page))}</dl>`
  }${
    others !== undefined &&
    others !== true &&
    html`<dl class="properties">${renderRow({ name: '*', isRequired: false, schema: { ...others, title: words.otherProperties } }, showing, page)}</dl>`
  }${alternatives !== undefined && renderAlternatives(alternatives, showing, page)}${
    excluded !== undefined &&
    html`<p class="facts">${words.anythingBut}</p>
      ${renderSchema(excluded, showing, page)}`
  }${isCut === true && html`<p class="facts cut">${schema.name ?? schema.type}: ${words.tooDeep}${showing.sourceLink}.</p>`}`
}

function renderAlternatives(
  alternatives: AlternativesView,
  showing: SchemaOptions,
  page: PageRenderer,
): Html {
  const { words } = page
  const { schemas, discriminator } = alternatives
  const values = new Map(discriminator?.mapping.map(({ value, schema }) => [schema, value]))
  return html`<p class="facts kind">${kindOf(alternatives, words)}${discriminator !== undefined && html` · ${words.chosenBy} <code>${discriminator.property}</code>`}</p>
    <ul class="alternatives" role="list">
      ${schemas.map((schema) => {
        const value = schema.name === undefined ? undefined : values.get(schema.name)
        const label = html`<code>${schema.name ?? schema.title ?? schema.type}</code>${value !== undefined && html` <span class="type">${discriminator!.property}: ${value}</span>`}`
        page.spend('steps', 10)
        if (!hasMembers(schema) || schema.isCircular === true)
          return html`<li>${label}${renderDescription(schema.description, page)}${renderFacts(schema, showing, page)}${renderNested(schema, showing, page)}</li>`
        return html`<li><details class="nested"${attributes({ open: showing.opens })}>
          <summary>${icon('chevron-right')}${label}</summary>
          ${renderDescription(schema.description, page)}${renderInside(schema, showing, page)}
        </details></li>`
      })}
    </ul>`
}
