/**
 * Stale reads: a slow read must not put old rows into a cache. Each act below removes or changes a response; a request
 * is paused at each of its reads in turn, the act is committed meanwhile, and the next request must not see the rows of
 * the paused one. Over a real connection, because cached responses are sent before the server's routing.
 */
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../src/server/server.js'
import { addressKey } from '../src/access/signin/rate-limit.js'
import { hashSecret } from '../src/access/signin/secrets.js'
import { startSession } from '../src/access/signin/sessions.js'
import type { OrganizationId } from '../src/core/ids.js'
import type { Database } from '../src/store/db/database.js'
import type { Engine } from '../src/store/db/engine.js'
import { indexSpaces } from './background-work.js'
import { plainCustomization } from './customization/samples.js'
import { type Person, openTestClient } from './test-client.js'
import { describeEngines, hasPostgres } from './engines.js'
import { type PausedReads, createPausedReads } from './paused-reads.js'
import { computedPage, processSpecs, specText } from './openapi-specs.js'
import { type SiteClient, openSiteClient } from './site-client.js'
import { makeVisitorToken } from './visitor-token.js'

/**
 * Which reads a route caches does not depend on the engine, how freshness is checked does: every answer is tried on
 * PostgreSQL, where there is one, and every third on SQLite.
 */
const chosenFor =
  (engine: Engine) =>
  <Case>(cases: readonly Case[]): Case[] =>
    cases.filter((_, index) => !hasPostgres || engine === 'postgres' || index % 3 === 0)

/** More than any request reads; the last rounds are not paused. */
const mostReads = 20

