/** Lists of all three kinds. In a tight list, paragraphs are rendered as bare text. */
import { plainText } from '../../core/document/plain-text.js'
import type { List, ListItem } from '../../core/document/types.js'
import { directionOf } from '../../core/language/direction.js'
import { attributes, html, type Html } from '../html.js'
import type { PageRenderer } from './context.js'

/** `ol` or `ul`; tasks have a read-only checkbox. */
export function renderList(block: List, page: PageRenderer): Html {
  const items = block.items.map((item) => renderItem(item, block, page))
  // Not "auto": that skips items with a `dir` of their own, and the markers would be on the wrong side.
  const dir = page.context.direction && directionOf(firstWords(block))
  if (block.kind === 'ordered') {
    const start = block.start === 1 ? undefined : block.start
    return html`<ol${attributes({ start, dir })}>\n${items}</ol>\n`
  }
  // Without the role some screen readers drop the list when its bullets are gone.
  return block.kind === 'tasks'
    ? html`<ul class="tasks" role="list"${attributes({ dir })}>
        ${items}
      </ul>\n`
    : html`<ul${attributes({ dir })}>
        ${items}
      </ul>\n`
}

function firstWords({ items }: List): string {
  const first = items[0]?.blocks[0]
  return first?.type === 'paragraph' ? plainText(first.children) : ''
}

function renderItem(item: ListItem, list: List, page: PageRenderer): Html {
  const content = list.tight ? tightBlocks(item.blocks, isolated(page)) : page.blocks(item.blocks)
  if (list.kind !== 'tasks' && item.checked === undefined) return html`<li>${content}</li>\n`
  const done = item.checked === true
  return html`<li class="task">
    <input type="checkbox" disabled${attributes({ checked: done, 'aria-label': done ? page.words.done : page.words.toDo })}>
    <div>${content}</div>
  </li>\n`
}

/** Returns a renderer for bare text in a block of another direction: isolates its direction without changing alignment. */
export function isolated(page: PageRenderer): PageRenderer {
  if (page.context.direction === undefined) return page
  return { ...page, inlines: (inlines) => html`<bdi>${page.inlines(inlines)}</bdi>` }
}

/** Renders blocks with their paragraphs as bare inline content: for tight lists and table cells. */
export function tightBlocks(blocks: ListItem['blocks'], page: PageRenderer): readonly Html[] {
  return blocks.map((block, index) => {
    if (block.type !== 'paragraph') return page.blocks([block])
    const text = page.inlines(block.children)
    return blocks[index + 1]?.type === 'paragraph' ? html`${text}<br>` : text
  })
}
