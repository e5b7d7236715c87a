/** The rows of translations: translators, translated spaces, and the translation memory; see tables.ts. */
import type {
  OrganizationId,
  PageId,
  RevisionId,
  SpaceId,
  TranslationSettingsId,
  UserId,
} from '../../core/ids.js'
import type { JsonText, Milliseconds } from './columns.js'

export interface TranslationTables {
  translation_settings: TranslationSettingsTable
  organization_translators: OrganizationTranslatorsTable
  space_translations: SpaceTranslationsTable
  translation_memory: TranslationMemoryTable
  translation_pages: TranslationPagesTable
}

export interface TranslationSettingsTable {
  organization_id: OrganizationId
  id: TranslationSettingsId
  title: string
  /** A list of language codes. */
  languages: JsonText
  created_at: Milliseconds
  updated_at: Milliseconds
  /** Instructions for every translator; null for none. */
  instructions: string | null
  /** The glossary: a list of terms with their translations; null for none. */
  glossary: JsonText | null
}

/** The translation service of an organization; without a row, nothing is sent anywhere. */
export interface OrganizationTranslatorsTable {
  organization_id: OrganizationId
  /** Base of an OpenAI-compatible API. */
  endpoint: string
  model: string
  /** Encrypted with a key derived from the installation's secret; null for no API key. */
  sealed_key: string | null
  /** Characters of the source that one run may send. */
  characters_per_run: number
  updated_at: Milliseconds
}

/** A space that is a translation of another one. */
export interface SpaceTranslationsTable {
  organization_id: OrganizationId
  /** The translation. */
  space_id: SpaceId
  source_space_id: SpaceId
  settings_id: TranslationSettingsId
  source_language: string
  language: string
  /** 1 when each commit of the source starts a run. */
  follows: 0 | 1
  /** The translated revision of the source. */
  source_revision_id: RevisionId
  /** The machine translation: the snapshot derived from the source and the memory, without manual edits. */
  machine: JsonText
  /** 1 until a run has processed all pages. */
  is_whole: 0 | 1
  state: 'pending' | 'running' | 'completed' | 'failed' | 'canceled'
  /** Number of requested runs: a later one continues the work of an earlier one. */
  asked: number
  /** What is translated again: failed units, or everything; null for neither. */
  again: 'failed' | 'everything' | null
  done: number
  total: number
  /** Characters sent by the current run, and in total. */
  characters: number
  characters_ever: number
  problem: string | null
  /** The author of the revisions, while a member of the organization. */
  asked_by: UserId
  began_at: Milliseconds | null
  ended_at: Milliseconds | null
  created_at: Milliseconds
  updated_at: Milliseconds
}

/** The translation of a source unit, by the hash of its key. */
export interface TranslationMemoryTable {
  organization_id: OrganizationId
  space_id: SpaceId
  hash: string
  /** With tags; null without a usable translation. */
  words: string | null
  /** The problem of an unusable translation. */
  fault: string | null
  /** 1 for an imported translation: a run that translates everything again retains it. */
  by_person: 0 | 1
}

/** A page with missing, failed or outdated units; its id, or "/" and the path of an included text. */
export interface TranslationPagesTable {
  organization_id: OrganizationId
  space_id: SpaceId
  page_id: PageId
  /** Untranslated units, and units with an unusable translation. */
  missing: number
  failed: number
  /** Hashes of manually edited blocks whose source has changed since. */
  outdated: JsonText
}
