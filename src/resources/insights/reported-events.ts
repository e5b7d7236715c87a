/** Validation of events reported by an external renderer: maps them to the events of our own pages, dropping what is not counted. */
import type { PageId } from '../../core/ids.js'
import { ApiError } from '../../contract/errors.js'
import type { EventType, ReportedEvent } from '../../contract/site-events.js'
import type { CountedVisitor, EventDetail, VisitorEvent } from '../../access/events/visitor-events.js'
import type { SiteContext } from '../sites/scope.js'

const day = 24 * 60 * 60 * 1000
/** Tolerated clock skew. */
const maxClockSkew = 5 * 60_000

/** The members that events of a type must have. */
const requiredMembers: Readonly<Partial<Record<EventType, readonly (keyof ReportedEvent)[]>>> = {
  search_type_query: ['query'],
  search_open_result: ['query'],
  ask_question: ['query'],
  ask_rate_response: ['rating'],
  page_post_feedback: ['feedback'],
  page_post_feedback_comment: ['feedback'],
  link_click: ['link'],
  api_client_open: ['operation'],
  api_client_request: ['operation'],
}

export interface AttributedEvent {
  readonly visitor: CountedVisitor
  readonly event: VisitorEvent
}

/** Returns the event at an index of the list; throws 400 for missing members, and for events of another time or site. */
export function parseReportedEvent(
  event: ReportedEvent,
  at: number,
  site: SiteContext,
  now: number,
): AttributedEvent {
  const { type, session, location, timestamp } = event
  const member = (name: string) => `the member "events[${at}].${name}"`
  for (const name of requiredMembers[type] ?? [])
    if (event[name] === undefined) refuse(`${member(name)} is missing, which events of its type have`)
  const time = timestamp === undefined ? now : Date.parse(timestamp)
  if (!(time > now - day && time < now + maxClockSkew))
    refuse(`${member('timestamp')} is not a time of the last 24 hours`)
  const { siteSpace, siteSection, space, page } = location
  const link = site.spaces.find((one) => one.link.id === siteSpace && site.readable.has(one.space.id))
  if (siteSpace !== null && link === undefined)
    refuse(`${member('location.siteSpace')} names nothing of the site`)
  const section = site.sections.find(({ id }) => id === siteSection)
  if (siteSection !== null && section === undefined)
    refuse(`${member('location.siteSection')} names nothing of the site`)
  const linkedSpace = site.spaces.find((one) => one.space.id === space && site.readable.has(one.space.id))
  if (space !== null && linkedSpace === undefined)
    refuse(`${member('location.space')} names nothing of the site`)
  return {
    visitor: {
      name: `reported ${session.visitorId}`,
      userAgent: session.userAgent,
      language: session.language,
      referrer: session.referrer,
      isAuthenticated: session.visitorAuthClaims === undefined ? null : true,
      claims: session.visitorAuthClaims ?? {},
    },
    event: {
      type,
      context: location.displayContext ?? 'site',
      siteSpaceId: link?.link.id ?? null,
      sectionId: section?.id ?? null,
      spaceId: linkedSpace?.space.id ?? null,
      pageId: linkedSpace === undefined ? null : (page as PageId | null),
      detail: detailOf(event),
      at: Math.min(time, now),
    },
  }
}

/** Returns only the members that events of the type have. */
function detailOf({ type, query, rating, feedback, link, operation }: ReportedEvent): EventDetail {
  const has = new Set(requiredMembers[type])
  return {
    ...(has.has('query') && { query: query! }),
    ...(has.has('rating') && { rating: rating! }),
    ...(has.has('feedback') && { rating: feedback!.rating }),
    ...(has.has('link') && {
      link: {
        kind: link!.target.kind,
        position: link!.position,
        ...(link!.target.url !== undefined && { domain: link!.target.url }),
      },
    }),
    ...(has.has('operation') && { operation: operation! }),
  }
}

function refuse(problem: string): never {
  throw new ApiError('invalid_request', { problem })
}
