/**
 * Published sites: `/@<organization>/<site>/…`, `<organization>.<domain>/<site>/…`, and hosts of their own.
 *
 * A page is rendered once and kept as bytes under what they follow from: the site's fingerprint, the revision and
 * the path. An address leads there as long as the rows of its site are as they were. So an edit shows with the next
 * request, and an unrelated write renders nothing anew.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Asking, visitorCookies } from '../../core/visitor/arrival.js'
import { nameClaims } from '../../core/visitor/visitor.js'
import { prefersMarkdown } from '../../access/http/accept.js'
import type { Mounting } from '../../access/route/mount.js'
import { readAtOneMoment } from '../../access/route/moment.js'
import type { Source } from '../../access/route/scope.js'
import { type Answer, type Asked, answerSite, offersTools, redirectTo } from '../../site/answer.js'
import { type Entry, enterAsReader, readableSite, signedInVisitor } from '../../site/enter.js'
import { type Arrived, meetVisitor } from '../../site/visitor.js'
import { errorPage, notFoundPage } from '../../site/layout/other-pages.js'
import { frameOf } from '../../site/pages/site-view.js'
import {
  type SiteAddress,
  readHostPath,
  readOrganizationPath,
  readSitePath,
} from '../../site/routing/address.js'
import { type ReachedSite, createSiteFinder } from '../../site/routing/find-site.js'
import { variantsInLanguageOf } from '../../site/routing/languages.js'
import { type Feed, type Meaning, meaningOf } from '../../site/routing/meaning.js'
import type { ShownSite, Variant } from '../../site/routing/site.js'
import { wordsIn } from '../../site/words/words.js'
import { type Look, type Recalled, lookAt } from '../../store/cache/caches.js'
import { kindOf } from '../../store/cache/kinds.js'
import { type FindAtHand, mountAtOnce } from '../http/at-once.js'
import { createCompression } from '../http/compression.js'
import { type ReadyAnswer, readyAnswer, sendAnswer, writeAnswer } from '../http/send-answer.js'
import { assetAddresses } from './assets.js'
import { answerMessage, goneSignal, isMessage, refuseMessage } from './mcp.js'
import { productFrame } from './product-frame.js'
import { mountSharedRobots, sendSharedRobots } from './shared-robots.js'

const htmlType = 'text/html; charset=utf-8'

/** What is not a site's business, whatever host it is asked at. */
const operatorsPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** Where the bytes are that an address was answered with, and the site that it led to. */
interface KeptAnswer {
  readonly recalled: readonly Recalled[]
  readonly key: string
}

/** Bytes that the headers of an answer cost beside its body. */
const headersWeight = 1_000
const renderedKind = kindOf<ReadyAnswer>('rendered page', ({ body }) => body.length + headersWeight)
const answerKind = kindOf<KeptAnswer>('answer to readers', ({ key }) => 200 + key.length)

/** A site, and whether whoever asks may read it, as both were at one moment. */
interface Reached {
  readonly found: ReachedSite
  readonly entry: Entry<unknown>
  /** Who comes, as far as the site is told. */
  readonly arrived: Arrived
  /** What finding it followed from; undefined when it may not be kept. */
  readonly recalled: readonly Recalled[] | undefined
  /** The same at a later moment. */
  again(): Promise<Reached | undefined>
}

/** What a message asks, and of which site. */
interface Message {
  readonly reached: Reached | undefined
  readonly question: Question
}

type FindSite = (source: Source) => Promise<ReachedSite | undefined>

/** What is asked of a site, whoever asks. */
type Question = Omit<Asked, 'visitor'>

interface SitesMounting extends Mounting {
  /** Told the status of answers that no hook of the server sees. */
  readonly countAnswer?: (status: number) => void
}

