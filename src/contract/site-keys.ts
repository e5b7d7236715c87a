/**
 * Keys that open sites to readers who are nobody's members: what visitor tokens are signed with, what the addresses of
 * share links carry, and what previews do. All of them are made from the secret of the installation and from what the
 * database knows, so that no row and no backup of the database alone holds a key.
 */
import { type Credential, isSame } from './signatures.js'

export interface SiteKeys {
  /** Tells the votes of one reader of a page from those of others, and of their other pages; nobody is known by it. */
  voter(siteId: string, page: string, reader: string): string
  /** Signs the visitor tokens of a site, as its UTF-8 bytes; each generation of it is another one. */
  visitor(siteId: string, generation: number): string
  /** The part of an address that a share link stands for. */
  share(siteId: string, shareLinkId: string): string
  /** Returns the id of the share link that a key stands for; undefined for what is no key of the site. */
  readShare(siteId: string, key: string): string | undefined
  /** The part of an address by which a preview is seen. */
  preview(siteId: string, preview: Preview): string
  /** Returns the preview that a key stands for, ended or not; undefined for what is no key of the site. */
  readPreview(siteId: string, key: string): Preview | undefined
}

/** A look at a site as some visitor would see it. */
export interface Preview {
  /** Who looks: the preview ends with this, and with what it opens. */
  readonly credential: Credential
  /** Milliseconds since 1970, whole seconds. */
  readonly expires: number
  /** What the visitor says of themselves, as JSON. */
  readonly claims: string
}

/** A preview can be opened for this long. */
export const previewLife = 60 * 60 * 1000

/** What the ids of share links begin with, which their keys leave out. */
const idPrefix = 'sitesh_'
/** 132 bits are enough of a signature that can only be tried by asking. */
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
      return isSame(keys.share(siteId, id), key) ? id : undefined
    },
    preview(siteId, { credential, expires, claims }) {
      const seconds = Math.floor(expires / 1000).toString(36)
      const written = `${credential.by}-${credential.credentialId}.${seconds}.${encode(claims)}`
      return `${written}.${sign(`preview ${siteId} ${written}`)}`
    },
    readPreview(siteId, key) {
      const preview = readPreview(key)
      return preview !== undefined && isSame(keys.preview(siteId, preview), key) ? preview : undefined
    },
  }
  return keys
}

/** Returns what the key of a preview says of itself. */
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

/** In letters that a part of an address may have, without dots. */
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
