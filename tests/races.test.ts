/**
 * Race conditions: every operation that writes runs concurrently with itself, with the removal of each resource in its
 * path or body, and in some pairs; through two processes on one database. No response is 500, and afterwards the rows
 * are consistent.
 */
import { createHash } from 'node:crypto'
import { zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom } from '../dev/bench/corpus.js'
import { routes } from '../src/server/api/api.js'
import type { Endpoint } from '../src/contract/endpoint.js'
import type { OrganizationId } from '../src/core/ids.js'
import type { Database } from '../src/store/db/database.js'
import { listViolations } from '../src/store/db/invariants.js'
import { type TestClient, type Person, openTestClient } from './test-client.js'
import { deliverInboxes } from './background-work.js'
import { plainCustomization } from './customization/samples.js'
import { processSpecs, specText } from './openapi-specs.js'
import { describeConcurrency } from './engines.js'
import { type WebServer, serveWeb } from './web-server.js'

interface RaceRequest {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** Sent as they are, for uploads. */
  readonly bytes?: Uint8Array
  readonly person?: Person
}

/** How to call an operation: the resources of its path and body. */
interface Recipe {
  /** Values for the parameters of the path. */
  readonly params?: readonly (keyof ResourceIds)[]
  body?(made: TestResources): unknown
  readonly bytes?: Uint8Array
  /** Resources that the body names: their removal is raced, too. */
  readonly named?: readonly (keyof ResourceIds)[]
  /** Sent before, so that the operation has an effect. */
  before?(made: TestResources): readonly RaceRequest[]
  /** Other requests that may run concurrently. */
  beside?(made: TestResources): readonly RaceRequest[]
  /** Sent by another user than the admin. */
  readonly asStranger?: boolean
}

type ResourceIds = Record<
  | 'organizationId'
  | 'other'
  | 'collectionId'
  | 'target'
  | 'spaceId'
  | 'changeRequestId'
  | 'pageId'
  | 'importRunId'
  | 'revisionId'
  | 'siteId'
  | 'siteSpaceId'
  | 'siteRedirectId'
  | 'shareLinkId'
  | 'siteSectionId'
  | 'siteSectionGroupId'
  | 'teamId'
  | 'userId'
  | 'inviteId'
  | 'specSlug'
  | 'translationSettingsId'
  | 'webhookId'
  | 'deliveryId'
  | 'following'
  | 'samlProviderId'
  | 'fieldName'
  | 'commentId'
  | 'reviewId'
  | 'commentReplyId'
  | 'tokenId'
  | 'inboxEntryId'
  | 'sessionId',
  () => Promise<string>
>
type TestResources = Readonly<Record<keyof ResourceIds | 'page' | 'address', string>>

const page = (made: TestResources) => ({
  changes: [
    { operation: 'insert_page', title: 'Raced', document: { markdown: `# Raced in ${made.spaceId}` } },
  ],
})
/** On the text of a new space; the same request each time. */
const textEdit = () => ({
  base: createHash('sha256').update('# Page\n').digest('base64url'),
  splices: [{ start: 7, end: 7, text: '\nRaced.\n' }],
  client: 'races',
  seq: 1,
})
const archive = zipSync({ 'README.md': Buffer.from('# Zip\n'), 'a.md': Buffer.from('# A\n') })
const text = Buffer.from('hello')
const branch = (made: TestResources) => `/spaces/${made.spaceId}/change-requests/${made.changeRequestId}`
const siteOf = (made: TestResources) => `/orgs/${made.organizationId}/sites/${made.siteId}`
const give = (made: TestResources) => [
  {
    method: 'POST',
    path: `/spaces/${made.spaceId}/permissions`,
    body: { role: 'edit', users: [made.userId] },
  },
]
const giveTeam = (made: TestResources) => [
  {
    method: 'POST',
    path: `/spaces/${made.spaceId}/permissions`,
    body: { role: 'edit', teams: [made.teamId] },
  },
]
const giveIn = (made: TestResources) => [
  {
    method: 'POST',
    path: `/collections/${made.collectionId}/permissions`,
    body: { role: 'edit', users: [made.userId] },
  },
]
const giveTeamIn = (made: TestResources) => [
  {
    method: 'POST',
    path: `/collections/${made.collectionId}/permissions`,
    body: { role: 'edit', teams: [made.teamId] },
  },
]
const show = (made: TestResources) => [
  { method: 'POST', path: `${siteOf(made)}/site-spaces`, body: { spaceId: made.spaceId } },
]
const write = (made: TestResources) => [{ method: 'POST', path: `${branch(made)}/content`, body: page(made) }]
const transfer = (made: TestResources) => [
  { method: 'POST', path: `/spaces/${made.spaceId}/transfer`, body: { organization: made.other } },
]
const runIt = (made: TestResources) => [
  { method: 'POST', path: `/spaces/${made.spaceId}/translation/run`, body: {} },
]
const emptyXliff =
  '<xliff version="1.2"><file source-language="en" target-language="fr"><body/></file></xliff>'
