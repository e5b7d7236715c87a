/**
 * Permission scenarios of `docs/permissions.md`, by number: each asserts the yes/no rule and the list filter together,
 * on both engines.
 */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadLevels } from '../src/access/rules/level-facts.js'
import { grant } from '../src/access/rules/grants.js'
import { type Level, reaches } from '../src/access/rules/levels.js'
import { isVisibleSpace } from '../src/access/rules/visible.js'
import { newId } from '../src/access/ids.js'
import { type DefaultLevel, type Role, roles } from '../src/contract/shapes.js'
import type { CollectionId, OrganizationId, SpaceId, TeamId } from '../src/core/ids.js'
import { findCollectionContext } from '../src/resources/collections/scope.js'
import { insertCollection, listVisibleCollections } from '../src/resources/collections/store.js'
import { findOrganizationOf } from '../src/resources/organizations/store.js'
import { listPeopleWithAccess } from '../src/resources/permissions/store.js'
import { routes } from '../src/server/api/api.js'
import { createSpace } from '../src/resources/spaces/create.js'
import { getSpaceContext } from '../src/resources/spaces/scope.js'
import { listVisibleSpaces, updateSpace } from '../src/resources/spaces/store.js'
import { insertTeam, putTeamMembers } from '../src/resources/teams/store.js'
import { findInDirectory } from '../src/store/db/directory.js'
import { type TestClient, type Person, openTestClient } from './test-client.js'
import { plainCustomization } from './customization/samples.js'
import { describeEngines } from './engines.js'
import { acrossTestOrganizations } from './test-rows.js'

interface Space {
  readonly kind: 'space'
  readonly id: SpaceId
}
interface Collection {
  readonly kind: 'collection'
  readonly id: CollectionId
}
interface Team {
  readonly team: TeamId
}
interface Place {
  readonly in?: Collection
  readonly level?: DefaultLevel
  readonly by?: Person
}

/** An organization with an admin, and the verbs to furnish it. */
interface World {
  readonly api: TestClient
  readonly id: OrganizationId
  readonly admin: Person
  member(role: Role | null): Promise<Person>
  stranger(): Promise<Person>
  space(place?: Place): Promise<Space>
  collection(place?: Place): Promise<Collection>
  team(...people: Person[]): Promise<Team>
  give(target: Space | Collection, to: Person | Team, role: Role): Promise<void>
  /** Asserts the level by the rule, and that lists agree with it. */
  expect(person: Person, resource: Space | Collection, level: Level): Promise<void>
  /** Sends a request that must succeed, as the admin by default. */
  act(method: string, path: string, body?: unknown, person?: Person): Promise<any>
  /** Sends a request that must be answered with 403. */
  refuse(person: Person, method: string, path: string, body?: unknown): Promise<void>
  /** The operations that were refused so. */
  readonly refused: ReadonlySet<string>
}

async function openWorld(api: TestClient): Promise<World> {
  const { database } = api.services
  let count = 0
  const someone = () => api.person(`p${newId().slice(0, 8)}${(count += 1)}`.toLowerCase())
  const admin = await someone()
  const id = await api.organization(admin, `Org ${newId()}`)

  async function visible(person: Person, { kind, id: wanted }: Space | Collection): Promise<boolean> {
    const own = await findOrganizationOf(database.read, person.id, organizationOf.get(wanted) ?? id)
    if (own === undefined) return false
    const reader = { userId: person.id, organizationId: own.row.id, role: own.role }
    const list =
      kind === 'space'
        ? await listVisibleSpaces(database.read, reader, { limit: 1000 })
        : await listVisibleCollections(database.read, reader, { limit: 1000, nested: true })
    expect(list.count).toBe(list.items.length)
    if (kind === 'space') {
      // Few spaces are looked up by id, many are filtered by a query.
      const filtered = await database.read
        .selectFrom('spaces')
        .select('id')
        .where('organization_id', '=', reader.organizationId)
        .where((space) => isVisibleSpace(space, reader))
        .execute()
      expect(filtered.map((one) => one.id).toSorted()).toEqual(list.items.map((one) => one.id).toSorted())
    }
    return list.items.some((item) => item.id === wanted)
  }
  const organizationOf = new Map<string, OrganizationId>()
  const refused = new Set<string>()

  return {
    api,
    id,
    admin,
    async member(role) {
      const person = await someone()
      await api.join(id, person, role)
      return person
    },
    stranger: someone,
    async space({ in: around, level = 'inherit', by = admin } = {}) {
      const row = await database.write(async (tx) => {
        const made = await createSpace(
          tx,
          {},
          { organizationId: id, collectionId: around?.id ?? null, userId: by.id, now: api.now() },
        )
        return updateSpace(tx, made, { default_level: level })
      })
      return { kind: 'space', id: row.id }
    },
    async collection({ in: around, level = 'inherit', by = admin } = {}) {
      const row = await database.write((tx) =>
        insertCollection(tx, {
          id: newId<CollectionId>(),
          organization_id: id,
          parent_id: around?.id ?? null,
          title: 'Collection',
          description: null,
          default_level: level,
          created_by: by.id,
          created_at: api.now(),
          updated_at: api.now(),
        }),
      )
      return { kind: 'collection', id: row.id }
    },
    team: (...people) =>
      database.write(async (tx) => {
        const now = api.now()
        const row = {
          id: newId<TeamId>(),
          organization_id: id,
          title: 'Team',
          created_at: now,
          updated_at: now,
        }
        const team = await insertTeam(tx, row)
        await putTeamMembers(
          tx,
          team,
          people.map((person) => ({ userId: person.id })),
          now,
        )
        return { team: team.id }
      }),
    give: (target, to, role) =>
      database.write((tx) => {
        const grantee =
          'team' in to ? ({ kind: 'team', id: to.team } as const) : ({ kind: 'user', id: to.id } as const)
        return grant(tx, { ...target, organizationId: id }, [grantee], { role, now: api.now() })
      }),
    async expect(person, resource, level) {
      const organizationId = (await findInDirectory(database.read, resource.id))!
      organizationOf.set(resource.id, organizationId)
      const context =
        resource.kind === 'space'
          ? await getSpaceContext(database.read, person.id, {
              organization_id: organizationId,
              id: resource.id,
            })
          : (await findCollectionContext(database.read, organizationId, person.id, resource.id))!
      expect(context.level, 'the rule').toBe(level)
      const reader = { userId: person.id, organizationId, role: context.role }
      const many = await loadLevels<SpaceId | CollectionId>(database.read, reader, resource.kind, [
        resource.id,
      ])
      expect(many.get(resource.id), 'the rule for many').toBe(level)
      const target = { organizationId, ...resource }
      for (const role of [undefined, ...roles]) {
        const { items } = await listPeopleWithAccess(database.read, target, { role }, { limit: 1000 })
        const known = items.find(({ user_id }) => user_id === person.id)?.level ?? null
        expect(known, 'the rule for everybody').toBe(role === undefined || role === level ? level : null)
      }
      const isDeleted = 'deleted_at' in context.row && context.row.deleted_at !== null
      expect(await visible(person, resource), 'the list').toBe(reaches(level, 'read') && !isDeleted)
      const answer = await api.request(person, 'GET', `/${resource.kind}s/${resource.id}`)
      const isKnown = reaches(level, isDeleted ? 'create' : 'read')
      expect(answer.status, 'the endpoint').toBe(isKnown ? 200 : 404)
      if (isKnown) expect(answer.body.permissions.admin).toBe(reaches(level, 'create'))
    },
    async act(method, path, body, person = admin) {
      const answer = await api.request(person, method, path, body)
      expect(answer.status, answer.text).toBeLessThan(300)
      return answer.body
    },
    async refuse(person, method, path, body) {
      const answer = await api.request(person, method, path, body)
      expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(403)
      refused.add(operationAt(method, path))
    },
    refused,
  }
}

