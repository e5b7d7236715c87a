/**
 * A site asked from inside, as a reader asks it of whom nothing is known: through the same doors, by the same rules.
 * Whatever a visitor without claims is not given is in no answer here.
 */
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../access/route/scope.js'
import type { AddressedSite } from '../../resources/sites/store.js'
import { siteAsShown } from '../../site/routing/shown-revisions.js'
import { type ShownSite, nobody, shownSite } from '../../site/routing/site.js'

export interface TwinAnswer {
  readonly status: number
  readonly contentType: string
  readonly bytes: Uint8Array
  /** Where a redirect leads. */
  readonly location?: string
}

/** Returns what was answered, as text. */
export function textOf({ bytes }: TwinAnswer): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}

export interface AskedSite {
  readonly site: ShownSite
  /** Answers an address: a path from the root of the site's host. */
  ask(href: string): Promise<TwinAnswer>
}

/** Looks at a picture that is still being made smaller, and milliseconds between them. */
const [mostLooks, pause] = [50, 100]

/** Returns a published site as its own address shows it. */
export async function askSite(
  server: FastifyInstance,
  services: Services,
  addressed: AddressedSite,
): Promise<AskedSite> {
  const { addresses } = services
  const own = new URL(addresses.base)
  const { row, organizationHostname } = addressed
  const url = new URL(addresses.site(organizationHostname, row.basename, row.hostname))
  const door = url.origin === own.origin ? 'path' : 'host'
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
      bytes: answer.rawPayload,
      ...(location !== undefined && { location: String(location) }),
    }
  }

  const shown = await siteAsShown({ db: services.database.read, services }, addressed)
  return { site: shownSite(addresses, shown, { door, asker: nobody }), ask: (href) => ask(href) }
}
