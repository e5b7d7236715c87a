/** Adaptive content: the schema of visitor claims, by which a site chooses what each visitor sees. */
import Type, { type Static } from 'typebox'
import type { JsonObject } from '../core/json-schema/json.js'
import { endpoint } from './endpoint.js'
import { Timestamp, shape } from './shapes.js'

const JsonSchema = Type.Unsafe<JsonObject>({
  type: 'object',
  additionalProperties: true,
  description:
    'A JSON Schema (draft-07) of type "object" whose "properties" name the claims; "unsigned" among them names what visitors say of themselves.',
})

export const SiteAdaptiveSchema = shape(
  'SiteAdaptiveSchema',
  Type.Object({
    object: Type.Literal('site-adaptive-schema'),
    jsonSchema: JsonSchema,
    updatedAt: Timestamp,
  }),
)
export type SiteAdaptiveSchema = Static<typeof SiteAdaptiveSchema>

const place = '/orgs/:organizationId/sites/:siteId/adaptive-schema'
const tag = 'adaptive content'

export const getSiteAdaptiveSchema = endpoint('getSiteAdaptiveSchema', 'GET', place, {
  summary: 'What the site may know of its visitors',
  tag,
  reply: SiteAdaptiveSchema,
})

export const updateSiteAdaptiveSchema = endpoint('updateSiteAdaptiveSchema', 'PUT', place, {
  summary: 'Say what the site may know of its visitors, in place of what was said before',
  tag,
  body: Type.Object({ jsonSchema: JsonSchema }),
  reply: SiteAdaptiveSchema,
})

export const listTemplateConditions = endpoint(
  'listSiteAdaptiveTemplateConditions',
  'GET',
  `${place}/template-conditions`,
  {
    summary: 'Conditions that follow from the claims of the schema; none without a schema',
    tag,
    reply: Type.Object({
      items: Type.Array(Type.Object({ description: Type.String(), condition: Type.String() })),
    }),
  },
)
