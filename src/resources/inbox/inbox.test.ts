/** Inboxes: who is notified of what, once, whatever happens to the worker; reading, marking, unsubscribing. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Person, type TestClient, openTestClient } from '../../../tests/test-client.js'
import { deliverInboxes } from '../../../tests/background-work.js'
import { describeEngines } from '../../../tests/engines.js'
import { openMailbox, unfold } from '../../../tests/mailbox.js'
import { acrossTestOrganizations } from '../../../tests/test-rows.js'
import type { OrganizationId } from '../../core/ids.js'
import type { Role } from '../../contract/shapes.js'
import { createMailer, mailHandlers } from '../../server/mail/mail.js'
import { mountUnsubscribe } from '../../server/sign-in/unsubscribe.js'
import { drainJobs } from '../../store/jobs/testing.js'
import { inboxHandlers } from './deliver.js'
import { maxEntries } from './store.js'

describeEngines('inbox', (engine) => {
  let api: TestClient
  let organization: OrganizationId
  let space: string
  let request: string
  let mailbox: Awaited<ReturnType<typeof openMailbox>>
  const people: Record<string, Person> = {}

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    mountUnsubscribe(api.server, api)
    mailbox = await openMailbox()
    people['admin'] = await api.person('admin')
    organization = await api.organization(people['admin'], 'Acme')
    const roles = { ann: 'review', bob: 'comment', cyd: 'edit', gus: null, new: 'read' } as const
    for (const [name, role] of Object.entries(roles)) {
      people[name] = await api.person(name)
      await api.join(organization, people[name], role as Role)
    }
  })
  afterAll(() => mailbox.close())
  beforeEach(async () => {
    space = `/spaces/${(await act('admin', 'POST', `/orgs/${organization}/spaces`, { title: 'Handbook' })).id}`
    const { number } = await act('cyd', 'POST', `${space}/change-requests`, { subject: 'Prices' })
    request = `${space}/change-requests/${number}`
    for (const name of Object.keys(people)) await act(name, 'POST', '/user/inbox/read')
    mailbox.received.length = 0
  })

  async function act(name: string, method: string, path: string, body?: unknown): Promise<any> {
    const answer = await api.request(people[name]!, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  const at = (name: string) => `[@${name}](/users/${people[name]!.id} "mention")`
  const say = (name: string, path: string, markdown: string) =>
    act(name, 'POST', path, { body: { markdown } })
  const list = (name: string, query = '') => act(name, 'GET', `/user/inbox?limit=50${query}`)
  /** The unread entries of each person as "kind by whom", newest first. */
  async function unread(...names: string[]): Promise<Record<string, string[]>> {
    await deliverInboxes(api)
    const lists = names.map(async (name) => {
      const { items, unread: count } = await list(name, '&read=false')
      expect(count).toBe(items.length)
      return [name, items.map((one: any) => `${one.kind} ${one.actor.displayName}`)] as const
    })
    return Object.fromEntries(await Promise.all(lists))
  }
  async function work(now = api.now): Promise<void> {
    await drainJobs({
      database: api.services.database,
      handlers: {
        ...inboxHandlers(api.services),
        ...mailHandlers(createMailer({ smtpUrl: mailbox.url }, 'http://octavo.test'), api.services, now),
      },
      now,
      random: () => 0,
      report: (error) => expect.unreachable(String(error)),
      signal: new AbortController().signal,
    })
  }

  test('says who did what where, of a whole discussion, to everyone once', async () => {
    const comment = await say('bob', `${request}/comments`, `Is **this** right, ${at('ann')}?`)
    const replies = `${request}/comments/${comment.id}/replies`
    const reply = await say('ann', replies, `Ask ${at('bob')} and ${at('ann')}, ${at('ann')}`)
    await say('admin', replies, 'Yes')
    await act('ann', 'POST', `${request}/reviews`, { status: 'approved' })
    await act('admin', 'POST', `${request}/merge`)
    expect(await unread('admin', 'ann', 'bob', 'cyd', 'new')).toEqual({
      admin: [],
      // Of the merge as a reviewer.
      ann: ['merged admin', 'replied admin', 'mentioned bob'],
      bob: ['replied admin', 'mentioned ann'],
      cyd: ['merged admin', 'replied ann', 'replied bob'],
      new: [],
    })
    const [, , mention] = (await list('ann', '&read=false')).items
    expect(mention).toMatchObject({
      object: 'inbox-entry',
      kind: 'mentioned',
      read: false,
      actor: { id: people['bob']!.id },
      organization: { id: organization, title: 'Acme' },
      space: { title: 'Handbook' },
      changeRequest: { subject: 'Prices', status: 'merged' },
      comment: { id: comment.id, excerpt: 'Is this right, @ann?' },
    })
    expect(new URL(mention.urls.app).pathname).toMatch(/^\/s\/\w+\/~\/changes\/1\/~\/conversation\/$/)
    const [, reviewed] = (await list('cyd')).items
    expect(reviewed.review.status).toBe('approved')
    const [, mentioned] = (await list('bob')).items
    expect(mentioned.comment).toMatchObject({ id: comment.id, reply: reply.id })
    expect((await list('cyd', '&kind=merged&read=false')).items).toHaveLength(1)
    expect((await list('cyd', '&organization=unknown')).items).toEqual([])
  })

  test('has mentions in descriptions and on spaces, of newly named people who may read, and none by guests', async () => {
    const { defaultLevel } = await act('admin', 'PATCH', space, { defaultLevel: null })
    expect(defaultLevel).toBeNull()
    await act('admin', 'POST', `${space}/permissions`, {
      role: 'edit',
      users: [people['cyd']!.id, people['gus']!.id],
    })
    await act('cyd', 'PATCH', request, { description: { markdown: `For ${at('admin')} and ${at('bob')}` } })
    const { id } = await say('cyd', `${space}/comments`, `${at('gus')} ${at('ann')}`)
    expect(await unread('admin', 'ann', 'bob', 'gus')).toEqual({
      admin: ['mentioned cyd'],
      ann: [],
      bob: [],
      gus: ['mentioned cyd'],
    })
    await act('cyd', 'PUT', `${space}/comments/${id}`, {
      body: { markdown: `${at('gus')} ${at('admin')} [@x](/users/unknown)` },
    })
    await say('gus', `${space}/comments/${id}/replies`, `And ${at('admin')}`)
    expect(await unread('admin', 'cyd', 'gus')).toEqual({
      admin: ['mentioned cyd', 'mentioned cyd'],
      cyd: ['replied gus'],
      gus: ['mentioned cyd'],
    })
  })

  test('asks for reviews by name and by team, and no more after the answer', async () => {
    const { id: team } = await act('admin', 'PUT', `/orgs/${organization}/teams`, {
      title: 'Readers',
      members: [people['admin']!.id],
    })
    await act('cyd', 'POST', `${request}/requested-reviewers`, { users: [people['ann']!.id], teams: [team] })
    expect(await unread('admin', 'ann')).toEqual({ admin: ['assigned cyd'], ann: ['review-requested cyd'] })
    expect((await list('admin')).items[0].team).toEqual({ id: team, title: 'Readers' })
    await act('ann', 'POST', `${request}/reviews`, { status: 'changes-requested' })
    await act('cyd', 'DELETE', `${request}/requested-reviewers/${team}`)
    expect(await unread('admin', 'ann', 'cyd')).toEqual({ admin: [], ann: [], cyd: ['replied ann'] })
    await act('cyd', 'POST', `${request}/requested-reviewers`, { users: [people['ann']!.id] })
    expect(await unread('ann')).toEqual({ ann: ['review-requested cyd'] })
  })

  test('is marked entry by entry, up to one, and as a whole', async () => {
    for (const words of ['one', 'two', 'three'])
      await say('cyd', `${space}/comments`, `${words} ${at('ann')}`)
    await deliverInboxes(api)
    const { items } = await list('ann', '&read=false')
    const [three, two, one] = items.map(({ id }: any) => id)
    const mark = (id: string, read: boolean) => act('ann', 'PATCH', `/user/inbox/${id}`, { read })
    expect(await mark(three, true)).toMatchObject({ id: three, read: true, readAt: expect.any(String) })
    expect(await mark(three, false)).not.toHaveProperty('readAt')
    expect(await act('ann', 'POST', '/user/inbox/read', { through: two })).toEqual({ unread: 1 })
    expect((await list('ann', '&read=false')).items.map(({ id }: any) => id)).toEqual([three])
    expect(await act('ann', 'POST', '/user/inbox/read')).toEqual({ unread: 0 })
    const of = (name: string, id: string) =>
      api.request(people[name]!, 'PATCH', `/user/inbox/${id}`, { read: true })
    expect([(await of('bob', one)).status, (await of('ann', 'unknown')).status]).toEqual([404, 404])
    for (const body of [{ through: 'unknown' }, { through: 'a\0' }, { all: true }])
      expect((await api.request(people['ann']!, 'POST', '/user/inbox/read', body)).status).toBe(400)
    expect((await api.request(null, 'GET', '/user/inbox')).status).toBe(401)
  })

  test('contains nothing of what is gone, or closed to its person', async () => {
    const comment = await say('cyd', `${request}/comments`, at('new'))
    await say('cyd', `${space}/comments`, at('new'))
    expect(await unread('new')).toEqual({ new: ['mentioned cyd', 'mentioned cyd'] })
    const count = async () => (await list('new')).unread
    await act('admin', 'PATCH', space, { defaultLevel: null })
    expect(await count()).toBe(0)
    await act('admin', 'PATCH', space, { defaultLevel: 'inherit' })
    expect(await count()).toBe(2)
    await act('cyd', 'DELETE', `${request}/comments/${comment.id}`)
    expect(await count()).toBe(1)
    await act('admin', 'DELETE', space)
    expect(await count()).toBe(0)
    await act('admin', 'POST', `${space}/restore`)
    expect(await count()).toBe(1)
    await act('admin', 'DELETE', `/orgs/${organization}/members/${people['new']!.id}`)
    expect((await list('new')).items).toEqual([])
    await api.join(organization, people['new']!, 'read')
    expect((await list('new')).items).toEqual([])
    // What is gone before the delivery is no error.
    const late = await say('cyd', `${space}/comments`, at('new'))
    await act('cyd', 'DELETE', `${space}/comments/${late.id}`)
    expect(await unread('new')).toEqual({ new: [] })
  })

  test('has each entry once when the worker is killed after it wrote them, and keeps what was read read', async () => {
    const { database } = api.services
    await say('cyd', `${space}/comments`, at('bob'))
    const jobs = await database.read.selectFrom('jobs').selectAll().where('type', '=', 'notify').execute()
    expect(await unread('bob')).toEqual({ bob: ['mentioned cyd'] })
    await act('bob', 'POST', '/user/inbox/read')
    const mails = () =>
      database.read.selectFrom('jobs').select('id').where('type', '=', 'send-inbox-mail').execute()
    const before = await mails()
    // The process ended before the job was completed: it is there again.
    await database.write((tx) =>
      tx
        .insertInto('jobs')
        .values(jobs.map((job) => ({ ...job, claim: null })))
        .execute(),
    )
    expect(await unread('bob')).toEqual({ bob: [] })
    expect((await list('bob')).items.filter((one: any) => space.endsWith(one.space.id))).toHaveLength(1)
    expect(await mails()).toEqual(before)
  })

  test('retains the last thousand entries of a member', async () => {
    const [row] = await (async () => {
      await say('cyd', `${space}/comments`, at('bob'))
      await deliverInboxes(api)
      return acrossTestOrganizations(api.services.database.read)
        .selectFrom('inbox_entries')
        .selectAll()
        .where('user_id', '=', people['bob']!.id)
        .orderBy('at', 'desc')
        .limit(1)
        .execute()
    })()
    const copies = Array.from({ length: maxEntries }, (_, count) => ({
      ...row!,
      id: `copy-${count}` as never,
      at: count,
    }))
    await api.services.database.write(async (tx) => {
      for (let start = 0; start < copies.length; start += 200)
        await tx
          .insertInto('inbox_entries')
          .values(copies.slice(start, start + 200))
          .execute()
    })
    await say('cyd', `${space}/comments`, at('bob'))
    await deliverInboxes(api)
    const { count, unread: left } = await list('bob')
    expect(count).toBe(maxEntries)
    expect(left).toBe(maxEntries - (await list('bob', '&read=true')).count)
  })

  test('is followed live by its person alone', async () => {
    const feed = `/orgs/${organization}/events`
    const positions: Record<string, string> = {}
    for (const name of ['ann', 'bob']) positions[name] = (await act(name, 'GET', feed)).last
    const ofSpace = (await act('ann', 'GET', `${space}/events`)).last
    await say('cyd', `${space}/comments`, at('ann'))
    await deliverInboxes(api)
    const types = async (name: string, path: string, after: string) =>
      (await act(name, 'GET', `${path}?after=${after}`)).items.map(({ type }: any) => type)
    expect(await types('ann', feed, positions['ann']!)).toEqual(['comment_created', 'inbox_updated'])
    expect(await types('bob', feed, positions['bob']!)).toEqual(['comment_created'])
    expect(await types('ann', `${space}/events`, ofSpace)).toEqual(['comment_created', 'inbox_updated'])
    expect(await types('bob', `${space}/events`, ofSpace)).toEqual(['comment_created'])
  })

  test('is mailed at once, once a day or never, and not what was read; a link in the mail ends it', async () => {
    const prefer = (name: string, mail: object) => act(name, 'PATCH', '/user/preferences', { mail })
    await prefer('ann', { mention: 'daily', reply: 'at-once' })
    await prefer('bob', { mention: 'never' })
    const body = `See <b>https://evil.test</b> ${at('ann')} ${at('bob')} ${at('admin')}`
    const { id } = await say('cyd', `${space}/comments`, body)
    await say('ann', `${space}/comments/${id}/replies`, 'Done')
    await say('cyd', `${space}/comments/${id}/replies`, 'Thanks')
    await work()
    const to = () => mailbox.received.map((mail) => /^To: (\w+)@/m.exec(mail)![1]).toSorted()
    expect(to()).toEqual(['admin', 'ann', 'cyd'])
    const [mention] = mailbox.received.filter((mail) => /^To: admin@/m.test(mail)).map(unfold)
    expect(mention).toMatch(/^Subject: .*cyd_mentions_you_in/m)
    expect(mention).toContain('Content-Type: multipart/alternative')
    expect(mention).not.toContain('evil.test')
    expect(mention).not.toContain('<b>')
    expect(mention).toMatch(/http:\/\/octavo\.test\/s\/\w+\/\?comment=\w+/)
    expect(mention).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')

    // The mail of the day, with what is unread; two workers send it once.
    mailbox.received.length = 0
    await say('cyd', `${space}/comments`, `Read ${at('ann')}`)
    await work()
    expect(to()).toEqual([])
    const [read] = (await list('ann', '&read=false&kind=mentioned')).items
    await act('ann', 'PATCH', `/user/inbox/${read.id}`, { read: true })
    api.advance(24 * 3_600_000)
    await Promise.all([work(), work()])
    expect(to()).toEqual(['ann'])
    const digest = unfold(mailbox.received[0]!)
    expect(digest).toMatch(/^Subject: One unread notification/m)
    expect(digest).toContain('http://octavo.test/inbox')
    api.advance(24 * 3_600_000)
    await say('cyd', `${space}/comments`, `Again ${at('ann')}`)
    await work()
    api.advance(24 * 3_600_000)
    await work()
    expect(to()).toEqual(['ann', 'ann'])

    const header = (mail: string) =>
      new URL(
        /^List-Unsubscribe:\s+<(http[^>]+)>/m
          .exec(unfold(mail).replace(/\r\n\s/g, ' '))![1]!
          .replace(/\s/g, ''),
      )
    const unsubscribe = header(mention!)
    const url = unsubscribe.pathname + unsubscribe.search
    const page = await api.server.inject({ method: 'GET', url })
    expect(page.body).toContain('<form class="form" method="post"')
    const kinds = async (name: string) => (await act(name, 'GET', '/user/preferences')).mail
    expect((await kinds('admin')).mention).toBe('at-once')
    const send = (address: string) =>
      api.server.inject({
        method: 'POST',
        url: address,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'List-Unsubscribe=One-Click',
      })
    for (const wrong of [
      url.replace(/token=./, 'token=-'),
      url.replace('mention', 'reply'),
      url.replace(people['admin']!.id, people['ann']!.id),
      '/~octavo/unsubscribe',
    ])
      expect((await send(wrong)).statusCode).toBe(400)
    expect((await send(url)).statusCode).toBe(200)
    expect(await kinds('admin')).toMatchObject({ mention: 'never', reply: 'at-once' })
    const daily = header(digest)
    await send(daily.pathname + daily.search)
    expect(await kinds('ann')).toMatchObject({ mention: 'never', reply: 'at-once' })
  })
})
