/**
 * Content tokens: what a renderer reads one published site with, on behalf of one reader.
 *
 * A token is a JWT that anybody can decode. It says of which site it is, what its reader was let in by, and what is
 * known of them; nothing of it is kept. Whether the site still lets that reader in is asked with every use, so it dies
 * with the site's publication, audience, or link. It lasts for half an hour at least and for an hour at most, and is
 * the same to the byte in between, so that a renderer can keep what it read with it.
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

/** What a reader came with, where not everybody is let in. */
export interface Admission {
  /** What stood as a key in the address. */
  readonly key?: { readonly kind: 'share' | 'preview'; readonly key: string }
  /** By what somebody of the organization was known: they are shown what they may read. */
  readonly credential?: Credential
}

/** What a token says; the names are those of the clients that read it. */
export interface ContentToken {
  readonly kind: 'site'
  /** Where the site is read, with a slash at its end. */
  readonly url: string
  readonly organization: OrganizationId
  readonly site: SiteId
  readonly siteSection?: SiteSectionId
  readonly siteSpace: SiteSpaceId
  /** The space that was asked for. */
  readonly space: SpaceId
  /** All that may be read with it, while the site shows them. */
  readonly spaces: readonly SpaceId[]
  /** Shown instead of the published content of the space. */
  readonly changeRequest?: ChangeRequestId
  readonly revision?: RevisionId
  /** What is known of the reader: what their own token says, and as "unsigned" what they say of themselves. */
  readonly claims?: Claims
  readonly admission: Admission
  /** Of the key that signed what is said of the reader: with another one it is not known any more. */
  readonly keyGeneration?: number
  /** Seconds since 1970. */
  readonly iat: number
  readonly exp: number
}

/** In milliseconds: a token lasts for this long at least, and for twice as long at most. */
export const contentTokenStep = 30 * 60 * 1000

const header = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT' })).toString('base64url')

/** Returns the token: the same for the same content until the step of time is over. `latest` is when it ends at the latest. */
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

/** True for what is written like a token, whatever it says: no API token is. */
export function isContentToken(token: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)
}

/** Returns what a token says that was written here and has not ended; undefined for everything else. */
export function readContentToken(addresses: Addresses, token: string, now: number): ContentToken | undefined {
  const [head, body, signature] = token.split('.')
  // Another header would be another algorithm.
  if (head !== header || body === undefined || signature === undefined) return undefined
  if (!addresses.isContentSignature(`${head}.${body}`, signature)) return undefined
  const content = JSON.parse(Buffer.from(body, 'base64url').toString()) as ContentToken
  return content.exp * 1000 > now ? content : undefined
}
