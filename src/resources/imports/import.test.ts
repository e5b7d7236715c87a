import { Readable } from 'node:stream'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { beforeAll, expect, it, vi } from 'vitest'
import {
  type TestResponse,
  type TestClient,
  type Person,
  openTestClient,
} from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { newId } from '../../access/ids.js'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import type { Page } from '../../contract/pages.js'
import { getContent } from '../content/content.js'
import { listExportFiles } from '../exports/export.js'
import { writeFolder } from '../exports/write-folder.js'
import { indexSpace } from '../search/index-space.js'
import { findSpace } from '../spaces/store.js'
import { type ArchiveEntry, type ArchiveItem, collectBytes } from './archive.js'
import { type ImportOutcome, importTree } from './import.js'
import { readFolder } from './read-folder.js'
import { readZip } from './read-zip.js'
import { routes } from '../../server/api/api.js'
import { intoNewSpace, intoSpace } from './target.js'

type Tree = Readonly<Record<string, string | Uint8Array>>

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A tree with every kind of file found in real repositories. */
const oddities: Tree = {
  '.gitbook.yaml': 'root: ./docs/\nredirects:\n  old: new/page.md\n',
  '.gitignore': 'node_modules\n',
  LICENSE: 'Not part of the content, kept with it',
  'docs/SUMMARY.md':
    '# Table of contents\r\n\r\n* [Home](README.md)\r\n* [Chapter](chapter/README.md)\r\n  * [Crlf](chapter/crlf.md)\r\n  * [Gone](chapter/gone.md)\r\n  * [Again](chapter/crlf.md)\r\n\r\n## Rest\r\n\r\n* [Bom](bom.md)\r\n* [Latin](latin-1.md)\r\n* [Empty](empty.md)\r\n* [Elsewhere](https://example.com)\r\n',
  'docs/README.md': '# Home\n\n![pixel](.gitbook/assets/pixel.png) and [crlf](chapter/crlf.md#a)',
  'docs/chapter/README.md': '---\ndescription: A chapter\nicon: book\n---\n\n# Chapter\n',
  'docs/chapter/crlf.md': '# Crlf\r\n\r\nLines end\r\nlike this.\r\n',
  'docs/bom.md': '\uFEFF# Bom\n',
  'docs/latin-1.md': Buffer.from([0x23, 0x20, 0x63, 0x61, 0x66, 0xe9, 0x0a, 0xff, 0x00, 0xfe]),
  'docs/empty.md': '',
  'docs/unlisted.md': '# In no table of contents\n',
  'docs/.gitbook/assets/pixel.png': pixel,
  'docs/.gitbook/assets/the same again.png': pixel,
  'docs/.gitbook/assets/empty.bin': '',
  'docs/.gitbook/includes/note.md': 'Mind the [gap](../../README.md).\n',
  'docs/.gitbook/vars.yaml': 'version: "2.0" # quoted\n',
  'docs/.gitbook/tags.yaml': '- tag: new\n  label: New\n',
  'docs/data.unknown': Buffer.from([0, 1, 2, 253, 254, 255]),
  'docs/程序/安装.md': '# 安装\n',
}

async function* entriesOf(tree: Tree): AsyncGenerator<ArchiveEntry> {
  for (const [path, content] of Object.entries(tree)) {
    const bytes = Buffer.from(content)
    const stream = async function* () {
      yield bytes
    }
    yield { path, size: bytes.length, stream, open: async () => bytes }
  }
}

function zipOf(tree: Tree): Buffer {
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(tree).map(([path, content]) => [path, Buffer.from(content)]))),
  )
}

function hexOf(tree: Tree): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).map(([path, content]) => [path, Buffer.from(content).toString('hex')]),
  )
}

