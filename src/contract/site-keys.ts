/**
 * Keys for readers of sites who are no members: signing keys of visitor tokens, and keys in the URLs of share links and
 * previews. All are derived from the secret of the installation and from the database, so that no row and no backup of
 * the database alone contains a key.
 */
import { type Credential, constantTimeEqual } from './signatures.js'

export interface SiteKeys {
  /** Pseudonym of a reader for votes on one page; differs by page, and identifies no one. */
  voter(siteId: string, page: string, reader: string): string
  /** Signing key of a site's visitor tokens, as UTF-8 bytes; each generation has its own. */
  visitor(siteId: string, generation: number): string
  /** The key in the URL of a share link. */
  share(siteId: string, shareLinkId: string): string
  /** Returns the id of the share link with a key; undefined for a key that is not the site's. */
  readShare(siteId: string, key: string): string | undefined
  /** The key in the URL of a preview. */
  preview(siteId: string, preview: Preview): string
  /** Returns the preview with a key, expired or not; undefined for a key that is not the site's. */
  readPreview(siteId: string, key: string): Preview | undefined
}

/** A preview of a site as a certain visitor would see it. */
export interface Preview {
  /** The previewing user's credential: the preview ends with it, and with its access. */
  readonly credential: Credential
  /** Milliseconds since 1970, whole seconds. */
  readonly expires: number
  /** Claims of the visitor, as JSON. */
  readonly claims: string
}

/** Milliseconds for which a preview is valid. */
export const previewLifetime = 60 * 60 * 1000

/** Prefix of share link ids, which their keys omit. */
const idPrefix = 'sitesh_'
/** 132 bits suffice for a signature that can only be tried online. */
const signatureLength = 22

export function createSiteKeys(sign: (text: string) => string): SiteKeys {
  const keys: SiteKeys = {
    voter: (siteId, page, reader) => sign(`voter ${siteId} ${page} ${reader}`).slice(0, signatureLength),
    visitor: (siteId, generation) => sign(`visitor key ${siteId} ${generation}`),
    share: (siteId, id) =>
      id.slice(idPrefix.length) + sign(`share link ${siteId} ${id}`).slice(0, signatureLength),
    readShare(siteId, key) {
      const [, letters] = /^([0-9A-Za-z]{8})[\w-]{22}$/.exec(key) ?? []
      if (letters === undefined) return undefined
      const id = idPrefix + letters
      return constantTimeEqual(keys.share(siteId, id), key) ? id : undefined
    },
    preview(siteId, { credential, expires, claims }) {
      const seconds = Math.floor(expires / 1000).toString(36)
      const written = `${credential.by}-${credential.credentialId}.${seconds}.${encode(claims)}`
      return `${written}.${sign(`preview ${siteId} ${written}`)}`
    },
    readPreview(siteId, key) {
      const preview = readPreview(key)
      return preview !== undefined && constantTimeEqual(keys.preview(siteId, preview), key)
        ? preview
        : undefined
    },
  }
  return keys
}

/** Parses the key of a preview without verifying its signature. */
function readPreview(key: string): Preview | undefined {
  const [, by, credentialId, seconds, claims] =
    /^(session|token)-(\w{1,64})\.([0-9a-z]{1,9})\.([\w~-]*)\.[\w-]{1,64}$/.exec(key) ?? []
  if (by === undefined || credentialId === undefined || seconds === undefined || claims === undefined)
    return undefined
  const text = decode(claims)
  if (text === undefined) return undefined
  const credential = { by: by as Credential['by'], credentialId }
  return { credential, expires: parseInt(seconds, 36) * 1000, claims: text }
}

/** Encodes a text in characters of a URL path segment, without dots. */
function encode(text: string): string {
  return encodeURIComponent(text)
    .replace(/[._!~*'()]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
    .replaceAll('%', '~')
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('~', '%'))
  } catch {
    return undefined
  }
}
