/** The steps `/openapi/:specSlug` of an organization and `/versions/:versionId` of a specification, by the organization's rules. */
import { type LoadRequest, perhapsWithin, within } from '../../access/route/scope.js'
import type { OpenApiSpecVersionId } from '../../core/ids.js'
import { inOrganization } from '../organizations/scope.js'
import type { OrganizationOf } from '../organizations/store.js'
import { type SpecRow, findSpec, findVersion } from './store.js'

const step = {
  key: 'spec',
  thing: 'OpenAPI specification',
  find: ({ db }: LoadRequest, slug: string, { organization }: { readonly organization: OrganizationOf }) =>
    findSpec(db, organization.row.id, slug),
} as const

export const inSpec = within(inOrganization, 'specSlug', step)

/** The same for removing one, which may be gone already. */
export const atSpec = perhapsWithin(inOrganization, 'specSlug', step)

/** The same for making one under the name where there is none. */
export const atSpecName = within(inOrganization, 'specSlug', {
  key: 'named',
  thing: step.thing,
  find: async (request, slug, things) => ({ slug, spec: await step.find(request, slug, things) }),
})

export const inVersion = within(inSpec, 'versionId', {
  key: 'version',
  thing: 'version',
  find: ({ db }: LoadRequest, id: string, { spec }: { readonly spec: SpecRow }) =>
    findVersion(db, spec, id as OpenApiSpecVersionId),
})
