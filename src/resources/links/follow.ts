/**
 * What the texts of a space name in other spaces, brought up to its head by the worker, so that these need not ask every
 * space where they are linked. What is listed by it is looked at once more in the heads of that moment: it may be behind,
 * and never says what is not so.
 */
import type { SpaceId } from '../../core/ids.js'
import { compareForLinks } from '../../core/pages/link-touch.js'
import { longestPath } from '../../core/pages/paths.js'
import { pathKey } from '../../core/pages/keys.js'
import type { Database, Tx } from '../../store/db/database.js'
import { keepNoObjects } from '../../store/content/objects.js'
import { nothing } from '../../store/db/hold.js'
import type { JobHandler } from '../../store/jobs/worker.js'
import { announceLinks } from '../content/after-effects.js'
import { type ContentHere, findContent, getContent } from '../content/content.js'
import { findSpaceAnywhere } from '../spaces/store.js'
import { type LinkServices, type Linking, readItems } from './judge.js'
import {
  type LinkPlace,
  type LinkState,
  type NamedPage,
  deleteSpaceLinks,
  findLinkState,
  listUnknown,
  putLinkState,
  replaceNamed,
} from './store.js'
import { findLinking, listLinking } from './table.js'

type FollowServices = LinkServices

/** Texts that are read together, and pages of other spaces that one text may name. */
const textsPerStep = 500
const mostNamed = 1_000
const spacesPerCatchUp = 500

/** Returns the handler of `followLinksJob`. */
export function followLinksHandler(services: FollowServices): JobHandler {
  return async (payload, { signal }) => {
    const { spaceId } = payload as { spaceId: SpaceId }
    const { database, addresses } = services
    const row = await findSpaceAnywhere(database.read, spaceId)
    if (row === undefined) return
    const place = { organizationId: row.organization_id, spaceId }
    const content = await getContent({ db: database.read, services, ...place }, row.revision_id)
    const state = await findLinkState(database.read, place)
    const next = { revisionId: content.revision.id, application: addresses.base }
    if (state?.application === next.application && state.revisionId === next.revisionId) return
    const following = { services, place, content, next, signal }
    const touched = state?.application === next.application ? await findTouched(following, state) : undefined
    if (touched !== undefined) return followSome(following, state!, touched)
    const passing = { ...services, objects: keepNoObjects }
    const whole = await getContent({ db: database.read, services: passing, ...place }, next.revisionId)
    await followAll({ ...following, services: passing, content: whole })
  }
}

/** Has the links followed of every space of which nothing is known; for the start of a server. */
export async function catchUpLinks({ database, addresses }: FollowServices, now: number): Promise<void> {
  let after: SpaceId | undefined
  for (;;) {
    const places = await listUnknown(database.read, addresses.base, { after, limit: spacesPerCatchUp })
    if (places.length === 0) return
    await database.writeHolding(nothing, async (tx) => {
      for (const place of places) await announceLinks(tx, { ...place, now })
    })
    after = places.at(-1)!.spaceId
  }
}

interface Following {
  readonly services: FollowServices
  readonly place: LinkPlace
  readonly content: ContentHere
  readonly next: LinkState
  readonly signal: AbortSignal
}

/** Answers the places of texts that differ from what is known; undefined where all are looked at. */
async function findTouched(
  { services, place, content }: Following,
  { revisionId }: LinkState,
): Promise<readonly string[] | undefined> {
  const before = await findContent({ db: services.database.read, services, ...place }, revisionId)
  const touch =
    before && (await content.run(compareForLinks(before.revision.snapshot, content.revision.snapshot)))
  return touch && [...touch.places]
}

async function followSome(following: Following, was: LinkState, places: readonly string[]): Promise<void> {
  const { services, place, content, next } = following
  const linking = await content.run(findLinking(content.revision.snapshot, places, []))
  const named = await readNamed(following, linking)
  await writeHere(services.database, place, async (tx) => {
    // Somebody else was faster: the job that the next head brings takes the difference.
    if ((await findLinkState(tx, place))?.revisionId !== was.revisionId) return
    await replaceNamed(tx, place, places, named)
    await putLinkState(tx, place, next)
  })
}

/** In short transactions; whoever goes on after a kill begins again. */
async function followAll(following: Following): Promise<void> {
  const { services, place, content, next, signal } = following
  const linking = await content.run(listLinking(content.revision.snapshot))
  await writeHere(services.database, place, (tx) => deleteSpaceLinks(tx, place))
  for (let at = 0; at < linking.length; at += textsPerStep) {
    signal.throwIfAborted()
    const some = linking.slice(at, at + textsPerStep)
    const named = await readNamed(following, some)
    const places = some.map((one) => one.place)
    if (named.length > 0)
      await writeHere(services.database, place, (tx) => replaceNamed(tx, place, places, named))
  }
  await writeHere(services.database, place, (tx) => putLinkState(tx, place, next))
}

/** Writes what a space names, unless it is gone. */
async function writeHere(
  database: Database,
  place: LinkPlace,
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  const hold = { organizations: [place.organizationId], space: place.spaceId }
  await database.writeHolding(hold, async (tx) => {
    const row = await findSpaceAnywhere(tx, place.spaceId)
    if (row?.organization_id === place.organizationId) await work(tx)
  })
}

async function readNamed(
  { services, content }: Following,
  linking: readonly Linking[],
): Promise<readonly NamedPage[]> {
  const items = await readItems(content, services, linking)
  return linking.flatMap(({ place }, at) => {
    const named = new Map<string, NamedPage>()
    for (const { reading, isInApp } of items[at]!) {
      if (reading.kind !== 'space' || isInApp || named.size >= mostNamed) continue
      const [target, path] = [reading.space, pathKey(reading.path)]
      // No page has such a path, and no database would take it.
      if (path === '' || path.length > longestPath || path.includes('\0') || target.length > 64) continue
      named.set(`${target} ${path}`, { place, target, path })
    }
    return [...named.values()]
  })
}
