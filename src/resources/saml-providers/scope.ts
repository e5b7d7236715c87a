/** The step to a provider of an organization, and the organization as people see it at its doors. */
import { type LoadRequest, type Scope, perhapsWithin, within } from '../../access/route/scope.js'
import type { MaybeActor } from '../../access/signin/actor.js'
import { ApiError } from '../../contract/errors.js'
import type { OrganizationId, SamlProviderId } from '../../core/ids.js'
import { inOrganization } from '../organizations/scope.js'
import type { OrganizationOf } from '../organizations/store.js'
import { findOrganizationTitle, findProvider } from './store.js'

const step = {
  key: 'provider',
  thing: 'SAML provider',
  find: ({ db }: LoadRequest, id: string, { organization }: { readonly organization: OrganizationOf }) =>
    findProvider(db, organization.row.id, id as SamlProviderId),
} as const

export const inProvider = within(inOrganization, 'samlProviderId', step)

/** The same for removing a provider, which may be gone already. */
export const atProvider = perhapsWithin(inOrganization, 'samlProviderId', step)

/** The organization as people see it who have yet to sign in: nothing but its doors. */
export const atDoors: Scope<'organizationId', { doorsOf: OrganizationId }, 'ask', MaybeActor> = {
  params: ['organizationId'],
  anonymous: true,
  async load({ db }: LoadRequest<MaybeActor>, { organizationId }) {
    const doorsOf = organizationId as OrganizationId
    if ((await findOrganizationTitle(db, doorsOf)) === undefined) {
      throw new ApiError('not_found', { thing: 'organization' })
    }
    return { doorsOf }
  },
  judge: () => ({ verdict: 'yes', thing: 'organization' }),
}
