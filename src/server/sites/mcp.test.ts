/** MCP server of a site, with the protocol's own client over a connection, and with other clients. */
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAddresses } from '../../contract/addresses.js'
import { defaultCustomization } from '../../contract/customization.js'
import type { OrganizationId, SiteId, SpaceId } from '../../core/ids.js'
import { indexSpace } from '../../resources/search/index-space.js'
import { updateSite } from '../../resources/sites/store.js'
import type { Person } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'

describeSqlite('MCP clients', (engine) => {
  let client: SiteClient
  let ann: Person
  let acme: OrganizationId
  let site: string
  let base: string
  let origin: string

  beforeAll(async () => {
    const addresses = createAddresses({
      baseUrl: 'http://octavo.test',
      sitesDomain: 'sites.test',
      sign: (text) => text.length.toString(),
    })
    client = await openSiteClient(await engine.open(), undefined, { addresses })
    ann = await client.person('ann')
    acme = await client.organization(ann)
    const index = async (spaceId: string) => {
      const { signal } = new AbortController()
      await indexSpace({ services: client.services, spaceId: spaceId as SpaceId, signal, now: Date.now })
    }
    const guide = await client.folder(ann, acme, 'Guide', {
      'README.md': '# Home\n\nRead [on](setup/install.md).\n',
      'setup/install.md': '# Installing\n\n## Needs\n\nA zebra and a stable.\n',
      'quiet.md': '---\nnoIndex: true\n---\n\n# Quiet zebra\n\nSilent.\n',
      'closed.md': '---\nif: visitor.claims.plan == "pro"\n---\n\n# Closed zebra\n\nSesame.\n',
      '.gitbook.yaml': 'redirects:\n  old: ./setup/install.md\n',
    })
    const api = await client.folder(ann, acme, 'API', { 'README.md': '# Calls\n\nZebras by call.\n' })
    for (const space of [guide, api]) await index(space)
    const made = await client.publish(ann, acme, { title: 'Docs', spaces: [guide] })
    ;({ base } = made)
    site = `/orgs/${acme}/sites/${made.id}`
    await change('POST', `${site}/sections`, { spaceId: api, title: 'API' })
    await change('PATCH', site, { adaptiveContent: { enabled: true } })
    await client.server.listen({ host: '127.0.0.1', port: 0 })
    origin = `http://127.0.0.1:${(client.server.server.address() as AddressInfo).port}`
  })

  afterAll(() => client.server.close())

  async function change(method: string, path: string, body?: object): Promise<void> {
    const { status, text } = await client.request(ann, method, path, body)
    expect(status, `${method} ${path}: ${text}`).toBeLessThan(300)
  }

  /** The configured URL is not the address that the server listens on: as behind a proxy. */
  async function connected<Result>(
    work: (client: Client) => Promise<Result>,
    { path = '~octavo/mcp', token = '' } = {},
  ): Promise<Result> {
    const client = new Client({ name: 'test', version: '1.0.0' })
    const headers = token === '' ? {} : { authorization: `Bearer ${token}` }
    const to = new URL(`/@acme/docs/${path}`, origin)
    await client.connect(new StreamableHTTPClientTransport(to, { requestInit: { headers } }))
    try {
      return await work(client)
    } finally {
      await client.close()
    }
  }

  const call = async (client: Client, name: string, args: Record<string, unknown>) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args })
    const texts = (content as { type: string; text: string }[]).map(({ text }) => text)
    return { texts, isError }
  }

  const send = (headers: Record<string, string>, payload: string, url = `/@acme/docs/~octavo/mcp`) =>
    client.server.inject({
      method: 'POST',
      url,
      headers: {
        host: 'octavo.test',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      payload,
    })
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

  test.each(['~octavo/mcp', '~gitbook/mcp', 'api/~octavo/mcp', 'api/~gitbook/mcp'])(
    'find two tools at %s, and use them',
    async (path) => {
      await connected(
        async (client) => {
          expect(client.getServerVersion()?.name).toBe('Docs')
          const { tools } = await client.listTools()
          expect(tools.map(({ name, inputSchema }) => [name, inputSchema.required])).toEqual([
            ['searchDocumentation', ['query']],
            ['getPage', ['url']],
          ])
          const { texts } = await call(client, 'searchDocumentation', { query: 'zebra' })
          expect(texts.toSorted()).toEqual([
            'Title: API / Calls\nLink: http://acme.sites.test/docs/api/\nZebras by call.',
            'Title: Docs / Setup / Installing\nLink: http://acme.sites.test/docs/setup/install\n## Needs\nA zebra and a stable.',
          ])
          const link = /^Link: (.*)$/m.exec(texts.find((text) => text.includes('Installing'))!)![1]!
          const page = await call(client, 'getPage', { url: link })
          expect(page).toEqual({
            texts: ['# Installing\n\n## Needs\n\nA zebra and a stable.\n'],
            isError: false,
          })
        },
        { path },
      )
    },
  )

  test('read a page by any of its URLs, and get an error for others', async () => {
    await connected(async (client) => {
      const read = async (url: unknown) => {
        const { texts, isError } = await call(client, 'getPage', { url })
        return isError ? `error: ${texts[0]}` : texts[0]!.split('\n')[0]
      }
      for (const url of [
        'http://acme.sites.test/docs/setup/install.md',
        'http://acme.sites.test/docs/SETUP/install?a=b#needs',
        'https://elsewhere.test/@acme/docs/setup/install',
        'setup/install',
        'old',
        'old.md',
      ])
        expect(await read(url), url).toBe('# Installing')
      expect(await read('http://acme.sites.test/docs')).toBe('# Home')
      expect(await read('api/')).toBe('# Calls')
      expect((await call(client, 'getPage', { url: 'quiet' })).texts[0]).toContain('Silent.')
      expect(await read('closed')).toBe('# Page not found')
      expect(await read('setup/instal')).toBe('# Page not found')
      for (const url of ['https://example.com/setup/install', '/@acme/other/', 'http://[', 'x'.repeat(3000)])
        expect(await read(url), url).toMatch(/^error: /)
      for (const url of ['~octavo/theme.css', 'robots.txt', '~octavo/mcp'])
        expect(await read(url), url).toBe('error: There is no page at this address.')
      expect(await read(7)).toMatch(/^error: Say in "url"/)
      expect((await call(client, 'searchDocumentation', {})).isError).toBe(true)
      expect((await call(client, 'searchDocumentation', { query: 'gnu' })).texts[0]).toMatch(
        /^Nothing was found/,
      )
      await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toThrow('There is no tool')
    })
  })

  test('are also answered on the hosts of sites', async () => {
    for (const url of ['/docs/~octavo/mcp', '/docs/api/~gitbook/mcp']) {
      const { statusCode, body } = await send({ host: 'acme.sites.test' }, list, url)
      expect([statusCode, body.includes('searchDocumentation')], url).toEqual([200, true])
    }
    for (const url of ['/other/~octavo/mcp', '/~octavo/mcp'])
      expect((await send({ host: 'acme.sites.test' }, list, url)).statusCode, url).toBe(404)
  })

  test('may send any message, valid or not', async () => {
    const nothing = {
      jsonrpc: '2.0',
      id: null,
      error: { code: expect.any(Number), message: expect.any(String) },
    }
    for (const [payload, status] of [
      ['{', 400],
      ['', 400],
      [`[${list}]`, 400],
      [`"${'x'.repeat(70_000)}"`, 413],
    ] as const) {
      const answer = await send({}, payload)
      expect([answer.statusCode, answer.json()], payload.slice(0, 20)).toEqual([status, nothing])
    }
    expect((await send({ 'content-type': 'text/plain' }, list)).statusCode).toBe(415)
    const listening = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} }
    expect((await send({}, JSON.stringify(listening))).body).toContain('error')
    const { status, text } = await client.read(`${base.replace('/docs/', '/@acme/docs/')}~octavo/mcp`)
    expect([status, text.includes('Model Context Protocol')]).toEqual([405, true])
  })

  test('are refused from pages of other origins', async () => {
    for (const [from, host, status] of [
      ['http://octavo.test', 'octavo.test', 200],
      ['http://acme.sites.test', 'octavo.test', 200],
      ['http://evil.test', 'octavo.test', 403],
      ['null', 'octavo.test', 403],
      // A foreign host name that resolves to this server.
      ['http://evil.test', 'evil.test', 403],
    ] as const)
      expect((await send({ origin: from, host }, list)).statusCode, `${from} ${host}`).toBe(status)
  })

  test('have the access of their users', async () => {
    const bob = await client.person('bob')
    const eve = await client.person('eve')
    await client.join(acme, bob, 'read')
    const statusFor = async (person?: Person) =>
      (await send(person === undefined ? {} : { authorization: `Bearer ${person.token}` }, list)).statusCode
    for (const [visibility, anonymousStatus] of [
      ['public', 200],
      ['unlisted', 200],
      ['share-link', 404],
      ['visitor-auth', 401],
    ] as const) {
      await change('PATCH', site, { visibility })
      expect([await statusFor(), await statusFor(bob)], visibility).toEqual([anonymousStatus, 200])
      expect(await statusFor(eve), visibility).toBe(anonymousStatus)
    }
    await connected(
      async (client) => {
        expect((await call(client, 'searchDocumentation', { query: 'zebra' })).texts).toHaveLength(2)
      },
      { token: bob.token },
    )
    await change('PATCH', site, { visibility: 'public' })
    await change('POST', `${site}/unpublish`)
    expect(await statusFor(bob)).toBe(404)
    await change('POST', `${site}/publish`)
  })

  test('get 404 where a site does not offer MCP', async () => {
    const offer = (mcp: boolean) =>
      client.services.database.write((tx) => {
        const pageActions = { ...defaultCustomization.pageActions, mcp }
        const id = site.split('/').at(-1) as SiteId
        return updateSite(
          tx,
          { organization_id: acme, id },
          { customization: JSON.stringify({ pageActions }) },
        )
      })
    await offer(false)
    expect((await send({}, list)).statusCode).toBe(404)
    expect((await client.read('/@acme/docs/~octavo/mcp')).status).toBe(404)
    await offer(true)
    expect((await send({}, list)).statusCode).toBe(200)
  })
})
