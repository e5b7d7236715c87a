/**
 * What is kept of the database can be old by a read that took long. Each act below ends or changes an answer; a
 * request is held at each of its reads in turn, the act is committed meanwhile, and the next request must not see
 * what the held one saw. Over a real connection, because kept answers are given before the server's routing.
 */
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServer } from '../src/app/server.js'
import { hashSecret } from '../src/access/signin/secrets.js'
import { startSession } from '../src/access/signin/sessions.js'
import type { OrganizationId } from '../src/core/ids.js'
import type { Database } from '../src/store/db/database.js'
import { type Door, type Person, openDoor } from './door.js'
import { describeEngines } from './engines.js'
import { type HeldReads, holdReads } from './held-reads.js'
import { makeVisitorToken } from './visitor-token.js'

/** More than any request here reads; the last rounds are not held. */
const mostReads = 20

describeEngines('an answer after a commit', (engine) => {
  let held: HeldReads
  let database: Database
  let door: Door
  let ann: Person
  let acme: OrganizationId
  let space: string
  let page: string
  let site: string
  let port: number
  let closeServer: () => Promise<unknown>

  beforeAll(async () => {
    database = await engine.open()
    held = holdReads(database)
    // Acts come through another process, as far as what is kept is concerned.
    door = await openDoor(database)
    const { services } = await openDoor(held.database)
    ann = await door.person('ann')
    acme = await door.organization(ann)
    space = (await must('POST', `/orgs/${acme}/spaces`, { title: 'Space', editMode: 'live' })).id
    page = (await must('GET', `/spaces/${space}/content/pages`)).pages[0].id
    site = (
      await must('POST', `/orgs/${acme}/sites`, { title: 'Site', spaces: [space], visibility: 'public' })
    ).id
    await must('POST', `/orgs/${acme}/sites/${site}/publish`)
    const server = await createServer({ services, now: Date.now, logLevel: 'error', isReady: () => true })
    await server.listen({ host: '127.0.0.1', port: 0 })
    closeServer = () => server.close()
    port = (server.server.address() as AddressInfo).port
  })
  afterAll(() => closeServer())

  async function must(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await door.ask(ann, method, path, body)
    expect(answer.status, `${method} ${path} ${answer.text}`).toBeLessThan(300)
    return answer.body
  }

  const read = (path: string, headers: Record<string, string>): Promise<string> =>
    new Promise((resolve, reject) => {
      get({ port, path, headers: { host: 'octavo.test', ...headers }, agent: false }, (answer) => {
        let text = ''
        answer.on('data', (piece: Buffer) => (text += piece.toString()))
        answer.on('end', () => resolve(`${answer.statusCode} ${text}`))
      }).on('error', reject)
    })

  const asks = (person: Person, path: string) => () => read(path, { authorization: `Bearer ${person.token}` })

  /** SQL written by hand concerns everybody: the next request reads all that it needs. */
  const forgetAll = () =>
    database.write((tx) => sql`update organizations set updated_at = updated_at`.execute(tx))

  /** Holds a request at each of its reads; `act` answers how to undo it. */
  async function hasNoOldAnswer(ask: () => Promise<string>, act: () => Promise<() => Promise<unknown>>) {
    const before = await ask()
    expect(before).toMatch(/^200 /)
    let tried = 0
    for (let nth = 0; nth < mostReads; nth += 1) {
      await forgetAll()
      const gate = held.hold(nth)
      const slow = ask()
      if (!(await Promise.race([gate.reached, slow.then(() => false)]))) {
        gate.release()
        await slow
        break
      }
      const undo = await act().finally(gate.release)
      await slow
      const after = [await ask(), await ask()]
      for (const one of after) expect(one, `held at read ${nth}`).not.toBe(before)
      await undo()
      tried += 1
    }
    expect(tried).toBeGreaterThan(0)
  }

  async function edit(markdown: string): Promise<void> {
    const { id } = await must('POST', `/spaces/${space}/change-requests`, {})
    const changes = [{ operation: 'update_page', page, document: { markdown } }]
    await must('POST', `/spaces/${space}/change-requests/${id}/content`, { changes })
    await must('POST', `/spaces/${space}/change-requests/${id}/merge`, {})
  }

  const pagePath = () => `/v1/spaces/${space}/content/page/${page}`

  async function member(name: string): Promise<Person> {
    const person = await door.person(name)
    await door.join(acme, person, 'read')
    return person
  }

  test('is refused when the token was revoked', async () => {
    const bob = await member('bob')
    const revoke = (at: number | null) =>
      database.write((tx) =>
        tx
          .updateTable('api_tokens')
          .set({ revoked_at: at })
          .where('token_hash', '=', hashSecret(bob.token))
          .execute(),
      )
    await hasNoOldAnswer(asks(bob, pagePath()), async () => {
      await revoke(1)
      return () => revoke(null)
    })
  })

  test('is refused when the session ended', async () => {
    const kim = await member('kim')
    let secret = ''
    const open = async () => {
      secret = await database.write((tx) =>
        startSession(
          tx,
          { userId: kim.id, openedBy: 'link', organizationId: null },
          { now: Date.now(), ip: '127.0.0.1', userAgent: null },
        ),
      )
    }
    await open()
    await hasNoOldAnswer(
      () => read(pagePath(), { cookie: `octavo_session=${secret}` }),
      async () => {
        await database.write((tx) =>
          tx.deleteFrom('sessions').where('token_hash', '=', hashSecret(secret)).execute(),
        )
        return open
      },
    )
  })

  test('is refused when the member was removed', async () => {
    const eve = await member('eve')
    await hasNoOldAnswer(asks(eve, pagePath()), async () => {
      await must('DELETE', `/orgs/${acme}/members/${eve.id}`)
      return () => door.join(acme, eve, 'read')
    })
  })

  test('is refused when the permission was taken', async () => {
    const guest = await door.person('guest')
    await door.join(acme, guest, null)
    const give = () => must('POST', `/spaces/${space}/permissions`, { users: [guest.id], role: 'read' })
    await give()
    await hasNoOldAnswer(asks(guest, pagePath()), async () => {
      await must('DELETE', `/spaces/${space}/permissions/users/${guest.id}`)
      return give
    })
  })

  test('is new when the page was edited', async () => {
    await edit('# Before\n')
    await hasNoOldAnswer(asks(ann, pagePath()), async () => {
      await edit('# After\n')
      return () => edit('# Before\n')
    })
  })

  const sitePath = '/@acme/site/'
  const asAnybody = () => read(sitePath, {})

  test('of a site is gone when it was unpublished', async () => {
    await hasNoOldAnswer(asAnybody, async () => {
      await must('POST', `/orgs/${acme}/sites/${site}/unpublish`)
      return () => must('POST', `/orgs/${acme}/sites/${site}/publish`)
    })
  })

  test('of a site is gone when it was closed to strangers', async () => {
    const become = (visibility: string) => must('PATCH', `/orgs/${acme}/sites/${site}`, { visibility })
    await hasNoOldAnswer(asAnybody, async () => {
      await become('share-link')
      return () => become('public')
    })
  })

  test('of a site is new when its page was edited', async () => {
    await edit('# Before\n')
    await hasNoOldAnswer(asAnybody, async () => {
      await edit('# After\n')
      return () => edit('# Before\n')
    })
  })

  test('of a site behind links is gone when its link was ended', async () => {
    const at = `/orgs/${acme}/sites/${site}`
    await must('PATCH', at, { visibility: 'share-link' })
    const link = await must('POST', `${at}/share-links`, {})
    const own = new URL(link.urls.published).pathname
    await hasNoOldAnswer(
      () => read(own, {}),
      async () => {
        await must('PATCH', `${at}/share-links/${link.id}`, { active: false })
        return () => must('PATCH', `${at}/share-links/${link.id}`, { active: true })
      },
    )
  })

  test('of a site for visitors is gone when its key was made anew', async () => {
    const at = `/orgs/${acme}/sites/${site}`
    await must('PATCH', at, { visibility: 'visitor-auth' })
    let token = ''
    const sign = async () => {
      token = makeVisitorToken((await must('GET', `${at}/publishing/auth`)).privateKey, { plan: 'pro' })
    }
    await sign()
    await hasNoOldAnswer(
      () => read(sitePath, { cookie: `octavo-visitor-token=${token}` }),
      async () => {
        await must('POST', `${at}/publishing/auth/regenerate`)
        return sign
      },
    )
  })
})
