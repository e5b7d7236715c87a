/** Parses and bundles OpenAPI specifications: documents in, one JSON text without external references out. */
import { inlineReferences } from '../../core/openapi/inline.js'
import {
  type SpecificationFormat,
  UnreadableSpecification,
  parseDocument,
  requireSpecification,
} from '../../core/openapi/parse.js'
import { outlineOf } from '../../core/openapi/outline.js'

/** A document as received, or as JSON of an earlier parse. */
export interface SpecificationDocument {
  /** Undefined for an uploaded text. */
  readonly address: string | undefined
  readonly bytes: Uint8Array
}

export interface SpecificationTask {
  /** The specification itself comes first. */
  readonly documents: readonly [SpecificationDocument, ...SpecificationDocument[]]
}

export type SpecificationAnswer =
  | {
      readonly json: Uint8Array
      /** The outline, as JSON. */
      readonly outline: string
      /** The format of the specification itself. */
      readonly format: SpecificationFormat
    }
  /** Further documents that are needed. */
  | { readonly missing: readonly string[] }
  /** Why it is not a readable specification: a sentence without its full stop. */
  | { readonly problem: string }

export function readSpecification({ documents }: SpecificationTask): SpecificationAnswer {
  try {
    const [first, ...rest] = documents
    const { value, format } = parseDocument(textOf(first))
    const root = requireSpecification(value)
    const others = new Map<string, unknown>()
    for (const other of rest) others.set(other.address!, parseOther(other))
    const inlined = inlineReferences({ root, address: first.address, others, addressOf })
    if ('missing' in inlined) return inlined
    const { json, specification } = removeNulls(inlined.specification)
    return { json: Buffer.from(json), outline: JSON.stringify(outlineOf(specification)), format }
  } catch (error) {
    if (error instanceof UnreadableSpecification) return { problem: error.message }
    // Exceeds the limits of the JavaScript engine.
    if (error instanceof RangeError) return { problem: 'It is too large or nested too deep to be read' }
    throw error
  }
}

/** Returns a specification without U+0000, which databases cannot store in text: replaced as in Markdown. */
function removeNulls<Value>(specification: Value): { readonly json: string; readonly specification: Value } {
  const written = JSON.stringify(specification)
  if (!written.includes('\\u0000')) return { json: written, specification }
  // linear: what follows a backslash is a letter or another backslash, which belongs to it.
  const json = written.replace(/\\(?:\\|u0000)/g, (escape) => (escape === '\\\\' ? escape : '\ufffd'))
  return { json, specification: JSON.parse(json) as Value }
}

function parseOther(document: SpecificationDocument): unknown {
  try {
    return parseDocument(textOf(document)).value
  } catch (error) {
    if (!(error instanceof UnreadableSpecification)) throw error
    throw new UnreadableSpecification(`${document.address}, which it refers to: ${error.message}`)
  }
}

const textOf = ({ bytes }: SpecificationDocument): string => new TextDecoder().decode(bytes)

function addressOf(file: string, from: string | undefined): string | undefined {
  if (!URL.canParse(file, from)) return undefined
  const url = new URL(file, from)
  url.hash = ''
  return url.href
}
