/** The rows of migration 0003: teams, collections, grants and link invites; see tables.ts. */
import type { CollectionId, InviteId, OrganizationId, SpaceId, TeamId, UserId } from '../../core/ids.js'
import type { Milliseconds } from './columns.js'

export interface PeopleTables {
  email_domains: EmailDomainsTable
  teams: TeamsTable
  team_members: TeamMembersTable
  collections: CollectionsTable
  grants: GrantsTable
  link_invites: LinkInvitesTable
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
  /** As of a space. */
  default_level: string | null
  created_by: UserId
  created_at: Milliseconds
  updated_at: Milliseconds
}

/** A role given by name, to a person or a team, on a space or a collection. */
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

/** Whoever knows the id may join by it. */
export interface LinkInvitesTable {
  id: InviteId
  organization_id: OrganizationId
  /** `organization`, `space` or `collection`. */
  target_kind: string
  target_id: OrganizationId | SpaceId | CollectionId
  /** Null makes a guest, who is granted nothing. */
  role: string | null
  /** Who stands behind what it gives: who made it, or gave it its role since. */
  created_by: UserId
  created_at: Milliseconds
}
