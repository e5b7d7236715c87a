/**
 * Response compression: answers in the content encodings that browsers accept, compressed once for each content, in
 * libuv's thread pool.
 *
 * Only the encodings that were requested are cached, and the others are made from these: nearly every browser accepts
 * the same one, and uncompressed bytes take the memory of four compressed copies.
 */
import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import { etagOf } from '../../access/http/conditional-requests.js'
import { type Encoding, encode, encodingFor } from '../../access/http/content-encoding.js'
import { type AnswerHead, type ReadyAnswer, headerSets } from './send-answer.js'
const decoders = { br: promisify(brotliDecompress), gzip: promisify(gunzip) } as const

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
  const body = await encode(plain.body, encoding, 'page')
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
