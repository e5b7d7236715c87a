/** Translation settings of an organization: named lists of languages. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { ListOf, ListQuery, Timestamp, Words, shape } from './shapes.js'

/** Translation settings that an organization may have. */
export const maxTranslationSettings = 100

const codes =
  'en fr de es it pt pt-br ru ja zh zh-tw yue ko ar hi nl pl tr sv no da fi el cs hu ro th vi id ms he uk sk bg hr lt lv et sl'
export const translationLanguages: readonly string[] = codes.split(' ')

const Languages = Type.Array(Words(translationLanguages), {
  minItems: 1,
  maxItems: translationLanguages.length,
  uniqueItems: true,
})

export const TranslationSettings = shape(
  'TranslationSettings',
  Type.Object({
    object: Type.Literal('translation-settings'),
    id: Type.String(),
    title: Type.String(),
    languages: Type.Array(Type.String()),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    permissions: Type.Object({ view: Type.Boolean(), edit: Type.Boolean() }),
    urls: Type.Object({ location: Type.String() }),
  }),
)
export type TranslationSettings = Static<typeof TranslationSettings>

const place = '/orgs/:organizationId/translations'
const one = `${place}/:translationSettingsId` as const
const tag = 'Translations'

const body = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 100 }),
  languages: Type.Optional(Languages),
})

export const listTranslations = endpoint('listTranslationSettings', 'GET', place, {
  summary: 'List translation settings',
  description: 'Returns the translation settings of an organization, oldest first.',
  tag,
  query: ListQuery,
  reply: ListOf(TranslationSettings),
})

export const createTranslation = endpoint('createTranslationSettings', 'POST', place, {
  summary: 'Create translation settings',
  description: 'Adds translation settings. The only language is English unless others are named.',
  tag,
  body,
  reply: TranslationSettings,
  success: 201,
})

export const getTranslation = endpoint('getTranslationSettings', 'GET', one, {
  summary: 'Get translation settings',
  description: 'Returns one of the translation settings.',
  tag,
  reply: TranslationSettings,
})

export const putTranslation = endpoint('updateTranslationSettings', 'PUT', one, {
  summary: 'Update translation settings',
  description: 'Changes the title, and the languages if they are sent.',
  tag,
  body,
  reply: TranslationSettings,
})

export const deleteTranslation = endpoint('deleteTranslationSettings', 'DELETE', one, {
  summary: 'Delete translation settings',
  description: 'Deletes translation settings.',
  tag,
  success: 205,
})
