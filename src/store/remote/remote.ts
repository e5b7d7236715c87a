/** Fetching from addresses that people give us, and telling them something: what may be asked for, and in which words it fails. */
import type { LookupAddress } from 'node:dns'

/** The one client for every address that somebody gave. */
export interface Remote {
  /** Returns what stands at the address; throws `RemoteError` for what may not or could not be fetched. */
  fetch(address: string, limits: RemoteLimits): Promise<RemoteFile>
  /** The same, written to a new file at `path` as it comes; what was begun is removed when it fails. */
  download(address: string, path: string, limits: RemoteLimits): Promise<RemoteSource>
  /**
   * Sends bytes to the address and returns what it answers, whatever that is; throws `RemoteError` where nothing did, or
   * nothing may. Redirects are answers, too. Of the body no more is read than is asked for.
   */
  post(address: string, sending: RemoteRequest): Promise<RemoteResponse>
  /** Lets go of all connections. */
  close(): Promise<void>
}

export interface RemoteRequest {
  readonly bytes: Uint8Array
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds for the whole answer. */
  readonly timeout: number
  /** Bytes of the answer that are read; what comes after them is not waited for. */
  readonly mostBytes: number
  /** Ends it at once. */
  readonly signal?: AbortSignal
}

export interface RemoteResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** The beginning of the body, as it came. */
  readonly bytes: Uint8Array
  /** Why there is no more of it, where that is not its end nor all that was asked for. */
  readonly brokeOff?: RemoteError
}

export interface RemoteLimits {
  /** Bytes, of what is unpacked. */
  readonly maxBytes: number
  /** Milliseconds for the whole answer, redirects included. */
  readonly timeout: number
  /** Ends the fetching at once. */
  readonly signal?: AbortSignal
  /** Content types that are wanted; sent as `Accept`. */
  readonly accept?: string
  /** Whether a redirect to this address is followed; every one is by default. Asked before anything is sent there. */
  readonly mayFollow?: (url: URL) => boolean
}

export interface RemoteSource {
  /** As announced, with its parameters; empty when nothing was. */
  readonly contentType: string
  /** Address that answered, after redirects. */
  readonly url: string
}

export interface RemoteFile extends RemoteSource {
  readonly bytes: Uint8Array
}

export interface RemoteOptions {
  /** Networks that are open beside the public internet, with commas between. */
  readonly openNetworks?: string | undefined
  /** Answers the addresses of a host; by the system's resolver unless told otherwise. */
  readonly lookup?: (host: string) => Promise<readonly LookupAddress[]>
  /** Connections to one host at a time; more requests wait. */
  readonly connectionsPerHost?: number
}

interface RemoteFailure {
  /** Status of the answer, where there was one. */
  readonly status?: number
  /** Seconds after which it may be asked again, as it said. */
  readonly retryAfter?: number
  /** Where it redirects, and was not followed. */
  readonly redirectsTo?: string
  /** True when nothing answered in time. */
  readonly isLate?: boolean
}

/** Thrown with a sentence for the person who gave the address. */
export class RemoteError extends Error {
  readonly status: number | undefined
  readonly retryAfter: number | undefined
  readonly redirectsTo: string | undefined
  readonly isLate: boolean
  constructor(message: string, { status, retryAfter, redirectsTo, isLate = false }: RemoteFailure = {}) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
    this.redirectsTo = redirectsTo
    this.isLate = isLate
  }
}
