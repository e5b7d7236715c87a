/**
 * URL builder: every absolute URL in a reply, made from the public base URL. Paths inside a published site are made by
 * the site's own linker.
 */
import { trimEndOf } from '../core/trim.js'
import { type Credential, constantTimeEqual } from './signatures.js'
import { type SiteKeys, createSiteKeys } from './site-keys.js'

export interface Addresses {
  /** Public base URL, without a trailing slash. */
  readonly base: string
  /** Sites are on hosts below this domain; undefined when they are below the base URL. */
  readonly sitesDomain: string | undefined
  /** URL of an API resource; the path begins with a slash, below `/v1`. */
  api(path: string): string
  app(path: string): string
  /** URL of a file's bytes; the version makes the response immutable for caches. */
  file(spaceId: string, fileId: string, hash: string, name: string): string
  /**
   * The same with a token that gives the caller access to this version of the file, so that an image of a private space
   * can be displayed where no header can be sent: for some hours, while the caller's session or API token is valid, and
   * while the user may read the space. `where` names the content.
   */
  download(spaceId: string, file: DownloadableFile, where: DownloadSource, asker: UrlViewer): string
  /** The token in such a URL. */
  downloadToken(spaceId: string, file: Pick<DownloadableFile, 'id' | 'hash'>, holder: DownloadHolder): string
  /**
   * URL of an OpenAPI specification as one JSON text: the latest version, or a particular one. The URL of a private one
   * gives the caller access, as that of a file does.
   */
  specification(organizationId: string, slug: string, version?: SpecificationVersion): string
  /**
   * URL at which a PDF of some content is made and read. With a credential it gives the caller access, as that of a
   * file does; without one it is for signed-in users who may read the content. Without a revision it means the current
   * one.
   */
  pdf(
    printed: Omit<PdfContent, 'revision'> & { readonly revision?: string },
    name: string,
    asker: UrlViewer,
  ): string
  /** The token in such a URL. */
  pdfToken(printed: PdfContent, holder: DownloadHolder): string
  /** Token in the URL of a text that is no page: a page that offers this exact text carries it. */
  textToken(spaceId: string, path: string, hash: string): string
  /** The same for a specification of the organization: a page that renders a part of this exact version carries it. */
  specificationToken(spaceId: string, slug: string, hash: string): string
  /** Id of the document of a page, or of reusable content, in a space; valid in this space only. */
  documentId(spaceId: string, holder: string, text: string): string
  /** What a document id names; undefined for ids that this space never issued. */
  readDocumentId(spaceId: string, id: string): { readonly holder: string; readonly text: string } | undefined
  /** Signs the payload of a content token. */
  contentSignature(said: string): string
  /** True when the signature belongs to the payload. */
  isContentSignature(said: string, signature: string): boolean
  /** Base of a published site, with a trailing slash. */
  site(organizationHostname: string, basename: string, customHostname?: string | null): string
  /** Secret that signs deliveries of a webhook; each generation has its own, and none is stored. */
  webhookSecret(webhookId: string, generation: number): string
  /** Encryption key of 256 bits for a purpose, base64url; it is stored nowhere. */
  sealingKey(purpose: string): string
  /** Keys for readers of sites who are no members. */
  readonly keys: SiteKeys
}

/** A version of a specification; with the further members, a URL for a private one. */
export type SpecificationVersion =
  | { readonly id: string }
  | { readonly id: string; readonly hash: string; readonly specId: string; readonly asker: UrlViewer }

export interface DownloadableFile {
  readonly id: string
  readonly hash: string
  readonly name: string
}

/**
 * Content of a PDF: a revision, optionally of a change request, and optionally one page with or without its subpages.
 */
export interface PdfContent {
  readonly spaceId: string
  readonly revision: string
  readonly changeRequest?: string | undefined
  readonly page?: string | undefined
  readonly only?: boolean | undefined
}

/** The head of the space unless one of these is present. */
export interface DownloadSource {
  readonly revision?: string
  readonly changeRequest?: string
}

/** For whom a URL is signed, and when, in milliseconds since 1970. */
export interface UrlViewer {
  /** Null for anonymous readers: their URLs open only public files. */
  readonly credential: Credential | null
  /** Base URL of files for admitted readers of a site; absent where they are public. */
  readonly filesBelow?: string
  readonly now: number
}

/** The credential that a token is bound to, and its expiry in milliseconds since 1970. */
export interface DownloadHolder {
  readonly credential: Credential
  readonly expires: number
}

/** A signed URL is valid for this long at least, and for twice as long at most: replies stay identical in between. */
export const downloadLifetime = 6 * 60 * 60 * 1000

const expiryOf = ({ now }: Pick<UrlViewer, 'now'>): number =>
  (Math.floor(now / downloadLifetime) + 2) * downloadLifetime

/** Parses a token without verifying its signature; undefined for anything else. */
export function readDownloadToken(token: string): DownloadHolder | undefined {
  const [, by, credentialId, expires] =
    /^(session|token)-(\w{1,64})\.([0-9a-z]{1,9})\.[\w-]{1,64}$/.exec(token) ?? []
  if (by === undefined || credentialId === undefined || expires === undefined) return undefined
  const credential = { by: by as Credential['by'], credentialId }
  return { credential, expires: parseInt(expires, 36) * downloadLifetime }
}

