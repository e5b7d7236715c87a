/** Rendered comparisons of pages and reusable contents over HTTP. */
import { beforeAll, expect, test } from 'vitest'
import { describeSqlite } from '../../tests/engines.js'
import { type Person, type TestClient, openTestClient } from '../../tests/test-client.js'

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describeSqlite('a compared page', (engine) => {
  let api: TestClient
  let ann: Person
  let space: string
  let request: string
  let page: string

  async function make(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await api.request(ann, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  const write = (place: string, ...changes: object[]) =>
    make('POST', `${place}/content?compat=false`, { changes })

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    ann = await api.person('ann')
    const organization = await api.organization(ann)
    const { id } = await make('POST', `/orgs/${organization}/spaces`, { editMode: 'live', empty: true })
    space = `/spaces/${id}`
    await write(space, { operation: 'insert_files', files: [{ name: 'a.png', base64: pixel }] })
    const made = await write(
      space,
      {
        operation: 'insert_page',
        document: {
          markdown:
            '---\ndescription: Old words\nowner: team-a\n---\n\n# One\n\nSome *old* words, and [two](two.md).\n\n![A](.gitbook/assets/a.png)\n\n<script>alert(1)</script>\n',
        },
      },
      { operation: 'insert_page', document: { markdown: '# Two\n\nText.\n' } },
    )
    page = made.changes[0].page.id
    request = `${space}/change-requests/${(await make('POST', `${space}/change-requests`)).number}`
    await write(
      request,
      {
        operation: 'update_page',
        page,
        document: {
          markdown:
            '---\ndescription: New words\nowner: team-b\n---\n\n# One\n\nSome **new** words, and [two](two.md).\n\n<script>alert(2)</script>\n',
        },
      },
      { operation: 'insert_reusable_content', title: 'Note', document: { markdown: '# Kept\n\nNote.\n' } },
    )
  })

  test('is displayed with its changes, its settings and the files of each version', async () => {
    const found = await make('GET', `${request}/changes/page/${page}`)
    expect(found).toMatchObject({
      before: { id: page, title: 'One', path: 'one' },
      after: { id: page, title: 'One', path: 'one' },
      settings: [
        { name: 'description', before: 'Old words', after: 'New words' },
        { name: 'owner', before: 'team-a', after: 'team-b' },
      ],
    })
    expect(found.changes.map(({ type, block }: any) => [type, block])).toEqual([
      ['edited', 'paragraph'],
      ['removed', 'images'],
      ['edited', 'code'],
    ])
    expect(found.html).toContain(
      '<del class="diff-removed"><em>old</em></del><ins class="diff-added"><strong>new</strong></ins>',
    )
    expect(found.html).toMatch(/<div class="diff-edited" data-change="c1" data-key="0">/)
    expect(found.html).not.toContain('<script')
    expect(found).not.toHaveProperty('truncated')
    const number = request.split('/').at(-1)
    expect(found.html).toContain(`href="/s/${space.split('/').at(-1)}/~/changes/${number}/two"`)
    const [, src] = /<img src="([^"]+)"/.exec(found.html)!
    expect(src).toContain('revision=')
  })

  test('is the same by the names of both contents, and turned around', async () => {
    const number = request.split('/').at(-1)
    const { revision } = await make('GET', space)
    const compare = (from: string, to: string) =>
      make('GET', `${space}/compare/page/${page}?from=${from}&to=${to}`)
    const forth = await compare(revision, `change-request:${number}`)
    expect(forth.changes).toEqual((await make('GET', `${request}/changes/page/${page}`)).changes)
    const back = await compare(`change-request:${number}`, revision)
    expect(back.changes.map(({ type }: any) => type)).toEqual(['edited', 'added', 'edited'])
    expect((await compare(revision, revision)).changes).toEqual([])
  })

  test('may be in one content alone, and so may a reusable content', async () => {
    const made = await write(request, {
      operation: 'insert_page',
      document: { markdown: '# New\n\nHello.\n' },
    })
    const added = await make('GET', `${request}/changes/page/${made.changes[0].page.id}`)
    expect(added).not.toHaveProperty('before')
    expect(added).toMatchObject({ after: { title: 'New' }, settings: [], changes: [{ type: 'added' }] })
    const { items } = await make('GET', `${request}/content/reusable-contents`)
    const text = await make('GET', `${request}/changes/reusable-content/${items[0].id}`)
    expect(text).toMatchObject({
      after: { title: 'Note' },
      changes: [{ type: 'added', block: 'heading-1' }, {}],
    })
    expect(text.html).toMatch(/<ins class="diff-added" data-change="c1" data-key="0">.*Kept/s)
    for (const path of [`${request}/changes/page/nothing`, `${request}/changes/reusable-content/nothing`])
      expect((await api.request(ann, 'GET', path)).status).toBe(404)
  })

  test('of long texts is made in a worker thread', async () => {
    const lines = Array.from({ length: 4_000 }, (_, at) => `Line ${at} of the text.`)
    const markdown = (all: readonly string[]) => `# Long\n\n${all.join('\n\n')}\n`
    const made = await write(request, { operation: 'insert_page', document: { markdown: markdown(lines) } })
    const { id } = made.changes[0].page
    const { number } = await make('GET', request)
    const { revision } = await make('GET', request)
    await make('POST', `${request}/comments`, { body: { markdown: 'Keep this revision.' } })
    lines[2_000] = 'Line 2000 of another text.'
    await write(request, { operation: 'update_page', page: id, document: { markdown: markdown(lines) } })
    const found = await make(
      'GET',
      `${space}/compare/page/${id}?from=${revision}&to=change-request:${number}`,
    )
    expect(found).not.toHaveProperty('truncated')
    expect(found.changes).toMatchObject([{ type: 'edited', key: { before: '2000', after: '2000' } }])
  })
})
