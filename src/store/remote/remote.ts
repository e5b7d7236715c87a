/** Interface of the client for user-supplied addresses: requests, limits and errors. */
import type { LookupAddress } from 'node:dns'

/** The client for all user-supplied addresses. */
export interface Remote {
  /** Fetches an address; throws `RemoteError` when it is not allowed or failed. */
  fetch(address: string, limits: RemoteLimits): Promise<RemoteFile>
  /** The same, streamed to a new file at `path`, which is deleted on failure. */
  download(address: string, path: string, limits: RemoteLimits): Promise<RemoteSource>
  /**
   * Sends bytes to an address and returns its response, whatever its status; throws `RemoteError` when there is none, or it
   * is not allowed. Redirects are not followed. Reads no more of the body than requested.
   */
  post(address: string, sending: RemoteRequest): Promise<RemoteResponse>
  /** Closes all connections. */
  close(): Promise<void>
}

export interface RemoteRequest {
  readonly bytes: Uint8Array
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds for the whole response. */
  readonly timeout: number
  /** Bytes of the response that are read; the rest is not awaited. */
  readonly maxBytes: number
  /** Aborts the request. */
  readonly signal?: AbortSignal
}

export interface RemoteResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** The beginning of the body, as received. */
  readonly bytes: Uint8Array
  /** Why the body broke off before its end and the requested length. */
  readonly brokeOff?: RemoteError
}

export interface RemoteLimits {
  /** Decoded bytes. */
  readonly maxBytes: number
  /** Milliseconds for the whole response, including redirects. */
  readonly timeout: number
  /** Aborts the fetch. */
  readonly signal?: AbortSignal
  /** Accepted content types; sent as `Accept`. */
  readonly accept?: string
  /** Whether a redirect to this address is followed; every one is by default. Called before anything is sent there. */
  readonly mayFollow?: (url: URL) => boolean
}

export interface RemoteSource {
  /** As announced, with its parameters; empty when nothing was. */
  readonly contentType: string
  /** Final address, after redirects. */
  readonly url: string
}

export interface RemoteFile extends RemoteSource {
  readonly bytes: Uint8Array
}

export interface RemoteOptions {
  /** Allowed networks besides the public internet, separated by commas. */
  readonly openNetworks?: string | undefined
  /** Returns the addresses of a host; by the system's resolver by default. */
  readonly lookup?: (host: string) => Promise<readonly LookupAddress[]>
  /** Concurrent connections to one host; more requests wait. */
  readonly connectionsPerHost?: number
}

interface RemoteFailure {
  /** Status of the response, if there was one. */
  readonly status?: number
  /** Seconds of `Retry-After`. */
  readonly retryAfter?: number
  /** Destination of a redirect that was not followed. */
  readonly redirectsTo?: string
  /** True on a timeout. */
  readonly isLate?: boolean
}

/** Thrown with a message for the user who supplied the address. */
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
