/** The actor of a request: a signed-in user or an anonymous caller, and the scope of the credential. */
import type { Visitor } from '../../core/visitor/visitor.js'
import type { UrlViewer } from '../../contract/addresses.js'
import type { Credential } from '../../contract/signatures.js'
import type {
  ChangeRequestId,
  OrganizationId,
  RevisionId,
  SamlProviderId,
  SiteId,
  SpaceId,
  UserId,
} from '../../core/ids.js'

export interface User {
  readonly id: UserId
  readonly displayName: string
  readonly email: string | null
  readonly photoUrl: string | null
}

export const signInMethods = ['link', 'password', 'saml', 'oidc'] as const
/** How a session was opened. */
export type SignInMethod = (typeof signInMethods)[number]

/**
 * Why an organization is closed to a credential: it requires single sign-on, or the user has not accepted the
 * invitation.
 */
export type ClosedReason = 'singleSignOn' | 'invitation'

export interface Actor {
  readonly userId: UserId
  readonly user: User
  /** The kind of credential: an API token, or a session cookie, whose requests must also prove their origin. */
  readonly by: 'token' | 'session'
  /** Id of the token or the session. */
  readonly credentialId: string
  /** When the token or session ends by itself, in milliseconds since 1970; null when it does not. */
  readonly expiresAt: number | null
  /** The only organization that this token or session opens; null opens all that the user belongs to. */
  readonly onlyIn: OrganizationId | null
  /** Organizations of the user that this token or session does not open, and why. */
  readonly closed: ReadonlyMap<OrganizationId, ClosedReason>
  /** The identity provider behind the session, or behind the session that the token comes from. */
  readonly samlProviderId: SamlProviderId | null
  /** The admin who received the link that opened the session, or the session that the token comes from. */
  readonly handedBy: UserId | null
  /** How and when the session was opened; absent for tokens. */
  readonly session?: {
    readonly openedBy: SignInMethod
    readonly openedAt: number
  }
  /** Only for a content token, which belongs to no user: all that it opens. */
  readonly reading?: SiteReading
}

/** Access to one published site as one of its readers. */
export interface SiteReading {
  readonly organizationId: OrganizationId
  readonly siteId: SiteId
  /** The site's publication state and audience when the reader was admitted. */
  readonly publicationState: string
  /** The spaces that the site shows the reader now. */
  readonly spaces: ReadonlySet<SpaceId>
  /**
   * The count of the head's moves in a space when the reader was admitted: revisions that were published since then
   * stay readable. Of spaces without an entry only the current revision is readable.
   */
  readonly heads: ReadonlyMap<SpaceId, number>
  /** Read instead of the published content. */
  readonly changeRequestId: ChangeRequestId | undefined
  readonly revisionId: RevisionId | undefined
  /** True for a preview of what is hidden from readers. */
  readonly isPreview: boolean
  /**
   * The visitor's claims, where conditions decide what the site shows; undefined where it shows everything to everyone.
   */
  readonly visitor: Visitor | undefined
  /** The credential that opens files which are not public; null where none is needed. */
  readonly credential: Credential | null
  /** Base URL of files for admitted readers; undefined where they are public. */
  readonly filesBelow: string | undefined
}

/** The user id of an actor without a user. */
export const anonymousUserId = '' as UserId

/** Returns the viewer for whom URLs of files are signed. */
export function urlViewerOf(actor: Actor, now: number): UrlViewer {
  const { reading } = actor
  if (reading === undefined) return { credential: actor, now }
  const { credential, filesBelow } = reading
  return { credential, now, ...(filesBelow !== undefined && { filesBelow }) }
}

/** Null for a caller without a token, on an operation that allows it. */
export type MaybeActor = Actor | null
