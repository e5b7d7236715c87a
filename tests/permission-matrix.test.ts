import { createHash } from 'node:crypto'
/**
 * Permission matrix: requests every endpoint without a token, as a reader of the site, as the admin of another
 * organization, as a guest, and in each role, and compares the statuses with `docs/access-table.md`. Every request is
 * rolled back, so that each runs on the same data. A changed table is printed, to be reviewed and committed.
 */
import { strToU8, zipSync } from 'fflate'
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { routes } from '../src/server/api/api.js'
import type { Endpoint } from '../src/contract/endpoint.js'
import { roles } from '../src/contract/shapes.js'
import type { Database } from '../src/store/db/database.js'
import { plainCustomization } from './customization/samples.js'
import { processSpecs, specText } from './openapi-specs.js'
import { bind } from './translations.js'
import { type TestClient, type Person, openTestClient } from './test-client.js'
import { markEmailVerified } from '../src/access/signin/verified-email.js'
import { describeSqlite } from './engines.js'

const people = ['nobody', 'reader', 'stranger', 'guest', ...roles] as const

interface World {
  readonly api: TestClient
  readonly people: Readonly<Record<string, Person | null>>
  /** Values of path parameters. */
  readonly ids: Readonly<Record<string, string>>
  /** Whether what requests do is rolled back. */
  readonly undo: { isSet: boolean }
}

/** The smallest valid bodies; endpoints without one are sent none, or an empty object. */
const commentBody = { body: { markdown: 'Why?' } }

const textEdit = {
  base: createHash('sha256').update('# Page\n').digest('base64url'),
  splices: [{ start: 7, end: 7, text: '\nMore.\n' }],
  client: 'matrix',
  seq: 1,
}
const unreachable = { url: 'http://127.0.0.1:1/', source: 'markdown' }

function bodyFor({ operationId }: Endpoint, { ids, people: who }: World): unknown {
  const bodies: Record<string, unknown> = {
    createAPIToken: { label: 'new' },
    updateUserPreferences: { theme: 'dark' },
    updateInboxEntry: { read: true },
    setPassword: { password: 'a long and unlikely password' },
    createOrganization: { title: 'Another' },
    createOrganizationTeam: { title: 'Writers' },
    updateTeamInOrganizationById: { title: 'Writers' },
    createOrganizationInvite: { role: 'read' },
    updateOrganizationInviteById: { role: 'comment' },
    inviteUsersToOrganization: { emails: ['new@octavo.test'] },
    createOrganizationSAMLProvider: { label: 'Provider' },
    moveCollection: { position: { before: { type: 'space', space: ids['spaceId'] } } },
    moveSpace: { parent: ids['collectionId'] },
    transferSpace: { organization: ids['organizationId'] },
    transferCollection: { organization: ids['organizationId'] },
    inviteToSpace: { role: 'read', users: [who['read']!.id] },
    inviteToCollection: { role: 'read', users: [who['read']!.id] },
    updateSpaceContent: { changes: [{ operation: 'insert_page', document: { markdown: '# New\n' } }] },
    updateChangeRequestContent: {
      changes: [{ operation: 'insert_page', document: { markdown: '# New\n' } }],
    },
    updatePageTextById: textEdit,
    updatePageTextInChangeRequestById: textEdit,
    previewPage: { page: ids['pageId'], markdown: '# Page\n' },
    previewPageInChangeRequest: { page: ids['pageId'], markdown: '# Page\n' },
    checkPageText: { page: ids['pageId'], markdown: '# Page\n' },
    checkPageTextInChangeRequest: { page: ids['pageId'], markdown: '# Page\n' },
    convertHtml: { html: '<p>Copied</p>' },
    convertHtmlInChangeRequest: { html: '<p>Copied</p>' },
    importContentInSpace: unreachable,
    importContentInPageById: unreachable,
    importContentInChangeRequest: unreachable,
    importContentInChangeRequestPageById: unreachable,
    resolveChangeRequestConflicts: { resolutions: [{ id: 'none', take: 'ours' }] },
    createTranslationSettings: { title: 'New' },
    updateTranslationSettings: { title: 'Other' },
    createWebhook: { url: 'https://octavo.test/', events: ['site_published'] },
    updateWebhook: { title: 'Other' },
    putTranslator: { endpoint: 'https://translator.test/v1', model: 'm' },
    putTranslationGuidance: { instructions: 'Be brief.' },
    createSpaceTranslation: { source: ids['spareId'], language: 'en', sourceLanguage: 'de' },
    runSpaceTranslation: {},
    importTranslationXliff: {
      xliff: '<xliff version="1.2"><file source-language="en" target-language="fr"><body/></file></xliff>',
    },
    createOpenApiSpec: { slug: 'new', source: { text: specText('New') } },
    createOrUpdateOpenApiSpecBySlug: { source: { text: specText('Other') } },
    updateOpenApiSpecBySlug: { visibility: 'public' },
    createCustomFieldInOrganization: { name: 'team', type: 'text' },
    submitChangeRequestReview: { status: 'approved' },
    postCommentInSpace: commentBody,
    previewCommentInSpace: commentBody.body,
    previewCommentInChangeRequest: commentBody.body,
    applySuggestionsInSpace: { comments: [ids['commentId']] },
    applySuggestionsInChangeRequest: { comments: [ids['commentIdInRequest']] },
    postCommentInChangeRequest: commentBody,
    postCommentReplyInSpace: commentBody,
    postCommentReplyInChangeRequest: commentBody,
    updateSpaceCustomFields: { values: { owner: { value: 'Ann' } } },
    addSpaceToSite: { spaceId: ids['spaceId'] },
    updateSiteAdaptiveSchema: {
      jsonSchema: { type: 'object', properties: {}, additionalProperties: false },
    },
    createSiteRedirect: { source: '/new', destination: { kind: 'external', url: 'https://octavo.test/' } },
    bulkUpsertSiteRedirects: {
      redirects: [{ source: '/many', destination: { kind: 'external', url: 'https://octavo.test/' } }],
    },
    updateSiteCustomizationById: plainCustomization,
    updateSiteScripts: { scripts: [] },
    updateSiteInsightsSettings: { days: 30 },
    trackEventsInSiteById: { events: [] },
    aggregateSiteEvents: { range: 'last7Days' },
    overrideSiteSpaceCustomizationById: { title: 'Own' },
    addSectionToSite: { spaceId: ids['spareId'] },
    addSectionGroupToSite: { title: 'Group' },
    addSectionToGroup: { sectionId: ids['siteSectionId'] },
    searchSiteContent: { query: 'word' },
    resolvePublishedContentByUrl: { url: ids['publishedUrl'] },
    sortSiteStructure: { item: { type: 'site-section', id: ids['siteSectionId'] }, position: {} },
  }
  return bodies[operationId]
}

