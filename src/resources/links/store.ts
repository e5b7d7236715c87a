/** Queries on stored cross-space links and on the state of their index. */
import { chunks, groupBy } from '../../core/group.js'
import type { OrganizationId, RevisionId, SpaceId } from '../../core/ids.js'
import { acrossOrganizations } from '../../store/db/cross-tenant.js'
import type { Db, Tx } from '../../store/db/database.js'
import type { NewRow } from '../../store/db/tables.js'

export interface SpaceLinkKey {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
}

/** A page of another space that a text links to. */
export interface ReferencedPage {
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
  { organizationId, spaceId }: SpaceLinkKey,
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
  { organizationId, spaceId }: SpaceLinkKey,
  { revisionId, application }: LinkState,
): Promise<void> {
  const state = { revision_id: revisionId, application }
  await tx
    .insertInto('space_link_states')
    .values({ organization_id: organizationId, space_id: spaceId, ...state })
    .onConflict((conflict) => conflict.columns(['organization_id', 'space_id']).doUpdateSet(state))
    .execute()
}

/** Deletes the stored links and the state of a space. */
export async function deleteSpaceLinks(tx: Tx, { organizationId, spaceId }: SpaceLinkKey): Promise<void> {
  for (const table of ['space_links', 'space_link_states'] as const) {
    await tx
      .deleteFrom(table)
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', spaceId)
      .execute()
  }
}

/** Replaces the stored links of the texts at these places. */
export async function replaceReferences(
  tx: Tx,
  { organizationId, spaceId }: SpaceLinkKey,
  places: readonly string[],
  named: readonly ReferencedPage[],
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

/** Returns the texts that link to a page of a space by one of these names, grouped by their spaces. */
export async function findReferencingTexts(
  db: Db,
  { organizationId, spaceId }: SpaceLinkKey,
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

/** Lists spaces without stored links for this base URL, by id. */
export async function listSpacesWithoutLinks(
  db: Db,
  application: string,
  { after, limit }: { readonly after: SpaceId | undefined; readonly limit: number },
): Promise<readonly SpaceLinkKey[]> {
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
