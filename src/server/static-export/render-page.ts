/**
 * Renders the pages of a site in process, all as of one data version and without an HTTP response: encoding and headers
 * take half as long again as rendering the page.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { unknownVisitor } from '../../core/visitor/visitor.js'
import type { Services } from '../../access/route/scope.js'
import { answerSite } from '../../site/answer.js'
import type { PublishedSite } from '../../site/routing/site.js'
import { assetAddresses } from '../sites/assets.js'
import type { ExportedResponse } from './fetch-internal.js'

/** Requests for a page that is not complete yet, and milliseconds between them. */
const [maxAttempts, retryPause] = [20, 500]

/** Renders the page at an address as the site itself writes it: a path from the root of its host. */
export type RenderPage = (href: string) => Promise<ExportedResponse>

/** Returns a function that renders the pages of the site as it was opened. */
export async function createPageRenderer(services: Services, site: PublishedSite): Promise<RenderPage> {
  const assets = await assetAddresses()
  const { signal } = new AbortController()
  return async (href) => {
    const request = { path: href.slice(site.base.length), query: new URLSearchParams(), signal }
    for (let attempt = 1; ; attempt++) {
      const response = await answerSite(services, site, { ...request, visitor: unknownVisitor }, assets)
      const { status, contentType, body, location, isFinal } = response
      // A fallback caused by a busy machine must not end up in the folder.
      if (status === 200 && isFinal === false && attempt < maxAttempts) {
        await pause(retryPause)
        continue
      }
      return { status, contentType, body, ...(location !== undefined && { location }) }
    }
  }
}
