/** The rows of sign-in: tokens, sessions, providers, state between request and response, the audit log. */
import type { OrganizationId, SamlProviderId, TeamId, UserId } from '../../core/ids.js'
import type { Generated } from 'kysely'
import type { Bit, JsonText, Milliseconds } from './columns.js'

export interface SignInTables {
  api_tokens: ApiTokensTable
  sessions: SessionsTable
  sign_in_links: SignInLinksTable
  saml_providers: SamlProvidersTable
  saml_requests: SamlRequestsTable
  saml_assertions: SamlAssertionsTable
  audit_events: AuditEventsTable
  provider_accounts: ProviderAccountsTable
  known_devices: KnownDevicesTable
}

export interface ApiTokensTable {
  id: string
  user_id: UserId
  label: string
  /** SHA-256 of the token: the token itself is displayed once and never stored. */
  token_hash: string
  created_at: Milliseconds
  expires_at: Milliseconds | null
  last_used_at: Milliseconds | null
  revoked_at: Milliseconds | null
  /** Restricts it to one organization; null for all of the user's. */
  organization_id: OrganizationId | null
  /** The token with which it was created, with which it ends. */
  parent_id: Generated<string | null>
  /** The identity provider of the session in which it, or its first ancestor, was created. */
  saml_provider_id: Generated<SamlProviderId | null>
  /** As in the session in which it, or its first ancestor, was created. */
  handed_by: Generated<UserId | null>
}

export interface SessionsTable {
  id: string
  user_id: UserId
  token_hash: string
  created_at: Milliseconds
  expires_at: Milliseconds
  last_seen_at: Milliseconds
  user_agent: string | null
  ip: string | null
  /** `link`, `password`, `saml` or `oidc`. */
  opened_by: string
  /** Restricts it to one organization; null for all of the user's. */
  organization_id: OrganizationId | null
  saml_provider_id: SamlProviderId | null
  /** The admin who received the sign-in link that created it. */
  handed_by: Generated<UserId | null>
}

export interface SignInLinksTable {
  token_hash: string
  user_id: UserId
  expires_at: Milliseconds
  used_at: Milliseconds | null
  /** 1 when it was sent only to the user's address, so that following it verifies the address. */
  is_mailed: Generated<Bit>
  /** Restricts its session to one organization; null for all of the user's. */
  organization_id: OrganizationId | null
  /** The organization that is joined by following it, for a mailed invitation. */
  joins: Generated<OrganizationId | null>
  /** The admin who received it. */
  made_by: Generated<UserId | null>
}

/** A browser in which the user entered the correct password, by the hash of its cookie. */
export interface KnownDevicesTable {
  token_hash: string
  user_id: UserId
  expires_at: Milliseconds
}

/** An account at an OpenID provider and the one user it signs in; a user has one at each provider. */
export interface ProviderAccountsTable {
  issuer: string
  subject: string
  user_id: UserId
  linked_at: Milliseconds
}

export interface SamlProvidersTable {
  id: SamlProviderId
  organization_id: OrganizationId
  label: string
  /** Name of the identity provider: the issuer of its assertions. */
  entity_id: string | null
  sso_url: string | null
  /** One or more certificates in PEM: several while the identity provider changes its key. */
  certificate: string | null
  default_team_id: TeamId | null
  /** Null for guests. */
  default_role: string | null
  created_at: Milliseconds
  updated_at: Milliseconds
}

/** A request to an identity provider: its response is accepted once, from the same browser. */
export interface SamlRequestsTable {
  id: string
  organization_id: OrganizationId
  provider_id: SamlProviderId
  browser_hash: string
  /** A local path. */
  return_to: string
  expires_at: Milliseconds
  /** Hash of the secret that completes the sign-in; set with the response, together with `user_id`. */
  finish_hash: string | null
  user_id: UserId | null
}

/** Accepted assertions, until they expire (replay protection). */
export interface SamlAssertionsTable {
  organization_id: OrganizationId
  provider_id: SamlProviderId
  assertion_id: string
  expires_at: Milliseconds
}

export interface AuditEventsTable {
  id: string
  organization_id: OrganizationId
  at: Milliseconds
  /** Null without a signed-in user. */
  actor_id: UserId | null
  /** The API operation, or `signIn…` for sign-in endpoints. */
  action: string
  /** Id of the affected resource. */
  thing: string | null
  /** Path parameters by name. */
  place: JsonText
  /** Why an action was refused. */
  detail: string | null
  credential_type: string | null
  credential_id: string | null
  ip: string | null
  user_agent: string | null
}
