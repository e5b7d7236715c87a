/** What is inside a collection, and acting on all of it at once. */
import { sql } from 'kysely'
import type { CollectionId, OrganizationId, SpaceId } from '../../core/ids.js'
import type { DefaultLevel, Role } from '../../contract/shapes.js'
import type { Db } from '../../store/db/database.js'
import { requireOnEach } from './each.js'
import type { ContentKind } from './facts.js'
import type { Reader } from './levels.js'

/** Something inside a collection. */
export interface Inside {
  readonly kind: ContentKind
  readonly id: SpaceId | CollectionId
  /** Its own default level. */
  readonly defaultLevel: DefaultLevel
  /** True while everything between it and the collection inherits, so that what is given there counts for it. */
  readonly looksUp: boolean
}

/** Returns everything inside a collection, however deep; spaces in the trash are among it, the collection itself is not. */
export async function listInside(
  db: Db,
  organizationId: OrganizationId,
  id: CollectionId,
): Promise<Inside[]> {
  // Collections are joined in this order: for each, SQLite would rather walk through all of the organization.
  const { rows } = await sql<{
    kind: ContentKind
    id: string
    default_level: string | null
    looks_up: number
  }>`
    with recursive inside (id, default_level, looks_up) as (
      select id, default_level, 1 from collections
      where organization_id = ${organizationId} and id = ${id}
      union all
      select below.id, below.default_level,
        case when inside.looks_up = 1 and below.default_level = 'inherit' then 1 else 0 end
      from inside cross join collections as below
      where below.organization_id = ${organizationId} and below.parent_id = inside.id
    )
    select 'collection' as kind, id, default_level, looks_up from inside where id <> ${id}
    union all
    select 'space' as kind, spaces.id, spaces.default_level,
      case when inside.looks_up = 1 and spaces.default_level = 'inherit' then 1 else 0 end as looks_up
    from spaces join inside on spaces.collection_id = inside.id
    where spaces.organization_id = ${organizationId}
  `.execute(db)
  return rows.map((row) => ({
    kind: row.kind,
    id: row.id as SpaceId | CollectionId,
    defaultLevel: row.default_level as DefaultLevel,
    looksUp: row.looks_up === 1,
  }))
}

/** Throws 403 unless this person has the needed role on everything inside a collection: to act on it as a whole. */
export async function requireWhole(
  db: Db,
  reader: Reader,
  id: CollectionId,
  { action, needs }: { readonly action: string; readonly needs: (inside: Inside) => Role },
): Promise<void> {
  if (reader.role === 'admin') return
  const parts = (await listInside(db, reader.organizationId, id)).map((inside) => ({
    ...inside,
    needs: needs(inside),
  }))
  await requireOnEach(db, reader, action, parts)
}
