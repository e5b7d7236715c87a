/** Fetching an OpenAPI specification with all that it refers to, and reading it into one text. Writes nothing. */
import type { Services } from '../../access/route/scope.js'
import type { OpenApiSpec } from '../../contract/openapi-specs.js'
import { limits } from '../../contract/limits.js'
import { RemoteError } from '../../store/remote/remote.js'
import type { SpecificationDocument } from '../../store/specifications/read.js'
import type { SpecRow } from './store.js'

export interface Gathered {
  /** As one JSON text, in which nothing refers to anything outside of it. */
  readonly json: Uint8Array
  /** As it was written. */
  readonly raw: Uint8Array
  readonly format: 'json' | 'yaml'
  /** What it is about, as JSON. */
  readonly outline: string
}

export interface Failure {
  readonly code: NonNullable<OpenApiSpec['lastProcessErrorCode']>
  /** A sentence for whoever looks at it. */
  readonly message: string
}

type GatherServices = Pick<Services, 'files' | 'remote' | 'specifications'>

/** Documents that lead to each other, in a row. */
const mostRounds = 20

/** Returns the specification, or why there is none; throws only what another time may go well. */
export async function gather(
  { files, remote, specifications }: GatherServices,
  spec: SpecRow,
  signal: AbortSignal,
): Promise<Gathered | Failure> {
  let bytesLeft = limits.specificationBytes
  const asked = new Set<string>()

  async function fetch(address: string): Promise<SpecificationDocument> {
    asked.add(address)
    const found = await remote.fetch(address, {
      maxBytes: bytesLeft,
      timeout: limits.specificationSeconds * 1_000,
      signal,
      accept: 'application/json, application/yaml, */*;q=0.5',
    })
    bytesLeft -= found.bytes.length
    return { address, bytes: found.bytes }
  }

  const lacking = (problem: string): Failure => ({ code: 'PARSE_ERROR', message: `${problem}.` })
  try {
    const first =
      spec.source_url === null
        ? { address: undefined, bytes: await readAll(files, spec) }
        : await fetch(withoutFragment(spec.source_url))
    const documents: [SpecificationDocument, ...SpecificationDocument[]] = [first]
    for (let round = 0; round < mostRounds; round++) {
      signal.throwIfAborted()
      const read = await specifications.read({ documents })
      if ('problem' in read) return lacking(read.problem)
      if ('json' in read) return { ...read, raw: first.bytes }
      if (documents.length + read.missing.length > limits.specificationDocuments)
        return lacking(`It refers to more than ${limits.specificationDocuments} other documents`)
      // One after another: what they may weigh together is what is left of one sum.
      for (const address of read.missing) documents.push(await fetch(address))
    }
    return lacking(`The documents that it refers to lead to others more than ${mostRounds} times in a row`)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof RemoteError)) throw error
    const address = [...asked].at(-1)!
    const message = `${address} cannot be read: ${error.message}.`
    return { code: error.isLate ? 'FETCH_TIMEOUT' : 'FETCH_ERROR', message }
  }
}

const withoutFragment = (address: string): string => address.split('#', 1)[0]!

async function readAll(files: Services['files'], { source_hash: hash }: SpecRow): Promise<Uint8Array> {
  const stream = await files.open(hash!)
  if (stream === undefined) throw new Error(`The bytes ${hash} are missing from the file storage`)
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece as Uint8Array)
  return Buffer.concat(pieces)
}
