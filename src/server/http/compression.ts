/**
 * Response compression: answers in the content encodings that browsers accept, compressed once for each content, in
 * libuv's thread pool.
 *
 * Only the encodings that were requested are cached, and the others are made from these: nearly every browser accepts
 * the same one, and uncompressed bytes take the memory of four compressed copies.
 *
 * The levels are those after which more work hardly pays: Brotli at 5 makes 7.4 kB of a page of 41 kB in half a
 * millisecond, at 11 6.5 kB in forty. Gzip at 4 takes half the time of 6 for one byte in forty more, and the first
 * reader of a page waits for it.
 */
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib'
import { etagOf } from '../../access/http/conditional-requests.js'
import { type AnswerHead, type ReadyAnswer, headerSets } from './send-answer.js'

export type Encoding = 'br' | 'gzip'

const [compressBrotli, compressGzip] = [promisify(brotliCompress), promisify(gzip)]
const decoders = { br: promisify(brotliDecompress), gzip: promisify(gunzip) } as const

const encoders: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    compressBrotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes) => compressGzip(bytes, { level: 4 }),
}

/** Returns the encoding that an `Accept-Encoding` header prefers, Brotli when it has no preference; undefined for none. */
export function encodingFor(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined
  if (encodingByHeader.has(accepted)) return encodingByHeader.get(accepted)
  const encoding = bestOf(accepted)
  if (encodingByHeader.size >= maxParsedHeaders) encodingByHeader.clear()
  encodingByHeader.set(accepted, encoding)
  return encoding
}

/** Browsers send one of a few headers with every request; parsing them costs more than the rest of the choice. */
const encodingByHeader = new Map<string, Encoding | undefined>()
const maxParsedHeaders = 64

function bestOf(accepted: string): Encoding | undefined {
  const weights = new Map<string, number>()
  for (const one of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const weightOf = (name: Encoding) => weights.get(name) ?? weights.get('*') ?? 0
  const best = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip'
  // A header that does not name `identity` accepts it last.
  return weightOf(best) > (weights.get('identity') ?? 0) ? best : undefined
}

/** Bytes that the headers of an answer take besides its body. */
const headersWeight = 1_000

/** An answer in the encodings in which it was requested, at least one. */
export interface EncodedAnswer {
  readonly head: AnswerHead
  /** Uncompressed; dropped once other encodings were requested and this one was not. */
  plain: ReadyAnswer | undefined
  isPlainRequested: boolean
  readonly compressed: Map<Encoding, ReadyAnswer>
  /** Requests that wait for the same encoding share the work. */
  readonly pending: Map<Encoding, Promise<ReadyAnswer>>
}

/** Returns an answer that was not requested in any other encoding yet. */
export function encodedAnswerOf(plain: ReadyAnswer): EncodedAnswer {
  const { body: _, ...head } = plain
  return { head, plain, isPlainRequested: false, compressed: new Map(), pending: new Map() }
}

/** Returns the bytes that its encodings take in memory, estimated. */
export function weightOfEncoded({ plain, compressed }: EncodedAnswer): number {
  const answers = [...compressed.values(), ...(plain === undefined ? [] : [plain])]
  return answers.reduce((sum, { body }) => sum + body.length + headersWeight, 0)
}

/** Returns the answer in the encoding that an `Accept-Encoding` header prefers, compressed if need be. */
export async function encodeFor(encoded: EncodedAnswer, accepted: string | undefined): Promise<ReadyAnswer> {
  const encoding = encoded.head.isCompressed ? encodingFor(accepted) : undefined
  if (encoding === undefined) {
    encoded.isPlainRequested = true
    return (encoded.plain ??= await decompress(encoded))
  }
  const known = encoded.compressed.get(encoding)
  if (known !== undefined) return known
  const compression = encoded.pending.get(encoding) ?? compressOnce(encoded, encoding)
  encoded.pending.set(encoding, compression)
  return compression.finally(() => encoded.pending.delete(encoding))
}

async function compressOnce(encoded: EncodedAnswer, encoding: Encoding): Promise<ReadyAnswer> {
  const result = await compress(encoded.plain ?? (await decompress(encoded)), encoding)
  encoded.compressed.set(encoding, result)
  if (!encoded.isPlainRequested) encoded.plain = undefined
  return result
}

async function decompress({ head, compressed }: EncodedAnswer): Promise<ReadyAnswer> {
  const [encoding, { body }] = [...compressed][0]!
  return { ...head, body: await decoders[encoding](body) }
}

async function compress(plain: ReadyAnswer, encoding: Encoding): Promise<ReadyAnswer> {
  const body = await encoders[encoding](plain.body)
  const etag = etagOf(`${plain.digest}-${encoding}`)
  return {
    ...plain,
    body,
    etag,
    ...headerSets(
      {
        ...plain.headers,
        ...(plain.headers['etag'] && { etag }),
        'content-encoding': encoding,
        'content-length': String(body.length),
      },
      { ...plain.notModifiedHeaders, ...(plain.notModifiedHeaders['etag'] && { etag }) },
    ),
  }
}
