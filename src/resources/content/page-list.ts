/**
 * The page tree of a revision as JSON. Ten thousand pages are several megabytes, so it is serialized page by page,
 * yielding to the event loop in between, and cached as bytes under the revision's id.
 */
import { type PageNode, pageTree } from '../../core/pages/read.js'
import { type CachedJson, type RouteResponse, cachedJson } from '../../access/route/responses.js'
import type { Services } from '../../access/route/scope.js'
import { cacheKind } from '../../store/cache/kinds.js'
import { yieldToEventLoop } from '../../store/content/yield-to-event-loop.js'
import type { ContentContext } from './content.js'
import { visibilityFilterOf, viewerCacheKey } from './visibility.js'
import { type PagePresentContext, presentPage } from './present.js'
import { collectPageTargets } from './page-targets.js'

const pagesKind = cacheKind<Uint8Array>('pages', (json) => json.length)

export function writePages(content: ContentContext, services: Services): Promise<RouteResponse<CachedJson>> {
  return cachedJson(services, pagesKind, content.revision.id + viewerCacheKey(content), async () => {
    const all = await content.run(pageTree(content.revision.snapshot))
    const nodes = (await visibilityFilterOf(content))?.nodes(all) ?? all
    const targets = await collectPageTargets(content, nodes)
    const context = { addresses: services.addresses, spaceId: content.spaceId, targets }
    return `{"pages":${await writeTree(nodes, context)}}`
  })
}

/** The end of a serialized page without subpages, where they are inserted. */
const withoutPages = '[]}'

async function writeTree(nodes: readonly PageNode[], context: PagePresentContext): Promise<string> {
  const pieces: string[] = []
  const pauseIfDue = yieldToEventLoop()
  async function write(siblings: readonly PageNode[]): Promise<void> {
    pieces.push('[')
    for (const [index, { page, children }] of siblings.entries()) {
      const pause = pauseIfDue()
      if (pause !== undefined) await pause
      if (index > 0) pieces.push(',')
      const text = JSON.stringify(presentPage(page, [], context))
      if (children.length === 0) pieces.push(text)
      else {
        pieces.push(text.slice(0, -withoutPages.length))
        await write(children)
        pieces.push('}')
      }
    }
    pieces.push(']')
  }
  await write(nodes)
  return pieces.join('')
}
