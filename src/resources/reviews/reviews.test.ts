/** Reviews over HTTP: requests, submission, and what makes reviews outdated. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../contract/shapes.js'
import type { OrganizationId } from '../../core/ids.js'
import { listViolations } from '../../store/db/invariants.js'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'

describeEngines('reviews', (engine) => {
  let api: TestClient
  let organization: OrganizationId
  let admin: Person
  const people: Record<string, Person> = {}

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    admin = await api.person('admin')
    organization = await api.organization(admin)
    const roles = { edit: 'edit', ann: 'review', bob: 'review', comment: 'comment' } satisfies Record<
      string,
      Role
    >
    for (const [name, role] of Object.entries(roles)) {
      people[name] = await api.person(name)
      await api.join(organization, people[name], role)
    }
    people['guest'] = await api.person('guest')
    await api.join(organization, people['guest'], null)
  })

  async function make(method: string, path: string, body?: unknown, person = admin): Promise<any> {
    const answer = await api.request(person, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  async function refuse(status: number, method: string, path: string, body?: unknown, person = admin) {
    const answer = await api.request(person, method, path, body)
    expect(answer.status, answer.text).toBe(status)
    return answer.body.error.message as string
  }
  /** A change request of an editor in a space of its own. */
  async function newRequest() {
    const { id } = await make('POST', `/orgs/${organization}/spaces`)
    const { number } = await make('POST', `/spaces/${id}/change-requests`, {}, people['edit'])
    return { space: `/spaces/${id}`, request: `/spaces/${id}/change-requests/${number}` }
  }
  const write = (request: string) =>
    make('POST', `${request}/content`, {
      changes: [{ operation: 'insert_page', document: { markdown: '# New\n' } }],
    })
  const ask = (request: string, who: object) =>
    make('POST', `${request}/requested-reviewers`, who, people['edit'])
  const say = (request: string, name: string, status = 'approved', more: object = {}) =>
    make('POST', `${request}/reviews`, { status, ...more }, people[name])
  const reviews = async (request: string, query = '') =>
    (await make('GET', `${request}/reviews${query}`)).items as any[]
  const outdated = async (request: string) => (await reviews(request)).map((one) => one.outdated)
  const requested = async (request: string, person = admin) => {
    const { items } = await make('GET', `${request}/requested-reviewers`, undefined, person)
    return items.map((item: any) => item.user?.displayName ?? item.team.title)
  }

  test('contain reviewer and revision, and answer the request', async () => {
    const { space, request } = await newRequest()
    const { id: requestId, revision } = await make('GET', request)
    const { users, teams } = await ask(request, { users: [people['ann']!.id], subject: 'Please look' })
    expect(teams).toEqual([])
    expect(users).toMatchObject([
      {
        object: 'change-request-requested-reviewer',
        kind: 'user',
        user: { id: people['ann']!.id },
        requestedBy: { id: people['edit']!.id },
        revision,
      },
    ])
    expect(await make('GET', request)).toMatchObject({ status: 'open', subject: 'Please look' })
    expect(await requested(request)).toEqual(['ann'])

    const review = await say(request, 'ann')
    expect(review).toMatchObject({
      object: 'change-request-review',
      revision,
      reviewer: { id: people['ann']!.id },
      requestedBy: { id: people['edit']!.id },
      status: 'approved',
      outdated: false,
      urls: { location: `http://octavo.test/v1${space}/change-requests/${requestId}/reviews/${review.id}` },
    })
    expect(review).not.toHaveProperty('comment')
    expect(await make('GET', `${request}/reviews/${review.id}`)).toEqual(review)
    expect(await requested(request)).toEqual([])
    expect(await say(request, 'bob', 'changes-requested')).not.toHaveProperty('requestedBy')
    expect((await reviews(request)).map(({ status }) => status)).toEqual(['approved', 'changes-requested'])
  })

  test('with words are a comment of the change request that names the review', async () => {
    const { request } = await newRequest()
    const { id, comment } = await say(request, 'ann', 'changes-requested', {
      comment: { markdown: '**Why?**' },
    })
    expect(comment).toMatchObject({ body: { markdown: '**Why?**' }, target: { review: id } })
    const [listed] = (await make('GET', `${request}/comments`)).items
    expect(listed).toMatchObject({
      id: comment.id,
      target: { review: id },
      postedBy: { id: people['ann']!.id },
    })
    expect(await make('GET', request)).toMatchObject({ comments: 1 })
    const presented = await make('GET', `${request}/reviews/${id}?format=document`)
    expect(presented.comment.body.document).toMatchObject({ object: 'document' })

    await make('DELETE', `${request}/comments/${comment.id}`, undefined, people['ann'])
    expect(await make('GET', `${request}/reviews/${id}`)).not.toHaveProperty('comment')
    expect(await listViolations(api.services.database.read)).toEqual([])
  })

  describe('are outdated', () => {
    test('once the content changed', async () => {
      const { request } = await newRequest()
      await say(request, 'ann')
      expect(await outdated(request)).toEqual([false])
      await write(request)
      expect(await outdated(request)).toEqual([true])
      await say(request, 'bob')
      expect(await outdated(request)).toEqual([true, false])
      expect((await reviews(request, '?outdated=true')).map((one) => one.reviewer.displayName)).toEqual([
        'ann',
      ])
      const current = await make('GET', `${request}/reviews?outdated=false&limit=1`)
      expect(current.items.map((one: any) => one.reviewer.displayName)).toEqual(['bob'])
      expect(current.count).toBe(1)
      expect(current).not.toHaveProperty('next')
    })

    test('once the same user reviews again, and no one else', async () => {
      const { request } = await newRequest()
      await say(request, 'ann', 'changes-requested')
      await say(request, 'bob')
      await say(request, 'ann')
      expect(await outdated(request)).toEqual([true, false, false])
    })

    test('while the same user is requested again', async () => {
      const { request } = await newRequest()
      await say(request, 'ann')
      await say(request, 'bob')
      await ask(request, { users: [people['ann']!.id] })
      expect(await outdated(request)).toEqual([true, false])
      await say(request, 'ann', 'changes-requested')
      expect(await outdated(request)).toEqual([true, false, false])
    })

    test('by an update that changes the content, and not by one that changes nothing', async () => {
      const { space, request } = await newRequest()
      await write(request)
      await say(request, 'ann')
      await make('POST', `${request}/update`)
      expect(await outdated(request)).toEqual([false])
      const { number } = await make('POST', `${space}/change-requests`)
      await write(`${space}/change-requests/${number}`)
      await make('POST', `${space}/change-requests/${number}/merge`)
      expect(await outdated(request)).toEqual([false])
      await make('POST', `${request}/update`)
      expect(await outdated(request)).toEqual([true])
    })

    test('by an edit and by what takes it back: nobody reviewed that nothing else came along', async () => {
      const { request } = await newRequest()
      await write(request)
      const { pages } = await make('GET', `${request}/content/pages`)
      const page = pages.at(-1).id
      const edit = (markdown: string) =>
        make('POST', `${request}/content`, {
          changes: [{ operation: 'update_page', page, document: { markdown } }],
        })
      await say(request, 'ann')
      await edit('# Other\n')
      await edit('# New\n')
      expect(await outdated(request)).toEqual([true])
      await say(request, 'ann')
      expect(await outdated(request)).toEqual([true, false])
    })

    test('by nothing that happens after the merge', async () => {
      const { space, request } = await newRequest()
      await write(request)
      await say(request, 'ann')
      await make('POST', `${request}/merge`)
      await make('PATCH', space, { editMode: 'live' })
      await make('POST', `${space}/content`, {
        changes: [{ operation: 'insert_page', document: { markdown: '# Later\n' } }],
      })
      expect(await outdated(request)).toEqual([false])
    })
  })

  test('of a revision that is no longer the head are refused', async () => {
    const { request } = await newRequest()
    const { revision } = await make('GET', request)
    await write(request)
    const body = { status: 'approved', revision }
    await refuse(409, 'POST', `${request}/reviews`, body, people['ann'])
    expect(await reviews(request)).toEqual([])
    const now = await make('GET', request)
    expect(await say(request, 'ann', 'approved', { revision: now.revision })).toMatchObject({
      revision: now.revision,
    })
  })

  describe('withdrawn by their reviewer', () => {
    const withdraw = (request: string, id: string, name: string) =>
      make('POST', `${request}/reviews/${id}/withdraw`, undefined, people[name])

    test('stay in the history and count no more, nor do earlier ones', async () => {
      const { space, request } = await newRequest()
      await write(request)
      const rules = [{ rule: 'require_at_least_one_approved_review' }]
      await make('PATCH', space, { mergeRules: { type: 'rules', rules } })
      await say(request, 'ann')
      const { id } = await say(request, 'ann')
      const withdrawn = await withdraw(request, id, 'ann')
      expect(withdrawn).toMatchObject({ id, status: 'approved', outdated: true })
      expect(withdrawn.withdrawnAt).toBe(withdrawn.updatedAt)
      expect(await withdraw(request, id, 'ann')).toEqual(withdrawn)
      expect(await make('GET', `${request}/reviews/${id}`)).toEqual(withdrawn)
      expect(await outdated(request)).toEqual([true, true])
      expect(await refuse(409, 'POST', `${request}/merge`)).toContain('an approval')
      await say(request, 'ann')
      await make('POST', `${request}/merge`)
    })

    test('no longer ask for changes', async () => {
      const { space, request } = await newRequest()
      await write(request)
      await make('PATCH', space, {
        mergeRules: { type: 'rules', rules: [{ rule: 'require_all_reviews_approved' }] },
      })
      const { id } = await say(request, 'ann', 'changes-requested')
      await refuse(409, 'POST', `${request}/merge`)
      await withdraw(request, id, 'ann')
      await make('POST', `${request}/merge`)
    })

    test('are those of others for nobody else, and of closed change requests for nobody', async () => {
      const { request } = await newRequest()
      const { id } = await say(request, 'ann')
      const path = `${request}/reviews/${id}/withdraw`
      for (const person of [people['bob']!, people['edit']!, admin])
        expect(await refuse(403, 'POST', path, undefined, person)).toContain('reviewer')
      await refuse(404, 'POST', path, undefined, people['guest'])
      await refuse(404, 'POST', `${request}/reviews/none/withdraw`, undefined, people['ann'])
      await make('PATCH', request, { status: 'archived' })
      await refuse(409, 'POST', path, undefined, people['ann'])
      expect(await outdated(request)).toEqual([false])
    })
  })

  describe('at the same time as', () => {
    const send = (name: string, request: string, more: object = {}) =>
      api.request(people[name]!, 'POST', `${request}/reviews`, { status: 'approved', ...more })
    const protect = (space: string) =>
      make('PATCH', space, {
        mergeRules: { type: 'rules', rules: [{ rule: 'require_at_least_one_approved_review' }] },
      })

    test('another review are both there, in an order', async () => {
      const { request } = await newRequest()
      await ask(request, { users: [people['ann']!.id, people['bob']!.id] })
      const answers = await Promise.all(['ann', 'bob', 'ann', 'bob'].map((name) => send(name, request)))
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
      const listed = await reviews(request)
      expect(listed.map((one) => one.reviewer.displayName).toSorted()).toEqual(['ann', 'ann', 'bob', 'bob'])
      expect(
        listed
          .filter((one) => !one.outdated)
          .map((one) => one.reviewer.displayName)
          .toSorted(),
      ).toEqual(['ann', 'bob'])
      expect(await requested(request)).toEqual([])
    })

    test('a merge come before it, or are refused', async () => {
      const { space, request } = await newRequest()
      await write(request)
      await protect(space)
      const [review, merge] = await Promise.all([
        send('ann', request),
        api.request(admin, 'POST', `${request}/merge`),
      ])
      expect(review.status).toBe(201)
      expect([200, 409]).toContain(merge.status)
      expect(await make('GET', request)).toMatchObject({ status: merge.status === 200 ? 'merged' : 'draft' })
    })

    test('archiving come before it, or are refused', async () => {
      const { request } = await newRequest()
      const [review, archive] = await Promise.all([
        send('ann', request),
        api.request(people['edit']!, 'PATCH', request, { status: 'archived' }),
      ])
      expect(archive.status).toBe(200)
      expect([201, 409]).toContain(review.status)
      expect(await reviews(request)).toHaveLength(review.status === 201 ? 1 : 0)
    })

    test('an edit never approve what it wrote', async () => {
      const { space, request } = await newRequest()
      await write(request)
      await protect(space)
      const { revision } = await make('GET', request)
      const [review] = await Promise.all([send('ann', request, { revision }), write(request)])
      expect([201, 409]).toContain(review.status)
      expect(await outdated(request)).toEqual(review.status === 201 ? [true] : [])
      await refuse(409, 'POST', `${request}/merge`)
    })

    test('a withdrawal are in an order: what counts afterwards is the later review, or none', async () => {
      const { request } = await newRequest()
      const { id } = await say(request, 'ann')
      await Promise.all([
        make('POST', `${request}/reviews/${id}/withdraw`, undefined, people['ann']),
        say(request, 'ann'),
      ])
      expect(await outdated(request)).toEqual([true, false])
    })
  })

  describe('requests', () => {
    test('to a team are answered by its members, and by no one else', async () => {
      const { request } = await newRequest()
      const team = await make('PUT', `/orgs/${organization}/teams`, {
        title: 'Editors',
        members: [people['bob']!.id],
      })
      const { teams } = await ask(request, { teams: [team.id], users: [people['ann']!.id] })
      expect(teams).toMatchObject([{ kind: 'team', team: { object: 'team', id: team.id, title: 'Editors' } }])
      expect((await requested(request)).toSorted()).toEqual(['Editors', 'ann'])
      expect(await say(request, 'ann')).toMatchObject({ requestedBy: { id: people['edit']!.id } })
      expect(await requested(request)).toEqual(['Editors'])
      expect(await say(request, 'bob')).toMatchObject({ requestedBy: { id: people['edit']!.id } })
      expect(await requested(request)).toEqual([])
    })

    test('to the same user are stored once, with the last requester', async () => {
      const { request } = await newRequest()
      await ask(request, { users: [people['ann']!.id, people['ann']!.id] })
      await make('POST', `${request}/requested-reviewers`, { users: [people['ann']!.id] })
      const { items } = await make('GET', `${request}/requested-reviewers`)
      expect(items).toMatchObject([{ requestedBy: { id: admin.id } }])
    })

    test('to users and teams are removed, and removing them again is a no-op', async () => {
      const { request } = await newRequest()
      const team = await make('PUT', `/orgs/${organization}/teams`, { title: 'Readers' })
      await ask(request, { users: [people['ann']!.id], teams: [team.id] })
      for (const id of [people['ann']!.id, team.id]) {
        const remove = () => api.request(people['edit']!, 'DELETE', `${request}/requested-reviewers/${id}`)
        expect((await remove()).status).toBe(205)
        expect((await remove()).status).toBe(204)
      }
      expect(await requested(request)).toEqual([])
    })

    test('end with the membership of the requested user or team', async () => {
      const { request } = await newRequest()
      const team = await make('PUT', `/orgs/${organization}/teams`, { title: 'Gone' })
      people['leaves'] = await api.person('leaves')
      await api.join(organization, people['leaves'], 'review')
      await ask(request, { users: [people['leaves'].id], teams: [team.id] })
      await make('DELETE', `/orgs/${organization}/teams/${team.id}`)
      expect(await requested(request)).toEqual(['leaves'])
      await make('DELETE', `/orgs/${organization}/members/${people['leaves'].id}`)
      expect(await requested(request)).toEqual([])
    })

    test('are found by requested reviewer, in lists of a space and of the organization', async () => {
      const { space, request } = await newRequest()
      const { id } = await make('GET', request)
      const team = await make('PUT', `/orgs/${organization}/teams`, {
        title: 'Finders',
        members: [people['bob']!.id],
      })
      const found = async (name: string, place = space) => {
        const query = `status=all&limit=100&requestedReviewer=${people[name]!.id}`
        const { items } = await make('GET', `${place}/change-requests?${query}`)
        return items.some((one: any) => one.id === id) as boolean
      }
      await ask(request, { users: [people['ann']!.id], teams: [team.id] })
      for (const place of [space, `/orgs/${organization}`]) {
        expect(await found('ann', place)).toBe(true)
        expect(await found('bob', place)).toBe(true)
        expect(await found('edit', place)).toBe(false)
      }
      await say(request, 'bob')
      expect([await found('ann'), await found('bob')]).toEqual([true, false])
      const begunBy = async (person: Person) =>
        (await make('GET', `${space}/change-requests?status=all&creator=${person.id}`)).count
      expect([await begunBy(people['edit']!), await begunBy(admin)]).toEqual([1, 0])
    })

    test('without reviewers just open a draft', async () => {
      const { request } = await newRequest()
      expect(await ask(request, {})).toEqual({ users: [], teams: [] })
      expect(await make('GET', request)).toMatchObject({ status: 'open' })
    })

    test('name users who may review and existing teams: all or none are stored', async () => {
      const { request } = await newRequest()
      const place = `${request}/requested-reviewers`
      const stranger = await api.person('stranger')
      for (const id of [people['edit']!.id, stranger.id, 'nobody']) {
        const body = { users: [people['ann']!.id, id] }
        expect(await refuse(400, 'POST', place, body, people['edit'])).toContain('"users[1]"')
      }
      expect(await refuse(400, 'POST', place, { teams: ['none'] }, people['edit'])).toContain('"teams[0]"')
      expect(await requested(request)).toEqual([])
      expect(await make('GET', request)).toMatchObject({ status: 'draft' })
    })

    test('hide teams from guests, who can name none either', async () => {
      const { space, request } = await newRequest()
      const team = await make('PUT', `/orgs/${organization}/teams`, { title: 'Hidden' })
      await ask(request, { users: [people['ann']!.id], teams: [team.id] })
      const guest = people['guest']!
      await make('POST', `${space}/permissions`, { role: 'edit', users: [guest.id] })
      expect(await requested(request, guest)).toEqual(['ann'])
      const body = { teams: [team.id] }
      expect(await refuse(400, 'POST', `${request}/requested-reviewers`, body, guest)).toContain('a team')
    })
  })

  test('are submitted with permission to review, and requested with permission to edit', async () => {
    const { request } = await newRequest()
    await refuse(403, 'POST', `${request}/reviews`, { status: 'approved' }, people['edit'])
    await refuse(403, 'POST', `${request}/requested-reviewers`, {}, people['comment'])
    await refuse(404, 'GET', `${request}/reviews`, undefined, people['guest'])
    await refuse(400, 'POST', `${request}/reviews`, { status: 'fine' }, people['ann'])
    await refuse(404, 'GET', `${request}/reviews/none`, undefined, people['ann'])
  })

  test('of another change request are not found', async () => {
    const { request } = await newRequest()
    const { id } = await say((await newRequest()).request, 'ann')
    await refuse(404, 'GET', `${request}/reviews/${id}`)
  })

  test.each(['merged', 'archived'])('end when the change request is %s', async (status) => {
    const { request } = await newRequest()
    await write(request)
    if (status === 'merged') await make('POST', `${request}/merge`)
    else await make('PATCH', request, { status })
    expect(await refuse(409, 'POST', `${request}/reviews`, { status: 'approved' }, people['ann'])).toContain(
      status,
    )
    await refuse(409, 'POST', `${request}/requested-reviewers`, {})
  })

  test('go to another organization with their space, and open questions stay behind', async () => {
    const { space, request } = await newRequest()
    await write(request)
    await say(request, 'ann', 'approved', { comment: { markdown: 'Fine.' } })
    await ask(request, { users: [people['bob']!.id] })
    const there = await api.organization(admin, 'There')
    await make('POST', `${space}/transfer`, { organization: there })
    expect(await reviews(request)).toMatchObject([
      { reviewer: { displayName: 'ann' }, outdated: false, comment: { body: { markdown: 'Fine.' } } },
    ])
    expect(await requested(request)).toEqual([])
    expect(await listViolations(api.services.database.read)).toEqual([])
  })

  test('are recorded in the audit log', async () => {
    const { request } = await newRequest()
    await ask(request, { users: [people['ann']!.id] })
    const { id } = await say(request, 'ann')
    const { items } = await make('GET', `/orgs/${organization}/audit?limit=2`)
    expect(items).toMatchObject([
      { action: 'submitChangeRequestReview', thing: id, actor: { id: people['ann']!.id } },
      { action: 'requestReviewersForChangeRequest', actor: { id: people['edit']!.id } },
    ])
  })
})
