/** What is the same for all processes of an installation: a value by name. */
import type { Database, Db } from './database.js'
import { nothing } from './hold.js'

export async function findInInstallation(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

/** Sets the value unless there is one, and returns the one there is. */
export async function setOnce(database: Database, name: string, value: string): Promise<string> {
  await database.writeHolding(nothing, (tx) =>
    tx
      .insertInto('installation')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute(),
  )
  // Asked after the end: whoever was first has committed by then.
  return (await findInInstallation(database.read, name))!
}

/** Sets the value, whatever was there before. */
export async function setInInstallation(database: Database, name: string, value: string): Promise<void> {
  await database.writeHolding(nothing, (tx) =>
    tx
      .insertInto('installation')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute(),
  )
}
