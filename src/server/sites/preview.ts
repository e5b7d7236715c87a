/**
 * Preview of unpublished content: `/s/<space>/…` is the current content of a space for its readers, rendered as on a
 * site; `/s/<space>/~/changes/<number>/` is that of a change request. `~/sites/<site>/` after either is the same in the
 * look and structure of a site.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SiteId, SpaceId } from '../../core/ids.js'
import { unknownVisitor } from '../../core/visitor/visitor.js'
import { prefersJson, prefersMarkdown } from '../../access/http/accept.js'
import { ApiError } from '../../contract/errors.js'
import type { MountOptions } from '../../access/route/mount.js'
import { readConsistently } from '../../access/route/consistent-read.js'
import { type SiteResponse, answerSite, redirectTo } from '../../site/answer.js'
import {
  type PreviewedSite,
  type Refusal,
  authorizeReader,
  readablePreview,
  signedInReader,
} from '../../site/reader-access.js'
import { errorPage, notFoundPage } from '../../site/layout/message-pages.js'
import type { SiteView } from '../../site/layout/view.js'
import type { SpaceRow } from '../../resources/spaces/store.js'
import { listLatestVersions } from '../../resources/openapi-specs/store.js'
import { type ChangeRequestRow, findChangeRequest } from '../../resources/change-requests/store.js'
import { withComputedRevision } from '../../site/routing/computed-revisions.js'
import { previewInSite } from '../../site/preview-in-site.js'
import { previewSite } from '../../site/routing/site.js'
import { type ReadContext, readContextAt } from '../../store/cache/caches.js'
import { assetAddresses } from './assets.js'
import { createSendApp, redirectToSignIn } from '../web/app-shell.js'
import { productFrame } from './product-frame.js'
import { encodeFor, encodedAnswerOf } from '../http/compression.js'
import { readyAnswer, sendAnswer } from '../http/send-answer.js'

export function mountPreview(server: FastifyInstance, { services, signIn }: MountOptions): void {
  const { addresses } = services
  const sendApp = createSendApp({ signIn })

  async function answer(request: FastifyRequest, spaceId: SpaceId): Promise<SiteResponse> {
    const asker = signedInReader(() => signIn(request))
    const { number, siteId, isCompletePath, path, query } = readPath(request.raw.url!)
    const authorize = (readContext: ReadContext) =>
      readConsistently(
        { services, readContext },
        async (source, about): Promise<FoundPreview | { readonly refusal: Refusal }> => {
          const access = await authorizeReader(asker, readablePreview(source, { spaceId, siteId }))
          if (access.refusal !== undefined) {
            about(undefined)
            return access
          }
          const { row, site } = access.resource
          const found: FoundPreview = { refusal: undefined, row, site }
          about(row.organization_id)
          if (number === undefined) return found
          const changeRequest = await findChangeRequest(source.db, row, number)
          return changeRequest === undefined ? absent : { ...found, changeRequest }
        },
      )
    const entry = await authorize(await services.caches.readContext(request.raw))
    if (entry.refusal !== undefined) return answerRefusal(entry.refusal)
    const { changeRequest } = entry
    const { read: db } = services.database
    const content = { ...entry.row, revision_id: changeRequest?.revision_id ?? entry.row.revision_id }
    const row = await withComputedRevision({ db, services }, content)
    const specifications = await listLatestVersions(db, row.organization_id)
    const preview = previewSite(addresses, row, specifications, changeRequest)
    const site =
      entry.site === undefined
        ? preview
        : await previewInSite({ db, services }, preview, { site: entry.site })
    if (site === undefined) return answerRefusal('absent')
    if (!isCompletePath) return redirectTo(site.base, true)
    const siteRequest = {
      path,
      query: new URLSearchParams(query),
      visitor: unknownVisitor,
      wantsMarkdown: prefersMarkdown(request.headers.accept),
      signal: request.signal,
    }
    const page = await answerSite(services, site, siteRequest, await assetAddresses())
    if (page.needsAccessRecheck !== true) return page
    // Rendering may have waited in a queue: access is checked again.
    const recheck = await authorize(readContextAt(await services.database.currentVersion()))
    return recheck.refusal === undefined ? page : answerRefusal(recheck.refusal)
  }

  async function handler(
    request: FastifyRequest<{ Params: { spaceId: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    if (await sendApp(request, reply)) return reply
    const page = await answer(request, request.params.spaceId as SpaceId)
    if (page.status === 401 && redirectToSignIn(request, reply)) return reply
    if (page.status >= 400 && prefersJson(request.headers.accept))
      throw page.status === 401 ? new ApiError('token_missing') : new ApiError('not_found', { thing: 'page' })
    const ready = readyAnswer({ ...page, isIndexed: false }, 'private', 'compressed')
    const accepted = request.raw.headers['accept-encoding']
    return sendAnswer(request, reply, await encodeFor(encodedAnswerOf(ready), accepted))
  }

  server.route({ method: ['GET', 'HEAD'], url: '/s/:spaceId', handler })
  server.route({ method: ['GET', 'HEAD'], url: '/s/:spaceId/*', handler })
}

interface FoundPreview {
  readonly refusal: undefined
  readonly row: SpaceRow
  readonly site: PreviewedSite | undefined
  readonly changeRequest?: ChangeRequestRow
}

const absent = { refusal: 'absent' } as const

/** Returns the path within a space, a change request or a site; without its trailing slash a root is redirected. */
function readPath(url: string) {
  const [, , end = '', rest = '', query] = /^\/+s\/+(?:([^/?]+)(?:(\/)([^?]*))?)?(?:\?(.*))?$/.exec(url) ?? []
  const [prefix, number, siteId] = /^(?:~\/changes\/(\d{1,9})(?:\/|$))?(?:~\/sites\/([\w-]+)(?:\/|$))?/.exec(
    rest,
  )!
  return {
    number,
    siteId: siteId as SiteId | undefined,
    isCompletePath: (prefix === '' ? end : prefix).endsWith('/'),
    path: rest.slice(prefix.length),
    query,
  }
}

async function answerRefusal(refusal: Refusal): Promise<SiteResponse> {
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
