/**
 * File responses: range requests, conditional requests and resized images. The caller has checked access.
 *
 * The bytes are user content on the product's own host, so only types that cannot run scripts there are displayed
 * inline; all others are offered for download.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileRecord } from '../../core/pages/types.js'
import { ApiError } from '../../contract/errors.js'
import { etagOf, isNotModified, readRange } from '../../access/http/conditional-requests.js'
import { disposition } from '../../access/http/disposition.js'
import type { Services } from '../../access/route/scope.js'
import type { ImageWidth } from '../../store/images/widths.js'

export interface FileToSend {
  readonly file: FileRecord
  /** For a resized image. */
  readonly width: ImageWidth | undefined
  /** True for files of a published site that everyone may read. */
  readonly isPublic: boolean
  /** True when the URL contains the hash of these bytes. */
  readonly isImmutable: boolean
}

export interface FileSender {
  send(request: FastifyRequest, reply: FastifyReply, fileToSend: FileToSend): Promise<FastifyReply>
}

/** Readers may lose access, so browsers revalidate a cached file before each use. */
const revalidate = 'max-age=0, must-revalidate'
const immutable = 'max-age=31536000, immutable'
/** An original that is sent in place of a resized image is not cached. */
const noStore = 'no-store'

export function createFileSender({ files, images }: Pick<Services, 'files' | 'images'>): FileSender {
  return {
    async send(request, reply, { file, width, isPublic, isImmutable }) {
      const cacheControl = isPublic
        ? `public, ${isImmutable ? immutable : revalidate}`
        : `private, ${revalidate}`
      if (width === undefined) return sendOriginal(request, reply, { file, cacheControl })
      reply.headers({ 'cache-control': cacheControl, etag: etagOf(`${file.hash}-${width}`) })
      if (isNotModified(request.headers, reply.getHeader('etag') as string)) return reply.code(304).send()
      const picture = await images.find(file, width)
      if (picture === 'asItIs') return sendOriginal(request, reply, { file, cacheControl })
      if (picture === 'later') return sendOriginal(request, reply, { file, cacheControl: noStore })
      const name = `${file.name.replace(/\.\w{1,5}$/, '')}.webp`
      reply.headers({ ...headersOf({ contentType: 'image/webp', name }), 'content-length': picture.length })
      return request.method === 'HEAD' ? reply.send() : reply.send(picture)
    },
  }

  function sendOriginal(
    request: FastifyRequest,
    reply: FastifyReply,
    { file, cacheControl }: { readonly file: FileRecord; readonly cacheControl: string },
  ): FastifyReply | Promise<FastifyReply> {
    const etag = etagOf(file.hash)
    reply.headers({ etag, 'accept-ranges': 'bytes', 'cache-control': cacheControl })
    if (isNotModified(request.headers, etag)) return reply.code(304).send()
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

const inlineTypes =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon|svg\+xml)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/pdf)$/

function headersOf({ contentType, name }: Pick<FileRecord, 'contentType' | 'name'>): Record<string, string> {
  const isInline = inlineTypes.test(contentType)
  return {
    // Other types are sent without a type that a browser could act on.
    'content-type': isInline ? contentType : 'application/octet-stream',
    'content-disposition': disposition(isInline ? 'inline' : 'attachment', name),
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    // An image opened as a page of its own could contain scripts; the PDF viewer does not run in a sandbox.
    'content-security-policy':
      contentType === 'application/pdf'
        ? "default-src 'none'; object-src 'self'; plugin-types application/pdf; style-src 'unsafe-inline'; frame-ancestors 'self'"
        : "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  }
}
