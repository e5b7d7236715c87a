/** The step `/translations/:translationSettingsId` of an organization, by the organization's rules. */
import { type LoadRequest, perhapsWithin, within } from '../../access/route/scope.js'
import type { TranslationSettingsId } from '../../core/ids.js'
import { inOrganization } from '../organizations/scope.js'
import type { OrganizationOf } from '../organizations/store.js'
import { findTranslation } from './store.js'

const step = {
  key: 'translation',
  thing: 'translation settings',
  find: ({ db }: LoadRequest, id: string, { organization }: { readonly organization: OrganizationOf }) =>
    findTranslation(db, organization.row.id, id as TranslationSettingsId),
} as const

export const inTranslation = within(inOrganization, 'translationSettingsId', step)

/** The same for removing them, which may be gone already. */
export const atTranslation = perhapsWithin(inOrganization, 'translationSettingsId', step)
