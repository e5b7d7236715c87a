/** Site import, `import --site-config`: a folder with the settings of a site is imported as a site, once. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrganizationId } from '../src/core/ids.js'
import type { Database } from '../src/store/db/database.js'
import { importSite } from '../src/server/commands/import-site.js'
import type { CommandContext } from '../src/server/commands/command-context.js'
import type { Person } from './test-client.js'
import { describeSqlite } from './engines.js'
import { type SiteClient, openSiteClient } from './site-client.js'

const variant = (path: string, title: string, space: object, more: object = {}) => ({
  object: 'site-space',
  id: `sitesp_${path}`,
  path,
  title,
  default: false,
  space: { title, language: 'en', ...space },
  ...more,
})
const section = (path: string, title: string, siteSpaces: readonly object[], more: object = {}) => ({
  object: 'site-section',
  path,
  title,
  siteSpaces,
  urls: { published: `https://docs.octavo.test/product/${path}/` },
  ...more,
})
const structure = {
  type: 'sections',
  structure: [
    section(
      'home',
      'Start',
      [
        variant('docs', 'English', { id: 'there', title: 'Home', emoji: '1f3e0' }, { default: true }),
        variant('fr', 'Français', {}),
      ],
      { default: true, icon: 'house', urls: { published: 'https://docs.octavo.test/product/' } },
    ),
    {
      object: 'site-section-group',
      title: 'Products',
      icon: 'box',
      children: [
        section('pay', 'Payments', [variant('en', 'English', {}, { default: true })], {
          description: 'Route and report',
          icon: 'credit-card',
        }),
      ],
    },
    section('developers', 'Developers', [
      variant('v3', 'Version 3', {}),
      variant('v2', 'Version 2', {}, { default: true }),
      variant('v1', 'Version 1', {}, { hidden: true }),
    ]),
  ],
}
const files: Readonly<Record<string, string>> = {
  'structure.json': JSON.stringify(structure),
  'customization.json': JSON.stringify({ title: 'Product docs' }),
  'home/SUMMARY.md': '* [Welcome](README.md)\n',
  'home/README.md': '# Welcome\n',
  'products/pay/SUMMARY.md': '* [Payments](README.md)\n* [Fees](fees.md)\n',
  'products/pay/README.md': '# Payments\n',
  'products/pay/fees.md': '# Fees\n',
  'developers/v1/SUMMARY.md': '* [One](README.md)\n',
  'developers/v1/README.md': '# One\n',
  'developers/v2/SUMMARY.md': '* [Two](README.md)\n',
  'developers/v2/README.md': '# Two\n',
}

describeSqlite('a site of a folder with its settings', (engine) => {
  let api: SiteClient
  let ann: Person
  let acme: OrganizationId
  /** What this test made, and alone removes. */
  let own: string | undefined
  const messages: Readonly<Record<string, any>>[] = []

  const list = async (path: string): Promise<any[]> =>
    (await api.request(ann, 'GET', `/orgs/${acme}/${path}`)).body.items
  const run = async (
    folder: string,
    write: Database['write'] = api.services.database.write,
    flags: { readonly publish?: boolean } = {},
  ) => {
    messages.length = 0
    const report: CommandContext['report'] = {
      result: (_, members) => void messages.push(members),
      warn: (_, members) => void messages.push(members),
      warnAll: (warnings) => void messages.push(...warnings.map(({ members }) => members)),
      startTask: () => ({ advance: () => {}, end: () => {} }),
    }
    const { now } = api
    const database = { ...api.services.database, write }
    const services = { ...api.services, database }
    await importSite({ services, database, report, now: now() } as CommandContext, folder, flags)
    return messages.at(-1)!
  }
  const write = async (folder: string, texts: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(texts)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), text)
    }
  }

  beforeAll(async () => {
    api = await openSiteClient(await engine.open())
    ann = await api.person('ann')
    acme = await api.organization(ann)
    own = await mkdtemp(join(tmpdir(), 'octavo-site-config-'))
    await write(join(own, 'demo'), files)
  })
  afterAll(async () => {
    if (own !== undefined) await rm(own, { recursive: true })
  })

  test('has the sections, groups, variants, paths and customization of its settings', async () => {
    const done = await run(join(own!, 'demo'))
    expect(done).toMatchObject({ isNew: true, sections: 3, groups: 1, spaces: 4, leftOut: 2 })
    expect(messages.filter(({ kind }) => kind === 'left-out').map(({ path }) => path)).toEqual([
      'home/fr',
      'developers/v3',
    ])
    const { body: site } = await api.request(ann, 'GET', `/orgs/${acme}/sites/${done['site']}`)
    expect(site).toMatchObject({ title: 'Product docs', basename: 'product', published: true })
    const { body: found } = await api.request(ann, 'GET', `/orgs/${acme}/sites/${done['site']}/structure`)
    expect(found.structure).toMatchObject([
      {
        title: 'Start',
        path: 'home',
        icon: 'house',
        default: true,
        siteSpaces: [{ path: 'docs', title: 'English' }],
      },
      {
        title: 'Products',
        icon: 'box',
        children: [{ title: 'Payments', path: 'pay', icon: 'credit-card', description: 'Route and report' }],
      },
      {
        title: 'Developers',
        path: 'developers',
        siteSpaces: [
          { path: 'v2', title: 'Version 2', default: true },
          { path: 'v1', title: 'Version 1', default: false, hidden: true },
        ],
      },
    ])
    expect((await api.read('/@acme/product/pay/fees')).status).toBe(200)
    expect((await api.read('/@acme/product/developers/')).text).toContain('Two')
    expect((await api.read('/@acme/product/developers/v1/')).text).toContain('One')
    const home = (await list('spaces')).find(({ title }) => title === 'Home')
    expect(home).toMatchObject({ emoji: '1f3e0', language: 'en' })
  })

  test('is the same site after a second run, with what is new in the folder', async () => {
    const before = { sites: await list('sites'), spaces: await list('spaces') }
    const events = () => list(`sites/${before.sites[0].id}/events?after=0`)
    const eventCount = (await events()).length
    const again = await run(join(own!, 'demo'))
    expect(again).toMatchObject({ isNew: false, site: before.sites[0].id, spaces: 4 })
    expect(again['imported'].map((one: any) => [one.isNew, one.isChanged])).toEqual(
      Array.from({ length: 4 }, () => [false, false]),
    )
    await write(join(own!, 'demo'), {
      'home/README.md': '# Welcome back\n',
      'home/fr/SUMMARY.md': '* [Accueil](README.md)\n',
      'developers/v3/SUMMARY.md': '* [Three](README.md)\n',
      'developers/v3/README.md': '# Three\n',
    })
    expect(await run(join(own!, 'demo'))).toMatchObject({ isNew: false, spaces: 5, leftOut: 1 })
    expect((await events()).slice(eventCount).map(({ type }) => type)).toEqual([
      'site_updated',
      'site_updated',
    ])
    expect((await api.read('/@acme/product/')).text).toContain('Welcome back')
    expect((await api.read('/@acme/product/developers/v3/')).text).toContain('Three')
    expect((await api.read('/@acme/product/developers/')).text).toContain('Two')
    expect(await list('sites')).toHaveLength(1)
    expect(await list('spaces')).toHaveLength(before.spaces.length + 1)
  })

  test('is customized, and its links point to the new spaces', async () => {
    const [site] = await list('sites')
    const at = `/orgs/${acme}/sites/${site.id}/customization`
    const { body: looks } = await api.request(ann, 'GET', at)
    const link = (title: string, to: object) => ({ title, style: 'link', to, links: [] })
    const toHome = link('Home', { kind: 'page', page: 'somewhere', space: 'there' })
    const links = [toHome, link('Gone', { kind: 'space', space: 'gone' })]
    const font = {
      id: 'own',
      custom: true,
      fontFamily: 'Own',
      fontFaces: [{ weight: 400, sources: [{ url: 'https://fonts.example/own.woff2' }] }],
    }
    const write = (changed: object) =>
      writeFile(join(own!, 'demo/customization.json'), JSON.stringify({ ...looks, ...changed }))
    const styling = {
      ...looks.styling,
      primaryColor: { light: '#123456', dark: '#abcdef' },
      corners: 'circular',
    }
    await write({ styling, header: { ...looks.header, links } })
    await run(join(own!, 'demo'))
    expect(messages.find(({ kind }) => kind === 'looks')!['sentence']).toBe(
      '"header.links[1].to" is left out: its space is not there.',
    )
    const home = (await list('spaces')).find(({ title }) => title === 'Home')
    expect((await api.request(ann, 'GET', at)).body).toMatchObject({
      styling: { primaryColor: { light: '#123456' }, corners: 'circular' },
      header: { links: [{ title: 'Home', to: { kind: 'space', space: home.id } }] },
    })

    await write({ styling: { ...styling, corners: 'bent' } })
    await run(join(own!, 'demo'))
    expect(messages.find(({ kind }) => kind === 'looks')!['sentence']).toContain(
      '"body.styling.corners" must be',
    )
    await write({ styling: { ...styling, font } })
    await run(join(own!, 'demo'))
    expect(messages.find(({ kind }) => kind === 'looks')!['sentence']).toContain('its font is not kept here')
  })

  test('is one site with each space once, after whichever write its process is killed', async () => {
    const before = { sites: await list('sites'), spaces: await list('spaces') }
    const folder = join(own!, 'bare')
    const nameless = {
      type: 'siteSpaces',
      structure: [variant('one', 'One', {}, { default: true }), variant('two', 'Two', {})],
    }
    await write(folder, {
      'structure.json': JSON.stringify(nameless),
      'one/SUMMARY.md': '* [One](README.md)\n',
      'one/README.md': '# One\n',
      'two/SUMMARY.md': '* [Two](README.md)\n',
      'two/README.md': '# Two\n',
    })
    let deaths = 0
    for (let isDone = false; !isDone;) {
      let left = deaths
      const { write } = api.services.database
      const ending: Database['write'] = async (work) => {
        const done = await write(work)
        if (left-- === 0) throw new Error('ended')
        return done
      }
      isDone = await run(folder, ending).then(
        () => true,
        (error: Error) => {
          expect(error.message).toBe('ended')
          deaths += 1
          return false
        },
      )
      expect(messages.some(({ kind }) => kind === 'goes-on')).toBe(deaths > 1 || isDone)
    }
    expect(deaths).toBeGreaterThan(4)
    expect(await list('sites')).toHaveLength(before.sites.length + 1)
    expect(await list('spaces')).toHaveLength(before.spaces.length + 2)
    const made = (await list('sites')).find(({ id }) => before.sites.every((one) => one.id !== id))
    const { body } = await api.request(ann, 'GET', `/orgs/${acme}/sites/${made.id}/structure`)
    expect(body.structure).toMatchObject([{ path: 'one', default: true }, { path: 'two' }])
    expect(made.published).toBe(true)
    // It has ended: another is another.
    await run(folder)
    expect(messages.some(({ kind }) => kind === 'goes-on')).toBe(false)
    const [, another] = (await list('sites')).filter(({ id }) => before.sites.every((one) => one.id !== id))
    await api.request(ann, 'DELETE', `/orgs/${acme}/sites/${made.id}`)
    await api.request(ann, 'DELETE', `/orgs/${acme}/sites/${another.id}`)
  })

  test('is not published while everyone would see what is under a condition', async () => {
    const folder = join(own!, 'conditional')
    await write(folder, {
      'structure.json': JSON.stringify({
        type: 'siteSpaces',
        structure: [variant('one', 'One', {}, { default: true })],
      }),
      'one/SUMMARY.md': '* [One](README.md)\n* [Closed](closed.md)\n',
      'one/README.md': '# One\n\n[gone](gone.md)\n',
      'one/closed.md': '---\nif: visitor.claims.plan == "pro"\n---\n\n# Closed\n',
    })
    const first = await run(folder)
    expect(first).toMatchObject({ published: false, openConditions: 1, problems: 2 })
    expect(messages.slice(0, 2).map(({ kind, path, line }) => [kind, path, line])).toEqual([
      ['link', 'one/README.md', 3],
      ['condition', 'one/closed.md', 2],
    ])
    expect(messages.find(({ kind }) => kind === 'conditions')).toMatchObject({ published: false })
    const at = `/orgs/${acme}/sites/${first['site']}`
    expect((await api.request(ann, 'GET', at)).body.published).toBe(false)

    // An adaptive site evaluates them.
    await api.request(ann, 'PATCH', at, { adaptiveContent: { enabled: true } })
    expect((await api.request(ann, 'POST', `${at}/publish`)).status).toBe(200)
    await api.request(ann, 'DELETE', at)
    const forced = await run(folder, undefined, { publish: true })
    expect(forced).toMatchObject({ published: true, openConditions: 1 })
    expect(messages.find(({ kind }) => kind === 'conditions')).toMatchObject({ published: true })
    await api.request(ann, 'DELETE', `/orgs/${acme}/sites/${forced['site']}`)
  })

  test('is not published while a variant is under a condition that it does not evaluate', async () => {
    const folder = join(own!, 'guarded')
    const guarded = variant('one', 'One', {}, { default: true, condition: 'visitor.claims.plan == "pro"' })
    await write(folder, {
      'structure.json': JSON.stringify({ type: 'siteSpaces', structure: [guarded] }),
      'one/SUMMARY.md': '* [One](README.md)\n',
      'one/README.md': '# One\n',
    })
    const done = await run(folder)
    expect(done).toMatchObject({ published: false, openConditions: 1 })
    await api.request(ann, 'DELETE', `/orgs/${acme}/sites/${done['site']}`)
  })

  test('is refused with the position of the fault', async () => {
    const broken = async (text: string) => {
      const folder = join(own!, 'broken')
      await write(folder, { 'structure.json': text, 'home/SUMMARY.md': '', 'home/README.md': '' })
      return run(folder).then(
        () => 'done',
        (error: Error) => error.message,
      )
    }
    expect(await broken('{')).toContain('is no JSON')
    expect(await broken('{"type": "other", "structure": []}')).toContain('"type" is to be')
    expect(await broken('{"type": "sections", "structure": [{}]}')).toContain(
      '"structure[0].title" is missing',
    )
    expect(await broken(JSON.stringify({ type: 'sections', structure: [section('a', 'A', [])] }))).toContain(
      'No folder in',
    )
    expect(await list('sites')).toHaveLength(1)
    expect(await run(join(own!, 'nowhere')).catch((error: Error) => error.message)).toContain('There is no')
  })
})
