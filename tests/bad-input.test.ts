/**
 * Hostile input through the HTTP interface: each request gets a clear error or a defined result, no data is lost, and none gets
 * a 5xx status. Damaged archives and hostile paths have their tests beside the reader.
 */
import { crc32 } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OrganizationId } from '../src/core/ids.js'
import { readZip } from '../src/resources/imports/read-zip.js'
import { indexSpecifications } from './background-work.js'
import type { TestResponse, Person } from './test-client.js'
import { describeEngines, hasPostgres } from './engines.js'
import { type SiteClient, openSiteClient } from './site-client.js'

type Files = Readonly<Record<string, string | Buffer>>

/** A zip without compression, byte by byte: names and bytes are unchanged. */
function zipOf(files: Files): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, content] of Object.entries(files)) {
    const [name, data] = [Buffer.from(path), Buffer.from(content as string)]
    const local = Buffer.alloc(30)
    const entry = Buffer.alloc(46)
    local.writeUInt32LE(0x04034b50, 0)
    entry.writeUInt32LE(0x02014b50, 0)
    for (const [header, at] of [
      [local, 4],
      [entry, 6],
    ] as const) {
      header.writeUInt16LE(20, at)
      header.writeUInt16LE(0x800, at + 2)
      header.writeUInt32LE(crc32(data), at + 10)
      header.writeUInt32LE(data.length, at + 14)
      header.writeUInt32LE(data.length, at + 18)
      header.writeUInt16LE(name.length, at + 22)
    }
    entry.writeUInt32LE(offset, 42)
    pieces.push(local, name, data)
    directory.push(entry, name)
    offset += 30 + name.length + data.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(directory.length / 2, 8)
  end.writeUInt16LE(directory.length / 2, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...pieces, entries, end])
}

