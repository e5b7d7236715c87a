/** Documents and reusable contents over HTTP: of a space, a change request and a revision, and by document id. */
import { strToU8, zipSync } from 'fflate'
import { beforeAll, expect, test } from 'vitest'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'

describeSqlite('documents', (engine) => {
  let api: TestClient
  let ann: Person
  let organization: string

  async function make(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await api.request(ann, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  const refused = async (path: string, person = ann) => (await api.request(person, 'GET', path)).body.error
  const write = (place: string, ...changes: object[]) =>
    make('POST', `${place}/content?compat=false`, { changes })
  async function newSpace(entries: Record<string, string>) {
    const { id } = await make('POST', `/orgs/${organization}/spaces`, { editMode: 'live', empty: true })
    await bring(`/spaces/${id}`, entries)
    return `/spaces/${id}`
  }
  async function bring(space: string, entries: Record<string, string>) {
    const files = Object.entries(entries).map(([name, text]) => [name, strToU8(text)])
    const answer = await api.server.inject({
      method: 'POST',
      url: `/v1${space}/content/archive`,
      headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/zip' },
      payload: Buffer.from(zipSync(Object.fromEntries(files))),
    })
    expect(answer.statusCode, answer.body).toBeLessThan(300)
  }
  const words = (document: any): string =>
    Array.from(JSON.stringify(document).matchAll(/"text":"([^"]*)"/g), ([, text]) => text).join('')
  const entries = {
    'SUMMARY.md': '* [Guide](start.md)\n* [Other](deep/other.md)\n\n## Group\n\n* [Empty](empty.md)\n',
    'start.md': '# Guide\n\nSee [Other](deep/other.md).\n\n{% include ".gitbook/includes/note.md" %}\n',
    'deep/other.md': '# Other\n\nBack to [Guide](../start.md).\n',
    'empty.md': '',
    '.gitbook/includes/note.md': 'Note well, see [Other](../../deep/other.md).\n',
    '.gitbook/vars.yaml': 'name: Octavo\n',
  }

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    ann = await api.person('ann')
    organization = await api.organization(ann)
  })

  /** A space, its first content as a revision, and a change request with other words in page and reusable content. */
  async function threeDoors() {
    const space = await newSpace(entries)
    const { revision } = await make('GET', space)
    const request = `${space}/change-requests/${(await make('POST', `${space}/change-requests`)).number}`
    const { id: page } = await make('GET', `${space}/content/path/deep%2Fother`)
    const document = { markdown: '# Other\n\nChanged, back to [Guide](../start.md).\n' }
    await write(request, { operation: 'update_page', page, document })
    await write(space, { operation: 'delete_page', page })
    return {
      space,
      page,
      head: `${space}/content`,
      request: `${request}/content`,
      revision: `${space}/revisions/${revision}`,
    }
  }

  test('lead from links to groups to their first pages, as sites do', async () => {
    const space = await newSpace({
      'SUMMARY.md':
        '* [Home](README.md)\n\n## Group\n\n* [First](group/first.md)\n* [Second](group/second.md)\n',
      'README.md':
        '# Home\n\n[Group](group/)\n\n{% content-ref url="group/" %}\n[Group](group/)\n{% endcontent-ref %}\n',
      'group/first.md': '# First\n',
      'group/second.md': '# Second\n',
    })
    const { id: page } = await make('GET', `${space}/content/path/group/first`)
    const { document } = await make('GET', `${space}/content/path/readme`)
    const refs = JSON.stringify(document).match(/"ref":\{[^}]*\}/g)!
    expect(new Set(refs)).toEqual(new Set([`"ref":${JSON.stringify({ kind: 'page', page })}`]))
  })

  test('of pages are the same at each of the three as in the page, and by their ids', async () => {
    const { space, page, head, request, revision } = await threeDoors()
    for (const [place, said] of [
      [request, 'Changed, back to Guide.'],
      [revision, 'Back to Guide.'],
    ] as const) {
      const whole = await make('GET', `${place}/page/${page}`)
      const document = await make('GET', `${place}/page/${page}/document`)
      expect(document).toEqual(whole.document)
      expect(words(document)).toContain(said)
      expect(JSON.stringify(document)).toContain('"kind":"page"')
      // The page is gone from the space, its words are not.
      expect(words(await make('GET', `${space}/documents/${whole.documentId}`))).toBe(words(document))
    }
    expect(await refused(`${head}/page/${page}/document`)).toMatchObject({ code: 404 })

    const guide = await make('GET', `${head}/path/start?format=document`)
    const { documentId, document } = guide
    expect(await make('GET', `${space}/documents/${documentId}`)).toEqual(document)
    expect(words(document)).toContain('See Other.')
  })

  test('of pages without a text are empty, and there are none of other pages', async () => {
    const { head } = await threeDoors()
    const { pages } = await make('GET', `${head}/pages`)
    const group = pages.find(({ type }: any) => type === 'group')
    expect(words(await make('GET', `${head}/page/${group.pages[0].id}/document`))).toBe('')
    expect(await refused(`${head}/page/${group.id}/document`)).toMatchObject({
      code: 404,
      message: expect.stringContaining('document'),
    })
  })

  test('of reusable contents are those of space, change request and revision', async () => {
    const { space, head, request, revision } = await threeDoors()
    const { reusableContents } = await make('GET', head)
    const [note] = reusableContents
    expect(reusableContents).toEqual([
      {
        id: expect.any(String),
        title: 'note',
        path: expect.stringContaining('note.md'),
        document: expect.any(String),
      },
    ])
    const before = await make('GET', `${head}/reusable-contents/${note.id}/document`)
    await bring(space, { ...entries, '.gitbook/includes/note.md': 'Other words.\n' })
    const { document: next } = await make('GET', `${head}/reusable-contents/${note.id}`)
    expect(next).not.toBe(note.document)
    expect(words(await make('GET', `${head}/reusable-contents/${note.id}/document`))).toBe('Other words.')
    for (const place of [request, revision]) {
      expect(await make('GET', `${place}/reusable-contents/${note.id}`)).toEqual(note)
      const document = await make('GET', `${place}/reusable-contents/${note.id}/document`)
      expect(words(document)).toBe('Note well, see Other.')
    }
    expect(words(before)).toBe('Note well, see Other.')
    expect(words(await make('GET', `${space}/documents/${note.document}`))).toBe('Note well, see Other.')
    expect(words(await make('GET', `${space}/documents/${next}`))).toBe('Other words.')
    // Documents that include it refer to it by this id.
    const { document: guide } = await make('GET', `${head}/path/start`)
    expect(JSON.stringify(guide)).toContain(`"reusableContent":"${note.id}"`)
    for (const place of [head, request, revision]) {
      expect(await refused(`${place}/reusable-contents/unknown`)).toMatchObject({ code: 404 })
      expect(await refused(`${place}/reusable-contents/unknown/document`)).toMatchObject({ code: 404 })
    }
  })

  test('are found in their space alone, by ids that it gave out', async () => {
    const [one, other] = [await newSpace(entries), await newSpace(entries)]
    const { documentId, markdown } = await make('GET', `${one}/content/path/start`)
    const twin = await make('GET', `${other}/content/path/start`)
    expect(twin.markdown).toBe(markdown)
    expect(twin.documentId).not.toBe(documentId)
    await make('GET', `${one}/documents/${documentId}`)
    const parts = documentId.split('.')
    const forged = [
      twin.documentId,
      parts[1],
      parts.slice(0, 2).join('.'),
      `${documentId}.`,
      [parts[0], twin.documentId.split('.')[1], twin.documentId.split('.')[2]].join('.'),
      [twin.documentId.split('.')[0], parts[1], parts[2]].join('.'),
      documentId.slice(0, -1),
      'one.two.three',
      'x'.repeat(500),
    ]
    for (const id of forged) {
      expect(await refused(`${one}/documents/${id}`), id).toMatchObject({ code: 404 })
    }
    const stranger = await api.person('stranger')
    expect(await refused(`${one}/documents/${documentId}`, stranger)).toMatchObject({ code: 404 })
  })
})
