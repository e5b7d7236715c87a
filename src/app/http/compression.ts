/**
 * Answers in the encodings that browsers take: compressed once for each content, beside the threads that answer, and
 * kept under the budget of everything that is kept.
 *
 * The levels are those after which more work hardly pays: Brotli at 5 makes 7.4 kB of a page of 41 kB in half a
 * millisecond, at 11 6.5 kB in forty. Gzip at 4 takes half the time of 6 for one byte in forty more, and whoever is
 * first to ask for a page waits for it.
 */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { etagOf } from '../../access/http/conditions.js'
import type { Caches, Held } from '../../store/cache/caches.js'
import { kindOf } from '../../store/cache/kinds.js'
import type { ReadyAnswer } from './send-answer.js'

export type Encoding = 'br' | 'gzip'

const [compressBrotli, compressGzip] = [promisify(brotliCompress), promisify(gzip)]

const encoders: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    compressBrotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes) => compressGzip(bytes, { level: 4 }),
}

const compressedKind = kindOf<ReadyAnswer>('compressed answer', ({ body }) => body.length + 1_000)

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

export interface Compression {
  /** Returns the form of an answer that suits the client, made if need be; what is not `kept` is made again another time. */
  make(ready: ReadyAnswer, accepted: string | undefined, kept: boolean): Promise<ReadyAnswer>
  /** Holds a form that was made to be kept; undefined for what is not compressed. */
  hold(form: ReadyAnswer): Held<ReadyAnswer> | undefined
}

export function createCompression(caches: Pick<Caches, 'find' | 'keep' | 'hold'>): Compression {
  const running = new Map<string, Promise<ReadyAnswer>>()

  async function compress(ready: ReadyAnswer, encoding: Encoding): Promise<ReadyAnswer> {
    const body = await encoders[encoding](ready.body)
    const etag = etagOf(`${ready.digest}-${encoding}`)
    return {
      ...ready,
      body,
      etag,
      unchangedHeaders: { ...ready.unchangedHeaders, ...(ready.unchangedHeaders['etag'] && { etag }) },
      headers: {
        ...ready.headers,
        ...(ready.headers['etag'] && { etag }),
        'content-encoding': encoding,
        'content-length': String(body.length),
      },
    }
  }

  /** Those who wait for the same bytes share the work. */
  function share(name: string, make: () => Promise<ReadyAnswer>): Promise<ReadyAnswer> {
    let made = running.get(name)
    if (made === undefined) {
      made = make().finally(() => running.delete(name))
      running.set(name, made)
    }
    return made
  }

  const choose = ({ isCompressed }: ReadyAnswer, accepted: string | undefined) =>
    isCompressed ? encodingFor(accepted) : undefined

  return {
    hold(form) {
      const encoding = form.headers['content-encoding']
      return encoding === undefined
        ? undefined
        : caches.hold(compressedKind, `${encoding} ${form.digest}`, form)
    },
    async make(ready, accepted, kept) {
      const encoding = choose(ready, accepted)
      if (encoding === undefined) return ready
      const name = `${encoding} ${ready.digest}`
      const known = caches.find(compressedKind, name)
      if (known !== undefined) return known
      const made = await share(name, () => compress(ready, encoding))
      if (kept) caches.keep(compressedKind, name, made)
      return made
    },
  }
}
