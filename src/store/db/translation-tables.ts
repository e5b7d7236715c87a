/** The rows of translations: who translates, which spaces follow which, and what is known of their words; see tables.ts. */
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
  /** A list of codes. */
  languages: JsonText
  created_at: Milliseconds
  updated_at: Milliseconds
  /** What every translator is told; null for nothing. */
  instructions: string | null
  /** A list of terms, each with its words in some languages; null for none. */
  glossary: JsonText | null
}

/** What translates for an organization; no row, and nothing is sent anywhere. */
export interface OrganizationTranslatorsTable {
  organization_id: OrganizationId
  /** Base of an OpenAI-compatible API. */
  endpoint: string
  model: string
  /** Encrypted with a key that follows from the secret of the installation; null where none is sent. */
  sealed_key: string | null
  /** Characters of the source that one run may send. */
  characters_per_run: number
  updated_at: Milliseconds
}

/** A space that follows another one in another language. */
export interface SpaceTranslationsTable {
  organization_id: OrganizationId
  /** The one that follows. */
  space_id: SpaceId
  source_space_id: SpaceId
  settings_id: TranslationSettingsId
  source_language: string
  language: string
  /** 1 where each commit of the source leads to a run. */
  follows: 0 | 1
  /** What of the source the translation says. */
  source_revision_id: RevisionId
  /** The snapshot that follows from the source and the memory alone, without what people wrote over it. */
  machine: JsonText
  /** 1 until a run has looked at all pages. */
  is_whole: 0 | 1
  state: 'pending' | 'running' | 'completed' | 'failed' | 'canceled'
  /** How often somebody asked for a run: work of an earlier asking goes on in the later. */
  asked: number
  /** What is asked of the translator once more: what failed, or everything; null for neither. */
  again: 'failed' | 'everything' | null
  done: number
  total: number
  /** Sent by the run, and ever. */
  characters: number
  characters_ever: number
  problem: string | null
  /** Whose name the revisions carry, for as long as they are in the organization. */
  asked_by: UserId
  began_at: Milliseconds | null
  ended_at: Milliseconds | null
  created_at: Milliseconds
  updated_at: Milliseconds
}

/** The words for a unit of the source, by its key's hash. */
export interface TranslationMemoryTable {
  organization_id: OrganizationId
  space_id: SpaceId
  hash: string
  /** Tagged; null where no translation could be used. */
  words: string | null
  /** What was wrong with it. */
  fault: string | null
  /** 1 for what came in a file: a run that asks for everything again leaves it. */
  by_person: 0 | 1
}

/** A page of which something is not as it should be; its id, or "/" and the path of a text that pages include. */
export interface TranslationPagesTable {
  organization_id: OrganizationId
  space_id: SpaceId
  page_id: PageId
  /** Units that have no translation yet, and those whose translation could not be used. */
  missing: number
  failed: number
  /** Hashes of blocks that somebody wrote, and whose source changed since. */
  outdated: JsonText
}
