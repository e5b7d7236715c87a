/**
 * The audit log: who did what to which thing, when, and from where; written in the transaction of the act.
 *
 * Acts of the API are written by `route()` alone, so no handler can forget it. An entry names things by id
 * and holds nothing of a body: what was written there may be secret. Reading the log is a resource.
 */
import type { Endpoint } from '../../contract/endpoint.js'
import type { OrganizationId, UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { newId } from '../route/ids.js'
import { nothingRemoved } from '../route/removal.js'
import { listJoined } from '../signin/memberships.js'
import type { Actor, MaybeActor, Origin } from '../signin/actor.js'

export interface AuditEntry {
  readonly action: string
  readonly thing: string | null
  readonly origin: Origin
  readonly now: number
  readonly actorId?: UserId | null
  /** Path parameters by name. */
  readonly place?: Readonly<Record<string, string>>
  /** One plain sentence or word, never a secret. */
  readonly detail?: string
  readonly credential?: { readonly type: 'token' | 'session'; readonly id: string }
}

/** Operations that change nothing but a time. */
const quiet: ReadonlySet<string> = new Set(['updateOrganizationMemberLastSeenAt'])

const longestDetail = 500

/** Writes an entry into the log of each of the organizations. */
export async function recordAudit(
  tx: Tx,
  organizationIds: readonly OrganizationId[],
  entry: AuditEntry,
): Promise<void> {
  if (organizationIds.length === 0) return
  await tx
    .insertInto('audit_events')
    .values(
      organizationIds.map((organizationId) => ({
        id: newId(),
        organization_id: organizationId,
        at: entry.now,
        actor_id: entry.actorId ?? null,
        action: entry.action,
        thing: entry.thing,
        place: JSON.stringify(entry.place ?? {}),
        detail: entry.detail?.slice(0, longestDetail) ?? null,
        credential_type: entry.credential?.type ?? null,
        credential_id: entry.credential?.id ?? null,
        ip: entry.origin.ip,
        user_agent: entry.origin.userAgent?.slice(0, longestDetail) ?? null,
      })),
    )
    .execute()
}

/** Writes what somebody did as a person, such as signing in, into the logs of all organizations they joined. */
export async function recordPersonal(
  tx: Tx,
  { userId, onlyIn }: Pick<Actor, 'userId' | 'onlyIn'>,
  entry: AuditEntry,
): Promise<void> {
  const organizations = onlyIn === null ? await listJoined(tx, userId) : [onlyIn]
  await recordAudit(tx, organizations, { actorId: userId, ...entry })
}

/** An operation that was done: its place, and what it answered. */
export interface Act {
  readonly endpoint: Endpoint
  readonly actor: MaybeActor
  readonly origin: Origin
  readonly now: number
  readonly params: Readonly<Record<string, string>>
  readonly things: object
  readonly reply: unknown
}

/** Writes what an operation of the API did; nothing when nobody was signed in, or nothing was there to remove. */
export async function recordAct(
  tx: Tx,
  { endpoint, actor, params, things, reply, ...when }: Act,
): Promise<void> {
  if (actor === null || reply === nothingRemoved || quiet.has(endpoint.operationId)) return
  const created = endpoint.success === 201 ? idOf(reply) : undefined
  const entry: AuditEntry = {
    ...when,
    action: endpoint.operationId,
    actorId: actor.userId,
    thing: created ?? Object.values(params).at(-1) ?? null,
    place: params,
    credential: { type: actor.by, id: actor.credentialId },
  }
  const organizationId = organizationOf(things) ?? newOrganization(reply)
  if (organizationId === undefined) await recordPersonal(tx, actor, entry)
  else await recordAudit(tx, [organizationId], entry)
}

/**
 * Returns the organization that the things of a place belong to, undefined when there is none: every row
 * names its organization, and the organization's own row is known by its key.
 */
export function organizationOf(things: object): OrganizationId | undefined {
  for (const [key, thing] of Object.entries(things) as [string, Partial<Loaded> | null][]) {
    const row = thing?.row ?? thing
    if (key === 'organization' && row?.id !== undefined) return row.id
    if (typeof row?.organization_id === 'string') return row.organization_id
  }
  return undefined
}

interface Loaded {
  readonly id: OrganizationId
  readonly organization_id: OrganizationId
  readonly row: { readonly id?: OrganizationId; readonly organization_id?: OrganizationId }
}

function idOf(reply: unknown): string | undefined {
  const id = (reply as { id?: unknown } | null | undefined)?.id
  return typeof id === 'string' ? id : undefined
}

function newOrganization(reply: unknown): OrganizationId | undefined {
  const { object } = (reply ?? {}) as { object?: unknown }
  return object === 'organization' ? (idOf(reply) as OrganizationId | undefined) : undefined
}
