/** Tables of organizations, and inserting members. */
import { foldLatin } from '../../core/email.js'
import type { OrganizationId, SiteId, UserId } from '../../core/ids.js'
import type { Actor } from '../../access/signin/actor.js'
import type { ExpressionBuilder } from 'kysely'
import type { Role } from '../../contract/shapes.js'
import { acrossOrganizations } from '../../store/db/cross-tenant.js'
import type { Db, Tx } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row, RowUpdate, Tables } from '../../store/db/tables.js'
import { deleteFormerName } from '../users/former-names.js'

export type OrganizationRow = Row<'organizations'>

/** An organization with the role of a user in it; null is a guest. */
export interface OrganizationContext {
  readonly row: OrganizationRow
  readonly role: Role | null
  /** Whether the user owns a team. */
  readonly ownsTeam: boolean
}

/** Returns the organization when the user belongs to it and is not disabled. */
export async function findOrganizationOf(
  db: Db,
  userId: UserId,
  id: OrganizationId,
): Promise<OrganizationContext | undefined> {
  const found = await db
    .selectFrom('organizations')
    .innerJoin('members', 'members.organization_id', 'organizations.id')
    .selectAll('organizations')
    .select(['members.role as member_role', ownedTeams])
    .where('organizations.id', '=', id)
    .where('members.user_id', '=', userId)
    .where('members.disabled', '=', 0)
    .executeTakeFirst()
  if (found === undefined) return undefined
  return toOrganizationContext(found)
}

function ownedTeams(of: ExpressionBuilder<Tables, 'members'>) {
  return of
    .selectFrom('team_members')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .whereRef('team_members.organization_id', '=', 'members.organization_id')
    .whereRef('team_members.user_id', '=', 'members.user_id')
    .where('team_members.role', '=', 'owner')
    .as('owned_teams')
}

function toOrganizationContext({
  member_role: role,
  owned_teams: ownedTeamCount,
  ...row
}: OrganizationRow & { member_role: string | null; owned_teams: number | null }): OrganizationContext {
  return { row, role: role as Role | null, ownsTeam: (ownedTeamCount ?? 0) > 0 }
}

/** Lists the organizations that the user's token or session gives access to, oldest first; ignores single sign-on rules. */
export async function listOrganizationsOf(
  db: Db,
  { userId, onlyIn }: Pick<Actor, 'userId' | 'onlyIn'>,
  list: PageRequest,
): Promise<ListPage<OrganizationContext>> {
  const everywhere = acrossOrganizations(db, 'memberships of a user')
  const all = everywhere
    .selectFrom('organizations')
    .innerJoin('members', 'members.organization_id', 'organizations.id')
    .selectAll('organizations')
    .select(['members.role as member_role', ownedTeams])
    .where('members.user_id', '=', userId)
    .where('members.disabled', '=', 0)
  const query =
    onlyIn === null
      ? all.where('members.accepted_at', 'is not', null)
      : all.where('organizations.id', '=', onlyIn)
  const page = await listPage(everywhere, query, {
    ...list,
    order: [{ column: 'organizations.created_at', type: 'integer', direction: 'asc' }],
    id: 'organizations.id',
  })
  return {
    ...page,
    items: page.items.map(toOrganizationContext),
  }
}

