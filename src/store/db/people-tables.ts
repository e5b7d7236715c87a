/** The rows of organizations besides spaces: teams, collections, grants, link invites, custom fields; see tables.ts. */
import type {
  CollectionId,
  CustomFieldId,
  InviteId,
  OrganizationId,
  SpaceId,
  TeamId,
  UserId,
} from '../../core/ids.js'
import type { JsonText, Milliseconds } from './columns.js'

export interface PeopleTables {
  email_domains: EmailDomainsTable
  teams: TeamsTable
  team_members: TeamMembersTable
  collections: CollectionsTable
  grants: GrantsTable
  link_invites: LinkInvitesTable
  custom_fields: CustomFieldsTable
  custom_field_values: CustomFieldValuesTable
}

/** The index of an organization's e-mail domains, which its own row lists as text. */
export interface EmailDomainsTable {
  domain: string
  organization_id: OrganizationId
}

export interface TeamsTable {
  id: TeamId
  organization_id: OrganizationId
  title: string
  created_at: Milliseconds
  updated_at: Milliseconds
}

export interface TeamMembersTable {
  organization_id: OrganizationId
  team_id: TeamId
  user_id: UserId
  /** `owner` or `member`. */
  role: string
  joined_at: Milliseconds
}

/** Ordered together with the spaces that have the same parent. */
export interface CollectionsTable {
  id: CollectionId
  organization_id: OrganizationId
  parent_id: CollectionId | null
  position: string
  title: string
  description: string | null
  /** As in spaces. */
  default_level: string | null
  created_by: UserId
  created_at: Milliseconds
  updated_at: Milliseconds
}

/** A role granted to a user or a team on a space or a collection. */
export interface GrantsTable {
  organization_id: OrganizationId
  /** `space` or `collection`. */
  target_kind: string
  target_id: SpaceId | CollectionId
  /** `user` or `team`. */
  grantee_kind: string
  grantee_id: UserId | TeamId
  role: string
  created_at: Milliseconds
}

/** Anyone who knows the id can join with it. */
export interface LinkInvitesTable {
  id: InviteId
  organization_id: OrganizationId
  /** `organization`, `space` or `collection`. */
  target_kind: string
  target_id: OrganizationId | SpaceId | CollectionId
  /** Null creates a guest without a role. */
  role: string | null
  /** The granter of its role: its creator, or the last editor of the role. */
  created_by: UserId
  created_at: Milliseconds
}

export interface CustomFieldsTable {
  organization_id: OrganizationId
  id: CustomFieldId
  /** Unique in the organization, and never changed. */
  name: string
  title: string
  description: string
  placeholder: string
  type: string
  /** string[]. */
  options: JsonText | null
  created_at: Milliseconds
  updated_at: Milliseconds
}

/** The value of a space in a field: one row, or one for each item of a list. */
export interface CustomFieldValuesTable {
  organization_id: OrganizationId
  space_id: SpaceId
  field_id: CustomFieldId
  /** Index of the item in the list, from 0. */
  ordinal: number
  /** Numbers and booleans as JavaScript writes them. */
  value: string
}