function operationAt(method: string, path: string): string {
  const found = routes.find(
    ({ endpoint }) =>
      endpoint.method === method && new RegExp(`^${endpoint.path.replace(/:\w+/g, '[^/]+')}$`).test(path),
  )
  return found!.endpoint.operationId
}

/**
 * Resources that a writing operation affects besides the one in its path, for every operation below admin: none, or other
 * spaces and collections, with the scenarios in which it is refused because of one of them.
 */
const reachesBeside: Readonly<Record<string, 'nothing' | readonly number[]>> = {
  updateUserById: 'nothing',
  createAPIToken: 'nothing',
  updateUserPreferences: 'nothing',
  updateInboxEntry: 'nothing',
  markInboxRead: 'nothing',
  revokeAPIToken: 'nothing',
  endSession: 'nothing',
  setPassword: 'nothing',
  createOrganization: 'nothing',
  updateOrganizationMemberLastSeenAt: 'nothing',
  joinOrganizationWithInvite: 'nothing',
  joinOrganization: 'nothing',
  acceptInvitation: 'nothing',
  declineInvitation: 'nothing',
  createOrganizationInvite: [56],
  updateOrganizationInviteById: [56],
  createOpenApiSpec: 'nothing',
  createOrUpdateOpenApiSpecBySlug: 'nothing',
  // Of the settings of an organization, or of one space with its translation run.
  putTranslationGuidance: 'nothing',
  putTranslator: 'nothing',
  deleteTranslator: 'nothing',
  createSpaceTranslation: 'nothing',
  updateSpaceTranslation: 'nothing',
  deleteSpaceTranslation: 'nothing',
  runSpaceTranslation: 'nothing',
  cancelSpaceTranslation: 'nothing',
  importTranslationXliff: 'nothing',
  updateOpenApiSpecBySlug: 'nothing',
  deleteOpenApiSpecBySlug: 'nothing',
  updateSpaceCustomFields: 'nothing',
  postCommentInSpace: 'nothing',
  applySuggestionInSpace: 'nothing',
  applySuggestionInChangeRequest: 'nothing',
  applySuggestionsInSpace: 'nothing',
  applySuggestionsInChangeRequest: 'nothing',
  updateCommentInSpace: 'nothing',
  deleteCommentInSpace: 'nothing',
  postCommentReplyInSpace: 'nothing',
  updateCommentReplyInSpace: 'nothing',
  deleteCommentReplyInSpace: 'nothing',
  postCommentInChangeRequest: 'nothing',
  updateCommentInChangeRequest: 'nothing',
  deleteCommentInChangeRequest: 'nothing',
  postCommentReplyInChangeRequest: 'nothing',
  updateCommentReplyInChangeRequest: 'nothing',
  deleteCommentReplyInChangeRequest: 'nothing',
  submitChangeRequestReview: 'nothing',
  withdrawChangeRequestReview: 'nothing',
  requestReviewersForChangeRequest: 'nothing',
  removeRequestedReviewerFromChangeRequest: 'nothing',
  createCollection: 'nothing',
  updateCollectionById: [53, 55, 56],
  moveCollection: [54],
  deleteCollectionById: [51],
  transferCollection: [52],
  inviteToCollection: [56],
  updateUserPermissionInCollection: [56],
  updateTeamPermissionInCollection: [56],
  // Grants on the collection are revoked there.
  removeUserFromCollection: 'nothing',
  removeTeamFromCollection: 'nothing',
  createSpace: 'nothing',
  updateSpaceById: [53, 55],
  deleteSpaceById: 'nothing',
  restoreSpace: 'nothing',
  purgeSpace: 'nothing',
  duplicateSpace: [58],
  moveSpace: [54],
  transferSpace: [58],
  inviteToSpace: 'nothing',
  updateUserPermissionInSpace: 'nothing',
  removeUserFromSpace: 'nothing',
  updateTeamPermissionInSpace: 'nothing',
  removeTeamFromSpace: 'nothing',
  updateSpaceContent: 'nothing',
  updatePageTextById: 'nothing',
  uploadFileInSpace: 'nothing',
  rollbackSpaceToRevision: 'nothing',
  restoreRevision: 'nothing',
  importArchiveInSpace: 'nothing',
  importArchiveInChangeRequest: 'nothing',
  importContentInSpace: 'nothing',
  cancelImportRun: 'nothing',
  importContentInPageById: 'nothing',
  importContentInChangeRequest: 'nothing',
  importContentInChangeRequestPageById: 'nothing',
  createChangeRequest: 'nothing',
  updateChangeRequestById: 'nothing',
  updateChangeRequestContent: 'nothing',
  updatePageTextInChangeRequestById: 'nothing',
  uploadFileInChangeRequest: 'nothing',
  mergeChangeRequest: 'nothing',
  updateChangeRequest: 'nothing',
  resolveChangeRequestConflicts: 'nothing',
  createSite: [59],
  updateSiteById: [49],
  publishSite: [49],
  unpublishSite: [49],
  addSpaceToSite: [50],
  deleteSiteById: [49],
  updateSiteAdaptiveSchema: [49],
  createSiteRedirect: [65],
  bulkUpsertSiteRedirects: [65],
  updateSiteRedirectById: [65],
  deleteSiteRedirectById: [65],
  updateSiteCustomizationById: [65],
  updateSiteScripts: [65],
  updateSiteInsightsSettings: [49],
  overrideSiteSpaceCustomizationById: [65],
  deleteSiteSpaceCustomizationById: [65],
  createSiteShareLink: [49],
  updateSiteShareLinkById: [49],
  deleteSiteShareLinkById: [49],
  updateSitePublishingAuthById: [49],
  regenerateSitePublishingAuthById: [49],
  updateSiteSpaceById: [65],
  deleteSiteSpaceById: [65],
  moveSiteSpace: [65],
  addSectionToSite: [65],
  updateSiteSectionById: [65],
  deleteSiteSectionById: [65],
  moveSiteSection: [65],
  addSectionGroupToSite: [65],
  updateSiteSectionGroupById: [65],
  deleteSiteSectionGroupById: [65],
  addSectionToGroup: [65],
  removeSectionFromGroup: [65],
  moveSiteSectionGroup: [65],
  sortSiteStructure: [65],
}

