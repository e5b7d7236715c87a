import { beforeAll, expect, it } from 'vitest'
import { describeLayouts } from '../../../tests/engines.js'
import { acrossTestOrganizations, insertOrganization, insertSpace } from '../../../tests/test-rows.js'
import { defaultConfig } from '../../core/config.js'
import type { ChangeRequestId, Hash, OrganizationId, RevisionId, SpaceId, UserId } from '../../core/ids.js'
import type { Snapshot } from '../../core/pages/types.js'
import type { Database } from '../db/database.js'
import { moveChangeRequestHead, moveSpaceHead } from './heads.js'
import { findRevision, insertRevision } from './revisions.js'
import type { Revision } from './revisions.js'

const snapshot = {
  pages: 'p' as Hash as Snapshot['pages'],
  order: null,
  paths: null,
  files: null,
  names: null,
  links: null,
}

describeLayouts('revisions and heads', ({ open }) => {
  let database: Database
  let organizationId: OrganizationId
  let spaceId: SpaceId

  beforeAll(async () => {
    database = await open()
    await database.write(async (tx) => {
      organizationId = await insertOrganization(tx, 'O')
      spaceId = await insertSpace(tx, organizationId, 'S')
    })
  })

  it('are read as they were written, within their space and organization only', async () => {
    const revision: Revision = {
      id: 'R' as RevisionId,
      organizationId,
      spaceId,
      changeRequestId: null,
      number: 1,
      saves: 1,
      type: 'edits',
      snapshot: { ...snapshot, config: defaultConfig },
      parents: ['P' as RevisionId],
      createdBy: 'U' as UserId,
      createdAt: 1_763_000_000_000,
      mergedFrom: null,
      message: 'Say ünï "hello"',
      git: { oid: 'abc' },
    }
    await database.write((tx) => insertRevision(tx, revision))
    const { read } = database
    expect(await findRevision(read, organizationId, spaceId, revision.id)).toEqual(revision)
    expect(await findRevision(read, organizationId, 'T' as SpaceId, revision.id)).toBeUndefined()
    expect(await findRevision(read, 'Q' as OrganizationId, spaceId, revision.id)).toBeUndefined()
  })

  it('let exactly one of many writers move a head from the revision that they all read', async () => {
    const from = 'S-head' as RevisionId
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        database.write((tx) =>
          moveSpaceHead(tx, organizationId, spaceId, { from, to: `R${at}` as RevisionId, at: 5 }),
        ),
      ),
    )
    expect(results.filter(Boolean)).toHaveLength(1)
    const space = await acrossTestOrganizations(database.read)
      .selectFrom('spaces')
      .select(['revision_id', 'updated_at'])
      .where('id', '=', spaceId)
      .executeTakeFirstOrThrow()
    expect(space).toEqual({ revision_id: `R${results.indexOf(true)}`, updated_at: 5 })
    const stranger = { from: space.revision_id, to: from, at: 6 }
    expect(await database.write((tx) => moveSpaceHead(tx, 'Q' as OrganizationId, spaceId, stranger))).toBe(
      false,
    )
  })

  it('move the head of a change request the same way', async () => {
    const id = 'C' as ChangeRequestId
    const at = (name: string) => name as RevisionId
    const moves = await database.write(async (tx) => {
      const heads = {
        revision_id: at('a'),
        revision_initial_id: at('a'),
        revision_merged_ancestor_id: at('a'),
      }
      const nothing = { revision_merged_id: null, agent_task_id: null, merged_by: null, merged_at: null }
      const row = { id, organization_id: organizationId, space_id: spaceId, number: 1, status: 'draft' }
      const times = { created_at: 0, updated_at: 0, created_by: 'U' as UserId }
      await tx
        .insertInto('change_requests')
        .values({ ...row, ...heads, ...nothing, ...times, subject: '', conflicts: null })
        .execute()
      const move = (from: string, to: string, amends = false) =>
        moveChangeRequestHead(tx, organizationId, id, {
          from: at(from),
          to: at(to),
          at: 1,
          amendable: { by: 'U' as UserId, since: 1, credential: null },
          amends,
        })
      const made = [await move('a', 'b'), await move('a', 'c'), await move('b', 'c', true)]
      // A comment on the head.
      await tx
        .updateTable('change_requests')
        .set({ amendable_by: null, amendable_since: null })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .execute()
      return [...made, await move('c', 'd', true), await move('c', 'd')]
    })
    expect(moves).toEqual([true, false, true, false, true])
  })
})
