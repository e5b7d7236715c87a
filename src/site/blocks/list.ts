/** Lists of all three kinds. In a tight list a paragraph is shown as bare text, as the writer wrote it. */
import type { List, ListItem } from '../../core/document/types.js'
import { attributes, html, type Html } from '../html.js'
import type { Rendering } from './context.js'

/** `ol` or `ul`; tasks have a checkbox that shows, and cannot be changed. */
export function renderList(block: List, page: Rendering): Html {
  const items = block.items.map((item) => renderItem(item, block, page))
  if (block.kind === 'ordered') {
    return html`<ol${attributes({ start: block.start === 1 ? undefined : block.start })}>\n${items}</ol>\n`
  }
  // Without the role some screen readers drop the list when its bullets are gone.
  return block.kind === 'tasks'
    ? html`<ul class="tasks" role="list">
        ${items}
      </ul>\n`
    : html`<ul>
        ${items}
      </ul>\n`
}

function renderItem(item: ListItem, list: List, page: Rendering): Html {
  const content = list.tight ? tightBlocks(item.blocks, page) : page.blocks(item.blocks)
  if (list.kind !== 'tasks' && item.checked === undefined) return html`<li>${content}</li>\n`
  const done = item.checked === true
  return html`<li class="task">
    <input type="checkbox" disabled${attributes({ checked: done, 'aria-label': done ? 'Done' : 'To do' })}>
    <div>${content}</div>
  </li>\n`
}

/** Blocks with their paragraphs as bare inline content: for tight lists and table cells. */
export function tightBlocks(blocks: ListItem['blocks'], page: Rendering): readonly Html[] {
  return blocks.map((block, index) => {
    if (block.type !== 'paragraph') return page.blocks([block])
    const text = page.inlines(block.children)
    return blocks[index + 1]?.type === 'paragraph' ? html`${text}<br>` : text
  })
}
