/** Pages that somebody may not see, by their front matter or by a condition in their text. */
import { visitBlocks } from '../document/visit.js'
import type { PageId } from '../ids.js'
import { parsePage } from '../markdown/parse.js'
import { range } from '../merkle/map.js'
import { loadTexts } from '../merkle/steps.js'
import type { Step } from '../merkle/types.js'
import type { DocumentPage, PageRecord, Snapshot } from './types.js'

export interface LookedAt {
  /** Those with conditions among the pages that were looked at. */
  readonly conditioned: readonly DocumentPage[]
  /** The last that was looked at; undefined when there are no more. */
  readonly last: PageId | undefined
}

/** Longer texts are not parsed to know whether a mark stands in code: it is taken for a condition. In characters. */
const longestParsed = 60_000

/** Looks at so many pages in order of their ids, after one of them. */
export function* findConditioned(
  snapshot: Snapshot,
  after: PageId | undefined,
  limit: number,
): Step<LookedAt> {
  const within = after === undefined ? { limit } : { limit, from: `${after}\u0000` }
  const records = (yield* range(snapshot.pages, within)).map(([, value]) => value as unknown as PageRecord)
  const documents = records.filter((page) => page.type === 'document')
  const unclear = documents.filter(({ condition, text }) => condition === undefined && text !== undefined)
  const texts = yield* loadTexts(unclear.map(({ text }) => text!))
  const inText = new Set(unclear.filter((_, index) => hasConditions(texts[index]!)).map(({ id }) => id))
  return {
    conditioned: documents.filter(({ id, condition }) => condition !== undefined || inText.has(id)),
    last: records.length < limit ? undefined : records.at(-1)!.id,
  }
}

function hasConditions(text: string): boolean {
  if (!/\{%-?[ \t]*if\b/.test(text)) return false
  if (text.length > longestParsed) return true
  let found = false
  visitBlocks(parsePage(text).document, (block) => {
    found ||= block.type === 'if'
  })
  return found
}
