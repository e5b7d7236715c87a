/** Semantic changes over HTTP: of a change request and of a revision. */
import { strToU8, zipSync } from 'fflate'
import { beforeAll, expect, test } from 'vitest'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'

describeSqlite('what changed', (engine) => {
  let api: TestClient
  let ann: Person
  let organization: string

  async function make(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await api.request(ann, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  const write = (place: string, ...changes: object[]) =>
    make('POST', `${place}/content?compat=false`, { changes })
  const page = (markdown: string) => ({ operation: 'insert_page', document: { markdown } })
  const text = (name: string, content: string) => {
    return { name, base64: Buffer.from(content).toString('base64') }
  }
  async function newSpace() {
    const { id } = await make('POST', `/orgs/${organization}/spaces`, { editMode: 'live', empty: true })
    return `/spaces/${id}`
  }
  const newRequest = async (space: string) =>
    `${space}/change-requests/${(await make('POST', `${space}/change-requests`)).number}`

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    ann = await api.person('ann')
    organization = await api.organization(ann)
  })

  test('in a change request: pages and files that were created, deleted, moved and edited, and nothing else', async () => {
    const space = await newSpace()
    const made = await write(
      space,
      page('# One\n\nWords.\n'),
      page('# Two\n'),
      page('# Three\n'),
      page('# Four\n'),
    )
    const [one, two, three] = made.changes.map((change: any) => change.page.id)
    const file = (await write(space, { operation: 'insert_files', files: [text('a.txt', 'one')] }))
      .insertedFiles[0]
    const request = await newRequest(space)
    expect(await make('GET', `${request}/changes`)).toEqual({
      summary: 'Nothing that a reader would see.',
      changes: [],
    })

    const after = await write(
      request,
      {
        operation: 'update_page',
        page: one,
        title: 'First',
        document: { markdown: '# First\n\nOther words.\n' },
      },
      { operation: 'delete_page', page: two },
      { operation: 'update_page', page: three, into: one },
      page('# Five\n'),
      { operation: 'insert_files', files: [text('b.txt', 'two')] },
    )
    // What the space does meanwhile is none of its changes.
    await write(space, page('# Elsewhere\n'))
    const { changes, summary } = await make('GET', `${request}/changes`)
    expect(summary).toBe(
      'Added the page “Five”. Removed the page “Two”. Renamed “One” to “First”. Moved the page “Three”. ' +
        'Added the file “b.txt”.',
    )
    const ofType = (type: string) => changes.filter((change: any) => change.type === type)
    expect(ofType('page_created').map((change: any) => change.page.title)).toEqual(['Five'])
    expect(ofType('page_deleted')).toEqual([
      {
        type: 'page_deleted',
        page: { id: two, type: 'document', title: 'Two', path: 'two' },
        summary: 'Removed the page “Two”.',
      },
    ])
    const edited = ofType('page_edited').find((change: any) => change.page.id === one)
    expect(edited.attributes.title).toEqual({ before: 'One', after: 'First' })
    const idOf = async (place: string) => (await make('GET', `${place}/content/page/${one}`)).documentId
    expect(edited.attributes.document).toEqual({ before: await idOf(space), after: await idOf(request) })
    expect(ofType('page_moved')).toEqual([
      {
        type: 'page_moved',
        page: expect.objectContaining({ id: three }),
        parent: { after: expect.objectContaining({ id: one, title: 'First' }) },
        summary: 'Moved the page “Three”.',
      },
    ])
    expect(ofType('file_created')).toEqual([
      {
        type: 'file_created',
        file: expect.objectContaining({ id: after.insertedFiles[0].id, name: 'b.txt' }),
        summary: 'Added the file “b.txt”.',
      },
    ])
    expect(changes.some((change: any) => change.file?.id === file.id)).toBe(false)

    const { changes: some, more } = await make('GET', `${request}/changes?limit=2`)
    expect(some).toEqual(changes.slice(0, 2))
    expect(more).toBe(changes.length - 2)
    expect(await make('GET', `${request}/changes?limit=0`)).toEqual({
      summary,
      changes: [],
      more: changes.length,
    })

    await make('POST', `${request}/update`)
    expect(await make('GET', `${request}/changes`)).toEqual({ summary, changes })
  })

  test('by a revision: of what stood before it, with the change request that was merged', async () => {
    const space = await newSpace()
    await write(space, page('# One\n'))
    const first = (await make('GET', space)).revision
    const byFirst = await make('GET', `${space}/revisions/${first}/changes`)
    expect(byFirst.changes.map(({ type, page: { title } }: any) => [type, title])).toEqual([
      ['page_created', 'One'],
    ])

    const request = await newRequest(space)
    await write(request, page('# Two\n'))
    await write(space, page('# Meanwhile\n'))
    await make('POST', `${request}/merge`)
    const merged = await make('GET', `${space}/revisions/${(await make('GET', space)).revision}/changes`)
    expect(merged.mergedFrom.id).toBe((await make('GET', request)).id)
    expect(merged.changes.map(({ type, page: { title } }: any) => [type, title])).toEqual([
      ['page_created', 'Two'],
    ])
  })

  test('of variables and reusable contents, by what they are', async () => {
    const space = await newSpace()
    const bring = async (files: Record<string, string>) => {
      const payload = zipSync(
        Object.fromEntries(Object.entries(files).map(([name, one]) => [name, strToU8(one)])),
      )
      const answer = await api.server.inject({
        method: 'POST',
        url: `/v1${space}/content/archive?mode=replace`,
        headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/zip' },
        payload: Buffer.from(payload),
      })
      expect(answer.statusCode, answer.body).toBeLessThan(300)
      const { revision } = await make('GET', space)
      return (await make('GET', `${space}/revisions/${revision}/changes`)).changes
    }
    const [vars, note, config] = ['.gitbook/vars.yaml', '.gitbook/includes/note.md', '.gitbook.yaml']
    const first = await bring({ 'README.md': '# One\n', [vars]: 'a: one\nb: two\n', [note]: 'Note.\n' })
    expect(first.map(({ type }: any) => type).toSorted()).toEqual([
      'page_created',
      'reusable_content_created',
      'variables_edited',
    ])
    const rest = { 'README.md': '# One\n', [config]: 'root: ./\n' }
    const second = await bring({ ...rest, [vars]: 'a: three\nc: true\n', [note]: 'Changed.\n' })
    expect(second).toEqual([
      {
        type: 'reusable_content_edited',
        reusableContent: expect.objectContaining({ title: 'note' }),
        attributes: { document: { before: expect.any(String), after: expect.any(String) } },
        summary: 'Edited the reusable content “note”.',
      },
      {
        type: 'variables_edited',
        variables: { a: { before: 'one', after: 'three' }, b: { before: 'two' }, c: { after: true } },
        summary: 'Changed the variables.',
      },
    ])
    const third = await bring({ ...rest, [vars]: 'a: three\nc: true\n' })
    expect(third.map(({ type }: any) => type)).toEqual(['reusable_content_deleted'])
  })

  test('inside of a text: the blocks that came, went, moved and were edited, with the words', async () => {
    const space = await newSpace()
    const markdown = '# Soup\n\nChop two onions.\n\n* salt\n* pepper\n\nServe it hot.\n'
    const made = await write(space, page(markdown), page('# Bread\n'), page('# Plain\n\nStays.\n'))
    const [soup, bread] = made.changes.map((change: any) => change.page.id)
    const request = await newRequest(space)
    const edit = (id: string, text: string) => {
      return { operation: 'update_page', page: id, document: { markdown: text } }
    }
    const changed =
      '# Soup\n\nServe it hot.\n\nChop three onions.\n\n* pepper\n\n{% hint style="info" %}\nStir.\n{% endhint %}\n'
    await write(request, edit(soup, changed), edit(bread, '# Bread\n\nBake it.\n'))
    const plain = await make('GET', `${request}/changes`)
    for (const change of plain.changes) expect(change).not.toHaveProperty('blocks')

    const { changes, summary } = await make('GET', `${request}/changes?blocks=true`)
    expect(summary).toBe('Edited the pages “Bread” and “Soup”.')
    const blocksOf = (id: string) => changes.find((change: any) => change.page.id === id).blocks
    expect(blocksOf(bread)).toEqual([{ type: 'added', key: '0', block: 'paragraph', words: 'Bake it.' }])
    expect(blocksOf(soup)).toEqual([
      { type: 'moved', key: { before: '2', after: '0' }, block: 'paragraph', words: 'Serve it hot.' },
      {
        type: 'edited',
        key: { before: '0', after: '1' },
        block: 'paragraph',
        words: [
          { change: 'same', text: 'Chop ' },
          { change: 'removed', text: 'two' },
          { change: 'added', text: 'three' },
          { change: 'same', text: ' onions.' },
        ],
      },
      { type: 'removed', key: '1.0', block: 'list-item', words: 'salt' },
      { type: 'added', key: '3', block: 'hint', words: 'Stir.' },
    ])
    // The keys are those of the blocks in the documents.
    const { nodes } = await make('GET', `${request}/content/page/${soup}/document`)
    expect(nodes[3]).toMatchObject({ key: '3', type: 'hint' })

    // Long texts are cut to a readable length.
    const long = (word: string) => Array.from({ length: 400 }, (_, at) => `${word}${at}`).join(' ')
    const many = Array.from({ length: 130 }, (_, at) => `Line ${at}.`).join('\n\n')
    await write(request, edit(soup, `# Soup\n\n${long('new')} Chop ${long('old')}.\n\n${many}\n`))
    const cut = (await make('GET', `${request}/changes?blocks=true`)).changes.find(
      (change: any) => change.page.id === soup,
    )
    expect(cut.blocks).toHaveLength(100)
    expect(cut.moreBlocks).toBeGreaterThan(30)
    for (const { words } of cut.blocks) {
      const all = typeof words === 'string' ? words : words.map(({ text }: any) => text).join('')
      expect(all.length).toBeLessThan(3_000)
    }
  })

  test('is the message of a merge without a subject', async () => {
    const space = await newSpace()
    const { changes } = await write(space, page('# One\n'), page('# Gone\n'))
    const messageOf = async (request: string) => {
      const { revision } = await make('POST', `${request}/merge`)
      return (await make('GET', `${space}/revisions/${revision}`)).message
    }
    const request = await newRequest(space)
    const titles = ['Five', 'Four', 'Three', 'Two']
    await write(
      request,
      ...titles.map((title) => page(`# ${title}\n`)),
      { operation: 'delete_page', page: changes[1].page.id },
      { operation: 'update_page', page: changes[0].page.id, document: { markdown: '# One\n\nMore.\n' } },
    )
    // What the space did meanwhile came by itself.
    await write(space, page('# Elsewhere\n'))
    expect(await messageOf(request)).toBe(
      'Added the pages “Five”, “Four”, “Three” and 1 more. Removed the page “Gone”. Edited the page “One”.',
    )
    const named = await newRequest(space)
    await make('PATCH', named, { subject: 'My words' })
    await write(named, page('# Six\n'))
    expect(await messageOf(named)).toBe('My words')
    expect(await messageOf(await newRequest(space))).toBe('Nothing that a reader would see.')
  })

  test('two contents are compared by name, in either direction, and in parts of one comparison', async () => {
    const space = await newSpace()
    const start = (await make('GET', space)).revision
    const made = await write(space, page('# One\n'), page('# Two\n'), page('# Three\n'))
    const ids = made.changes.map((change: any) => change.page.id)
    const request = await newRequest(space)
    const number = request.split('/').at(-1)
    await write(request, {
      operation: 'update_page',
      page: ids[0],
      document: { markdown: '# One\n\nText.\n' },
    })
    const compare = (query: string) => make('GET', `${space}/compare?${query}`)

    const forth = await compare(`from=${start}`)
    expect(forth.changes.map(({ type }: any) => type)).toEqual(Array(3).fill('page_created'))
    const back = await compare(`from=change-request:${number}&to=${start}`)
    expect(back.changes.map(({ type }: any) => type)).toEqual(Array(3).fill('page_deleted'))
    const { id } = await make('GET', request)
    expect((await compare(`from=change-request:${id}&blocks=true`)).changes).toMatchObject([
      { type: 'page_edited', page: { id: ids[0] }, blocks: [{ type: 'removed', words: 'Text.' }] },
    ])

    const first = await compare(`from=${start}&limit=2`)
    expect(first).toMatchObject({ summary: forth.summary, more: 1, next: { page: expect.any(String) } })
    // What is edited meanwhile belongs to no part.
    await write(space, page('# Four\n'))
    const rest = await compare(`from=${start}&limit=2&page=${first.next.page}`)
    expect([...first.changes, ...rest.changes]).toEqual(forth.changes)
    expect(rest).not.toHaveProperty('next')
    expect(rest).not.toHaveProperty('more')

    const parts = []
    for (let query = '?limit=1'; query !== '';) {
      const part = await make('GET', `${request}/changes${query}`)
      parts.push(...part.changes)
      query = part.next === undefined ? '' : `?limit=1&page=${part.next.page}`
    }
    expect(parts).toEqual((await make('GET', `${request}/changes`)).changes)
  })

  test('a comparison names the content that is missing, and takes no cursor of another one', async () => {
    const space = await newSpace()
    await write(space, page('# One\n'), page('# Two\n'))
    const { revision } = await make('GET', space)
    const other = await newSpace()
    const ask = async (query: string, person = ann) =>
      (await api.request(person, 'GET', `${space}/compare?${query}`)) as { status: number; body: any }
    for (const [query, member] of [
      [`from=${(await make('GET', other)).revision}`, 'from'],
      ['from=change-request:7', 'from'],
      [`from=${revision}&to=nothing`, 'to'],
    ])
      expect(await ask(query!)).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringContaining(`"${member}"`) } },
      })
    expect((await ask('')).status).toBe(400)
    expect((await ask(`from=${revision}&page=0123456789.${revision}.1`)).status).toBe(400)
    const stranger = await api.person('stranger')
    await api.organization(stranger)
    expect((await ask(`from=${revision}`, stranger)).status).toBe(404)
  })
})
