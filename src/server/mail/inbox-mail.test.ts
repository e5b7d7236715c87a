/** Mails that ask for a review: who gets one, and who no longer does. The other kinds: resources/inbox/inbox.test.ts. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import type { Role } from '../../contract/shapes.js'
import { inboxHandlers } from '../../resources/inbox/deliver.js'
import { drainJobs } from '../../store/jobs/testing.js'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import type { Mail } from './mailer.js'
import { mailHandlers } from './mail.js'

describeEngines('mails that ask for a review', (engine) => {
  let client: TestClient
  let organization: OrganizationId
  let admin: Person
  let space: string
  let request: string
  const people: Record<string, Person> = {}
  let sent: Mail[]

  beforeAll(async () => {
    client = await openTestClient(await engine.open())
    admin = await client.person('admin')
    organization = await client.organization(admin, 'Acme\nInc')
    const roles = {
      edit: 'edit',
      ann: 'review',
      bob: 'review',
      cyd: 'create',
      dan: 'comment',
    } satisfies Record<string, Role>
    for (const [name, role] of Object.entries(roles)) {
      people[name] = await client.person(name)
      await client.join(organization, people[name], role)
    }
  })
  beforeEach(async () => {
    space = `/spaces/${(await make('POST', `/orgs/${organization}/spaces`, { title: 'Handbook' })).id}`
    const { number } = await make(
      'POST',
      `${space}/change-requests`,
      { subject: 'New\n\nprices' },
      people['edit'],
    )
    request = `${space}/change-requests/${number}`
    await send()
    sent = []
  })

  async function make(method: string, path: string, body?: unknown, person = admin): Promise<any> {
    const answer = await client.request(person, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  const ask = (who: object, person = people['edit']) =>
    make('POST', `${request}/requested-reviewers`, who, person)
  const id = (name: string) => people[name]!.id
  const team = async (...names: string[]): Promise<string> => {
    const wanted = { title: `Team of ${names.join(' and ')}`, members: names.map(id) }
    return (await make('PUT', `/orgs/${organization}/teams`, wanted)).id
  }

  /** Sends the due mails, and returns the recipients. */
  async function send(refuses: (mail: Mail) => boolean = () => false): Promise<string[]> {
    sent = []
    const mailer = {
      async send(mail: Mail) {
        if (refuses(mail)) throw new Error('The server for mail is away')
        sent.push(mail)
      },
    }
    await drainJobs({
      database: client.services.database,
      handlers: {
        ...inboxHandlers(client.services),
        ...mailHandlers(mailer, client.services, client.now),
      },
      now: client.now,
      random: () => 0,
      report: () => {},
      signal: new AbortController().signal,
    })
    return sent.map(({ to }) => to.split('@')[0]!).toSorted()
  }

  test('go to the named reviewers, with a link and user text on one line', async () => {
    await ask({ users: [id('ann')] })
    expect(await send()).toEqual(['ann'])
    expect(sent[0]).toMatchObject({ to: 'ann@octavo.test', subject: 'Review of "New prices"' })
    expect(sent[0]!.text).toContain(
      'edit asks for your review of "New prices", change request 1 of "Handbook" in "Acme Inc":\n\nhttp://octavo.test/s/',
    )
    expect(sent[0]!.text).toContain('/~/changes/1/\n')
    // One mail, however many requests were made before it was sent.
    await ask({ users: [id('bob')] })
    await ask({ users: [id('bob'), id('ann')] })
    expect(await send()).toEqual(['ann', 'bob'])
  })

  test('name the requester and the inviter by their names in the organization', async () => {
    const callAll = (name: string | null) =>
      client.services.database.write((tx) =>
        tx
          .updateTable('members')
          .set({ known_as: name })
          .where('organization_id', '=', organization)
          .where('user_id', 'in', [id('edit'), admin.id])
          .execute(),
      )
    await callAll('Somebody known')
    await ask({ users: [id('ann')] })
    await make('POST', `/orgs/${organization}/invites`, { emails: ['zoe@octavo.test'] })
    expect(await send()).toEqual(['ann', 'zoe'])
    for (const { text } of sent) expect(text).toMatch(/^Somebody known (?:asks for|invites you)/)
    await callAll(null)
  })

  test('go to the members of a team who may review, but not to the requester', async () => {
    await ask({ teams: [await team('ann', 'dan', 'cyd', 'edit')] })
    expect(await send()).toEqual(['ann', 'cyd'])
    await ask({ teams: [await team('ann', 'cyd')], users: [id('ann')] }, people['cyd'])
    expect(await send()).toEqual(['ann'])
  })

  test('go to members with the reviewer role when no reviewer is named, else to the next higher role', async () => {
    await ask({})
    expect(await send()).toEqual(['ann', 'bob'])
    for (const name of ['ann', 'bob'])
      await make('PATCH', `/orgs/${organization}/members/${id(name)}`, { role: 'comment' })
    await ask({})
    expect(await send()).toEqual(['cyd'])
    for (const name of ['ann', 'bob'])
      await make('PATCH', `/orgs/${organization}/members/${id(name)}`, { role: 'review' })
  })

  test.each<[string, () => Promise<unknown>]>([
    ['answered', () => make('POST', `${request}/reviews`, { status: 'approved' }, people['ann'])],
    ['is no longer requested', () => make('DELETE', `${request}/requested-reviewers/${id('ann')}`)],
    ['reads a closed change request', () => make('PATCH', request, { status: 'archived' })],
    ['reads one that is a draft again', () => make('PATCH', request, { status: 'draft' })],
    ['may not read the space any more', () => make('PATCH', space, { defaultLevel: null })],
    ['reads a space in the trash', () => make('DELETE', space)],
    ['reads it after days', async () => client.advance(4 * 24 * 3_600_000)],
  ])('do not go to a reviewer who %s', async (_, happen) => {
    await ask({ users: [id('ann')] })
    await happen()
    expect(await send()).not.toContain('ann')
  })

  test('that cannot be sent are retried alone', async () => {
    await ask({ users: [id('ann'), id('bob')] })
    expect(await send(({ to }) => to.startsWith('ann'))).toEqual(['bob'])
    client.advance(3_600_000)
    expect(await send()).toEqual(['ann'])
  })

  test('are at most thirty an hour to one person', async () => {
    let count = 0
    for (let turn = 0; turn < 40; turn += 1) {
      await ask({ users: [id('cyd')] })
      count += (await send()).length
    }
    expect(count).toBeGreaterThan(20)
    expect(count).toBeLessThanOrEqual(30)
  })
})
