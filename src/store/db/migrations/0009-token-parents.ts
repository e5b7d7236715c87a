/** Parents of tokens: the token with which one was created, and the identity provider of the session. */
import type { Migration } from './types.js'

export const tokenParents: Migration = {
  name: '0009-token-parents',
  statements: ({ text }) => [
    `alter table api_tokens add column parent_id ${text} references api_tokens (id) on delete cascade`,
    `alter table api_tokens add column saml_provider_id ${text}`,
    'create index api_tokens_by_parent on api_tokens (parent_id) where parent_id is not null',
    'create index api_tokens_by_saml_provider on api_tokens (saml_provider_id) where saml_provider_id is not null',
  ],
}