const commentBody = () => ({ body: { markdown: 'Why?' } })
const commentsOf = (made: TestResources) =>
  `${made.changeRequestId === undefined ? `/spaces/${made.spaceId}` : branch(made)}/comments`
const merge = (made: TestResources) => [...write(made), { method: 'POST', path: `${branch(made)}/merge` }]
const letReview = (made: TestResources) => [
  {
    method: 'POST',
    path: `/spaces/${made.spaceId}/permissions`,
    body: { role: 'review', users: [made.userId] },
  },
]
const askForReview = (made: TestResources) => [
  { method: 'POST', path: `${branch(made)}/requested-reviewers`, body: { users: [made.userId] } },
]
const review = (made: TestResources) => [
  { method: 'POST', path: `${branch(made)}/reviews`, body: { status: 'approved' } },
]
const sayInField = (made: TestResources) => [
  {
    method: 'PATCH',
    path: `/spaces/${made.spaceId}/custom-fields`,
    body: { values: { [made.fieldName]: { value: 'Raced' } } },
  },
]
const specSource = () => ({ source: { text: specText('Raced') } })
const unlock = (made: TestResources) => [
  { method: 'PATCH', path: `/spaces/${made.spaceId}`, body: { editMode: 'live' } },
]

/** What to send, by operation. An operation without a recipe fails: write one line. */
const recipes: Readonly<Record<string, Recipe>> = {
  updateUserById: { body: () => ({ displayName: 'Raced' }) },
  createAPIToken: { body: () => ({ label: 'raced' }) },
  updateUserPreferences: { body: () => ({ theme: 'dark' }) },
  updateInboxEntry: { body: () => ({ read: true }), named: ['spaceId', 'commentId'] },
  markInboxRead: {},
  revokeAPIToken: {},
  endSession: {},
  setPassword: { body: () => ({ password: 'correct horse battery' }) },
  endMemberSessions: {},
  createMemberSignInLink: {},
  createOrganization: { body: () => ({ title: 'Raced' }) },
  updateOrganizationById: { body: () => ({ title: 'Acme', emailDomains: ['octavo.test'] }) },
  updateMemberInOrganizationById: { body: () => ({ role: 'admin' }) },
  removeMemberFromOrganizationById: { beside: give, named: ['spaceId'] },
  setUserAsSSOMemberForOrganization: {},
  updateOrganizationMemberLastSeenAt: {},
  createOrganizationTeam: { body: (made) => ({ title: 'Raced', members: [made.userId] }), named: ['userId'] },
  updateTeamInOrganizationById: { body: () => ({ title: 'Renamed' }) },
  removeTeamFromOrganizationById: { beside: giveTeam, named: ['spaceId'] },
  updateMembersInOrganizationTeam: { body: (made) => ({ add: [made.userId] }), named: ['userId'] },
  addMemberToOrganizationTeamById: { body: () => ({ role: 'owner' }) },
  deleteMemberFromOrganizationTeamById: {},
  createOrganizationInvite: { body: (made) => ({ space: made.spaceId, level: 'read' }), named: ['spaceId'] },
  updateOrganizationInviteById: { body: () => ({ role: 'read' }) },
  deleteOrganizationInviteById: {},
  inviteUsersToOrganization: {
    body: (made) => ({ emails: [`raced-${made.spaceId}@octavo.test`.toLowerCase()] }),
  },
  joinOrganizationWithInvite: { asStranger: true },
  joinOrganization: { asStranger: true },
  acceptInvitation: {},
  declineInvitation: {},
  createCollection: { body: (made) => ({ title: 'Raced', parent: made.target }), named: ['target'] },
  updateCollectionById: { body: () => ({ title: 'Renamed' }) },
  moveCollection: {
    body: (made) => ({ parent: made.target }),
    named: ['target'],
    beside: (made) => [
      { method: 'POST', path: `/collections/${made.target}/move`, body: { parent: made.collectionId } },
    ],
  },
  createOrganizationSAMLProvider: { body: () => ({ label: 'Raced' }) },
  updateOrganizationSAMLProviderById: {
    body: (made) => ({ label: 'Raced', defaultTeam: made.teamId }),
    named: ['teamId'],
  },
  deleteOrganizationSAMLProviderById: {},
  createCustomFieldInOrganization: { body: () => ({ name: 'raced', type: 'text' }) },
  updateCustomFieldInOrganization: { body: () => ({ title: 'Raced' }) },
  deleteCustomFieldInOrganization: {
    beside: (made) => [...sayInField(made), ...transfer(made)],
    named: ['spaceId'],
  },
  createTranslationSettings: { body: () => ({ title: 'Raced' }) },
  updateTranslationSettings: { body: () => ({ title: 'Raced', languages: ['fr'] }) },
  deleteTranslationSettings: {},
  createWebhook: { body: (made) => ({ url: made.address, events: ['site_published'] }) },
  updateWebhook: {
    body: () => ({ active: false, events: ['site_updated'] }),
    beside: ({ organizationId, webhookId }) => [
      { method: 'POST', path: `/orgs/${organizationId}/webhooks/${webhookId}/test` },
      { method: 'PATCH', path: `/orgs/${organizationId}/webhooks/${webhookId}`, body: { active: true } },
    ],
  },
  deleteWebhook: {},
  rotateWebhookSecret: {},
  testWebhook: {},
  replayWebhookDelivery: {},
  putTranslationGuidance: { body: () => ({ glossary: [{ term: 'Raced' }] }) },
  putTranslator: { body: () => ({ endpoint: 'https://translator.test/v1', model: 'raced', key: 'raced' }) },
  deleteTranslator: {
    before: ({ organizationId }) => [
      {
        method: 'PUT',
        path: `/orgs/${organizationId}/translator`,
        body: { endpoint: 'https://translator.test/v1', model: 'raced' },
      },
    ],
  },
  createSpaceTranslation: {
    named: ['spaceId'],
    body: ({ spaceId }) => ({ source: spaceId, language: 'fr' }),
    beside: transfer,
  },
  updateSpaceTranslation: { named: ['following'], body: () => ({ follows: false }) },
  deleteSpaceTranslation: { named: ['following'], beside: (made) => [...transfer(made), ...runIt(made)] },
  runSpaceTranslation: { named: ['following'], body: () => ({ again: 'failed' }), beside: transfer },
  cancelSpaceTranslation: { named: ['following'], beside: runIt },
  importTranslationXliff: { named: ['following'], body: () => ({ xliff: emptyXliff }), beside: transfer },
  createOpenApiSpec: { body: () => ({ slug: 'raced', ...specSource() }) },
  createOrUpdateOpenApiSpecBySlug: { body: specSource },
  updateOpenApiSpecBySlug: { body: () => ({ visibility: 'public' }) },
  deleteOpenApiSpecBySlug: {
    beside: ({ organizationId, specSlug }) => [
      { method: 'PUT', path: `/orgs/${organizationId}/openapi/${specSlug}`, body: specSource() },
    ],
  },
  updateSpaceCustomFields: {
    body: (made) => ({ values: { [made.fieldName]: { value: 'Raced' } } }),
    named: ['fieldName'],
    beside: transfer,
  },
  postCommentInSpace: { body: commentBody, beside: transfer },
  applySuggestionInSpace: { beside: transfer },
  applySuggestionInChangeRequest: { beside: (made) => [...write(made), ...merge(made)] },
  applySuggestionsInSpace: {
    body: ({ commentId }) => ({ comments: [commentId] }),
    named: ['commentId'],
    beside: transfer,
  },
  applySuggestionsInChangeRequest: {
    body: ({ commentId }) => ({ comments: [commentId] }),
    named: ['commentId'],
    beside: (made) => [...write(made), ...merge(made)],
  },
  updateCommentInSpace: { body: () => ({ ...commentBody(), resolved: true }), beside: transfer },
  deleteCommentInSpace: { beside: transfer },
  postCommentReplyInSpace: { body: commentBody, beside: transfer },
  updateCommentReplyInSpace: { body: () => ({ addedReactions: ['1f44d'] }) },
  deleteCommentReplyInSpace: { beside: transfer },
  postCommentInChangeRequest: { body: commentBody, beside: (made) => [...merge(made), ...transfer(made)] },
  updateCommentInChangeRequest: {
    body: () => ({ resolved: true }),
    beside: (made) => [...merge(made), ...transfer(made)],
  },
  deleteCommentInChangeRequest: { beside: merge },
  postCommentReplyInChangeRequest: { body: commentBody, beside: merge },
  updateCommentReplyInChangeRequest: { body: commentBody },
  deleteCommentReplyInChangeRequest: { beside: merge },
  submitChangeRequestReview: {
    body: () => ({ status: 'approved', comment: { markdown: 'Fine.' } }),
    beside: (made) => [...write(made), ...merge(made), ...transfer(made)],
  },
  withdrawChangeRequestReview: {
    beside: (made) => [...review(made), ...merge(made), ...transfer(made)],
  },
  requestReviewersForChangeRequest: {
    body: (made) => ({ users: [made.userId], teams: [made.teamId] }),
    named: ['userId', 'teamId'],
    before: letReview,
    beside: (made) => [...review(made), ...merge(made), ...transfer(made)],
  },
  removeRequestedReviewerFromChangeRequest: {
    before: (made) => [...letReview(made), ...askForReview(made)],
    beside: (made) => [...askForReview(made), ...merge(made), ...transfer(made)],
  },
  createSpace: { body: (made) => ({ title: 'Raced', parent: made.target }), named: ['target'] },
  updateSpaceById: {
    body: () => ({ editMode: 'live' }),
    named: ['siteId'],
    before: show,
    beside: publishing,
  },
  deleteSpaceById: { beside: (made) => [...show(made), ...give(made)], named: ['siteId', 'userId'] },
  restoreSpace: { before: (made) => [{ method: 'DELETE', path: `/spaces/${made.spaceId}` }] },
  purgeSpace: { before: (made) => [{ method: 'DELETE', path: `/spaces/${made.spaceId}` }] },
  duplicateSpace: {},
  moveSpace: { body: (made) => ({ parent: made.target }), named: ['target'] },
  transferSpace: {
    body: (made) => ({ organization: made.other }),
    beside: (made) => [...show(made), ...give(made)],
    named: ['siteId', 'userId'],
  },
  deleteCollectionById: { beside: moveIn, named: ['spaceId', 'target'] },
  transferCollection: {
    body: (made) => ({ organization: made.other }),
    beside: moveIn,
    named: ['spaceId', 'target'],
  },
  inviteToSpace: {
    body: (made) => ({ role: 'edit', users: [made.userId], teams: [made.teamId] }),
    named: ['userId', 'teamId'],
    beside: transfer,
  },
  updateUserPermissionInSpace: { body: () => ({ role: 'edit' }), before: give },
  removeUserFromSpace: { before: give },
  updateTeamPermissionInSpace: { body: () => ({ role: 'edit' }), before: giveTeam },
  removeTeamFromSpace: { before: giveTeam },
  inviteToCollection: {
    body: (made) => ({ role: 'edit', users: [made.userId], teams: [made.teamId] }),
    named: ['userId', 'teamId'],
  },
  updateUserPermissionInCollection: { body: () => ({ role: 'edit' }), before: giveIn },
  removeUserFromCollection: { before: giveIn },
  updateTeamPermissionInCollection: { body: () => ({ role: 'edit' }), before: giveTeamIn },
  removeTeamFromCollection: { before: giveTeamIn },
  updateSpaceContent: { body: page, before: unlock, beside: transfer },
  updatePageTextById: { body: textEdit, before: unlock, beside: transfer },
  uploadFileInSpace: { bytes: text, before: unlock },
  rollbackSpaceToRevision: {
    before: (made) => [
      ...unlock(made),
      { method: 'POST', path: `/spaces/${made.spaceId}/content`, body: page(made) },
    ],
  },
  restoreRevision: {
    body: () => ({}),
    before: (made) => [
      ...unlock(made),
      { method: 'POST', path: `/spaces/${made.spaceId}/content`, body: page(made) },
    ],
    beside: transfer,
  },
  importArchiveInSpace: { bytes: archive },
  importArchiveInChangeRequest: {
    bytes: archive,
    beside: (made) => [...write(made), ...transfer(made)],
  },
  cancelImportRun: {},
  importContentInSpace: { body: (made) => ({ url: made.address, source: 'zip' }), beside: transfer },
  importContentInPageById: {
    body: (made) => ({ url: made.address, source: 'zip' }),
    before: unlock,
    beside: (made) => [...write(made), ...transfer(made)],
  },
  importContentInChangeRequest: {
    body: (made) => ({ url: made.address, source: 'zip' }),
    beside: (made) => [...write(made), ...transfer(made)],
  },
  importContentInChangeRequestPageById: { body: (made) => ({ url: made.address, source: 'zip' }) },
  createChangeRequest: { body: () => ({ subject: 'Raced' }), beside: transfer },
  updateChangeRequestById: { body: () => ({ status: 'archived' }) },
  updateChangeRequestContent: { body: page, beside: transfer },
  updatePageTextInChangeRequestById: { body: textEdit, beside: transfer },
  uploadFileInChangeRequest: { bytes: text },
  mergeChangeRequest: { before: write, beside: (made) => [...write(made), ...transfer(made)] },
  updateChangeRequest: {
    body: () => ({}),
    before: (made) => [
      ...unlock(made),
      { method: 'POST', path: `/spaces/${made.spaceId}/content`, body: page(made) },
    ],
  },
  resolveChangeRequestConflicts: { body: () => ({ resolutions: [] }) },
  createSite: {
    body: (made) => ({ title: 'Raced', spaces: [made.spaceId] }),
    named: ['spaceId'],
    beside: transfer,
  },
  updateSiteById: {
    body: (made) => ({ basename: `raced-${made.spaceId}`.toLowerCase() }),
    before: show,
    named: ['spaceId'],
  },
  publishSite: { before: show, named: ['spaceId'], beside: unlock },
  unpublishSite: { before: show, named: ['spaceId'] },
  addSpaceToSite: {
    body: (made) => ({ spaceId: made.spaceId }),
    named: ['spaceId'],
    beside: (made) => [...transfer(made), section(made)],
  },
  deleteSiteById: { named: ['spaceId'], beside: (made) => [...show(made), section(made)] },
  createSiteRedirect: {
    body: (made) => ({
      source: '/raced',
      destination: { kind: 'site-space', siteSpaceId: made.siteSpaceId },
    }),
    named: ['siteSpaceId'],
  },
  updateSiteRedirectById: {
    body: (made) => ({
      source: '/raced',
      destination: { kind: 'site-section', siteSectionId: made.siteSectionId },
    }),
    named: ['siteSectionId'],
  },
  bulkUpsertSiteRedirects: {
    body: (made) => ({
      redirects: [{ source: '/raced', destination: { kind: 'site-space', siteSpaceId: made.siteSpaceId } }],
    }),
    named: ['siteSpaceId'],
  },
  deleteSiteRedirectById: {},
  updateSiteCustomizationById: {
    body: (made) => ({
      ...plainCustomization,
      header: { preset: 'default', links: [{ title: 'Raced', to: spaceLink(made), links: [] }] },
    }),
    named: ['spaceId'],
  },
  updateSiteInsightsSettings: { body: () => ({ days: 30, claims: ['plan'] }) },
  updateSiteScripts: {
    body: () => ({ scripts: [{ name: 'Raced', script: 'https://cdn.example.com/raced.js' }] }),
  },
  overrideSiteSpaceCustomizationById: {
    body: (made) => ({ title: 'Raced', header: { primaryLink: spaceLink(made) } }),
    named: ['spaceId'],
  },
  deleteSiteSpaceCustomizationById: {
    before: (made) => [
      {
        method: 'PATCH',
        path: `${siteOf(made)}/site-spaces/${made.siteSpaceId}/customization`,
        body: { title: 'Raced' },
      },
    ],
  },
  createSiteShareLink: { body: () => ({ name: 'Raced' }), named: ['siteId'] },
  updateSiteShareLinkById: { body: () => ({ active: false }) },
  deleteSiteShareLinkById: {},
  updateSitePublishingAuthById: { body: () => ({ fallbackURL: 'https://example.com/login' }) },
  regenerateSitePublishingAuthById: {},
  updateSiteAdaptiveSchema: {
    body: () => ({ jsonSchema: { type: 'object', properties: {}, additionalProperties: false } }),
  },
  updateSiteSpaceById: {
    body: (made) => ({ path: 'raced', spaceId: made.spaceId }),
    named: ['spaceId'],
    beside: transfer,
  },
  deleteSiteSpaceById: { named: ['spaceId'], beside: (made) => [...show(made), section(made)] },
  moveSiteSpace: {
    body: () => ({}),
    named: ['spaceId'],
    before: show,
    beside: (made) => [section(made)],
  },
  addSectionToSite: {
    body: (made) => ({ spaceId: made.spaceId, title: 'Raced' }),
    named: ['spaceId'],
    beside: (made) => [...transfer(made), ...show(made)],
  },
  updateSiteSectionById: {
    body: (made) => ({ path: 'raced', siteSectionGroupId: made.siteSectionGroupId }),
    named: ['siteSectionGroupId', 'spaceId'],
    beside: (made) => [section(made)],
  },
  deleteSiteSectionById: {
    named: ['spaceId'],
    beside: (made) => [
      section(made),
      {
        method: 'POST',
        path: `${siteOf(made)}/site-spaces`,
        body: { spaceId: made.spaceId, sectionId: made.siteSectionId },
      },
    ],
  },
  moveSiteSection: {
    body: (made) => ({ position: { before: { type: 'site-section-group', id: made.siteSectionGroupId } } }),
    named: ['siteSectionGroupId'],
  },
  addSectionGroupToSite: {
    body: (made) => ({ title: 'Raced', sections: [made.siteSectionId], parent: made.siteSectionGroupId }),
    named: ['siteSectionId', 'siteSectionGroupId'],
  },
  updateSiteSectionGroupById: { body: () => ({ title: 'Renamed' }) },
  deleteSiteSectionGroupById: { named: ['siteSectionId'], beside: (made) => [putIn(made)] },
  addSectionToGroup: {
    body: (made) => ({ sectionId: made.siteSectionId }),
    named: ['siteSectionId'],
  },
  removeSectionFromGroup: { before: (made) => [putIn(made)] },
  moveSiteSectionGroup: {
    body: (made) => ({ position: { before: { type: 'site-section', siteSection: made.siteSectionId } } }),
    named: ['siteSectionId'],
    beside: (made) => [putIn(made)],
  },
  sortSiteStructure: {
    body: (made) => ({
      item: { type: 'site-section', id: made.siteSectionId },
      position: { after: { type: 'site-section-group', id: made.siteSectionGroupId } },
    }),
    named: ['siteSectionId', 'siteSectionGroupId'],
    beside: (made) => [putIn(made)],
  },
}

