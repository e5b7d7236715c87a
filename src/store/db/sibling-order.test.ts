import { beforeEach, expect, it } from 'vitest'
import { describeConcurrency } from '../../../tests/engines.js'
import { acrossTestOrganizations, insertOrganization, insertSpace } from '../../../tests/test-rows.js'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import { spread } from '../../core/order/position.js'
import type { Database, Tx } from './database.js'
import { findGap, positionInGap, lastPosition } from './sibling-order.js'
import type { SiblingPosition, Siblings } from './sibling-order.js'
import { contentSiblings } from './content-siblings.js'

describeConcurrency('the order of siblings', ({ open }) => {
  let database: Database
  let organization = 0
  let organizationId: OrganizationId

  const siblings = (tx: Tx, moved: string): Siblings =>
    contentSiblings(tx, { organizationId, parentId: null }, moved)

  const setPosition = (tx: Tx) => (id: string, position: string) =>
    acrossTestOrganizations(tx)
      .updateTable('spaces')
      .set({ position })
      .where('id', '=', id as SpaceId)
      .execute()

  const insert = (tx: Tx, id: string, position: string) =>
    insertSpace(tx, organizationId, `${organizationId}/${id}`, position)

  const full = (id?: string) => id && `${organizationId}/${id}`

  const place = (id: string, { before, after }: SiblingPosition) =>
    database.write(async (tx) => {
      const where = { before: full(before), after: full(after) }
      const among = siblings(tx, full(id)!)
      const gap = await findGap(among, where)
      if (gap === undefined) return false
      const position = await positionInGap(among, gap, setPosition(tx))
      const exists = await acrossTestOrganizations(tx)
        .selectFrom('spaces')
        .where('id', '=', full(id) as SpaceId)
        .select('id')
        .execute()
      if (exists.length > 0) await setPosition(tx)(full(id)!, position)
      else await insert(tx, id, position)
      return true
    })

  async function order(): Promise<string> {
    const rows = await database.read
      .selectFrom('spaces')
      .select('id')
      .where('organization_id', '=', organizationId)
      .orderBy('position')
      .orderBy('id')
      .execute()
    return rows.map(({ id }) => id.split('/')[1]).join(' ')
  }

  beforeEach(async () => {
    database ??= await open()
    organization += 1
    organizationId = await database.write((tx) => insertOrganization(tx, `organization${organization}`))
  })

  it('puts rows at the end, before and after each other', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await place(id, {})
    expect(await order()).toBe('a b c d')
    await place('x', { before: 'a' })
    await place('y', { after: 'b' })
    await place('z', { before: 'd' })
    expect(await order()).toBe('x a b y c z d')
  })

  it('moves rows, also to their own position', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await place(id, {})
    await place('d', { before: 'a' })
    expect(await order()).toBe('d a b c')
    await place('d', {})
    expect(await order()).toBe('a b c d')
    await place('b', { after: 'a' })
    await place('c', { before: 'd', after: 'a' })
    expect(await order()).toBe('a b c d')
  })

  it('returns undefined for a neighbour that is not a sibling', async () => {
    await place('a', {})
    expect(await place('b', { before: 'stranger' })).toBe(false)
    expect(await place('a', { after: 'a' })).toBe(false)
    expect(await order()).toBe('a')
  })

  it('rebalances siblings with the same position', async () => {
    await database.write(async (tx) => {
      for (const id of ['a', 'b', 'c']) await insert(tx, id, 'a0')
    })
    await place('x', { after: 'a' })
    await place('y', { before: 'c' })
    expect(await order()).toBe('a x b y c')
  })

  it('rebalances when one gap is used repeatedly', async () => {
    await place('a', {})
    await place('z', {})
    const expected = ['a']
    for (let at = 0; at < 330; at += 1) {
      await place(`n${at}`, { before: 'z' })
      expected.push(`n${at}`)
    }
    expect(await order()).toBe([...expected, 'z'].join(' '))
    const longest = await acrossTestOrganizations(database.read)
      .selectFrom('spaces')
      .select('position')
      .execute()
    expect(Math.max(...longest.map(({ position }) => position.length))).toBeLessThanOrEqual(48)
  })

  it('rebalances the few siblings around a full gap, not all', async () => {
    const positions = spread(400)
    await database.write(async (tx) => {
      for (const [at, position] of positions.entries()) {
        await insert(tx, String(at).padStart(3, '0'), at === 200 ? positions[199]! : position)
      }
    })
    await place('new', { before: '200' })
    const names = (await order()).split(' ')
    expect(names.slice(198, 204)).toEqual(['198', '199', 'new', '200', '201', '202'])
    const now = await database.read
      .selectFrom('spaces')
      .select(['id', 'position'])
      .where('organization_id', '=', organizationId)
      .execute()
    const written = now.filter(({ id, position }) => position !== positions[Number(id.split('/')[1])])
    expect(written.length).toBeLessThanOrEqual(34)
  })

  it('puts a row after the last one', async () => {
    await place('a', {})
    await database.write(async (tx) => insert(tx, 'b', await lastPosition(siblings(tx, ''))))
    expect(await order()).toBe('a b')
  })
})
