/**
 * Uploaded files: `/~octavo/files/<space>/<file>/<name>`, for readers of the content that they belong to; with
 * `w` an image in one of a few sizes, with the same access.
 */
import type { FastifyInstance } from 'fastify'
import type { ChangeRequestId, FileId, RevisionId, SpaceId } from '../../core/ids.js'
import type { MountOptions } from '../../access/route/mount.js'
import { signedInReader } from '../../site/reader-access.js'
import { findReadableFile, minVersionLength } from '../../site/find-file.js'
import { parseWidth } from '../../store/images/widths.js'
import { createFileSender } from './send-file.js'

interface FileRoute {
  readonly Params: { readonly spaceId: SpaceId; readonly fileId: FileId; readonly name: string }
  readonly Querystring: {
    readonly v?: string
    readonly revision?: RevisionId
    readonly changeRequest?: ChangeRequestId
    readonly token?: string
    /** An image of at most this width in pixels: one of the list in `store/images/widths.ts`. */
    readonly w?: string
  }
}

export function mountFiles(server: FastifyInstance, { services, signIn, now }: MountOptions): void {
  const fileSender = createFileSender(services)

  server.route<FileRoute>({
    method: ['GET', 'HEAD'],
    url: '/~octavo/files/:spaceId/:fileId/:name',
    async handler(request, reply) {
      const { spaceId, fileId } = request.params
      const { v = '', revision, changeRequest, token, w } = request.query
      const width = w === undefined ? undefined : parseWidth(w)
      if (width === undefined && w !== undefined) return reply.callNotFound()
      const found = await findReadableFile(
        signedInReader(() => signIn(request)),
        { spaceId, fileId, revision, changeRequest, version: v, token },
        { services, readContext: await services.caches.readContext(request.raw), now: now() },
      )
      if (found === undefined) return reply.callNotFound()
      const { file, isForAll: isPublic } = found
      const isImmutable = v.length >= minVersionLength && file.hash.startsWith(v)
      return fileSender.send(request, reply, { file, width, isPublic, isImmutable })
    },
  })
}
