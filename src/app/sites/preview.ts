/** `/s/<space>/…`: the current content of a space for those who may read it, as a site would show it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SpaceId } from '../../core/ids.js'
import type { Mounting } from '../../access/route/mount.js'
import { reaches } from '../../access/rules/levels.js'
import { isInvited, opens } from '../../access/signin/reach.js'
import { withLevel } from '../../resources/spaces/scope.js'
import { findSpaceOf } from '../../resources/spaces/store.js'
import { type Answer, answerSite } from '../../site/answer.js'
import { errorPage, notFoundPage } from '../../site/layout/other-pages.js'
import { previewSite } from '../../site/routing/site.js'
import { assetAddresses } from './assets.js'
import { productFrame } from './product-frame.js'
import { readyAnswer, sendAnswer } from '../http/send-answer.js'

export function mountPreview(server: FastifyInstance, { services, signIn }: Mounting): void {
  const { database, addresses } = services

  async function answer(request: FastifyRequest, spaceId: SpaceId): Promise<Answer> {
    const actor = await signIn(request)
    // The same for spaces that exist and for those that do not.
    if (actor === null) return signInFirst()
    const found = await findSpaceOf(database.read, actor.userId, spaceId)
    if (found === undefined || found.row.deleted_at !== null) return noSuchSpace()
    if (!reaches(withLevel(found).level, 'read')) return noSuchSpace()
    if (isInvited(actor, found.row.organization_id)) return acceptFirst()
    if (!opens(actor, found.row.organization_id)) return signInFirst()
    const [, , slash = '', path = '', query] =
      /^\/+s\/+(?:([^/?]+)(?:(\/)([^?]*))?)?(?:\?(.*))?$/.exec(request.raw.url!) ?? []
    const site = previewSite(addresses, found.row)
    if (slash === '') {
      return { status: 307, contentType: 'text/plain', body: '', location: site.base, isIndexed: false }
    }
    return answerSite(services, site, { path, query: new URLSearchParams(query) }, await assetAddresses())
  }

  async function handler(
    request: FastifyRequest<{ Params: { spaceId: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const given = await answer(request, request.params.spaceId as SpaceId)
    return sendAnswer(request, reply, readyAnswer({ ...given, isIndexed: false }, 'private'))
  }

  server.route({ method: ['GET', 'HEAD'], url: '/s/:spaceId', handler })
  server.route({ method: ['GET', 'HEAD'], url: '/s/:spaceId/*', handler })
}

async function signInFirst(): Promise<Answer> {
  const body = errorPage(await productFrame(), {
    title: 'Sign in to read this',
    message: 'Open your sign-in link first. Whoever runs this server can make one for you.',
  })
  return { status: 401, contentType: 'text/html; charset=utf-8', body, isIndexed: false }
}

async function acceptFirst(): Promise<Answer> {
  const body = errorPage(await productFrame(), {
    title: 'You are invited to read this',
    message: 'Accept the invitation on the first page of this server, and come back.',
  })
  return { status: 403, contentType: 'text/html; charset=utf-8', body, isIndexed: false }
}

async function noSuchSpace(): Promise<Answer> {
  const body = notFoundPage(await productFrame())
  return { status: 404, contentType: 'text/html; charset=utf-8', body, isIndexed: false }
}
