/** Adaptive sites: what each visitor gets at every URL, and how it is cached. */
import { beforeAll, describe, expect, test } from 'vitest'
import { describeSqlite } from '../../../tests/engines.js'
import type { Person } from '../../../tests/test-client.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'
import { plainCustomization } from '../../../tests/customization/samples.js'
import { makeVisitorToken } from '../../../tests/visitor-token.js'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import { indexSpace } from '../../resources/search/index-space.js'

const plan = { type: 'string', enum: ['free', 'pro'], description: 'The plan' }
const jsonSchema = {
  type: 'object',
  properties: {
    plan,
    name: { type: 'string', description: 'How they are called' },
    seats: { type: 'number', description: 'How many they are' },
    unsigned: {
      type: 'object',
      description: 'Unsigned claims of the site visitor.',
      properties: { language: { type: 'string', enum: ['fr', 'en'], description: 'Language' }, name: plan },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
}

const isPro = 'visitor.claims.plan == "pro"'
const files = {
  'README.md': `# Home\n\nOpen words for <code class="expression">visitor.claims.name</code>.\n\n{% if ${isPro} %}\n## Sesame deeper\n\nSesame words, [closed](closed.md), [plan](plan.txt).\n{% endif %}\n\n{% include ".gitbook/includes/part.md" %}\n`,
  'closed.md': `---\nif: ${isPro}\ndescription: Sesame description\n---\n\n# Sesame title\n\nSesame text.\n`,
  'closed/below.md': '# Sesame below\n\nSesame below. [deep](../deep.txt) [both](../both.txt)\n',
  'last.md': '# Last\n\nOpen last. [both](both.txt) [open](open.txt)\n',
  'plan.txt': 'Sesame plan\n',
  'deep.txt': 'Sesame deep\n',
  'part.txt': 'Sesame file of a part\n',
  'both.txt': 'Of both\n',
  'open.txt': 'Of all\n',
  'unused.txt': 'Not used\n',
  'plain.md': '# Plain\n\nNothing is asked here. [Sesame](https://example.com/) [deep](closed/below.md)\n',
  '.gitbook.yaml': 'redirects:\n  former: closed.md\n',
  '.gitbook/includes/part.md': `Open part.\n\n{% if ${isPro} %}\nSesame part. [file](../../part.txt)\n{% endif %}\n`,
  'SUMMARY.md':
    '# Table of contents\n\n* [Home](README.md)\n* [Sesame title](closed.md)\n  * [Sesame below](closed/below.md)\n* [Last](last.md)\n* [Plain](plain.md)\n',
}

describeSqlite('an adaptive site', (engine) => {
  let client: SiteClient
  let ann: Person
  let acme: OrganizationId
  const must = async (method: 'POST' | 'PATCH' | 'PUT', path: string, body?: object) => {
    const answer = await client.request(ann, method, path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }

  beforeAll(async () => {
    client = await openSiteClient(await engine.open())
    ann = await client.person('ann')
    acme = await client.organization(ann)
  })

  /** Publishes an adaptive site with a schema, and creates visitors. */
  async function publish(title: string, spaces: readonly string[], isAdaptive = true) {
    const { id, base } = await client.publish(ann, acme, { title, spaces })
    const site = `/orgs/${acme}/sites/${id}`
    await must('PUT', `${site}/adaptive-schema`, { jsonSchema })
    if (isAdaptive) await must('PATCH', site, { adaptiveContent: { enabled: true } })
    const { privateKey } = (await client.request(ann, 'GET', `${site}/publishing/auth`)).body
    const as = (claims: object, key: string = privateKey) => ({
      cookie: `gitbook-visitor-token=${makeVisitorToken(key, claims)}`,
    })
    const read = async (path: string, headers: Record<string, string> = {}) =>
      client.read(base + path, headers)
    return { site, base, as, read }
  }

  async function index(space: string) {
    const signal = new AbortController().signal
    await indexSpace({ services: client.services, spaceId: space as SpaceId, signal, now: Date.now })
  }

  test('accepts beacons of readers for pages that only they may see', async () => {
    const space = await client.folder(ann, acme, 'Told', files)
    const made = await publish('Told', [space])
    await must('PUT', `${made.site}/customization`, { ...plainCustomization, feedback: { enabled: true } })
    const tell = async (path: string, headers: Record<string, string> = {}) => {
      const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
      const { statusCode, body } = await client.server.inject({
        method: 'POST',
        url: `${made.base}~octavo/${path}`,
        headers: { host: 'octavo.test', ...form, 'user-agent': 'Mozilla/5.0', ...headers },
        payload: 'rating=good',
      })
      return `${statusCode} ${/Sesame|What would have helped/.exec(body)?.[0] ?? ''}`.trim()
    }
    for (const path of ['closed', 'closed/below']) {
      for (const headers of [{}, made.as({ plan: 'free' }), made.as({ plan: 'pro' }, 'another key')])
        expect([await tell(`feedback/${path}`, headers), await tell(`view/${path}`, headers)]).toEqual([
          '404',
          '404',
        ])
      const pro = made.as({ plan: 'pro' })
      expect(await tell(`feedback/${path}`, pro)).toMatch(/^200 /)
      expect(await tell(`view/${path}`, pro)).toBe('204')
    }
    expect(await tell('feedback/last')).toBe('200 What would have helped')
    const { body } = await client.request(ann, 'GET', `${made.site}/insights/feedback`)
    expect(body.count).toBe(3)
  })

  describe('hides content for some readers from all others, at every URL', () => {
    let made: Awaited<ReturnType<typeof publish>>
    let guide: string
    const fileOf = async (name: string) => {
      const { items } = (await client.request(ann, 'GET', `/spaces/${guide}/content/files?limit=100`)).body
      const { id } = items.find((one: any) => one.name === name)
      return { id, href: `~octavo/file/${guide}/${id}/${name}` }
    }
    const paths = [
      '',
      'closed',
      'closed.md',
      'readme.md',
      'closed/below',
      'Closed',
      'closed/below/',
      'former',
      'last',
      'llms.txt',
      'sitemap.xml',
      'sitemap-pages.xml',
      'llms-full.txt',
      'closed/rss.xml',
      '~octavo/tree/closed',
      '~octavo/search?q=sesame',
      '?q=sesame',
      'old-closed',
      'nowhere',
    ]
    beforeAll(async () => {
      const space = await client.folder(ann, acme, 'Guide', files)
      guide = space
      await index(space)
      made = await publish('Guide', [space])
      const { pages } = (await client.request(ann, 'GET', `/spaces/${space}/content/pages`)).body
      const closed = pages.find(({ path }: { path: string }) => path === 'closed')
      const links = (await client.request(ann, 'GET', `${made.site}/site-spaces`)).body
      await must('POST', `${made.site}/redirects`, {
        source: '/old-closed',
        destination: { kind: 'site-page', siteSpaceId: links.items[0].id, pageId: closed.id },
      })
    })

    test.each<[who: string, headers: () => Record<string, string>]>([
      ['an anonymous visitor', () => ({})],
      ['a visitor with another plan', () => made.as({ plan: 'free' })],
      ['a visitor with an invalid plan', () => made.as({ plan: 'PRO' })],
      ['a visitor with a token of another key', () => made.as({ plan: 'pro' }, 'another key')],
      ['a visitor with an expired token', () => made.as({ plan: 'pro', exp: 1 })],
      [
        'a visitor with unsigned claims',
        () => ({ cookie: 'octavo-visitor-public=%7B%22plan%22%3A%22pro%22%7D' }),
      ],
    ])('%s', async (_, headers) => {
      const texts = new Map<string, string>()
      for (const path of paths) {
        const { status, text, headers: responseHeaders } = await made.read(path, headers())
        expect(responseHeaders['location'] ?? '', path).not.toMatch(/closed/)
        texts.set(path, `${status} ${text}`)
      }
      // The search words are repeated; nothing else.
      for (const [path, text] of texts) {
        const leaked = text.replace(
          /"query":"sesame"|value="sesame"|q=sesame|“sesame”|sesame<\/(?:title|h1|strong)>|<title>sesame/gi,
          '',
        )
        expect(leaked, path).not.toMatch(/sesame (?:words|title|description|text|below|part)/i)
      }
      expect(texts.get('')).toContain('Open words')
      expect(texts.get('')).toContain('Open part')
      expect(texts.get('closed')).toMatch(/^404/)
      expect(texts.get('closed.md')).toContain('# Page not found')
      expect(texts.get('closed/rss.xml')).toMatch(/^404/)
      expect(texts.get('old-closed')).toMatch(/^404/)
      expect(texts.get('~octavo/tree/closed')).toMatch(/^404/)
      expect(JSON.parse(texts.get('~octavo/search?q=sesame')!.slice(4))).toMatchObject({
        items: [{ title: { text: 'Plain' } }],
        count: 1,
      })
    })

    test('and shows it to the readers it is for', async () => {
      const pro = made.as({ plan: 'pro', name: 'Ann' })
      const text = async (path: string) => (await made.read(path, pro)).text
      const home = await text('')
      expect(home).toContain('Sesame words')
      expect(home).toContain('Sesame part')
      expect(home).toContain('Open words for Ann.')
      expect(home).toContain('Sesame title')
      expect(await text('closed')).toContain('Sesame text')
      expect(await text('closed.md')).toContain('Sesame text')
      expect(await text('readme.md')).toContain('Open words for Ann.')
      expect(await text('readme.md')).toContain('Sesame words')
      expect(await text('closed/below')).toContain('Sesame below')
      expect(await text('last')).toMatch(/Sesame below/)
      expect(await text('llms.txt')).toContain('Sesame title')
      expect(await text('sitemap-pages.xml')).toContain('/closed<')
      expect(await text('llms-full.txt')).toContain('Sesame text')
      expect(await text('~octavo/tree/closed')).toContain('Sesame below')
      const found = async (query: string) => JSON.parse(await text(`~octavo/search?q=${query}`))
      expect(await found('sesame')).toMatchObject({ count: 4 })
      // By a part of a word that occurs in the closed page only, and mistyped.
      for (const query of ['sesam', 'seseme', 'sesame words'])
        expect((await found(query)).items.map(({ title }: any) => title.text)).toContain('Home')
      const { items } = await found('sesame words')
      expect(items.find(({ title }: any) => title.text === 'Home').sections).toMatchObject([
        { heading: { text: 'Sesame deeper' }, href: `${made.base}#sesame-deeper` },
      ])
      for (const path of ['old-closed', 'former', 'Closed']) {
        const { status, headers } = await made.read(path, pro)
        expect([status, headers['location']]).toEqual([path === 'Closed' ? 308 : 307, `${made.base}closed`])
      }
    })

    test('with the files that it uses, for them alone', async () => {
      const pro = made.as({ plan: 'pro' })
      const addresses = new Map<string, string>()
      for (const path of ['', 'closed/below', 'last'])
        for (const [, href, name] of (await made.read(path, pro)).text.matchAll(
          /href="([^"]*~octavo\/file\/[^"]*\/([\w.]+)[^"/]*)"/g,
        ))
          addresses.set(name!, href!.slice(made.base.length))
      expect([...addresses.keys()].toSorted()).toEqual([
        'both.txt',
        'deep.txt',
        'open.txt',
        'part.txt',
        'plan.txt',
      ])
      const unused = await fileOf('unused.txt')
      addresses.set('unused.txt', unused.href)
      const opened = async (headers: Record<string, string>) => {
        const open: string[] = []
        for (const [name, path] of addresses) {
          const { status, headers: responseHeaders } = await made.read(path, headers)
          expect(responseHeaders['cache-control'], name).toMatch(/private|no-store/)
          if (status === 200) open.push(name)
        }
        return open.toSorted()
      }
      expect(await opened(pro)).toEqual([...addresses.keys()].toSorted())
      for (const headers of [{}, made.as({ plan: 'free' })])
        expect(await opened(headers)).toEqual(['both.txt', 'open.txt', 'unused.txt'])
      // Nor by the URL for files of fully public sites.
      const [{ id }] = [await fileOf('plan.txt')]
      expect((await client.read(`/~octavo/files/${guide}/${id}/plan.txt`)).status).toBe(404)
    })

    test("and returns the visitor's claims", async () => {
      const known = async (headers: Record<string, string>) =>
        JSON.parse((await made.read('~octavo/visitor', headers)).text).visitor.claims
      expect(await known(made.as({ plan: 'pro', exp: 9_999_999_999, secret: 1 }))).toEqual({
        plan: 'pro',
        unsigned: {},
      })
      const cookie = `octavo-visitor-public=${encodeURIComponent('{"language":"fr","plan":"pro"}')}`
      expect(await known({ cookie })).toEqual({ unsigned: { language: 'fr' } })
    })
  })

  test('without a schema has the claims of tokens, and no unsigned claims', async () => {
    const markdown = "# Asked\n\n{% if visitor.claims.unsigned.language == 'fr' %}\nSesame.\n{% endif %}\n"
    const { id, base } = await client.publish(ann, acme, {
      title: 'No schema',
      spaces: [await client.folder(ann, acme, 'No schema', { ...files, 'last.md': markdown })],
    })
    const site = `/orgs/${acme}/sites/${id}`
    await must('PATCH', site, { adaptiveContent: { enabled: true } })
    const { privateKey } = (await client.request(ann, 'GET', `${site}/publishing/auth`)).body
    const pro = { cookie: `octavo-visitor-token=${makeVisitorToken(privateKey, { plan: 'pro' })}` }
    const french = { cookie: `octavo-visitor-public=${encodeURIComponent('{"language":"fr"}')}` }
    expect((await client.read(`${base}closed`, pro)).status).toBe(200)
    expect((await client.read(`${base}last`, french)).text).not.toContain('Sesame.')
    await must('PUT', `${site}/adaptive-schema`, { jsonSchema })
    expect((await client.read(`${base}closed`, pro)).status).toBe(200)
    expect((await client.read(`${base}last`, french)).text).toContain('Sesame.')
    await must('PUT', `${site}/adaptive-schema`, {
      jsonSchema: { type: 'object', properties: {}, additionalProperties: false },
    })
    expect((await client.read(`${base}closed`, pro)).status).toBe(404)
    expect((await client.read(`${base}last`, french)).text).not.toContain('Sesame.')
  })

  test('leads from its root and from groups to the first page that the visitor may see', async () => {
    const space = await client.folder(ann, acme, 'Entrances', {
      'README.md': `---\nif: ${isPro}\n---\n\n# Sesame home\n`,
      'below.md': '# Sesame below\n',
      'pro.md': `---\nif: ${isPro}\n---\n\n# Sesame pro\n`,
      'unlisted.md': '---\nhidden: true\n---\n\n# Unlisted\n',
      'open.md': '# Open\n',
      'only.md': `---\nif: ${isPro}\n---\n\n# Sesame only\n`,
      'SUMMARY.md':
        '# Table of contents\n\n* [Sesame home](README.md)\n  * [Sesame below](below.md)\n\n## Start\n\n* [Sesame pro](pro.md)\n* [Unlisted](unlisted.md)\n* [Open](open.md)\n\n## Closed\n\n* [Sesame only](only.md)\n',
    })
    const made = await publish('Entrances', [space])
    const target = async (path: string, headers: Record<string, string> = {}) => {
      const { status, headers: sent, text } = await made.read(path, headers)
      if (!('plan' in headers) && status === 404) expect(text).not.toContain('Sesame')
      return status === 307 ? sent['location']!.slice(made.base.length) : status
    }
    const pro = made.as({ plan: 'pro' })
    const paths = ['', 'start', 'closed', 'only', 'open']
    expect(await Promise.all(paths.map((path) => target(path)))).toEqual(['open', 'open', 404, 404, 200])
    expect(await Promise.all(paths.map((path) => target(path, pro)))).toEqual([200, 'pro', 'only', 200, 200])
  })

  test('links from around its content into spaces for the visitors who may see them', async () => {
    const spaces = await Promise.all(
      ['Open', 'Vault'].map((title) =>
        client.folder(ann, acme, title, {
          'README.md': `# ${title} home\n`,
          'sesame.md': '# Sesame\n',
          'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n* [Sesame](sesame.md)\n',
        }),
      ),
    )
    const made = await publish('Linked', spaces)
    const { items } = (await client.request(ann, 'GET', `${made.site}/site-spaces`)).body
    await must('PATCH', `${made.site}/site-spaces/${items[1].id}`, { condition: isPro })
    const { pages } = (await client.request(ann, 'GET', `/spaces/${spaces[1]}/content/pages`)).body
    const to = { kind: 'page', space: spaces[1], page: pages[1].id }
    const header = { preset: 'default', links: [{ title: 'To the vault', to, links: [] }] }
    await must('PUT', `${made.site}/customization`, { ...plainCustomization, header })
    expect((await made.read('', made.as({ plan: 'pro' }))).text).toMatch(
      /href="[^"]*\/vault\/sesame"[^>]*>\s*To the vault/,
    )
    expect((await made.read('', {})).text).not.toContain('To the vault')
  })

  test('leaves out sections and spaces that a visitor may not see, with all their content', async () => {
    const spaces = await Promise.all(
      ['Open', 'Sesame', 'French'].map((title) =>
        client.folder(ann, acme, title, { 'README.md': `# ${title} home\n\n${title} words.\n` }),
      ),
    )
    const made = await publish('Parts', [spaces[0]!])
    const section = await must('POST', `${made.site}/sections`, { spaceId: spaces[1], title: 'Sesame' })
    await must('PATCH', `${made.site}/sections/${section.id}`, { condition: isPro })
    const [standing] = (await client.request(ann, 'GET', `${made.site}/sections`)).body.items
    const variant = await must('POST', `${made.site}/site-spaces`, {
      spaceId: spaces[2],
      sectionId: standing.id,
    })
    const isFrench = 'visitor.claims.unsigned.language == "fr"'
    await must('PATCH', `${made.site}/site-spaces/${variant.id}`, { condition: isFrench })
    for (const space of spaces) await index(space)

    const french = { cookie: `octavo-visitor-public=${encodeURIComponent('{"language":"fr"}')}` }
    const pro = made.as({ plan: 'pro' })
    const visibleTo = async (headers: Record<string, string>) => {
      const home = (await made.read('', headers)).text
      const llms = (await made.read('llms.txt', headers)).text
      const found = JSON.parse((await made.read('~octavo/search?q=words', headers)).text).items.length
      return {
        sesame: [home, llms].map((text) => text.includes('Sesame')),
        french: [home, llms].map((text) => text.includes('French')),
        found,
        statuses: [
          (await made.read('sesame/', headers)).status,
          (await made.read(`${standing.path}/${variant.path}/`, headers)).status,
        ],
      }
    }
    const none = [false, false]
    const both = [true, true]
    for (let round = 0; round < 2; round++) {
      expect(await visibleTo({})).toEqual({ sesame: none, french: none, found: 1, statuses: [404, 404] })
      expect(await visibleTo(pro)).toEqual({ sesame: both, french: none, found: 2, statuses: [200, 404] })
      expect(await visibleTo(french)).toEqual({ sesame: none, french: both, found: 1, statuses: [404, 200] })
      expect(await visibleTo(made.as({ plan: 'free' }))).toEqual({
        sesame: none,
        french: none,
        found: 1,
        statuses: [404, 404],
      })
    }
    await must('PATCH', `${made.site}/sections/${section.id}`, { condition: 'visitor.claims.plan == "free"' })
    expect((await visibleTo(pro)).statuses).toEqual([404, 404])
    expect((await visibleTo(made.as({ plan: 'free' }))).statuses).toEqual([200, 404])
    await client.change(ann, spaces[1]!, [
      { operation: 'insert_page', title: 'Newer', slug: 'newer', document: { markdown: 'Newer.' } },
    ])
    expect((await made.read('sesame/newer', made.as({ plan: 'free' }))).status).toBe(200)
  })

  describe('is cached by the claims that were read', () => {
    const bytesOf = (kind: string) =>
      client.services.caches.stats().find((figures) => figures.kind === kind)?.bytes ?? 0

    test('one page for all visitors with the same values, and one for all where no claim is read', async () => {
      const adult = '# Adults\n\n{% if visitor.claims.seats > 18 %}\nMany.\n{% endif %}\n'
      const space = await client.folder(ann, acme, 'Kept', { 'README.md': '# Home\n', 'adult.md': adult })
      const { read, as } = await publish('Kept', [space])
      const etagFor = async (path: string, claims: object) => (await read(path, as(claims))).headers['etag']
      const many = await etagFor('adult', { seats: 20 })
      expect(await etagFor('adult', { seats: 200, name: 'x' })).toBe(many)
      expect(await etagFor('adult', { seats: 2 })).not.toBe(many)
      const before = bytesOf('pages for visitors')
      for (let seats = 30; seats < 60; seats++) await etagFor('adult', { seats })
      expect(bytesOf('pages for visitors')).toBe(before)
      expect((await read('adult', as({ seats: 20 }))).headers['cache-control']).toContain('private')
      expect((await read('adult')).headers['cache-control']).toContain('private')
    })

    test('a page that reads no claims is shared by all visitors', async () => {
      const space = await client.folder(ann, acme, 'Same', {
        'README.md': '# Home\n',
        'page.md': '# Page\n\n{% if space.vars.a %}x{% endif %}\n',
      })
      const { read, as } = await publish('Same', [space])
      const { headers } = await read('page', as({ plan: 'pro' }))
      expect(headers['cache-control']).toContain('public')
      expect((await read('page')).headers['etag']).toBe(headers['etag'])
      expect((await read('page', as({ plan: 'free', seats: 3 }))).headers['etag']).toBe(headers['etag'])
    })

    test('a visitor with thousands of claims does not fill the cache', async () => {
      const { read, as } = await publish('Bounded', [await client.folder(ann, acme, 'Bounded', files)])
      const her = { name: 'Ann' }
      expect((await read('', as(her))).text).toContain('for Ann.')
      const one = bytesOf('pages for visitors')
      for (let at = 0; at < 40; at++) {
        const { text } = await read('', { ...as({ name: `n${at}` }), 'accept-encoding': 'br' })
        expect(text.length).toBeGreaterThan(0)
      }
      expect(bytesOf('pages for visitors')).toBeLessThan(17 * one)
      expect((await read('', as(her))).text).toContain('for Ann.')
    })
  })
})
