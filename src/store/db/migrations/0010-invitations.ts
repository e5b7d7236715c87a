/**
 * Memberships that are not accepted yet, and sign-in links that were handed to admins.
 *
 * Users who had never signed in count as invited. Unmailed links to whole accounts are void: invitations created them, and
 * the inviter received them.
 */
import type { Migration } from './types.js'

export const invitations: Migration = {
  name: '0010-invitations',
  statements: ({ text, integer }) => [
    `alter table members add column accepted_at ${integer}`,
    `alter table members add column known_as ${text}`,
    `alter table sign_in_links add column joins ${text}`,
    `alter table sign_in_links add column made_by ${text}`,
    `alter table sessions add column handed_by ${text}`,
    `alter table api_tokens add column handed_by ${text}`,
    `update members set accepted_at = joined_at where
      exists (select 1 from users where users.id = members.user_id
        and (users.password_hash is not null or users.email_verified_at is not null))
      or exists (select 1 from sessions where sessions.user_id = members.user_id)
      or exists (select 1 from api_tokens where api_tokens.user_id = members.user_id)`,
    'delete from sign_in_links where is_mailed = 0 and organization_id is null',
    'create index members_pending on members (organization_id, user_id) where accepted_at is null',
  ],
}
