/**
 * Cross-space link index: a job stores the links of a space into other spaces as of its head, so that backlinks need not
 * scan all spaces. Readers verify each hit against the current heads: the index may lag behind, but never yields a wrong
 * backlink.
 */
import type { SpaceId } from '../../core/ids.js'
import { diffForLinks } from '../../core/pages/affected-links.js'
import { maxPathBytes } from '../../core/pages/paths.js'
import { pathKey } from '../../core/pages/keys.js'
import type { Database, Tx } from '../../store/db/database.js'
import { noObjectCache } from '../../store/content/objects.js'
import { noLocks } from '../../store/db/lock-scope.js'
import type { JobHandler } from '../../store/jobs/worker.js'
import { enqueueFollowLinks, type followLinksJob } from '../content/content-jobs.js'
import { type ContentContext, findContent, getContent } from '../content/content.js'
import { findSpaceAnywhere } from '../spaces/store.js'
import { type LinkServices, type LinkingText, readItems } from './check-links.js'
import { storeLinks } from './read-links.js'
import {
  type SpaceLinkKey,
  type LinkState,
  type ReferencedPage,
  deleteSpaceLinks,
  findLinkState,
  listSpacesWithoutLinks,
  putLinkState,
  replaceReferences,
} from './store.js'
import { findLinkingTexts, listLinkingTexts } from './table.js'

type FollowServices = LinkServices

/** Texts per transaction, and stored links per text. */
const textsPerStep = 500
const maxReferences = 1_000
const spacesPerCatchUp = 500

/** Returns the handler of `followLinksJob`. */
export function followLinksHandler(services: FollowServices): JobHandler<typeof followLinksJob> {
  return async ({ spaceId }, { signal }) => {
    const { database, addresses } = services
    const row = await findSpaceAnywhere(database.read, spaceId)
    if (row === undefined) return
    const spaceKey = { organizationId: row.organization_id, spaceId }
    const content = await getContent({ db: database.read, services, ...spaceKey }, row.revision_id)
    const state = await findLinkState(database.read, spaceKey)
    const next = { revisionId: content.revision.id, application: addresses.base }
    if (state?.application === next.application && state.revisionId === next.revisionId) return
    const following = { services, spaceKey, content, next, signal }
    const touched = state?.application === next.application ? await findTouched(following, state) : undefined
    if (touched !== undefined) return followSome(following, state!, touched)
    const uncached = { ...services, objects: noObjectCache }
    const all = await getContent({ db: database.read, services: uncached, ...spaceKey }, next.revisionId)
    await followAll({ ...following, services: uncached, content: all })
  }
}

/** Enqueues the job for every space without stored links; for server start. */
export async function catchUpLinks({ database, addresses }: FollowServices, now: number): Promise<void> {
  let after: SpaceId | undefined
  for (;;) {
    const spaces = await listSpacesWithoutLinks(database.read, addresses.base, {
      after,
      limit: spacesPerCatchUp,
    })
    if (spaces.length === 0) return
    await database.writeWithLocks(noLocks, async (tx) => {
      for (const spaceKey of spaces) await enqueueFollowLinks(tx, { ...spaceKey, now })
    })
    after = spaces.at(-1)!.spaceId
  }
}

interface FollowContext {
  readonly services: FollowServices
  readonly spaceKey: SpaceLinkKey
  readonly content: ContentContext
  readonly next: LinkState
  readonly signal: AbortSignal
}

/** Returns the texts that changed since the stored state; undefined when all must be read. */
async function findTouched(
  { services, spaceKey, content }: FollowContext,
  { revisionId }: LinkState,
): Promise<readonly string[] | undefined> {
  const before = await findContent({ db: services.database.read, services, ...spaceKey }, revisionId)
  const touch =
    before && (await content.run(diffForLinks(before.revision.snapshot, content.revision.snapshot)))
  return touch && [...touch.locations]
}

async function followSome(
  following: FollowContext,
  was: LinkState,
  places: readonly string[],
): Promise<void> {
  const { services, spaceKey, content, next } = following
  const texts = await content.run(findLinkingTexts(content.revision.snapshot, places, []))
  const named = await readReferences(following, texts)
  await writeLinks(services.database, spaceKey, async (tx) => {
    // Another process was faster: the job of the next head takes the difference.
    if ((await findLinkState(tx, spaceKey))?.revisionId !== was.revisionId) return
    await replaceReferences(tx, spaceKey, places, named)
    await putLinkState(tx, spaceKey, next)
  })
}

/** Replaces all links in short transactions; a run after a crash starts over. */
async function followAll(following: FollowContext): Promise<void> {
  const { services, spaceKey, content, next, signal } = following
  const texts = await content.run(listLinkingTexts(content.revision.snapshot))
  await writeLinks(services.database, spaceKey, (tx) => deleteSpaceLinks(tx, spaceKey))
  for (let at = 0; at < texts.length; at += textsPerStep) {
    signal.throwIfAborted()
    const some = texts.slice(at, at + textsPerStep)
    const named = await readReferences(following, some)
    const places = some.map((one) => one.place)
    if (named.length > 0)
      await writeLinks(services.database, spaceKey, (tx) => replaceReferences(tx, spaceKey, places, named))
  }
  await writeLinks(services.database, spaceKey, (tx) => putLinkState(tx, spaceKey, next))
}

/** Writes links of a space, unless it was removed or transferred. */
async function writeLinks(
  database: Database,
  spaceKey: SpaceLinkKey,
  work: (tx: Tx) => Promise<void>,
): Promise<void> {
  const locks = { organizations: [spaceKey.organizationId], space: spaceKey.spaceId }
  await database.writeWithLocks(locks, async (tx) => {
    const row = await findSpaceAnywhere(tx, spaceKey.spaceId)
    if (row?.organization_id === spaceKey.organizationId) await work(tx)
  })
}

async function readReferences(
  { services, content }: FollowContext,
  texts: readonly LinkingText[],
): Promise<readonly ReferencedPage[]> {
  await storeLinks(
    content,
    services,
    texts.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])),
  )
  const items = await readItems(content, services, texts)
  return texts.flatMap(({ place }, at) => {
    const named = new Map<string, ReferencedPage>()
    for (const { reading, isInApp } of items[at]!) {
      if (reading.kind !== 'space' || isInApp || named.size >= maxReferences) continue
      const [target, path] = [reading.space, pathKey(reading.path)]
      // No page has such a path, and no database would store it.
      if (path === '' || path.length > maxPathBytes || path.includes('\0') || target.length > 64) continue
      named.set(`${target} ${path}`, { place, target, path })
    }
    return [...named.values()]
  })
}
