/** Rows of what texts name in other spaces, and of what is known so far. */
import { chunks, groupBy } from '../../core/group.js'
import type { OrganizationId, RevisionId, SpaceId } from '../../core/ids.js'
import { acrossOrganizations } from '../../store/db/cross-tenant.js'
import type { Db, Tx } from '../../store/db/database.js'
import type { NewRow } from '../../store/db/tables.js'

export interface LinkPlace {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
}

/** What a text names, before it is numbered. */
export interface NamedPage {
  readonly place: string
  readonly target: string
  readonly path: string
}

export interface LinkState {
  readonly revisionId: RevisionId
  readonly application: string
}

const rowsPerInsert = 200
const placesPerDelete = 500

export async function findLinkState(
  db: Db,
  { organizationId, spaceId }: LinkPlace,
): Promise<LinkState | undefined> {
  const row = await db
    .selectFrom('space_link_states')
    .select(['revision_id', 'application'])
    .where('organization_id', '=', organizationId)
    .where('space_id', '=', spaceId)
    .executeTakeFirst()
  return row && { revisionId: row.revision_id, application: row.application }
}

export async function putLinkState(
  tx: Tx,
  { organizationId, spaceId }: LinkPlace,
  { revisionId, application }: LinkState,
): Promise<void> {
  const state = { revision_id: revisionId, application }
  await tx
    .insertInto('space_link_states')
    .values({ organization_id: organizationId, space_id: spaceId, ...state })
    .onConflict((conflict) => conflict.columns(['organization_id', 'space_id']).doUpdateSet(state))
    .execute()
}

/** Forgets what is known of a space. */
export async function deleteSpaceLinks(tx: Tx, { organizationId, spaceId }: LinkPlace): Promise<void> {
  for (const table of ['space_links', 'space_link_states'] as const) {
    await tx
      .deleteFrom(table)
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      .execute()
  }
}

/** Puts what the texts at these places name in the place of what they named before. */
export async function replaceNamed(
  tx: Tx,
  { organizationId, spaceId }: LinkPlace,
  places: readonly string[],
  named: readonly NamedPage[],
): Promise<void> {
  for (const part of chunks(places, placesPerDelete)) {
    await tx
      .deleteFrom('space_links')
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      .where('place', 'in', part)
      .execute()
  }
  const rows = [...groupBy(named, ({ place }) => place).values()].flatMap((ofOne) =>
    ofOne.map(({ place, target, path }, number): NewRow<'space_links'> => {
      return { organization_id: organizationId, space_id: spaceId, place, number, target_id: target, path }
    }),
  )
  for (const part of chunks(rows, rowsPerInsert)) {
    await tx.insertInto('space_links').values(part).execute()
  }
}

/** Returns the texts that name a page of a space by one of these names, by the spaces that they stand in. */
export async function findNaming(
  db: Db,
  { organizationId, spaceId }: LinkPlace,
  names: readonly string[],
): Promise<ReadonlyMap<SpaceId, readonly string[]>> {
  const rows = await db
    .selectFrom('space_links')
    .select(['space_id', 'place'])
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('target_id', '=', spaceId)
    .where('path', 'in', names)
    .execute()
  const bySpace = groupBy(rows, (row) => row.space_id)
  return new Map([...bySpace].map(([id, ofOne]) => [id, ofOne.map(({ place }) => place)]))
}

/** Lists spaces of whose links nothing is known below this address, in the order of their ids. */
export async function listUnknown(
  db: Db,
  application: string,
  { after, limit }: { readonly after: SpaceId | undefined; readonly limit: number },
): Promise<readonly LinkPlace[]> {
  let query = acrossOrganizations(db, 'a server that starts looks at the links of all spaces')
    .selectFrom('spaces')
    .leftJoin('space_link_states', (join) =>
      join
        .onRef('space_link_states.organization_id', '=', 'spaces.organization_id')
        .onRef('space_link_states.space_id', '=', 'spaces.id')
        .on('space_link_states.application', '=', application),
    )
    .select(['spaces.organization_id as organizationId', 'spaces.id as spaceId'])
    .where('space_link_states.revision_id', 'is', null)
    .orderBy('spaces.id')
    .limit(limit)
  if (after !== undefined) query = query.where('spaces.id', '>', after)
  return query.execute()
}
