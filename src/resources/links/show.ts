/** Presents links and backlinks with their pages, spaces and organizations, as visible to the actor. */
import type { PageId, SpaceId } from '../../core/ids.js'
import { findPages } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import type { ChangeRequest } from '../../contract/change-requests.js'
import type { ContentLocation, LinkReference, LinkStatus } from '../../contract/links.js'
import type { Page } from '../../contract/pages.js'
import type { Services } from '../../access/route/scope.js'
import { urlViewerOf } from '../../access/signin/actor.js'
import { SerializedItems } from '../../access/route/serialized-items.js'
import { type ContentContext, getContent } from '../content/content.js'
import { presentPage } from '../content/present.js'
import { collectPageTargets } from '../content/page-targets.js'
import { presentOrganization } from '../organizations/present.js'
import { readerOf } from '../organizations/scope.js'
import { findOrganizationOf } from '../organizations/store.js'
import type { SpaceContext } from '../spaces/scope.js'
import { showSpace, showSpaces } from '../spaces/show.js'
import { type SpaceRow, headOf } from '../spaces/store.js'
import {
  type LinkRequestContext,
  type CrossSpaceTarget,
  type VisibleSpace,
  crossSpaceKey,
} from './cross-space-links.js'
import type { CheckedLink, LinkingText } from './check-links.js'
import { type PresentedSpace, type PresentedContent, presentLink, presentLocations } from './present.js'

/** The content whose links are listed, with its space and change request. */
export interface LinkedContent {
  readonly space: SpaceContext
  readonly content: ContentContext
  readonly changeRequest?: ChangeRequest
}

export interface LinkToShow {
  readonly linkingText: LinkingText
  readonly link: CheckedLink
  readonly status: LinkStatus
}

/** Locations per response, because each repeats page, space and organization; beyond it one location per link. */
const maxLocations = 2_000

export async function showLinks(
  context: LinkRequestContext,
  linked: LinkedContent,
  found: ReadonlyMap<string, CrossSpaceTarget>,
  links: readonly LinkToShow[],
): Promise<LinkReference[]> {
  if (links.length === 0) return []
  const crossSpaceTargets = links.map(({ link }) => crossSpaceTargetOf(link, found))
  const pages = links.flatMap(({ link: { target } }, at) => {
    if (target.kind === 'page') return [target.page]
    return crossSpaceTargets[at]?.isOwn ? (crossSpaceTargets[at].page ?? []) : []
  })
  const from = await presentContent(
    context,
    linked,
    links.map(({ linkingText }) => linkingText),
    pages,
  )
  const others = await presentTargetSpaces(context, crossSpaceTargets)
  function* present(): Generator<LinkReference> {
    let left = maxLocations
    for (const [at, link] of links.entries()) {
      const space = crossSpaceTargets[at]?.space
      const targetSpace = space && others.get(space.id)
      const nodes = link.link.item.nodes.slice(0, Math.max(1, left))
      left -= nodes.length
      yield presentLink({ ...link, nodes, crossSpaceTarget: crossSpaceTargets[at], targetSpace }, from)
    }
  }
  return SerializedItems.write(present())
}

/** Another space of the same organization that links to this one. */
export interface LinkingSpace {
  readonly space: SpaceRow
  readonly content: ContentContext
}

export interface LocationToShow {
  readonly linkingText: LinkingText
  readonly nodes: readonly string[]
  readonly linkingSpace: LinkingSpace | undefined
}

/** Returns the locations of links. */
export async function showLocations(
  context: LinkRequestContext,
  linked: LinkedContent,
  links: readonly LocationToShow[],
): Promise<ContentLocation[]> {
  if (links.length === 0) return []
  const own = links.flatMap(({ linkingSpace, linkingText }) =>
    linkingSpace === undefined ? [linkingText] : [],
  )
  const from = await presentContent(context, linked, own, [])
  const others = await presentLinkingSpaces(context, links)
  function* present(): Generator<ContentLocation> {
    for (const { linkingText, nodes, linkingSpace } of links)
      yield* presentLocations(
        linkingText,
        nodes,
        linkingSpace === undefined ? from : others.get(linkingSpace.space.id)!,
      )
  }
  return SerializedItems.write(present())
}

