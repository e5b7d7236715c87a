/**
 * Analytics beacons of readers' browsers: page views, results opened from a search, clicks on external links, and
 * feedback on pages. They are accepted only from the site's own pages and from readers who may read the page; none sets
 * a cookie or stores an IP address.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.js'
import { linkPositions } from '../../contract/site-events.js'
import { type Rating, maxFeedbackLength, ratings } from '../../contract/site-insights.js'
import { recordEvent } from '../../access/events/record.js'
import { addressKey, takeAttempt } from '../../access/signin/rate-limit.js'
import { originOf } from '../../access/signin/request.js'
import type { Services } from '../../access/route/scope.js'
import type { CountedSite, CountedVisitor, VisitorEvent } from '../../access/events/visitor-events.js'
import { putFeedback } from '../../resources/insights/store.js'
import { allowedScripts } from '../../site/answer.js'
import type { VisibleContent } from '../../site/pages/content.js'
import type { Assets } from '../../site/pages/site-view.js'
import { renderFeedbackPage, findBeaconPage } from '../../site/pages/beacons.js'
import type { BeaconKind } from '../../site/routing/linker.js'
import type { PublishedSite } from '../../site/routing/site.js'
import { readBrowser } from '../../core/visitor/browser.js'
import { readyAnswer, sendAnswer } from '../http/send-answer.js'

const maxFormBytes = 8_000
/** Feedback from one IP address within ten minutes. */
const feedbackAllowance = { limit: 30, window: 10 * 60_000 }

/** Whether a request may be a beacon; the site decides what its path means. */
export function isBeacon({ method, url }: IncomingMessage): boolean {
  return method === 'POST' && /\/~octavo\/(?:feedback|view)\//.test(url!)
}

/** What a browser reports, and about which page of which content. */
export interface Beacon {
  readonly content: VisibleContent
  readonly path: string
  readonly action: BeaconKind
  readonly eventContext: EventContext
}

/** The site that counts an event, the visitor, and the variant that they read. */
export interface EventContext {
  readonly site: CountedSite
  readonly visitor: CountedVisitor
  readonly location: Omit<VisitorEvent, 'type'>
}

interface BeaconServices {
  readonly services: Services
  readonly now: () => number
  readonly assets: Assets
}

/**
 * Records a beacon and answers it; false when there is no such page, or the site does not collect such beacons. It
 * returns no `FastifyReply`: awaited, a reply that was sent resolves to undefined.
 */
export async function receiveBeacon(
  request: FastifyRequest,
  reply: FastifyReply,
  { content, path, action, eventContext }: Beacon,
  { services, now, assets }: BeaconServices,
): Promise<boolean> {
  const { site, variant } = content
  const { siteId, organizationId } = site
  if (siteId === undefined) return false
  const { feedback, insights } = site.customization
  if (!(action === 'feedback' ? feedback.enabled : insights.trackingCookie)) return false
  if (!isSameOrigin(request.raw)) throw new ApiError('cross_site_request')
  const page = await findBeaconPage(content, path)
  if (page === undefined) return false
  const { ip, userAgent } = originOf(request)
  const reader = `${addressKey(ip)} ${userAgent}`
  const location = { ...eventContext.location, pageId: page.id, isKnownPage: true }
  const count = (event: Pick<VisitorEvent, 'type' | 'detail'>, referrer: string | null) => {
    if (!countsReader(request.raw, site)) return
    services.visitorEvents.count(
      eventContext.site,
      { ...eventContext.visitor, referrer },
      { ...location, ...event },
    )
  }
  const form = await readForm(request.raw)
  if (action === 'view') {
    count(readViewEvent(form), form.get('referrer'))
    reply.code(204).send()
    return true
  }
  const { rating, comment } = readFeedback(form)
  await takeAttempt(services.database, `feedback ${addressKey(ip)}`, feedbackAllowance, { now: now() })
  const { keys } = services.addresses
  await services.database.writeWithLocks({ organizations: [organizationId] }, async (tx) => {
    await putFeedback(tx, {
      id: keys.voter(siteId, `${variant.spaceId} ${page.id}`, reader),
      organization_id: organizationId,
      site_id: siteId,
      space_id: variant.spaceId,
      page_id: page.id,
      rating,
      comment,
      created_at: now(),
    })
    await recordEvent(tx, {
      organizationId,
      stream: { siteId },
      type: 'page_feedback',
      userId: null,
      data: {
        spaceId: variant.spaceId,
        pageId: page.id,
        feedback: { rating, ...(comment !== null && { comment }) },
      },
      now: now(),
    })
  })
  if (comment === null) count({ type: 'page_post_feedback', detail: { rating } }, null)
  else count({ type: 'page_post_feedback_comment', detail: { rating } }, null)
  const body = renderFeedbackPage(content, page, { rating, comment }, assets)
  const answer = { status: 200, contentType: 'text/html; charset=utf-8', body, isIndexed: false }
  sendAnswer(request, reply, readyAnswer({ ...answer, ...allowedScripts(site, answer) }, 'none'))
  return true
}

/** Whether an event of a reader is counted: bots are not counted as readers. */
export function countsReader(request: IncomingMessage, site: PublishedSite): boolean {
  return allowsCounting(request, site) && readBrowser(request.headers['user-agent']!).bot === null
}

/**
 * Whether a request is counted at all: not where the site has turned insights off, not in previews of unpublished
 * sites, not with Do Not Track or Global Privacy Control, and not without a user agent.
 */
export function allowsCounting(
  { headers }: IncomingMessage,
  { customization, visibility }: PublishedSite,
): boolean {
  if (!customization.insights.trackingCookie || visibility === 'private') return false
  if (headers.dnt === '1' || headers['sec-gpc'] === '1') return false
  return (headers['user-agent'] ?? '') !== ''
}

/** Browsers send the origin of a form or a script. */
function isSameOrigin({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return URL.canParse(headers.origin ?? '') && new URL(headers.origin!).host === headers.host
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxFormBytes) throw new ApiError('body_too_large', { limit: maxFormBytes })
    chunks.push(chunk)
  }
  // PostgreSQL stores no U+0000, so no field can need it.
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8').replaceAll('%00', ''))
}

/** A search result that was opened, a click on an external link, or else a page view. */
function readViewEvent(form: URLSearchParams): Pick<VisitorEvent, 'type' | 'detail'> {
  const [query, domain] = [form.get('query'), form.get('link')]
  if (query !== null) return { type: 'search_open_result', detail: { query } }
  if (domain === null) return { type: 'page_view' }
  const position = linkPositions.find((one) => one === form.get('position')) ?? 'content'
  return { type: 'link_click', detail: { link: { kind: 'url', domain, position } } }
}

function readFeedback(form: URLSearchParams): { rating: Rating; comment: string | null } {
  const rating = ratings.find((one) => one === form.get('rating'))
  if (rating === undefined) {
    throw new ApiError('invalid_request', { problem: `the field "rating" is none of ${ratings.join(', ')}` })
  }
  const comment = (form.get('comment') ?? '').trim().slice(0, maxFeedbackLength)
  return { rating, comment: comment === '' ? null : comment }
}
