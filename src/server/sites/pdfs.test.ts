/** PDFs over HTTP: requested, made by the worker in a process of its own, open to readers of the content. */
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { acrossTestOrganizations } from '../../../tests/test-rows.js'
import { type Person } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'
import { checkPdf, hasPdfTools, textOfPdf } from '../../../tests/pdf-tools.js'
import { processSpecs, specText } from '../../../tests/openapi-specs.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'
import { limits } from '../../contract/limits.js'
import type { OrganizationId } from '../../core/ids.js'
import { pdfJobHandlers, pdfGiveUpHandlers } from '../../site/pdf/make-pdf.js'
import { countUnfinished } from '../../resources/pdfs/store.js'
import { pdfLifetime } from '../../site/pdf/request-pdf.js'
import { collectObjects } from '../../store/collect/objects.js'
import { removeExpired } from '../../store/collect/expired.js'
import type { Database } from '../../store/db/database.js'
import { listViolations } from '../../store/db/invariants.js'
import { drainJobs } from '../../store/jobs/testing.js'
import { type UploadDetail, PrintFailed, type Printer } from '../../store/printing/printer.js'
import { openPrinter } from '../start/printer.js'

const json = { accept: 'application/json' }
const week = 7 * 24 * 60 * 60 * 1_000

describeSqlite('PDFs', (engine) => {
  let database: Database
  let client: SiteClient
  let ann: Person
  let bob: Person
  let organization: OrganizationId
  let space: string
  let pages: ReadonlyMap<string, string>

  beforeAll(async () => {
    database = await engine.open()
    client = await openSiteClient(database)
    ann = await client.person('ann')
    bob = await client.person('bob')
    organization = await client.organization(ann)
  })

  beforeEach(async () => {
    const made = await client.space(ann, organization, 'Guide', [
      { slug: 'start', markdown: '# Start\n\nWelcome, see [more](more.md).\n' },
      { slug: 'more', markdown: '# More\n\nMuch **more** of it.\n' },
      { slug: 'below', markdown: '# Below\n\nDeeper.\n', into: 'more' },
      { slug: 'secret', markdown: '# Secret\n\nHidden words.\n', hidden: true },
    ])
    space = made.id
    pages = made.pages
  })

  const work = (printer: Printer = openPrinter()) =>
    drainJobs({
      database,
      handlers: pdfJobHandlers({ services: client.services, printer, now: client.now }),
      now: client.now,
      random: () => 0.5,
      report: (error) => {
        throw error
      },
      signal: new AbortController().signal,
    })
  const address = async (query = '', at = `/spaces/${space}`, person = ann): Promise<string> => {
    const answer = await client.request(person, 'GET', `${at}/pdf${query}`)
    expect(answer.status, answer.text).toBe(200)
    const { pathname, search } = new URL(answer.body.url)
    return pathname + search
  }
  const read = (path: string, headers: Record<string, string> = json) => client.read(path, headers)
  async function textOf(path: string): Promise<string> {
    const answer = await client.server.inject({ url: path, headers: { host: 'octavo.test' } })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/pdf'])
    if (!hasPdfTools) return ''
    const file = join(client.services.spoolFolder, 'read.pdf')
    await writeFile(file, answer.rawPayload)
    checkPdf(file)
    return textOfPdf(file)
  }

  test('are made on request, report progress, and are made once for the same content', async () => {
    const path = await address()
    expect(path).toMatch(/^\/~octavo\/pdf\/\w+\/Guide\.pdf\?revision=\w+&token=/)
    const answer = await read(path)
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      202,
      { object: 'pdf', state: 'pending', done: 0, total: 6 },
    ])
    expect(await work()).toBe(1)
    expect(JSON.parse((await read(path)).text)).toEqual({
      object: 'pdf',
      state: 'complete',
      done: 6,
      total: 6,
    })
    const text = await textOf(path)
    if (hasPdfTools) {
      expect(text).toMatch(
        /Guide.*Contents.*Start.*More.*Below.*Welcome, see more\..*Much more of it\..*Deeper/,
      )
      expect(text).not.toContain('Hidden words')
    }
    expect(await readdir(client.services.spoolFolder)).not.toContainEqual(expect.stringMatching(/^pdf-/))
    // By another user too.
    await client.join(organization, bob, 'read')
    expect((await read(await address('', `/spaces/${space}`, bob))).status).toBe(200)
    expect(await work()).toBe(0)
    expect(await listViolations(acrossTestOrganizations(database.read))).toEqual([])
  })

  test('contain a page with its subpages, or alone', async () => {
    const more = pages.get('more')!
    const [branch, alone, hidden] = [
      await address(`?page=${more}`),
      await address(`?page=${more}&only=true`),
      await address(`?page=${pages.get('secret')}`),
    ]
    for (const path of [branch, alone, hidden]) await read(path)
    expect(await work()).toBe(3)
    const [whole, one, secret] = [await textOf(branch), await textOf(alone), await textOf(hidden)]
    if (!hasPdfTools) return
    expect(whole).toMatch(/^More Guide Contents.*Deeper/)
    expect(one).toBe(one.replace('Contents', ''))
    expect(one).toMatch(/^More Much more of it\. More 1/)
    expect(secret).toContain('Hidden words')
  })

  test('of a change request contain its content, while it exists', async () => {
    const { body: request } = await client.request(ann, 'POST', `/spaces/${space}/change-requests`, {
      subject: 'Better',
    })
    const at = `/spaces/${space}/change-requests/${request.id}`
    const changes = [
      { operation: 'update_page', page: pages.get('more'), document: { markdown: '# More\n\nA draft.\n' } },
    ]
    const changed = await client.request(ann, 'POST', `${at}/content`, { changes })
    expect(changed.status, changed.text).toBeLessThan(300)
    const [draft, main] = [await address('', at), await address()]
    await read(draft)
    await read(main)
    expect(await work()).toBe(2)
    const [drafted, published] = [await textOf(draft), await textOf(main)]
    if (!hasPdfTools) return
    expect(drafted).toMatch(/Guide #\d+ Better/)
    expect(drafted).toContain('A draft.')
    expect(published).not.toContain('A draft.')
  })

  test('are open only to readers of the content, at their own URL', async () => {
    const path = await address(`?page=${pages.get('more')}`)
    await read(path)
    await work()
    expect((await read(path)).status).toBe(200)
    for (const other of [
      path.replace(/&token=.*/, ''),
      path.replace(/page=\w+/, `page=${pages.get('start')}`),
      path.replace(/&page=\w+/, ''),
      path.replace('&token=', '&only=1&token='),
      path.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')),
      path.replace(/pdf\/\w+/, 'pdf/nowhere'),
    ])
      expect((await read(other)).status, other).toBe(404)
    const stranger = await client.person('eve')
    expect((await client.request(stranger, 'GET', `/spaces/${space}/pdf`)).status).toBe(404)
    const withCookie = path.replace(/&token=.*/, '')
    const asOwner = { ...json, authorization: `Bearer ${ann.token}` }
    expect((await read(withCookie, asOwner)).status).toBe(200)
    expect((await read(withCookie, { ...json, authorization: `Bearer ${stranger.token}` })).status).toBe(404)
    // The URL ends with the credential of its request, and with the space.
    client.advance(13 * 60 * 60 * 1_000)
    expect((await read(path)).status).toBe(404)
    const later = await address(`?page=${pages.get('more')}`)
    expect((await read(later)).status).toBe(200)
    await client.request(ann, 'DELETE', `/spaces/${space}`)
    expect((await read(later)).status).toBe(404)
  })

  test('are refused for what is no page, for too much content, and for too many at the same time', async () => {
    for (const [query, status] of [
      ['?page=nothing', 404],
      ['?only=true', 400],
      ['?only=perhaps', 400],
      ['?page=', 400],
    ] as const)
      expect((await client.request(ann, 'GET', `/spaces/${space}/pdf${query}`)).status, query).toBe(status)
    const insert = (at: number) => ({
      operation: 'insert_page',
      slug: `p${at}`,
      document: { markdown: '# P\n' },
    })
    const others = await client.organization(ann, 'Busy')
    const { id } = await client.space(ann, others, 'Many', [])
    await client.change(
      ann,
      id,
      Array.from({ length: limits.pdfsAtOnce + 1 }, (_, at) => insert(at)),
    )
    const { body } = await client.request(ann, 'GET', `/spaces/${id}/content/pages`)
    const paths = await Promise.all(
      body.pages.map((page: { id: string }) => address(`?page=${page.id}&only=true`, `/spaces/${id}`)),
    )
    for (const path of paths.slice(0, -1)) expect((await read(path)).status).toBe(202)
    const refused = await read(paths.at(-1)!)
    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([429, 429])
    await work({ print: () => Promise.reject(new PrintFailed('it is one of many')) })
  })

  test('are made again when a specification that they contain changes, and for no other', async () => {
    const put = async (slug: string, title: string) => {
      const source = { source: { text: specText(title, { info: { title, version: title } }) } }
      const answer = await client.request(ann, 'PUT', `/orgs/${organization}/openapi/${slug}`, source)
      expect(answer.status, answer.text).toBeLessThan(300)
      await processSpecs(client)
    }
    const stateOf = async (path: string) => JSON.parse((await read(path)).text).state
    await put('pets', 'One')
    const block = (spec: string) =>
      `# API\n\n{% openapi-operation spec="${spec}" path="/pets" method="get" %}\n{% endopenapi-operation %}\n`
    const shows = await client.space(ann, organization, 'API', [
      { slug: 'pets', markdown: block('pets') },
      // No specification of this name exists yet.
      { slug: 'later', markdown: block('plants') },
    ])
    const [path, plain] = [await address('', `/spaces/${shows.id}`), await address()]
    for (const one of [path, plain]) await read(one)
    await work()
    await put('others', 'One')
    expect([await stateOf(path), await stateOf(plain)]).toEqual(['complete', 'complete'])
    for (const [slug, title] of [
      ['pets', 'Two'],
      ['plants', 'One'],
    ] as const) {
      await put(slug, title)
      expect([await stateOf(path), await stateOf(plain)], slug).toEqual(['pending', 'complete'])
      await work()
    }
    await put('others', 'Two')
    expect(await stateOf(path)).toBe('complete')
  })

  test('that fail have a reason, and are retried later', async () => {
    const path = await address()
    await read(path)
    let tries = 0
    const broken: Printer = {
      async print() {
        tries++
        throw new PrintFailed('it takes longer than 120 seconds')
      },
    }
    await work(broken)
    const failed = await read(path)
    expect([failed.status, JSON.parse(failed.text).error.message]).toEqual([
      503,
      expect.stringContaining('it takes longer than 120 seconds'),
    ])
    expect(await work(broken)).toBe(0)
    client.advance(61_000)
    expect((await read(path)).status).toBe(202)
    await work()
    expect([tries, (await read(path)).status]).toEqual([1, 200])
  })

  test('that are too large are refused before typesetting, and parts of them are made', async () => {
    const list = `# List\n\n${'* a\n'.repeat(9_000)}`
    const made = await client.space(
      ann,
      organization,
      'Heavy',
      Array.from({ length: 8 }, (_, at) => ({ slug: `p${at}`, markdown: at === 0 ? '# Few\n' : list })),
    )
    const at = `/spaces/${made.id}`
    const path = await address('', at)
    expect((await read(path)).status).toBe(202)
    let printed = 0
    const counting: Printer = { print: async () => ++printed }
    await work(counting)
    const refusal = [
      413,
      'This is too large for a PDF: of its 8 pages, 5 from the first one take all of the 1500 MB of memory that are possible. Ask for a page with those below it, with "page".',
    ]
    // It is not retried later.
    for (const pass of [0, 61_000]) {
      client.advance(pass)
      const refused = await read(path)
      expect([refused.status, JSON.parse(refused.text).error.message]).toEqual(refusal)
      expect(await work(counting)).toBe(0)
    }
    expect(printed).toBe(0)
    const part = await address(`?page=${made.pages.get('p0')!}`, at)
    await read(part)
    await work()
    expect((await read(part)).status).toBe(200)
  })

  test.each<[string, string, readonly UploadDetail[]]>([
    ['no pictures', '# One\n\n![a](./paper)\n', ['all']],
    ['pictures', '# One\n\n![a](./photo)\n', ['all', 'none']],
    ['drawings', '# One\n\n![a](./photo) ![b](./drawing)\n', ['all', 'pixels', 'none']],
  ])('with %s are tried again only with less of them', async (_, markdown, cares) => {
    const made = await client.space(ann, organization, 'Pictures', [])
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    await client.change(ann, made.id, [
      {
        operation: 'insert_files',
        files: [
          { ref: 'photo', name: 'photo.png', base64: base64('no picture') },
          { ref: 'drawing', name: 'b.svg', base64: base64('<svg xmlns="http://www.w3.org/2000/svg"/>') },
        ],
      },
      { operation: 'insert_page', slug: 'one', document: { markdown } },
    ])
    await read(await address('', `/spaces/${made.id}`))
    let tried: readonly UploadDetail[] = []
    await work({
      async print(order) {
        tried = order.cares
        throw new PrintFailed('it failed')
      },
    })
    expect(tried).toEqual(cares)
  })

  test('resume after a server was killed, and are made again when their bytes are missing', async () => {
    const path = await address()
    await read(path)
    const stopped = new AbortController()
    const killed: Printer = {
      async print({ signal }) {
        stopped.abort(new Error('killed'))
        signal.throwIfAborted()
        return 1
      },
    }
    await drainJobs({
      database,
      handlers: pdfJobHandlers({ services: client.services, printer: killed, now: client.now }),
      now: client.now,
      random: () => 0.5,
      report: () => {},
      signal: stopped.signal,
    })
    expect(JSON.parse((await read(path)).text)).toMatchObject({ state: 'progress', done: 3 })
    client.advance(60_000)
    expect(await work()).toBe(1)
    expect((await read(path)).status).toBe(200)
    const { hash } = await acrossTestOrganizations(database.read)
      .selectFrom('pdfs')
      .select('hash')
      .where('space_id', '=', space as never)
      .executeTakeFirstOrThrow()
    await client.services.files.delete(hash!)
    expect((await read(path)).status).toBe(202)
    await work()
    expect((await read(path)).status).toBe(200)
    // Old ones are removed with their bytes.
    const signal = new AbortController().signal
    const count = async () =>
      (
        await acrossTestOrganizations(database.read)
          .selectFrom('blobs')
          .select('hash')
          .where('hash', '=', hash!)
          .execute()
      ).length
    await collectObjects({ database, organizationId: organization, signal })
    expect(await count()).toBe(1)
    const removed = await removeExpired(database, {
      now: client.now() + pdfLifetime + 1,
      auditLife: week,
      signal,
    })
    expect(removed.get('PDFs')).toBeGreaterThan(0)
    expect((await read(await address())).status).toBe(202)
  })

  test('that crash every server have a reason, and do not block others', async () => {
    await work()
    const before = await countUnfinished(database.read, organization)
    const path = await address()
    await read(path)
    const deadly: Printer = { print: () => Promise.reject(new Error('never comes to it')) }
    const failures: string[] = []
    await database.write((tx) =>
      tx.updateTable('jobs').set({ attempts: 20 }).where('key', 'like', `${space} %`).execute(),
    )
    await drainJobs({
      database,
      handlers: pdfJobHandlers({ services: client.services, printer: deadly, now: client.now }),
      onGiveUp: pdfGiveUpHandlers({ services: client.services, now: client.now }),
      now: client.now,
      random: () => 0.5,
      report: (error) => failures.push((error as Error).message),
      signal: new AbortController().signal,
    })
    expect(failures).toEqual([expect.stringContaining('The process ended 20 times')])
    expect(await countUnfinished(database.read, organization)).toBe(before)
    const answer = await read(path)
    expect([answer.status, JSON.parse(answer.text).error.message]).toEqual([
      503,
      expect.stringContaining('the server came to no end with it'),
    ])
    client.advance(61_000)
    expect((await read(path)).status).toBe(202)
    await work()
    expect((await read(path)).status).toBe(200)
  })

  describe('are not readable when access ends while they are made:', () => {
    /** Does something while the PDF is printed. */
    async function workWhile(act: () => Promise<{ readonly status: number; readonly text: string }>) {
      const real = openPrinter()
      let acted = 0
      await work({
        async print(job) {
          const answer = await act()
          expect(answer.status, answer.text).toBeLessThan(300)
          acted += 1
          return real.print(job)
        },
      })
      expect(acted).toBe(1)
      const left = await readdir(client.services.spoolFolder)
      expect(left.filter((name) => name.startsWith('pdf-'))).toEqual([])
      expect(await listViolations(database.read)).toEqual([])
    }

    test('a space that is put into the trash, until it is restored', async () => {
      const path = await address()
      await read(path)
      await workWhile(() => client.request(ann, 'DELETE', `/spaces/${space}`))
      expect((await read(path)).status).toBe(404)
      await client.request(ann, 'POST', `/spaces/${space}/restore`)
      expect((await read(path)).status).toBe(200)
    })

    test('the membership of the requester', async () => {
      const leaver = await client.person('leaver')
      await client.join(organization, leaver, 'read')
      const [his, mine] = [await address('', undefined, leaver), await address()]
      expect((await read(his)).status).toBe(202)
      await workWhile(() => client.request(ann, 'DELETE', `/orgs/${organization}/members/${leaver.id}`))
      expect([(await read(his)).status, (await read(mine)).status]).toEqual([404, 200])
    })

    test('a space that is transferred to another organization, which gets its own PDF', async () => {
      const other = await client.organization(ann, 'Other')
      const path = await address()
      await read(path)
      await workWhile(() => client.request(ann, 'POST', `/spaces/${space}/transfer`, { organization: other }))
      expect((await read(path)).status).toBe(202)
      await work()
      const owners = await acrossTestOrganizations(database.read)
        .selectFrom('pdfs')
        .select('organization_id')
        .where('space_id', '=', space as never)
        .execute()
      expect(owners).toEqual([{ organization_id: other }])
      expect((await read(path)).status).toBe(200)
    })
  })

  describe('over HTTP', () => {
    test('the waiting page is in the language of the content', async () => {
      for (const [language, words] of [
        ['de', ['lang="de"', 'Das PDF wartet, bis es an der Reihe ist.', 'sobald es fertig ist']],
        ['ar', ['lang="ar"', 'dir="rtl"', 'ملف PDF في انتظار دوره']],
        ['it', ['The PDF waits for its turn.']],
      ] as const) {
        expect((await client.request(ann, 'PATCH', `/spaces/${space}`, { language })).status).toBe(200)
        const page = await read(await address(), { accept: 'text/html' })
        expect(page.status).toBe(202)
        for (const word of words) expect(page.text).toContain(word)
      }
      await work()
    })

    test('a browser gets the progress, a program waits', async () => {
      const path = await address()
      const waiting = client.server.inject({ url: path, headers: { host: 'octavo.test' } })
      const page = await read(path, { accept: 'text/html,*/*;q=0.8' })
      expect([page.status, page.text]).toEqual([202, expect.stringContaining('waits for its turn')])
      await work()
      const answer = await waiting
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/pdf'])
      expect(answer.headers['content-disposition']).toBe('inline; filename=Guide.pdf')
      const opened = await read(path, { accept: 'text/html' })
      expect([opened.status, opened.headers['content-type']]).toEqual([200, 'application/pdf'])
    })
  })

  afterAll(() => client.server.close())
})
