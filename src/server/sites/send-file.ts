/**
 * Sending the bytes of files, to whom they are open: that was decided before.
 *
 * The bytes come from people and are served from the product's own host, so only what cannot run there
 * is shown in place; everything else is offered for download.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileRecord } from '../../core/pages/types.js'
import { ApiError } from '../../contract/errors.js'
import { etagOf, isKnown, readRange } from '../../access/http/conditions.js'
import { disposition } from '../../access/http/disposition.js'
import type { Services } from '../../access/route/scope.js'
import type { ImageWidth } from '../../store/images/widths.js'

export interface SentFile {
  readonly file: FileRecord
  /** Of a picture in another size. */
  readonly width: ImageWidth | undefined
  /** True for bytes that a published site shows to anybody. */
  readonly isForAll: boolean
  /** True where the address names these very bytes. */
  readonly isVersion: boolean
}

export interface FileSending {
  send(request: FastifyRequest, reply: FastifyReply, sent: SentFile): Promise<FastifyReply>
}

/** Whoever may read bytes only while they are a reader asks again each time, and is told of what they have. */
const askAgain = 'max-age=0, must-revalidate'
const forEver = 'max-age=31536000, immutable'
/** An original that stands in for a size of it is shown once. */
const soon = 'no-store'

export function createFileSending({ files, images }: Pick<Services, 'files' | 'images'>): FileSending {
  return {
    async send(request, reply, { file, width, isForAll, isVersion }) {
      const keeping = isForAll ? `public, ${isVersion ? forEver : askAgain}` : `private, ${askAgain}`
      if (width === undefined) return sendWhole(request, reply, { file, keeping })
      reply.headers({ 'cache-control': keeping, etag: etagOf(`${file.hash}-${width}`) })
      if (isKnown(request.headers, reply.getHeader('etag') as string)) return reply.code(304).send()
      const picture = await images.find(file, width)
      if (picture === 'asItIs') return sendWhole(request, reply, { file, keeping })
      if (picture === 'later') return sendWhole(request, reply, { file, keeping: soon })
      const name = `${file.name.replace(/\.\w{1,5}$/, '')}.webp`
      reply.headers({ ...headersOf({ contentType: 'image/webp', name }), 'content-length': picture.length })
      return request.method === 'HEAD' ? reply.send() : reply.send(picture)
    },
  }

  function sendWhole(
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