function spaceLink(made: TestResources) {
  return { kind: 'space', space: made.spaceId }
}

function section(made: TestResources): RaceRequest {
  return { method: 'POST', path: `${siteOf(made)}/sections`, body: { spaceId: made.spaceId } }
}

function putIn(made: TestResources): RaceRequest {
  const path = `${siteOf(made)}/section-groups/${made.siteSectionGroupId}/sections`
  return { method: 'POST', path, body: { sectionId: made.siteSectionId } }
}

function publishing(made: TestResources): RaceRequest[] {
  return [{ method: 'POST', path: `${siteOf(made)}/publish` }]
}

function moveIn(made: TestResources): RaceRequest[] {
  return [
    { method: 'POST', path: `/spaces/${made.spaceId}/move`, body: { parent: made.collectionId } },
    { method: 'POST', path: `/collections/${made.target}/move`, body: { parent: made.collectionId } },
  ]
}

/** How a resource is removed, or as far removed as it can be. */
const removals: Partial<Record<keyof ResourceIds, (made: TestResources) => RaceRequest>> = {
  spaceId: (made) => ({ method: 'DELETE', path: `/spaces/${made.spaceId}` }),
  collectionId: (made) => ({ method: 'DELETE', path: `/collections/${made.collectionId}` }),
  target: (made) => ({ method: 'DELETE', path: `/collections/${made.target}` }),
  changeRequestId: (made) => ({ method: 'PATCH', path: branch(made), body: { status: 'archived' } }),
  pageId: (made) => ({
    method: 'POST',
    path: `/spaces/${made.spaceId}/content`,
    body: { changes: [{ operation: 'delete_page', page: made.pageId }] },
  }),
  siteId: (made) => ({ method: 'DELETE', path: siteOf(made) }),
  siteRedirectId: (made) => ({ method: 'DELETE', path: `${siteOf(made)}/redirects/${made.siteRedirectId}` }),
  shareLinkId: (made) => ({ method: 'DELETE', path: `${siteOf(made)}/share-links/${made.shareLinkId}` }),
  siteSpaceId: (made) => ({ method: 'DELETE', path: `${siteOf(made)}/site-spaces/${made.siteSpaceId}` }),
  siteSectionId: (made) => ({ method: 'DELETE', path: `${siteOf(made)}/sections/${made.siteSectionId}` }),
  siteSectionGroupId: (made) => ({
    method: 'DELETE',
    path: `${siteOf(made)}/section-groups/${made.siteSectionGroupId}`,
  }),
  teamId: (made) => ({ method: 'DELETE', path: `/orgs/${made.organizationId}/teams/${made.teamId}` }),
  userId: (made) => ({ method: 'DELETE', path: `/orgs/${made.organizationId}/members/${made.userId}` }),
  inviteId: (made) => ({
    method: 'DELETE',
    path: `/orgs/${made.organizationId}/link-invites/${made.inviteId}`,
  }),
  samlProviderId: (made) => ({
    method: 'DELETE',
    path: `/orgs/${made.organizationId}/saml/${made.samlProviderId}`,
  }),
  fieldName: (made) => ({
    method: 'DELETE',
    path: `/orgs/${made.organizationId}/custom-fields/${made.fieldName}`,
  }),
  translationSettingsId: (made) => ({
    method: 'DELETE',
    path: `/orgs/${made.organizationId}/translations/${made.translationSettingsId}`,
  }),
  webhookId: (made) => ({
    method: 'DELETE',
    path: `/orgs/${made.organizationId}/webhooks/${made.webhookId}`,
  }),
  following: ({ following }) => ({ method: 'DELETE', path: `/spaces/${following}` }),
  specSlug: (made) => ({
    method: 'DELETE',
    path: `/orgs/${made.organizationId}/openapi/${made.specSlug}`,
  }),
  commentId: (made) => ({ method: 'DELETE', path: `${commentsOf(made)}/${made.commentId}` }),
  commentReplyId: (made) => ({
    method: 'DELETE',
    path: `${commentsOf(made)}/${made.commentId}/replies/${made.commentReplyId}`,
  }),
}

