/** Audit entries of API operations: `route()` writes them, so no handler can forget one. */
import type { Endpoint } from '../../contract/endpoint.js'
import type { OrganizationId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { recordOperationEvent } from '../events/operation-events.js'
import { type AuditEntry, type Origin, recordAudit } from '../audit/record.js'
import { recordPersonalAudit } from '../signin/personal-audit.js'
import type { MaybeActor } from '../signin/actor.js'
import { RouteResponse, nothingRemoved } from './responses.js'

/** Operations that change nothing but a timestamp, and are not logged. */
const quiet: ReadonlySet<string> = new Set(['updateOrganizationMemberLastSeenAt'])

/** A completed operation: its endpoint, loaded resources and reply. */
export interface AuditedOperation {
  readonly endpoint: Endpoint
  readonly actor: MaybeActor
  readonly origin: Origin
  readonly now: number
  readonly params: Readonly<Record<string, string>>
  readonly resources: object
  readonly organizationId: OrganizationId | undefined
  readonly reply: unknown
}

/**
 * Writes the audit entry and the event of an operation; nothing for anonymous callers, or when there was nothing to
 * remove or to change.
 */
export async function recordOperation(
  tx: Tx,
  { endpoint, actor, params, resources, organizationId: known, reply, ...when }: AuditedOperation,
): Promise<void> {
  if (actor === null || isWithoutEffect(reply) || quiet.has(endpoint.operationId)) return
  const isUpsert = reply instanceof RouteResponse && reply.content.kind === 'created'
  const body = isUpsert ? reply.content.reply : reply
  const id = idOf(body)
  const entry: AuditEntry = {
    ...when,
    action: endpoint.operationId,
    actorId: actor.userId,
    resourceId:
      (isUpsert || endpoint.success === 201 ? id : undefined) ?? Object.values(params).at(-1) ?? null,
    params,
    ...warningsOf(reply),
    credential: { type: actor.by, id: actor.credentialId },
  }
  const organizationId = known ?? newOrganization(reply)
  if (organizationId === undefined) await recordPersonalAudit(tx, actor, entry)
  else {
    await recordAudit(tx, [organizationId], entry)
    await recordOperationEvent(tx, {
      operationId: endpoint.operationId,
      organizationId,
      params: { ...params, ...idsOf(resources) },
      createdId: id,
      userId: actor.userId,
      now: when.now,
    })
  }
}

function isWithoutEffect(reply: unknown): boolean {
  return reply === nothingRemoved || (reply instanceof RouteResponse && reply.content.kind === 'unchanged')
}

function idOf(reply: unknown): string | undefined {
  const id = (reply as { id?: unknown } | null | undefined)?.id
  return typeof id === 'string' ? id : undefined
}

/** Ids that replace path parameters: a change request may be named by its number in a path. */
function idsOf(resources: object): Readonly<Record<string, string>> {
  const { changeRequest } = resources as { readonly changeRequest?: { readonly id: string } }
  return changeRequest === undefined ? {} : { changeRequestId: changeRequest.id }
}

/** Returns the warnings of the reply, for the entry. */
function warningsOf(reply: unknown): Pick<AuditEntry, 'detail'> {
  const { warnings = [] } = (reply ?? {}) as { warnings?: readonly { readonly message: string }[] }
  return warnings.length === 0 ? {} : { detail: warnings.map(({ message }) => message).join(' ') }
}

function newOrganization(reply: unknown): OrganizationId | undefined {
  const { object } = (reply ?? {}) as { object?: unknown }
  return object === 'organization' ? (idOf(reply) as OrganizationId | undefined) : undefined
}
