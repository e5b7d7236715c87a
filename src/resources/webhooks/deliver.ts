/**
 * Webhook delivery with retries, in the job worker: ordered per webhook, at least once.
 *
 * One job at a time sends for a webhook, in the order of events: the next event is sent after the one before was
 * delivered or failed for good. The job of a killed process is taken over, and a delivery that was sent but not yet
 * recorded is sent again: receivers deduplicate by the event id. An abandoned job counts as an attempt of the event it was
 * sending, and the others follow. Webhooks whose receiver failed or was slow use separate lanes, so that slow receivers
 * delay the others for no longer than one response may take.
 */
import { recordAudit } from '../../access/audit/record.js'
import {
  type WebhookJob,
  enqueueSending,
  sendSlowWebhookJob,
  sendWebhookJob,
} from '../../access/events/deliveries.js'
import type { Services } from '../../access/route/scope.js'
import {
  maxFailingMillis,
  maxStoredAnswerBytes,
  maxWaitingDeliveries,
  webhookRetries,
  webhookTimeout,
} from '../../contract/webhooks.js'
import { noLocks } from '../../store/db/lock-scope.js'
import { enqueue } from '../../store/jobs/outbox.js'
import type { GiveUpHandlers, JobHandler, JobHandlers } from '../../store/jobs/worker.js'
import { type RemoteResponse, RemoteError } from '../../store/remote/remote.js'
import type { Attempt, StoredResponse } from './present.js'
import { secretsOf, signatureHeaders } from './sign.js'
import {
  type DeliveryRow,
  type WebhookKey,
  type WebhookRow,
  findNextDelivery,
  findWebhook,
  failWaitingDeliveries,
  hasBacklogOver,
  updateWaitingDelivery,
  updateWebhook,
} from './store.js'

/** Notifies the admins that a webhook was disabled. */
export const sendWebhookDisabledJob = 'send-webhook-disabled'

declare module '../../store/jobs/payloads.js' {
  interface JobPayloads {
    [sendWebhookDisabledJob]: WebhookJob
  }
}

/** Deliveries of one webhook per job run. */
const maxDeliveriesPerRun = 20
/** Milliseconds after which a run ends, once the current response has arrived. */
const maxRunMillis = 2_000
/** A response that takes longer, in milliseconds, is slow. */
const slowResponseMillis = 2_000

export interface DeliveryContext {
  readonly services: Pick<Services, 'database' | 'remote' | 'addresses'>
  readonly now: () => number
  /** Returns a number from 0 up to 1, for jitter. */
  readonly random: () => number
}

type DeliveryLane = typeof sendWebhookJob | typeof sendSlowWebhookJob

/** Returns the job handler of one kind of lanes. */
export function webhookHandlers(context: DeliveryContext, lane: DeliveryLane): JobHandlers {
  const handler = handlerOf(context, lane)
  return lane === sendWebhookJob ? { [sendWebhookJob]: handler } : { [sendSlowWebhookJob]: handler }
}

/** Returns the handler for abandoned jobs: records a failed attempt, and schedules the rest, which nothing else would do. */
export function webhookFailureHandlers(context: DeliveryContext, lane: DeliveryLane): GiveUpHandlers {
  const { database } = context.services
  const handler = async ({ organizationId, webhookId }: WebhookJob): Promise<void> => {
    const key = { organization_id: organizationId, id: webhookId }
    const webhook = await findWebhook(database.read, key)
    const delivery = webhook && (await findNextDelivery(database.read, key))
    if (webhook === undefined || delivery === undefined || webhook.active !== 1) return
    const problem = { message: 'the server came to no end with it', isTransient: true }
    await recordAttempt(context, webhook, delivery, { startedAt: context.now(), result: { problem } })
    await database.writeWithLocks(noLocks, (tx) =>
      enqueueSending(tx, lane, { organizationId, webhookId }, context.now()),
    )
  }
  return lane === sendWebhookJob ? { [sendWebhookJob]: handler } : { [sendSlowWebhookJob]: handler }
}