describeEngines('an answer after a commit', (engine) => {
  const chosen = chosenFor(engine.engine)
  let pausedReads: PausedReads
  let database: Database
  let api: SiteClient
  let ann: Person
  let acme: OrganizationId
  let space: string
  let page: string
  let site: string
  let port: number
  let closeServer: () => Promise<unknown>

  beforeAll(async () => {
    database = await engine.open()
    // Acts run in another process.
    pausedReads = createPausedReads(await engine.openAgain())
    api = await openSiteClient(database)
    const { services } = await openTestClient(pausedReads.database, undefined, { files: api.services.files })
    ann = await api.person('ann')
    acme = await api.organization(ann)
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
    const answer = await api.request(ann, method, path, body)
    expect(answer.status, `${method} ${path} ${answer.text}`).toBeLessThan(300)
    return answer.body
  }

  /** Reads with GET, or sends what there is to send. */
  const read = (path: string, headers: Record<string, string>, body?: object): Promise<string> =>
    new Promise((resolve, reject) => {
      const sent = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
      const options = {
        // A name would be looked up for each request.
        host: '127.0.0.1',
        port,
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: { host: 'octavo.test', ...(body !== undefined && sent), ...headers },
        agent: false,
      } as const
      request(options, (answer) => {
        let text = ''
        answer.on('data', (piece: Buffer) => (text += piece.toString()))
        answer.on('end', () =>
          resolve(`${answer.statusCode} ${answer.headers.location ?? ''} ${text}`.replace('  ', ' ')),
        )
      })
        .on('error', reject)
        .end(body === undefined ? undefined : JSON.stringify(body))
    })

  const reader = (person: Person, path: string) => () =>
    read(path, { authorization: `Bearer ${person.token}` })

  /** Raw SQL invalidates all caches: the next request reads all that it needs. */
  const forgetAll = async () => {
    await database.write((tx) => sql`update organizations set updated_at = updated_at`.execute(tx))
    // Requests with an ended link do not count as brute force.
    await pausedReads.database.attempts.forget(`site key ${addressKey('127.0.0.1')}`)
  }

  /** Pauses a request at each of its reads; `act` returns a function that undoes it. */
  async function expectNoStaleResponse(
    ask: () => Promise<string>,
    act: () => Promise<() => Promise<unknown>>,
  ) {
    const before = await ask()
    expect(before).toMatch(/^(?:200|30\d) /)
    let tried = 0
    for (let nth = 0; nth < mostReads; nth += 1) {
      await forgetAll()
      const gate = pausedReads.pauseAt(nth)
      const slow = ask()
      if (!(await Promise.race([gate.wasRead, slow.then(() => false)]))) {
        gate.release()
        await slow
        break
      }
      const undo = await act().finally(gate.release)
      await slow
      const after = [await ask(), await ask()]
      for (const one of after) expect(one, `paused at read ${nth}`).not.toBe(before)
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
    const person = await api.person(name)
    await api.join(acme, person, 'read')
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
    await expectNoStaleResponse(reader(bob, pagePath()), async () => {
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
    await expectNoStaleResponse(
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
    await expectNoStaleResponse(reader(eve, pagePath()), async () => {
      await must('DELETE', `/orgs/${acme}/members/${eve.id}`)
      return () => api.join(acme, eve, 'read')
    })
  })

  test('is refused when the permission was taken', async () => {
    const guest = await api.person('guest')
    await api.join(acme, guest, null)
    const give = () => must('POST', `/spaces/${space}/permissions`, { users: [guest.id], role: 'read' })
    await give()
    await expectNoStaleResponse(reader(guest, pagePath()), async () => {
      await must('DELETE', `/spaces/${space}/permissions/users/${guest.id}`)
      return give
    })
  })

  test('is new when the page was edited', async () => {
    await edit('# Before\n')
    await expectNoStaleResponse(reader(ann, pagePath()), async () => {
      await edit('# After\n')
      return () => edit('# Before\n')
    })
  })

  const sitePath = '/@acme/site/'
  const asAnybody = () => read(sitePath, {})

  test('of a site is gone when it was unpublished', async () => {
    await expectNoStaleResponse(asAnybody, async () => {
      await must('POST', `/orgs/${acme}/sites/${site}/unpublish`)
      return () => must('POST', `/orgs/${acme}/sites/${site}/publish`)
    })
  })

  test('of a site is gone when it was closed to strangers', async () => {
    const become = (visibility: string) => must('PATCH', `/orgs/${acme}/sites/${site}`, { visibility })
    await expectNoStaleResponse(asAnybody, async () => {
      await become('share-link')
      return () => become('public')
    })
  })

  test('of a site is new when its page was edited', async () => {
    await edit('# Before\n')
    await expectNoStaleResponse(asAnybody, async () => {
      await edit('# After\n')
      return () => edit('# Before\n')
    })
  })

  test('of a site behind links is gone when its link was ended', async () => {
    const at = `/orgs/${acme}/sites/${site}`
    await must('PATCH', at, { visibility: 'share-link' })
    const link = await must('POST', `${at}/share-links`, {})
    const own = new URL(link.urls.published).pathname
    await expectNoStaleResponse(
      () => read(own, {}),
      async () => {
        await must('PATCH', `${at}/share-links/${link.id}`, { active: false })
        return () => must('PATCH', `${at}/share-links/${link.id}`, { active: true })
      },
    )
  })

  test('of a site for visitors is gone after its key was rotated', async () => {
    const at = `/orgs/${acme}/sites/${site}`
    await must('PATCH', at, { visibility: 'visitor-auth' })
    let token = ''
    const sign = async () => {
      token = makeVisitorToken((await must('GET', `${at}/publishing/auth`)).privateKey, { plan: 'pro' })
    }
    await sign()
    await expectNoStaleResponse(
      () => read(sitePath, { cookie: `octavo-visitor-token=${token}` }),
      async () => {
        await must('POST', `${at}/publishing/auth/regenerate`)
        return sign
      },
    )
  })

  describe('of a site with every kind of content', () => {
    let guide: string
    let zebra: string
    let other: string
    let fullSite: string
    let variant: string
    let redirect: string
    let fixed: Record<string, string>

    const change = (method: string, path: string, body?: object) =>
      must(method, `/orgs/${acme}/sites/${fullSite}${path}`, body)
    const specify = async (summary: string) => {
      const paths = { '/all': { get: { summary, responses: { 200: { description: 'All.' } } } } }
      await must('PUT', `/orgs/${acme}/openapi/herd`, { source: { text: specText('Herd', { paths }) } })
      await processSpecs(api)
    }
    const look = (light: string) => {
      const styling = { ...plainCustomization.styling, primaryColor: { light, dark: '#ffbb99' } }
      return change('PUT', '/customization', { ...plainCustomization, styling })
    }
    const claim = (name: string) =>
      change('PUT', '/adaptive-schema', {
        jsonSchema: {
          type: 'object',
          properties: { [name]: { type: 'string', description: name } },
          additionalProperties: false,
        },
      })
    const write = async (markdown: string) => {
      await api.change(ann, guide, [{ operation: 'update_page', page: zebra, document: { markdown } }])
      await indexSpaces(api)
    }
    const usual = '# Zebra\n\nStripes of a zebra.\n'
    const writing = { act: () => write('# Quagga\n\nSpots of one.\n'), undo: () => write(usual) }
    const open = (visibility: string) => change('PATCH', '', { visibility })

    beforeAll(async () => {
      await specify('List zebras')
      guide = await api.folder(ann, acme, 'Guide', {
        'README.md': '# Home\n\n{% if visitor.claims.plan == "pro" %}\nFor the pros\n{% endif %}\n',
        'zebra.md': '# Zebra\n\nStripes of a zebra.\n',
        'SUMMARY.md': `# Table of contents\n\n* [Home](README.md)\n* [Zebra](zebra.md)\n${computedPage('Calls', 'herd')}`,
      })
      await must('PATCH', `/spaces/${guide}`, { language: 'en', editMode: 'locked' })
      other = await api.folder(ann, acme, 'Other', { 'README.md': '# Other\n' })
      await must('PATCH', `/spaces/${other}`, { language: 'fr', editMode: 'locked' })
      const file = { name: 'a.txt', base64: Buffer.from('hello').toString('base64') }
      await api.change(ann, guide, [{ operation: 'insert_files', files: [file] }])
      const { pages } = await must('GET', `/spaces/${guide}/content/pages`)
      zebra = pages[1].id
      fullSite = (
        await api.publish(ann, acme, { title: 'Shown', visibility: 'public', spaces: [guide, other] })
      ).id
      const { items } = await change('GET', '/site-spaces')
      variant = items[1].id
      redirect = (
        await change('POST', '/redirects', {
          source: '/old',
          destination: { kind: 'external', url: 'https://example.com/one' },
        })
      ).id
      await look('#aa2200')
      await indexSpaces(api)
      const home = await read('/@acme/shown/', {})
      const { items: files } = await must('GET', `/spaces/${guide}/content/files`)
      fixed = {
        picture: new URL(/content="([^"]+~octavo\/ogimage\/[^"]+)"/.exec(home)![1]!, 'http://octavo.test')
          .pathname,
        file: files[0].downloadURL.slice('http://octavo.test'.length),
        publicFile: `~octavo/file/${guide}/${files[0].id}/a.txt`,
      }
    })

    interface StaleReadCase {
      /** The requested path, of the site or of the API. */
      readonly path: string | (() => string)
      readonly act: () => Promise<unknown>
      readonly undo: () => Promise<unknown>
      /** Headers of the reader; anonymous by default. */
      readonly as?: () => Promise<Record<string, string>>
    }
    const byAnn = async () => ({ authorization: `Bearer ${ann.token}` })
    const staleReadCases: Readonly<Record<string, StaleReadCase>> = {
      'a page when its look changed': {
        path: '',
        act: () => look('#0022aa'),
        undo: () => look('#aa2200'),
      },
      'the sheet when the look changed': {
        path: '~octavo/theme.css',
        act: () => look('#0022aa'),
        undo: () => look('#aa2200'),
      },
      'a page when a variant got another name': {
        path: '',
        act: () => change('PATCH', `/site-spaces/${variant}`, { title: 'Renamed' }),
        undo: () => change('PATCH', `/site-spaces/${variant}`, { title: 'Other' }),
      },
      'a page of a variant that moved': {
        path: 'other/',
        act: () => change('PATCH', `/site-spaces/${variant}`, { path: 'moved' }),
        undo: () => change('PATCH', `/site-spaces/${variant}`, { path: 'other' }),
      },
      'a page that names its translations': {
        path: '',
        act: () => must('PATCH', `/spaces/${other}`, { language: 'de' }),
        undo: () => must('PATCH', `/spaces/${other}`, { language: 'fr' }),
      },
      'a redirect when it leads elsewhere': {
        path: 'old',
        act: () =>
          change('PATCH', `/redirects/${redirect}`, {
            source: '/old',
            destination: { kind: 'external', url: 'https://example.com/two' },
          }),
        undo: () =>
          change('PATCH', `/redirects/${redirect}`, {
            source: '/old',
            destination: { kind: 'external', url: 'https://example.com/one' },
          }),
      },
      'the pages of the map of the site': {
        path: 'sitemap-pages.xml',
        act: () => api.change(ann, guide, [{ operation: 'update_page', page: zebra, slug: 'quagga' }]),
        undo: () => api.change(ann, guide, [{ operation: 'update_page', page: zebra, slug: 'zebra' }]),
      },
      'the map of the site when it is not to be found': {
        path: 'sitemap.xml',
        act: () => open('unlisted'),
        undo: () => open('public'),
      },
      'robots.txt': {
        path: 'robots.txt',
        act: () => open('unlisted'),
        undo: () => open('public'),
      },
      'llms.txt': { path: 'llms.txt', ...writing },
      'llms-full.txt': { path: 'llms-full.txt', ...writing },
      'a page as Markdown': { path: 'zebra.md', ...writing },
      'what a search finds': { path: '~octavo/search?q=stripes', ...writing },
      'a page that is made of a specification': {
        path: 'calls/operations',
        act: () => specify('Count zebras'),
        undo: () => specify('List zebras'),
      },
      'a specification': {
        path: () => `/v1/orgs/${acme}/openapi/herd/versions/latest/content`,
        as: byAnn,
        act: () => specify('Count zebras'),
        undo: () => specify('List zebras'),
      },
      'a picture of a site that was closed': {
        path: () => fixed.picture!,
        act: () => open('share-link'),
        undo: () => open('public'),
      },
      'a file of a site that was closed': {
        path: () => fixed.file!,
        act: () => open('share-link'),
        undo: () => open('public'),
      },
      'the content for a visitor after the claim schema changed': {
        path: '',
        as: async () => {
          const { privateKey } = await change('GET', '/publishing/auth')
          return { cookie: `octavo-visitor-token=${makeVisitorToken(privateKey, { plan: 'pro' })}` }
        },
        act: () => claim('rank'),
        undo: () => claim('plan'),
      },
      'a variant under a condition': {
        path: 'other/',
        act: () => change('PATCH', `/site-spaces/${variant}`, { condition: 'visitor.claims.plan == "pro"' }),
        undo: () => change('PATCH', `/site-spaces/${variant}`, { condition: null }),
      },
      'the structure of a site': {
        path: () => `/v1/orgs/${acme}/sites/${fullSite}/structure`,
        as: byAnn,
        act: () => change('PATCH', `/site-spaces/${variant}`, { path: 'moved' }),
        undo: () => change('PATCH', `/site-spaces/${variant}`, { path: 'other' }),
      },
      'an organization': {
        path: () => `/v1/orgs/${acme}`,
        as: byAnn,
        act: () => must('PATCH', `/orgs/${acme}`, { title: 'Other' }),
        undo: () => must('PATCH', `/orgs/${acme}`, { title: 'Acme' }),
      },
      'the links of a space': {
        path: () => `/v1/spaces/${guide}/links`,
        as: byAnn,
        act: () => write('# Zebra\n\n[Nowhere](none.md)\n'),
        undo: () => write(usual),
      },
    }

    test.each(chosen(Object.entries(staleReadCases)))(
      '%s',
      async (name, { path, act, undo, as = async () => ({}) }) => {
        if (name.includes('visitor') || name.includes('condition')) {
          await change('PATCH', '', { adaptiveContent: { enabled: true } })
          await claim('plan')
        }
        const at = typeof path === 'string' ? `/@acme/shown/${path}` : path()
        const headers = await as()
        await expectNoStaleResponse(
          () => read(at, headers),
          async () => {
            await act()
            return undo
          },
        )
      },
    )

    describe('that is taken back', () => {
      let base: string
      let headers: Record<string, string>
      let link: string
      let insider: string
      let insiders = 0

      /** Opens the site by a new share link, which is active. */
      async function comeByLink(): Promise<void> {
        await open('share-link')
        const { id, urls } = await change('POST', '/share-links', {})
        link = id
        base = new URL(urls.published).pathname
      }
      async function comeAsVisitor(): Promise<void> {
        await open('visitor-auth')
        const { privateKey } = await change('GET', '/publishing/auth')
        headers = { cookie: `octavo-visitor-token=${makeVisitorToken(privateKey, { plan: 'pro' })}` }
      }
      const show = async () => {
        variant = (await change('POST', '/site-spaces', { spaceId: other })).id
        await change('PATCH', `/site-spaces/${variant}`, { path: 'other' })
      }
      const ways: Readonly<
        Record<string, Pick<StaleReadCase, 'act' | 'undo'> & { come(): Promise<unknown> }>
      > = {
        'with its link': {
          come: comeByLink,
          act: () => change('PATCH', `/share-links/${link}`, { active: false }),
          undo: () => change('PATCH', `/share-links/${link}`, { active: true }),
        },
        'with the key of its visitors': {
          come: comeAsVisitor,
          act: () => change('POST', '/publishing/auth/regenerate'),
          undo: comeAsVisitor,
        },
        'with the site': {
          come: comeByLink,
          act: () => change('POST', '/unpublish'),
          undo: () => change('POST', '/publish'),
        },
        'with its space': {
          come: comeByLink,
          act: () => change('DELETE', `/site-spaces/${variant}`),
          undo: show,
        },
        'with the membership of who was let in': {
          come: async () => {
            await open('visitor-auth')
            const person = await member(`insider${(insiders += 1)}`)
            headers = { authorization: `Bearer ${person.token}` }
            insider = person.id
          },
          act: () => must('DELETE', `/orgs/${acme}/members/${insider}`),
          undo: () => api.join(acme, { id: insider } as Person, 'read'),
        },
      }

      const tools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
      const taken: readonly (readonly [path: string, way: string, body?: object])[] = [
        ['zebra.md', 'with its link'],
        ['~octavo/search?q=stripes', 'with its link'],
        ['{picture}', 'with its link'],
        ['llms-full.txt', 'with its link'],
        ['{file}', 'with its link'],
        ['~octavo/mcp', 'with its link', tools],
        ['calls/operations', 'with its link'],
        ['~octavo/theme.css', 'with its link'],
        ['zebra.md', 'with the key of its visitors'],
        ['~octavo/search?q=stripes', 'with the key of its visitors'],
        ['{picture}', 'with the key of its visitors'],
        ['llms.txt', 'with the key of its visitors'],
        ['{file}', 'with the key of its visitors'],
        ['~octavo/mcp', 'with the key of its visitors', tools],
        ['calls/operations.md', 'with the key of its visitors'],
        ['zebra.md', 'with the site'],
        ['~octavo/search?q=stripes', 'with the site'],
        ['~octavo/mcp', 'with the site', tools],
        ['{file}', 'with the site'],
        ['other/', 'with its space'],
        ['llms.txt', 'with its space'],
        ['zebra', 'with its space'],
        ['zebra', 'with the membership of who was let in'],
        ['llms-full.txt', 'with the membership of who was let in'],
        ['{file}', 'with the membership of who was let in'],
      ]

      test.each(chosen(taken.map(([path, way, body]) => ({ path, way, body }))))(
        '$path, $way',
        async ({ path, way, body }) => {
          ;[base, headers] = ['/@acme/shown/', {}]
          const { come, act, undo } = ways[way]!
          await come()
          const picture = /~octavo\/ogimage\/[^"]+/.exec(await read(base, headers))![0]
          const named = path.replace('{picture}', picture).replace('{file}', fixed.publicFile!)
          const ask = () => read(base + named, headers, body)
          await expectNoStaleResponse(ask, async () => {
            await act()
            return undo
          })
        },
      )
    })
  })
})
