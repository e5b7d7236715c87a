/** Suggestions: other words for those of a comment. Whether one still fits is computed on read, and stored nowhere. */
import { replaceWords } from '../../core/comments/replace-words.js'
import type { Splice } from '../../core/editing/splice.js'
import type { Hash } from '../../core/ids.js'
import type { QuotePlace } from '../../core/comments/find-quote.js'
import { loadTexts } from '../../core/merkle/steps.js'
import type { Services } from '../../access/route/scope.js'
import type { suggestionStatuses } from '../../contract/comments.js'
import { ApiError } from '../../contract/errors.js'
import type { ContentContext } from '../content/content.js'
import type { CommentRow } from './store.js'
import { type TargetWords, readWordBlocks, storable } from './word-range.js'

/** Returns the state of a suggestion whose words are these now. */
export function suggestionStatus(
  { applied_at, resolved_at, words }: CommentRow,
  now: TargetWords | undefined,
): (typeof suggestionStatuses)[number] {
  if (applied_at !== null) return 'applied'
  if (resolved_at !== null) return 'dismissed'
  return now?.range !== undefined && storable(now.words) === words ? 'open' : 'outdated'
}

/** Returns the splices of a text that replace words; undefined where that would change more. */
export async function splicesOf(
  content: ContentContext,
  hash: Hash,
  { place, replacement }: { readonly place: QuotePlace; readonly replacement: string },
  services: Services,
): Promise<readonly Splice[] | undefined> {
  const [text = ''] = await content.run(loadTexts([hash]))
  const block = (await readWordBlocks(content, hash, services)).find(({ key }) => key === place.block.key)
  return block && replaceWords(text, block, { range: place.range, text: replacement })
}

/** Throws 400 for a suggestion that cannot be made in the Markdown. */
export async function requireApplicable(
  content: ContentContext,
  hash: Hash,
  suggestion: Parameters<typeof splicesOf>[2],
  services: Services,
): Promise<void> {
  if (await splicesOf(content, hash, suggestion, services)) return
  const problem =
    'The member "suggestion.replacement" cannot stand in the place of these words: it would change what is around them. Send inline Markdown without line breaks, or choose words that begin and end outside of markup.'
  throw new ApiError('invalid_request', { problem })
}
