/** What readers of sites do, as it is counted: what of it is told, and to whom. Who they are is no part of it. */
import type { Claims } from '../../core/visitor/visitor.js'
import type { OrganizationId, PageId, SiteId, SiteSectionId, SiteSpaceId, SpaceId } from '../../core/ids.js'
import type { EventType, displayContexts, linkPositions } from '../../contract/site-events.js'
import type { Rating } from '../../contract/site-insights.js'

/** What only some types of events have. */
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

/** What somebody did, and where. */
export interface VisitorEvent {
  readonly type: EventType
  readonly context?: (typeof displayContexts)[number]
  readonly siteSpaceId?: SiteSpaceId | null
  readonly sectionId?: SiteSectionId | null
  readonly spaceId?: SpaceId | null
  readonly pageId?: PageId | null
  /** True where the page is known to be there, so that its views are counted for as long as it is. */
  readonly isKnownPage?: boolean
  readonly detail?: EventDetail
  /** Milliseconds since 1970; now when absent. */
  readonly at?: number
}

/** Who did it. */
export interface CountedVisitor {
  /** By what they are told apart from others for a day: kept in memory alone, and there only as a hash. */
  readonly name: string
  readonly userAgent: string
  /** As browsers say it: tags with their weights. */
  readonly language?: string | null | undefined
  /** Where they came from: an address, or its host. */
  readonly referrer?: string | null | undefined
  readonly country?: string | null | undefined
  /** Null where the site knows nobody. */
  readonly isAuthenticated?: boolean | null
  readonly claims?: Claims
}

/** The site where it was done, and how that counts. */
export interface CountedSite {
  readonly organization_id: OrganizationId
  readonly id: SiteId
  readonly insights: string | null
}

export interface Counting {
  /** Counts what somebody did; beyond what is counted for one reader, or held of all, nothing. */
  count(site: CountedSite, visitor: CountedVisitor, event: VisitorEvent): void
  /** Writes what was counted; at the end also what somebody may still be typing. */
  flush(isLast?: boolean): Promise<void>
}