describeEngines('bad input', (engine) => {
  let api: SiteClient
  let ann: Person
  let acme: OrganizationId
  /** A space that is edited live, filled once, with its content. */
  let space: string
  const before = {
    'README.md': '# Home\n\nSafe and sound.\n',
    'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n* [Kept](kept.md)\n',
    'kept.md': '# Kept\n',
  }

  beforeAll(async () => {
    api = await openSiteClient(await engine.open())
    ann = await api.person('ann')
    acme = await api.organization(ann)
  })
  beforeEach(async () => {
    space = await newSpace()
    expect((await importFiles(before)).status).toBe(201)
  })

  const ask = (method: string, path: string, body?: unknown) => api.request(ann, method, path, body)

  async function newSpace(): Promise<string> {
    const made = await ask('POST', `/orgs/${acme}/spaces`, { title: 'Space', empty: true, editMode: 'live' })
    expect(made.status, made.text).toBe(201)
    return made.body.id
  }

  async function importFiles(files: Files, into = space): Promise<TestResponse> {
    const answer = await api.server.inject({
      method: 'POST',
      url: `/v1/spaces/${into}/content/archive?mode=replace`,
      headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/zip' },
      payload: zipOf(files),
    })
    return { status: answer.statusCode, body: answer.json(), headers: answer.headers, text: answer.body }
  }

  async function exported(from = space): Promise<Record<string, Buffer>> {
    const answer = await api.server.inject({
      method: 'GET',
      url: `/v1/spaces/${from}/content/archive`,
      headers: { authorization: `Bearer ${ann.token}` },
    })
    expect(answer.statusCode).toBe(200)
    const files: Record<string, Buffer> = {}
    for await (const entry of readZip(new Uint8Array(answer.rawPayload))) {
      if ('open' in entry) files[entry.path] = Buffer.from(await entry.open())
    }
    return files
  }

  async function expectUnchanged(): Promise<void> {
    const texts = Object.entries(await exported()).map(([path, bytes]) => [path, bytes.toString()])
    expect(Object.fromEntries(texts)).toEqual(before)
  }

  const insert = (markdown: string, members: object = {}) => ({
    operation: 'insert_page',
    document: { markdown },
    ...members,
  })
  const update = (page: string, markdown: string) => ({
    operation: 'update_page',
    page,
    document: { markdown },
  })
  const write = (...changes: object[]) => ask('POST', `/spaces/${space}/content?compat=false`, { changes })

  async function pages(): Promise<{ id: string; title: string; path: string; pages: any[] }[]> {
    return (await ask('GET', `/spaces/${space}/content/pages`)).body.pages
  }

  /** Reads a page in each form in which it can be read, and answers its HTML. */
  async function readEverywhere(path: string): Promise<{ markdown: string; html: string }> {
    const at = `/spaces/${space}/content/path/${encodeURIComponent(path)}`
    for (const format of ['', '?format=document']) expect((await ask('GET', at + format)).status).toBe(200)
    const markdown = await ask('GET', `${at}?format=markdown`)
    expect(markdown.status).toBe(200)
    const { base } = await api.publish(ann, acme, { title: 'Docs', visibility: 'public', spaces: [space] })
    const rendered = await api.read(base + path)
    expect(rendered.status, rendered.text.slice(0, 500)).toBe(200)
    return { markdown: markdown.body.markdown, html: rendered.text }
  }

  describe('a page of 50 MB', () => {
    test('is refused as JSON before it is parsed', async () => {
      const answer = await write(insert('x'.repeat(50_000_000)))
      expect(answer.status).toBe(413)
      expect(answer.body.error.message).toContain('10 MB')
      await expectUnchanged()
    })

    test('is refused in an archive by its name when it is larger still', async () => {
      const answer = await importFiles({ 'README.md': '# New\n', 'large.md': 'x '.repeat(25_000_001) })
      expect(answer.status).toBe(413)
      expect(answer.body.error.message).toContain('"large.md"')
      await expectUnchanged()
    })

    // One of them on each engine: they take ten seconds and more.
    test.each(
      [
        [
          'words',
          Array.from(
            { length: 1_000_000 },
            (_, line) => `Line ${line} of a long page, ${line % 977}.\n\n`,
          ).join(''),
        ],
        ['nothing but ends of lines', '\n'.repeat(49_000_000)],
      ].filter((_, index) => !hasPostgres || index === (engine.engine === 'postgres' ? 0 : 1)),
    )('of %s, just below the limit, is stored and rendered as written', async (_, text) => {
      const large = `# Large\n${text}`.slice(0, 49_000_000)
      const answer = await importFiles({ 'README.md': '# New\n', 'large.md': large })
      expect(answer.status, answer.text).toBe(201)
      const { markdown, html } = await readEverywhere('large')
      // As booleans: these pages are too long for a failure message.
      expect([markdown === large, html.includes('# Large')]).toEqual([true, true])
    })
  })

  test('ten thousand nested quotes are stored as written and readable everywhere', async () => {
    const nested = `${'> '.repeat(10_000)}deep\n\nAfter.\n`
    const answer = await write(insert(`# Nested\n\n${nested}`, { slug: 'nested' }))
    expect(answer.status, answer.text.slice(0, 300)).toBe(200)
    const { markdown, html } = await readEverywhere('nested')
    expect(markdown).toBe(`# Nested\n\n${nested}`)
    expect([html.includes('deep'), html.includes('After.')]).toEqual([true, true])
  })

  test.each([
    ['lists', '- '.repeat(10_000)],
    ['blocks', '{% hint %}\n'.repeat(10_000)],
    ['emphasis', '*a '.repeat(10_000)],
    ['brackets', '['.repeat(10_000)],
    ['elements', '<div>'.repeat(10_000)],
  ])('ten thousand nested %s are stored as written and readable everywhere', async (_, nested) => {
    const text = `# Nested\n\n${nested}deep\n`
    expect((await write(insert(text, { slug: 'nested' }))).status).toBe(200)
    const { markdown, html } = await readEverywhere('nested')
    expect(markdown).toBe(text)
    expect(html.includes('deep')).toBe(true)
  })

  describe('a table of contents', () => {
    test('that names a page twice and itself lists each page once, with a warning', async () => {
      const files = {
        'SUMMARY.md': [
          '# Table of contents',
          '* [Home](README.md)',
          '* [A](a.md)',
          '  * [B](b.md)',
          '    * [A again](a.md)',
          '      * [B again](b.md)',
          '* [Contents](SUMMARY.md)',
          '* [Home again](README.md)',
          '* [Nowhere](../../outside.md)',
          '* [Gone](gone.md)',
          '',
        ].join('\n'),
        'README.md': '# Home\n',
        'a.md': '# A\n',
        'b.md': '# B\n',
      }
      const answer = await importFiles(files)
      expect(answer.status, answer.text).toBe(201)
      expect(answer.body.problems.length).toBeGreaterThan(0)
      const paths: string[] = []
      const walk = (nodes: any[]): void => {
        for (const node of nodes) {
          if (node.path !== undefined) paths.push(node.path)
          walk(node.pages ?? [])
        }
      }
      walk(await pages())
      expect(new Set(paths).size).toBe(paths.length)
      expect(paths.filter((path) => /(^|\/)a$/.test(path))).toHaveLength(1)
      const texts = await exported()
      for (const [path, text] of Object.entries(files)) expect(texts[path]?.toString(), path).toBe(text)
    })

    test('that is nine hundred levels deep is read', async () => {
      const levels = Array.from(
        { length: 900 },
        (_, depth) => `${' '.repeat(depth * 2)}* [L${depth}](README.md)`,
      )
      const answer = await importFiles({ 'SUMMARY.md': levels.join('\n'), 'README.md': '# Home\n' })
      expect(answer.status, answer.text).toBe(201)
      expect((await pages()).map(({ title }) => title)).toEqual(['Home'])
    })
  })

  test('front matter that does not parse is text, and an import names it', async () => {
    const broken = '---\ntitle: [unclosed\n  bad: : :\n---\n\n# Broken\n\nStill here.\n'
    const answer = await importFiles({ 'README.md': '# Home\n', 'broken.md': broken })
    expect(answer.status, answer.text).toBe(201)
    expect(answer.body.problems.map(({ path }: any) => path)).toContain('broken.md')
    const { markdown, html } = await readEverywhere('broken')
    expect(markdown).toBe(broken)
    expect(html).toContain('Still here.')
  })

  describe('bytes that are no UTF-8', () => {
    test('in an archive are exported unchanged, and rendered with a replacement', async () => {
      const latin = Buffer.concat([
        Buffer.from('# Caf'),
        Buffer.from([0xe9]),
        Buffer.from('\n\nSee \u00e9.\n'),
      ])
      const answer = await importFiles({ 'README.md': '# Home\n', 'latin.md': latin })
      expect(answer.status, answer.text).toBe(201)
      expect((await exported())['latin.md']).toEqual(latin)
      const { html } = await readEverywhere('latin')
      expect(html).toContain('Caf\ufffd')
    })

    test('in a JSON body become replacements, or are refused', async () => {
      const body = JSON.stringify({ changes: [insert('# Caf_\n', { slug: 'cafe' })] })
      const payload = Buffer.from(body)
      payload[payload.indexOf('_')] = 0xff
      const answer = await api.server.inject({
        method: 'POST',
        url: `/v1/spaces/${space}/content`,
        headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' },
        payload,
      })
      expect([200, 400]).toContain(answer.statusCode)
      expect((await exported())['kept.md']!.toString()).toBe(before['kept.md'])
    })

    test('halves of a pair of code units are stored and read', async () => {
      const answer = await write(insert('# Half \ud800 pair\n', { slug: 'half' }))
      expect(answer.status, answer.text).toBe(200)
      const { html } = await readEverywhere('half')
      expect(html).toContain('Half')
    })

    test('NUL is stored and read', async () => {
      expect((await write(insert('# Nul\n\na\u0000b\n', { slug: 'nul' }))).status).toBe(200)
      expect((await readEverywhere('nul')).markdown).toBe('# Nul\n\na\u0000b\n')
    })
  })

  describe('slugs that collide', () => {
    test('in an archive get distinct paths, and their files remain', async () => {
      const files = {
        'README.md': '# Home\n',
        'a b.md': '# One\n',
        'a-b.md': '# Two\n',
        'a-b/README.md': '# Three\n',
      }
      const answer = await importFiles(files)
      expect(answer.status, answer.text).toBe(201)
      const paths: string[] = []
      const walk = (nodes: any[]): void =>
        nodes.forEach((node) => (paths.push(node.path), walk(node.pages ?? [])))
      walk(await pages())
      expect(new Set(paths).size).toBe(4)
      const titles = await Promise.all(
        paths.map(
          async (path) =>
            (await ask('GET', `/spaces/${space}/content/path/${encodeURIComponent(path)}`)).body.title,
        ),
      )
      expect(titles.toSorted()).toEqual(['Home', 'One', 'Three', 'Two'])
      const texts = await exported()
      for (const [path, text] of Object.entries(files)) expect(texts[path]!.toString()).toBe(text)
    })

    test('of titles are numbered, of wishes refused', async () => {
      const made = await write(insert('# Same\n'), insert('# Same\n'), insert('# Same\n'))
      expect(made.status, made.text).toBe(200)
      const same = (await pages()).filter(({ title }) => title === 'Same').map(({ path }) => path)
      expect(new Set(same).size).toBe(3)
      expect((await write(insert('# Other\n', { slug: same[0] }))).status).toBe(409)
      const twice = await write(insert('# X\n', { slug: 'wished' }), insert('# Y\n', { slug: 'wished' }))
      expect(twice.status).toBe(409)
      expect((await pages()).map(({ path }) => path)).not.toContain('wished')
    })
  })

  test('pages nest 64 deep at most, however they are created', async () => {
    const chain = (name: string, count: number) =>
      Array.from({ length: count }, (_, at) => ({
        operation: 'insert_page',
        ref: `${name}${at}`,
        title: `${name}${at}`,
        document: { markdown: `# ${name}${at}\n` },
        ...(at > 0 && { into: `${name}${at - 1}` }),
      }))
    expect((await write(...chain('a', 40))).status).toBe(200)
    expect((await write(...chain('b', 40))).status).toBe(200)
    const found = new Map<string, string>()
    const walk = (nodes: any[]): void =>
      nodes.forEach((node) => (found.set(node.title, node.id), walk(node.pages ?? [])))
    walk(await pages())
    const below = (into: string) => ({
      operation: 'update_page',
      page: found.get('b0'),
      into: found.get(into),
    })
    const refused = await write(below('a39'))
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('at most 64')])
    expect((await write(below('a20'))).status).toBe(200)
    const last = chain('c', 4).map((change, at) =>
      at === 0 ? { ...change, into: found.get('b39') } : change,
    )
    expect((await write(...last)).status).toBe(200)
    expect(
      (
        await write({
          operation: 'insert_page',
          title: 'd',
          document: { markdown: '# d\n' },
          into: found.get('b39'),
        })
      ).status,
    ).toBe(200)
    walk(await pages())
    expect(
      (
        await write({
          operation: 'insert_page',
          title: 'e',
          document: { markdown: '# e\n' },
          into: found.get('c3'),
        })
      ).status,
    ).toBe(400)
  })

  describe('a page that was deleted meanwhile', () => {
    async function keptPageId(): Promise<string> {
      return (await pages()).find(({ path }) => path === 'kept')!.id
    }

    test('cannot be changed live, and the error names the change of the batch', async () => {
      const id = await keptPageId()
      expect((await write({ operation: 'delete_page', page: id })).status).toBe(200)
      const answer = await write(insert('# First\n'), update(id, '# Late\n'))
      expect(answer.status).toBe(400)
      expect(answer.body.error.message).toContain('Change 1')
      expect((await pages()).map(({ title }) => title)).toEqual(['Home'])
    })

    test('stays a conflict until it is resolved, and its new text is retained', async () => {
      const id = await keptPageId()
      const { body } = await ask('POST', `/spaces/${space}/change-requests`, {})
      const request = `/spaces/${space}/change-requests/${body.id}`
      await ask('POST', `${request}/content`, { changes: [update(id, '# Kept, changed\n')] })
      await write({ operation: 'delete_page', page: id })
      const merged = await ask('POST', `${request}/merge`)
      expect(merged).toMatchObject({ status: 200, body: { result: 'conflicts', conflicts: [{ page: id }] } })
      const proposed = await ask('GET', `${request}/content/page/${id}?format=markdown`)
      expect(proposed.body.markdown).toBe('# Kept, changed\n')
      expect((await ask('POST', `${request}/update`)).status).toBe(200)
      const { conflicts } = (await ask('GET', `${request}/conflicts`)).body
      const resolutions = conflicts.map((conflict: any) => ({ id: conflict.id, take: 'ours' }))
      expect((await ask('POST', `${request}/conflicts`, { resolutions })).status).toBe(200)
      expect((await ask('POST', `${request}/merge`)).body.result).toBe('merge')
      expect((await ask('GET', `/spaces/${space}/content/page/${id}?format=markdown`)).body.markdown).toBe(
        '# Kept, changed\n',
      )
    })
  })

  describe('at the same instant', () => {
    async function changeRequest(...changes: object[]): Promise<string> {
      const { body } = await ask('POST', `/spaces/${space}/change-requests`, {})
      const request = `/spaces/${space}/change-requests/${body.id}`
      expect((await ask('POST', `${request}/content`, { changes })).status).toBe(200)
      return request
    }

    test('two merges of one change request merge it once', async () => {
      const request = await changeRequest(insert('# New\n'))
      const answers = await Promise.all([1, 2, 3].map(() => ask('POST', `${request}/merge`)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
      expect((await pages()).filter(({ title }) => title === 'New')).toHaveLength(1)
    })

    test('two merges that contradict each other: one is merged, the other waits with its text', async () => {
      const id = (await pages())[0]!.id
      const texts = ['# Home\n\nOne.\n', '# Home\n\nTwo.\n']
      const requests = [
        await changeRequest(update(id, texts[0]!)),
        await changeRequest(update(id, texts[1]!)),
      ]
      const answers = await Promise.all(requests.map((request) => ask('POST', `${request}/merge`)))
      expect(answers.map(({ body }) => body.result).toSorted()).toEqual(['conflicts', 'merge'])
      const won = answers.findIndex(({ body }) => body.result === 'merge')
      const stored = await ask('GET', `/spaces/${space}/content/page/${id}?format=markdown`)
      expect(stored.body.markdown).toBe(texts[won])
      const unmerged = await ask('GET', `${requests[1 - won]}/content/page/${id}?format=markdown`)
      expect(unmerged.body.markdown).toBe(texts[1 - won])
    })

    test('an import, a merge and a live edit: none is lost, and none fails by itself', async () => {
      const request = await changeRequest(insert('# Merged\n'))
      const answers = await Promise.all([
        ask('POST', `${request}/merge`),
        write(insert('# Edited\n')),
        importFiles({ ...before, 'imported.md': '# Imported\n' }),
      ])
      for (const { status, text } of answers) expect(status, text).toBeLessThan(500)
      const revisions = answers.filter(({ status }) => status < 300)
      expect(revisions.length).toBeGreaterThanOrEqual(2)
      // In any order, each returned revision can be read.
      const merged = answers[0]!.body.revision
      const inMerge = await ask('GET', `/spaces/${space}/revisions/${merged}/pages`)
      expect(inMerge.body.pages.map(({ title }: any) => title)).toContain('Merged')
    })
  })

  describe('U+0000, in another form', () => {
    test('in the address of a redirect or of a page', async () => {
      const { base } = await api.publish(ann, acme, { title: 'Nul', visibility: 'public', spaces: [space] })
      const { body } = await ask('GET', `/orgs/${acme}/sites?limit=100`)
      const place = `/orgs/${acme}/sites/${body.items.find((site: any) => site.urls.published.endsWith(base)).id}`
      const destination = { kind: 'external', url: 'https://octavo.test/elsewhere' }
      const source = '/%00/a%00b'
      expect((await ask('POST', `${place}/redirects`, { source, destination })).status).toBe(201)
      const redirects = [{ source: '/%00*', destination }]
      const put = await ask('PUT', `${place}/redirects`, { redirects })
      expect(put.body.results).toMatchObject([{ status: 'created' }])
      const found = await ask('GET', `${place}/redirect?source=${encodeURIComponent(source)}`)
      expect(found.body.redirect).toMatchObject({ source })
      const listed = await ask('GET', `${place}/redirects?search=${encodeURIComponent('a%00')}`)
      expect(listed.body.items).toHaveLength(1)
      for (const url of [`http://octavo.test${base}x%00`, 'http://octavo.test/@docs/%00/x'])
        expect([200, 404]).toContain((await ask('POST', '/urls/published', { url })).status)
    })
  })

  test.each(['http://', 'https://xn--a.test/', 'https://%00.test/', 'https://a:99999/', 'http://256.1.1.1/'])(
    '%s, which cannot be requested, is refused wherever a URL is accepted',
    async (url) => {
      const site = (await ask('POST', `/orgs/${acme}/sites`, { title: 'Site', spaces: [space] })).body.id
      const place = `/orgs/${acme}/sites/${site}`
      const destination = { kind: 'external', url }
      for (const [method, path, body] of [
        ['PATCH', `${place}/publishing/auth`, { fallbackURL: url }],
        ['POST', `${place}/redirects`, { source: '/a', destination }],
        ['PUT', `/orgs/${acme}/translator`, { endpoint: url, model: 'one' }],
        ['POST', `/orgs/${acme}/saml`, { label: 'One', ssoURL: url }],
        ['POST', `/orgs/${acme}/webhooks`, { url, events: ['site_published'] }],
        ['PUT', `/orgs/${acme}/openapi/one`, { source: { url } }],
        ['POST', `/spaces/${space}/content/import`, { url, source: 'zip' }],
        ['POST', '/urls/published', { url }],
        ['GET', `/urls/published?url=${encodeURIComponent(url)}`, undefined],
      ] as const) {
        const answer = await ask(method, path, body)
        expect([path, answer.status]).toEqual([path, 400])
      }
    },
  )

  test('a leap second is no time that anything begins or ends at', async () => {
    const [from, to] = ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z']
    const site = (await ask('POST', `/orgs/${acme}/sites`, { title: 'Site', spaces: [space] })).body.id
    for (const [method, path, body] of [
      ['POST', '/user/tokens', { label: 'leap', expiresAt: from }],
      ['GET', `/orgs/${acme}/audit?from=${from}`, undefined],
      ['POST', `/orgs/${acme}/sites/${site}/insights/events/aggregate`, { range: { from, to } }],
    ] as const) {
      const answer = await ask(method, path, body)
      expect([path, answer.status]).toEqual([path, 400])
    }
  })

  describe('requests that are no requests', () => {
    test.each([
      ['text that is no JSON', '{"changes":', 400],
      ['JSON of another kind', '[1,2]', 400],
      ['a change without its kind', '{"changes":[{}]}', 400],
      ['an empty batch', '{"changes":[]}', 400],
      ['nesting without end', `{"changes":${'['.repeat(100_000)}`, 400],
      [
        'a name that reaches for the prototype',
        '{"changes":[{"operation":"__proto__"}],"__proto__":{"x":1}}',
        400,
      ],
    ])('%s', async (_, payload, status) => {
      const answer = await api.server.inject({
        method: 'POST',
        url: `/v1/spaces/${space}/content`,
        headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' },
        payload,
      })
      expect(answer.statusCode, answer.body).toBe(status)
      expect(answer.json().error.message).toMatch(/\w/)
      await expectUnchanged()
    })

    test.each(['%ZZ', '%00', '%FF', '..%2F..%2Fetc', 'a'.repeat(3_000)])(
      'a page at the path %s',
      async (path) => {
        for (const place of ['page', 'path']) {
          const answer = await ask('GET', `/spaces/${space}/content/${place}/${path}`)
          expect([400, 404, 414]).toContain(answer.status)
        }
        const { base } = await api.publish(ann, acme, {
          title: 'Docs',
          visibility: 'public',
          spaces: [space],
        })
        expect([400, 404, 414]).toContain((await api.read(base + path)).status)
      },
    )
  })
})

