/**
 * OpenAPI bundling: fetches a specification with all documents that it references, and combines them into one JSON
 * text. Writes nothing.
 */
import type { Services } from '../../access/route/scope.js'
import type { OpenApiSpec } from '../../contract/openapi-specs.js'
import { limits } from '../../contract/limits.js'
import { RemoteError } from '../../store/remote/remote.js'
import type { SpecificationDocument } from '../../store/specifications/read.js'
import type { SpecRow } from './store.js'

export interface BundledSpec {
  /** The bundled JSON text, without external references. */
  readonly json: Uint8Array
  /** The source text. */
  readonly raw: Uint8Array
  readonly format: 'json' | 'yaml'
  /** The outline, as JSON. */
  readonly outline: string
}

export interface BundleFailure {
  readonly code: NonNullable<OpenApiSpec['lastProcessErrorCode']>
  /** A sentence for users. */
  readonly message: string
}

type GatherServices = Pick<Services, 'files' | 'remote' | 'specifications'>

/** Maximum length of a chain of referencing documents. */
const maxRounds = 20

/** Returns the bundled specification, or the failure; throws only for transient errors. */
export async function bundleSpec(
  { files, remote, specifications }: GatherServices,
  spec: SpecRow,
  signal: AbortSignal,
): Promise<BundledSpec | BundleFailure> {
  let bytesLeft = limits.specificationBytes
  const requested = new Set<string>()

  async function fetch(address: string): Promise<SpecificationDocument> {
    requested.add(address)
    const found = await remote.fetch(address, {
      maxBytes: bytesLeft,
      timeout: limits.specificationSeconds * 1_000,
      signal,
      accept: 'application/json, application/yaml, */*;q=0.5',
    })
    bytesLeft -= found.bytes.length
    return { address, bytes: found.bytes }
  }

  const parseFailure = (problem: string): BundleFailure => ({ code: 'PARSE_ERROR', message: `${problem}.` })
  try {
    const first =
      spec.source_url === null
        ? { address: undefined, bytes: await readAll(files, spec) }
        : await fetch(withoutFragment(spec.source_url))
    const documents: [SpecificationDocument, ...SpecificationDocument[]] = [first]
    for (let round = 0; round < maxRounds; round++) {
      signal.throwIfAborted()
      const read = await specifications.read({ documents })
      if ('problem' in read) return parseFailure(read.problem)
      if ('json' in read) return { ...read, raw: first.bytes }
      if (documents.length + read.missing.length > limits.specificationDocuments)
        return parseFailure(`It refers to more than ${limits.specificationDocuments} other documents`)
      // Sequentially: the documents share one size limit.
      for (const address of read.missing) documents.push(await fetch(address))
    }
    return parseFailure(
      `The documents that it refers to lead to others more than ${maxRounds} times in a row`,
    )
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof RemoteError)) throw error
    const address = [...requested].at(-1)!
    const message = `${address} cannot be read: ${error.message}.`
    return { code: error.isLate ? 'FETCH_TIMEOUT' : 'FETCH_ERROR', message }
  }
}

const withoutFragment = (address: string): string => address.split('#', 1)[0]!

async function readAll(files: Services['files'], { source_hash: hash }: SpecRow): Promise<Uint8Array> {
  const stream = await files.open(hash!)
  if (stream === undefined) throw new Error(`The bytes ${hash} are missing from the file storage`)
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}
