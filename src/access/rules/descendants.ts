/** Descendants of a collection, and authorization of operations on all of them. */
import { sql } from 'kysely'
import type { CollectionId, OrganizationId, SpaceId } from '../../core/ids.js'
import type { DefaultLevel, Role } from '../../contract/shapes.js'
import type { Db } from '../../store/db/database.js'
import { requireOnEach } from './require-on-each.js'
import type { ContentKind } from './level-facts.js'
import type { Reader } from './levels.js'

/** A space or collection below a collection. */
export interface Descendant {
  readonly kind: ContentKind
  readonly id: SpaceId | CollectionId
  /** Its own default level. */
  readonly defaultLevel: DefaultLevel
  /** True when everything between it and the collection inherits, so that grants on the collection apply to it. */
  readonly inherits: boolean
}

/**
 * Returns all descendants of a collection at any depth, including spaces in the trash, without the collection itself.
 */
export async function listDescendants(
  db: Db,
  organizationId: OrganizationId,
  id: CollectionId,
): Promise<Descendant[]> {
  // In this join order: SQLite would otherwise scan the whole organization for each collection.
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
    inherits: row.looks_up === 1,
  }))
}

/** Throws 403 unless the reader has the needed role on every descendant of a collection. */
export async function requireOnDescendants(
  db: Db,
  reader: Reader,
  id: CollectionId,
  { action, needs }: { readonly action: string; readonly needs: (inside: Descendant) => Role },
): Promise<void> {
  if (reader.role === 'admin') return
  const parts = (await listDescendants(db, reader.organizationId, id)).map((inside) => ({
    ...inside,
    needs: needs(inside),
  }))
  await requireOnEach(db, reader, action, parts)
}
