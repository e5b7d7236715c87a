/**
 * Consistent reads: a read of several statements sees one version of the data. Each read below is paused at each of its
 * statements in turn, with cold and with warm caches, while another handle on the database commits changes to rows of
 * several statements. The response must equal that of an undisturbed read before, between or after the changes.
 */
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OrganizationId } from '../src/core/ids.js'
import type { Database } from '../src/store/db/database.js'
import type { Person } from './test-client.js'
import { describeConcurrency } from './engines.js'
import { type PausedReads, createPausedReads } from './paused-reads.js'
import { type SiteClient, openSiteClient } from './site-client.js'

/** More than any request reads; the last rounds are not paused. */
const mostReads = 20

type Act = () => Promise<unknown>

describeConcurrency('a read beside writers', (engine) => {
  let pausedReads: PausedReads
  let other: Database
  /** The client that writes, and the client that reads. */
  let [writers, readers] = [] as unknown as [SiteClient, SiteClient]
  let ann: Person
  let acme: OrganizationId
  let checks = { versions: 0, snapshots: 0 }
  /** Runs before a read checks whether the data changed. */
  let overtake: Act | undefined

  beforeAll(async () => {
    const database = await engine.open()
    other = await engine.openAgain()
    pausedReads = createPausedReads({
      ...database,
      currentVersion: async () => {
        checks.versions += 1
        await overtake?.()
        return database.currentVersion()
      },
      readSnapshot: (work) => {
        checks.snapshots += 1
        return database.readSnapshot(work)
      },
    })
    writers = await openSiteClient(other)
    const { files } = writers.services
    readers = await openSiteClient(pausedReads.database, undefined, { files })
    ann = await writers.person('ann')
  })
  beforeEach(async () => {
    acme = await writers.organization(ann)
    checks = { versions: 0, snapshots: 0 }
  })

  async function must(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await writers.request(ann, method, path, body)
    expect(answer.status, `${method} ${path} ${answer.text}`).toBeLessThan(300)
    return answer.body
  }

  const space = (title: string, more: object = {}) =>
    must('POST', `/orgs/${acme}/spaces`, { title, editMode: 'live', ...more })

  /** A path of the API, or with `~` before it one from the root of the host. */
  async function read(path: string, person = ann, api = readers): Promise<string> {
    const { status, text } = path.startsWith('~')
      ? await api.read(path.slice(1), { authorization: `Bearer ${person.token}` })
      : await api.request(person, 'GET', path)
    return `${status} ${text}`
  }

  /** Raw SQL invalidates all caches: the next request reads all that it needs. */
  const forgetAll = () =>
    other.write((tx) => sql`update organizations set updated_at = updated_at`.execute(tx))

  let people = 0

  /** Pauses the read at each of its statements while the acts run; `make` creates fresh data. */
  async function expectConsistent(
    make: () => Promise<{ path: string; acts: readonly Act[]; person?: Person }>,
  ) {
    let tried = 0
    for (const isWarm of [false, true]) {
      for (let nth = 0; nth < mostReads; nth += 1) {
        const { path, acts, person = ann } = await make()
        const states = [await read(path, person)]
        if (!isWarm) await forgetAll()
        const gate = pausedReads.pauseAt(nth)
        const slow = read(path, person)
        const isPaused = await Promise.race([gate.wasRead, slow.then(() => false)])
        if (isPaused)
          for (const act of acts) {
            await act()
            states.push(await read(path, person, writers))
          }
        gate.release()
        const answer = await slow
        if (!isPaused) break
        expect(new Set(states).size, 'the acts change the answer').toBe(acts.length + 1)
        expect(states, `${isWarm ? 'warm' : 'cold'} caches, paused at ${nth}`).toContain(answer)
        tried += 1
      }
    }
    expect(tried).toBeGreaterThan(2)
  }

  test('counts the members that it lists', () =>
    expectConsistent(async () => {
      acme = await writers.organization(ann)
      const bob = await writers.person(`bob ${(people += 1)}`)
      await writers.join(acme, bob, 'read')
      await writers.join(acme, await writers.person(`cyn ${people}`), 'read')
      return {
        path: `/orgs/${acme}/members?limit=2`,
        acts: [() => must('DELETE', `/orgs/${acme}/members/${bob.id}`)],
      }
    }))

  test('counts the spaces that it lists, each in its position', () =>
    expectConsistent(async () => {
      acme = await writers.organization(ann)
      const { id: parent } = await must('POST', `/orgs/${acme}/collections`, { title: 'Parent' })
      const { id } = await space('First')
      const { id: second } = await space('Second')
      await space('Third')
      return {
        path: `/orgs/${acme}/spaces?limit=2`,
        acts: [
          () => must('POST', `/spaces/${id}/move`, { parent }),
          () => must('DELETE', `/spaces/${second}`),
        ],
      }
    }))

  test('returns a space with its parents', () =>
    expectConsistent(async () => {
      const { id } = await space('Before')
      const site = await must('POST', `/orgs/${acme}/sites`, {
        title: 'Site',
        spaces: [id],
        visibility: 'public',
      })
      return {
        path: `/spaces/${id}`,
        acts: [
          () => must('PATCH', `/spaces/${id}`, { title: 'After' }),
          () => must('POST', `/orgs/${acme}/sites/${site.id}/publish`),
        ],
      }
    }))

  test('returns a published site with its spaces', () =>
    expectConsistent(async () => {
      const [{ id }, { id: more }] = [await space('Guide'), await space('API')]
      const { id: site } = await must('POST', `/orgs/${acme}/sites`, {
        title: 'Site',
        spaces: [id],
        visibility: 'public',
      })
      const path = `/orgs/${acme}/sites/${site}`
      await must('POST', `${path}/publish`)
      return {
        path: `${path}/published`,
        acts: [
          () => must('PATCH', path, { title: 'Docs' }),
          () => must('PATCH', `/spaces/${id}`, { title: 'Handbook' }),
          () => must('POST', `${path}/site-spaces`, { spaceId: more }),
        ],
      }
    }))

  test('names a site with sign-in by the title that it had when the reader could see it', () =>
    expectConsistent(async () => {
      acme = await writers.organization(ann)
      const dan = await writers.person(`dan ${(people += 1)}`)
      const { id } = await space('Guide')
      const { id: site, base } = await writers.publish(ann, acme, {
        title: 'Site',
        spaces: [id],
        visibility: 'visitor-auth',
      })
      return {
        path: `~${base}`,
        person: dan,
        acts: [
          () => must('PATCH', `/orgs/${acme}/sites/${site}`, { title: 'Handbook' }),
          () => writers.join(acme, dan, 'read'),
        ],
      }
    }))

  test('lists organizations and what is in them on the first page', () =>
    expectConsistent(async () => {
      const cat = await writers.person(`cat ${(people += 1)}`)
      acme = await writers.organization(ann, `Acme ${people}`)
      await writers.join(acme, cat, 'admin')
      const { id } = await space(`Before ${people}`)
      return {
        path: '~/',
        person: cat,
        acts: [
          () => must('PATCH', `/orgs/${acme}`, { title: `Renamed ${people}` }),
          () => must('PATCH', `/spaces/${id}`, { title: `After ${people}` }),
        ],
      }
    }))

  test('counts the change requests that it lists', () =>
    expectConsistent(async () => {
      const { id } = await space('Space')
      const requests = `/spaces/${id}/change-requests`
      await must('POST', requests, { subject: 'First' })
      const second = await must('POST', requests, { subject: 'Second' })
      const { pages } = await must('GET', `/spaces/${id}/content/pages`)
      await must('POST', `${requests}/${second.id}/content`, {
        changes: [{ operation: 'update_page', page: pages[0].id, document: { markdown: '# New\n' } }],
      })
      return {
        path: `${requests}?status=draft&limit=1`,
        acts: [() => must('POST', `${requests}/${second.id}/merge`)],
      }
    }))

  test('reads from a snapshot when it was overtaken twice', async () => {
    await space('One')
    const path = `/orgs/${acme}/spaces`
    let title = 0
    overtake = () => space(`Space ${(title += 1)}`)
    const answer = await read(path).finally(() => (overtake = undefined))
    expect(checks).toEqual({ versions: 2, snapshots: 1 })
    expect(JSON.parse(answer.slice(4)).count).toBe(3)
    expect(answer).toBe(await read(path))
  })

  describe('checks the data version no more than needed:', () => {
    async function costOf(path: string, person = ann) {
      // The first use of a token is recorded, and then its row is read again.
      await read(path, person)
      await read(path, person)
      const before = pausedReads.count()
      checks = { versions: 0, snapshots: 0 }
      expect(await read(path, person)).toMatch(/^200 /)
      return { statements: pausedReads.count() - before, ...checks }
    }

    test('never after one statement', async () => {
      const one = await writers.person('one')
      await writers.organization(one)
      expect(await costOf('/orgs', one)).toEqual({ statements: 1, versions: 0, snapshots: 0 })
    })

    test('never for cached rows', async () => {
      const { id } = await space('Space')
      const { pages } = await must('GET', `/spaces/${id}/content/pages`)
      const path = `/spaces/${id}/content/page/${pages[0].id}`
      expect(await costOf(path)).toEqual({ statements: 0, versions: 0, snapshots: 0 })
    })

    test('once at the end of a file or of a preview, which take several statements', async () => {
      const { id } = await space('Space')
      expect((await costOf(`~/s/${id}/`)).versions).toBe(1)
      await must('POST', `/spaces/${id}/content`, {
        changes: [{ operation: 'insert_files', files: [{ name: 'a.txt', base64: 'YQ==' }] }],
      })
      const { items } = await must('GET', `/spaces/${id}/content/files`)
      const { pathname, search } = new URL(items[0].downloadURL)
      await forgetAll()
      const cost = await costOf(`~${pathname}`)
      expect(cost.versions).toBe(1)
      // The user of a signed URL is cached like that of a token.
      expect(await costOf(`~${pathname}${search}`)).toEqual(cost)
    })

    test('once at the end of several statements', async () => {
      await space('Space')
      const { versions, snapshots } = await costOf(`/orgs/${acme}/spaces`)
      expect({ moments: versions, snapshots }).toEqual({ moments: 1, snapshots: 0 })
    })
  })
})