export interface AddressSettings {
  readonly baseUrl: string
  /** When set, sites are on `<organization hostname>.<domain>`. */
  readonly sitesDomain?: string
  /** Returns the signature of a text, made with the secret of the installation. */
  readonly sign: (text: string) => string
}

/** Returns a title as a file name. */
function fileNameOf(title: string): string {
  const name = title.replace(/[\p{Cc}\p{Surrogate}/\\:*?"<>|]+/gu, ' ').trim()
  return name === '' ? 'content' : [...name].slice(0, 80).join('').trim()
}

export function createAddresses({ baseUrl, sitesDomain, sign }: AddressSettings): Addresses {
  const base = trimEndOf(baseUrl, '/')
  // Sites have their own hosts and the same port, because one server answers all.
  const [, protocol, port = ''] = /^(https?:)\/\/(?:\[[^\]]*\]|[^/:]*)(:\d+)?/.exec(base)!
  const filesBase = `${base}/~octavo/files/`
  const filePart: Addresses['file'] = (spaceId, fileId, hash, name) =>
    `${spaceId}/${fileId}/${encodeURIComponent(name)}?v=${hash.slice(0, 16)}`
  const file: Addresses['file'] = (...said) => filesBase + filePart(...said)
  const downloadToken: Addresses['downloadToken'] = (spaceId, { id, hash }, { credential, expires }) => {
    const holder = `${credential.by}-${credential.credentialId}`
    const ends = Math.floor(expires / downloadLifetime).toString(36)
    return `${holder}.${ends}.${sign(`file ${spaceId} ${id} ${hash} ${holder} ${ends}`)}`
  }
  const pdfToken: Addresses['pdfToken'] = (printed, { credential, expires }) => {
    const { spaceId, revision, changeRequest = '', page = '', only = false } = printed
    const holder = `${credential.by}-${credential.credentialId}`
    const ends = Math.floor(expires / downloadLifetime).toString(36)
    const said = [spaceId, revision, changeRequest, page, only, holder, ends]
    return `${holder}.${ends}.${sign(`pdf ${JSON.stringify(said)}`)}`
  }
  const documentId: Addresses['documentId'] = (spaceId, holder, text) =>
    // 132 bits suffice for a signature that can only be tried online.
    `${holder}.${text}.${sign(`document ${spaceId} ${holder} ${text}`).slice(0, 22)}`
  return {
    base,
    sitesDomain,
    api: (path) => `${base}/v1${path}`,
    app: (path) => `${base}${path}`,
    file,
    downloadToken,
    specification(organizationId, slug, version) {
      const url = `${base}/~octavo/openapi/${organizationId}/${slug}.json`
      if (version === undefined) return url
      const named = `${url}?version=${version.id}`
      if (!('asker' in version) || version.asker.credential === null) return named
      const { specId, asker } = version
      const { credential } = version.asker
      return `${named}&token=${downloadToken(specId, version, { credential, expires: expiryOf(asker) })}`
    },
    pdf(printed, name, { credential, now }) {
      const { spaceId, revision, changeRequest, page, only } = printed
      const said = { revision, changeRequest, page, only: only === true ? '1' : undefined }
      const query = Object.entries(said).flatMap(([key, value]) =>
        value === undefined ? [] : [`${key}=${value}`],
      )
      if (credential !== null && revision !== undefined)
        query.push(`token=${pdfToken({ ...printed, revision }, { credential, expires: expiryOf({ now }) })}`)
      return `${base}/~octavo/pdf/${spaceId}/${encodeURIComponent(fileNameOf(name))}.pdf?${query.join('&')}`
    },
    pdfToken,
    textToken: (spaceId, path, hash) => sign(`text ${spaceId} ${hash} ${path}`),
    specificationToken: (spaceId, slug, hash) => sign(`specification ${spaceId} ${hash} ${slug}`),
    download(spaceId, { id, hash, name }, where, { credential, now, filesBelow = filesBase }) {
      if (credential === null) return filesBelow + filePart(spaceId, id, hash, name)
      const place = Object.entries(where).map(([member, value]) => `&${member}=${value}`)
      const token = downloadToken(spaceId, { id, hash }, { credential, expires: expiryOf({ now }) })
      return `${file(spaceId, id, hash, name)}${place.join('')}&token=${token}`
    },
    documentId,
    readDocumentId(spaceId, id) {
      const [holder, text, ...rest] = id.split('.')
      if (holder === undefined || text === undefined || rest.length !== 1) return undefined
      return constantTimeEqual(documentId(spaceId, holder, text), id) ? { holder, text } : undefined
    },
    // Everything else that is signed begins with a word and a space, which a token never does.
    contentSignature: sign,
    isContentSignature: (said, signature) => constantTimeEqual(sign(said), signature),
    site(organizationHostname, basename, customHostname) {
      if (customHostname) return `https://${customHostname}/`
      if (sitesDomain) return `${protocol}//${organizationHostname}.${sitesDomain}${port}/${basename}/`
      return `${base}/@${organizationHostname}/${basename}/`
    },
    webhookSecret(webhookId, generation) {
      const letters = sign(`webhook ${webhookId} ${generation}`).replaceAll('-', '+').replaceAll('_', '/')
      return `whsec_${letters.padEnd(Math.ceil(letters.length / 4) * 4, '=')}`
    },
    sealingKey: (purpose) => sign(`sealing ${purpose}`),
    keys: createSiteKeys(sign),
  }
}
