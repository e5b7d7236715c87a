/** Presents links as the API returns them: target and locations. */
import type { Hash, PageId } from '../../core/ids.js'
import { relationOf } from '../../core/pages/link-items.js'
import { titleOfText } from '../../core/pages/read.js'
import type { Addresses, UrlViewer } from '../../contract/addresses.js'
import type { ChangeRequest } from '../../contract/change-requests.js'
import type { ContentLocation, LinkReference } from '../../contract/links.js'
import type { Organization } from '../../contract/organizations.js'
import type { Page } from '../../contract/pages.js'
import type { Space } from '../../contract/spaces.js'
import type { ContentContext } from '../content/content.js'
import { presentFile, presentReusableContent } from '../content/present.js'
import type { CrossSpaceTarget } from './cross-space-links.js'
import type { CheckedLink, LinkingText } from './check-links.js'

/** A presented space with some of its pages. */
export interface PresentedSpace {
  readonly organization: Organization
  readonly space: Space
  readonly pages: ReadonlyMap<PageId, Page>
}

/** The presented content that contains the links. */
export interface PresentedContent extends PresentedSpace {
  readonly content: ContentContext
  readonly changeRequest: ChangeRequest | undefined
  readonly addresses: Addresses
  readonly urlViewer: UrlViewer
}

export interface LinkToPresent {
  readonly linkingText: LinkingText
  readonly link: CheckedLink
  readonly status: LinkReference['status']
  /** The listed blocks that contain the link. */
  readonly nodes: readonly string[]
  /** The target of a link that names a space; for another space with its presentation. */
  readonly crossSpaceTarget: CrossSpaceTarget | undefined
  readonly targetSpace: PresentedSpace | undefined
}

export function presentLink(presented: LinkToPresent, from: PresentedContent): LinkReference {
  const { linkingText, link, status, nodes } = presented
  const target = presentTarget(presented, from)
  return {
    status,
    relation: relationOf(link.item),
    destination: link.item.url,
    ...(target !== undefined && { targetReference: target }),
    locationReferences: presentLocations(linkingText, nodes, from),
  }
}

/** Returns the locations of a link: one for each block, else the text as a whole. */
export function presentLocations(
  { source, ...one }: LinkingText,
  nodes: readonly string[],
  from: PresentedContent,
): ContentLocation[] {
  const context = locationContextOf(from)
  if (!('page' in source)) {
    const reusableContent = presentText(one.file, { ...one, text: one.text as Hash }, from)
    return [{ kind: 'reusable-content', ...context, reusableContent }]
  }
  const location = { kind: 'page', ...context, page: from.pages.get(source.page)! } as const
  if (nodes.length === 0) return [location]
  return nodes.map((node) => ({ ...location, internalLocation: { type: 'node', node } }))
}

/** Returns the target, undefined for a broken link. */
function presentTarget(
  { linkingText, link: { item, target }, crossSpaceTarget, targetSpace }: LinkToPresent,
  from: PresentedContent,
): ContentLocation | undefined {
  if (item.isInApp) return { kind: 'url', url: item.url }
  const context = locationContextOf(from)
  switch (target.kind) {
    case 'page':
      return presentPart(from.pages.get(target.page.id)!, target.fragment, context)
    case 'anchor': {
      const { source, ...one } = linkingText
      if ('page' in source) return presentPart(from.pages.get(source.page)!, target.fragment, context)
      return {
        kind: 'reusable-content',
        ...context,
        reusableContent: presentText(one.file, { ...one, text: one.text as Hash }, from),
      }
    }
    case 'file':
      return {
        kind: 'file',
        ...context,
        file: presentFile(from.addresses, target.file, from.content, from.urlViewer),
      }
    case 'text': {
      const { path, entry } = target
      return {
        kind: 'reusable-content',
        ...context,
        reusableContent: presentText(path, entry, from),
      }
    }
    case 'space': {
      const { isOwn, page } = crossSpaceTarget!
      const known = isOwn ? from : targetSpace
      if (known === undefined) return undefined
      const { organization, space, pages } = known
      return page === undefined
        ? { kind: 'space', organization, space }
        : presentPart(pages.get(page.id)!, target.fragment, isOwn ? context : { organization, space })
    }
    default:
      return undefined
  }
}

type LocationContext = Pick<
  Extract<ContentLocation, { kind: 'page' }>,
  'organization' | 'space' | 'versionContext'
>

function locationContextOf({ organization, space, changeRequest }: PresentedContent): LocationContext {
  return {
    organization,
    space,
    ...(changeRequest !== undefined && { versionContext: { type: 'changeRequest', changeRequest } }),
  }
}

function presentPart(page: Page, anchor: string | undefined, context: LocationContext): ContentLocation {
  return {
    kind: 'page',
    ...context,
    page,
    ...(anchor && { internalLocation: { type: 'anchor', anchor } }),
  }
}

/** A text without an id is no reusable content: it is named by its path and has no document. */
function presentText(
  path: string,
  entry: Pick<LinkingText, 'id' | 'title'> & { readonly text: Hash },
  { addresses, content }: PresentedContent,
) {
  const { id, text } = entry
  const title = titleOfText(path, entry)
  if (id === undefined) return { id: path, title }
  return presentReusableContent({ id, title, path, text }, { addresses, spaceId: content.spaceId })
}
