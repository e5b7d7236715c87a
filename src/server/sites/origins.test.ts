/** Root paths of every origin that serves sites: the product's, an organization's, a custom domain. */
import { expect, test } from 'vitest'
import { createAddresses } from '../../contract/addresses.js'
import type { OrganizationId, SiteId } from '../../core/ids.js'
import { updateSite } from '../../resources/sites/store.js'
import { addToDirectory } from '../../store/db/directory.js'
import type { Person } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'

describeSqlite('origins', (engine) => {
  for (const sitesDomain of [undefined, 'sites.test']) {
    test(`have robots.txt and sitemaps, sites ${sitesDomain === undefined ? 'below the product' : 'on hosts of organizations'}`, async () => {
      const { client, ann, acme, space } = await open(sitesDomain)
      const publish = async (title: string, visibility: string) =>
        client.publish(ann, acme, { title, visibility, spaces: [space] })
      await publish('Handbook', 'public')
      await publish('Manual', 'public')
      await publish('Unlisted', 'unlisted')
      await publish('Secret', 'share-link')
      const own = await publish('Own', 'public')
      await client.services.database.write(async (tx) => {
        await updateSite(tx, { organization_id: acme, id: own.id as SiteId }, { hostname: 'own.example.com' })
        await addToDirectory(tx, 'host', acme, ['own.example.com'])
      })
      const globex = await client.organization(ann, 'Globex')
      const { id: other } = await client.space(ann, globex, 'Other', [{ slug: 'a', markdown: '# A\n' }])
      await client.publish(ann, globex, { title: 'Elsewhere', visibility: 'public', spaces: [other] })

      const mapsAt = async (host: string) => {
        const { status, text, headers } = await client.read('/robots.txt', { host })
        expect([status, headers['content-type'], headers['cache-control']], host).toEqual([
          200,
          'text/plain; charset=utf-8',
          'public, max-age=0, must-revalidate',
        ])
        expect(text).toMatch(/^User-agent: \*\nAllow: \/\n/)
        expect(text).not.toMatch(/unlisted|secret/i)
        return [...text.matchAll(/^Sitemap: (.*)$/gm)].map(([, url]) => url!).toSorted()
      }
      const maps = await mapsAt('octavo.test')
      if (sitesDomain === undefined) {
        expect(maps).toEqual([
          'http://octavo.test/@acme/handbook/sitemap.xml',
          'http://octavo.test/@acme/manual/sitemap.xml',
          'http://octavo.test/@globex/elsewhere/sitemap.xml',
        ])
      } else {
        expect(maps).toEqual([])
        expect(await mapsAt('acme.sites.test')).toEqual([
          'http://acme.sites.test/handbook/sitemap.xml',
          'http://acme.sites.test/manual/sitemap.xml',
        ])
        expect(await mapsAt('globex.sites.test')).toEqual(['http://globex.sites.test/elsewhere/sitemap.xml'])
        expect(await mapsAt('nobody.sites.test')).toEqual([])
      }
      for (const url of maps) expect((await client.read(new URL(url).pathname)).status, url).toBe(200)
      expect(await mapsAt('own.example.com')).toEqual(['https://own.example.com/sitemap.xml'])
      const robots = (await client.read('/robots.txt')).text
      expect(robots).toMatch(/^Disallow: \/v1\/$/m)
    })
  }

  test('get certificates only for host names that are served', async () => {
    const { client, ann, acme, space } = await open('sites.test')
    const { id } = await client.publish(ann, acme, { title: 'Own', visibility: 'public', spaces: [space] })
    await client.services.database.write(async (tx) => {
      await updateSite(tx, { organization_id: acme, id: id as SiteId }, { hostname: 'own.example.com' })
      await addToDirectory(tx, 'host', acme, ['own.example.com'])
    })
    const check = async (query: string) => (await client.read(`/~octavo/certificates${query}`)).status
    for (const served of ['octavo.test', 'acme.sites.test', 'OWN.example.com'])
      expect([served, await check(`?domain=${served}`)]).toEqual([served, 200])
    for (const other of ['nobody.sites.test', 'a.acme.sites.test', 'sites.test', 'evil.example.com', ''])
      expect([other, await check(`?domain=${other}`)]).toEqual([other, 404])
    expect(await check('')).toBe(400)
  })

  test('have a favicon', async () => {
    const { client, ann, acme, space } = await open('sites.test')
    await client.publish(ann, acme, { title: 'Handbook', visibility: 'public', spaces: [space] })
    const signs = new Set<string>()
    for (const host of ['octavo.test', 'acme.sites.test', 'docs.example.com']) {
      const { status, text, headers } = await client.read('/favicon.ico', { host })
      expect([status, headers['content-type']], host).toEqual([200, 'image/x-icon'])
      signs.add(text)
      const known = await client.read('/favicon.ico', { host, 'if-none-match': headers['etag']! })
      expect(known.status).toBe(304)
    }
    expect(signs.size).toBe(1)
    expect([...signs][0]!.startsWith('\0\0\u0001\0')).toBe(true)
  })

  test('of organizations redirect to the canonical URL', async () => {
    const { client, ann, acme, space } = await open('sites.test')
    await client.publish(ann, acme, { title: 'Handbook', visibility: 'public', spaces: [space] })
    const at = { host: 'acme.sites.test' }
    expect((await client.read('/handbook/second', at)).status).toBe(200)
    for (const [from, to] of [
      ['/handbook', '/handbook/'],
      ['/Handbook/second', '/handbook/second'],
      ['//handbook//second', '/handbook/second'],
      ['/handbook/SECOND', '/handbook/second'],
      ['/handbook?q=a', '/handbook/?q=a'],
    ]) {
      const { status, headers } = await client.read(from!, at)
      expect([status, headers['location']], from).toEqual([308, to])
    }
  })

  async function open(sitesDomain: string | undefined): Promise<{
    client: SiteClient
    ann: Person
    acme: OrganizationId
    space: string
  }> {
    const sign = (text: string) => text.length.toString()
    const addresses = createAddresses({
      baseUrl: 'http://octavo.test',
      sign,
      ...(sitesDomain !== undefined && { sitesDomain }),
    })
    const client = await openSiteClient(await engine.open(), undefined, { addresses })
    const ann = await client.person('ann')
    const acme = await client.organization(ann)
    const { id: space } = await client.space(ann, acme, 'Guide', [
      { slug: 'hello', markdown: '# Hello\n' },
      { slug: 'second', markdown: '# Second\n' },
    ])
    return { client, ann, acme, space }
  }
})
