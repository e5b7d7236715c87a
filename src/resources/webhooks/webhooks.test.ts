/** Webhooks through the API: delivery, signatures, retries, failures and delivery history; with one and two processes. */
import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { type WebServer, serveWeb } from '../../../tests/web-server.js'
import { acrossTestOrganizations } from '../../../tests/test-rows.js'
import { eventOf, silentOperations } from '../../access/events/operation-events.js'
import { sendSlowWebhookJob, sendWebhookJob } from '../../access/events/deliveries.js'
import { routes } from '../../server/api/api.js'
import { mailHandlers } from '../../server/mail/mail.js'
import { eventTypeNames } from '../../contract/events.js'
import { maxFailingMillis, maxWebhooks, secretOverlapMillis } from '../../contract/webhooks.js'
import { removeExpired } from '../../store/collect/expired.js'
import type { Database } from '../../store/db/database.js'
import { drainJobs } from '../../store/jobs/testing.js'
import { startWorker } from '../../store/jobs/worker.js'
import { webhookHandlers, webhookFailureHandlers } from './deliver.js'

interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

test('every operation on a space or a site has an event, or is listed as having none', () => {
  const forgotten = routes
    .map(({ endpoint }) => endpoint)
    .filter(({ reads, params }) => !reads && (params.includes('spaceId') || params.includes('siteId')))
    .filter(({ operationId, params }) => {
      const place = Object.fromEntries(params.map((name) => [name, '']))
      return eventOf(operationId, place) === undefined && !silentOperations.has(operationId)
    })
  expect(forgotten.map(({ operationId }) => operationId)).toEqual([])
})

