/** Changes of files, reusable contents, settings, groups and links over HTTP: what each does, and what is refused. */
import { strFromU8, unzipSync } from 'fflate'
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

  const exported = async (place: string): Promise<ReadonlyMap<string, string>> => {
    const { server } = api
    const { rawPayload } = await server.inject({
      method: 'GET',
      url: `/v1${place}/content/archive`,
      headers: { authorization: `Bearer ${ann.token}` },
    })
    return new Map(Object.entries(unzipSync(rawPayload)).map(([path, bytes]) => [path, strFromU8(bytes)]))
  }

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

  test('a reusable content is made, included, renamed and rewritten; its file and what includes it stay', async () => {
    const space = await newSpace()
    const made = await write(
      space,
      {
        operation: 'insert_reusable_content',
        title: 'Two plans!',
        ref: 'plans',
        document: { markdown: 'See [one](./start.md).\n' },
      },
      { operation: 'insert_reusable_content', title: 'Two plans!', document: { markdown: 'Words.\n' } },
      { operation: 'insert_reusable_content', title: 'note', document: { markdown: 'Noted.\n' } },
      page('# One\n\n{% include "./plans" %}\n', { ref: 'start' }),
    )
    const [plans, other] = made.changes.map((change: any) => change.reusableContent)
    expect(made.changes[0]).toEqual({
      object: 'created_reusable_content',
      ref: 'plans',
      reusableContent: plans,
    })
    const list = async (place: string) =>
      (await get(`${place}/content`)).reusableContents.map(({ title, path }: any) => `${title}: ${path}`)
    expect(await list(space)).toEqual([
      'note: .gitbook/includes/note.md',
      'Two plans!: .gitbook/includes/two-plans-1.md',
      'Two plans!: .gitbook/includes/two-plans.md',
    ])
    expect(await markdownOf(space, 'one')).toBe('# One\n\n{% include ".gitbook/includes/two-plans.md" %}\n')
    const request = await newRequest(space)
    const update = (members: object) => ({
      operation: 'update_reusable_content',
      reusableContent: plans,
      ...members,
    })
    await write(request, update({ title: 'Three plans' }))
    await write(space, update({ document: { markdown: 'See [one](../../one.md), and more.\n' } }), {
      operation: 'delete_reusable_content',
      reusableContent: other,
    })
    expect(await changesOf(request)).toEqual([
      {
        type: 'reusable_content_edited',
        summary: 'Renamed “Two plans!” to “Three plans”.',
        reusableContent: expect.objectContaining({ id: plans, title: 'Three plans' }),
        attributes: {
          title: { before: 'Two plans!', after: 'Three plans' },
          document: { before: expect.any(String), after: expect.any(String) },
        },
      },
    ])
    expect((await make('POST', `${request}/merge`)).result).toBe('merge')
    expect(await list(space)).toEqual([
      'note: .gitbook/includes/note.md',
      'Three plans: .gitbook/includes/two-plans.md',
    ])
    const path = '.gitbook/includes/two-plans.md'
    expect((await exported(space)).get(path)).toBe(
      '---\ntitle: Three plans\n---\n\nSee [one](../../one.md), and more.\n',
    )
    expect((await exported(space)).get('.gitbook/includes/note.md')).toBe('Noted.\n')
    const { changes } = await write(space, { operation: 'delete_reusable_content', reusableContent: plans })
    expect(changes[0].usedBy).toEqual([{ page: made.changes[3].page.id }])
  })

  test('a reusable content edited on an earlier text is merged, or refused with both texts', async () => {
    const space = await newSpace()
    const made = await write(space, {
      operation: 'insert_reusable_content',
      document: { markdown: '---\ntitle: Own\n---\n\nOne.\n\nTwo.\n' },
    })
    const { reusableContent } = made.changes[0]
    const base = made.space.revision
    const update = (markdown: string) => ({
      operation: 'update_reusable_content',
      reusableContent,
      base,
      document: { markdown: `---\ntitle: Own\n---\n\n${markdown}` },
    })
    await write(space, update('One, ours.\n\nTwo.\n'))
    await write(space, update('One.\n\nTwo, theirs.\n'))
    const text = async () => (await exported(space)).get('.gitbook/includes/own.md')
    expect(await text()).toBe('---\ntitle: Own\n---\n\nOne, ours.\n\nTwo, theirs.\n')
    const { status, body } = await api.request(ann, 'POST', `${space}/content`, {
      changes: [update('One, again.\n\nTwo.\n')],
    })
    expect(status).toBe(409)
    expect(body.error.conflicts).toEqual([
      {
        reusableContent,
        path: '.gitbook/includes/own.md',
        ours: expect.objectContaining({ title: 'Own', markdown: expect.stringContaining('One, again.') }),
        theirs: expect.objectContaining({
          markdown: await text(),
          hash: expect.stringMatching(/^[\w-]{43}$/),
        }),
      },
    ])
    const { hash } = body.error.conflicts[0].theirs
    await write(space, { ...update('Three.\n'), base: hash })
    expect(await text()).toContain('Three.')
    for (const [change, named] of [
      [
        { operation: 'update_reusable_content', reusableContent: 'none', title: 'x' },
        'changes[0].reusableContent',
      ],
      [{ operation: 'delete_reusable_content', reusableContent: 'none' }, 'changes[0].reusableContent'],
      [{ ...update('x'), base: 'none' }, 'changes[0].base'],
      [{ operation: 'insert_reusable_content', document: { markdown: 'x' } }, 'A title is needed'],
      [{ operation: 'insert_reusable_content', title: ' ', document: { markdown: 'x' } }, 'title'],
    ] as const)
      expect(await refused(space, change), named).toEqual([400, expect.stringContaining(named)])
  })

  test('variables are set and removed one by one, and the rest of their file stays', async () => {
    const space = await newSpace()
    const file = '.gitbook/vars.yaml'
    const variables = (values: object) => ({ operation: 'update_variables', variables: values })
    await write(space, variables({ product: 'Octavo', version: 2, beta: true }))
    expect((await exported(space)).get(file)).toBe('product: Octavo\nversion: 2\nbeta: true\n')
    const request = await newRequest(space)
    const { changes } = await write(request, variables({ version: 3, beta: null, absent: null }))
    expect(changes).toEqual([{ object: 'updated_variables' }])
    await write(space, variables({ product: 'Octavo: 2', limit: 1.5 }))
    expect(await changesOf(request)).toEqual([
      {
        type: 'variables_edited',
        summary: 'Changed the variables.',
        variables: { version: { before: 2, after: 3 }, beta: { before: true } },
      },
    ])
    await make('POST', `${request}/merge`)
    expect((await exported(space)).get(file)).toBe('product: "Octavo: 2"\nversion: 3\nlimit: 1.5\n')
    expect((await get(`${space}/content`)).variables).toEqual({
      product: 'Octavo: 2',
      version: 3,
      limit: 1.5,
    })
    for (const values of [{ 'a b': 1 }, { __proto__x: 1 }, { a: 'x'.repeat(257) }, { a: [1] }, { '': 1 }])
      expect(await refused(space, variables(values)), JSON.stringify(values)).toEqual([
        400,
        expect.stringContaining('changes[0].variables'),
      ])
    await write(space, variables({ product: null, version: null, limit: null }))
    expect((await exported(space)).has(file)).toBe(false)
  })

  test('tags are declared, changed, ordered and deleted; two people may do so at once', async () => {
    const space = await newSpace()
    const { changes } = await write(
      space,
      { operation: 'insert_tag', label: 'In beta', color: 'blue' },
      { operation: 'insert_tag', label: 'Old', slug: 'old', icon: 'clock', at: 0 },
    )
    expect(changes).toEqual([
      { object: 'created_tag', tag: 'in-beta' },
      { object: 'created_tag', tag: 'old' },
    ])
    const request = await newRequest(space)
    await write(
      request,
      { operation: 'update_tag', tag: 'in-beta', label: 'Beta', at: 0 },
      { operation: 'insert_tag', label: 'Ours' },
    )
    await write(
      space,
      { operation: 'update_tag', tag: 'old', icon: '', color: 'red' },
      { operation: 'insert_tag', label: 'Theirs' },
    )
    expect(await changesOf(request)).toEqual([
      {
        type: 'tags_edited',
        summary: 'Changed the tags.',
        tags: {
          'in-beta': { before: { label: 'In beta', color: 'blue' }, after: { label: 'Beta', color: 'blue' } },
          ours: { after: { label: 'Ours', color: 'default' } },
        },
      },
    ])
    expect((await make('POST', `${request}/merge`)).result).toBe('merge')
    expect((await get(`${space}/content`)).tags).toEqual([
      { slug: 'in-beta', label: 'Beta', color: 'blue' },
      { slug: 'theirs', label: 'Theirs', color: 'default' },
      { slug: 'old', label: 'Old', color: 'red' },
      { slug: 'ours', label: 'Ours', color: 'default' },
    ])
    const tagged = await write(space, page('---\ntags: [old, ours]\n---\n\n# One\n'), {
      operation: 'delete_tag',
      tag: 'old',
    })
    expect(tagged.changes[1]).toEqual({
      object: 'deleted_tag',
      tag: 'old',
      usedBy: [{ page: tagged.changes[0].page.id }],
    })
    for (const [change, status, named] of [
      [{ operation: 'insert_tag', label: 'Ours' }, 409, 'ours'],
      [{ operation: 'insert_tag', label: 'x', slug: 'A b' }, 400, 'changes[0].slug'],
      [{ operation: 'insert_tag', label: 'x', color: 'teal' }, 400, 'color'],
      [{ operation: 'update_tag', tag: 'none' }, 400, 'changes[0].tag'],
      [{ operation: 'delete_tag', tag: 'none' }, 400, 'changes[0].tag'],
    ] as const)
      expect(await refused(space, change), named).toEqual([status, expect.stringContaining(named)])
  })

  test('settings of a page are written member by member, and the rest of its text stays', async () => {
    const space = await newSpace()
    const text = `---
title: "One"
layout: # of the team
  width: wide # here
  title:
    visible: true
tags:
  - tag: old
    primary: true
---

*Text*  \n`
    const made = await write(
      space,
      files('a.png', 'b.png'),
      { operation: 'insert_tag', label: 'Old' },
      { operation: 'insert_tag', label: 'New' },
      page(text, { ref: 'one' }),
      page('# Two\n', {
        tags: ['new'],
        cover: { ref: { kind: 'file', file: 'a.png' }, yPos: 12 },
        layout: { outline: false, title: true },
        variables: { level: 2 },
      }),
    )
    const [one, two] = made.changes.slice(-2).map((change: any) => change.page.id)
    expect(await markdownOf(space, 'two')).toBe(
      '---\ntags:\n  - new\ncover: .gitbook/assets/a.png\ncoverY: 12\nlayout:\n  outline:\n    visible: false\nvars:\n  level: 2\n---\n\n# Two\n',
    )
    const update = (members: object, id = one) => ({ operation: 'update_page', page: id, ...members })
    const request = await newRequest(space)
    await write(
      request,
      update({
        layout: { title: false, coverSize: 'full', anchors: true },
        tags: ['new', 'old'],
        variables: { product: 'Octavo', absent: null },
        cover: {
          ref: { kind: 'url', url: 'https://pictures.test/a.png' },
          refDark: { kind: 'file', file: made.insertedFiles[1].id },
          height: 200,
        },
      }),
    )
    await write(space, update({ layout: { pagination: false } }), update({ layout: {} }, two))
    expect((await make('POST', `${request}/merge`)).result).toBe('merge')
    expect(await markdownOf(space, 'one')).toBe(`---
title: "One"
layout: # of the team
  width: wide # here
  title:
    visible: false
  pagination:
    visible: false
  cover:
    size: full
tags:
  - new
  - tag: old
    primary: true
cover: https://pictures.test/a.png
coverDark: .gitbook/assets/b.png
coverHeight: 200
vars:
  product: Octavo
---

*Text*  \n`)
    const read = await get(`${space}/content/page/${one}`)
    expect(read.cover).toEqual({
      ref: { kind: 'url', url: 'https://pictures.test/a.png' },
      refDark: { kind: 'file', file: made.insertedFiles[1].id },
      yPos: 0,
      height: 200,
    })
    await write(
      space,
      update({ tags: [], cover: null, variables: { product: null }, layout: { title: true } }),
    )
    const after = await get(`${space}/content/page/${one}`)
    expect([after.tags, after.cover, after.variables, after.layout.title]).toEqual([
      [],
      undefined,
      undefined,
      true,
    ])
    for (const [members, named] of [
      [{ tags: ['none'] }, 'changes[0].tags[0]'],
      [{ cover: { ref: { kind: 'file', file: 'none' } } }, 'changes[0].cover.ref.file'],
      [{ cover: { ref: { kind: 'file' } } }, 'changes[0].cover.ref.file'],
      [{ cover: { refDark: { kind: 'url', url: 'mailto:a@b.test' } } }, 'changes[0].cover.refDark.url'],
      [{ cover: { ref: { kind: 'url', url: 'javascript:alert(1)' } } }, 'changes[0].cover.ref.url'],
      [{ cover: { ref: { kind: 'page', page: one } } }, 'cover'],
      [{ layout: { width: 'narrow' } }, 'width'],
      [{ layout: { outline: 'no' } }, 'outline'],
      [{ variables: { 'a b': 1 } }, 'changes[0].variables'],
      [{ target: { kind: 'page', page: two } }, 'changes[0].target'],
    ] as const)
      expect(await refused(space, update(members)), JSON.stringify(members)).toEqual([
        400,
        expect.stringContaining(named),
      ])
    await write(space, update({ document: { markdown: '---\na: [\n---\n\nx' } }))
    expect(await refused(space, update({ tags: ['new'] }))).toEqual([
      400,
      expect.stringContaining('no valid YAML'),
    ])
  })

  test('a condition that is no expression is refused, for a new page and for one that is there', async () => {
    const space = await newSpace()
    const message = /^The member "changes\[0\]\.condition" is not a valid expression: /
    const condition = 'visitor.claims.'
    const [created, reason] = await refused(space, page('# One\n', { condition }))
    expect([created, reason]).toEqual([400, expect.stringMatching(message)])
    const made = await write(space, page('# One\n'))
    const change = { operation: 'update_page', page: made.changes[0].page.id }
    expect(await refused(space, { ...change, condition })).toEqual([400, expect.stringMatching(message)])
    await write(space, { ...change, condition: 'visitor.claims.plan == "pro"' })
    await write(space, { ...change, condition: '' })
    expect(await markdownOf(space, 'one')).toBe('# One\n')
  })

  test('groups and link pages are made, changed, filled and turned into pages under their ids', async () => {
    const space = await newSpace()
    const made = await write(
      space,
      page('# One\n\n## Part\n', { ref: 'one' }),
      files('plan.pdf'),
      { operation: 'insert_page', type: 'group', title: 'Guides', icon: 'book', ref: 'guides' },
      page('# Two\n', { into: 'guides' }),
      {
        operation: 'insert_page',
        title: 'Site',
        target: { kind: 'url', url: 'https://octavo.test/a' },
        into: 'guides',
        at: 0,
      },
      {
        operation: 'insert_page',
        type: 'link',
        title: 'First',
        target: { kind: 'page', page: 'one' },
        emoji: '1f600',
      },
      { operation: 'insert_page', title: 'Part', target: { kind: 'anchor', page: 'one', anchor: 'part' } },
      { operation: 'insert_page', title: 'Plan', target: { kind: 'file', file: 'plan.pdf' }, hidden: true },
      { operation: 'insert_page', title: 'To guides', target: { kind: 'page', page: 'guides' } },
    )
    const ids = made.changes.map((change: any) => change.page?.id)
    const [one, guides, two, site, first] = ids
    const tree = async (place: string): Promise<string[]> => {
      const lines = (pages: any[], depth: number): string[] =>
        pages.flatMap(({ title, type, target, pages: below = [] }) => [
          `${'  '.repeat(depth)}${type} ${title}${target ? ` → ${JSON.stringify(target)}` : ''}`,
          ...lines(below, depth + 1),
        ])
      return lines((await get(`${place}/content/pages`)).pages, 0)
    }
    const file = made.insertedFiles[0].id
    const links = [
      `link First → {"kind":"page","page":"${one}"}`,
      `link Part → {"kind":"anchor","anchor":"part","page":"${one}"}`,
      `link Plan → {"kind":"file","file":"${file}"}`,
    ]
    expect(await tree(space)).toEqual([
      'document One',
      'group Guides',
      '  link Site → {"kind":"url","url":"https://octavo.test/a"}',
      '  document Two',
      ...links,
      `link To guides → {"kind":"page","page":"${guides}"}`,
    ])
    const update = (id: string, members: object) => ({ operation: 'update_page', page: id, ...members })
    const request = await newRequest(space)
    await write(
      request,
      update(guides, { title: 'All guides', emoji: '1f4d8', icon: '' }),
      update(site, { target: { kind: 'page', page: two }, title: 'Second', into: null, at: 0 }),
      update(one, { into: guides, at: 0 }),
      update(first, { emoji: '' }),
    )
    expect((await tree(request)).slice(0, 4)).toEqual([
      `link Second → {"kind":"page","page":"${two}"}`,
      'group All guides',
      '  document One',
      '  document Two',
    ])
    expect((await changesOf(request)).map(({ summary }) => summary).toSorted()).toEqual([
      'Edited “First”: emoji.',
      'Edited “Part”: target.',
      'Moved the page “One”.',
      'Moved the page “Second”.',
      'Renamed “Guides” to “All guides”, and edited it: emoji, icon.',
      'Renamed “Site” to “Second”, and edited it: target.',
    ])
    // Its subpages, its place and what links to it stay.
    await write(request, update(guides, { type: 'document', tags: [] }))
    const converted = await get(`${request}/content/page/${guides}?format=markdown`)
    expect([converted.type, converted.path, converted.emoji, converted.markdown]).toEqual([
      'document',
      'guides',
      '1f4d8',
      '---\nemoji: 1f4d8\n---\n\n# All guides\n',
    ])
    expect((await tree(request)).slice(1, 4)).toEqual([
      'document All guides',
      '  document One',
      '  document Two',
    ])
    const revert = { operation: 'revert_page', page: guides }
    expect(await refused(request, revert)).toEqual([400, expect.stringContaining('another type')])
    expect((await make('POST', `${request}/merge`)).result).toBe('merge')
    expect(await tree(space)).toEqual(await tree(request))
    const summary = (await exported(space)).get('SUMMARY.md')
    expect(summary).toContain(`* [Second](/pages/${two})\n* [All guides](guides.md)\n  * [One]`)

    for (const [change, named] of [
      [{ operation: 'insert_page', type: 'group' }, 'changes[0].title'],
      [
        { operation: 'insert_page', type: 'group', title: 'x', document: { markdown: 'x' } },
        'changes[0].document',
      ],
      [{ operation: 'insert_page', type: 'group', title: 'x', into: one }, 'top level'],
      [{ operation: 'insert_page', type: 'link', title: 'x' }, 'changes[0].target'],
      [{ operation: 'insert_page', target: { kind: 'url', url: 'https://a.test' } }, 'changes[0].title'],
      [
        { operation: 'insert_page', title: 'x', target: { kind: 'page', page: first } },
        'changes[0].target.page',
      ],
      [{ operation: 'insert_page', title: 'x', target: { kind: 'page' } }, 'changes[0].target.page'],
      [
        { operation: 'insert_page', title: 'x', target: { kind: 'url', url: 'javascript:x' } },
        'changes[0].target.url',
      ],
      [{ operation: 'insert_page', title: 'x', target: { kind: 'team', team: 'x' } }, 'kind'],
      [{ operation: 'insert_page', title: 'x' }, 'a group has a type'],
      [update(first, { description: 'x' }), 'changes[0].description'],
      [update(first, { type: 'document' }), 'Only groups'],
      [update(first, { cover: null }), 'changes[0].cover'],
      [update(two, { target: { kind: 'url', url: 'https://a.test' } }), 'changes[0].target'],
    ] as const)
      expect(await refused(space, change), JSON.stringify(change)).toEqual([
        400,
        expect.stringContaining(named),
      ])
  })

  test('a page that is no document is reverted with its target, emoji, icon and visibility', async () => {
    const space = await newSpace()
    const target = { kind: 'url', url: 'https://a.test' }
    const made = await write(
      space,
      { operation: 'insert_page', title: 'Link', target, icon: 'star', hidden: true },
      { operation: 'insert_page', type: 'group', title: 'Group', emoji: '1f600' },
    )
    const [link, group] = made.changes.map((change: any) => change.page.id)
    const request = await newRequest(space)
    const pages = async () =>
      (await get(`${request}/content/pages`)).pages.map(
        ({ updatedAt: _at, createdAt: _made, ...one }: any) => one,
      )
    const before = await pages()
    const update = (id: string, members: object) => ({ operation: 'update_page', page: id, ...members })
    await write(
      request,
      update(link, {
        title: 'Other',
        target: { kind: 'url', url: 'https://b.test' },
        icon: '',
        emoji: '1f601',
        hidden: false,
      }),
      update(group, { title: 'Others', slug: 'others', emoji: '' }),
    )
    expect(await pages()).not.toEqual(before)
    const revert = (id: string) => ({ operation: 'revert_page', page: id })
    await write(request, revert(link), revert(group))
    expect(await pages()).toEqual(before)
    await write(request, { operation: 'delete_page', page: link }, { operation: 'delete_page', page: group })
    await write(request, revert(link), revert(group))
    expect(await pages()).toEqual(before)
  })

  test('files and reusable contents list where they are used', async () => {
    const space = await newSpace()
    const made = await write(
      space,
      files('a.png', 'api.yaml'),
      {
        operation: 'insert_reusable_content',
        title: 'Note',
        ref: 'note',
        document: { markdown: 'See ![i](./a.png).\n' },
      },
      page('---\ncover: .gitbook/assets/a.png\n---\n\n# One\n'),
      page('# Two\n\n{% include "./note" %}\n\nWords.\n'),
      {
        operation: 'insert_page',
        title: 'API',
        computed: {
          type: 'builtin:openapi',
          dependencies: { spec: { ref: { kind: 'file', file: 'api.yaml' } } },
        },
      },
      { operation: 'insert_page', title: 'Picture', target: { kind: 'file', file: 'a.png' } },
    )
    const [picture, specification] = made.insertedFiles.map(({ id }: any) => id)
    const note = made.changes[0].reusableContent
    const uses = async (path: string) => {
      const { items, count } = await get(`${space}/content/${path}/backlinks`)
      expect(items).toHaveLength(count)
      return items.map(({ page, reusableContent }: any) => (page ?? reusableContent).title)
    }
    expect((await uses(`files/${picture}`)).toSorted()).toEqual(['Note', 'One', 'Picture'])
    expect(await uses(`files/${specification}`)).toEqual(['API'])
    expect(await uses(`reusable-contents/${note}`)).toEqual(['Two'])
    const read = `${space}/content/reusable-contents`
    expect((await get(read)).items).toEqual([
      { id: note, title: 'Note', path: '.gitbook/includes/note.md', document: expect.any(String) },
    ])
    const text = await get(`${read}/${note}/text`)
    expect(text).toMatchObject({
      hash: expect.stringMatching(/^[\w-]{43}$/),
      blocks: [{ type: 'paragraph' }],
    })
    expect(text.text).toBe('---\ntitle: Note\n---\n\nSee ![i](../assets/a.png).\n')
    const none = `${space}/content/reusable-contents/none`
    for (const path of [`${none}/text`, `${none}/backlinks`])
      expect((await api.request(ann, 'GET', path)).status).toBe(404)
  })
})
