/** Scope of `/translations/:translationSettingsId` in an organization, with the organization's permissions. */
import { type LoadRequest, optionalSubresourceScope, subresourceScope } from '../../access/route/scope.js'
import type { TranslationSettingsId } from '../../core/ids.js'
import { inOrganization } from '../organizations/scope.js'
import type { OrganizationContext } from '../organizations/store.js'
import { findTranslation } from './store.js'

const step = {
  key: 'translation',
  noun: 'translation settings',
  find: ({ db }: LoadRequest, id: string, { organization }: { readonly organization: OrganizationContext }) =>
    findTranslation(db, organization.row.id, id as TranslationSettingsId),
} as const

export const inTranslation = subresourceScope(inOrganization, 'translationSettingsId', step)

/** The same for deletion, where the settings may not exist. */
export const atTranslation = optionalSubresourceScope(inOrganization, 'translationSettingsId', step)
