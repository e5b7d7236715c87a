/** Single sign-on: the identity providers of an organization. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { Identifier, ListOf, ListQuery, RoleOrGuest, Timestamp, Url, Words, shape } from './shapes.js'
import { Team } from './teams.js'

export const SamlProvider = shape(
  'SAMLProvider',
  Type.Object({
    object: Type.Literal('saml-provider'),
    id: Type.String(),
    label: Type.String(),
    ssoURL: Type.Optional(Type.String()),
    entityID: Type.Optional(Type.String()),
    certificate: Type.Optional(Type.String()),
    defaultTeam: Type.Optional(Team),
    defaultRole: RoleOrGuest,
    createdAt: Timestamp,
    status: Words(['active', 'pending'] as const, {
      description: 'Active once entityID, ssoURL and certificate are set.',
    }),
    service: Type.Object({ acsURL: Type.String(), startURL: Type.String(), entityID: Type.String() }),
    urls: Type.Object({ location: Type.String() }),
  }),
)
export type SamlProvider = Static<typeof SamlProvider>

export const SsoLoginInfo = shape(
  'SSOProviderLogin',
  Type.Object({ id: Type.String(), label: Type.String(), startURL: Type.String() }),
)

const Label = Type.String({ minLength: 1, maxLength: 30 })
const settings = {
  entityID: Type.Optional(Type.String({ maxLength: 1024, description: 'Name of the identity provider.' })),
  certificate: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description: 'PEM, or the base64 inside; several in PEM while the key is being changed.',
    }),
  ),
  ssoURL: Type.Optional(Url),
  defaultTeam: Type.Optional(Identifier),
  defaultRole: Type.Optional(RoleOrGuest),
}

const place = '/orgs/:organizationId/saml'
const one = `${place}/:samlProviderId` as const
const tag = 'single sign-on'

export const listSamlProviders = endpoint('listSAMLProvidersInOrganizationById', 'GET', place, {
  summary: 'The identity providers of the organization',
  tag,
  query: ListQuery,
  reply: ListOf(SamlProvider),
})

export const createSamlProvider = endpoint('createOrganizationSAMLProvider', 'POST', place, {
  summary: 'Add an identity provider',
  tag,
  body: Type.Object({ label: Label, ...settings }),
  reply: SamlProvider,
  success: 201,
})

export const getSamlProvider = endpoint('getOrganizationSAMLProviderById', 'GET', one, {
  summary: 'One identity provider',
  tag,
  reply: SamlProvider,
})

export const updateSamlProvider = endpoint('updateOrganizationSAMLProviderById', 'PATCH', one, {
  summary: 'Change an identity provider',
  tag,
  body: Type.Object({ label: Type.Optional(Label), ...settings }),
  reply: SamlProvider,
})

export const deleteSamlProvider = endpoint('deleteOrganizationSAMLProviderById', 'DELETE', one, {
  summary: 'Remove an identity provider; sessions that it opened end',
  tag,
  success: 204,
})

export const listSsoLogins = endpoint(
  'listSSOProviderLoginsInOrganizationById',
  'GET',
  '/orgs/:organizationId/sso',
  {
    summary: 'Where the people of the organization sign in; needs no token',
    tag,
    reply: Type.Object({ items: Type.Array(SsoLoginInfo) }),
    anonymous: true,
  },
)
