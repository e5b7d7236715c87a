import { beforeAll, describe, expect, test } from 'vitest'
import type { OrganizationId, SiteId } from '../../core/ids.js'
import { describeEngines } from '../../../tests/engines.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'
import type { Person } from '../../../tests/test-client.js'
import { putVisitorSchema } from './visitor-schema-store.js'

const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    isBeta: { type: 'boolean', description: 'Tries new things' },
    plan: { type: 'string', enum: ['free', 'pro'], description: 'Plan' },
    'cost center': { type: 'number', description: 'Where it is paid' },
    products: {
      type: 'array',
      description: 'Products',
      items: { type: 'string', enum: ['api'], description: 'Product' },
    },
    team: {
      type: 'object',
      description: 'Team',
      properties: { size: { type: 'number', description: 'People' } },
      additionalProperties: false,
    },
    unsigned: {
      type: 'object',
      description: 'Unsigned claims of the site visitor.',
      properties: { language: { type: 'string', enum: ['fr'], description: 'Language' } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
}

describeEngines('the adaptive schema of a site', (engine) => {
  let api: SiteClient
  let ann: Person
  let at: string

  beforeAll(async () => {
    api = await openSiteClient(await engine.open())
    ann = await api.person('ann')
    const acme = await api.organization(ann)
    const site = (await api.request(ann, 'POST', `/orgs/${acme}/sites`, { title: 'Docs' })).body
    at = `/orgs/${acme}/sites/${site.id}/adaptive-schema`
  })

  const put = (jsonSchema: unknown) => api.request(ann, 'PUT', at, { jsonSchema })

  test('is 404 before one is set', async () => {
    expect((await api.request(ann, 'GET', at)).status).toBe(404)
    const { status, body } = await api.request(ann, 'GET', `${at}/template-conditions`)
    expect({ status, body }).toEqual({ status: 200, body: { items: [] } })
  })

  test('is returned as it was set, and suggests conditions', async () => {
    const stored = await put(schema)
    expect(stored.status).toBe(200)
    expect(stored.body).toEqual({
      object: 'site-adaptive-schema',
      jsonSchema: schema,
      updatedAt: expect.any(String),
    })
    expect((await api.request(ann, 'GET', at)).body).toEqual(stored.body)
    const { items } = (await api.request(ann, 'GET', `${at}/template-conditions`)).body
    expect(items).toEqual([
      { description: 'Tries new things: true', condition: 'visitor.claims.isBeta === true' },
      { description: 'Plan: free', condition: 'visitor.claims.plan === "free"' },
      { description: 'Plan: pro', condition: 'visitor.claims.plan === "pro"' },
      { description: 'Products: has api', condition: 'visitor.claims.products.includes("api")' },
      { description: 'Language: fr', condition: 'visitor.claims.unsigned.language === "fr"' },
    ])
  })

  test('replaces the previous one', async () => {
    await put(schema)
    const other = { type: 'object', properties: {}, additionalProperties: false }
    expect((await put(other)).body.jsonSchema).toEqual(other)
    expect((await api.request(ann, 'GET', at)).body.jsonSchema).toEqual(other)
  })

  describe('is refused, naming the wrong member', () => {
    const root = { type: 'object', properties: {}, additionalProperties: false }
    const withClaim = (plan: unknown) => ({ ...root, properties: { plan } })
    const unsigned = schema.properties.unsigned
    const plan = 'jsonSchema.properties.plan'
    test.each<[jsonSchema: unknown, message: string]>([
      [undefined, 'jsonSchema'],
      ['text', 'jsonSchema'],
      [{}, '"jsonSchema.type" must be "object"'],
      [{ type: 'object' }, '"jsonSchema.properties" must be an object'],
      [{ type: 'object', properties: {} }, '"jsonSchema.additionalProperties" must be false'],
      [{ ...root, additionalProperties: true }, '"jsonSchema.additionalProperties" must be false'],
      [{ ...root, additionalProperties: {} }, '"jsonSchema.additionalProperties" must be false'],
      [{ ...root, title: 'Claims' }, '"jsonSchema.title" is not used'],
      [{ ...root, definitions: {} }, '"jsonSchema.definitions" is not used'],
      [{ ...root, $schema: 'https://json-schema.org/draft/2020-12/schema' }, '"jsonSchema.$schema" must be'],
      [{ ...root, description: 'x'.repeat(33_000) }, '"jsonSchema" is longer than 32000'],
      [withClaim(true), `"${plan}" must be an object`],
      [withClaim({ type: 'word', description: 'Plan' }), `"${plan}.type" must be one of`],
      [withClaim({ type: ['string', 'null'], description: 'Plan' }), `"${plan}.type" must be one of`],
      [withClaim({ type: 'string' }), `"${plan}.description" must be a text`],
      [withClaim({ type: 'boolean', description: 1 }), `"${plan}.description" must be a text`],
      [withClaim({ type: 'string', description: 'Plan', pattern: 'a' }), `"${plan}.pattern" is not used`],
      [withClaim({ type: 'number', description: 'Plan', enum: [1] }), `"${plan}.enum" is not used`],
      [
        withClaim({ type: 'string', description: 'Plan', enum: [1] }),
        `"${plan}.enum" must be a list of texts`,
      ],
      [withClaim({ type: 'array', description: 'Plans' }), `"${plan}.items" must be an object`],
      [
        withClaim({ type: 'array', description: 'Plans', items: { type: 'string' } }),
        `"${plan}.items.description" must be a text`,
      ],
      [
        withClaim({ type: 'array', description: 'Plans', items: { type: 'array', description: 'Plan' } }),
        `"${plan}.items.type" must be one of "boolean", "string", "number"`,
      ],
      [
        withClaim({ type: 'object', description: 'Plan', properties: {} }),
        `"${plan}.additionalProperties" must be false`,
      ],
      [
        withClaim({ ...root, description: 'Plan', properties: { 'a b': { type: 'string' } } }),
        `"${plan}.properties.a b.description" must be a text`,
      ],
      [
        { ...root, properties: { unsigned: { type: 'string' } } },
        '"jsonSchema.properties.unsigned.type" must be',
      ],
      [
        { ...root, properties: { unsigned: { ...unsigned, description: 'Mine' } } },
        '"jsonSchema.properties.unsigned.description" must be "Unsigned claims of the site visitor."',
      ],
      [
        { ...root, properties: { unsigned: { ...unsigned, properties: { a: { type: 'number' } } } } },
        '"jsonSchema.properties.unsigned.properties.a.description" must be a text',
      ],
    ])('%j', async (jsonSchema, message) => {
      const { status, body } = await put(jsonSchema)
      expect(status).toBe(400)
      expect(body.error.message).toContain(message)
    })
  })

  test('is read as it is stored, also when it would be refused today', async () => {
    const before = { type: 'object', properties: { plan: { enum: ['pro'] } } }
    await put(schema)
    const [, , organizationId, , siteId] = at.split('/') as [string, string, OrganizationId, string, SiteId]
    await api.services.database.write((tx) =>
      putVisitorSchema(tx, {
        organization_id: organizationId,
        site_id: siteId,
        json_schema: JSON.stringify(before),
        updated_at: api.now(),
      }),
    )
    expect((await api.request(ann, 'GET', at)).body.jsonSchema).toEqual(before)
    const { items } = (await api.request(ann, 'GET', `${at}/template-conditions`)).body
    expect(items).toEqual([{ description: 'plan: pro', condition: 'visitor.claims.plan === "pro"' }])
    expect((await put(before)).status).toBe(400)
  })

  test('is deleted with the site', async () => {
    await put(schema)
    const site = at.replace('/adaptive-schema', '')
    expect((await api.request(ann, 'DELETE', site)).status).toBe(205)
    expect((await api.request(ann, 'GET', at)).status).toBe(404)
  })
})
