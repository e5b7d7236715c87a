/** Links over HTTP: status, locations, and how they change with edits. */
import { strToU8, zipSync } from 'fflate'
import { beforeAll, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'

describeEngines('links', (engine) => {
  let api: TestClient
  let organization: OrganizationId
  let ann: Person

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    ann = await api.person('ann')
    organization = await api.organization(ann)
  })

  async function make(method: string, path: string, body?: unknown, person = ann): Promise<any> {
    const answer = await api.request(person, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  const write = (place: string, ...changes: object[]) =>
    make('POST', `${place}/content?compat=false`, { changes })
  const insert = async (place: string, ...texts: string[]): Promise<string[]> =>
    (
      await write(place, ...texts.map((markdown) => ({ operation: 'insert_page', document: { markdown } })))
    ).changes.map((change: any) => change.page.id)
  const edit = (place: string, page: string, markdown: string) =>
    write(place, { operation: 'update_page', page, document: { markdown } })
  async function newSpace(more: object = {}) {
    const body = { editMode: 'live', empty: true, ...more }
    return `/spaces/${(await make('POST', `/orgs/${organization}/spaces`, body)).id}`
  }
  const newRequest = async (space: string) =>
    `${space}/change-requests/${(await make('POST', `${space}/change-requests`)).number}`
  async function upload(space: string, files: Readonly<Record<string, string>>): Promise<void> {
    const entries = Object.entries(files).map(([path, text]) => [path, strToU8(text)] as const)
    const archive = zipSync(Object.fromEntries(entries))
    const answer = await api.server.inject({
      method: 'POST',
      url: `/v1${space}/content/archive?mode=replace`,
      headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/zip' },
      payload: Buffer.from(archive),
    })
    expect(answer.statusCode, answer.body).toBeLessThan(300)
  }
  const list = (place: string, query = 'limit=100', person = ann) =>
    make('GET', `${place}/links?${query}`, undefined, person)
  /** `destination: status`, in the order of the list. */
  const statuses = async (place: string, query?: string, person?: Person): Promise<string[]> =>
    (await list(place, query, person)).items.map((item: any) => `${item.destination}: ${item.status}`)

  test('of files and pages are also in the customization of sites', async () => {
    const space = await newSpace()
    const [page] = await insert(space, '# Start\n')
    const picture = { name: 'logo.png', base64: Buffer.from('png').toString('base64') }
    const { insertedFiles } = await write(space, { operation: 'insert_files', files: [picture] })
    const [file] = insertedFiles
    const spaces = [space.split('/').at(-1)]
    const newSite = async (title: string) => {
      const { id } = await make('POST', `/orgs/${organization}/sites`, { title, spaces })
      return `/orgs/${organization}/sites/${id}`
    }
    const [branded, overriding] = [await newSite('Branded'), await newSite('Overriding')]
    await newSite('Plain')
    const settings = await make('GET', `${branded}/customization`)
    const logo = { light: file.downloadURL, dark: file.downloadURL }
    const to = { kind: 'page', space: spaces[0], page }
    const links = [{ title: 'Start', to, links: [] }]
    await make('PUT', `${branded}/customization`, {
      ...settings,
      header: { preset: 'default', links, logo },
    })
    const { items } = await make('GET', `${overriding}/site-spaces`)
    const override = { favicon: { icon: logo } }
    await make('PATCH', `${overriding}/site-spaces/${items[0].id}/customization`, override)

    const sitesOf = async (thing: string, place = space) =>
      (await make('GET', `${place}/content/${thing}/backlinks`)).sites.map(
        ({ title }: { title: string }) => title,
      )
    const files = `files/${file.id}`
    expect((await sitesOf(files)).toSorted()).toEqual(['Branded', 'Overriding'])
    expect(await sitesOf(`page/${page}`)).toEqual(['Branded'])
    const request = await newRequest(space)
    expect((await sitesOf(files, request)).toSorted()).toEqual(['Branded', 'Overriding'])
    const deletion = await write(request, { operation: 'delete_file', file: file.id })
    const ids = [branded, overriding].map((path) => path.split('/').at(-1))
    const using = deletion.changes[0].usedBy.map(({ site }: { site: string }) => site)
    expect(using.toSorted()).toEqual(ids.toSorted())
  })

  test('have target and locations of each destination', async () => {
    const space = await newSpace()
    const file = (
      await write(space, {
        operation: 'insert_files',
        files: [{ name: 'a.txt', base64: Buffer.from('one').toString('base64') }],
      })
    ).insertedFiles[0]
    const [start] = await insert(space, '# Start\n')
    const [other] = await insert(space, '# Other\n\n## Part\n\nWords.\n')
    await edit(
      space,
      start!,
      [
        '---\ncover: missing.png\n---\n\n# Start\n',
        'To [other](other.md), [again](./other.md) and its [part](other.md#part).\n',
        'And [other](other.md) once more; [gone](gone.md), [no part](other.md#nothing), [up](#start), [web](https://example.com).\n',
        `[A file](/files/${file.id}), [by id](/pages/${other}), [app](http://octavo.test/o/${organization}), [mail](mailto:a@b.c).\n`,
      ].join('\n'),
    )
    const { items, count, stats, next } = await list(space)
    expect(next).toBeUndefined()
    expect(stats).toEqual({ total: 9, broken: { total: 3 } })
    expect(count).toBe(9)
    const listed = items.map((item: any) => {
      const { kind, page, internalLocation, file: target, url } = item.targetReference ?? {}
      const to = [kind, page?.title ?? target?.name ?? url, internalLocation?.anchor]
        .filter(Boolean)
        .join(' ')
      const at = item.locationReferences.map((one: any) => one.internalLocation?.node).join(',')
      return `${item.status} ${item.destination} -> ${to} @${at}`
    })
    expect(listed).toEqual([
      'broken missing.png ->  @',
      'ok other.md -> page Other @0,1',
      'ok other.md#part -> page Other part @0',
      'broken gone.md ->  @1',
      'broken other.md#nothing -> page Other nothing @1',
      'ok #start -> page Start start @1',
      `ok /files/${file.id} -> file a.txt @2`,
      `ok /pages/${other} -> page Other @2`,
      `in-app http://octavo.test/o/${organization} -> url http://octavo.test/o/${organization} @2`,
    ])
    expect(items.every((item: any) => item.relation === 'reference')).toBe(true)
    const [{ locationReferences: places }] = items
    expect(places).toMatchObject([
      { kind: 'page', organization: { id: organization }, space: { object: 'space' }, page: { id: start } },
    ])
    expect(places[0].versionContext).toBeUndefined()

    const ofPage = await list(`${space}/content/page/${start}`)
    expect(ofPage).toEqual({ items, count: 9, stats })
    expect(await list(`${space}/content/page/${other}`)).toMatchObject({ items: [], count: 0 })
  })

  test('resolve every syntax of the dialect', async () => {
    const space = await newSpace()
    await upload(space, {
      'SUMMARY.md': '# T\n\n* [Start](start.md)\n* [Other](sub/other.md)\n* [Out](http://octavo.test/o/x)\n',
      'start.md': [
        '---\ncover: .gitbook/assets/p.png\n---\n\n# Start\n',
        '![p](.gitbook/assets/p.png) ![q](.gitbook/assets/q.png)\n',
        '{% file src=".gitbook/assets/p.png" %}\n',
        '{% content-ref url="sub/other.md" %}\n[o](sub/other.md)\n{% endcontent-ref %}\n',
        '{% include ".gitbook/includes/one.md" %}\n',
        '{% include ".gitbook/includes/none.md" %}\n',
        '<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td>a</td><td><a href="sub/gone.md">p</a></td></tr></tbody></table>\n',
        '[in the reusable content](#inside) [up](sub/other.md#inside)\n',
        '[ref]: sub/other.md\n\nBy [name][ref], <a href="sub/other.md" class="button primary">button</a>.\n',
      ].join('\n'),
      'sub/other.md': '# Other\n\n[back](../start.md#inside)\n',
      '.gitbook/includes/one.md': '## Inside\n\n[away](../../sub/away.md) [part](#elsewhere)\n',
      '.gitbook/assets/p.png': 'not a picture',
    })
    const { items } = await list(space)
    const listed = items.map(
      ({ status, relation, destination, targetReference: to, locationReferences: [at] }: any) =>
        `${at.page?.title ?? at.reusableContent.title}: ${relation} ${destination} ${status} ${to?.kind ?? ''}`,
    )
    expect(listed.toSorted()).toEqual(
      [
        'Out: reference http://octavo.test/o/x in-app url',
        'Start: reference .gitbook/assets/p.png ok file',
        'Start: reference .gitbook/assets/p.png ok file',
        'Start: reference .gitbook/assets/p.png ok file',
        'Start: reference .gitbook/assets/q.png broken ',
        'Start: reference sub/other.md ok page',
        'Start: reference sub/other.md ok page',
        'Start: dependsOn .gitbook/includes/one.md ok reusable-content',
        'Start: dependsOn .gitbook/includes/none.md broken ',
        'Start: reference sub/gone.md broken ',
        'Start: reference #inside ok page',
        'Start: reference sub/other.md#inside broken page',
        'Other: reference ../start.md#inside ok page',
        'one: reference ../../sub/away.md broken ',
        'one: reference #elsewhere ok reusable-content',
      ].toSorted(),
    )
    const { reusableContent } = items.find(({ relation, status }: any) => {
      return relation === 'dependsOn' && status === 'ok'
    }).targetReference
    expect(await make('GET', `${space}/content/reusable-contents/${reusableContent.id}`)).toEqual(
      reusableContent,
    )
  })

  test('are never broken by renaming or moving, and follow what becomes of their targets', async () => {
    const space = await newSpace()
    const [target] = await insert(space, '# Target\n\n## Part\n')
    const [folder, source] = await insert(
      space,
      '# Folder\n',
      '# Source\n\n[t](target.md) [p](target.md#part)\n',
    )
    expect(await statuses(space)).toEqual(['target.md: ok', 'target.md#part: ok'])
    await write(space, { operation: 'update_page', page: target, slug: 'renamed' })
    expect(await statuses(space)).toEqual(['renamed.md: ok', 'renamed.md#part: ok'])
    await write(space, { operation: 'update_page', page: target, into: folder })
    await write(space, { operation: 'update_page', page: source, into: target })
    const all = await statuses(space)
    expect(all).toHaveLength(2)
    expect(all.every((one) => one.endsWith(': ok'))).toBe(true)

    // The page with the links is not edited.
    await edit(space, target!, '# Target\n\n## Other part\n')
    expect((await statuses(space)).map((one) => one.split(': ')[1])).toEqual(['ok', 'broken'])
    await edit(space, target!, '# Target\n\n### Part\n')
    expect((await statuses(space)).map((one) => one.split(': ')[1])).toEqual(['ok', 'ok'])
    await write(space, { operation: 'update_page', page: source, into: null })
    await write(space, { operation: 'delete_page', page: target })
    expect((await list(space)).stats).toEqual({ total: 2, broken: { total: 2 } })
  })

  test('follow what an import changes beside the pages: reusable contents, groups, files', async () => {
    const space = await newSpace()
    const files = {
      'SUMMARY.md': '# T\n\n* [Start](start.md)\n* [Other](other.md)\n\n## Group\n\n* [In](group/in.md)\n',
      'start.md':
        '# Start\n\n[a](other.md#inside) [g](group/) [p](p.txt) [s](https://example.com/group) [i](.gitbook/includes/one.md)\n',
      'other.md': '# Other\n\n{% include ".gitbook/includes/one.md" %}\n',
      'group/in.md': '# In\n',
      '.gitbook/includes/one.md': '## Inside\n',
      'p.txt': 'Words.',
    }
    const ofStart = async () => (await statuses(space)).filter((one) => !one.startsWith('.gitbook/includes'))
    await upload(space, files)
    expect(await ofStart()).toEqual(['other.md#inside: ok', 'group/: ok', 'p.txt: ok'])
    await upload(space, { ...files, '.gitbook/includes/one.md': '## Outside\n' })
    expect(await ofStart()).toEqual(['other.md#inside: broken', 'group/: ok', 'p.txt: ok'])
    await upload(space, { ...files, 'SUMMARY.md': files['SUMMARY.md'].replace('## Group', '## Folk') })
    expect(await ofStart()).toEqual(['other.md#inside: ok', 'group/: broken', 'p.txt: ok'])
    const { 'p.txt': _, ...less } = files
    await upload(space, less)
    expect(await ofStart()).toEqual(['other.md#inside: ok', 'group/: ok', 'p.txt: broken'])
  })

  test('into other spaces are checked with the permissions of the actor', async () => {
    const [secret, open] = [await newSpace({ title: 'Secret' }), await newSpace({ title: 'Open' })]
    await make('PATCH', secret, { defaultLevel: null })
    await insert(secret, '# Known\n\n## Part\n')
    await insert(open, '# Known\n')
    const space = await newSpace()
    const app = 'http://octavo.test/s/'
    const id = (place: string) => place.split('/')[2]!
    const links = [
      `${app}${id(secret)}/known`,
      `${app}${id(secret)}/known#part`,
      `${app}${id(secret)}/known#none`,
      `${app}${id(secret)}/unknown`,
      `${app}${id(secret)}`,
      `${app}${id(open)}/known`,
      `${app}${id(open)}/unknown`,
      `${app}${id(open)}/~/revisions/x/`,
      `${app}nowhere/known`,
      `${app}${id(space)}/own`,
    ]
    const [own] = await insert(space, `# Own\n\n${links.map((url) => `[x](${url})`).join('\n\n')}\n`)
    const is = async (person: Person) =>
      (await statuses(space, 'limit=100', person)).map((one) => one.split(': ').at(-1))
    expect(await is(ann)).toEqual([
      'ok',
      'ok',
      'broken',
      'broken',
      'ok',
      'ok',
      'broken',
      'in-app',
      'broken',
      'ok',
    ])
    const { items, stats } = await list(space)
    expect(stats).toEqual({ total: 10, broken: { total: 4 } })
    expect(items.map((item: any) => item.targetReference?.kind)).toEqual([
      'page',
      'page',
      'page',
      'space',
      'space',
      'page',
      'space',
      'url',
      undefined,
      'page',
    ])
    expect(items[1].targetReference).toMatchObject({
      space: { title: 'Secret' },
      internalLocation: { anchor: 'part' },
    })
    expect(items[9].targetReference.page.id).toBe(own)

    const bea = await api.person('bea')
    await api.join(organization, bea, 'read')
    expect(await is(bea)).toEqual([
      'broken',
      'broken',
      'broken',
      'broken',
      'broken',
      'ok',
      'broken',
      'in-app',
      'broken',
      'ok',
    ])
    const theirs = await list(space, 'limit=100', bea)
    expect(theirs.stats).toEqual({ total: 10, broken: { total: 7 } })
    expect(JSON.stringify(theirs)).not.toContain('Secret')
    // What they may not see looks like what does not exist.
    const [hidden, nowhere] = [theirs.items[0], theirs.items[8]]
    expect({ ...hidden, destination: '', locationReferences: [] }).toEqual({
      ...nowhere,
      destination: '',
      locationReferences: [],
    })

    await make('DELETE', open)
    expect(await is(ann)).toEqual([
      'ok',
      'ok',
      'broken',
      'broken',
      'ok',
      'broken',
      'broken',
      'in-app',
      'broken',
      'ok',
    ])
  })

  test('of a change request tell what it breaks and what it mends', async () => {
    const space = await newSpace()
    const [one, two, three] = await insert(
      space,
      '# One\n',
      '# Two\n\n[one](one.md) [gone](gone.md) [lost](lost.md)\n',
      '# Three\n\n[never](never.md)\n',
    )
    const request = await newRequest(space)
    expect((await list(request)).stats).toEqual({
      total: 4,
      broken: { total: 3, changeRequest: 0 },
      mended: 0,
    })
    await write(
      request,
      { operation: 'delete_page', page: one },
      { operation: 'insert_page', slug: 'gone', document: { markdown: '# Gone\n' } },
    )
    await edit(request, three!, '# Three\n\n[fresh](fresh.md)\n')
    const { stats, items } = await list(request)
    expect(stats).toEqual({ total: 4, broken: { total: 3, changeRequest: 2 }, mended: 2 })
    expect(items[0].locationReferences[0].versionContext).toMatchObject({
      type: 'changeRequest',
      changeRequest: { object: 'change-request', number: 1 },
    })
    expect(await statuses(request, 'brokenContext=change-request')).toEqual([
      'fresh.md: broken',
      'one.md: broken',
    ])
    expect(await statuses(request, 'brokenContext=space')).toEqual(['lost.md: broken'])
    expect(await statuses(request, 'brokenContext=mended')).toEqual(['never.md: broken', 'gone.md: broken'])
    expect(await statuses(request, 'brokenContext=change-request&status=ok')).toEqual([])
    expect((await list(`${request}/content/page/${two}`)).stats).toEqual({
      total: 3,
      broken: { total: 2, changeRequest: 1 },
      mended: 1,
    })
    expect((await list(space)).stats).toEqual({ total: 4, broken: { total: 3 } })
    await make('POST', `${request}/merge`)
    expect((await list(space)).stats).toEqual({ total: 4, broken: { total: 3 } })
    expect(await statuses(space, 'status=ok')).toEqual(['gone.md: ok'])
  })

  test('are listed with a limited number of locations, which bounds the response', async () => {
    const space = await newSpace()
    const all = Array.from({ length: 45 }, (_, at) => `[x](to${at}.md)`).join(' ')
    await insert(space, `# Many\n\n${Array.from({ length: 60 }, () => all).join('\n\n')}\n`)
    const { items } = await list(space)
    expect(items.map((item: any) => item.locationReferences.length)).toEqual([
      ...Array.from({ length: 40 }, () => 50),
      ...Array.from({ length: 5 }, () => 1),
    ])
  })

  test('are found from the other end, in the space and in a change request', async () => {
    const space = await newSpace()
    const file = (
      await write(space, {
        operation: 'insert_files',
        files: [{ name: 'a.txt', base64: Buffer.from('one').toString('base64') }],
      })
    ).insertedFiles[0]
    const [target] = await insert(space, '# Target\n')
    const [source] = await insert(
      space,
      `# Source\n\n[a](target.md)\n\n[b](Target.md) [c](/pages/TARGET)\n\n[d](target.md#x) [f](/files/${file.id})\n`,
    )
    await insert(space, '# Unrelated\n\n[s](source.md)\n')
    const backlinks = (place: string, query = '') => make('GET', `${place}/backlinks${query}`)
    const ofPage = await backlinks(`${space}/content/page/${target}`)
    expect(ofPage.count).toBe(3)
    expect(ofPage.items.map((item: any) => [item.kind, item.page.id, item.internalLocation.node])).toEqual([
      ['page', source, '0'],
      ['page', source, '1'],
      ['page', source, '2'],
    ])
    const ofFile = await backlinks(`${space}/content/files/${file.id}`)
    expect(ofFile).toMatchObject({ count: 1, items: [{ kind: 'page', page: { title: 'Source' } }] })
    expect(await backlinks(`${space}/content/page/${source}`)).toMatchObject({ count: 1 })

    const request = await newRequest(space)
    const [added] = await insert(request, '# Added\n\n[t](target.md)\n')
    const inRequest = await backlinks(`${request}/content/page/${target}`)
    expect(inRequest.count).toBe(4)
    expect(inRequest.items[0]).toMatchObject({
      page: { id: added },
      versionContext: { type: 'changeRequest' },
    })
    expect((await backlinks(`${request}/content/files/${file.id}`)).count).toBe(1)
    expect((await backlinks(`${space}/content/page/${target}`)).count).toBe(3)
    expect((await api.request(ann, 'GET', `${space}/content/page/${added}/backlinks`)).status).toBe(404)

    const [first, second] = [
      await backlinks(`${request}/content/page/${target}`, '?limit=3'),
      await backlinks(`${request}/content/page/${target}`, '?limit=1000'),
    ]
    const rest = await backlinks(`${request}/content/page/${target}`, `?limit=3&page=${first.next.page}`)
    expect([...first.items, ...rest.items]).toEqual(second.items)
    expect(rest.next).toBeUndefined()
  })

  test('are listed to the end in the revision of the first page', async () => {
    const space = await newSpace()
    const texts = Array.from({ length: 12 }, (_, index) => `# P${index}\n\n[a](x${index}.md) [b](p1.md)\n`)
    const ids = await insert(space, ...texts)
    const whole = await statuses(space, 'limit=1000')
    expect(whole).toHaveLength(24)
    const walk = async (query: string, meanwhile: (turn: number) => Promise<unknown>) => {
      const seen: string[] = []
      let page: string | undefined
      for (let turn = 0; turn < 50; turn += 1) {
        const at: string = page === undefined ? '' : `&page=${encodeURIComponent(page)}`
        const found = await list(space, `${query}${at}`)
        seen.push(...found.items.map((item: any) => `${item.destination}: ${item.status}`))
        await meanwhile(turn)
        page = found.next?.page
        if (page === undefined) return seen
      }
      throw new Error('The list has no end')
    }
    const seen = await walk('limit=5', (turn) =>
      turn === 1
        ? write(space, { operation: 'delete_page', page: ids[1] })
        : insert(space, `# Q${turn}\n\n[q](q.md)\n`),
    )
    expect(seen).toEqual(whole)
    const broken = await walk('limit=7&status=broken', async () => {})
    expect(broken).toEqual((await statuses(space, 'limit=1000')).filter((one) => one.endsWith('broken')))

    const { next } = await list(space, 'limit=2')
    for (const [place, query] of [
      [space, `limit=2&status=ok&page=${next.page}`],
      [`${space}/content/page/${ids[0]}`, `limit=2&page=${next.page}`],
      [space, 'page=nonsense'],
    ] as const) {
      expect((await api.request(ann, 'GET', `${place}/links?${query}`)).status, query).toBe(400)
    }
    expect((await api.request(ann, 'GET', `${space}/links?status=lost`)).status).toBe(400)
    expect(await list(space, 'limit=0')).toMatchObject({ items: [] })
  })
})
