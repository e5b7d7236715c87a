/** Who asks: a signed-in user, or nobody; and how far the way of signing in reaches. */
import type { Visitor } from '../../core/visitor/visitor.js'
import type { Asker } from '../../contract/addresses.js'
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

export const openers = ['link', 'password', 'saml', 'oidc'] as const
/** How a session was opened. */
export type Opener = (typeof openers)[number]

/** Single sign-on that it did not come through, or an invitation that the person has not accepted. */
export type Closure = 'singleSignOn' | 'invitation'

export interface Actor {
  readonly userId: UserId
  readonly user: User
  /** By which door: an API token, or a session cookie, whose requests must also prove their origin. */
  readonly by: 'token' | 'session'
  /** Id of the token or the session. */
  readonly credentialId: string
  /** When the token or session ends by itself, in milliseconds since 1970; null when it does not. */
  readonly expiresAt: number | null
  /** The one organization that this token or session opens; null opens all that the user belongs to. */
  readonly onlyIn: OrganizationId | null
  /** Organizations of the user that this token or session does not open, and why. */
  readonly closed: ReadonlyMap<OrganizationId, Closure>
  /** The identity provider behind the session, or behind the session that the token comes from. */
  readonly samlProviderId: SamlProviderId | null
  /** The admin who was handed the link that opened the session, or the one that the token comes from. */
  readonly handedBy: UserId | null
  /** How and when the session was opened; absent for tokens. */
  readonly session?: {
    readonly openedBy: Opener
    readonly openedAt: number
  }
  /** Of a content token, which stands for nobody: what it opens, and nothing besides. */
  readonly reading?: SiteReading
}

/** One published site, as one of its readers reads it. */
export interface SiteReading {
  readonly organizationId: OrganizationId
  readonly siteId: SiteId
  /** Whether the site was published when they were let in, and for whom. */
  readonly standing: string
  /** What the site shows them now. */
  readonly spaces: ReadonlySet<SpaceId>
  /** Read instead of the published content. */
  readonly changeRequestId: ChangeRequestId | undefined
  readonly revisionId: RevisionId | undefined
  /** True for a look at what readers are not shown. */
  readonly isPreview: boolean
  /** Who the site was told they are, where conditions decide what it shows; undefined where it shows all to all. */
  readonly visitor: Visitor | undefined
  /** By what files are opened that are not for all; null where they need none. */
  readonly credential: Credential | null
  /** Where files stand that are for whoever was let in; undefined where they are for all. */
  readonly filesBelow: string | undefined
  /** When it is read, in milliseconds since 1970. */
  readonly now: number
}

/** Nobody: the id of no person. */
export const nobodysId = '' as UserId

/** Returns for whom addresses of files are made. */
export function askerOf(actor: Actor, now: number): Asker {
  const { reading } = actor
  if (reading === undefined) return { credential: actor, now }
  const { credential, filesBelow } = reading
  return { credential, now, ...(filesBelow !== undefined && { filesBelow }) }
}

/** Nobody: a caller without a token, on an operation that allows it. */
export type MaybeActor = Actor | null
