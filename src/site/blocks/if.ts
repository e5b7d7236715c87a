/** Conditional content. Content hidden from a reader is not in the markup at all. */
import type { If } from '../../core/document/types.js'
import { type Html, nothing } from '../html.js'
import type { PageRenderer } from './context.js'
import { isConditionMet } from './plain-text-fallback.js'

/** The blocks if the expression is true for this reader. */
export function renderIf(block: If, page: PageRenderer): Html {
  return isConditionMet(block.expression, page.context) ? page.blocks(block.blocks) : nothing
}
