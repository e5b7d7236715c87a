/** Site test client: the whole server, the API and published sites, for tests of what readers see. */
import { strToU8, zipSync } from 'fflate'
import type { OrganizationId } from '../src/core/ids.js'
import type { Services } from '../src/access/route/scope.js'
import { createSignIn } from '../src/access/signin/request.js'
import { mountAssets } from '../src/server/sites/assets.js'
import { mountFiles } from '../src/server/sites/files.js'
import { mountPdfs } from '../src/server/sites/pdfs.js'
import { mountSpecifications } from '../src/server/sites/specifications.js'
import { mountHome } from '../src/server/sites/home.js'
import { mountSignIn } from '../src/server/sign-in/mount.js'
import { mountPublishedSites } from '../src/server/sites/published-sites.js'
import type { Database } from '../src/store/db/database.js'
import { type TestClient, type Person, openTestClient } from './test-client.js'

export interface ReadAnswer {
  readonly status: number
  readonly text: string
  readonly headers: Record<string, string | undefined>
}

export interface SiteClient extends TestClient {
  /** Sends a request as a browser would: a path from the root of the host, with optional headers. */
  read(path: string, headers?: Record<string, string>, method?: 'GET' | 'HEAD'): Promise<ReadAnswer>
  /** Makes a space of these pages, in order, by their slugs; a page may be below an earlier one. */
  space(
    person: Person,
    organization: OrganizationId,
    title: string,
    pages: readonly NewPage[],
  ): Promise<{ id: string; pages: ReadonlyMap<string, string> }>
  /** Makes a site that shows the spaces and publishes it; answers its id and its path. */
  publish(
    person: Person,
    organization: OrganizationId,
    body: { title: string; visibility?: string; spaces: readonly string[] },
  ): Promise<{ id: string; base: string }>
  /** Creates a space from a folder, passed as file contents by path; returns its id. */
  folder(
    person: Person,
    organization: OrganizationId,
    title: string,
    files: Readonly<Record<string, string>>,
  ): Promise<string>
  /** Replaces the content of a space by that of a folder. */
  fill(person: Person, space: string, files: Readonly<Record<string, string>>): Promise<void>
  /** Changes pages of a space by a change request that is merged immediately. */
  change(person: Person, space: string, changes: readonly object[]): Promise<void>
}

export interface NewPage {
  readonly slug: string
  readonly markdown: string
  readonly into?: string
  readonly hidden?: boolean
}

/** The header in which a proxy names the country of a request. */
const countryHeader = 'X-Country'

/** `routed` is called with every route as it is mounted; `parts` replace the services that handlers use. */
export async function openSiteClient(
  database: Database,
  routed: (route: { readonly method: string; readonly url: string }) => void = () => {},
  parts: Partial<Services> = {},
): Promise<SiteClient> {
  const api = await openTestClient(database, undefined, parts)
  const { server, services, now } = api
  server.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routed({ method: one, url })
  })
  const signIn = createSignIn(services, { baseUrl: services.addresses.base, now })
  mountAssets(server)
  mountFiles(server, { services, now, signIn })
  mountSpecifications(server, { services, now, signIn })
  mountPdfs(server, { services, now, signIn })
  mountHome(server, { services, now, signIn })
  mountSignIn(server, { services, now, signIn })
  const findPage = mountPublishedSites(server, { services, now, signIn, countryHeader })
  api.responseCache.mount(server, [findPage])

  const change: SiteClient['change'] = async (person, space, changes) => {
    const made = await must(api.request(person, 'POST', `/spaces/${space}/change-requests`, {}))
    const at = `/spaces/${space}/change-requests/${made.id}`
    await must(api.request(person, 'POST', `${at}/content`, { changes }))
    await must(api.request(person, 'POST', `${at}/merge`, {}))
  }

  const fill: SiteClient['fill'] = async (person, space, files) => {
    const entries = Object.entries(files).map(([path, text]) => [path, strToU8(text)])
    const imported = await server.inject({
      method: 'POST',
      url: `/v1/spaces/${space}/content/archive?mode=replace`,
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/zip' },
      payload: Buffer.from(zipSync(Object.fromEntries(entries))),
    })
    if (imported.statusCode !== 201) throw new Error(`${imported.statusCode}: ${imported.body}`)
  }

  return {
    ...api,
    change,
    async read(path, headers = {}, method = 'GET') {
      const answer = await server.inject({ method, url: path, headers: { host: 'octavo.test', ...headers } })
      return {
        status: answer.statusCode,
        text: answer.body,
        headers: answer.headers as Record<string, string | undefined>,
      }
    },
    async space(person, organization, title, pages) {
      const { id } = await must(
        api.request(person, 'POST', `/orgs/${organization}/spaces`, { title, empty: true }),
      )
      const changes = pages.map(({ slug, markdown, into, hidden }) => ({
        operation: 'insert_page',
        ref: slug,
        slug,
        document: { markdown },
        ...(into !== undefined && { into }),
        ...(hidden !== undefined && { hidden }),
      }))
      if (changes.length > 0) await change(person, id, changes)
      const { pages: tree } = await must(api.request(person, 'GET', `/spaces/${id}/content/pages`))
      const ids = new Map<string, string>()
      const walk = (nodes: readonly { id: string; slug: string; pages?: never[] }[]): void => {
        for (const node of nodes) {
          ids.set(node.slug, node.id)
          walk(node.pages ?? [])
        }
      }
      walk(tree)
      return { id, pages: ids }
    },
    async folder(person, organization, title, files) {
      const at = `/orgs/${organization}/spaces`
      const { id } = await must(api.request(person, 'POST', at, { title, empty: true, editMode: 'live' }))
      await fill(person, id, files)
      return id
    },
    fill,
    async publish(person, organization, body) {
      const at = `/orgs/${organization}/sites`
      const { id } = await must(api.request(person, 'POST', at, body))
      const site = await must(api.request(person, 'POST', `${at}/${id}/publish`))
      return { id, base: new URL(site.urls.published).pathname }
    },
  }
}

/** The body of an answer that must be a success. */
async function must(answering: ReturnType<TestClient['request']>): Promise<any> {
  const answer = await answering
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.body
}
