/** Files below a site's own path: uploaded files, and OpenAPI specifications that its pages offer. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../access/route/scope.js'
import { findSiteFile } from '../../site/find-file.js'
import { findSpecificationDownload } from '../../site/pages/specification-download.js'
import { matchPath } from '../../site/routing/match-path.js'
import { parseWidth } from '../../store/images/widths.js'
import type { ResolvedVisit } from './resolve-visit.js'
import { type FileSender, createFileSender } from './send-file.js'
import { sendSpecification } from './send-specification.js'

/** Sends the file that the path of an authorized visit names; resolves to false when it names none. */
export type SendSiteFile = (
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Pick<ResolvedVisit, 'resolved' | 'pathRequest'>,
) => Promise<boolean>

export function createSiteFileSender(services: Services, now: () => number): SendSiteFile {
  const files: FileSender = createFileSender(services)
  return async (request, reply, { resolved: { site }, pathRequest: { path, query } }) => {
    const match = matchPath(site, path)
    if (match.kind === 'file') {
      const parameter = query.get('w')
      const width = parameter === null ? undefined : parseWidth(parameter)
      if (parameter !== null && width === undefined) return false
      const version = query.get('v') ?? undefined
      const file = await findSiteFile(services, site, { ...match, version, now: now() })
      if (file === undefined) return false
      await files.send(request, reply, { file, width, isPublic: false, isImmutable: false })
      return true
    }
    if (match.kind !== 'specification') return false
    const version = await findSpecificationDownload(services, site, match)
    if (version === undefined) return false
    await sendSpecification(services, request, reply, { version, isPublic: false })
    return true
  }
}
