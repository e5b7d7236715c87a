/**
 * Share links and previews (capability URLs): the first part of a path below a site may be a key that grants access. All
 * links of the site then contain the key, as part of its base.
 */
import type { Addresses } from '../../contract/addresses.js'
import type { Customization } from '../../contract/customization.js'
import type { SiteRow } from '../../resources/sites/store.js'
import type { Allowance } from '../../store/db/attempts.js'
import { filePath } from './address.js'
import type { ResolvedSite } from './find-site.js'
import { withFilesPath } from './effective-customization.js'

export interface AddressKey {
  readonly kind: 'share' | 'preview'
  readonly key: string
  /** The key's part of the path, with a slash at its end. */
  readonly prefix: string
  /** The path after the key. */
  readonly rest: string
  /** False without the slash after the key. */
  readonly hasSlash: boolean
}

/** Rate limit against brute force: failed keys per client address. */
export const keyAttemptLimit: Allowance = { limit: 60, window: 10 * 60 * 1000 }

/**
 * Returns the key of an address below a site. A page may look like a key, so what the site never signed is a path. Does
 * not check whether the key is still valid.
 */
export function findKey(
  { keys }: Addresses,
  { id, visibility }: SiteRow,
  path: string,
): AddressKey | undefined {
  const key = parseKey(path)
  if (key === undefined || key.kind === 'preview') return key
  return visibility === 'share-link' && keys.readShare(id, key.key) !== undefined ? key : undefined
}

/** Returns what has the syntax of a key at the beginning of a path. */
export function parseKey(path: string): AddressKey | undefined {
  const [, before = '', key, slash, rest = ''] =
    /^(~(?:octavo|gitbook)\/preview\/)?([\w.~-]{24,8000})(?:(\/)(.*))?$/s.exec(path) ?? []
  if (key === undefined) return undefined
  const kind = before === '' ? 'share' : 'preview'
  if (kind === 'share' && !/^[\w-]{30}$/.test(key)) return undefined
  return { kind, key, prefix: `${before}${key}/`, rest, hasSlash: slash !== undefined }
}

/** Returns the site with the key in all of its addresses. */
export function withKeyPrefix(resolved: ResolvedSite, { kind, prefix }: AddressKey): ResolvedSite {
  const { site, fingerprint } = resolved
  const { base, url, visibility, customization, variantCustomizations } = site
  const files = base + prefix + filePath
  const withKey = (settings: Customization) => withFilesPath(settings, site.files, files)
  return {
    ...resolved,
    site: {
      ...site,
      base: base + prefix,
      url: url + prefix,
      // A preview is for its maker alone.
      visibility: kind === 'preview' ? 'private' : visibility,
      hasOwnFiles: true,
      files,
      customization: withKey(customization),
      variantCustomizations: new Map(
        [...variantCustomizations].map(([id, settings]) => [id, withKey(settings)]),
      ),
      scripts: kind === 'preview' ? [] : site.scripts,
      ...(kind === 'preview' && { isFramable: true }),
    },
    fingerprint: `${fingerprint} ${prefix}`,
  }
}
