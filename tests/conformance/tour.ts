/**
 * API tour: calls every operation at least once in one organization: creates, reads, lists, changes and deletes one of each
 * resource. How requests are sent, and the services around the server, are passed in.
 */
import { strToU8, zipSync } from 'fflate'
import { routes } from '../../src/server/api/api.js'
import type { Endpoint } from '../../src/contract/endpoint.js'
import type { Person } from '../test-client.js'
import { makeKeys } from '../saml-identity-provider.js'
import { specText } from '../openapi-specs.js'

/** By the name of the operation. */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map(
  routes.map(({ endpoint }) => [endpoint.operationId, endpoint]),
)

/** Operations that the tour cannot see succeed, and why. */
export const untested: ReadonlyMap<string, string> = new Map([
  ['cancelImportRun', 'cancels a running import, and the tour runs one operation after the other'],
  ['setPassword', 'is done with a session alone'],
  ['endSession', 'ends sessions, which no operation of the API begins'],
])

export interface Call {
  readonly operationId: string
  readonly endpoint: Endpoint
  readonly status: number
  readonly body: any
}

export interface ApiCall {
  readonly person: Person
  readonly endpoint: Endpoint
  /** What the path names, in its order. */
  readonly ids: readonly string[]
  readonly query: string
  readonly body?: unknown
  /** Of an upload, whose file is called `notes.txt`. */
  readonly bytes?: string | Uint8Array
}

export interface CallResponse {
  readonly status: number
  /** The JSON of the answer; undefined where it has none. */
  readonly body: any
  readonly bytes: Uint8Array
}

/** What the tour needs besides the operations. */
export interface World {
  send(apiCall: ApiCall): Promise<CallResponse>
  /** A new user with a token, whose e-mail address is the name at the domain. */
  person(name: string): Promise<Person>
  verifyEmail(person: Person): Promise<void>
  /** Resolves when all uploaded specifications are processed. */
  processSpecs(admin: Person, organization: string, slug: string): Promise<void>
  /** Resolves when all pending webhook deliveries were sent. */
  sendWebhook(admin: Person, organization: string, webhook: string): Promise<void>
  /** Resolves when the search index has the content of the space. */
  indexContent(admin: Person, space: string): Promise<void>
  /** Resolves when the inbox of the person has an entry. */
  deliverInbox(person: Person): Promise<void>
  /** The address of something in the app. */
  app(path: string): string
  /** The e-mail domain of the people of the tour, and of no others. */
  readonly domain: string
  /** Serves `/text.md`, and may be reached from the server. */
  readonly web: string
}

const everyBlock = `---
description: Everything there is.
icon: gear
layout:
  width: wide
tags: [one]
vars:
  product: Octavo
---

# Start

Words with **bold**, *emphasis*, \`code\`, ~~gone~~, [a link](other.md), [elsewhere](https://octavo.test/), <mark>marked</mark>, H<sub>2</sub>O, $$x^2$$ and :smile:.

{% hint style="warning" %}
Careful, <code class="expression">space.vars.product</code>.
{% endhint %}

{% tabs %}
{% tab title="One" %}
First.
{% endtab %}

{% tab title="Two" %}
Second.
{% endtab %}
{% endtabs %}

<details>

<summary>More</summary>

Inside.

</details>

{% stepper %}
{% step %}
### Step

Do it.
{% endstep %}
{% endstepper %}

{% columns %}
{% column %}
Left.
{% endcolumn %}

{% column %}
Right.
{% endcolumn %}
{% endcolumns %}

{% embed url="https://octavo.test/video" %}
A video.
{% endembed %}

{% code title="a.js" lineNumbers="true" %}
\`\`\`js
const x = 1
\`\`\`
{% endcode %}

{% content-ref url="other.md" %}
[other.md](other.md)
{% endcontent-ref %}

{% include "../missing.md" %}

{% file src="missing.pdf" %}
The paper.
{% endfile %}

<figure><img src="missing.png" alt="Nothing"><figcaption><p>A figure.</p></figcaption></figure>

> Quoted.

* one
  * two
* [ ] open
* [x] done

1. first
2. second

| A | B |
| - | -: |
| 1 | 2 |

<table data-view="cards"><thead><tr><th></th><th data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td>Card</td><td><a href="other.md">other.md</a></td></tr></tbody></table>

$$
\\sum x
$$

{% if visitor.claims.staff %}
For staff.
{% endif %}

{% updates format="full" %}
{% update date="2026-01-02" %}
## News

Now.
{% endupdate %}
{% endupdates %}

***

Text with a note[^1].

[^1]: The note.
`

const summary = `# Table of contents

* [Guide](README.md)

## Group

* [Start](start.md)
  * [Other](other.md)
* [Elsewhere](https://octavo.test/)
`

/** The path of an operation with its names in it, below `/v1`. */
export function pathOf({ endpoint, ids, query }: Pick<ApiCall, 'endpoint' | 'ids' | 'query'>): string {
  const rest = [...ids]
  return endpoint.path.replace(/:\w+/g, () => encodeURIComponent(rest.shift()!)) + query
}

