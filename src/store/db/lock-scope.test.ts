import { expect, test } from 'vitest'
import { describeLayouts } from '../../../tests/engines.js'
import { acrossTestOrganizations, insertOrganization, insertSpace } from '../../../tests/test-rows.js'
import type { OrganizationId, RevisionId, SpaceId } from '../../core/ids.js'
import { collectObjectsJob } from '../collect/gc-triggers.js'
import { enqueue } from '../jobs/outbox.js'
import type { Database, Tx } from './database.js'
import { lockScopeOf } from './transactions.js'
import { type LockScope, noLocks } from './lock-scope.js'

const [acme, globex] = ['acme', 'globex'] as OrganizationId[] as [OrganizationId, OrganizationId]
const [guide, notes] = ['guide', 'notes'] as SpaceId[] as [SpaceId, SpaceId]

/** Initial rows: two organizations, two spaces of the first. */
async function makeWorld(database: Database): Promise<void> {
  await database.write(async (tx) => {
    await insertOrganization(tx, acme)
    await insertOrganization(tx, globex)
    await insertSpace(tx, acme, guide)
    await insertSpace(tx, acme, notes)
  })
}

const rename = (tx: Tx, id: OrganizationId, title: string) =>
  tx.updateTable('organizations').set({ title }).where('id', '=', id).execute()

const moveHead = (tx: Tx, id: SpaceId, to: string) =>
  acrossTestOrganizations(tx)
    .updateTable('spaces')
    .set({ revision_id: to as RevisionId })
    .where('id', '=', id)
    .execute()

describeLayouts('writers in two processes', (engine) => {
  test('are serialized by conflicting scopes: what each has read does not change before it writes', async () => {
    const first = await engine.open()
    const second = await engine.openAgain()
    await makeWorld(first)
    const scopeList: LockScope[] = [
      { organizations: [acme] },
      { organizations: [acme], space: guide },
      'everything',
      { organizations: [acme, globex] },
    ]
    // Read, then write a derived value: without locks some would read the same.
    const count = async (tx: Tx) => {
      const space = await acrossTestOrganizations(tx)
        .selectFrom('spaces')
        .select('next_change_request_number as number')
        .where('id', '=', guide)
        .executeTakeFirstOrThrow()
      const next_change_request_number = space.number + 1
      await acrossTestOrganizations(tx)
        .updateTable('spaces')
        .set({ next_change_request_number })
        .where('id', '=', guide)
        .execute()
    }
    await Promise.all(
      Array.from({ length: 30 }, (_, at) => {
        const [database] = at % 3 === 0 ? [first] : [second]
        return database.writeWithLocks(scopeList[at % scopeList.length]!, count)
      }),
    )
    const { number } = await acrossTestOrganizations(first.read)
      .selectFrom('spaces')
      .select('next_change_request_number as number')
      .where('id', '=', guide)
      .executeTakeFirstOrThrow()
    expect(number).toBe(31)
  })

  test.skipIf(engine.engine === 'sqlite')('do not wait for writers of another space', async () => {
    const first = await engine.open()
    const second = await engine.openAgain()
    await makeWorld(first)
    const order: string[] = []
    let finish = (): void => {}
    const isOtherDone = new Promise<void>((resolve) => (finish = resolve))
    await Promise.all([
      first.writeWithLocks({ organizations: [acme], space: guide }, async (tx) => {
        await moveHead(tx, guide, 'one')
        await isOtherDone
        order.push('guide')
      }),
      second
        .writeWithLocks({ organizations: [acme], space: notes }, (tx) => moveHead(tx, notes, 'two'))
        .then(() => order.push('notes'))
        .then(finish),
    ])
    expect(order).toEqual(['notes', 'guide'])
  })
})

describeLayouts('a transaction that writes outside its lock scope', (engine) => {
  /** Runs the work with a scope and returns the scope of each run. */
  async function scopesOf(
    database: Database,
    scope: LockScope,
    work: (tx: Tx) => Promise<unknown>,
  ): Promise<LockScope[]> {
    const scopes: LockScope[] = []
    await database.writeWithLocks(scope, async (tx) => {
      scopes.push(lockScopeOf(tx))
      await work(tx)
    })
    return scopes
  }
  const inGuide: LockScope = { organizations: [acme], space: guide }

  test.skipIf(engine.engine === 'sqlite')('runs again with a wider scope', async () => {
    const database = await engine.open()
    await makeWorld(database)
    const job = {
      organizationId: acme,
      type: collectObjectsJob,
      payload: { organizationId: acme },
      at: 0,
    } as const
    // Within the scope, and tables that need no lock.
    expect(await scopesOf(database, inGuide, (tx) => moveHead(tx, guide, 'one'))).toEqual([inGuide])
    expect(await scopesOf(database, noLocks, (tx) => enqueue(tx, job))).toEqual([noLocks])
    // The organization of the space, another organization, people, and rows whose organization is unknown.
    expect(await scopesOf(database, inGuide, (tx) => rename(tx, acme, 'Acme'))).toEqual([
      inGuide,
      { organizations: [acme] },
    ])
    expect(await scopesOf(database, inGuide, (tx) => insertSpace(tx, globex, 'third'))).toEqual([
      inGuide,
      { organizations: [acme, globex] },
    ])
    const renamePeople = (tx: Tx) => tx.updateTable('users').set({ display_name: 'x' }).execute()
    expect(await scopesOf(database, inGuide, renamePeople)).toEqual([inGuide, { ...inGuide, people: true }])
    expect(await scopesOf(database, noLocks, (tx) => rename(tx, acme, 'Acme'))).toEqual([
      noLocks,
      'everything',
    ])
    // An organization created by this transaction is unknown to others.
    const made = async (tx: Tx) => insertSpace(tx, await insertOrganization(tx, 'initech'), 'fourth')
    expect(await scopesOf(database, noLocks, made)).toEqual([noLocks])
  })

  test.skipIf(engine.engine === 'sqlite')('does so even when the work catches the error', async () => {
    const database = await engine.open()
    await makeWorld(database)
    const scopes = await scopesOf(database, inGuide, (tx) => rename(tx, acme, 'Renamed').catch(() => {}))
    expect(scopes).toHaveLength(2)
    const { title } = await database.read
      .selectFrom('organizations')
      .select('title')
      .where('id', '=', acme)
      .executeTakeFirstOrThrow()
    expect(title).toBe('Renamed')
  })

  test('is rejected with 409 when a row exists already, or its parent is gone', async () => {
    const database = await engine.open()
    await makeWorld(database)
    const again = database.write((tx) => insertOrganization(tx, acme))
    if (engine.engine === 'postgres') await expect(again).rejects.toMatchObject({ status: 409 })
    else await expect(again).rejects.toThrow('UNIQUE')
  })
})
