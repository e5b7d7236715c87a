/** The merge checklist over HTTP: each check passes, and says what is missing and where. */
import { beforeAll, expect, test } from 'vitest'
import type { MergeCheck, MergeCheckId, MergeChecks } from '../../contract/merge-checks.js'
import type { OrganizationId } from '../../core/ids.js'
import { type Person, type TestClient, openTestClient } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'

describeSqlite('the merge checklist', (engine) => {
  let api: TestClient
  let organization: OrganizationId
  let admin: Person
  let ann: Person
  let writer: Person

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    admin = await api.person('admin')
    organization = await api.organization(admin)
    ann = await api.person('Ann')
    writer = await api.person('Wim')
    await api.join(organization, ann, 'review')
    await api.join(organization, writer, 'edit')
  })

  async function make(method: string, path: string, body?: unknown, person = admin): Promise<any> {
    const answer = await api.request(person, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  const insert = (title: string, markdown: string) => ({
    operation: 'insert_page',
    title,
    document: { markdown },
  })
  /** A space with two pages, of which the first links to the second, and a change request of the writer. */
  async function newChange() {
    const { id } = await make('POST', `/orgs/${organization}/spaces`, { editMode: 'live' })
    const space = `/spaces/${id}`
    await make('POST', `${space}/content`, {
      changes: [
        insert('Start', '# Start\n\nGo to the [end](end.md).\n\nMore here.\n'),
        insert('End', '# End\n\n## Details\n\nThe end.\n'),
      ],
    })
    const { pages } = await make('GET', `${space}/content/pages`)
    const { number } = await make('POST', `${space}/change-requests`, { subject: 'Better' }, writer)
    const named = (title: string) => pages.find((page: any) => page.title === title).id as string
    return {
      space,
      change: `${space}/change-requests/${number}`,
      start: named('Start'),
      end: named('End'),
    }
  }
  const edit = (place: string, ...changes: object[]) => make('POST', `${place}/content`, { changes }, writer)
  const update = (page: string, markdown: string) => ({
    operation: 'update_page',
    page,
    document: { markdown },
  })
  const checksOf = (change: string, person = admin, query = '') =>
    make('GET', `${change}/checks${query}`, undefined, person) as Promise<MergeChecks>
  const find = ({ checks }: MergeChecks, id: MergeCheckId) => checks.find((one) => one.id === id)!
  const check = async (change: string, id: MergeCheckId, person = admin) =>
    find(await checksOf(change, person), id)

  test('passes where nothing is missing', async () => {
    const { change, end, space } = await newChange()
    expect(find(await checksOf(change), 'changes')).toMatchObject({ status: 'warning', blocking: false })
    await edit(change, update(end, '# End\n\n## Details\n\nThe very end.\n'))
    const all = await checksOf(change)
    const { revision } = await make('GET', change)
    const { revision: head } = await make('GET', space)
    expect(all).toMatchObject({
      object: 'change-request-checks',
      revision,
      spaceRevision: head,
      mergeable: true,
    })
    expect(all.checks.map(({ id, status }) => [id, status])).toEqual([
      ['changes', 'passed'],
      ['merge-rules', 'passed'],
      ['conflicts', 'passed'],
      ['up-to-date', 'passed'],
      ['links', 'passed'],
      ['alternative-texts', 'passed'],
      ['texts', 'passed'],
      ['comments', 'passed'],
    ])
    // Who may not merge is told so.
    expect(await checksOf(change, writer)).toMatchObject({ mergeable: false })
    await make('POST', `${change}/merge`)
    expect(await checksOf(change)).toMatchObject({ mergeable: false })
  })

  test('lists the merge rules with what is missing, by name', async () => {
    const { space, change, end } = await newChange()
    await edit(change, update(end, '# Other\n'))
    const rules = [
      { rule: 'require_change_request_subject' },
      { rule: 'require_specific_reviewers', users: [ann.id] },
      { rule: 'custom', expression: 'reviews.length > 4', message: 'five reviews' },
    ]
    await make('PATCH', space, { mergeRules: { type: 'rules', rules } })
    const all = await checksOf(change)
    expect(all.mergeable).toBe(false)
    expect(find(all, 'merge-rules')).toMatchObject({
      status: 'failed',
      blocking: true,
      summary: '2 merge rules are not met.',
      count: 3,
      items: [
        { rule: 'require_specific_reviewers', isMet: false, message: 'Missing: the approval of Ann.' },
        { rule: 'custom', isMet: false, message: 'Missing: five reviews.' },
        { rule: 'require_change_request_subject', isMet: true },
      ],
    })
    await make('POST', `${change}/reviews`, { status: 'approved' }, ann)
    expect((await check(change, 'merge-rules')).items.map((one) => one.isMet)).toEqual([false, true, true])

    const bypass = { rule: 'allow_bypass', users: [admin.id] }
    await make('PATCH', space, { mergeRules: { type: 'rules', rules: [...rules, bypass] } })
    expect(await checksOf(change)).toMatchObject({ mergeable: true })
    expect(await check(change, 'merge-rules')).toMatchObject({ status: 'warning', blocking: false })
    expect(await check(change, 'merge-rules', ann)).toMatchObject({ status: 'failed', blocking: true })
  })

  test('says what an update would bring, and finds conflicts before it', async () => {
    const { space, change, start, end } = await newChange()
    await edit(change, update(end, '# End\n\n## Details\n\nMy end.\n'))
    await make('POST', `${space}/content`, { changes: [update(start, '# Start\n\nAnother start.\n')] })
    let all = await checksOf(change)
    expect(all.mergeable).toBe(true)
    expect(find(all, 'conflicts').status).toBe('passed')
    expect(find(all, 'up-to-date')).toMatchObject({
      status: 'warning',
      blocking: false,
      count: 1,
      items: [{ page: { id: start, title: 'Start' }, message: expect.stringContaining('Start') }],
    })
    await make('PATCH', space, {
      mergeRules: { type: 'rules', rules: [{ rule: 'require_up_to_date_change_request' }] },
    })
    expect(await check(change, 'up-to-date')).toMatchObject({ status: 'failed', blocking: true })

    await make('POST', `${space}/content`, { changes: [update(end, '# End\n\n## Details\n\nTheir end.\n')] })
    all = await checksOf(change)
    expect(all.mergeable).toBe(false)
    const planned = find(all, 'conflicts')
    expect(planned).toMatchObject({
      status: 'failed',
      blocking: true,
      count: 1,
      items: [{ page: { id: end, title: 'End' } }],
    })
    await make('POST', `${change}/update`, {}, writer)
    const pending = await check(change, 'conflicts')
    expect(pending).toMatchObject({ status: 'failed', summary: '1 conflict is not resolved yet.' })
    // The same conflict, before the update and after it.
    expect(pending.items[0]!.conflict).toBe(planned.items[0]!.conflict)
    const { conflicts } = await make('GET', `${change}/conflicts`)
    expect(pending.items[0]!.conflict).toBe(conflicts[0].id)
    expect((await check(change, 'up-to-date')).status).toBe('passed')
  })

  test('finds the links that break: written ones, and those of pages that stay as they are', async () => {
    const { change, start, end } = await newChange()
    const { changes } = await make(
      'POST',
      `${change}/content?compat=false`,
      { changes: [insert('New', '# New\n\nSee [nothing](nothing.md) and [the end](end.md#nowhere).\n')] },
      writer,
    )
    const created = changes[0].page.id ?? changes[0].page
    let links = await check(change, 'links')
    expect(links).toMatchObject({ status: 'warning', blocking: false, count: 2 })
    expect(links.items).toMatchObject([
      { destination: 'nothing.md', line: 3, page: { id: created, title: 'New' } },
      { destination: 'end.md#nowhere', line: 3, page: { id: created } },
    ])
    await edit(change, { operation: 'delete_page', page: end })
    links = await check(change, 'links')
    expect(links.count).toBe(3)
    expect(links.items).toContainEqual({
      message: 'end.md leads nowhere.',
      destination: 'end.md',
      line: 3,
      page: { id: start, title: 'Start', path: 'start' },
    })
    // What was broken before is not the fault of this change.
    await edit(change, { operation: 'delete_page', page: created })
    await make('POST', `${change}/merge`)
    const { number } = await make('POST', change.replace(/\/\d+$/, ''), {}, writer)
    const next = change.replace(/\d+$/, String(number))
    await edit(next, update(start, '# Start\n\nGo to the [end](end.md) now.\n'))
    expect((await check(next, 'links')).status).toBe('passed')
  })

  test('finds images without alternative texts, and passages that cannot be read, in changed pages', async () => {
    const { change, end } = await newChange()
    await edit(
      change,
      update(
        end,
        '# End\n\n![](https://octavo.test/a.png)\n\n![A cat](https://octavo.test/b.png)\n\n{% hint %}\nOpen\n',
      ),
    )
    const all = await checksOf(change)
    expect(find(all, 'alternative-texts')).toMatchObject({
      status: 'warning',
      blocking: false,
      summary: '1 image of the changed pages has no alternative text.',
      items: [
        {
          destination: 'https://octavo.test/a.png',
          line: 3,
          page: { id: end, title: 'End', path: 'end' },
        },
      ],
    })
    const texts = find(all, 'texts')
    expect(texts).toMatchObject({ status: 'warning', blocking: false, count: 2 })
    expect(texts.items[0]).toMatchObject({ line: 7, page: { id: end } })
  })

  test('lists the open comments', async () => {
    const { change, end } = await newChange()
    await edit(change, update(end, '# End\n'))
    const post = (markdown: string, more = {}) =>
      make('POST', `${change}/comments`, { body: { markdown }, ...more }, ann)
    const { id } = await post('Why is\nthis so?', { page: end })
    const { id: other } = await post('x'.repeat(500))
    const comments = await check(change, 'comments')
    expect(comments).toMatchObject({ status: 'warning', blocking: false, count: 2 })
    expect(comments.items.find((one) => one.comment === id)).toMatchObject({
      message: 'Why is',
      page: { id: end },
    })
    expect(comments.items.find((one) => one.comment === other)!.message).toHaveLength(140)
    await make('PUT', `${change}/comments/${id}`, { resolved: true }, ann)
    await make('PUT', `${change}/comments/${other}`, { resolved: true }, ann)
    expect((await check(change, 'comments')).status).toBe('passed')
  })

  test('pages through the items of one check, of one content also while it is edited', async () => {
    const { change, end } = await newChange()
    const images = Array.from({ length: 7 }, (_, at) => `![](https://octavo.test/${at}.png)\n`)
    await edit(change, update(end, `# End\n\n${images.join('\n')}`))
    const short = find(await checksOf(change, admin, '?limit=2'), 'alternative-texts')
    expect([short.items.length, short.count, short.more]).toEqual([2, 7, 5])
    const seen: string[] = []
    let page: string | undefined
    do {
      const query = `limit=3${page === undefined ? '' : `&page=${page}`}`
      const part: MergeCheck = await make('GET', `${change}/checks/alternative-texts?${query}`)
      seen.push(...part.items.map((one) => one.destination!))
      page = part.next?.page
      await edit(change, update(end, `# End\n\nNothing more, ${seen.length}.\n`))
    } while (page !== undefined)
    expect(seen).toEqual(images.map((_, at) => `https://octavo.test/${at}.png`))

    for (let at = 0; at < 3; at += 1)
      await make('POST', `${change}/comments`, { body: { markdown: `Number ${at}` } }, ann)
    const first: MergeCheck = await make('GET', `${change}/checks/comments?limit=2`)
    expect([first.items.length, first.more]).toEqual([2, 1])
    const rest: MergeCheck = await make('GET', `${change}/checks/comments?limit=2&page=${first.next!.page}`)
    expect(rest.items.map(({ message }) => message)).toEqual(['Number 2'])
  })

  test('checks very many texts in several requests', async () => {
    const { change } = await newChange()
    for (let batch = 0; batch < 5; batch += 1)
      await edit(
        change,
        ...Array.from({ length: 50 }, (_, at) => insert(`P ${batch} ${at}`, `# P ${batch} ${at}\n`)),
      )
    expect(await check(change, 'alternative-texts')).toMatchObject({
      status: 'running',
      blocking: false,
      summary: '50 of 250 changed texts are not checked yet.',
    })
    expect((await check(change, 'alternative-texts')).status).toBe('passed')
  })

  test('is for those who may read, and knows its own names only', async () => {
    const { change } = await newChange()
    const refuse = async (status: number, path: string, person = admin) =>
      expect((await api.request(person, 'GET', path)).status).toBe(status)
    await refuse(404, `${change}/checks`, await api.person('stranger'))
    await refuse(404, `${change}/checks/none`)
    await refuse(400, `${change}/checks/links?page=none`)
    await refuse(400, `${change}/checks/comments?page=none`)
    await refuse(400, `${change}/checks?limit=5000`)
  })
})
