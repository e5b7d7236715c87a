/**
 * Keys in addresses: the first part of a path below a site may open what is closed without it. All that the site leads
 * to from there carries the key on, as part of its base.
 */
import type { Addresses } from '../../contract/addresses.js'
import type { Customization } from '../../contract/customization.js'
import type { SiteRow } from '../../resources/sites/store.js'
import type { Allowance } from '../../store/db/attempts.js'
import { filePath } from './address.js'
import type { ReachedSite } from './find-site.js'
import { withFilesAt } from './look.js'

export interface AddressKey {
  readonly kind: 'share' | 'preview'
  readonly key: string
  /** Its part of the path, with a slash at its end. */
  readonly prefix: string
  /** What follows it. */
  readonly rest: string
  /** False without the slash that ends it. */
  readonly isWhole: boolean
}

/** Keys that open nothing, by address, before whoever tries them is turned away for the rest of the time. */
export const guesses: Allowance = { limit: 60, window: 10 * 60 * 1000 }

/**
 * Returns the key of an address below a site. A page may look like one too, so what the site never gave out is a path;
 * whether a key opens anything is another question.
 */
export function keyAt(
  { keys }: Addresses,
  { id, visibility }: SiteRow,
  path: string,
): AddressKey | undefined {
  const key = readKey(path)
  if (key === undefined || key.kind === 'preview') return key
  return visibility === 'share-link' && keys.readShare(id, key.key) !== undefined ? key : undefined
}

/** Returns what may be a key at the beginning of a path, by how it looks. */
export function readKey(path: string): AddressKey | undefined {
  const [, before = '', key, slash, rest = ''] =
    /^(~(?:octavo|gitbook)\/preview\/)?([\w.~-]{24,8000})(?:(\/)(.*))?$/s.exec(path) ?? []
  if (key === undefined) return undefined
  const kind = before === '' ? 'share' : 'preview'
  if (kind === 'share' && !/^[\w-]{30}$/.test(key)) return undefined
  return { kind, key, prefix: `${before}${key}/`, rest, isWhole: slash !== undefined }
}

/** Returns the site as it stands behind a key. */
export function behindKey(reached: ReachedSite, { kind, prefix }: AddressKey): ReachedSite {
  const { site, fingerprint } = reached
  const { base, url, visibility, customization, looks } = site
  const files = base + prefix + filePath
  const behind = (look: Customization) => withFilesAt(look, site.files, files)
  return {
    ...reached,
    site: {
      ...site,
      base: base + prefix,
      url: url + prefix,
      // A preview is for nobody else, whoever reads the site.
      visibility: kind === 'preview' ? 'private' : visibility,
      hasOwnFiles: true,
      files,
      customization: behind(customization),
      looks: new Map([...looks].map(([id, look]) => [id, behind(look)])),
      scripts: kind === 'preview' ? [] : site.scripts,
    },
    fingerprint: `${fingerprint} ${prefix}`,
  }
}
