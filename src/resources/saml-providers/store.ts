/** Rows of SAML providers. */
import type { OrganizationId, SamlProviderId, TeamId } from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row, RowUpdate } from '../../store/db/tables.js'

export type SamlProviderRow = Row<'saml_providers'>

export function listProviders(
  db: Db,
  organizationId: OrganizationId,
  list: PageRequest,
): Promise<ListPage<SamlProviderRow>> {
  const query = db.selectFrom('saml_providers').selectAll().where('organization_id', '=', organizationId)
  return listPage(query, {
    ...list,
    order: [{ column: 'saml_providers.created_at', type: 'integer', direction: 'asc' }],
    id: 'saml_providers.id',
    bound: `saml-providers ${organizationId}`,
  })
}

/** Returns all providers of an organization that can be used, oldest first. */
export function listUsableProviders(db: Db, organizationId: OrganizationId): Promise<SamlProviderRow[]> {
  return db
    .selectFrom('saml_providers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('entity_id', 'is not', null)
    .where('sso_url', 'is not', null)
    .where('certificate', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export function findProvider(db: Db, id: SamlProviderId): Promise<SamlProviderRow | undefined> {
  return db.selectFrom('saml_providers').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function insertProvider(tx: Tx, row: NewRow<'saml_providers'>): Promise<void> {
  await tx.insertInto('saml_providers').values(row).execute()
}

export async function updateProvider(
  tx: Tx,
  id: SamlProviderId,
  change: RowUpdate<'saml_providers'>,
): Promise<void> {
  await tx.updateTable('saml_providers').set(change).where('id', '=', id).execute()
}

/** Removes a provider, and the sessions and links that came through it: nobody vouches for them any more. */
export async function deleteProvider(tx: Tx, id: SamlProviderId): Promise<void> {
  await tx.deleteFrom('sessions').where('saml_provider_id', '=', id).execute()
  await tx.deleteFrom('saml_providers').where('id', '=', id).execute()
}

export async function isTeamOf(db: Db, organizationId: OrganizationId, teamId: TeamId): Promise<boolean> {
  const row = await db
    .selectFrom('teams')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', teamId)
    .executeTakeFirst()
  return row !== undefined
}

/** Puts a member into a team, unless the team is gone or has him already. */
export async function joinTeam(
  tx: Tx,
  { organization_id, default_team_id }: SamlProviderRow,
  userId: Row<'users'>['id'],
  now: number,
): Promise<void> {
  if (default_team_id === null || !(await isTeamOf(tx, organization_id, default_team_id))) return
  await tx
    .insertInto('team_members')
    .values({ organization_id, team_id: default_team_id, user_id: userId, role: 'member', joined_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Returns the membership of a user, disabled or not; undefined for strangers. */
export function findMembership(
  db: Db,
  organizationId: OrganizationId,
  userId: Row<'users'>['id'],
): Promise<Row<'members'> | undefined> {
  return db
    .selectFrom('members')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Makes a member of somebody whom a provider has named. */
export async function insertSsoMember(
  tx: Tx,
  { organization_id, default_role }: SamlProviderRow,
  userId: Row<'users'>['id'],
  now: number,
): Promise<void> {
  await tx
    .insertInto('members')
    .values({
      organization_id,
      user_id: userId,
      role: default_role,
      disabled: 0,
      sso: 1,
      joined_at: now,
      last_seen_at: now,
    })
    .execute()
}

export async function isOrganizationBlocked(db: Db, organizationId: OrganizationId): Promise<boolean> {
  const row = await db
    .selectFrom('organizations')
    .select('blocked_reason')
    .where('id', '=', organizationId)
    .executeTakeFirst()
  return row === undefined || row.blocked_reason !== null
}

/** Tells whether the organization exists and returns its title. */
export function findOrganizationTitle(
  db: Db,
  organizationId: OrganizationId,
): Promise<{ readonly title: string } | undefined> {
  return db.selectFrom('organizations').select('title').where('id', '=', organizationId).executeTakeFirst()
}

/** Returns teams by id, as providers show them: with how many members and shared spaces they have. */
export async function findTeams(db: Db, ids: readonly TeamId[]) {
  if (ids.length === 0) return []
  return db
    .selectFrom('teams')
    .select((team) => [
      'teams.id as id',
      'teams.title as title',
      'teams.created_at as created_at',
      team
        .selectFrom('team_members')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('team_members.team_id', '=', 'teams.id')
        .as('members'),
      team
        .selectFrom('grants')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('grants.grantee_id', '=', 'teams.id')
        .where('grants.target_kind', '=', 'space')
        .as('spaces'),
    ])
    .where('teams.id', 'in', ids)
    .execute()
}
