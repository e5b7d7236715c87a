/** Database catalog: tables, keys and indexes as the database itself reports them, in one shape for both engines. */
import { sql } from 'kysely'
import { type Db, engineOf } from '../src/store/db/database.js'

export interface Column {
  readonly name: string
  readonly type: 'text' | 'number' | 'bytes' | 'words'
  readonly isNullable: boolean
}

export interface Reference {
  readonly columns: readonly string[]
  readonly table: string
  readonly theirs: readonly string[]
}

export interface CatalogTable {
  readonly columns: readonly Column[]
  /** The columns of each key and each unique index; null marks an expression. */
  readonly keys: readonly (readonly (string | null)[])[]
  readonly references: readonly Reference[]
}

/** Returns all tables by name, except the internal tables of an engine. */
export async function readCatalog(db: Db): Promise<Map<string, CatalogTable>> {
  return engineOf(db) === 'sqlite' ? readSqlite(db) : readPostgres(db)
}

async function readSqlite(db: Db): Promise<Map<string, CatalogTable>> {
  const { rows: tables } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table'
      and name not like 'search_words%' and name not like 'sqlite_%' order by name`.execute(db)
  const found = new Map<string, CatalogTable>()
  for (const { name } of tables) {
    const { rows: columns } = await sql<{ name: string; type: string; notnull: number; pk: number }>`
      select * from pragma_table_info(${name})`.execute(db)
    const { rows: indexes } = await sql<{ name: string; is_unique: number }>`
      select name, "unique" as is_unique from pragma_index_list(${name})`.execute(db)
    const keys: (string | null)[][] = []
    for (const index of indexes.filter(({ is_unique: isUnique }) => isUnique === 1)) {
      const { rows } = await sql<{ name: string | null }>`
        select name from pragma_index_info(${index.name}) order by seqno`.execute(db)
      keys.push(rows.map((column) => column.name))
    }
    // A key that is the number of the row has no index.
    if (columns.some(({ pk, type }) => pk === 1 && type === 'INTEGER')) {
      keys.push(columns.filter(({ pk }) => pk > 0).map((column) => column.name))
    }
    const { rows: ends } = await sql<{ id: number; table: string; from: string; to: string }>`
      select * from pragma_foreign_key_list(${name}) order by id, seq`.execute(db)
    const references = [...new Set(ends.map(({ id }) => id))].map((id) => {
      const parts = ends.filter((end) => end.id === id)
      return {
        table: parts[0]!.table,
        columns: parts.map(({ from }) => from),
        theirs: parts.map(({ to }) => to),
      }
    })
    const types = { INTEGER: 'number', BLOB: 'bytes' } as Record<string, Column['type'] | undefined>
    found.set(name, {
      columns: columns.map((column) => ({
        name: column.name,
        type: types[column.type] ?? 'text',
        isNullable: column.notnull === 0 && column.pk === 0,
      })),
      keys,
      references,
    })
  }
  return found
}

async function readPostgres(db: Db): Promise<Map<string, CatalogTable>> {
  const { rows } = await sql<{ name: string } & CatalogTable>`
    select relname as name,
      (select json_agg(json_build_object('name', attname, 'isNullable', not attnotnull, 'type',
          case format_type(atttypid, null) when 'bigint' then 'number' when 'bytea' then 'bytes'
            when 'tsvector' then 'words' else 'text' end) order by attnum)
        from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as columns,
      coalesce((select json_agg(
          (select json_agg((select attname from pg_attribute where attrelid = pg_class.oid and attnum = part.attnum)
              order by part.at)
            from unnest(indkey) with ordinality as part (attnum, at)))
        from pg_index where indrelid = pg_class.oid and indisunique), '[]') as keys,
      coalesce((select json_agg(json_build_object('table', confrelid::regclass::text,
          'columns', (select json_agg(attname order by at) from unnest(conkey) with ordinality as part (attnum, at)
            join pg_attribute on attrelid = conrelid and pg_attribute.attnum = part.attnum),
          'theirs', (select json_agg(attname order by at) from unnest(confkey) with ordinality as part (attnum, at)
            join pg_attribute on attrelid = confrelid and pg_attribute.attnum = part.attnum)))
        from pg_constraint where conrelid = pg_class.oid and contype = 'f' and conparentid = 0), '[]') as "references"
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    order by relname`.execute(db)
  return new Map(rows.map(({ name, ...table }) => [name, table]))
}
