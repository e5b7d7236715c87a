/**
 * Core of the API: the 137 operations that every installation has, each with its status of success and the members of its
 * response. Deliberately separate from the contract, so that a change of the contract does not change it.
 */
import type { Endpoint } from '../../src/contract/endpoint.js'

/** Required members of a response, nested. `object` names its kind. */
interface Shape {
  readonly object?: string
  readonly members: string
  readonly below?: Readonly<Record<string, string>>
}

const shapes: Readonly<Record<string, Shape>> = {
  Organization: {
    object: 'organization',
    members: 'id title createdAt emailDomains type inviteLinks plan urls trial permissions',
    below: {
      urls: 'location app',
      permissions:
        'view admin ownTeam createContent createOpenAPISpec viewBilling listMembers listTeams listIntegrations',
    },
  },
  Organizations: { members: 'organizations' },
  Member: { object: 'member', members: 'id role user disabled joinedAt sso spaces teams' },
  MemberSpace: { members: 'permission space' },
  MemberTeam: { members: 'team member', below: { member: 'role' } },
  Team: {
    object: 'team',
    members: 'id title members spaces createdAt permissions',
    below: { permissions: 'admin view' },
  },
  Invite: { object: 'invite', members: 'id role' },
  SamlProvider: {
    object: 'saml-provider',
    members: 'id label ssoURL entityID certificate createdAt status service urls',
    below: { service: 'acsURL startURL entityID', urls: 'location' },
  },
  SsoLoginInfo: { members: 'id label startURL' },
  Ping: { members: '' },
  Collection: {
    object: 'collection',
    members: 'id title organization defaultLevel urls permissions',
    below: { urls: 'location app', permissions: 'view admin viewInviteLinks create' },
  },
  Site: {
    object: 'site',
    members: 'id type title visibility published siteSpaces createdAt features urls',
    below: { urls: 'location app' },
  },
  SiteSection: { object: 'site-section', members: 'id title path siteSpaces urls' },
  SiteSectionGroup: { object: 'site-section-group', members: 'id title sections' },
  SiteSpace: { object: 'site-space', members: 'id path space title urls' },
  SiteRedirect: { object: 'site-redirect', members: 'id source destination', below: { destination: 'kind' } },
  FoundRedirect: { members: 'redirect target' },
  SiteAdaptiveSchema: { object: 'site-adaptive-schema', members: 'jsonSchema updatedAt' },
  PublishedSite: {
    object: 'published-content-site',
    members: 'site structure customizations',
    below: { structure: 'type structure', customizations: 'site' },
  },
  TranslationSettings: {
    object: 'translation-settings',
    members: 'id title languages createdAt updatedAt permissions urls',
    below: { permissions: 'view edit', urls: 'location' },
  },
  Space: {
    object: 'space',
    members:
      'id title visibility createdAt updatedAt urls organization revision defaultLevel comments changeRequests changeRequestsOpen changeRequestsDraft permissions',
    below: {
      urls: 'location app',
      permissions: 'view access admin viewInviteLinks edit triggerGitSync comment merge review',
    },
  },
  ChangeRequest: {
    object: 'change-request',
    members:
      'id number status subject createdBy createdAt updatedAt revision revisionInitial comments outdated urls',
    below: { urls: 'app location' },
  },
  Outcome: { members: 'revision result' },
  Pdf: { members: 'url' },
  Comment: {
    object: 'comment',
    members: 'id postedBy postedAt reactions replies body target urls permissions status',
    below: { urls: 'location', permissions: 'view edit reply delete' },
  },
  CommentReply: {
    object: 'comment-reply',
    members: 'id postedBy postedAt reactions body urls permissions',
    below: { urls: 'location', permissions: 'view edit delete' },
  },
  Revision: { object: 'revision', members: 'id parents pages files reusableContents createdAt urls type' },
  Import: { members: 'revision importedResources totalResources' },
  Pages: { members: 'pages' },
  Page: { members: 'id title type' },
  File: { members: 'id name contentType downloadURL size' },
  Link: { members: 'status relation locationReferences' },
  Backlink: { members: 'kind organization space' },
  FoundSpace: { members: 'id title pages' },
  FoundPage: { members: 'id title path sections urls', below: { urls: 'app' } },
  CustomField: {
    members: 'id name type createdAt updatedAt urls permissions',
    below: { permissions: 'view edit', urls: 'location' },
  },
  CustomFieldValues: { members: '' },
  OpenAPISpec: {
    object: 'openapi-spec',
    members: 'id createdAt updatedAt slug processingState permissions urls',
    below: { permissions: 'view edit', urls: 'location app' },
  },
  OpenAPISpecVersion: { object: 'openapi-spec-version', members: 'id url urls', below: { urls: 'location' } },
  SpecificationContent: { members: 'filesystem url' },
}

