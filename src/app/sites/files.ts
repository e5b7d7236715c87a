/**
 * Uploaded files: `/~octavo/files/<space>/<file>/<name>`, for whoever may read the content that they
 * belong to. A token in the address stands for a person; it opens what that person may read now, until it ends.
 *
 * The bytes come from people and are served from the product's own host, so only what cannot run there
 * is shown in place; everything else is offered for download.
 */
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ChangeRequestId, FileId, RevisionId, SpaceId, UserId } from '../../core/ids.js'
import { findFile } from '../../core/pages/read.js'
import type { FileRecord } from '../../core/pages/types.js'
import { readDownloadToken } from '../../contract/addresses.js'
import { ApiError } from '../../contract/errors.js'
import type { Mounting } from '../../access/route/mount.js'
import { reaches } from '../../access/rules/levels.js'
import { isOpenToAll } from '../../resources/sites/store.js'
import { opens } from '../../access/signin/reach.js'
import { findChangeRequest } from '../../resources/change-requests/store.js'
import { findContent } from '../../resources/content/content.js'
import { withLevel } from '../../resources/spaces/scope.js'
import { type SpaceRow, findSpace, findSpaceOf } from '../../resources/spaces/store.js'
import type { Db } from '../../store/db/database.js'
import { rowKind } from '../../store/cache/kinds.js'

interface FilePath {
  readonly Params: { readonly spaceId: string; readonly fileId: string; readonly name: string }
  readonly Querystring: {
    readonly v?: string
    readonly revision?: string
    readonly changeRequest?: string
    readonly token?: string
  }
}

/** Whoever may read bytes only while they are a reader asks again each time, and is told of what they have. */
const askAgain = 'max-age=0, must-revalidate'
const forEver = 'max-age=31536000, immutable'

interface FileSpace {
  readonly row: SpaceRow
  /** True while the space is on a site that anybody can read. */
  readonly isOpen: boolean
}

const fileSpaceKind = rowKind<FileSpace>('space of files', ({ row }) => [row.organization_id])

export function mountFiles(server: FastifyInstance, { services, signIn, now }: Mounting): void {
  const { database, files } = services

  async function findFileSpace(db: Db, id: SpaceId): Promise<FileSpace | undefined> {
    const row = await findSpace(db, id)
    if (row === undefined || row.deleted_at !== null) return undefined
    return { row, isOpen: await isOpenToAll(db, id) }
  }

  async function mayRead(request: FastifyRequest<FilePath>, { row }: FileSpace): Promise<boolean> {
    const actor = await signIn(request)
    return actor !== null && opens(actor, row.organization_id) && isReader(actor.userId, row.id)
  }

  async function isReader(userId: UserId, spaceId: SpaceId): Promise<boolean> {
    const found = await findSpaceOf(database.read, userId, spaceId)
    return found !== undefined && reaches(withLevel(found).level, 'read')
  }

  async function mayHold(token: string, spaceId: SpaceId): Promise<boolean> {
    const holder = readDownloadToken(token)
    return holder !== undefined && holder.expires > now() && isReader(holder.userId as UserId, spaceId)
  }

  /** True when the token was signed for these very bytes: it opens no others that stand in their place by now. */
  function isTokenOf(file: FileRecord, spaceId: SpaceId, token: string): boolean {
    const expected = Buffer.from(services.addresses.downloadToken(spaceId, file, readDownloadToken(token)!))
    const given = Buffer.from(token)
    return given.length === expected.length && timingSafeEqual(given, expected)
  }

  /** Returns the revision to look in: the head, or for those who may read the space, the one they name. */
  async function revisionOf(
    { row }: FileSpace,
    { revision, changeRequest }: FilePath['Querystring'],
  ): Promise<RevisionId | undefined> {
    if (revision !== undefined) return revision as RevisionId
    if (changeRequest === undefined) return row.revision_id
    const found = await findChangeRequest(database.read, row.id, changeRequest as ChangeRequestId)
    return found?.revision_id
  }

  server.route<FilePath>({
    method: ['GET', 'HEAD'],
    url: '/~octavo/files/:spaceId/:fileId/:name',
    async handler(request, reply) {
      const spaceId = request.params.spaceId as SpaceId
      const look = await services.caches.look(request.raw)
      const space = await services.caches.recall(look, fileSpaceKind, spaceId, (db) =>
        findFileSpace(db, spaceId),
      )
      if (space === undefined) return reply.callNotFound()
      // What is not the published content is for readers of the space alone.
      const isHead = request.query.revision === undefined && request.query.changeRequest === undefined
      const isForAll = space.isOpen && isHead
      const { token } = request.query
      const isForThem = async () => (token === undefined ? mayRead(request, space) : mayHold(token, spaceId))
      if (!isForAll && !(await isForThem())) return reply.callNotFound()

      const revision = await revisionOf(space, request.query)
      const place = { db: database.read, services, organizationId: space.row.organization_id, spaceId }
      const content = revision && (await findContent(place, revision))
      const file =
        content && (await content.run(findFile(content.revision.snapshot, request.params.fileId as FileId)))
      if (!file) return reply.callNotFound()
      if (!isForAll && token !== undefined && !isTokenOf(file, spaceId, token)) return reply.callNotFound()

      const { v = '' } = request.query
      const isVersion = v.length >= 16 && file.hash.startsWith(v)
      const etag = `"${file.hash}"`
      reply.headers({
        etag,
        'accept-ranges': 'bytes',
        'cache-control': isForAll ? `public, ${isVersion ? forEver : askAgain}` : `private, ${askAgain}`,
      })
      const known = request.headers['if-none-match']
      if (known !== undefined && known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag))
        return reply.code(304).send()
      reply.headers(headersOf(file))
      return sendBytes(request, reply, file, etag)
    },
  })

  async function sendBytes(
    request: FastifyRequest,
    reply: FastifyReply,
    { hash, size }: FileRecord,
    etag: string,
  ): Promise<FastifyReply> {
    const condition = request.headers['if-range']
    const asked = condition === undefined || condition === etag ? request.headers.range : undefined
    const range = asked === undefined ? undefined : readRange(asked, size)
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

/** Half open. Several ranges at once are answered with the whole file, as the standard allows. */
function readRange(
  header: string,
  size: number,
): { readonly start: number; readonly end: number } | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header.trim()) ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '') {
    const length = Number(last)
    return length === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size : Math.min(size, Number(last) + 1) }
}

const shown =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon|svg\+xml)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/pdf)$/

function headersOf({ contentType, name }: FileRecord): Record<string, string> {
  const isShown = shown.test(contentType)
  const fileName = `filename*=UTF-8''${encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\ufffd')).replace(/['()*]/g, escapeByte)}`
  return {
    // A type that is not shown says nothing that a browser could act on.
    'content-type': isShown ? contentType : 'application/octet-stream',
    'content-disposition': `${isShown ? 'inline' : 'attachment'}; ${fileName}`,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
    // A picture opened as a page of its own could hold scripts; the viewer of PDF does not run in a sandbox.
    'content-security-policy':
      contentType === 'application/pdf'
        ? "default-src 'none'; object-src 'self'; plugin-types application/pdf; style-src 'unsafe-inline'; frame-ancestors 'self'"
        : "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  }
}

function escapeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
