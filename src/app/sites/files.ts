/**
 * Uploaded files: `/~octavo/files/<space>/<file>/<name>`, for whoever may read the content that they belong to; with
 * `w` a picture in one of a few sizes, under the same rule.
 *
 * The bytes come from people and are served from the product's own host, so only what cannot run there
 * is shown in place; everything else is offered for download.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ChangeRequestId, FileId, RevisionId, SpaceId } from '../../core/ids.js'
import type { FileRecord } from '../../core/pages/types.js'
import { ApiError } from '../../contract/errors.js'
import { etagOf, isKnown, readRange } from '../../access/http/conditions.js'
import { disposition } from '../../access/http/disposition.js'
import type { Mounting } from '../../access/route/mount.js'
import { signedInVisitor } from '../../site/enter.js'
import { findFileFor } from '../../site/find-file.js'
import { readWidth } from '../../store/images/widths.js'

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

/** Whoever may read bytes only while they are a reader asks again each time, and is told of what they have. */
const askAgain = 'max-age=0, must-revalidate'
const forEver = 'max-age=31536000, immutable'
/** An original that stands in for a size of it is shown once. */
const soon = 'no-store'

export function mountFiles(server: FastifyInstance, { services, signIn, now }: Mounting): void {
  const { files, images } = services

  server.route<FilePath>({
    method: ['GET', 'HEAD'],
    url: '/~octavo/files/:spaceId/:fileId/:name',
    async handler(request, reply) {
      const { spaceId, fileId } = request.params
      const { v = '', revision, changeRequest, token, w } = request.query
      const width = w === undefined ? undefined : readWidth(w)
      if (width === undefined && w !== undefined) return reply.callNotFound()
      const found = await findFileFor(
        signedInVisitor(() => signIn(request)),
        { spaceId, fileId, revision, changeRequest, token },
        { services, look: await services.caches.look(request.raw), now: now() },
      )
      if (found === undefined) return reply.callNotFound()
      const { file, isForAll } = found
      const isVersion = v.length >= 16 && file.hash.startsWith(v)
      const keeping = isForAll ? `public, ${isVersion ? forEver : askAgain}` : `private, ${askAgain}`
      if (width === undefined) return sendFile(request, reply, { file, keeping })
      reply.headers({ 'cache-control': keeping, etag: etagOf(`${file.hash}-${width}`) })
      if (isKnown(request.headers, reply.getHeader('etag') as string)) return reply.code(304).send()
      const picture = await images.find(file, width)
      if (picture === 'asItIs') return sendFile(request, reply, { file, keeping })
      if (picture === 'later') return sendFile(request, reply, { file, keeping: soon })
      const name = `${file.name.replace(/\.\w{1,5}$/, '')}.webp`
      reply.headers({ ...headersOf({ contentType: 'image/webp', name }), 'content-length': picture.length })
      return request.method === 'HEAD' ? reply.send() : reply.send(picture)
    },
  })

  function sendFile(
    request: FastifyRequest,
    reply: FastifyReply,
    { file, keeping }: { readonly file: FileRecord; readonly keeping: string },
  ): FastifyReply | Promise<FastifyReply> {
    const etag = etagOf(file.hash)
    reply.headers({ etag, 'accept-ranges': 'bytes', 'cache-control': keeping })
    if (isKnown(request.headers, etag)) return reply.code(304).send()
    reply.headers(headersOf(file))
    return sendBytes(request, reply, file, etag)
  }

  async function sendBytes(
    request: FastifyRequest,
    reply: FastifyReply,
    { hash, size }: FileRecord,
    etag: string,
  ): Promise<FastifyReply> {
    const range = request.method === 'GET' ? readRange(request.headers, { etag, size }) : undefined
    if (range === 'unsatisfiable') {
      reply.header('content-range', `bytes */${size}`).removeHeader('content-disposition')
      throw new ApiError('range_unsatisfiable', { size })
    }
    const length = range === undefined ? size : range.end - range.start
    if (range !== undefined) {
      reply.code(206).header('content-range', `bytes ${range.start}-${range.end - 1}/${size}`)
    }
    reply.header('content-length', length)
    if (request.method === 'HEAD') return reply.send()
    const bytes = await files.open(hash, range)
    if (bytes === undefined) throw new Error(`The bytes ${hash} are missing from the file storage`)
    return reply.send(bytes)
  }
}

const shown =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon|svg\+xml)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/pdf)$/

function headersOf({ contentType, name }: Pick<FileRecord, 'contentType' | 'name'>): Record<string, string> {
  const isShown = shown.test(contentType)
  return {
    // A type that is not shown says nothing that a browser could act on.
    'content-type': isShown ? contentType : 'application/octet-stream',
    'content-disposition': disposition(isShown ? 'inline' : 'attachment', name),
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    // A picture opened as a page of its own could hold scripts; the viewer of PDF does not run in a sandbox.
    'content-security-policy':
      contentType === 'application/pdf'
        ? "default-src 'none'; object-src 'self'; plugin-types application/pdf; style-src 'unsafe-inline'; frame-ancestors 'self'"
        : "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  }
}
