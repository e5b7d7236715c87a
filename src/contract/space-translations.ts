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
      description: 'By language; a term without words in a language stays as it is there.',
    }),
  ),
})

const guidance = {
  instructions: Type.String({ maxLength: 10_000, description: 'Told to the translator with every text.' }),
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
    hasKey: Type.Boolean({ description: 'The key itself is never shown again.' }),
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
    space: Type.String({ description: 'Id of the space that follows.' }),
    source: Type.Object({
      space: Type.String(),
      language: Type.String(),
      revision: Type.String({ description: 'Revision of the source that the translation says.' }),
      isCurrent: Type.Boolean({ description: 'False when the source was written in since.' }),
    }),
    settings: Type.String({ description: 'Id of the translation settings with its glossary.' }),
    language: Type.String(),
    follows: Type.Boolean({ description: 'Whether what is written in the source leads to a run.' }),
    status: Words(translationStates),
    progress: Type.Object({
      done: Type.Integer(),
      total: Type.Integer({ description: 'Passages that the run asks the translator for.' }),
      characters: Type.Integer({ description: 'Characters of the source that it has sent.' }),
    }),
    charactersEver: Type.Integer(),
    problem: Type.Optional(Type.String({ description: 'Why the last run ended as it did.' })),
    missing: Type.Integer({ description: 'Passages that have no translation yet.' }),
    failed: Type.Integer({
      description: 'Passages that the translator returned unusable: they stay as in the source.',
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
      description: 'As the translation says it, or the source where it does not have the page.',
    }),
    path: Type.Optional(Type.String()),
    state: Words(translatedPageStates, {
      description:
        '"outdated": the source changed since; "missing": the translation does not have it; "incomplete": some of it could not be translated; "edited": somebody wrote in it.',
    }),
    edited: Type.Boolean(),
    missing: Type.Integer(),
    failed: Type.Integer(),
    outdated: Type.Integer({ description: 'Blocks that somebody wrote, and whose source changed since.' }),
    urls: Type.Object({ location: Type.String() }),
  }),
)
export type TranslatedPage = Static<typeof TranslatedPage>

export const TranslatedBlock = Type.Object({
  kind: Type.String(),
  state: Words(blockStates),
  source: Type.String({ description: 'As the source says it now, in Markdown.' }),
  translation: Type.Optional(Type.String()),
  problem: Type.Optional(Type.String({ description: 'What was wrong with what the translator returned.' })),
})
export type TranslatedBlock = Static<typeof TranslatedBlock>

const TranslatedPageBlocks = Type.Object({ page: TranslatedPage, blocks: Type.Array(TranslatedBlock) })

const XliffReport = shape(
  'XliffReport',
  Type.Object({
    taken: Type.Integer({ description: 'Passages whose translation was taken.' }),
    unchanged: Type.Integer({
      description: 'Passages without a translation, or with the one that is known.',
    }),
    unknown: Type.Integer({ description: 'Passages that the source does not say any more.' }),
    refused: Type.Array(Type.Object({ id: Type.String(), problem: Type.String() }), {
      description: 'The first hundred whose translation would break the structure of its page.',
    }),
    refusedCount: Type.Integer(),
  }),
)

const tag = 'translations'
const settings = '/orgs/:organizationId/translations/:translationSettingsId' as const
const translator = '/orgs/:organizationId/translator' as const
const translationPath = '/spaces/:spaceId/translation' as const

export const getTranslator = endpoint('getTranslator', 'GET', translator, {
  summary: 'What translates for an organization',
  tag,
  reply: Translator,
})

export const putTranslator = endpoint('putTranslator', 'PUT', translator, {
  summary: 'Say what translates: any endpoint that speaks the protocol of OpenAI chat completions',
  tag,
  body: Type.Object({
    endpoint: Url,
    model: Type.String({ minLength: 1, maxLength: 200 }),
    key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4_000,
        pattern: '^[\\x21-\\x7e]+$',
        description:
          'Sent as a bearer token. The one that is known stays where none is given; a new endpoint begins without.',
      }),
    ),
    charactersPerRun: Type.Optional(
      Type.Integer({ minimum: 1_000, maximum: 1_000_000_000, description: 'What one run may send at most.' }),
    ),
  }),
  reply: Translator,
})

