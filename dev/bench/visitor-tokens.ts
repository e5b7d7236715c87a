/** Visitor authentication: throughput of a site for visitors with a token, beside a bare server that sends the same bytes. */
import { require2xx } from '../server-process.js'
import { makeVisitorToken } from '../../tests/visitor-token.js'
import type { Figure } from './figure.js'
import { compareThroughput } from './throughput.js'
import { type ListedPage, type World, publishSpace } from './world.js'

/** A page of a site for visitors, requested with the cookie that the site set. */
export async function measureVisitorTokens(
  world: World,
  { space, page }: { readonly space: string; readonly page: ListedPage },
  turns: { readonly turns: number; readonly milliseconds: number },
): Promise<Figure[]> {
  const { server, organization } = world
  const title = 'For visitors'
  const published = await publishSpace(world, space, title)
  const sites = `/orgs/${organization}/sites`
  const { items } = await require2xx(server.request('GET', `${sites}?title=${encodeURIComponent(title)}`))
  const site = `${sites}/${items[0].id}`
  await require2xx(server.request('PATCH', site, { visibility: 'visitor-auth' }))
  const { privateKey } = await require2xx(server.request('GET', `${site}/publishing/auth`))
  const now = Math.floor(Date.now() / 1000)
  const token = makeVisitorToken(privateKey, { plan: 'pro', iat: now, exp: now + 7200 })
  const url = new URL(page.path, published)
  const signIn = await fetch(`${url.href}?jwt_token=${token}`, { redirect: 'manual' })
  const [cookie] = signIn.headers.getSetCookie()[0]?.split(';') ?? []
  if (cookie === undefined) throw new Error(`${url.href} set no cookie: ${signIn.status}`)
  const headers = { cookie }
  const { product, bare, ratio } = await compareThroughput({ urls: [url], headers, ...turns })
  return [
    {
      name: 'page of a site for visitors, with a valid cookie',
      value: product,
      unit: 'req/s',
      baseline: { name: 'bare node:http', value: bare, unit: 'req/s' },
      ratio,
      target: { of: 'ratio', kind: 'at least', limit: 0.45 },
    },
  ]
}
