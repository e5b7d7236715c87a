/**
 * HTTP client for user-supplied addresses, protected against SSRF: http and https only, and only hosts that `reach.ts`
 * allows.
 *
 * The check is made when connecting, on the IP address that is connected to, so DNS rebinding has no effect. Redirects are
 * followed manually, each checked again. Decoded size and time are bounded.
 */
import { lookup as resolve } from 'node:dns/promises'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Agent, type Dispatcher, buildConnector, request } from 'undici'
import { privateFileMode } from '../files/private-permissions.js'
import { type Reach, createReach } from './reach.js'
import {
  type Remote,
  type RemoteResponse,
  RemoteError,
  type RemoteLimits,
  type RemoteOptions,
  type RemoteSource,
} from './remote.js'

const maxRedirects = 5
/** Connection timeout in milliseconds. */
const connectTimeout = 10_000
/** Nested content encodings; honest servers use at most two. */
const maxEncodings = 2

interface OpenedSource extends RemoteSource {
  readonly pieces: AsyncIterable<Uint8Array>
}

export function openClient({
  openNetworks,
  lookup = (host) => resolve(host, { all: true, verbatim: true }),
  connectionsPerHost = 6,
}: RemoteOptions): Remote {
  const dispatcher = new Agent({
    connections: connectionsPerHost,
    connect: connectorTo(createReach(openNetworks), lookup),
  })

  async function open(address: string, limits: RemoteLimits, signal: AbortSignal): Promise<OpenedSource> {
    let url = parseUrl(address)
    for (let hop = 0; hop <= maxRedirects; hop++) {
      const { statusCode: status, headers, body } = await send(url, { ...limits, dispatcher, signal })
      const location = headers['location']
      if (status === 200)
        return { ...sourceOf(url, headers), pieces: decodeBody(headers, body, limits, signal) }
      // Not read to its end, which may never come.
      body.on('error', () => {}).destroy()
      if (status < 300 || status >= 400 || typeof location !== 'string') {
        throw new RemoteError(`it answered ${status}`, { status, ...retryAfter(headers['retry-after']) })
      }
      url = parseUrl(URL.canParse(location, url) ? new URL(location, url).href : location)
      if (limits.mayFollow?.(url) === false) {
        throw new RemoteError('it redirects to another place', { status, redirectsTo: url.href })
      }
    }
    throw new RemoteError(`it redirects more than ${maxRedirects} times`)
  }

  return {
    fetch: (address, limits) =>
      withDeadline(limits, async (signal) => {
        const { pieces, ...source } = await open(address, limits, signal)
        const chunks: Uint8Array[] = []
        for await (const piece of pieces) chunks.push(piece)
        return { ...source, bytes: Buffer.concat(chunks) }
      }),
    download: (address, path, limits) =>
      withDeadline(limits, async (signal) => {
        const { pieces, ...source } = await open(address, limits, signal)
        try {
          await pipeline(pieces, createWriteStream(path, { flags: 'wx', mode: privateFileMode }))
        } catch (error) {
          await rm(path, { force: true })
          throw error
        }
        return source
      }),
    post: (address, { bytes, headers, maxBytes, ...limits }) =>
      withDeadline(limits, async (signal) => {
        const answer = await ask(parseUrl(address), {
          method: 'POST',
          body: bytes,
          headers,
          dispatcher,
          signal,
        })
        return {
          status: answer.statusCode,
          headers: namedHeaders(answer.headers),
          ...(await readPrefix(answer.body, maxBytes, signal)),
        }
      }),
    close: () => dispatcher.destroy(),
  }
}

/** Returns the first bytes of a body that may be endless or break off, and the error in that case. */
async function readPrefix(
  body: Readable,
  most: number,
  signal: AbortSignal,
): Promise<Pick<RemoteResponse, 'bytes' | 'brokeOff'>> {
  const chunks: Uint8Array[] = []
  let size = 0
  let brokeOff: RemoteError | undefined
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= most) break
    }
  } catch (error) {
    // The response has begun: the received part is returned.
    brokeOff = toRemoteError(error, signal, 'it broke off')
  } finally {
    body.on('error', () => {}).destroy()
  }
  return { bytes: Buffer.concat(chunks).subarray(0, most), ...(brokeOff !== undefined && { brokeOff }) }
}

function namedHeaders(headers: Headers): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/**
 * Runs the work with a signal that aborts at the deadline, or with the signal of the limits. Uses its own timer: the engine
 * garbage-collects a timeout signal that is only part of `AbortSignal.any`, before it fires.
 */