export const deleteTranslator = endpoint('deleteTranslator', 'DELETE', translator, {
  summary: 'Send nothing anywhere from now on',
  tag,
  success: 205,
})

export const getGuidance = endpoint('getTranslationGuidance', 'GET', `${settings}/guidance`, {
  summary: 'What translators are told: instructions and a glossary',
  tag,
  reply: TranslationGuidance,
})

export const putGuidance = endpoint('putTranslationGuidance', 'PUT', `${settings}/guidance`, {
  summary:
    'Say what translators are told; what is translated already stays until a run asks for everything again',
  tag,
  body: Type.Object({
    instructions: Type.Optional(guidance.instructions),
    glossary: Type.Optional(guidance.glossary),
  }),
  reply: TranslationGuidance,
})

export const listSpaceTranslations = endpoint('listSpaceTranslations', 'GET', `${settings}/spaces`, {
  summary: 'The spaces that follow others by these settings, oldest first',
  tag,
  query: ListQuery,
  reply: ListOf(SpaceTranslation),
})

export const createSpaceTranslation = endpoint('createSpaceTranslation', 'POST', `${settings}/spaces`, {
  summary: 'Make a space that follows another one in one of the languages of these settings',
  tag,
  body: Type.Object({
    source: Identifier,
    language: Language,
    sourceLanguage: Type.Optional(
      Words(translationLanguages, { description: 'The one that the source says, or English.' }),
    ),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
    follows: Type.Optional(Type.Boolean({ description: 'True unless said otherwise.' })),
  }),
  reply: SpaceTranslation,
  success: 201,
})

export const getSpaceTranslation = endpoint('getSpaceTranslation', 'GET', translationPath, {
  summary: 'What a space follows, and how far it has come',
  tag,
  reply: SpaceTranslation,
})

export const updateSpaceTranslation = endpoint('updateSpaceTranslation', 'PATCH', translationPath, {
  summary: 'Have a space follow its source by itself, or only when asked to',
  tag,
  body: Type.Object({ follows: Type.Optional(Type.Boolean()) }),
  reply: SpaceTranslation,
})

export const deleteSpaceTranslation = endpoint('deleteSpaceTranslation', 'DELETE', translationPath, {
  summary: 'Have a space follow no other any more: it stays with what it says',
  tag,
  success: 205,
})

export const runSpaceTranslation = endpoint('runSpaceTranslation', 'POST', `${translationPath}/run`, {
  summary: 'Bring a translation up to its source; what is translated already is not sent again',
  tag,
  body: Type.Object({
    again: Type.Optional(
      Words(['failed', 'everything'] as const, {
        description: 'What is asked of the translator once more. What people wrote is kept.',
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
    summary: 'End a run; what came already is kept for the next one',
    tag,
    reply: SpaceTranslation,
  },
)

export const listTranslatedPages = endpoint('listTranslatedPages', 'GET', `${translationPath}/pages`, {
  summary: 'The pages of the source, and how their translations stand',
  tag,
  query: listQueryWith({
    state: Type.Optional(Words(translatedPageStates, { description: 'Only pages in this state.' })),
  }),
  reply: ListOf(TranslatedPage),
})

export const getTranslatedPage = endpoint('getTranslatedPage', 'GET', `${translationPath}/pages/:pageId`, {
  summary: 'The blocks of a page, and how the translation of each stands',
  tag,
  reply: TranslatedPageBlocks,
  large: true,
})

export const exportXliff = endpoint('exportTranslationXliff', 'GET', `${translationPath}/xliff`, {
  summary: 'The passages of a translation as XLIFF 1.2, for people who translate with tools of their own',
  tag,
  query: Type.Object({
    only: Type.Optional(Words(['missing'] as const, { description: 'Only what has no translation yet.' })),
    pageId: Type.Optional(Type.String({ maxLength: 100, description: 'Only what this page says.' })),
  }),
  bytes: 'application/xliff+xml',
})

export const importXliff = endpoint('importTranslationXliff', 'POST', `${translationPath}/xliff`, {
  summary: 'Take the translations of an XLIFF file, and bring the space up to them',
  tag,
  body: Type.Object({ xliff: Type.String({ minLength: 1, maxLength: limits.xliffLength }) }),
  bodyBytes: limits.xliffBodyBytes,
  reply: XliffReport,
})
