/** Merge rules over HTTP: set for an organization or a space, and enforced on every merge. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../contract/shapes.js'
import type { OrganizationId } from '../../core/ids.js'
import type { Database } from '../../store/db/database.js'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'

/** The same database with an interruption before its next transaction. */
function interrupted(database: Database, next: { before: (() => Promise<unknown>) | undefined }): Database {
  const writeWithLocks: Database['writeWithLocks'] = async (hold, work) => {
    const { before } = next
    next.before = undefined
    await before?.()
    return database.writeWithLocks(hold, work)
  }
  return { ...database, writeWithLocks, write: (work) => writeWithLocks('everything', work) }
}

describeEngines('merge rules', (engine) => {
  let api: TestClient
  /** Whose transactions can be interrupted. */
  let slow: TestClient
  const next: { before: (() => Promise<unknown>) | undefined } = { before: undefined }
  let organization: OrganizationId
  let admin: Person
  const people: Record<string, Person> = {}

  beforeAll(async () => {
    const database = await engine.open()
    api = await openTestClient(database)
    slow = await openTestClient(interrupted(database, next))
    admin = await api.person('admin')
    organization = await api.organization(admin)
    const roles = { edit: 'edit', ann: 'review', bob: 'review', boss: 'create' } satisfies Record<
      string,
      Role
    >
    for (const [name, role] of Object.entries(roles)) {
      people[name] = await api.person(name)
      await api.join(organization, people[name], role)
    }
  })

  async function make(method: string, path: string, body?: unknown, person = admin): Promise<any> {
    const answer = await api.request(person, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  /** A space with these rules, and a change request of an editor in it that changes something. */
  async function newRequest(...rules: object[]) {
    const { id } = await make('POST', `/orgs/${organization}/spaces`)
    await make('PATCH', `/spaces/${id}`, { mergeRules: { type: 'rules', rules } })
    return { space: `/spaces/${id}`, request: await requestIn(`/spaces/${id}`) }
  }
  async function requestIn(space: string): Promise<string> {
    const { number } = await make('POST', `${space}/change-requests`, {}, people['edit'])
    await write(`${space}/change-requests/${number}`)
    return `${space}/change-requests/${number}`
  }
  const write = (request: string) =>
    make('POST', `${request}/content`, {
      changes: [{ operation: 'insert_page', document: { markdown: '# New\n' } }],
    })
  const say = (request: string, name: string, status = 'approved') =>
    make('POST', `${request}/reviews`, { status }, people[name])
  const merge = (request: string, name = 'boss', through = api) =>
    through.request(people[name]!, 'POST', `${request}/merge`)
  async function expectRefused(request: string, missing: string, name = 'boss', through = api) {
    const { status, body } = await merge(request, name, through)
    expect(status).toBe(409)
    expect(body.error.message).toContain(missing)
    expect(await make('GET', request)).not.toMatchObject({ status: 'merged' })
    return body.error
  }
  async function expectMerged(request: string, name = 'boss') {
    const { status, body, text } = await merge(request, name)
    expect(status, text).toBe(200)
    expect(body.result).toBe('merge')
    return body
  }

  describe('hold back a merge', () => {
    test('until everything required is present, and list all that is missing', async () => {
      const { space, request } = await newRequest(
        { rule: 'require_at_least_one_approved_review' },
        { rule: 'require_change_request_subject' },
        { rule: 'require_change_request_description' },
      )
      const { revision } = await make('GET', space)
      const { message, details } = await expectRefused(request, 'an approval')
      expect(message).toContain('a subject; a description')
      expect(details.map((one: any) => one.path)).toEqual([0, 1, 2].map((at) => `mergeRules.rules[${at}]`))
      expect(await make('GET', space)).toMatchObject({ revision })

      await make('PATCH', request, { subject: 'New page', description: { markdown: '**Because**' } })
      expect((await make('GET', request)).description).toMatchObject({ object: 'document' })
      await say(request, 'ann')
      await expectMerged(request)
    })

    test('that was approved before the last edit', async () => {
      const { request } = await newRequest({ rule: 'require_at_least_one_approved_review' })
      await say(request, 'ann')
      await write(request)
      await expectRefused(request, 'an approval of its content as it is now')
      await say(request, 'ann')
      await expectMerged(request)
    })

    test('that is approved by those alone who wrote in it, before or after their review', async () => {
      const { space, request } = await newRequest({ rule: 'require_at_least_one_approved_review' })
      const as = (name: string, path: string, body: object = {}) => make('POST', path, body, people[name])
      const insert = { changes: [{ operation: 'insert_page', document: { markdown: '# Of ann\n' } }] }
      const reviewOf = async (name: string) =>
        (await make('GET', `${request}/reviews?outdated=false`)).items.find(
          (one: any) => one.reviewer.id === people[name]!.id,
        )
      expect(await say(request, 'ann')).toMatchObject({ contributor: false })
      await as('ann', `${request}/content`, insert)
      expect(await say(request, 'ann')).toMatchObject({ contributor: true, outdated: false })
      expect(await reviewOf('ann')).toMatchObject({ contributor: true })
      await expectRefused(request, 'its author and contributors')
      // An update is a revision, too.
      await make('PATCH', space, { editMode: 'live' })
      await make('POST', `${space}/content`, insert)
      await as('bob', `${request}/update`)
      await say(request, 'bob')
      await expectRefused(request, 'its author and contributors')
      await say(request, 'boss')
      await expectMerged(request)
    })

    test('while changes are requested, until that reviewer approves: further edits are not enough', async () => {
      const { request } = await newRequest({ rule: 'require_all_reviews_approved' })
      await say(request, 'ann', 'changes-requested')
      await say(request, 'bob')
      await write(request)
      await expectRefused(request, 'the approval of ann, who asked for changes')
      await say(request, 'ann')
      await expectMerged(request)
    })

    test('that is not up to date', async () => {
      const { space, request } = await newRequest({ rule: 'require_up_to_date_change_request' })
      await expectMerged(await requestIn(space))
      // The other's page has the same path.
      await make('POST', `${request}/content`, {
        changes: [{ operation: 'insert_page', document: { markdown: '# Other\n' } }],
      })
      await expectRefused(request, 'an update')
      await make('POST', `${request}/update`, { strategy: 'changes' })
      await expectMerged(request)
    })

    test('until everybody who is named approved', async () => {
      const users = [people['ann']!.id, people['bob']!.id]
      const { request } = await newRequest({ rule: 'require_specific_reviewers', users })
      await say(request, 'ann')
      await expectRefused(request, 'the approval of bob')
      await say(request, 'bob')
      await expectMerged(request)
    })

    test('by an expression, with words of its own', async () => {
      const expression = 'reviews.filter(r => r.status === "approved").length >= 2'
      const { request } = await newRequest({ rule: 'custom', expression, message: 'two approvals' })
      await say(request, 'ann')
      await expectRefused(request, 'Missing: two approvals.')
      await say(request, 'bob')
      await expectMerged(request)
    })

    test('by anybody else than its author', async () => {
      const { space } = await newRequest({ rule: 'require_author_to_merge' })
      const { number } = await make('POST', `${space}/change-requests`, {}, people['ann'])
      await expectRefused(`${space}/change-requests/${number}`, 'ann, to merge it')
      await expectMerged(`${space}/change-requests/${number}`, 'ann')
    })
  })

  test('are bypassed by named users, which response and audit log report', async () => {
    const { request } = await newRequest(
      { rule: 'require_at_least_one_review' },
      { rule: 'allow_bypass', users: [people['boss']!.id] },
    )
    await expectRefused(request, 'a review', 'ann')
    const { warnings } = await expectMerged(request, 'boss')
    expect(warnings).toEqual([{ message: expect.stringContaining('Merged without a review') }])
    const { items } = await make('GET', `/orgs/${organization}/audit?action=mergeChangeRequest&limit=1`)
    expect(items[0].detail).toContain('Merged without a review')
  })

  test('warn of nothing where nothing is missing', async () => {
    const { request } = await newRequest({ rule: 'allow_bypass', users: [people['boss']!.id] })
    expect(await expectMerged(request)).not.toHaveProperty('warnings')
  })

  test('ignore reviews of users who may no longer review', async () => {
    const leaver = await api.person('leaver')
    people['leaver'] = leaver
    await api.join(organization, leaver, 'review')
    const { space, request } = await newRequest(
      { rule: 'require_at_least_one_approved_review' },
      { rule: 'require_all_reviews_approved' },
    )
    await say(request, 'leaver')
    await make('POST', `${space}/permissions`, { role: 'edit', users: [leaver.id] })
    await expectRefused(request, 'an approval')
    await make('POST', `${space}/permissions`, { role: 'review', users: [leaver.id] })
    await say(request, 'leaver', 'changes-requested')
    await say(request, 'ann')
    await expectRefused(request, 'leaver')
    await make('DELETE', `/orgs/${organization}/members/${leaver.id}`)
    await expectMerged(request)
  })

  describe('check what is merged, not what was planned', () => {
    test.each([
      ['asks for changes', (request: string) => say(request, 'ann', 'changes-requested')],
      ['edits', write],
      [
        'asks for another review',
        (request: string) => make('POST', `${request}/requested-reviewers`, { users: [people['ann']!.id] }),
      ],
      [
        'takes the role away',
        (request: string) =>
          make('POST', `/spaces/${request.split('/')[2]}/permissions`, {
            role: 'read',
            users: [people['ann']!.id],
          }),
      ],
      [
        'adds a rule',
        (request: string) =>
          make('PATCH', `/spaces/${request.split('/')[2]}`, {
            mergeRules: {
              type: 'rules',
              rules: [{ rule: 'custom', expression: 'false', message: 'an approval' }],
            },
          }),
      ],
    ])('when a user %s meanwhile', async (_, meanwhile) => {
      const { request } = await newRequest({ rule: 'require_at_least_one_approved_review' })
      await say(request, 'ann')
      next.before = () => meanwhile(request)
      await expectRefused(request, 'an approval', 'boss', slow)
      expect(next.before).toBeUndefined()
    })
  })

  describe('of a space', () => {
    test('are those of its organization, until it has its own', async () => {
      const { id } = await make('POST', `/orgs/${organization}/spaces`)
      const space = `/spaces/${id}`
      const rules = [{ rule: 'require_at_least_one_review' }]
      const set = (mergeRules: object) => make('PATCH', space, { mergeRules })
      const set2 = (mergeRules: object) => make('PATCH', `/orgs/${organization}`, { mergeRules })
      expect(await make('GET', space)).toMatchObject({ mergeRules: { type: 'inherit' } })
      expect(await make('GET', `/orgs/${organization}`)).toMatchObject({ mergeRules: { type: 'none' } })
      await expectMerged(await requestIn(space))

      expect(await set2({ type: 'rules', rules })).toMatchObject({ mergeRules: { type: 'rules', rules } })
      const request = await requestIn(space)
      await expectRefused(request, 'a review')
      expect(await set({ type: 'none' })).toMatchObject({ mergeRules: { type: 'none' } })
      await expectMerged(request)
      const own = { type: 'rules', rules: [{ rule: 'require_change_request_subject' }] }
      expect(await set(own)).toMatchObject({ mergeRules: own })
      await expectRefused(await requestIn(space), 'a subject')
      expect(await set({ type: 'inherit' })).toMatchObject({ mergeRules: { type: 'inherit' } })
      await expectRefused(await requestIn(space), 'a review')
      expect(await set2({ type: 'none' })).toMatchObject({ mergeRules: { type: 'none' } })
      await expectMerged(await requestIn(space))
    })

    test('are set by who administers it, and those of an organization by its admins', async () => {
      const { space } = await newRequest()
      const body = { mergeRules: { type: 'none' } }
      expect((await api.request(people['ann']!, 'PATCH', space, body)).status).toBe(403)
      expect((await api.request(people['boss']!, 'PATCH', space, body)).status).toBe(200)
      expect((await api.request(people['boss']!, 'PATCH', `/orgs/${organization}`, body)).status).toBe(403)
    })
  })

  test.each([
    [{ type: 'rules' }, '"mergeRules.rules" is missing'],
    [{ type: 'none', rules: [] }, '"mergeRules.rules" goes with'],
    [{ type: 'rules', rules: [{ rule: 'require_agent_review' }] }, 'rule'],
    [{ type: 'rules', rules: [{ rule: 'allow_bypass' }] }, '"mergeRules.rules[0].users" is missing'],
    [{ type: 'rules', rules: [{ rule: 'allow_bypass', users: [] }] }, 'users'],
    [
      { type: 'rules', rules: [{ rule: 'allow_bypass', users: ['nobody'] }] },
      '"mergeRules.rules[0].users[0]"',
    ],
    [
      { type: 'rules', rules: [{ rule: 'require_at_least_one_review', users: ['nobody'] }] },
      '"mergeRules.rules[0].users" has no place',
    ],
    [{ type: 'rules', rules: [{ rule: 'custom' }] }, '"mergeRules.rules[0].expression" is missing'],
    [
      { type: 'rules', rules: [{ rule: 'custom', expression: 'a +' }] },
      '"mergeRules.rules[0].expression" is not',
    ],
    [
      { type: 'rules', rules: [{ rule: 'require_change_request_subject', message: 'Why?' }] },
      '"mergeRules.rules[0].message" has no place',
    ],
    [
      { type: 'rules', rules: [{ rule: 'require_change_request_subject', expression: 'true' }] },
      '"mergeRules.rules[0].expression" has no place',
    ],
  ])('that make no sense are refused: %j', async (mergeRules, problem) => {
    const { space } = await newRequest()
    for (const path of [space, `/orgs/${organization}`]) {
      const { status, body } = await api.request(admin, 'PATCH', path, { mergeRules })
      expect(status).toBe(400)
      expect(body.error.message).toContain(problem)
    }
  })

  test('leave live edits alone', async () => {
    const { space } = await newRequest({ rule: 'require_at_least_one_review' })
    await make('PATCH', space, { editMode: 'live' })
    await write(space)
  })
})
