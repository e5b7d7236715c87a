/**
 * View of one operation, webhook or callback from a specification of any version: body parameters of Swagger 2.0 and
 * request bodies of OpenAPI 3 become the same view.
 */
import { type Budget, OverBudget } from '../budget.js'
import { type Direction, examplesOf, isForm, generateExample } from './example.js'
import type { SpecificationObject } from './parse.js'
import { type SchemaReader, createSchemaReader } from './schema.js'
import { readSecurity } from './security.js'
import { readServers } from './servers.js'
import { type Specification, pointerOf } from './specification.js'
import { listOf, objectOf, resolve, resolveObject, textOf, textsOf, written } from './values.js'
import type {
  BodyView,
  CallbackView,
  ContentView,
  HeaderView,
  OperationView,
  ParameterLocation,
  ParameterView,
  ResponseView,
  SampleView,
  SchemaView,
} from './view.js'

export interface OperationName {
  readonly kind: OperationView['kind']
  /** Of an operation; of a webhook its name. */
  readonly path: string
  readonly method: string
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']
const [mostParameters, mostResponses, mostHeaders, mostContents, mostCallbacks, mostSamples] = [
  200, 40, 30, 8, 5, 20,
]
/** Most schema rows: of a body, of the first successful response, of all others together. */
const [bodyRows, answerRows, otherRows] = [150, 150, 80]
const longestSample = 20_000

interface OperationContext {
  readonly specification: Specification
  readonly schemas: SchemaReader
  readonly budget: Budget
  /** False for a callback, whose own callbacks are ignored. */
  readonly isOutermost: boolean
}

/** Returns the view of an operation; undefined where there is none of this name, or its author hides it. */
export function readOperation(
  specification: Specification,
  name: OperationName,
  budget: Budget,
): OperationView | undefined {
  const reading: OperationContext = {
    specification,
    budget,
    schemas: createSchemaReader(specification, budget),
    isOutermost: true,
  }
  for (const root of rootsOf(name.kind)) {
    const item = itemAt(specification, root, name.path)
    const found = item && readItem(reading, name, item)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns whether there is an operation of this name, also a hidden one, or one that is too large to be read. */
export function hasOperation(specification: Specification, { kind, path, method }: OperationName): boolean {
  return rootsOf(kind).some((root) => {
    const item = itemAt(specification, root, path)
    if (item === undefined) return false
    if (specification.names(pointerOf([root, path])).includes(method)) return true
    return operationIn(item, method) !== undefined
  })
}

function rootsOf(kind: OperationName['kind']): readonly string[] {
  return kind === 'webhook' ? ['webhooks', 'x-webhooks'] : ['paths']
}

function operationIn(item: PathItem, method: string): unknown {
  return item(method) ?? objectOf(item('additionalOperations'))[method.toUpperCase()]
}

/** Reads a path item member by member: the whole may be large. */
type PathItem = (member: string) => unknown

function itemAt(specification: Specification, root: string, path: string): PathItem | undefined {
  const steps = [root, path]
  const ref = specification.at(pointerOf([...steps, '$ref']))
  if (ref !== undefined) {
    const item = resolveObject(specification, { $ref: ref })
    return (member) => item[member]
  }
  const names = specification.names(pointerOf(steps))
  if (names.length === 0) return undefined
  return (member) => (names.includes(member) ? specification.at(pointerOf([...steps, member])) : undefined)
}

function readItem(reading: OperationContext, name: OperationName, item: PathItem): OperationView | undefined {
  const declared = operationIn(item, name.method)
  const operation = objectOf(resolve(reading.specification, declared).value)
  if (Object.keys(operation).length === 0) return undefined
  if (operation['x-internal'] === true || operation['x-gitbook-ignore'] === true) return undefined
  return readView(reading, name, { operation, item })
}

interface FoundOperation {
  readonly operation: SpecificationObject
  readonly item: PathItem
}

function readView(
  reading: OperationContext,
  { kind, method, path }: OperationName,
  found: FoundOperation,
): OperationView {
  const { specification } = reading
  const { operation, item } = found
  const inherited = [...listOf(operation['parameters'])].toReversed()
  const all = [...inherited, ...listOf(item('parameters'))].map((one) => resolveObject(specification, one))
  const parameters = withoutDuplicates(all)
  const flags = (name: string) => operation[name] === true || specification.at(`/${name}`) === true
  const security = operation['security'] ?? specification.at('/security')
  const text = (member: string, most?: number) => textOf(operation[member] ?? item(member), most)
  const [summary, description] = [text('summary', 500), text('description')]
  const operationId = textOf(operation['operationId'], 300)
  const sunset = textOf(operation['x-deprecated-sunset'], 100)
  const stability = operation['x-stability']
  const docs = objectOf(operation['externalDocs'])
  const about = textOf(docs['description'], 300)
  const address = textOf(docs['url'], 2_000)
  const isSentOut = kind === 'webhook' || !reading.isOutermost
  const body = readBody(reading, operation, parameters)
  const samples = readSamples(operation)
  const view: OperationView = {
    kind,
    method,
    path,
    ...(operationId && { operationId }),
    ...(summary && { summary }),
    ...(description && { description }),
    isDeprecated: operation['deprecated'] === true,
    ...(sunset && { sunset }),
    ...(typeof stability === 'string' && stabilities.has(stability) && { stability }),
    tags: textsOf(operation['tags']).slice(0, 20),
    ...(address && { moreAbout: { url: address, ...(about && { description: about }) } }),
    servers: isSentOut ? [] : readServers(specification, [operation['servers'], item('servers')]),
    security: isSentOut && operation['security'] === undefined ? [] : readSecurity(specification, security),
    parameters: byLocation(reading, parameters),
    ...(body && { body }),
    responses: readResponses(reading, operation),
    callbacks: reading.isOutermost ? readCallbacks(reading, operation) : [],
    ...(samples !== undefined && { samples }),
    canTry: !isSentOut && !flags('x-hideTryItPanel'),
    opensResponses: flags('x-expandAllResponses'),
    opensSchemas: flags('x-expandAllModelSections'),
    isCut: parameters.length > mostParameters || hasCutContent(body) || reading.budget.left('steps') < 1,
  }
  return view.responses.some(({ contents }) => contents.some(isCutContent)) ? { ...view, isCut: true } : view
}

const stabilities = new Set(['experimental', 'alpha', 'beta', 'stable'])

/** Of parameters with the same name and location the operation's overrides the path's, and the later the earlier. */
function withoutDuplicates(all: readonly SpecificationObject[]): readonly SpecificationObject[] {
  const byKey = new Set<string>()
  return all.filter(({ name, in: location }) => {
    const key = JSON.stringify([location, name])
    return typeof name === 'string' && !byKey.has(key) && byKey.add(key)
  })
}

const locations: readonly ParameterLocation[] = ['path', 'query', 'querystring', 'header', 'cookie']

function byLocation(
  reading: OperationContext,
  parameters: readonly SpecificationObject[],
): readonly ParameterView[] {
  const visible = parameters.toReversed().slice(0, mostParameters)
  return locations.flatMap((location) =>
    visible.filter((one) => one['in'] === location).map((one) => readParameter(reading, location, one)),
  )
}

function readParameter(
  reading: OperationContext,
  location: ParameterLocation,
  parameter: SpecificationObject,
): ParameterView {
  const [[, content] = []] = Object.entries(objectOf(parameter['content']))
  const schema = parameter['schema'] ?? objectOf(content)['schema'] ?? plainSchema(parameter)
  const [[, first] = []] = Object.entries(objectOf(parameter['examples']))
  const named = objectOf(resolve(reading.specification, first).value)['value']
  const declared = parameter['example'] ?? named ?? parameter['x-example'] ?? objectOf(content)['example']
  const description = textOf(parameter['description'])
  const isRequired = parameter['required'] === true || location === 'path'
  const view = reading.schemas.read(schema, 40)
  const hasExample = declared !== undefined || view.example !== undefined
  const example = declared ?? (isRequired || hasExample ? generatedExample(reading, schema) : undefined)
  return {
    name: String(parameter['name']),
    place: location,
    isRequired,
    isDeprecated: parameter['deprecated'] === true || view.isDeprecated,
    ...(description && { description }),
    schema: view,
    ...(example !== undefined && { example: serializedList(example) }),
    hasExample,
  }
}

function generatedExample({ schemas, budget }: OperationContext, schema: unknown): unknown {
  return generateExample(schemas, schema, 'request', budget)
}

/** A list in the serialization that most servers accept. */
function serializedList(value: unknown): string {
  return Array.isArray(value) ? value.map((one) => written(one, 200)).join(',') : written(value)
}

/** Swagger 2.0 has the type in the parameter itself. */
function plainSchema({
  in: _in,
  name: _name,
  description: _said,
  required: _must,
  ...schema
}: SpecificationObject) {
  return schema
}

function readBody(
  reading: OperationContext,
  operation: SpecificationObject,
  parameters: readonly SpecificationObject[],
): BodyView | undefined {
  const body = resolveObject(reading.specification, operation['requestBody'])
  if (Object.keys(body).length > 0) {
    const description = textOf(body['description'])
    return {
      ...(description && { description }),
      isRequired: body['required'] === true,
      contents: readContents(reading, body['content'], 'request', bodyRows),
    }
  }
  const consumed = mediaTypesOf(reading, operation, 'consumes')
  const whole = parameters.find((one) => one['in'] === 'body')
  if (whole !== undefined) {
    const description = textOf(whole['description'])
    const content = Object.fromEntries(consumed.map((type) => [type, { schema: whole['schema'] }]))
    return {
      ...(description && { description }),
      isRequired: whole['required'] === true,
      contents: readContents(reading, content, 'request', bodyRows),
    }
  }
  const fields = parameters.filter((one) => one['in'] === 'formData').toReversed()
  if (fields.length === 0) return undefined
  const schema = {
    type: 'object',
    required: fields.filter((one) => one['required'] === true).map(({ name }) => name),
    properties: Object.fromEntries(
      fields.map(({ required: _must, in: _in, name, ...field }) => [String(name), field]),
    ),
  }
  const hasFile = fields.some(({ type }) => type === 'file')
  const form = hasFile
    ? 'multipart/form-data'
    : (consumed.find(isForm) ?? 'application/x-www-form-urlencoded')
  return {
    isRequired: schema.required.length > 0,
    contents: readContents(reading, { [form]: { schema } }, 'request', bodyRows),
  }
}

function mediaTypesOf(
  { specification }: OperationContext,
  operation: SpecificationObject,
  member: string,
): readonly string[] {
  const types = textsOf(operation[member] ?? specification.at(`/${member}`))
  return types.length > 0 ? types.slice(0, mostContents) : ['application/json']
}

/** Media types with equal content are merged, and only the first is read in depth. */
function readContents(
  reading: OperationContext,
  content: unknown,
  direction: Direction,
  rows: number,
): readonly ContentView[] {
  const { schemas, specification } = reading
  const groups = new Map<string, { readonly media: SpecificationObject; readonly types: string[] }>()
  for (const [type, one] of Object.entries(objectOf(content)).slice(0, mostContents)) {
    const media = resolveObject(specification, one)
    const key = nameOfMedia(media) ?? type
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { media, types: [type] })
    else group.types.push(type)
  }
  return [...groups.values()].map(({ media, types: [mediaType = '', ...alike] }, index): ContentView => {
    const schema = media['schema'] ?? media['itemSchema']
    const view = schema === undefined ? undefined : schemas.read(schema, index === 0 ? rows : rows / 4)
    const examples = examplesOf({ ...reading, reader: schemas, direction }, mediaType, media)
    return { mediaType, alike, ...(view && { schema: view }), examples }
  })
}

/** Media types that only refer to the same schema are equal. */
function nameOfMedia({ schema, ...rest }: SpecificationObject): string | undefined {
  const ref = objectOf(schema)['$ref']
  return typeof ref === 'string' && Object.keys(rest).length === 0 ? ref : undefined
}

function readResponses(reading: OperationContext, operation: SpecificationObject): readonly ResponseView[] {
  const declared = Object.entries(objectOf(operation['responses']))
    .filter(([status]) => !status.startsWith('x-'))
    .slice(0, mostResponses)
  const produced = mediaTypesOf(reading, operation, 'produces')
  const main = declared.findIndex(([status]) => status.startsWith('2'))
  const described = new Set<string>()
  return declared.map(([status, one], index): ResponseView => {
    const response = resolveObject(reading.specification, one)
    const description = textOf(response['description'] ?? response['summary'])
    const rows = index === main ? answerRows : otherRows / Math.max(1, declared.length - 1)
    const contents = readContents(
      reading,
      response['content'] ?? contentOfParts(response, produced),
      'response',
      rows,
    )
    const isVisible = response['x-hideSample'] !== true
    const isDescribed =
      contents.length > 0 &&
      contents.every(({ schema }) => schema?.name !== undefined && described.has(schema.name))
    for (const { schema } of contents) if (schema?.name !== undefined) described.add(schema.name)
    return {
      status,
      ...(description && { description }),
      headers: readHeaders(reading, response['headers']),
      contents: isDescribed
        ? contents.map(nameAlone)
        : isVisible
          ? contents
          : contents.map((content) => ({ ...content, examples: [] })),
    }
  })
}

/** A schema that an earlier response described is only named. */
function nameAlone(content: ContentView): ContentView {
  const schema = content.schema!
  const {
    properties: _in,
    alternatives: _of,
    others: _more,
    enclosingBases: _bases,
    isCut: _cut,
    ...named
  } = schema
  const declared = content.examples.filter(({ isMade }) => !isMade)
  return { ...content, schema: { ...named, isCircular: true }, examples: declared }
}

/** Swagger 2.0 has one schema and examples by media type. */
function contentOfParts(
  { schema, examples }: SpecificationObject,
  produced: readonly string[],
): SpecificationObject {
  const declared = objectOf(examples)
  const types =
    Object.keys(declared).length > 0 ? Object.keys(declared) : schema === undefined ? [] : produced
  return Object.fromEntries(
    types.map((type) => [
      type,
      { schema, ...(Object.hasOwn(declared, type) && { example: declared[type] }) },
    ]),
  )
}

function readHeaders(reading: OperationContext, headers: unknown): readonly HeaderView[] {
  return Object.entries(objectOf(headers))
    .slice(0, mostHeaders)
    .map(([name, one]): HeaderView => {
      const header = resolveObject(reading.specification, one)
      const description = textOf(header['description'])
      return {
        name,
        isRequired: header['required'] === true,
        isDeprecated: header['deprecated'] === true,
        ...(description && { description }),
        schema: reading.schemas.read(header['schema'] ?? plainSchema(header), 20),
      }
    })
}

function readCallbacks(reading: OperationContext, operation: SpecificationObject): readonly CallbackView[] {
  const called: CallbackView[] = []
  const inside: OperationContext = { ...reading, isOutermost: false }
  for (const [name, one] of Object.entries(objectOf(operation['callbacks']))) {
    for (const [expression, declared] of Object.entries(resolveObject(reading.specification, one))) {
      const item = resolveObject(reading.specification, declared)
      const method = methods.find((known) => item[known] !== undefined)
      if (method === undefined || called.length >= mostCallbacks) continue
      const view = readItem(inside, { kind: 'webhook', path: name, method }, (member) => item[member])
      if (view !== undefined) called.push({ name, expression, operation: view })
    }
  }
  return called
}

/** `x-codeSamples`, which others write in capitals or with small letters between. */
function readSamples(operation: SpecificationObject): readonly SampleView[] | false | undefined {
  const declared = operation['x-codeSamples'] ?? operation['x-code-samples']
  if (declared === false) return false
  const samples = listOf(declared)
    .slice(0, mostSamples)
    .flatMap((one): SampleView[] => {
      const { lang, label, source } = objectOf(one)
      const code = textOf(source, longestSample)
      const language = textOf(lang, 50)
      if (code === undefined) return []
      return [{ language: language ?? '', label: textOf(label, 100) ?? language ?? 'Code', source: code }]
    })
  return samples.length > 0 ? samples : undefined
}

function hasCutContent(body: BodyView | undefined): boolean {
  return body?.contents.some(isCutContent) === true
}

function isCutContent({ schema }: ContentView): boolean {
  return schema !== undefined && isCutSchema(schema)
}

/** Returns whether a part of a schema was omitted. */
export function isCutSchema(schema: SchemaView): boolean {
  const { isCut, moreChoices, properties = [], others, alternatives, excluded } = schema
  return (
    isCut === true ||
    moreChoices > 0 ||
    properties.some((property) => isCutSchema(property.schema)) ||
    (others !== undefined && others !== true && isCutSchema(others)) ||
    alternatives?.schemas.some(isCutSchema) === true ||
    (excluded !== undefined && isCutSchema(excluded))
  )
}

const schemaPlaces = [['components', 'schemas'], ['definitions']] as const

/** Returns whether there is a schema of this name. */
export function hasSchema(specification: Specification, name: string): boolean {
  return schemaPlaces.some((place) => specification.names(pointerOf(place)).includes(name))
}

/** Returns the existing schemas of these names, each within the limits. */
export function readSchemas(
  specification: Specification,
  names: readonly string[],
  budget: Budget,
): readonly SchemaView[] {
  const schemas = createSchemaReader(specification, budget)
  const rows = Math.max(20, Math.floor(800 / Math.max(1, names.length)))
  return names.slice(0, 50).flatMap((name): SchemaView[] => {
    const pointers = schemaPlaces.map((place) => pointerOf([...place, name]))
    const pointer = pointers.find((one) => specification.at(one) !== undefined)
    if (pointer === undefined) return []
    try {
      return [{ ...schemas.read({ $ref: `#${pointer}` }, rows), name }]
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error
      return []
    }
  })
}
