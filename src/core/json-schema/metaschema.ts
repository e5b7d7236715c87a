/** The schema of draft-07 schemas, which schemas may refer to. */
import type { JsonObject } from './json.js'

export const metaschemaUri = 'http://json-schema.org/draft-07/schema'

const self = { $ref: '#' }
const list = { $ref: '#/definitions/schemaArray' }
const named = { type: 'object', additionalProperties: self, default: {} }
const count = { $ref: '#/definitions/nonNegativeInteger' }
const countFromZero = { $ref: '#/definitions/nonNegativeIntegerDefault0' }
const names = { $ref: '#/definitions/stringArray' }
const text = { type: 'string' }
const flag = { type: 'boolean', default: false }
const number = { type: 'number' }
const typeName = { $ref: '#/definitions/simpleTypes' }

export const metaschema: JsonObject = {
  $schema: `${metaschemaUri}#`,
  $id: `${metaschemaUri}#`,
  title: 'Core schema meta-schema',
  definitions: {
    schemaArray: { type: 'array', minItems: 1, items: self },
    nonNegativeInteger: { type: 'integer', minimum: 0 },
    nonNegativeIntegerDefault0: { allOf: [count, { default: 0 }] },
    simpleTypes: { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] },
    stringArray: { type: 'array', items: text, uniqueItems: true, default: [] },
  },
  type: ['object', 'boolean'],
  properties: {
    $id: { ...text, format: 'uri-reference' },
    $schema: { ...text, format: 'uri' },
    $ref: { ...text, format: 'uri-reference' },
    $comment: text,
    title: text,
    description: text,
    default: true,
    readOnly: flag,
    examples: { type: 'array', items: true },
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    maximum: number,
    exclusiveMaximum: number,
    minimum: number,
    exclusiveMinimum: number,
    maxLength: count,
    minLength: countFromZero,
    pattern: { ...text, format: 'regex' },
    additionalItems: self,
    items: { anyOf: [self, list], default: true },
    maxItems: count,
    minItems: countFromZero,
    uniqueItems: flag,
    contains: self,
    maxProperties: count,
    minProperties: countFromZero,
    required: names,
    additionalProperties: self,
    definitions: named,
    properties: named,
    patternProperties: { ...named, propertyNames: { format: 'regex' } },
    dependencies: { type: 'object', additionalProperties: { anyOf: [self, names] } },
    propertyNames: self,
    const: true,
    enum: { type: 'array', items: true },
    type: { anyOf: [typeName, { type: 'array', items: typeName, minItems: 1, uniqueItems: true }] },
    format: text,
    contentMediaType: text,
    contentEncoding: text,
    if: self,
    // eslint-disable-next-line unicorn/no-thenable
    then: self,
    else: self,
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: self,
  },
  default: true,
}
