import { beforeAll, describe, expect, test } from 'vitest'
import { describeEngines } from '../../../tests/engines.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'
import type { Person } from '../../../tests/test-client.js'

const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    isBeta: { type: 'boolean', description: 'Tries new things' },
    plan: { type: 'string', enum: ['free', 'pro'], description: 'Plan' },
    'cost center': { type: 'number', description: 'Where it is paid' },
    products: { type: 'array', description: 'Products', items: { type: 'string', enum: ['api'] } },
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
    const other = { type: 'object', properties: {} }
    expect((await put(other)).body.jsonSchema).toEqual(other)
    expect((await api.request(ann, 'GET', at)).body.jsonSchema).toEqual(other)
  })

  describe('is refused, naming the wrong member', () => {
    test.each<[jsonSchema: unknown, message: string]>([
      [undefined, 'jsonSchema'],
      ['text', 'jsonSchema'],
      [{}, '"jsonSchema.type" must be "object"'],
      [{ type: 'object' }, '"jsonSchema.properties" must be an object'],
      [
        { type: 'object', properties: { plan: { type: 'word' } } },
        '"jsonSchema.properties.plan.type" must be one of',
      ],
      [
        { type: 'object', properties: { plan: { $ref: 'https://octavo.test/x' } } },
        '"jsonSchema.properties.plan.$ref" must name',
      ],
      [
        { type: 'object', properties: { plan: { pattern: '(?=a)' } } },
        '"jsonSchema.properties.plan.pattern" is no pattern',
      ],
      [
        { type: 'object', properties: { unsigned: { type: 'string' } } },
        '"jsonSchema.properties.unsigned.type" must be "object"',
      ],
      [
        { type: 'object', properties: {}, $schema: 'https://json-schema.org/draft/2020-12/schema' },
        '"jsonSchema.$schema" must be',
      ],
      [
        { type: 'object', properties: {}, description: 'x'.repeat(33_000) },
        '"jsonSchema" is longer than 32000',
      ],
    ])('%j', async (jsonSchema, message) => {
      const { status, body } = await put(jsonSchema)
      expect(status).toBe(400)
      expect(body.error.message).toContain(message)
    })
  })

  test('is deleted with the site', async () => {
    await put(schema)
    const site = at.replace('/adaptive-schema', '')
    expect((await api.request(ann, 'DELETE', site)).status).toBe(205)
    expect((await api.request(ann, 'GET', at)).status).toBe(404)
  })
})
