/**
 * The pages of a site as its own doors answer them, all of one moment, and without being sent: the forms and names that
 * an answer is sent with take half as long again as making the page.
 */
import { unknownVisitor } from '../../core/visitor/visitor.js'
import type { Services } from '../../access/route/scope.js'
import { answerSite } from '../../site/answer.js'
import type { PublishedSite } from '../../site/routing/site.js'
import { assetAddresses } from '../sites/assets.js'
import type { TwinAnswer } from './fetch-internal.js'

/** Answers the address of a page, as the site itself writes it: a path from the root of its host. */
export type AnswerPage = (href: string) => Promise<TwinAnswer>

/** Returns what answers the pages of a site as it was opened. */
export async function createAnswerPage(services: Services, site: PublishedSite): Promise<AnswerPage> {
  const assets = await assetAddresses()
  const { signal } = new AbortController()
  return async (href) => {
    const asked = { path: href.slice(site.base.length), query: new URLSearchParams(), signal }
    const answer = await answerSite(services, site, { ...asked, visitor: unknownVisitor }, assets)
    const { status, contentType, body, location } = answer
    return { status, contentType, body, ...(location !== undefined && { location }) }
  }
}
