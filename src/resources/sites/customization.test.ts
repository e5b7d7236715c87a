/** Site customization through the API: replaced as a whole for a site, overridden per setting for a space. */
import { beforeAll, expect, test } from 'vitest'
import { plainCustomization } from '../../../tests/customization/samples.js'
import type { Person } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'
import type { OrganizationId } from '../../core/ids.js'
import { defaultCustomization, holdsSettings } from '../../contract/customization.js'

type Json = Record<string, any>

describeSqlite('the customization of a site', (engine) => {
  let api: SiteClient
  let [ann, reader, guest]: Person[] = []
  let acme: OrganizationId
  let firstSpace: { id: string; pages: ReadonlyMap<string, string> }
  let other: { id: string }

  beforeAll(async () => {
    api = await openSiteClient(await engine.open())
    ;[ann, reader, guest] = await Promise.all(['ann', 'rita', 'gus'].map((name) => api.person(name)))
    acme = await api.organization(ann!)
    await api.join(acme, reader!, 'read')
    await api.join(acme, guest!, null)
    firstSpace = await api.space(ann!, acme, 'Guide', [{ slug: 'start', markdown: '# Start\n\nHere.\n' }])
    other = await api.space(ann!, acme, 'Second', [{ slug: 'start', markdown: '# Start\n' }])
  })

  async function newSite() {
    const { id, base } = await api.publish(ann!, acme, { title: 'Docs', spaces: [firstSpace.id, other.id] })
    const at = `/orgs/${acme}/sites/${id}`
    const links = (await api.request(ann!, 'GET', `${at}/site-spaces`)).body.items as Json[]
    const [first, second] = links.map((link) => `${at}/site-spaces/${link['id']}/customization`)
    return { at, base, site: `${at}/customization`, first: first!, second: second!, links }
  }
  const must = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await api.request(ann!, method, path, body)
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }
  const put = (path: string, change: Json = {}) => must('PUT', path, { ...plainCustomization, ...change })
  const styled = (change: Json) => ({ styling: { ...plainCustomization.styling, ...change } })

  test('begins with the defaults, and accepts them as they were read', async () => {
    const { site } = await newSite()
    const read = await must('GET', site)
    expect(read.styling).toMatchObject({ theme: 'clean', font: 'Inter', corners: 'rounded' })
    expect(read.themes).toEqual({ default: 'light', toggeable: true })
    expect(read.updatedAt).toBeUndefined()
    const { updatedAt, ...written } = await must('PUT', site, read)
    expect(written).toEqual(read)
    expect(new Date(updatedAt).getTime()).toBeGreaterThan(0)
    expect(await must('GET', site)).toEqual({ ...written, updatedAt })
  })

  test('is stored as written, without unknown members', async () => {
    const { site } = await newSite()
    const wanted = {
      ...plainCustomization,
      title: 'The handbook',
      themes: { default: 'system', toggeable: false },
      header: {
        preset: 'custom',
        links: [
          {
            title: 'More',
            localizedTitle: { de: 'Mehr' },
            to: null,
            links: [{ title: 'Guide', to: { kind: 'space', space: firstSpace.id } }],
            condition: 'visitor.claims.unsigned.beta',
          },
        ],
      },
      socialAccounts: [{ platform: 'github', handle: 'acme', display: { footer: true, header: false } }],
    }
    await must('PUT', site, { ...wanted, unknown: { a: 1 }, footer: { groups: [], odd: true } })
    const read = await must('GET', site)
    expect(read).toMatchObject(wanted)
    expect(read.unknown).toBeUndefined()
    expect(read.footer).toEqual({ groups: [] })
    const unlike = await put(site)
    expect([unlike.title, unlike.socialAccounts, unlike.header.links]).toEqual([undefined, [], []])
  })

  test('accepts page actions as a list or as booleans, whichever changed', async () => {
    const { site } = await newSite()
    const actions = ({ pageActions, pdf, git }: Json) => [pageActions.items, pdf.enabled, git.showEditLink]
    const first = await put(site, { pageActions: { markdown: true, externalAI: false, mcp: false } })
    expect(actions(first)).toEqual([['markdown', 'pdf'], true, false])
    const listed = await must('PUT', site, {
      ...first,
      pageActions: { ...first.pageActions, items: ['git', 'markdown'] },
    })
    expect(actions(listed)).toEqual([['git', 'markdown'], false, true])
    const claimed = await must('PUT', site, {
      ...listed,
      pageActions: { ...listed.pageActions, markdown: false },
      pdf: { enabled: true },
    })
    expect(actions(claimed)).toEqual([['git', 'pdf'], true, true])
  })

  test('names the wrong member, and changes nothing', async () => {
    const { site, second } = await newSite()
    const before = await must('GET', site)
    const link = (to: unknown) => ({ header: { preset: 'default', links: [{ title: 'A', to, links: [] }] } })
    const font = {
      id: 'own',
      custom: true,
      fontFamily: 'Own',
      fontFaces: [{ weight: 400, sources: [{ url: 'https://elsewhere.test/a.woff2' }] }],
    }
    const { favicon: _, ...incomplete } = plainCustomization
    const unreadable = { title: 'A', to: null, links: [], condition: 'a ==' }
    const wrong: [Json, string][] = [
      [{ ...incomplete, favicon: undefined }, 'body.favicon'],
      [styled({ theme: 'loud' }), 'body.styling.theme'],
      [styled({ primaryColor: { light: 'red', dark: '#fff' } }), 'body.styling.primaryColor.light'],
      [styled({ font: 'Comic' }), 'body.styling.font'],
      [styled({ font }), 'styling.font.fontFaces[0].sources[0].url'],
      [{ title: 'x' }, 'body.title'],
      [{ privacyPolicy: { url: 'javascript:alert(1)' } }, 'privacyPolicy.url'],
      [{ socialPreview: { url: 'http://elsewhere.test/a.png' } }, 'socialPreview.url'],
      [{ favicon: { emoji: 'none' } }, 'favicon.emoji'],
      [link({ kind: 'url', url: 'javascript:alert(1)' }), 'header.links[0].to.url'],
      [link({ kind: 'user', user: 'ann' }), 'header.links[0].to.kind'],
      [link({ kind: 'space', space: 'none' }), 'header.links[0].to.space'],
      [link({ kind: 'page', space: firstSpace.id, page: 'none' }), 'header.links[0].to.page'],
      [link({ kind: 'file', space: firstSpace.id, file: 'none' }), 'header.links[0].to.file'],
      [link({ kind: 'page', page: 'none' }), 'header.links[0].to.space'],
      [{ header: { preset: 'none', links: [unreadable] } }, 'header.links[0].condition'],
    ]
    for (const [change, member] of wrong) {
      const answer = await api.request(ann!, 'PUT', site, { ...plainCustomization, ...change })
      const message = answer.body.error?.message
      expect([answer.status, message], JSON.stringify(change)).toEqual([
        400,
        expect.stringContaining(`"${member}"`),
      ])
    }
    const partly: [Json, string][] = [
      [{ styling: { theme: 'loud' } }, 'body.styling.theme'],
      [{ styling: 'clean' }, 'body.styling'],
      [
        { header: { links: [{ title: 'A', to: { kind: 'space', space: 'none' }, links: [] }] } },
        'header.links[0].to.space',
      ],
    ]
    for (const [body, member] of partly) {
      const answer = await api.request(ann!, 'PATCH', second, body)
      expect([answer.status, answer.body.error.message]).toEqual([
        400,
        expect.stringContaining(`"${member}"`),
      ])
    }
    const words = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`l${n}`, 'w'.repeat(60)]))
    const to = { kind: 'url', url: 'https://octavo.test/' }
    const many = Array.from({ length: 30 }, (_, at) => ({
      title: `Menu ${at}`,
      to: null,
      links: Array.from({ length: 30 }, () => ({ title: 'A', localizedTitle: words, to })),
    }))
    const long = await api.request(ann!, 'PUT', site, {
      ...plainCustomization,
      header: { preset: 'default', links: many },
    })
    expect([long.status, long.body.error.message]).toEqual([400, expect.stringContaining('too long')])
    expect(await must('GET', site)).toEqual(before)
    expect((await must('GET', second)).hasOverrides).toBe(false)
  })

  test('retains links to deleted content, and refuses new ones', async () => {
    const gone = await api.space(ann!, acme, 'Gone', [])
    const { site } = await newSite()
    const link = { title: 'Gone', to: { kind: 'space', space: gone.id } }
    await put(site, { footer: { groups: [{ title: 'All', links: [link] }] } })
    expect((await api.request(ann!, 'DELETE', `/spaces/${gone.id}`)).status).toBeLessThan(300)
    const stored = await put(site, { footer: { groups: [{ title: 'Every', links: [link] }] } })
    expect(stored.footer.groups[0].links).toEqual([link])
    const { site: another } = await newSite()
    const fresh = await api.request(ann!, 'PUT', another, { ...plainCustomization, footer: stored.footer })
    expect([fresh.status, fresh.body.error.message]).toEqual([
      400,
      expect.stringContaining('"footer.groups[0].links[0].to.space"'),
    ])
  })

  test('is overridden for a space by its own settings only', async () => {
    const { at, site, first, second, links } = await newSite()
    await put(site, { title: 'All of it', ...styled({ theme: 'muted', corners: 'straight' }) })
    const own = await must('PATCH', second, {
      styling: { theme: 'bold', sidebar: { list: 'line' } },
      title: 'The second',
    })
    expect(own).toMatchObject({
      hasOverrides: true,
      title: 'The second',
      styling: { theme: 'bold', corners: 'straight', sidebar: { background: 'default', list: 'line' } },
    })
    expect(await must('GET', second)).toEqual(own)
    expect((await must('GET', first)).hasOverrides).toBe(false)
    expect((await must('GET', first)).styling.theme).toBe('muted')

    // A change of the site applies wherever the space has no override.
    await put(site, styled({ theme: 'gradient', corners: 'circular' }))
    expect(await must('GET', second)).toMatchObject({
      title: 'The second',
      styling: { theme: 'bold', corners: 'circular', sidebar: { list: 'line' } },
    })
    const published = (await must('GET', `${at}/published`)).customizations
    expect(published.site.styling.theme).toBe('gradient')
    expect(Object.keys(published.siteSpaces)).toEqual([links[0]!['id'], links[1]!['id']])
    expect(published.siteSpaces[links[0]!['id']]).toEqual(published.site)
    expect(published.siteSpaces[links[1]!['id']].styling.theme).toBe('bold')

    const fewer = await must('PATCH', second, { styling: { theme: null }, title: null })
    expect(fewer).toMatchObject({
      hasOverrides: true,
      styling: { theme: 'gradient', sidebar: { list: 'line' } },
    })
    expect(fewer.title).toBeUndefined()
    expect((await must('PATCH', second, { styling: null })).hasOverrides).toBe(false)
    await must('PATCH', second, { pdf: { enabled: false } })
    expect((await must('GET', second)).pageActions.items).not.toContain('pdf')
    expect((await must('PATCH', second, { pageActions: null })).pageActions.items).toContain('pdf')

    await must('PATCH', second, { announcement: { enabled: true, message: 'Hello', style: 'info' } })
    expect((await api.request(ann!, 'DELETE', second)).status).toBe(205)
    expect((await api.request(ann!, 'DELETE', second)).status).toBe(204)
    expect(await must('GET', second)).toMatchObject({
      hasOverrides: false,
      styling: { theme: 'gradient' },
    })
  })

  test('every setting can be overridden for a space, and removed by null', async () => {
    const { second } = await newSite()
    const samples: Json = {
      ...plainCustomization,
      title: 'The second',
      localizedTitle: { de: 'Das zweite' },
      announcement: { enabled: true, message: 'Hello', style: 'info' },
      socialAccounts: [],
      'styling.tint': { color: { light: '#123456', dark: '#654321' } },
      'styling.headingFont': 'Lato',
      'styling.codeTheme': defaultCustomization.styling.codeTheme,
      'header.logo': { light: 'https://octavo.test/a.svg', dark: 'https://octavo.test/a.svg' },
      'footer.copyright': '© Acme',
    }
    const paths: [string, unknown][] = Object.entries(samples).flatMap(([name, value]) =>
      leavesOf(name, value),
    )
    expect(paths.length).toBeGreaterThan(40)
    for (const [path, value] of paths) {
      const [body, none] = [value, null].map((leaf) =>
        path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), leaf),
      )
      const set = await must('PATCH', second, body as object)
      expect(set.hasOverrides, path).toBe(true)
      const read = path.split('.').reduce<any>((inner, name) => inner[name], set)
      expect(read, path).toEqual(path === 'pageActions' ? expect.objectContaining(value as object) : value)
      expect((await must('PATCH', second, none as object)).hasOverrides, path).toBe(false)
    }
  })

  test('is readable by everyone who sees the site, and writable with "create" on all of it', async () => {
    const { site, second } = await newSite()
    for (const at of [site, second]) {
      expect((await api.request(reader!, 'GET', at)).status).toBe(200)
      expect((await api.request(guest!, 'GET', at)).status).toBe(404)
    }
    expect((await api.request(reader!, 'PUT', site, plainCustomization)).status).toBe(403)
    expect((await api.request(reader!, 'PATCH', second, { title: 'Mine' })).status).toBe(403)
    expect((await api.request(reader!, 'DELETE', second)).status).toBe(403)
    expect((await api.request(guest!, 'PUT', site, plainCustomization)).status).toBe(404)
  })

  test('concurrent full writes do not mix, and concurrent overrides do not undo each other', async () => {
    const { site, second } = await newSite()
    await Promise.all([
      put(site, { title: 'One', ...styled({ theme: 'bold' }) }),
      put(site, { title: 'Two', ...styled({ theme: 'muted' }) }),
    ])
    const { title, styling } = await must('GET', site)
    expect(['One bold', 'Two muted']).toContain(`${title} ${styling.theme}`)
    const changes = [{ title: 'Own' }, { styling: { theme: 'gradient' } }, { styling: { icons: 'thin' } }]
    await Promise.all(changes.map((change) => must('PATCH', second, change)))
    expect(await must('GET', second)).toMatchObject({
      title: 'Own',
      styling: { theme: 'gradient', icons: 'thin' },
    })
  })
})

function leavesOf(path: string, value: unknown): [string, unknown][] {
  if (!holdsSettings(path)) return [[path, value]]
  return Object.entries(value as object).flatMap(([name, firstSpace]) =>
    leavesOf(`${path}.${name}`, firstSpace),
  )
}
