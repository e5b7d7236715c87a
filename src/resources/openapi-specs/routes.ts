/**
 * OpenAPI specification endpoints: members of the organization view specifications, those who may create content
 * change them.
 */
import { created, nothingRemoved } from '../../access/route/responses.js'
import { type Route, route } from '../../access/route/route.js'
import type { Db } from '../../store/db/database.js'
import { ApiError } from '../../contract/errors.js'
import * as operations from '../../contract/openapi-specs.js'
import { scheduleCollection } from '../../store/collect/gc-triggers.js'
import { inOrganization } from '../organizations/scope.js'
import { enqueueIndexing } from './index-job.js'
import { contentResponse, rawResponse } from './version-content.js'
import { contentEnvelope, presentSpec, presentVersion } from './present.js'
import { changeSource, createSpec, requireSlug, storeSource } from './spec-source.js'
import { type SpecUsageCheck, atSpec, atSpecSlug, inReadableSpec, inSpec, inVersion } from './scope.js'
import {
  type SpecRow,
  type VersionRow,
  deleteSpec,
  findVersion,
  listSpecs,
  listVersions,
  updateSpec,
} from './store.js'

async function getLatest(db: Db, spec: SpecRow): Promise<VersionRow> {
  const { last_version_id: id } = spec
  const latest = id === null ? undefined : await findVersion(db, spec, id)
  if (latest === undefined) throw new ApiError('not_found', { thing: 'version' })
  return latest
}

export const openApiSpecRoutes = (isUsed: SpecUsageCheck): readonly Route[] => [
  route(operations.listSpecs, {
    at: inOrganization,
    allow: 'view',
    handle: async ({ db, organization: { row, role }, query, services }) => {
      const list = await listSpecs(db, row.id, query)
      return { ...list, items: list.items.map((spec) => presentSpec(services.addresses, role, spec)) }
    },
  }),

  route(operations.createSpec, {
    at: inOrganization,
    allow: 'createContent',
    async handleLong({ body: { slug, ...body }, commit, services, now }) {
      const source = await storeSource(services, body.source)
      return commit(async ({ tx, organization: { row, role } }) => {
        const input = { services, organizationId: row.id, slug, source, now }
        return presentSpec(services.addresses, role, await createSpec(tx, input))
      })
    },
  }),

  route(operations.getSpec, {
    at: inSpec,
    allow: 'view',
    handle: async ({ organization: { role }, spec, services }) => presentSpec(services.addresses, role, spec),
  }),

  route(operations.putSpec, {
    at: atSpecSlug,
    allow: 'createContent',
    async handleLong({ named: { slug }, body, commit, services, now }) {
      requireSlug(slug)
      const source = await storeSource(services, body.source)
      return commit(async ({ tx, organization: { row, role }, named: { spec } }) => {
        const input = { services, organizationId: row.id, slug, source, now }
        if (spec !== undefined)
          return presentSpec(services.addresses, role, await changeSource(tx, spec, input))
        return created(presentSpec(services.addresses, role, await createSpec(tx, input)))
      })
    },
  }),

  route(operations.updateSpec, {
    at: inSpec,
    allow: 'createContent',
    handle: async ({ tx, organization: { role }, spec, body: { visibility }, services, now }) => {
      if (visibility === undefined || visibility === spec.visibility)
        return presentSpec(services.addresses, role, spec)
      const row = await updateSpec(tx, spec, { visibility, updated_at: now })
      return presentSpec(services.addresses, role, row)
    },
  }),

  route(operations.deleteSpec, {
    at: atSpec,
    allow: 'createContent',
    handle: async ({ tx, spec, now }) => {
      if (spec === undefined) return nothingRemoved
      await deleteSpec(tx, spec)
      await enqueueIndexing(tx, spec.organization_id, now)
      return scheduleCollection(tx, spec.organization_id, now)
    },
  }),

  route(operations.listSpecVersions, {
    at: inSpec,
    allow: 'view',
    handle: async ({ db, spec, query, services, actor, now }) => {
      const list = await listVersions(db, spec, query)
      const viewer = { credential: actor, now }
      return {
        ...list,
        items: list.items.map((version) => presentVersion(services.addresses, spec, version, viewer)),
      }
    },
  }),

  route(operations.getLatestSpecVersion, {
    at: inSpec,
    allow: 'view',
    handle: async ({ db, spec, services, actor, now }) =>
      presentVersion(services.addresses, spec, await getLatest(db, spec), { credential: actor, now }),
  }),

  route(operations.getLatestSpecContent, {
    at: inReadableSpec(isUsed),
    allow: 'view',
    handle: async ({ db, spec, services, actor, now }) => {
      const latest = await getLatest(db, spec)
      const viewer = spec.isForReaders ? 'reader' : { credential: actor, now }
      return contentResponse(services, latest, contentEnvelope(services.addresses, spec, latest, viewer))
    },
  }),

  route(operations.getLatestSpecRaw, {
    at: inSpec,
    allow: 'view',
    handle: async ({ db, spec, services: { files } }) => rawResponse(files, await getLatest(db, spec)),
  }),

  route(operations.getSpecVersion, {
    at: inVersion,
    allow: 'view',
    handle: async ({ spec, version, services, actor, now }) =>
      presentVersion(services.addresses, spec, version, { credential: actor, now }),
  }),

  route(operations.getSpecContent, {
    at: inVersion,
    allow: 'view',
    handle: async ({ spec, version, services, actor, now }) => {
      const viewer = { credential: actor, now }
      return contentResponse(services, version, contentEnvelope(services.addresses, spec, version, viewer))
    },
  }),
]
