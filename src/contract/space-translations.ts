/** Translated spaces, which follow another space in another language: their state, their pages, XLIFF files. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { limits } from './limits.js'
import { Identifier, ListOf, ListQuery, Timestamp, Url, Words, listQueryWith, shape } from './shapes.js'
import { translationLanguages } from './translations.js'

/** Glossary terms, and languages of a term, at most. */
export const maxTerms = 2_000
/** Characters that one run sends unless the translator sets another number. */
export const defaultCharactersPerRun = 1_000_000

export const translationStates = ['pending', 'running', 'completed', 'failed', 'canceled'] as const
export const blockStates = ['up-to-date', 'outdated', 'missing', 'failed', 'edited'] as const
export const translatedPageStates = ['up-to-date', 'outdated', 'missing', 'incomplete', 'edited'] as const

const Language = Words(translationLanguages)

const Term = Type.Object({
  term: Type.String({ minLength: 1, maxLength: 255 }),
  translations: Type.Optional(
    Type.Record(Type.String({ maxLength: 10 }), Type.String({ minLength: 1, maxLength: 255 }), {
      maxProperties: translationLanguages.length,
      description: 'Translations by language; without one the term is not translated.',
    }),
  ),
})

const guidance = {
  instructions: Type.String({ maxLength: 10_000, description: 'Sent to the translator with every text.' }),
  glossary: Type.Array(Term, { maxItems: maxTerms }),
}

export const TranslationGuidance = shape(
  'TranslationGuidance',
  Type.Object({ object: Type.Literal('translation-guidance'), ...guidance }),
)
export type TranslationGuidance = Static<typeof TranslationGuidance>
export type GlossaryTerm = TranslationGuidance['glossary'][number]

export const Translator = shape(
  'Translator',
  Type.Object({
    object: Type.Literal('translator'),
    endpoint: Type.String(),
    model: Type.String(),
    hasKey: Type.Boolean({ description: 'Whether a key is set. The key itself is never returned.' }),
    charactersPerRun: Type.Integer(),
    updatedAt: Timestamp,
    urls: Type.Object({ location: Type.String() }),
  }),
)
export type Translator = Static<typeof Translator>

