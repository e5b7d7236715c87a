/**
 * Social preview images (og:image) of pages, and site icons. Rendered on request, one at a time with a bounded queue, and
 * cached by content hash: shared lists request the images of many pages concurrently.
 */
import { createHash } from 'node:crypto'
import type { PageId } from '../../core/ids.js'
import { findPage } from '../../core/pages/read.js'
import type { Services } from '../../access/route/scope.js'
import { cacheKind } from '../../store/cache/kinds.js'
import { type Card, drawCard, drawSign } from '../../store/images/card.js'
import {
  type BoundedQueue,
  QueueRejection,
  createBoundedQueue,
} from '../../store/search-workers/bounded-queue.js'
import { isReadable } from '../routing/destination.js'
import type { PublishedSite } from '../routing/site.js'
import { type VisibleContent, isVisible, readAncestors } from './content.js'

const line: BoundedQueue = createBoundedQueue({ concurrency: 1, maxWaiting: 32 })
const drawnKind = cacheKind<Uint8Array>('drawn picture', (bytes) => bytes.length)

/** Returns the image of a page as PNG; undefined for a page closed to the reader, `busy` when the queue is full. */
export async function renderSocialImage(
  services: Services,
  visible: VisibleContent,
  id: string,
  signal: AbortSignal,
): Promise<Uint8Array | 'busy' | undefined> {
  const { content, site } = visible
  const page = await content.run(findPage(content.revision.snapshot, id as PageId))
  if (page === undefined || !isReadable(page)) return undefined
  const above = await readAncestors(visible, page)
  if (![page, ...above].every((one) => isVisible(visible, one))) return undefined
  const description = page.type === 'document' ? page.description : undefined
  const card = { ...cardStyle(site), title: page.title, ...(description !== undefined && { description }) }
  return drawCached(services, card, signal, () => drawCard(card))
}

/** Returns the icon of a site as PNG; `busy` when the queue is full. */
export function renderSiteIcon(
  services: Services,
  site: PublishedSite,
  signal: AbortSignal,
): Promise<Uint8Array | 'busy'> {
  const style = cardStyle(site)
  return drawCached(services, style, signal, () => drawSign(style))
}

function cardStyle({ title, customization }: PublishedSite): Pick<Card, 'site' | 'color'> {
  return { site: customization.title ?? title, color: customization.styling.primaryColor.light }
}

async function drawCached(
  { caches }: Services,
  input: object,
  signal: AbortSignal,
  draw: () => Promise<Uint8Array>,
): Promise<Uint8Array | 'busy'> {
  const key = createHash('sha256').update(JSON.stringify(input)).digest('base64url')
  const known = caches.find(drawnKind, key)
  if (known !== undefined) return known
  try {
    return await line.run(async () => {
      // An earlier entry of the queue may have rendered the same image.
      const drawnMeanwhile = caches.find(drawnKind, key)
      if (drawnMeanwhile !== undefined) return drawnMeanwhile
      const bytes = await draw()
      caches.put(drawnKind, key, bytes)
      return bytes
    }, signal)
  } catch (error) {
    if (error instanceof QueueRejection) return 'busy'
    throw error
  }
}
