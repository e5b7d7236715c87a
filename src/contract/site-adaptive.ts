/** Adaptive content: the schema of visitor claims, by which a site chooses what each visitor sees. */
import Type, { type Static } from 'typebox'
import type { JsonObject } from '../core/json-schema/json.js'
import { endpoint } from './endpoint.js'
import { Timestamp, shape } from './shapes.js'

const JsonSchema = Type.Unsafe<JsonObject>({
  type: 'object',
  additionalProperties: true,
  description:
    'A JSON Schema (draft-07) of type "object" whose "properties" name the claims; "unsigned" among them names what visitors say of themselves. A claim is a "boolean", "number" or "string" (with or without "enum"), an "array" of these, or an "object" with "properties"; each has a "description", and each object "additionalProperties": false. Other keywords are refused.',
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
const tag = 'Adaptive content'

export const getSiteAdaptiveSchema = endpoint('getSiteAdaptiveSchema', 'GET', place, {
  summary: 'Get the adaptive schema',
  description: 'Returns the schema of the claims that the site accepts from its visitors.',
  tag,
  reply: SiteAdaptiveSchema,
})

export const updateSiteAdaptiveSchema = endpoint('updateSiteAdaptiveSchema', 'PUT', place, {
  summary: 'Update the adaptive schema',
  description: 'Replaces the schema of the claims that the site accepts from its visitors.',
  tag,
  body: Type.Object({ jsonSchema: JsonSchema }),
  reply: SiteAdaptiveSchema,
})

export const listTemplateConditions = endpoint(
  'listSiteAdaptiveTemplateConditions',
  'GET',
  `${place}/template-conditions`,
  {
    summary: 'List template conditions',
    description:
      'Returns conditions that follow from the claims of the adaptive schema; none without a schema.',
    tag,
    reply: Type.Object({
      items: Type.Array(Type.Object({ description: Type.String(), condition: Type.String() })),
    }),
  },
)
