import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { sqliteDialect } from './dialect.js'
import { connectSqlite } from './connection.js'
import { sessionOn } from './session.js'

it('closing succeeds while another process writes, without writing statistics', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-close-'))
  const file = join(folder, 'octavo.sqlite')
  const connection = await connectSqlite(file, 'write')
  const writer = new Kysely<any>({ dialect: sqliteDialect(sessionOn(connection), 'write') })
  await sql`create table things (id integer primary key, kind text)`.execute(writer)
  await sql`create index things_by_kind on things (kind)`.execute(writer)
  await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
    insert into things select i, 'kind ' || (i % 10) from n`.execute(writer)
  await sql`select * from things where kind = 'kind 1' and id > 5`.execute(writer)
  const other = await connectSqlite(file, 'write')
  other.exec('begin immediate')
  expect(() => connection.exec('pragma optimize')).toThrow('locked')
  await writer.destroy()
  expect(connection.isOpen).toBe(false)
  other.close()
  await rm(folder, { recursive: true })
})