function handlerOf(context: DeliveryContext, lane: DeliveryLane): JobHandler<DeliveryLane> {
  const { database } = context.services
  return async ({ organizationId, webhookId }, { signal }) => {
    const key = { organization_id: organizationId, id: webhookId }
    const reschedule = (at: DeliveryLane, runAt?: number): Promise<void> =>
      database.writeWithLocks(noLocks, (tx) =>
        enqueueSending(tx, at, { organizationId, webhookId }, context.now(), runAt),
      )
    const deadline = context.now() + maxRunMillis
    for (let sentCount = 0; sentCount < maxDeliveriesPerRun && context.now() < deadline; sentCount += 1) {
      signal.throwIfAborted()
      const webhook = await findWebhook(database.read, key)
      const delivery = webhook && (await findNextDelivery(database.read, key))
      if (webhook === undefined || delivery === undefined || webhook.active !== 1) return
      const currentLane = webhook.is_slow === 1 ? sendSlowWebhookJob : sendWebhookJob
      if (currentLane !== lane) return reschedule(currentLane)
      if (delivery.due_at !== null && delivery.due_at > context.now())
        return reschedule(lane, delivery.due_at)
      await sendOnce(context, webhook, delivery, signal)
    }
    return reschedule(lane)
  }
}

/** Sends a delivery once, and records the result. */
async function sendOnce(
  context: DeliveryContext,
  webhook: WebhookRow,
  delivery: DeliveryRow,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = context.now()
  const result = await post(context.services, webhook, delivery, { startedAt, signal })
  // An attempt aborted by the shutdown does not count, and is repeated.
  signal.throwIfAborted()
  await recordAttempt(context, webhook, delivery, { startedAt, result })
}

/** Records the result of an attempt in the delivery and in the health of its webhook. */
async function recordAttempt(
  { services: { database }, now, random }: DeliveryContext,
  webhook: WebhookRow,
  delivery: DeliveryRow,
  {
    startedAt,
    result: { headers, answer, problem },
  }: { readonly startedAt: number; readonly result: AttemptResult },
): Promise<void> {
  const milliseconds = now() - startedAt
  const attempt: Attempt = {
    at: startedAt,
    milliseconds,
    ...(answer !== undefined && { status: answer.status }),
    ...(problem !== undefined && { problem: problem.message }),
  }
  const attempts = [...(JSON.parse(delivery.attempts) as Attempt[]), attempt]
  const delay = problem?.isTransient === true ? webhookRetries[attempts.length - 1] : undefined
  const isDone = problem === undefined || delay === undefined
  const status = problem === undefined ? 'delivered' : isDone ? 'failed' : 'waiting'
  const change = {
    status,
    attempts: JSON.stringify(attempts),
    due_at: isDone ? null : now() + Math.round(delay! * (0.9 + random() * 0.2)),
    done_at: isDone ? now() : null,
    ...(headers !== undefined && { request_headers: JSON.stringify(headers) }),
    response: answer === undefined ? null : JSON.stringify(answer),
  } as const
  const isSlow = problem !== undefined || milliseconds > slowResponseMillis
  const health = healthAfter(webhook, { isSlow, status, at: now() })
  const failingSince = health?.failing_since ?? webhook.failing_since ?? now()
  const shouldDisable =
    status === 'failed' &&
    (now() - failingSince >= maxFailingMillis ||
      (await hasBacklogOver(database.read, webhook, maxWaitingDeliveries)))
  if (health === undefined && !shouldDisable)
    return database.writeWithLocks(noLocks, (tx) => updateWaitingDelivery(tx, delivery, change))
  await database.writeWithLocks({ organizations: [webhook.organization_id] }, async (tx) => {
    await updateWaitingDelivery(tx, delivery, change)
    const current = await findWebhook(tx, webhook)
    // The webhook may have been changed in the meantime: then this result does not apply to it.
    if (current === undefined || current.updated_at !== webhook.updated_at) return
    if (health !== undefined) await updateWebhook(tx, current, health)
    if (shouldDisable) await disableWebhook(tx, current, now())
  })
}

