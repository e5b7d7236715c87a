/** Comments: one table of routes, mounted on spaces and in change requests. */
import type { PageId, UserId } from '../../core/ids.js'
import { nothingRemoved } from '../../access/route/removal.js'
import { type Route, longRoute, route } from '../../access/route/route.js'
import type { Scope } from '../../access/route/scope.js'
import type { SpaceAction } from '../../access/rules/levels.js'
import { type CommentEndpoints, changeRequestComments, spaceComments } from '../../contract/comments.js'
import { listContributors } from '../../contract/change-requests.js'
import { inChangeRequest, inChangeRequestContent } from '../change-requests/scope.js'
import { showMembers } from '../members/show.js'
import { listPeople } from '../permissions/store.js'
import { inSpaceContent } from '../spaces/scope.js'
import { changeComment, postComment, postReply, removeComment, removeReply } from './change.js'
import { showContributors } from './contributors.js'
import { type Commented, commentScopes } from './scope.js'
import { type Showing, showComments, showReplies } from './show.js'
import { type CommentRow, listComments, listReplies } from './store.js'
import { takeAim } from './targets.js'

function commentsAt<Params extends string, Here extends Commented>(
  endpoints: CommentEndpoints<Params>,
  at: Scope<NoInfer<Params>, Here, SpaceAction>,
): readonly Route[] {
  const { here, inComment, atComment, inReply, atReply } = commentScopes(at)
  return [
    route(endpoints.list, {
      at: here,
      allow: 'view',
      handle: async ({ db, services, content, beholder, query }) => {
        const { status = 'all', order = 'desc', targetPage, authors, format } = query
        const filter = { status, order, page: targetPage as PageId, authors: authors as UserId[] }
        const list = await listComments(db, content, filter, query)
        const showing = { db, services, content, beholder, format }
        return { ...list, items: await showComments(showing, list.items) }
      },
    }),

    route(endpoints.commenters, {
      at: here,
      allow: 'view',
      handle: async ({ db, services, actor, space, query }) => {
        const { row, role } = space
        const { userId } = actor
        const target = { organizationId: row.organization_id, kind: 'space', id: row.id } as const
        // Guests know of nobody else.
        const known = role === null ? { user: userId } : {}
        const filter = { ...known, search: query.search, joined: true } as const
        const { page, limit } = query
        const list = await listPeople(db, target, filter, { page, limit })
        const reader = { userId, organizationId: row.organization_id, role }
        return { ...list, items: await showMembers(db, services.addresses, reader, list.items) }
      },
    }),

    longRoute(endpoints.post, {
      at: here,
      allow: 'comment',
      handle: async ({ content, services, body, query, now, commit }) => {
        const aim = await takeAim(content, body, services)
        return commit(async ({ tx, beholder, content: here }) => {
          const row = await postComment(tx, here, body.body, aim, { beholder, now })
          return showOne({ db: tx, services, content: here, beholder, format: query.format }, row)
        })
      },
    }),

    route(endpoints.get, {
      at: inComment,
      allow: 'view',
      handle: ({ db, services, content, beholder, comment, query }) =>
        showOne({ db, services, content, beholder, format: query.format }, comment),
    }),

    route(endpoints.update, {
      at: inComment,
      allow: 'answer',
      handle: async ({ tx, services, content, beholder, comment, body, query, now }) => {
        const row = await changeComment(tx, comment, body, { beholder, now })
        return showOne({ db: tx, services, content, beholder, format: query.format }, row)
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
      handle: async ({ db, services, content, beholder, comment, query }) => {
        const list = await listReplies(db, comment, query)
        const showing = { db, services, content, beholder, format: query.format }
        return { ...list, items: await showReplies(showing, list.items) }
      },
    }),

    route(endpoints.postReply, {
      at: inComment,
      allow: 'answer',
      handle: async ({ tx, services, content, beholder, comment, body, query, now }) => {
        const row = await postReply(tx, comment, body.body, { beholder, now })
        return showReply({ db: tx, services, content, beholder, format: query.format }, row)
      },
    }),

    route(endpoints.getReply, {
      at: inReply,
      allow: 'view',
      handle: ({ db, services, content, beholder, reply, query }) =>
        showReply({ db, services, content, beholder, format: query.format }, reply),
    }),

    route(endpoints.updateReply, {
      at: inReply,
      allow: 'answer',
      handle: async ({ tx, services, content, beholder, reply, body, query, now }) => {
        const row = await changeComment(tx, reply, body, { beholder, now })
        return showReply({ db: tx, services, content, beholder, format: query.format }, row)
      },
    }),

    route(endpoints.removeReply, {
      at: atReply,
      allow: 'remove',
      handle: async ({ tx, reply }) => (reply === undefined ? nothingRemoved : removeReply(tx, reply)),
    }),
  ]
}

async function showOne(showing: Showing, row: CommentRow) {
  const [shown] = await showComments(showing, [row])
  return shown!
}

async function showReply(showing: Showing, row: CommentRow) {
  const [shown] = await showReplies(showing, [row])
  return shown!
}

export const commentRoutes: readonly Route[] = [
  ...commentsAt(spaceComments, inSpaceContent),
  ...commentsAt(changeRequestComments, inChangeRequestContent),

  route(listContributors, {
    at: inChangeRequest,
    allow: 'view',
    handle: async ({ db, services, changeRequest }) => {
      const items = await showContributors(db, services.addresses, changeRequest)
      return { items, count: items.length }
    },
  }),
]
