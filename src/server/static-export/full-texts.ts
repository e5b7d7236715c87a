/**
 * `llms-full.txt` of a twin, made of the Markdown of pages that were answered already: to read each page once more
 * would take longer than all else that is written at the end.
 */
import type { Services } from '../../access/route/scope.js'
import { readFullText } from '../../site/feeds/llms-full.js'
import { matchPath } from '../../site/routing/match-path.js'
import { type AskedSite, type TwinAnswer, textOf } from './fetch-internal.js'
import { createPlaces } from './places.js'

/** Bytes of Markdown that are kept; of a larger site the rest is read again. */
const mostKept = 64_000_000

export interface FullTexts {
  /** Keeps the Markdown of a page, by its address. */
  keep(href: string, answer: TwinAnswer): void
  /** Answers a part from what is kept, and everything else as the site does. */
  readonly ask: AskedSite['ask']
}

export function createFullTexts(services: Services, { site, ask }: AskedSite): FullTexts {
  const read = createPlaces(site, services.addresses.base)
  const kept = new Map<string, TwinAnswer>()
  let bytes = 0
  const known = (written: string): string | undefined => {
    const answer = kept.get(read(written).place?.href ?? '')
    return answer && textOf(answer)
  }
  return {
    keep(href, answer) {
      if (answer.status !== 200 || bytes + answer.body.length > mostKept) return
      bytes += answer.body.length
      kept.set(href, answer)
    },
    async ask(href) {
      const { place } = read(href)
      const meaning = place?.path.includes('llms-full.txt') ? matchPath(site, place.path) : undefined
      if (meaning?.kind !== 'feed' || meaning.feed.name !== 'llms-full.txt') return ask(href)
      const { variant, part } = meaning.feed
      const { signal } = new AbortController()
      const written = await readFullText(services, site, { variant, part, signal, known })
      if (written === undefined || written === 'busy') return ask(href)
      const contentType = 'text/markdown; charset=utf-8'
      return { status: 200, contentType, body: written.text }
    },
  }
}
