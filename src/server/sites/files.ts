/**
 * Uploaded files: `/~octavo/files/<space>/<file>/<name>`, for whoever may read the content that they belong to; with
 * `w` a picture in one of a few sizes, under the same rule.
 */
import type { FastifyInstance } from 'fastify'
import type { ChangeRequestId, FileId, RevisionId, SpaceId } from '../../core/ids.js'
import type { Mounting } from '../../access/route/mount.js'
import { signedInAsker } from '../../site/enter.js'
import { findFileFor } from '../../site/find-file.js'
import { readWidth } from '../../store/images/widths.js'
import { createFileSending } from './send-file.js'

interface FilePath {
  readonly Params: { readonly spaceId: SpaceId; readonly fileId: FileId; readonly name: string }
  readonly Querystring: {
    readonly v?: string
    readonly revision?: RevisionId
    readonly changeRequest?: ChangeRequestId
    readonly token?: string
    /** A picture no wider than so many pixels: one of the list in `store/images/widths.ts`. */
    readonly w?: string
  }
}

export function mountFiles(server: FastifyInstance, { services, signIn, now }: Mounting): void {
  const sending = createFileSending(services)

  server.route<FilePath>({
    method: ['GET', 'HEAD'],
    url: '/~octavo/files/:spaceId/:fileId/:name',
    async handler(request, reply) {
      const { spaceId, fileId } = request.params
      const { v = '', revision, changeRequest, token, w } = request.query
      const width = w === undefined ? undefined : readWidth(w)
      if (width === undefined && w !== undefined) return reply.callNotFound()
      const found = await findFileFor(
        signedInAsker(() => signIn(request)),
        { spaceId, fileId, revision, changeRequest, token },
        { services, look: await services.caches.look(request.raw), now: now() },
      )
      if (found === undefined) return reply.callNotFound()
      const { file, isForAll } = found
      const isVersion = v.length >= 16 && file.hash.startsWith(v)
      return sending.send(request, reply, { file, width, isForAll, isVersion })
    },
  })
}
