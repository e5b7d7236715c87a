/** Content for some readers only. What a reader may not see is not in the page at all. */
import type { If } from '../../core/document/types.js'
import { type Html, nothing } from '../html.js'
import type { Rendering } from './context.js'

/** The blocks when the expression is true for this reader, else nothing. */
export function renderIf(block: If, page: Rendering): Html {
  const { context } = page
  const holds = context.holds?.(block.expression) ?? Boolean(context.evaluate(block.expression))
  return holds ? page.blocks(block.blocks) : nothing
}
