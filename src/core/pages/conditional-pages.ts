/** Conditional pages: pages with a visibility condition in their front matter or in their text. */
import { visitBlocks } from '../document/visit.js'
import type { PageId } from '../ids.js'
import { parsePage } from '../markdown/parse.js'
import { range } from '../merkle/map.js'
import { loadTexts } from '../merkle/steps.js'
import type { Step } from '../merkle/types.js'
import type { DocumentPage, Snapshot } from './types.js'

export interface ConditionalPageScan {
  /** Scanned pages that have conditions. */
  readonly conditioned: readonly DocumentPage[]
  /** The last scanned page; undefined when there are no more. */
  readonly last: PageId | undefined
}

/** Longer texts are not parsed to exclude tags in code: any tag counts as a condition. In characters. */
const maxParsedLength = 60_000

/** Scans up to `limit` pages in order of their ids, after one of them. */
export function* findConditionalPages(
  snapshot: Snapshot,
  after: PageId | undefined,
  limit: number,
): Step<ConditionalPageScan> {
  const within = after === undefined ? { limit } : { limit, from: `${after}\u0000` }
  const records = (yield* range(snapshot.pages, within)).map(([, value]) => value)
  const documents = records.filter((page) => page.type === 'document')
  const candidates = documents.filter(({ condition, text }) => condition === undefined && text !== undefined)
  const texts = yield* loadTexts(candidates.map(({ text }) => text!))
  const inText = new Set(candidates.filter((_, index) => hasConditions(texts[index]!)).map(({ id }) => id))
  return {
    conditioned: documents.filter(({ id, condition }) => condition !== undefined || inText.has(id)),
    last: records.length < limit ? undefined : records.at(-1)!.id,
  }
}

function hasConditions(text: string): boolean {
  if (!/\{%-?[ \t]*if\b/.test(text)) return false
  if (text.length > maxParsedLength) return true
  let found = false
  visitBlocks(parsePage(text).document, (block) => {
    found ||= block.type === 'if'
  })
  return found
}
