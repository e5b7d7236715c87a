/** Routes of comments: one table, mounted on spaces and on change requests. */
import type { PageId, UserId } from '../../core/ids.js'
import { nothingRemoved } from '../../access/route/responses.js'
import { type Route, route } from '../../access/route/route.js'
import type { Scope } from '../../access/route/scope.js'
import type { SpaceAction } from '../../access/rules/levels.js'
import { type CommentEndpoints, changeRequestComments, spaceComments } from '../../contract/comments.js'
import { listContributors } from '../../contract/change-requests.js'
import { inChangeRequest, inChangeRequestContent } from '../change-requests/scope.js'
import { documentOfMarkdown } from '../content/markdown-document.js'
import { showMembers } from '../members/show.js'
import { listPeopleWithAccess } from '../permissions/store.js'
import { inSpaceContent } from '../spaces/scope.js'
import { requireChangeable } from '../change-requests/status.js'
import { recordContribution } from '../change-requests/store.js'
import { ApiError } from '../../contract/errors.js'
import type { Tx } from '../../store/db/database.js'
import { applySuggestions, getSuggestions } from './apply.js'
import { changeComment, postComment, postReply, removeComment, removeReply } from './change.js'
import { showContributors } from './contributors.js'
import { type CommentableContext, commentScopes } from './scope.js'
import { type CommentViewContext, showComments, showReplies } from './show.js'
import { type CommentRow, listComments, listReplies } from './store.js'
import { resolveAnchor } from './comment-target.js'

/** Throws 409 where the content may not be edited as it is; returns how a contribution is recorded. */
type RequireEditable<Context> = (request: Context & { readonly tx: Tx; readonly now: number }) => {
  readonly recordContribution?: (userId: UserId) => Promise<unknown>
}