async function presentLinkingSpaces(
  { db, actor, services, now }: LinkRequestContext,
  links: readonly LocationToShow[],
): Promise<ReadonlyMap<SpaceId, PresentedContent>> {
  const bySpace = new Map<SpaceId, LinkingSpace & { readonly texts: LinkingText[] }>()
  for (const { linkingText, linkingSpace } of links) {
    if (linkingSpace === undefined) continue
    const known = bySpace.get(linkingSpace.space.id)
    if (known === undefined) bySpace.set(linkingSpace.space.id, { ...linkingSpace, texts: [linkingText] })
    else known.texts.push(linkingText)
  }
  const presented = new Map<SpaceId, PresentedContent>()
  const [first] = bySpace.values()
  if (first === undefined) return presented
  const organization = (await findOrganizationOf(db, actor.userId, first.space.organization_id))!
  const rows = [...bySpace.values()].map(({ space }) => space)
  const spaces = await showSpaces(db, services.addresses, readerOf(actor, organization), rows)
  for (const [at, { space, content, texts }] of [...bySpace.values()].entries()) {
    presented.set(space.id, {
      organization: presentOrganization(services.addresses, organization),
      space: spaces[at]!,
      pages: await showPages(services, content, await pagesWith(content, texts)),
      content,
      changeRequest: undefined,
      addresses: services.addresses,
      urlViewer: urlViewerOf(actor, now),
    })
  }
  return presented
}

/** Returns the pages that the texts belong to. */
async function pagesWith(content: ContentContext, texts: readonly LinkingText[]): Promise<PageRecord[]> {
  const ids = texts.flatMap(({ source }) => ('page' in source ? [source.page] : []))
  const listed = await content.run(findPages(content.revision.snapshot, [...new Set(ids)]))
  return listed.flatMap((page) => page ?? [])
}

function crossSpaceTargetOf(
  { code, item: { reading } }: CheckedLink,
  found: ReadonlyMap<string, CrossSpaceTarget>,
): CrossSpaceTarget | undefined {
  if (code !== 'cross-space' || reading.kind !== 'space') return undefined
  return found.get(crossSpaceKey({ ...reading, fragment: reading.fragment }))
}

async function presentContent(
  { db, actor, services, now }: LinkRequestContext,
  { space, content, changeRequest }: LinkedContent,
  texts: readonly LinkingText[],
  pages: readonly PageRecord[],
): Promise<PresentedContent> {
  const organization = (await findOrganizationOf(db, actor.userId, space.row.organization_id))!
  return {
    organization: presentOrganization(services.addresses, organization),
    space: await showSpace(db, services.addresses, space),
    pages: await showPages(services, content, [...(await pagesWith(content, texts)), ...pages]),
    content,
    changeRequest,
    addresses: services.addresses,
    urlViewer: urlViewerOf(actor, now),
  }
}

/** Returns the other spaces that are linked to, with the linked pages. */
async function presentTargetSpaces(
  { db, actor, services }: LinkRequestContext,
  targets: readonly (CrossSpaceTarget | undefined)[],
): Promise<ReadonlyMap<string, PresentedSpace>> {
  const presented = new Map<string, PresentedSpace>()
  const bySpace = new Map<SpaceId, VisibleSpace & { readonly pages: PageRecord[] }>()
  for (const found of targets) {
    if (found?.space === undefined) continue
    const { space, organization, page } = found as CrossSpaceTarget & VisibleSpace
    const known = bySpace.get(space.id) ?? { space, organization, pages: [] }
    bySpace.set(space.id, known)
    if (page !== undefined) known.pages.push(page)
  }
  for (const [id, { space, organization, pages }] of bySpace) {
    const source = { db, services, organizationId: space.organization_id, spaceId: id }
    const [presentedSpace] = await showSpaces(db, services.addresses, readerOf(actor, organization), [space])
    presented.set(id, {
      organization: presentOrganization(services.addresses, organization),
      space: presentedSpace!,
      pages: await showPages(services, await getContent(source, headOf(space)), pages),
    })
  }
  return presented
}

/** Returns pages without texts and subpages. */
async function showPages(
  { addresses }: Services,
  content: ContentContext,
  pages: readonly PageRecord[],
): Promise<ReadonlyMap<PageId, Page>> {
  const records = [...new Map(pages.map((page) => [page.id, page])).values()]
  const targets = await collectPageTargets(
    content,
    records.map((page) => ({ page, children: [] })),
  )
  const context = { addresses, spaceId: content.spaceId, targets }
  return new Map(records.map((page) => [page.id, presentPage(page, [], context)]))
}
