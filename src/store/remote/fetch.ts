/**
 * Fetching from addresses that people give us: public hosts over http and https only.
 *
 * The address is checked where the connection is made, on the very IP that is connected to, so a
 * name that resolves differently the second time gains nothing. Redirects are followed by hand, each
 * checked again. Size and time are bounded.
 */
import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector, request } from 'undici'

export interface RemoteLimits {
  /** Bytes. */
  readonly maxBytes: number
  /** Milliseconds for the whole answer. */
  readonly timeout: number
}

export interface RemoteFile {
  readonly bytes: Uint8Array
  readonly contentType: string
  /** Address that answered, after redirects. */
  readonly url: string
}

/** Thrown with a sentence for the person who gave the address. */
export class RemoteError extends Error {}

const maxRedirects = 5

/** Returns what stands at the address; throws `RemoteError` for what may not or could not be fetched. */
export async function fetchRemote(address: string, { maxBytes, timeout }: RemoteLimits): Promise<RemoteFile> {
  const signal = AbortSignal.timeout(timeout)
  let url = parsePublicUrl(address)
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const answer = await send(url, signal)
    const location = answer.headers['location']
    if (answer.statusCode >= 300 && answer.statusCode < 400 && typeof location === 'string') {
      await answer.body.dump()
      url = parsePublicUrl(new URL(location, url).href)
      continue
    }
    if (answer.statusCode !== 200) {
      await answer.body.dump()
      throw new RemoteError(`it answered ${answer.statusCode}`)
    }
    const bytes = await readBounded(answer.body, maxBytes)
    return { bytes, contentType: String(answer.headers['content-type'] ?? ''), url: url.href }
  }
  throw new RemoteError(`it redirects more than ${maxRedirects} times`)
}

async function send(url: URL, signal: AbortSignal): ReturnType<typeof request> {
  try {
    return await request(url, { dispatcher: publicOnly, signal, headers: { 'user-agent': 'Octavo' } })
  } catch (error) {
    if (error instanceof RemoteError) throw error
    if (signal.aborted) throw new RemoteError('it did not answer in time')
    throw new RemoteError(`it cannot be reached (${(error as NodeJS.ErrnoException).code ?? 'no answer'})`)
  }
}

async function readBounded(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.length
      if (size > maxBytes) throw new RemoteError(`it is larger than ${Math.floor(maxBytes / 1_000_000)} MB`)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof RemoteError ? error : new RemoteError('it broke off')
  }
  return Buffer.concat(chunks)
}

function parsePublicUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new RemoteError('only http and https are allowed')
  }
  if (url.username !== '' || url.password !== '')
    throw new RemoteError('it must not carry a user name or password')
  return url
}

const connector = buildConnector({})

/** Literal addresses never reach a lookup, so the check stands in front of every connection. */
const publicOnly = new Agent({
  connect(options, callback) {
    const host = options.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host)) return connectTo(host, options, callback)
    lookup(host, { all: true, verbatim: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error !== null || first === undefined) return callback(new RemoteError('its host is unknown'), null)
      if (!addresses.every(({ address }) => isPublicAddress(address))) return callback(refusal(), null)
      connectTo(first.address, { ...options, servername: options.servername || host }, callback)
    })
  },
})

function connectTo(
  address: string,
  options: buildConnector.Options,
  callback: buildConnector.Callback,
): void {
  if (isPublicAddress(address)) connector({ ...options, hostname: address }, callback)
  else callback(refusal(), null)
}

function refusal(): RemoteError {
  return new RemoteError('it is not on the public internet')
}

/** Tells whether an IP address belongs to the public internet; embedded IPv4 addresses are looked at too. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  // `::/96` holds IPv4 addresses in an obsolete spelling that is reported as unicast.
  return !(parsed instanceof ipaddr.IPv6 && parsed.match(ipaddr.IPv6.parse('::'), 96))
}