export const SpaceTranslation = shape(
  'SpaceTranslation',
  Type.Object({
    object: Type.Literal('space-translation'),
    space: Type.String({ description: 'Id of the translated space.' }),
    source: Type.Object({
      space: Type.String(),
      language: Type.String(),
      revision: Type.String({ description: 'The revision of the source that is translated.' }),
      isCurrent: Type.Boolean({ description: 'False if the source has changed since.' }),
    }),
    settings: Type.String({ description: 'Id of the translation settings.' }),
    language: Type.String(),
    follows: Type.Boolean({ description: 'Whether a change of the source starts a run.' }),
    status: Words(translationStates),
    progress: Type.Object({
      done: Type.Integer(),
      total: Type.Integer({ description: 'Number of passages that the run sends to the translator.' }),
      characters: Type.Integer({ description: 'Number of characters of the source that were sent.' }),
    }),
    charactersEver: Type.Integer(),
    problem: Type.Optional(Type.String({ description: 'Why the last run failed or stopped.' })),
    missing: Type.Integer({ description: 'Number of passages without a translation.' }),
    failed: Type.Integer({
      description: 'Number of passages whose translation was unusable; they stay as in the source.',
    }),
    beganAt: Type.Optional(Timestamp),
    endedAt: Type.Optional(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    permissions: Type.Object({ view: Type.Boolean(), edit: Type.Boolean() }),
    urls: Type.Object({ location: Type.String(), space: Type.String(), source: Type.String() }),
  }),
)
export type SpaceTranslation = Static<typeof SpaceTranslation>

export const TranslatedPage = shape(
  'TranslatedPage',
  Type.Object({
    object: Type.Literal('translated-page'),
    id: Type.String({ description: 'Id of the page, in the source and in the translation.' }),
    title: Type.String({
      description: 'Title in the translation, or in the source if the translation does not have the page.',
    }),
    path: Type.Optional(Type.String()),
    state: Words(translatedPageStates, {
      description:
        '"outdated" if the source changed since, "missing" if the translation does not have the page, "incomplete" if some of it could not be translated, "edited" if a person edited it.',
    }),
    edited: Type.Boolean(),
    missing: Type.Integer(),
    failed: Type.Integer(),
    outdated: Type.Integer({
      description: 'Number of blocks that a person edited and whose source changed since.',
    }),
    urls: Type.Object({ location: Type.String() }),
  }),
)
export type TranslatedPage = Static<typeof TranslatedPage>

export const TranslatedBlock = Type.Object({
  kind: Type.String(),
  state: Words(blockStates),
  source: Type.String({ description: 'The current text of the source, in Markdown.' }),
  translation: Type.Optional(Type.String()),
  problem: Type.Optional(Type.String({ description: 'What was wrong with the response of the translator.' })),
})
export type TranslatedBlock = Static<typeof TranslatedBlock>

const TranslatedPageBlocks = Type.Object({ page: TranslatedPage, blocks: Type.Array(TranslatedBlock) })

const XliffReport = shape(
  'XliffReport',
  Type.Object({
    taken: Type.Integer({ description: 'Number of imported passages.' }),
    unchanged: Type.Integer({
      description: 'Number of passages without a translation, or with an unchanged one.',
    }),
    unknown: Type.Integer({ description: 'Number of passages that are no longer in the source.' }),
    refused: Type.Array(Type.Object({ id: Type.String(), problem: Type.String() }), {
      description: 'Passages whose translation would break the structure of the page, at most a hundred.',
    }),
    refusedCount: Type.Integer(),
  }),
)

const tag = 'Translations'
const settings = '/orgs/:organizationId/translations/:translationSettingsId' as const
const translator = '/orgs/:organizationId/translator' as const
const translationPath = '/spaces/:spaceId/translation' as const

export const getTranslator = endpoint('getTranslator', 'GET', translator, {
  summary: 'Get the translator',
  description: 'Returns the endpoint that translates for an organization, without its key.',
  tag,
  reply: Translator,
})

export const putTranslator = endpoint('putTranslator', 'PUT', translator, {
  summary: 'Set the translator',
  description:
    'Sets the endpoint that translates for an organization. It must speak the protocol of OpenAI chat completions.',
  tag,
  body: Type.Object({
    endpoint: Url,
    model: Type.String({ minLength: 1, maxLength: 200 }),
    key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4_000,
        pattern: '^[\\x21-\\x7e]+$',
        description: 'Sent as a bearer token. The stored key is kept when absent, except for a new endpoint.',
      }),
    ),
    charactersPerRun: Type.Optional(
      Type.Integer({
        minimum: 1_000,
        maximum: 1_000_000_000,
        description: 'Maximum number of characters that one run sends.',
      }),
    ),
  }),
  reply: Translator,
})

export const deleteTranslator = endpoint('deleteTranslator', 'DELETE', translator, {
  summary: 'Remove the translator',
  description: 'Removes the endpoint that translates for an organization. No text is sent anywhere any more.',
  tag,
  success: 205,
})

export const getGuidance = endpoint('getTranslationGuidance', 'GET', `${settings}/guidance`, {
  summary: 'Get the translation guidance',
  description: 'Returns the instructions and the glossary for the translator.',
  tag,
  reply: TranslationGuidance,
})

export const putGuidance = endpoint('putTranslationGuidance', 'PUT', `${settings}/guidance`, {
  summary: 'Update the translation guidance',
  description:
    'Replaces the instructions and the glossary for the translator. Existing translations stay until a run translates everything again.',
  tag,
  body: Type.Object({
    instructions: Type.Optional(guidance.instructions),
    glossary: Type.Optional(guidance.glossary),
  }),
  reply: TranslationGuidance,
})

export const listSpaceTranslations = endpoint('listSpaceTranslations', 'GET', `${settings}/spaces`, {
  summary: 'List space translations',
  description: 'Returns the translated spaces with these settings, oldest first.',
  tag,
  query: ListQuery,
  reply: ListOf(SpaceTranslation),
})

