/** Cache validity after commits of this process and of others, and the cache tags of commits. */
import { setImmediate as soon } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { describeLayouts } from '../../../tests/engines.js'
import { acrossTestOrganizations, insertOrganization } from '../../../tests/test-rows.js'
import type { OrganizationId, SpaceId, UserId } from '../../core/ids.js'
import { createCommitLog, pruneCommits } from './commits.js'
import type { Database, Tx } from './database.js'
import { noLocks, withOrganization } from './lock-scope.js'
import type { NewRow } from './tables.js'
import type { CacheTag } from './commit-tags.js'

const [acme, umbrella] = ['acme', 'umbrella'] as OrganizationId[] as [OrganizationId, OrganizationId]
const everything: readonly CacheTag[] = [acme, umbrella, 'people', 'sites']

describe('a commit log', () => {
  it('validates what was read after the last commit of its organization, and nothing older', () => {
    const log = createCommitLog()
    const before = log.now()
    const after = log.record([acme])
    expect([log.isUnchanged(before, [acme]), log.isUnchanged(after, [acme])]).toEqual([false, true])
    expect(log.isUnchanged(before, [umbrella])).toBe(true)
    expect(log.isUnchanged(before, [umbrella, acme])).toBe(false)
    const everybody = log.record(['everybody'])
    expect([log.isUnchanged(after, [umbrella]), log.isUnchanged(everybody, [umbrella])]).toEqual([
      false,
      true,
    ])
  })

  it('stops tracking the tags with the oldest commits, and then invalidates them', () => {
    const log = createCommitLog()
    const first = log.record(['first'])
    expect(log.isUnchanged(first, ['first' as OrganizationId])).toBe(true)
    const before = log.now()
    for (let at = 0; at < 10_001; at += 1) log.record([`other ${at}`])
    expect(log.isUnchanged(before, ['quiet' as OrganizationId])).toBe(false)
    expect(log.isUnchanged(log.now(), ['quiet' as OrganizationId, 'first' as OrganizationId])).toBe(true)
  })

  it('tracks ten thousand tags', () => {
    const log = createCommitLog()
    const before = log.now()
    for (let at = 0; at < 10_000; at += 1) log.record([`other ${at}`])
    expect(log.isUnchanged(before, ['quiet' as OrganizationId])).toBe(true)
    log.record(['one more'])
    expect(log.isUnchanged(before, ['quiet' as OrganizationId])).toBe(false)
  })
})

