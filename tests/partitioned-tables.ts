/**
 * Hash partitions: converts the tables of organizations into four partitions each, by organization, from the catalog as
 * migrations leave it. It proves that nothing in the schema prevents distributing rows.
 */
import type pg from 'pg'
import { tablesOfOrganizations } from '../src/store/db/table-facts.js'

const parts = 4

interface Part {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/** Turns every table of organizations, which must be empty, into a partitioned one with the same keys and indexes. */
export async function spreadByOrganization(client: pg.ClientBase): Promise<void> {
  const tables = tablesOfOrganizations.join(',')
  const { rows: constraints } = await client.query<Part & { type: 'p' | 'u' | 'f' }>(
    `select conrelid::regclass::text as table, conname as name, contype as type,
        pg_get_constraintdef(oid) as definition
      from pg_constraint where conrelid::regclass::text = any (string_to_array($1, ','))
        and contype in ('p', 'u', 'f')`,
    [tables],
  )
  const { rows: indexes } = await client.query<Part>(
    `select indrelid::regclass::text as table, indexrelid::regclass::text as name,
        pg_get_indexdef(indexrelid) as definition
      from pg_index where indrelid::regclass::text = any (string_to_array($1, ','))
        and not exists (select 1 from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))`,
    [tables],
  )
  const addAll = (isMeant: (type: string) => boolean) =>
    constraints
      .filter(({ type }) => isMeant(type))
      .map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`)
  await client.query('begin')
  for (const statement of [
    ...tablesOfOrganizations.flatMap((table) => [
      `alter table ${table} rename to whole_${table}`,
      `create table ${table} (like whole_${table} including defaults including identity)
        partition by hash (organization_id)`,
      `drop table whole_${table} cascade`,
      ...Array.from(
        { length: parts },
        (_, at) => `create table ${table}_${at} partition of ${table}
          for values with (modulus ${parts}, remainder ${at})`,
      ),
    ]),
    ...addAll((type) => type !== 'f'),
    ...addAll((type) => type === 'f'),
    ...indexes.map(({ definition }) => definition),
  ])
    await client.query(statement)
  await client.query('commit')
}
