/**
 * Cursor pagination: every list of the API is paged to its end while rows are inserted and deleted. Items present
 * throughout are returned exactly once, and no item twice.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { insertSignInLink, openSession } from '../src/access/signin/sessions.js'
import { routes } from '../src/server/api/api.js'
import type { PageId, SiteId, SpaceId } from '../src/core/ids.js'
import { putFeedback } from '../src/resources/insights/store.js'
import { indexSpace } from '../src/resources/search/index-space.js'
import { deliverInboxes } from './background-work.js'
import { processSpecs, specText } from './openapi-specs.js'
import { type TestClient, type Person, openTestClient } from './test-client.js'
import { describeEngines } from './engines.js'

/** A list, with a function that adds an item, and one that removes an item where that is possible. */
interface TestedList {
  readonly path: string
  /** For lists that are requested with a body. */
  readonly body?: object
  readonly add: () => Promise<string>
  readonly remove?: (id: string) => Promise<unknown>
  /** The id of an item for `add` and `remove`; its `id` by default. */
  readonly idOf?: (item: any) => string
  /** For lists that never change, or that guarantee nothing while they do: no item is added or removed during the walk. */
  readonly isStill?: true
}

const never = (): Promise<never> =>
  Promise.reject(new Error('Nothing is added to this list while it is walked'))

const lists = routes
  .map(({ endpoint }) => endpoint)
  .filter(({ query }) => {
    const { properties = {} } = query as { properties?: object }
    return 'page' in properties && 'limit' in properties
  })
  .map(({ operationId }) => operationId)

