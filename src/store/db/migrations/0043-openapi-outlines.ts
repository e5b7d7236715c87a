/** Outlines of OpenAPI specification versions; versions without one are processed again. */
import type { Migration } from './types.js'

export const openApiOutlines: Migration = {
  name: '0043-openapi-outlines',
  statements: ({ text }) => [
    `alter table openapi_spec_versions add column outline ${text}`,
    `update openapi_specs set due_at = 0 where last_version_id is not null and processing_state = 'complete'`,
  ],
}
