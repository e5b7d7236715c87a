/** Translation settings on the wire. */
import type { Addresses } from '../../contract/addresses.js'
import type { Role } from '../../contract/shapes.js'
import type { TranslationSettings } from '../../contract/translations.js'
import type { TranslationRow } from './store.js'

/** `role` is the reader's role in the organization. */
export function presentTranslation(
  addresses: Addresses,
  role: Role | null | undefined,
  row: TranslationRow,
): TranslationSettings {
  return {
    object: 'translation-settings',
    id: row.id,
    title: row.title,
    languages: JSON.parse(row.languages) as string[],
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    permissions: { view: (role ?? null) !== null, edit: role === 'admin' },
    urls: { location: addresses.api(`/orgs/${row.organization_id}/translations/${row.id}`) },
  }
}
