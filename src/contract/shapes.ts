/** Schemas that several resources share: roles, dates, lists, references. */
import Type, { type Static, type TProperties, type TSchema, type TSchemaOptions } from 'typebox'

/** A closed list of words, written as one `enum` in the OpenAPI document. */
export function Words<const Values extends readonly string[]>(values: Values, options: TSchemaOptions = {}) {
  return Type.Unsafe<Values[number]>({ ...options, type: 'string', enum: [...values] })
}

/** The same list, or null. */
export function WordsOrNull<const Values extends readonly string[]>(
  values: Values,
  options: TSchemaOptions = {},
) {
  return Type.Unsafe<Values[number] | null>({ ...options, type: ['string', 'null'], enum: [...values, null] })
}

export const NullableString = (options: TSchemaOptions = {}) =>
  Type.Unsafe<string | null>({ ...options, type: ['string', 'null'] })

/** From the weakest to the strongest. */
export const roles = ['read', 'comment', 'edit', 'review', 'create', 'admin'] as const
export type Role = (typeof roles)[number]

export const Role = Words(roles)
/** Null is a guest. */
export const RoleOrGuest = WordsOrNull(roles)
export const DefaultLevel = WordsOrNull([...roles, 'inherit'] as const, {
  description: 'A role, "inherit" for the level of the parent, or null for no access.',
})
export type DefaultLevel = Static<typeof DefaultLevel>

export const Timestamp = Type.String({ format: 'date-time' })
export const Identifier = Type.String({ minLength: 1, maxLength: 64 })
/** An id as a filter. */
export const IdentifierOf = (thing: string) =>
  Type.String({ minLength: 1, maxLength: 64, description: `Id of ${thing}.` })
export const Url = Type.String({ format: 'uri', maxLength: 2048 })

export const visibilities = [
  'public',
  'unlisted',
  'share-link',
  'visitor-auth',
  'in-collection',
  'private',
] as const
export const Visibility = Words(visibilities)
export const siteVisibilities = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const
export const SiteVisibility = Words(siteVisibilities)

/** `page` and `limit`, for every paged list. */
export const ListQuery = Type.Object({
  page: Type.Optional(
    Type.String({
      maxLength: 1024,
      description: 'The `next.page` of the previous response; the first page when absent.',
    }),
  ),
  /** Filled in when absent, so handlers always have it. */
  limit: Type.Integer({
    minimum: 0,
    maximum: 1000,
    default: 10,
    description: 'Maximum number of items in the response.',
  }),
})
export type ListQuery = Static<typeof ListQuery>

/** The envelope of a paged list. `next` is absent on the last page; `count` counts the whole list, up to a bound. */
export function ListOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    next: Type.Optional(Type.Object({ page: Type.String() })),
    count: Type.Optional(
      Type.Integer({ description: 'Number of items of the whole list; absent above 10,000.' }),
    ),
    items: Type.Array(item),
  })
}

/** The query of a paged list that has filters of its own. */
export function listQueryWith<Filters extends TProperties>(filters: Filters) {
  return Type.Object({ ...ListQuery.properties, ...filters })
}

/** A named shape: it becomes a component of the OpenAPI document. */
export function shape<Shape extends TSchema>(title: string, schema: Shape): Shape {
  return Object.assign(schema, { title })
}

/** Sort direction of a list. */
export const Order = Type.Optional(
  Words(['asc', 'desc'] as const, { default: 'desc', description: 'Direction of the order.' }),
)

export const QueryFlag = (options: TSchemaOptions = {}) => Type.Optional(Type.Boolean(options))
