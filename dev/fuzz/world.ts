/** Fuzzing data: two organizations with one of each resource, distinguishable by their texts; recreated as requests delete them. */
import { newId } from '../../src/access/ids.js'
import { newApiToken } from '../../src/access/signin/secrets.js'
import { insertToken } from '../../src/access/signin/tokens.js'
import type { UserId } from '../../src/core/ids.js'
import { insertUser } from '../../src/resources/users/store.js'
import type { Database } from '../../src/store/db/database.js'
import { makeKeys } from '../../tests/saml-identity-provider.js'

export interface FuzzWorld {
  /** Ids by names such as `@A.space`. */
  readonly resourceIds: ReadonlyMap<string, string>
  /** Tokens of the senders. */
  readonly tokens: ReadonlyMap<string, string>
  /** Occurs in every text of B, and nowhere else. */
  readonly mark: string
}

export type SendRequest = (
  token: string,
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly body: any }>

let made = 0

export async function makeWorld(database: Database, ask: SendRequest): Promise<FuzzWorld> {
  const number = ++made
  const resourceIds = new Map<string, string>()
  const tokens = new Map<string, string>()
  const mark = 'zebrafish'
  const keys = await makeKeys('idp.octavo.test')

  async function person(name: string, words: string): Promise<{ id: UserId; token: string }> {
    const [id, token] = [newId<UserId>(), newApiToken()]
    await database.write(async (tx) => {
      const email = `${name.toLowerCase().replace('.', '-')}-${words}${number}@octavo.test`
      await insertUser(tx, { id, displayName: `${name} ${words}`, email, now: Date.now() })
      await insertToken(tx, { userId: id, token, label: words, now: Date.now() })
    })
    tokens.set(name, token)
    return { id, token }
  }

  for (const [whose, words] of [
    ['A', 'walrus'],
    ['B', mark],
  ] as const) {
    const admin = await person(`${whose}.admin`, words)
    const must = async (method: string, path: string, body?: unknown): Promise<any> => {
      const answer = await ask(admin.token, method, path, body)
      if (answer.status > 299) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    const set = (name: string, value: unknown): void =>
      void resourceIds.set(`${whose}.${name}`, String(value))
    const org = (await must('POST', '/orgs', { title: `Organization ${words}` })).id
    set('org', org)
    set('admin', admin.id)
    for (const [name, role] of [
      ['editor', 'edit'],
      ['reader', 'read'],
    ] as const) {
      const one = await person(`${whose}.${name}`, words)
      set(name, one.id)
      const email = `${whose.toLowerCase()}-${name}-${words}${number}@octavo.test`
      await must('POST', `/orgs/${org}/invites`, { emails: [email], role })
      const accepted = await ask(one.token, 'POST', `/user/invitations/${org}`)
      if (accepted.status > 299) throw new Error(JSON.stringify(accepted.body))
    }
    const team = await must('PUT', `/orgs/${org}/teams`, { title: `Team ${words}`, members: [admin.id] })
    set('team', team.id)
    set('collection', (await must('POST', `/orgs/${org}/collections`, { title: `Collection ${words}` })).id)
    const space = (await must('POST', `/orgs/${org}/spaces`, { title: `Space ${words}` })).id
    set('space', space)
    const live = (await must('POST', `/orgs/${org}/spaces`, { title: `Live ${words}`, editMode: 'live' })).id
    set('live', live)
    const change = await must('POST', `/spaces/${space}/change-requests`, { subject: `Change ${words}` })
    const markdown = `# Start\n\nSaid by ${words}.\n\n## More\n\n[there](other.md)\n`
    await must('POST', `/spaces/${space}/change-requests/${change.id}/content`, {
      changes: [
        { operation: 'insert_page', title: `Start ${words}`, slug: 'start', document: { markdown } },
        { operation: 'insert_files', files: [{ name: `${words}.txt`, base64: 'b25l' }] },
      ],
    })
    await must('POST', `/spaces/${space}/change-requests/${change.id}/merge`)
    const open = await must('POST', `/spaces/${space}/change-requests`, { subject: `Open ${words}` })
    set('changeRequest', open.id)
    set('changeRequestNumber', open.number)
    const page = await must('GET', `/spaces/${space}/content/path/start`)
    set('page', page.id)
    set('pagePath', 'start')
    set('document', page.documentId)
    set('file', (await must('GET', `/spaces/${space}/content/files`)).items[0].id)
    set('revision', (await must('GET', `/spaces/${space}`)).revision)
    const commentBody = { body: { markdown: `Comment ${words}` } }
    const comment = await must('POST', `/spaces/${space}/comments`, { ...commentBody, page: page.id })
    set('comment', comment.id)
    set('reply', (await must('POST', `/spaces/${space}/comments/${comment.id}/replies`, commentBody)).id)
    const site = await must('POST', `/orgs/${org}/sites`, {
      title: `Site ${words}`,
      spaces: [space],
      visibility: 'share-link',
    })
    const at = `/orgs/${org}/sites/${site.id}`
    set('site', site.id)
    const section = await must('POST', `${at}/sections`, { spaceId: live, title: `Section ${words}` })
    set('section', section.id)
    set('siteSpace', section.siteSpaces[0].id)
    set('group', (await must('POST', `${at}/section-groups`, { title: `Group ${words}` })).id)
    const destination = { kind: 'site-section', siteSectionId: section.id }
    set('redirect', (await must('POST', `${at}/redirects`, { source: '/old', destination })).id)
    const share = await must('POST', `${at}/share-links`, { name: `Link ${words}` })
    set('shareLink', share.id)
    const published = await must('POST', `${at}/publish`)
    const shared = share.urls?.published ?? published.urls.published
    set('siteUrl', published.urls.published)
    set('shareKey', /\/([A-Za-z0-9_-]{16,})\/?$/.exec(shared)?.[1] ?? 'none')
    const resolved = await ask(admin.token, 'POST', '/urls/published', { url: shared })
    tokens.set(`${whose}.content`, resolved.body?.apiToken ?? 'oct_none')
    // A sender with an invite link of B could join it, and read it then.
    if (whose === 'A') set('invite', (await must('POST', `/orgs/${org}/link-invites`, { role: 'read' })).id)
    await must('POST', `/orgs/${org}/custom-fields`, { name: 'audience', type: 'text', title: words })
    set('field', 'audience')
    await must('POST', `/orgs/${org}/openapi`, {
      slug: 'pets',
      source: { text: `openapi: 3.1.0\ninfo: {title: ${words}, version: '1'}\npaths: {}\n` },
    })
    set('spec', 'pets')
    const saml = await must('POST', `/orgs/${org}/saml`, {
      // Visible to everyone on the sign-in page.
      label: 'Provider',
      entityID: `https://${words}.test/`,
      ssoURL: 'https://idp.octavo.test/in',
      certificate: keys.certificate,
    })
    set('saml', saml.id)
    set('translation', (await must('POST', `/orgs/${org}/translations`, { title: words })).id)
  }
  await person('outsider', 'nobody')
  tokens.set('guess', newApiToken())
  return { resourceIds, tokens, mark }
}
