/**
 * Where things are found: every absolute URL that an answer carries, made from the public base URL.
 * Paths inside a published site are made by the site's own linker, not here.
 */

export interface Addresses {
  /** Public base URL, without a trailing slash. */
  readonly base: string
  /** Sites live on hosts below this domain; undefined when they live below the base URL. */
  readonly sitesDomain: string | undefined
  /** URL of an API resource; the path begins with a slash, below `/v1`. */
  api(path: string): string
  app(path: string): string
  /** Where the bytes of a file are served; the version makes the answer cacheable for ever. */
  file(spaceId: string, fileId: string, hash: string, name: string): string
  /** Base of a published site, with a trailing slash. */
  site(organizationHostname: string, basename: string, customHostname?: string | null): string
}

export interface AddressSettings {
  readonly baseUrl: string
  /** When set, sites live on `<organization hostname>.<domain>`. */
  readonly sitesDomain?: string
}

export function createAddresses({ baseUrl, sitesDomain }: AddressSettings): Addresses {
  const base = baseUrl.replace(/\/+$/, '')
  const scheme = base.startsWith('https:') ? 'https' : 'http'
  return {
    base,
    sitesDomain,
    api: (path) => `${base}/v1${path}`,
    app: (path) => `${base}${path}`,
    file: (spaceId, fileId, hash, name) =>
      `${base}/~octavo/files/${spaceId}/${fileId}/${encodeURIComponent(name)}?v=${hash.slice(0, 16)}`,
    site(organizationHostname, basename, customHostname) {
      if (customHostname) return `https://${customHostname}/`
      if (sitesDomain) return `${scheme}://${organizationHostname}.${sitesDomain}/${basename}/`
      return `${base}/@${organizationHostname}/${basename}/`
    },
  }
}
