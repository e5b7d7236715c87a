import { readdir } from 'node:fs/promises'
import { Document, Packer, Paragraph } from 'docx'
import { zipSync } from 'fflate'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { type RequestListener, type WebServer, serveWeb } from '../../../tests/web-server.js'
import { routes } from '../../server/api/api.js'
import type { Page } from '../../contract/pages.js'
import type { OrganizationId } from '../../core/ids.js'

function zipOf(tree: Readonly<Record<string, string>>): Buffer {
  const files = Object.entries(tree).map(([path, text]) => [path, Buffer.from(text)] as const)
  return Buffer.from(zipSync(Object.fromEntries(files)))
}

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const handbook = zipOf({
  'README.md': '# Handbook\n\n[Rules](rules/README.md) ![p](.gitbook/assets/p.txt)',
  'rules/README.md': '# Rules\n\n[Back](../README.md) and [one](one.md#part)',
  'rules/one.md': '# One\n\n## Part\n\nText.',
  'SUMMARY.md':
    '* [Handbook](README.md)\n\n## All rules\n\n* [Rules](rules/README.md)\n  * [One](rules/one.md)\n',
  '.gitbook/assets/p.txt': 'file',
})

describeEngines('importing from an address', ({ open }) => {
  let api: TestClient
  let admin: Person
  let organization: OrganizationId
  let base: string
  let web: WebServer
  const answers: Record<string, RequestListener> = {}

  beforeAll(async () => {
    web = await serveWeb((request, response) => {
      const answer = answers[request.url!]
      if (answer === undefined) response.writeHead(404).end()
      else answer(request, response)
    })
    base = web.url
    api = await openTestClient(await open(), routes, { remote: web.remote })
    admin = await api.person('admin')
    organization = await api.organization(admin)
  })
  afterAll(() => web.close())

  const serve = (path: string, body: string | Uint8Array): string => {
    answers[path] = (_, response) => response.end(body)
    return base + path
  }
  async function createSpace(): Promise<string> {
    const wanted = { title: 'Space', editMode: 'live' }
    return (await api.request(admin, 'POST', `/orgs/${organization}/spaces`, wanted)).body.id
  }
  async function createChangeRequest(space: string): Promise<string> {
    return (await api.request(admin, 'POST', `/spaces/${space}/change-requests`, { subject: 'Import' })).body
      .id
  }
  async function pagesAt(place: string): Promise<Page[]> {
    const { body } = await api.request(admin, 'GET', `${place}/content/pages`)
    const flat = (pages: Page[]): Page[] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])])
    return flat(body.pages)
  }
  async function pathsAt(place: string): Promise<(string | undefined)[]> {
    return (await pagesAt(place)).map(({ path }) => path)
  }
  async function filesAt(place: string): Promise<string[]> {
    const { body } = await api.request(admin, 'GET', `${place}/content/files`)
    return body.items.map(({ name }: { name: string }) => name)
  }
  const importInto = (place: string, url: string, source: string, person = admin) =>
    api.request(person, 'POST', `${place}/import`, { url, source })

  it('adds a single Markdown text as a new page, named after its URL', async () => {
    const space = `/spaces/${await createSpace()}`
    const before = await pathsAt(space)
    const url = serve('/some%20notes.md', 'Only a text, no title.\n')
    const answer = await importInto(`${space}/content`, url, 'markdown')
    expect(answer).toMatchObject({
      status: 201,
      body: { importedResources: 1, totalResources: 1, pages: 1, problems: [] },
    })
    expect(String(answer.headers['location'])).toMatch(new RegExp(`/revisions/${answer.body.revision}$`))
    expect(await pathsAt(space)).toEqual([...before, 'some-notes'])
    const page = await api.request(admin, 'GET', `${space}/content/path/some-notes?format=markdown`)
    expect(page.body).toMatchObject({ title: 'Some notes', markdown: 'Only a text, no title.\n' })
  })

  it('updates the page that an earlier import from the URL made, wherever it is', async () => {
    const space = `/spaces/${await createSpace()}`
    const url = serve('/again.md', '# Again\n')
    const first = await importInto(`${space}/content`, url, 'markdown')
    const paths = await pathsAt(space)
    const [parent, page] = (await pagesAt(space)).map(({ id }) => id)
    expect((await importInto(`${space}/content`, `${url}#part`, 'markdown')).body).toMatchObject({
      revision: first.body.revision,
      added: 0,
      changed: 0,
    })
    const changes = [{ operation: 'update_page', page, into: parent, slug: 'moved' }]
    expect((await api.request(admin, 'POST', `${space}/content`, { changes })).status).toBe(200)
    const moved = await pathsAt(space)
    serve('/again.md', '# Again\n\nMore.\n')
    const updated = await importInto(`${space}/content`, url, 'markdown')
    expect(updated.body).toMatchObject({ added: 0, changed: 1, removed: 0 })
    expect(await pathsAt(space)).toEqual(moved)
    const read = await api.request(admin, 'GET', `${space}/content/page/${page}?format=markdown`)
    expect(read.body.markdown).toContain('More.')
    // Another source of the same name is another page, and so is one that was deleted.
    const other = serve('/other/again.md', '# Again\n')
    expect((await importInto(`${space}/content`, other, 'markdown')).body).toMatchObject({ added: 1 })
    await api.request(admin, 'POST', `${space}/content`, { changes: [{ operation: 'delete_page', page }] })
    expect((await importInto(`${space}/content`, url, 'markdown')).body).toMatchObject({ added: 1 })
    expect(await pathsAt(space)).toHaveLength(paths.length + 1)
  })

  it('finds pages of a tree again that were moved, also when it replaces the content', async () => {
    const space = `/spaces/${await createSpace()}`
    const url = serve('/handbook.zip', handbook)
    await importInto(`${space}/content`, url, 'zip')
    const pages = await pagesAt(space)
    const one = pages.find(({ path }) => path === 'rules/one')!
    const changes = [
      { operation: 'update_page', page: one.id, into: null, slug: 'first', document: { markdown: '# Own' } },
    ]
    expect((await api.request(admin, 'POST', `${space}/content`, { changes })).status).toBe(200)
    const again = await importInto(`${space}/content`, url, 'zip')
    expect(again.body).toMatchObject({ added: 0, removed: 0 })
    expect((await pagesAt(space)).find(({ id }) => id === one.id)?.path).toBe('first')
    const body = { url, source: 'zip', mode: 'replace' }
    expect((await api.request(admin, 'POST', `${space}/content/import`, body)).body).toMatchObject({
      added: 0,
    })
    expect(await pagesAt(space)).toEqual(pages.map(({ id, path }) => expect.objectContaining({ id, path })))
  })

  it('replaces the content with a tree, in one revision', async () => {
    const id = await createSpace()
    const answer = await importInto(`/spaces/${id}/content`, serve('/handbook.zip', handbook), 'zip')
    expect(answer).toMatchObject({ status: 201, body: { pages: 3, files: 1, importedResources: 4 } })
    expect(await pathsAt(`/spaces/${id}`)).toEqual(['readme', 'all-rules', 'rules', 'rules/one'])
    const again = await importInto(`/spaces/${id}/content`, serve('/handbook.zip', handbook), 'zip')
    expect(again.body.revision).toBe(answer.body.revision)
    expect(await readdir(api.services.spoolFolder)).toEqual([])
  })

  const smaller = zipOf({
    'README.md': '# Handbook, second edition',
    'rules/two.md': '# Two',
    'SUMMARY.md': '* [Handbook](README.md)\n\n## All rules\n\n* [Two](rules/two.md)\n',
  })

  it('updates pages at the same path, and removes others only when it is asked to', async () => {
    const id = await createSpace()
    const url = serve('/handbook.zip', handbook)
    const first = await importInto(`/spaces/${id}/content`, url, 'zip')
    expect(first.body).toMatchObject({ mode: 'update', added: 6, changed: 0, removed: 1 })
    const own = { operation: 'insert_page', document: { markdown: '# Our own\n' } }
    const written = await api.request(admin, 'POST', `/spaces/${id}/content`, { changes: [own] })
    expect(written.status).toBe(200)
    const before = await pagesAt(`/spaces/${id}`)

    serve('/handbook.zip', smaller)
    for (const place of [`/spaces/${id}/change-requests/${await createChangeRequest(id)}`, `/spaces/${id}`]) {
      const updated = await importInto(`${place}/content`, url, 'zip')
      expect(updated.body).toMatchObject({ mode: 'update', added: 1, removed: 0 })
      expect(updated.body.changes).toContainEqual({
        type: 'added',
        page: expect.any(String),
        path: 'rules/two',
      })
      expect(updated.body.changes).toContainEqual({ type: 'changed', page: before[0]!.id, path: 'readme' })
      const after = await pagesAt(place)
      expect(after.map(({ path }) => path)).toEqual([
        'readme',
        'all-rules',
        'rules',
        'rules/one',
        'rules/two',
        'our-own',
      ])
      expect(after.filter(({ path }) => path !== 'rules/two').map((page) => page.id)).toEqual(
        before.map((page) => page.id),
      )
      expect(after[0]!.title).toBe('Handbook, second edition')
      expect(await filesAt(place)).toEqual(['p.txt'])
      const again = await importInto(`${place}/content`, url, 'zip')
      expect(again.body).toMatchObject({ revision: updated.body.revision, added: 0, changed: 0, changes: [] })
    }

    const replaced = await api.request(admin, 'POST', `/spaces/${id}/content/import`, {
      url,
      source: 'zip',
      mode: 'replace',
    })
    expect(replaced.body).toMatchObject({ mode: 'replace', added: 0 })
    expect(replaced.body.changes.filter(({ type }: { type: string }) => type === 'removed')).toEqual(
      expect.arrayContaining([
        { type: 'removed', page: before.at(-1)!.id, path: 'our-own' },
        { type: 'removed', path: '.gitbook/assets/p.txt' },
      ]),
    )
    expect(replaced.body.removed).toBe(4)
    expect(await pathsAt(`/spaces/${id}`)).toEqual(['readme', 'all-rules', 'rules/two'])
    const runs = await api.request(admin, 'GET', `/spaces/${id}/imports?limit=1`)
    const run = await api.request(admin, 'GET', `/spaces/${id}/imports/${runs.body.items[0].id}`)
    expect(run.body.result).toEqual(replaced.body)
  })

  it.each(['markdown', 'html', 'zip'])(
    'replaces the content by one document of %s when asked to',
    async (source) => {
      const id = await createSpace()
      await importInto(`/spaces/${id}/content`, serve('/handbook.zip', handbook), 'zip')
      const body = source === 'zip' ? zipOf({ 'only.md': '# Only\n' }) : '# Only\n'
      const url = serve(`/only.${source}`, source === 'html' ? '<main><h1>Only</h1><p>One.</p></main>' : body)
      const answer = await api.request(admin, 'POST', `/spaces/${id}/content/import`, {
        url,
        source,
        mode: 'replace',
      })
      expect(answer.status, answer.text).toBe(201)
      expect((await pagesAt(`/spaces/${id}`)).map(({ title }) => title)).toEqual(['Only'])
    },
  )

  it('takes the settings of a tree only when it replaces', async () => {
    const id = await createSpace()
    await importInto(`/spaces/${id}/content`, serve('/handbook.zip', handbook), 'zip')
    const rooted = zipOf({ '.gitbook.yaml': 'root: ./docs/\n', 'docs/README.md': '# Docs\n' })
    const updated = await importInto(`/spaces/${id}/content`, serve('/rooted.zip', rooted), 'zip')
    expect(updated.body.problems).toContainEqual({
      kind: 'structure',
      path: '.gitbook.yaml',
      message: expect.stringContaining('"replace"'),
    })
    expect(await pathsAt(`/spaces/${id}`)).toEqual(['readme', 'docs', 'all-rules', 'rules', 'rules/one'])
    await api.request(admin, 'POST', `/spaces/${id}/content/import`, {
      url: `${base}/rooted.zip`,
      source: 'zip',
      mode: 'replace',
    })
    expect(await pathsAt(`/spaces/${id}`)).toEqual(['readme'])
  })

  it('refuses another mode, and a replacement below a page', async () => {
    const id = await createSpace()
    const [page] = await pagesAt(`/spaces/${id}`)
    const url = serve('/handbook.zip', handbook)
    for (const [place, mode] of [
      [`/spaces/${id}/content`, 'merge'],
      [`/spaces/${id}/content/page/${page!.id}`, 'replace'],
    ] as const) {
      const answer = await api.request(admin, 'POST', `${place}/import`, { url, source: 'zip', mode })
      expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining('body.mode')])
    }
  })

  it('writes only into a change request', async () => {
    const id = await createSpace()
    const branch = `/spaces/${id}/change-requests/${await createChangeRequest(id)}`
    const before = (await api.request(admin, 'GET', `/spaces/${id}`)).body.revision
    const answer = await importInto(`${branch}/content`, serve('/handbook.zip', handbook), 'zip')
    expect(answer.status).toBe(201)
    expect(await pathsAt(branch)).toEqual(['readme', 'all-rules', 'rules', 'rules/one'])
    expect((await api.request(admin, 'GET', branch)).body.revision).toBe(answer.body.revision)
    expect((await api.request(admin, 'GET', `/spaces/${id}`)).body.revision).toBe(before)

    expect((await api.request(admin, 'POST', `${branch}/merge`)).body.result).toBe('merge')
    expect(await pathsAt(`/spaces/${id}`)).toEqual(['readme', 'all-rules', 'rules', 'rules/one'])
    const closed = await importInto(`${branch}/content`, serve('/handbook.zip', handbook), 'zip')
    expect([closed.status, closed.body.error.message]).toEqual([409, expect.stringContaining('merged')])
  })

  it('does not fill a locked space when the actor is no longer its administrator at commit', async () => {
    const keeper = await api.person('keeper')
    await api.join(organization, keeper, 'edit')
    const wanted = { title: 'Locked', editMode: 'locked' }
    const { id } = (await api.request(admin, 'POST', `/orgs/${organization}/spaces`, wanted)).body
    const give = (role: string) =>
      api.request(admin, 'POST', `/spaces/${id}/permissions`, { role, users: [keeper.id] })
    expect((await give('admin')).status).toBeLessThan(300)
    const before = await pathsAt(`/spaces/${id}`)
    answers['/slow.zip'] = (_, response) => void give('edit').then(() => response.end(handbook))
    const late = await importInto(`/spaces/${id}/content`, `${base}/slow.zip`, 'zip', keeper)
    expect([late.status, late.body.error.message]).toEqual([403, expect.stringContaining('locked')])
    expect(await pathsAt(`/spaces/${id}`)).toEqual(before)
    await give('admin')
    const url = serve('/handbook.zip', handbook)
    expect((await importInto(`/spaces/${id}/content`, url, 'zip', keeper)).status).toBe(201)
  })

  it('imports into a change request of a locked space', async () => {
    const id = await createSpace()
    await importInto(`/spaces/${id}/content`, serve('/handbook.zip', handbook), 'zip')
    await api.request(admin, 'PATCH', `/spaces/${id}`, { editMode: 'locked' })
    const locked = await importInto(`/spaces/${id}/content`, serve('/notes.md', '# Notes'), 'markdown')
    expect(locked.status).toBe(403)
    const branch = `/spaces/${id}/change-requests/${await createChangeRequest(id)}`
    expect((await importInto(`${branch}/content`, serve('/notes.md', '# Notes'), 'markdown')).status).toBe(
      201,
    )
    expect(await pathsAt(branch)).toContain('notes')
  })

  it.each(['space', 'change request'])(
    'puts a tree below a page of a %s, links and files along',
    async (at) => {
      const id = await createSpace()
      await importInto(`/spaces/${id}/content`, serve('/handbook.zip', handbook), 'zip')
      const place =
        at === 'space' ? `/spaces/${id}` : `/spaces/${id}/change-requests/${await createChangeRequest(id)}`
      const before = await pagesAt(place)
      const page = before.find(({ path }) => path === 'rules')!
      const url = serve('/more.zip', handbook)
      const answer = await importInto(`${place}/content/page/${page.id}`, url, 'zip')
      expect(answer).toMatchObject({ status: 201, body: { pages: 3, files: 1 } })
      const after = await pagesAt(place)
      expect(after.map(({ path }) => path)).toEqual([
        'readme',
        'all-rules',
        'rules',
        'rules/one',
        'rules/more',
        'rules/more/all-rules',
        'rules/more/rules',
        'rules/more/rules/one',
      ])
      // The existing content is unchanged.
      const preserved = after.filter(({ id: one }) => before.some(({ id: other }) => other === one))
      expect(preserved.map(({ id: one, title, path }) => [one, title, path])).toEqual(
        before.map(({ id: one, title, path }) => [one, title, path]),
      )
      const rules = await api.request(admin, 'GET', `${place}/content/path/rules%2Fmore%2Frules`)
      const links = JSON.stringify(rules.body.document)
      for (const path of ['rules/more', 'rules/more/rules/one'])
        expect(links).toContain(after.find((one) => one.path === path)!.id)
      expect(await filesAt(place)).toEqual(['p.txt', 'p.txt'])

      const once = await importInto(`${place}/content/page/${page.id}`, url, 'zip')
      expect(once.status).toBe(201)
      expect(await pathsAt(place)).toContain('rules/more-1/rules/one')
      const text = serve('/leaf.md', '# Leaf')
      expect((await importInto(`${place}/content/page/${page.id}`, text, 'markdown')).status).toBe(201)
      expect(await pathsAt(place)).toContain('rules/leaf')
    },
  )

  it('imports one HTML page with its images and working links', async () => {
    const id = await createSpace()
    const before = await pathsAt(`/spaces/${id}`)
    answers['/help/topic.html'] = (_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<main><h1>Help</h1><p><a href="other.html">Other</a> <img src="one.png" alt="One"></p></main>')
    answers['/help/one.png'] = (_, response) => response.end(pixel)
    const answer = await importInto(`/spaces/${id}/content`, `${base}/help/topic.html`, 'html')
    expect(answer).toMatchObject({ status: 201, body: { pages: 1, files: 1 } })
    expect(await pathsAt(`/spaces/${id}`)).toEqual([...before, 'topic'])
    const page = await api.request(admin, 'GET', `/spaces/${id}/content/path/topic?format=markdown`)
    expect(page.body).toMatchObject({ title: 'Help' })
    expect(page.body.markdown).toContain(`(${base}/help/other.html)`)
    expect(page.body.markdown).toContain('(.gitbook/assets/one.png)')
  })

  it('imports exports of other programs, as a tree or as a single document', async () => {
    const id = await createSpace()
    const manual = new Document({ sections: [{ children: [new Paragraph('Words of the manual.')] }] })
    const docx = serve('/Manual%20one.docx', await Packer.toBuffer(manual))
    const page = await importInto(`/spaces/${id}/content`, docx, 'docx')
    expect(page).toMatchObject({ status: 201, body: { pages: 1 } })
    expect(await pathsAt(`/spaces/${id}`)).toContain('manual-one')

    const one = 'Notes 0123456789abcdef0123456789abcdef'
    const notion = zipOf({
      [`${one}.md`]: '# Notes\n\nWords.\n',
      [`${one}/Inner 0123456789abcdef0123456789abcde0.md`]: '# Inner\n',
    })
    const tree = await importInto(`/spaces/${id}/content`, serve('/export.zip', notion), 'notion')
    expect(tree.status, tree.text).toBe(201)
    const titles = ['Page', 'Manual one', 'Notes', 'Inner']
    expect((await pagesAt(`/spaces/${id}`)).map(({ title }) => title)).toEqual(titles)
    const wrong = await importInto(`/spaces/${id}/content`, serve('/x.docx', 'no document'), 'docx')
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 400])
  })

  it('imports a Word document as either source, titled by its URL when it has no title', async () => {
    const space = `/spaces/${await createSpace()}`
    const before = await pathsAt(space)
    const document = await Packer.toBuffer(
      new Document({ sections: [{ children: [new Paragraph('Words.')] }] }),
    )
    for (const source of ['docx', 'google-docs'])
      expect(
        await importInto(`${space}/content`, serve(`/My%20letter.docx?${source}`, document), source),
      ).toMatchObject({
        status: 201,
        body: { pages: 1 },
      })
    const added = (await pagesAt(space)).slice(before.length)
    expect(added.map(({ title }) => title)).toEqual(['My letter', 'My letter'])
  })

  it('refuses invalid sources, and changes nothing', async () => {
    const id = await createSpace()
    const head = async () => (await api.request(admin, 'GET', `/spaces/${id}`)).body.revision
    const before = await head()
    answers['/away'] = (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    answers['/cut.zip'] = (_, response) => {
      response.writeHead(200, { 'content-length': handbook.length })
      response.write(handbook.subarray(0, 100))
      setTimeout(() => response.destroy(), 50)
    }
    for (const [url, source, problem] of [
      [`${base}/away`, 'zip', 'public internet'],
      [`${base}/cut.zip`, 'zip', 'broke off'],
      [`${base}/nothing`, 'markdown', 'answered 404'],
      ['http://127.0.0.2/', 'zip', 'public internet'],
      ['ftp://example.com/', 'zip', 'http and https'],
      [serve('/text.zip', 'no zip'), 'zip', 'archive'],
      [serve('/empty.zip', zipOf({})), 'zip', 'no files'],
      [serve('/up.zip', zipOf({ '../up.md': 'x' })), 'zip', '../up.md'],
    ] as const) {
      const answer = await importInto(`/spaces/${id}/content`, url, source)
      expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(problem)])
    }
    expect((await importInto(`/spaces/${id}/content`, base, 'openapi')).status).toBe(400)
    const lost = await importInto(`/spaces/${id}/content/page/nothing`, `${base}/away`, 'zip')
    expect(lost.status).toBe(404)
    expect(await head()).toBe(before)
    expect(await readdir(api.services.spoolFolder)).toEqual([])
  })

  it('is authorized again when the content has arrived', async () => {
    const id = await createSpace()
    const writer = await api.person('writer')
    await api.join(organization, writer, 'edit')
    const before = (await api.request(admin, 'GET', `/spaces/${id}`)).body.revision
    answers['/slow.md'] = async (_, response) => {
      await api.request(admin, 'DELETE', `/orgs/${organization}/members/${writer.id}`)
      response.end('# Slow')
    }
    const answer = await importInto(`/spaces/${id}/content`, `${base}/slow.md`, 'markdown', writer)
    expect(answer.status).toBe(404)

    answers['/gone.md'] = async (_, response) => {
      await api.request(admin, 'DELETE', `/spaces/${id}`)
      response.end('# Gone')
    }
    const gone = await importInto(`/spaces/${id}/content`, `${base}/gone.md`, 'markdown')
    expect(gone.status).toBeGreaterThanOrEqual(400)
    expect((await api.request(admin, 'GET', `/spaces/${id}`)).body.revision).toBe(before)
  })
})