describeEngines('bad input of an index', (engine) => {
  test('U+0000 in pages and specifications does not break their indexing', async () => {
    // A separate space: indexing the content of other tests takes long.
    const api = await openSiteClient(await engine.open())
    const ann = await api.person('ann')
    const acme = await api.organization(ann)
    const ask = (method: string, path: string, body?: unknown) => api.request(ann, method, path, body)
    const space = (await ask('POST', `/orgs/${acme}/spaces`, { title: 'Space', editMode: 'live' })).body.id
    const slug = 'nul'
    const specification = {
      openapi: '3.1.0',
      info: { title: 'N\0l', version: '1' },
      paths: {
        '/a\0b': { get: { summary: 'Gi\0raffe \\u0000', responses: { 200: { description: '' } } } },
      },
      components: {
        schemas: { 'Sch\0ma': { type: 'object', properties: { 'na\0me': { type: 'string' } } } },
      },
    }
    const text = JSON.stringify(specification)
    expect((await ask('PUT', `/orgs/${acme}/openapi/${slug}`, { source: { text } })).status).toBeLessThan(300)
    const rendered = `{% openapi-schemas spec="${slug}" schemas="Sch\ufffdma" %}\n{% endopenapi-schemas %}`
    const operation = `{% openapi-operation spec="${slug}" path="/a\ufffdb" method="get" %}\n{% endopenapi-operation %}`
    const markdown = '```\nze\0bra\n```\n\n`a\0` [b\0](c\0.md)\n\n<div>d\0</div>'
    await indexSpecifications(api)
    const texts = [`# Okapi\n\n${markdown}`, `# Shown\n\n${rendered}\n\n${operation}`]
    const changes = texts.map((one) => ({ operation: 'insert_page', document: { markdown: one } }))
    expect((await ask('POST', `/spaces/${space}/content`, { changes })).status).toBe(200)
    await indexSpecifications(api)
    for (const [words, title] of [
      ['okapi', 'Okapi'],
      ['raffe', 'Shown'],
    ]) {
      const { body } = await ask('GET', `/spaces/${space}/search?query=${words}`)
      expect(body.items).toMatchObject([{ title }])
    }
  })
})
