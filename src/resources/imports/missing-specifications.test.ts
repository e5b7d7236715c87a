/** Imports report API blocks and computed pages whose specification, operation or schema does not exist. */
import { beforeAll, expect, test } from 'vitest'
import { describeSqlite } from '../../../tests/engines.js'
import { processSpecs } from '../../../tests/openapi-specs.js'
import { type Person, type TestClient, openTestClient } from '../../../tests/test-client.js'
import { routes } from '../../server/api/api.js'
import { newId } from '../../access/ids.js'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import type { ArchiveEntry } from './archive.js'
import { importTree } from './import.js'
import { intoNewSpace } from './target.js'

const specification = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': {
      get: { summary: 'List', responses: {} },
      delete: { 'x-internal': true, responses: {} },
      additionalOperations: { COPY: { responses: {} } },
    },
    '/owners': { $ref: '#/components/pathItems/Owners' },
  },
  webhooks: { born: { post: { responses: {} } } },
  components: {
    schemas: { Pet: { type: 'object' } },
    pathItems: { Owners: { get: { responses: {} } } },
  },
})

const computed = (ref: string) => `* \`\`\`yaml
  type: builtin:openapi
  dependencies:
    spec:
      ref: { ${ref} }
  \`\`\`
`
const block = (tag: string) => `{% ${tag} %}\n{% end${tag.split(' ')[0]} %}\n`

describeSqlite('specifications that an imported text names', (engine) => {
  let client: TestClient
  let ann: Person
  let acme: OrganizationId

  beforeAll(async () => {
    client = await openTestClient(await engine.open(), routes)
    ann = await client.person('ann')
    acme = await client.organization(ann)
    const source = { text: specification }
    await client.request(ann, 'PUT', `/orgs/${acme}/openapi/pets`, { source })
    await processSpecs(client)
    await client.request(ann, 'PUT', `/orgs/${acme}/openapi/pending`, { source })
  })

  async function problemsOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
    async function* entries(): AsyncGenerator<ArchiveEntry> {
      for (const [path, content] of Object.entries(files)) {
        const bytes = Buffer.from(content)
        const stream = async function* () {
          yield bytes
        }
        yield { path, size: bytes.length, stream, open: async () => bytes }
      }
    }
    const { services } = client
    const author = { services, userId: ann.id, now: client.now() }
    const space = { organization_id: acme, id: newId<SpaceId>() }
    const target = intoNewSpace(space, { title: 'Space' }, author)
    const { problems } = await importTree({
      services,
      target,
      mode: 'replace',
      entries: entries(),
      now: client.now(),
    })
    return problems.map(
      ({ kind, path, line, message }) => `${kind} ${path}${line === undefined ? '' : `:${line}`} ${message}`,
    )
  }

  test.each<[string, string | undefined]>([
    ['openapi-operation spec="pets" path="/pets" method="get"', undefined],
    ['openapi-operation spec="Pets" path="/pets" method="GET"', undefined],
    ['openapi-operation spec="pets" path="/pets" method="delete"', undefined],
    ['openapi-operation spec="pets" path="/pets" method="copy"', undefined],
    ['openapi-operation spec="pets" path="/owners" method="get"', undefined],
    ['openapi-webhook spec="pets" name="born"', undefined],
    ['openapi-schemas spec="pets" schemas="Pet"', undefined],
    ['openapi-operation spec="pending" path="/none" method="get"', undefined],
    ['openapi src="pets.json" path="/pets" method="get"', undefined],
    [
      'openapi-operation spec="pets" path="/missing" method="get"',
      'There is no operation GET /missing in the specification pets.',
    ],
    [
      'openapi-operation spec="pets" path="/pets" method="put"',
      'There is no operation PUT /pets in the specification pets.',
    ],
    [
      'openapi-operation spec="pets" path="/owners" method="put"',
      'There is no operation PUT /owners in the specification pets.',
    ],
    ['openapi-webhook spec="pets" name="sold"', 'There is no webhook POST sold in the specification pets.'],
    [
      'openapi-schemas spec="pets" schemas="Pet,Nope,toString"',
      'There is no schema Nope, toString in the specification pets.',
    ],
    [
      'openapi-operation spec="none" path="/x" method="get"',
      'There is no specification none in this organization.',
    ],
    [
      'openapi src="https://api.test/none.json" path="/x" method="get"',
      'No specification of this organization is fetched from https://api.test/none.json.',
    ],
    [
      'openapi src="pets.json" path="/missing" method="get"',
      'There is no operation GET /missing in the specification pets.json.',
    ],
    [
      'openapi src="other.json" path="/x" method="get"',
      'other.json is no specification. It is no OpenAPI specification: it has neither "openapi" nor "swagger".',
    ],
    ['openapi src="gone.json" path="/x" method="get"', 'gone.json leads nowhere.'],
  ])('are reported where something of them is missing: %s', async (tag, message) => {
    const problems = await problemsOf({
      'README.md': `# Pets\n\n${block(tag)}`,
      'pets.json': specification,
      'other.json': '{"name":"package"}',
    })
    expect(problems).toEqual(message === undefined ? [] : [`link README.md:3 ${message}`])
  })

  test('are reported for computed pages and included texts', async () => {
    const problems = await problemsOf({
      'README.md': '# Pets\n\n{% include ".gitbook/includes/api.md" %}\n',
      '.gitbook/includes/api.md': block('openapi-schemas src="../../specs/pets.json" schemas="Nope"'),
      'SUMMARY.md': `* [Home](README.md)\n${computed('kind: openapi, spec: none')}${computed('kind: openapi, spec: pets')}${computed('kind: file, file: specs/other.json')}`,
      'specs/pets.json': specification,
      'specs/other.json': '[]',
    })
    expect(problems).toEqual([
      'link .gitbook/includes/api.md:1 There is no schema Nope in the specification ../../specs/pets.json.',
      'link SUMMARY.md There is no specification none in this organization.',
      'link SUMMARY.md specs/other.json is no specification. It is no OpenAPI specification: it is no object.',
    ])
  })
})
