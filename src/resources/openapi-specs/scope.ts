/**
 * Scopes of `/openapi/:specSlug` in an organization and `/versions/:versionId` in a specification, with the
 * organization's permissions.
 */
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

/**
 * Returns whether a site shows parts of a specification to the reader; passed in, because sites depend on this
 * module.
 */
export type SpecUsageCheck = (request: LoadRequest, slug: string) => Promise<boolean>

/** The same, also for readers of a site that shows parts of the specification. */
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

/** The same for deletion, where the specification may not exist. */
export const atSpec = optionalSubresourceScope(inOrganization, 'specSlug', step)

/** The same for creation, where the slug may be unused. */
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
