/** Query cost: statements of requests cost the same among a hundred thousand rows, by their plans and by the rows they read. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type {
  ChangeRequestId,
  CollectionId,
  OrganizationId,
  PageId,
  RevisionId,
  SpaceId,
  UserId,
} from '../src/core/ids.js'
import { loadLevels } from '../src/access/rules/level-facts.js'
import { grant } from '../src/access/rules/grants.js'
import type { Reader } from '../src/access/rules/levels.js'
import type { Role } from '../src/contract/shapes.js'
import { listAudit } from '../src/resources/audit/store.js'
import { listChangeRequestsInOrganization } from '../src/resources/change-requests/store.js'
import { listSubtree, listVisibleCollections } from '../src/resources/collections/store.js'
import { loadFieldTexts } from '../src/resources/custom-fields/store.js'
import { listMembers } from '../src/resources/members/store.js'
import {
  listGrantedTeams,
  listGrantedUsers,
  listPeopleWithAccess,
} from '../src/resources/permissions/store.js'
import { isPublicSpace } from '../src/resources/sites/public-spaces.js'
import {
  countSiteSpaces,
  findSiteByNames,
  isSiteHost,
  listPublicSites,
  listVisibleSites,
} from '../src/resources/sites/store.js'
import {
  findSearchScope,
  findSpaceWithFacts,
  listVisibleSpaces,
  loadRelations,
} from '../src/resources/spaces/store.js'
import { type TeamRow, listTeamMembers } from '../src/resources/teams/store.js'
import type { Database, Db } from '../src/store/db/database.js'
import { findRevision, listRevisions } from '../src/store/content/revisions.js'
import { foldPages } from '../src/store/search/fold.js'
import { replacePages } from '../src/store/search/pages.js'
import { rankPages } from '../src/store/search/search.js'
import { findGap } from '../src/store/db/sibling-order.js'
import { contentSiblings } from '../src/store/db/content-siblings.js'
import { executeSearch } from '../src/store/search-workers/execute-search.js'
import { describeLayouts } from './engines.js'
import { plansOf } from './query-plans.js'
import { acrossTestOrganizations, insertOrganization, insertSpace } from './test-rows.js'

describeLayouts('lists that are flat', ({ open }) => {
  let database: Database
  const organizationId = 'organization' as OrganizationId
  const collection = 'collection' as CollectionId

  beforeAll(async () => {
    database = await open()
    await database.write(async (tx) => {
      await insertOrganization(tx, organizationId)
      for (const id of ['one', 'other']) await insertSpace(tx, organizationId, id)
      for (const id of ['inner', 'innerOther']) {
        await insertSpace(tx, organizationId, id)
        await acrossTestOrganizations(tx)
          .updateTable('spaces')
          .set({ collection_id: collection })
          .where('id', '=', id as SpaceId)
          .execute()
      }
    })
  })

  const costly = async (work: Parameters<typeof plansOf>[1]) =>
    (await plansOf(database.read, work)).filter((plan) => plan.costly.length > 0)

  describe('the neighbours of a position', () => {
    it.each([
      ['at the top', null, 'other'],
      ['in a collection', collection, 'innerOther'],
    ])('are found by the index of the order, %s', async (_name, parentId, named) => {
      const siblings = (db: Database['read']) => contentSiblings(db, { organizationId, parentId }, 'moved')
      expect(await costly((db) => findGap(siblings(db), {}))).toEqual([])
      expect(await costly((db) => findGap(siblings(db), { before: named }))).toEqual([])
    })
  })

  describe('of an organization', () => {
    const admin: Reader = { organizationId, userId: 'user' as UserId, role: 'admin' }
    const target = { organizationId, kind: 'space', id: 'one' as SpaceId } as const
    const list = { limit: 10 }
    const line = { organizationId, spaceId: target.id, changeRequestId: null }

    it.each<[string, (db: Db) => Promise<unknown>]>([
      ['spaces', (db) => listVisibleSpaces(db, admin, list)],
      ['collections', (db) => listVisibleCollections(db, admin, { ...list, nested: true })],
      ['members', (db) => listMembers(db, organizationId, list)],
      ['members of a role', (db) => listMembers(db, organizationId, { ...list, role: 'admin' })],
      ['members by last activity', (db) => listMembers(db, organizationId, { ...list, sort: 'lastSeenAt' })],
      ['users with roles', (db) => listGrantedUsers(db, target, list)],
      ['teams with roles', (db) => listGrantedTeams(db, target, list)],
      [
        'members of a team',
        (db) => listTeamMembers(db, { id: 'team', organization_id: organizationId } as TeamRow, list),
      ],
      ['sites', (db) => listVisibleSites(db, admin, list)],
      ['public sites', (db) => listPublicSites(db, 10)],
      ['the host of a site', (db) => isSiteHost(db, 'docs.example.org')],
      ['a site by its names', (db) => findSiteByNames(db, 'organization', 'Docs')],
      [
        'change requests',
        (db) => listChangeRequestsInOrganization(db, admin, { ...list, status: 'all' }, list),
      ],
      ['the history of a space', (db) => listRevisions(db, line, list)],
      [
        'the history of a change request',
        (db) => listRevisions(db, { ...line, changeRequestId: 'request' as ChangeRequestId }, list),
      ],
      ['the audit log', (db) => listAudit(db, organizationId, {}, list)],
      ['the audit log of an action', (db) => listAudit(db, organizationId, { action: 'signIn' }, list)],
    ])('are read from an index, not walked or sorted: %s', async (_name, work) => {
      expect(await costly(work)).toEqual([])
    })
  })

  describe('lookups by name', () => {
    const space = { organization_id: organizationId, id: 'one' as SpaceId }
    const reader: Reader = { organizationId, userId: 'user' as UserId, role: 'read' }
    const named = Array.from({ length: 50 }, (_, at) => `space${at}` as SpaceId)

    it.each<[string, (db: Db) => Promise<unknown>]>([
      ['a space with its levels', (db) => findSpaceWithFacts(db, organizationId, reader.userId, space.id)],
      ['levels on fifty spaces', (db) => loadLevels(db, reader, 'space', named)],
      ['what fifty spaces show', (db) => loadRelations(db, organizationId, named)],
      ['what fifty spaces say in custom fields', (db) => loadFieldTexts(db, organizationId, named)],
      ['whether a site opens a space', (db) => isPublicSpace(db, space)],
      ['how many spaces sites show', (db) => countSiteSpaces(db, organizationId, named as never)],
      [
        'the newest of a history',
        (db) => listRevisions(db, { organizationId, spaceId: space.id, changeRequestId: null }, { limit: 5 }),
      ],
      ['a revision', (db) => findRevision(db, organizationId, space.id, 'one' as RevisionId)],
      ['what is inside a collection', (db) => listSubtree(db, { ...space, id: collection })],
      [
        'sections with a word',
        (db) => rankPages(db, { scope: { organizationId, spaceIds: named }, text: 'a ' }),
      ],
    ])('no other rows of the organization are walked through: %s', async (_name, work) => {
      const plans = await plansOf(database.read, work)
      expect(plans.flatMap(({ walking }) => walking)).toEqual([])
      expect(plans.length).toBeGreaterThan(0)
    })
  })

  describe('of more than can be named in a query', () => {
    const many = 1_100
    const reader: Reader = { organizationId, userId: 'user0' as UserId, role: 'read' }

    beforeAll(async () => {
      const ids = Array.from({ length: many }, (_, at) => at)
      await database.write(async (tx) => {
        for (let at = 0; at < many; at += 100) {
          const part = ids.slice(at, at + 100)
          await tx.insertInto('users').values(part.map(userRow)).execute()
          await tx
            .insertInto('members')
            .values(part.map((one) => memberRow(organizationId, one)))
            .execute()
        }
        for (const at of ids) await insertSpace(tx, organizationId, `space${at}`, `b${at}`)
        await acrossTestOrganizations(tx)
          .updateTable('spaces')
          .set({ default_level: null })
          .where('id', 'in', ['space7', 'space8'] as SpaceId[])
          .execute()
        for (const at of [6, 7, 8]) {
          const section = { anchor: null, heading: '', body: 'a needle' }
          const page = {
            pageId: 'page' as PageId,
            title: 'Page',
            path: 'page',
            text: '',
            sections: [section],
          }
          const place = { organizationId, spaceId: `space${at}` as SpaceId }
          await replacePages(tx, place, foldPages([page]))
        }
        const granted = { organizationId, kind: 'space', id: 'space8' as SpaceId } as const
        await grant(tx, granted, [{ kind: 'user', id: reader.userId }], { role: 'edit', now: 0 })
      })
    })

    it('searches the spaces that the reader may read, and no others', async () => {
      const scope = await findSearchScope(database.read, reader)
      expect(scope).toHaveProperty('isInScope')
      const { pages: found } = await rankPages(database.read, { scope, text: 'needle ' })
      expect(found.map(({ spaceId }) => spaceId).toSorted()).toEqual(['space6', 'space8'])
      const guest = await findSearchScope(database.read, { ...reader, role: null })
      expect(guest).toEqual({ organizationId, spaceIds: ['space8'] })
    })

    it('looks up search results by their number', async () => {
      const spaceId = 'space9' as SpaceId
      // For a few rows, a planner without statistics of the organization would do so by itself.
      const sections = Array.from({ length: 60 }, () => ({ anchor: null, heading: 'Pins', body: 'a pin' }))
      const page = { pageId: 'pins' as PageId, title: 'Pins', path: 'pins', text: '', sections }
      await database.write((tx) => replacePages(tx, { organizationId, spaceId }, foldPages([page])))
      const searched = { organizationId, spaceIds: [spaceId] }
      const question = {
        scope: searched,
        query: 'pin ',
        by: 'page',
        offset: 0,
        limit: 10,
        excerptLength: 9,
      } as const
      const plans = await plansOf(database.read, async (db) => {
        expect((await executeSearch(db, question)).count).toBe(1)
      })
      expect(plans.flatMap(({ walking }) => walking)).toEqual([])
    })

    it('looks up the words and the pages that it needs, however many there are', async () => {
      const spaceId = 'space10' as SpaceId
      const pages = Array.from({ length: 400 }, (_, at) => {
        const body = Array.from({ length: 20 }, (_word, of) => `word${at * 20 + of}`).join(' ')
        const section = { anchor: null, heading: '', body: `${body} common` }
        return {
          pageId: `p${at}` as PageId,
          title: `Page ${at}`,
          path: `p${at}`,
          text: '',
          sections: [section],
        }
      })
      await database.write((tx) => replacePages(tx, { organizationId, spaceId }, foldPages(pages)))
      if (database.engine === 'postgres')
        for (const table of ['search_vocabulary', 'search_pages', 'search_sections'])
          await database.write((tx) => sql`analyze ${sql.table(table)}`.execute(tx))
      const scope = { organizationId, spaceIds: [spaceId] }
      const window = { by: 'page', offset: 0, limit: 10, excerptLength: 9 } as const
      const plans = await plansOf(database.read, async (db) => {
        const { count } = await executeSearch(db, { ...window, scope, query: 'word7 commom' })
        expect(count).toBe(1)
      })
      const scanning = plans
        .flatMap((plan) => plan.scanning)
        .filter((line) => /search_(vocabulary|pages)/.test(line))
      expect([scanning, plans.flatMap(({ walking }) => walking)]).toEqual([[], []])
    })

    it('lists who has a role on a space, whether many have it or few', async () => {
      const roleOn = async (id: string, role?: Role) => {
        const on = { organizationId, kind: 'space', id: id as SpaceId } as const
        const { items, count } = await listPeopleWithAccess(database.read, on, { role }, { limit: 5 })
        return [count, ...items.map(({ user_id, level }) => `${user_id} ${level}`)]
      }
      expect(await roleOn('space6', 'read')).toEqual([
        many,
        'user0 read',
        'user1 read',
        'user2 read',
        'user3 read',
        'user4 read',
      ])
      expect(await roleOn('space8')).toEqual([1, 'user0 edit'])
      expect(await roleOn('space8', 'edit')).toEqual([1, 'user0 edit'])
      expect(await roleOn('space7')).toEqual([0])
    })
  })
})

function userRow(at: number) {
  return {
    id: `user${at}` as UserId,
    display_name: `User ${at}`,
    email: `user${at}@example.org`,
    photo_url: null,
    password_hash: null,
    created_at: at,
    updated_at: at,
  }
}

function memberRow(organizationId: OrganizationId, at: number) {
  return {
    organization_id: organizationId,
    user_id: `user${at}` as UserId,
    role: 'read',
    disabled: 0 as const,
    sso: 0 as const,
    joined_at: at,
    last_seen_at: null,
  }
}
