/** Custom fields: the metadata fields of an organization, and their values on its spaces. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { ListOf, ListQuery, Timestamp, Words, shape } from './shapes.js'

export const customFieldTypes = [
  'text',
  'number',
  'boolean',
  'tags',
  'select:multi',
  'select:single',
] as const
export type CustomFieldType = (typeof customFieldTypes)[number]

/** Fields that an organization may have, and values that a request may set: a space returns all of them. */
export const maxCustomFields = 100
const maxValueLength = 256
const maxEntries = 100

const Entry = Type.String({ maxLength: maxValueLength })
export const CustomFieldValue = Type.Union(
  [Entry, Type.Number(), Type.Boolean(), Type.Array(Entry, { maxItems: maxEntries })],
  {
    description:
      'By the type of the field: a text for "text" and "select:single", a number, a boolean, texts for "tags" and "select:multi".',
  },
)
export type CustomFieldValue = Static<typeof CustomFieldValue>

const name = { minLength: 1, maxLength: 50, pattern: '^(?!__proto__$)[a-z0-9_-]+$' }
const Options = Type.Array(Type.String({ minLength: 1, maxLength: 40 }), {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description:
    'The options; required for the types "select:single" and "select:multi", not allowed for others.',
})
const words = {
  title: Type.Optional(Type.String({ maxLength: 100 })),
  description: Type.Optional(Type.String({ maxLength: 200 })),
  placeholder: Type.Optional(Type.String({ maxLength: 100 })),
}

export const CustomField = shape(
  'CustomField',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    title: Type.String(),
    description: Type.String(),
    type: Words(customFieldTypes),
    placeholder: Type.String(),
    options: Type.Optional(Type.Array(Type.String())),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    urls: Type.Object({ location: Type.String() }),
    permissions: Type.Object({ view: Type.Boolean(), edit: Type.Boolean() }),
  }),
)
export type CustomField = Static<typeof CustomField>

export const CustomFieldValues = shape(
  'CustomFieldValues',
  Type.Array(Type.Object({ customField: CustomField, value: Type.Optional(CustomFieldValue) })),
)
export type CustomFieldValues = Static<typeof CustomFieldValues>

const place = '/orgs/:organizationId/custom-fields'
const one = `${place}/:fieldName` as const
const tag = 'Custom fields'

export const listCustomFields = endpoint('listCustomFieldsInOrganization', 'GET', place, {
  summary: 'List custom fields',
  description: 'Returns the custom fields of an organization, oldest first.',
  tag,
  query: ListQuery,
  reply: ListOf(CustomField),
})

export const createCustomField = endpoint('createCustomFieldInOrganization', 'POST', place, {
  summary: 'Create a custom field',
  description: 'Adds a custom field to the organization. Its name and type cannot be changed later.',
  tag,
  body: Type.Object({
    name: Type.String({
      ...name,
      examples: ['audience'],
      description: 'Lowercase letters, digits, "_" and "-". Cannot be changed later.',
    }),
    type: Words(customFieldTypes),
    ...words,
    options: Type.Optional(Options),
  }),
  reply: CustomField,
  success: 201,
})

export const getCustomField = endpoint('getCustomFieldInOrganization', 'GET', one, {
  summary: 'Get a custom field',
  description: 'Returns one custom field.',
  tag,
  reply: CustomField,
})

export const updateCustomField = endpoint('updateCustomFieldInOrganization', 'PATCH', one, {
  summary: 'Update a custom field',
  description:
    'Changes how a custom field is displayed, or its options. Values that spaces have stay as they are.',
  tag,
  body: Type.Object({
    ...words,
    options: Type.Optional(Options),
    name: Type.Optional(Type.Unknown({ description: 'Refused, because it cannot be changed.' })),
    type: Type.Optional(Type.Unknown({ description: 'Refused, because it cannot be changed.' })),
  }),
  reply: CustomField,
})

export const deleteCustomField = endpoint('deleteCustomFieldInOrganization', 'DELETE', one, {
  summary: 'Delete a custom field',
  description: 'Deletes a custom field with the values that spaces have for it.',
  tag,
  success: 204,
})

const ofSpace = '/spaces/:spaceId/custom-fields'

export const listCustomFieldValues = endpoint('getSpaceCustomFields', 'GET', ofSpace, {
  summary: 'Get the custom fields of a space',
  description: 'Returns all custom fields of the organization with their values for the space.',
  tag,
  reply: CustomFieldValues,
})

export const updateCustomFieldValues = endpoint('updateSpaceCustomFields', 'PATCH', ofSpace, {
  summary: 'Update the custom fields of a space',
  description:
    'Sets or clears the fields that are named; the others stay as they are. If one value is refused, none is changed.',
  tag,
  body: Type.Object({
    values: Type.Record(
      Type.String(),
      Type.Object({
        value: Type.Union([CustomFieldValue, Type.Null()], { description: 'The value; null clears it.' }),
      }),
      { maxProperties: maxCustomFields, description: 'By the names of the fields.' },
    ),
  }),
  success: 204,
})

/** Filter of space lists by field values. */
export const CustomFieldFilter = Type.Optional(
  Type.Array(Type.String({ maxLength: 310 }), {
    maxItems: 10,
    description:
      'Filter by a field, written "name:value"; fields with several values match if they contain it. Repeated filters must all match.',
  }),
)