/** The same database; while the switch is set, every transaction is rolled back after its result is known. */
function undoing(database: Database, when: { isSet: boolean }): Database {
  class Undo {
    constructor(readonly answer: unknown) {}
  }
  const writeWithLocks: Database['writeWithLocks'] = async (hold, work) => {
    try {
      return await database.writeWithLocks(hold, async (tx) => {
        const answer = await work(tx)
        if (when.isSet) throw new Undo(answer)
        return answer
      })
    } catch (thrown) {
      if (thrown instanceof Undo) return thrown.answer as never
      throw thrown
    }
  }
  return { ...database, writeWithLocks, write: (work) => writeWithLocks('everything', work) }
}

async function openWorld(database: Database): Promise<World> {
  const undo = { isSet: false }
  const api = await openTestClient(undoing(database, undo))
  const who: Record<string, Person | null> = { nobody: null, stranger: await api.person('stranger') }
  const admin = (who['admin'] = await api.person('admin'))
  const organizationId = await api.organization(admin)
  await api.organization(who['stranger']!, 'Elsewhere')
  for (const role of [null, ...roles.filter((one) => one !== 'admin')]) {
    const person = (who[role ?? 'guest'] = await api.person(role ?? 'guest'))
    await api.join(organizationId, person, role)
  }
  const victim = await api.person('victim')
  await api.join(organizationId, victim, 'edit')

  const make = async (method: string, path: string, body?: unknown) => {
    const answer = await api.request(admin, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  const organizationPath = `/orgs/${organizationId}`
  const space = await make('POST', `${organizationPath}/spaces`, { title: 'Space', editMode: 'live' })
  const send = (path: string, payload: Buffer) =>
    api.server.inject({
      method: 'POST',
      url: `/v1/spaces/${space.id}/content/${path}`,
      headers: {
        authorization: `Bearer ${admin.token}`,
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment; filename="notes.txt"',
      },
      payload,
    })
  const texts = { 'page.md': strToU8('# Page\n'), '.gitbook/includes/note.md': strToU8('Note.\n') }
  expect((await send('archive', Buffer.from(zipSync(texts)))).statusCode).toBeLessThan(300)
  const upload = await send('files', Buffer.from('notes'))
  const { reusableContents } = await make('GET', `/spaces/${space.id}/content`)
  const { revision } = await make('GET', `/spaces/${space.id}`)
  const { pages } = await make('GET', `/spaces/${space.id}/content/pages`)
  const organization = await make('PATCH', organizationPath, { emailDomains: ['octavo.test'] })
  // Else the stranger could not join by the domain.
  await api.services.database.write((tx) => markEmailVerified(tx, who['stranger']!.id, api.now()))
  const team = await make('PUT', `${organizationPath}/teams`, { title: 'Team' })
  const collection = await make('POST', `${organizationPath}/collections`)
  for (const place of [`/spaces/${space.id}`, `/collections/${collection.id}`]) {
    await make('POST', `${place}/permissions`, { role: 'read', teams: [team.id] })
  }
  const site = await make('POST', `${organizationPath}/sites`, {
    title: 'Site',
    visibility: 'share-link',
    spaces: [],
  })
  await make('POST', `${organizationPath}/sites/${site.id}/site-spaces`, { spaceId: space.id })
  const spare = await make('POST', `${organizationPath}/spaces`, { title: 'Spare' })
  const gathered = await make('POST', `${organizationPath}/spaces`, { title: 'Gathered' })
  const section = await make('POST', `${organizationPath}/sites/${site.id}/sections`, {
    spaceId: gathered.id,
  })
  const redirect = await make('POST', `${organizationPath}/sites/${site.id}/redirects`, {
    source: '/old',
    destination: { kind: 'site-section', siteSectionId: section.id },
  })
  const jsonSchema = { type: 'object', properties: {}, additionalProperties: false }
  await make('PUT', `${organizationPath}/sites/${site.id}/adaptive-schema`, { jsonSchema })
  const shareLink = await make('POST', `${organizationPath}/sites/${site.id}/share-links`, {
    name: 'Reviewers',
  })
  const inGroup = { title: 'Group', sections: [section.id] }
  const group = await make('POST', `${organizationPath}/sites/${site.id}/section-groups`, inGroup)
  const published = await make('POST', `${organizationPath}/sites/${site.id}/publish`)
  const resolved = await make('POST', '/urls/published', { url: published.urls.published })
  who['reader'] = { id: '' as Person['id'], token: resolved.apiToken }
  const changeRequest = await make('POST', `/spaces/${space.id}/change-requests`)
  const talk = async (place: string) => {
    const comment = await make('POST', `${place}/comments`, commentBody)
    const reply = await make('POST', `${place}/comments/${comment.id}/replies`, commentBody)
    return [comment.id, reply.id] as [string, string]
  }
  const [commentId, commentReplyId] = await talk(`/spaces/${space.id}`)
  const [commentIdInRequest, commentReplyIdInRequest] = await talk(
    `/spaces/${space.id}/change-requests/${changeRequest.id}`,
  )
  const reviewed = `/spaces/${space.id}/change-requests/${changeRequest.id}`
  const review = await make('POST', `${reviewed}/reviews`, { status: 'approved' })
  // It fails, and is listed nevertheless.
  await api.request(who['admin']!, 'POST', `${reviewed}/content/import`, unreachable)
  const imports = await api.request(who['admin']!, 'GET', `/spaces/${space.id}/imports`)
  const provider = await make('POST', `${organizationPath}/saml`, { label: 'Provider' })
  const field = await make('POST', `${organizationPath}/custom-fields`, { name: 'owner', type: 'text' })
  await make('PUT', `${organizationPath}/openapi/pets`, { source: { text: specText('Pets') } })
  await processSpecs(api)
  const translation = await make('POST', `${organizationPath}/translations`, { title: 'T' })
  const spec = await make('GET', `${organizationPath}/openapi/pets`)
  const webhookBody = { url: 'https://octavo.test/', events: ['site_published'] }
  const webhook = await make('POST', `${organizationPath}/webhooks`, webhookBody)
  const delivery = await make('POST', `${organizationPath}/webhooks/${webhook.id}/test`)
  const source = await make('POST', `/spaces/${space.id}/duplicate`)
  const userId = who['admin']!.id
  await bind(api, {
    organization: organizationId,
    space: space.id,
    source: source.id,
    settings: translation.id,
    userId,
  })
  await make('PUT', `${organizationPath}/translator`, { endpoint: 'https://translator.test/v1', model: 'm' })
  const world = {
    api,
    undo,
    people: who,
    ids: {
      organizationId,
      userId: victim.id,
      teamId: team.id,
      inviteId: (await make('POST', `${organizationPath}/link-invites`, { role: 'read' })).id,
      collectionId: collection.id,
      spaceId: space.id,
      revisionId: revision,
      pageId: pages[0].id,
      documentId: pages[0].documentId,
      reusableContentId: reusableContents[0].id,
      pagePath: pages[0].path || pages[0].slug,
      fileId: upload.json().id,
      changeRequestId: changeRequest.id,
      importRunId: imports.body.items[0].id,
      siteId: site.id,
      siteSpaceId: section.siteSpaces[0].id,
      siteSectionId: section.id,
      siteRedirectId: redirect.id,
      shareLinkId: shareLink.id,
      siteSectionGroupId: group.id,
      spareId: spare.id,
      samlProviderId: provider.id,
      fieldName: field.name,
      translationSettingsId: translation.id,
      specSlug: spec.slug,
      webhookId: webhook.id,
      deliveryId: delivery.id,
      versionId: spec.lastVersion,
      commentId,
      commentReplyId,
      reviewId: review.id,
      checkId: 'links',
      commentIdInRequest,
      commentReplyIdInRequest,
      subdomain: organization.hostname,
      publishedUrl: published.urls.published,
      appUrl: space.urls.app,
      emailDomain: 'octavo.test',
      tokenId: 'unknown',
      inboxEntryId: 'unknown',
      sessionId: 'unknown',
    },
  }
  undo.isSet = true
  return world
}

/** The cell of the table: `yes`, or the status of the refusal. */
async function answerTo(endpoint: Endpoint, name: string, world: World): Promise<string> {
  const person = world.people[name]!
  const path = endpoint.path.replace(/:(\w+)/g, (_, param: string) => {
    // Comments of the change request are not on the space.
    const isThere = param.startsWith('comment') && endpoint.params.includes('changeRequestId')
    const id = world.ids[isThere ? `${param}InRequest` : param]
    if (id === undefined) throw new Error(`The walk has no value for the parameter "${param}"`)
    return encodeURIComponent(id)
  })
  const { required = [] } = endpoint.query as { required?: string[] }
  const queryValues: Record<string, string> = {
    query: 'word',
    source: '/old',
    from: `change-request:${world.ids['changeRequestId']}`,
    url: encodeURIComponent(
      world.ids[endpoint.operationId === 'getContentByUrl' ? 'appUrl' : 'publishedUrl']!,
    ),
  }
  const query =
    required.filter((name) => name in queryValues).map((name) => `?${name}=${queryValues[name]}`)[0] ?? ''
  const body = bodyFor(endpoint, world) ?? (endpoint.bodyRequired ? {} : undefined)
  const answer = await world.api.server.inject({
    method: endpoint.method as 'GET',
    url: `/v1${path}${query}`,
    headers: {
      ...(person && { authorization: `Bearer ${person.token}` }),
      ...(endpoint.upload && { 'content-type': 'application/octet-stream' }),
      ...(!endpoint.upload && body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(endpoint.upload ? { payload: 'no zip' } : body !== undefined && { payload: JSON.stringify(body) }),
  })
  const { statusCode: status } = answer
  expect(status, `${endpoint.method} ${path} as ${name}: ${answer.body}`).toBeLessThan(500)
  return status < 300 ? 'yes' : String(status)
}

async function walk(world: World): Promise<string> {
  const rows: string[][] = [
    ['operation', ...people],
    ['---', ...people.map(() => '---')],
  ]
  for (const { endpoint } of routes) {
    const cells: string[] = []
    for (const name of people) cells.push(await answerTo(endpoint, name, world))
    rows.push([`${endpoint.method} \`${endpoint.path}\``, ...cells])
  }
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n')
}

const page = readFileSync(new URL('../docs/access-table.md', import.meta.url), 'utf8')

describeSqlite('the permission matrix', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await openWorld(await engine.open())
  })

  test('equals docs/access-table.md', async () => {
    const table = await walk(world)
    const documented = page.slice(page.indexOf('| operation'), page.lastIndexOf('|') + 1)
    if (table !== documented)
      throw new Error(`The table of docs/access-table.md would have to be:\n${table}\n`)
  })

  test('a space in the trash is read-only until it is restored', async () => {
    const below = routes.map(({ endpoint }) => endpoint).filter(({ params }) => params.includes('spaceId'))
    expect(below.length).toBeGreaterThan(40)
    world.undo.isSet = false
    const deleted = await world.api.request(
      world.people['admin']!,
      'DELETE',
      `/spaces/${world.ids['spaceId']}`,
    )
    world.undo.isSet = true
    expect(deleted.status).toBe(205)
    for (const endpoint of below) {
      const isAboutTrash = ['deleteSpaceById', 'restoreSpace', 'purgeSpace'].includes(endpoint.operationId)
      const expected = endpoint.reads || isAboutTrash ? 'yes' : '409'
      expect(await answerTo(endpoint, 'admin', world), `${endpoint.method} ${endpoint.path}`).toBe(expected)
      expect(await answerTo(endpoint, 'review', world), `${endpoint.method} ${endpoint.path}`).toBe('404')
    }
  })
})
