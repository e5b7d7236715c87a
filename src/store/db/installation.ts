/** Key-value settings shared by all processes of an installation. */
import type { Database, Db } from './database.js'
import { noLocks } from './lock-scope.js'

export async function findInInstallation(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

/** Sets the value unless there is one, and returns the stored one. */
export async function setOnce(database: Database, name: string, value: string): Promise<string> {
  await database.writeWithLocks(noLocks, (tx) =>
    tx
      .insertInto('installation')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute(),
  )
  // Read after the transaction: the first writer has committed by then.
  return (await findInInstallation(database.read, name))!
}

/** Sets the value, replacing any earlier one. */
export async function setInInstallation(database: Database, name: string, value: string): Promise<void> {
  await database.writeWithLocks(noLocks, (tx) =>
    tx
      .insertInto('installation')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute(),
  )
}
