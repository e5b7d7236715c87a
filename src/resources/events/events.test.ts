/** Event streams through the API: polled, and followed live, by those who may see the content, for as long as they may. */
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { acrossTestOrganizations } from '../../../tests/test-rows.js'
import type { OrganizationId } from '../../core/ids.js'
import type { Database } from '../../store/db/database.js'
import { maxWatches } from '../../store/events/stream-watcher.js'

interface StreamedEvent {
  readonly id: number
  /** The id as it was sent. */
  readonly position: string | undefined
  readonly event: string
  readonly data: any
}

/** A server-sent event stream, parsed as in a browser. */
class Stream {
  readonly received: StreamedEvent[] = []
  hasEnded = false
  private readonly leaving = new AbortController()
  status = 0

  async open(address: string, person: Person, more: Record<string, string> = {}): Promise<this> {
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${person.token}`, ...more }
    const response = await fetch(address, { headers, signal: this.leaving.signal })
    this.status = response.status
    if (response.status === 200) void this.read(response.body!).catch(() => {})
    return this
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = ''
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString()
      const blocks = text.split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) {
        const of = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
        const event = of('event')
        if (event !== undefined)
          this.received.push({
            id: Number(of('id')),
            position: of('id'),
            event,
            data: JSON.parse(of('data')!),
          })
      }
    }
    this.hasEnded = true
  }

  types(): string[] {
    return this.received.map(({ event }) => event)
  }

  leave(): void {
    this.leaving.abort()
  }
}

describeEngines('events', (engine) => {
  let database: Database
  let api: TestClient
  let base: string
  let admin: Person
  let other: Person
  let organization: OrganizationId
  let space: string
  let page: string
  const streams: Stream[] = []

  beforeAll(async () => {
    database = await engine.open()
    api = await openTestClient(database)
    await api.server.listen({ host: '127.0.0.1', port: 0 })
    base = `http://127.0.0.1:${(api.server.server.address() as AddressInfo).port}/v1`
    admin = await api.person('admin')
    other = await api.person('other')
    organization = await api.organization(admin)
    await api.join(organization, other, 'create')
  })
  afterAll(() => api.server.close())

  beforeEach(async () => {
    for (const stream of streams.splice(0)) stream.leave()
    space = (await make('POST', `/orgs/${organization}/spaces`, { title: 'Space', editMode: 'live' })).id
    page = (await make('GET', `/spaces/${space}/content/pages`)).pages[0].id
  })

  async function make(method: string, path: string, body?: unknown, person = admin, at = api): Promise<any> {
    const answer = await at.request(person, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  const edit = (person = admin, at = api) => {
    const changes = [{ operation: 'update_page', page, document: { markdown: `# ${api.now()}` } }]
    return make('POST', `/spaces/${space}/content`, { changes }, person, at)
  }
  async function follow(path: string, person = other, more?: Record<string, string>): Promise<Stream> {
    const stream = await new Stream().open(base + path, person, more)
    streams.push(stream)
    if (stream.status === 200) await expect.poll(() => stream.types()[0]).toBe('ready')
    return stream
  }

  test('are polled after the last known id', async () => {
    const { items, last, missed } = await make('GET', `/spaces/${space}/events`)
    expect([items, last, missed]).toEqual([[], 1, false])
    const { revision } = await edit()
    await make('POST', `/spaces/${space}/comments`, { body: { markdown: 'Secret words' } }, other)
    const answer = await make('GET', `/spaces/${space}/events?after=${last}`, undefined, other)
    expect(answer.items).toMatchObject([
      { number: 2, type: 'space_content_updated', revisionId: revision, isOwn: false },
      { number: 3, type: 'comment_created', commentId: expect.any(String), isOwn: true },
    ])
    expect(JSON.stringify(answer)).not.toMatch(/secret/i)
    expect(JSON.stringify(answer)).not.toContain(admin.id)
    expect(answer.last).toBe(3)
    expect(await make('GET', `/spaces/${space}/events?after=3`)).toEqual({
      items: [],
      last: 3,
      missed: false,
    })
    expect((await make('GET', `/spaces/${space}/events?after=99`)).missed).toBe(true)
    await database.write((tx) =>
      acrossTestOrganizations(tx)
        .deleteFrom('events')
        .where('stream', '=', space)
        .where('number', '<', 3)
        .execute(),
    )
    expect(await make('GET', `/spaces/${space}/events?after=1`)).toMatchObject({ last: 3, missed: true })
    for (const after of ['x', '-1', '1.5'])
      expect((await api.request(admin, 'GET', `/spaces/${space}/events?after=${after}`)).status).toBe(400)
  })

  test('arrive live, those of a change request on its stream, and those of a site without its content', async () => {
    const site = (await make('POST', `/orgs/${organization}/sites`, { title: 'Site', spaces: [space] })).id
    const one = await make('POST', `/spaces/${space}/change-requests`)
    const two = await make('POST', `/spaces/${space}/change-requests`)
    const ofSpace = await follow(`/spaces/${space}/events`)
    const ofOne = await follow(`/spaces/${space}/change-requests/${one.number}/events`)
    const ofSite = await follow(`/orgs/${organization}/sites/${site}/events`)
    await make('PATCH', `/spaces/${space}/change-requests/${two.number}`, { subject: 'Two' })
    await make('PATCH', `/spaces/${space}/change-requests/${one.number}`, { subject: 'One' })
    await edit()
    await make('PATCH', `/orgs/${organization}/sites/${site}`, { title: 'Renamed' })
    await expect
      .poll(() => ofSpace.types())
      .toEqual(['ready', 'change_request_updated', 'change_request_updated', 'space_content_updated'])
    await expect.poll(() => ofOne.types()).toEqual(['ready', 'change_request_updated'])
    expect(ofOne.received[1]!.data).toMatchObject({ changeRequestId: one.id, isOwn: false })
    await expect.poll(() => ofSite.types()).toEqual(['ready', 'site_updated'])
    expect(Object.keys(ofSite.received[1]!.data)).toEqual(['number', 'eventId', 'type', 'createdAt', 'isOwn'])
  })

  test('of an organization come on one connection, as far as each may see them, and resume by position', async () => {
    const feed = `/orgs/${organization}/events`
    const member = await api.person(`reader${api.now()}`)
    await api.join(organization, member, 'read')
    const hidden = await make('POST', `/orgs/${organization}/spaces`, { title: 'Hidden', editMode: 'live' })
    await make('PATCH', `/spaces/${hidden.id}`, { defaultLevel: null })
    const site = await make('POST', `/orgs/${organization}/sites`, { title: 'Docs', spaces: [space] })
    const [stream, all] = [await follow(feed, member), await follow(feed, admin)]
    const { last } = await make('GET', feed, undefined, member)
    await edit()
    const note = await make('POST', `/spaces/${space}/comments`, { body: { markdown: 'Hello' } })
    await make('POST', `/spaces/${hidden.id}/comments`, { body: { markdown: 'Secret' } })
    await make('PATCH', `/orgs/${organization}/sites/${site.id}`, { title: 'Docs 2' })
    const own = [`comment_created ${space}`, `site_updated ${site.id}`, `space_content_updated ${space}`]
    const eventsOf = (list: readonly any[]) =>
      list.map((one) => `${one.type} ${one.space ?? one.site}`).toSorted()
    const dataOf = (one: Stream) => one.received.slice(1).map(({ data }) => data)
    await expect.poll(() => eventsOf(dataOf(stream))).toEqual(own)
    await expect
      .poll(() => eventsOf(dataOf(all)))
      .toEqual([`comment_created ${hidden.id}`, ...own].toSorted())
    expect(dataOf(stream).find(({ type }) => type === 'comment_created')).toMatchObject({
      commentId: note.id,
      isOwn: false,
    })
    expect(dataOf(all).every(({ isOwn }) => isOwn)).toBe(true)

    const since = await make('GET', `${feed}?after=${last}`, undefined, member)
    expect(eventsOf(since.items)).toEqual(own)
    expect([
      since.missed,
      (await make('GET', `${feed}?after=${since.last}`, undefined, member)).items,
    ]).toEqual([false, []])
    expect((await make('GET', `${feed}?after=unknown`, undefined, member)).missed).toBe(true)

    stream.leave()
    await edit()
    const { position } = stream.received.at(-1)!
    const resumed = await follow(feed, member, { 'last-event-id': position! })
    await expect.poll(() => eventsOf(dataOf(resumed))).toEqual([`space_content_updated ${space}`])
    // What is closed to them meanwhile is not sent, and what is opened comes from then on.
    await make('PATCH', `/spaces/${space}`, { defaultLevel: null })
    await make('PATCH', `/spaces/${hidden.id}`, { defaultLevel: 'inherit' })
    await edit()
    await make('POST', `/spaces/${hidden.id}/comments`, { body: { markdown: 'Open' } })
    await expect.poll(() => eventsOf(dataOf(resumed)).at(0)).toBe(`comment_created ${hidden.id}`)
    expect(eventsOf(dataOf(resumed)).filter((one) => one.endsWith(space)).length).toBeLessThan(3)
    await make('DELETE', `/orgs/${organization}/members/${member.id}`)
    await edit()
    await expect.poll(() => resumed.hasEnded).toBe(true)
    expect((await api.request(member, 'GET', feed)).status).toBe(404)
    expect((await api.request(null, 'GET', feed)).status).toBe(401)
  })

  test('resume after the last id on reconnect', async () => {
    const first = await follow(`/spaces/${space}/events`)
    first.leave()
    await edit()
    await edit()
    const last = { 'last-event-id': String(first.received[0]!.id) }
    const second = await follow(`/spaces/${space}/events`, other, last)
    await expect.poll(() => second.types()).toEqual(['ready', ...Array(2).fill('space_content_updated')])
    expect(second.received.slice(1).map(({ id }) => id)).toEqual([2, 3])
  })

  test('end for those who lose access', async () => {
    const member = await api.person(`member${api.now()}`)
    await api.join(organization, member, 'read')
    const token = await make('POST', '/user/tokens', { label: 'open' }, other)
    const [removed, revoked, open] = [
      await follow(`/spaces/${space}/events`, member),
      await follow(`/spaces/${space}/events`, { ...other, token: token.token }),
      await follow(`/spaces/${space}/events`, other),
    ]
    await make('DELETE', `/orgs/${organization}/members/${member.id}`)
    await make('DELETE', `/user/tokens/${token.id}`, undefined, other)
    await edit()
    await expect.poll(() => open.types()).toEqual(['ready', 'space_content_updated'])
    for (const stream of [removed, revoked]) {
      await expect.poll(() => stream.hasEnded).toBe(true)
      expect(stream.types()).toEqual(['ready'])
    }
    const stranger = await api.person(`stranger${api.now()}`)
    expect((await follow(`/spaces/${space}/events`, stranger)).status).toBe(404)
  })

  test('arrive from other processes', async () => {
    const stream = await follow(`/spaces/${space}/events`)
    const second = await openTestClient(await engine.openAgain(), undefined, { files: api.services.files })
    await edit(admin, second)
    await expect.poll(() => stream.types()).toEqual(['ready', 'space_content_updated'])
  })

  test('have a limit of streams per user, and end when the process stops', async () => {
    const alone = await openTestClient(database)
    await alone.server.listen({ host: '127.0.0.1', port: 0 })
    const address = `http://127.0.0.1:${(alone.server.server.address() as AddressInfo).port}/v1/spaces/${space}/events`
    const open: Stream[] = []
    for (let at = 0; at < maxWatches.ofOne; at += 1) open.push(await new Stream().open(address, other))
    expect(open.map(({ status }) => status)).toEqual(Array(maxWatches.ofOne).fill(200))
    expect((await new Stream().open(address, other)).status).toBe(429)
    expect((await new Stream().open(address, admin)).status).toBe(200)
    open[0]!.leave()
    await expect.poll(async () => (await tryOpen()).status).toBe(200)
    await alone.server.close()
    await expect.poll(() => open.slice(1).every(({ hasEnded }) => hasEnded)).toBe(true)

    function tryOpen(): Promise<Stream> {
      return new Stream().open(address, other)
    }
  })
})
