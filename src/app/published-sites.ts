/**
 * Published sites: `/@<organization>/<site>/…`, `<organization>.<domain>/<site>/…`, and hosts of their own.
 *
 * A page is rendered once and kept as bytes, at two levels. By its address it is found in a microsecond,
 * as long as nothing at all was committed since. When something was, the site's rows are read again, and
 * the bytes are found by what they follow from: the site's fingerprint, the revision and the path. So an
 * edit shows with the next request, and an unrelated write renders nothing anew.
 */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Mounting } from '../access/route/mount.js'
import { reaches, siteActions } from '../access/rules/levels.js'
import { opens } from '../access/signin/reach.js'
import { findOrganizationOf } from '../resources/organizations/store.js'
import { withLevel } from '../resources/sites/scope.js'
import { type AddressedSite, findSiteByHost, findSiteByNames, isSiteHost } from '../resources/sites/store.js'
import { type Answer, answerSite } from '../site/answer.js'
import { errorPage, notFoundPage } from '../site/layout/other-pages.js'
import { frameOf } from '../site/pages/site-view.js'
import { chooseVariant } from '../site/routing/destination.js'
import { type Door, type ShownSite, shownSite } from '../site/routing/site.js'
import { createLru } from '../store/content/lru.js'
import { createMemory } from '../store/db/memory.js'
import { assetAddresses } from './assets.js'
import { type AnswerAtOnce, mountAtOnce } from './at-once.js'
import { productFrame } from './product-frame.js'
import { type ReadyAnswer, readyAnswer, sendAnswer, writeAnswer } from './send-answer.js'

/** Bytes of rendered pages, and of those that are found by their address alone. */
const renderedBudget = 96_000_000
const recentBudget = 48_000_000
/** Bytes that an entry costs beside its body. */
const entryWeight = 1_000
const htmlType = 'text/html; charset=utf-8'

/** What is not a site's business, whatever host it is asked at. */
const operatorsPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

interface Reached {
  readonly addressed: AddressedSite
  readonly site: ShownSite
  readonly fingerprint: string
}

interface Asked {
  readonly door: Door
  readonly path: string
  readonly query: URLSearchParams
}

interface SitesMounting extends Mounting {
  /** Told the status of answers that no hook of the server sees. */
  readonly countAnswer?: (status: number) => void
}

