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
    ssoURL: Type.String({ description: 'Empty until it is set; so are `entityID` and `certificate`.' }),
    entityID: Type.String(),
    certificate: Type.String(),
    defaultTeam: Type.Optional(Team),
    defaultRole: RoleOrGuest,
    createdAt: Timestamp,
    status: Words(['active', 'pending'] as const, {
      description: '"active" once `entityID`, `ssoURL` and `certificate` are set.',
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
  entityID: Type.Optional(
    Type.String({ maxLength: 1024, description: 'Entity ID of the identity provider.' }),
  ),
  certificate: Type.Optional(
    Type.String({
      maxLength: 10_000,
      description: 'Signing certificate as PEM or base64; several in PEM during a key rotation.',
    }),
  ),
  ssoURL: Type.Optional(Url),
  defaultTeam: Type.Optional(Identifier),
  defaultRole: Type.Optional(RoleOrGuest),
}

const place = '/orgs/:organizationId/saml'
const one = `${place}/:samlProviderId` as const
const tag = 'Single sign-on'

export const listSamlProviders = endpoint('listSAMLProvidersInOrganizationById', 'GET', place, {
  summary: 'List identity providers',
  description: 'Returns the SAML identity providers of the organization.',
  tag,
  query: ListQuery,
  reply: ListOf(SamlProvider),
})

export const createSamlProvider = endpoint('createOrganizationSAMLProvider', 'POST', place, {
  summary: 'Create an identity provider',
  description:
    'Adds a SAML identity provider. It is active once `entityID`, `ssoURL` and `certificate` are set.',
  tag,
  body: Type.Object({ label: Label, ...settings }),
  reply: SamlProvider,
  success: 201,
})

export const getSamlProvider = endpoint('getOrganizationSAMLProviderById', 'GET', one, {
  summary: 'Get an identity provider',
  description: 'Returns one SAML identity provider.',
  tag,
  reply: SamlProvider,
})

export const updateSamlProvider = endpoint('updateOrganizationSAMLProviderById', 'PATCH', one, {
  summary: 'Update an identity provider',
  description: 'Changes the members that are sent; the others stay as they are.',
  tag,
  body: Type.Object({ label: Type.Optional(Label), ...settings }),
  reply: SamlProvider,
})

export const deleteSamlProvider = endpoint('deleteOrganizationSAMLProviderById', 'DELETE', one, {
  summary: 'Delete an identity provider',
  description: 'Removes an identity provider and ends the sessions that it opened.',
  tag,
  success: 204,
})

export const listSsoLogins = endpoint(
  'listSSOProviderLoginsInOrganizationById',
  'GET',
  '/orgs/:organizationId/sso',
  {
    summary: 'List sign-in addresses',
    description:
      'Returns the addresses at which people of the organization start single sign-on. Needs no token.',
    tag,
    reply: Type.Object({ items: Type.Array(SsoLoginInfo) }),
    anonymous: true,
  },
)