describeEngines('webhooks', (engine) => {
  let database: Database
  let api: TestClient
  let admin: Person
  let creator: Person
  let organizationPath: string
  let space: string
  let page: string
  let web: WebServer
  let received: Received[]
  /** Responses by path; 200 by default. */
  const answers = new Map<string, (response: ServerResponse, body: string) => void>()

  beforeAll(async () => {
    web = await serveWeb((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        received.push({ path: request.url!, headers: request.headers, body })
        const answer = answers.get(request.url!)
        if (answer === undefined) response.end('thanks')
        else answer(response, body)
      })
    })
    database = await engine.open()
    api = await openTestClient(database, undefined, { remote: web.remote })
    admin = await api.person('admin')
    creator = await api.person('creator')
  })
  afterAll(() => web.close())

  beforeEach(async () => {
    received = []
    answers.clear()
    const organization = await api.organization(admin)
    await api.join(organization, creator, 'create')
    organizationPath = `/orgs/${organization}`
    space = (await make('POST', `${organizationPath}/spaces`, { title: 'Space', editMode: 'live' })).id
    page = (await make('GET', `/spaces/${space}/content/pages`)).pages[0].id
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
  const createWebhook = (path: string, more: object = {}) =>
    make('POST', `${organizationPath}/webhooks`, {
      url: web.url + path,
      events: ['space_content_updated'],
      ...more,
    })
  const edit = (markdown: string) =>
    make('POST', `/spaces/${space}/content`, {
      changes: [{ operation: 'update_page', page, document: { markdown } }],
    })
  const options = () => ({
    database,
    now: api.now,
    random: () => 0.5,
    report: (error: unknown) => {
      throw error
    },
    signal: new AbortController().signal,
  })
  const handlers = (pace: typeof sendWebhookJob | typeof sendSlowWebhookJob) =>
    webhookHandlers({ services: api.services, now: api.now, random: () => 0.5 }, pace)
  /** Sends all due deliveries. */
  const work = () =>
    drainJobs({ ...options(), handlers: { ...handlers(sendWebhookJob), ...handlers(sendSlowWebhookJob) } })
  /** Sends all due deliveries, and those that become due within the retry delays. */
  async function workOn(): Promise<void> {
    for (let step = 0; step < 4; step += 1) {
      await work()
      api.advance(5_000)
    }
  }
  const deliveries = async (id: string) =>
    (await make('GET', `${organizationPath}/webhooks/${id}/deliveries`)).items

  test('receive events with ids and no content, signed by a secret that is returned once', async () => {
    const made = await createWebhook('/build', {
      title: 'Build',
      events: ['comment_created', 'space_content_updated'],
    })
    expect(made).toMatchObject({
      object: 'webhook',
      title: 'Build',
      events: ['space_content_updated', 'comment_created'],
      active: true,
      secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
    })
    const { secret, ...presented } = made
    expect(await make('GET', `${organizationPath}/webhooks/${made.id}`)).toEqual(presented)
    const revision = (await edit('# Secret words')).revision
    const postedComment = await make('POST', `/spaces/${space}/comments`, {
      body: { markdown: 'More secret words' },
    })
    await work()

    expect(received.map(({ body }) => JSON.parse(body).type)).toEqual([
      'space_content_updated',
      'comment_created',
    ])
    expect(received.map(({ body }) => body).join()).not.toMatch(/secret/i)
    const [content, comment] = received.map(({ body }) => JSON.parse(body))
    expect(content).toMatchObject({ spaceId: space, revisionId: revision, userId: admin.id })
    expect(comment).toMatchObject({ spaceId: space, commentId: postedComment.id, userId: admin.id })
    const { headers, body } = received[0]!
    expect(headers).toMatchObject({
      'user-agent': 'Octavo-Webhook',
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': content.eventId,
      'x-octavo-event': 'space_content_updated',
    })
    const [, time, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-octavo-signature']))!
    expect(createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')).toBe(hex)
    expect(verify(secret, received[0]!)).toEqual(content)
    expect(() => verify(secret, { ...received[0]!, body: `${body} ` })).toThrow()

    const [, first] = await deliveries(made.id)
    expect(first).toMatchObject({
      status: 'delivered',
      event: { id: content.eventId },
      attempts: [{ status: 200 }],
    })
    const detail = await make('GET', `${organizationPath}/webhooks/${made.id}/deliveries/${first.id}`)
    expect(detail.request.body).toBe(body)
    expect(detail.request.headers['webhook-signature']).toBe(headers['webhook-signature'])
    expect(detail.response).toMatchObject({ status: 200, body: 'thanks' })
  })

  /** Verifies with the library of Standard Webhooks, which uses the system clock. */
  function verify(secret: string, { headers, body }: Received): unknown {
    const seconds = Math.floor(Date.now() / 1000)
    const signed = new StandardWebhook(secret)
    const signatures = String(headers['webhook-signature']).split(' ')
    const then = new Date(Number(headers['webhook-timestamp']) * 1000)
    // The signature of that time, by the library itself; and one of now, because it refuses signatures older than five minutes.
    expect(signatures).toContain(signed.sign(String(headers['webhook-id']), then, body))
    return signed.verify(body, {
      'webhook-id': String(headers['webhook-id']),
      'webhook-timestamp': String(seconds),
      'webhook-signature': signed.sign(String(headers['webhook-id']), new Date(seconds * 1000), body),
    })
  }

  test('receive every kind of event, in order, and none of other organizations', async () => {
    await createWebhook('/all', { events: eventTypeNames })
    const other = await api.organization(creator, 'Other')
    await make('POST', `/orgs/${other}/spaces`, { title: 'Elsewhere' }, creator)
    const change = await make('POST', `/spaces/${space}/change-requests`, { subject: 'One' })
    const branch = `/spaces/${space}/change-requests/${change.id}`
    await make('PATCH', branch, { subject: 'Two' })
    await make('POST', `${branch}/content`, {
      changes: [{ operation: 'insert_page', title: 'New', document: { markdown: '# New' } }],
    })
    await make('POST', `${branch}/reviews`, { status: 'approved' })
    const comment = await make('POST', `${branch}/comments`, { body: { markdown: 'Why?' } })
    const reply = await make('POST', `${branch}/comments/${comment.id}/replies`, {
      body: { markdown: 'So.' },
    })
    await make('PUT', `${branch}/comments/${comment.id}`, { resolved: true })
    await make('DELETE', `${branch}/comments/${comment.id}`)
    await make('DELETE', `${branch}/comments/${comment.id}`)
    await make('POST', `${branch}/merge`)
    const site = (await make('POST', `${organizationPath}/sites`, { title: 'Site', spaces: [space] })).id
    await make('POST', `${organizationPath}/sites/${site}/publish`)
    await make('PATCH', `${organizationPath}/sites/${site}`, { title: 'Renamed' })
    await make('POST', `${organizationPath}/sites/${site}/unpublish`)
    await make('DELETE', `${organizationPath}/sites/${site}`)
    await make('PATCH', `/spaces/${space}`, { title: 'Renamed' })
    await make('DELETE', `/spaces/${space}`)
    await make('POST', `/spaces/${space}/restore`)
    await work()
    const events = received.map(({ body }) => JSON.parse(body))
    expect(events.map(({ type }) => type)).toEqual([
      'change_request_created',
      'change_request_updated',
      'change_request_updated',
      'change_request_reviewed',
      'comment_created',
      'comment_created',
      'comment_updated',
      'comment_deleted',
      'space_content_updated',
      'change_request_merged',
      'site_created',
      'site_published',
      'site_updated',
      'site_unpublished',
      'site_deleted',
      'space_updated',
      'space_deleted',
      'space_restored',
    ])
    expect(events[5]).toMatchObject({
      changeRequestId: change.id,
      commentId: comment.id,
      commentReplyId: reply.id,
    })
    expect(events[2]).toMatchObject({ changeRequestId: change.id, revisionId: expect.any(String) })
    expect(events[11]).toMatchObject({ siteId: site })
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length)
  })

  test('receive events of spaces created and deleted with others, and none for no-ops', async () => {
    const types = ['space_created', 'space_deleted', 'site_created', 'site_published', 'site_unpublished']
    await createWebhook('/along', { events: types })
    const parent = (await make('POST', `${organizationPath}/collections`, { title: 'Gone soon' })).id
    const [deletedSpace, old] = [
      (await make('POST', `${organizationPath}/spaces`, { title: 'Gone', parent })).id,
      (await make('POST', `${organizationPath}/spaces`, { title: 'Old', parent })).id,
    ]
    await make('DELETE', `/spaces/${old}`)
    await make('DELETE', `/collections/${parent}`)
    const settings = (
      await make('POST', `${organizationPath}/translations`, { title: 'T', languages: ['fr'] })
    ).id
    const following = await make('POST', `${organizationPath}/translations/${settings}/spaces`, {
      source: space,
      language: 'fr',
    })
    const site = (await make('POST', `${organizationPath}/sites`, { title: 'Site', spaces: 'empty' })).id
    const [presented] = (await make('GET', `${organizationPath}/sites/${site}/site-spaces`)).items
    for (const verb of ['publish', 'unpublish'])
      for (let times = 0; times < 2; times += 1)
        await make('POST', `${organizationPath}/sites/${site}/${verb}`)
    await work()

    const events = received.map(({ body }) => JSON.parse(body))
    expect(events.map(({ type, spaceId, siteId }) => [type, spaceId ?? siteId])).toEqual([
      ['space_created', deletedSpace],
      ['space_created', old],
      ['space_deleted', old],
      ['space_deleted', deletedSpace],
      ['space_created', following.space],
      ['space_created', presented.space.id],
      ['site_created', site],
      ['site_published', site],
      ['site_unpublished', site],
    ])
    expect(events.every(({ userId }) => userId === admin.id)).toBe(true)
  })

  test('send nothing for rolled back transactions, and no delivery without subscribers', async () => {
    const { id } = await createWebhook('/quiet', { events: ['site_published'] })
    await edit('# One')
    await refuse(400, 'POST', `/spaces/${space}/content`, {
      changes: [{ operation: 'delete_page', page: 'x' }],
    })
    expect(await work()).toBe(0)
    expect(await deliveries(id)).toEqual([])
  })

  describe('whose receiver fails', () => {
    test('are retried after one, two and four seconds, then failed; the next event waits for that', async () => {
      let fails = 4
      answers.set('/fails', (response) => {
        response.statusCode = (fails -= 1) >= 0 ? 503 : 200
        response.end('not now')
      })
      const { id } = await createWebhook('/fails')
      await edit('# One')
      await edit('# Two')
      await work()
      expect(received).toHaveLength(1)
      api.advance(900)
      await work()
      expect(received).toHaveLength(1)
      const counts = []
      for (const wait of [200, 2_200, 4_200]) {
        api.advance(wait)
        await work()
        counts.push(received.length)
      }
      expect(counts).toEqual([2, 3, 5])
      const [second, first] = await deliveries(id)
      expect([first.status, first.attempts.map(({ status }: any) => status)]).toEqual([
        'failed',
        [503, 503, 503, 503],
      ])
      expect(first.attempts[0].problem).toBe('it answered 503')
      expect([second.status, second.attempts.length]).toEqual(['delivered', 1])
      const bodies = received.map(({ body }) => body)
      expect(new Set(bodies.slice(0, 4)).size).toBe(1)
      expect((await make('GET', `${organizationPath}/webhooks/${id}`)).failingSince).toBeUndefined()
    })

    test.each([
      ['/gone', (response: ServerResponse) => response.writeHead(410).end(), 1, 'it answered 410'],
      [
        '/away',
        (response: ServerResponse) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
        1,
        'it answered 302: redirects are not followed',
      ],
      ['/busy', (response: ServerResponse) => response.writeHead(429).end(), 4, 'it answered 429'],
      ['/broken', (response: ServerResponse) => response.destroy(), 4, 'it cannot be reached'],
    ] as const)('%s is retried only when that may help', async (path, answer, times, problem) => {
      answers.set(path, answer)
      const { id } = await createWebhook(path)
      await edit(`# ${path}`)
      await workOn()
      const [delivery] = await deliveries(id)
      expect([delivery.status, delivery.attempts.length]).toEqual(['failed', times])
      expect(delivery.attempts.at(-1).problem).toContain(problem)
      expect(received).toHaveLength(times)
      expect(await make('GET', `${organizationPath}/webhooks/${id}`)).toMatchObject({
        failingSince: expect.any(String),
      })
    })

    test('an endless response is truncated, and its content is harmless', async () => {
      answers.set('/endless', (response) => {
        response.writeHead(200, { 'x-large': 'x'.repeat(6_000) })
        const piece = Buffer.alloc(10_000, '\0<b>')
        const more = () => {
          while (!response.destroyed && response.write(piece));
          if (!response.destroyed) response.once('drain', more)
        }
        more()
      })
      const { id } = await createWebhook('/endless')
      await edit('# Endless')
      await work()
      const [delivery] = await deliveries(id)
      expect(delivery.status).toBe('delivered')
      const { response } = await make('GET', `${organizationPath}/webhooks/${id}/deliveries/${delivery.id}`)
      expect(response.body).toHaveLength(4_096)
      expect(response.body.slice(0, 4)).toBe('\u{fffd}<b>')
      expect(response.headers['x-large']).toBeUndefined()
    })

    test('private network addresses are blocked', async () => {
      const { id } = await createWebhook('', { url: 'http://169.254.169.254/latest' })
      const near = await createWebhook('', { url: web.url.replace('127.0.0.1', '[::1]') })
      await edit('# Near')
      await workOn()
      for (const webhook of [id, near.id]) {
        const [delivery] = await deliveries(webhook)
        expect(delivery).toMatchObject({ status: 'failed' })
        expect(delivery.attempts[0].problem).toBe('it is not on the public internet')
      }
      expect(received).toEqual([])
    })

    test('for three days are disabled, their admins notified, and start afresh when activated', async () => {
      answers.set('/dead', (response) => response.writeHead(500).end())
      const { id } = await createWebhook('/dead')
      await edit('# One')
      await workOn()
      api.advance(maxFailingMillis)
      await edit('# Two')
      await edit('# Three')
      await workOn()
      const off = await make('GET', `${organizationPath}/webhooks/${id}`)
      expect(off).toMatchObject({ active: false, disabledAt: expect.any(String) })
      const [three, two] = await deliveries(id)
      expect([three.status, three.attempts.length, two.attempts.length]).toEqual(['failed', 0, 4])
      const mails: { to: string; text: string }[] = []
      const mailer = { send: async (mail: { to: string; text: string }) => void mails.push(mail) }
      await drainJobs({ ...options(), handlers: mailHandlers(mailer, api.services, api.now) })
      expect(mails.map(({ to }) => to)).toEqual(['admin@octavo.test'])
      expect(mails[0]!.text).toContain(`${web.url}/dead`)
      const log = await make('GET', `${organizationPath}/audit`)
      expect(log.items.map(({ action }: any) => action)).toContain('webhookDisabled')

      received = []
      await edit('# Unheard')
      await work()
      expect(received).toEqual([])
      expect(await refuse(409, 'POST', `${organizationPath}/webhooks/${id}/test`)).toContain('switched off')
      answers.delete('/dead')
      const on = await make('PATCH', `${organizationPath}/webhooks/${id}`, { active: true })
      expect([on.active, on.disabledAt, on.failingSince]).toEqual([true, undefined, undefined])
      await edit('# Heard')
      await work()
      expect(received).toHaveLength(1)
    })

    test('do not delay other webhooks, however many and slow they are', async () => {
      const openResponses: ServerResponse[] = []
      answers.set('/slow', (response) => void openResponses.push(response))
      const slow = await Promise.all(Array.from({ length: 6 }, () => createWebhook('/slow')))
      // These were slow before; one is slow for the first time.
      for (const { id } of slow.slice(1)) {
        await database.write((tx) =>
          acrossTestOrganizations(tx)
            .updateTable('webhooks')
            .set({ is_slow: 1 })
            .where('id', '=', id)
            .execute(),
        )
      }
      await createWebhook('/quick')
      await edit('# All')
      const stopping = new AbortController()
      const lanes = ([sendWebhookJob, sendSlowWebhookJob] as const).map((pace) =>
        startWorker({
          ...options(),
          report: () => {},
          handlers: handlers(pace),
          concurrency: 2,
          pollMs: 20,
          signal: stopping.signal,
        }),
      )
      try {
        await expect.poll(() => received.map(({ path }) => path)).toContain('/quick')
        // The fast one may have been first of all: then the slow ones follow, and none of them has finished.
        await expect.poll(() => openResponses.length).toBeGreaterThan(0)
      } finally {
        stopping.abort()
        for (const response of openResponses) response.destroy()
        await Promise.all(lanes)
      }
      for (const { id } of slow) await make('DELETE', `${organizationPath}/webhooks/${id}`)
      api.advance(60_000)
      await work()
    })
  })

  test('can be replayed with the same id and body, and tested', async () => {
    const { id } = await createWebhook('/again')
    await edit('# Again')
    await work()
    const [delivery] = await deliveries(id)
    const again = await api.request(
      admin,
      'POST',
      `${organizationPath}/webhooks/${id}/deliveries/${delivery.id}/replay`,
    )
    expect([again.status, again.headers['location']]).toEqual([201, again.body.urls.location])
    expect(again.body).toMatchObject({ status: 'waiting', replayOf: delivery.id, event: delivery.event })
    const ping = await make('POST', `${organizationPath}/webhooks/${id}/test`)
    expect(ping.event.type).toBe('webhook_ping')
    await work()
    expect(received.map(({ body }) => body)[1]).toBe(received[0]!.body)
    expect(JSON.parse(received[2]!.body)).toMatchObject({ type: 'webhook_ping', webhookId: id })
    const waiting = await make('GET', `${organizationPath}/webhooks/${id}/deliveries?status=waiting`)
    expect(waiting.items).toEqual([])
    expect((await make('GET', `${organizationPath}/webhooks/${id}/deliveries?status=delivered`)).count).toBe(
      3,
    )
  })

  test('sign with both secrets for a day after a rotation, then with the new one only', async () => {
    const { id, secret: old } = await createWebhook('/rotated')
    const { secret, previousSecretExpiresAt } = await make(
      'POST',
      `${organizationPath}/webhooks/${id}/rotate-secret`,
    )
    expect(secret).not.toBe(old)
    expect(Date.parse(previousSecretExpiresAt)).toBeGreaterThan(api.now())
    await edit('# Both')
    await work()
    for (const key of [secret, old]) verify(key, received[0]!)
    expect(String(received[0]!.headers['x-octavo-signature']).match(/v1=/g)).toHaveLength(2)
    api.advance(secretOverlapMillis)
    await edit('# One')
    await work()
    verify(secret, received[1]!)
    expect(() => verify(old, received[1]!)).toThrow()
    expect((await make('GET', `${organizationPath}/webhooks/${id}`)).previousSecretExpiresAt).toBeUndefined()
  })

  test('are for admins only, and limited', async () => {
    const { id } = await createWebhook('/mine')
    const at = `${organizationPath}/webhooks/${id}`
    for (const [method, path, body] of [
      ['GET', `${organizationPath}/webhooks`],
      ['GET', at],
      ['POST', `${organizationPath}/webhooks`, { url: web.url, events: ['site_published'] }],
      ['PATCH', at, { title: 'Mine' }],
      ['GET', `${at}/deliveries`],
      ['POST', `${at}/rotate-secret`],
      ['DELETE', at],
    ] as const)
      await refuse(403, method, path, body, creator)
    for (const url of ['ftp://octavo.test/', 'https://ann:secret@octavo.test/', 'javascript:alert(1)'])
      expect(
        await refuse(400, 'POST', `${organizationPath}/webhooks`, { url, events: ['site_published'] }),
      ).toMatch(/url/)
    for (const body of [
      { url: web.url, events: [] },
      { url: web.url, events: ['nothing'] },
      { url: web.url },
      { events: ['site_published'] },
      { url: web.url, events: ['site_published'], title: 'x'.repeat(101) },
    ])
      await refuse(400, 'POST', `${organizationPath}/webhooks`, body)
    await refuse(404, 'GET', `${organizationPath}/webhooks/${'x'.repeat(20)}`)
    await refuse(404, 'POST', `${at}/deliveries/${'x'.repeat(20)}/replay`)
    for (let at = 1; at < maxWebhooks; at += 1) await createWebhook(`/${at}`)
    expect(
      await refuse(400, 'POST', `${organizationPath}/webhooks`, { url: web.url, events: ['site_published'] }),
    ).toContain(`at most ${maxWebhooks}`)
    expect((await api.request(admin, 'DELETE', at)).status).toBe(204)
    await refuse(404, 'GET', at)
    expect((await api.request(admin, 'DELETE', at)).status).toBe(204)
  })

  test('deleting an organization or a webhook leaves nothing to send', async () => {
    const { id } = await createWebhook('/left')
    await edit('# Left')
    await make('DELETE', `${organizationPath}/webhooks/${id}`)
    await work()
    expect(received).toEqual([])
    const rows = await acrossTestOrganizations(database.read)
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('webhook_id', '=', id)
      .execute()
    expect(rows).toEqual([])
  })

  test('belong to the organization: they survive the admin who created them', async () => {
    const leaving = await api.person(`leaving${api.now()}`)
    await api.join(organizationPath.split('/').at(-1) as never, leaving, 'admin')
    const wanted = { url: `${web.url}/stays`, events: ['space_content_updated'] }
    const { id } = await make('POST', `${organizationPath}/webhooks`, wanted, leaving)
    await make('DELETE', `${organizationPath}/members/${leaving.id}`)
    await refuse(404, 'GET', `${organizationPath}/webhooks/${id}`, undefined, leaving)
    await refuse(404, 'GET', `${organizationPath}/webhooks/${id}/deliveries`, undefined, leaving)
    await edit('# Stays')
    await work()
    expect((await deliveries(id)).map(({ status }: { status: string }) => status)).toEqual(['delivered'])
    await make('DELETE', `${organizationPath}/webhooks/${id}`)
  })

  test('events are retained for a week, the last of each space forever; deliveries for a month', async () => {
    const { id } = await createWebhook('/retained')
    await edit('# One')
    await edit('# Two')
    await work()
    const numbers = async () => {
      const rows = await acrossTestOrganizations(database.read)
        .selectFrom('events')
        .select('number')
        .where('stream', '=', space)
        .orderBy('number')
        .execute()
      return rows.map(({ number }) => number)
    }
    const expire = (days: number) => {
      api.advance(days * 24 * 3_600_000)
      return removeExpired(database, {
        now: api.now(),
        auditLife: 1e13,
        signal: new AbortController().signal,
      })
    }
    expect(await numbers()).toEqual([1, 2, 3])
    await expire(8)
    expect([await numbers(), (await deliveries(id)).length]).toEqual([[3], 2])
    await edit('# Three')
    expect(await numbers()).toEqual([3, 4])
    await expire(31)
    expect((await deliveries(id)).map(({ status }: any) => status)).toEqual(['waiting'])
  })

  test('continue after a job was given up, with a failed attempt recorded', async () => {
    const { id } = await createWebhook('/abandoned')
    for (const words of ['first', 'second']) await edit(`# ${words}`)
    const killed = () =>
      database.write((tx) =>
        acrossTestOrganizations(tx).updateTable('jobs').set({ attempts: 20 }).where('key', '=', id).execute(),
      )
    const failureHandlers = (pace: typeof sendWebhookJob | typeof sendSlowWebhookJob) =>
      webhookFailureHandlers({ services: api.services, now: api.now, random: () => 0.5 }, pace)
    const failures: string[] = []
    const sent = () => received.filter(({ path }) => path === '/abandoned').length
    const workOrGiveUp = () =>
      drainJobs({
        ...options(),
        handlers: { ...handlers(sendWebhookJob), ...handlers(sendSlowWebhookJob) },
        onGiveUp: { ...failureHandlers(sendWebhookJob), ...failureHandlers(sendSlowWebhookJob) },
        report: (error) => failures.push((error as Error).message),
      })
    await killed()
    await workOrGiveUp()
    expect(failures).toEqual(['The process ended 20 times before the job did'])
    expect(sent()).toBe(0)
    const [, first] = await deliveries(id)
    expect(first).toMatchObject({
      status: 'waiting',
      attempts: [{ problem: expect.stringContaining('no end') }],
    })
    await workOn()
    expect(sent()).toBe(2)
    expect((await deliveries(id)).map(({ status }: { status: string }) => status)).toEqual([
      'delivered',
      'delivered',
    ])

    // A delivery that kills the process each time fails like any other, and does not block the rest.
    received = []
    for (const words of ['third', 'fourth']) await edit(`# ${words}`)
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await killed()
      api.advance(60_000)
      expect(await workOrGiveUp()).toBeGreaterThan(0)
    }
    await workOn()
    expect((await deliveries(id)).slice(0, 2)).toMatchObject([{ status: 'delivered' }, { status: 'failed' }])
    expect(sent()).toBe(1)
  })

  test('two processes send each event once, and one takes over from a killed one', async () => {
    const { id } = await createWebhook('/two')
    const toTwo = () =>
      received.filter(({ path }) => path === '/two').map(({ body }) => JSON.parse(body).eventId)
    const second = await openTestClient(await engine.openAgain(), undefined, { remote: web.remote })
    for (let at = 0; at < 5; at += 1) await edit(`# ${at}`)
    const stopping = new AbortController()
    const both = [api.services, second.services].map((services) =>
      startWorker({
        ...options(),
        database: services.database,
        report: () => {},
        handlers: webhookHandlers({ services, now: api.now, random: () => 0.5 }, sendWebhookJob),
        pollMs: 20,
        signal: stopping.signal,
      }),
    )
    for (let at = 5; at < 10; at += 1) await edit(`# ${at}`)
    const delivered = async () =>
      (await make('GET', `${organizationPath}/webhooks/${id}/deliveries?status=delivered`)).count
    await expect.poll(delivered).toBe(10)
    stopping.abort()
    await Promise.all(both)
    const ids = toTwo()
    expect([ids.length, new Set(ids).size]).toEqual([10, 10])
    const inOrder = await acrossTestOrganizations(database.read)
      .selectFrom('events')
      .select('id')
      .where('stream', '=', space)
      .where('type', '=', 'space_content_updated')
      .orderBy('number')
      .execute()
    expect(ids).toEqual(inOrder.map(({ id: event }) => event))

    // The process dies after the receiver got it, and before that is recorded.
    received = []
    const killing = new AbortController()
    answers.set('/two', () => killing.abort(new Error('killed')))
    await edit('# Killed')
    await startWorker({
      ...options(),
      report: () => {},
      handlers: handlers(sendWebhookJob),
      signal: killing.signal,
    })
    answers.delete('/two')
    api.advance(60_000)
    await work()
    const again = toTwo()
    expect([again.length, new Set(again).size]).toEqual([2, 1])
    expect(await delivered()).toBe(11)
  })
})
