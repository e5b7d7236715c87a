/** Throughput: requests a second of the product beside those of a bare server that sends the same bytes, in alternation. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { BareResponse } from './bare-server.js'
import type { Load, LoadResult } from './load-client.js'
import { median } from './figure.js'

export const connections = 16

/**
 * Sends the same request as the load client: without compression, which has another ETag, and without the `no-cache` that
 * `fetch` adds to `if-none-match`.
 */
export const unaltered = { 'accept-encoding': 'identity', 'cache-control': 'max-age=0' }

export interface ThroughputComparison {
  /** Requests a second. */
  readonly product: number
  readonly bare: number
  /** Median of the ratios of adjacent rounds: the speed of a busy machine drifts. */
  readonly ratio: number
}

export interface ComparisonOptions {
  /** Of one server; requested round-robin. */
  readonly urls: readonly URL[]
  readonly headers: Readonly<Record<string, string>>
  readonly turns: number
  readonly milliseconds: number
}

/** Throws when the answer is neither 200 nor 304. */
export async function compareThroughput({
  urls,
  headers,
  turns,
  milliseconds,
}: ComparisonOptions): Promise<ThroughputComparison> {
  const [url] = urls as [URL]
  const answer = await fetch(url, { headers: { ...unaltered, ...headers } })
  const body = await answer.text()
  if (answer.status !== 200 && answer.status !== 304) throw new Error(`${url.href} answered ${answer.status}`)
  const type = answer.headers.get('content-type') ?? 'text/plain'
  const bare = await startBare({ status: answer.status, type, body })
  try {
    const requests = requestsFor(urls, headers)
    const { status } = answer
    const other = { port: bare.port, requests: requests.slice(0, 1), status }
    const {
      one,
      other: besides,
      ratio,
    } = await alternate({ one: { port: Number(url.port), requests, status }, other }, { turns, milliseconds })
    return { product: one, bare: besides, ratio }
  } finally {
    await bare.close()
  }
}

/** The requests to one of two servers. */
interface ServerLoad {
  readonly port: number
  readonly requests: readonly string[]
  readonly status: number
}

/** Returns requests a second of two servers, measured in alternation, and the median of the ratios of adjacent rounds. */
export async function alternate(
  { one, other }: { readonly one: ServerLoad; readonly other: ServerLoad },
  { turns, milliseconds }: Pick<ComparisonOptions, 'turns' | 'milliseconds'>,
): Promise<{ readonly one: number; readonly other: number; readonly ratio: number }> {
  const client = startClient()
  try {
    const measure = (load: ServerLoad, time = milliseconds) =>
      client.run({ ...load, connections, milliseconds: time })
    // Both have compiled what is hot before anything counts.
    await measure(one, milliseconds * 2)
    await measure(other, milliseconds)
    const pairs: { one: number; other: number }[] = []
    for (let turn = 0; turn < turns; turn += 1) {
      pairs.push({ one: await measure(one), other: await measure(other) })
    }
    return {
      one: median(pairs.map((pair) => pair.one)),
      other: median(pairs.map((pair) => pair.other)),
      ratio: median(pairs.map((pair) => pair.one / pair.other)),
    }
  } finally {
    await client.close()
  }
}

/** Requests as they go over the wire. */
export function requestsFor(
  urls: readonly URL[],
  headers: Readonly<Record<string, string>>,
): readonly string[] {
  const sent = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return urls.map(
    ({ pathname, search, host }) =>
      `GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${sent.join('')}\r\n`,
  )
}

/** A bare server, until it is closed. */
export async function startBare(answer: BareResponse) {
  const child = start('bare-server.ts')
  child.send(answer)
  const [port] = (await once(child, 'message')) as [number]
  return { port, pid: child.pid!, close: () => end(child) }
}

/** A client in a separate process, until it is closed. */
export function startClient() {
  const child = start('load-client.ts')
  return {
    async run(load: Load): Promise<number> {
      child.send(load)
      const [result] = (await once(child, 'message')) as [LoadResult]
      if ('problem' in result) throw new Error(result.problem)
      return result.perSecond
    },
    close: () => end(child),
  }
}

function start(file: string): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv: process.execArgv })
}

async function end(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close')
  child.kill()
  await closed
}
