/** The menu of the slash: the blocks that a query finds, beside the cursor. Plain DOM, as all of the document. */
import { groupBy } from '../../core/group.js'
import type { Insertable } from '../document/schema.js'
import { type SlashMenu, type SlashQuery, findInsertable } from '../document/input/slash-menu.js'
import { documentText } from '../i18n/document-text.js'
import { text } from '../i18n/text.js'
import { documentIcon } from './document-icons.js'
import './slash-popup.css'

export interface SlashPopup extends SlashMenu {
  destroy(): void
}

export function createSlashPopup(
  entries: readonly Insertable[],
  insert: (entry: Insertable, range: { readonly from: number; readonly to: number }) => void,
): SlashPopup {
  const list = document.createElement('div')
  list.className = 'slash-popup'
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', text.editor.insert)
  list.hidden = true
  document.body.append(list)
  let query: SlashQuery | undefined
  let found: readonly Insertable[] = []
  let selected = 0

  function choose(index: number): void {
    const entry = found[index]
    if (entry !== undefined && query !== undefined) insert(entry, query)
  }

  function draw(): void {
    list.replaceChildren(
      ...found.flatMap((block, index) => {
        const item = document.createElement('div')
        item.className = 'slash-item'
        item.setAttribute('role', 'option')
        item.setAttribute('aria-selected', String(index === selected))
        const icon = documentIcon(block.icon)
        item.append(...(icon === undefined ? [] : [icon]), block.title)
        // The document keeps the focus.
        item.addEventListener('pointerdown', (event) => {
          event.preventDefault()
          choose(index)
        })
        if (block.group === found[index - 1]?.group) return [item]
        const heading = document.createElement('div')
        heading.className = 'slash-group'
        heading.textContent = documentText.groups[block.group]
        return [heading, item]
      }),
    )
    list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }

  function place({ left, top, bottom }: SlashQuery['place']): void {
    const height = list.offsetHeight
    const isBelow = bottom + height + 8 < window.innerHeight || top < height + 8
    list.style.left = `${Math.max(8, Math.min(left, window.innerWidth - list.offsetWidth - 8))}px`
    list.style.top = `${isBelow ? bottom + 4 : top - height - 4}px`
  }

  return {
    onQuery(next) {
      query = next
      found = next === undefined ? [] : byGroup(findInsertable(entries, next.query, next))
      selected = 0
      list.hidden = found.length === 0
      if (next === undefined || list.hidden) return
      draw()
      place(next.place)
    },
    onKey(event) {
      if (list.hidden) return false
      const { length } = found
      if (event.key === 'ArrowDown') selected = (selected + 1) % length
      else if (event.key === 'ArrowUp') selected = (selected + length - 1) % length
      else if (event.key === 'Enter' || event.key === 'Tab') {
        choose(selected)
        return true
      } else return false
      draw()
      return true
    },
    destroy: () => list.remove(),
  }
}

/** Groups in the order of their best block; blocks of one group stay in theirs. */
function byGroup(blocks: readonly Insertable[]): readonly Insertable[] {
  return [...groupBy(blocks, ({ group }) => group).values()].flat()
}