export function mountPublishedSites(
  server: FastifyInstance,
  { services, signIn, now, countAnswer }: SitesMounting,
): void {
  const { addresses, caches } = services
  const sites = createSiteFinder(services)
  const compression = createCompression(caches)

  /** Finds the site and lets the reader in; whatever is shown follows from the revisions that the site had then. */
  function reach(
    request: FastifyRequest,
    look: Look,
    { question, find }: { readonly question: Question; readonly find: FindSite },
  ): Promise<Reached | undefined> {
    const again = async () => reach(request, lookAt(await services.database.momentNow()), { question, find })
    const visitor = signedInVisitor(() => signIn(request))
    return readAtOneMoment({ services, look }, async (source, about) => {
      const found = await find(source)
      if (found === undefined) return undefined
      about(found.addressed.row.organization_id)
      // The site alone: nothing else was recalled by then, and what is for all follows from nothing else.
      const recalled = source.look === null ? undefined : [...source.look.seen]
      const arrived = await meetVisitor(
        services,
        { row: found.addressed.row, site: found.site },
        askingOf(request, found.site, question),
        now(),
      )
      const entry = await enterAsReader(visitor, readableSite(source, found.addressed))
      return { found, recalled, entry, arrived, again }
    })
  }

  async function answer(
    reached: Reached | undefined,
    question: Question,
  ): Promise<{ ready: ReadyAnswer; key?: string | undefined; isKept?: true }> {
    if (reached === undefined) return { ready: readyAnswer(await noSuchSite(), 'private', 'compressed') }
    const { found, entry, arrived } = reached
    const { site } = found
    const isTold = entry.refusal === undefined || site.visibility === 'visitor-auth'
    if (arrived.remember !== undefined && isTold) {
      const without = redirectTo(
        site.base + question.path,
        false,
        new URLSearchParams(arrived.remember.query.map(([name, value]) => [name, value])),
      )
      return { ready: readyAnswer(without, 'nobody') }
    }
    if (entry.refusal !== undefined)
      return { ready: readyAnswer(await refusal(site), 'private', 'compressed') }
    const { visitor } = arrived
    const asked = { ...question, visitor }
    const claims = site.isAdaptive ? nameClaims(visitor) : ''
    // Who says something of themselves may see something else at the same address.
    const isForAll = entry.isForAll && claims === ''
    const key = asked.query.has('q') ? undefined : keyOf(found, asked, claims)
    const shownKey = isForAll ? key : undefined
    const known = key === undefined ? undefined : caches.find(renderedKind, key)
    if (known !== undefined) return { ready: known, key: shownKey, isKept: true }
    const given = await answerSite(services, site, asked, await assetAddresses())
    if (given.hasWaited === true) {
      // It may have waited for its turn: the site and who may read it are looked at once more.
      const later = await reached.again()
      const isSame = later?.entry.refusal === undefined && later?.found.fingerprint === found.fingerprint
      if (!isSame) return answer(later, question)
    }
    const ready = readyAnswer(given, isForAll ? 'public' : 'private', 'compressed')
    // Addresses that name nothing are without number: keeping them would push out the pages.
    if (key === undefined || given.status !== 200 || given.isFinal === false) return { ready }
    caches.keep(renderedKind, key, ready)
    return { ready, key: shownKey, isKept: true }
  }

  async function answerAt(
    request: FastifyRequest,
    reply: FastifyReply,
    reached: Reached | undefined,
    { question, address }: { readonly question: Question; readonly address: string },
  ): Promise<FastifyReply> {
    const { ready, key, isKept = false } = await answer(reached, question)
    const recalled = reached?.recalled
    const isAsUsual = question.query.size === 0 && question.wantsMarkdown !== true
    if (key !== undefined && recalled !== undefined && isAsUsual)
      caches.keep(answerKind, address, { recalled, key })
    const cookies = ready.status === 307 ? (reached?.arrived.remember?.cookies ?? []) : []
    if (cookies.length > 0) reply.header('set-cookie', cookies)
    const accepted = request.raw.headers['accept-encoding']
    return sendAnswer(request, reply, await compression.make(ready, accepted, isKept))
  }

  async function answerPath(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const url = request.raw.url!
    const look = await caches.look(request.raw)
    const address = readSitePath(url)
    const question = askedBy(request, address)
    const find: FindSite = (source) => sites.byNames(source, address, 'path')
    const reached = await reach(request, look, { question, find })
    const found = reached?.found
    // In another case, with doubled slashes or without the last one it leads to the site's own address.
    if (found !== undefined && !url.startsWith(writtenAs(found)))
      return sendAnswer(request, reply, sameAddress(found, address))
    return answerAt(request, reply, reached, { question, address: url })
  }

  server.route({ method: ['GET', 'HEAD'], url: '/@:organization/:site/*', handler: answerPath })
  server.route({ method: ['GET', 'HEAD'], url: '/@:organization/:site', handler: answerPath })

  const ownHost = new URL(addresses.base).host

  /** Answers a page that was just answered, without anything in between. */
  const findAnswer: FindAtHand = ({ method, url, headers }) => {
    if ((method !== 'GET' && method !== 'HEAD') || prefersMarkdown(headers.accept)) return undefined
    const address = headers.host === ownHost ? url : headers.host! + url!
    if (headers.host === ownHost && !url!.startsWith('/@')) return undefined
    // Who says who they are is looked at.
    if (headers.authorization !== undefined || headers.cookie?.includes(visitorCookies)) return undefined
    const known = caches.find(answerKind, address!)
    return (
      known && {
        recalled: known.recalled,
        send(request, response) {
          const ready = caches.find(renderedKind, known.key)
          const form = ready && compression.find(ready, request.headers['accept-encoding'])
          return form && writeAnswer(request, response, form)
        },
      }
    )
  }
  mountAtOnce(server, findAnswer, { caches, countAnswer })

  mountSharedRobots(server, { services })
  const domain = addresses.sitesDomain

  async function answerHost(
    request: FastifyRequest,
    reply: FastifyReply,
    { host, look }: { host: string; look: Look },
  ): Promise<FastifyReply> {
    const url = request.raw.url!
    const address = request.raw.headers.host! + url
    const organization = organizationOf(host)
    if (organization === undefined) {
      const question = askedBy(request, readHostPath(url))
      const find: FindSite = (source) => sites.byHost(source, host)
      return answerAt(request, reply, await reach(request, look, { question, find }), { question, address })
    }
    if (/^\/robots\.txt(?:\?|$)/.test(url)) return sendSharedRobots(services, request, reply, organization)
    const named = readOrganizationPath(organization, url)
    const question = askedBy(request, named)
    const find: FindSite = (source) => sites.byNames(source, named, 'host')
    const reached = await reach(request, look, { question, find })
    const found = reached?.found
    if (found !== undefined && !url.startsWith(found.site.base))
      return sendAnswer(request, reply, sameAddress(found, named))
    return answerAt(request, reply, reached, { question, address })
  }

  /** Returns the name of the organization whose sites live on a host. */
  function organizationOf(host: string): string | undefined {
    return domain !== undefined && host.endsWith(`.${domain}`) ? host.slice(0, -domain.length - 1) : undefined
  }

  /** Answers whether the host is a site's, and then the request. */
  async function answerSiteHost(
    request: FastifyRequest,
    reply: FastifyReply,
    host: string,
  ): Promise<boolean> {
    const look = await caches.look(request.raw)
    const name = nameOf(host)
    if (organizationOf(name) === undefined && !(await sites.isHost(look, name))) return false
    await answerHost(request, reply, { host: name, look })
    return true
  }

  /** Returns the site that a message is for, as it is reached by its address. */
  function reachForMessage(request: FastifyRequest, look: Look, isSiteHost: boolean): Promise<Message> {
    const url = request.raw.url!
    const name = nameOf(request.raw.headers.host ?? '')
    const organization = isSiteHost ? organizationOf(name) : undefined
    const names = organization === undefined ? readSitePath(url) : readOrganizationPath(organization, url)
    const isOwn = isSiteHost && organization === undefined
    const question = askedBy(request, isOwn ? readHostPath(url) : names)
    const find: FindSite = (source) =>
      isOwn ? sites.byHost(source, name) : sites.byNames(source, names, isSiteHost ? 'host' : 'path')
    return reach(request, look, { question, find }).then((reached) => ({ reached, question }))
  }

  async function answerMessageTo(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const look = await caches.look(request.raw)
    const { host = '' } = request.raw.headers
    const name = nameOf(host)
    const isSiteHost =
      host !== ownHost && (organizationOf(name) !== undefined || (await sites.isHost(look, name)))
    const { reached, question } = await reachForMessage(request, look, isSiteHost)
    if (reached?.entry.refusal !== undefined && reached.found.site.visibility === 'visitor-auth')
      return refuseMessage(reply.header('www-authenticate', 'Bearer'), 401, 'This site needs a sign-in.')
    const { site } = reached?.found ?? {}
    const meaning = site && meaningOf(site, question.path)
    const isClosed = site === undefined || reached?.entry.refusal !== undefined || !offersTools(site)
    if (isClosed || meaning?.kind !== 'mcp') return refuseMessage(reply, 404, 'There is no such site.')
    const { found, arrived, again } = reached!
    const place = {
      services,
      site,
      variant: meaning.choice.variant,
      visitor: arrived.visitor,
      signal: goneSignal(reply),
      assets: await assetAddresses(),
    }
    const stillMay = async () => {
      const later = await again()
      return later?.entry.refusal === undefined && later?.found.fingerprint === found.fingerprint
    }
    return answerMessage(request, reply, { place, stillMay })
  }

  server.addHook('onRequest', (request, reply, done) => {
    if (!isMessage(request.raw)) return done()
    answerMessageTo(request, reply).catch(done)
  })

  // One comparison of texts for everybody who comes by the product's own name.
  server.addHook('onRequest', (request, reply, done) => {
    const { host } = request.raw.headers
    const { method = '' } = request.raw
    if (host === undefined || host === ownHost || (method !== 'GET' && method !== 'HEAD')) return done()
    if (/^\/(?:~octavo\/(?:assets|files)\/|favicon\.ico(?:\?|$))/.test(request.raw.url!)) return done()
    answerSiteHost(request, reply, host).then(
      (isAnswered) => (isAnswered ? undefined : done()),
      // Whoever asks how this process is asks by its address, also while the database is away.
      (error: Error) => (operatorsPaths.has(request.raw.url!) ? done() : done(error)),
    )
  })
}

