/** Organizations, the tenants: everything else belongs to one. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { OrganizationMergeRules } from './merge-rules.js'
import {
  Identifier,
  ListOf,
  ListQuery,
  NullableString,
  RoleOrGuest,
  Timestamp,
  Words,
  shape,
} from './shapes.js'

export const organizationTypes = ['business', 'community'] as const
export const useCases = [
  'internalDocs',
  'docsSite',
  'audienceControlledSite',
  'productDocs',
  'teamKnowledgeBase',
  'designSystem',
  'openSourceDocs',
  'notes',
  'other',
] as const
export const communityTypes = ['nonProfit', 'openSource', 'education'] as const

export const Hostname = Type.String({
  minLength: 3,
  maxLength: 32,
  pattern: '^[a-z0-9][a-z0-9-]*[a-z0-9]$',
  description: 'Lower-case letters, digits and hyphens; begins and ends with a letter or digit.',
})

export const Organization = shape(
  'Organization',
  Type.Object({
    object: Type.Literal('organization'),
    id: Type.String(),
    title: Type.String(),
    createdAt: Timestamp,
    emailDomains: Type.Array(Type.String()),
    hostname: Type.Optional(Type.String()),
    type: Words(organizationTypes),
    useCase: Type.Optional(Words(useCases)),
    communityType: Type.Optional(Words(communityTypes)),
    defaultRole: Type.Optional(RoleOrGuest),
    defaultContent: Type.Optional(Type.Object({ type: Type.Literal('site'), site: Type.String() })),
    sso: Type.Boolean(),
    ai: Type.Boolean(),
    inviteLinks: Type.Boolean(),
    plan: Type.String(),
    mergeRules: OrganizationMergeRules,
    urls: Type.Object({ location: Type.String(), app: Type.String(), logo: Type.Optional(Type.String()) }),
    trial: Type.Object({ status: Type.String(), count: Type.Integer() }),
    blocked: Type.Optional(Type.Object({ reason: Type.String() })),
    internal_isOnNewTrial: Type.Boolean(),
    permissions: Type.Object({
      view: Type.Boolean(),
      access: Type.Boolean(),
      admin: Type.Boolean(),
      ownTeam: Type.Boolean(),
      createContent: Type.Boolean(),
      createOpenAPISpec: Type.Boolean(),
      ingestConversations: Type.Boolean(),
      viewBilling: Type.Boolean(),
      listMembers: Type.Boolean(),
      listTeams: Type.Boolean(),
      listIntegrations: Type.Boolean(),
      listInstallations: Type.Boolean(),
      installIntegration: Type.Boolean(),
    }),
  }),
)
export type Organization = Static<typeof Organization>

const OrganizationTitle = Type.String({ minLength: 2, maxLength: 255 })
const EmailDomains = Type.Array(
  Type.String({
    minLength: 3,
    maxLength: 253,
    pattern: '^[^\\s@]+\\.[^\\s@]+$',
    examples: ['example.com'],
  }),
  {
    maxItems: 100,
  },
)

export const listOrganizations = endpoint('listOrganizationsForAuthenticatedUser', 'GET', '/orgs', {
  summary: 'List your organizations',
  description: 'Returns the organizations of which you are a member or guest.',
  tag: 'Organizations',
  query: ListQuery,
  reply: ListOf(Organization),
})

export const createOrganization = endpoint('createOrganization', 'POST', '/orgs', {
  summary: 'Create an organization',
  description: 'Creates an organization and makes you its admin.',
  tag: 'Organizations',
  body: Type.Object({
    title: OrganizationTitle,
    emailDomains: Type.Optional(EmailDomains),
    hostname: Type.Optional(Hostname),
    type: Type.Optional(Words(organizationTypes)),
    useCase: Type.Optional(Words(useCases)),
  }),
  reply: Organization,
  success: 201,
})

export const getOrganization = endpoint('getOrganizationById', 'GET', '/orgs/:organizationId', {
  summary: 'Get an organization',
  description: 'Returns an organization with its settings and your permissions in it.',
  tag: 'Organizations',
  reply: Organization,
})

export const updateOrganization = endpoint('updateOrganizationById', 'PATCH', '/orgs/:organizationId', {
  summary: 'Update an organization',
  description: 'Changes the settings that are sent; the others stay as they are.',
  tag: 'Organizations',
  body: Type.Object({
    title: Type.Optional(OrganizationTitle),
    emailDomains: Type.Optional(EmailDomains),
    hostname: Type.Optional(Hostname),
    defaultRole: Type.Optional(RoleOrGuest),
    defaultContent: Type.Optional(
      Type.Unsafe<{ type: 'site'; site: string } | null>({
        anyOf: [Type.Object({ type: Type.Literal('site'), site: Identifier }), { type: 'null' }],
      }),
    ),
    logo: Type.Optional(NullableString({ format: 'uri', maxLength: 2048, pattern: '^https?://' })),
    sso: Type.Optional(Type.Boolean()),
    ai: Type.Optional(Type.Boolean()),
    inviteLinks: Type.Optional(Type.Boolean()),
    mergeRules: Type.Optional(OrganizationMergeRules),
  }),
  bodyRequired: false,
  reply: Organization,
})

export const getOrganizationsForEmailDomain = endpoint(
  'getOrganizationsForEmailDomain',
  'GET',
  '/email-domains/:emailDomain/orgs',
  {
    summary: 'List organizations by e-mail domain',
    description:
      'Returns organizations that admit people with an e-mail address of this domain: your own organizations, and others if your address is of that domain.',
    tag: 'Organizations',
    reply: Type.Object({ organizations: Type.Array(Organization) }),
  },
)

export const Subdomain = shape(
  'Subdomain',
  Type.Object({
    object: Type.Literal('subdomain'),
    subdomain: Type.String(),
    target: Type.Object({ type: Type.Literal('organization'), organization: Type.String() }),
    isActive: Type.Boolean(),
  }),
)

export const getSubdomain = endpoint('getSubdomain', 'GET', '/subdomains/:subdomain', {
  summary: 'Get the organization of a hostname',
  description: 'Returns which of your organizations has the hostname.',
  tag: 'Organizations',
  reply: Subdomain,
})
