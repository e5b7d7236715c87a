/**
 * `/s/<space>/…`: the current content of a space for those who may read it, as a site would show it; below
 * `/s/<space>/~/changes/<number>/` that of a change request.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SpaceId } from '../../core/ids.js'
import { unknownVisitor } from '../../core/visitor/visitor.js'
import { prefersMarkdown } from '../../access/http/accept.js'
import type { Mounting } from '../../access/route/mount.js'
import { readAtOneMoment } from '../../access/route/consistent-read.js'
import { type Answer, answerSite, redirectTo } from '../../site/answer.js'
import { type Refusal, enterAsReader, readableSpace, signedInAsker } from '../../site/enter.js'
import { errorPage, notFoundPage } from '../../site/layout/other-pages.js'
import type { SiteView } from '../../site/layout/view.js'
import { listLatestVersions } from '../../resources/openapi-specs/store.js'
import { findChangeRequest } from '../../resources/change-requests/store.js'
import { spaceAsShown } from '../../site/routing/shown-revisions.js'
import { previewSite } from '../../site/routing/site.js'
import { type Look, lookAt } from '../../store/cache/caches.js'
import { assetAddresses } from './assets.js'
import { productFrame } from './product-frame.js'
import { formFor, formsOf } from '../http/compression.js'
import { readyAnswer, sendAnswer } from '../http/send-answer.js'

export function mountPreview(server: FastifyInstance, { services, signIn }: Mounting): void {
  const { addresses } = services

  async function answer(request: FastifyRequest, spaceId: SpaceId): Promise<Answer> {
    const asker = signedInAsker(() => signIn(request))
    const { number, slash, path, query } = readPath(request.raw.url!)
    const enter = (look: Look) =>
      readAtOneMoment({ services, look }, async (source, about) => {
        const entered = await enterAsReader(asker, readableSpace(source, spaceId))
        if (entered.refusal !== undefined) {
          about(undefined)
          return entered
        }
        const { row } = entered.place
        about(row.organization_id)
        if (number === undefined) return { refusal: undefined, row }
        const changeRequest = await findChangeRequest(source.db, row, number)
        return changeRequest === undefined ? absent : { refusal: undefined, row, changeRequest }
      })
    const entry = await enter(await services.caches.look(request.raw))
    if (entry.refusal !== undefined) return refuse(entry.refusal)
    const { changeRequest } = entry
    const { read: db } = services.database
    const content = { ...entry.row, revision_id: changeRequest?.revision_id ?? entry.row.revision_id }
    const row = await spaceAsShown({ db, services }, content)
    const specifications = await listLatestVersions(db, row.organization_id)
    const site = previewSite(addresses, row, specifications, changeRequest)
    if (slash === '') return redirectTo(site.base, true)
    const asked = {
      path,
      query: new URLSearchParams(query),
      visitor: unknownVisitor,
      wantsMarkdown: prefersMarkdown(request.headers.accept),
      signal: request.signal,
    }
    const given = await answerSite(services, site, asked, await assetAddresses())
    if (given.hasWaited !== true) return given
    // It may have waited for its turn: who may read is looked at once more.
    const later = await enter(lookAt(await services.database.momentNow()))
    return later.refusal === undefined ? given : refuse(later.refusal)
  }

  async function handler(
    request: FastifyRequest<{ Params: { spaceId: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const given = await answer(request, request.params.spaceId as SpaceId)
    const ready = readyAnswer({ ...given, isIndexed: false }, 'private', 'compressed')
    const accepted = request.raw.headers['accept-encoding']
    return sendAnswer(request, reply, await formFor(formsOf(ready), accepted))
  }

  server.route({ method: ['GET', 'HEAD'], url: '/s/:spaceId', handler })
  server.route({ method: ['GET', 'HEAD'], url: '/s/:spaceId/*', handler })
}

const absent = { refusal: 'absent' } as const

/** What is asked for, of a space or of a change request with a number; without a slash at the end of its address it is led on. */
function readPath(url: string) {
  const [, , end = '', rest = '', query] = /^\/+s\/+(?:([^/?]+)(?:(\/)([^?]*))?)?(?:\?(.*))?$/.exec(url) ?? []
  const [whole, number, slash = ''] = /^~\/changes\/(\d{1,9})(\/|$)/.exec(rest) ?? []
  return whole === undefined
    ? { number: undefined, slash: end, path: rest, query }
    : { number, slash, path: rest.slice(whole.length), query }
}

async function refuse(refusal: Refusal): Promise<Answer> {
  const { status, body } = refusalPage(refusal, await productFrame())
  return { status, contentType: 'text/html; charset=utf-8', body, isIndexed: false }
}

function refusalPage(refusal: Refusal, frame: SiteView): { status: number; body: string } {
  switch (refusal) {
    case 'absent':
      return { status: 404, body: notFoundPage(frame) }
    case 'signIn':
      return {
        status: 401,
        body: errorPage(frame, {
          title: 'Sign in to read this',
          message: 'Open your sign-in link first. Whoever runs this server can make one for you.',
        }),
      }
    case 'invitation':
      return {
        status: 403,
        body: errorPage(frame, {
          title: 'You are invited to read this',
          message: 'Accept the invitation on the first page of this server, and come back.',
        }),
      }
  }
}
