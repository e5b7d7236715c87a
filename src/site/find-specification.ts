/** OpenAPI specification downloads: public ones for everyone, others for members of the organization. */
import type { OpenApiSpecVersionId, OrganizationId } from '../core/ids.js'
import { readConsistently } from '../access/route/consistent-read.js'
import { authorizeInOrganization } from '../access/rules/levels.js'
import { type VersionRow, findSpec, findVersion } from '../resources/openapi-specs/store.js'
import { findOrganizationOf } from '../resources/organizations/store.js'
import type { ReaderResolver } from './reader-access.js'
import { type FileReadContext, isTokenFor, downloadTokenReader } from './find-file.js'

export interface SpecificationAddress {
  readonly organizationId: OrganizationId
  readonly slug: string
  /** The latest one unless set. */
  readonly version?: OpenApiSpecVersionId | undefined
  readonly token?: string | undefined
}

export interface FoundSpecification {
  readonly version: VersionRow
  /** True for a public specification. */
  readonly isForAll: boolean
}

/** Returns the version where the reader may read it; `resolveReader` is used when the address has no token. */
export async function findReadableSpecification(
  resolveReader: ReaderResolver,
  { organizationId, slug, version, token }: SpecificationAddress,
  context: FileReadContext,
): Promise<FoundSpecification | undefined> {
  const resolver = token === undefined ? resolveReader : downloadTokenReader(token, context)
  return readConsistently(context, async (source, about) => {
    about(organizationId)
    const spec = await findSpec(source.db, organizationId, slug)
    const id = version ?? spec?.last_version_id
    const found = spec && id ? await findVersion(source.db, spec, id) : undefined
    if (spec === undefined || found === undefined) return undefined
    if (spec.visibility === 'public') return { version: found, isForAll: true }
    const reader = await resolver()
    if (reader === null || reader.refusalFor(organizationId) !== undefined) return undefined
    const organization = await findOrganizationOf(source.db, reader.userId, organizationId)
    if (authorizeInOrganization(organization?.role, 'view') !== 'yes') return undefined
    const isValid = token === undefined || isTokenFor(context.services, spec.id, found, token)
    return isValid ? { version: found, isForAll: false } : undefined
  })
}
