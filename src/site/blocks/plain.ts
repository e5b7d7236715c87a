/**
 * Blocks as plain text: what stands in place of a piece that would cost too much, with a line that says so.
 *
 * Linear in what it shows and bounded for a page. Content for some readers only is left out here too.
 */
import { plainText } from '../../core/document/plain-text.js'
import type { Block } from '../../core/document/types.js'
import { innerBlocks, innerInlines } from '../../core/document/visit.js'
import { html, type Html } from '../html.js'
import { wordsIn } from '../words/words.js'
import type { RenderContext } from './context.js'

/** Characters of plain text on a page: more than its own text has; what is included many times comes to an end. */
const mostPlain = 2_000_000

/** Returns a function that renders blocks of one page as plain text below a line that says so. */
export function createPlainRenderer(context: RenderContext): (blocks: readonly Block[]) => Html {
  const words = wordsIn(context.language ?? 'en')
  let left = mostPlain
  return (blocks) => {
    const text = left > 0 ? textOf(blocks, context).slice(0, left) : ''
    left -= text.length
    return plainPiece(text, words.tooLarge)
  }
}

/** A box with the text below a line that says why it is no more than that. */
export function plainPiece(text: string, warning: string): Html {
  return html`<div class="plain-piece" role="note">
    <p>${warning}</p>
    ${text !== '' && html`<pre tabindex="0">${text}</pre>`}
  </div>\n`
}

/** Without recursion: blocks may be here because they nest too deep for it. */
function textOf(blocks: readonly Block[], context: RenderContext): string {
  const lines: string[] = []
  const waiting = blocks.toReversed()
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    if (block.type === 'if' && !isShown(block.expression, context)) continue
    const inner = innerBlocks(block)
    if (inner.length === 0) lines.push(plainText({ blocks: [block] }))
    else for (const inlines of innerInlines(block)) lines.push(plainText(inlines))
    for (const row of inner.toReversed()) for (const one of row.toReversed()) waiting.push(one)
  }
  return lines.filter((line) => line !== '').join('\n')
}

/** True when this reader may see what stands under the condition. */
export function isShown(expression: string, context: RenderContext): boolean {
  return context.holds?.(expression) ?? Boolean(context.evaluate(expression))
}
