/**
 * Sending deliveries: the worker's part.
 *
 * One job sends for one webhook at a time, in the order in which things happened: the next event is sent when the one
 * before was taken or given up. A process that is killed gives its job back by itself, and what it had sent but not yet
 * noted is sent once more: the id of the event tells. When the job is given up, that was an attempt of the event whose
 * turn it was, and the others have theirs. Whose receiver failed or took long is served in other lanes, so
 * that no number of slow receivers keeps the others waiting for longer than one answer may take.
 */
import { recordAudit } from '../../access/audit/record.js'
import { askToSend, sendSlowWebhookJob, sendWebhookJob } from '../../access/events/deliver.js'
import type { Services } from '../../access/route/scope.js'
import {
  failingLife,
  keptAnswer,
  mostWaiting,
  webhookRetries,
  webhookTimeout,
} from '../../contract/webhooks.js'
import type { OrganizationId, WebhookId } from '../../core/ids.js'
import { nothing } from '../../store/db/hold.js'
import { enqueue } from '../../store/jobs/outbox.js'
import type { JobHandler, WorkerOptions } from '../../store/jobs/worker.js'
import { type RemoteAnswer, RemoteError } from '../../store/remote/remote.js'
import type { Attempt, KeptResponse } from './present.js'
import { secretsOf, signatureHeaders } from './sign.js'
import {
  type DeliveryRow,
  type WebhookKey,
  type WebhookRow,
  findFirstWaiting,
  findWebhook,
  giveUpWaiting,
  isBehind,
  updateWaiting,
  updateWebhook,
} from './store.js'

/** Tells the admins that a webhook was switched off: `{ organizationId, webhookId }`. */
export const sendWebhookDisabledJob = 'send-webhook-disabled'

/** Deliveries of one webhook before others have their turn. */
const mostInTurn = 20
/** Milliseconds after which they have it at the latest, once an answer has come. */
const longestTurn = 2_000
/** An answer that took longer, in milliseconds, is a slow one. */
const slowAnswer = 2_000

export interface SendingWebhooks {
  readonly services: Pick<Services, 'database' | 'remote' | 'addresses'>
  readonly now: () => number
  /** Answers 0 up to 1. */
  readonly random: () => number
}

type Pace = typeof sendWebhookJob | typeof sendSlowWebhookJob

/** Returns the handler of one kind of lanes. */
export function webhookHandlers(sending: SendingWebhooks, pace: Pace): Readonly<Record<string, JobHandler>> {
  return { [pace]: handlerOf(sending, pace) }
}

/** Notes for one kind of lanes that nothing could be sent, and has the rest sent: nobody else would ask for it. */
export function webhooksGivenUp(sending: SendingWebhooks, pace: Pace): NonNullable<WorkerOptions['givenUp']> {
  const { database } = sending.services
  return {
    async [pace](payload) {
      const { organizationId, webhookId } = payload as WebhookPayload
      const key = { organization_id: organizationId, id: webhookId }
      const webhook = await findWebhook(database.read, key)
      const delivery = webhook && (await findFirstWaiting(database.read, key))
      if (webhook === undefined || delivery === undefined || webhook.active !== 1) return
      const problem = { words: 'the server came to no end with it', mayPass: true }
      await note(sending, webhook, delivery, { begun: sending.now(), posted: { problem } })
      await database.writeHolding(nothing, (tx) =>
        askToSend(tx, pace, { organizationId, webhookId }, sending.now()),
      )
    },
  }
}

type WebhookPayload = {
  readonly organizationId: OrganizationId
  readonly webhookId: WebhookId
}

function handlerOf(sending: SendingWebhooks, pace: Pace): JobHandler {
  const { database } = sending.services
  return async (payload, { signal }) => {
    const { organizationId, webhookId } = payload as WebhookPayload
    const key = { organization_id: organizationId, id: webhookId }
    const comeAgain = (at: Pace, runAt?: number): Promise<void> =>
      database.writeHolding(nothing, (tx) =>
        askToSend(tx, at, { organizationId, webhookId }, sending.now(), runAt),
      )
    const ends = sending.now() + longestTurn
    for (let turn = 0; turn < mostInTurn && sending.now() < ends; turn += 1) {
      signal.throwIfAborted()
      const webhook = await findWebhook(database.read, key)
      const delivery = webhook && (await findFirstWaiting(database.read, key))
      if (webhook === undefined || delivery === undefined || webhook.active !== 1) return
      const itsPace = webhook.is_slow === 1 ? sendSlowWebhookJob : sendWebhookJob
      if (itsPace !== pace) return comeAgain(itsPace)
      if (delivery.due_at !== null && delivery.due_at > sending.now()) return comeAgain(pace, delivery.due_at)
      await send(sending, webhook, delivery, signal)
    }
    return comeAgain(pace)
  }
}

/** Sends a delivery once, and notes what became of it. */
async function send(
  sending: SendingWebhooks,
  webhook: WebhookRow,
  delivery: DeliveryRow,
  signal: AbortSignal,
): Promise<void> {
  const begun = sending.now()
  const posted = await post(sending.services, webhook, delivery, { begun, signal })
  // Whoever ends the process ends the attempt: it was none, and is made again.
  signal.throwIfAborted()
  await note(sending, webhook, delivery, { begun, posted })
}

