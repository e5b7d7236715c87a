/**
 * Answers in the encodings that browsers take, compressed once for each content, beside the threads that answer.
 *
 * What is kept of an answer are the forms in which it was asked for, and the others are made of these: nearly everybody
 * takes the same one, and the bytes as they are take the room of four that are compressed.
 *
 * The levels are those after which more work hardly pays: Brotli at 5 makes 7.4 kB of a page of 41 kB in half a
 * millisecond, at 11 6.5 kB in forty. Gzip at 4 takes half the time of 6 for one byte in forty more, and whoever is
 * first to ask for a page waits for it.
 */
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib'
import { etagOf } from '../../access/http/conditions.js'
import { type AnswerHead, type ReadyAnswer, withHeaders } from './send-answer.js'

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

/** Returns the encoding that an `Accept-Encoding` likes best, Brotli where it has no choice; undefined for none. */
export function encodingFor(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined
  if (chosen.has(accepted)) return chosen.get(accepted)
  const encoding = bestOf(accepted)
  if (chosen.size >= mostChosen) chosen.clear()
  chosen.set(accepted, encoding)
  return encoding
}

/** Browsers say one of a few things with every request; reading them costs more than all else that it takes to choose. */
const chosen = new Map<string, Encoding | undefined>()
const mostChosen = 64

function bestOf(accepted: string): Encoding | undefined {
  const weights = new Map<string, number>()
  for (const one of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const weightOf = (name: Encoding) => weights.get(name) ?? weights.get('*') ?? 0
  const best = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip'
  // What says nothing of bytes as they are takes them last.
  return weightOf(best) > (weights.get('identity') ?? 0) ? best : undefined
}

/** Bytes that the headers of an answer cost beside its body. */
const headersWeight = 1_000

/** An answer in the forms in which it was asked for, one of them at least. */
export interface Forms {
  readonly head: AnswerHead
  /** The bytes as they are; left out once others were asked for, and they were not. */
  plain: ReadyAnswer | undefined
  isPlainAsked: boolean
  readonly compressed: Map<Encoding, ReadyAnswer>
  /** Those who wait for the same form share the work. */
  readonly making: Map<Encoding, Promise<ReadyAnswer>>
}

/** Returns the forms of an answer that nobody asked for in another one yet. */
export function formsOf(plain: ReadyAnswer): Forms {
  const { body: _, ...head } = plain
  return { head, plain, isPlainAsked: false, compressed: new Map(), making: new Map() }
}

/** Returns the bytes that they take in memory, about. */
export function weightOfForms({ plain, compressed }: Forms): number {
  const kept = [...compressed.values(), ...(plain === undefined ? [] : [plain])]
  return kept.reduce((sum, { body }) => sum + body.length + headersWeight, 0)
}

/** Answers the form that suits who takes these encodings, made if need be. */
export async function formFor(forms: Forms, accepted: string | undefined): Promise<ReadyAnswer> {
  const encoding = forms.head.isCompressed ? encodingFor(accepted) : undefined
  if (encoding === undefined) {
    forms.isPlainAsked = true
    return (forms.plain ??= await unpacked(forms))
  }
  const known = forms.compressed.get(encoding)
  if (known !== undefined) return known
  const making = forms.making.get(encoding) ?? make(forms, encoding)
  forms.making.set(encoding, making)
  return making.finally(() => forms.making.delete(encoding))
}

async function make(forms: Forms, encoding: Encoding): Promise<ReadyAnswer> {
  const made = await compress(forms.plain ?? (await unpacked(forms)), encoding)
  forms.compressed.set(encoding, made)
  if (!forms.isPlainAsked) forms.plain = undefined
  return made
}

async function unpacked({ head, compressed }: Forms): Promise<ReadyAnswer> {
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
    ...withHeaders(
      {
        ...plain.headers,
        ...(plain.headers['etag'] && { etag }),
        'content-encoding': encoding,
        'content-length': String(body.length),
      },
      { ...plain.unchangedHeaders, ...(plain.unchangedHeaders['etag'] && { etag }) },
    ),
  }
}
