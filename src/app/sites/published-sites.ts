/**
 * Published sites: `/@<organization>/<site>/…`, `<organization>.<domain>/<site>/…`, and hosts of their own.
 *
 * A page is rendered once and kept as bytes under what they follow from: the site's fingerprint, the revision and
 * the path. An address leads there as long as the rows of its site are as they were; when something was committed in
 * its organization, they are read once for all. So an edit shows with the next request, and an unrelated write
 * renders nothing anew.
 */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Mounting } from '../../access/route/mount.js'
import { reaches, siteActions } from '../../access/rules/levels.js'
import { opens } from '../../access/signin/reach.js'
import { findOrganizationOf } from '../../resources/organizations/store.js'
import { withLevel } from '../../resources/sites/scope.js'
import {
  type AddressedSite,
  findSiteByHost,
  findSiteByNames,
  isSiteHost,
} from '../../resources/sites/store.js'
import { type Answer, answerSite } from '../../site/answer.js'
import { errorPage, notFoundPage } from '../../site/layout/other-pages.js'
import { frameOf } from '../../site/pages/site-view.js'
import { chooseVariant } from '../../site/routing/destination.js'
import { type Door, type ShownSite, shownSite } from '../../site/routing/site.js'
import type { Db } from '../../store/db/database.js'
import type { Look, Recalled } from '../../store/cache/caches.js'
import { kindOf, rowKind } from '../../store/cache/kinds.js'
import { assetAddresses } from './assets.js'
import { type FindAtHand, mountAtOnce } from '../http/at-once.js'
import { productFrame } from './product-frame.js'
import { type ReadyAnswer, readyAnswer, sendAnswer, writeAnswer } from '../http/send-answer.js'

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

/** Where the bytes are that an address was answered with, and the site that it led to. */
interface KeptAnswer {
  readonly recalled: readonly Recalled[]
  readonly key: string
}

const siteKind = rowKind<Reached>(
  'published site',
  ({ addressed }) => [addressed.row.organization_id],
  ({ addressed }) => 10_000 + addressed.spaces.length * 4_000,
)
/** Of every name that is asked for: a host that is no site's is kept too. */
const hostKind = rowKind<{ readonly isSite: boolean }>(
  'host',
  () => ['sites'],
  () => 100,
)
/** Bytes that the headers of an answer cost beside its body. */
const headersWeight = 1_000
const renderedKind = kindOf<ReadyAnswer>('rendered page', ({ body }) => body.length + headersWeight)
const answerKind = kindOf<KeptAnswer>('answer to readers', ({ key }) => 200 + key.length)

interface SitesMounting extends Mounting {
  /** Told the status of answers that no hook of the server sees. */
  readonly countAnswer?: (status: number) => void
}