export function mountPublishedSites(
  server: FastifyInstance,
  { services, signIn, countAnswer }: SitesMounting,
): void {
  const { database, addresses } = services
  const rendered = createLru<ReadyAnswer>(renderedBudget)
  const sites = createMemory<Reached>(database, 1_000)
  // Of every name that is asked for: a host that is no site's is remembered too, and pushes out only others like it.
  const hosts = createMemory<{ readonly isSite: boolean }>(database, 1_000)
  let generation = -1
  let recent = createLru<ReadyAnswer>(recentBudget)

  /** The answers that were given to an address since the last commit. */
  function recentAnswers(): typeof recent {
    forgetOlder()
    return recent
  }

  /** Forgets what is older than the database is now, and answers how new the rest is. */
  function forgetOlder(): number {
    const current = database.generation()
    if (current !== generation) {
      generation = current
      recent = createLru(recentBudget)
    }
    return current
  }

  function reached(addressed: AddressedSite | undefined, door: Door): Reached | undefined {
    if (addressed === undefined) return undefined
    const site = shownSite(addresses, addressed, door)
    return {
      addressed,
      site,
      fingerprint: createHash('sha256').update(site.fingerprint).digest('base64url'),
    }
  }

  async function answer(
    request: FastifyRequest,
    found: Reached | undefined,
    asked: Asked,
  ): Promise<{ ready: ReadyAnswer; isForAll: boolean }> {
    // A site that is not published is not there, whoever asks.
    if (found === undefined || found.addressed.row.published === 0)
      return { ready: readyAnswer(await noSuchSite(), 'private'), isForAll: false }
    const { site } = found
    const isForAll = site.visibility === 'public' || site.visibility === 'unlisted'
    if (!isForAll && !(await mayRead(request, found.addressed))) {
      return { ready: readyAnswer(await refusal(site), 'private'), isForAll: false }
    }
    const isPlain = !asked.query.has('q') && !asked.path.endsWith('~octavo/search')
    const key = isPlain ? keyOf(found, asked) : undefined
    const known = key === undefined ? undefined : rendered.get(key)
    if (known !== undefined) return { ready: known, isForAll }
    const given = await answerSite(services, site, asked, await assetAddresses())
    const ready = readyAnswer(given, isForAll ? 'public' : 'private')
    const isKept = given.isFinal !== false
    // Addresses that name nothing are without number: keeping them would push out the pages.
    if (key !== undefined && given.status === 200 && isKept)
      rendered.set(key, ready, ready.body.length + entryWeight)
    return { ready, isForAll: isForAll && isKept }
  }

  async function mayRead(request: FastifyRequest, { row, spaces }: AddressedSite): Promise<boolean> {
    const actor = await signIn(request)
    if (actor === null || !opens(actor, row.organization_id)) return false
    const organization = await findOrganizationOf(database.read, actor.userId, row.organization_id)
    const reader = {
      userId: actor.userId,
      organizationId: row.organization_id,
      role: organization?.role,
    }
    const { levels } = await withLevel(database.read, { row, spaces }, reader)
    return reaches(levels.seen, siteActions.view)
  }

  async function answerAt(
    request: FastifyRequest,
    reply: FastifyReply,
    found: Reached | undefined,
    asked: Asked,
    { address, before }: { address: string; before: number },
  ): Promise<FastifyReply> {
    const { ready, isForAll } = await answer(request, found, asked)
    // Rendered while something was committed: it may be old already, so it is found by its key only.
    if (isForAll && ready.status === 200 && asked.query.size === 0 && forgetOlder() === before)
      recent.set(address, ready, ready.body.length + entryWeight)
    return sendAnswer(request, reply, ready)
  }

  async function answerPath(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const url = request.raw.url!
    const before = forgetOlder()
    const [, organization = '', basename = '', slash = '', path = '', query] =
      /^\/+@([^/?]*)\/+(?:([^/?]+)(?:(\/)([^?]*))?)?(?:\?(.*))?$/.exec(url) ?? []
    const [hostname, name] = [decode(organization), decode(basename)]
    const key = `${hostname}/${name}`.toLowerCase()
    const found = await sites.get(key, async () =>
      reached(await findSiteByNames(database.read, hostname, name), 'path'),
    )
    const isCanonical =
      slash !== '' &&
      url.startsWith(`/@${organization}/${basename}/`) &&
      hostname === found?.addressed.organizationHostname &&
      name === found.addressed.row.basename
    if (found !== undefined && !isCanonical && found.addressed.row.published === 1) {
      const location = found.site.base + path.replace(/^\/+/, '') + (query === undefined ? '' : `?${query}`)
      return reply.redirect(location, 307)
    }
    const asked = { door: 'path', path, query: new URLSearchParams(query) } as const
    return answerAt(request, reply, found, asked, { address: url, before })
  }

  server.route({ method: ['GET', 'HEAD'], url: '/@:organization/:site/*', handler: answerPath })
  server.route({ method: ['GET', 'HEAD'], url: '/@:organization/:site', handler: answerPath })

  const ownHost = new URL(addresses.base).host

  /** Answers a page that was just answered, without anything in between. */
  const answerRecent: AnswerAtOnce = (request, response) => {
    const { method, url, headers } = request
    if (url === undefined || !url.startsWith('/@') || (method !== 'GET' && method !== 'HEAD'))
      return undefined
    if (headers.host !== ownHost) return undefined
    const known = recentAnswers().get(url)
    return known && writeAnswer(request, response, known)
  }
  mountAtOnce(server, answerRecent, { countAnswer })

  const domain = addresses.sitesDomain

  /** Returns the name under which a host's site is looked up; undefined for hosts that are no site's. */
  async function siteHost(host: string): Promise<string | undefined> {
    const name = host.toLowerCase().replace(/:\d+$/, '')
    if (domain !== undefined && name.endsWith(`.${domain}`)) return name
    const known = await hosts.get(name, async () => ({ isSite: await isSiteHost(database.read, name) }))
    return known?.isSite === true ? name : undefined
  }

  async function answerHost(
    request: FastifyRequest,
    reply: FastifyReply,
    host: string,
  ): Promise<FastifyReply> {
    const url = request.raw.url!
    const address = host + url
    const before = forgetOlder()
    const known = recent.get(address)
    if (known !== undefined) return sendAnswer(request, reply, known)
    const [path = '', query] = url.split(/\?(.*)/s, 2) as [string, string?]
    const search = new URLSearchParams(query)
    const organization =
      domain !== undefined && host.endsWith(`.${domain}`) ? host.slice(0, -domain.length - 1) : undefined
    if (organization === undefined) {
      const found = await sites.get(host, async () =>
        reached(await findSiteByHost(database.read, host), 'host'),
      )
      const asked = { door: 'host', path: path.slice(1), query: search } as const
      return answerAt(request, reply, found, asked, { address, before })
    }
    const [, basename = '', slash = '', rest = ''] = /^\/+(?:([^/]+)(?:(\/)(.*))?)?$/.exec(path) ?? []
    const name = decode(basename)
    const found = await sites.get(`${organization} ${name.toLowerCase()}`, async () =>
      reached(await findSiteByNames(database.read, organization, name), 'host'),
    )
    if (found !== undefined && slash === '' && found.addressed.row.published === 1)
      return reply.redirect(found.site.base, 307)
    const asked = { door: 'host', path: rest, query: search } as const
    return answerAt(request, reply, found, asked, { address, before })
  }

  // One comparison of texts for everybody who comes by the product's own name.
  server.addHook('onRequest', (request, reply, done) => {
    const { host } = request.raw.headers
    const { method = '' } = request.raw
    if (host === undefined || host === ownHost || (method !== 'GET' && method !== 'HEAD')) return done()
    if (/^\/~octavo\/(?:assets|files)\//.test(request.raw.url!)) return done()
    siteHost(host)
      .then((name) => (name === undefined ? done() : answerHost(request, reply, name).then(() => undefined)))
      // Whoever asks how this process is asks by its address, also while the database is away.
      .catch((error: Error) => (operatorsPaths.has(request.raw.url!) ? done() : done(error)))
  })
}

/** What the bytes of an answer follow from; undefined when the path lies in no variant. */
function keyOf({ site, fingerprint }: Reached, { path }: Asked): string | undefined {
  const isWhole = path === 'sitemap.xml' || path === 'llms.txt'
  const chosen = chooseVariant(site, path)
  if (chosen === undefined) return undefined
  const revisions = (isWhole ? site.variants : [chosen.variant]).map(({ revisionId }) => revisionId)
  return `${fingerprint} ${revisions.join(' ')} ${path}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

async function noSuchSite(): Promise<Answer> {
  const body = notFoundPage(await productFrame())
  return { status: 404, contentType: htmlType, body, isIndexed: false }
}

/** A site that asks its visitors to sign in says so; one behind links is not there for anybody else. */
async function refusal(site: ShownSite): Promise<Answer> {
  if (site.visibility !== 'visitor-auth') return noSuchSite()
  const body = errorPage(frameOf(site, await assetAddresses()), {
    title: 'This site needs a sign-in',
    message: 'Its pages are for signed-in visitors. Ask the people who sent you here how to sign in.',
  })
  return { status: 401, contentType: htmlType, body, isIndexed: false }
}
