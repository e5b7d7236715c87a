/**
 * Content tokens: a renderer reads one published site with them, on behalf of one reader.
 *
 * A token is a JWT that anyone can decode. It names the site, how the reader was admitted, and the reader's claims;
 * nothing of it is stored. Every use checks that the site still admits the reader, so the token ends with the site's
 * publication, audience, or link. It lasts for half an hour at least and for an hour at most, and is identical to the
 * byte until then while the site is unchanged. A renderer caches what it read by the token: so the token changes with
 * the site, and what it has once read stays readable with it until it expires.
 */
import type { Claims } from '../../core/visitor/visitor.js'
import type { Addresses } from '../../contract/addresses.js'
import type { Credential } from '../../contract/signatures.js'
import type {
  ChangeRequestId,
  OrganizationId,
  RevisionId,
  SiteId,
  SiteSectionId,
  SiteSpaceId,
  SpaceId,
} from '../../core/ids.js'

/** What admitted a reader to a site that is not public. */
export interface Admission {
  /** The key in the URL. */
  readonly key?: { readonly kind: 'share' | 'preview'; readonly key: string }
  /** The credential of a user of the organization: they see what they may read. */
  readonly credential?: Credential
}

/** The payload of a token; the names are those of the clients that read it. */
export interface ContentToken {
  readonly kind: 'site'
  /** Base URL of the site, with a slash at its end. */
  readonly url: string
  readonly organization: OrganizationId
  readonly site: SiteId
  readonly siteSection?: SiteSectionId
  readonly siteSpace: SiteSpaceId
  /** The requested space. */
  readonly space: SpaceId
  /** Spaces that it may read, while the site shows them: all, or of very many the first, the requested one before them. */
  readonly spaces: readonly SpaceId[]
  /**
   * The counts of the head's moves in these spaces when the token was made, in the same order: it reads the revisions
   * that were published then and since, and none before. Of other spaces it reads the current revision.
   */
  readonly heads: readonly number[]
  /** The site's count of closures when the token was made: see `closures` of the table of sites. */
  readonly closures: number
  /** Hash of all that the site showed the reader: content, structure, customization. */
  readonly fingerprint: string
  /** Read instead of the published content of the space. */
  readonly changeRequest?: ChangeRequestId
  readonly revision?: RevisionId
  /** Claims of the reader: from their visitor token, and as "unsigned" those that they state themselves. */
  readonly claims?: Claims
  readonly admission: Admission
  /** Generation of the key that signed the claims: they are void with another one. */
  readonly keyGeneration?: number
  /** Seconds since 1970. */
  readonly iat: number
  readonly exp: number
}

/** In milliseconds: a token lasts for this long at least, and for twice as long at most. */
export const contentTokenStep = 30 * 60 * 1000

/** Spaces that a token names: a header of many more would be refused, and each takes 35 characters of it. */
const maxNamedSpaces = 100

/** Returns the spaces that a token for a page of `requested` names. */
export function namedSpaces(spaces: readonly SpaceId[], requested: SpaceId): readonly SpaceId[] {
  if (spaces.length <= maxNamedSpaces) return spaces
  return [...new Set([requested, ...spaces])].slice(0, maxNamedSpaces)
}

const header = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT' })).toString('base64url')

/** Returns the token, the same for the same payload within one time step. `latest` caps its expiry, in milliseconds. */
export function writeContentToken(
  addresses: Addresses,
  content: Omit<ContentToken, 'iat' | 'exp'>,
  { now, latest = Infinity }: { readonly now: number; readonly latest?: number },
): string {
  const begin = Math.floor(now / contentTokenStep) * contentTokenStep
  const end = Math.min(begin + 2 * contentTokenStep, latest)
  const token: ContentToken = { ...content, iat: begin / 1000, exp: Math.floor(end / 1000) }
  const signed = `${header}.${Buffer.from(JSON.stringify(token)).toString('base64url')}`
  return `${signed}.${addresses.contentSignature(signed)}`
}

/** True for text in the form of a JWT, valid or not; no API token has it. */
export function isContentToken(token: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)
}

/** Returns the payload of a token that this installation signed and that has not expired; otherwise undefined. */
export function readContentToken(addresses: Addresses, token: string, now: number): ContentToken | undefined {
  const [head, body, signature] = token.split('.')
  // Another header would be another algorithm.
  if (head !== header || body === undefined || signature === undefined) return undefined
  if (!addresses.isContentSignature(`${head}.${body}`, signature)) return undefined
  const content = JSON.parse(Buffer.from(body, 'base64url').toString()) as ContentToken
  return content.exp * 1000 > now ? content : undefined
}
