/** History of a page, blame and restoring over HTTP. */
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { describeEngines } from '../../../tests/engines.js'
import { type Person, type TestClient, openTestClient } from '../../../tests/test-client.js'
import { newId } from '../../access/ids.js'
import type { OrganizationId, RevisionId, SpaceId } from '../../core/ids.js'
import { moveSpaceHead } from '../../store/content/heads.js'
import { findRevision, insertRevision } from '../../store/content/revisions.js'
import type { Database } from '../../store/db/database.js'
import { limits } from '../../contract/limits.js'

describeEngines('the history of a page', (engine) => {
  let database: Database
  let api: TestClient
  let ann: Person
  let ben: Person
  let organization: string

  async function make(method: string, path: string, body?: unknown, person = ann): Promise<any> {
    const answer = await api.request(person, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  const change = async (place: string, changes: readonly object[], person = ann) =>
    make('POST', `${place}/content?compat=false`, { changes }, person)
  async function newSpace(): Promise<string> {
    const { id } = await make('POST', `/orgs/${organization}/spaces`, { editMode: 'live', empty: true })
    return `/spaces/${id}`
  }
  async function newPage(place: string, markdown: string, more: object = {}): Promise<string> {
    const { changes } = await change(place, [{ operation: 'insert_page', document: { markdown }, ...more }])
    return changes[0].page.id
  }
  const setText = (place: string, page: string, markdown: string, person = ann) =>
    change(place, [{ operation: 'update_page', page, document: { markdown } }], person)
  async function newRequest(space: string, subject: string, person = ann): Promise<string> {
    const { id } = await make('POST', `${space}/change-requests`, { subject }, person)
    return `${space}/change-requests/${id}`
  }
  /** Lists the history to its end, `limit` items at a time. */
  async function historyOf(place: string, page: string, limit = 100): Promise<any[]> {
    const items: any[] = []
    let cursor = ''
    for (;;) {
      const list = await make('GET', `${place}/content/page/${page}/history?limit=${limit}${cursor}`)
      items.push(...list.items)
      if (list.next === undefined) return items
      cursor = `&page=${list.next.page}`
    }
  }
  const headOf = async (place: string): Promise<string> => (await make('GET', place)).revision
  const textOf = async (place: string, page: string): Promise<string> =>
    (await make('GET', `${place}/content/page/${page}/text`)).text
  /** Returns the text of each block with its source. */
  async function blameOf(place: string, page: string): Promise<Map<string, any>> {
    const text = await textOf(place, page)
    const { blocks, sources } = await make('GET', `${place}/content/page/${page}/blame`)
    return new Map(
      blocks.map(({ span, source }: any) => [text.slice(span.start, span.end).trim(), sources[source]]),
    )
  }

  beforeAll(async () => {
    database = await engine.open()
    api = await openTestClient(database)
    ann = await api.person('ann')
    ben = await api.person('ben')
    organization = await api.organization(ann)
    await api.join(organization as never, ben, 'edit')
  })

  test('has what changed it, across renames and moves, with who wrote it', async () => {
    const space = await newSpace()
    const group = await newPage(space, '# Guides\n\nAll of them.\n')
    const page = await newPage(space, '# Bread\n\nTake flour.\n')
    await newPage(space, '# Something else\n')
    await change(space, [{ operation: 'update_page', page, slug: 'loaf', title: 'Loaf' }])
    await change(space, [{ operation: 'update_page', page, into: group }])
    const request = await newRequest(space, 'More flour')
    await setText(request, page, '# Loaf\n\nTake more flour.\n', ben)
    await newPage(request, '# By Ann\n')
    const { revision: merged } = await make('POST', `${request}/merge`)

    const all = await historyOf(space, page)
    expect(all.map(({ changes }) => changes)).toEqual([
      ['text'],
      expect.arrayContaining(['path', 'position']),
      expect.arrayContaining(['text', 'title', 'path']),
      ['created'],
    ])
    expect(all.map((one) => [one.page.title, one.page.path])).toEqual([
      ['Loaf', 'guides/loaf'],
      ['Loaf', 'guides/loaf'],
      ['Loaf', 'loaf'],
      ['Bread', 'bread'],
    ])
    const [{ revision }] = all
    expect(revision).toMatchObject({ id: merged, message: 'More flour', mergedFrom: { number: 1 } })
    expect(revision.authors.map(({ id }: any) => id).toSorted()).toEqual([ann.id, ben.id].toSorted())
    expect(await historyOf(space, page, 1)).toEqual(all)

    // A change request continues the space that it began on.
    const later = await newRequest(space, 'Later')
    expect(await historyOf(later, page)).toEqual(all)
    await setText(later, page, '# Loaf\n\nTake rye.\n', ben)
    const ofRequest = await historyOf(later, page, 2)
    expect(ofRequest.slice(1)).toEqual(all)
    expect(ofRequest[0].revision).toMatchObject({ id: await headOf(later), authors: [{ id: ben.id }] })

    const other = await newPage(space, '# Other\n')
    expect((await historyOf(space, other)).map(({ changes }) => changes)).toEqual([['created']])
    const unknown = await api.request(ann, 'GET', `${space}/content/page/nope/history`)
    expect(unknown.status).toBe(404)
    const { next } = await make('GET', `${space}/content/page/${page}/history?limit=1`)
    const wrong = await api.request(ann, 'GET', `${space}/content/page/${other}/history?page=${next.page}`)
    expect(wrong.status).toBe(400)
  })

  test('examines a bounded number of revisions, and continues where it ended', async () => {
    const space = await newSpace()
    const page = await newPage(space, '# Old\n\nFirst.\n')
    const other = await newPage(space, '# Busy\n')
    const spaceId = space.slice('/spaces/'.length) as SpaceId
    const head = (await headOf(space)) as RevisionId
    await database.write(async (tx) => {
      const last = (await findRevision(tx, organization as OrganizationId, spaceId, head))!
      let parent = last
      for (let at = 0; at < limits.examinedRevisions + 20; at++) {
        const next = { ...parent, id: newId<RevisionId>(), number: parent.number + 1, parents: [parent.id] }
        await insertRevision(tx, next)
        parent = next
      }
      const move = { from: last.id, to: parent.id, at: parent.createdAt }
      await moveSpaceHead(tx, organization as OrganizationId, spaceId, move)
    })
    await setText(space, other, '# Busy\n\nAgain.\n')
    const first = await make('GET', `${space}/content/page/${page}/history`)
    expect(first.items).toEqual([])
    expect((await historyOf(space, page)).map(({ changes }) => changes)).toEqual([['created']])
    expect([...(await blameOf(space, page)).values()].map(({ revision }) => revision.number)).toEqual([2])
  })

  test('attributes blocks to the change request and the author that brought them', async () => {
    const space = await newSpace()
    const page = await newPage(space, '# Bread\n\nTake flour.\n\nBake it.\n\n* one\n* two\n')
    const created = await headOf(space)
    const request = await newRequest(space, 'Salt and time')
    await setText(request, page, '# Bread\n\nTake flour and salt.\n\nBake it.\n\n* one\n* two\n', ben)
    const byBen = await headOf(request)
    await setText(request, page, '# Bread\n\nTake flour and salt.\n\nBake it.\n\n* one\n* two more\n')
    await change(space, [
      {
        operation: 'update_page',
        page,
        document: { markdown: '# Bread\n\nTake flour.\n\nBake it now.\n\n* one\n* two\n' },
      },
    ])
    const live = await headOf(space)
    await make('POST', `${request}/update`)
    const inRequest = await blameOf(request, page)
    expect(inRequest.get('Bake it now.').revision.id).toBe(live)
    expect(inRequest.get('Take flour and salt.').revision.id).toBe(byBen)
    const { revision: merged } = await make('POST', `${request}/merge`)

    const blocks = await blameOf(space, page)
    expect(blocks.get('Take flour and salt.')).toMatchObject({
      revision: { id: merged, mergedFrom: { subject: 'Salt and time' } },
      authors: [{ id: ben.id }],
    })
    expect(blocks.get('* two more')).toMatchObject({ revision: { id: merged }, authors: [{ id: ann.id }] })
    expect(blocks.get('Bake it now.')).toMatchObject({ revision: { id: live }, authors: [{ id: ann.id }] })
    expect(blocks.get('* one')).toMatchObject({ revision: { id: created } })
  })

  test('blames the last edit of each block, whatever was edited, moved and merged', async () => {
    const edit = fc.record({
      kind: fc.constantFrom('edit', 'edit', 'insert', 'remove', 'move'),
      at: fc.nat(20),
      to: fc.nat(20),
      isRequest: fc.boolean(),
    })
    let count = 0
    const runs = Number(process.env['OCTAVO_BLAME_RUNS'] ?? 4)
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 4, maxLength: 14 }), async (edits) => {
        const space = await newSpace()
        const write = (blocks: readonly string[]) => `# Page\n\n${blocks.join('\n\n')}\n`
        const block = () =>
          `Block ${(count += 1)} has words of its own: ${'abcdefghij'[count % 10]!.repeat(9)}${count}.`
        let blocks = [block(), block(), block()]
        const page = await newPage(space, write(blocks))
        const expected = new Map<string, string>()
        const first = await headOf(space)
        for (const one of blocks) expected.set(one, first)
        for (const { kind, at, to, isRequest } of edits) {
          const [index, target] = [at % (blocks.length || 1), to % (blocks.length || 1)]
          const next = [...blocks]
          const added = block()
          if (kind === 'edit' && blocks.length > 0) next[index] = added
          else if (kind === 'remove' && blocks.length > 1) next.splice(index, 1)
          else if (kind === 'move') next.splice(target, 0, ...next.splice(index, 1))
          else next.splice(index, 0, added)
          if (write(next) === write(blocks)) continue
          const place = isRequest ? await newRequest(space, `Change ${count}`) : space
          await setText(place, page, write(next))
          if (isRequest) await make('POST', `${place}/merge`)
          blocks = next
          if (next.includes(added)) expected.set(added, await headOf(space))
        }
        const blamed = await blameOf(space, page)
        expect(blocks.map((one) => [one, blamed.get(one)?.revision.id])).toEqual(
          blocks.map((one) => [one, expected.get(one)]),
        )
      }),
      { numRuns: runs, seed: 7 },
    )
  })

  test('is restored in a change request, deleted pages at their place with their comments', async () => {
    const space = await newSpace()
    const page = await newPage(space, '# Bread\n\nTake flour.\n\nBake it.\n')
    const below = await newPage(space, '# Rye\n\nDark.\n', { into: page })
    const last = await newPage(space, '# Last\n')
    const { id: comment } = await make('POST', `${space}/comments`, {
      body: { markdown: 'How much?' },
      page,
      node: '0',
    })
    const full = await headOf(space)
    const pagesAt = async (place: string) => {
      const { pages } = await make('GET', `${place}/pages`)
      return pages.map(({ id, pages: inner }: any) => [id, (inner ?? []).map((one: any) => one.id)])
    }
    const before = await pagesAt(`${space}/content`)
    await change(space, [{ operation: 'delete_page', page }])
    await setText(space, last, '# Last\n\nWritten meanwhile.\n')
    const without = await headOf(space)

    const restored = await make('POST', `${space}/revisions/${full}/restore`, { pages: [page] }, ben)
    expect(restored).toMatchObject({
      subject: 'Restore “Bread” and 1 more as of revision 4',
      status: 'draft',
      createdBy: { id: ben.id },
    })
    const request = `${space}/change-requests/${restored.id}`
    expect(await headOf(space)).toBe(without)
    expect(await pagesAt(`${request}/content`)).toEqual(before)
    await make('POST', `${request}/merge`)
    expect(await pagesAt(`${space}/content`)).toEqual(before)
    expect(before).toEqual([
      [page, [below]],
      [last, []],
    ])
    expect(await textOf(space, page)).toBe('# Bread\n\nTake flour.\n\nBake it.\n')
    expect(await textOf(space, last)).toContain('Written meanwhile.')
    expect(await make('GET', `${space}/comments/${comment}`)).toMatchObject({
      target: { page: { id: page }, node: { id: '0', preview: 'Take flour.' } },
    })

    // What its text uses comes back too.
    const [{ id: image }] = (
      await make('POST', `${space}/content?compat=false`, {
        changes: [{ operation: 'insert_files', files: [{ name: 'loaf.txt', base64: 'b25l' }] }],
      })
    ).insertedFiles
    await setText(space, last, '# Last\n\n[A loaf](.gitbook/assets/loaf.txt)\n')
    const withFile = await headOf(space)
    await change(space, [{ operation: 'delete_page', page: last }])
    await change(space, [{ operation: 'delete_file', file: image }])
    const back = await make('POST', `${space}/revisions/${withFile}/restore`, { pages: [last] })
    await make('GET', `${space}/change-requests/${back.id}/content/files/${image}`)
    await make('POST', `${space}/change-requests/${back.id}/merge`)

    const whole = await make('POST', `${space}/revisions/${without}/restore`, { subject: 'Back' })
    expect(whole.subject).toBe('Back')
    await make('POST', `${space}/change-requests/${whole.number}/merge`)
    expect(await pagesAt(`${space}/content`)).toEqual([[last, []]])
    const [merge] = (await make('GET', `${space}/revisions?limit=1&summary=true`)).items
    expect(merge).toMatchObject({ message: 'Back', authors: [{ id: ann.id }] })
    expect(merge.summary).toContain('Bread')

    const same = await api.request(ann, 'POST', `${space}/revisions/${await headOf(space)}/restore`, {})
    expect(same.status).toBe(409)
    const foreign = { pages: ['nope'] }
    const refused = await api.request(ann, 'POST', `${space}/revisions/${full}/restore`, foreign)
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('pages[0]')])
  })
})
