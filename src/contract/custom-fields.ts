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
      'As the type says: text for "text" and "select:single", a number, a boolean, texts for "tags" and "select:multi".',
  },
)
export type CustomFieldValue = Static<typeof CustomFieldValue>

const name = { minLength: 1, maxLength: 50, pattern: '^(?!__proto__$)[a-z0-9_-]+$' }
const Options = Type.Array(Type.String({ minLength: 1, maxLength: 40 }), {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description: 'What may be chosen; the types "select:single" and "select:multi" need it.',
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
const tag = 'custom fields'

export const listCustomFields = endpoint('listCustomFieldsInOrganization', 'GET', place, {
  summary: 'The custom fields of an organization, oldest first',
  tag,
  query: ListQuery,
  reply: ListOf(CustomField),
})

export const createCustomField = endpoint('createCustomFieldInOrganization', 'POST', place, {
  summary: 'Add a custom field',
  tag,
  body: Type.Object({
    name: Type.String({
      ...name,
      description: 'Lowercase letters, digits, "_" and "-". Stays as it is: it stands in paths.',
    }),
    type: Words(customFieldTypes),
    ...words,
    options: Type.Optional(Options),
  }),
  reply: CustomField,
  success: 201,
})

export const getCustomField = endpoint('getCustomFieldInOrganization', 'GET', one, {
  summary: 'One custom field',
  tag,
  reply: CustomField,
})

export const updateCustomField = endpoint('updateCustomFieldInOrganization', 'PATCH', one, {
  summary: 'Change how a custom field is shown, or what may be chosen; values that spaces have stay',
  tag,
  body: Type.Object({ ...words, options: Type.Optional(Options) }),
  reply: CustomField,
})

export const deleteCustomField = endpoint('deleteCustomFieldInOrganization', 'DELETE', one, {
  summary: 'Delete a custom field, with the values that spaces have in it',
  tag,
  success: 204,
})

const ofSpace = '/spaces/:spaceId/custom-fields'

export const listCustomFieldValues = endpoint('getSpaceCustomFields', 'GET', ofSpace, {
  summary: 'Every custom field of the organization, with the value that the space has in it',
  tag,
  reply: CustomFieldValues,
})

export const updateCustomFieldValues = endpoint('updateSpaceCustomFields', 'PATCH', ofSpace, {
  summary: 'Set or clear values of a space: all that are named or none; others stay',
  tag,
  body: Type.Object({
    values: Type.Record(
      Type.String(),
      Type.Object({
        value: Type.Union([CustomFieldValue, Type.Null()], { description: 'Null clears it.' }),
      }),
      { maxProperties: maxCustomFields, description: 'By the names of fields.' },
    ),
  }),
  success: 204,
})

/** Filter of space lists by field values. */
export const CustomFieldFilter = Type.Optional(
  Type.Array(Type.String({ maxLength: 310 }), {
    maxItems: 10,
    description:
      'Only spaces with this value, written "name:value"; of tags and choices, those that hold it. Repeated, all must be so.',
  }),
)
