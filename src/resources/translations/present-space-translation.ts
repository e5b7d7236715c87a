/** Space translations and translators on the wire. */
import type { Addresses } from '../../contract/addresses.js'
import type { SpaceTranslation, Translator } from '../../contract/space-translations.js'
import type { SpaceTranslationRow } from './space-translation-store.js'
import type { TranslatorRow } from './translators.js'

export interface SpaceTranslationFacts {
  /** Current head revision of the source. */
  readonly sourceHead: string
  readonly mayEdit: boolean
  readonly open: { readonly missing: number; readonly failed: number }
}

export function presentSpaceTranslation(
  addresses: Addresses,
  row: SpaceTranslationRow,
  { sourceHead, mayEdit, open }: SpaceTranslationFacts,
): SpaceTranslation {
  const time = (at: number) => new Date(at).toISOString()
  return {
    object: 'space-translation',
    space: row.space_id,
    source: {
      space: row.source_space_id,
      language: row.source_language,
      revision: row.source_revision_id,
      isCurrent: row.source_revision_id === sourceHead && row.is_whole === 0,
    },
    settings: row.settings_id,
    language: row.language,
    follows: row.follows === 1,
    status: row.state,
    progress: { done: row.done, total: row.total, characters: row.characters },
    charactersEver: row.characters_ever,
    ...(row.problem !== null && { problem: row.problem }),
    ...open,
    ...(row.began_at !== null && { beganAt: time(row.began_at) }),
    ...(row.ended_at !== null && { endedAt: time(row.ended_at) }),
    createdAt: time(row.created_at),
    updatedAt: time(row.updated_at),
    permissions: { view: true, edit: mayEdit },
    urls: {
      location: addresses.api(`/spaces/${row.space_id}/translation`),
      space: addresses.api(`/spaces/${row.space_id}`),
      source: addresses.api(`/spaces/${row.source_space_id}`),
    },
  }
}

export function presentTranslator(addresses: Addresses, row: TranslatorRow): Translator {
  return {
    object: 'translator',
    endpoint: row.endpoint,
    model: row.model,
    hasKey: row.sealed_key !== null,
    charactersPerRun: row.characters_per_run,
    updatedAt: new Date(row.updated_at).toISOString(),
    urls: { location: addresses.api(`/orgs/${row.organization_id}/translator`) },
  }
}
