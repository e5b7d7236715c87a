import { beforeAll, describe, expect, test } from 'vitest'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'

describeEngines('change requests', (engine) => {
  let api: TestClient
  let admin: Person
  let organization: string
  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    admin = await api.person('admin')
    organization = await api.organization(admin)
  })

  const ask = (method: string, path: string, body?: unknown, who: Person | null = admin) =>
    api.request(who, method, path, body)

  /** A space with pages from `title: text`, written through a merged change request. */
  async function space(
    pages: Record<string, string> = {},
  ): Promise<{ id: string; pages: Record<string, string> }> {
    const { body } = await ask('POST', `/orgs/${organization}/spaces`, { title: 'Space', empty: true })
    const ids: Record<string, string> = {}
    if (Object.keys(pages).length > 0) {
      const changes = Object.entries(pages).map(([title, markdown]) => ({
        operation: 'insert_page',
        title,
        document: { markdown },
        ref: title,
      }))
      const request = await changeRequest(body.id)
      const written = await ask('POST', `${request}/content?compat=false`, { changes })
      expect(written.status, written.text).toBe(200)
      for (const outcome of written.body.changes) ids[outcome.ref] = outcome.page.id
      expect((await ask('POST', `${request}/merge`)).body.result).toBe('merge')
    }
    return { id: body.id, pages: ids }
  }

  async function changeRequest(spaceId: string, subject = 'Change'): Promise<string> {
    const { body, status } = await ask('POST', `/spaces/${spaceId}/change-requests`, { subject })
    expect(status).toBe(201)
    return `/spaces/${spaceId}/change-requests/${body.id}`
  }

  async function write(request: string, ...changes: object[]): Promise<void> {
    const answer = await ask('POST', `${request}/content`, { changes })
    expect(answer.status, answer.text).toBe(200)
  }

  const update = (page: string, markdown: string) => ({
    operation: 'update_page',
    page,
    document: { markdown },
  })

  async function markdown(place: string, page: string): Promise<string> {
    return (await ask('GET', `${place}/content/page/${page}?format=markdown`)).body.markdown
  }

  describe('life', () => {
    test('begins as a draft with a number of its own and the revision of the space', async () => {
      const { id } = await space()
      const { body: first } = await ask('POST', `/spaces/${id}/change-requests`)
      const { body: second } = await ask('POST', `/spaces/${id}/change-requests`, { subject: 'Second' })
      expect(first).toMatchObject({ number: 1, status: 'draft', subject: '', outdated: false })
      expect(second).toMatchObject({ number: 2, revision: first.revision, revisionInitial: first.revision })
      const byNumber = await ask('GET', `/spaces/${id}/change-requests/2`)
      expect(byNumber.body.id).toBe(second.id)
    })

    test('is listed by status, open ones by default, newest first', async () => {
      const { id } = await space()
      const requests = [await changeRequest(id), await changeRequest(id), await changeRequest(id)]
      await ask('PATCH', requests[0]!, { status: 'open' })
      await ask('PATCH', requests[1]!, { status: 'open' })
      const numbers = async (query: string) =>
        (await ask('GET', `/spaces/${id}/change-requests${query}`)).body.items.map(
          ({ number }: any) => number,
        )
      expect(await numbers('')).toEqual([2, 1])
      expect(await numbers('?status=draft')).toEqual([3])
      expect(await numbers('?status=all')).toEqual([3, 2, 1])
    })

    test('keeps its order, and its revisions theirs, when the clock goes back', async () => {
      const { id } = await space({ A: 'Text.' })
      const created = async (revision: string) =>
        (await ask('GET', `/spaces/${id}/revisions/${revision}`)).body.createdAt
      const first = await created((await ask('GET', `/spaces/${id}`)).body.revision)
      const earlier = await changeRequest(id)
      try {
        api.advance(-10_000)
        await changeRequest(id)
        await write(earlier, { operation: 'insert_page', document: { markdown: '# B' } })
        const second = (await ask('GET', earlier)).body.revision
        await ask('POST', `${earlier}/merge`)
        const third = (await ask('GET', `/spaces/${id}`)).body.revision
        expect(new Set([second, third]).size).toBe(2)
        const times = [first, await created(second), await created(third)]
        expect(times).toEqual(times.toSorted())
      } finally {
        api.advance(10_000)
      }
      const { items } = (await ask('GET', `/orgs/${organization}/change-requests?status=all`)).body
      const numbers = items.filter(({ space }: any) => space === id).map(({ number }: any) => number)
      expect(numbers).toEqual([3, 2, 1])
    })

    test('is found by contributor', async () => {
      const { id } = await space({ A: 'Text.' })
      const editor = await api.person('editor')
      await api.join(organization as never, editor, 'edit')
      const request = await changeRequest(id)
      await ask(
        'POST',
        `${request}/content`,
        { changes: [{ operation: 'insert_page', document: { markdown: '# B' } }] },
        editor,
      )
      const found = await ask('GET', `/spaces/${id}/change-requests?status=all&contributor=${editor.id}`)
      expect(found.body).toMatchObject({ count: 1, items: [{ createdBy: { id: admin.id } }] })
    })

    test('a merged one changes no more; an archived one is opened again', async () => {
      const { id, pages } = await space({ A: 'Text.' })
      const merged = await changeRequest(id)
      await write(merged, update(pages['A']!, 'New.'))
      await ask('POST', `${merged}/merge`)
      expect((await ask('PATCH', merged, { status: 'open' })).status).toBe(409)
      expect((await ask('POST', `${merged}/merge`)).status).toBe(409)
      expect((await ask('POST', `${merged}/content`, { changes: [update(pages['A']!, 'x')] })).status).toBe(
        409,
      )

      const archived = await changeRequest(id)
      await ask('PATCH', archived, { status: 'archived' })
      expect((await ask('POST', `${archived}/merge`)).status).toBe(409)
      expect((await ask('PATCH', archived, { status: 'draft' })).body.status).toBe('draft')
      expect((await ask('PATCH', archived, { status: 'merged' })).status).toBe(400)
    })
  })

  describe('content', () => {
    test('is private to the change request until it is merged', async () => {
      const { id, pages } = await space({ A: 'Before.' })
      const request = await changeRequest(id)
      await write(request, update(pages['A']!, 'After.'))
      expect(await markdown(request, pages['A']!)).toBe('After.')
      expect(await markdown(`/spaces/${id}`, pages['A']!)).toBe('Before.')
      const { body } = await ask('POST', `${request}/merge`)
      expect(body.result).toBe('merge')
      expect(await markdown(`/spaces/${id}`, pages['A']!)).toBe('After.')
      const revision = (await ask('GET', `/spaces/${id}/revisions/${body.revision}`)).body
      expect(revision).toMatchObject({ type: 'merge', mergedFrom: { id: request.split('/').at(-1) } })
    })

    test('answers exactly the Markdown that was sent', async () => {
      const text =
        '---\ndescription: "x"\n---\n\n# Títle  \r\n\r\n*  odd\tlist\n\n{% hint style="info" %}\nNo end\n\u0000'
      const { id, pages } = await space({ A: text })
      expect(await markdown(`/spaces/${id}`, pages['A']!)).toBe(text)
    })

    test('a batch is applied as a whole or not at all', async () => {
      const { id, pages } = await space({ A: 'Text.' })
      const request = await changeRequest(id)
      const before = (await ask('GET', request)).body.revision
      const answer = await ask('POST', `${request}/content`, {
        changes: [update(pages['A']!, 'Changed.'), { operation: 'delete_page', page: 'nothing' }],
      })
      expect(answer.status).toBe(400)
      expect(answer.body.error.message).toContain('Change 1')
      expect((await ask('GET', request)).body.revision).toBe(before)
      expect(await markdown(request, pages['A']!)).toBe('Text.')
    })

    test('pages of one batch name each other, and files, by their ref', async () => {
      const { id } = await space()
      const request = await changeRequest(id)
      const png =
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
      const { body } = await ask('POST', `${request}/content?compat=false`, {
        changes: [
          { operation: 'insert_files', files: [{ name: 'dot.png', ref: 'dot', base64: png }] },
          {
            operation: 'insert_page',
            title: 'Parent',
            ref: 'parent',
            document: { markdown: 'See [child](./child.md#x).' },
          },
          {
            operation: 'insert_page',
            title: 'Child',
            ref: 'child',
            into: 'parent',
            document: { markdown: '![dot](./dot) and [up](./parent)' },
          },
        ],
      })
      const [parent, child] = body.changes.map((change: any) => change.page.id)
      expect(await markdown(request, parent)).toBe('See [child](parent/child.md#x).')
      expect(await markdown(request, child)).toBe('![dot](../.gitbook/assets/dot.png) and [up](../parent.md)')
      expect(body.insertedFiles).toMatchObject([
        { ref: 'dot', name: 'dot.png', contentType: 'image/png', dimensions: { width: 1 } },
      ])
      const presented = (await ask('GET', `${request}/content/page/${child}?format=document`)).body
      expect(JSON.stringify(presented.document)).toContain(`"file":"${body.insertedFiles[0].id}"`)
    })

    test('a page that moves takes the links along that pointed to it', async () => {
      const { id, pages } = await space({ A: 'To [b](b.md "t").', B: 'To [a](a.md).', C: 'Nothing.' })
      const request = await changeRequest(id)
      await write(request, { operation: 'update_page', page: pages['B'], into: pages['C'], slug: 'bee' })
      expect(await markdown(request, pages['A']!)).toBe('To [b](c/bee.md "t").')
      expect(await markdown(request, pages['B']!)).toBe('To [a](../a.md).')
      expect((await ask('GET', `${request}/content/path/${encodeURIComponent('c/bee')}`)).body.id).toBe(
        pages['B'],
      )
    })

    test('a page is reverted', async () => {
      const { id, pages } = await space({ A: 'Before.', B: 'Gone soon.' })
      const request = await changeRequest(id)
      await write(request, update(pages['A']!, 'After.'), { operation: 'delete_page', page: pages['B'] })
      await write(
        request,
        { operation: 'revert_page', page: pages['A'] },
        { operation: 'revert_page', page: pages['B'] },
      )
      expect(await markdown(request, pages['A']!)).toBe('Before.')
      expect(await markdown(request, pages['B']!)).toBe('Gone soon.')
    })

    test('a taken slug and a page under itself are refused by name', async () => {
      const { id, pages } = await space({ A: 'x', B: 'y' })
      const request = await changeRequest(id)
      const taken = await ask('POST', `${request}/content`, {
        changes: [{ operation: 'insert_page', slug: 'a', document: { markdown: '' } }],
      })
      expect(taken.status).toBe(409)
      const inside = await ask('POST', `${request}/content`, {
        changes: [{ operation: 'update_page', page: pages['A'], into: pages['A'] }],
      })
      expect(inside.status).toBe(400)
      const unknown = await ask('POST', `${request}/content`, { changes: [{ operation: 'insert_pagee' }] })
      expect(unknown.body.error.message).toContain('body.changes[0]')
    })

    test('the metadata of a page goes into its front matter', async () => {
      const { id, pages } = await space({ A: '# A\n\nText.\n' })
      const request = await changeRequest(id)
      await write(request, {
        operation: 'update_page',
        page: pages['A'],
        description: 'Short',
        hidden: true,
        title: 'Alpha',
      })
      const page = (await ask('GET', `${request}/content/page/${pages['A']}`)).body
      expect(page).toMatchObject({ title: 'Alpha', description: 'Short', hidden: true })
      expect(page.markdown).toContain('# Alpha\n\nText.\n')
    })
  })

  describe('merge and update', () => {
    test('create revisions with parents on both branches', async () => {
      const { id, pages } = await space({ A: 'One.', B: 'Two.' })
      const headOf = async (place: string) => (await ask('GET', place)).body.revision as string
      const parentsOf = async (revision: string) =>
        (await ask('GET', `/spaces/${id}/revisions/${revision}`)).body.parents
      const [first, second] = [await changeRequest(id), await changeRequest(id)]
      await write(first, update(pages.A!, 'One of first.'))
      await write(second, update(pages.B!, 'Two of second.'))

      const met = [await headOf(`/spaces/${id}`), await headOf(first)]
      await ask('POST', `${first}/merge`)
      const merged = await headOf(`/spaces/${id}`)
      expect(await parentsOf(merged)).toEqual(met)

      const own = await headOf(second)
      await ask('POST', `${second}/update`)
      expect(await parentsOf(await headOf(second))).toEqual([own, merged])
    })

    test('two change requests on different pages both land', async () => {
      const { id, pages } = await space({ A: 'a', B: 'b' })
      const [first, second] = [await changeRequest(id), await changeRequest(id)]
      await write(first, update(pages['A']!, 'a1'))
      await write(second, update(pages['B']!, 'b1'))
      expect((await ask('POST', `${first}/merge`)).body.result).toBe('merge')
      expect((await ask('GET', second)).body.outdated).toBe(true)
      expect((await ask('POST', `${second}/merge`)).body.result).toBe('merge')
      expect(await markdown(`/spaces/${id}`, pages['A']!)).toBe('a1')
      expect(await markdown(`/spaces/${id}`, pages['B']!)).toBe('b1')
    })

    test('two merges at the same instant both land', async () => {
      const { id, pages } = await space({ A: 'a', B: 'b', C: 'c' })
      const requests = [await changeRequest(id), await changeRequest(id), await changeRequest(id)]
      for (const [index, name] of ['A', 'B', 'C'].entries())
        await write(requests[index]!, update(pages[name]!, `${name} new`))
      const answers = await Promise.all(requests.map((request) => ask('POST', `${request}/merge`)))
      expect(answers.map(({ body }) => body.result)).toEqual(['merge', 'merge', 'merge'])
      for (const name of ['A', 'B', 'C'])
        expect(await markdown(`/spaces/${id}`, pages[name]!)).toBe(`${name} new`)
    })

    test('the same block changed twice is a conflict that writes nothing', async () => {
      const { id, pages } = await space({ A: 'One.\n\nTwo.\n' })
      const [first, second] = [await changeRequest(id), await changeRequest(id)]
      await write(first, update(pages['A']!, 'One, ours.\n\nTwo.\n'))
      await write(second, update(pages['A']!, 'One, theirs.\n\nTwo.\n'))
      await ask('POST', `${first}/merge`)
      const head = (await ask('GET', `/spaces/${id}`)).body.revision
      const answer = await ask('POST', `${second}/merge`)
      expect(answer).toMatchObject({ status: 200, body: { result: 'conflicts' } })
      expect(answer.body.conflicts).toMatchObject([{ kind: 'block', page: pages['A'] }])
      expect((await ask('GET', `/spaces/${id}`)).body.revision).toBe(head)
      expect((await ask('GET', second)).body.status).toBe('draft')
    })

    test.each([
      ['ours', 'One, theirs.\n\nTwo.\n'],
      ['theirs', 'One, ours.\n\nTwo.\n'],
      ['text', 'One, both.\n\nTwo.\n'],
    ])('a conflict of an update is decided for %s and then merges', async (take, expected) => {
      const { id, pages } = await space({ A: 'One.\n\nTwo.\n' })
      const [first, second] = [await changeRequest(id), await changeRequest(id)]
      await write(first, update(pages['A']!, 'One, ours.\n\nTwo.\n'))
      await write(second, update(pages['A']!, 'One, theirs.\n\nTwo.\n'))
      await ask('POST', `${first}/merge`)
      const updated = await ask('POST', `${second}/update`)
      expect(updated.body.result).toBe('conflicts')
      expect(await markdown(second, pages['A']!)).toBe('One, theirs.\n\nTwo.\n')
      expect((await ask('GET', second)).body).toMatchObject({ conflicts: 1, outdated: false })
      expect((await ask('POST', `${second}/merge`)).body.result).toBe('conflicts')

      const { conflicts } = (await ask('GET', `${second}/conflicts`)).body
      const resolved = await ask('POST', `${second}/conflicts`, {
        resolutions: [{ id: conflicts[0].id, take, ...(take === 'text' && { text: 'One, both.' }) }],
      })
      expect(resolved.body.conflicts, resolved.text).toBe(0)
      expect((await ask('POST', `${second}/merge`)).body.result).toBe('merge')
      expect((await markdown(`/spaces/${id}`, pages['A']!)).trim()).toBe(expected.trim())
    })

    test('an update with a strategy settles every conflict for one side', async () => {
      const { id, pages } = await space({ A: 'One.' })
      const [first, second] = [await changeRequest(id), await changeRequest(id)]
      await write(first, update(pages['A']!, 'Space.'))
      await write(second, update(pages['A']!, 'Change request.'))
      await ask('POST', `${first}/merge`)
      const updated = await ask('POST', `${second}/update`, { strategy: 'primary' })
      expect(updated.body).toMatchObject({
        result: 'update',
        settled: [
          { kind: 'block', page: pages['A'], base: 'One.', ours: 'Change request.', theirs: 'Space.' },
        ],
      })
      expect(await markdown(second, pages['A']!)).toBe('Space.')
      expect((await ask('GET', second)).body.conflicts).toBe(0)
    })

    test('settling for one side deletes nothing that neither side deleted', async () => {
      const { id, pages } = await space({ A: '- one\n\nA paragraph between.\n\n- two\n' })
      const [first, second] = [await changeRequest(id), await changeRequest(id)]
      await write(first, update(pages['A']!, 'Something else.\n\nA paragraph between.\n\n- two\n'))
      await write(second, update(pages['A']!, '- one\n\n- two\n'))
      await ask('POST', `${first}/merge`)
      await ask('POST', `${second}/update`, { strategy: 'primary' })
      expect((await ask('POST', `${second}/merge`)).body.result).toBe('merge')
      expect(await markdown(`/spaces/${id}`, pages['A']!)).toContain('- two')
    })

    test('merge, update and the list name a conflict alike, with the change request as ours', async () => {
      const { id, pages } = await space({ A: 'One.', B: 'x', C: 'y' })
      const [first, second] = [await changeRequest(id), await changeRequest(id)]
      const under = (page: string, into: string) => ({
        operation: 'update_page',
        page: pages[page],
        into: pages[into],
      })
      await write(first, update(pages['A']!, 'Space.'), under('B', 'C'))
      await write(second, update(pages['A']!, 'Change request.'), under('C', 'B'))
      await ask('POST', `${first}/merge`)
      const presented = ({ conflicts }: { conflicts: any[] }) =>
        conflicts
          .map(({ id, kind, ours, theirs }) => ({ id, kind, ours, theirs }))
          .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      const merge = presented((await ask('POST', `${second}/merge`)).body)
      expect(presented((await ask('POST', `${second}/update`)).body)).toEqual(merge)
      expect(presented((await ask('GET', `${second}/conflicts`)).body)).toEqual(merge)
      expect(merge.find(({ kind }) => kind === 'block')).toMatchObject({
        ours: 'Change request.',
        theirs: 'Space.',
      })

      // Neither own words for a place nor a side that is not followed.
      const place = merge.find(({ kind }) => kind === 'member')!
      const answer = (resolution: object) => ask('POST', `${second}/conflicts`, { resolutions: [resolution] })
      const refused = await answer({ id: place.id, take: 'text', text: pages['A'] })
      expect(refused).toMatchObject({ status: 400 })
      expect(refused.body.error.message).toContain('only blocks and titles')
      expect((await answer({ id: place.id, take: 'theirs' })).body.conflicts).toBe(1)
      expect((await ask('GET', `${second}/content/page/${pages['B']}`)).body.path).toContain('c/')
    })

    test('a page that was deleted meanwhile is a conflict, and the changed text stays reachable', async () => {
      const { id, pages } = await space({ A: 'One.', B: 'Two.' })
      const [first, second] = [await changeRequest(id), await changeRequest(id)]
      await write(first, { operation: 'delete_page', page: pages['A'] })
      await write(second, update(pages['A']!, 'Changed.'))
      await ask('POST', `${first}/merge`)
      const answer = await ask('POST', `${second}/merge`)
      expect(answer.body).toMatchObject({
        result: 'conflicts',
        conflicts: [{ kind: 'page', page: pages['A'] }],
      })
      const { revision } = (await ask('GET', second)).body
      expect(
        (await ask('GET', `/spaces/${id}/revisions/${revision}/page/${pages['A']}?format=markdown`)).body
          .markdown,
      ).toBe('Changed.')
    })

    test('a new link to a page that moved meanwhile points to its new place', async () => {
      const { id, pages } = await space({ A: 'Text.', B: 'Target.', C: 'Folder.' })
      const [first, second] = [await changeRequest(id), await changeRequest(id)]
      await write(first, { operation: 'update_page', page: pages['B'], into: pages['C'] })
      await write(second, update(pages['A']!, 'Text with [a link](b.md).'))
      await ask('POST', `${first}/merge`)
      await ask('POST', `${second}/merge`)
      expect(await markdown(`/spaces/${id}`, pages['A']!)).toBe('Text with [a link](c/b.md).')
    })

    test('rolling back makes an earlier revision current again, as a new one', async () => {
      const { id, pages } = await space({ A: 'Before.' })
      const before = (await ask('GET', `/spaces/${id}`)).body.revision
      const request = await changeRequest(id)
      await write(request, update(pages['A']!, 'After.'))
      await ask('POST', `${request}/merge`)
      const rolled = await ask('POST', `/spaces/${id}/revisions/${before}/rollback`)
      expect(rolled).toMatchObject({ status: 201, body: { type: 'rollback' } })
      expect(await markdown(`/spaces/${id}`, pages['A']!)).toBe('Before.')
    })
  })

  describe('permission', () => {
    test('readers may not write, editors may not merge, outsiders see nothing', async () => {
      const { id, pages } = await space({ A: 'Text.' })
      const [reader, editor, stranger] = [await api.person('r'), await api.person('e'), await api.person('s')]
      await api.join(organization as never, reader, 'read')
      await api.join(organization as never, editor, 'edit')
      const request = await changeRequest(id)
      await write(request, update(pages['A']!, 'New.'))
      expect((await ask('GET', request, undefined, reader)).status).toBe(200)
      expect(
        (await ask('POST', `${request}/content`, { changes: [update(pages['A']!, 'x')] }, reader)).status,
      ).toBe(403)
      expect((await ask('POST', `${request}/merge`, undefined, editor)).status).toBe(403)
      expect((await ask('GET', request, undefined, stranger)).status).toBe(404)
      expect((await ask('POST', `${request}/merge`, undefined, stranger)).status).toBe(404)
      expect((await ask('GET', request, undefined, null)).status).toBe(401)
    })

    test('each says what its reader may do with it now', async () => {
      const { id } = await space({ Start: 'Words.' })
      const request = await changeRequest(id)
      const people = { read: 'rita', comment: 'carl', edit: 'edna', review: 'rolf' } as const
      const permissionsOf = async (who: Person, list: string) => {
        const one = (await ask('GET', request, undefined, who)).body
        const { items } = (await ask('GET', list, undefined, who)).body
        expect(items.find((item: any) => item.id === one.id).permissions).toEqual(one.permissions)
        return Object.keys(one.permissions).filter((name) => one.permissions[name])
      }
      const levels = {
        read: ['view'],
        comment: ['view', 'comment'],
        edit: ['view', 'comment', 'edit', 'update'],
        review: ['view', 'comment', 'edit', 'update', 'review', 'merge'],
      }
      for (const [role, name] of Object.entries(people)) {
        const person = await api.person(`${name} of permissions`)
        await api.join(organization as never, person, role as never)
        const expected = levels[role as keyof typeof levels]
        const all = '?status=all&limit=1000'
        expect(await permissionsOf(person, `/spaces/${id}/change-requests${all}`), role).toEqual(expected)
        expect(await permissionsOf(person, `/orgs/${organization}/change-requests${all}`), role).toEqual(
          expected,
        )
      }
      await ask('PATCH', request, { status: 'archived' })
      expect(await permissionsOf(admin, `/spaces/${id}/change-requests?status=archived`)).toEqual([
        'view',
        'comment',
        'update',
      ])
    })

    test('a change request of another space is not found', async () => {
      const [one, other] = [await space(), await space()]
      const request = await changeRequest(one.id)
      expect((await ask('GET', request)).status).toBe(200)
      expect((await ask('GET', request.replace(one.id, other.id))).status).toBe(404)
    })

    test('live edits take an unlocked space', async () => {
      const { id, pages } = await space({ A: 'Text.' })
      const changes = [update(pages['A']!, 'Live.')]
      expect((await ask('POST', `/spaces/${id}/content`, { changes })).status).toBe(403)
      await ask('PATCH', `/spaces/${id}`, { editMode: 'live' })
      expect((await ask('POST', `/spaces/${id}/content`, { changes })).status).toBe(200)
      expect(await markdown(`/spaces/${id}`, pages['A']!)).toBe('Live.')
    })
  })
})