/** A line an operation: method, path below `/v1`, status of success where one is laid down, what it answers. */
const lines = `
GET /orgs 200 Organization[]
GET /orgs/{organizationId} - Organization
PATCH /orgs/{organizationId} - Organization
GET /email-domains/{emailDomain}/orgs 200 Organizations
GET /orgs/{organizationId}/search 200 FoundSpace[]
GET /orgs/{organizationId}/link-invites/{inviteId} 200 Invite
PATCH /orgs/{organizationId}/link-invites/{inviteId} 200 Invite
DELETE /orgs/{organizationId}/link-invites/{inviteId} 205 nothing
GET /orgs/{organizationId}/members 200 Member[]
GET /orgs/{organizationId}/members/{userId} 200 Member
PATCH /orgs/{organizationId}/members/{userId} 200 Member
DELETE /orgs/{organizationId}/members/{userId} 204 nothing
POST /orgs/{organizationId}/members/{userId}/sso 200 Member
POST /orgs/{organizationId}/ping 200 Ping
GET /orgs/{organizationId}/members/{userId}/spaces 200 MemberSpace[]
GET /orgs/{organizationId}/members/{userId}/teams 200 MemberTeam[]
GET /orgs/{organizationId}/teams 200 Team[]
PUT /orgs/{organizationId}/teams 201 Team
GET /orgs/{organizationId}/teams/{teamId} 200 Team
PATCH /orgs/{organizationId}/teams/{teamId} 200 Team
DELETE /orgs/{organizationId}/teams/{teamId} 204 nothing
GET /orgs/{organizationId}/saml 200 SamlProvider[]
POST /orgs/{organizationId}/saml 201 SamlProvider
GET /orgs/{organizationId}/saml/{samlProviderId} - SamlProvider
PATCH /orgs/{organizationId}/saml/{samlProviderId} 200 SamlProvider
DELETE /orgs/{organizationId}/saml/{samlProviderId} 204 nothing
GET /orgs/{organizationId}/sso 200 SsoLoginInfo[]
GET /orgs/{organizationId}/collections 200 Collection[]
POST /orgs/{organizationId}/collections 201 Collection
GET /collections/{collectionId} 200 Collection
PATCH /collections/{collectionId} 200 Collection
DELETE /collections/{collectionId} 205 nothing
GET /collections/{collectionId}/spaces 200 Space[]
POST /collections/{collectionId}/move - Collection
POST /collections/{collectionId}/transfer - Collection
GET /orgs/{organizationId}/sites 200 Site[]
POST /orgs/{organizationId}/sites 201 Site
GET /orgs/{organizationId}/sites/{siteId} - Site
PATCH /orgs/{organizationId}/sites/{siteId} 200 Site
DELETE /orgs/{organizationId}/sites/{siteId} 205 nothing
GET /orgs/{organizationId}/sites/{siteId}/published - PublishedSite
GET /orgs/{organizationId}/sites/{siteId}/adaptive-schema - SiteAdaptiveSchema
PUT /orgs/{organizationId}/sites/{siteId}/adaptive-schema - SiteAdaptiveSchema
GET /orgs/{organizationId}/sites/{siteId}/sections 200 SiteSection[]
POST /orgs/{organizationId}/sites/{siteId}/sections 201 SiteSection
PATCH /orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId} 200 SiteSection
DELETE /orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId} 205 nothing
POST /orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}/move - SiteSection
GET /orgs/{organizationId}/sites/{siteId}/section-groups 200 SiteSectionGroup[]
POST /orgs/{organizationId}/sites/{siteId}/section-groups 201 SiteSectionGroup
PATCH /orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId} 200 SiteSectionGroup
DELETE /orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId} 205 nothing
POST /orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/sections 201 SiteSectionGroup
DELETE /orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/sections/{siteSectionId} 205 nothing
POST /orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/move - SiteSectionGroup
GET /orgs/{organizationId}/sites/{siteId}/site-spaces 200 SiteSpace[]
POST /orgs/{organizationId}/sites/{siteId}/site-spaces 201 SiteSpace
PATCH /orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId} 200 SiteSpace
DELETE /orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId} 205 nothing
POST /orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/move - SiteSpace
GET /orgs/{organizationId}/sites/{siteId}/redirects 200 SiteRedirect[]
POST /orgs/{organizationId}/sites/{siteId}/redirects 201 SiteRedirect
PATCH /orgs/{organizationId}/sites/{siteId}/redirects/{siteRedirectId} 200 SiteRedirect
DELETE /orgs/{organizationId}/sites/{siteId}/redirects/{siteRedirectId} 205 nothing
GET /orgs/{organizationId}/sites/{siteId}/redirect - FoundRedirect
GET /orgs/{organizationId}/translations 200 TranslationSettings[]
POST /orgs/{organizationId}/translations - TranslationSettings
GET /orgs/{organizationId}/translations/{translationSettingsId} - TranslationSettings
PUT /orgs/{organizationId}/translations/{translationSettingsId} - TranslationSettings
DELETE /orgs/{organizationId}/translations/{translationSettingsId} 205 nothing
GET /spaces/{spaceId} 200 Space
PATCH /spaces/{spaceId} 200 Space
DELETE /spaces/{spaceId} 205 nothing
POST /spaces/{spaceId}/duplicate 201 Space
POST /spaces/{spaceId}/restore 200 Space
POST /spaces/{spaceId}/move - Space
POST /spaces/{spaceId}/transfer - Space
GET /spaces/{spaceId}/links - Link[]
GET /spaces/{spaceId}/search 200 FoundPage[]
GET /spaces/{spaceId}/content 200 Revision
POST /spaces/{spaceId}/content/import 201 Import
GET /spaces/{spaceId}/content/pages 200 Pages
GET /spaces/{spaceId}/content/page/{pageId} 200 Page
GET /spaces/{spaceId}/content/page/{pageId}/links 200 Link[]
GET /spaces/{spaceId}/content/files 200 File[]
GET /spaces/{spaceId}/content/files/{fileId} 200 File
GET /spaces/{spaceId}/content/files/{fileId}/backlinks 200 Backlink[]
GET /spaces/{spaceId}/change-requests 200 ChangeRequest[]
POST /spaces/{spaceId}/change-requests 201 ChangeRequest
GET /spaces/{spaceId}/change-requests/{changeRequestId} - ChangeRequest
PATCH /spaces/{spaceId}/change-requests/{changeRequestId} 200 ChangeRequest
POST /spaces/{spaceId}/change-requests/{changeRequestId}/merge 200 Outcome
POST /spaces/{spaceId}/change-requests/{changeRequestId}/update 200 Outcome
GET /spaces/{spaceId}/change-requests/{changeRequestId}/pdf 200 Pdf
GET /spaces/{spaceId}/change-requests/{changeRequestId}/content 200 Revision
POST /spaces/{spaceId}/change-requests/{changeRequestId}/content/import 201 Import
GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/pages 200 Pages
GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/files 200 File[]
GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/files/{fileId} 200 File
GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/files/{fileId}/backlinks 200 Backlink[]
GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId} 200 Page
GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/page/{pageId}/links 200 Link[]
GET /spaces/{spaceId}/comments 200 Comment[]
POST /spaces/{spaceId}/comments 200 Comment
GET /spaces/{spaceId}/comments/{commentId} 200 Comment
PUT /spaces/{spaceId}/comments/{commentId} 200 Comment
DELETE /spaces/{spaceId}/comments/{commentId} 205 nothing
GET /spaces/{spaceId}/comments/{commentId}/replies 200 CommentReply[]
POST /spaces/{spaceId}/comments/{commentId}/replies 200 CommentReply
GET /spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId} 200 CommentReply
PUT /spaces/{spaceId}/comments/{commentId}/replies/{commentReplyId} 200 CommentReply
GET /spaces/{spaceId}/custom-fields 200 CustomFieldValues
PATCH /spaces/{spaceId}/custom-fields 204 nothing
GET /orgs/{organizationId}/custom-fields 200 CustomField[]
POST /orgs/{organizationId}/custom-fields 201 CustomField
GET /orgs/{organizationId}/custom-fields/{fieldName} - CustomField
PATCH /orgs/{organizationId}/custom-fields/{fieldName} 200 CustomField
DELETE /orgs/{organizationId}/custom-fields/{fieldName} 204 nothing
GET /orgs/{organizationId}/openapi 200 OpenAPISpec[]
POST /orgs/{organizationId}/openapi - OpenAPISpec
GET /orgs/{organizationId}/openapi/{specSlug} - OpenAPISpec
PUT /orgs/{organizationId}/openapi/{specSlug} - OpenAPISpec
DELETE /orgs/{organizationId}/openapi/{specSlug} 205 nothing
GET /orgs/{organizationId}/openapi/{specSlug}/versions - OpenAPISpecVersion[]
GET /orgs/{organizationId}/openapi/{specSlug}/versions/latest - OpenAPISpecVersion
GET /orgs/{organizationId}/openapi/{specSlug}/versions/latest/content - SpecificationContent
GET /orgs/{organizationId}/openapi/{specSlug}/versions/{versionId} - OpenAPISpecVersion
GET /orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}/content - SpecificationContent
GET /spaces/{spaceId}/change-requests/{changeRequestId}/comments 200 Comment[]
POST /spaces/{spaceId}/change-requests/{changeRequestId}/comments 200 Comment
GET /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId} 200 Comment
PUT /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId} 200 Comment
DELETE /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId} 205 nothing
GET /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies 200 CommentReply[]
POST /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies 200 CommentReply
GET /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies/{commentReplyId} 200 CommentReply
PUT /spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/replies/{commentReplyId} 200 CommentReply
`