function commentsAt<Params extends string, Context extends CommentableContext>(
  endpoints: CommentEndpoints<Params>,
  at: Scope<NoInfer<Params>, Context, SpaceAction>,
  requireEditable: RequireEditable<NoInfer<Context>>,
): readonly Route[] {
  const { inComments, inComment, atComment, inReply, atReply } = commentScopes(at)
  return [
    route(endpoints.list, {
      at: inComments,
      allow: 'view',
      handle: async ({ db, services, content, viewer, query }) => {
        const { status = 'all', order = 'desc', targetPage, authors, format } = query
        const filter = { status, order, page: targetPage as PageId, authors: authors as UserId[] }
        const list = await listComments(db, content, filter, query)
        const context = { db, services, content, viewer, format }
        return { ...list, items: await showComments(context, list.items) }
      },
    }),

    route(endpoints.commenters, {
      at: inComments,
      allow: 'view',
      handle: async ({ db, services, actor, space, query }) => {
        const { row, role } = space
        const { userId } = actor
        const target = { organizationId: row.organization_id, kind: 'space', id: row.id } as const
        // Guests see only themselves.
        const known = role === null ? { user: userId } : {}
        const filter = { ...known, search: query.search, joined: true } as const
        const { page, limit } = query
        const list = await listPeopleWithAccess(db, target, filter, { page, limit })
        const reader = { userId, organizationId: row.organization_id, role }
        return { ...list, items: await showMembers(db, services.addresses, reader, list.items) }
      },
    }),

    route(endpoints.post, {
      at: inComments,
      allow: 'comment',
      handleLong: async ({ content, services, body, query, now, commit }) => {
        const anchor = await resolveAnchor(content, body, services)
        return commit(async ({ tx, viewer, content: current }) => {
          const row = await postComment(tx, current, body.body, anchor, { viewer, now })
          return showOne({ db: tx, services, content: current, viewer, format: query.format }, row)
        })
      },
    }),

    route(endpoints.preview, {
      at: inComments,
      allow: 'comment',
      handle: async ({ body }) => ({ document: documentOfMarkdown(body.markdown) }),
    }),

    route(endpoints.get, {
      at: inComment,
      allow: 'view',
      handle: ({ db, services, content, viewer, comment, query }) =>
        showOne({ db, services, content, viewer, format: query.format }, comment),
    }),

    route(endpoints.update, {
      at: inComment,
      allow: 'answer',
      handle: async ({ tx, services, content, viewer, comment, body, query, now }) => {
        const row = await changeComment(tx, comment, body, { viewer, now })
        return showOne({ db: tx, services, content, viewer, format: query.format }, row)
      },
    }),

    route(endpoints.apply, {
      at: inComment,
      allow: 'apply',
      handle: async (request) => {
        const { tx, actor, services, content, viewer, comment, query, now } = request
        const applying = { actor, services, now, ...requireEditable(request) }
        const applied = await applySuggestions(tx, content, [comment], applying)
        const context = { db: tx, services, content: applied.content, viewer, format: query.format }
        return showOne(context, applied.rows[0]!)
      },
    }),

    route(endpoints.applyAll, {
      at: inComments,
      allow: 'edit',
      handle: async (request) => {
        const { tx, actor, services, content, viewer, body, query, now } = request
        const rows = await getSuggestions(tx, content, body.comments)
        const applying = { actor, services, now, ...requireEditable(request) }
        const applied = await applySuggestions(tx, content, rows, applying)
        const context = { db: tx, services, content: applied.content, viewer, format: query.format }
        return { revision: applied.content.revision.id, items: await showComments(context, applied.rows) }
      },
    }),

    route(endpoints.remove, {
      at: atComment,
      allow: 'remove',
      handle: async ({ tx, comment }) =>
        comment === undefined ? nothingRemoved : removeComment(tx, comment),
    }),

    route(endpoints.listReplies, {
      at: inComment,
      allow: 'view',
      handle: async ({ db, services, content, viewer, comment, query }) => {
        const list = await listReplies(db, comment, query)
        const context = { db, services, content, viewer, format: query.format }
        return { ...list, items: await showReplies(context, list.items) }
      },
    }),

    route(endpoints.postReply, {
      at: inComment,
      allow: 'answer',
      handle: async ({ tx, services, content, viewer, comment, body, query, now }) => {
        const row = await postReply(tx, comment, body.body, { viewer, now })
        return showReply({ db: tx, services, content, viewer, format: query.format }, row)
      },
    }),

    route(endpoints.getReply, {
      at: inReply,
      allow: 'view',
      handle: ({ db, services, content, viewer, reply, query }) =>
        showReply({ db, services, content, viewer, format: query.format }, reply),
    }),

    route(endpoints.updateReply, {
      at: inReply,
      allow: 'answer',
      handle: async ({ tx, services, content, viewer, reply, body, query, now }) => {
        const row = await changeComment(tx, reply, body, { viewer, now })
        return showReply({ db: tx, services, content, viewer, format: query.format }, row)
      },
    }),

    route(endpoints.removeReply, {
      at: atReply,
      allow: 'remove',
      handle: async ({ tx, reply }) => (reply === undefined ? nothingRemoved : removeReply(tx, reply)),
    }),
  ]
}

async function showOne(context: CommentViewContext, row: CommentRow) {
  const [presented] = await showComments(context, [row])
  return presented!
}

async function showReply(context: CommentViewContext, row: CommentRow) {
  const [presented] = await showReplies(context, [row])
  return presented!
}

export const commentRoutes: readonly Route[] = [
  ...commentsAt(spaceComments, inSpaceContent, ({ space }) => {
    if (space.row.edit_mode !== 'live') throw new ApiError('live_edits_locked')
    return {}
  }),
  ...commentsAt(changeRequestComments, inChangeRequestContent, ({ tx, now, changeRequest }) => {
    requireChangeable(changeRequest)
    return { recordContribution: (userId) => recordContribution(tx, changeRequest, userId, now) }
  }),

  route(listContributors, {
    at: inChangeRequest,
    allow: 'view',
    handle: async ({ db, services, changeRequest }) => {
      const items = await showContributors(db, services.addresses, changeRequest)
      return { items, count: items.length }
    },
  }),
]
