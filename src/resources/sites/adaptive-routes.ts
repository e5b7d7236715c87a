/** Visitor schema of adaptive content: which claims of visitors a site accepts. */
import { type Route, route } from '../../access/route/route.js'
import { ApiError } from '../../contract/errors.js'
import * as operations from '../../contract/site-adaptive.js'
import { suggestConditions } from '../../core/conditions/suggestions.js'
import { presentVisitorSchema } from './present.js'
import { inSite } from './scope.js'
import { parseVisitorSchema, serializeVisitorSchema } from './visitor-schema.js'
import { findVisitorSchema, putVisitorSchema } from './visitor-schema-store.js'

export const siteAdaptiveRoutes: readonly Route[] = [
  route(operations.getSiteAdaptiveSchema, {
    at: inSite,
    allow: 'view',
    handle: async ({ db, site }) => {
      const row = await findVisitorSchema(db, site.row)
      if (row === undefined) throw new ApiError('not_found', { thing: 'adaptive schema' })
      return presentVisitorSchema(row)
    },
  }),

  route(operations.updateSiteAdaptiveSchema, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, site, body, now }) =>
      presentVisitorSchema(
        await putVisitorSchema(tx, {
          organization_id: site.row.organization_id,
          site_id: site.row.id,
          json_schema: serializeVisitorSchema(body.jsonSchema),
          updated_at: now,
        }),
      ),
  }),

  route(operations.listTemplateConditions, {
    at: inSite,
    allow: 'view',
    handle: async ({ db, site }) => {
      const row = await findVisitorSchema(db, site.row)
      return { items: row === undefined ? [] : suggestConditions(parseVisitorSchema(row.json_schema)) }
    },
  }),
]
