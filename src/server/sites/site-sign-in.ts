/** What readers are answered who were not let into a site, and the two addresses by which visitors sign in and out. */
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { TooManyAttempts, addressKey } from '../../access/signin/attempts.js'
import type { SiteRow } from '../../resources/sites/store.js'
import { type Answer, redirectTo } from '../../site/answer.js'
import type { SiteEntry } from '../../site/enter.js'
import { errorPage, notFoundPage } from '../../site/layout/other-pages.js'
import { frameOf } from '../../site/pages/site-view.js'
import type { ReachedSite } from '../../site/routing/find-site.js'
import { guesses, readKey } from '../../site/routing/key.js'
import type { ShownSite } from '../../site/routing/site.js'
import { wordsIn } from '../../site/words/words.js'
import { type Arrived, forgottenToken, signInUrl } from '../../site/visitor.js'
import type { Database } from '../../store/db/database.js'
import { assetAddresses } from './assets.js'
import { productFrame } from './product-frame.js'

const htmlType = 'text/html; charset=utf-8'

/** Where visitors are sent who want to sign in or out, whoever they are. */
const login = '~octavo/auth/login'
const logout = '~octavo/auth/logout'

export interface Direction {
  readonly answer: Answer
  readonly cookies?: readonly string[]
}

interface Coming {
  readonly found: ReachedSite
  readonly entry: SiteEntry
  readonly arrived: Arrived
}

/** The same for a site that is not there and for one that is not there for whoever asks. */
export async function noSuchSite(): Promise<Answer> {
  return { status: 404, contentType: htmlType, body: notFoundPage(await productFrame()), isIndexed: false }
}

/**
 * Returns what is said to somebody before they are shown anything: that nothing is there, where to sign in, or what
 * their address is without what it told of them. Undefined for who goes on.
 */
export async function directVisitor(
  { found: { site, addressed }, entry, arrived }: Coming,
  { path, query }: { readonly path: string; readonly query: URLSearchParams },
): Promise<Direction | undefined> {
  if (entry.refusal === 'absent') return { answer: await noSuchSite() }
  const { remember, visitor } = arrived
  if (remember !== undefined) {
    const rest = new URLSearchParams(remember.query.map(([name, value]) => [name, value]))
    return { answer: redirectTo(site.base + path, false, rest), cookies: remember.cookies }
  }
  if (path === logout) {
    const answer = redirectTo(addressed.row.logout_url ?? site.base, false)
    return { answer, cookies: [forgottenToken(site)] }
  }
  const wanted =
    path === login ? (query.get('location') ?? '/') : `/${path}${query.size > 0 ? `?${query}` : ''}`
  if (
    path === login &&
    (visitor.token === 'valid' || addressed.row.login_url === null) &&
    entry.refusal === undefined
  )
    return { answer: redirectTo(placeOn(site.base, wanted), false) }
  if (entry.refusal === undefined && path !== login) return undefined
  // Programs are told, people are led.
  const isForPrograms = path.startsWith('~octavo/') && path !== login
  return { answer: isForPrograms ? await signInPage(site) : await leadToSignIn(site, addressed.row, wanted) }
}

async function leadToSignIn(site: ShownSite, row: SiteRow, wanted: string): Promise<Answer> {
  const url = signInUrl(row, wanted)
  return url === undefined ? signInPage(site) : redirectTo(url, false)
}

/** Returns a place below the base, whatever somebody wrote into an address. */
function placeOn(base: string, wanted: string): string {
  const { pathname, search } = new URL(base + wanted.replace(/^[/\\]+/, ''), 'http://site.invalid')
  return pathname.startsWith(base) ? pathname + search : base
}

async function signInPage(site: ShownSite): Promise<Answer> {
  const frame = frameOf(site, await assetAddresses())
  const words = wordsIn(frame.language)
  const body = errorPage(frame, { title: words.needsSignIn, message: words.needsSignInMessage })
  return { status: 401, contentType: htmlType, body, isIndexed: false }
}

const mostTurnedAway = 10_000

export interface Guessing {
  /**
   * Counts an address whose key opened nothing; throws `TooManyAttempts` for who tried too many, whatever key they try
   * next.
   */
  watch(request: FastifyRequest, path: string, isAbsent: boolean): Promise<void>
}

export function createGuessing({ attempts }: Pick<Database, 'attempts'>, now: () => number): Guessing {
  const turnedAway = new LRUCache<string, number>({ max: mostTurnedAway })
  const tooMany = (resetAt: number) =>
    new TooManyAttempts({ limit: guesses.limit, remaining: 0, resetAt }, now())
  return {
    async watch({ ip }, path, isAbsent) {
      if (readKey(path) === undefined) return
      const key = addressKey(ip)
      const known = turnedAway.get(key)
      if (known !== undefined && known > now()) throw tooMany(known)
      if (!isAbsent) return
      const { isWithin, resetIn } = await attempts.take(`site key ${key}`, guesses)
      if (isWithin) return
      const until = now() + resetIn
      turnedAway.set(key, until)
      throw tooMany(until)
    },
  }
}
