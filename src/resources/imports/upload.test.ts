/** Imports of uploaded files: every format, into a space and a change request, with progress and cancel. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { beforeAll, expect, test, vi } from 'vitest'
import { describeSqlite } from '../../../tests/engines.js'
import { samples } from '../../../tests/import-samples/samples.js'
import { type Person, type TestClient, openTestClient } from '../../../tests/test-client.js'

const sampleOf = (source: string) => samples.find((one) => one.source === source)!.files
const word = readFileSync(join(import.meta.dirname, '../../../tests/import-samples/click-options.docx'))

describeSqlite('importing an uploaded file', ({ open }) => {
  let api: TestClient
  let admin: Person
  let organization: string

  beforeAll(async () => {
    api = await openTestClient(await open())
    admin = await api.person('admin')
    organization = await api.organization(admin)
  })

  const newSpace = async (): Promise<string> =>
    (await api.request(admin, 'POST', `/orgs/${organization}/spaces`, { title: 'S', editMode: 'live' })).body
      .id
  async function upload(
    place: string,
    query: string,
    file: { readonly name: string; readonly bytes: Uint8Array },
    headers: Record<string, string> = {},
  ) {
    const form = new FormData()
    form.append('file', new Blob([Buffer.from(file.bytes)]), file.name)
    const request = new Request('http://octavo.test', { method: 'POST', body: form })
    const answer = await api.server.inject({
      method: 'POST',
      url: `/v1${place}/content/archive?${query}`,
      headers: {
        authorization: `Bearer ${admin.token}`,
        'content-type': request.headers.get('content-type')!,
        ...headers,
      },
      payload: Buffer.from(await request.arrayBuffer()),
    })
    return { status: answer.statusCode, body: answer.json() }
  }
  async function titlesAt(place: string): Promise<string[]> {
    const { body } = await api.request(admin, 'GET', `${place}/content/pages`)
    return body.pages.map(({ title }: { title: string }) => title)
  }
  const spoolIsEmpty = () =>
    vi.waitFor(() => expect(readdirSync(api.services.spoolFolder)).toEqual([]), { timeout: 20_000 })
  const text = (value: string) => Buffer.from(value)

  test.each([
    ['docx', 'Options of click.docx', word],
    ['markdown', 'Notes.md', text('# Notes on *tea*\n\nText.\n')],
    ['html', 'Plan.html', text('<title>The plan</title><h1>The plan</h1><p>Text.</p>')],
    ['html', 'site.zip', zipSync(sampleOf('html'))],
    ['notion', 'Export.zip', zipSync(sampleOf('notion'))],
    ['confluence', 'Space.zip', zipSync(sampleOf('confluence'))],
    ['github-wiki', 'wiki.zip', zipSync(sampleOf('github-wiki'))],
    ['google-docs', 'Document.zip', zipSync(sampleOf('google-docs'))],
    ['zip', 'docs.zip', zipSync({ 'README.md': text('# Start\n') })],
  ])('%s, %s', async (source, name, bytes) => {
    const space = `/spaces/${await newSpace()}`
    const done = await upload(space, `source=${source}`, { name, bytes })
    expect([done.status, done.body.error]).toEqual([201, undefined])
    expect(done.body.pages).toBeGreaterThan(0)
    expect((await titlesAt(space)).length).toBeGreaterThan(0)
  })

  test('into a change request leaves the space as it is', async () => {
    const space = `/spaces/${await newSpace()}`
    await upload(space, '', { name: 'a.zip', bytes: zipSync({ 'one.md': text('# One\n') }) })
    const change = (await api.request(admin, 'POST', `${space}/change-requests`, {})).body
    const inChange = `${space}/change-requests/${change.number}`
    const done = await upload(inChange, 'source=markdown', {
      name: 'Two.md',
      bytes: text('# Two\n\nText.\n'),
    })
    expect([done.status, done.body.added]).toEqual([201, 1])
    expect([await titlesAt(space), await titlesAt(inChange)]).toEqual([['One'], ['One', 'Two']])
  })

  test('a document of the same name updates its page', async () => {
    const space = `/spaces/${await newSpace()}`
    const send = (name: string, body: string) =>
      upload(space, 'source=markdown', { name, bytes: text(`# Title\n\n${body}\n`) })
    await send('Notes 1.md', 'one')
    const again = await send('Notes 1.md', 'two')
    expect([again.body.added, again.body.changed]).toEqual([0, 1])
    expect((await send('Notes 2.md', 'one')).body.added).toBe(1)
  })

  test('runs on after the answer when the client wants no wait, and leaves no file', async () => {
    const space = `/spaces/${await newSpace()}`
    const file = { name: 'Options.docx', bytes: word }
    const begun = await upload(space, 'source=docx', file, { prefer: 'respond-async' })
    expect(begun.status).toBe(202)
    expect(begun.body).toMatchObject({ status: 'in-progress', source: 'docx', url: 'upload:Options.docx' })
    const path = `${space}/imports/${begun.body.id}`
    await spoolIsEmpty()
    await vi.waitFor(async () => {
      const run = (await api.request(admin, 'GET', path)).body
      expect(run).toMatchObject({ status: 'completed', result: { problems: expect.any(Array) } })
    })
  })

  test('is cancelled before it is visible', async () => {
    const space = `/spaces/${await newSpace()}`
    const before = await titlesAt(space)
    const file = { name: 'site.zip', bytes: zipSync(sampleOf('html')) }
    const begun = await upload(space, 'source=html', file, { prefer: 'respond-async' })
    const cancelled = await api.request(admin, 'POST', `${space}/imports/${begun.body.id}/cancel`)
    expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled'])
    await spoolIsEmpty()
    expect(await titlesAt(space)).toEqual(before)
    expect((await api.request(admin, 'GET', `${space}/imports/${begun.body.id}`)).body.status).toBe(
      'cancelled',
    )
  })

  test.each([
    ['source=website', text('x'), 'must be one of'],
    ['source=docx', text('no document'), ''],
    ['source=notion', zipSync({ 'a.bin': text('x') }), ''],
    ['', text('no zip'), ''],
  ])('is refused with a sentence: %s', async (query, bytes, sentence) => {
    const answer = await upload(`/spaces/${await newSpace()}`, query, { name: 'a', bytes })
    expect(answer.status).toBe(400)
    expect(answer.body.error.message + JSON.stringify(answer.body.error.details ?? '')).toContain(sentence)
    await spoolIsEmpty()
  })
})
