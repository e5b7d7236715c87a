/**
 * The picture of a page for previews in other programs, and the sign of a site. Drawn one at a time when somebody asks
 * for it, and kept by what stands in it: many pages of a site are asked for at once when somebody shares a list.
 */
import { createHash } from 'node:crypto'
import type { PageId } from '../../core/ids.js'
import { findPage } from '../../core/pages/read.js'
import type { Services } from '../../access/route/scope.js'
import { kindOf } from '../../store/cache/kinds.js'
import { type Card, drawCard, drawSign } from '../../store/images/card.js'
import { type Line, NotLetIn, createLine } from '../../store/search-workers/bounded-queue.js'
import { isReadable } from '../routing/destination.js'
import type { ShownSite } from '../routing/site.js'
import { type ShownContent, isOpen, readAncestors } from './content.js'

const line: Line = createLine({ atOnce: 1, mostWaiting: 32 })
const drawnKind = kindOf<Uint8Array>('drawn picture', (bytes) => bytes.length)

/** Returns the picture of a page; undefined for a page that this reader may not have, `busy` when too many wait. */
export async function pictureOf(
  services: Services,
  shown: ShownContent,
  id: string,
  signal: AbortSignal,
): Promise<Uint8Array | 'busy' | undefined> {
  const { content, site } = shown
  const page = await content.run(findPage(content.revision.snapshot, id as PageId))
  if (page === undefined || !isReadable(page)) return undefined
  const above = await readAncestors(shown, page)
  if (![page, ...above].every((one) => isOpen(shown, one))) return undefined
  const description = page.type === 'document' ? page.description : undefined
  const card = { ...lookOf(site), title: page.title, ...(description !== undefined && { description }) }
  return drawOnce(services, card, signal, () => drawCard(card))
}

/** Returns the sign of a site. */
export function signOf(
  services: Services,
  site: ShownSite,
  signal: AbortSignal,
): Promise<Uint8Array | 'busy'> {
  const look = lookOf(site)
  return drawOnce(services, look, signal, () => drawSign(look))
}

function lookOf({ title, customization }: ShownSite): Pick<Card, 'site' | 'color'> {
  return { site: customization.title ?? title, color: customization.styling.primaryColor.light }
}

async function drawOnce(
  { caches }: Services,
  drawn: object,
  signal: AbortSignal,
  draw: () => Promise<Uint8Array>,
): Promise<Uint8Array | 'busy'> {
  const key = createHash('sha256').update(JSON.stringify(drawn)).digest('base64url')
  const known = caches.find(drawnKind, key)
  if (known !== undefined) return known
  try {
    return await line.enter(async () => {
      // Somebody before may have asked for the same.
      const meanwhile = caches.find(drawnKind, key)
      if (meanwhile !== undefined) return meanwhile
      const bytes = await draw()
      caches.keep(drawnKind, key, bytes)
      return bytes
    }, signal)
  } catch (error) {
    if (error instanceof NotLetIn) return 'busy'
    throw error
  }
}