const writing = routes.map(({ endpoint }) => endpoint).filter(({ reads }) => !reads)

/** What a recipe may mention: its path, what it names, and the content that its body is about. */
function namesOf({ operationId, params }: Endpoint): Set<string> {
  const { named = [], beside, body } = recipes[operationId] ?? {}
  const isAboutSpace = beside === transfer || /raced-/.test(String(body))
  return new Set<string>([...params, ...named, ...(isAboutSpace ? ['spaceId'] : [])])
}

/** Seed and number of the drawn pairs: all 3,400 take an hour. */
const [seed, drawn] = [20_261_123, 60]

/** Draws pairs of operations that share a resource inside the organization. */
function drawPairs(): (readonly [string, readonly [Endpoint, Endpoint]])[] {
  const random = createRandom(seed)
  const pairs = writing.flatMap((one, at) =>
    writing.slice(at + 1).flatMap((other) => {
      const shared = [...namesOf(one)].filter((name) => namesOf(other).has(name))
      return shared.some((name) => name !== 'organizationId') ? [[one, other] as const] : []
    }),
  )
  return Array.from({ length: drawn }, () => {
    const [pair] = pairs.splice(Math.floor(random() * pairs.length), 1)
    return [pair!.map(({ operationId }) => operationId).join(' and '), pair!] as const
  })
}

