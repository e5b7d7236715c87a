/** Changes of files, reusable contents, settings, groups and links over HTTP: what each does, and what is refused. */
import { beforeAll, expect, test } from 'vitest'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'

describeSqlite('changes of content', (engine) => {
  let api: TestClient
  let ann: Person
  let organization: string

  async function make(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await api.request(ann, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  const get = (path: string) => make('GET', path)
  const write = (place: string, ...changes: object[]) =>
    make('POST', `${place}/content?compat=false`, { changes })
  /** Returns the status and the message of a refused batch. */
  async function refused(place: string, ...changes: object[]): Promise<readonly [number, string]> {
    const { status, body } = await api.request(ann, 'POST', `${place}/content`, { changes })
    return [status, body.error?.message ?? 'accepted']
  }
  const page = (markdown: string, more: object = {}) => ({
    operation: 'insert_page',
    document: { markdown },
    ...more,
  })
  const files = (...names: string[]) => ({
    operation: 'insert_files',
    files: names.map((name) => ({ name, ref: name, base64: Buffer.from(name).toString('base64') })),
  })
  const newSpace = async () =>
    `/spaces/${(await make('POST', `/orgs/${organization}/spaces`, { editMode: 'live', empty: true })).id}`
  const newRequest = async (space: string) =>
    `${space}/change-requests/${(await make('POST', `${space}/change-requests`)).number}`
  const markdownOf = async (place: string, path: string) =>
    (await get(`${place}/content/path/${encodeURIComponent(path)}?format=markdown`)).markdown
  const changesOf = async (place: string): Promise<any[]> => (await get(`${place}/changes?limit=100`)).changes

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    ann = await api.person('ann')
    organization = await api.organization(ann)
  })

  test('a file is renamed and moved under its id; links, covers and specifications follow, and nothing else', async () => {
    const space = await newSpace()
    const made = await write(
      space,
      files('plan.png', 'api.yaml'),
      page('---\ncover: .gitbook/assets/plan.png\n---\n\n# One  \n\n![i](./plan.png) and `x`\n'),
      page('# Two\n'),
      {
        operation: 'insert_page',
        title: 'API',
        computed: {
          type: 'builtin:openapi',
          dependencies: { spec: { ref: { kind: 'file', file: 'api.yaml' } } },
        },
      },
    )
    const [plan, spec] = made.insertedFiles
    expect(plan.path).toBe('.gitbook/assets/plan.png')
    const request = await newRequest(space)
    const { changes } = await write(
      request,
      { operation: 'update_file', file: plan.id, name: 'New plan.png' },
      { operation: 'update_file', file: spec.id, path: 'specs/api.yaml' },
    )
    expect(changes).toEqual([
      { object: 'updated_file', file: plan.id },
      { object: 'updated_file', file: spec.id },
    ])
    expect(await markdownOf(request, 'one')).toBe(
      '---\ncover: .gitbook/assets/New%20plan.png\n---\n\n# One  \n\n![i](.gitbook/assets/New%20plan.png) and `x`\n',
    )
    const pages = (await get(`${request}/content/pages?computed=false`)).pages
    expect(pages[2].computed.dependencies.spec.ref).toEqual({ kind: 'file', file: 'specs/api.yaml' })
    expect((await get(`${request}/content/files/${plan.id}`)).name).toBe('New plan.png')
    expect((await changesOf(request)).map(({ type, summary }) => `${type}: ${summary}`).toSorted()).toEqual([
      'file_edited: Edited “api.yaml”: path.',
      'file_edited: Renamed “plan.png” to “New plan.png”.',
      'page_edited: Edited “API”: source.',
      'page_edited: Edited “One”: text, cover.',
    ])
    // A page that another one wrote meanwhile follows in the merge.
    await write(space, {
      operation: 'update_page',
      page: made.changes[1].page.id,
      document: { markdown: '# Two\n\n![i](.gitbook/assets/plan.png)\n' },
    })
    expect((await make('POST', `${request}/merge`)).result).toBe('merge')
    expect(await markdownOf(space, 'two')).toBe('# Two\n\n![i](.gitbook/assets/New%20plan.png)\n')
  })

  test('a deleted file is reported with what still refers to it', async () => {
    const space = await newSpace()
    const made = await write(
      space,
      files('a.png'),
      page('# One\n\n![i](./a.png)\n'),
      page('# Two\n\n![i](./a.png)\n'),
    )
    const [one, two] = made.changes.map((change: any) => change.page.id)
    const file = made.insertedFiles[0].id
    const { changes } = await write(
      space,
      { operation: 'delete_file', file },
      { operation: 'update_page', page: one, document: { markdown: '# One\n' } },
    )
    expect(changes[0]).toEqual({ object: 'deleted_file', file, usedBy: [{ page: two }] })
    expect((await api.request(ann, 'GET', `${space}/content/files/${file}`)).status).toBe(404)
    expect((await get(`${space}/links?status=broken`)).count).toBe(1)
    const both = await write(space, files('b.png'), {
      operation: 'update_file',
      file: 'b.png',
      name: 'c.png',
    })
    expect(both.insertedFiles.map(({ name, ref }: any) => [name, ref])).toEqual([['c.png', 'b.png']])
  })

  test('a file gets no name that is taken, reserved or impossible, and two renames of one file are a conflict', async () => {
    const space = await newSpace()
    const made = await write(space, files('a.png', 'b.png'), page('# One\n'))
    const [{ id: file }] = made.insertedFiles
    const rename = (members: object) => refused(space, { operation: 'update_file', file, ...members })
    expect(await rename({ name: 'b.png' })).toEqual([409, expect.stringContaining('.gitbook/assets/b.png')])
    for (const [members, named] of [
      [{ name: 'a/b.png' }, 'changes[0].name'],
      [{ name: ' a.png' }, 'changes[0].name'],
      [{ name: 'a"b' }, 'changes[0].name'],
      [{ name: 'x'.repeat(250) }, 'changes[0].name'],
      [{ name: 'a.png', path: 'a.png' }, 'changes[0].name'],
      [{ path: '../a.png' }, 'changes[0].path'],
      [{ path: '/a.png' }, 'changes[0].path'],
      [{ path: 'one.md' }, 'changes[0].path'],
      [{ path: 'SUMMARY.md' }, 'changes[0].path'],
      [{ path: '.gitbook/vars.yaml' }, 'changes[0].path'],
      [{ path: '.gitbook.yaml' }, 'changes[0].path'],
      [{ path: 'a/'.repeat(70) + 'a.png' }, 'changes[0].path'],
    ] as const)
      expect(await rename(members), JSON.stringify(members)).toEqual([400, expect.stringContaining(named)])
    for (const operation of ['update_file', 'delete_file'])
      expect(await refused(space, page('# x\n'), { operation, file: 'none' })).toEqual([
        400,
        expect.stringContaining('changes[1].file'),
      ])
    const request = await newRequest(space)
    await write(request, { operation: 'update_file', file, name: 'ours.png' })
    await write(space, { operation: 'update_file', file, name: 'theirs.png' })
    const { result, conflicts } = await make('POST', `${request}/merge`)
    expect(result).toBe('conflicts')
    expect(conflicts).toEqual([
      expect.objectContaining({
        kind: 'file',
        ours: { name: 'ours.png', path: '.gitbook/assets/ours.png' },
        theirs: { name: 'theirs.png', path: '.gitbook/assets/theirs.png' },
      }),
    ])
  })
})
