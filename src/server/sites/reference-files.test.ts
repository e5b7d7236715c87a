/** API blocks whose specification is a file of their space: parsed once for its bytes, rendered for readers of the page. */
import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { limits } from '../../contract/limits.js'
import type { OrganizationId } from '../../core/ids.js'
import type { Person } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'
import {
  type SpecificationReader,
  createInlineSpecificationReader,
} from '../../store/specifications/reader.js'

const yaml = (summary: string) => `openapi: 3.1.0
info: { title: Pets, version: '1' }
servers: [{ url: https://pets.example.com/v1 }]
paths:
  /pets:
    get:
      summary: ${summary}
      responses:
        '200':
          description: All
          content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } }
components:
  schemas:
    Pet: { type: object, properties: { name: { type: string }, mother: { $ref: '#/components/schemas/Pet' } } }
`
const block = (src: string, words = '') =>
  `{% openapi src="${src}" path="/pets" method="get" %}\n${words}\n{% endopenapi %}\n`

/** More members than a page renders. */
const wide = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Wide', version: '1' },
  paths: {
    '/pets': {
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Wide' } } } },
        responses: {},
      },
    },
  },
  components: {
    schemas: {
      Wide: {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 1_200 }, (_, at) => [`m${at}`, { type: 'string' }]),
        ),
      },
    },
  },
})

/** A specification of so many operations, and the API blocks that name them all. */
const operations = (count: number) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Many', version: '1' },
    paths: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `/many/${at}`,
        { get: { summary: `Many ${at}`, responses: {} } },
      ]),
    ),
  })
const blocks = (count: number) =>
  Array.from({ length: count }, (_, at) => block('specs/many.json').replace('/pets', `/many/${at}`)).join(
    '\n',
  )

const files: Readonly<Record<string, string>> = {
  'README.md': '# Plain\n',
  'pets.md': `# Pets\n\n${block('.gitbook/assets/pets.yaml', 'Own words stay.')}`,
  'guide/deep.md': '# Deep\n\n{% include "../.gitbook/includes/pets.md" %}\n',
  '.gitbook/includes/pets.md': block('../assets/pets.yaml'),
  'models.md':
    '# Models\n\n{% openapi-schemas src="/.gitbook/assets/pets.yaml" schemas="Pet" %}\n{% endopenapi-schemas %}\n',
  'json.md': `# JSON\n\n${block('specs/pets.json')}`,
  'gone.md': `# Gone\n\n${block('specs/nowhere.yaml', 'Still said.')}`,
  'broken.md': `# Broken\n\n${block('specs/broken.yaml', 'Said above.')}`,
  'none.md': `# None\n\n${block('specs/none.json')}`,
  'apart.md': `# Apart\n\n${block('specs/apart.yaml')}`,
  'fetched.md': `# Fetched\n\n${block('specs/fetched.yaml')}`,
  'large.md': `# Large\n\n${block('specs/large.yaml')}`,
  'some.md': `# Some\n\n{% if visitor.claims.plan == "pro" %}\n${block('specs/some.yaml')}{% endif %}\n`,
  '.gitbook/assets/pets.yaml': yaml('List the pets'),
  'guide/wide.md': `# Wide\n\n${block('../specs/wide.json').replace('get', 'post')}`,
  'guide/wide-model.md':
    '# Model\n\n{% openapi-schemas src="../specs/wide.json" schemas="Wide" %}\n{% endopenapi-schemas %}\n',
  'specs/wide.json': wide,
  'many.md': `# Many\n\n${blocks(130)}`,
  'specs/many.json': operations(130),
  'specs/some.yaml': yaml('For some alone'),
  'specs/pets.json':
    '{"swagger":"2.0","info":{"title":"P","version":"1"},"paths":{"/pets":{"get":{"summary":"As JSON","responses":{}}}}}',
  'specs/broken.yaml': 'openapi: [3.1.0\n  <script>alert(1)</script> {% include "x" %}',
  'specs/none.json': '{"name":"package"}',
  'specs/apart.yaml': yaml('Apart').replaceAll('#/components', './other.yaml#/components'),
  'specs/fetched.yaml': yaml('Fetched').replaceAll('#/components', 'http://127.0.0.1/other.yaml#/components'),
}