/** Notes what became of an attempt: of the delivery, and of the health of its webhook. */
async function note(
  { services: { database }, now, random }: SendingWebhooks,
  webhook: WebhookRow,
  delivery: DeliveryRow,
  { begun, posted: { headers, answer, problem } }: { readonly begun: number; readonly posted: Posted },
): Promise<void> {
  const milliseconds = now() - begun
  const attempt: Attempt = {
    at: begun,
    milliseconds,
    ...(answer !== undefined && { status: answer.status }),
    ...(problem !== undefined && { problem: problem.words }),
  }
  const attempts = [...(JSON.parse(delivery.attempts) as Attempt[]), attempt]
  const delay = problem?.mayPass === true ? webhookRetries[attempts.length - 1] : undefined
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
  const isSlow = problem !== undefined || milliseconds > slowAnswer
  const health = healthAfter(webhook, { isSlow, status, at: now() })
  const failingSince = health?.failing_since ?? webhook.failing_since ?? now()
  const isHopeless =
    status === 'failed' &&
    (now() - failingSince >= failingLife || (await isBehind(database.read, webhook, mostWaiting)))
  if (health === undefined && !isHopeless)
    return database.writeHolding(nothing, (tx) => updateWaiting(tx, delivery, change))
  await database.writeHolding({ organizations: [webhook.organization_id] }, async (tx) => {
    await updateWaiting(tx, delivery, change)
    const current = await findWebhook(tx, webhook)
    // It may have been sent elsewhere or switched meanwhile: then this says nothing of it.
    if (current === undefined || current.updated_at !== webhook.updated_at) return
    if (health !== undefined) await updateWebhook(tx, current, health)
    if (isHopeless) await switchOff(tx, current, now())
  })
}

/** Returns what is to be noted of a webhook after an attempt; undefined where all is as it was. */
function healthAfter(
  { is_slow, failing_since }: WebhookRow,
  { isSlow, status, at }: { isSlow: boolean; status: DeliveryRow['status']; at: number },
): Partial<Pick<WebhookRow, 'is_slow' | 'failing_since'>> | undefined {
  const slow = isSlow ? 1 : 0
  const since = status === 'delivered' ? null : status === 'failed' ? (failing_since ?? at) : failing_since
  return slow === is_slow && since === failing_since ? undefined : { is_slow: slow, failing_since: since }
}

/** Switches a webhook off, gives up what waits, and has the admins told. */
async function switchOff(
  tx: Parameters<typeof updateWebhook>[0],
  key: WebhookKey,
  at: number,
): Promise<void> {
  const { organization_id: organizationId, id: webhookId } = key
  await updateWebhook(tx, key, { active: 0, disabled_at: at, updated_at: at })
  await giveUpWaiting(tx, key, at)
  await recordAudit(tx, [organizationId], {
    action: 'webhookDisabled',
    thing: webhookId,
    place: { organizationId, webhookId },
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

interface Problem {
  readonly words: string
  /** Whether another attempt may go better. */
  readonly mayPass: boolean
}

interface Posted {
  /** Undefined where nothing is known to be sent. */
  readonly headers?: Readonly<Record<string, string>>
  readonly answer?: KeptResponse
  readonly problem?: Problem
}

async function post(
  { remote, addresses }: SendingWebhooks['services'],
  webhook: WebhookRow,
  { event_id: eventId, type, payload: body }: DeliveryRow,
  { begun, signal }: { readonly begun: number; readonly signal: AbortSignal },
): Promise<Posted> {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Octavo-Webhook',
    'x-octavo-event': type,
    ...signatureHeaders({ eventId, body, now: begun }, secretsOf(addresses, webhook, begun)),
  }
  const bytes = Buffer.from(body)
  try {
    const sent = { bytes, headers, timeout: webhookTimeout, mostBytes: keptAnswer, signal }
    const answer = await remote.post(webhook.url, sent)
    const problem = problemOf(answer.status)
    return { headers, answer: keep(answer), ...(problem !== undefined && { problem }) }
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    return { headers, problem: { words: error.message, mayPass: true } }
  }
}

function problemOf(status: number): Problem | undefined {
  if (status >= 200 && status < 300) return undefined
  const words =
    status >= 300 && status < 400
      ? `it answered ${status}: redirects are not followed`
      : `it answered ${status}`
  return { words, mayPass: status === 429 || status >= 500 }
}

/** What can be shown later, and by any database: the beginning of it, without U+0000. */
function keep({ status, headers, bytes }: RemoteAnswer): KeptResponse {
  const kept: Record<string, string> = {}
  let length = 0
  for (const [name, value] of Object.entries(headers)) {
    const text = [value].flat().join(', ')
    length += name.length + text.length
    if (length > keptAnswer) break
    kept[name] = storable(text)
  }
  return { status, headers: kept, body: storable(Buffer.from(bytes).toString('utf8')) }
}

const storable = (text: string): string => text.replaceAll('\0', '\u{fffd}')