const scenarios: Record<number, (world: World) => Promise<void>> = {
  1: async (w) => w.expect(w.admin, await w.space({ level: 'read' }), 'admin'),
  2: async (w) => {
    const space = await w.space()
    for (const role of ['read', 'comment', 'edit', 'review', 'create'] as const)
      await w.expect(await w.member(role), space, role)
  },
  3: async (w) => w.expect(await w.member(null), await w.space(), null),
  4: async (w) => w.expect(await w.stranger(), await w.space({ level: 'edit' }), null),
  5: async (w) => {
    const space = await w.space({ level: 'comment' })
    await w.expect(await w.member('read'), space, 'comment')
    await w.expect(await w.member('create'), space, 'comment')
  },
  6: async (w) => w.expect(await w.member(null), await w.space({ level: 'edit' }), null),
  7: async (w) => {
    const space = await w.space({ level: null })
    await w.expect(await w.member('create'), space, null)
    // Who made it would find it as its creator, too.
    await w.expect(await w.member('admin'), space, 'admin')
  },
  8: async (w) => {
    const maker = await w.member('create')
    await w.expect(maker, await w.space({ level: null, by: maker }), 'create')
  },
  9: async (w) => {
    const maker = await w.member('create')
    const space = await w.space({ level: null, by: maker })
    await w.act('PATCH', `/orgs/${w.id}/members/${maker.id}`, { role: 'read' })
    await w.expect(maker, space, 'read')
  },
  10: async (w) => {
    const maker = await w.member('create')
    await w.expect(maker, await w.space({ level: 'read', by: maker }), 'read')
  },
  11: async (w) => {
    const reader = await w.member('read')
    const space = await w.space()
    await w.give(space, reader, 'review')
    await w.expect(reader, space, 'review')
  },
  12: async (w) => {
    const creator = await w.member('create')
    const space = await w.space()
    await w.give(space, creator, 'read')
    await w.expect(creator, space, 'read')
  },
  13: async (w) => {
    const reader = await w.member('read')
    const space = await w.space({ level: null })
    await w.give(space, reader, 'edit')
    await w.expect(reader, space, 'edit')
  },
  14: async (w) => {
    const guest = await w.member(null)
    const [shared, other] = [await w.space(), await w.space()]
    await w.give(shared, guest, 'comment')
    await w.expect(guest, shared, 'comment')
    await w.expect(guest, other, null)
  },
  15: async (w) => {
    const space = await w.space()
    await w.give(space, w.admin, 'read')
    await w.expect(w.admin, space, 'admin')
  },
  16: async (w) => {
    const reader = await w.member('read')
    const space = await w.space()
    await w.give(space, await w.team(reader), 'edit')
    await w.expect(reader, space, 'edit')
    await w.expect(await w.member('read'), space, 'read')
  },
  17: async (w) => {
    const reader = await w.member('read')
    const space = await w.space()
    await w.give(space, await w.team(reader), 'comment')
    await w.give(space, await w.team(reader), 'review')
    await w.give(space, await w.team(reader), 'edit')
    await w.expect(reader, space, 'review')
  },
  18: async (w) => {
    const reader = await w.member('edit')
    const space = await w.space()
    await w.give(space, await w.team(reader), 'create')
    await w.give(space, reader, 'comment')
    await w.expect(reader, space, 'comment')
  },
  19: async (w) => {
    const creator = await w.member('create')
    const space = await w.space({ level: 'review' })
    await w.give(space, await w.team(creator), 'read')
    await w.expect(creator, space, 'read')
  },
  20: async (w) => {
    const guest = await w.member(null)
    const space = await w.space({ level: null })
    await w.give(space, await w.team(guest), 'edit')
    await w.expect(guest, space, 'edit')
  },
  21: async (w) => {
    const reader = await w.member('read')
    const space = await w.space({ level: null })
    const team = await w.team(reader)
    await w.give(space, team, 'edit')
    await w.expect(reader, space, 'edit')
    await w.act('DELETE', `/orgs/${w.id}/teams/${team.team}/members/${reader.id}`)
    await w.expect(reader, space, null)
  },
  22: async (w) => {
    const reader = await w.member('read')
    const space = await w.space({ level: null })
    const team = await w.team(reader)
    await w.give(space, team, 'edit')
    await w.expect(reader, space, 'edit')
    await w.act('DELETE', `/orgs/${w.id}/teams/${team.team}`)
    await w.expect(reader, space, null)
  },
  23: async (w) => {
    const editor = await w.member('edit')
    const collection = await w.collection({ level: 'comment' })
    await w.expect(editor, collection, 'comment')
    await w.expect(editor, await w.space({ in: collection }), 'comment')
  },
  24: async (w) => {
    const creator = await w.member('create')
    const collection = await w.collection({ level: null })
    await w.expect(creator, collection, null)
    await w.expect(creator, await w.space({ in: collection }), null)
    const other = await w.member('admin')
    await w.expect(other, collection, 'admin')
    await w.expect(other, await w.space({ in: collection }), 'admin')
  },
  25: async (w) => {
    const reader = await w.member('read')
    const collection = await w.collection({ level: null })
    const space = await w.space({ in: collection, level: 'edit' })
    await w.expect(reader, space, 'edit')
    await w.expect(reader, collection, null)
  },
  26: async (w) => {
    const editor = await w.member('edit')
    const collection = await w.collection({ level: 'review' })
    await w.expect(editor, await w.space({ in: collection, level: null }), null)
  },
  27: async (w) => {
    const reader = await w.member('read')
    const collection = await w.collection()
    await w.give(collection, reader, 'create')
    await w.expect(reader, collection, 'create')
    await w.expect(reader, await w.space({ in: collection }), 'create')
  },
  28: async (w) => {
    const reader = await w.member('read')
    const collection = await w.collection()
    await w.give(collection, reader, 'create')
    await w.expect(reader, await w.space({ in: collection, level: 'comment' }), 'comment')
  },
  29: async (w) => {
    const guest = await w.member(null)
    const collection = await w.collection()
    await w.give(collection, guest, 'edit')
    await w.expect(guest, await w.space({ in: collection }), 'edit')
    await w.expect(guest, await w.space({ in: collection, level: 'review' }), null)
    await w.expect(guest, await w.space(), null)
  },
  30: async (w) => {
    const editor = await w.member('edit')
    const collection = await w.collection()
    await w.give(collection, editor, 'create')
    const space = await w.space({ in: collection })
    await w.give(space, await w.team(editor), 'read')
    await w.expect(editor, space, 'read')
  },
  31: async (w) => {
    const editor = await w.member('edit')
    const outer = await w.collection({ level: 'comment' })
    const inner = await w.collection({ in: await w.collection({ in: outer }) })
    await w.expect(editor, inner, 'comment')
    await w.expect(editor, await w.space({ in: inner }), 'comment')
  },
  32: async (w) => {
    const editor = await w.member('edit')
    const outer = await w.collection({ level: null })
    const inner = await w.collection({ in: outer, level: 'review' })
    await w.expect(editor, outer, null)
    await w.expect(editor, inner, 'review')
    await w.expect(editor, await w.space({ in: inner }), 'review')
  },
  33: async (w) => {
    const guest = await w.member(null)
    const outer = await w.collection({ level: 'edit' })
    const inner = await w.collection({ in: outer })
    await w.give(outer, await w.team(guest), 'comment')
    await w.give(inner, await w.team(guest), 'review')
    await w.expect(guest, outer, 'comment')
    await w.expect(guest, await w.space({ in: outer }), 'comment')
    await w.expect(guest, await w.space({ in: inner }), 'review')
  },
  34: async (w) => {
    const maker = await w.member('create')
    const collection = await w.collection({ level: null, by: maker })
    await w.expect(maker, collection, 'create')
    await w.expect(maker, await w.space({ in: collection }), 'create')
    await w.expect(await w.member('create'), collection, null)
  },
  35: async (w) => {
    const maker = await w.member('create')
    const collection = await w.collection({ level: null })
    await w.expect(maker, await w.space({ in: collection, by: maker }), null)
  },
  36: async (w) => {
    const [editor, guest] = [await w.member('edit'), await w.member(null)]
    const [space, collection] = [await w.space(), await w.collection()]
    await w.give(space, guest, 'edit')
    await w.api.services.database.write((tx) =>
      acrossTestOrganizations(tx)
        .updateTable('members')
        .set({ disabled: 1 })
        .where('user_id', 'in', [editor.id, guest.id])
        .execute(),
    )
    for (const person of [editor, guest]) {
      await w.expect(person, space, null)
      await w.expect(person, collection, null)
    }
  },
  37: async (w) => {
    const [editor, creator] = [await w.member('edit'), await w.member('create')]
    const space = await w.space()
    await w.expect(editor, space, 'edit')
    await w.act('DELETE', `/spaces/${space.id}`)
    await w.expect(editor, space, 'edit')
    await w.expect(creator, space, 'create')
  },
  38: async (w) => {
    const editor = await w.member('edit')
    const space = await w.space()
    await w.act('DELETE', `/spaces/${space.id}`)
    await w.act('POST', `/spaces/${space.id}/restore`)
    await w.expect(editor, space, 'edit')
  },
  39: async (w) => {
    const creator = await w.member('create')
    const hidden = await w.collection({ level: null })
    const inner = await w.collection({ in: hidden })
    const space = await w.space({ in: inner })
    await w.act('DELETE', `/collections/${hidden.id}`)
    await w.expect(creator, space, null)
    await w.act('POST', `/spaces/${space.id}/restore`)
    await w.expect(creator, space, null)
    await w.expect(w.admin, space, 'admin')
  },
  40: async (w) => {
    const [reader, guest] = [await w.member('read'), await w.member(null)]
    const space = await w.space()
    await w.give(space, reader, 'edit')
    await w.give(space, guest, 'edit')
    const otherWorld = await openWorld(w.api)
    await otherWorld.api.join(otherWorld.id, w.admin, 'create')
    await otherWorld.api.join(otherWorld.id, guest, null)
    const local = await otherWorld.member('comment')
    await w.expect(reader, space, 'edit')
    await w.act('POST', `/spaces/${space.id}/transfer`, { organization: otherWorld.id })
    await w.expect(reader, space, null)
    await w.expect(guest, space, null)
    await w.expect(local, space, 'comment')
    await w.expect(w.admin, space, 'create')
  },
  41: async (w) => {
    const reader = await w.member('read')
    const outer = await w.collection({ level: null })
    const inner = await w.collection({ in: outer, level: 'edit' })
    const space = await w.space({ in: inner })
    const otherWorld = await openWorld(w.api)
    await otherWorld.api.join(otherWorld.id, w.admin, 'create')
    const local = await otherWorld.member('comment')
    await w.act('POST', `/collections/${inner.id}/transfer`, { organization: otherWorld.id })
    await w.expect(reader, space, null)
    await w.expect(reader, inner, null)
    await w.expect(local, inner, 'edit')
    await w.expect(local, space, 'edit')
  },
  42: async (w) => {
    const editor = await w.member('edit')
    const space = await w.space()
    const hidden = await w.collection({ level: null })
    await w.expect(editor, space, 'edit')
    await w.act('POST', `/spaces/${space.id}/move`, { parent: hidden.id })
    await w.expect(editor, space, null)
    await w.act('POST', `/spaces/${space.id}/move`, { parent: null })
    await w.expect(editor, space, 'edit')
  },
  43: async (w) => {
    const person = await w.member('read')
    const space = await w.space({ level: null })
    await w.give(space, person, 'edit')
    await w.give(space, await w.team(person), 'edit')
    await w.expect(person, space, 'edit')
    await w.act('DELETE', `/orgs/${w.id}/members/${person.id}`)
    await w.expect(person, space, null)
    await w.api.join(w.id, person, 'read')
    await w.expect(person, space, null)
  },
  44: async (w) => {
    const refused = await w.api.request(w.admin, 'DELETE', `/orgs/${w.id}/members/${w.admin.id}`)
    expect(refused.status).toBe(409)
    const demoted = await w.api.request(w.admin, 'PATCH', `/orgs/${w.id}/members/${w.admin.id}`, {
      role: 'edit',
    })
    expect(demoted.status).toBe(409)
    const space = await w.space()
    await w.expect(w.admin, space, 'admin')
    const second = await w.member('admin')
    await w.act('DELETE', `/orgs/${w.id}/members/${w.admin.id}`)
    await w.expect(w.admin, space, null)
    await w.expect(second, space, 'admin')
  },
  45: async (w) => {
    const creator = await w.member('create')
    const space = await w.space()
    const other = await w.member('read')
    const path = `/spaces/${space.id}/permissions`
    const refused = await w.api.request(creator, 'POST', path, { role: 'admin', users: [other.id] })
    expect(refused.status).toBe(403)
    await w.expect(other, space, 'read')
    await w.act('POST', path, { role: 'create', users: [other.id] }, creator)
    await w.expect(other, space, 'create')
  },
  46: async (w) => {
    const reader = await w.member('read')
    const space = await w.space({ level: null })
    await w.act('POST', `/spaces/${space.id}/permissions`, { role: 'edit', users: [reader.id] })
    await w.expect(reader, space, 'edit')
    await w.act('PATCH', `/spaces/${space.id}/permissions/users/${reader.id}`, { role: null })
    await w.expect(reader, space, null)
  },
  47: async (w) => {
    const guest = await w.stranger()
    const [shared, other] = [await w.space(), await w.space()]
    const body = { level: 'comment', space: shared.id }
    const { id } = await w.act('POST', `/orgs/${w.id}/link-invites`, body)
    await w.act('POST', `/orgs/${w.id}/invites/${id}`, undefined, guest)
    await w.expect(guest, shared, 'comment')
    await w.expect(guest, other, null)
  },
  48: async (w) => {
    const creator = await w.member('create')
    const space = await w.space()
    const body = { level: 'read', space: space.id }
    const { id } = await w.act('POST', `/orgs/${w.id}/link-invites`, body)
    await w.act('POST', `/orgs/${w.id}/invites/${id}`, undefined, creator)
    await w.expect(creator, space, 'create')
  },
  49: async (w) => {
    const creator = await w.member('create')
    const [open, hidden] = [await w.space(), await w.space({ level: null })]
    const at = `/orgs/${w.id}/sites`
    const { id } = await w.act('POST', at, { visibility: 'share-link', spaces: [open.id, hidden.id] })
    await w.act('GET', `${at}/${id}`, undefined, creator)
    await w.refuse(creator, 'POST', `${at}/${id}/publish`)
    const jsonSchema = { type: 'object', properties: {}, additionalProperties: false }
    await w.refuse(creator, 'PUT', `${at}/${id}/adaptive-schema`, { jsonSchema })
    await w.refuse(creator, 'PATCH', `${at}/${id}`, { visibility: 'public' })
    await w.act('POST', `${at}/${id}/publish`)
    await w.refuse(creator, 'POST', `${at}/${id}/unpublish`)
    await w.refuse(creator, 'DELETE', `${at}/${id}`)
    const link = await w.act('POST', `${at}/${id}/share-links`, {})
    await w.refuse(creator, 'POST', `${at}/${id}/share-links`, {})
    await w.refuse(creator, 'PATCH', `${at}/${id}/share-links/${link.id}`, { active: false })
    await w.refuse(creator, 'DELETE', `${at}/${id}/share-links/${link.id}`)
    await w.refuse(creator, 'PATCH', `${at}/${id}/publishing/auth`, { fallbackURL: null })
    await w.refuse(creator, 'POST', `${at}/${id}/publishing/auth/regenerate`)
    await w.refuse(creator, 'PATCH', `${at}/${id}/insights/settings`, { days: 30 })
    for (const path of [
      'share-links',
      'publishing/auth',
      'publishing/preview',
      'insights/feedback',
      'insights/pages',
      'insights/settings',
    ])
      await w.refuse(creator, 'GET', `${at}/${id}/${path}`)
    await w.give(hidden, creator, 'review')
    await w.refuse(creator, 'PATCH', `${at}/${id}`, { visibility: 'public' })
    await w.give(hidden, creator, 'create')
    await w.act('PATCH', `${at}/${id}`, { visibility: 'public' }, creator)
    await w.act('POST', `${at}/${id}/unpublish`, undefined, creator)
    await w.act('DELETE', `${at}/${id}`, undefined, creator)
  },
  50: async (w) => {
    const creator = await w.member('create')
    const [open, own, hidden] = [await w.space(), await w.space(), await w.space({ level: null })]
    const site = await w.act('POST', `/orgs/${w.id}/sites`, { spaces: [open.id] })
    const path = `/orgs/${w.id}/sites/${site.id}/site-spaces`
    const unseen = await w.api.request(creator, 'POST', path, { spaceId: hidden.id })
    expect(unseen.status).toBe(400)
    await w.act('POST', path, { spaceId: own.id }, creator)
    await w.act('POST', path, { spaceId: hidden.id })
    await w.refuse(creator, 'POST', path, { spaceId: (await w.space()).id })
  },
  51: async (w) => {
    const creator = await w.member('create')
    const outer = await w.collection()
    const inner = await w.collection({ in: outer, level: null })
    const space = await w.space({ in: inner, level: 'create' })
    await w.refuse(creator, 'DELETE', `/collections/${outer.id}`)
    await w.give(inner, creator, 'create')
    await w.act('PATCH', `/spaces/${space.id}`, { defaultLevel: null })
    await w.refuse(creator, 'DELETE', `/collections/${outer.id}`)
    await w.act('DELETE', `/spaces/${space.id}`)
    await w.refuse(creator, 'DELETE', `/collections/${outer.id}`)
    await w.give(space, creator, 'create')
    await w.act('DELETE', `/collections/${outer.id}`, undefined, creator)
    await w.expect(creator, space, 'create')
  },
  52: async (w) => {
    const creator = await w.member('create')
    const outer = await w.collection()
    const space = await w.space({ in: outer, level: null })
    const otherWorld = await openWorld(w.api)
    await w.api.join(otherWorld.id, creator, 'create')
    const path = `/collections/${outer.id}/transfer`
    await w.refuse(creator, 'POST', path, { organization: otherWorld.id })
    await w.give(space, creator, 'review')
    await w.refuse(creator, 'POST', path, { organization: otherWorld.id })
    await w.give(space, creator, 'create')
    await w.act('POST', path, { organization: otherWorld.id }, creator)
    await w.expect(creator, outer, 'create')
  },
  53: async (w) => {
    const [creator, editor] = [await w.member('create'), await w.member('edit')]
    for (const resource of [await w.space(), await w.collection()]) {
      await w.refuse(creator, 'PATCH', `/${resource.kind}s/${resource.id}`, { defaultLevel: 'admin' })
      await w.expect(editor, resource, 'edit')
      await w.act('PATCH', `/${resource.kind}s/${resource.id}`, { defaultLevel: 'create' }, creator)
      await w.expect(editor, resource, 'create')
      await w.act('PATCH', `/${resource.kind}s/${resource.id}`, { defaultLevel: 'admin' })
      await w.expect(editor, resource, 'admin')
    }
  },
  54: async (w) => {
    const [creator, editor] = [await w.member('create'), await w.member('edit')]
    const open = await w.collection({ level: 'admin' })
    await w.give(open, creator, 'create')
    const nested = await w.collection({ in: open })
    const guarded = await w.collection()
    await w.give(guarded, await w.team(editor), 'admin')
    for (const resource of [await w.space(), await w.collection()]) {
      for (const parent of [open, nested, guarded]) {
        await w.refuse(creator, 'POST', `/${resource.kind}s/${resource.id}/move`, { parent: parent.id })
      }
      await w.expect(editor, resource, 'edit')
      await w.act('POST', `/${resource.kind}s/${resource.id}/move`, { parent: open.id })
      await w.expect(editor, resource, 'admin')
    }
    const closed = await w.space({ level: 'read' })
    await w.give(closed, creator, 'create')
    await w.act('POST', `/spaces/${closed.id}/move`, { parent: open.id }, creator)
    await w.expect(editor, closed, 'read')
  },
  55: async (w) => {
    const [creator, editor] = [await w.member('create'), await w.member('edit')]
    const around = await w.collection({ level: 'admin' })
    for (const resource of [
      await w.space({ in: around, level: null }),
      await w.collection({ in: around, level: null }),
    ]) {
      await w.give(resource, creator, 'create')
      await w.refuse(creator, 'PATCH', `/${resource.kind}s/${resource.id}`, { defaultLevel: 'inherit' })
      await w.expect(editor, resource, null)
      await w.act('PATCH', `/${resource.kind}s/${resource.id}`, { defaultLevel: 'inherit' })
      await w.expect(editor, resource, 'admin')
    }
  },
  56: async (w) => {
    const [creator, reader] = [await w.member('create'), await w.member('read')]
    const around = await w.collection({ level: 'read' })
    await w.give(around, creator, 'create')
    const space = await w.space({ in: await w.collection({ in: around }) })
    await w.give(space, creator, 'comment')
    const team = await w.team(reader)
    const path = `/collections/${around.id}`
    const ways = async (role: string): Promise<[method: string, path: string, body: object][]> => [
      ['POST', `${path}/permissions`, { role, users: [reader.id] }],
      ['POST', `${path}/permissions`, { role, teams: [team.team] }],
      ['PATCH', `${path}/permissions/users/${reader.id}`, { role }],
      ['PATCH', `${path}/permissions/teams/${team.team}`, { role }],
      ['POST', `/orgs/${w.id}/link-invites`, { collection: around.id, level: role }],
      ['PATCH', path, { defaultLevel: role }],
    ]
    for (const [method, at, body] of await ways('edit')) await w.refuse(creator, method, at, body)
    await w.expect(reader, space, 'read')
    for (const [method, at, body] of await ways('comment')) await w.act(method, at, body, creator)
    await w.expect(reader, space, 'comment')
    const invite = await w.act('POST', `/orgs/${w.id}/link-invites`, { collection: around.id, level: 'read' })
    await w.refuse(creator, 'PATCH', `/orgs/${w.id}/link-invites/${invite.id}`, { level: 'edit' })
  },
  57: async (w) => {
    const [creator, reader] = [await w.member('create'), await w.member('read')]
    const around = await w.collection()
    await w.give(around, creator, 'create')
    const hidden = await w.space({ in: around, level: null })
    const set = await w.space({ in: around, level: 'read' })
    const role = { role: 'edit', users: [reader.id] }
    await w.act('POST', `/collections/${around.id}/permissions`, role, creator)
    await w.expect(reader, around, 'edit')
    await w.expect(reader, hidden, null)
    await w.expect(reader, set, 'read')
  },
  58: async (w) => {
    const creator = await w.member('create')
    const space = await w.space({ level: 'admin' })
    await w.give(space, creator, 'create')
    const otherWorld = await openWorld(w.api)
    await w.api.join(otherWorld.id, creator, 'create')
    await w.refuse(creator, 'POST', `/spaces/${space.id}/duplicate`)
    await w.refuse(creator, 'POST', `/spaces/${space.id}/transfer`, { organization: otherWorld.id })
    await w.act('PATCH', `/spaces/${space.id}`, { defaultLevel: 'edit' })
    await w.act('POST', `/spaces/${space.id}/duplicate`, undefined, creator)
    await w.act('POST', `/spaces/${space.id}/transfer`, { organization: otherWorld.id }, creator)
  },
  59: async (w) => {
    const creator = await w.member('create')
    const [own, visible, hidden] = [
      await w.space(),
      await w.space({ level: 'review' }),
      await w.space({ level: null }),
    ]
    const at = `/orgs/${w.id}/sites`
    await w.refuse(creator, 'POST', at, { spaces: [own.id, visible.id] })
    const unseen = await w.api.request(creator, 'POST', at, { spaces: [own.id, hidden.id] })
    expect(unseen.status).toBe(400)
    await w.act('POST', at, { spaces: [own.id] }, creator)
  },
  60: async (w) => {
    const person = await w.stranger()
    const { email } = (await w.api.request(person, 'GET', '/user')).body
    await w.act('POST', `/orgs/${w.id}/invites`, { emails: [email], role: 'create' })
    const [space, team] = [await w.space({ level: null }), await w.team(person)]
    await w.give(space, team, 'edit')
    await w.refuse(person, 'GET', `/spaces/${space.id}`)
    await w.refuse(person, 'GET', `/orgs/${w.id}/spaces`)
    await w.refuse(person, 'POST', `/orgs/${w.id}/spaces`, {})
    await w.act('POST', `/user/invitations/${w.id}`, undefined, person)
    await w.expect(person, space, 'edit')
    await w.act('POST', `/orgs/${w.id}/spaces`, {}, person)
  },
  61: async (w) => {
    const [maker, other, space] = [await w.member('read'), await w.member('create'), await w.space()]
    await w.give(space, maker, 'create')
    const body = { level: 'create', space: space.id }
    const { id } = await w.act('POST', `/orgs/${w.id}/link-invites`, body, maker)
    const join = async () => {
      const guest = await w.stranger()
      return (await w.api.request(guest, 'POST', `/orgs/${w.id}/invites/${id}`)).status
    }
    expect(await join()).toBeLessThan(300)
    await w.give(space, maker, 'edit')
    expect(await join()).toBe(404)
    await w.act('PATCH', `/orgs/${w.id}/link-invites/${id}`, { level: 'edit' }, other)
    expect(await join()).toBeLessThan(300)
    await w.act('PATCH', `/spaces/${space.id}`, { defaultLevel: 'read' })
    expect(await join()).toBe(404)
  },
  62: async (w) => {
    const [editor, reviewer, space] = [await w.member('edit'), await w.member('review'), await w.space()]
    const team = await w.team(editor, reviewer)
    const { number } = await w.act('POST', `/spaces/${space.id}/change-requests`, {}, editor)
    const at = `/spaces/${space.id}/change-requests/${number}`
    await w.expect(editor, space, 'edit')
    const named = await w.api.request(w.admin, 'POST', `${at}/requested-reviewers`, { users: [editor.id] })
    expect(named.status).toBe(400)
    await w.act('POST', `${at}/requested-reviewers`, { users: [reviewer.id], teams: [team.team] }, editor)
    await w.refuse(editor, 'POST', `${at}/reviews`, { status: 'approved' })
    await w.expect(editor, space, 'edit')
    await w.act('POST', `${at}/reviews`, { status: 'approved' }, reviewer)
  },
  63: async (w) => {
    const [reviewer, space] = [await w.member('read'), await w.space()]
    await w.give(space, reviewer, 'review')
    const rules = [{ rule: 'require_at_least_one_approved_review' }]
    await w.act('PATCH', `/spaces/${space.id}`, { mergeRules: { type: 'rules', rules } })
    const { number } = await w.act('POST', `/spaces/${space.id}/change-requests`)
    const at = `/spaces/${space.id}/change-requests/${number}`
    await w.act('POST', `${at}/reviews`, { status: 'approved' }, reviewer)
    await w.give(space, reviewer, 'edit')
    await w.expect(reviewer, space, 'edit')
    expect((await w.api.request(w.admin, 'POST', `${at}/merge`)).status).toBe(409)
    await w.give(space, reviewer, 'review')
    await w.expect(reviewer, space, 'review')
    await w.act('POST', `${at}/merge`)
    const own = `/spaces/${space.id}/change-requests/${(await w.act('POST', `/spaces/${space.id}/change-requests`)).number}`
    const changes = [{ operation: 'insert_page', document: { markdown: '# Own\n' } }]
    await w.act('POST', `${own}/content`, { changes }, reviewer)
    await w.act('POST', `${own}/reviews`, { status: 'approved' }, reviewer)
    expect((await w.api.request(w.admin, 'POST', `${own}/merge`)).status).toBe(409)
  },
  67: async (w) => {
    const [reviewer, other, space] = [await w.member('read'), await w.member('create'), await w.space()]
    await w.give(space, reviewer, 'review')
    const { number } = await w.act('POST', `/spaces/${space.id}/change-requests`)
    const at = `/spaces/${space.id}/change-requests/${number}`
    const { id } = await w.act('POST', `${at}/reviews`, { status: 'approved' }, reviewer)
    for (const person of [w.admin, other]) await w.refuse(person, 'POST', `${at}/reviews/${id}/withdraw`)
    await w.give(space, reviewer, 'read')
    await w.expect(reviewer, space, 'read')
    await w.act('POST', `${at}/reviews/${id}/withdraw`, undefined, reviewer)
  },
  64: async (w) => {
    const [named, space] = [await w.member('review'), await w.space()]
    const rules = [{ rule: 'require_change_request_subject' }, { rule: 'allow_bypass', users: [named.id] }]
    await w.act('PATCH', `/spaces/${space.id}`, { mergeRules: { type: 'rules', rules } })
    const { number } = await w.act('POST', `/spaces/${space.id}/change-requests`)
    const at = `/spaces/${space.id}/change-requests/${number}/merge`
    await w.expect(w.admin, space, 'admin')
    expect((await w.api.request(w.admin, 'POST', at)).status).toBe(409)
    await w.expect(named, space, 'review')
    await w.act('POST', at, undefined, named)
  },
  65: async (w) => {
    const creator = await w.member('create')
    const [open, hidden, own] = [await w.space(), await w.space({ level: null }), await w.space()]
    const site = `/orgs/${w.id}/sites/${(await w.act('POST', `/orgs/${w.id}/sites`, { spaces: [open.id] })).id}`
    const section = await w.act('POST', `${site}/sections`, { spaceId: own.id }, creator)
    const closed = await w.act('POST', `${site}/sections`, { spaceId: hidden.id })
    const group = await w.act('POST', `${site}/section-groups`, { title: 'Group' })
    const [link] = section.siteSpaces
    const redirect = await w.act('POST', `${site}/redirects`, {
      source: '/b',
      destination: { kind: 'site-section', siteSectionId: closed.id },
    })
    const lookUp = `${site}/redirect?source=/b`
    expect((await w.api.request(creator, 'GET', lookUp)).status).toBe(404)
    await w.act('GET', lookUp)
    const at = { section: `${site}/sections/${section.id}`, link: `${site}/site-spaces/${link.id}` }
    const inGroup = `${site}/section-groups/${group.id}`
    const item = { type: 'site-section', id: section.id }
    const another = { spaceId: (await w.space()).id }
    const further = { spaceId: (await w.space()).id }
    const changes: [string, string, object?][] = [
      ['PATCH', at.section, { title: 'Theirs' }],
      ['POST', `${at.section}/move`, {}],
      ['PATCH', at.link, another],
      ['POST', `${at.link}/move`, {}],
      ['POST', `${site}/sections`, further],
      ['POST', `${site}/section-groups`, { title: 'Theirs', sections: [section.id] }],
      ['PATCH', inGroup, { title: 'Theirs' }],
      ['POST', `${inGroup}/sections`, { sectionId: section.id }],
      ['POST', `${inGroup}/move`, {}],
      ['PATCH', `${site}/structure/sort`, { item, position: {} }],
      [
        'POST',
        `${site}/redirects`,
        { source: '/a', destination: { kind: 'external', url: 'https://octavo.test/' } },
      ],
      [
        'PUT',
        `${site}/redirects`,
        { redirects: [{ source: '/d', destination: { kind: 'external', url: 'https://octavo.test/' } }] },
      ],
      ['PATCH', `${site}/redirects/${redirect.id}`, { source: '/c' }],
      ['DELETE', `${site}/redirects/${redirect.id}`],
      ['PUT', `${site}/customization`, plainCustomization],
      ['PUT', `${site}/scripts`, { scripts: [] }],
      ['PATCH', `${at.link}/customization`, { title: 'Theirs' }],
      ['DELETE', `${at.link}/customization`],
      ['DELETE', `${inGroup}/sections/${section.id}`],
      ['DELETE', inGroup],
      ['DELETE', at.link],
      ['DELETE', at.section],
    ]
    for (const [method, path, body] of changes) await w.refuse(creator, method, path, body)
    const unseen = await w.api.request(creator, 'PATCH', `${site}/sections/${closed.id}`, { title: 'Theirs' })
    expect(unseen.status).toBe(404)
    await w.give(hidden, creator, 'create')
    await w.act('PATCH', `${site}/sections/${closed.id}`, { title: 'Theirs' }, creator)
    for (const [method, path, body] of changes) {
      const done = await w.api.request(creator, method, path, body)
      expect(done.status, `${method} ${path}: ${done.text}`).toBeLessThan(300)
    }
    const refused = await w.api.request(creator, 'POST', `${site}/sections`, {
      spaceId: (await w.space({ level: null })).id,
    })
    expect(refused.status).toBe(400)
  },
  66: async (w) => {
    const [visible, hidden, other] = [await w.space(), await w.space({ level: null }), await w.space()]
    const reading = await w.member('read')
    const at = `/orgs/${w.id}/sites`
    const { id } = await w.act('POST', at, { visibility: 'share-link', spaces: [visible.id, hidden.id] })
    const { urls } = await w.act('POST', `${at}/${id}/publish`)
    const { apiToken } = await w.act('POST', '/urls/published', { url: urls.published }, reading)
    const reader: Person = { id: '' as Person['id'], token: apiToken }
    await w.act('GET', `${at}/${id}/published`, undefined, reader)
    await w.act('GET', `/spaces/${visible.id}`, undefined, reader)
    for (const path of [`/spaces/${hidden.id}`, `/spaces/${other.id}`])
      expect((await w.api.request(reader, 'GET', path)).status).toBe(404)
    for (const path of [`/orgs/${w.id}/spaces`, at, '/orgs', '/user', `/spaces/${visible.id}/revisions`])
      await w.refuse(reader, 'GET', path)
    await w.refuse(reader, 'PATCH', `/spaces/${visible.id}`, { title: 'Theirs' })
    await w.act('DELETE', `/orgs/${w.id}/members/${reading.id}`)
    expect((await w.api.request(reader, 'GET', `/spaces/${visible.id}`)).status).toBe(401)
  },
}

