/** Links and backlinks with what stands around them, as somebody sees them. */
import type { PageId, SpaceId } from '../../core/ids.js'
import { findPages } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import type { ChangeRequest } from '../../contract/change-requests.js'
import type { ContentLocation, LinkReference, LinkStatus } from '../../contract/links.js'
import type { Page } from '../../contract/pages.js'
import type { Services } from '../../access/route/scope.js'
import { askerOf } from '../../access/signin/actor.js'
import { WrittenItems } from '../../access/route/written.js'
import { type ContentHere, getContent } from '../content/content.js'
import { presentPage } from '../content/present.js'
import { collectTargets } from '../content/targets.js'
import { presentOrganization } from '../organizations/present.js'
import { readerOf } from '../organizations/scope.js'
import { findOrganizationOf } from '../organizations/store.js'
import type { SpaceHere } from '../spaces/scope.js'
import { showSpace, showSpaces } from '../spaces/show.js'
import { type SpaceRow, headOf } from '../spaces/store.js'
import { type Asking, type FoundElsewhere, type SeenSpace, nameElsewhere } from './elsewhere.js'
import type { JudgedLink, Linking } from './judge.js'
import { type Ground, type Standpoint, presentLink, presentPlaces } from './present.js'

/** The content whose links are shown, and by which door it is seen. */
export interface ShownPlace {
  readonly space: SpaceHere
  readonly content: ContentHere
  readonly changeRequest?: ChangeRequest
}

export interface ShownLink {
  readonly linking: Linking
  readonly link: JudgedLink
  readonly status: LinkStatus
}

/** Of one answer: each is told with its page, its space and its organization. Then one place of each link. */
const mostPlaces = 2_000

export async function showLinks(
  asking: Asking,
  place: ShownPlace,
  found: ReadonlyMap<string, FoundElsewhere>,
  links: readonly ShownLink[],
): Promise<LinkReference[]> {
  if (links.length === 0) return []
  const elsewhere = links.map(({ link }) => findElsewhere(link, found))
  const pages = links.flatMap(({ link: { target } }, at) => {
    if (target.kind === 'page') return [target.page]
    return elsewhere[at]?.isOwn ? (elsewhere[at].page ?? []) : []
  })
  const here = await standAt(
    asking,
    place,
    links.map(({ linking }) => linking),
    pages,
  )
  const others = await groundsElsewhere(asking, elsewhere)
  function* present(): Generator<LinkReference> {
    let left = mostPlaces
    for (const [at, shown] of links.entries()) {
      const space = elsewhere[at]?.space
      const ground = space && others.get(space.id)
      const nodes = shown.link.item.nodes.slice(0, Math.max(1, left))
      left -= nodes.length
      yield presentLink({ ...shown, nodes, elsewhere: elsewhere[at], ground }, here)
    }
  }
  return WrittenItems.write(present())
}

/** Another space of the same organization, in which links to this one stand. */
export interface StandingElsewhere {
  readonly space: SpaceRow
  readonly content: ContentHere
}

export interface ShownLocation {
  readonly linking: Linking
  readonly nodes: readonly string[]
  readonly elsewhere: StandingElsewhere | undefined
}

/** Returns the places at which links stand. */
export async function showLocations(
  asking: Asking,
  place: ShownPlace,
  links: readonly ShownLocation[],
): Promise<ContentLocation[]> {
  if (links.length === 0) return []
  const own = links.flatMap(({ elsewhere, linking }) => (elsewhere === undefined ? [linking] : []))
  const here = await standAt(asking, place, own, [])
  const others = await standElsewhere(asking, links)
  function* present(): Generator<ContentLocation> {
    for (const { linking, nodes, elsewhere } of links)
      yield* presentPlaces(linking, nodes, elsewhere === undefined ? here : others.get(elsewhere.space.id)!)
  }
  return WrittenItems.write(present())
}

