/**
 * External renderer: the requests for one page of a renderer written for this API, in its order and with its concurrency,
 * with only the reader's token; every response is validated against both generations of the client.
 */
import { beforeAll, expect, test } from 'vitest'
import { routes } from '../src/server/api/api.js'
import type { SpaceId } from '../src/core/ids.js'
import { indexSpace } from '../src/resources/search/index-space.js'
import { clients, readClientSchemas } from './client-schemas.js'
import type { Person } from './test-client.js'
import { describeEngines } from './engines.js'
import { processSpecs, specText } from './openapi-specs.js'
import { type SiteClient, openSiteClient } from './site-client.js'

const endpoints = routes.map(({ endpoint }) => endpoint)
const schemas = clients.map(readClientSchemas)
/**
 * What sites of the newest client have besides: levels and previews of a site. And files of a specification, which
 * both clients describe as an object and read as the list that it is.
 */
const knownFaults =
  / \.site\.(defaultLevel|permissions|urls\.preview) is missing$| \.filesystem \(kind\) is no object$/

interface Call {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly body: any
}

describeEngines('a renderer', (engine) => {
  let siteClient: SiteClient
  let ann: Person
  let address: string
  let at: string
  let acme: string
  let api: string
  let home: string
  let calls: Call[] = []

  async function ask(
    person: Person | null,
    method: string,
    path: string,
    body?: object,
    expected = 200,
  ): Promise<any> {
    const answer = await siteClient.request(person, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(expected)
    calls.push({ method, path, status: answer.status, body: answer.body })
    return answer.body
  }

  beforeAll(async () => {
    siteClient = await openSiteClient(await engine.open())
    ann = await siteClient.person('ann')
    const organization = await siteClient.organization(ann)
    acme = organization
    const space = await siteClient.folder(ann, organization, 'Guide', {
      'README.md': '# Home\n\nWelcome.\n',
      'start.md':
        '---\ndescription: The first steps.\nicon: rocket\n---\n\n# Start\n\nWith <code class="expression">space.vars.product</code>.\n\n## First step\n\nHold the needle.\n\n{% if space.vars.beta %}\nNew.\n{% endif %}\n\n{% include ".gitbook/includes/note.md" %}\n\n{% hint style="info" %}\nMind.\n{% endhint %}\n',
      'start/next.md': '# Next\n\nOn.\n',
      '.gitbook/vars.yaml': 'product: Octavo\nbeta: true\n',
      '.gitbook/includes/note.md': 'A note.\n',
    })
    const made = await siteClient.space(ann, organization, 'API', [
      {
        slug: 'home',
        markdown:
          '# API\n\nNeedles.\n\n{% openapi-operation spec="Shown" path="/pets" method="get" %}\n{% endopenapi-operation %}\n',
      },
    ])
    const reference = await siteClient.folder(ann, organization, 'Reference', {
      'README.md': '# Reference\n',
      'SUMMARY.md':
        '* [Reference](README.md)\n* ```yaml\n  type: builtin:openapi\n  dependencies: { spec: { ref: { kind: openapi, spec: made } } }\n  ```\n',
    })
    for (const slug of ['shown', 'made', 'private'])
      await siteClient.request(ann, 'PUT', `/orgs/${acme}/openapi/${slug}`, {
        source: { text: specText(slug) },
      })
    await processSpecs(siteClient)
    api = made.id
    home = made.pages.get('home')!
    for (const id of [space, api])
      await indexSpace({
        services: siteClient.services,
        spaceId: id as SpaceId,
        now: siteClient.now,
        signal: new AbortController().signal,
      })
    const site = await siteClient.publish(ann, organization, { title: 'Docs', spaces: [space] })
    at = `/orgs/${acme}/sites/${site.id}`
    address = `http://octavo.test${site.base}`
    await siteClient.request(ann, 'POST', `${at}/sections`, { spaceId: api, title: 'API' })
    await siteClient.request(ann, 'POST', `${at}/sections`, { spaceId: reference, title: 'Reference' })
    const { items } = (await siteClient.request(ann, 'GET', `${at}/site-spaces`)).body
    const destination = {
      kind: 'site-space',
      siteSpaceId: items.find((one: any) => one.space.id === api).id,
    }
    expect(
      (await siteClient.request(ann, 'POST', `${at}/redirects`, { source: '/old', destination })).status,
    ).toBe(201)
  })

  /** Sends all requests for one page; returns the token and the document. */
  async function requestPage(path: string) {
    const found = await ask(null, 'POST', '/urls/published', { url: address + path, visitor: {} })
    const reader: Person = { id: ann.id, token: found.apiToken }
    const payload = JSON.parse(Buffer.from(found.apiToken.split('.')[1], 'base64url').toString())
    expect(payload).toMatchObject({ kind: 'site', site: found.site, space: found.space })
    const within = `/spaces/${found.space}`
    const [published, space] = await Promise.all([
      ask(reader, 'GET', `/orgs/${found.organization}/sites/${found.site}/published`),
      ask(reader, 'GET', within),
      ask(reader, 'GET', `/orgs/${found.organization}/sites/${found.site}/structure`),
    ])
    expect(published.site.id).toBe(found.site)
    const revision = `${within}/revisions/${space.revision}`
    const slug = found.pathname.slice(1)
    const [{ pages, reusableContents }, page] = await Promise.all([
      ask(reader, 'GET', `${revision}?metadata=false`),
      ask(reader, 'GET', `${revision}/path/${encodeURIComponent(slug)}?metadata=false`),
      ask(reader, 'GET', `${revision}/files?metadata=false`),
    ])
    expect(pages.map(({ id }: { id: string }) => id)).toContain(page.id)
    const [document] = await Promise.all([
      ask(reader, 'GET', `${revision}/page/${page.id}/document?evaluated=true&dereferenced=true`),
      ask(reader, 'GET', `${revision}/page/${page.id}/document?evaluated=deterministic-only`),
      ask(reader, 'GET', `${revision}/page/${page.id}?format=markdown`),
      ask(reader, 'GET', `${within}/documents/${page.documentId}?schema=current`),
      ask(reader, 'GET', `${revision}/reusable-contents/${reusableContents[0].id}/document`),
    ])
    return { reader, found, document }
  }

  test('gets every response for a page as both clients describe it', async () => {
    calls = []
    const { reader, document } = await requestPage('start')
    const text = JSON.stringify(document)
    for (const words of ['Octavo', 'New.', 'A note.']) expect(text).toContain(words)
    expect(text).not.toMatch(/"type":"(if|expression|reusable-content)"/)
    const scope = { mode: 'default' }
    const search = await ask(reader, 'POST', `${at}/search?limit=50`, { query: 'needle', scope })
    expect(search.items.length).toBeGreaterThan(0)
    for (const slug of ['shown', 'made']) {
      const path = `/orgs/${acme}/openapi/${slug}/versions/latest/content`
      const { filesystem } = await ask(reader, 'GET', path)
      expect(filesystem[0].specification.info.title).toBe(slug)
    }
    const faults = calls.flatMap(({ method, path, status, body }) => {
      const bare = path.split('?')[0]!
      const endpoint = endpoints
        .filter(
          (one) => one.method === method && new RegExp(`^${one.path.replace(/:\w+/g, '[^/]+')}$`).test(bare),
        )
        .toSorted((a, b) => a.params.length - b.params.length)[0]!
      return schemas.flatMap((one, client) => {
        expect(one.knows(endpoint), endpoint.operationId).toBe(true)
        return one
          .faultsOf(endpoint, status, body)
          .map((fault) => `${clients[client]} ${endpoint.operationId} ${fault}`)
      })
    })
    expect(faults.filter((fault) => !knownFaults.test(fault))).toEqual([])
    expect(calls.length).toBeGreaterThan(12)
  })

  test('reads the specifications that the site uses, and no other', async () => {
    const { reader } = await requestPage('start')
    const specsPath = `/orgs/${acme}/openapi`
    for (const path of ['private/versions/latest/content', 'nowhere/versions/latest/content'])
      await ask(reader, 'GET', `${specsPath}/${path}`, undefined, 404)
    for (const path of [
      '',
      '/made',
      '/made/versions',
      '/made/versions/latest',
      '/made/versions/latest/content/raw',
    ])
      await ask(reader, 'GET', specsPath + path, undefined, 403)
    const answer = await ask(reader, 'GET', `${specsPath}/made/versions/latest/content`)
    expect(JSON.stringify([answer.url, answer.urls])).not.toContain('token')
    const stranger = await siteClient.person('stranger')
    await ask(stranger, 'GET', `${specsPath}/made/versions/latest/content`, undefined, 404)
    // Once the site no longer uses it, only tokens from before can read it.
    await siteClient.change(ann, api, [
      { operation: 'update_page', page: home, document: { markdown: '# API\n\nNeedles.\n' } },
    ])
    await ask(reader, 'GET', `${specsPath}/shown/versions/latest/content`)
    const { reader: later } = await requestPage('start')
    await ask(later, 'GET', `${specsPath}/shown/versions/latest/content`, undefined, 404)
  })

  test('is redirected where no page exists, or gets 404', async () => {
    const { reader, found } = await requestPage('start')
    const { revision } = await ask(reader, 'GET', `/spaces/${found.space}`)
    for (const path of ['old', 'nowhere']) {
      const missing = await ask(null, 'POST', '/urls/published', { url: address + path })
      expect(missing.pathname).toBe(`/${path}`)
      await ask(reader, 'GET', `/spaces/${found.space}/revisions/${revision}/path/${path}`, undefined, 404)
    }
    const led = await ask(reader, 'GET', `${at}/redirect?source=%2Fold`)
    expect(led.target).toBe(`${address}api/`)
    await ask(reader, 'GET', `${at}/redirect?source=%2Fnowhere`, undefined, 404)
  })

  test('gets equal responses for a page until something changes, so that it can cache them', async () => {
    const one = await requestPage('start')
    const madeFor = () =>
      siteClient.services.caches.stats().find(({ kind }) => kind === 'revision and pages')!.misses
    const made = madeFor()
    const other = await requestPage('start')
    expect(other.found).toEqual(one.found)
    expect(other.document).toEqual(one.document)
    expect(madeFor()).toBe(made)
    await siteClient.change(ann, one.found.space, [
      { operation: 'insert_page', slug: 'more', document: { markdown: '# More\n' } },
    ])
    const { revision } = await ask(one.reader, 'GET', `/spaces/${one.found.space}`)
    expect((await requestPage('more')).document.nodes).toEqual(expect.anything())
    await ask(one.reader, 'GET', `/spaces/${one.found.space}/revisions/${revision}`)
  })
})
