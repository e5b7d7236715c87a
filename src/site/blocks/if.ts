/** Content for some readers only. What a reader may not see is not in the page at all. */
import type { If } from '../../core/document/types.js'
import { type Html, nothing } from '../html.js'
import type { Rendering } from './context.js'
import { isShown } from './plain.js'

/** The blocks when the expression is true for this reader, else nothing. */
export function renderIf(block: If, page: Rendering): Html {
  return isShown(block.expression, page.context) ? page.blocks(block.blocks) : nothing
}