export async function findOrganization(db: Db, id: OrganizationId): Promise<OrganizationRow | undefined> {
  return db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function isHostnameTaken(db: Db, hostname: string): Promise<boolean> {
  return (await findOrganizationIdByHostname(db, hostname)) !== undefined
}

export async function insertOrganization(tx: Tx, row: NewRow<'organizations'>): Promise<void> {
  await tx.insertInto('organizations').values(row).execute()
}

export interface NewMember {
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly role: Role | null
  readonly now: number
}

/** Inserts a member who joins on their own. */
export async function insertMember(tx: Tx, member: NewMember): Promise<void> {
  await deleteFormerName(tx, member)
  await tx
    .insertInto('members')
    .values({ ...memberRow(member), accepted_at: member.now, known_as: null })
    .execute()
}

/** Inserts a member who has yet to accept; until then they have the name from the invitation. */
export async function insertInvitedMember(
  tx: Tx,
  member: NewMember & { readonly knownAs: string; readonly sso: boolean },
): Promise<void> {
  await deleteFormerName(tx, member)
  await tx
    .insertInto('members')
    .values({
      ...memberRow(member),
      sso: member.sso ? 1 : 0,
      accepted_at: null,
      known_as: member.knownAs.slice(0, 64),
    })
    .execute()
}

function memberRow({ organizationId, userId, role, now }: NewMember) {
  return {
    organization_id: organizationId,
    user_id: userId,
    role,
    disabled: 0 as const,
    sso: 0 as const,
    joined_at: now,
    last_seen_at: null,
  }
}

/** Returns all organizations of the installation, oldest first. */
export function listOrganizations(db: Db): Promise<OrganizationRow[]> {
  return db.selectFrom('organizations').selectAll().orderBy('created_at').orderBy('id').execute()
}

/** Returns the admin who joined first. */
export async function findFirstAdmin(db: Db, id: OrganizationId): Promise<UserId | undefined> {
  const member = await db
    .selectFrom('members')
    .select('user_id')
    .where('organization_id', '=', id)
    .where('role', '=', 'admin')
    .where('disabled', '=', 0)
    .where('accepted_at', 'is not', null)
    .orderBy('joined_at')
    .orderBy('user_id')
    .executeTakeFirst()
  return member?.user_id
}

export async function updateOrganizationRow(
  tx: Tx,
  id: OrganizationId,
  change: RowUpdate<'organizations'>,
): Promise<OrganizationRow> {
  return tx
    .updateTable('organizations')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Writes the domains to the lookup table, and returns the JSON of the organization's column. */
export async function setEmailDomains(
  tx: Tx,
  id: OrganizationId,
  domains: readonly string[],
): Promise<string> {
  const unique = [...new Set(domains.map((domain) => foldLatin(domain)))]
  await tx.deleteFrom('email_domains').where('organization_id', '=', id).execute()
  if (unique.length > 0) {
    await tx
      .insertInto('email_domains')
      .values(unique.map((domain) => ({ domain, organization_id: id })))
      .execute()
  }
  return JSON.stringify(unique)
}

/** Returns the organizations that users of this domain may join, with the user's role where they are a member. */
export async function listOrganizationsOfDomain(
  db: Db,
  userId: UserId,
  domain: string,
): Promise<{ readonly row: OrganizationRow; readonly role: Role | null | undefined }[]> {
  const rows = await acrossOrganizations(db, 'organizations of an e-mail domain')
    .selectFrom('email_domains')
    .innerJoin('organizations', 'organizations.id', 'email_domains.organization_id')
    .leftJoin('members', (join) =>
      join
        .onRef('members.organization_id', '=', 'organizations.id')
        .on('members.user_id', '=', userId)
        .on('members.disabled', '=', 0),
    )
    .selectAll('organizations')
    .select(['members.role as member_role', 'members.user_id as member_id'])
    .where('email_domains.domain', '=', foldLatin(domain))
    .orderBy('organizations.created_at')
    .orderBy('organizations.id')
    .limit(100)
    .execute()
  return rows.map(({ member_role: role, member_id: member, ...row }) => ({
    row,
    role: member === null ? undefined : (role as Role | null),
  }))
}

export async function findOrganizationByHostname(
  db: Db,
  userId: UserId,
  hostname: string,
): Promise<OrganizationContext | undefined> {
  const id = await findOrganizationIdByHostname(db, hostname)
  return id && findOrganizationOf(db, userId, id)
}

export async function findOrganizationIdByHostname(
  db: Db,
  hostname: string,
): Promise<OrganizationId | undefined> {
  const row = await db
    .selectFrom('organizations')
    .select('id')
    .where('hostname', '=', hostname)
    .executeTakeFirst()
  return row?.id
}

/**
 * Returns the organizations whose hostname this is, or to whose e-mail domains the address belongs. It looks up no user:
 * the result does not depend on who has an account.
 */
export function listOrganizationsNamed(
  db: Db,
  nameOrAddress: string,
): Promise<readonly { readonly id: OrganizationId; readonly title: string }[]> {
  const words = foldLatin(nameOrAddress)
  const domain = words.slice(words.lastIndexOf('@') + 1)
  return acrossOrganizations(db, 'a person who is not signed in names the organization')
    .selectFrom('organizations')
    .select(['id', 'title'])
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('hostname', '=', words),
        eb('id', 'in', selectFrom('email_domains').select('organization_id').where('domain', '=', domain)),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(20)
    .execute()
}

export async function isSiteOf(db: Db, organizationId: OrganizationId, siteId: string): Promise<boolean> {
  const row = await db
    .selectFrom('sites')
    .select('id')
    .where('id', '=', siteId as SiteId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns those of the ids that are members of the organization. */
export async function findMemberIds(
  db: Db,
  organizationId: OrganizationId,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', 'in', ids as UserId[])
    .execute()
  return new Set(rows.map((row) => row.user_id))
}