/** Returns the name that a header names as the host. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '')
}

/** Leads to the address that was meant, as the site itself writes it. */
function sameAddress({ site }: ReachedSite, { path, search }: SiteAddress): ReadyAnswer {
  const href = site.base + path.replace(/^\/+/, '')
  return readyAnswer(redirectTo(href, true, new URLSearchParams(search)), 'private')
}

/** How the path of a site begins, whatever a proxy took away before it. */
function writtenAs({ addressed: { organizationHostname, row } }: ReachedSite): string {
  return `/@${organizationHostname}/${row.basename}/`
}

/** What the bytes of an answer follow from; undefined when they follow from more, as what a search finds. */
function keyOf(
  { site, fingerprint }: ReachedSite,
  { path, wantsMarkdown }: Asked,
  claims: string,
): string | undefined {
  const meaning = meaningOf(site, path)
  if (!isKept(meaning)) return undefined
  const shown = meaning.kind === 'feed' ? toldBy(site, meaning.feed) : [meaning.choice.variant]
  const revisions = shown.map(({ revisionId }) => revisionId)
  return `${fingerprint} ${revisions.join(' ')} ${wantsMarkdown === true ? 'markdown ' : ''}${path} ${claims}`
}

/** What a search finds follows from the index too; the others are made faster than they are found. */
function isKept(
  meaning: Meaning,
): meaning is Extract<Meaning, { kind: 'feed' | 'page' | 'branch' | 'text' | 'variant' }> {
  return !['search', 'mcp', 'nothing', 'visitor'].includes(meaning.kind)
}

