/**
 * Branded identifiers: an id of one resource type cannot be passed where another is expected.
 * Generating them needs randomness, so that is done outside core (see `newId` in `access/route`).
 */

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

export type OrganizationId = Branded<'organization'>
export type UserId = Branded<'user'>
export type TeamId = Branded<'team'>
export type CollectionId = Branded<'collection'>
export type InviteId = Branded<'invite'>
export type SpaceId = Branded<'space'>
export type ChangeRequestId = Branded<'change request'>
export type RevisionId = Branded<'revision'>
export type PageId = Branded<'page'>
export type FileId = Branded<'file'>
export type SiteId = Branded<'site'>
export type SiteRedirectId = Branded<'site redirect'>
export type SiteShareLinkId = Branded<'site share link'>
export type SiteSpaceId = Branded<'site space'>
export type SiteSectionId = Branded<'site section'>
export type SiteSectionGroupId = Branded<'site section group'>
export type SamlProviderId = Branded<'SAML provider'>
export type CommentId = Branded<'comment'>
export type ImportRunId = Branded<'import run'>
export type InboxEntryId = Branded<'inbox entry'>
export type ReviewId = Branded<'review'>
export type RequestedReviewerId = Branded<'requested reviewer'>
export type CustomFieldId = Branded<'custom field'>
export type TranslationSettingsId = Branded<'translation settings'>
export type OpenApiSpecId = Branded<'OpenAPI spec'>
export type OpenApiSpecVersionId = Branded<'OpenAPI spec version'>
export type EventId = Branded<'event'>
export type WebhookId = Branded<'webhook'>
export type WebhookDeliveryId = Branded<'webhook delivery'>

/** Name of an immutable object: SHA-256 of its bytes, base64url, 43 characters. */
export type Hash = Branded<'hash'>
