/** API blocks of published sites: what is rendered of a specification, and when. */
import { beforeAll, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import type { Person } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'
import { processSpecs } from '../../../tests/openapi-specs.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'

const specification = (summary: string, more: object = {}) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    servers: [{ url: 'https://pets.example.com/v1' }],
    paths: {
      '/pets/{id}': {
        get: {
          operationId: 'getPet',
          summary,
          description: 'One **pet** <script>alert(1)</script> and {% include "x" %}.',
          parameters: [
            {
              name: 'id',
              in: 'path',
              required: true,
              schema: { type: 'string' },
              description: 'Of the [pet](javascript:alert(1))',
            },
          ],
          responses: {
            200: {
              description: 'It',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        Pet: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string', example: 'Rex' },
            mother: { $ref: '#/components/schemas/Pet' },
          },
        },
      },
    },
    ...more,
  })

describeSqlite('API blocks', (engine) => {
  let client: SiteClient
  let ann: Person
  let acme: OrganizationId
  let base: string
  let space: string

  async function give(text: string): Promise<void> {
    const answer = await client.request(ann, 'PUT', `/orgs/${acme}/openapi/pets`, { source: { text } })
    expect(answer.status, answer.text).toBeLessThan(300)
    await processSpecs(client)
  }
  const read = async (path: string, headers = {}) => (await client.read(base + path, headers)).text

  beforeAll(async () => {
    client = await openSiteClient(await engine.open())
    ann = await client.person('ann')
    acme = await client.organization(ann)
    const block = (tag: string, text = '') => `{% ${tag} %}\n${text}\n{% end${tag.split(' ')[0]} %}\n`
    const files: Record<string, string> = {
      'README.md': '# Plain\n\nNo block here.\n',
      'pet.md': `# A pet\n\n${block('openapi-operation spec="pets" path="/pets/{id}" method="get"', 'Own words stay.')}`,
      'models.md': `# Models\n\n${block('openapi-schemas spec="pets" schemas="Pet"')}`,
      'gone.md': `# Gone\n\n${block('openapi-operation spec="pets" path="/nowhere" method="post"', 'Still said.')}`,
    }
    const names = Object.keys(files).slice(1)
    files['SUMMARY.md'] =
      `# Table of contents\n\n* [Plain](README.md)\n${names.map((name) => `* [${name}](${name})\n`).join('')}`
    space = await client.folder(ann, acme, 'Pets', files)
    base = (await client.publish(ann, acme, { title: 'Pets', spaces: [space] })).base
  })

  test("render the author's text until there is a specification, and then the specification", async () => {
    const before = await read('pet')
    expect(before).toMatch(/Own words stay[^]*Specification not found: pets\./)
    expect(before).not.toContain('class="method')
    expect(before).not.toContain('Get a pet')
    await give(specification('Get a pet'))
    const page = await read('pet')
    expect(page).toMatch(
      /Get a pet[^]*https:\/\/pets\.example\.com\/v1[^]*Own words stay[^]*Of the[^]*>200<[^]*>name<[^]*>mother</,
    )
    expect(page).toMatch(/curl[^]*JavaScript[^]*Python[^]*Go/)
    expect(page).toContain('<strong>pet</strong>')
    expect(page).toContain('{% include')
    expect(page).not.toMatch(/javascript:|<script>alert/)
    expect(await read('models')).toMatch(/<code>Pet<\/code>[^]*>name</)
    expect(await read('gone')).toMatch(/Still said\.[^]*Not in the specification: POST \/nowhere\./)
    expect(await read('gone.md')).toMatch(/Not in the specification: POST \/nowhere\.[^]*Still said\./)
    expect(await read('models')).not.toContain('Not in the specification')
  })

  test("are Markdown for programs, with the author's text", async () => {
    for (const text of [await read('pet.md'), await read('llms-full.txt')]) {
      expect(text).toMatch(
        /`GET https:\/\/pets\.example\.com\/v1\/pets\/\{id\}`[^]*- `id` \(string, path, required\)[^]*\*\*200\*\*[^]*- `name`[^]*Own words stay/,
      )
      expect(text).not.toContain('{% openapi-operation spec="pets" path="/pets')
    }
  })

  test('allow the page to connect to the listed servers only, and no page without a panel', async () => {
    const policyOf = async (path: string) =>
      (await client.read(base + path)).headers['content-security-policy']
    expect(await policyOf('pet')).toContain("connect-src 'self' https://pets.example.com;")
    expect(await read('pet')).toMatch(
      /<form data-try[^]*<option>https:\/\/pets\.example\.com\/v1<[^]*assets\/reference\.js|assets\/reference\.js[^]*<form data-try/,
    )
    expect(await policyOf('')).toContain("connect-src 'self';")
    const servers = [
      'https://ok.example.com',
      'https://a.example.com; script-src *',
      'javascript:alert(1)',
      '//x.example.com',
      'https://u:p@b.example.com',
      '/v1',
    ]
    await give(specification('Get a pet', { servers: servers.map((url) => ({ url })) }))
    expect(await policyOf('pet')).toContain("connect-src 'self' https://ok.example.com;")
    expect(await policyOf('pet')).not.toMatch(/script-src [^;]*\*/)
    await give(specification('Get a pet', { 'x-hideTryItPanel': true }))
    expect(await policyOf('pet')).toContain("connect-src 'self';")
    expect(await read('pet')).not.toMatch(/data-try|reference\.js/)
    await give(specification('Get a pet'))
  })

  test('follow the specification with the next request, and load their style sheet only where they are used', async () => {
    expect(await read('pet')).toContain('Get a pet')
    await give(specification('Fetch a pet'))
    expect(await read('pet')).toContain('Fetch a pet')
    expect(await read('pet')).toMatch(/assets\/reference\.css/)
    expect(await read('')).not.toContain('reference.css')
  })
})