/** Returns the health columns of a webhook after an attempt; undefined when nothing changes. */
function healthAfter(
  { is_slow, failing_since }: WebhookRow,
  { isSlow, status, at }: { isSlow: boolean; status: DeliveryRow['status']; at: number },
): Partial<Pick<WebhookRow, 'is_slow' | 'failing_since'>> | undefined {
  const slow = isSlow ? 1 : 0
  const since = status === 'delivered' ? null : status === 'failed' ? (failing_since ?? at) : failing_since
  return slow === is_slow && since === failing_since ? undefined : { is_slow: slow, failing_since: since }
}

/** Disables a webhook, fails its waiting deliveries, and notifies the admins. */
async function disableWebhook(
  tx: Parameters<typeof updateWebhook>[0],
  key: WebhookKey,
  at: number,
): Promise<void> {
  const { organization_id: organizationId, id: webhookId } = key
  await updateWebhook(tx, key, { active: 0, disabled_at: at, updated_at: at })
  await failWaitingDeliveries(tx, key, at)
  await recordAudit(tx, [organizationId], {
    action: 'webhookDisabled',
    resourceId: webhookId,
    params: { organizationId, webhookId },
    detail: 'Its receiver failed for too long',
    origin: { ip: null, userAgent: null },
    now: at,
  })
  await enqueue(tx, {
    organizationId,
    type: sendWebhookDisabledJob,
    key: webhookId,
    payload: { organizationId, webhookId },
    at,
  })
}

interface DeliveryProblem {
  readonly message: string
  /** Whether a retry may succeed. */
  readonly isTransient: boolean
}

interface AttemptResult {
  /** Undefined when possibly nothing was sent. */
  readonly headers?: Readonly<Record<string, string>>
  readonly answer?: StoredResponse
  readonly problem?: DeliveryProblem
}

async function post(
  { remote, addresses }: DeliveryContext['services'],
  webhook: WebhookRow,
  { event_id: eventId, type, payload: body }: DeliveryRow,
  { startedAt, signal }: { readonly startedAt: number; readonly signal: AbortSignal },
): Promise<AttemptResult> {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Octavo-Webhook',
    'x-octavo-event': type,
    ...signatureHeaders({ eventId, body, now: startedAt }, secretsOf(addresses, webhook, startedAt)),
  }
  const bytes = Buffer.from(body)
  try {
    const options = { bytes, headers, timeout: webhookTimeout, maxBytes: maxStoredAnswerBytes, signal }
    const answer = await remote.post(webhook.url, options)
    const problem = problemOf(answer.status)
    return { headers, answer: toStoredResponse(answer), ...(problem !== undefined && { problem }) }
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    return { headers, problem: { message: error.message, isTransient: true } }
  }
}

function problemOf(status: number): DeliveryProblem | undefined {
  if (status >= 200 && status < 300) return undefined
  const message =
    status >= 300 && status < 400
      ? `it answered ${status}: redirects are not followed`
      : `it answered ${status}`
  return { message, isTransient: status === 429 || status >= 500 }
}

/** Truncates a response for storage, and replaces U+0000, which PostgreSQL rejects. */
function toStoredResponse({ status, headers, bytes }: RemoteResponse): StoredResponse {
  const stored: Record<string, string> = {}
  let length = 0
  for (const [name, value] of Object.entries(headers)) {
    const text = [value].flat().join(', ')
    length += name.length + text.length
    if (length > maxStoredAnswerBytes) break
    stored[name] = storable(text)
  }
  return { status, headers: stored, body: storable(Buffer.from(bytes).toString('utf8')) }
}

const storable = (text: string): string => text.replaceAll('\0', '\u{fffd}')
