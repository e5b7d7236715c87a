/** What a handler knows of a request, besides the resources of its path. */
import type { BodyOf, Endpoint, QueryOf } from '../../contract/endpoint.js'
import type { ReadContext } from '../../store/cache/caches.js'
import type { Origin } from '../audit/record.js'
import type { Actor } from '../signin/actor.js'
import type { Services } from './scope.js'
import type { UploadedFile } from './upload.js'

export interface RequestContext<E extends Endpoint = Endpoint> {
  readonly actor: Actor
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  /** IP address and user agent of the client. */
  readonly origin: Origin
  /** Milliseconds since 1970, the same for the whole request. */
  readonly now: number
  readonly services: Services
  /** The data version as of which the request reads cached rows. */
  readonly readContext: ReadContext
  readonly upload: Upload
  readonly waitPreference: WaitPreference
  /** Tags of the header If-Match, without quotes; undefined where a request has no such condition. */
  readonly ifMatch: readonly string[] | undefined
}

/** How the client waits for the reply. */
export interface WaitPreference {
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
  /** Seconds to wait for unfinished work, as in `Prefer: wait=2`; 0 by default. */
  readonly seconds: number
  /** True when the client prefers 202 with the URL of a status, as in `Prefer: respond-async`. */
  readonly isAsynchronous: boolean
}

/** The body of an upload. */
export interface Upload {
  /** Returns the first file of the request as a stream; more bytes than the limit are an error. */
  file(limit: number): Promise<UploadedFile>
}