export const createSpaceTranslation = endpoint('createSpaceTranslation', 'POST', `${settings}/spaces`, {
  summary: 'Create a space translation',
  description: 'Creates a space that follows another space in one of the languages of these settings.',
  tag,
  body: Type.Object({
    source: Identifier,
    language: Language,
    sourceLanguage: Type.Optional(
      Words(translationLanguages, {
        description: 'The language of the source; the one of its settings, or English, when absent.',
      }),
    ),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
    follows: Type.Optional(Type.Boolean({ description: 'True by default.' })),
  }),
  reply: SpaceTranslation,
  success: 201,
})

export const getSpaceTranslation = endpoint('getSpaceTranslation', 'GET', translationPath, {
  summary: 'Get a space translation',
  description: 'Returns which space a translated space follows, and the state of the translation.',
  tag,
  reply: SpaceTranslation,
})

export const updateSpaceTranslation = endpoint('updateSpaceTranslation', 'PATCH', translationPath, {
  summary: 'Update a space translation',
  description: 'Sets whether a change of the source starts a run.',
  tag,
  body: Type.Object({ follows: Type.Optional(Type.Boolean()) }),
  reply: SpaceTranslation,
})

export const deleteSpaceTranslation = endpoint('deleteSpaceTranslation', 'DELETE', translationPath, {
  summary: 'Delete a space translation',
  description: 'Stops following the source. The translated space keeps its content.',
  tag,
  success: 205,
})

export const runSpaceTranslation = endpoint('runSpaceTranslation', 'POST', `${translationPath}/run`, {
  summary: 'Run a space translation',
  description: 'Translates what changed in the source since the last run.',
  tag,
  body: Type.Object({
    again: Type.Optional(
      Words(['failed', 'everything'] as const, {
        description: 'What is translated again. Text that people edited is kept.',
      }),
    ),
  }),
  bodyRequired: false,
  reply: SpaceTranslation,
})

export const cancelSpaceTranslation = endpoint(
  'cancelSpaceTranslation',
  'POST',
  `${translationPath}/cancel`,
  {
    summary: 'Cancel a translation run',
    description: 'Stops a run. What is translated already is kept for the next one.',
    tag,
    reply: SpaceTranslation,
  },
)

export const listTranslatedPages = endpoint('listTranslatedPages', 'GET', `${translationPath}/pages`, {
  summary: 'List translated pages',
  description: 'Returns the pages of the source with the state of their translations.',
  tag,
  query: listQueryWith({
    state: Type.Optional(Words(translatedPageStates, { description: 'Only pages in this state.' })),
  }),
  reply: ListOf(TranslatedPage),
})

export const getTranslatedPage = endpoint('getTranslatedPage', 'GET', `${translationPath}/pages/:pageId`, {
  summary: 'Get a translated page',
  description: 'Returns the blocks of a page with the state of their translations.',
  tag,
  reply: TranslatedPageBlocks,
  large: true,
})

export const exportXliff = endpoint('exportTranslationXliff', 'GET', `${translationPath}/xliff`, {
  summary: 'Export a translation as XLIFF',
  description: 'Returns the passages of a translation as XLIFF 1.2, for translation tools.',
  tag,
  query: Type.Object({
    only: Type.Optional(
      Words(['missing'] as const, { description: '"missing" exports only passages without a translation.' }),
    ),
    pageId: Type.Optional(
      Type.String({ maxLength: 100, description: 'Id of a page, to export only its passages.' }),
    ),
  }),
  bytes: 'application/xliff+xml',
})

export const importXliff = endpoint('importTranslationXliff', 'POST', `${translationPath}/xliff`, {
  summary: 'Import a translation from XLIFF',
  description: 'Takes the translations of an XLIFF file and updates the translated space.',
  tag,
  body: Type.Object({ xliff: Type.String({ minLength: 1, maxLength: limits.xliffLength }) }),
  bodyBytes: limits.xliffBodyBytes,
  reply: XliffReport,
})