describeLayouts('commits', ({ engine, open, openAgain }) => {
  const member = (organization: OrganizationId, user: string): NewRow<'members'> => ({
    organization_id: organization,
    user_id: user as UserId,
    role: 'read',
    disabled: 0,
    sso: 0,
    joined_at: 0,
    last_seen_at: null,
  })
  const grant = (organization: OrganizationId, user: string): NewRow<'grants'> => ({
    organization_id: organization,
    target_kind: 'space',
    target_id: `space of ${organization}` as SpaceId,
    grantee_kind: 'user',
    grantee_id: user as UserId,
    role: 'read',
    created_at: 0,
  })
  const user = (id: string): NewRow<'users'> => ({
    id: id as UserId,
    display_name: id,
    email: null,
    photo_url: null,
    password_hash: null,
    created_at: 0,
    updated_at: 0,
  })
  const job = (id: string): NewRow<'jobs'> => ({
    id,
    organization_id: acme,
    type: 't',
    key: null,
    payload: '{}',
    due_at: null,
    claim: null,
    error: null,
    created_at: 0,
  })

  async function world(): Promise<Database> {
    const database = await open()
    await database.write(async (tx) => {
      await tx
        .insertInto('users')
        .values([user('ann'), user('bob')])
        .execute()
      for (const id of [acme, umbrella]) await insertOrganization(tx, id)
      await tx
        .insertInto('grants')
        .values([grant(acme, 'ann'), grant(umbrella, 'ann')])
        .execute()
    })
    return database
  }

  /** The tags of a commit, as another process reads them. */
  async function concernsOf(database: Database, other: Database, work: (tx: Tx) => Promise<unknown>) {
    await soon()
    const before = await other.dataVersion()
    await database.write(work)
    await soon()
    await other.dataVersion()
    return everything.filter((concern) => !other.isUnchanged(before, [concern]))
  }

  it('have the tags of the organizations whose rows they wrote, and no others', async () => {
    const database = await world()
    const other = await openAgain()
    const of = (work: (tx: Tx) => Promise<unknown>) => concernsOf(database, other, work)

    expect(await of((tx) => tx.insertInto('grants').values(grant(acme, 'bob')).execute())).toEqual([acme])
    expect(
      await of((tx) =>
        acrossTestOrganizations(tx)
          .updateTable('grants')
          .set({ role: 'edit' })
          .where('grantee_id', '=', 'bob' as UserId)
          .execute(),
      ),
    ).toEqual([acme])
    expect(
      await of((tx) =>
        acrossTestOrganizations(tx)
          .deleteFrom('grants')
          .where('grantee_id', '=', 'ann' as UserId)
          .execute(),
      ),
    ).toEqual([acme, umbrella])
    expect(await of((tx) => tx.insertInto('members').values(member(umbrella, 'ann')).execute())).toEqual([
      umbrella,
      'people',
    ])
    expect(await of((tx) => tx.updateTable('users').set({ updated_at: 1 }).execute())).toEqual(['people'])
    const named = (tx: Tx, id: string) =>
      tx
        .with('known', (known) =>
          known
            .selectFrom('users')
            .select('id')
            .where('id', '=', id as UserId),
        )
        .updateTable('users')
        .set({ updated_at: 2 })
        .where('id', 'in', (known) => known.selectFrom('known').select('known.id'))
    expect(await of((tx) => named(tx, 'ann').execute())).toEqual(['people'])
    expect(await of((tx) => named(tx, 'ann').returning('id').execute())).toEqual(['people'])
    expect(await of((tx) => named(tx, 'nobody').execute())).toEqual([])
    expect(
      await of((tx) =>
        tx.updateTable('organizations').set({ title: 'A' }).where('hostname', '=', 'acme').execute(),
      ),
    ).toEqual([acme, 'people'])
    expect(await of((tx) => tx.insertInto('jobs').values(job('one')).execute())).toEqual([])
    expect(
      await of((tx) =>
        acrossTestOrganizations(tx)
          .updateTable('members')
          .set({ role: null })
          .where('user_id', '=', 'nobody' as UserId)
          .execute(),
      ),
    ).toEqual([])
  })

  it('invalidate everything when rows leave an organization, or were written by raw SQL', async () => {
    const database = await world()
    const other = await openAgain()
    const of = (work: (tx: Tx) => Promise<unknown>) => concernsOf(database, other, work)
    expect(
      await of((tx) =>
        tx
          .updateTable('grants')
          .set({ organization_id: umbrella, target_id: 'moved' as SpaceId })
          .where('organization_id', '=', acme)
          .execute(),
      ),
    ).toEqual(everything)
    expect(await of((tx) => sql`update users set updated_at = 7`.execute(tx))).toEqual(['people'])
    expect(await of((tx) => sql`delete from grants`.execute(acrossTestOrganizations(tx)))).toEqual(everything)
  })

  it('do not change the results of statements', async () => {
    const database = await world()
    await database.write(async (tx) => {
      const inserted = await tx.insertInto('grants').values(grant(acme, 'bob')).executeTakeFirst()
      expect(inserted.numInsertedOrUpdatedRows).toBe(1n)
      const again = tx
        .insertInto('grants')
        .values(grant(acme, 'bob'))
        .onConflict((on) => on.doNothing())
      expect((await again.executeTakeFirst()).numInsertedOrUpdatedRows).toBe(0n)
      const updated = tx.updateTable('grants').set({ role: 'edit' }).where('organization_id', '=', acme)
      expect((await updated.executeTakeFirst()).numUpdatedRows).toBe(2n)
      expect(await updated.returning('role').execute()).toEqual([{ role: 'edit' }, { role: 'edit' }])
      const row = await tx
        .updateTable('organizations')
        .set({ title: 'B' })
        .where('id', '=', acme)
        .returningAll()
        .executeTakeFirstOrThrow()
      expect([row.title, Object.keys(row).filter((name) => name.includes('~'))]).toEqual(['B', []])
      const deleted = tx.deleteFrom('grants').where('organization_id', '=', acme)
      expect((await deleted.executeTakeFirst()).numDeletedRows).toBe(2n)
    })
  })

  it('that were rolled back have no tags', async () => {
    const database = await world()
    const failing = (tx: Tx) =>
      acrossTestOrganizations(tx)
        .deleteFrom('grants')
        .execute()
        .then(() => Promise.reject(new Error('no')))
    await soon()
    const before = await database.dataVersion()
    await expect(database.write(failing)).rejects.toThrow('no')
    await soon()
    await database.dataVersion()
    expect(database.isUnchanged(before, everything)).toBe(true)
  })

  it('that were acknowledged are known immediately in all processes', async () => {
    const database = await world()
    const other = await openAgain()
    for (let round = 0; round < 50; round += 1) {
      await soon()
      const before = await other.dataVersion()
      const writer = round % 2 === 0 ? database : other
      await writer.write((tx) => tx.updateTable('users').set({ updated_at: round }).execute())
      await soon()
      await other.dataVersion()
      expect(other.isUnchanged(before, ['people']), `round ${round}`).toBe(false)
      expect(other.isUnchanged(before, [acme])).toBe(true)
    }
  })

  it('that are no longer in the log invalidate everything', async () => {
    const database = await world()
    const other = await openAgain()
    await soon()
    const before = await other.dataVersion()
    await database.write((tx) => tx.insertInto('grants').values(grant(acme, 'bob')).execute())
    await database.write((tx) => tx.insertInto('jobs').values(job('last')).execute())
    await database.write(async (tx) => {
      if (engine === 'sqlite')
        await sql`delete from commits where id < (select max(id) from commits)`.execute(tx)
      else await sql`update commits set at = now() - interval '1 hour'`.execute(tx)
    })
    if (engine === 'postgres') await database.write((tx) => pruneCommits(tx))
    await soon()
    await other.dataVersion()
    expect(other.isUnchanged(before, [umbrella])).toBe(false)
  })

  it.runIf(engine === 'postgres')('that began earlier and ended later are not missed', async () => {
    const database = await world()
    const other = await openAgain()
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const slow = database.writeWithLocks(withOrganization(noLocks, acme), async (tx) => {
      await tx.insertInto('grants').values(grant(acme, 'bob')).execute()
      await held
    })
    await other.writeWithLocks(noLocks, (tx) => tx.insertInto('jobs').values(job('between')).execute())
    const before = await other.dataVersion()
    release()
    await slow
    await other.dataVersion()
    expect(other.isUnchanged(before, [acme])).toBe(false)
    expect(other.isUnchanged(before, [umbrella])).toBe(true)
  })

  it.runIf(engine === 'postgres')(
    'are not believed to be known while the server is silent or gone',
    async () => {
      const database = await world()
      const other = await openAgain()
      const before = await other.dataVersion()
      await database.read.selectFrom('users').select('id').execute()
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'octavo moments'`.execute(database.read)
      await other.dataVersion()
      expect(other.isUnchanged(before, [umbrella])).toBe(false)
      // And again after the reconnect.
      let still = false
      for (let tried = 0; !still && tried < 200; tried += 1) {
        const at = await other.dataVersion()
        await new Promise((resolve) => setTimeout(resolve, 20))
        await other.dataVersion()
        still = other.isUnchanged(at, [umbrella])
      }
      expect(still).toBe(true)
    },
  )
})
