/**
 * Where things are found: every absolute URL that an answer carries, made from the public base URL.
 * Paths inside a published site are made by the site's own linker, not here.
 */
import { trimEndOf } from '../core/trim.js'
import { type Credential, isSame } from './signatures.js'
import { type SiteKeys, createSiteKeys } from './site-keys.js'

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
  /**
   * The same with a token that opens these very bytes for whoever asked, so that an image of a private space can be
   * shown where no header can be sent: for some hours, while the session or API token that it was asked with lives, and
   * while its person may read the space. `where` says in which content.
   */
  download(spaceId: string, file: DownloadableFile, where: DownloadPlace, asker: Asker): string
  /** The token in such an address. */
  downloadToken(spaceId: string, file: Pick<DownloadableFile, 'id' | 'hash'>, holder: DownloadHolder): string
  /**
   * Where an OpenAPI specification is read as one JSON text: the latest version, or one that is named. For one that is
   * private, the address opens it for whoever asked, as that of a file does.
   */
  specification(organizationId: string, slug: string, version?: NamedVersion): string
  /**
   * Where a PDF of some content is made and read. For whoever asked, as the address of a file is; without a credential
   * for whoever is signed in and may read it: without a revision, what stands there then.
   */
  pdf(
    printed: Omit<PrintedContent, 'revision'> & { readonly revision?: string },
    name: string,
    asker: Asker,
  ): string
  /** The token in such an address. */
  pdfToken(printed: PrintedContent, holder: DownloadHolder): string
  /** What the address of a text carries that is no page: it is shown by a page that offers this very text. */
  textToken(spaceId: string, path: string, hash: string): string
  /** The same for a specification of the organization: it is shown by a page that shows a part of this very version. */
  specificationToken(spaceId: string, slug: string, hash: string): string
  /** Id of the document that a page, or a reusable content, has in a space: it is one of this space and of no other. */
  documentId(spaceId: string, holder: string, text: string): string
  /** What a document id names; undefined for what this space never gave out. */
  readDocumentId(spaceId: string, id: string): { readonly holder: string; readonly text: string } | undefined
  /** Signs what a content token says. */
  contentSignature(said: string): string
  /** Whether the signature is the one of what is said. */
  isContentSignature(said: string, signature: string): boolean
  /** Base of a published site, with a trailing slash. */
  site(organizationHostname: string, basename: string, customHostname?: string | null): string
  /** What deliveries of a webhook are signed with; each generation is another one, and none is kept anywhere. */
  webhookSecret(webhookId: string, generation: number): string
  /** A key of 256 bits for what is encrypted for a purpose, base64url; it is kept nowhere. */
  sealingKey(purpose: string): string
  /** What opens a site to readers who are nobody's members. */
  readonly keys: SiteKeys
}

/** A version of a specification; with the rest of it, an address of one that is private. */
export type NamedVersion =
  | { readonly id: string }
  | { readonly id: string; readonly hash: string; readonly specId: string; readonly asker: Asker }

export interface DownloadableFile {
  readonly id: string
  readonly hash: string
  readonly name: string
}

/** What a PDF is made of: a revision, perhaps of a change request, and perhaps one page with or without those below it. */
export interface PrintedContent {
  readonly spaceId: string
  readonly revision: string
  readonly changeRequest?: string | undefined
  readonly page?: string | undefined
  readonly only?: boolean | undefined
}

/** The head of the space unless one of these is named. */
export interface DownloadPlace {
  readonly revision?: string
  readonly changeRequest?: string
}

/** By what an address is asked for, and when, in milliseconds since 1970. */
export interface Asker {
  /** Null for those who see what anybody sees: their addresses open what is open to all. */
  readonly credential: Credential | null
  /** Where files stand that a site shows to whoever was let in; absent where they are open to all. */
  readonly filesBelow?: string
  readonly now: number
}

/** By what a token was asked for, and when it ends, in milliseconds since 1970. */
export interface DownloadHolder {
  readonly credential: Credential
  readonly expires: number
}

/** An address opens its file for this long at least, and for twice as long at most: answers stay the same in between. */
export const downloadLife = 6 * 60 * 60 * 1000

const expiryOf = ({ now }: Pick<Asker, 'now'>): number => (Math.floor(now / downloadLife) + 2) * downloadLife

/** Returns what a token says of itself, undefined for anything else; whether that is true its signature tells. */
export function readDownloadToken(token: string): DownloadHolder | undefined {
  const [, by, credentialId, expires] =
    /^(session|token)-(\w{1,64})\.([0-9a-z]{1,9})\.[\w-]{1,64}$/.exec(token) ?? []
  if (by === undefined || credentialId === undefined || expires === undefined) return undefined
  const credential = { by: by as Credential['by'], credentialId }
  return { credential, expires: parseInt(expires, 36) * downloadLife }
}

export interface AddressSettings {
  readonly baseUrl: string
  /** When set, sites live on `<organization hostname>.<domain>`. */
  readonly sitesDomain?: string
  /** Answers the signature of a text, made with the secret of the installation. */
  readonly sign: (text: string) => string
}

/** Returns a title as the name of a file. */
function fileName(title: string): string {
  const name = title.replace(/[\p{Cc}\p{Surrogate}/\\:*?"<>|]+/gu, ' ').trim()
  return name === '' ? 'content' : [...name].slice(0, 80).join('').trim()
}

export function createAddresses({ baseUrl, sitesDomain, sign }: AddressSettings): Addresses {
  const base = trimEndOf(baseUrl, '/')
  // Sites are on hosts of their own and on the same port, because one server answers all.
  const [, protocol, port = ''] = /^(https?:)\/\/(?:\[[^\]]*\]|[^/:]*)(:\d+)?/.exec(base)!
  const filesBase = `${base}/~octavo/files/`
  const filePart: Addresses['file'] = (spaceId, fileId, hash, name) =>
    `${spaceId}/${fileId}/${encodeURIComponent(name)}?v=${hash.slice(0, 16)}`
  const file: Addresses['file'] = (...said) => filesBase + filePart(...said)
  const downloadToken: Addresses['downloadToken'] = (spaceId, { id, hash }, { credential, expires }) => {
    const holder = `${credential.by}-${credential.credentialId}`
    const ends = Math.floor(expires / downloadLife).toString(36)
    return `${holder}.${ends}.${sign(`file ${spaceId} ${id} ${hash} ${holder} ${ends}`)}`
  }
  const pdfToken: Addresses['pdfToken'] = (printed, { credential, expires }) => {
    const { spaceId, revision, changeRequest = '', page = '', only = false } = printed
    const holder = `${credential.by}-${credential.credentialId}`
    const ends = Math.floor(expires / downloadLife).toString(36)
    const said = [spaceId, revision, changeRequest, page, only, holder, ends]
    return `${holder}.${ends}.${sign(`pdf ${JSON.stringify(said)}`)}`
  }
  const documentId: Addresses['documentId'] = (spaceId, holder, text) =>
    // 132 bits are enough of a signature that can only be tried by asking.
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
      return `${base}/~octavo/pdf/${spaceId}/${encodeURIComponent(fileName(name))}.pdf?${query.join('&')}`
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
      return isSame(documentId(spaceId, holder, text), id) ? { holder, text } : undefined
    },
    // What else is signed begins with a word and a space, which a token never does.
    contentSignature: sign,
    isContentSignature: (said, signature) => isSame(sign(said), signature),
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
