/**
 * A site asked from inside, as a reader asks it of whom nothing is known: through the same doors, by the same rules.
 * Whatever a visitor without claims is not given is in no answer here.
 */
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../access/route/scope.js'
import type { AddressedSite } from '../../resources/sites/store.js'
import type { PublishedSite } from '../../site/routing/site.js'
import { doorOf } from './open-site.js'

export interface TwinAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array
  /** Where a redirect leads. */
  readonly location?: string
}

/** Returns what was answered, as text. */
export function textOf({ body }: TwinAnswer): string {
  return typeof body === 'string'
    ? body
    : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
}

export interface AskedSite {
  readonly site: PublishedSite
  /** Answers an address: a path from the root of the site's host. */
  ask(href: string): Promise<TwinAnswer>
}

/** Looks at a picture that is still being made smaller, and milliseconds between them. */
const [mostLooks, pause] = [50, 100]

/** Returns what asks at the doors of a published site. */
export function createAsk(
  server: FastifyInstance,
  { addresses }: Services,
  addressed: AddressedSite,
): AskedSite['ask'] {
  const own = new URL(addresses.base)
  const { row, organizationHostname } = addressed
  const url = new URL(addresses.site(organizationHostname, row.basename, row.hostname))
  const door = doorOf({ addresses }, addressed)
  // A proxy in front of the server takes this away.
  const prefix = own.pathname.replace(/\/$/, '')

  async function ask(href: string, looks = 0): Promise<TwinAnswer> {
    const isOwn = door === 'path' || href.startsWith(`${prefix}/~octavo/files/`)
    const answer = await server.inject({
      method: 'GET',
      url: isOwn && href.startsWith(`${prefix}/`) ? href.slice(prefix.length) : href,
      headers: { host: isOwn ? own.host : url.host, accept: '*/*' },
    })
    const { location, 'content-type': contentType = '', 'cache-control': keeping = '' } = answer.headers
    // The original stands in for a smaller picture until that is made.
    if (
      answer.statusCode === 200 &&
      /[?&]w=/.test(href) &&
      String(keeping).includes('no-store') &&
      looks < mostLooks
    ) {
      await new Promise((resolve) => setTimeout(resolve, pause))
      return ask(href, looks + 1)
    }
    return {
      status: answer.statusCode,
      contentType: String(contentType),
      body: answer.rawPayload,
      ...(location !== undefined && { location: String(location) }),
    }
  }

  return (href) => ask(href)
}
