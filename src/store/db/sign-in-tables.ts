/** The rows behind signing in: providers, what is remembered between request and answer, the audit log. */
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
  /** SHA-256 of the token: the token itself is shown once and never kept. */
  token_hash: string
  created_at: Milliseconds
  expires_at: Milliseconds | null
  last_used_at: Milliseconds | null
  revoked_at: Milliseconds | null
  /** The one organization that it opens; null opens all of the user's. */
  organization_id: OrganizationId | null
  /** The token that it was made with, whose end is its own. */
  parent_id: Generated<string | null>
  /** The provider behind the session that it, or the first of its line, was made in. */
  saml_provider_id: Generated<SamlProviderId | null>
  /** As of the session that it, or the first of its line, was made in. */
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
  /** The one organization that it opens; null opens all of the user's. */
  organization_id: OrganizationId | null
  saml_provider_id: SamlProviderId | null
  /** The admin who was handed the link that opened it. */
  handed_by: Generated<UserId | null>
}

export interface SignInLinksTable {
  token_hash: string
  user_id: UserId
  expires_at: Milliseconds
  used_at: Milliseconds | null
  /** 1 when it went nowhere but to the user's address, so that following it proves the address. */
  is_mailed: Generated<Bit>
  /** The one organization that its session opens; null opens all of the user's. */
  organization_id: OrganizationId | null
  /** The organization that whoever follows it joins: it came with an invitation by mail. */
  joins: Generated<OrganizationId | null>
  /** The admin who was handed it. */
  made_by: Generated<UserId | null>
}

/** A browser in which the user gave the right password, by the hash of its cookie. */
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
  /** Null makes new members guests. */
  default_role: string | null
  created_at: Milliseconds
  updated_at: Milliseconds
}

/** A question to an identity provider: answered once, by the browser that asked. */
export interface SamlRequestsTable {
  id: string
  organization_id: OrganizationId
  provider_id: SamlProviderId
  browser_hash: string
  /** A path of ours. */
  return_to: string
  expires_at: Milliseconds
  /** Of the secret that ends the sign-in; set with the answer, and then `user_id` too. */
  finish_hash: string | null
  user_id: UserId | null
}

/** Assertions that were taken, until they would be too old anyway. */
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
  /** Null when nobody was signed in. */
  actor_id: UserId | null
  /** The operation of the API, or `signIn…` for the doors. */
  action: string
  /** Id of what it was done to. */
  thing: string | null
  /** Path parameters by name. */
  place: JsonText
  /** Why something was refused. */
  detail: string | null
  credential_type: string | null
  credential_id: string | null
  ip: string | null
  user_agent: string | null
}
