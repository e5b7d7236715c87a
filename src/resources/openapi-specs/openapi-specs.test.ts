/** OpenAPI specifications through the HTTP interface: uploaded, fetched, processed by the worker, and returned. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { processSpecs, specText } from '../../../tests/openapi-specs.js'
import { type RequestListener, type WebServer, serveWeb } from '../../../tests/web-server.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'
import { acrossTestOrganizations } from '../../../tests/test-rows.js'
import { limits } from '../../contract/limits.js'
import { maxSpecVersions } from '../../contract/openapi-specs.js'
import { collectObjects } from '../../store/collect/objects.js'
import type { Database } from '../../store/db/database.js'
import { listViolations } from '../../store/db/invariants.js'
import { runNextJob } from '../../store/jobs/worker.js'
import { scheduleSpecChecks, specHandlers } from './process.js'

const hours = 60 * 60 * 1000

describeEngines('OpenAPI specifications', (engine) => {
  let database: Database
  let api: SiteClient
  let admin: Person
  let creator: Person
  let reader: Person
  let guest: Person
  let orgPath: string
  let web: WebServer
  const answers: Record<string, string | RequestListener> = {}
  let named = 0

  async function make(method: string, path: string, body?: unknown, person = creator): Promise<any> {
    const answer = await api.request(person, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  async function refuse(status: number, method: string, path: string, body?: unknown, person = creator) {
    const answer = await api.request(person, method, path, body)
    expect(answer.status, answer.text).toBe(status)
    return answer.body.error.message as string
  }
  const work = () => processSpecs(api)
  const newSlug = () => `spec-${(named += 1)}`
  const serve = (path: string, answer: string | RequestListener): string => {
    answers[path] = answer
    return web.url + path
  }
  /** Sets a source, processes it, and returns the specification. */
  async function put(slug: string, source: object): Promise<any> {
    await make('PUT', `${orgPath}/openapi/${slug}`, { source })
    await work()
    return make('GET', `${orgPath}/openapi/${slug}`)
  }
  const contentOf = async (slug: string, version = 'latest') =>
    (await make('GET', `${orgPath}/openapi/${slug}/versions/${version}/content`)).filesystem[0].specification
  const versionsOf = async (slug: string) =>
    (await make('GET', `${orgPath}/openapi/${slug}/versions`)).items.map(({ id }: any) => id as string)

  beforeAll(async () => {
    web = await serveWeb((request, response) => {
      const answer = answers[request.url!]
      if (answer === undefined) response.writeHead(404).end()
      else if (typeof answer === 'string') response.end(answer)
      else answer(request, response)
    })
    database = await engine.open()
    api = await openSiteClient(database, undefined, { remote: web.remote })
    admin = await api.person('admin')
    const organization = await api.organization(admin)
    orgPath = `/orgs/${organization}`
    creator = await api.person('creator')
    await api.join(organization, creator, 'create')
    reader = await api.person('reader')
    await api.join(organization, reader, 'read')
    guest = await api.person('guest')
    await api.join(organization, guest, null)
  })
  afterAll(() => web.close())

  describe('that are uploaded', () => {
    test('are pending, then processed by the worker, and have a version', async () => {
      const text = specText('Pets')
      const made = await api.request(creator, 'POST', `${orgPath}/openapi`, {
        slug: 'pets',
        source: { text },
      })
      expect(made.status, made.text).toBe(201)
      expect(made.headers['location']).toBe(`http://octavo.test/v1${orgPath}/openapi/pets`)
      expect(made.body).toMatchObject({
        object: 'openapi-spec',
        slug: 'pets',
        processingState: 'pending',
        visibility: 'private',
        permissions: { view: true, edit: true },
        urls: { location: `http://octavo.test/v1${orgPath}/openapi/pets` },
      })
      expect(made.body).not.toHaveProperty('sourceURL')
      expect(made.body).not.toHaveProperty('lastVersion')
      await refuse(404, 'GET', `${orgPath}/openapi/pets/versions/latest`)
      await refuse(404, 'GET', `${orgPath}/openapi/pets/versions/latest/content`)

      expect(await work()).toBe(1)
      const spec = await make('GET', `${orgPath}/openapi/pets`, undefined, reader)
      expect(spec).toMatchObject({ processingState: 'complete', permissions: { view: true, edit: false } })
      expect(spec).not.toHaveProperty('lastProcessErrorCode')
      const latest = await make('GET', `${orgPath}/openapi/pets/versions/latest`)
      expect(latest).toMatchObject({ object: 'openapi-spec-version', id: spec.lastVersion })
      expect(await make('GET', `${orgPath}/openapi/pets/versions/${latest.id}`)).toEqual(latest)
      const content = await make('GET', `${orgPath}/openapi/pets/versions/latest/content`)
      expect(content).toEqual({
        filesystem: [
          {
            dir: '.',
            isEntrypoint: true,
            references: [],
            filename: 'openapi.json',
            specification: JSON.parse(text),
          },
        ],
        url: latest.url,
        urls: { source: latest.url, public: null },
      })
      expect(await make('GET', `${orgPath}/openapi/pets/versions/${latest.id}/content`)).toEqual(content)
      expect(await make('GET', `${orgPath}/openapi/pets/versions/latest/content/raw`)).toEqual({
        format: 'json',
        text,
      })
    })

    test('respond 201 to a PUT that creates, 200 to one that changes, 409 to a slug in use', async () => {
      const slug = newSlug()
      const source = { text: specText('A') }
      const made = await api.request(creator, 'PUT', `${orgPath}/openapi/${slug}`, { source })
      expect(made.status).toBe(201)
      expect(made.headers['location']).toBe(made.body.urls.location)
      const again = await api.request(creator, 'PUT', `${orgPath}/openapi/${slug}`, { source })
      expect([again.status, again.body.id]).toEqual([200, made.body.id])
      expect(await refuse(409, 'POST', `${orgPath}/openapi`, { slug, source })).toContain(slug)
    })

    test.each([
      [{}, 'body'],
      [{ slug: 'x' }, 'body.source'],
      [{ slug: 'x', source: {} }, 'body.source'],
      [{ slug: 'x', source: { text: '' } }, 'body.source'],
      [{ slug: 'x', source: { text: 'a', url: 'https://octavo.test/' } }, 'body.source'],
      [{ slug: 'x', source: { url: 'nowhere' } }, 'body.source'],
      [{ slug: 'x', source: { url: 'ftp://octavo.test/' } }, 'body.source.url'],
      [{ slug: 'Pets', source: { text: 'a' } }, 'body.slug'],
      [{ slug: 'a--b', source: { text: 'a' } }, 'body.slug'],
      [{ slug: `a${'b'.repeat(100)}`, source: { text: 'a' } }, 'body.slug'],
    ])('refuse %j and name the problem', async (body, member) => {
      expect(await refuse(400, 'POST', `${orgPath}/openapi`, body)).toContain(member)
    })

    test('refuse an invalid slug in the path', async () => {
      for (const slug of ['Pets', 'a--b', '-a', 'a'.repeat(101)])
        expect(await refuse(400, 'PUT', `${orgPath}/openapi/${slug}`, { source: { text: 'a' } })).toContain(
          'slug',
        )
    })

    test('are visible to members, writable by content creators, and unknown to others', async () => {
      const slug = newSlug()
      const source = { text: specText('Mine') }
      await refuse(403, 'PUT', `${orgPath}/openapi/${slug}`, { source }, reader)
      await refuse(403, 'GET', `${orgPath}/openapi`, undefined, guest)
      await make('PUT', `${orgPath}/openapi/${slug}`, { source })
      await refuse(403, 'DELETE', `${orgPath}/openapi/${slug}`, undefined, reader)
      await refuse(403, 'PATCH', `${orgPath}/openapi/${slug}`, { visibility: 'public' }, reader)
      const stranger = await api.person('stranger')
      await api.organization(stranger)
      await refuse(404, 'GET', `${orgPath}/openapi/${slug}`, undefined, stranger)
      const { items } = await make('GET', `${orgPath}/openapi?limit=1000`, undefined, reader)
      expect(items.map((one: any) => one.slug)).toContain(slug)
    })

    test('are deleted with their versions, also during processing', async () => {
      const slug = newSlug()
      await put(slug, { text: specText('Leaving') })
      await make('PUT', `${orgPath}/openapi/${slug}`, { source: { text: specText('Left') } })
      const gone = await api.request(creator, 'DELETE', `${orgPath}/openapi/${slug}`)
      expect(gone.status).toBe(205)
      expect((await api.request(creator, 'DELETE', `${orgPath}/openapi/${slug}`)).status).toBe(204)
      expect(await work()).toBe(1)
      await refuse(404, 'GET', `${orgPath}/openapi/${slug}`)
      expect(await listViolations(database.read)).toEqual([])
    })
  })

  describe('that are processed', () => {
    test.each([
      ['Swagger 2.0', 'swagger: "2.0"\ninfo: {title: A, version: 1.0.0}\npaths: {}\n'],
      ['OpenAPI 3.0', '{"openapi": "3.0.4", "info": {"title": "A", "version": "1"}, "paths": {}}'],
      ['OpenAPI 3.1', '# words\nopenapi: 3.1.1\ninfo:\n  title: A\n  version: "1"\nwebhooks: {}\n'],
      ['OpenAPI 3.2', 'openapi: 3.2.0\ninfo:\n  title: A\n  version: "1"\n'],
    ])('may be %s', async (_, text) => {
      const slug = newSlug()
      const spec = await put(slug, { text })
      expect(spec).toMatchObject({ processingState: 'complete', lastVersion: expect.any(String) })
      expect((await contentOf(slug)).info.title).toBe('A')
      const raw = await make('GET', `${orgPath}/openapi/${slug}/versions/latest/content/raw`)
      expect(raw).toEqual({ text, format: text.startsWith('{') ? 'json' : 'yaml' })
    })

    test.each([
      ['no YAML', 'a: [', 'YAML'],
      ['no JSON', '{"openapi": ', 'JSON'],
      ['a text', 'hello', 'no object'],
      ['something else', '{"name": "octavo"}', 'openapi'],
      ['another version', 'openapi: 4.0.0\ninfo: {}\n', '4.0.0'],
      ['paths that are none', '{"openapi": "3.0.0", "paths": []}', 'paths'],
      ['a reference to a file', '{"openapi": "3.0.0", "x": {"$ref": "./a.yaml"}}', './a.yaml'],
      ['brackets without end', `{"openapi": "3.0.0", "x": ${'['.repeat(300)}${']'.repeat(300)}}`, 'deeper'],
      ['a circle of aliases', 'openapi: 3.0.0\nx: &a\n  b: *a\n', 'deeper'],
      [
        'a bomb of aliases',
        `openapi: 3.0.0\na0: &a0 [${'1,'.repeat(20)}]\n${Array.from(
          { length: 9 },
          (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(20)}]\n`,
        ).join('')}`,
        'more values',
      ],
    ])('report an error when they are %s', async (_, text, words) => {
      const slug = newSlug()
      const spec = await put(slug, { text })
      expect(spec).toMatchObject({ processingState: 'complete', lastProcessErrorCode: 'PARSE_ERROR' })
      expect(spec.lastProcessedErrors[0].message).toContain(words)
      expect(spec).not.toHaveProperty('lastVersion')
    })

    test('preserve their last version when the next one is invalid, and clear the error with the next valid one', async () => {
      const slug = newSlug()
      const { lastVersion } = await put(slug, { text: specText('Good') })
      const broken = await put(slug, { text: 'broken' })
      expect(broken).toMatchObject({ lastVersion, lastProcessErrorCode: 'PARSE_ERROR' })
      const mended = await put(slug, { text: specText('Better') })
      expect(mended).not.toHaveProperty('lastProcessErrorCode')
      expect(mended).not.toHaveProperty('lastProcessedErrors')
      expect(await versionsOf(slug)).toEqual([mended.lastVersion, lastVersion])
    })

    test('have a new version only when their content changed', async () => {
      const slug = newSlug()
      const { lastVersion } = await put(slug, { text: '{"openapi": "3.0.0", "info": {"title": "A"}}' })
      const same = await put(slug, { text: '# The same.\nopenapi: "3.0.0"\ninfo:\n    title: A\n' })
      expect(same.lastVersion).toBe(lastVersion)
      expect(await versionsOf(slug)).toEqual([lastVersion])
      const other = await put(slug, { text: '{"openapi": "3.0.0", "info": {"title": "B"}}' })
      expect(other.lastVersion).not.toBe(lastVersion)
      expect((await contentOf(slug, lastVersion)).info.title).toBe('A')
    })

    test('are cached in memory, unless they are large', async () => {
      const { files } = api.services
      const { open } = files
      let read = 0
      files.open = (...parameters) => ((read += 1), open.call(files, ...parameters))
      try {
        const slug = newSlug()
        await put(slug, { text: specText('Small') })
        read = 0
        for (let times = 0; times < 3; times += 1) expect((await contentOf(slug)).info.title).toBe('Small')
        expect(read).toBe(1)
        await put(slug, {
          text: specText('Large', { info: { title: 'Large', version: 'v'.repeat(600_000) } }),
        })
        read = 0
        for (let times = 0; times < 3; times += 1) expect((await contentOf(slug)).info.title).toBe('Large')
        expect(read).toBe(3)
      } finally {
        files.open = open
      }
    })

    test('retain a limited number of versions', async () => {
      const slug = newSlug()
      const first = await put(slug, { text: specText('0') })
      const { id, organization_id } = await acrossTestOrganizations(database.read)
        .selectFrom('openapi_specs')
        .selectAll()
        .where('slug', '=', slug)
        .executeTakeFirstOrThrow()
      await database.write((tx) =>
        tx
          .updateTable('openapi_spec_versions')
          .set({ number: maxSpecVersions })
          .where('organization_id', '=', organization_id)
          .where('spec_id', '=', id)
          .execute(),
      )
      await put(slug, { text: specText('1') })
      expect(await versionsOf(slug)).toHaveLength(2)
      await database.write((tx) =>
        tx
          .updateTable('openapi_spec_versions')
          .set({ number: 1 })
          .where('organization_id', '=', organization_id)
          .where('id', '=', first.lastVersion)
          .execute(),
      )
      const last = await put(slug, { text: specText('2') })
      const left = await versionsOf(slug)
      expect(left).toHaveLength(2)
      expect(left[0]).toBe(last.lastVersion)
      expect(left).not.toContain(first.lastVersion)
    })
  })

  describe('from a URL', () => {
    test('are fetched, and have their source URL', async () => {
      const url = serve('/pets.json', specText('Fetched'))
      const slug = newSlug()
      expect(await put(slug, { url })).toMatchObject({ sourceURL: url, processingState: 'complete' })
      expect((await contentOf(slug)).info.title).toBe('Fetched')
    })

    test('bundle referenced documents, each definition once, cycles as references', async () => {
      serve(
        '/parts/schemas.yaml',
        [
          'Pet:',
          '  type: object',
          '  properties:',
          '    owner: {$ref: "people.json#/Person"}',
          '    kind: {$ref: "#/Kind"}',
          'Kind: {type: string}',
          '',
        ].join('\n'),
      )
      serve(
        '/parts/people.json',
        JSON.stringify({
          Person: { type: 'object', properties: { pets: { items: { $ref: 'schemas.yaml#/Pet' } } } },
        }),
      )
      const url = serve(
        '/root.yaml',
        [
          'openapi: 3.1.0',
          'info: {title: Parts}',
          'components:',
          '  schemas:',
          '    Pet: {$ref: "parts/schemas.yaml#/Pet"}',
          '    Again: {$ref: "./parts/schemas.yaml#/Pet"}',
          '    Own: {$ref: "#/components/schemas/Pet"}',
          '    Worded: {$ref: "parts/people.json#/Person", description: "Somebody"}',
          '    Said: {example: {$ref: "not a reference.json"}}',
          '',
        ].join('\n'),
      )
      const slug = newSlug()
      expect(await put(slug, { url })).toMatchObject({
        processingState: 'complete',
        lastVersion: expect.any(String),
      })
      const pet = '#/components/schemas/Pet'
      expect((await contentOf(slug)).components.schemas).toEqual({
        Pet: {
          type: 'object',
          properties: {
            owner: { type: 'object', properties: { pets: { items: { $ref: pet } } } },
            kind: { type: 'string' },
          },
        },
        Again: { $ref: pet },
        Own: { $ref: pet },
        Worded: { $ref: `${pet}/properties/owner`, description: 'Somebody' },
        Said: { example: { $ref: 'not a reference.json' } },
      })
    })

    test.each([
      ['nothing is there', '/none.json', 'FETCH_ERROR', '404'],
      ['it is not on the public internet', 'http://10.1.2.3/', 'FETCH_ERROR', 'public internet'],
      ['it refers to what is not there', '/lacking.json', 'FETCH_ERROR', '/gone.json'],
      ['it refers to what must not be fetched', '/hostile.json', 'FETCH_ERROR', '169.254.169.254'],
      ['it refers to a file of the machine', '/file.json', 'FETCH_ERROR', 'http'],
      ['it refers to what has no such part', '/parted.json', 'PARSE_ERROR', '#/Nothing'],
      ['it redirects without end', '/around', 'FETCH_ERROR', 'redirects'],
    ])('report an error when %s', async (_, path, code, words) => {
      const refer = ($ref: string) => specText('Refers', { 'x-a': { $ref } })
      serve('/lacking.json', refer('/gone.json#/A'))
      serve('/hostile.json', refer('http://169.254.169.254/latest'))
      serve('/file.json', refer('file:///etc/passwd'))
      serve('/parted.json', refer('/there.json#/Nothing'))
      serve('/there.json', '{"A": 1}')
      serve('/around', (_request, response) => void response.writeHead(302, { location: '/around' }).end())
      const url = path.startsWith('/') ? web.url + path : path
      const spec = await put(newSlug(), { url })
      expect(spec).toMatchObject({ processingState: 'complete', lastProcessErrorCode: code })
      expect(spec.lastProcessedErrors[0].message).toContain(words)
    })

    test('report a timeout', async () => {
      const late = await openSiteClient(database, undefined, {
        remote: {
          ...web.remote,
          // The same client with a shorter timeout.
          fetch: (address, options) => web.remote.fetch(address, { ...options, timeout: 50 }),
        },
      })
      const url = serve('/late.json', () => {})
      const slug = newSlug()
      await make('PUT', `${orgPath}/openapi/${slug}`, { source: { url } })
      await processSpecs(late)
      const spec = await make('GET', `${orgPath}/openapi/${slug}`)
      expect(spec).toMatchObject({ processingState: 'complete', lastProcessErrorCode: 'FETCH_TIMEOUT' })
      // It is checked again by the tests below.
      serve('/late.json', specText('Late'))
    })

    test('limit the number of referenced documents', async () => {
      const many = Array.from({ length: limits.specificationDocuments }, (_, at) => ({
        $ref: `many-${at}.json`,
      }))
      const url = serve('/many.json', specText('Many', { 'x-many': many }))
      const before = web.requests.length
      const spec = await put(newSlug(), { url })
      expect(spec.lastProcessedErrors[0].message).toContain('other documents')
      expect(web.requests.length - before).toBe(1)
      for (let at = 0; at < 30; at++)
        serve(`/chain-${at}.json`, specText('C', { 'x-a': { $ref: `chain-${at + 1}.json` } }))
      const chained = await put(newSlug(), { url: `${web.url}/chain-0.json` })
      expect(chained.lastProcessedErrors[0].message).toContain('in a row')
    })

    test('are checked every six hours, by one of several processes, and have a new version when they changed', async () => {
      const path = `/checked-${newSlug()}.json`
      const url = serve(path, specText('Before'))
      const slug = newSlug()
      const { lastVersion } = await put(slug, { url })
      const fetches = () => web.requests.filter((one) => one === path).length
      expect(fetches()).toBe(1)
      await scheduleSpecChecks(api.services, api.now())
      await scheduleSpecChecks(api.services, api.now())
      api.advance(5.5 * hours)
      await work()
      expect(fetches()).toBe(1)
      serve(path, specText('After'))
      api.advance(1 * hours)
      const second = await openSiteClient(await engine.openAgain(), undefined, {
        remote: web.remote,
        files: api.services.files,
      })
      await Promise.all([work(), processSpecs({ services: second.services, now: api.now })])
      expect(fetches()).toBe(2)
      const changed = await make('GET', `${orgPath}/openapi/${slug}`)
      expect(changed.lastVersion).not.toBe(lastVersion)
      expect(await versionsOf(slug)).toHaveLength(2)
      api.advance(6.5 * hours)
      await work()
      expect(fetches()).toBe(3)
      expect(await versionsOf(slug)).toHaveLength(2)
    })
  })

  describe('that are processed', () => {
    const worker = (handlers: ReturnType<typeof specHandlers>) => ({
      database,
      handlers,
      now: api.now,
      random: () => 0.5,
      report: () => {},
      signal: new AbortController().signal,
    })
    const stateOf = async (slug: string) => (await make('GET', `${orgPath}/openapi/${slug}`)).processingState

    test('are in state "progress" meanwhile, and are resumed by another process when theirs ends', async () => {
      const url = serve('/held.json', (_request, response) => {
        void stateOf(slug).then((state) => {
          states.push(state)
          response.end(specText('Held'))
        })
      })
      const states: string[] = []
      const slug = newSlug()
      await make('PUT', `${orgPath}/openapi/${slug}`, { source: { url } })
      // Like a killed process: the job is taken and started, but never ends.
      const dying = specHandlers({
        services: {
          ...api.services,
          specifications: { read: () => Promise.reject(new Error('killed')), close: async () => {} },
        },
        now: api.now,
        random: () => 0.5,
      })
      await runNextJob(worker(dying))
      expect(states).toEqual(['progress'])
      expect(await stateOf(slug)).toBe('progress')
      api.advance(1 * hours)
      await work()
      expect(await make('GET', `${orgPath}/openapi/${slug}`)).toMatchObject({
        processingState: 'complete',
        lastVersion: expect.any(String),
      })
    })

    test('fail when every process that tried has ended', async () => {
      const slug = newSlug()
      await make('PUT', `${orgPath}/openapi/${slug}`, { source: { text: specText('Never') } })
      await database.write((tx) =>
        acrossTestOrganizations(tx)
          .updateTable('jobs')
          .set({ due_at: null })
          .where('type', '=', 'process-openapi-spec')
          .execute(),
      )
      await scheduleSpecChecks(api.services, api.now())
      api.advance(2 * hours)
      await work()
      expect(await make('GET', `${orgPath}/openapi/${slug}`)).toMatchObject({
        processingState: 'complete',
        lastProcessErrorCode: 'PARSE_ERROR',
      })
    })

    test('end with the last source, whatever was set meanwhile', async () => {
      const slug = newSlug()
      const url = serve('/earlier.json', (_request, response) => {
        void make('PUT', `${orgPath}/openapi/${slug}`, { source: { text: specText('Later') } }).then(() =>
          response.end(specText('Earlier')),
        )
      })
      await make('PUT', `${orgPath}/openapi/${slug}`, { source: { url } })
      await work()
      expect((await contentOf(slug)).info.title).toBe('Later')
      expect(await versionsOf(slug)).toHaveLength(1)
    })

    test('have no version when they are deleted meanwhile', async () => {
      const slug = newSlug()
      const url = serve('/leaving.json', (_request, response) => {
        void make('DELETE', `${orgPath}/openapi/${slug}`).then(() => response.end(specText('Gone')))
      })
      await make('PUT', `${orgPath}/openapi/${slug}`, { source: { url } })
      await work()
      await refuse(404, 'GET', `${orgPath}/openapi/${slug}`)
      expect(await listViolations(database.read)).toEqual([])
    })

    test('are created once by concurrent requests in two processes', async () => {
      const other = await openSiteClient(await engine.openAgain(), undefined, {
        remote: web.remote,
        files: api.services.files,
      })
      const slug = newSlug()
      const answers = await Promise.all(
        [api, other, api, other].map((one, at) =>
          one.request(creator, 'PUT', `${orgPath}/openapi/${slug}`, {
            source: { text: specText(String(at)) },
          }),
        ),
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 201])
      await Promise.all([work(), processSpecs({ services: other.services, now: api.now })])
      expect(await make('GET', `${orgPath}/openapi/${slug}`)).toMatchObject({ processingState: 'complete' })
      expect(await listViolations(database.read)).toEqual([])
    })
  })

  describe('as files', () => {
    const pathOf = (url: string) => url.replace('http://octavo.test', '')
    const read = (url: string, headers = {}) => api.read(pathOf(url), headers)

    test('are downloadable with the signed URL of a private one, and not without it', async () => {
      const slug = newSlug()
      await put(slug, { text: specText('Private') })
      const { url } = await make('GET', `${orgPath}/openapi/${slug}/versions/latest`, undefined, reader)
      const answer = await read(url)
      expect([answer.status, JSON.parse(answer.text).info.title]).toEqual([200, 'Private'])
      expect(answer.headers['cache-control']).toContain('private')
      expect((await read(url.replace(/&token=.*/, ''))).status).toBe(404)
      expect((await read(url.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A')))).status).toBe(404)
      const bearer = { authorization: `Bearer ${reader.token}` }
      expect((await read(url.replace(/&token=.*/, ''), bearer)).status).toBe(200)
      expect(
        (await read(url.replace(/&token=.*/, ''), { authorization: `Bearer ${guest.token}` })).status,
      ).toBe(404)
      api.advance(13 * hours)
      expect((await read(url)).status).toBe(404)
    })

    test('are at the app URL, for those who may view them', async () => {
      const slug = newSlug()
      const { urls } = await make('PUT', `${orgPath}/openapi/${slug}`, { source: { text: specText('Led') } })
      const bearer = { authorization: `Bearer ${reader.token}` }
      expect((await read(urls.app, bearer)).status).toBe(404)
      await work()
      const led = await read(urls.app, bearer)
      expect(led.status).toBe(302)
      const answer = await read(led.headers['location']!, bearer)
      expect([answer.status, JSON.parse(answer.text).info.title]).toEqual([200, 'Led'])
      expect((await read(urls.app.replace(/\/$/, ''), bearer)).status).toBe(302)
      for (const headers of [{}, { authorization: `Bearer ${guest.token}` }])
        expect((await read(urls.app, headers)).status).toBe(404)
    })

    test('are public once their visibility is, with the latest version under one URL', async () => {
      const slug = newSlug()
      await put(slug, { text: specText('One') })
      const open = await make('PATCH', `${orgPath}/openapi/${slug}`, { visibility: 'public' })
      expect(open).toMatchObject({ visibility: 'public', urls: { published: expect.stringContaining(slug) } })
      const { published } = open.urls
      const first = await read(published)
      expect([first.status, JSON.parse(first.text).info.title]).toEqual([200, 'One'])
      expect(first.headers['access-control-allow-origin']).toBe('*')
      expect((await read(published, { 'if-none-match': first.headers['etag']! })).status).toBe(304)
      const { url } = await make('GET', `${orgPath}/openapi/${slug}/versions/latest`)
      await put(slug, { text: specText('Two') })
      expect(JSON.parse((await read(published)).text).info.title).toBe('Two')
      expect(JSON.parse((await read(url)).text).info.title).toBe('One')
      const closed = await make('PATCH', `${orgPath}/openapi/${slug}`, { visibility: 'private' })
      expect(closed.urls).not.toHaveProperty('published')
      expect((await read(published)).status).toBe(404)
      expect((await read(url)).status).toBe(404)
    })
  })

  test('are retained by garbage collection as long as a version references them', async () => {
    const other = await api.organization(admin, 'Other')
    const at = `/orgs/${other}/openapi`
    const blobs = async () =>
      (
        await acrossTestOrganizations(database.read)
          .selectFrom('blobs')
          .select('hash')
          .where('organization_id', '=', other)
          .execute()
      ).length
    const collect = () =>
      collectObjects({ database, organizationId: other, signal: new AbortController().signal })
    const age = () =>
      database.write((tx) =>
        acrossTestOrganizations(tx)
          .updateTable('blobs')
          .set({ put_at: 0 })
          .where('organization_id', '=', other)
          .execute(),
      )
    for (const title of ['kept', 'dropped']) {
      await make('PUT', `${at}/${title}`, { source: { text: `# ${title}\n${specText(title)}` } }, admin)
    }
    await work()
    expect(await blobs()).toBe(4)
    await age()
    await collect()
    expect(await blobs()).toBe(4)
    await make('DELETE', `${at}/dropped`, undefined, admin)
    await collect()
    expect(await blobs()).toBe(2)
    // A new text of an existing specification waits for the worker, however long that takes.
    await make('PUT', `${at}/kept`, { source: { text: `# later\n${specText('kept')}` } }, admin)
    expect(await listViolations(database.read)).toEqual([])
    await age()
    await collect()
    await work()
    expect(await make('GET', `${at}/kept`, undefined, admin)).toMatchObject({ lastProcessedErrorCount: 0 })
    const { filesystem } = await make('GET', `${at}/kept/versions/latest/content`, undefined, admin)
    expect(filesystem[0].specification.info.title).toBe('kept')
    expect(await listViolations(database.read)).toEqual([])
  })
})
