/** Routes of SAML single sign-on: identity providers, and the list for the sign-in page. */
import { newId } from '../../access/ids.js'
import { nothingRemoved } from '../../access/route/responses.js'
import { type Route, route } from '../../access/route/route.js'
import { serviceProviderOf } from '../../access/signin/saml/service.js'
import {
  createSamlProvider,
  deleteSamlProvider,
  getSamlProvider,
  listSamlProviders,
  listSsoLogins,
  updateSamlProvider,
} from '../../contract/saml.js'
import type { SamlProviderId } from '../../core/ids.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import { toColumns } from './change.js'
import { atSignIn, atProvider, inProvider } from './scope.js'
import { showProvider, showProviders } from './show.js'
import {
  deleteProvider,
  findProvider,
  insertProvider,
  listProviders,
  listUsableProviders,
  updateProvider,
} from './store.js'

export const samlProviderRoutes: readonly Route[] = [
  route(listSamlProviders, {
    at: inOrganization,
    allow: 'administer',
    handle: async ({ db, organization, actor, query, services }) => {
      const list = await listProviders(db, organization.row.id, query)
      return {
        ...list,
        items: await showProviders(db, services.addresses, readerOf(actor, organization), list.items),
      }
    },
  }),

  route(createSamlProvider, {
    at: inOrganization,
    allow: 'administer',
    handle: async ({ tx, organization, actor, body, now, services }) => {
      const row = {
        id: newId<SamlProviderId>(),
        organization_id: organization.row.id,
        entity_id: null,
        sso_url: null,
        certificate: null,
        default_team_id: null,
        default_role: null,
        ...(await toColumns(tx, organization.row.id, body)),
        label: body.label,
        created_at: now,
        updated_at: now,
      }
      await insertProvider(tx, row)
      return showProvider(tx, services.addresses, readerOf(actor, organization), row)
    },
  }),

  route(getSamlProvider, {
    at: inProvider,
    allow: 'administer',
    handle: ({ db, organization, actor, provider, services }) =>
      showProvider(db, services.addresses, readerOf(actor, organization), provider),
  }),

  route(updateSamlProvider, {
    at: inProvider,
    allow: 'administer',
    handle: async ({ tx, organization, actor, provider, body, now, services }) => {
      const change = await toColumns(tx, organization.row.id, body)
      await updateProvider(tx, provider, { ...change, updated_at: now })
      const row = (await findProvider(tx, provider.organization_id, provider.id))!
      return showProvider(tx, services.addresses, readerOf(actor, organization), row)
    },
  }),

  route(deleteSamlProvider, {
    // Idempotent.
    at: atProvider,
    allow: 'administer',
    // Sessions that it opened end.
    locks: 'people',
    handle: async ({ tx, provider }) => {
      if (provider === undefined) return nothingRemoved
      await deleteProvider(tx, provider)
    },
  }),

  route(listSsoLogins, {
    at: atSignIn,
    allow: 'ask',
    handle: async ({ db, signInOrganizationId, services }) => {
      const rows = await listUsableProviders(db, signInOrganizationId)
      return {
        items: rows.map(({ id, label }) => ({
          id,
          label,
          startURL: serviceProviderOf(services.addresses, id).startURL,
        })),
      }
    },
  }),
]