describeSqlite('API blocks of files', (engine) => {
  let client: SiteClient
  let ann: Person
  let acme: OrganizationId
  let base: string
  let site: string
  let reads = 0
  let hold: Promise<void> | undefined

  const reader: SpecificationReader = {
    ...createInlineSpecificationReader(),
    async read(task) {
      reads += 1
      await hold
      return createInlineSpecificationReader().read(task)
    },
  }
  const read = async (path: string) => (await client.read(base + path)).text

  beforeAll(async () => {
    client = await openSiteClient(await engine.open(), undefined, { specifications: reader })
    ann = await client.person('ann')
    acme = await client.organization(ann)
    const space = await client.folder(ann, acme, 'Pets', files)
    const published = await client.publish(ann, acme, { title: 'Pets', spaces: [space] })
    base = published.base
    site = `/orgs/${acme}/sites/${published.id}`
  })

  test("render the file beside the author's text, which the import has parsed", async () => {
    const before = reads
    const page = await read('pets')
    expect(page).toMatch(
      /List the pets[^]*https:\/\/pets\.example\.com\/v1[^]*Own words stay[^]*>200<[^]*>name</,
    )
    expect(page).toContain('curl')
    expect(await read('models')).toMatch(/<code>Pet<\/code>[^]*>name<[^]*>mother</)
    expect(await read('guide/deep')).toContain('List the pets')
    expect(await read('json')).toContain('As JSON')
    expect(await read('pets.md')).toMatch(/`GET https:\/\/pets\.example\.com\/v1\/pets`[^]*Own words stay/)
    expect(reads).toBe(before)
    const policy = (await client.read(`${base}pets`)).headers['content-security-policy']
    expect(policy).toContain("connect-src 'self' https://pets.example.com;")
  })

  test.each(['guide/wide', 'guide/wide-model'])(
    'lead to the file where something is left out: %s',
    async (path) => {
      const page = await read(path)
      expect(page).toContain('>m100<')
      const [, href] =
        /Wide: nested too deeply to be shown here \(<a href="([^"]+)">wide\.json<\/a>\)\./.exec(page) ?? []
      expect(href).toBeDefined()
      const { status, text } = await client.read(href!.replaceAll('&amp;', '&'))
      expect([status, text]).toEqual([200, wide])
      expect(await read('pets')).not.toContain('>pets.yaml</a>')
    },
  )

  test('name what a page with very many of them leaves out', async () => {
    const page = await read('many')
    const leftOut = [
      ...page.matchAll(
        /(\/many\/\d+)<\/code>[^]{1,200}this part is left out\. \(<a href="[^"]+">many\.json<\/a>\)/g,
      ),
    ]
    expect(leftOut.map(([, path]) => path)).toEqual(
      Array.from({ length: 30 }, (_, at) => `/many/${at + 100}`),
    )
    expect(page.match(/class="openapi-summary"/g)).toHaveLength(100)
    const markdown = await read('many.md')
    expect(markdown.match(/`GET \/many\/\d+`/g)).toHaveLength(100)
    expect(markdown.match(/this part is left out/g)).toHaveLength(30)
  })

  test('show what is wrong with it', async () => {
    const broken = await read('broken')
    expect(broken).toMatch(/cannot be shown\. It is neither JSON nor YAML/)
    expect(broken).toContain('Said above.')
    expect(broken).not.toContain('<script>alert')
    expect(await read('none')).toContain('It is no OpenAPI specification')
    expect(await read('apart')).toMatch(/other\.yaml[^]*bundle it into one file/)
    expect(await read('fetched')).toMatch(/127\.0\.0\.1\/other\.yaml[^]*bundle it into one file/)
    expect(await read('broken.md')).toMatch(/cannot be shown[^]*Said above\./)
    const page = await read('gone')
    expect(page).toMatch(/Still said\.[^]*Specification not found: specs\/nowhere\.yaml\./)
    expect(page).not.toContain('cannot be shown')
  })

  test('say that it is being parsed, and render it afterwards; one that is too large is not parsed', async () => {
    // Extreme compression ratios are treated as an attack.
    const large = randomBytes(limits.specificationFileBytes * 0.75 + 3).toString('base64')
    const space = await client.folder(ann, acme, 'Other pets', { ...files, 'specs/large.yaml': large })
    const { base: other } = await client.publish(ann, acme, { title: 'Other pets', spaces: [space] })
    const read = async (path: string) => (await client.read(other + path)).text
    let release = (): void => {}
    hold = new Promise((resolve) => (release = resolve))
    const base64 = Buffer.from(yaml('Fetch the pets')).toString('base64')
    const markdown = block('.gitbook/assets/new.yaml', 'Own words stay.')
    await client.change(ann, space, [
      { operation: 'insert_files', files: [{ ref: 'new', name: 'new.yaml', base64 }] },
      { operation: 'insert_page', title: 'New', slug: 'new', document: { markdown } },
    ])
    const before = reads
    expect(await read('new')).toMatch(/is being read[^]*Own words stay|Own words stay[^]*is being read/)
    expect(await read('new.md')).toContain('is being read')
    release()
    hold = undefined
    expect(await read('new')).toContain('Fetch the pets')
    expect(await read('new.md')).not.toContain('is being read')
    expect(await read('large')).toContain('larger than 10000000 bytes')
    expect(reads - before).toBe(1)
  })

  test('render nothing of it where the condition around them is false', async () => {
    expect(await read('some')).toContain('For some alone')
    const adaptive = { adaptiveContent: { enabled: true } }
    expect((await client.request(ann, 'PATCH', site, adaptive)).status).toBe(200)
    expect(await read('some')).not.toMatch(/For some alone|\/pets</)
    expect(await read('pets')).toContain('List the pets')
  })
})
