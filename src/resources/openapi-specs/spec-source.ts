/** Specification sources: creates or changes the source of an OpenAPI specification, and requests its processing. */
import { newId } from '../../access/ids.js'
import type { Services } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import {
  type OpenApiSource,
  maxSpecSlugLength,
  maxSpecs,
  specSlugPattern,
} from '../../contract/openapi-specs.js'
import type { OpenApiSpecId, OrganizationId } from '../../core/ids.js'
import { scheduleCollection } from '../../store/collect/gc-triggers.js'
import { insertBlobs } from '../../store/content/blobs.js'
import type { Tx } from '../../store/db/database.js'
import type { StoredFile } from '../../store/files/storage.js'
import { enqueue } from '../../store/jobs/outbox.js'
import { enqueueIndexing } from './index-job.js'
import { type SpecKey, type SpecRow, countSpecs, findSpec, insertSpec, updateSpec } from './store.js'

/** Processes the specification with this key. */
export const processSpecJob = 'process-openapi-spec'

declare module '../../store/jobs/payloads.js' {
  interface JobPayloads {
    [processSpecJob]: SpecKey
  }
}
/** Milliseconds after which a specification in processing is checked: it should have completed by then. */
const processingTimeout = 60 * 60 * 1_000

/** A stored source: a URL, or a stored text. */
export type SpecSource = { readonly url: string } | { readonly text: StoredFile }

/** Stores the text of a source; throws 400 for a URL that is not http or https. */
export async function storeSource(
  { files }: Pick<Services, 'files'>,
  source: OpenApiSource,
): Promise<SpecSource> {
  if ('text' in source) return { text: await files.put(Buffer.from(source.text)) }
  if (/^https?:\/\//i.test(source.url)) return { url: source.url }
  const problem = 'The member "body.source.url" must be an address of http or https.'
  throw new ApiError('invalid_request', { problem })
}

/** Throws 400 for an invalid slug. */
export function requireSlug(slug: string): void {
  if (slug.length <= maxSpecSlugLength && specSlugPattern.test(slug)) return
  const problem = `The slug in the path must have 1 to ${maxSpecSlugLength} lowercase letters and digits, in groups with single hyphens between them.`
  throw new ApiError('invalid_request', { problem })
}

interface SpecInput {
  readonly services: Pick<Services, 'files'>
  readonly organizationId: OrganizationId
  readonly slug: string
  readonly source: SpecSource
  readonly now: number
}

/** Returns the row of a new specification with processing requested; throws when its slug is in use. */
export async function createSpec(tx: Tx, input: SpecInput): Promise<SpecRow> {
  const { services, organizationId, slug, source, now } = input
  if ((await findSpec(tx, organizationId, slug)) !== undefined)
    throw new ApiError('already_taken', { member: 'slug', value: slug })
  if ((await countSpecs(tx, organizationId)) >= maxSpecs) {
    throw new ApiError('invalid_request', {
      problem: `An organization has at most ${maxSpecs} OpenAPI specifications: delete one first.`,
    })
  }
  await storeBlob(tx, services, organizationId, source, now)
  const row = await insertSpec(tx, {
    organization_id: organizationId,
    id: newId<OpenApiSpecId>(),
    slug,
    visibility: 'private',
    ...columnsOf(source),
    asked: 1,
    processing_state: 'pending',
    last_version_id: null,
    last_processed_at: null,
    error_code: null,
    errors: null,
    due_at: now + processingTimeout,
    created_at: now,
    updated_at: now,
  })
  await requestProcessing(tx, row, now)
  return row
}

/** Returns the row with a new or repeated source and processing requested. */
export async function changeSource(tx: Tx, spec: SpecRow, input: Omit<SpecInput, 'slug'>): Promise<SpecRow> {
  const { services, organizationId, source, now } = input
  await storeBlob(tx, services, organizationId, source, now)
  if (spec.source_hash !== null) await scheduleCollection(tx, organizationId, now)
  const row = await updateSpec(tx, spec, {
    ...columnsOf(source),
    asked: spec.asked + 1,
    processing_state: 'pending',
    due_at: now + processingTimeout,
    updated_at: now,
  })
  await requestProcessing(tx, row, now)
  // Blocks that reference the old or new URL render differently immediately, whether or not there is a new version.
  if (row.source_url !== spec.source_url) await enqueueIndexing(tx, organizationId, now)
  return row
}

/** Requests processing by any worker. */
export async function requestProcessing(
  tx: Tx,
  { organization_id, id }: SpecKey,
  now: number,
): Promise<void> {
  await enqueue(tx, {
    organizationId: organization_id,
    type: processSpecJob,
    key: id,
    payload: { organization_id, id },
    at: now,
  })
}

function columnsOf(source: SpecSource): Pick<SpecRow, 'source_url' | 'source_hash'> {
  return 'url' in source
    ? { source_url: source.url, source_hash: null }
    : { source_url: null, source_hash: source.text.hash }
}

async function storeBlob(
  tx: Tx,
  { files }: Pick<Services, 'files'>,
  organizationId: OrganizationId,
  source: SpecSource,
  now: number,
): Promise<void> {
  if ('text' in source) await insertBlobs(tx, files, organizationId, [source.text], now)
}
