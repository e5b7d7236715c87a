/**
 * Content encodings that browsers accept: negotiation by `Accept-Encoding`, and compression in libuv's thread pool.
 *
 * The levels are those after which more work hardly pays: Brotli at 5 makes 7.4 kB of a page of 41 kB in half a
 * millisecond, at 11 6.5 kB in forty. Gzip at 4 takes half the time of 6 for one byte in forty more, and the first
 * reader of a page waits for it. JSON of many short records, where that is one byte in nine, gets 6.
 */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

const [compressBrotli, compressGzip] = [promisify(brotliCompress), promisify(gzip)]

/** What is compressed: the words of a page, or many records of the same members. */
export type CompressedContent = 'page' | 'records'

const gzipLevels: Readonly<Record<CompressedContent, number>> = { page: 4, records: 6 }

const encoders: Readonly<
  Record<Encoding, (bytes: Uint8Array, content: CompressedContent) => Promise<Buffer>>
> = {
  br: (bytes) =>
    compressBrotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes, content) => compressGzip(bytes, { level: gzipLevels[content] }),
}

/** Returns the bytes in an encoding. */
export function encode(bytes: Uint8Array, encoding: Encoding, content: CompressedContent): Promise<Buffer> {
  return encoders[encoding](bytes, content)
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