describeConcurrency('a race of', (engine) => {
  let first: Database
  let clients: readonly [TestClient, TestClient]
  let admin: Person
  let organization: OrganizationId
  let other: OrganizationId
  let web: WebServer
  let count = 0
  let settings: string | undefined

  beforeAll(async () => {
    first = await engine.open()
    web = await serveWeb({
      '/': archive,
      '/held': (_, response) => void setTimeout(() => response.end('# Held'), 200),
    })
    const { remote } = web
    const api = await openTestClient(first, undefined, { remote })
    // Both processes share their files.
    const { files } = api.services
    clients = [api, await openTestClient(await engine.openAgain(), undefined, { remote, files })]
    admin = await clients[0].person('admin')
    organization = await clients[0].organization(admin)
    other = await clients[0].organization(admin, 'Other')
    await clients[0].request(admin, 'PATCH', `/orgs/${organization}`, { emailDomains: ['octavo.test'] })
  })

  afterAll(() => web.close())

  async function made(method: string, path: string, body?: unknown): Promise<string> {
    const answer = await clients[0].request(admin, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body.id
  }

  /** Creates the named resources, each after its parents. */
  async function make(names: ReadonlySet<string>): Promise<TestResources> {
    const resources: Record<string, string> = {
      organizationId: organization,
      other,
      sessionId: 'none',
      address: web.url,
    }
    const wants = (name: string) => names.has(name)
    const place = `/orgs/${organization}`
    if (wants('collectionId'))
      resources.collectionId = await made('POST', `${place}/collections`, { title: 'C' })
    if (wants('target')) resources.target = await made('POST', `${place}/collections`, { title: 'T' })
    if (wants('spaceId')) {
      const parent = resources.target === undefined ? {} : { parent: resources.target }
      resources.spaceId = await made('POST', `${place}/spaces`, { title: `S${(count += 1)}`, ...parent })
    }
    if (wants('following')) {
      resources.following = resources.spaceId!
      // There may be only so many.
      settings ??= await made('POST', `${place}/translations`, { title: 'F', languages: ['fr'] })
      const body = { source: resources.following, language: 'fr' }
      const path = `${place}/translations/${settings}/spaces`
      resources.spaceId = (await clients[0].request(admin, 'POST', path, body)).body.space
    }
    if (wants('revisionId')) {
      const { body } = await clients[0].request(admin, 'GET', `/spaces/${resources.spaceId}`)
      resources.revisionId = body.revision
    }
    if (wants('changeRequestId')) {
      resources.changeRequestId = await made('POST', `/spaces/${resources.spaceId}/change-requests`, {})
    }
    if (wants('importRunId')) {
      const body = { url: `${web.url}/held`, source: 'markdown' }
      const answer = await clients[0].server.inject({
        method: 'POST',
        url: `/v1/spaces/${resources.spaceId}/content/import`,
        headers: { authorization: `Bearer ${admin.token}`, prefer: 'respond-async' },
        payload: body,
      })
      resources.importRunId = answer.json().id
    }
    if (wants('pageId')) {
      const { body } = await clients[0].request(admin, 'GET', `/spaces/${resources.spaceId}/content/pages`)
      resources.pageId = body.pages[0].id
    }
    if (wants('siteId')) resources.siteId = await made('POST', `${place}/sites`, { title: 'Site' })
    const newSpace = async () => ({
      spaceId: await made('POST', `${place}/spaces`, { title: `L${(count += 1)}` }),
    })
    if (wants('siteSpaceId'))
      resources.siteSpaceId = await made(
        'POST',
        `${siteOf(resources as TestResources)}/site-spaces`,
        await newSpace(),
      )
    if (wants('siteSectionId'))
      resources.siteSectionId = await made(
        'POST',
        `${siteOf(resources as TestResources)}/sections`,
        await newSpace(),
      )
    if (wants('siteSectionGroupId')) {
      const path = `${siteOf(resources as TestResources)}/section-groups`
      resources.siteSectionGroupId = await made('POST', path, { title: 'Group' })
    }
    if (wants('siteRedirectId')) {
      resources.siteRedirectId = await made('POST', `${siteOf(resources as TestResources)}/redirects`, {
        source: `/from-${(count += 1)}`,
        destination: { kind: 'external', url: 'https://octavo.test/' },
      })
    }
    if (wants('shareLinkId'))
      resources.shareLinkId = await made('POST', `${siteOf(resources as TestResources)}/share-links`, {
        name: 'One',
      })
    if (wants('teamId')) resources.teamId = await made('PUT', `${place}/teams`, { title: 'Team' })
    if (wants('inviteId')) resources.inviteId = await made('POST', `${place}/link-invites`, { role: 'read' })
    if (wants('samlProviderId'))
      resources.samlProviderId = await made('POST', `${place}/saml`, { label: 'P' })
    if (wants('fieldName')) {
      resources.fieldName = `f${(count += 1)}`
      await made('POST', `${place}/custom-fields`, { name: resources.fieldName, type: 'text' })
    }
    if (wants('translationSettingsId'))
      resources.translationSettingsId = await made('POST', `${place}/translations`, {
        title: 'T',
        languages: ['fr'],
      })
    if (wants('webhookId')) {
      // There may be only so many.
      const { body: known } = await clients[0].request(admin, 'GET', `${place}/webhooks?limit=100`)
      for (const { id } of known.items) await clients[0].request(admin, 'DELETE', `${place}/webhooks/${id}`)
      const body = { url: web.url, events: ['site_published'] }
      resources.webhookId = await made('POST', `${place}/webhooks`, body)
    }
    if (wants('deliveryId'))
      resources.deliveryId = await made('POST', `${place}/webhooks/${resources.webhookId}/test`)
    if (wants('specSlug')) {
      resources.specSlug = `s${(count += 1)}`
      await made('PUT', `${place}/openapi/${resources.specSlug}`, specSource())
      await processSpecs(clients[0])
    }
    if (wants('commentId'))
      resources.commentId = await made('POST', commentsOf(resources as TestResources), commentBody())
    if (wants('commentReplyId')) {
      const path = `${commentsOf(resources as TestResources)}/${resources.commentId}/replies`
      resources.commentReplyId = await made('POST', path, commentBody())
    }
    if (wants('reviewId')) {
      const body = { status: 'approved' }
      resources.reviewId = await made('POST', `${branch(resources as TestResources)}/reviews`, body)
    }
    if (wants('inboxEntryId')) {
      // The reply of another person to a comment of the admin.
      const replier = await clients[0].person(`replier${(count += 1)}`)
      await clients[0].join(organization, replier, 'comment')
      const path = `${commentsOf(resources as TestResources)}/${resources.commentId}/replies`
      await clients[0].request(replier, 'POST', path, commentBody())
      await deliverInboxes(clients[0])
      const { body: inbox } = await clients[0].request(admin, 'GET', '/user/inbox?limit=1')
      resources.inboxEntryId = inbox.items[0].id
    }
    if (wants('tokenId')) resources.tokenId = await made('POST', '/user/tokens', { label: 'raced' })
    if (wants('userId')) {
      const person = await clients[0].person(`member${(count += 1)}`)
      await clients[0].join(organization, person, 'read')
      resources.userId = person.id
    }
    return resources as TestResources
  }

  async function send(api: TestClient, { method, path, body, bytes, person = admin }: RaceRequest) {
    if (bytes === undefined) return api.request(person, method, path, body)
    const answer = await api.server.inject({
      method: method as 'POST',
      url: `/v1${path}`,
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/octet-stream' },
      payload: Buffer.from(bytes),
    })
    return { status: answer.statusCode, text: answer.body }
  }

  /** Sends all concurrently, alternating between both processes. */
  async function race(all: readonly RaceRequest[]): Promise<void> {
    const answers = await Promise.all(all.map((request, at) => send(clients[at % 2 === 0 ? 0 : 1], request)))
    for (const [at, { status, text: answer }] of answers.entries()) {
      expect(status, `${all[at]!.method} ${all[at]!.path}: ${answer}`).toBeLessThan(500)
    }
  }

  /** After all races of a test: each has resources of its own, so no later one mends the rows of an earlier one. */
  const expectConsistentRows = async () => expect(await listViolations(first.read)).toEqual([])

  function requestTo(
    { method, path, operationId }: Endpoint,
    recipe: Recipe,
    resources: TestResources,
    person: Person,
  ): RaceRequest {
    // Whose account it is, is themself; everywhere else it is a member.
    const own = { ...resources, ...(operationId === 'updateUserById' && { userId: admin.id }) }
    return {
      method,
      path: path.replace(/:(\w+)/g, (_, name: string) => (own as Record<string, string>)[name]!),
      person,
      ...(recipe.body !== undefined && { body: recipe.body(resources) }),
      ...(recipe.bytes !== undefined && { bytes: recipe.bytes }),
    }
  }

  test.each(writing.map((endpoint) => [endpoint.operationId, endpoint] as const))(
    '%s',
    async (name, endpoint) => {
      const recipe = recipes[name]
      expect(recipe, `"${name}" has no recipe above`).toBeDefined()
      const { before = () => [], beside = () => [] } = recipe!
      const names = namesOf(endpoint)
      const removed = [...names].filter((resource) => resource in removals) as (keyof ResourceIds)[]

      async function prepare() {
        const resources = await make(names)
        for (const request of before(resources)) {
          const answer = await send(clients[0], request)
          expect(answer.status, `${request.method} ${request.path}: ${answer.text}`).toBeLessThan(300)
        }
        const person = recipe!.asStranger ? await clients[0].person(`stranger${(count += 1)}`) : admin
        return { things: resources, request: requestTo(endpoint, recipe!, resources, person) }
      }

      const itself = await prepare()
      await race(Array.from({ length: 4 }, () => itself.request))
      for (const resource of removed) {
        const { things: resources, request } = await prepare()
        await race([request, removals[resource]!(resources), request])
      }
      const sample = await prepare()
      const rivals = beside(sample.things)
      for (const [at] of rivals.entries()) {
        const { things: resources, request } = at === 0 ? sample : await prepare()
        await race([request, beside(resources)[at]!, request, request])
      }
      await expectConsistentRows()
    },
  )

  test.each(drawPairs())('%s of the same resources', async (_, pair) => {
    const resources = await make(new Set(pair.flatMap((one) => [...namesOf(one)])))
    for (const { operationId } of pair) {
      // The preparation of one may be refused by the other.
      for (const request of recipes[operationId]!.before?.(resources) ?? []) await send(clients[0], request)
    }
    const [one, other] = await Promise.all(
      pair.map(async (endpoint) => {
        const recipe = recipes[endpoint.operationId]!
        const person = recipe.asStranger ? await clients[0].person(`stranger${(count += 1)}`) : admin
        return requestTo(endpoint, recipe, resources, person)
      }),
    )
    // Each through both processes.
    await race([one!, other!, other!, one!])
    await expectConsistentRows()
  })
})
