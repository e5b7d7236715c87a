/**
 * Benchmark data for access checks: an organization with many spaces, and a member who sees few or all of them, by
 * twenty teams. In this process and on a separate data folder, so that a check can be called directly.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { grant } from '../../src/access/rules/grants.js'
import { newId } from '../../src/access/ids.js'
import type { Services } from '../../src/access/route/scope.js'
import { newApiToken } from '../../src/access/signin/secrets.js'
import { insertToken } from '../../src/access/signin/tokens.js'
import { createAddresses } from '../../src/contract/addresses.js'
import type { CollectionId, OrganizationId, RevisionId, SpaceId, TeamId, UserId } from '../../src/core/ids.js'
import { spread } from '../../src/core/order/position.js'
import { insertCollection } from '../../src/resources/collections/store.js'
import { createVisitorEventCounter } from '../../src/resources/insights/count-events.js'
import { createOrganization } from '../../src/resources/organizations/create.js'
import { insertMember } from '../../src/resources/organizations/store.js'
import { writeFirstPage } from '../../src/resources/content/first-page.js'
import { createSpace } from '../../src/resources/spaces/create.js'
import { insertTeam, putTeamMembers } from '../../src/resources/teams/store.js'
import { insertUser } from '../../src/resources/users/store.js'
import { type SiteTask, runTask } from '../../src/site/tasks.js'
import { createCaches } from '../../src/store/cache/caches.js'
import { createObjectCache } from '../../src/store/content/objects.js'
import { openDatabase } from '../../src/store/db/open.js'
import type { Tx } from '../../src/store/db/database.js'
import { addToDirectory } from '../../src/store/db/directory.js'
import { openDirectory } from '../../src/store/files/directory.js'
import { createSizedImages } from '../../src/store/images/sized.js'
import { createInlineFragments } from '../../src/store/reading/fragment-renderer.js'
import { createInlineReader } from '../../src/store/reading/reader.js'
import { createBackgroundTasks } from '../../src/store/jobs/background.js'
import { createStreamWatcher } from '../../src/store/events/stream-watcher.js'
import { createRemote } from '../../src/store/remote/create.js'
import { createInlineSpecificationReader } from '../../src/store/specifications/reader.js'
import { createInlineSearch } from '../../src/store/search-workers/search-service.js'

const teams = 20
const now = Date.parse('2026-01-01T00:00:00Z')

export interface AccessWorld {
  readonly services: Services
  readonly organization: OrganizationId
  readonly member: { readonly id: UserId; readonly token: string }
  /** All spaces, in their order. */
  readonly spaces: readonly SpaceId[]
  /** A space with a page in it, which the member reads by the grant of a team. */
  readonly withPage: SpaceId
  close(): Promise<void>
}

export interface AccessWorldOptions {
  readonly count: number
  /** Hidden spaces are visible through teams alone: 15 directly and 35 in five collections. */
  readonly hidden: boolean
  /** An empty PostgreSQL database; SQLite when left out. */
  readonly url?: string | undefined
}

/** Opens an organization of so many spaces, all hidden or all open. */
export async function openAccessWorld({ count, hidden, url }: AccessWorldOptions): Promise<AccessWorld> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'octavo-bench-'))
  const database = await openDatabase({ dataFolder, url })
  const caches = createCaches(database, 256 << 20)
  const files = await openDirectory(join(dataFolder, 'files'))
  const services: Services = {
    database,
    caches,
    objects: createObjectCache(caches),
    files,
    images: createSizedImages(files),
    addresses: createAddresses({ baseUrl: 'http://127.0.0.1', sign: (text) => text }),
    spoolFolder: join(dataFolder, 'spool'),
    reader: createInlineReader(),
    fragments: createInlineFragments<SiteTask>(runTask),
    pages: createInlineFragments<SiteTask>(runTask),
    searching: createInlineSearch(database),
    specifications: createInlineSpecificationReader(),
    background: createBackgroundTasks(),
    remote: createRemote(),
    eventWatchers: createStreamWatcher(database),
    visitorEvents: createVisitorEventCounter(database, Date.now),
  }
  const member = { id: newId<UserId>(), token: newApiToken() }
  const made = await database.write(async (tx) => {
    const owner = newId<UserId>()
    const tag = newId().toLowerCase()
    for (const [id, name] of [
      [owner, 'owner'],
      [member.id, 'member'],
    ] as const) {
      await insertUser(tx, { id, displayName: name, email: `${name}-${tag}@octavo.test`, now })
    }
    await insertToken(tx, { userId: member.id, token: member.token, label: 'bench', now })
    const organizationId = (await createOrganization(tx, owner, { title: tag }, now)).row.id
    await insertMember(tx, { organizationId, userId: member.id, role: 'read', now })

    const place = { organizationId, userId: owner, now }
    const collections: CollectionId[] = []
    for (let at = 0; at < 5; at += 1) {
      const row = {
        id: newId<CollectionId>(),
        organization_id: organizationId,
        parent_id: null,
        title: `Collection ${at}`,
        description: null,
        default_level: null,
        created_by: owner,
        created_at: now,
        updated_at: now,
      }
      collections.push((await insertCollection(tx, row)).id)
    }
    const first = await createSpace(tx, {}, place, await writeFirstPage(tx, services, place))
    const spaces = await insertSpaces(tx, { organizationId, owner, count: count - 1, hidden, collections })
    const direct = [first.id, ...spaces.filter((_, at) => at % 8 === 3).slice(0, teams - 6)]
    const targets = [
      ...collections.map((id) => ({ organizationId, kind: 'collection', id }) as const),
      ...direct.map((id) => ({ organizationId, kind: 'space', id }) as const),
    ]
    for (const target of targets) {
      const title = 'Team'
      const row = {
        id: newId<TeamId>(),
        organization_id: organizationId,
        title,
        created_at: now,
        updated_at: now,
      }
      const team = await insertTeam(tx, row)
      await putTeamMembers(tx, team, [{ userId: member.id }], now)
      await grant(tx, target, [{ kind: 'team', id: team.id }], { role: 'edit', now })
    }
    return { organization: organizationId, spaces: [first.id, ...spaces], withPage: first.id }
  })
  return {
    services,
    member,
    ...made,
    async close() {
      await database.close()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

/** Rows without content: these spaces are never opened. Seven are in each collection, spread over the whole list. */
async function insertSpaces(
  tx: Tx,
  of: {
    organizationId: OrganizationId
    owner: UserId
    count: number
    hidden: boolean
    collections: readonly CollectionId[]
  },
): Promise<SpaceId[]> {
  const stride = Math.max(1, Math.floor(of.count / (of.collections.length * 7)))
  const rows = spread(of.count).map((position, at) => {
    const turn = Math.floor(at / stride)
    const isInside = at % stride === 0 && turn < of.collections.length * 7
    return {
      id: newId<SpaceId>(),
      organization_id: of.organizationId,
      collection_id: isInside ? of.collections[turn % of.collections.length]! : null,
      position,
      title: `Space ${at}`,
      emoji: null,
      visibility: 'private',
      edit_mode: 'locked',
      default_level: of.hidden && !isInside ? null : 'inherit',
      revision_id: newId<RevisionId>(),
      language: null,
      created_by: of.owner,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    }
  })
  for (let at = 0; at < rows.length; at += 500) {
    await tx
      .insertInto('spaces')
      .values(rows.slice(at, at + 500))
      .execute()
    const ids = rows.slice(at, at + 500).map(({ id }) => id)
    await addToDirectory(tx, 'space', of.organizationId, ids)
  }
  return rows.map(({ id }) => id)
}
