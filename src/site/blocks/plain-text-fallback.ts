/**
 * Plain-text fallback of blocks over the render budget, with a line that says so.
 *
 * Linear in its output and bounded per page. Conditional content is hidden as in the full rendering.
 */
import { plainText } from '../../core/document/plain-text.js'
import type { Block } from '../../core/document/types.js'
import { innerBlocks, innerInlines } from '../../core/document/visit.js'
import { html, type Html } from '../html.js'
import { wordsIn } from '../words/words.js'
import type { RenderContext } from './context.js'

/** Characters of plain text per page: more than its own text; bounds repeated includes. */
const maxPlainText = 2_000_000

/** Returns a function that renders blocks of one page as plain text below a line that says so. */
export function createPlainRenderer(context: RenderContext): (blocks: readonly Block[]) => Html {
  const words = wordsIn(context.language ?? 'en')
  let left = maxPlainText
  return (blocks) => {
    const text = left > 0 ? textOf(blocks, context).slice(0, left) : ''
    left -= text.length
    return plainTextBox(text, words.tooLarge)
  }
}

/** A box with the text below a line that says why it is plain. */
export function plainTextBox(text: string, warning: string): Html {
  return html`<div class="plain-piece" role="note">
    <p>${warning}</p>
    ${text !== '' && html`<pre tabindex="0">${text}</pre>`}
  </div>\n`
}

/** Without recursion: too deep nesting is one of the reasons for the fallback. */
function textOf(blocks: readonly Block[], context: RenderContext): string {
  const lines: string[] = []
  const stack = blocks.toReversed()
  for (let block = stack.pop(); block !== undefined; block = stack.pop()) {
    if (block.type === 'if' && !isConditionMet(block.expression, context)) continue
    const inner = innerBlocks(block)
    if (inner.length === 0) lines.push(plainText({ blocks: [block] }))
    else for (const inlines of innerInlines(block)) lines.push(plainText(inlines))
    for (const row of inner.toReversed()) for (const one of row.toReversed()) stack.push(one)
  }
  return lines.filter((line) => line !== '').join('\n')
}

/** True if this reader may see the content under the condition. */
export function isConditionMet(expression: string, context: RenderContext): boolean {
  return context.evaluateCondition?.(expression) ?? Boolean(context.evaluate(expression))
}
