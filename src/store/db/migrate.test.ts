import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sql } from 'kysely'
import { describeEngines } from '../../../tests/engines.js'
import { insertOrganization, insertSpace } from '../../../tests/test-rows.js'
import { openDatabase } from './open.js'
import { migrate, migrations } from './migrate.js'
import type { Migration } from './migrations/types.js'

const later: Migration = { name: '9999-later', statements: () => ['create table later (id text)'] }

it('lists every file of migrations/, in the order of the numbers', () => {
  const files = readdirSync(new URL('migrations/', import.meta.url))
  const numbered = files.filter((file) => /^\d{4}-/.test(file)).map((file) => file.replace(/\.ts$/, ''))
  expect(migrations.map(({ name }) => name)).toEqual(numbered.toSorted())
})

describeEngines(
  'migrations',
  ({ engine, settings, open }) => {
    it('run once, when several processes start concurrently', async () => {
      const place = await settings()
      const databases = await Promise.all([1, 2, 3].map(() => openDatabase(place)))
      const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(
        databases[2]!.read,
      )
      expect(rows.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name))
      await Promise.all(databases.map((database) => database.close()))
      await (await openDatabase(place)).close()
    })

    it('reject a newer database, and one with a changed migration', async () => {
      const database = await open()
      const [first, ...rest] = migrations
      await database.write(async (tx) => {
        await expect(migrate(tx, engine, [first!])).rejects.toThrow('made by a newer version')
        const changed = { ...first!, statements: () => ['create table other (id text)'] }
        await expect(migrate(tx, engine, [changed, ...rest])).rejects.toThrow('differs from the one')
      })
    })

    it('roll back a failing one', async () => {
      const place = await settings()
      await (await openDatabase(place)).close()
      const failing: Migration = { ...later, statements: () => [...later.statements(null!), 'nonsense'] }
      const known = [...migrations, failing]
      await expect(openDatabase({ ...place, migrations: known })).rejects.toThrow()
      const database = await openDatabase({ ...place, migrations: [...migrations, later] })
      await sql`select id from later`.execute(database.read)
      await database.close()
    })

    it.skipIf(engine === 'postgres')('leave no row that refers to what is missing', async () => {
      const place = await settings()
      const database = await openDatabase(place)
      await database.write(async (tx) => insertSpace(tx, await insertOrganization(tx, 'acme'), 'guide'))
      await database.close()
      const statements = () => ['delete from organizations']
      const known = [...migrations, { ...later, remakesTables: true, statements } as const]
      await expect(openDatabase({ ...place, migrations: known })).rejects.toThrow(
        /in "\w+" to "organizations"/,
      )
      const again = await openDatabase(place)
      expect(await again.read.selectFrom('organizations').select('id').execute()).toEqual([{ id: 'acme' }])
      await again.close()
    })
  },
  { layouts: ['whole'] },
)
