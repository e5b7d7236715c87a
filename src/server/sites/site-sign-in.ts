/** Sign-in of site visitors: the answers to readers without access to a site, and the two paths to sign in and out. */
import type { SiteRow } from '../../resources/sites/store.js'
import { type SiteResponse, redirectTo } from '../../site/answer.js'
import { errorPage, notFoundPage } from '../../site/layout/message-pages.js'
import { siteFrame } from '../../site/pages/site-view.js'
import type { PublishedSite } from '../../site/routing/site.js'
import { wordsIn } from '../../site/words/words.js'
import { expiredTokenCookie, signInUrl } from '../../site/visitor.js'
import { assetAddresses } from './assets.js'
import { productFrame } from './product-frame.js'
import type { ResolvedVisit } from './resolve-visit.js'

const htmlType = 'text/html; charset=utf-8'

/** Paths to sign in and out, the same for every visitor. */
const loginPath = '~octavo/auth/login'
const logoutPath = '~octavo/auth/logout'

export interface EarlyAnswer {
  readonly answer: SiteResponse
  readonly cookies?: readonly string[]
}

/** Returns the 404 page, the same for a site that does not exist and for one that the reader may not see. */
export async function siteNotFound(): Promise<SiteResponse> {
  return { status: 404, contentType: htmlType, body: notFoundPage(await productFrame()), isIndexed: false }
}

/**
 * Returns the answer that replaces the content: not resolved, a redirect to sign in, or a redirect to the URL without the
 * visitor's token and claims. Undefined when the visitor gets the content.
 */
export async function findEarlyAnswer(
  {
    resolved: { site, siteRows },
    access,
    identified,
  }: Pick<ResolvedVisit, 'resolved' | 'access' | 'identified'>,
  { path, query }: { readonly path: string; readonly query: URLSearchParams },
): Promise<EarlyAnswer | undefined> {
  if (access.refusal === 'absent') return { answer: await siteNotFound() }
  const { remember, visitor } = identified
  if (remember !== undefined) {
    const rest = new URLSearchParams(remember.query.map(([name, value]) => [name, value]))
    return { answer: redirectTo(site.base + path, false, rest), cookies: remember.cookies }
  }
  if (path === logoutPath) {
    const answer = redirectTo(siteRows.row.logout_url ?? site.base, false)
    return { answer, cookies: [expiredTokenCookie(site)] }
  }
  const returnPath =
    path === loginPath ? (query.get('location') ?? '/') : `/${path}${query.size > 0 ? `?${query}` : ''}`
  if (
    path === loginPath &&
    (visitor.token === 'valid' || siteRows.row.login_url === null) &&
    access.refusal === undefined
  )
    return { answer: redirectTo(pathBelow(site.base, returnPath), false) }
  if (access.refusal === undefined && path !== loginPath) return undefined
  // Programs get an error, people are redirected.
  const isForPrograms = path.startsWith('~octavo/') && path !== loginPath
  return {
    answer: isForPrograms ? await signInPage(site) : await redirectToSignIn(site, siteRows.row, returnPath),
  }
}

async function redirectToSignIn(
  site: PublishedSite,
  row: SiteRow,
  returnPath: string,
): Promise<SiteResponse> {
  const url = signInUrl(row, returnPath)
  return url === undefined ? signInPage(site) : redirectTo(url, false)
}

/** Returns a path below the base, whatever the URL's query contains: no open redirect. */
function pathBelow(base: string, returnPath: string): string {
  const { pathname, search } = new URL(base + returnPath.replace(/^[/\\]+/, ''), 'http://site.invalid')
  return pathname.startsWith(base) ? pathname + search : base
}

async function signInPage(site: PublishedSite): Promise<SiteResponse> {
  const frame = siteFrame(site, await assetAddresses())
  const words = wordsIn(frame.language)
  const body = errorPage(frame, { title: words.needsSignIn, message: words.needsSignInMessage })
  return { status: 401, contentType: htmlType, body, isIndexed: false }
}