describeEngines('importing and exporting', ({ open }) => {
  let api: TestClient
  let admin: Person
  let organizationId: OrganizationId

  beforeAll(async () => {
    api = await openTestClient(await open(), routes)
    admin = await api.person('admin')
    organizationId = await api.organization(admin)
  })

  async function create(tree: Tree): Promise<SpaceId> {
    const id = newId<SpaceId>()
    await createAs(id, tree)
    return id
  }

  function createAs(id: SpaceId, tree: Tree): Promise<ImportOutcome> {
    const author = { services: api.services, userId: admin.id, now: api.now() }
    const target = intoNewSpace({ organization_id: organizationId, id }, { title: 'Space' }, author)
    return importTree({
      services: api.services,
      target,
      mode: 'replace',
      entries: entriesOf(tree),
      now: api.now(),
    })
  }

  async function replace(id: SpaceId, entries: AsyncIterable<ArchiveItem>) {
    const row = (await findSpace(api.services.database.read, organizationId, id))!
    const author = { services: api.services, userId: admin.id, now: api.now() }
    const target = intoSpace(row, author)
    return importTree({ services: api.services, target, mode: 'replace', entries, now: author.now })
  }

  async function exported(id: SpaceId) {
    const { database } = api.services
    const row = (await findSpace(database.read, organizationId, id))!
    const place = { db: database.read, services: api.services, organizationId, spaceId: id }
    return listExportFiles(await getContent(place, row.revision_id), api.services)
  }

  async function exportedTree(id: SpaceId): Promise<Tree> {
    const files: Record<string, Uint8Array> = {}
    for (const file of await exported(id)) files[file.path] = await collectBytes(file.stream())
    return files
  }

  async function pagesOf(id: SpaceId): Promise<Page[]> {
    const { body } = await api.request(admin, 'GET', `/spaces/${id}/content/pages`)
    const flat = (pages: Page[]): Page[] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])])
    return flat(body.pages)
  }

  async function idsByTitle(id: SpaceId): Promise<Record<string, string>> {
    return Object.fromEntries((await pagesOf(id)).map((page) => [page.title, page.id]))
  }

  async function search(id: SpaceId, query: string, rest = ''): Promise<TestResponse> {
    await indexSpace({
      services: api.services,
      spaceId: id,
      signal: new AbortController().signal,
      now: Date.now,
    })
    return api.request(admin, 'GET', `/spaces/${id}/search?query=${encodeURIComponent(query)}${rest}`)
  }

  async function found(id: SpaceId, query: string): Promise<string[]> {
    const { body } = await search(id, query, '&limit=100')
    expect(body.count).toBe(body.items.length)
    return body.items.map((item: { title: string }) => item.title).toSorted()
  }

  function upload(id: SpaceId, person: Person, body: Buffer, type = 'application/zip') {
    return api.server.inject({
      method: 'POST',
      url: `/v1/spaces/${id}/content/archive`,
      headers: { authorization: `Bearer ${person.token}`, 'content-type': type },
      payload: body,
    })
  }

  it('round-trips every file byte for byte', async () => {
    const id = await create(oddities)
    expect(hexOf(await exportedTree(id))).toEqual(hexOf(oddities))
    const pages = await pagesOf(id)
    expect(pages.map((page) => [page.title, page.type === 'link' ? page.href : page.path])).toEqual([
      ['Home', 'readme'],
      ['Chapter', 'chapter'],
      ['Crlf', 'chapter/crlf'],
      ['Gone', 'chapter/gone'],
      ['Rest', 'rest'],
      ['Bom', 'bom'],
      ['caf\ufffd', 'latin-1'],
      ['Empty', 'empty'],
      ['Elsewhere', 'https://example.com'],
    ])
    const revision = (await api.request(admin, 'GET', `/spaces/${id}/content`)).body
    expect(revision.variables).toEqual({ version: '2.0' })
    expect(revision.reusableContents).toMatchObject([{ title: 'note' }])
    const named = Object.fromEntries(revision.files.map((file: { name: string }) => [file.name, file]))
    expect(named['pixel.png']).toMatchObject({
      contentType: 'image/png',
      dimensions: { width: 1, height: 1 },
    })
    expect(named['empty.bin']).toMatchObject({ size: 0 })
    const crlf = await api.request(admin, 'GET', `/spaces/${id}/content/path/chapter%2Fcrlf?format=markdown`)
    expect(crlf.body.markdown).toBe(oddities['docs/chapter/crlf.md'])
  })

  it('gives files with the same path different paths, and imports both', async () => {
    const tree = { 'a.md': '# File', 'a/README.md': '# Folder', 'A.md': '# Capital' }
    const id = await create(tree)
    const pages = await pagesOf(id)
    expect(new Set(pages.map(({ path }) => path!.toLowerCase())).size).toBe(3)
    const { 'SUMMARY.md': _, ...rest } = await exportedTree(id)
    expect(hexOf(rest)).toEqual(hexOf(tree))
  })

  it('imports colliding names, and reports their names and URLs', async () => {
    const [composed, apart] = ['caf\u00e9.md', 'cafe\u0301.md']
    const tree = {
      'README.md': '# One',
      'Guide.md': '# Two\n\n[to the third](guide.md)',
      'guide.md': '# Three',
      [composed]: '# Four',
      [apart]: '# Five',
      'img/A.PNG': pixel,
      'img/a.png': 'other bytes',
    }
    const id = await create(tree)
    const { 'SUMMARY.md': _, ...rest } = await exportedTree(id)
    expect(hexOf(rest)).toEqual(hexOf(tree))
    const pages = await pagesOf(id)
    expect(pages.map(({ title, path }) => [title, path])).toEqual([
      ['One', 'readme'],
      ['Five', 'cafe\u0301'],
      ['Four', 'caf\u00e9-1'],
      ['Two', 'Guide'],
      ['Three', 'guide-1'],
    ])
    const { problems } = await replace(id, entriesOf(tree))
    expect(problems).toEqual([
      { kind: 'twin', path: composed, message: expect.stringContaining(`${apart}: both`) },
      { kind: 'twin', path: 'guide.md', message: expect.stringContaining('this one is at “guide-1”') },
      {
        kind: 'twin',
        path: 'img/a.png',
        message: 'Only its case or accents differ from img/A.PNG: both are kept.',
      },
    ])
    expect(problems[0]!.message).toContain('“caf\u00e9-1”')
  })

  it('reports every problem and skipped file, with file and line, and counts them separately', async () => {
    const tree = {
      '.gitbook.yaml':
        'root: ./docs/\nredirects:\n  fine: guide.md#first-part\n  gone: missing.md\n  part: guide.md#nope\n  out: https://a.b/c\n',
      'docs/SUMMARY.md':
        '# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n* [Again](guide.md#x)\n* [Gone](gone.md)\n',
      'docs/README.md': [
        '---',
        'icon: house',
        'if: visitor.claims.member',
        '---',
        '# Home',
        '',
        '![there](.gitbook/assets/pixel.png) ![gone](gone.png)',
        '[good](guide.md#first-part), [title](guide.md#the-guide), [bad](guide.md#last-part), [none](nowhere.md)',
        '[here](#below), [not here](#above), [mail](mailto:a@b.c), [out](../README.md), [site](https://a.b/c#d)',
        '',
        '{% if visitor.claims.beta %}',
        'Only for some.',
        '{% endif %}',
        '',
        '## Below',
        '',
        '{% include ".gitbook/includes/note.md" %}',
        '',
        '[inside](#noted) and {% made-up %}',
      ].join('\n'),
      'docs/guide.md':
        '# The guide\n\n## First part\n\n<a id="named"></a>\n\n[n](#named) [up](./) [f](README.md#noted)',
      'docs/.gitbook/includes/note.md': '## Noted\n\n[lost](../../lost.md)\n',
      'docs/.gitbook/assets/pixel.png': pixel,
      'docs/draft.md': '# Draft\n\n[nowhere](x.md)',
      'README.md': '# Of the repository',
    }
    async function* entries(): AsyncGenerator<ArchiveItem> {
      yield { path: 'docs/link.md', leftOut: 'A link to another place: left out.' }
      yield* entriesOf(tree)
    }
    const id = await create({ 'README.md': '# Before' })
    const { problems, ...rest } = await replace(id, entries())
    expect(rest).toMatchObject({ pages: 2, files: 2, unlisted: 2, leftOut: 1, problemCount: problems.length })
    expect(problems.map(({ kind, path, line = '' }) => `${kind} ${path}:${line}`)).toEqual([
      'left-out docs/link.md:',
      'structure docs/SUMMARY.md:6',
      'image docs/README.md:7',
      'link .gitbook.yaml:4',
      'link docs/.gitbook/includes/note.md:3',
      'link docs/README.md:8',
      'link docs/README.md:9',
      'anchor .gitbook.yaml:5',
      'anchor docs/README.md:8',
      'anchor docs/README.md:9',
      'anchor docs/SUMMARY.md:5',
      'text docs/README.md:19',
      'condition docs/README.md:3',
      'condition docs/README.md:11',
      'unlisted README.md:',
      'unlisted docs/draft.md:',
    ])
    const messages = problems.map(({ message }) => message).join('\n')
    expect(messages).toContain('The picture gone.png is missing.')
    expect(messages).toContain('guide.md#last-part leads to no part of that page.')
    expect(messages).toContain('#above leads to no part of this page.')
    expect(messages).toContain('The redirect of gone: missing.md leads nowhere.')
    expect(messages).toContain('guide.md#x leads to no part of that page.')
    expect(messages).toContain('shows this page to everybody: its condition is “visitor.claims.member”')
  })

  it('exports no table of contents when the files imply the same tree, and imports the same tree again', async () => {
    const tree = { 'README.md': '# Home', 'b/one.md': '# One', 'b/two.md': '# Two' }
    const id = await create(tree)
    const before = await pagesOf(id)
    const written = await exportedTree(id)
    expect(hexOf(written)).toEqual(hexOf(tree))
    await replace(id, entriesOf(written))
    const shape = (page: Page) => [page.id, page.title, page.path]
    expect((await pagesOf(id)).map(shape)).toEqual(before.map(shape))
  })

  it('changes nothing when the same tree is imported again, and preserves ids when another is', async () => {
    const id = await create(oddities)
    const before = await idsByTitle(id)
    const head = (await findSpace(api.services.database.read, organizationId, id))!.revision_id
    expect(await replace(id, entriesOf(oddities))).toMatchObject({ revision: head, isChanged: false })

    const changed: Record<string, string | Uint8Array> = {
      ...oddities,
      'docs/README.md': '# Home\n\nNew text',
    }
    delete changed['docs/chapter/crlf.md']
    changed['docs/moved/there.md'] = oddities['docs/chapter/crlf.md']!
    changed['docs/SUMMARY.md'] = '* [Home](README.md)\n* [Moved](moved/there.md)\n* [Bom](bom.md)\n'
    const { revision, isChanged } = await replace(id, entriesOf(changed))
    expect(isChanged).toBe(true)
    const after = await idsByTitle(id)
    expect(after).toEqual({ Home: before['Home'], Crlf: before['Crlf'], Bom: before['Bom'] })
    const { body } = await api.request(admin, 'GET', `/spaces/${id}/revisions/${revision}`)
    expect(body.parents).toEqual([head])
  })

  it('leaves the old head when it is interrupted or refused', async () => {
    const id = await create({ 'README.md': '# Old' })
    async function* breaking(): AsyncGenerator<ArchiveEntry> {
      yield* entriesOf({ 'README.md': '# New' })
      throw new Error('The disk is gone')
    }
    await expect(replace(id, breaking())).rejects.toThrow('The disk is gone')
    await expect(replace(id, entriesOf({}))).rejects.toThrow('it holds no files')
    await expect(replace(id, entriesOf({ 'a.png': pixel }))).rejects.toThrow('it holds no page')
    const large: ArchiveEntry = { ...(await entriesOf({ 'big.md': '' }).next()).value!, size: 50_000_001 }
    await expect(
      replace(
        id,
        (async function* () {
          yield large
        })(),
      ),
    ).rejects.toMatchObject({ status: 413 })
    expect(hexOf(await exportedTree(id))).toMatchObject(hexOf({ 'README.md': '# Old' }))
  })

  it('plans again when the head has moved', async () => {
    const id = await create({ 'README.md': '# First', 'SUMMARY.md': '* [First](README.md)\n' })
    const row = (await findSpace(api.services.database.read, organizationId, id))!
    const author = { services: api.services, userId: admin.id, now: api.now() }
    const target = intoSpace(row, author)
    let looks = 0
    const disturbed = {
      ...target,
      async findBase(db: Parameters<typeof target.findBase>[0]) {
        const base = await target.findBase(db)
        looks += 1
        if (looks === 1) await replace(id, entriesOf({ 'README.md': '# Second' }))
        return base
      },
    }
    const tree = { 'README.md': '# Third', 'SUMMARY.md': '* [Third](README.md)\n' }
    await importTree({
      services: api.services,
      target: disturbed,
      mode: 'replace',
      entries: entriesOf(tree),
      now: api.now(),
    })
    expect(looks).toBe(2)
    expect(hexOf(await exportedTree(id))).toEqual(hexOf(tree))
  })

  it('indexes imported content: words, Chinese, and nothing hidden', async () => {
    const id = await create({
      'README.md': '# Home\n\nStart the server.',
      'guide/README.md': '---\nnoIndex: true\n---\n# Secret guide\n\nzebra',
      'guide/below.md': '# Below the secret\n\nzebra',
      'members.md': '---\nif: visitor.claims.member\n---\n# Members\n\nzebra',
      'chinese.md': '# 安装\n\n安装文档平台非常简单。',
      'two.md': '# Two\n\n## Server settings\n\nThe port of the server.',
    })
    expect(await found(id, 'server')).toEqual(['Home', 'Two'])
    expect(await found(id, '文档平台')).toEqual(['安装'])
    // Hidden pages are never found, conditional ones only by editors of the space.
    expect(await found(id, 'zebra')).toEqual(['Members'])
    const { body } = await search(id, 'server settings')
    expect(body.items[0]).toMatchObject({
      title: 'Two',
      path: 'two',
      sections: [{ title: 'Server settings', path: 'two#server-settings', body: 'The port of the server.' }],
    })
    const first = await search(id, 'server', '&limit=1')
    const second = await search(id, 'server', `&limit=1&page=${first.body.next.page}`)
    expect([first.body, second.body].map(({ items }) => items[0].title).toSorted()).toEqual(['Home', 'Two'])
    expect(second.body).not.toHaveProperty('next')
    expect((await search(id, 'other', `&page=${first.body.next.page}`)).status).toBe(400)
  })

  it('updates the index after every change of the content, in one step or in many', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 250 }, (_, index) => [`p${index}.md`, `# P${index}\n\ncommon word${index}`]),
    )
    const id = await create({ 'README.md': '# Home', ...many })
    expect(await found(id, 'word249')).toEqual(['P249'])
    const changed: Record<string, string> = {
      ...many,
      'README.md': '# Home',
      'p4.md': '# P4\n\nscarce now',
    }
    delete changed['p3.md']
    await replace(id, entriesOf(changed))
    expect(await found(id, 'word3 ')).toEqual([])
    expect(await found(id, 'scarce')).toEqual(['P4'])
    // A hidden parent hides its subpages, although those did not change.
    const nested = { 'README.md': '# Home', 'x/README.md': '# X', 'x/y.md': '# Y\n\ndeep water' }
    const small = await create(nested)
    expect(await found(small, 'water')).toEqual(['Y'])
    await replace(small, entriesOf({ ...nested, 'x/README.md': '---\nnoIndex: true\n---\n# X' }))
    expect(await found(small, 'water')).toEqual([])
    await replace(small, entriesOf(nested))
    expect(await found(small, 'water')).toEqual(['Y'])
  })

  it('resumes an interrupted indexing, also on another head', async () => {
    const tree = (text: string) =>
      Object.fromEntries(
        Array.from({ length: 220 }, (_, at) => [
          `p${at}.md`,
          `# P${at}\n\n${text} ${at % 2 === 0 ? 'even' : 'odd'}`,
        ]),
      )
    const id = await create(tree('before'))
    const stopping = new AbortController()
    const progress = (): void => stopping.abort(new Error('killed'))
    const killed = indexSpace({
      services: api.services,
      spaceId: id,
      signal: stopping.signal,
      now: Date.now,
      progress,
    })
    await expect(killed).rejects.toThrow('killed')
    await replace(id, entriesOf({ ...tree('before'), 'p7.md': '# P7\n\nafter' }))
    const steps: [number, number][] = []
    const signal = new AbortController().signal
    const note = (done: number, total: number): void => void steps.push([done, total])
    await indexSpace({ services: api.services, spaceId: id, signal, now: Date.now, progress: note })
    expect(steps.at(-1)![1]).toBeLessThan(220)
    expect(await found(id, 'after')).toEqual(['P7'])
    for (const [text, count] of [
      ['before even', 110],
      ['before odd', 109],
    ])
      expect((await search(id, `${text}`, '&limit=0')).body).toEqual({ count, items: [] })
  })

  it('terminates under continuous writes: the last plan is made under the lock', async () => {
    const id = await create({ 'README.md': '# Old', 'kept.md': '# Kept' })
    const row = (await findSpace(api.services.database.read, organizationId, id))!
    const target = intoSpace(row, { services: api.services, userId: admin.id, now: 1 })
    await api.request(admin, 'PATCH', `/spaces/${id}`, { editMode: 'live' })
    let edits = 0
    const entries = entriesOf({ 'README.md': '# New', 'kept.md': '# Kept' })
    const restless: typeof target = {
      ...target,
      async findBase(db) {
        const base = await target.findBase(db)
        // Another writer always commits between the plan and its commit.
        if (!db.isTransaction) {
          const change = { operation: 'insert_page', document: { markdown: `# Edit ${(edits += 1)}` } }
          expect(
            (await api.request(admin, 'POST', `/spaces/${id}/content`, { changes: [change] })).status,
          ).toBe(200)
        }
        return base
      },
    }
    const imported = await importTree({
      services: api.services,
      target: restless,
      mode: 'replace',
      entries,
      now: 2,
    })
    expect(imported.isChanged).toBe(true)
    expect(edits).toBeGreaterThan(1)
    const { body } = await api.request(admin, 'GET', `/spaces/${id}/content`)
    expect(body.pages.map(({ title }: Page) => title)).toEqual(['New', 'Kept'])
  })

  it('imports and exports zips through the API, with permission', async () => {
    const { body: space } = await api.request(admin, 'POST', `/orgs/${organizationId}/spaces`, {
      title: 'Zipped',
    })
    // Locked, but untouched.
    const answer = await upload(space.id, admin, zipOf(oddities))
    expect(answer.statusCode).toBe(201)
    const location = new URL(answer.headers['location']!).pathname.replace('/v1', '')
    expect((await api.request(admin, 'GET', location)).body).toMatchObject({ id: answer.json().revision })
    expect(answer.json()).toMatchObject({ pages: 6, files: 7, unlisted: 2, leftOut: 0 })
    expect(answer.json()).toMatchObject({ importedResources: 13, totalResources: 15 })
    expect(answer.json().problems).toContainEqual({
      kind: 'structure',
      path: 'docs/SUMMARY.md',
      line: 6,
      message: 'docs/chapter/gone.md does not exist: its page has no text.',
    })

    expect((await upload(space.id, admin, zipOf(oddities))).statusCode).toBe(403)
    await api.request(admin, 'PATCH', `/spaces/${space.id}`, { editMode: 'live' })
    const filled = await create(oddities)
    expect((await upload(filled, admin, zipOf(oddities))).statusCode).toBe(403)
    const reader = await api.person('reader')
    await api.join(organizationId, reader, 'read')
    expect((await upload(space.id, reader, zipOf(oddities))).statusCode).toBe(403)
    expect((await upload(space.id, await api.person('stranger'), zipOf(oddities))).statusCode).toBe(404)

    const form = [
      '--cut\r\nContent-Disposition: form-data; name="file"; filename="docs.zip"\r\nContent-Type: application/zip\r\n\r\n',
      zipOf({ ...oddities, 'docs/extra.bin': 'more' }),
      '\r\n--cut--\r\n',
    ]
    const body = Buffer.concat(form.map((part) => Buffer.from(part)))
    expect((await upload(space.id, admin, body, 'multipart/form-data; boundary=cut')).statusCode).toBe(201)

    const download = await api.server.inject({
      url: `/v1/spaces/${space.id}/content/archive`,
      headers: { authorization: `Bearer ${reader.token}` },
    })
    expect(download.headers['content-type']).toBe('application/zip')
    const files: Record<string, Uint8Array> = {}
    for await (const entry of readZip(download.rawPayload))
      if ('open' in entry) files[entry.path] = await entry.open()
    expect(hexOf(files)).toEqual(hexOf({ ...oddities, 'docs/extra.bin': 'more' }))
    expect(await readdir(api.services.spoolFolder)).toEqual([])
  })

  it('checks once more when the archive has arrived whether it may be imported', async () => {
    const { body: space } = await api.request(admin, 'POST', `/orgs/${organizationId}/spaces`, {
      title: 'Locked meanwhile',
      editMode: 'live',
    })
    const page = { operation: 'insert_page', document: { markdown: '# Own\n' } }
    await api.request(admin, 'POST', `/spaces/${space.id}/content`, { changes: [page] })
    const { revision } = (await api.request(admin, 'GET', `/spaces/${space.id}`)).body
    const bytes = zipOf(oddities)
    async function* slowly() {
      yield bytes.subarray(0, 10)
      // Once it is written to a file, the first check has passed.
      await vi.waitUntil(async () => (await readdir(api.services.spoolFolder)).length > 0)
      await api.request(admin, 'PATCH', `/spaces/${space.id}`, { editMode: 'locked' })
      yield bytes.subarray(10)
    }
    const answer = await api.server.inject({
      method: 'POST',
      url: `/v1/spaces/${space.id}/content/archive`,
      headers: {
        authorization: `Bearer ${admin.token}`,
        'content-type': 'application/zip',
        'content-length': String(bytes.length),
      },
      payload: Readable.from(slowly()),
    })
    expect([answer.statusCode, answer.json().error.message]).toEqual([403, expect.stringContaining('locked')])
    expect((await api.request(admin, 'GET', `/spaces/${space.id}`)).body.revision).toBe(revision)
  })

  it('refuses hostile and unknown input with a message', async () => {
    const { body: space } = await api.request(admin, 'POST', `/orgs/${organizationId}/spaces`, {
      title: 'Hostile',
    })
    for (const [zip, status] of [
      [zipOf({ '../outside.md': '# Out' }), 400],
      [Buffer.from('no zip at all'), 400],
      [zipOf({ 'bomb.md': Buffer.alloc(60_000_000) }), 413],
      [zipOf({}), 400],
    ] as const) {
      const answer = await upload(space.id, admin, zip)
      expect(answer.statusCode).toBe(status)
      expect(answer.json().error.message).toMatch(/archive|import/)
    }
    const ask = (body: object) => api.request(admin, 'POST', `/spaces/${space.id}/content/import`, body)
    const local = await ask({ url: 'http://127.0.0.1:1/docs.zip', source: 'zip' })
    expect([local.status, local.body.error.message]).toEqual([
      400,
      expect.stringContaining('public internet'),
    ])
    expect(await readdir(api.services.spoolFolder)).toEqual([])
  })

  it('shortens overlong file names on export, and imports that archive again', async () => {
    const long = '安'.repeat(100)
    const id = await create({
      'README.md': `# Home\n\n[one](${long}.md), [two](${long}/a.md) and ![p](${long}.png)`,
      'SUMMARY.md': `* [Home](README.md)\n* [One](${long}.md)\n  * [Two](${long}/a.md)\n`,
      [`${long}.md`]: '# One',
      [`${long}/a.md`]: '# Two\n\n[one](../${long}.md)',
      [`${long}.png`]: pixel,
      [`${long}ü.txt`]: 'text',
      [`${long}ö.txt`]: 'other',
    })
    const before = await pagesOf(id)
    const folder = await mkdtemp(join(tmpdir(), 'octavo-long-'))
    const download = await api.server.inject({
      url: `/v1/spaces/${id}/content/archive`,
      headers: { authorization: `Bearer ${admin.token}` },
    })
    const again: Record<string, Uint8Array> = {}
    try {
      await writeFolder(folder, await exported(id), { force: true })
      for await (const entry of readFolder(folder))
        if ('open' in entry) again[entry.path] = await entry.open()
    } finally {
      await rm(folder, { recursive: true })
    }
    expect(hexOf(again)).toEqual(hexOf(await exportedTree(id)))
    const names = Object.keys(again).flatMap((path) => path.split('/'))
    expect(Math.max(...names.map((name) => Buffer.byteLength(name)))).toBeLessThanOrEqual(255)
    const short = '安'.repeat(81)
    expect(Buffer.from(again['README.md']!).toString()).toBe(
      `# Home\n\n[one](${short.slice(0, 80)}.md), [two](${short}/a.md) and ![p](${short.slice(0, 80)}.png)`,
    )

    const { body: space } = await api.request(admin, 'POST', `/orgs/${organizationId}/spaces`, {
      title: 'Again',
    })
    expect((await upload(space.id, admin, download.rawPayload)).statusCode).toBe(201)
    expect((await pagesOf(space.id)).map(({ title }) => title)).toEqual(before.map(({ title }) => title))
    expect(hexOf(await exportedTree(space.id))).toEqual(hexOf(again))
  })

  it('creates one space per id, under concurrent imports', async () => {
    const id = newId<SpaceId>()
    const tree = { 'README.md': '# One\n', 'two.md': '# Two\n' }
    const both = await Promise.all([createAs(id, tree), createAs(id, tree)])
    expect(both.map(({ isChanged }) => isChanged).toSorted()).toEqual([false, true])
    expect(new Set(both.map(({ revision }) => revision)).size).toBe(1)
    expect(await createAs(id, { ...tree, 'two.md': '# Three\n' })).toMatchObject({ isChanged: true })
    expect((await pagesOf(id)).map(({ title }) => title)).toEqual(['One', 'Three'])
  })

  it('writes folders, and never outside of them', async () => {
    const id = await create(oddities)
    const folder = await mkdtemp(join(tmpdir(), 'octavo-export-'))
    try {
      const files = await exported(id)
      await writeFolder(join(folder, 'new'), files, { force: false })
      const again: Record<string, Uint8Array> = {}
      for await (const entry of readFolder(join(folder, 'new')))
        if ('open' in entry) again[entry.path] = await entry.open()
      expect(hexOf(again)).toEqual(hexOf(oddities))

      await expect(writeFolder(join(folder, 'new'), files, { force: false })).rejects.toThrow('not empty')
      await writeFile(join(folder, 'new/docs/README.md'), 'changed by hand')
      await writeFolder(join(folder, 'new'), files, { force: true })
      expect(await readFile(join(folder, 'new/docs/README.md'), 'utf8')).toBe(oddities['docs/README.md'])
      const outside = [{ ...files[0]!, path: '../outside' }]
      await expect(writeFolder(join(folder, 'other'), outside, { force: false })).rejects.toThrow('elsewhere')
      expect(await readdir(folder)).toEqual(['new', 'other'])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
