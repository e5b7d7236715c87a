/** Which event an operation of the API is, if any: `recordAct` asks here, so no handler can forget to tell. */
import type { EventType } from '../../contract/events.js'
import type { OrganizationId, SiteId, SpaceId, UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { recordEvent } from './record.js'

interface DoneAct {
  readonly operationId: string
  readonly organizationId: OrganizationId
  readonly params: Readonly<Record<string, string>>
  /** Id of what the operation made. */
  readonly created: string | undefined
  readonly userId: UserId
  readonly now: number
}

/**
 * By operation. What several operations do, or the command line, is told where it is done: new content where heads move,
 * and spaces and sites that come, go or are published. Nor are those here that leave what is seen in the place as it was.
 * An array names the parameter of what was made, too.
 */
const events: Readonly<Record<string, EventType | readonly [EventType, made: string]>> = {
  updateSpaceById: 'space_updated',
  updateSpaceCustomFields: 'space_updated',

  createChangeRequest: ['change_request_created', 'changeRequestId'],
  updateChangeRequestById: 'change_request_updated',
  requestReviewersForChangeRequest: 'change_request_updated',
  removeRequestedReviewerFromChangeRequest: 'change_request_updated',
  resolveChangeRequestConflicts: 'change_request_updated',
  submitChangeRequestReview: ['change_request_reviewed', 'reviewId'],

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

/** Operations on a space or a site that are no event of it. */
export const silentOperations: ReadonlySet<string> = new Set([
  // Told by the new content.
  'updateSpaceContent',
  'uploadFileInSpace',
  'rollbackSpaceToRevision',
  'importArchiveInSpace',
  'importContentInSpace',
  'importContentInPageById',
  'importContentInChangeRequest',
  'importContentInChangeRequestPageById',
  'updateChangeRequestContent',
  'uploadFileInChangeRequest',
  'updateChangeRequest',
  // Told where it is decided whether there are conflicts.
  'mergeChangeRequest',
  'importTranslationXliff',
  'runSpaceTranslation',
  // Told where it is done.
  'duplicateSpace',
  'deleteSpaceById',
  'restoreSpace',
  'publishSite',
  'unpublishSite',
  // Nothing that is seen in the place.
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
  // It is in another organization afterwards.
  'transferSpace',
])

/** Answers the event that an operation at a place is; undefined for none. */
export function eventOf(
  operationId: string,
  params: Readonly<Record<string, unknown>>,
): { readonly type: EventType; readonly made?: string } | undefined {
  const found = Object.hasOwn(events, operationId) ? events[operationId] : undefined
  if (typeof found === 'string') return { type: found }
  if (found !== undefined) return { type: found[0], made: found[1] }
  // Whatever is written below a site shows in it.
  const isOfSite = 'siteId' in params && !silentOperations.has(operationId)
  return isOfSite ? { type: 'site_updated' } : undefined
}

/** Writes the event of an act. */
export async function recordEventOfAct(tx: Tx, act: DoneAct): Promise<void> {
  const event = eventOf(act.operationId, act.params)
  if (event === undefined) return
  const {
    organizationId: _,
    spaceId,
    siteId,
    ...things
  } = {
    ...act.params,
    ...(event.made !== undefined && act.created !== undefined && { [event.made]: act.created }),
  } as Record<string, string>
  const stream = spaceId === undefined ? { siteId: siteId as SiteId } : { spaceId: spaceId as SpaceId }
  const { organizationId, userId, now } = act
  await recordEvent(tx, { organizationId, stream, type: event.type, userId, data: things, now })
}
