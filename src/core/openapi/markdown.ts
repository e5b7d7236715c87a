/** Markdown of operations and schemas, for clients that read no HTML. */
import type {
  ContentView,
  OperationView,
  ParameterView,
  PropertyView,
  SchemaView,
  SpecificationView,
} from './view.js'

/** Levels of members, values of one enum, and characters in total: more is in the specification itself. */
const deepest = 4
const mostChoices = 1_000
const longest = 60_000

/** Returns the text without a trailing line end; an empty one where the view is empty. */
export function formatSpecification({ operation, samples = [], schemas = [] }: SpecificationView): string {
  const lines: string[] = []
  if (operation !== undefined) formatOperation(operation, lines)
  const [sample] = samples
  if (sample !== undefined) lines.push(`**${oneLine(sample.label)}**`, fenced(sample.source, sample.language))
  for (const schema of schemas) {
    lines.push(`**${code(schema.name ?? schema.type)}**`)
    formatSchema(schema, lines)
  }
  const text = lines.join('\n\n')
  return text.length > longest ? `${text.slice(0, text.lastIndexOf('\n\n', longest))}\n\n…` : text
}

function formatOperation(operation: OperationView, lines: string[]): void {
  const { method, path, summary, description, servers, security, parameters, body, responses } = operation
  if (summary !== undefined)
    lines.push(`**${oneLine(summary)}**${operation.isDeprecated ? ' (deprecated)' : ''}`)
  const place = operation.kind === 'webhook' ? `Webhook: ${path}` : `${servers[0]?.usual ?? ''}${path}`
  lines.push(code(`${method.toUpperCase()} ${place}`))
  if (operation.operationId !== undefined) lines.push(`Operation: ${code(operation.operationId)}`)
  if (description !== undefined) lines.push(inert(description.trim()))
  const keys = security.map((schemes) =>
    schemes.map(({ name, kind }) => `${code(name)} (${kind})`).join(' and '),
  )
  if (keys.some((one) => one !== ''))
    lines.push(`Authorization: ${keys.map((one) => one || 'none').join(', or ')}`)
  if (parameters.length > 0) lines.push('**Parameters**', parameters.map(formatParameter).join('\n'))
  if (body !== undefined) {
    lines.push(`**Body**${body.isRequired ? ' (required)' : ''}`)
    formatContents(body.contents, lines)
  }
  for (const { status, description: details = '', contents } of responses) {
    lines.push(`**${oneLine(status)}** ${inert(oneLine(details))}`.trim())
    formatContents(contents, lines)
  }
  if (operation.isCut) lines.push('Some of it was left out here: it is larger than a page tells.')
}

function formatParameter(parameter: ParameterView): string {
  const { name, place, isRequired, schema, description } = parameter
  return row(
    { name, isRequired, isPattern: false, schema: { ...schema, ...(description && { description }) } },
    place,
  )
}

function formatContents(contents: readonly ContentView[], lines: string[]): void {
  for (const { mediaType, schema, examples } of contents) {
    lines.push(code(mediaType))
    if (schema !== undefined) formatSchema(schema, lines)
    const [example] = examples
    if (example !== undefined) lines.push(fenced(example.text, example.syntax ?? ''))
  }
}

function formatSchema(schema: SchemaView, lines: string[]): void {
  const rows = rowsOf(schema, 0)
  lines.push(rows.length === 0 ? code(schema.type) : rows.join('\n'))
}

function rowsOf(schema: SchemaView, depth: number): string[] {
  if (depth >= deepest) return []
  const { properties = [], alternatives, enclosingBases = [] } = schema
  const indent = '  '.repeat(depth)
  return [
    ...enclosingBases.map((name) => `${indent}- members of ${code(name)}, listed above`),
    ...properties.flatMap((property) => [indent + row(property), ...rowsOf(property.schema, depth + 1)]),
    ...(alternatives?.schemas ?? []).flatMap((one) => [
      `${indent}- ${alternatives!.kind === 'oneOf' ? 'one of' : 'any of'}: ${code(one.name ?? one.type)}`,
      ...rowsOf(one, depth + 1),
    ]),
  ]
}

function row({ name, isRequired, schema }: PropertyView, place?: string): string {
  const { type, format, description, usual } = schema
  const about = [
    type,
    format,
    place,
    isRequired && 'required',
    schema.isNullable && 'nullable',
    schema.isDeprecated && 'deprecated',
  ]
  const details = description === undefined ? '' : `: ${inert(oneLine(description))}`
  const values = formatChoices(schema)
  const otherwise = usual === undefined ? '' : ` Default: ${code(usual)}.`
  return `- ${code(name)} (${about.filter(Boolean).join(', ')})${details}${values}${otherwise}`
}

function formatChoices({ choices, moreChoices }: SchemaView): string {
  if (choices.length === 0) return ''
  const listed = choices.slice(0, mostChoices).map(({ value }) => code(value))
  const more = choices.length + moreChoices - listed.length
  return ` One of ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}

/** Escapes template tags. */
function inert(text: string): string {
  return text.replaceAll('{%', '{ %')
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function code(text: string): string {
  const ticks = text.includes('`') ? '``' : '`'
  const pad = ticks.length > 1 ? ' ' : ''
  return ticks + pad + oneLine(text) + pad + ticks
}

/** A fence is longer than any in it. */
function fenced(text: string, language: string): string {
  let fence = '```'
  while (text.includes(fence)) fence += '`'
  return `${fence}${oneLine(language).replaceAll('`', '')}\n${text}\n${fence}`
}
