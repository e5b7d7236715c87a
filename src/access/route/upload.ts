/** Uploads: reads the single file of a request, whether it is the whole body or a part of a multipart form. */
import '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import { bodyTypeOf, isWithoutBody, uploadTypes } from '../http/body-types.js'
import { nameIn } from '../http/disposition.js'

/** Limits of a form, enforced by the parser while it reads. */
const formLimits = {
  files: 1,
  fields: limits.formFields,
  fieldSize: limits.formFieldBytes,
  fieldNameSize: 100,
  parts: limits.formFields + 1,
  headerPairs: 20,
}
/** Bytes of a form besides its file. */
const formOverhead = limits.formFields * (limits.formFieldBytes + 1_000) + 10_000

export interface UploadedFile {
  readonly name: string
  readonly contentType: string
  readonly stream: AsyncIterable<Uint8Array>
}

/** Returns the file as a stream that fails with 413 as soon as it passes the limit, in bytes. */
export async function readUpload(request: FastifyRequest, limit: number): Promise<UploadedFile> {
  const contentType = bodyTypeOf(request)
  // Checked before reading: a client that announces too much need not send it.
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limit + formOverhead) throw tooLarge(limit)
  if (contentType !== 'multipart/form-data') {
    if (isWithoutBody(request.raw)) throw bodyMissing()
    const name = nameIn(request.headers['content-disposition']) ?? 'upload'
    return { name, contentType, stream: limited(nonEmpty(request.raw), limit) }
  }
  requireShortBoundary(request.headers['content-type'] ?? '')
  const part = await request.file({ limits: { ...formLimits, fileSize: limit + 1 } }).catch(refuseForm)
  if (part === undefined) {
    throw new ApiError('invalid_request', {
      problem: 'The form has no file: send it as a part with a file name.',
    })
  }
  return { name: part.filename, contentType: part.mimetype, stream: limited(whole(part.file), limit) }
}

/** Throws 400 when the stream ends before its first byte. */
async function* nonEmpty(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isEmpty = true
  for await (const chunk of stream) {
    isEmpty &&= chunk.length === 0
    yield chunk
  }
  if (isEmpty) throw bodyMissing()
}

function bodyMissing(): ApiError {
  return new ApiError('invalid_request', {
    problem: `The body is missing: send the bytes of the file as ${uploadTypes.join(', ')}.`,
  })
}

/** Longest boundary of a form, in characters (RFC 2046). */
const longestBoundary = 70

/** Throws 400 for a boundary that the parser would fail on. */
function requireShortBoundary(contentType: string): void {
  const [, quoted, token = ''] = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType) ?? []
  if ((quoted ?? token).length <= longestBoundary) return
  throw new ApiError('invalid_request', {
    problem: `The boundary of the form is longer than ${longestBoundary} characters.`,
  })
}

async function* whole(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (error) {
    refuseForm(error)
  }
}

/** The parser's errors about a form have no code, only a message. */
function refuseForm(error: unknown): never {
  if (!(error instanceof Error) || error instanceof TypeError || 'code' in error) throw error
  throw new ApiError('invalid_request', { problem: `The form cannot be read: ${error.message}.` })
}

async function* limited(stream: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > limit) throw tooLarge(limit)
    yield chunk
  }
}

function tooLarge(limit: number): ApiError {
  return new ApiError('body_too_large', { limit: `${Math.floor(limit / 1_000_000)} MB` })
}
