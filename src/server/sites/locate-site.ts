/**
 * Routing of requests to sites: by path on the product's own host, `/@<organization>/<site>/…`, by the subdomain of an
 * organization, or by a custom domain. It reads no access: that is in `resolve-visit.ts`.
 */
import type { FastifyRequest } from 'fastify'
import { prefersMarkdown } from '../../access/http/accept.js'
import type { Services, Source } from '../../access/route/scope.js'
import type { SiteRequest } from '../../site/answer.js'
import {
  type SiteAddress,
  readHostPath,
  readOrganizationPath,
  readSitePath,
} from '../../site/routing/address.js'
import { type ResolvedSite, createSiteFinder } from '../../site/routing/find-site.js'
import type { ReadContext } from '../../store/cache/caches.js'

/** A request to a site without its visitor. */
export type SitePathRequest = Omit<SiteRequest, 'visitor'>

/** The site that a URL names, and the path below it. */
export interface SiteLocation {
  readonly pathRequest: SitePathRequest
  /** Finds the site; undefined when there is none. */
  readonly find: (source: Source) => Promise<ResolvedSite | undefined>
  /** Whether the URL starts with the site's base as the site itself writes it. */
  readonly isCanonical: (site: ResolvedSite) => boolean
}

export interface SiteLocator {
  /** The host, with its port, of the product itself. */
  readonly ownHost: string
  byPath(request: FastifyRequest): SiteLocation
  bySubdomain(request: FastifyRequest, organization: string): SiteLocation
  byDomain(request: FastifyRequest, hostname: string): SiteLocation
  /** Locates the site by the host if it belongs to sites, else by the path. */
  byHostOrPath(request: FastifyRequest, readContext: ReadContext): Promise<SiteLocation>
  /** Returns the hostname of the organization whose sites are on a subdomain. */
  organizationOf(hostname: string): string | undefined
  /** Whether a host is the custom domain of a site. */
  isDomain(readContext: ReadContext, hostname: string): Promise<boolean>
}

export function createSiteLocator(services: Services): SiteLocator {
  const { base, sitesDomain } = services.addresses
  const sites = createSiteFinder(services)
  const ownHost = new URL(base).host

  function byPath(request: FastifyRequest): SiteLocation {
    const url = request.raw.url!
    const address = readSitePath(url)
    return {
      pathRequest: pathRequestOf(request, address),
      find: (source) => sites.byNames(source, address, 'path', 'unpublished'),
      isCanonical: (site) => url.startsWith(pathPrefixOf(site)),
    }
  }

  function bySubdomain(request: FastifyRequest, organization: string): SiteLocation {
    const url = request.raw.url!
    const address = readOrganizationPath(organization, url)
    return {
      pathRequest: pathRequestOf(request, address),
      find: (source) => sites.byNames(source, address, 'host', 'unpublished'),
      isCanonical: ({ site }) => url.startsWith(site.base),
    }
  }

  function byDomain(request: FastifyRequest, hostname: string): SiteLocation {
    return {
      pathRequest: pathRequestOf(request, readHostPath(request.raw.url!)),
      find: (source) => sites.byHost(source, hostname, 'unpublished'),
      isCanonical: () => true,
    }
  }

  function organizationOf(hostname: string): string | undefined {
    return sitesDomain !== undefined && hostname.endsWith(`.${sitesDomain}`)
      ? hostname.slice(0, -sitesDomain.length - 1)
      : undefined
  }

  return {
    ownHost,
    byPath,
    bySubdomain,
    byDomain,
    organizationOf,
    isDomain: (readContext, hostname) => sites.isHost(readContext, hostname),
    async byHostOrPath(request, readContext) {
      const { host = '' } = request.raw.headers
      if (host === ownHost) return byPath(request)
      const hostname = hostnameOf(host)
      const organization = organizationOf(hostname)
      if (organization !== undefined) return bySubdomain(request, organization)
      return (await sites.isHost(readContext, hostname)) ? byDomain(request, hostname) : byPath(request)
    },
  }
}

/** Returns the host name in a `Host` header, without its port. */
export function hostnameOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '')
}

/** Returns the first part of a site's path on this server, whatever prefix a proxy removed before it. */
function pathPrefixOf({ siteRows: { organizationHostname, row } }: ResolvedSite): string {
  return `/@${organizationHostname}/${row.basename}/`
}

function pathRequestOf(
  request: FastifyRequest,
  { path, search }: Pick<SiteAddress, 'path' | 'search'>,
): SitePathRequest {
  const { signal, headers } = request
  return { path, query: new URLSearchParams(search), wantsMarkdown: prefersMarkdown(headers.accept), signal }
}