describeEngines('cursor pagination', (engine) => {
  let api: TestClient
  let admin: Person
  let testedLists: Record<string, TestedList>

  async function ask(method: string, path: string, body?: unknown, person = admin): Promise<any> {
    const answer = await api.request(person, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    admin = await api.person('admin')
    testedLists = await createLists()
  })

  async function createLists(): Promise<Record<string, TestedList>> {
    const organization = await api.organization(admin)
    const organizationPath = `/orgs/${organization}`
    const boss = await api.person('boss')
    const fellow = await api.person('fellow')
    await api.join(organization, fellow, 'comment')
    const newSpace = async (body: object = {}) =>
      (await ask('POST', `${organizationPath}/spaces`, body)).id as string
    const newPage = (name: string) => ({ operation: 'insert_page', document: { markdown: `# ${name}\n` } })
    const addPageTo = (place: string) => async () =>
      (await ask('POST', `${place}/content?compat=false`, { changes: [newPage('More')] })).changes[0].page
        .id as string
    const idOfChange = ({ page }: any) => page.id
    const newTeam = async () =>
      (await ask('PUT', `${organizationPath}/teams`, { title: 'Team' })).id as string
    const commentOfEntry = new Map<string, string>()
    let people = 0
    const compared = await newSpace({ editMode: 'live', empty: true })
    const first = (await ask('GET', `/spaces/${compared}`)).revision
    await ask('POST', `/spaces/${compared}/content`, {
      changes: Array.from({ length: 12 }, (_, at) => newPage(`Page ${at}`)),
    })
    const second = (await ask('GET', `/spaces/${compared}`)).revision
    const { number: comparedNumber } = await ask('POST', `/spaces/${compared}/change-requests`)
    const comparedRequest = `/spaces/${compared}/change-requests/${comparedNumber}`
    const newMember = async () => {
      const person = await api.person(`member${people++}`)
      await api.join(organization, person, 'read')
      return person.id
    }
    const remove = (base: string) => (id: string) => ask('DELETE', `${base}/${id}`)
    const removeMember = remove(`${organizationPath}/members`)
    const followed = (
      await ask('POST', `${organizationPath}/translations`, { title: 'F', languages: ['fr'] })
    ).id as string
    const source = await newSpace({ editMode: 'live' })
    const following = (
      await ask('POST', `${organizationPath}/translations/${followed}/spaces`, { source, language: 'fr' })
    ).space as string
    const [space, live, watched] = [await newSpace(), await newSpace({ editMode: 'live' }), await newSpace()]
    const collection = (await ask('POST', `${organizationPath}/collections`)).id as string
    const team = await newTeam()
    const site = (await ask('POST', `${organizationPath}/sites`, { title: 'Site', spaces: [] })).id as string
    const written = await newSpace({ editMode: 'live' })
    const sectioned = (await ask('POST', `${organizationPath}/sites`, { title: 'Sectioned', spaces: [] }))
      .id as string
    /** Feedback of readers, each on another page; some at the same time. */
    const addFeedback = async () => {
      const id = `feedback-${people++}`
      await api.services.database.writeWithLocks({ organizations: [organization] }, (tx) =>
        putFeedback(tx, {
          id,
          organization_id: organization,
          site_id: sectioned as SiteId,
          space_id: 'space' as SpaceId,
          page_id: `page of ${id}` as PageId,
          rating: 'good',
          comment: null,
          created_at: api.now() - (people % 3),
        }),
      )
      return id
    }
    for (let count = 0; count < 9; count++) await addFeedback()
    const request = `/spaces/${watched}/change-requests/${(await ask('POST', `/spaces/${watched}/change-requests`)).id}`

    const addFile = (content: string) => async () => {
      const changes = [{ operation: 'insert_files', files: [{ name: 'a.txt', base64: 'b25l' }] }]
      return (await ask('POST', `${content}?compat=false`, { changes })).insertedFiles[0].id as string
    }
    const addText = (content: string) => async () => {
      const changes = [{ operation: 'insert_reusable_content', title: 'Text', document: { markdown: 'x\n' } }]
      const { changes: made } = await ask('POST', `${content}?compat=false`, { changes })
      return made[0].reusableContent as string
    }
    const addRevision = (base: string) => async () => {
      const changes = [{ operation: 'insert_page', document: { markdown: '# New\n' } }]
      const { revision } = await ask('POST', `${base}/content`, { changes })
      return revision as string
    }
    const firstPage = async (id: string) =>
      (await ask('GET', `/spaces/${id}/content/pages`)).pages[0].id as string
    const [writtenPage, watchedPage] = [await firstPage(written), await firstPage(watched)]
    const idOfRevision = ({ revision }: any) => revision.id
    const addPageRevision = (base: string, page: string) => async () => {
      if (base === request) await ask('POST', `${base}/comments`, { body: { markdown: 'As it is.' } })
      const document = { markdown: `# Page\n\nText ${people++}.\n` }
      const { revision } = await ask('POST', `${base}/content`, {
        changes: [{ operation: 'update_page', page, document }],
      })
      return revision as string
    }
    /** A comment on the head keeps the next change from amending it. */
    const addRevisionAfterComment = (base: string) => async () => {
      await ask('POST', `${base}/comments`, { body: { markdown: 'As it is.' } })
      return addRevision(base)()
    }
    const newWebhook = async () => {
      const body = { url: 'https://octavo.test/', events: ['site_published'] }
      return (await ask('POST', `${organizationPath}/webhooks`, body)).id as string
    }
    const webhook = await newWebhook()
    const newRequest = (base: string) => async () =>
      (await ask('POST', `/spaces/${base}/change-requests`)).id as string
    const archive = (base: string) => (id: string) =>
      ask('PATCH', `/spaces/${base}/change-requests/${id}`, { status: 'archived' })
    const addImport = async () => {
      // It fails, and is listed nevertheless; two of the same millisecond would come in any order.
      await pause(2)
      const body = { url: 'http://127.0.0.1:1/', source: 'markdown' }
      await api.request(admin, 'POST', `/spaces/${live}/content/import`, body)
      return (await ask('GET', `/spaces/${live}/imports?limit=1`)).items[0].id as string
    }
    const permissions = (base: string) => ({
      users: {
        path: `${base}/permissions/users`,
        async add() {
          const id = await newMember()
          await ask('POST', `${base}/permissions`, { role: 'edit', users: [id] })
          return id
        },
        remove: remove(`${base}/permissions/users`),
        idOf: ({ user }: any) => user.id,
      },
      teams: {
        path: `${base}/permissions/teams`,
        async add() {
          const id = await newTeam()
          await ask('POST', `${base}/permissions`, { role: 'edit', teams: [id] })
          return id
        },
        remove: remove(`${base}/permissions/teams`),
        idOf: (item: any) => item.team.id,
      },
      everybody: {
        path: `${base}/permissions/aggregate`,
        add: newMember,
        remove: removeMember,
        idOf: ({ user }: any) => user.id,
      },
    })
    const onSpace = permissions(`/spaces/${space}`)
    const onCollection = permissions(`/collections/${collection}`)

    for (let count = 0; count < 8; count++) {
      await addFile(`/spaces/${live}/content`)()
      await addText(`/spaces/${live}/content`)()
    }
    const fixed = (await ask('GET', `/spaces/${live}`)).revision as string
    // Eight pages in the first of eight spaces.
    const searched: string[] = []
    for (let count = 0; count < 8; count++) searched.push(await newSpace({ editMode: 'live' }))
    for (const id of searched) {
      const page = { operation: 'insert_page', document: { markdown: '# Pulsar\n' } }
      const changes = Array.from({ length: id === searched[0] ? 8 : 1 }, () => page)
      await ask('POST', `/spaces/${id}/content`, { changes })
      const { signal } = new AbortController()
      await indexSpace({ services: api.services, spaceId: id as SpaceId, signal, now: Date.now })
    }

    const commentBody = { body: { markdown: 'Why?' } }
    const comments = (base: string) => {
      const path = `${base}/comments`
      return {
        path,
        add: async () => (await ask('POST', path, commentBody)).id as string,
        remove: remove(path),
      }
    }
    const replies = async (base: string) => {
      const path = `${base}/comments/${(await ask('POST', `${base}/comments`, commentBody)).id}/replies`
      return {
        path,
        add: async () => (await ask('POST', path, commentBody)).id as string,
        remove: remove(path),
      }
    }
    // A separate space for each kind, where every page has one link.
    const links = async (noun: 'links' | 'page' | 'files' | 'texts', isRequest: boolean) => {
      const home = `/spaces/${await newSpace({ editMode: 'live', empty: true })}`
      const insert = async (base: string, markdown: string) => {
        const changes = [{ operation: 'insert_page', document: { markdown } }]
        return (await ask('POST', `${base}/content?compat=false`, { changes })).changes[0].page.id as string
      }
      const target = await insert(home, '# Target\n')
      const files = [{ name: 'a.txt', base64: 'b25l' }]
      const changes = [{ operation: 'insert_files', files }]
      const file = (await ask('POST', `${home}/content?compat=false`, { changes })).insertedFiles[0].id
      const text = await addText(`${home}/content`)()
      const number = isRequest && (await ask('POST', `${home}/change-requests`)).number
      const base = isRequest ? `${home}/change-requests/${number}` : home
      const path = {
        links: '/links',
        page: `/content/page/${target}/backlinks`,
        files: `/content/files/${file}/backlinks`,
        texts: `/content/reusable-contents/${text}/backlinks`,
      }[noun]
      const link =
        { files: `/files/${file}`, texts: '.gitbook/includes/text.md' }[noun as string] ?? 'target.md'
      return {
        path: `${base}${path}`,
        add: () => insert(base, `# Source\n\n[to](${link})\n`),
        remove: (id: string) =>
          ask('POST', `${base}/content`, { changes: [{ operation: 'delete_page', page: id }] }),
        idOf: (item: any) => (item.locationReferences?.[0] ?? item).page.id,
      }
    }
    const linksOfPage = async (isRequest: boolean) => {
      const home = `/spaces/${await newSpace({ editMode: 'live', empty: true })}`
      const markdown = Array.from({ length: 9 }, (_, at) => `[to](to${at}.md)\n`).join('\n')
      const changes = [{ operation: 'insert_page', document: { markdown } }]
      const { id } = (await ask('POST', `${home}/content?compat=false`, { changes })).changes[0].page
      const number = isRequest && (await ask('POST', `${home}/change-requests`)).number
      const base = isRequest ? `${home}/change-requests/${number}` : home
      return {
        path: `${base}/content/page/${id}/links`,
        add: never,
        isStill: true as const,
        idOf: ({ destination }: any) => destination,
      }
    }
    const [talked, discussed] = [`/spaces/${await newSpace()}`, `/spaces/${await newSpace()}`]
    const ofAll = (await ask('POST', `${organizationPath}/sites`, { title: 'All', spaces: searched })).id

    return {
      listSpaceLinks: await links('links', false),
      listChangeRequestLinks: await links('links', true),
      listPageLinksInSpace: await linksOfPage(false),
      listPageLinksInChangeRequest: await linksOfPage(true),
      listPageBacklinksInSpace: await links('page', false),
      listPageBacklinksInChangeRequest: await links('page', true),
      listSpaceFileBacklinks: await links('files', false),
      listChangeRequestFileBacklinks: await links('files', true),
      listSpaceReusableContentBacklinks: await links('texts', false),
      listChangeRequestReusableContentBacklinks: await links('texts', true),
      listImportRuns: { path: `/spaces/${live}/imports`, add: addImport },
      listCommentsInSpace: comments(talked),
      listCommentsInChangeRequest: comments(request),
      getChangeRequestCheck: {
        ...comments(comparedRequest),
        path: `${comparedRequest}/checks/comments`,
        idOf: ({ comment }) => comment,
      },
      listCommentRepliesInSpace: await replies(discussed),
      listCommentRepliesInChangeRequest: await replies(
        `${discussed}/change-requests/${(await ask('POST', `${discussed}/change-requests`)).number}`,
      ),
      listCommentersInSpace: {
        path: `${talked}/commenters`,
        add: newMember,
        remove: removeMember,
        idOf: ({ user }) => user.id,
      },
      listCommentersInChangeRequest: {
        path: `${request}/commenters`,
        add: newMember,
        remove: removeMember,
        idOf: ({ user }) => user.id,
      },
      getReviewsByChangeRequestId: {
        path: `${request}/reviews`,
        add: async () => (await ask('POST', `${request}/reviews`, { status: 'approved' })).id,
      },
      getRequestedReviewersByChangeRequestId: {
        path: `${request}/requested-reviewers`,
        async add() {
          const id = await newTeam()
          await ask('POST', `${request}/requested-reviewers`, { teams: [id] })
          return id
        },
        remove: remove(`${request}/requested-reviewers`),
        idOf: ({ team }: any) => team.id,
      },
      listCustomFieldsInOrganization: {
        path: `${organizationPath}/custom-fields`,
        add: async () =>
          (await ask('POST', `${organizationPath}/custom-fields`, { name: `f${people++}`, type: 'text' }))
            .name,
        remove: remove(`${organizationPath}/custom-fields`),
        idOf: ({ name }: any) => name,
      },
      listTranslationSettings: {
        path: `${organizationPath}/translations`,
        add: async () => (await ask('POST', `${organizationPath}/translations`, { title: 'T' })).id,
        remove: remove(`${organizationPath}/translations`),
      },
      listWebhooks: {
        path: `${organizationPath}/webhooks`,
        add: newWebhook,
        remove: remove(`${organizationPath}/webhooks`),
      },
      listWebhookDeliveries: {
        path: `${organizationPath}/webhooks/${webhook}/deliveries`,
        add: async () => (await ask('POST', `${organizationPath}/webhooks/${webhook}/test`)).id,
      },
      listSpaceTranslations: {
        path: `${organizationPath}/translations/${followed}/spaces`,
        async add() {
          const { id } = await ask('POST', `${organizationPath}/spaces`, { title: 'Followed' })
          const body = { source: id, language: 'fr' }
          return (await ask('POST', `${organizationPath}/translations/${followed}/spaces`, body)).space
        },
        remove: (id: string) => ask('DELETE', `/spaces/${id}/translation`),
        idOf: ({ space }: any) => space,
      },
      listTranslatedPages: {
        path: `/spaces/${following}/translation/pages`,
        async add() {
          const changes = [{ operation: 'insert_page', ref: 'a', document: { markdown: '# New\n' } }]
          const { changes: made } = await ask('POST', `/spaces/${source}/content?compat=false`, { changes })
          return made[0].page.id as string
        },
      },
      listOpenApiSpecs: {
        path: `${organizationPath}/openapi`,
        async add() {
          const slug = `spec-${people++}`
          await ask('PUT', `${organizationPath}/openapi/${slug}`, { source: { text: specText(slug) } })
          return slug
        },
        remove: remove(`${organizationPath}/openapi`),
        idOf: ({ slug }: any) => slug,
      },
      listOpenApiSpecVersions: {
        path: `${organizationPath}/openapi/walked/versions`,
        async add() {
          const source = { text: specText(`Version ${people++}`) }
          await ask('PUT', `${organizationPath}/openapi/walked`, { source })
          await processSpecs(api)
          return (await ask('GET', `${organizationPath}/openapi/walked`)).lastVersion
        },
      },
      listAPITokens: {
        path: '/user/tokens',
        add: async () => (await ask('POST', '/user/tokens', { label: 'one' })).id,
        remove: remove('/user/tokens'),
      },
      listInboxEntries: {
        path: '/user/inbox',
        async add() {
          const comment = await ask(
            'POST',
            `${request}/comments`,
            {
              body: { markdown: `[@admin](/users/${admin.id})` },
            },
            fellow,
          )
          await deliverInboxes(api)
          commentOfEntry.set((await ask('GET', '/user/inbox?limit=1')).items[0].id, comment.id)
          return (await ask('GET', '/user/inbox?limit=1')).items[0].id
        },
        remove: (id) => ask('DELETE', `${request}/comments/${commentOfEntry.get(id)}`),
      },
      listSessions: {
        path: '/user/sessions',
        async add() {
          const before = await ask('GET', '/user/sessions?limit=1000')
          await api.services.database.write(async (tx) => {
            const link = await insertSignInLink(tx, admin.id, api.now(), null)
            await openSession(tx, link, { ip: '192.0.2.7', userAgent: 'Browser', now: api.now() })
          })
          const known = new Set(before.items.map(({ id }: any) => id))
          const { items } = await ask('GET', '/user/sessions?limit=1000')
          return items.find(({ id }: any) => !known.has(id)).id
        },
        remove: remove('/user/sessions'),
      },
      listOrganizationsForAuthenticatedUser: {
        path: '/orgs',
        async add() {
          const id = await api.organization(boss)
          await api.join(id, admin, 'read')
          return id
        },
        remove: (id) => ask('DELETE', `/orgs/${id}/members/${admin.id}`, undefined, boss),
      },
      listMembersInOrganizationById: {
        path: `${organizationPath}/members`,
        add: newMember,
        remove: removeMember,
      },
      listTeamsInOrganizationById: {
        path: `${organizationPath}/teams`,
        add: newTeam,
        remove: remove(`${organizationPath}/teams`),
      },
      listTeamMembersInOrganizationById: {
        path: `${organizationPath}/teams/${team}/members`,
        async add() {
          const id = await newMember()
          await ask('PUT', `${organizationPath}/teams/${team}/members/${id}`, {})
          return id
        },
        remove: remove(`${organizationPath}/teams/${team}/members`),
        idOf: (item) => item.organization.id,
      },
      listTeamsForOrganizationMember: {
        path: `${organizationPath}/members/${fellow.id}/teams`,
        async add() {
          const id = await newTeam()
          await ask('PUT', `${organizationPath}/teams/${id}/members/${fellow.id}`, {})
          return id
        },
        remove: (id) => ask('DELETE', `${organizationPath}/teams/${id}/members/${fellow.id}`),
        idOf: (item) => item.team.id,
      },
      listOrganizationInviteLinks: {
        path: `${organizationPath}/link-invites`,
        add: async () => (await ask('POST', `${organizationPath}/link-invites`, { role: 'read' })).id,
        remove: remove(`${organizationPath}/link-invites`),
      },
      listInvitations: {
        path: '/user/invitations',
        async add() {
          const id = await api.organization(boss)
          await ask('POST', `/orgs/${id}/invites`, { emails: ['admin@octavo.test'], role: 'read' }, boss)
          return id
        },
        remove: remove('/user/invitations'),
        idOf: (item) => item.organization.id,
      },
      listCollectionsInOrganizationById: {
        path: `${organizationPath}/collections`,
        add: async () => (await ask('POST', `${organizationPath}/collections`)).id,
        remove: remove('/collections'),
      },
      listAuditEvents: {
        path: `${organizationPath}/audit`,
        async add() {
          await newTeam()
          return (await ask('GET', `${organizationPath}/audit?limit=1`)).items[0].id
        },
      },
      listSAMLProvidersInOrganizationById: {
        path: `${organizationPath}/saml`,
        add: async () => (await ask('POST', `${organizationPath}/saml`, { label: 'Provider' })).id,
        remove: remove(`${organizationPath}/saml`),
      },
      listSpacesInOrganizationById: {
        path: `${organizationPath}/spaces`,
        add: newSpace,
        remove: remove('/spaces'),
      },
      listSpacesInTrash: {
        path: `${organizationPath}/trash`,
        add: async () => {
          const id = await newSpace()
          await ask('DELETE', `/spaces/${id}`)
          return id
        },
        remove: (id) => ask('POST', `/spaces/${id}/restore`),
      },
      listSpacesInCollectionById: {
        path: `/collections/${collection}/spaces`,
        add: () => newSpace({ parent: collection }),
        remove: remove('/spaces'),
      },
      listSpacesForOrganizationMember: {
        path: `${organizationPath}/members/${fellow.id}/spaces`,
        add: newSpace,
        remove: remove('/spaces'),
        idOf: (item) => item.space.id,
      },
      listUserPermissionsInSpace: onSpace.users,
      listTeamPermissionsInSpace: onSpace.teams,
      listPermissionsAggregateInSpace: onSpace.everybody,
      listUserPermissionsInCollection: onCollection.users,
      listTeamPermissionsInCollection: onCollection.teams,
      listPermissionsAggregateInCollection: onCollection.everybody,
      listFiles: { path: `/spaces/${live}/content/files`, add: addFile(`/spaces/${live}/content`) },
      listFilesInRevisionById: {
        path: `/spaces/${live}/revisions/${fixed}/files`,
        add: never,
        isStill: true,
      },
      listReusableContents: {
        path: `/spaces/${live}/content/reusable-contents`,
        add: addText(`/spaces/${live}/content`),
      },
      listReusableContentsInRevision: {
        path: `/spaces/${live}/revisions/${fixed}/reusable-contents`,
        add: never,
        isStill: true,
      },
      listReusableContentsInChangeRequest: {
        path: `${request}/content/reusable-contents`,
        add: addText(`${request}/content`),
      },
      listFilesInChangeRequestById: { path: `${request}/content/files`, add: addFile(`${request}/content`) },
      compareContent: {
        path: `/spaces/${compared}/compare?from=${first}`,
        add: addPageTo(`/spaces/${compared}`),
        idOf: idOfChange,
      },
      getRevisionSemanticChanges: {
        path: `/spaces/${compared}/revisions/${second}/changes`,
        add: never,
        isStill: true,
        idOf: idOfChange,
      },
      getChangeRequestChanges: {
        path: `${comparedRequest}/changes`,
        add: addPageTo(comparedRequest),
        idOf: idOfChange,
      },
      listRevisions: { path: `/spaces/${written}/revisions`, add: addRevision(`/spaces/${written}`) },
      listPageHistory: {
        path: `/spaces/${written}/content/page/${writtenPage}/history`,
        add: addPageRevision(`/spaces/${written}`, writtenPage),
        idOf: idOfRevision,
      },
      listPageHistoryInChangeRequest: {
        path: `${request}/content/page/${watchedPage}/history`,
        add: addPageRevision(request, watchedPage),
        idOf: idOfRevision,
      },
      listRevisionsInChangeRequest: { path: `${request}/revisions`, add: addRevisionAfterComment(request) },
      searchSpaceContent: { path: `/spaces/${searched[0]}/search?query=pulsar`, add: never, isStill: true },
      searchOrganizationContent: {
        path: `${organizationPath}/search?query=pulsar`,
        add: never,
        isStill: true,
      },
      searchSiteContent: {
        path: `${organizationPath}/sites/${ofAll}/search`,
        body: { query: 'pulsar', scope: { mode: 'all' } },
        add: never,
        isStill: true,
      },
      listChangeRequestsForSpace: {
        path: `/spaces/${space}/change-requests?status=draft`,
        add: newRequest(space),
        remove: archive(space),
      },
      listChangeRequestsForOrganization: {
        path: `${organizationPath}/change-requests?status=draft`,
        add: newRequest(space),
        remove: archive(space),
      },
      listSites: {
        path: `${organizationPath}/sites`,
        add: async () =>
          (await ask('POST', `${organizationPath}/sites`, { title: 'Another', spaces: [] })).id,
      },
      listSiteSpaces: {
        path: `${organizationPath}/sites/${site}/site-spaces`,
        async add() {
          const id = await newSpace()
          await ask('POST', `${organizationPath}/sites/${site}/site-spaces`, { spaceId: id })
          return id
        },
        remove: remove('/spaces'),
        idOf: (item) => item.space.id,
      },
      listSiteRedirects: {
        path: `${organizationPath}/sites/${sectioned}/redirects`,
        add: async () =>
          (
            await ask('POST', `${organizationPath}/sites/${sectioned}/redirects`, {
              source: `/from-${people++}`,
              destination: { kind: 'external', url: 'https://octavo.test/' },
            })
          ).id,
        remove: remove(`${organizationPath}/sites/${sectioned}/redirects`),
      },
      listSiteShareLinks: {
        path: `${organizationPath}/sites/${sectioned}/share-links`,
        add: async () =>
          (
            await ask('POST', `${organizationPath}/sites/${sectioned}/share-links`, {
              name: `Link ${people++}`,
            })
          ).id,
        remove: remove(`${organizationPath}/sites/${sectioned}/share-links`),
      },
      listSitePageFeedback: {
        path: `${organizationPath}/sites/${sectioned}/insights/feedback`,
        add: addFeedback,
      },
      listSitePageInsights: {
        path: `${organizationPath}/sites/${sectioned}/insights/pages`,
        add: never,
        idOf: ({ page }) => page,
        isStill: true,
      },
      listSiteSections: {
        path: `${organizationPath}/sites/${sectioned}/sections`,
        add: async () =>
          (
            await ask('POST', `${organizationPath}/sites/${sectioned}/sections`, {
              spaceId: await newSpace(),
            })
          ).id,
        remove: remove(`${organizationPath}/sites/${sectioned}/sections`),
      },
      listSiteSectionGroups: {
        path: `${organizationPath}/sites/${sectioned}/section-groups`,
        add: async () =>
          (await ask('POST', `${organizationPath}/sites/${sectioned}/section-groups`, { title: 'Group' })).id,
        remove: remove(`${organizationPath}/sites/${sectioned}/section-groups`),
      },
    }
  }

  test('covers all lists of the API', () => {
    expect(Object.keys(testedLists).toSorted()).toEqual(lists.toSorted())
  })

  test.each(lists)('%s', async (operationId) => {
    const { path, body, add, remove, isStill = false, idOf = ({ id }) => id } = testedLists[operationId]!
    const fetchPage = async (query: string) => {
      const method = body === undefined ? 'GET' : 'POST'
      const reply = await ask(method, `${path}${path.includes('?') ? '&' : '?'}${query}`, body)
      const { items = reply.changes, next } = reply
      return { ids: items.map(idOf) as string[], next: next?.page as string | undefined }
    }
    const added: string[] = []
    if (!isStill) for (let count = 0; count < 8; count++) added.push(await add())
    const before = (await fetchPage('limit=1000')).ids
    expect(before.length).toBeGreaterThanOrEqual(8)
    expect(before).toEqual(expect.arrayContaining(added))

    const returned: string[] = []
    const gone = new Set<string>()
    for (let page: string | undefined = ''; page !== undefined;) {
      const { ids, next } = await fetchPage(`limit=3${page}`)
      returned.push(...ids)
      page = next && `&page=${encodeURIComponent(next)}`
      if (isStill) continue
      await add()
      if (remove === undefined || gone.size >= 4) continue
      const mine = added.filter((id) => !gone.has(id))
      // One that was returned, whose position may be in the cursor, and one that was not.
      for (const id of [
        mine.findLast((one) => returned.includes(one)),
        mine.find((one) => !returned.includes(one)),
      ]) {
        if (id === undefined) continue
        gone.add(id)
        await remove(id)
      }
    }
    expect(new Set(returned).size, 'returned twice').toBe(returned.length)
    expect(
      before.filter((id) => !gone.has(id) && !returned.includes(id)),
      'skipped',
    ).toEqual([])
    if (remove !== undefined) expect(gone.size).toBeGreaterThan(2)
  })
})