async function standElsewhere(
  { db, actor, services, now }: Asking,
  links: readonly ShownLocation[],
): Promise<ReadonlyMap<SpaceId, Standpoint>> {
  const bySpace = new Map<SpaceId, StandingElsewhere & { readonly linking: Linking[] }>()
  for (const { linking, elsewhere } of links) {
    if (elsewhere === undefined) continue
    const known = bySpace.get(elsewhere.space.id)
    if (known === undefined) bySpace.set(elsewhere.space.id, { ...elsewhere, linking: [linking] })
    else known.linking.push(linking)
  }
  const standpoints = new Map<SpaceId, Standpoint>()
  const [first] = bySpace.values()
  if (first === undefined) return standpoints
  const organization = (await findOrganizationOf(db, actor.userId, first.space.organization_id))!
  const rows = [...bySpace.values()].map(({ space }) => space)
  const shown = await showSpaces(db, services.addresses, readerOf(actor, organization), rows)
  for (const [at, { space, content, linking }] of [...bySpace.values()].entries()) {
    standpoints.set(space.id, {
      organization: presentOrganization(services.addresses, organization),
      space: shown[at]!,
      pages: await showPages(services, content, await pagesWith(content, linking)),
      content,
      changeRequest: undefined,
      addresses: services.addresses,
      asker: askerOf(actor, now),
    })
  }
  return standpoints
}

/** Returns the pages that the texts are. */
async function pagesWith(content: ContentHere, linking: readonly Linking[]): Promise<PageRecord[]> {
  const ids = linking.flatMap(({ source }) => ('page' in source ? [source.page] : []))
  const listed = await content.run(findPages(content.revision.snapshot, [...new Set(ids)]))
  return listed.flatMap((page) => page ?? [])
}

function findElsewhere(
  { code, item: { reading } }: JudgedLink,
  found: ReadonlyMap<string, FoundElsewhere>,
): FoundElsewhere | undefined {
  if (code !== 'elsewhere' || reading.kind !== 'space') return undefined
  return found.get(nameElsewhere({ ...reading, fragment: reading.fragment }))
}

async function standAt(
  { db, actor, services, now }: Asking,
  { space, content, changeRequest }: ShownPlace,
  linking: readonly Linking[],
  pages: readonly PageRecord[],
): Promise<Standpoint> {
  const organization = (await findOrganizationOf(db, actor.userId, space.row.organization_id))!
  return {
    organization: presentOrganization(services.addresses, organization),
    space: await showSpace(db, services.addresses, space),
    pages: await showPages(services, content, [...(await pagesWith(content, linking)), ...pages]),
    content,
    changeRequest,
    addresses: services.addresses,
    asker: askerOf(actor, now),
  }
}

/** Returns the other spaces that links lead into, with the pages that they lead to. */
async function groundsElsewhere(
  { db, actor, services }: Asking,
  elsewhere: readonly (FoundElsewhere | undefined)[],
): Promise<ReadonlyMap<string, Ground>> {
  const grounds = new Map<string, Ground>()
  const bySpace = new Map<SpaceId, SeenSpace & { readonly pages: PageRecord[] }>()
  for (const found of elsewhere) {
    if (found?.space === undefined) continue
    const { space, organization, page } = found as FoundElsewhere & SeenSpace
    const known = bySpace.get(space.id) ?? { space, organization, pages: [] }
    bySpace.set(space.id, known)
    if (page !== undefined) known.pages.push(page)
  }
  for (const [id, { space, organization, pages }] of bySpace) {
    const place = { db, services, organizationId: space.organization_id, spaceId: id }
    const [shown] = await showSpaces(db, services.addresses, readerOf(actor, organization), [space])
    grounds.set(id, {
      organization: presentOrganization(services.addresses, organization),
      space: shown!,
      pages: await showPages(services, await getContent(place, headOf(space)), pages),
    })
  }
  return grounds
}

/** Returns pages as they are listed: without their texts and what is below them. */
async function showPages(
  { addresses }: Services,
  content: ContentHere,
  pages: readonly PageRecord[],
): Promise<ReadonlyMap<PageId, Page>> {
  const records = [...new Map(pages.map((page) => [page.id, page])).values()]
  const targets = await collectTargets(
    content,
    records.map((page) => ({ page, children: [] })),
  )
  const context = { addresses, spaceId: content.spaceId, targets }
  return new Map(records.map((page) => [page.id, presentPage(page, [], context)]))
}
