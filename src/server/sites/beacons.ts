/**
 * What the browsers of readers tell a site: that a page is shown, or opened from a search, or left for another host, and
 * what its reader thinks of it. All of it is taken from the site's own pages alone, from who may read the page; nothing
 * of it sets a cookie or keeps an address.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.js'
import { linkPositions } from '../../contract/site-events.js'
import { type Rating, longestFeedback, ratings } from '../../contract/site-insights.js'
import { recordEvent } from '../../access/events/record.js'
import { addressKey, takeAttempt } from '../../access/signin/attempts.js'
import { originOf } from '../../access/signin/request.js'
import type { Services } from '../../access/route/scope.js'
import type { CountedSite, CountedVisitor, VisitorEvent } from '../../access/events/visitor-events.js'
import { putFeedback } from '../../resources/insights/store.js'
import { allowedOn } from '../../site/answer.js'
import type { ShownContent } from '../../site/pages/content.js'
import type { Assets } from '../../site/pages/site-view.js'
import { answerFeedback, findToldPage } from '../../site/pages/told.js'
import type { Told } from '../../site/routing/linker.js'
import type { ShownSite } from '../../site/routing/site.js'
import { readBrowser } from '../../core/visitor/browser.js'
import { readyAnswer, sendAnswer } from '../http/send-answer.js'

/** Bytes of a form. */
const largestForm = 8_000
/** Answers from one address within ten minutes. */
const allowance = { limit: 30, window: 10 * 60_000 }
/** Whether a request may be one of these; what its path means is told by the site. */
export function isTold({ method, url }: IncomingMessage): boolean {
  return method === 'POST' && /\/~octavo\/(?:feedback|view)\//.test(url!)
}

/** What is told, and of which content of which site its reader may see. */
export interface Telling {
  readonly shown: ShownContent
  readonly path: string
  readonly what: Told
  readonly counted: Counted
}

/** The site as it counts, who comes, and where they are. */
export interface Counted {
  readonly site: CountedSite
  readonly visitor: CountedVisitor
  readonly place: Omit<VisitorEvent, 'type'>
}

interface Telled {
  readonly services: Services
  readonly now: () => number
  readonly assets: Assets
}

/**
 * Takes what is told and answers it; false where there is no such page, or the site does not ask. Replies are no value to
 * wait for: they come to nothing when they were sent.
 */
export async function takeTold(
  request: FastifyRequest,
  reply: FastifyReply,
  { shown, path, what, counted }: Telling,
  { services, now, assets }: Telled,
): Promise<boolean> {
  const { site, variant } = shown
  const { siteId, organizationId } = site
  if (siteId === undefined) return false
  const { feedback, insights } = site.customization
  if (!(what === 'feedback' ? feedback.enabled : insights.trackingCookie)) return false
  if (!isFromHere(request.raw)) throw new ApiError('cross_site_request')
  const page = await findToldPage(shown, path)
  if (page === undefined) return false
  const { ip, userAgent } = originOf(request)
  const reader = `${addressKey(ip)} ${userAgent}`
  const place = { ...counted.place, pageId: page.id, isKnownPage: true }
  const count = (event: Pick<VisitorEvent, 'type' | 'detail'>, referrer: string | null) => {
    if (!isCounted(request.raw, site)) return
    services.counting.count(counted.site, { ...counted.visitor, referrer }, { ...place, ...event })
  }
  const form = await readForm(request.raw)
  if (what === 'view') {
    count(readViewed(form), form.get('referrer'))
    reply.code(204).send()
    return true
  }
  const { rating, comment } = readFeedback(form)
  await takeAttempt(services.database, `feedback ${addressKey(ip)}`, allowance, { now: now() })
  const { keys } = services.addresses
  await services.database.writeHolding({ organizations: [organizationId] }, async (tx) => {
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
  const body = answerFeedback(shown, page, { rating, comment }, assets)
  const given = { status: 200, contentType: 'text/html; charset=utf-8', body, isIndexed: false }
  sendAnswer(request, reply, readyAnswer({ ...given, ...allowedOn(site, given) }, 'nobody'))
  return true
}

/** Whether what a reader does is counted: programs are no readers. */
export function isCounted(request: IncomingMessage, site: ShownSite): boolean {
  return mayCount(request, site) && readBrowser(request.headers['user-agent']!).bot === null
}

/**
 * Whether anything that is asked for is counted: a site may count nothing, a look at what is not published is no
 * reading, and who says no, or nothing of what they are, is not counted.
 */
export function mayCount({ headers }: IncomingMessage, { customization, visibility }: ShownSite): boolean {
  if (!customization.insights.trackingCookie || visibility === 'private') return false
  if (headers.dnt === '1' || headers['sec-gpc'] === '1') return false
  return (headers['user-agent'] ?? '') !== ''
}

/** Browsers name where a form or a script comes from. */
function isFromHere({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return URL.canParse(headers.origin ?? '') && new URL(headers.origin!).host === headers.host
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > largestForm) throw new ApiError('body_too_large', { limit: largestForm })
    chunks.push(chunk)
  }
  // No database holds U+0000, so nobody can mean it.
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8').replaceAll('%00', ''))
}

/** A search that led to the page, a link that leads from it to a host, or else that it is shown. */
function readViewed(form: URLSearchParams): Pick<VisitorEvent, 'type' | 'detail'> {
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
  const comment = (form.get('comment') ?? '').trim().slice(0, longestFeedback)
  return { rating, comment: comment === '' ? null : comment }
}
