/** Search in API blocks: ordinary pages are found by the output of their blocks, from the current specifications and files. */
import { beforeEach, expect, test } from 'vitest'
import type { OrganizationId, SpaceId } from '../src/core/ids.js'
import { getContent } from '../src/resources/content/content.js'
import { collectIndexable, isIndexed } from '../src/resources/search/index-pages.js'
import { findReferencedSpecifications } from '../src/resources/search/referenced-specifications.js'
import { listIndexedPages } from '../src/store/search/pages.js'
import { findIndexState } from '../src/store/search/index-state.js'
import { type TextReader, createInlineReader } from '../src/store/reading/reader.js'
import { indexSpecifications } from './background-work.js'
import type { Person } from './test-client.js'
import { describeEngines } from './engines.js'
import { type SiteClient, openSiteClient } from './site-client.js'

/** A specification whose schema `Ferret` has one field, beside one that is named by nothing. */
const specification = (field: string) => ({
  openapi: '3.1.0',
  info: { title: 'Ferrets', version: '1' },
  paths: {
    '/burrows': {
      get: {
        operationId: 'listFerrets',
        summary: 'Look for them',
        parameters: [{ name: 'depth', in: 'query', schema: { type: 'string' } }],
        responses: {
          200: {
            description: 'All',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Ferret' } } },
          },
        },
      },
    },
    '/hidden': { get: { operationId: 'listHidden', 'x-internal': true, responses: {} } },
  },
  components: {
    schemas: {
      Ferret: {
        type: 'object',
        properties: { [field]: { type: 'string', description: `Says ${field}ness` } },
      },
      Weasel: { type: 'object', properties: { stoat: { type: 'string' } } },
    },
  },
})

const schemas = (source: string, names: string) =>
  `{% openapi-schemas ${source} schemas="${names}" %}\nOurs.\n{% endopenapi-schemas %}\n`
const operation = (source: string, path: string) =>
  `{% openapi ${source} path="${path}" method="get" %}\nOurs.\n{% endopenapi %}\n`

describeEngines('the output of API blocks', (engine) => {
  let api: SiteClient
  let ann: Person
  let acme: OrganizationId
  let folded: string[]

  beforeEach(async () => {
    const inline = createInlineReader()
    const reader: TextReader = {
      ...inline,
      fold: (page) => {
        folded.push(page.path)
        return inline.fold(page)
      },
    }
    folded = []
    api = await openSiteClient(await engine.open(), undefined, { reader })
    ann = await api.person('ann')
    acme = await api.organization(ann)
  })

  async function find(space: string, query: string): Promise<string[]> {
    const answer = await api.request(ann, 'GET', `/spaces/${space}/search?query=${encodeURIComponent(query)}`)
    expect(answer.status, answer.text).toBe(200)
    return answer.body.items.map(({ path }: { path: string }) => path).toSorted()
  }
  async function give(field: string): Promise<void> {
    const body = { source: { text: JSON.stringify(specification(field)) } }
    expect((await api.request(ann, 'PUT', `/orgs/${acme}/openapi/own`, body)).status).toBeLessThan(300)
    await indexSpecifications(api)
  }
  /** Paths of pages that the index would take up if it were made step by step. */
  async function missing(space: string): Promise<string[]> {
    const { database } = api.services
    const context = {
      db: database.read,
      services: api.services,
      organizationId: acme,
      spaceId: space as SpaceId,
    }
    const content = await getContent(context, (await findIndexState(database.read, context))!.revisionId!)
    const wanted = await collectIndexable(content, await findReferencedSpecifications(database.read, content))
    const known = await listIndexedPages(database.read, context)
    return [...wanted.values()]
      .filter((one) => !isIndexed(one, known.get(one.page.id)))
      .map(({ page }) => page.path)
  }

  test('is found by the names and fields of schemas, and a new version brings its own', async () => {
    const space = await api.folder(ann, acme, 'Own', {
      'README.md': '# Home\n\nNothing.\n',
      'models.md': `# Models\n\n${schemas('spec="own"', 'Ferret')}`,
    })
    await indexSpecifications(api)
    expect(await find(space, 'Ferret')).toEqual([])
    await give('whiskers')
    for (const query of ['Ferret', 'whiskers', 'whiskersness'])
      expect(await find(space, query), query).toEqual(['models'])
    expect(await find(space, 'stoat')).toEqual([])
    folded = []
    await give('paws')
    expect([await find(space, 'whiskers'), await find(space, 'paws')]).toEqual([[], ['models']])
    expect(folded).toEqual(['models'])
    expect(await missing(space)).toEqual([])
  })

  test('is found of a file of the space, and a changed file takes its old words out', async () => {
    const files = (field: string) => ({
      'README.md': '# Home\n\nNothing.\n',
      'guide/models.md': `# Models\n\n${schemas('src="../specs/own.json"', 'Ferret, Weasel')}`,
      'guide/calls.md': `# Calls\n\n${operation('src="/specs/own.json"', '/burrows')}\n${operation('src="/specs/own.json"', '/hidden')}`,
      'linked.md': '# Linked\n\n[The file](specs/own.json)\n',
      'broken.md': `# Broken\n\n${operation('src="specs/broken.yaml"', '/burrows')}`,
      'nowhere.md': `# Nowhere\n\n${operation('src="specs/nowhere.json"', '/burrows')}`,
      'specs/own.json': JSON.stringify(specification(field)),
      'specs/broken.yaml': 'openapi: [',
    })
    const [models, calls] = ['guide/models', 'guide/calls']
    const space = await api.folder(ann, acme, 'Own', files('whiskers'))
    await indexSpecifications(api)
    expect(await find(space, 'whiskers')).toEqual([calls, models])
    expect(await find(space, 'stoat')).toEqual([models])
    for (const query of ['listFerrets', 'GET /burrows', 'depth', 'Look for them'])
      expect(await find(space, query), query).toEqual([calls])
    expect(await find(space, 'listHidden')).toEqual([])
    expect(await missing(space)).toEqual([])

    folded = []
    await api.fill(ann, space, files('paws'))
    await indexSpecifications(api)
    expect([await find(space, 'whiskers'), await find(space, 'paws')]).toEqual([[], [calls, models]])
    expect(folded.toSorted()).toEqual([calls, models, 'linked'])
    expect(await missing(space)).toEqual([])

    // A file that is added later is found by blocks that named it before.
    await api.fill(ann, space, { ...files('paws'), 'specs/nowhere.json': files('paws')['specs/own.json'] })
    await indexSpecifications(api)
    expect(await find(space, 'listFerrets')).toEqual([calls, 'nowhere'])
    expect(await missing(space)).toEqual([])
  })
})
