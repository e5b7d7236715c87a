/**
 * Published sites: `/@<organization>/<site>/…`, `<organization>.<domain>/<site>/…`, and hosts of their own.
 *
 * A page is rendered once and kept as bytes under what they follow from: the site's fingerprint, the revision and
 * the path. An address leads there as long as the rows of its site are as they were. So an edit shows with the next
 * request, and an unrelated write renders nothing anew.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Asking, saidBy } from '../../core/visitor/identify-visitor.js'
import { prefersMarkdown } from '../../access/http/accept.js'
import type { Mounting } from '../../access/route/mount.js'
import { readAtOneMoment } from '../../access/route/consistent-read.js'
import type { Source } from '../../access/route/scope.js'
import { type Asked, answerSite, offersTools, redirectTo } from '../../site/answer.js'
import type { VisitorEvent } from '../../access/events/visitor-events.js'
import { ApiError } from '../../contract/errors.js'
import type { EventType } from '../../contract/site-events.js'
import { addressKey } from '../../access/signin/attempts.js'
import { originOf } from '../../access/signin/request.js'
import type { SiteSectionId, SiteSpaceId } from '../../core/ids.js'
import { type SiteEntry, enterSite, signedInAsker } from '../../site/enter.js'
import { findShownFile } from '../../site/find-file.js'
import { findOfferedSpecification } from '../../site/pages/offered-specification.js'
import { behindKey, keyAt } from '../../site/routing/key.js'
import { type Arrived, meetVisitor, previewedVisitor } from '../../site/visitor.js'
import { readWidth } from '../../store/images/widths.js'
import { openContent } from '../../site/pages/content.js'
import {
  type SiteAddress,
  readHostPath,
  readOrganizationPath,
  readSitePath,
} from '../../site/routing/address.js'
import { type ReachedSite, createSiteFinder } from '../../site/routing/find-site.js'
import { translationsOf, variantsInLanguageOf, variantsLookedAt } from '../../site/routing/languages.js'
import { type Feed, type Meaning, meaningOf } from '../../site/routing/match-path.js'
import { showTo } from '../../site/routing/show-to.js'
import type { ShownSite, Variant } from '../../site/routing/site.js'
import { type Held, type Look, type Recalled, lookAt } from '../../store/cache/caches.js'
import { kindOf } from '../../store/cache/kinds.js'
import type { FindAtHand } from '../http/response-cache.js'
import { type Forms, encodingFor, formFor, formsOf } from '../http/compression.js'
import {
  type AnswerHead,
  type ReadyAnswer,
  readyAnswer,
  sendAnswer,
  writeAnswer,
} from '../http/send-answer.js'
import { assetAddresses } from './assets.js'
import { answerMessage, goneSignal, isMessage, refuseMessage } from './mcp.js'
import { createFileSending } from './send-file.js'
import { sendSpecification } from './send-specification.js'
import { type KeptPage, createKeptPages } from './page-cache.js'
import { mountSharedRobots, sendSharedRobots } from './shared-robots.js'
import { createGuessing, directVisitor, noSuchSite } from './site-sign-in.js'
import { type Counted, isCounted, isTold, mayCount, takeTold } from './beacons.js'

/** Milliseconds for which what readers do is counted in memory alone. */
const countsHeldFor = 60_000

/** What is not a site's business, whatever host it is asked at. */
const operatorsPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** What an address was answered with, in the form that was asked for, and what it followed from that it led there. */
interface KeptAnswer {
  readonly recalled: readonly Recalled[]
  readonly form: Held<ReadyAnswer>
  /** When the token ends that let somebody in, in milliseconds since 1970. */
  readonly until: number
}

const answerKind = kindOf<KeptAnswer>('answer to readers', () => 500)

/** A site, and whether whoever asks may read it, as both were at one moment. */
interface Reached {
  /** As it stands behind the key of the address, where there is one, and as it is shown to who comes. */
  readonly found: ReachedSite
  /** True when something of the site itself was asked of who comes. */
  readonly isChosen: boolean
  readonly entry: SiteEntry
  /** Who comes, as far as the site is told. */
  readonly arrived: Arrived
  /** What is asked of it, without the key. */
  readonly question: Question
  /** False for a key without the slash that ends it. */
  readonly isWhole: boolean
  /** What all of it followed from; undefined when it may not be kept. */
  readonly recalled: readonly Recalled[] | undefined
  /** The same at a later moment. */
  again(): Promise<Reached | undefined>
}