/** Headers and body of a call, for any transport. */
export function requestOf({ person, body, bytes }: Pick<ApiCall, 'person' | 'body' | 'bytes'>): {
  readonly headers: Record<string, string>
  readonly payload?: string | Buffer<ArrayBuffer>
} {
  return {
    headers: {
      authorization: `Bearer ${person.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(bytes !== undefined && {
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment; filename="notes.txt"',
      }),
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
    ...(bytes !== undefined && { payload: Buffer.from(bytes) }),
  }
}

/** A search that finds nothing has no result whose shape could be wrong. */
function requireFound({ items }: { readonly items: readonly unknown[] }): void {
  if (items.length === 0) throw new Error('The search found nothing')
}

/** Calls every operation at least once, and returns the responses; throws where one does not succeed. */
export async function tour(world: World): Promise<Call[]> {
  const calls: Call[] = []
  const { web, domain } = world
  const admin = await world.person('admin')
  const writer = await world.person('writer')

  async function callAs(
    person: Person,
    operationId: string,
    ids: readonly string[] = [],
    { query = '', ...sent }: { body?: unknown; query?: string; bytes?: string | Uint8Array } = {},
  ): Promise<any> {
    const endpoint = endpoints.get(operationId)
    if (endpoint === undefined) throw new Error(`There is no operation ${operationId}`)
    const apiCall: ApiCall = { person, endpoint, ids, query, ...sent }
    const { status, body, bytes } = await world.send(apiCall)
    if (status !== endpoint.success) {
      const responseText = new TextDecoder().decode(bytes).slice(0, 2000)
      throw new Error(`${operationId} ${pathOf(apiCall)} was answered ${status}: ${responseText}`)
    }
    calls.push({ operationId, endpoint, status, body })
    return body ?? bytes
  }
  const call = callAs.bind(undefined, admin)

  // The person.
  await call('getAuthenticatedUser')
  await call('getUserPreferences')
  await call('updateUserPreferences', [], { body: { theme: 'dark', mail: { reply: 'daily' } } })
  await call('updateUserById', [admin.id], { body: { photoURL: 'https://octavo.test/me.png' } })
  await call('getUserById', [admin.id])
  const token = await call('createAPIToken', [], { body: { label: 'second' } })
  await call('listAPITokens')
  await call('revokeAPIToken', [token.id])
  await call('listSessions')

  // The organization and its people.
  const { id: org } = await call('createOrganization', [], { body: { title: 'Acme' } })
  const { id: elsewhere } = await call('createOrganization', [], { body: { title: 'Elsewhere' } })
  await call('listOrganizationsForAuthenticatedUser')
  const { hostname } = await call('updateOrganizationById', [org], {
    body: { emailDomains: [domain], defaultRole: 'read', inviteLinks: true },
  })
  await call('getOrganizationById', [org])
  await call('getSubdomain', [hostname])
  await world.verifyEmail(writer)
  await callAs(writer, 'getOrganizationsForEmailDomain', [domain])
  await callAs(writer, 'joinOrganization', [org])
  await callAs(writer, 'updateOrganizationMemberLastSeenAt', [org])
  await call('updateMemberInOrganizationById', [org, writer.id], { body: { role: 'edit' } })
  await call('inviteUsersToOrganization', [org], { body: { emails: [`new@${domain}`], role: 'read' } })
  const invited = await world.person('invited')
  for (const answer of ['declineInvitation', 'acceptInvitation']) {
    await call('inviteUsersToOrganization', [org], { body: { emails: [`invited@${domain}`] } })
    await callAs(invited, 'listInvitations')
    await callAs(invited, answer, [org])
  }
  await call('listMembersInOrganizationById', [org])
  await call('getMemberInOrganizationById', [org, writer.id])
  const link = await call('createOrganizationInvite', [org], { body: { role: 'read' } })
  await call('listOrganizationInviteLinks', [org])
  await call('getOrganizationInviteLink', [org, link.id])
  await call('updateOrganizationInviteById', [org, link.id], { body: { role: 'comment' } })
  await callAs(await world.person('joiner'), 'joinOrganizationWithInvite', [org, link.id])
  await call('deleteOrganizationInviteById', [org, link.id])
  const team = await call('createOrganizationTeam', [org], {
    body: { title: 'Writers', members: [writer.id] },
  })
  await call('listTeamsInOrganizationById', [org])
  await call('getTeamInOrganizationById', [org, team.id])
  await call('updateTeamInOrganizationById', [org, team.id], { body: { title: 'Authors' } })
  await call('addMemberToOrganizationTeamById', [org, team.id, admin.id], { body: { role: 'owner' } })
  await call('updateMembersInOrganizationTeam', [org, team.id], { body: { add: [writer.id] } })
  await call('listTeamMembersInOrganizationById', [org, team.id])
  await call('listTeamsForOrganizationMember', [org, writer.id])
  await call('deleteMemberFromOrganizationTeamById', [org, team.id, admin.id])
  await call('setUserAsSSOMemberForOrganization', [org, writer.id])
  await call('endMemberSessions', [org, writer.id])
  const { certificate } = await makeKeys('idp.octavo.test')
  const provider = await call('createOrganizationSAMLProvider', [org], {
    body: {
      label: 'Provider',
      entityID: 'https://idp.octavo.test/',
      ssoURL: 'https://idp.octavo.test/in',
      certificate,
    },
  })
  await call('updateOrganizationSAMLProviderById', [org, provider.id], { body: { label: 'Renamed' } })
  await call('getOrganizationSAMLProviderById', [org, provider.id])
  await call('listSAMLProvidersInOrganizationById', [org])
  await call('listSSOProviderLoginsInOrganizationById', [org])
  await call('deleteOrganizationSAMLProviderById', [org, provider.id])

  // Collections and spaces.
  const outer = await call('createCollection', [org], { body: { title: 'Outer' } })
  const inner = await call('createCollection', [org], { body: { title: 'Inner', parent: outer.id } })
  await call('updateCollectionById', [inner.id], { body: { description: 'Within' } })
  await call('getCollectionById', [inner.id])
  await call('moveCollection', [inner.id], { body: { parent: null } })
  await call('listCollectionsInOrganizationById', [org])
  const { id: space } = await call('createSpace', [org], {
    body: { title: 'Guide', emoji: '1f4d8', editMode: 'live', parent: outer.id },
  })
  await call('updateSpaceById', [space], { body: { language: 'en' } })
  await call('moveSpace', [space], { body: { parent: inner.id } })
  await call('createCustomFieldInOrganization', [org], {
    body: { name: 'audience', type: 'select:multi', options: ['staff', 'partners'] },
  })
  await call('listCustomFieldsInOrganization', [org])
  await call('getCustomFieldInOrganization', [org, 'audience'])
  await call('updateCustomFieldInOrganization', [org, 'audience'], { body: { title: 'Audience' } })
  const settings = await call('createTranslationSettings', [org], { body: { title: 'Guides' } })
  await call('updateTranslationSettings', [org, settings.id], { body: { title: 'All', languages: ['de'] } })
  await call('getTranslationSettings', [org, settings.id])
  await call('listTranslationSettings', [org])
  await tourTranslations(call, { org, settings: settings.id, source: space })
  await call('deleteTranslationSettings', [org, settings.id])
  const webhook = await call('createWebhook', [org], {
    body: { url: `${web}/text.md`, events: ['space_content_updated'] },
  })
  await call('listWebhooks', [org])
  await call('getWebhook', [org, webhook.id])
  await call('updateWebhook', [org, webhook.id], { body: { title: 'Build' } })
  await call('rotateWebhookSecret', [org, webhook.id])
  const delivery = await call('testWebhook', [org, webhook.id])
  await world.sendWebhook(admin, org, webhook.id)
  await call('listWebhookDeliveries', [org, webhook.id])
  await call('getWebhookDelivery', [org, webhook.id, delivery.id])
  await call('replayWebhookDelivery', [org, webhook.id, delivery.id])
  await call('deleteWebhook', [org, webhook.id])
  await call('createOpenApiSpec', [org], { body: { slug: 'pets', source: { text: specText('Pets') } } })
  await call('updateOpenApiSpecBySlug', [org, 'pets'], { body: { visibility: 'public' } })
  await call('createOrUpdateOpenApiSpecBySlug', [org, 'pets'], {
    body: { source: { url: `${web}/text.md` } },
  })
  await world.processSpecs(admin, org, 'pets')
  await call('getOpenApiSpecBySlug', [org, 'pets'])
  await call('createOrUpdateOpenApiSpecBySlug', [org, 'pets'], {
    body: { source: { text: specText('Pets') } },
  })
  await world.processSpecs(admin, org, 'pets')
  await call('listOpenApiSpecs', [org])
  const { items: versions } = await call('listOpenApiSpecVersions', [org, 'pets'])
  await call('getLatestOpenApiSpecVersion', [org, 'pets'])
  await call('getLatestOpenApiSpecVersionContent', [org, 'pets'])
  await call('getLatestOpenApiSpecVersionContentRaw', [org, 'pets'])
  await call('getOpenApiSpecVersionById', [org, 'pets', versions[0].id])
  await call('getOpenApiSpecVersionContentById', [org, 'pets', versions[0].id])
  await call('deleteOpenApiSpecBySlug', [org, 'pets'])
  await call('updateSpaceCustomFields', [space], {
    body: { values: { audience: { value: ['staff'] } } },
  })
  await call('getSpaceCustomFields', [space])
  await call('listSpacesInOrganizationById', [org])
  await call('listSpacesInCollectionById', [inner.id])
  await call('listSpacesForOrganizationMember', [org, writer.id])
  for (const [what, where, id] of [
    ['inviteTo', 'Space', space],
    ['inviteTo', 'Collection', inner.id],
  ] as const) {
    await call(`${what}${where}`, [id], { body: { role: 'edit', users: [writer.id], teams: [team.id] } })
    await call(`listUserPermissionsIn${where}`, [id])
    await call(`listTeamPermissionsIn${where}`, [id])
    await call(`listPermissionsAggregateIn${where}`, [id])
    await call(`updateUserPermissionIn${where}`, [id, writer.id], { body: { role: 'read' } })
    await call(`updateTeamPermissionIn${where}`, [id, team.id], { body: { role: 'read' } })
    await call(`removeUserFrom${where}`, [id, writer.id])
    await call(`removeTeamFrom${where}`, [id, team.id])
  }

  // Content, at its three endpoints.
  await call('importArchiveInSpace', [space], {
    bytes: zipSync({
      'SUMMARY.md': strToU8(summary),
      'README.md': strToU8('# Guide\n'),
      'start.md': strToU8(everyBlock),
      '.gitbook/includes/note.md': strToU8(everyBlock.replaceAll('other.md', '../../other.md')),
      'other.md': strToU8('# Other\n\nOne two three, see [Start](start.md).\n'),
      'paper.pdf': strToU8('%PDF-1.4\n'),
    }),
  })
  const file = await call('uploadFileInSpace', [space], { bytes: 'notes' })
  const written = await call('updateSpaceContent', [space], {
    query: '?compat=false',
    body: { changes: [{ operation: 'insert_page', document: { markdown: '# New\n' } }] },
  })
  await call('getPageById', [space, written.changes[0].page.id])
  const page = (await call('getPageByPath', [space, 'start'])).id
  const { revision } = await call('getSpaceById', [space])
  const change = await call('createChangeRequest', [space], { body: { subject: 'First' } })
  await call('getRevisionSemanticChanges', [space, revision], { query: '?limit=100' })
  await call('updateChangeRequestContent', [space, change.id], {
    query: '?compat=false',
    body: {
      changes: [
        { operation: 'insert_page', document: { markdown: '# Changed\n' } },
        { operation: 'update_page', page, title: 'Begin', document: { markdown: everyBlock + '\nMore.\n' } },
        { operation: 'delete_page', page: written.changes[0].page.id },
        { operation: 'insert_files', files: [{ name: 'new.txt', base64: 'b25l' }] },
      ],
    },
  })
  // Those that the client does not know: it is not asked to read their outcomes.
  await call('updateChangeRequestContent', [space, change.id], {
    body: {
      changes: [
        { operation: 'insert_files', files: [{ name: 'old.txt', base64: 'b25l', ref: 'new' }] },
        { operation: 'update_file', file: 'new', name: 'newer.txt' },
        { operation: 'delete_file', file: 'new' },
        {
          operation: 'insert_reusable_content',
          title: 'Text',
          ref: 'text',
          document: { markdown: 'Words.\n' },
        },
        { operation: 'update_reusable_content', reusableContent: 'text', title: 'Other text' },
        { operation: 'delete_reusable_content', reusableContent: 'text' },
        { operation: 'update_variables', variables: { product: 'Octavo' } },
        { operation: 'insert_tag', label: 'Beta' },
        { operation: 'update_tag', tag: 'beta', color: 'blue' },
        { operation: 'delete_tag', tag: 'beta' },
        { operation: 'insert_page', type: 'group', title: 'Group', ref: 'group' },
        { operation: 'insert_page', title: 'Link', target: { kind: 'page', page }, into: 'group' },
        { operation: 'update_page', page: 'group', type: 'document', layout: { outline: false } },
      ],
    },
  })
  await call('getChangeRequestChanges', [space, change.id], { query: '?blocks=true&limit=100' })
  await call('getChangeRequestPageChanges', [space, change.id, page])
  await call('comparePage', [space, page], { query: `?from=${revision}&to=change-request:${change.number}` })
  await call('compareContent', [space], {
    query: `?from=${revision}&to=change-request:${change.number}&limit=3`,
  })
  for (const [where, ids] of [
    ['Space', [space]],
    ['ChangeRequest', [space, change.id]],
  ] as const) {
    const commentBody = { body: { markdown: '**Why?**' } }
    const comment = await call(`postCommentIn${where}`, ids, { body: { ...commentBody, page, node: '0' } })
    const at = [...ids, comment.id]
    await call(`previewCommentIn${where}`, ids, { body: commentBody.body })
    const reply = await call(`postCommentReplyIn${where}`, at, { body: commentBody })
    const react = { addedReactions: ['1f44d'] }
    await call(`updateCommentReplyIn${where}`, [...at, reply.id], { body: { ...commentBody, ...react } })
    await call(`getCommentReplyIn${where}`, [...at, reply.id], { query: '?format=document' })
    await call(`listCommentRepliesIn${where}`, at)
    await call(`updateCommentIn${where}`, at, { body: { ...commentBody, ...react, resolved: true } })
    await call(`getCommentIn${where}`, at, { query: '?format=document' })
    await call(`listCommentsIn${where}`, ids)
    await call(`listCommentersIn${where}`, ids)
    const suggest = () =>
      call(`postCommentIn${where}`, ids, {
        body: {
          ...commentBody,
          page,
          node: '0',
          range: { start: 0, end: 5 },
          suggestion: { replacement: 'Words,' },
        },
      })
    await call(`applySuggestionIn${where}`, [...ids, (await suggest()).id])
    await call(`applySuggestionsIn${where}`, ids, { body: { comments: [(await suggest()).id] } })
    await call(`deleteCommentReplyIn${where}`, [...at, reply.id])
    await call(`deleteCommentIn${where}`, at)
  }
  const reviewed = [space, change.id]
  await call('getContributorsByChangeRequestId', reviewed)
  const rules = [
    { rule: 'require_at_least_one_review' },
    { rule: 'custom', expression: 'reviews.length > 1', message: 'two reviews' },
    { rule: 'allow_bypass', users: [(await call('getAuthenticatedUser', [])).id] },
  ]
  for (const mergeRules of [{ type: 'rules', rules }, { type: 'none' }]) {
    await call('updateSpaceById', [space], { body: { mergeRules } })
    await call('updateOrganizationById', [org], { body: { mergeRules } })
  }
  const mention = `[@writer](/users/${writer.id} "mention")`
  const described = { description: { markdown: `Says **why**, ${mention}.` } }
  await call('updateChangeRequestById', reviewed, { body: described })
  await world.deliverInbox(writer)
  const inbox = await callAs(writer, 'listInboxEntries', [], { query: '?read=false' })
  requireFound(inbox)
  const [entry] = inbox.items
  await callAs(writer, 'updateInboxEntry', [entry.id], { body: { read: true } })
  await callAs(writer, 'markInboxRead', [], { body: { through: entry.id } })
  const reviewers = await call('createOrganizationTeam', [org], { body: { title: 'Reviewers' } })
  const { id: boss } = await call('getAuthenticatedUser', [])
  await call('requestReviewersForChangeRequest', reviewed, { body: { users: [boss], teams: [reviewers.id] } })
  await call('getRequestedReviewersByChangeRequestId', reviewed)
  await call('removeRequestedReviewerFromChangeRequest', [...reviewed, reviewers.id])
  const { id: review } = await call('submitChangeRequestReview', reviewed, {
    body: { status: 'changes-requested', comment: { markdown: '**Why?**' } },
  })
  await call('getChangeRequestReviewById', [...reviewed, review], { query: '?format=document' })
  await call('getReviewsByChangeRequestId', reviewed)
  await call('withdrawChangeRequestReview', [...reviewed, review])
  await call('getChangeRequestChecks', reviewed)
  await call('getChangeRequestCheck', [...reviewed, 'comments'], { query: '?limit=1' })
  const linked = [
    `# Linked\n\n[page](/pages/${page}) [gone](gone.md) ![file](/files/${file.id})`,
    `[there](${world.app(`/s/${space}/start`)}) [app](${world.app(`/o/${org}`)})\n`,
  ]
  const linking = {
    body: { changes: [{ operation: 'insert_page', document: { markdown: linked.join('\n\n') } }] },
  }
  await call('updateSpaceContent', [space], linking)
  await call('updateChangeRequestContent', [space, change.id], linking)
  for (const [links, ofPage, toPage, toFile, toText, at] of [
    [
      'listSpaceLinks',
      'listPageLinksInSpace',
      'listPageBacklinksInSpace',
      'listSpaceFileBacklinks',
      'listSpaceReusableContentBacklinks',
      [space],
    ],
    [
      'listChangeRequestLinks',
      'listPageLinksInChangeRequest',
      'listPageBacklinksInChangeRequest',
      'listChangeRequestFileBacklinks',
      'listChangeRequestReusableContentBacklinks',
      [space, change.id],
    ],
  ] as const) {
    await call(links, at)
    await call(links, at, { query: '?status=broken' })
    await call(ofPage, [...at, page])
    await call(toPage, [...at, page])
    await call(toFile, [...at, file.id])
    await call(toText, [...at, (await call('listReusableContents', [space])).items[0].id])
  }
  const clients = [
    ['getCurrentRevision', 'listPages', 'getPageById', 'getPageByPath', 'listFiles', 'getFileById', [space]],
    [
      'getRevisionById',
      'listPagesInRevisionById',
      'getPageInRevisionById',
      'getPageInRevisionByPath',
      'listFilesInRevisionById',
      'getFileInRevisionById',
      [space, revision],
    ],
    [
      'getRevisionOfChangeRequestById',
      'listPagesInChangeRequest',
      'getPageInChangeRequestById',
      'getPageInChangeRequestByPath',
      'listFilesInChangeRequestById',
      'getFileInChangeRequestById',
      [space, change.id],
    ],
  ] as const
  for (const [whole, pages, byId, byPath, files, oneFile, at] of clients) {
    const { reusableContents } = await call(whole, at)
    const [where] = /InRevision|InChangeRequest|$/.exec(byId)!
    await call(`list${where.replace('In', '') || 'Space'}PageMetaLinks`, [...at, page])
    await call(`getPageDocument${where}ById`, [...at, page], { query: '?spans=true' })
    const { hash, text: source } = await call(`getPageText${where}ById`, [...at, page])
    const edit = { base: hash, splices: [{ start: source.length, end: source.length, text: '\nTyped.\n' }] }
    if (where !== 'InRevision')
      await call(`updatePageText${where}ById`, [...at, page], { body: { ...edit, client: 'tour', seq: 1 } })
    if (where !== 'InRevision') {
      await call(`previewPage${where}`, at, { body: { page, markdown: '# Start\n\nUnsaved.\n', claims: {} } })
      await call(`checkPageText${where}`, at, { body: { page, markdown: '[none](missing.md)\n' } })
      await call(`convertHtml${where}`, at, { body: { html: '<h2>Copied</h2><img src="cid:a">' } })
    }
    const { id: reusable } = reusableContents[0]
    await call(`listReusableContents${where}`, at)
    await call(`getReusableContentText${where}ById`, [...at, reusable])
    if (where === 'InChangeRequest') {
      await call('getChangeRequestReusableContentChanges', [...at, reusable])
      const query = `?from=change-request:${change.number}`
      await call('compareReusableContent', [space, reusable], { query })
    }
    await call(`getReusableContent${where}ById`, [...at, reusable], { query: '?metadata=false' })
    await call(`getReusableContentDocument${where}ById`, [...at, reusable], { query: '?evaluated=true' })
    await call(pages, at)
    for (const query of ['', '?format=markdown', '?format=document', '?metadata=true&computed=true']) {
      await call(byId, [...at, page], { query })
    }
    const { documentId } = await call(byPath, [...at, 'start'])
    await call('getDocumentById', [space, documentId], { query: '?schema=current' })
    await call(files, at)
    await call(oneFile, [...at, file.id])
  }
  await world.indexContent(admin, space)
  requireFound(await call('searchSpaceContent', [space], { query: '?query=words' }))
  requireFound(await call('searchOrganizationContent', [org], { query: '?query=words' }))
  await call('getSpacePdf', [space])
  const archive = await call('exportArchiveOfSpace', [space])
  const { id: copy } = await call('duplicateSpace', [space])
  await call('updateSpaceById', [copy], { body: { editMode: 'live' } })
  await call('importArchiveInSpace', [copy], { bytes: archive })
  const text = { body: { url: `${web}/text.md`, source: 'markdown' } }
  await call('importContentInSpace', [copy], text)
  const [above] = (await call('listPages', [copy])).pages
  const [run] = (await call('listImportRuns', [copy])).items
  await call('getImportRun', [copy, run.id])
  await call('importContentInPageById', [copy, above.id], text)
  const drafted = await call('createChangeRequest', [copy], { body: {} })
  await call('importArchiveInChangeRequest', [copy, drafted.id], { bytes: archive })
  await call('importContentInChangeRequest', [copy, drafted.id], text)
  await call('importContentInChangeRequestPageById', [copy, drafted.id, above.id], text)

  // Change requests, with a conflict that is decided.
  const disputed = (await call('getPageByPath', [space, 'other'])).id
  const edit = (two: string) => {
    const markdown = `# Other\n\nOne ${two} three, see [Start](start.md).\n`
    return { body: { changes: [{ operation: 'update_page', page: disputed, document: { markdown } }] } }
  }
  await call('updateChangeRequestContent', [space, change.id], edit('zwei'))
  await call('uploadFileInChangeRequest', [space, change.id], { bytes: 'more' })
  await call('getChangeRequestPdf', [space, change.id], { query: `?page=${disputed}&only=true` })
  await call('updateChangeRequestById', [space, change.id], { body: { subject: 'Renamed' } })
  await call('getChangeRequestById', [space, change.id])
  await call('listSpaceEvents', [space], { query: '?after=1' })
  await call('listOrganizationEvents', [org], { query: '?after=' })
  await call('listChangeRequestEvents', [space, change.id], { query: '?after=1' })
  await call('listChangeRequestsForSpace', [space], { query: '?status=all' })
  await call('listChangeRequestsForOrganization', [org], { query: '?status=all' })
  await call('updateSpaceContent', [space], edit('deux'))
  await call('updateChangeRequest', [space, change.id], { body: {} })
  const { conflicts } = await call('listChangeRequestConflicts', [space, change.id])
  if (conflicts.length === 0) throw new Error('Nothing conflicts')
  await call('resolveChangeRequestConflicts', [space, change.id], {
    body: { resolutions: conflicts.map(({ id }: any) => ({ id, take: 'ours' })) },
  })
  await call('mergeChangeRequest', [space, change.id])
  await call('getChangeRequestById', [space, change.id])
  const { revision: mergedRevision } = await call('getSpaceById', [space])
  await call('getRevisionById', [space, mergedRevision])
  await call('listRevisionsInChangeRequest', [space, change.id])
  for (const [where, ids] of [
    ['', [space, page]],
    ['InChangeRequest', [space, change.id, page]],
  ] as const) {
    await call(`listPageHistory${where}`, ids, { query: '?limit=100' })
    await call(`getPageBlame${where}`, ids)
  }
  await call('restoreRevision', [space, revision], { body: { pages: [page] } })

  await call('rollbackSpaceToRevision', [space, revision])
  await call('listRevisions', [space], { query: '?limit=100&summary=true' })

  // Sites.
  const { id: site } = await call('createSite', [org], { body: { title: 'Docs', spaces: [space] } })
  await call('addSpaceToSite', [org, site], { body: { spaceId: copy } })
  await call('updateSiteById', [org, site], { body: { title: 'Documentation' } })
  await call('publishSite', [org, site])
  await call('getSiteById', [org, site])
  await call('listSiteEvents', [org, site], { query: '?after=0' })
  await call('listSites', [org])
  await call('listSiteSpaces', [org, site])
  await call('getPublishedContentSite', [org, site])
  await call('getSpaceById', [space])
  const { urls } = await call('getSiteById', [org, site])
  const found = await call('resolvePublishedContentByUrl', [], { body: { url: `${urls.published}start` } })
  await call('getPublishedContentByUrl', [], { query: `?url=${encodeURIComponent(urls.published)}` })
  const app = encodeURIComponent(world.app(`/s/${space}/start`))
  await call('getContentByUrl', [], { query: `?url=${app}` })
  const embedded = `?url=${encodeURIComponent('https://youtu.be/dQw4w9WgXcQ')}`
  await call('getEmbedByUrl', [], { query: embedded })
  await call('getEmbedByUrlInSpace', [space], { query: embedded })
  requireFound(
    await call('searchSiteContent', [org, site], { body: { query: 'words', scope: { mode: 'all' } } }),
  )
  const reader: Person = { id: admin.id, token: found.apiToken }
  await callAs(reader, 'getPublishedContentSite', [org, site])
  const { revision: currentRevision } = await callAs(reader, 'getSpaceById', [space])
  await callAs(reader, 'getRevisionById', [space, currentRevision], { query: '?metadata=false' })
  await call('unpublishSite', [org, site])

  // The structure of a site.
  const spares: string[] = []
  for (let count = 0; count < 4; count++)
    spares.push((await call('createSpace', [org], { body: { title: `Spare ${count}` } })).id)
  const section = await call('addSectionToSite', [org, site], { body: { spaceId: spares[0], icon: 'gear' } })
  const parent = await call('addSectionGroupToSite', [org, site], { body: { title: 'Around' } })
  const group = await call('addSectionGroupToSite', [org, site], {
    body: { title: 'Group', icon: 'gear', sections: [section.id], parent: parent.id },
  })
  const gone = await call('addSectionToSite', [org, site], { body: { spaceId: spares[1], title: 'Gone' } })
  await call('addSectionToGroup', [org, site, group.id], { body: { sectionId: gone.id } })
  await call('updateSiteSectionById', [org, site, section.id], {
    body: { title: 'Section', description: 'What is in it', condition: 'visitor.claims.unsigned.beta' },
  })
  await call('updateSiteSectionGroupById', [org, site, group.id], { body: { title: 'Menu' } })
  await call('moveSiteSection', [org, site, section.id], { body: {} })
  await call('moveSiteSectionGroup', [org, site, group.id], { body: {} })
  const variant = await call('addSpaceToSite', [org, site], {
    body: { spaceId: spares[2], sectionId: section.id },
  })
  await call('updateSiteSpaceById', [org, site, variant.id], { body: { path: 'v2', spaceId: spares[3] } })
  await call('moveSiteSpace', [org, site, variant.id], {
    body: { position: { before: { type: 'site-space', siteSpace: section.siteSpaces[0].id } } },
  })
  for (const item of [
    { type: 'site-space', id: variant.id },
    { type: 'site-section', id: section.id },
    { type: 'site-section-group', id: group.id },
  ])
    await call('sortSiteStructure', [org, site], { body: { item, position: {} } })
  await call('publishSite', [org, site])
  await call('listSiteSpaces', [org, site])
  await call('listSiteSections', [org, site])
  await call('listSiteSectionGroups', [org, site])
  await call('getSiteStructure', [org, site])
  await call('getPublishedContentSite', [org, site])
  await call('removeSectionFromGroup', [org, site, group.id, gone.id])
  for (const destination of [
    { kind: 'site-section', siteSectionId: section.id },
    { kind: 'site-space', siteSpaceId: variant.id },
  ])
    await call('createSiteRedirect', [org, site], { body: { source: `/${destination.kind}`, destination } })
  const claims = { plan: { type: 'string', enum: ['pro'], description: 'The plan' } }
  const jsonSchema = { type: 'object', properties: claims, additionalProperties: false }
  await call('updateSiteAdaptiveSchema', [org, site], { body: { jsonSchema } })
  await call('getSiteAdaptiveSchema', [org, site])
  await call('listSiteAdaptiveTemplateConditions', [org, site])
  const redirects = await call('listSiteRedirects', [org, site])
  await call('getSiteRedirectBySource', [org, site], { query: '?source=/site-space' })
  const external = { kind: 'external', url: 'https://octavo.test/' }
  for (const many of [
    [
      { source: '/many/*', destination: external, captureWildcard: true },
      { source: '/none', destination: null },
    ],
    [{ source: '/many/*', destination: external, permanent: true }],
    [{ source: '/many/*', destination: null }],
  ])
    await call('bulkUpsertSiteRedirects', [org, site], { body: { redirects: many } })
  await call('updateSiteRedirectById', [org, site, redirects.items[0].id], { body: { permanent: true } })
  await call('deleteSiteRedirectById', [org, site, redirects.items[0].id])
  await call('createSiteShareLink', [org, site], { body: { name: 'Reviewers' } })
  const links = await call('listSiteShareLinks', [org, site])
  await call('updateSiteShareLinkById', [org, site, links.items[0].id], { body: { active: false } })
  await call('deleteSiteShareLinkById', [org, site, links.items[0].id])
  await call('listSitePageFeedback', [org, site])
  await call('listSitePageInsights', [org, site])
  await call('trackEventsInSiteById', [org, site], {
    body: {
      events: [
        {
          type: 'search_type_query',
          query: 'keys',
          session: {
            visitorId: 'somebody',
            sessionId: 'today',
            cookies: {},
            userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
            language: 'en',
            referrer: 'https://example.com/',
          },
          location: {
            url: 'https://docs.example.com/',
            siteSection: null,
            siteSpace: null,
            siteShareKey: null,
            space: null,
            revision: null,
            page: null,
          },
        },
      ],
    },
  })
  await call('aggregateSiteEvents', [org, site], {
    body: {
      range: 'last30Days',
      groupBy: [{ column: 'datetime', interval: 'day' }, { column: 'page' }, { column: 'eventSearchQuery' }],
      select: [
        { column: 'eventType' },
        { column: 'eventsCount' },
        { column: 'visitorDevice' },
        { column: 'pageFeedbackRating' },
      ],
    },
  })
  await call('updateSiteInsightsSettings', [org, site], { body: { days: 90, claims: ['plan'] } })
  await call('getSiteInsightsSettings', [org, site])
  await call('getSitePublishingAuthById', [org, site])
  await call('updateSitePublishingAuthById', [org, site], {
    body: { backend: 'custom', fallbackURL: 'https://example.com/login' },
  })
  await call('regenerateSitePublishingAuthById', [org, site])
  await call('getSitePublishingPreviewById', [org, site], { query: '?claims=(plan:pro)' })
  const ofSpace = [org, site, variant.id]
  const current = await call('getSiteCustomizationById', [org, site])
  await call('updateSiteCustomizationById', [org, site], { body: { ...current, title: 'Handbook' } })
  await call('overrideSiteSpaceCustomizationById', ofSpace, { body: { styling: { theme: 'bold' } } })
  await call('getSiteSpaceCustomizationById', ofSpace)
  await call('updateSiteScripts', [org, site], {
    body: { scripts: [{ name: 'Chat', script: 'https://cdn.example.com/chat.js', cookies: false }] },
  })
  await call('getSiteScripts', [org, site])
  await call('listSiteIntegrationScripts', [org, site])
  await call('getPublishedContentSite', [org, site])
  await call('deleteSiteSpaceCustomizationById', ofSpace)
  await call('deleteSiteSectionById', [org, site, gone.id])
  await call('deleteSiteSectionGroupById', [org, site, group.id])
  await call('deleteSiteSpaceById', [org, site, variant.id])
  const { id: removed } = await call('createSite', [org])
  await call('deleteSiteById', [org, removed])

  // Deletion.
  await call('listAuditEvents', [org])
  await call('deleteSpaceById', [copy])
  await call('getSpaceById', [copy])
  await call('listSpacesInTrash', [org])
  await call('restoreSpace', [copy])
  await call('deleteSpaceById', [copy])
  await call('purgeSpace', [copy])
  const { id: leaving } = await call('createSpace', [org], { body: {} })
  await call('transferSpace', [leaving], { body: { organization: elsewhere } })
  await call('transferCollection', [outer.id], { body: { organization: elsewhere } })
  await call('deleteCollectionById', [inner.id])
  await call('createMemberSignInLink', [org, writer.id])
  await call('removeTeamFromOrganizationById', [org, team.id])
  await call('deleteCustomFieldInOrganization', [org, 'audience'])
  await call('removeMemberFromOrganizationById', [org, writer.id])
  return calls
}

/** Translations: the translator, its instructions, and a translated space. */
async function tourTranslations(
  call: (operationId: string, ids?: string[], sent?: { body?: unknown; query?: string }) => Promise<any>,
  { org, settings, source }: { readonly org: string; readonly settings: string; readonly source: string },
): Promise<void> {
  await call('putTranslator', [org], {
    body: { endpoint: 'https://translator.test/v1', model: 'm', key: 'k' },
  })
  await call('getTranslator', [org])
  await call('deleteTranslator', [org])
  const glossary = [{ term: 'Octavo' }, { term: 'space', translations: { de: 'Bereich' } }]
  await call('putTranslationGuidance', [org, settings], { body: { instructions: 'Be brief.', glossary } })
  await call('getTranslationGuidance', [org, settings])
  const { space } = await call('createSpaceTranslation', [org, settings], {
    body: { source, language: 'de' },
  })
  await call('getSpaceTranslation', [space])
  await call('updateSpaceTranslation', [space], { body: { follows: false } })
  await call('runSpaceTranslation', [space], { body: { again: 'failed' } })
  await call('cancelSpaceTranslation', [space])
  // Not before: lists are read page by page, and a continuing run changes between two of them.
  await call('listSpaceTranslations', [org, settings])
  const { items } = await call('listTranslatedPages', [space])
  await call('getTranslatedPage', [space, items[0].id])
  const xliff = await call('exportTranslationXliff', [space])
  await call('importTranslationXliff', [space], { body: { xliff: Buffer.from(xliff).toString() } })
  await call('deleteSpaceTranslation', [space])
}
