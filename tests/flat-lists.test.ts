/** What every request may ask costs the same among a hundred thousand rows: by its plans, and by the rows it reads. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { CollectionId, OrganizationId, SpaceId } from '../src/core/ids.js'
import type { Database } from '../src/store/db/database.js'
import { findGap } from '../src/store/db/order.js'
import { contentSiblings } from '../src/store/db/siblings.js'
import { describeEngines } from './engines.js'
import { plansOf } from './plans.js'
import { insertOrganization, insertSpace } from './rows.js'

describeEngines('lists that are flat', ({ open }) => {
  let database: Database
  const organizationId = 'organization' as OrganizationId
  const collection = 'collection' as CollectionId

  beforeAll(async () => {
    database = await open()
    await database.write(async (tx) => {
      await insertOrganization(tx, organizationId)
      for (const id of ['one', 'other']) await insertSpace(tx, organizationId, id)
      for (const id of ['inner', 'innerOther']) {
        await insertSpace(tx, organizationId, id)
        await tx
          .updateTable('spaces')
          .set({ collection_id: collection })
          .where('id', '=', id as SpaceId)
          .execute()
      }
    })
  })

  const costly = async (work: Parameters<typeof plansOf>[1]) =>
    (await plansOf(database.read, work)).filter((plan) => plan.costly.length > 0)

  describe('the neighbours of a place', () => {
    it.each([
      ['at the top', null, 'other'],
      ['in a collection', collection, 'innerOther'],
    ])('are found by the index of the order, %s', async (_name, parentId, named) => {
      const siblings = (db: Database['read']) => contentSiblings(db, { organizationId, parentId }, 'moved')
      expect(await costly((db) => findGap(siblings(db), {}))).toEqual([])
      expect(await costly((db) => findGap(siblings(db), { before: named }))).toEqual([])
    })
  })
})