/** The variants of whose content a feed tells. */
function toldBy(site: ShownSite, feed: Feed): readonly Variant[] {
  if (feed.name === 'sitemap-pages.xml') return [feed.variant]
  if (feed.name !== 'llms.txt' && feed.name !== 'llms-full.txt') return []
  return feed.variant === undefined ? [] : variantsInLanguageOf(site, feed.variant)
}

function askedBy(request: FastifyRequest, { path, search }: Pick<SiteAddress, 'path' | 'search'>): Question {
  const { signal, headers } = request
  // Programs that were made for another renderer ask by its name for the same things.
  const own = path.replace(/^~gitbook\//, '~octavo/')
  return {
    path: own,
    query: new URLSearchParams(search),
    wantsMarkdown: prefersMarkdown(headers.accept),
    signal,
  }
}

/** What of a request may tell who comes. */
function askingOf({ raw }: FastifyRequest, site: ShownSite, { path, query }: Question): Asking {
  const { authorization, cookie: cookies } = raw.headers
  const takesAccessToken = path.startsWith('~octavo/mcp')
  return { authorization, cookies, query: [...query], path: site.base + path, takesAccessToken }
}

async function noSuchSite(): Promise<Answer> {
  const body = notFoundPage(await productFrame())
  return { status: 404, contentType: htmlType, body, isIndexed: false }
}

/** A site that asks its visitors to sign in says so; one behind links is not there for anybody else. */
async function refusal(site: ShownSite): Promise<Answer> {
  if (site.visibility !== 'visitor-auth') return noSuchSite()
  const frame = frameOf(site, await assetAddresses())
  const words = wordsIn(frame.language)
  const body = errorPage(frame, { title: words.needsSignIn, message: words.needsSignInMessage })
  return { status: 401, contentType: htmlType, body, isIndexed: false }
}
