/**
 * Signing in: where a session or token came from and what it opens, SAML providers with what they must
 * remember between request and answer, and the audit log.
 *
 * Requests and assertions are short-lived and carry no foreign key to a user: they are gone within the hour.
 */
import type { Migration } from './types.js'

export const signIn: Migration = {
  name: '0004-sign-in',
  statements: ({ text, integer, end }) => [
    `alter table sessions add column opened_by ${text} not null default 'link'`,
    `alter table sessions add column organization_id ${text}`,
    `alter table sessions add column saml_provider_id ${text}`,
    `alter table api_tokens add column organization_id ${text}`,
    `alter table sign_in_links add column organization_id ${text}`,
    'create index sessions_by_saml_provider on sessions (saml_provider_id) where saml_provider_id is not null',

    `create table saml_providers (
      id ${text} primary key,
      organization_id ${text} not null references organizations (id) on delete cascade,
      label ${text} not null,
      entity_id ${text},
      sso_url ${text},
      certificate ${text},
      default_team_id ${text},
      default_role ${text},
      created_at ${integer} not null,
      updated_at ${integer} not null
    ${end}`,
    'create index saml_providers_by_created on saml_providers (organization_id, created_at, id)',

    `create table saml_requests (
      id ${text} primary key,
      organization_id ${text} not null,
      provider_id ${text} not null references saml_providers (id) on delete cascade,
      browser_hash ${text} not null,
      return_to ${text} not null,
      expires_at ${integer} not null,
      finish_hash ${text} unique,
      user_id ${text}
    ${end}`,
    'create index saml_requests_by_expiry on saml_requests (expires_at)',

    `create table saml_assertions (
      organization_id ${text} not null,
      provider_id ${text} not null references saml_providers (id) on delete cascade,
      assertion_id ${text} not null,
      expires_at ${integer} not null,
      primary key (provider_id, assertion_id)
    ${end}`,
    'create index saml_assertions_by_expiry on saml_assertions (expires_at)',

    // No foreign key: the log outlives its users and resources, but not its organization.
    `create table audit_events (
      id ${text} primary key,
      organization_id ${text} not null references organizations (id) on delete cascade,
      at ${integer} not null,
      actor_id ${text},
      action ${text} not null,
      thing ${text},
      place ${text} not null,
      detail ${text},
      credential_type ${text},
      credential_id ${text},
      ip ${text},
      user_agent ${text}
    ${end}`,
    'create index audit_events_by_time on audit_events (organization_id, at, id)',
    'create index audit_events_by_actor on audit_events (organization_id, actor_id, at, id)',
    'create index audit_events_by_thing on audit_events (organization_id, thing, at, id)',
  ],
}
