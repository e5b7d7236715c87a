/** Events of API operations: `recordOperation` looks them up by operation id, so no handler can forget one. */
import type { EventType } from '../../contract/events.js'
import type { OrganizationId, SiteId, SpaceId, UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { recordEvent } from './record.js'

interface CompletedOperation {
  readonly operationId: string
  readonly organizationId: OrganizationId
  readonly params: Readonly<Record<string, string>>
  /** Id of the resource that the operation created. */
  readonly createdId: string | undefined
  readonly userId: UserId
  readonly now: number
}

/**
 * Event type by operation id. Changes that several operations or the command line make are recorded where they are
 * made: new content where heads move, and spaces and sites that are created, deleted or published. Operations that
 * leave the visible state of the space or site unchanged are missing, too. An array also names the path parameter of
 * the created resource.
 */
const events: Readonly<Record<string, EventType | readonly [EventType, createdParam: string]>> = {
  updateSpaceById: 'space_updated',
  updateSpaceCustomFields: 'space_updated',

  createChangeRequest: ['change_request_created', 'changeRequestId'],
  restoreRevision: ['change_request_created', 'changeRequestId'],
  updateChangeRequestById: 'change_request_updated',
  requestReviewersForChangeRequest: 'change_request_updated',
  removeRequestedReviewerFromChangeRequest: 'change_request_updated',
  resolveChangeRequestConflicts: 'change_request_updated',
  submitChangeRequestReview: ['change_request_reviewed', 'reviewId'],
  withdrawChangeRequestReview: 'change_request_updated',

  applySuggestionInSpace: 'comment_updated',
  applySuggestionInChangeRequest: 'comment_updated',
  postCommentInSpace: ['comment_created', 'commentId'],
  postCommentReplyInSpace: ['comment_created', 'commentReplyId'],
  postCommentInChangeRequest: ['comment_created', 'commentId'],
  postCommentReplyInChangeRequest: ['comment_created', 'commentReplyId'],
  updateCommentInSpace: 'comment_updated',
  updateCommentReplyInSpace: 'comment_updated',
  updateCommentInChangeRequest: 'comment_updated',
  updateCommentReplyInChangeRequest: 'comment_updated',
  deleteCommentInSpace: 'comment_deleted',
  deleteCommentReplyInSpace: 'comment_deleted',
  deleteCommentInChangeRequest: 'comment_deleted',
  deleteCommentReplyInChangeRequest: 'comment_deleted',

  deleteSiteById: 'site_deleted',
}

/** Operations on a space or a site that record no event by themselves. */
export const silentOperations: ReadonlySet<string> = new Set([
  // Recorded with the new content.
  'applySuggestionsInSpace',
  'applySuggestionsInChangeRequest',
  'updateSpaceContent',
  'updatePageTextById',
  'uploadFileInSpace',
  'rollbackSpaceToRevision',
  'importArchiveInSpace',
  'importArchiveInChangeRequest',
  'importContentInSpace',
  'importContentInPageById',
  'importContentInChangeRequest',
  'importContentInChangeRequestPageById',
  'updateChangeRequestContent',
  'updatePageTextInChangeRequestById',
  'uploadFileInChangeRequest',
  'updateChangeRequest',
  // Recorded where conflicts are detected.
  'mergeChangeRequest',
  'importTranslationXliff',
  'runSpaceTranslation',
  // Recorded where the change is made.
  'duplicateSpace',
  'deleteSpaceById',
  'restoreSpace',
  // The space was gone for everybody when it went to the trash.
  'purgeSpace',
  'publishSite',
  'unpublishSite',
  // Changes nothing that is visible in the space or site.
  'cancelImportRun',
  'cancelSpaceTranslation',
  'updateSpaceTranslation',
  'deleteSpaceTranslation',
  'moveSpace',
  'inviteToSpace',
  'updateUserPermissionInSpace',
  'removeUserFromSpace',
  'updateTeamPermissionInSpace',
  'removeTeamFromSpace',
  // The space is in another organization afterwards.
  'transferSpace',
])

/** Returns the event type of an operation, and the path parameter of what it creates; undefined for none. */
export function eventOf(
  operationId: string,
  params: Readonly<Record<string, unknown>>,
): { readonly type: EventType; readonly createdParam?: string } | undefined {
  const found = Object.hasOwn(events, operationId) ? events[operationId] : undefined
  if (typeof found === 'string') return { type: found }
  if (found !== undefined) return { type: found[0], createdParam: found[1] }
  // Everything that is written below a site is visible in it.
  const isOfSite = 'siteId' in params && !silentOperations.has(operationId)
  return isOfSite ? { type: 'site_updated' } : undefined
}

/** Records the event of an operation, if it has one. */
export async function recordOperationEvent(tx: Tx, act: CompletedOperation): Promise<void> {
  const event = eventOf(act.operationId, act.params)
  if (event === undefined) return
  const {
    organizationId: _,
    spaceId,
    siteId,
    ...data
  } = {
    ...act.params,
    ...(event.createdParam !== undefined &&
      act.createdId !== undefined && { [event.createdParam]: act.createdId }),
  } as Record<string, string>
  const stream = spaceId === undefined ? { siteId: siteId as SiteId } : { spaceId: spaceId as SpaceId }
  const { organizationId, userId, now } = act
  await recordEvent(tx, { organizationId, stream, type: event.type, userId, data, now })
}
