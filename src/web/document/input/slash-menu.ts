/** The slash menu as data: what was typed after a slash, and the blocks that it finds. The app displays it. */
import { Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import type { Insertable } from '../schema.js'

export interface SlashQuery {
  readonly from: number
  readonly to: number
  readonly query: string
  /** Whether the cursor is in a cell of a table, where only some blocks can be. */
  readonly isInCell: boolean
  /** Where the menu goes, in the viewport. */
  readonly place: { readonly left: number; readonly top: number; readonly bottom: number }
}

export interface SlashMenu {
  /** Displays the menu for a query, or hides it. */
  onQuery(query: SlashQuery | undefined): void
  /** Keys while the menu is open; returns whether it took the key. */
  onKey(event: KeyboardEvent): boolean
}

interface SlashRange {
  readonly from: number
  readonly to: number
  readonly query: string
}

const slashKey = new PluginKey<SlashRange | null>('slash')
const pattern = /(?:^|\s)\/([\p{L}\p{N} -]{0,30})$/u

export function slashPlugin(menu: SlashMenu): Plugin {
  return new Plugin<SlashRange | null>({
    key: slashKey,
    state: {
      init: () => null,
      apply(tr, before, _, state) {
        const meta = tr.getMeta(slashKey) as { readonly isClosed: boolean } | undefined
        if (meta?.isClosed) return null
        const { $from, empty } = state.selection
        if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code) return null
        // It opens by typing a slash, not by a cursor that comes to one.
        if (before === null && !tr.docChanged) return null
        const text = $from.parent.textBetween(
          Math.max(0, $from.parentOffset - 40),
          $from.parentOffset,
          undefined,
          '\ufffc',
        )
        const found = pattern.exec(text)
        if (!found || (before === null && found[1] !== '')) return null
        const query = found[1]!
        return { from: $from.pos - query.length - 1, to: $from.pos, query }
      },
    },
    props: {
      handleKeyDown(view, event) {
        if (slashKey.getState(view.state) === null || event.isComposing) return false
        if (event.key !== 'Escape') return menu.onKey(event)
        view.dispatch(view.state.tr.setMeta(slashKey, { isClosed: true }))
        return true
      },
      decorations(state) {
        const range = slashKey.getState(state)
        return range
          ? DecorationSet.create(state.doc, [
              Decoration.inline(range.from, range.to, { class: 'slash-query' }),
            ])
          : null
      },
    },
    view: () => ({
      update(view: EditorView, before) {
        const range = slashKey.getState(view.state)
        if (range === slashKey.getState(before)) return
        menu.onQuery(
          range ? { ...range, isInCell: isInCell(view), place: view.coordsAtPos(range.from) } : undefined,
        )
      },
      destroy: () => menu.onQuery(undefined),
    }),
  })
}

function isInCell({ state }: EditorView): boolean {
  const { $from } = state.selection
  for (let { depth } = $from; depth > 0; depth--) if ($from.node(depth).type.spec['tableRole']) return true
  return false
}

/** Returns the blocks that a query finds, best first: by the start of their name, of a word, or of a keyword. */
export function findInsertable<Entry extends Insertable>(
  blocks: readonly Entry[],
  query: string,
  { isInCell = false } = {},
): readonly Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return blocks
    .filter((block) => !isInCell || block.isInCells)
    .map((block) => ({ block, rank: rankOf(block, words) }))
    .filter(({ rank }) => rank !== undefined)
    .toSorted((a, b) => a.rank! - b.rank!)
    .map(({ block }) => block)
}

function rankOf({ title, keywords }: Insertable, words: readonly string[]): number | undefined {
  const name = title.toLowerCase()
  let rank = 0
  for (const word of words) {
    if (name.startsWith(word)) continue
    if (name.split(' ').some((part) => part.startsWith(word))) rank += 1
    else if (keywords.split(' ').some((part) => part.startsWith(word))) rank += 2
    else return undefined
  }
  return rank
}
