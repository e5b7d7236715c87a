/** Route scopes of SAML providers, and of the organization's public sign-in page. */
import {
  type LoadRequest,
  type Scope,
  optionalSubresourceScope,
  subresourceScope,
} from '../../access/route/scope.js'
import type { MaybeActor } from '../../access/signin/actor.js'
import { ApiError } from '../../contract/errors.js'
import type { OrganizationId, SamlProviderId } from '../../core/ids.js'
import { inOrganization } from '../organizations/scope.js'
import type { OrganizationContext } from '../organizations/store.js'
import { findOrganizationTitle, findProvider } from './store.js'

const step = {
  key: 'provider',
  noun: 'SAML provider',
  find: ({ db }: LoadRequest, id: string, { organization }: { readonly organization: OrganizationContext }) =>
    findProvider(db, organization.row.id, id as SamlProviderId),
} as const

export const inProvider = subresourceScope(inOrganization, 'samlProviderId', step)

/** The same for idempotent deletion. */
export const atProvider = optionalSubresourceScope(inOrganization, 'samlProviderId', step)

/** The organization before signing in: only its sign-in options are visible. */
export const atSignIn: Scope<'organizationId', { signInOrganizationId: OrganizationId }, 'ask', MaybeActor> =
  {
    params: ['organizationId'],
    anonymous: true,
    async load({ db }: LoadRequest<MaybeActor>, { organizationId }) {
      const signInOrganizationId = organizationId as OrganizationId
      if ((await findOrganizationTitle(db, signInOrganizationId)) === undefined) {
        throw new ApiError('not_found', { thing: 'organization' })
      }
      return { signInOrganizationId }
    },
    authorize: () => ({ verdict: 'yes', noun: 'organization' }),
  }
