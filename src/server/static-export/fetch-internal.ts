/**
 * Internal HTTP requests: fetches a published site in process as an anonymous visitor without claims, through the same
 * routes and access rules. No response holds anything that such a visitor may not read.
 */
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../access/route/scope.js'
import type { AddressedSite } from '../../resources/sites/store.js'
import type { PublishedSite } from '../../site/routing/site.js'
import { entryPointOf } from './open-site.js'

export interface ExportedResponse {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array
  /** Target of a redirect. */
  readonly location?: string
}

/** Returns the body as text. */
export function textOf({ body }: ExportedResponse): string {
  return typeof body === 'string'
    ? body
    : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
}

export interface FetchableSite {
  readonly site: PublishedSite
  /** Requests an address: a path from the root of the site's host. */
  fetchPath(href: string): Promise<ExportedResponse>
}

/** Requests for an image that is still being resized, and milliseconds between them. */
const [maxAttempts, retryPause] = [50, 100]

/** Returns a function that sends requests to a published site. */
export function createInternalFetch(
  server: FastifyInstance,
  { addresses }: Services,
  addressed: AddressedSite,
): FetchableSite['fetchPath'] {
  const own = new URL(addresses.base)
  const { row, organizationHostname } = addressed
  const url = new URL(addresses.site(organizationHostname, row.basename, row.hostname))
  const entryPoint = entryPointOf({ addresses }, addressed)
  // A proxy in front of the server strips this.
  const prefix = own.pathname.replace(/\/$/, '')

  async function fetchPath(href: string, attempt = 0): Promise<ExportedResponse> {
    const isOwn = entryPoint === 'path' || href.startsWith(`${prefix}/~octavo/files/`)
    const response = await server.inject({
      method: 'GET',
      url: isOwn && href.startsWith(`${prefix}/`) ? href.slice(prefix.length) : href,
      headers: { host: isOwn ? own.host : url.host, accept: '*/*' },
    })
    const {
      location,
      'content-type': contentType = '',
      'cache-control': cacheControl = '',
    } = response.headers
    // The original is served uncached until the resized image is ready.
    if (
      response.statusCode === 200 &&
      /[?&]w=/.test(href) &&
      String(cacheControl).includes('no-store') &&
      attempt < maxAttempts
    ) {
      await new Promise((resolve) => setTimeout(resolve, retryPause))
      return fetchPath(href, attempt + 1)
    }
    return {
      status: response.statusCode,
      contentType: String(contentType),
      body: response.rawPayload,
      ...(location !== undefined && { location: String(location) }),
    }
  }

  return (href) => fetchPath(href)
}
