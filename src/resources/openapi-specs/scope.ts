/** The steps `/openapi/:specSlug` of an organization and `/versions/:versionId` of a specification, by the organization's rules. */
import {
  type LoadRequest,
  optionalSubresourceScope,
  withRules,
  subresourceScope,
} from '../../access/route/scope.js'
import { authorizeInOrganization } from '../../access/rules/levels.js'
import type { OpenApiSpecVersionId } from '../../core/ids.js'
import { inOrganization } from '../organizations/scope.js'
import type { OrganizationContext } from '../organizations/store.js'
import { type SpecRow, findSpec, findVersion } from './store.js'

const step = {
  key: 'spec',
  noun: 'OpenAPI specification',
  find: (
    { db }: LoadRequest,
    slug: string,
    { organization }: { readonly organization: OrganizationContext },
  ) => findSpec(db, organization.row.id, slug),
} as const

export const inSpec = subresourceScope(inOrganization, 'specSlug', step)

/** Tells whether a site shows something of a specification to the one who reads it: its noun stands above this one. */
export type SpecUsageCheck = (request: LoadRequest, slug: string) => Promise<boolean>

/** The same where readers of a site come, too: those who are shown something of it. */
export function inReadableSpec(isUsed: SpecUsageCheck) {
  const scope = subresourceScope(inOrganization, 'specSlug', {
    ...step,
    find: async (
      request: LoadRequest,
      slug: string,
      resources: { readonly organization: OrganizationContext },
    ) => {
      const isForReaders = request.actor.reading !== undefined
      if (isForReaders && !(await isUsed(request, slug))) return undefined
      const spec = await step.find(request, slug, resources)
      return spec && { ...spec, isForReaders }
    },
  })
  return withRules(scope, {
    noun: step.noun,
    authorize: (action: 'view', { organization, spec }) =>
      spec.isForReaders ? 'yes' : authorizeInOrganization(organization.role, action),
  })
}

/** The same for removing one, which may be gone already. */
export const atSpec = optionalSubresourceScope(inOrganization, 'specSlug', step)

/** The same for making one under the name where there is none. */
export const atSpecSlug = subresourceScope(inOrganization, 'specSlug', {
  key: 'named',
  noun: step.noun,
  find: async (request, slug, resources) => ({ slug, spec: await step.find(request, slug, resources) }),
})

export const inVersion = subresourceScope(inSpec, 'versionId', {
  key: 'version',
  noun: 'version',
  find: ({ db }: LoadRequest, id: string, { spec }: { readonly spec: SpecRow }) =>
    findVersion(db, spec, id as OpenApiSpecVersionId),
})
