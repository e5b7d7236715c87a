/** The OpenAPI specification that an address names: one that is public for anybody, others for members of its organization. */
import type { OpenApiSpecVersionId, OrganizationId } from '../core/ids.js'
import { readAtOneMoment } from '../access/route/consistent-read.js'
import { judgeInOrganization } from '../access/rules/levels.js'
import { type VersionRow, findSpec, findVersion } from '../resources/openapi-specs/store.js'
import { findOrganizationOf } from '../resources/organizations/store.js'
import type { Asker } from './enter.js'
import { type Here, isTokenOf, tokenHolder } from './find-file.js'

export interface SpecificationAddress {
  readonly organizationId: OrganizationId
  readonly slug: string
  /** The latest one unless it is named. */
  readonly version?: OpenApiSpecVersionId | undefined
  readonly token?: string | undefined
}

export interface FoundSpecification {
  readonly version: VersionRow
  /** True for one that anybody may read. */
  readonly isForAll: boolean
}

/** Returns the version where whoever asks may read it; `asker` is who comes when the address names nobody. */
export async function findSpecificationFor(
  asker: Asker,
  { organizationId, slug, version, token }: SpecificationAddress,
  here: Here,
): Promise<FoundSpecification | undefined> {
  const holder = token === undefined ? asker : tokenHolder(token, here)
  return readAtOneMoment(here, async (source, about) => {
    about(organizationId)
    const spec = await findSpec(source.db, organizationId, slug)
    const id = version ?? spec?.last_version_id
    const found = spec && id ? await findVersion(source.db, spec, id) : undefined
    if (spec === undefined || found === undefined) return undefined
    if (spec.visibility === 'public') return { version: found, isForAll: true }
    const person = await holder()
    if (person === null || person.keptOutOf(organizationId) !== undefined) return undefined
    const organization = await findOrganizationOf(source.db, person.userId, organizationId)
    if (judgeInOrganization(organization?.role, 'view') !== 'yes') return undefined
    const isTheirs = token === undefined || isTokenOf(here.services, spec.id, found, token)
    return isTheirs ? { version: found, isForAll: false } : undefined
  })
}
