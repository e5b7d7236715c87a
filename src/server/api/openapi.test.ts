/** The OpenAPI document: valid, linted, described, and with examples that match their schemas. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { createAddresses } from '../../contract/addresses.js'
import { routes } from './api.js'
import { describeApi } from './openapi.js'

type Json = any

const document: Json = describeApi(
  routes,
  createAddresses({ baseUrl: 'https://docs.octavo.test', sign: (text) => text }),
)
const source = JSON.stringify(document)

/** Every operation with its path and method. */
const operations: { at: string; operation: Json; endpoint: (typeof routes)[number]['endpoint'] }[] =
  routes.map(({ endpoint }) => {
    const path = `/v1${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
    const method = endpoint.method.toLowerCase()
    const at = ['', 'paths', path.replaceAll('/', '~1'), method].join('/')
    return { at, operation: document.paths[path][method], endpoint }
  })

test('it is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse(source))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
})

test('the linter finds nothing', async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      // The next test checks examples, in a quarter of the time.
      'no-invalid-media-type-examples': 'off',
      'no-invalid-schema-examples': 'off',
      'no-duplicated-tag-names': 'error',
      'no-unused-components': 'error',
      'operation-description': 'error',
      'parameter-description': 'error',
      'tag-description': 'error',
      'response-contains-property': 'off',
    },
  })
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  expect(
    problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
  ).toEqual([])
})

test('every example matches its schema', () => {
  const ajv = new Ajv2020({ strict: false, inlineRefs: false, code: { optimize: false } })
  addFormats.default(ajv)
  ajv.addFormat('binary', true)
  ajv.addSchema(document, 'api')
  const wrong: string[] = []
  let count = 0
  const check = (at: string, schema: object, example: unknown) => {
    count++
    if (!ajv.validate(schema, example)) wrong.push(`${at}: ${ajv.errorsText()}`)
  }
  for (const { at, operation, endpoint } of operations) {
    for (const [part, { content = {} }] of [
      ['requestBody', operation.requestBody ?? {}],
      ...Object.entries<Json>(operation.responses).map(([status, one]) => [`responses/${status}`, one]),
    ])
      for (const [type, media] of Object.entries<Json>(content)) {
        const schema = `${at}/${part}/content/${type.replaceAll('/', '~1')}/schema`
        if (media.example !== undefined)
          check(`${endpoint.operationId} ${part}`, { $ref: `api#${encodeURI(schema)}` }, media.example)
        else expect([endpoint.operationId, part, type]).not.toContain('application/json')
      }
  }
  const walk = (at: string, value: Json): void => {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value['examples'])) for (const example of value['examples']) check(at, value, example)
    for (const [key, inner] of Object.entries(value)) if (key !== 'example') walk(`${at}/${key}`, inner)
  }
  walk('', document)
  expect(count).toBeGreaterThan(300)
  expect(wrong).toEqual([])
})

test('every operation is named by what it does, once, and described', () => {
  const summaries = operations.map(({ operation }) => operation.summary)
  expect(
    summaries.filter((summary) => !/^[A-Z][a-z]+,? [^.;:]+$/.test(summary) || summary.length > 60),
  ).toEqual([])
  expect(summaries.filter((summary, at) => summaries.indexOf(summary) !== at)).toEqual([])
  const sentences = /^[A-Z"`].*\.$/
  const descriptions = operations.map(({ operation }) => operation.description)
  expect(descriptions.filter((description) => !sentences.test(description))).toEqual([])
  const parameters = operations.flatMap(({ operation }) => operation.parameters ?? [])
  const own = [...parameters, ...Object.values(document.components.parameters)].filter((one) => !one.$ref)
  expect(own.filter(({ description }) => !sentences.test(description)).map(({ name }) => name)).toEqual([])
})

test('every operation says with which statuses it is answered', () => {
  for (const { operation, endpoint } of operations) {
    const statuses = Object.keys(operation.responses)
    expect(statuses).toEqual(
      expect.arrayContaining([String(endpoint.success), '400', '401', '403', 'default']),
    )
    // What was removed already is no error.
    if (endpoint.success === 205) expect(statuses).toContain('204')
    if (endpoint.params.length > 0) expect(statuses).toContain('404')
    for (const status of statuses.filter((one) => one >= '4' && one !== 'default'))
      expect(operation.responses[status].$ref).toMatch(/^#\/components\/responses\/[A-Z]/)
  }
})
