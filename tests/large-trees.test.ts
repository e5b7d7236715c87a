/** Large page trees: navigation in spaces with too many pages to render at once, with branches that are loaded on demand. */
import { browserPath } from './browser.js'
import { type TestBrowser, openBrowser } from './shared-browser.js'
import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrganizationId } from '../src/core/ids.js'
import type { Person } from './test-client.js'
import { describeSqlite } from './engines.js'
import { type SiteClient, openSiteClient } from './site-client.js'

describeSqlite('large trees', (engine) => {
  let api: SiteClient
  let ann: Person
  let acme: OrganizationId
  let base: string
  let site: string
  let space: string

  /** Makes a space of pages by their paths in their order, all of them below those whose path they continue. */
  async function spaceOf(title: string, paths: readonly string[], texts: Record<string, string> = {}) {
    const { id } = await api.space(ann, acme, title, [])
    await api.request(ann, 'PATCH', `/spaces/${id}`, { editMode: 'live' })
    const lines = paths.map((path) => `${'  '.repeat(path.split('/').length - 1)}* [${path}](${path}.md)\n`)
    const files = {
      ...Object.fromEntries(paths.map((path) => [`${path}.md`, texts[path] ?? `# ${path}\n\nWords.\n`])),
      'SUMMARY.md': `# Table of contents\n\n${lines.join('')}`,
    }
    const imported = await api.server.inject({
      method: 'POST',
      url: `/v1/spaces/${id}/content/archive`,
      headers: { authorization: `Bearer ${ann.token}`, 'content-type': 'application/zip' },
      payload: Buffer.from(
        zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))),
      ),
    })
    expect(imported.statusCode, imported.body).toBe(201)
    return id
  }

  const numbered = (count: number, name: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => name(index))

  /** A branch in the tree of a page: its title, and the URL of its entries. */
  function branchOf(text: string, title: string) {
    const navigation = /<nav class="navigation"[^]*?<\/nav>/.exec(text)![0]
    const found = new RegExp(
      `<span>${title}</span></a>\\s*<details( open)?(?: data-branch="([^"]+)")?>([^]*?)</details>`,
    ).exec(navigation)
    return found && { isOpen: found[1] !== undefined, address: found[2], entries: found[3]! }
  }

  beforeAll(async () => {
    api = await openSiteClient(await engine.open())
    ann = await api.person('ann')
    acme = await api.organization(ann)
    const paths = [
      'start',
      ...numbered(50, (index) => `plain-${index}`),
      'deep',
      'deep/er',
      'deep/er/most',
      'deep/beside',
      'deep/unseen',
      'quiet',
      'quiet/inside',
    ]
    space = await spaceOf('Guide', paths, {
      'deep/unseen': '---\nhidden: true\n---\n\n# Unseen\n',
      quiet: '---\nhidden: true\n---\n\n# Quiet\n',
      'deep/beside': '---\nicon: rocket\n---\n\n# Beside\n',
    })
    ;({ base, id: site } = await api.publish(ann, acme, { title: 'Docs', spaces: [space] }))
  })
  afterAll(() => api.server.close())

  test('a branch that the page is not in is closed, and its entries are elsewhere', async () => {
    const start = (await api.read(base)).text
    const deep = branchOf(start, 'deep')!
    expect(deep.isOpen).toBe(false)
    expect(deep.entries).not.toContain('href')
    expect(start).not.toContain('deep/er')
    expect(start).not.toContain('quiet')

    const fragment = await api.read(deep.address!)
    expect(fragment.status).toBe(200)
    expect(fragment.headers).toMatchObject({ 'x-robots-tag': 'noindex', vary: 'accept-encoding' })
    expect(fragment.text).toMatch(/^<ul role="list">/)
    expect(fragment.text).toContain(`href="${base}deep/er"`)
    expect(fragment.text).toContain(`href="${base}deep/beside"`)
    expect(fragment.text).toContain('<symbol id="icon:rocket"')
    expect(fragment.text).not.toMatch(/\b(?:unseen|most)\b/)
    const inner = /data-branch="([^"]+)"/.exec(fragment.text)![1]!
    expect((await api.read(inner)).text).toContain(`href="${base}deep/er/most"`)

    const { text } = await api.read(`${base}deep/er/most`)
    expect(branchOf(text, 'deep')).toMatchObject({ isOpen: true, address: undefined })
    expect(text).toContain(`href="${base}deep/beside"`)
  })

  test('a branch is as visible and as cacheable as its page, and no hidden page has one', async () => {
    const { address } = branchOf((await api.read(base)).text, 'deep')!
    const at = `/orgs/${acme}/sites/${site}`
    const own = { authorization: `Bearer ${ann.token}` }
    for (const [visibility, status, keeping] of [
      ['public', 200, 'public'],
      ['share-link', 404, 'private'],
      ['visitor-auth', 401, 'private'],
      ['public', 200, 'public'],
    ] as const) {
      await api.request(ann, 'PATCH', at, { visibility })
      const [stranger, reader] = [await api.read(address!), await api.read(address!, own)]
      expect([stranger.status, reader.status], visibility).toEqual([status, 200])
      for (const { headers } of [stranger, reader])
        expect(headers['cache-control'], visibility).toBe(`${keeping}, max-age=0, must-revalidate`)
      if (status !== 200) expect(stranger.text).not.toContain('deep/er')
      expect(reader.text).toContain('deep/er')
    }
    expect(address).toBe(`${base}~octavo/tree/deep`)
    const others = ['quiet', 'quiet/inside', 'deep/unseen', 'none', '', 'DEEP', 'deep/', '/deep', '%00']
    for (const other of others)
      expect((await api.read(address!.replace(/deep$/, other))).status, other).not.toBe(200)
  })

  async function pageIds(): Promise<ReadonlyMap<string, string>> {
    const { pages } = (await api.request(ann, 'GET', `/spaces/${space}/content/pages`)).body
    const ids = new Map<string, string>()
    const walk = (nodes: readonly { id: string; path: string; pages?: never[] }[]): void => {
      for (const node of nodes) {
        ids.set(node.path, node.id)
        walk(node.pages ?? [])
      }
    }
    walk(pages)
    return ids
  }

  test('a preview opens its branches for those who may read the space', async () => {
    const own = { authorization: `Bearer ${ann.token}` }
    const { address } = branchOf((await api.read(`/s/${space}/`, own)).text, 'deep')!
    const [stranger, reader] = [await api.read(address!), await api.read(address!, own)]
    expect([stranger.status, reader.status]).toEqual([401, 200])
    expect(reader.text).toContain(`href="/s/${space}/deep/er"`)
    for (const { headers } of [stranger, reader]) expect(headers['cache-control']).toMatch(/^private, /)
  })

  test('an edit is visible in a branch with the next request', async () => {
    const { address } = branchOf((await api.read(base)).text, 'deep')!
    const before = await api.read(address!)
    const ids = await pageIds()
    await api.change(ann, space, [
      { operation: 'update_page', page: ids.get('deep/beside'), title: 'Renamed' },
    ])
    const after = await api.read(address!, { 'if-none-match': before.headers['etag']! })
    expect(after.status).toBe(200)
    expect(after.text).toContain('<span>Renamed</span>')
  })

  describe.skipIf(!existsSync(browserPath))('in a browser', () => {
    let browser: TestBrowser
    let host: string

    beforeAll(async () => {
      browser = await openBrowser()
      await api.server.listen({ host: '127.0.0.1', port: 0 })
      host = `http://127.0.0.1:${(api.server.server.address() as AddressInfo).port}`
    })
    afterAll(() => browser.close())

    test('a branch expands in place, with the branches in it, by mouse and by keyboard', async () => {
      const page = await browser.newPage()
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      await page.goto(host + base)
      const tree = page.getByRole('navigation', { name: 'Pages' })
      await tree.getByLabel('Pages below deep', { exact: true }).click()
      await tree.getByRole('link', { name: 'deep/er', exact: true }).waitFor()
      await tree.getByLabel('Pages below deep/er').focus()
      await page.keyboard.press('Enter')
      const most = tree.getByRole('link', { name: 'deep/er/most' })
      await most.waitFor()
      expect(page.url()).toBe(host + base)
      await most.click()
      await page.waitForURL(`${host}${base}deep/er/most`)
      expect(complaints).toEqual([])
      await page.close()
    })

    test('without scripts, and when loading fails, it links to the page with its entries', async () => {
      for (const javaScriptEnabled of [false, true]) {
        const context = await browser.newContext({ javaScriptEnabled })
        const page = await context.newPage()
        await page.route('**/~octavo/tree/**', (route) => route.abort())
        await page.goto(host + base)
        const tree = page.getByRole('navigation', { name: 'Pages' })
        const opener = tree.getByLabel('Pages below deep', { exact: true })
        expect(await opener.isVisible()).toBe(javaScriptEnabled)
        if (javaScriptEnabled) await opener.click()
        await tree.getByRole('link', { name: 'deep', exact: true }).last().click()
        await page.waitForURL(`${host}${base}deep`)
        expect(await tree.getByRole('link', { name: 'deep/er', exact: true }).isVisible()).toBe(true)
        await context.close()
      }
    })
  })
})
