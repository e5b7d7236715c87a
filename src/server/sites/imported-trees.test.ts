/** Imported trees as people have them: titles, entries of the table of contents, folders and redirects, on every output. */
import { beforeAll, expect, test } from 'vitest'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import { indexSpace } from '../../resources/search/index-space.js'
import type { Person } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'

const files = {
  '.gitbook.yaml': [
    'structure:',
    '  readme: intro.md',
    'redirects:',
    '  plain: cli.md',
    '  part: cli.md#flags',
    '  outside: https://example.com/new#x',
    '  paper: files/a.pdf',
    '  old/page.html: cli.md',
    '  gone: missing.md',
    '  no-part: cli.md#nothing',
    '',
  ].join('\n'),
  'SUMMARY.md': [
    '# Contents',
    '',
    '* [Intro](intro.md)',
    '* [CLI](cli.md)',
    '  * [Flags](cli.md#flags)',
    '  * [Nothing](cli.md#nothing)',
    '* [FAQ](faq.md)',
    '* [Folder](folder/README.md)',
    '  * [Inside](folder/my page.md)',
    '  * [Closed](closed.md)',
    '  * [Part of it](closed.md#a)',
    '* [Paper](files/a.pdf)',
    '',
  ].join('\n'),
  'intro.md': '# Introduction to xylophones\n\n[folder](folder/)\n',
  'cli.md': '# Command line quasars\n\nWords.\n\n## Flags\n\nMore.\n',
  'faq.md': '---\ntitle: Frequently yodelled\n---\n\n# Heading of ocarinas\n\nBody.\n',
  'folder/README.md': '# Folder\n',
  'folder/my page.md': '# Inside\n',
  'closed.md': '---\nif: visitor.claims.plan == "pro"\n---\n\n# Closed\n\n## A\n',
  'files/a.pdf': 'bytes',
}

