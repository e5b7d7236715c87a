/** Comments on words and suggestions over HTTP: followed through edits, merges and restores, and applied. */
import { beforeAll, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import type { Role } from '../../contract/shapes.js'
import { listViolations } from '../../store/db/invariants.js'
import { createSeededRandom } from '../../../dev/fuzz/random.js'
import { describeEngines } from '../../../tests/engines.js'
import { type Person, type TestClient, openTestClient } from '../../../tests/test-client.js'

const text = '# Start\n\nThe **quick** brown fox jumps.\n\n* one item\n* two items\n\nLast words.\n'

describeEngines('comments on words', (engine) => {
  let api: TestClient
  let organization: OrganizationId
  const people: Record<string, Person> = {}
  let admin: Person

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    admin = await api.person('admin')
    organization = await api.organization(admin)
    for (const role of ['read', 'comment', 'edit'] satisfies Role[]) {
      people[role] = await api.person(role)
      await api.join(organization, people[role], role)
    }
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
  async function newSpace(markdown = text) {
    const { id } = await make('POST', `/orgs/${organization}/spaces`, { editMode: 'live', empty: true })
    const space = `/spaces/${id}`
    const changes = [{ operation: 'insert_page', document: { markdown } }]
    const page: string = (await make('POST', `${space}/content?compat=false`, { changes })).changes[0].page.id
    const request = `${space}/change-requests/${(await make('POST', `${space}/change-requests`)).number}`
    return { space, page, request }
  }
  const write = (place: string, page: string, markdown: string) =>
    make('POST', `${place}/content`, {
      changes: [{ operation: 'update_page', page, document: { markdown } }],
    })
  const read = async (place: string, page: string) =>
    (await make('GET', `${place}/content/page/${page}/text`)).text as string
  const post = (place: string, target: object, person = admin) =>
    make('POST', `${place}/comments`, { body: { markdown: 'A note' }, ...target }, person)
  const target = async (place: string, id: string) => (await make('GET', `${place}/comments/${id}`)).target

  test('name a range of a block, or words that are quoted', async () => {
    const { space, page } = await newSpace()
    const made = await post(space, { page, node: '0', range: { start: 4, end: 15 } })
    expect(made.target.node).toEqual({
      id: '0',
      preview: 'The quick brown fox jumps.',
      range: { start: 4, end: 15 },
      words: 'quick brown',
      before: 'The ',
      after: ' fox jumps.',
      occurrence: 0,
    })
    const quoted = await post(space, { page, quote: { words: 'item', before: 'two ' } })
    expect(quoted.target.node).toMatchObject({ id: '1.1.0', range: { start: 4, end: 8 }, words: 'item' })
    for (const [body, words] of [
      [{ page, node: '0', range: { start: 4, end: 90 } }, 'at most 26'],
      [{ page, node: '0', range: { start: 4, end: 4 } }, 'greater "end"'],
      [{ page, range: { start: 4, end: 5 } }, '"node"'],
      [{ quote: { words: 'item' } }, '"page"'],
      [{ page, node: '0', quote: { words: 'item' } }, '"quote"'],
      [{ page, quote: { words: 'nowhere' } }, '"quote"'],
      [{ page, node: '1', range: { start: 0, end: 1 } }, '"node"'],
      [{ page, node: '0', suggestion: { replacement: 'x' } }, '"suggestion"'],
      [{ page, quote: { words: 'one' }, suggestion: { replacement: 'a\n\nb' } }, '"suggestion.replacement"'],
    ] as const)
      expect(await refuse(400, 'POST', `${space}/comments`, { body: { markdown: 'x' }, ...body })).toContain(
        words,
      )
  })

  test('follow their words through edits, a merge and a restore, and say when they are gone', async () => {
    const { space, page, request } = await newSpace()
    const { id } = await post(request, { page, quote: { words: 'quick brown' } })
    await write(
      request,
      page,
      text.replace('The **quick**', 'Look: the very **quick** and').replace('one', '1'),
    )
    expect((await target(request, id)).node).toMatchObject({
      words: 'quick and brown',
      before: 'Look: the very ',
    })
    await write(request, page, text.replace('The **quick** brown fox', 'A fox'))
    const gone = await target(request, id)
    expect(gone.node).toEqual({ id: '0', preview: expect.any(String), words: 'quick brown', removed: true })
    expect(gone.page.outdated).toBe(false)
    await write(request, page, '# Start\n\nOther.\n')
    expect(await target(request, id)).toMatchObject({ node: { removed: true, words: 'quick brown' } })
    // Back in another block, moved behind a new one.
    await write(request, page, '# Start\n\nNew.\n\nOther.\n\n> The **quick** brown fox jumps.\n')
    expect((await target(request, id)).node).toMatchObject({
      words: 'quick brown',
      range: { start: 4, end: 15 },
    })
    await make('POST', `${request}/merge`)
    expect((await target(space, id)).node).toMatchObject({ words: 'quick brown' })
    await write(space, page, '# Start\n\nNew.\n\nThe **quick** brown fox jumps high.\n')
    expect((await target(space, id)).node).toMatchObject({ words: 'quick brown' })
  })

  test('a suggestion is applied as one revision, in the name of both', async () => {
    const { space, page, request } = await newSpace()
    const suggestion = { replacement: 'quick red' }
    const made = await post(request, { page, quote: { words: 'quick brown' }, suggestion }, people['comment'])
    expect(made.suggestion).toEqual({ ...suggestion, words: 'quick brown', status: 'open' })
    expect(made.permissions).toMatchObject({ resolve: true, apply: false })
    await refuse(403, 'POST', `${request}/comments/${made.id}/apply`, undefined, people['comment'])
    await write(request, page, text.replace('The', 'A').replace('jumps', 'leaps'))
    const applied = await make('POST', `${request}/comments/${made.id}/apply`, undefined, people['edit'])
    expect(await read(request, page)).toContain('\nA **quick** red fox leaps.\n')
    expect(applied).toMatchObject({
      status: 'resolved',
      resolvedBy: { id: people['edit']!.id },
      suggestion: { status: 'applied', appliedBy: { id: people['edit']!.id } },
    })
    const [revision] = (await make('GET', `${request}/revisions`)).items
    expect(revision).toMatchObject({
      id: applied.suggestion.revision,
      createdBy: { id: people['edit']!.id },
      message: 'Apply a suggestion by comment',
    })
    const contributors = (await make('GET', `${request}/contributors`)).items
    const editors = contributors
      .filter((one: any) => one.actionType === 'edit')
      .map((one: any) => one.user.id)
    expect(editors).toEqual(expect.arrayContaining([people['edit']!.id, people['comment']!.id]))
    expect(await refuse(409, 'POST', `${request}/comments/${made.id}/apply`)).toContain('applied already')
    // Their author is no reviewer.
    await make('PATCH', `/orgs/${organization}/members/${people['comment']!.id}`, { role: 'review' })
    await make('POST', `${request}/reviews`, { status: 'approved' }, people['comment'])
    expect((await make('GET', `${request}/reviews`)).items).toMatchObject([{ contributor: true }])
    await make('PATCH', `/orgs/${organization}/members/${people['comment']!.id}`, { role: 'comment' })
    // Locked: the space has its own edit mode.
    await make('PATCH', space, { editMode: 'locked' })
    const other = await post(space, { page, quote: { words: 'fox' }, suggestion: { replacement: 'dog' } })
    await refuse(403, 'POST', `${space}/comments/${other.id}/apply`)
    await make('PATCH', space, { editMode: 'live' })
    await make('POST', `${space}/comments/${other.id}/apply`)
    expect(await read(space, page)).toContain('brown dog jumps')
  })

  test('one that no longer fits says so, and several are applied together or not at all', async () => {
    const { page, request } = await newSpace()
    const suggest = async (words: string, replacement: string): Promise<string> =>
      (await post(request, { page, quote: { words }, suggestion: { replacement } })).id
    const [brown, one, last] = [
      await suggest('brown', 'red'),
      await suggest('one item', 'an item'),
      await suggest('Last words.', ''),
    ]
    const status = async (id: string) => (await make('GET', `${request}/comments/${id}`)).suggestion.status
    await write(request, page, text.replace('brown', 'white'))
    expect(await status(brown)).toBe('outdated')
    expect(await refuse(409, 'POST', `${request}/comments/${brown}/apply`)).toContain('were removed')
    const all = { comments: [one, brown] }
    await refuse(409, 'POST', `${request}/comments/apply`, all)
    expect(await status(one)).toBe('open')
    const touching = await suggest('items', 'things')
    const same = await suggest('items', 'pieces')
    await refuse(409, 'POST', `${request}/comments/apply`, { comments: [touching, same] })
    await refuse(400, 'POST', `${request}/comments/apply`, { comments: ['nobody'] })
    const plain = (await post(request, { page })).id
    await refuse(400, 'POST', `${request}/comments/apply`, { comments: [plain] })
    const done = await make('POST', `${request}/comments/apply`, { comments: [last, touching, one, one] })
    expect(done.items.map((item: any) => item.suggestion)).toMatchObject(
      [1, 2, 3].map(() => ({ status: 'applied', revision: done.revision })),
    )
    expect(await read(request, page)).toBe(
      text
        .replace('brown', 'white')
        .replace('one', 'an')
        .replace('items', 'things')
        .replace('\nLast words.\n', '\n')
        .trimEnd() + '\n\n',
    )
    await make('PUT', `${request}/comments/${same}`, { resolved: true })
    expect(await status(same)).toBe('dismissed')
    await refuse(409, 'POST', `${request}/comments/${same}/apply`)
    expect(await listViolations(api.services.database.read)).toEqual([])
  })

  test('two people who apply one suggestion at once apply it once', async () => {
    const { page, request } = await newSpace()
    const made = await post(request, { page, quote: { words: 'fox' }, suggestion: { replacement: 'foxfox' } })
    const path = `${request}/comments/${made.id}`
    const answers = await Promise.all([
      api.request(admin, 'POST', `${path}/apply`),
      api.request(people['edit']!, 'POST', `${path}/apply`),
      api.request(admin, 'POST', `${request}/comments/apply`, { comments: [made.id] }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await read(request, page)).toContain('brown foxfox jumps')
    // With its removal, its page's and its change request's.
    for (const remove of [
      () => api.request(admin, 'DELETE', path),
      () => api.request(admin, 'PATCH', request, { status: 'archived' }),
    ]) {
      const next = await post(request, { page, quote: { words: 'one' }, suggestion: { replacement: '1' } })
      const [applied] = await Promise.all([
        api.request(admin, 'POST', `${request}/comments/${next.id}/apply`),
        remove(),
      ])
      expect([200, 404, 409]).toContain(applied.status)
      await write(request, page, text).catch(() => undefined)
    }
    expect(await listViolations(api.services.database.read)).toEqual([])
  })

  test('every comment is on its words or says that they are gone, through many edits', async () => {
    const edits = Number(process.env['OCTAVO_COMMENT_EDITS'] ?? 40)
    const random = createSeededRandom(7)
    // Words with a number are unique, and unlike each other: a similar one would be a correction.
    const common = ['the', 'and', 'of', 'is']
    let next = 0
    const letters = () =>
      Array.from({ length: 8 }, () => random.pick([...'abcdefghijklmnopqrstuvwxyz'])).join('')
    const word = () => (random.percent(30) ? random.pick(common) : `${letters()}${next++}`)
    const paragraph = () => Array.from({ length: 6 + random.below(8) }, word)
    let blocks = Array.from({ length: 6 }, paragraph)
    const format = () => `# Page\n\n${blocks.map((block) => block.join(' ')).join('\n\n')}\n`
    const { page, request } = await newSpace(format())
    const comments: { readonly id: string; words: readonly string[] }[] = []
    for (let edit = 0; edit < edits; edit++) {
      if (comments.length < 12 || random.percent(10)) {
        const block = random.pick(blocks)
        const start = random.below(block.length)
        const words = block.slice(start, start + 1 + random.below(4))
        const own = words.filter((one) => /\d/.test(one))
        const before = block.slice(0, start).join(' ')
        if (own.length * 2 > words.length) {
          const quote = { words: words.join(' '), before: before === '' ? '' : `${before} ` }
          const made = await post(request, { page, quote })
          expect(made.target.node.words).toBe(quote.words)
          comments.push({ id: made.id, words: own })
        }
      }
      const at = random.below(blocks.length)
      const block = blocks[at]!
      const index = random.below(block.length)
      switch (random.below(8)) {
        case 0:
          blocks = blocks.with(at, block.toSpliced(index, 1 + random.below(3)))
          break
        case 1:
          blocks = blocks.with(at, block.toSpliced(index, 0, word(), word()))
          break
        case 2:
          blocks = blocks.with(at, block.with(index, word()))
          break
        case 3:
          blocks = blocks.toSpliced(at, 1).toSpliced(random.below(blocks.length), 0, block)
          break
        case 4:
          blocks = blocks.toSpliced(at, 0, paragraph())
          break
        case 5:
          blocks = blocks.toSpliced(at, 1, block.slice(0, index), block.slice(index))
          break
        case 6:
          if (blocks.length > 4) blocks = blocks.toSpliced(at, 1)
          break
        case 7:
          if (at > 0) blocks = blocks.toSpliced(at - 1, 2, [...blocks[at - 1]!, ...block])
      }
      blocks = blocks.filter((one) => one.length > 0)
      if (blocks.length === 0) blocks = [paragraph()]
      await write(request, page, format())
      const isLast = edit === edits - 1
      if (!isLast && edit % 10 !== 9) continue
      const all: any[] = []
      for (let cursor = ''; ;) {
        const list = await make('GET', `${request}/comments?limit=100${cursor}`)
        all.push(...list.items)
        if (list.next === undefined) break
        cursor = `&page=${encodeURIComponent(list.next.page)}`
      }
      const lines = blocks.map((one) => one.join(' '))
      for (const { id, words } of comments) {
        const { node } = all.find((one) => one.id === id).target
        if (node.removed === true) continue
        // In the text as it is, with at least one of its own words, and nothing of it beside.
        const line =
          lines.find(
            (one) => one.startsWith(node.before) && one.includes(`${node.before}${node.words}${node.after}`),
          ) ?? lines.find((one) => one.includes(`${node.before}${node.words}${node.after}`))
        expect(line, JSON.stringify(node)).toBeDefined()
        expect(
          words.some((one) => node.words.split(' ').includes(one)),
          `${words} in ${node.words}`,
        ).toBe(true)
      }
      // Words that nobody touched are not declared removed.
      for (const { id, words } of comments) {
        const { node } = all.find((one) => one.id === id).target
        const isWhole = lines.some((line) => words.every((one) => line.split(' ').includes(one)))
        if (isWhole && node.removed === true) missed++
      }
      counted += comments.length
    }
    // A block that is divided, moved and rewritten at once may lose a comment: few do.
    expect(missed).toBeLessThanOrEqual(counted * 0.1)
  })
  let [missed, counted] = [0, 0]
})