/** What is sent, and to which site. */
interface Sent {
  readonly reached: Reached | undefined
  readonly asked: Question
}

/** What is sent, and how it is kept. */
interface Answered {
  readonly forms: Forms
  readonly kept?: KeptPage | undefined
  readonly cookies?: readonly string[]
}

type FindSite = (source: Source) => Promise<ReachedSite | undefined>

/** What is asked of a site, whoever asks. */
type Question = Omit<Asked, 'visitor'>

interface SitesMounting extends Mounting {
  /** The header in which a proxy says from which country somebody asks. */
  readonly countryHeader?: string | undefined
}

/** Returns how what readers were just answered is found again. */
export function mountPublishedSites(
  server: FastifyInstance,
  { services, signIn, now, countryHeader }: SitesMounting,
): FindAtHand {
  const { addresses, caches } = services
  const sites = createSiteFinder(services)
  const files = createFileSending(services)
  const kept = createKeptPages(caches)
  const guessing = createGuessing(services.database, now)

  /** Finds the site and lets the reader in; whatever is shown follows from the revisions that the site had then. */
  function reach(
    request: FastifyRequest,
    look: Look,
    { asked, find }: { readonly asked: Question; readonly find: FindSite },
  ): Promise<Reached | undefined> {
    const again = async () => reach(request, lookAt(await services.database.momentNow()), { asked, find })
    // A wrong token opens nothing, which is all that is to be known of what is not there.
    const asker = signedInAsker(() => signIn(request).catch(nobodyByWrongToken))
    const here = { caches, addresses, look, now: now() }
    return readAtOneMoment({ services, look }, async (source, about) => {
      const named = await find(source)
      if (named === undefined) return undefined
      const { row } = named.addressed
      about(row.organization_id)
      const key = keyAt(addresses, row, asked.path)
      const { site } = key === undefined ? named : behindKey(named, key)
      const question = { ...asked, path: ownName(key === undefined ? asked.path : key.rest) }
      const arrived =
        key?.kind === 'preview'
          ? previewedVisitor(addresses, row, key.key)
          : await meetVisitor(services, { row, site }, askingOf(request, site, question), here.now)
      const entry = await enterSite(source, named.addressed, { asker, visitor: arrived.visitor, key }, here)
      // Who signed in is looked at each time.
      const isKept = source.look !== null && entry.refusal === undefined && entry.by !== 'person'
      const recalled = isKept ? [...source.look!.seen] : undefined
      const { visitor, isChosen, ...shown } = showTo(services, named, arrived.visitor)
      const own = { ...named, ...shown }
      return {
        found: key === undefined ? own : behindKey(own, key),
        isChosen,
        entry,
        arrived: { ...arrived, visitor },
        question,
        isWhole: key?.isWhole !== false,
        recalled,
        again,
      }
    })
  }

  async function answer(reached: Reached | undefined): Promise<Answered> {
    if (reached === undefined)
      return { forms: formsOf(readyAnswer(await noSuchSite(), 'private', 'compressed')) }
    const direction = await directVisitor(reached, reached.question)
    if (direction !== undefined) {
      // Where somebody is led follows from what they told.
      const keeping = direction.answer.location === undefined ? 'private' : 'nobody'
      const ready = readyAnswer(direction.answer, keeping, 'compressed')
      return { forms: formsOf(ready), cookies: direction.cookies ?? [] }
    }
    const { found, isChosen, entry, arrived, question } = reached
    const { site } = found
    const asked = { ...question, visitor: arrived.visitor }
    const key = asked.query.has('q') ? undefined : keyOf(found, asked)
    const known = key === undefined ? undefined : kept.find(key, site.asker)
    if (known !== undefined) return { forms: known.forms, kept: known }
    const given = await answerSite(services, site, asked, await assetAddresses())
    if (given.hasWaited === true) {
      // It may have waited for its turn: the site and who may read it are looked at once more.
      const later = await reached.again()
      const isSame = later?.entry.refusal === undefined && later?.found.fingerprint === found.fingerprint
      if (!isSame) return answer(later)
    }
    // Who says something else of themselves may see something else at the same address.
    const isSame = !isChosen && site.asker.asked.length === 0
    const isForAll = entry.refusal === undefined && entry.by === 'all' && isSame
    const ready = readyAnswer(given, isForAll ? 'public' : 'private', 'compressed')
    // Addresses that name nothing are without number: keeping them would push out the pages.
    const isKeepable = given.status === 200 && given.isFinal !== false
    const page = key === undefined || !isKeepable ? undefined : kept.keep(key, site.asker, ready)
    return { forms: page?.forms ?? formsOf(ready), kept: page }
  }

  async function answerAt(
    request: FastifyRequest,
    reply: FastifyReply,
    reached: Reached | undefined,
    asked: Question,
  ): Promise<FastifyReply> {
    await guessing.watch(request, asked.path, isAbsent(reached))
    if (reached !== undefined && reached.entry.refusal === undefined) {
      if (await sendFile(request, reply, reached)) return reply
      if (await sendWhole(request, reply, reached)) return reply
    }
    const { forms, kept: page, cookies = [] } = await answer(reached)
    const { head } = forms
    if (reached !== undefined && asked.query.has('q') && head.status === 200) countSearch(request, reached)
    const program = reached && askedByPrograms(reached, head)
    if (program !== undefined) countProgram(request, reached!, program)
    const recalled = reached?.recalled
    // What is counted where it is answered comes by here each time.
    const isAsUsual = asked.query.size === 0 && asked.wantsMarkdown !== true && program === undefined
    const form = await formFor(forms, request.raw.headers['accept-encoding'])
    page?.weighAgain()
    if (page !== undefined && recalled !== undefined && isAsUsual) {
      const until = reached?.arrived.expires ?? Infinity
      caches.keep(answerKind, nameOfAsking(request.raw), { recalled, form: page.hold(form), until })
    }
    if (cookies.length > 0) reply.header('set-cookie', cookies)
    if (head.status === 401) reply.header('www-authenticate', 'Bearer')
    return sendAnswer(request, reply, form)
  }

  /** Sends a file of the site, where that is asked for and there; answers whether it did. */
  async function sendFile(
    request: FastifyRequest,
    reply: FastifyReply,
    { found: { site }, question: { path, query } }: Reached,
  ): Promise<boolean> {
    const meaning = meaningOf(site, path)
    const width = query.get('w')
    const pixels = width === null ? undefined : readWidth(width)
    if (meaning.kind !== 'file' || (width !== null && pixels === undefined)) return false
    const file = await findShownFile(services, site, meaning)
    if (file === undefined) return false
    await files.send(request, reply, { file, width: pixels, isForAll: false, isVersion: false })
    return true
  }

  /** Sends a specification that a page of the site offers, where that is asked for; answers whether it did. */
  async function sendWhole(
    request: FastifyRequest,
    reply: FastifyReply,
    { found: { site }, question: { path } }: Reached,
  ): Promise<boolean> {
    const meaning = meaningOf(site, path)
    if (meaning.kind !== 'specification') return false
    const version = await findOfferedSpecification(services, site, meaning)
    if (version === undefined) return false
    await sendSpecification(services, request, reply, { version, isForAll: false })
    return true
  }

  async function answerPath(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const url = request.raw.url!
    const look = await caches.look(request.raw)
    const address = readSitePath(url)
    const asked = askedBy(request, address)
    const find: FindSite = (source) => sites.byNames(source, address, 'path', 'unpublished')
    const reached = await reach(request, look, { asked, find })
    const isWritten = reached === undefined || url.startsWith(writtenAs(reached.found))
    return answerWritten(request, reply, reached, { asked, isWritten })
  }

  /** In another case, with doubled slashes or without the last one an address leads to the site's own one. */
  async function answerWritten(
    request: FastifyRequest,
    reply: FastifyReply,
    reached: Reached | undefined,
    { asked, isWritten }: { readonly asked: Question; readonly isWritten: boolean },
  ): Promise<FastifyReply> {
    const isSame = isWritten && reached?.isWhole !== false
    if (reached === undefined || isSame || isAbsent(reached)) return answerAt(request, reply, reached, asked)
    return sendAnswer(request, reply, sameAddress(reached))
  }

  server.route({ method: ['GET', 'HEAD'], url: '/@:organization/:site/*', handler: answerPath })
  server.route({ method: ['GET', 'HEAD'], url: '/@:organization/:site', handler: answerPath })

  const ownHost = new URL(addresses.base).host

  /** Finds a page that was just answered. */
  const findAnswer: FindAtHand = (request) => {
    const { method, url, headers } = request
    if ((method !== 'GET' && method !== 'HEAD') || prefersMarkdown(headers.accept)) return undefined
    if (headers.host === ownHost && !url!.startsWith('/@')) return undefined
    const known = caches.find(answerKind, nameOfAsking(request))
    if (known === undefined || known.until <= now()) return undefined
    return {
      recalled: known.recalled,
      send(request, response) {
        const form = known.form()
        return form && writeAnswer(request, response, form)
      },
    }
  }

  /** Names what is asked, in which form, and what somebody says of who they are: for two of one name the same holds. */
  function nameOfAsking({ url, headers }: FastifyRequest['raw']): string {
    const host = headers.host === ownHost ? '' : headers.host
    const said = saidBy(headers.authorization, headers.cookie)
    return `${encodingFor(headers['accept-encoding']) ?? ''} ${host}${url} ${said}`
  }

  mountSharedRobots(server, { services })
  const domain = addresses.sitesDomain

  async function answerHost(
    request: FastifyRequest,
    reply: FastifyReply,
    { host, look }: { host: string; look: Look },
  ): Promise<FastifyReply> {
    const url = request.raw.url!
    const organization = organizationOf(host)
    if (organization === undefined) {
      const asked = askedBy(request, readHostPath(url))
      const find: FindSite = (source) => sites.byHost(source, host, 'unpublished')
      const reached = await reach(request, look, { asked, find })
      return answerWritten(request, reply, reached, { asked, isWritten: true })
    }
    if (/^\/robots\.txt(?:\?|$)/.test(url)) return sendSharedRobots(services, request, reply, organization)
    const named = readOrganizationPath(organization, url)
    const asked = askedBy(request, named)
    const find: FindSite = (source) => sites.byNames(source, named, 'host', 'unpublished')
    const reached = await reach(request, look, { asked, find })
    const isWritten = reached === undefined || url.startsWith(reached.found.site.base)
    return answerWritten(request, reply, reached, { asked, isWritten })
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

  /** Returns the site that something is sent to, as it is reached by its address. */
  async function reachSent(request: FastifyRequest): Promise<Sent> {
    const url = request.raw.url!
    const look = await caches.look(request.raw)
    const { host = '' } = request.raw.headers
    const name = nameOf(host)
    const ofHost = host === ownHost ? undefined : organizationOf(name)
    const isOwn = host !== ownHost && ofHost === undefined && (await sites.isHost(look, name))
    const names = ofHost === undefined ? readSitePath(url) : readOrganizationPath(ofHost, url)
    const asked = askedBy(request, isOwn ? readHostPath(url) : names)
    const find: FindSite = (source) =>
      isOwn
        ? sites.byHost(source, name, 'unpublished')
        : sites.byNames(source, names, ofHost === undefined ? 'path' : 'host', 'unpublished')
    return { reached: await reach(request, look, { asked, find }), asked }
  }

  async function answerMessageTo(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { reached, asked } = await reachSent(request)
    await guessing.watch(request, asked.path, isAbsent(reached))
    if (reached?.entry.refusal === 'visitor')
      return refuseMessage(reply.header('www-authenticate', 'Bearer'), 401, 'This site needs a sign-in.')
    const { site } = reached?.found ?? {}
    const meaning = site && meaningOf(site, reached!.question.path)
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
    const event = { type: 'mcp_request', context: 'mcp', variant: meaning.choice.variant } as const
    const taken = () => countProgram(request, reached!, event)
    return answerMessage(request, reply, { place, stillMay, taken })
  }

  server.addHook('onRequest', (request, reply, done) => {
    if (!isMessage(request.raw)) return done()
    answerMessageTo(request, reply).catch(done)
  })

  async function answerTold(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { reached, asked } = await reachSent(request)
    await guessing.watch(request, asked.path, isAbsent(reached))
    const site = reached?.entry.refusal === undefined ? reached?.found.site : undefined
    const meaning = site && meaningOf(site, reached!.question.path)
    if (meaning?.kind === 'told') {
      const { variant } = meaning.choice
      const shown = await openContent(services, site!, variant)
      const assets = await assetAddresses()
      const counted = countedAt(request, reached!, variant)
      if (await takeTold(request, reply, { ...meaning, shown, counted }, { services, now, assets })) return
    }
    sendAnswer(request, reply, readyAnswer(await noSuchSite(), 'private'))
  }

  /** What a reader does is counted for the site as it is addressed, where they are. */
  function countedAt(request: FastifyRequest, { found, arrived }: Reached, variant: Variant): Counted {
    const { site, addressed } = found
    const { ip, userAgent } = originOf(request)
    const { headers } = request.raw
    const { token, claims } = arrived.visitor
    const country = countryHeader === undefined ? undefined : headers[countryHeader.toLowerCase()]
    const section = site.sections.find(({ variants }) => variants.some(({ id }) => id === variant.id))
    return {
      site: addressed.row,
      visitor: {
        name: `${addressKey(ip)} ${userAgent}`,
        userAgent: userAgent ?? '',
        language: headers['accept-language'],
        country: [country].flat()[0],
        isAuthenticated: token === 'none' ? null : token === 'valid',
        claims,
      },
      place: {
        siteSpaceId: variant.id as SiteSpaceId,
        sectionId: (section?.id ?? null) as SiteSectionId | null,
        spaceId: variant.spaceId,
      },
    }
  }

  /** Counts what was searched for. */
  function countSearch(request: FastifyRequest, reached: Reached): void {
    const { question, found, entry } = reached
    const query = question.query.get('q')?.trim() ?? ''
    if (query === '' || question.query.has('page') || entry.refusal !== undefined) return
    const meaning = meaningOf(found.site, question.path)
    if (meaning.kind !== 'search' && meaning.kind !== 'page') return
    if (found.site.siteId === undefined || !isCounted(request.raw, found.site)) return
    const { site, visitor, place } = countedAt(request, reached, meaning.choice.variant)
    services.counting.count(site, visitor, { ...place, type: 'search_type_query', detail: { query } })
  }

  /** Counts what a program asks for that reads for people, by whatever name it asks. */
  function countProgram(
    request: FastifyRequest,
    reached: Reached,
    { variant, ...event }: Pick<VisitorEvent, 'type' | 'context'> & { readonly variant: Variant },
  ): void {
    const { site } = reached.found
    const isRead = request.raw.method !== 'HEAD' && site.siteId !== undefined
    if (!isRead || !mayCount(request.raw, site)) return
    const counted = countedAt(request, reached, variant)
    services.counting.count(counted.site, counted.visitor, { ...counted.place, ...event })
  }

  const writing = setInterval(() => {
    const tell = (error: unknown) => server.log.warn({ err: error }, 'Readers were not counted')
    services.counting.flush().catch(tell)
  }, countsHeldFor).unref()
  server.addHook('onClose', async () => {
    clearInterval(writing)
    await services.counting.flush(true)
  })

  server.addHook('onRequest', (request, reply, done) => {
    if (!isTold(request.raw)) return done()
    answerTold(request, reply).catch(done)
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
  return findAnswer
}

/** Returns the name that a header names as the host. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '')
}

/** Leads to the address that was meant, as the site itself writes it. */
function sameAddress({ found: { site }, question: { path, query } }: Reached): ReadyAnswer {
  return readyAnswer(redirectTo(site.base + path.replace(/^\/+/, ''), true, query), 'private')
}

/** How the path of a site begins, whatever a proxy took away before it. */
function writtenAs({ addressed: { organizationHostname, row } }: ReachedSite): string {
  return `/@${organizationHostname}/${row.basename}/`
}

/** What the bytes of an answer follow from; undefined when they follow from more, as what a search finds. */
function keyOf({ site, fingerprint }: ReachedSite, { path, wantsMarkdown }: Asked): string | undefined {
  const meaning = meaningOf(site, path)
  if (!isKept(meaning)) return undefined
  const shown = meaning.kind === 'feed' ? toldBy(site, meaning.feed) : shownAt(site, meaning)
  const revisions = shown.map(({ revisionId }) => revisionId)
  return `${fingerprint} ${revisions.join(' ')} ${wantsMarkdown === true ? 'markdown ' : ''}${path}`
}

/** What an answer is that is made for programs which read for people, and of which variant; undefined for all others. */
function askedByPrograms(
  { found: { site }, question, entry }: Reached,
  { status, headers }: AnswerHead,
): { readonly type: EventType; readonly variant: Variant } | undefined {
  if (status !== 200 || entry.refusal !== undefined) return undefined
  const meaning = meaningOf(site, question.path)
  if (meaning.kind === 'feed') {
    const { feed } = meaning
    const isText = feed.name === 'llms.txt' || feed.name === 'llms-full.txt'
    return isText && feed.variant !== undefined ? { type: 'llms_request', variant: feed.variant } : undefined
  }
  const isRss = meaning.kind === 'page' && headers['content-type']!.startsWith('application/rss+xml')
  return isRss ? { type: 'rss_request', variant: meaning.choice.variant } : undefined
}

/** What follows from the site, the content of variants and the address alone. */
type Kept = Exclude<Meaning, { kind: 'nothing' | 'visitor' | 'file' | 'specification' }>

/** What a search finds follows from the index too; the others are made faster than they are found. */
function isKept(meaning: Meaning): meaning is Kept {
  return !['search', 'mcp', 'told', 'nothing', 'visitor', 'file', 'specification'].includes(meaning.kind)
}

/** A page names its translations, and leads to itself in other variants. */
function shownAt(site: ShownSite, meaning: Exclude<Kept, { kind: 'feed' }>): readonly Variant[] {
  if (meaning.kind === 'sheet') return []
  const { variant } = meaning.choice
  if (meaning.kind !== 'page') return [variant]
  return [...new Set([variant, ...translationsOf(site, variant), ...variantsLookedAt(site, variant)])]
}

/** The variants of whose content a feed tells. */
function toldBy(site: ShownSite, feed: Feed): readonly Variant[] {
  if (feed.name === 'sitemap-pages.xml') return [feed.variant]
  if (feed.name !== 'llms.txt' && feed.name !== 'llms-full.txt') return []
  return feed.variant === undefined ? [] : variantsInLanguageOf(site, feed.variant)
}

function askedBy(request: FastifyRequest, { path, search }: Pick<SiteAddress, 'path' | 'search'>): Question {
  const { signal, headers } = request
  return { path, query: new URLSearchParams(search), wantsMarkdown: prefersMarkdown(headers.accept), signal }
}

/** Programs that were made for another renderer ask by its name for the same things. */
function ownName(path: string): string {
  return path.replace(/^~gitbook\//, '~octavo/')
}

/** True where there is nothing for whoever asks. */
function isAbsent(reached: Reached | undefined): boolean {
  return reached === undefined || reached.entry.refusal === 'absent'
}

function nobodyByWrongToken(error: unknown): null {
  if (error instanceof ApiError && error.errorName === 'token_invalid') return null
  throw error
}

/** What of a request may tell who comes. */
function askingOf({ raw }: FastifyRequest, site: ShownSite, { path, query }: Question): Asking {
  const { authorization, cookie: cookies } = raw.headers
  const takesAccessToken = path.startsWith('~octavo/mcp')
  return { authorization, cookies, query: [...query], path: site.base + path, takesAccessToken }
}
