/** The steps `/openapi/:specSlug` of an organization and `/versions/:versionId` of a specification, by the organization's rules. */
import { type LoadRequest, perhapsWithin, ruledBy, within } from '../../access/route/scope.js'
import { judgeInOrganization } from '../../access/rules/levels.js'
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

/** Tells whether a site shows something of a specification to the one who reads it: its noun stands above this one. */
export type FindUse = (request: LoadRequest, slug: string) => Promise<boolean>

/** The same where readers of a site come, too: those who are shown something of it. */
export function inReadSpec(isUsed: FindUse) {
  const inside = within(inOrganization, 'specSlug', {
    ...step,
    find: async (request: LoadRequest, slug: string, things: { readonly organization: OrganizationOf }) => {
      const isForReaders = request.actor.reading !== undefined
      if (isForReaders && !(await isUsed(request, slug))) return undefined
      const spec = await step.find(request, slug, things)
      return spec && { ...spec, isForReaders }
    },
  })
  return ruledBy(inside, {
    thing: step.thing,
    judge: (action: 'view', { organization, spec }) =>
      spec.isForReaders ? 'yes' : judgeInOrganization(organization.role, action),
  })
}

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