export interface CoreOperation {
  readonly method: string
  readonly path: string
  /** Undefined where none is laid down. */
  readonly status: number | undefined
  /** A shape, or `nothing`. */
  readonly shape: string
  readonly isList: boolean
}

export const coreOperations: readonly CoreOperation[] = lines
  .trim()
  .split('\n')
  .map((line) => {
    const [method, path, status, shape] = line.split(' ') as [string, string, string, string]
    return {
      method,
      path,
      status: status === '-' ? undefined : Number(status),
      shape: shape.replace('[]', ''),
      isList: shape.endsWith('[]'),
    }
  })

/** An operation by method and path, with any names of its parameters. */
export const placeOf = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replace(/\{\w+\}|:\w+/g, ':')}`

const core = new Map(coreOperations.map((one) => [placeOf(one.method, one.path), one]))

/** The core operation of an endpoint; undefined for all others. */
export const coreOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): CoreOperation | undefined =>
  core.get(placeOf(method, path))

/** Returns what the core requires and the response lacks, one line a fault; none for other operations. */
export function coreFaults(endpoint: Endpoint, status: number, body: any): string[] {
  const operation = coreOf(endpoint)
  if (operation === undefined) return []
  const faults: string[] = []
  const expected = [operation.status ?? endpoint.success, ...(endpoint.mayCreate ? [201] : [])]
  if (!expected.includes(status)) faults.push(`is answered ${status}, not ${expected.join(' or ')}`)
  if (operation.shape === 'nothing') return body === undefined ? faults : [...faults, 'has a body']
  if (!operation.isList) return [...faults, ...lacking(operation.shape, body)]
  if (!Array.isArray(body?.items)) return [...faults, '.items is no list']
  return [...faults, ...body.items.flatMap((item: unknown) => lacking(operation.shape, item))]
}

function lacking(name: string, value: any): string[] {
  const shape = shapes[name]
  if (shape === undefined) throw new Error(`Nothing says what ${name} is`)
  const has = (container: any, members: string, at: string): string[] =>
    members
      .split(' ')
      .filter((member) => member !== '' && container?.[member] === undefined)
      .map((member) => `${at}.${member} is missing`)
  return [
    ...(shape.object !== undefined && value?.object !== shape.object
      ? [`.object is no ${shape.object}`]
      : []),
    ...has(value, shape.members, ''),
    ...Object.entries(shape.below ?? {}).flatMap(([member, names]) =>
      has(value?.[member], names, `.${member}`),
    ),
  ]
}