describeSqlite('an imported tree', (engine) => {
  let client: SiteClient
  let ann: Person
  let acme: OrganizationId
  let space: string
  let site: string
  let base: string

  const get = async (path: string) => (await client.request(ann, 'GET', path)).body
  const location = async (path: string) => {
    const { status, headers } = await client.read(base + path)
    return headers['location'] === undefined ? status : `${status} ${headers['location']}`
  }
  const index = (spaceId: string) => {
    const { signal } = new AbortController()
    return indexSpace({ services: client.services, spaceId: spaceId as SpaceId, signal, now: Date.now })
  }

  beforeAll(async () => {
    client = await openSiteClient(await engine.open())
    ann = await client.person('ann')
    acme = await client.organization(ann)
    space = await client.folder(ann, acme, 'Guide', files)
    await index(space)
    const made = await client.publish(ann, acme, { title: 'Docs', spaces: [space] })
    ;({ base } = made)
    site = `/orgs/${acme}/sites/${made.id}`
  })

  test('has the titles of its pages, and the entries as link titles', async () => {
    const { pages } = await get(`/spaces/${space}/content/pages`)
    expect(pages.map(({ title, linkTitle }: any) => [title, linkTitle])).toEqual([
      ['Introduction to xylophones', 'Intro'],
      ['Command line quasars', 'CLI'],
      ['Frequently yodelled', 'FAQ'],
      ['Folder', undefined],
      ['Paper', undefined],
    ])
    const { text } = await client.read(`${base}cli`)
    expect(text).toContain('<h1 id="command-line-quasars">Command line quasars</h1>')
    const [, menu] = /<nav class="navigation"[^>]*>([^]*?)<\/nav>/.exec(text) ?? []
    expect(menu).toContain('<span>CLI</span>')
    expect(menu).not.toContain('quasars')
    expect(menu).not.toContain('](')
  })

  test('is found by titles, headings and entries alike', async () => {
    for (const [word, title] of [
      ['xylophones', 'Introduction to xylophones'],
      ['intro', 'Introduction to xylophones'],
      ['quasars', 'Command line quasars'],
      ['CLI', 'Command line quasars'],
      ['yodelled', 'Frequently yodelled'],
      ['ocarinas', 'Frequently yodelled'],
      ['FAQ', 'Frequently yodelled'],
    ]) {
      const [found] = (await get(`/spaces/${space}/search?query=${word}`)).items
      expect([word, found?.title, found?.sections[0].title]).toEqual([word, title, title])
      expect((await client.read(`${base}?q=${word}`)).text, word).toContain(
        `${base}${found.path === 'intro' ? '' : found.path}"`,
      )
    }
  })

  test('is indexed again where an entry alone has changed', async () => {
    const other = await client.folder(ann, acme, 'Other', files)
    await index(other)
    const summary = files['SUMMARY.md'].replace('[CLI]', '[Konsole]')
    await client.fill(ann, other, { ...files, 'SUMMARY.md': summary })
    await index(other)
    expect((await get(`/spaces/${other}/search?query=Konsole`)).items[0].title).toBe('Command line quasars')
    expect((await get(`/spaces/${other}/search?query=CLI`)).items).toEqual([])
  })

  test('has parts of pages and files in its menu, for those who may see them', async () => {
    const { pages } = await get(`/spaces/${space}/content/pages`)
    const [, cli, , folder, paper] = pages
    expect(cli.pages[0]).toMatchObject({
      type: 'link',
      title: 'Flags',
      target: { kind: 'anchor', anchor: 'flags', page: cli.id },
    })
    expect(cli.pages[0].href).toMatch(/\/cli#flags$/)
    expect(paper.target).toMatchObject({ kind: 'file' })
    expect(folder.pages.map(({ title }: any) => title)).toEqual(['Inside', 'Closed', 'Part of it'])
    const menu = async () => (await client.read(`${base}folder`)).text
    expect(await menu()).toContain(`href="${base}cli#flags"`)
    expect(await menu()).toMatch(/href="[^"]*\/a\.pdf[^"]*"/)
    expect(await menu()).toContain(`href="${base}closed#a"`)
    await client.request(ann, 'PATCH', site, { adaptiveContent: { enabled: true } })
    expect(await menu()).not.toContain('closed')
    await client.request(ann, 'PATCH', site, { adaptiveContent: { enabled: false } })
    expect(await location('folder')).toBe(200)
    expect(await location('folder/my%20page')).toBe(200)
    expect((await client.read(base)).text).toContain(`href="${base}folder"`)
  })

  test('redirects to parts, files and other hosts, and from the addresses of other generators', async () => {
    expect(await location('plain')).toBe(`307 ${base}cli`)
    expect(await location('part?x=1')).toBe(`307 ${base}cli?x=1#flags`)
    expect(await location('outside?x=1')).toBe('307 https://example.com/new#x')
    expect(await location('paper')).toMatch(/^307 .*a\.pdf/)
    expect(await location('gone')).toBe(404)
    expect(await location('cli.html')).toBe(`307 ${base}cli`)
    expect(await location('CLI.htm')).toBe(`307 ${base}cli`)
    expect(await location('folder/index.html')).toBe(`307 ${base}folder`)
    expect(await location('index.html')).toBe(`307 ${base}`)
    expect(await location('plain.html')).toBe(`307 ${base}cli`)
    expect(await location('old/page.html')).toBe(`307 ${base}cli`)
    expect(await location('nowhere.html')).toBe(404)
    // A redirect that someone wrote for exactly this address takes precedence.
    const destination = { kind: 'external', url: 'https://example.com/faq' }
    await client.request(ann, 'POST', `${site}/redirects`, { source: '/faq.html', destination })
    expect(await location('faq.html')).toBe('307 https://example.com/faq')
    await client.request(ann, 'PATCH', site, { adaptiveContent: { enabled: true } })
    expect(await location('closed.html')).toBe(404)
    await client.request(ann, 'PATCH', site, { adaptiveContent: { enabled: false } })
  })

  test('is exported as it was', async () => {
    const answer = await client.server.inject({
      method: 'GET',
      url: `/v1/spaces/${space}/content/archive`,
      headers: { authorization: `Bearer ${ann.token}` },
    })
    const { strFromU8, unzipSync } = await import('fflate')
    const exported = Object.entries(unzipSync(answer.rawPayload)).map(([path, bytes]) => [
      path,
      strFromU8(bytes),
    ])
    expect(Object.fromEntries(exported)).toEqual(files)
  })
})