const page = readFileSync(new URL('../docs/permissions.md', import.meta.url), 'utf8')

test('docs/permissions.md lists exactly the tested scenarios', () => {
  const numbers = [...page.matchAll(/^(\d+)\. /gm)].map((match) => Number(match[1]))
  expect(numbers.length).toBeGreaterThanOrEqual(40)
  expect(numbers).toEqual(Object.keys(scenarios).map(Number))
})

test('every writing operation below admin declares what it affects besides its own resource', () => {
  const table = readFileSync(new URL('../docs/access-table.md', import.meta.url), 'utf8')
  const writing = routes.filter(({ endpoint: { method, path, reads } }) => {
    if (reads) return false
    const row = table.split('\n').find((line) => line.startsWith(`| ${method} \`${path}\` |`))
    const answers = row?.split(' | ').slice(1) ?? []
    const [admin, ...others] = answers.map((one) => one.replace(' |', '')).toReversed()
    return !(admin === 'yes' && others.every((one) => /^40[134]$/.test(one)))
  })
  const operations = writing.map(({ endpoint }) => endpoint.operationId)
  expect(operations.filter((operation) => reachesBeside[operation] === undefined)).toEqual([])
})

describeEngines('scenario', (engine) => {
  let api: TestClient
  beforeAll(async () => {
    api = await openTestClient(await engine.open())
  })
  describe('of permissions', () => {
    test.each(Object.entries(scenarios))('%s', async (number, play) => {
      const world = await openWorld(api)
      await play(world)
      const promised = Object.entries(reachesBeside)
        .filter(([, numbers]) => numbers !== 'nothing' && numbers.includes(Number(number)))
        .map(([operation]) => operation)
      expect([...world.refused]).toEqual(expect.arrayContaining(promised))
    })
  })
})
