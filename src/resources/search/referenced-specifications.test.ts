/** Pages whose API blocks reference a specification by URL are found by its text. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { indexSpecifications } from '../../../tests/background-work.js'
import type { Person } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { type WebServer, serveWeb } from '../../../tests/web-server.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'

const described = (operationId: string, field: string) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    paths: {
      '/ferrets': {
        get: { operationId, parameters: [{ name: field, in: 'query', schema: { type: 'string' } }] },
      },
    },
    components: {
      schemas: { Cage: { type: 'object', properties: { [`bars${field}`]: { type: 'integer' } } } },
    },
  })

describeEngines('pages that show what is fetched from an address', (engine) => {
  let api: SiteClient
  let ann: Person
  let orgPath: string
  let space: string
  let base: string
  let web: WebServer
  let said = described('listFerrets', 'whiskers')

  const find = async (query: string): Promise<string[]> =>
    (await api.request(ann, 'GET', `/spaces/${space}/search?query=${query}`)).body.items.map(
      ({ path }: { path: string }) => path,
    )
  const findOnSite = async (query: string): Promise<number> =>
    JSON.parse((await api.read(`${base}~octavo/search?q=${query}`)).text).count
  async function give(slug: string, source: object): Promise<void> {
    const { status, text } = await api.request(ann, 'PUT', `${orgPath}/openapi/${slug}`, { source })
    expect(status, text).toBeLessThan(300)
    await indexSpecifications(api)
  }

  beforeAll(async () => {
    web = await serveWeb((_request, response) => void response.end(said))
    api = await openSiteClient(await engine.open(), undefined, { remote: web.remote })
    ann = await api.person('ann')
    const acme = await api.organization(ann)
    orgPath = `/orgs/${acme}`
    const url = `${web.url}/pets.json`
    space = await api.folder(ann, acme, 'Pets', {
      'README.md': '# Home\n\nNothing.\n',
      'calls.md': `# Calls\n\n{% openapi src="${url}" path="/ferrets" method="get" %}\n{% endopenapi %}\n`,
      'cages.md': `# Cages\n\n{% openapi-schemas src="${url}" schemas="Cage" %}\n{% endopenapi-schemas %}\n`,
      'both.md': `# Both\n\n{% openapi-operation spec="pets" src="${url}" path="/ferrets" method="get" %}\n{% endopenapi-operation %}\n`,
      'SUMMARY.md':
        '# Contents\n\n* [Home](README.md)\n* [Calls](calls.md)\n* [Cages](cages.md)\n* [Both](both.md)\n',
    })
    base = (await api.publish(ann, acme, { title: 'Pets', spaces: [space] })).base
    await indexSpecifications(api)
  })
  afterAll(() => web.close())

  test('are found by its text as soon as it exists, and by that of later versions', async () => {
    expect(await find('whiskers')).toEqual([])
    await give('pets', { url: `${web.url}/pets.json` })
    expect((await find('listFerrets')).toSorted()).toEqual(['both', 'calls'])
    expect((await find('whiskers')).toSorted()).toEqual(['both', 'calls'])
    expect(await find('barswhiskers')).toEqual(['cages'])
    expect(await findOnSite('barswhiskers')).toBe(1)
    said = described('searchFerrets', 'paws')
    await give('pets', { url: `${web.url}/pets.json` })
    expect(await find('whiskers')).toEqual([])
    expect((await find('paws')).toSorted()).toEqual(['both', 'calls'])
    expect(await find('barspaws')).toEqual(['cages'])
  })

  test('are found by the first specification that comes from there', async () => {
    said = described('listFerrets', 'tails')
    await give('aviary', { url: `${web.url}/pets.json` })
    expect(await find('tails')).toEqual(['calls'])
    await api.request(ann, 'DELETE', `${orgPath}/openapi/aviary`)
    await indexSpecifications(api)
    expect((await find('paws')).toSorted()).toEqual(['both', 'calls'])
  })

  test('are no longer found once it is fetched from another URL with the same text', async () => {
    await give('pets', { text: described('searchFerrets', 'paws') })
    expect(await find('paws')).toEqual(['both'])
    await give('pets', { url: `${web.url}/pets.json` })
    expect((await find('tails')).toSorted()).toEqual(['both', 'calls'])
  })
})
