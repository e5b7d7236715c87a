/** Generated pages of a specification file in the space: by revision, and when the file is no specification. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { OrganizationId } from '../src/core/ids.js'
import { indexSpecifications } from './background-work.js'
import type { Person } from './test-client.js'
import { describeSqlite } from './engines.js'
import { type SiteClient, openSiteClient } from './site-client.js'

const operation = (operationId: string, tag: string, field: string) => ({
  operationId,
  tags: [tag],
  summary: `Ask for ${operationId}`,
  parameters: [{ name: field, in: 'query', schema: { type: 'string' } }],
  responses: { 200: { description: 'Done.' } },
})
const specification = (paths: object): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Zoo', version: '1', description: 'Keeps **animals**.' },
    paths,
    components: { schemas: { Keeper: { type: 'object', properties: { name: { type: 'string' } } } } },
  })
const birds = { '/birds': { get: operation('listBirds', 'birds', 'wingspan') } }
const seals = { '/seals': { get: operation('listSeals', 'seals', 'whiskers') } }

const entry = (file: string) => `* \`\`\`yaml
  type: builtin:openapi
  title: Zoo API
  props:
    models: true
  dependencies:
    spec:
      ref:
        kind: file
        file: ${file}
  \`\`\`
`
const summary = (file: string) => `# Table of contents\n\n* [Home](README.md)\n${entry(file)}`
const home = '# Home\n\nSee [birds](zoo-api/birds.md).\n'

describeSqlite('pages made of a file of the space', (engine) => {
  let api: SiteClient
  let ann: Person
  let acme: OrganizationId
  let space: string
  let base: string
  let site: string

  async function ask(path: string, status = 200, person = ann): Promise<any> {
    const answer = await api.request(person, 'GET', path)
    expect(answer.status, `${path}: ${answer.text}`).toBe(status)
    return answer.body
  }
  const paths = async (at: string): Promise<string[]> => {
    const all = (pages: any[]): string[] =>
      pages.flatMap(({ path, pages: below = [] }) => [path, ...all(below)])
    return all((await ask(`${at}/pages`)).pages)
  }
  const fill = async (files: Record<string, string>) => {
    // A published space is not filled live.
    await api.request(ann, 'POST', `${site}/unpublish`)
    await api.request(ann, 'PATCH', `/spaces/${space}`, { editMode: 'live' })
    await api.fill(ann, space, files)
    await api.request(ann, 'POST', `${site}/publish`)
    await indexSpecifications(api)
  }
  const find = async (query: string): Promise<string[]> =>
    (await ask(`/spaces/${space}/search?query=${query}`)).items.map(({ path }: { path: string }) => path)
  const broken = async () => (await ask(`/spaces/${space}/links?status=broken`)).items.length as number

  beforeAll(async () => {
    api = await openSiteClient(await engine.open())
    ann = await api.person('ann')
    acme = await api.organization(ann)
    space = await api.folder(ann, acme, 'Zoo', {
      'README.md': home,
      'specs/our zoo.json': specification(birds),
      'SUMMARY.md': summary('specs/our zoo.json'),
    })
    const made = await api.publish(ann, acme, { title: 'Zoo', spaces: [space] })
    base = made.base
    site = `/orgs/${acme}/sites/${made.id}`
    await indexSpecifications(api)
  })

  test('are in the tree, on the site, in its feeds and in the search', async () => {
    const content = await ask(`/spaces/${space}/content`)
    expect(content).toMatchObject({ type: 'computed' })
    expect(await paths(`/spaces/${space}/content`)).toEqual([
      'readme',
      'zoo-api',
      'zoo-api/birds',
      'zoo-api/models',
    ])
    const page = await ask(`/spaces/${space}/content/path/${encodeURIComponent('zoo-api/birds')}`)
    expect(page.computed).toMatchObject({
      type: 'builtin:openapi',
      props: { doc: 'operations' },
      dependencies: { spec: { ref: { kind: 'file', file: 'specs/our zoo.json' } } },
    })
    for (const [path, words] of [
      ['zoo-api', '<strong>animals</strong>'],
      ['zoo-api/birds', 'wingspan'],
      ['zoo-api/models', 'Keeper'],
      ['sitemap-pages.xml', 'zoo-api/birds</loc>'],
      ['llms.txt', 'zoo-api/birds.md'],
      ['llms-full.txt', 'wingspan'],
      ['zoo-api/birds.md', 'wingspan'],
    ] as const)
      expect((await api.read(base + path)).text, path).toContain(words)
    expect(await find('wingspan')).toEqual(['zoo-api/birds'])
    expect(await broken()).toBe(0)
    const written = await ask(`/spaces/${space}/content?computed=false`)
    expect(content.id.startsWith(`${written.id}-`)).toBe(true)
    expect(written.pages[1]).toMatchObject({ type: 'computed', path: 'zoo-api' })
  })

  test('follow the file: removed operations are gone, and an earlier revision has its own', async () => {
    const before = await ask(`/spaces/${space}/content`)
    await fill({
      'README.md': home,
      'specs/our zoo.json': specification(seals),
      'SUMMARY.md': summary('specs/our zoo.json'),
    })
    expect(await paths(`/spaces/${space}/content`)).toEqual([
      'readme',
      'zoo-api',
      'zoo-api/seals',
      'zoo-api/models',
    ])
    expect([await find('wingspan'), await find('whiskers')]).toEqual([[], ['zoo-api/seals']])
    expect((await api.read(`${base}zoo-api/seals`)).text).toContain('listSeals')
    expect((await api.read(`${base}zoo-api/birds`)).status).toBe(404)
    expect(await broken()).toBe(1)
    expect(await paths(`/spaces/${space}/revisions/${before.id}`)).toContain('zoo-api/birds')
    // The source of the blocks is unchanged; search finds their present output.
    const changed = { '/seals': { get: operation('listSeals', 'seals', 'flippers') } }
    await fill({
      'README.md': home,
      'specs/our zoo.json': specification(changed),
      'SUMMARY.md': summary('specs/our zoo.json'),
    })
    expect([await find('whiskers'), await find('flippers')]).toEqual([[], ['zoo-api/seals']])
  })

  test.each([
    ['no specification', '{ "openapi": 3', 'specs/our zoo.json', 'JSON'],
    ['not there', specification(birds), 'specs/gone.json', 'There is no such file in this space'],
  ])('say so where the file is %s, and keep nothing of it', async (_, text, file, words) => {
    await fill({ 'README.md': home, 'specs/our zoo.json': text, 'SUMMARY.md': summary(file) })
    expect(await paths(`/spaces/${space}/content`)).toEqual(['readme', 'zoo-api'])
    const top = await api.read(`${base}zoo-api`)
    expect(top.text).toContain(file.slice(6))
    expect(top.text).toContain(words)
    expect(await find('flippers')).toEqual([])
    await fill({
      'README.md': home,
      'specs/our zoo.json': specification(birds),
      'SUMMARY.md': summary('specs/our zoo.json'),
    })
    expect(await paths(`/spaces/${space}/content`)).toContain('zoo-api/birds')
    expect((await api.read(`${base}zoo-api`)).text).not.toContain(words)
  })

  describe('by changes', () => {
    test('are made of a file of the same batch, and of one by its id; also by guests', async () => {
      const { id } = (await api.request(ann, 'POST', `/orgs/${acme}/spaces`, { title: 'New', empty: true }))
        .body
      const guest = await api.person('guest')
      await api.join(acme, guest, null)
      await api.request(ann, 'POST', `/spaces/${id}/permissions`, { users: [guest.id], role: 'create' })
      const computedOf = (file: string) => ({
        type: 'builtin:openapi',
        dependencies: { spec: { ref: { kind: 'file', file } } },
      })
      const base64 = Buffer.from(specification(birds)).toString('base64')
      await api.change(guest, id, [
        { operation: 'insert_files', files: [{ name: 'zoo.json', base64, ref: 'zoo' }] },
        { operation: 'insert_page', title: 'API', computed: computedOf('zoo') },
      ])
      expect(await paths(`/spaces/${id}/content`)).toEqual(['api', 'api/birds'])
      const [written] = (await ask(`/spaces/${id}/content/pages?computed=false`)).pages
      expect(written.computed.dependencies.spec.ref).toEqual({
        kind: 'file',
        file: '.gitbook/assets/zoo.json',
      })
      const [file] = (await ask(`/spaces/${id}/content/files`)).items
      const computed = { ...computedOf(file.id), props: { models: true } }
      await api.change(guest, id, [{ operation: 'update_page', page: written.id, computed }])
      expect(await paths(`/spaces/${id}/content`)).toEqual(['api', 'api/birds', 'api/models'])
    })
  })
})