export function mountPublishedSites(
  server: FastifyInstance,
  { services, signIn, countAnswer }: SitesMounting,
): void {
  const { database, addresses, caches } = services

  const find = (
    look: Look,
    key: string,
    load: (db: Db) => Promise<AddressedSite | undefined>,
    door: Door,
  ): Promise<Reached | undefined> =>
    caches.recall(look, siteKind, `${door} ${key}`, async (db) => reached(await load(db), door))

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
  ): Promise<{ ready: ReadyAnswer; key?: string | undefined }> {
    // A site that is not published is not there, whoever asks.
    if (found === undefined || found.addressed.row.published === 0)
      return { ready: readyAnswer(await noSuchSite(), 'private') }
    const { site } = found
    const isForAll = site.visibility === 'public' || site.visibility === 'unlisted'
    if (!isForAll && !(await mayRead(request, found.addressed))) {
      return { ready: readyAnswer(await refusal(site), 'private') }
    }
    const isPlain = !asked.query.has('q') && !asked.path.endsWith('~octavo/search')
    const key = isPlain ? keyOf(found, asked) : undefined
    const shownKey = isForAll ? key : undefined
    const known = key === undefined ? undefined : caches.find(renderedKind, key)
    if (known !== undefined) return { ready: known, key: shownKey }
    const given = await answerSite(services, site, asked, await assetAddresses())
    const ready = readyAnswer(given, isForAll ? 'public' : 'private')
    const isKept = given.isFinal !== false
    // Addresses that name nothing are without number: keeping them would push out the pages.
    if (key === undefined || given.status !== 200 || !isKept) return { ready }
    caches.keep(renderedKind, key, ready)
    return { ready, key: shownKey }
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
    { address, look }: { address: string; look: Look },
  ): Promise<FastifyReply> {
    // The site alone: nothing else was recalled by then, and what is for all follows from nothing else.
    const recalled = [...look.seen]
    const { ready, key } = await answer(request, found, asked)
    if (key !== undefined && asked.query.size === 0) caches.keep(answerKind, address, { recalled, key })
    return sendAnswer(request, reply, ready)
  }

  async function answerPath(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const url = request.raw.url!
    const look = await caches.look(request.raw)
    const [, organization = '', basename = '', slash = '', path = '', query] =
      /^\/+@([^/?]*)\/+(?:([^/?]+)(?:(\/)([^?]*))?)?(?:\?(.*))?$/.exec(url) ?? []
    const [hostname, name] = [decode(organization), decode(basename)]
    const key = `${hostname}/${name}`.toLowerCase()
    const found = await find(look, key, (db) => findSiteByNames(db, hostname, name), 'path')
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
    return answerAt(request, reply, found, asked, { address: url, look })
  }

  server.route({ method: ['GET', 'HEAD'], url: '/@:organization/:site/*', handler: answerPath })
  server.route({ method: ['GET', 'HEAD'], url: '/@:organization/:site', handler: answerPath })

  const ownHost = new URL(addresses.base).host

  /** Answers a page that was just answered, without anything in between. */
  const findAnswer: FindAtHand = ({ method, url, headers }) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined
    const address = headers.host === ownHost ? url : headers.host! + url!
    if (headers.host === ownHost && !url!.startsWith('/@')) return undefined
    const known = caches.find(answerKind, address!)
    return (
      known && {
        recalled: known.recalled,
        send(request, response) {
          const ready = caches.find(renderedKind, known.key)
          return ready && writeAnswer(request, response, ready)
        },
      }
    )
  }
  mountAtOnce(server, findAnswer, { caches, countAnswer })

  const domain = addresses.sitesDomain

  /** Returns the name under which a host's site is looked up; undefined for hosts that are no site's. */
  async function siteHost(look: Look, host: string): Promise<string | undefined> {
    const name = host.toLowerCase().replace(/:\d+$/, '')
    if (domain !== undefined && name.endsWith(`.${domain}`)) return name
    const known = await caches.recall(look, hostKind, name, async (db) => ({
      isSite: await isSiteHost(db, name),
    }))
    return known?.isSite === true ? name : undefined
  }

  async function answerHost(
    request: FastifyRequest,
    reply: FastifyReply,
    { host, look }: { host: string; look: Look },
  ): Promise<FastifyReply> {
    const url = request.raw.url!
    const address = request.raw.headers.host! + url
    const [path = '', query] = url.split(/\?(.*)/s, 2) as [string, string?]
    const search = new URLSearchParams(query)
    const organization =
      domain !== undefined && host.endsWith(`.${domain}`) ? host.slice(0, -domain.length - 1) : undefined
    if (organization === undefined) {
      const found = await find(look, host, (db) => findSiteByHost(db, host), 'host')
      const asked = { door: 'host', path: path.slice(1), query: search } as const
      return answerAt(request, reply, found, asked, { address, look })
    }
    const [, basename = '', slash = '', rest = ''] = /^\/+(?:([^/]+)(?:(\/)(.*))?)?$/.exec(path) ?? []
    const name = decode(basename)
    const key = `${organization} ${name.toLowerCase()}`
    const found = await find(look, key, (db) => findSiteByNames(db, organization, name), 'host')
    if (found !== undefined && slash === '' && found.addressed.row.published === 1)
      return reply.redirect(found.site.base, 307)
    const asked = { door: 'host', path: rest, query: search } as const
    return answerAt(request, reply, found, asked, { address, look })
  }

  /** Answers whether the host is a site's, and then the request. */
  async function answerSiteHost(
    request: FastifyRequest,
    reply: FastifyReply,
    host: string,
  ): Promise<boolean> {
    const look = await caches.look(request.raw)
    const name = await siteHost(look, host)
    if (name === undefined) return false
    await answerHost(request, reply, { host: name, look })
    return true
  }

  // One comparison of texts for everybody who comes by the product's own name.
  server.addHook('onRequest', (request, reply, done) => {
    const { host } = request.raw.headers
    const { method = '' } = request.raw
    if (host === undefined || host === ownHost || (method !== 'GET' && method !== 'HEAD')) return done()
    if (/^\/~octavo\/(?:assets|files)\//.test(request.raw.url!)) return done()
    answerSiteHost(request, reply, host).then(
      (isAnswered) => (isAnswered ? undefined : done()),
      // Whoever asks how this process is asks by its address, also while the database is away.
      (error: Error) => (operatorsPaths.has(request.raw.url!) ? done() : done(error)),
    )
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
