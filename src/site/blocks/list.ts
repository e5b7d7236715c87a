/** Lists of all three kinds. In a tight list, paragraphs are rendered as bare text. */
import type { Inline, List, ListItem, Paragraph } from '../../core/document/types.js'
import { attributes, html, type Html } from '../html.js'
import { compared, markOf } from './comparison.js'
import type { PageRenderer } from './context.js'
import { directionOfInlines } from './direction.js'
import { isTargetOnly } from './paragraph.js'

/** `ol` or `ul`; tasks have a read-only checkbox. */
export function renderList(block: List, page: PageRenderer): Html {
  const items = block.items.map((item) => renderItem(item, block, page))
  // The side of its markers.
  const dir = directionOfInlines(firstLines(block, page), page)
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

/** The text that decides the direction of a list: of its first item, on a right-to-left page of all. */
function firstLines({ items }: List, { context }: PageRenderer): readonly Inline[] {
  if (context.direction === undefined) return []
  const deciding = context.direction === 'rtl' ? items : items.slice(0, 1)
  return deciding.flatMap(({ blocks: [first] }) => (first?.type === 'paragraph' ? first.children : []))
}

function renderItem(item: ListItem, list: List, page: PageRenderer): Html {
  const blocks = () =>
    list.tight ? html`${tightBlocks(item.blocks, isolated(page))}` : page.blocks(item.blocks)
  // Of an item that one version has its blocks are marked.
  const content = markOf(item, page)?.change === 'edited' ? compared(item, page, blocks) : blocks()
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
  return {
    ...page,
    inlines: (inlines) =>
      html`<bdi${attributes({ dir: directionOfInlines(inlines, page) })}>${page.inlines(inlines)}</bdi>`,
  }
}

/** Renders blocks with their paragraphs as bare inline content: for tight lists and table cells. */
export function tightBlocks(blocks: ListItem['blocks'], page: PageRenderer): readonly Html[] {
  return blocks.map((block, index) => {
    if (block.type !== 'paragraph' || isTargetOnly(block)) return page.blocks([block])
    const text = compared(
      block,
      page,
      () => html`${page.aliases(block.aliases)}${page.inlines(block.children)}`,
      'text',
      (before) => page.inlines((before as Paragraph).children),
    )
    const next = blocks[index + 1]
    return next?.type === 'paragraph' && !isTargetOnly(next) ? html`${text}<br>` : text
  })
}
