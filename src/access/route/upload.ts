/** Uploads: reads the single file of a request, whether it is the whole body or a part of a multipart form. */
import '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
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
  const contentType = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  // Checked before reading: a client that announces too much need not send it.
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limit + formOverhead) throw tooLarge(limit)
  if (contentType !== 'multipart/form-data') {
    const name = nameIn(request.headers['content-disposition']) ?? 'upload'
    return { name, contentType, stream: limited(request.raw, limit) }
  }
  const part = await request.file({ limits: { ...formLimits, fileSize: limit + 1 } }).catch(refuseForm)
  if (part === undefined) {
    throw new ApiError('invalid_request', {
      problem: 'The form has no file: send it as a part with a file name.',
    })
  }
  return { name: part.filename, contentType: part.mimetype, stream: limited(whole(part.file), limit) }
}

async function* whole(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (error) {
    refuseForm(error)
  }
}

/** The parser's errors about a missing boundary or end have no code, only a message. */
function refuseForm(error: unknown): never {
  if (!(error instanceof Error) || !/multipart|boundary|part header/i.test(error.message)) throw error
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