async function withDeadline<Result>(
  { timeout, signal }: Pick<RemoteLimits, 'timeout' | 'signal'>,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(new DOMException('Too late', 'TimeoutError')), timeout)
  const stop = () => ending.abort(signal!.reason)
  if (signal?.aborted === true) stop()
  signal?.addEventListener('abort', stop)
  try {
    return await work(ending.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

type Headers = Dispatcher.ResponseData['headers']

function sourceOf(url: URL, headers: Headers): RemoteSource {
  return { contentType: String(headers['content-type'] ?? ''), url: url.href }
}

function send(
  url: URL,
  {
    dispatcher,
    signal,
    accept = '*/*',
  }: { dispatcher: Agent; signal: AbortSignal; accept?: string | undefined },
): ReturnType<typeof request> {
  const headers = { 'user-agent': 'Octavo', accept, 'accept-encoding': 'gzip, deflate, br' }
  return ask(url, { dispatcher, signal, headers })
}

type RequestOptions = NonNullable<Parameters<typeof request>[1]> & { readonly signal: AbortSignal }

async function ask(url: URL, asking: RequestOptions): ReturnType<typeof request> {
  try {
    return await request(url, asking)
  } catch (error) {
    throw toRemoteError(error, asking.signal, 'it cannot be reached')
  }
}

/** Converts a failure to a `RemoteError` with our message. */
function toRemoteError(error: unknown, signal: AbortSignal, problem: string): RemoteError {
  if (error instanceof RemoteError) return error
  if (signal.aborted) {
    const isLate = (signal.reason as { name?: unknown } | undefined)?.name === 'TimeoutError'
    return new RemoteError(isLate ? 'it did not answer in time' : 'it was not waited for', { isLate })
  }
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  const isLate = code?.includes('TIMEOUT') ?? false
  return new RemoteError(code === undefined ? problem : `${problem} (${code})`, { isLate })
}

/** Yields the decoded body, and aborts it when it is larger than allowed. */
async function* decodeBody(
  headers: Headers,
  body: Readable,
  { maxBytes }: RemoteLimits,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const tooLarge = (): RemoteError => new RemoteError(`it is larger than ${sizeOf(maxBytes)}`)
  try {
    const steps = decodersOf(headers['content-encoding'])
    if (Number(headers['content-length']) > maxBytes) throw tooLarge()
    let stream = body
    for (const step of steps) {
      const before: Readable = stream
      before.once('error', (error) => step.destroy(error))
      stream = before.pipe(step)
    }
    let size = 0
    for await (const piece of stream as AsyncIterable<Uint8Array>) {
      size += piece.length
      if (size > maxBytes) throw tooLarge()
      yield piece
    }
  } catch (error) {
    throw toRemoteError(error, signal, 'it broke off')
  } finally {
    body.on('error', () => {}).destroy()
  }
}

function sizeOf(bytes: number): string {
  return bytes >= 1_000_000 ? `${Math.floor(bytes / 1_000_000)} MB` : `${bytes} bytes`
}

function decodersOf(header: string | string[] | undefined) {
  const names = [header ?? ''].flat().join(',').toLowerCase().split(',')
  const encodings = names.map((one) => one.trim()).filter((one) => one !== '' && one !== 'identity')
  if (encodings.length > maxEncodings) throw new RemoteError('it is encoded too often')
  return encodings.toReversed().map((encoding) => {
    if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip()
    if (encoding === 'deflate') return createInflate()
    if (encoding === 'br') return createBrotliDecompress()
    throw new RemoteError('it is encoded in an unknown way')
  })
}

function retryAfter(header: string | string[] | undefined): { retryAfter?: number } {
  return typeof header === 'string' && /^\d{1,6}$/.test(header) ? { retryAfter: Number(header) } : {}
}

function parseUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new RemoteError('only http and https are allowed')
  }
  if (url.username !== '' || url.password !== '')
    throw new RemoteError('it must not carry a user name or password')
  return url
}

const connector = buildConnector({ timeout: connectTimeout })

/** IP literals are not looked up, so the check is made before every connection. */
function connectorTo(allows: Reach, lookup: NonNullable<RemoteOptions['lookup']>): buildConnector.connector {
  async function addressOf(host: string): Promise<string> {
    const addresses = isIP(host)
      ? [{ address: host }]
      : await lookup(host).catch(() => {
          throw new RemoteError('its host is unknown')
        })
    const [first] = addresses
    if (first === undefined) throw new RemoteError('its host is unknown')
    // Checks all addresses: their order is up to the DNS server.
    if (!addresses.every(({ address }) => allows(address)))
      throw new RemoteError('it is not on the public internet')
    return first.address
  }
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '')
    addressOf(host).then(
      (hostname) => {
        const name = isIP(host) ? {} : { servername: options.servername || host }
        connector({ ...options, ...name, hostname }, callback)
      },
      (error: Error) => callback(error, null),
    )
  }
}
