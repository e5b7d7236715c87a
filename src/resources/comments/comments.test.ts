/** Comments over HTTP: on a space and in a change request, on pages and blocks, tracked through edits. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import type { Role } from '../../contract/shapes.js'
import { listViolations } from '../../store/db/invariants.js'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'

const text = '# Start\n\nFirst words.\n\n* one\n* two\n\nLast words.\n'

describeEngines('comments', (engine) => {
  let api: TestClient
  let organization: OrganizationId
  const people: Record<string, Person> = {}
  let admin: Person

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    admin = await api.person('admin')
    organization = await api.organization(admin)
    for (const role of ['read', 'comment', 'edit', 'create'] satisfies Role[]) {
      people[role] = await api.person(role)
      await api.join(organization, people[role], role)
    }
    people['other'] = await api.person('other')
    await api.join(organization, people['other'], 'comment')
  })

  async function make(method: string, path: string, body?: unknown, person = admin): Promise<any> {
    const answer = await api.request(person, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  async function refuse(status: number, method: string, path: string, body?: unknown, person = admin) {
    const answer = await api.request(person, method, path, body)
    expect(answer.status, answer.text).toBe(status)
    return answer.body.error.message as string
  }
  /** A space with one page, and a change request in it. */
  async function newSpace() {
    const { id } = await make('POST', `/orgs/${organization}/spaces`, { editMode: 'live', empty: true })
    const space = `/spaces/${id}`
    const page = await insert(space, text)
    const request = `${space}/change-requests/${(await make('POST', `${space}/change-requests`)).number}`
    return { space, page, request }
  }
  async function insert(place: string, markdown: string): Promise<string> {
    const changes = [{ operation: 'insert_page', document: { markdown } }]
    return (await make('POST', `${place}/content?compat=false`, { changes })).changes[0].page.id
  }
  const write = (place: string, page: string, markdown: string) =>
    make('POST', `${place}/content`, {
      changes: [{ operation: 'update_page', page, document: { markdown } }],
    })
  const post = (place: string, markdown: string, target: object = {}, person = admin) =>
    make('POST', `${place}/comments`, { body: { markdown }, ...target }, person)
  const bodies = async (path: string) =>
    (await make('GET', path)).items.map((item: any) => item.body.markdown)

  async function expectWhole(): Promise<void> {
    expect(await listViolations(api.services.database.read)).toEqual([])
  }

  test('contain author, target and the permissions of the reader', async () => {
    const { space, page } = await newSpace()
    const made = await post(space, 'Why?', { page }, people['comment'])
    expect(made).toMatchObject({
      object: 'comment',
      postedBy: { id: people['comment']!.id },
      body: { markdown: 'Why?' },
      replies: 0,
      repliers: [],
      reactions: [],
      status: 'open',
      target: {
        space: space.split('/')[2],
        page: { id: page, title: 'Start', path: 'start', outdated: false },
      },
      urls: { location: `http://octavo.test/v1${space}/comments/${made.id}` },
      permissions: { view: true, edit: true, reply: true, delete: true },
    })
    const read = async (name: string) =>
      (await make('GET', `${space}/comments/${made.id}`, undefined, people[name])).permissions
    const none = { view: true, edit: false, reply: false, delete: false, resolve: false, apply: false }
    expect(await read('read')).toEqual(none)
    expect(await read('other')).toEqual({ ...none, reply: true })
    expect(await read('create')).toEqual({ ...none, reply: true, delete: true, resolve: true, apply: true })
    expect((await make('GET', space)).comments).toBe(1)
  })

  test('answer their words as Markdown or as a document', async () => {
    const { space } = await newSpace()
    const { id } = await post(space, '**Bold** words')
    const { body } = await make('GET', `${space}/comments/${id}?format=document`)
    expect(body.document).toMatchObject({ object: 'document', nodes: [{ type: 'paragraph' }] })
    expect(body).not.toHaveProperty('markdown')
    expect((await make('GET', `${space}/comments`)).items[0].body).toEqual({ markdown: '**Bold** words' })
  })

  test('are listed newest first, by status, page and authors, to the end', async () => {
    const { space, page } = await newSpace()
    const first = await post(space, 'one', { page })
    await post(space, 'two', {}, people['comment'])
    await post(space, 'three', { page }, people['other'])
    await make('PUT', `${space}/comments/${first.id}`, { resolved: true })
    expect(await bodies(`${space}/comments`)).toEqual(['three', 'two', 'one'])
    expect(await bodies(`${space}/comments?order=asc`)).toEqual(['one', 'two', 'three'])
    expect(await bodies(`${space}/comments?status=open`)).toEqual(['three', 'two'])
    expect(await bodies(`${space}/comments?status=resolved`)).toEqual(['one'])
    expect(await bodies(`${space}/comments?targetPage=${page}`)).toEqual(['three', 'one'])
    const authors = `authors=${people['other']!.id}&authors=${admin.id}`
    expect(await bodies(`${space}/comments?${authors}`)).toEqual(['three', 'one'])
    const { items, next, count } = await make('GET', `${space}/comments?limit=2`)
    expect([items.length, count]).toEqual([2, 3])
    expect(await bodies(`${space}/comments?limit=2&page=${next.page}`)).toEqual(['one'])
    expect((await make('GET', space)).comments).toBe(2)
  })

  test.each([
    [{ body: {} }, 'body.body'],
    [{ body: { markdown: '' } }, 'markdown'],
    [{ body: { markdown: ' \n' } }, 'markdown'],
    [{ body: { markdown: 'x'.repeat(10_001) } }, 'markdown'],
    [{ body: { markdown: 'x' }, node: '0' }, '"page"'],
    [{ body: { markdown: 'x' }, page: 'nothing' }, '"page"'],
  ])('refuse %j and name what is wrong', async (body, member) => {
    const { space } = await newSpace()
    expect(await refuse(400, 'POST', `${space}/comments`, body)).toContain(member)
    expect((await make('GET', space)).comments).toBe(0)
  })

  test('are posted by those who may comment, and seen by those who may read', async () => {
    const { space, request } = await newSpace()
    const stranger = await api.person('stranger')
    for (const place of [space, request]) {
      await refuse(403, 'POST', `${place}/comments`, { body: { markdown: 'x' } }, people['read'])
      const { id } = await post(place, 'x', {}, people['comment'])
      await make('GET', `${place}/comments/${id}`, undefined, people['read'])
      await refuse(404, 'GET', `${place}/comments/${id}`, undefined, stranger)
      await refuse(404, 'GET', `${place}/comments`, undefined, stranger)
      await refuse(403, 'PUT', `${place}/comments/${id}`, { addedReactions: ['1f44d'] }, people['read'])
      const reply = { body: { markdown: 'x' } }
      await refuse(403, 'POST', `${place}/comments/${id}/replies`, reply, people['read'])
    }
  })

  test('are edited by their author alone, resolved by editors, removed by author or administrator', async () => {
    const { space } = await newSpace()
    const { id } = await post(space, 'first', {}, people['comment'])
    const one = `${space}/comments/${id}`
    const change = { body: { markdown: 'second' } }
    for (const name of ['other', 'edit', 'create']) await refuse(403, 'PUT', one, change, people[name])
    await refuse(403, 'PUT', one, change)
    const edited = await make('PUT', one, change, people['comment'])
    expect(edited.body.markdown).toBe('second')
    expect(edited.editedAt).toBeDefined()

    await refuse(403, 'PUT', one, { resolved: true }, people['other'])
    const resolved = await make('PUT', one, { resolved: true }, people['edit'])
    expect(resolved).toMatchObject({ status: 'resolved', resolvedBy: { id: people['edit']!.id } })
    expect(resolved.resolvedAt).toBeDefined()
    const open = await make('PUT', one, { resolved: false }, people['comment'])
    expect(open.status).toBe('open')
    expect(open).not.toHaveProperty('resolvedAt')

    await refuse(403, 'DELETE', one, undefined, people['edit'])
    const removals = [people['comment'], people['comment']].map((person) =>
      api.request(person!, 'DELETE', one),
    )
    expect((await Promise.all(removals)).map(({ status }) => status).toSorted()).toEqual([204, 205])
    await refuse(404, 'GET', one)
    expect((await make('GET', space)).comments).toBe(0)
    await expectWhole()
  })

  test('a change that is refused in part is not made at all', async () => {
    const { space } = await newSpace()
    const { id } = await post(space, 'first', {}, people['comment'])
    const one = `${space}/comments/${id}`
    await refuse(403, 'PUT', one, { resolved: true, body: { markdown: 'x' } }, people['edit'])
    await refuse(400, 'PUT', one, { resolved: true, addedReactions: ['no'] }, people['edit'])
    expect(await make('GET', one)).toMatchObject({
      status: 'open',
      body: { markdown: 'first' },
      reactions: [],
    })
  })

  test('collect reactions, one of a kind from each person', async () => {
    const { space } = await newSpace()
    const { id } = await post(space, 'x')
    const one = `${space}/comments/${id}`
    await make('PUT', one, { addedReactions: ['👍', '1f44d', '❤️'] })
    await make('PUT', one, { addedReactions: ['1f44d'] }, people['other'])
    const { reactions } = await make('GET', one)
    expect(reactions.map(({ emoji, count }: any) => [emoji, count])).toEqual([
      ['1f44d', 2],
      ['2764', 1],
    ])
    expect(reactions[0].users.map(({ user }: any) => user.id)).toEqual([admin.id, people['other']!.id])
    await make('PUT', one, { removedReactions: ['❤', '👍'] })
    const left = (await make('GET', one)).reactions
    expect(left.map(({ emoji, count }: any) => [emoji, count])).toEqual([['1f44d', 1]])
    for (const wrong of ['a', 'ok', '61', '👍👍', '-', 'ffffffff'])
      expect(await refuse(400, 'PUT', one, { addedReactions: [wrong] })).toContain(wrong)
  })

  describe('replies', () => {
    test('are counted, listed oldest first, edited, reacted to and removed', async () => {
      const { space } = await newSpace()
      const { id } = await post(space, 'x')
      const replies = `${space}/comments/${id}/replies`
      const reply = (markdown: string, person: Person) =>
        make('POST', replies, { body: { markdown } }, person)
      const first = await reply('one', people['comment']!)
      await reply('two', people['other']!)
      await reply('three', people['comment']!)
      expect(first).toMatchObject({
        object: 'comment-reply',
        body: { markdown: 'one' },
        urls: { location: `http://octavo.test/v1${replies}/${first.id}` },
        permissions: { edit: true },
      })
      expect(await bodies(replies)).toEqual(['one', 'two', 'three'])
      const comment = await make('GET', `${space}/comments/${id}`)
      expect(comment.replies).toBe(3)
      expect(comment.repliers.map(({ user, count }: any) => [user.id, count])).toEqual([
        [people['comment']!.id, 2],
        [people['other']!.id, 1],
      ])
      const one = `${replies}/${first.id}`
      await refuse(403, 'PUT', one, { body: { markdown: 'x' } }, people['other'])
      await make('PUT', one, { body: { markdown: 'changed' }, addedReactions: ['🎉'] }, people['comment'])
      expect(await make('GET', one)).toMatchObject({
        body: { markdown: 'changed' },
        reactions: [{ emoji: '1f389', count: 1 }],
      })
      await refuse(403, 'DELETE', one, undefined, people['other'])
      const twice = [
        await api.request(people['comment']!, 'DELETE', one),
        await api.request(admin, 'DELETE', one),
      ]
      expect(twice.map(({ status }) => status)).toEqual([205, 204])
      expect(await bodies(replies)).toEqual(['two', 'three'])
      expect((await make('GET', space)).comments).toBe(1)
      expect(await bodies(`${space}/comments`)).toEqual(['x'])
      await expectWhole()
    })

    test('belong to their comment, and comments to their place', async () => {
      const { space, request } = await newSpace()
      const [one, other] = [await post(space, 'one'), await post(space, 'other')]
      const inRequest = await post(request, 'there')
      const body = { body: { markdown: 'x' } }
      const { id } = await make('POST', `${space}/comments/${one.id}/replies`, body)
      await refuse(404, 'GET', `${space}/comments/${other.id}/replies/${id}`)
      await refuse(404, 'GET', `${space}/comments/${id}`)
      await refuse(404, 'GET', `${space}/comments/${inRequest.id}`)
      await refuse(404, 'GET', `${request}/comments/${one.id}`)
      await refuse(404, 'POST', `${space}/comments/${id}/replies`, body)
    })
  })

  describe('on a block', () => {
    const put = async (place: string, page: string, node: string) => {
      const { id, target } = await post(place, 'x', { page, node })
      expect(target.page.outdated).toBe(false)
      return { seen: async () => (await make('GET', `${place}/comments/${id}`)).target, target }
    }

    test('name it by its key, and show its first words', async () => {
      const { space, page } = await newSpace()
      const { target } = await put(space, page, '1.1')
      expect(target.node).toEqual({ id: '1.1', preview: 'two' })
      for (const node of ['9', '1.7', 'constructor'])
        expect(
          await refuse(400, 'POST', `${space}/comments`, { body: { markdown: 'x' }, page, node }),
        ).toContain('node')
    })

    test('follow it through edits, and say so once it is gone', async () => {
      const { space, page } = await newSpace()
      const { seen, target } = await put(space, page, '2')
      await write(space, page, `${text.replace('First words.', 'Zeroth words.\n\nFirst words.')}\nMore.\n`)
      const moved = await seen()
      expect(moved).toMatchObject({ node: { id: '3', preview: 'Last words.' }, page: { outdated: false } })
      expect(moved.revision).toBe((await make('GET', space)).revision)
      await write(space, page, text.replace('Last words', 'Very last words'))
      expect(await seen()).toMatchObject({ node: { id: '2' }, page: { outdated: false } })
      await write(space, page, '# Start\n\nFirst words.\n')
      expect(await seen()).toEqual({ ...target, page: { ...target.page, outdated: true } })
      await write(space, page, text)
      expect(await seen()).toMatchObject({ node: { id: '2' }, page: { outdated: false } })
    })

    describe('that is edited before its neighbour moves', () => {
      const [red, green, blue, redder] = [
        'Red apples fall far from old trees.',
        'Green leaves turn when autumn comes.',
        'Blue rivers run down to the sea.',
        'Ripe red fruit drops under its tree.',
      ]
      const written = (...paragraphs: readonly string[]) => `# Start\n\n${paragraphs.join('\n\n')}\n`
      const edit = async (place: string, page: string) => {
        await write(place, page, written(redder, green, blue))
        // Sooner, both would be one revision of a change request.
        api.advance(660_000)
        await write(place, page, written(green, redder, blue))
      }
      const moved = { node: { id: '1', preview: red }, page: { outdated: false } }

      test('stay with it, revision by revision', async () => {
        const { space, page, request } = await newSpace()
        for (const place of [space, request]) {
          await write(place, page, written(red, green, blue))
          const { seen } = await put(place, page, '0')
          await edit(place, page)
          expect(await seen()).toMatchObject(moved)
        }
      })

      test('stay with it through the change request that did so, and after it', async () => {
        const { space, page } = await newSpace()
        await write(space, page, written(red, green, blue))
        const early = await put(space, page, '0')
        const { number } = await make('POST', `${space}/change-requests`)
        const request = `${space}/change-requests/${number}`
        const [late, inRequest] = [await put(space, page, '0'), await put(request, page, '0')]
        await edit(request, page)
        const inside = await put(request, page, '1')
        await make('POST', `${request}/merge`)
        for (const { seen } of [early, late, inRequest]) expect(await seen()).toMatchObject(moved)
        await write(space, page, written(`${green} Really.`, redder, blue))
        await write(space, page, written(redder, blue, `${green} Really.`))
        const { items } = await make('GET', `${space}/comments?targetPage=${page}`)
        expect(items.map(({ target }: any) => [target.node.id, target.page.outdated])).toEqual(
          Array.from({ length: 4 }, () => ['0', false]),
        )
        expect((await inside.seen()).node.id).toBe('1')
      })
    })

    test('follow the page through a move and a new name, and say so once it is removed', async () => {
      const { space, page } = await newSpace()
      const { seen } = await put(space, page, '0')
      const other = await insert(space, '# Other\n')
      const change = (changes: object[]) => make('POST', `${space}/content`, { changes })
      await change([{ operation: 'update_page', page, into: other }])
      await change([{ operation: 'update_page', page, title: 'Renamed' }])
      const target = await seen()
      expect(target).toMatchObject({ node: { id: '0' }, page: { title: 'Renamed', outdated: false } })
      expect(target.page.path).toContain('other/')
      await change([{ operation: 'delete_page', page }])
      expect(await seen()).toMatchObject({
        node: { id: '0' },
        page: { id: page, title: 'Start', outdated: true },
      })
    })

    test('of a change request are on the space once it is merged, and follow the block there', async () => {
      const { space, page, request } = await newSpace()
      await write(request, page, text.replace('First', 'Added.\n\nFirst'))
      const { seen } = await put(request, page, '3')
      expect((await make('GET', request)).comments).toBe(1)
      expect((await make('GET', space)).comments).toBe(0)
      expect(await bodies(`${space}/comments`)).toEqual([])
      await write(space, page, text.replace('* one\n', ''))
      await make('POST', `${request}/merge`)
      const { items } = await make('GET', `${space}/comments`)
      expect(items).toHaveLength(1)
      expect(items[0].target).toMatchObject({ page: { outdated: false }, node: { id: '3' } })
      expect(items[0].target.changeRequest).toBe((await make('GET', request)).id)
      expect((await seen()).page.outdated).toBe(false)
      expect((await make('GET', space)).comments).toBe(1)
      await make('PUT', `${space}/comments/${items[0].id}`, { resolved: true })
      expect((await make('GET', space)).comments).toBe(0)
      expect((await make('GET', request)).comments).toBe(0)
      await expectWhole()
    })
  })

  test('of an archived change request remain and can still be posted', async () => {
    const { space, request } = await newSpace()
    await make('PATCH', request, { status: 'archived' })
    await post(request, 'Why not?')
    expect(await bodies(`${request}/comments`)).toEqual(['Why not?'])
    expect((await make('GET', space)).comments).toBe(0)
  })

  test('are not written in the trash, and go with the space', async () => {
    const { space } = await newSpace()
    const { id } = await post(space, 'x')
    await make('DELETE', space)
    await refuse(409, 'POST', `${space}/comments`, { body: { markdown: 'x' } })
    await refuse(409, 'PUT', `${space}/comments/${id}`, { resolved: true })
    await make('POST', `${space}/restore`)
    expect(await bodies(`${space}/comments`)).toEqual(['x'])
    expect((await make('POST', `${space}/duplicate`)).comments).toBe(0)
  })

  test('refer to the people whom they mention', async () => {
    const { space } = await newSpace()
    const { id } = people['read']!
    const { urls } = await make('GET', `/users/${id}`)
    const nodesOf = async (markdown: string) => {
      const comment = await post(space, markdown)
      const { body } = await make('GET', `${space}/comments/${comment.id}?format=document`)
      return body.document.nodes[0].nodes.filter((node: any) => node.object === 'inline')
    }
    const mention = { type: 'mention', data: { ref: { kind: 'user', user: id } } }
    expect(await nodesOf(`Ask [Rea](/users/${id} "mention")!`)).toMatchObject([mention])
    expect(await nodesOf(`Ask [Rea](${urls.location} "mention")!`)).toMatchObject([mention])
    const [link] = await nodesOf('See [them](https://elsewhere.test/users/x).')
    expect(link).toMatchObject({ type: 'link', data: { ref: { kind: 'url' } } })
  })

  describe('mention', () => {
    const named = async (place: string, person = admin, query = '') =>
      (await make('GET', `${place}/commenters?limit=100${query}`, undefined, person)).items.map(
        (item: any) => item.user.displayName,
      )

    test('people who may read the space, in the order they joined', async () => {
      const { space, request } = await newSpace()
      const listed = await named(space)
      expect(listed).toEqual(['admin', 'read', 'comment', 'edit', 'create', 'other'])
      expect(await named(request, people['read'])).toEqual(listed)
      expect(await named(space, admin, '&search=EAT')).toEqual(['create'])
      const hidden = await newSpace()
      await make('PATCH', hidden.space, { defaultLevel: null })
      await make('POST', `${hidden.space}/permissions`, { role: 'read', users: [people['edit']!.id] })
      expect(await named(hidden.space)).toEqual(['admin', 'edit'])
    })

    test('no one who has not accepted their invite, or is disabled', async () => {
      const { space } = await newSpace()
      const before = await named(space)
      await make('POST', `/orgs/${organization}/invites`, { emails: ['invited@octavo.test'], role: 'read' })
      expect(await named(space)).toEqual(before)
    })

    test('only themselves, when they are guests', async () => {
      const { space } = await newSpace()
      const guest = await api.person('guest')
      await api.join(organization, guest, null)
      await refuse(404, 'GET', `${space}/commenters`, undefined, guest)
      await make('POST', `${space}/permissions`, { role: 'comment', users: [guest.id] })
      expect(await named(space, guest)).toEqual(['guest'])
      expect(await named(space)).toContain('guest')
      await make('DELETE', `/orgs/${organization}/members/${guest.id}`)
    })
  })

  test('make their authors contributors, beside editors', async () => {
    const { space, request } = await newSpace()
    await insert(request, '# More\n')
    await insert(request, '# Again\n')
    const { id } = await post(request, 'Why?', {}, people['comment'])
    await make('POST', `${request}/comments/${id}/replies`, { body: { markdown: 'So!' } }, people['other'])
    await make('POST', `${request}/comments/${id}/replies`, { body: { markdown: 'No.' } }, people['comment'])
    const { items, count } = await make('GET', `${request}/contributors`, undefined, people['read'])
    expect(count).toBe(3)
    expect(items.map((one: any) => [one.user.displayName, one.actionType, one.count])).toEqual([
      ['comment', 'comment', 2],
      ['other', 'comment', 1],
      ['admin', 'edit', 2],
    ])
    const found = async (person: Person) =>
      (await make('GET', `${space}/change-requests?status=all&contributor=${person.id}`)).count
    expect(await found(people['comment']!)).toBe(1)
    expect(await found(admin)).toBe(1)
    expect(await found(people['edit']!)).toBe(0)
  })

  test('counters equal a recount after concurrent changes', async () => {
    const { space, page, request } = await newSpace()
    const made = await Promise.all(Array.from({ length: 4 }, (_, at) => post(request, `${at}`, { page })))
    const requests = [
      api.request(admin, 'POST', `${request}/merge`),
      ...made.flatMap(({ id }) => [
        api.request(admin, 'PUT', `${request}/comments/${id}`, { resolved: true }),
        api.request(admin, 'PUT', `${request}/comments/${id}`, { resolved: false }),
        api.request(admin, 'POST', `${request}/comments/${id}/replies`, { body: { markdown: 'x' } }),
      ]),
      api.request(admin, 'DELETE', `${request}/comments/${made[0].id}`),
      api.request(admin, 'POST', `${request}/comments`, { body: { markdown: 'late' } }),
      api.request(admin, 'POST', `${space}/comments`, { body: { markdown: 'there' } }),
    ]
    for (const { status, text: said } of await Promise.all(requests)) expect(status, said).toBeLessThan(500)
    await expectWhole()
    const { count } = await make('GET', `${space}/comments?status=open`)
    expect((await make('GET', space)).comments).toBe(count)
  })
})
