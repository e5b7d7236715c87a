/** Analytics events of site visitors: the shapes that are counted. The identity of a visitor is no part of them. */
import type { Claims } from '../../core/visitor/visitor.js'
import type { OrganizationId, PageId, SiteId, SiteSectionId, SiteSpaceId, SpaceId } from '../../core/ids.js'
import type { EventType, displayContexts, linkPositions } from '../../contract/site-events.js'
import type { Rating } from '../../contract/site-insights.js'

/** Members that only some event types have. */
export interface EventDetail {
  readonly query?: string
  readonly rating?: Rating | 1 | -1
  readonly link?: {
    readonly kind: string
    readonly domain?: string
    readonly position: (typeof linkPositions)[number]
  }
  readonly operation?: { readonly method: string; readonly path: string }
}

/** What a visitor did, and where. */
export interface VisitorEvent {
  readonly type: EventType
  readonly context?: (typeof displayContexts)[number]
  readonly siteSpaceId?: SiteSpaceId | null
  readonly sectionId?: SiteSectionId | null
  readonly spaceId?: SpaceId | null
  readonly pageId?: PageId | null
  /** True when the page is known to exist, so that its views are counted for as long as it does. */
  readonly isKnownPage?: boolean
  readonly detail?: EventDetail
  /** Milliseconds since 1970; now when absent. */
  readonly at?: number
}

/** Who did it. */
export interface CountedVisitor {
  /** Distinguishes visitors for one day: held in memory only, and only as a hash. */
  readonly name: string
  readonly userAgent: string
  /** The header `Accept-Language`: tags with their weights. */
  readonly language?: string | null | undefined
  /** The referring URL, or its host. */
  readonly referrer?: string | null | undefined
  readonly country?: string | null | undefined
  /** Null where the site has no authenticated visitors. */
  readonly isAuthenticated?: boolean | null
  readonly claims?: Claims
}

/** The site on which it happened, and its insights settings. */
export interface CountedSite {
  readonly organization_id: OrganizationId
  readonly id: SiteId
  readonly insights: string | null
}

export interface VisitorEventCounter {
  /** Counts an event; drops it beyond the limit for one visitor or for all that wait in memory. */
  count(site: CountedSite, visitor: CountedVisitor, event: VisitorEvent): void
  /** Writes the counts to the database; with `isLast` also searches that a visitor may still be typing. */
  flush(isLast?: boolean): Promise<void>
}
