import { expect, test } from 'vitest'
import { describeEngines } from '../../../tests/engines.js'
import { acrossTestOrganizations, insertOrganization, insertSpace } from '../../../tests/test-rows.js'
import type { CollectionId, RevisionId, SpaceId, UserId } from '../../core/ids.js'
import { insertRevision } from '../content/revisions.js'
import { emptySnapshot } from '../../core/pages/build.js'
import { defaultConfig } from '../../core/config.js'
import type { Tx } from './database.js'
import { listViolations } from './invariants.js'

describeEngines('violated invariants', (engine) => {
  test('are returned with their problem and ids; others are not', async () => {
    const database = await engine.open()
    const acme = await database.write((tx) => insertOrganization(tx, 'acme'))
    const insertAt = (tx: Tx, spaceId: SpaceId, number: number, id: string) =>
      insertRevision(tx, {
        id: id as RevisionId,
        organizationId: acme,
        spaceId,
        changeRequestId: null,
        number,
        saves: 1,
        type: 'edits',
        snapshot: emptySnapshot(defaultConfig),
        parents: [],
        createdBy: 'user' as UserId,
        createdAt: 0,
        mergedFrom: null,
        message: null,
        git: null,
      })
    const guide = await database.write(async (tx) => {
      const spaceId = await insertSpace(tx, acme, 'guide')
      await insertAt(tx, spaceId, 1, `${spaceId}-head`)
      return spaceId
    })
    expect(await listViolations(database.read)).toEqual([])

    await database.write(async (tx) => {
      await insertAt(tx, guide, 2, 'beyond the head')
      const lost = await insertSpace(tx, acme, 'lost')
      await acrossTestOrganizations(tx)
        .updateTable('spaces')
        .set({ collection_id: 'gone' as CollectionId })
        .where('id', '=', lost)
        .execute()
      await tx
        .insertInto('grants')
        .values({
          organization_id: acme,
          target_kind: 'space',
          target_id: lost,
          grantee_kind: 'user',
          grantee_id: 'nobody' as UserId,
          role: 'read',
          created_at: 0,
        })
        .execute()
    })
    expect(await listViolations(database.read)).toEqual([
      { problem: expect.stringContaining('a collection that is gone'), ids: ['lost'] },
      { problem: expect.stringContaining('a revision that is missing'), ids: ['lost'] },
      { problem: expect.stringContaining('not the newest of its line'), ids: ['guide-head'] },
      { problem: expect.stringContaining('not in the organization'), ids: ['nobody'] },
    ])
  })
})
