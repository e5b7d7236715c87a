/** Stale writes over HTTP: edits that say what they are based on are merged, or refused with both versions. */
import { createHash } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Person, type TestClient, openTestClient } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'

const text = '# Guide\n\nFirst words.\n\nLast words.\n'
const hashOf = (written: string) => createHash('sha256').update(written).digest('base64url')

describeSqlite('a write that says what it is based on', (engine) => {
  let api: TestClient
  let ann: Person
  let organization: string
  let space: string
  let page: string

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    ann = await api.person('ann')
    organization = await api.organization(ann)
  })
  beforeEach(async () => {
    const body = { editMode: 'live', empty: true }
    space = `/spaces/${(await send('POST', `/orgs/${organization}/spaces`, { body })).body.id}`
    page = await insert(text)
  })

  async function send(
    method: string,
    path: string,
    { body, ifMatch }: { body?: object; ifMatch?: string } = {},
  ) {
    const answer = await api.server.inject({
      method: method as 'GET',
      url: `/v1${path}`,
      headers: {
        authorization: `Bearer ${ann.token}`,
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    return { status: answer.statusCode, body: answer.json(), etag: answer.headers['etag'] as string }
  }
  const write = (changes: readonly object[], ifMatch?: string, place = space) =>
    send('POST', `${place}/content?compat=false`, { body: { changes }, ...(ifMatch && { ifMatch }) })
  const update = (markdown: string, more: object = {}) => ({
    operation: 'update_page',
    page,
    document: { markdown },
    ...more,
  })
  async function insert(markdown: string, more: object = {}): Promise<string> {
    const answer = await write([{ operation: 'insert_page', document: { markdown }, ...more }])
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.changes[0].page.id
  }
  const read = async (place = space) => send('GET', `${place}/content/page/${page}?format=markdown`)
  const headOf = async () => (await send('GET', space)).body.revision
  async function mustWrite(...changes: object[]) {
    expect((await write(changes)).status).toBe(200)
  }

  const ours = text.replace('First', 'Our first')
  const theirs = text.replace('Last', 'Their last')
  const both = ours.replace('Last', 'Their last')

  test('is merged with what was written since, by If-Match, revision or text', async () => {
    for (const base of ['header', 'revision', 'hash'] as const) {
      await mustWrite(update(text))
      const { etag } = await read()
      await mustWrite(update(theirs))
      await insert(`# Other ${base}\n`)
      const name = { header: undefined, revision: JSON.parse(etag), hash: hashOf(text) }[base]
      const answer = await write([update(ours, { base: name })], base === 'header' ? etag : undefined)
      expect(answer.status, base).toBe(200)
      expect((await read()).body.markdown, base).toBe(both)
    }
    // Without a base it replaces what is there.
    await mustWrite(update(ours))
    expect((await read()).body.markdown).toBe(ours)
  })

  test('is merged in a change request, also when it was read in the space', async () => {
    const { etag } = await read()
    const request = `${space}/change-requests/${(await send('POST', `${space}/change-requests`)).body.number}`
    expect((await write([update(theirs)], undefined, request)).status).toBe(200)
    for (const base of [{ ifMatch: etag }, { base: hashOf(text) }]) {
      const { ifMatch, ...named } = base as { ifMatch?: string; base?: string }
      expect((await write([update(ours, named)], ifMatch, request)).status).toBe(200)
      expect((await read(request)).body.markdown).toBe(both)
      expect((await write([update(theirs)], undefined, request)).status).toBe(200)
    }
    expect((await read()).body.markdown).toBe(text)
  })

  test('is refused with both texts where both changed the same, and nothing is written', async () => {
    const { etag } = await read()
    const current = text.replace('First', 'Their first')
    await mustWrite(update(current))
    const head = await headOf()
    for (const [change, ifMatch] of [
      [update(ours), etag],
      [update(ours, { base: hashOf(text) }), undefined],
    ] as const) {
      const inserted = { operation: 'insert_page', document: { markdown: '# New\n' } }
      const { status, body } = await write([inserted, change], ifMatch)
      expect(status).toBe(409)
      expect(body.error).toMatchObject({
        code: 409,
        revision: head,
        conflicts: [
          {
            page,
            path: 'guide',
            ours: { title: 'Guide', markdown: ours, hash: hashOf(ours) },
            theirs: { title: 'Guide', markdown: current, hash: hashOf(current) },
          },
        ],
      })
      expect(await headOf()).toBe(head)
    }
    // Its answer is the base of the next attempt.
    const again = await write([update(`${current}\nMore.\n`, { base: hashOf(current) })])
    expect(again.status).toBe(200)
  })

  test('is refused for a page that is gone, and a removal of one that has changed', async () => {
    const { etag } = await read()
    await mustWrite(update(theirs))
    const removal = await write([{ operation: 'delete_page', page }], etag)
    expect(removal.status).toBe(409)
    expect(removal.body.error.conflicts).toMatchObject([{ page, ours: null, theirs: { markdown: theirs } }])
    await mustWrite({ operation: 'delete_page', page })
    for (const [change, ifMatch] of [
      [update(ours), etag],
      [update(ours, { base: hashOf(text) }), undefined],
    ] as const) {
      const { status, body } = await write([change], ifMatch)
      expect(status).toBe(409)
      expect(body.error.conflicts).toMatchObject([{ page, ours: { markdown: ours }, theirs: null }])
    }
  })

  test('follows the page and its links to where they are now', async () => {
    const other = await insert('# Other\n')
    const linked = `${text}\n[other](other.md)\n`
    await mustWrite(update(linked))
    const { etag } = await read()
    const folder = await insert('# Folder\n')
    await mustWrite(
      { operation: 'update_page', page, into: folder },
      { operation: 'update_page', page: other, slug: 'renamed' },
    )
    const sent = `${linked.replace('First', 'Our first')}[again](other.md)\n`
    expect((await write([update(sent, { base: JSON.parse(etag) })])).status).toBe(200)
    const { body } = await read()
    expect(body.path).toBe('folder/guide')
    expect(body.markdown).toBe(sent.replaceAll('(other.md)', '(../renamed.md)'))
  })

  test('covers the front matter, and titles outside of the text', async () => {
    const untitled = await insert('Words.\n', { title: 'Before' })
    const set = (members: object) => ({ operation: 'update_page', page: untitled, ...members })
    const revision = await headOf()
    await mustWrite(set({ icon: 'gear', title: 'Their title' }))
    expect((await write([set({ description: 'Ours', base: revision })])).status).toBe(200)
    const { body } = await send('GET', `${space}/content/page/${untitled}`)
    expect(body).toMatchObject({ title: 'Their title', icon: 'gear', description: 'Ours' })
    const conflicting = await write([set({ title: 'Our title', base: revision })])
    expect(conflicting.status).toBe(409)
    const [conflict] = conflicting.body.error.conflicts
    expect(conflict).toMatchObject({ page: untitled })
    expect(JSON.stringify(conflict)).toContain('Our title')
    expect(JSON.stringify(conflict)).toContain('Their title')
  })

  test('keeps a link title that the other side set', async () => {
    const revision = await headOf()
    await mustWrite(update(text, { linkTitle: 'Menu' }))
    const renamed = { operation: 'update_page', page, title: 'Handbook', base: revision }
    expect((await write([renamed])).status).toBe(200)
    expect((await read()).body).toMatchObject({ title: 'Handbook', linkTitle: 'Menu' })
  })

  test('makes room for what came between', async () => {
    const { etag } = await read()
    await insert('# Same\n')
    const inserted = { operation: 'insert_page', ref: 'new', document: { markdown: '# Same\n' } }
    const linking = update(`${text}\n[new](./new.md)\n`)
    const { status, body } = await write([inserted, linking], etag)
    expect(status).toBe(200)
    expect((await read()).body.markdown).toBe(`${text}\n[new](same-1.md)\n`)
    const made = await send('GET', `${space}/content/page/${body.changes[0].page.id}`)
    expect(made.body.path).toBe('same-1')
  })

  describe('names its base', () => {
    test('by a tag that proxies may have weakened, among others', async () => {
      const { etag } = await read()
      await mustWrite(update(theirs))
      expect((await write([update(ours)], `"unknown", W/${etag}`)).status).toBe(200)
      expect((await read()).body.markdown).toBe(both)
      expect((await write([update(ours)], '*')).status).toBe(200)
      expect((await read()).body.markdown).toBe(ours)
    })

    test.each(['"unknown"', '""', 'unquoted', `"${'x'.repeat(40)}"`])('%s is 412', async (ifMatch) => {
      const head = await headOf()
      const { status, body } = await write([update(ours)], ifMatch)
      expect([status, body.error.message]).toEqual([412, expect.stringContaining('If-Match')])
      expect(await headOf()).toBe(head)
    })

    test.each(['unknown', hashOf('another text'), 'x'])('%s is 400', async (base) => {
      const { status, body } = await write([update(text), update(ours, { base })])
      expect([status, body.error.message]).toEqual([400, expect.stringContaining('"changes[1].base"')])
    })

    test('neither by a revision without the page, nor by one of another space', async () => {
      const before = await headOf()
      const later = await insert('# Later\n')
      const other = await send('POST', `/orgs/${organization}/spaces`)
      for (const base of [before, other.body.revision]) {
        const { status } = await write([{ ...update(ours, { base }), page: later }])
        expect(status).toBe(400)
      }
      expect((await write([update(ours)], `"${other.body.revision}"`)).status).toBe(412)
    })
  })

  test('gets the tag from every read of content, also from a cached one', async () => {
    const { body } = await send('POST', `${space}/change-requests`)
    const revision = await headOf()
    for (const place of [
      `${space}/content`,
      `${space}/change-requests/${body.number}/content`,
      `${space}/revisions/${revision}`,
    ]) {
      for (const path of ['', '/pages', `/page/${page}`, '/path/guide', `/page/${page}/document`]) {
        for (const _ of ['first', 'cached'])
          expect((await send('GET', place + path)).etag, place + path).toBe(`"${revision}"`)
      }
    }
  })
})
