/** Example request of an operation, for code samples and the test panel: the required parts, filled with examples. */
import { isForm, toWellFormed } from './example.js'
import { withoutSlash } from './servers.js'
import type { ContentView, OperationView, ParameterView, SchemeView } from './view.js'

export interface RequestView {
  /** In capitals. */
  readonly method: string
  /** Whole, without the query. */
  readonly url: string
  readonly query: readonly Pair[]
  readonly headers: readonly Pair[]
  readonly cookies: readonly Pair[]
  readonly body?: RequestBody
}

export interface Pair {
  readonly name: string
  readonly value: string
}

export interface RequestBody {
  readonly mediaType: string
  readonly text: string
  /** Of a form, instead of the text. */
  readonly fields?: readonly FieldView[]
}

export interface FieldView extends Pair {
  readonly isFile: boolean
}

/** Used where the specification has no server. */
const anyServer = 'https://api.example.com'

export function requestOf(view: OperationView): RequestView {
  const { parameters, security } = view
  const [schemes = []] = security
  const needed = parameters.filter(({ isRequired }) => isRequired)
  const keys = schemes.filter(({ place }) => place !== undefined)
  const body = bodyOf(view)
  const [accepted] = view.responses.flatMap(({ contents }) => contents)
  return {
    method: view.method.toUpperCase(),
    url: addressOf(view, needed),
    query: [...pairsAt('query', needed), ...keysAt('query', keys)],
    headers: [
      ...keysAt('header', keys),
      ...(body === undefined ? [] : [{ name: 'Content-Type', value: body.mediaType }]),
      ...pairsAt('header', needed),
      ...(accepted === undefined ? [] : [{ name: 'Accept', value: accepted.mediaType }]),
    ],
    cookies: [...pairsAt('cookie', needed), ...keysAt('cookie', keys)],
    ...(body && { body }),
  }
}

function addressOf({ servers, path }: OperationView, needed: readonly ParameterView[]): string {
  const usual = servers[0]?.usual ?? ''
  const server = /^https?:\/\/[^/\s]/i.test(usual) ? usual : anyServer + (usual.startsWith('/') ? usual : '')
  // A placeholder name is clearer than a generated value.
  const example = needed.filter(({ hasExample }) => hasExample)
  const values = new Map(pairsAt('path', example).map(({ name, value }) => [`{${name}}`, value]))
  const filled = path.replace(/\{[^{}]*\}/g, (name) => {
    const value = values.get(name)
    return value === undefined || value === '' ? name : encodeURIComponent(toWellFormed(value))
  })
  return withoutSlash(server) + (filled.startsWith('/') ? filled : `/${filled}`)
}

function pairsAt(place: ParameterView['place'], parameters: readonly ParameterView[]): Pair[] {
  return parameters
    .filter((one) => one.place === place)
    .map(({ name, example = '' }) => ({ name, value: example }))
}

function keysAt(place: SchemeView['place'], schemes: readonly SchemeView[]): Pair[] {
  return schemes
    .filter((one) => one.place === place)
    .map(({ field = '', prefix, placeholder }) => ({
      name: field,
      value: prefix ? `${prefix} ${placeholder}` : placeholder,
    }))
}

/** The preferred request body: JSON if available, which every sample language can write. */
function bodyOf({ body }: OperationView): RequestBody | undefined {
  const contents = body?.contents ?? []
  const content = contents.find(({ mediaType }) => /\bjson\b/i.test(mediaType)) ?? contents[0]
  if (content === undefined) return undefined
  const text = content.examples[0]?.text ?? ''
  const mediaType = sentAs(content.mediaType, text)
  const isParts = mediaType.startsWith('multipart/')
  if (!isParts && !isForm(mediaType)) return { mediaType, text }
  return { mediaType, text, fields: isParts ? fieldsOf(content, text) : fieldsOfForm(text) }
}

/** A media type range lists the accepted types; a request has one. */
function sentAs(mediaType: string, text: string): string {
  const [kind, rest = ''] = mediaType.trim().split('/')
  if (!rest.startsWith('*')) return mediaType
  if (kind === 'multipart') return 'multipart/form-data'
  if (kind === 'text') return 'text/plain'
  const isJson = (kind === '*' || kind === 'application') && /^[[{]/.test(text)
  return isJson ? 'application/json' : 'application/octet-stream'
}

function fieldsOfForm(text: string): FieldView[] {
  if (text === '') return []
  return text.split('&').map((pair) => {
    const [name = '', value = ''] = pair.split('=').map(decodeURIComponent)
    return { name, value, isFile: false }
  })
}

function fieldsOf({ schema }: ContentView, text: string): FieldView[] {
  const values = valuesOf(text)
  return (schema?.properties ?? [])
    .filter(({ schema: one }) => !one.isReadOnly)
    .slice(0, 20)
    .flatMap(({ name, schema: one }) => {
      const isFile = one.format === 'binary' || one.type === 'file'
      // A member that an example leaves out has no value that is known to fit.
      const value = isFile ? 'file.bin' : (values.get(name) ?? (values.size === 0 ? 'text' : undefined))
      return value === undefined ? [] : [{ name, value, isFile }]
    })
}

function valuesOf(text: string): ReadonlyMap<string, string> {
  try {
    const entries = Object.entries(JSON.parse(text) as object) as [string, unknown][]
    return new Map(
      entries.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    )
  } catch {
    return new Map()
  }
}
