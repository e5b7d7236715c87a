/** What claims an account, each way by itself; and pending memberships. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestClient, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import type { OrganizationId, UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { newId } from '../ids.js'
import { acceptMembership, isClaimed, listJoined, suspendMemberships } from './memberships.js'
import { setPassword } from './passwords.js'
import { startSession } from './sessions.js'
import { newApiToken } from './secrets.js'
import { insertToken } from './tokens.js'
import { markEmailVerified } from './verified-email.js'

const now = Date.parse('2026-01-01T12:00:00Z')
const arriving = { now, ip: null, userAgent: null }

describeEngines('a membership', ({ open }) => {
  let api: TestClient
  let organizationId: OrganizationId
  let otherId: OrganizationId
  const write = <T>(work: (tx: Tx) => Promise<T>) => api.services.database.write(work)

  beforeAll(async () => {
    api = await openTestClient(await open())
    const ann = await api.person('ann')
    organizationId = await api.organization(ann)
    otherId = await api.organization(ann, 'Other')
  })

  /** An account that exists because its address was invited. */
  async function invited(): Promise<UserId> {
    const { id } = await api.person(newId().toLowerCase())
    await write((tx) => tx.deleteFrom('api_tokens').where('user_id', '=', id).execute())
    for (const organization of [organizationId, otherId])
      await api.join(organization, { id, token: '' }, 'read')
    await write((tx) => suspendMemberships(tx, id))
    return id
  }
  const isTaken = (id: UserId) => isClaimed(api.services.database.read, id)
  const joined = (id: UserId) => listJoined(api.services.database.read, id)

  test('is accepted by its user only, each by itself', async () => {
    const id = await invited()
    expect(await joined(id)).toEqual([])
    expect(await write((tx) => acceptMembership(tx, id, organizationId, now))).toBe(true)
    expect(await write((tx) => acceptMembership(tx, id, organizationId, now))).toBe(false)
    expect(await joined(id)).toEqual([organizationId])
    await write((tx) => suspendMemberships(tx, id))
    expect(await joined(id)).toEqual([])
  })

  test('that is disabled does not count, and cannot be accepted', async () => {
    const id = await invited()
    const disable = (organization: OrganizationId) =>
      write((tx) =>
        tx
          .updateTable('members')
          .set({ disabled: 1 })
          .where('organization_id', '=', organization)
          .where('user_id', '=', id)
          .execute(),
      )
    await disable(otherId)
    expect(await write((tx) => acceptMembership(tx, id, otherId, now))).toBe(false)
    await write((tx) => acceptMembership(tx, id, organizationId, now))
    await disable(organizationId)
    expect(await joined(id)).toEqual([])
  })

  describe('leaves an account unclaimed until the user claims it', () => {
    const token = (tx: Tx, userId: UserId, onlyIn?: OrganizationId) =>
      insertToken(tx, { userId, token: newApiToken(), label: 'x', now, ...(onlyIn && { onlyIn }) })
    const session = (tx: Tx, userId: UserId, organization: OrganizationId | null) =>
      startSession(tx, { userId, openedBy: 'link', organizationId: organization }, arriving)
    const revoke = (tx: Tx, id: string) =>
      tx.updateTable('api_tokens').set({ revoked_at: now }).where('id', '=', id).execute()

    test.each<[way: string, isTaken: boolean, claim: (tx: Tx, id: UserId) => Promise<unknown>]>([
      ['nothing', false, async () => {}],
      ['a verified address', true, (tx, id) => markEmailVerified(tx, id, now)],
      ['a password', true, (tx, id) => setPassword(tx, id, 'correct horse battery', now)],
      ['an accepted membership', true, (tx, id) => acceptMembership(tx, id, organizationId, now)],
      ['a session that opens everything', true, (tx, id) => session(tx, id, null)],
      ['a session of one organization', false, (tx, id) => session(tx, id, organizationId)],
      ['a token that opens everything', true, (tx, id) => token(tx, id)],
      ['a token of one organization', false, (tx, id) => token(tx, id, organizationId)],
      ['a revoked token', false, async (tx, id) => revoke(tx, await token(tx, id))],
    ])('%s: %s', async (_, taken, claim) => {
      const [id, bystander] = [await invited(), await invited()]
      await write((tx) => claim(tx, id))
      expect(await isTaken(id)).toBe(taken)
      expect(await isTaken(bystander)).toBe(false)
    })
  })
})
