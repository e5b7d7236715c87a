/**
 * Content visibility: the browser skips layout and painting of blocks outside of the window (document.css). A new block
 * counts as outside until the next frame, and a key before it would write into the nearest block that is laid out: so the
 * blocks with an end of the selection are never skipped.
 */
import type { ResolvedPos } from 'prosemirror-model'
import { Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'

export function renderedBlocksPlugin(): Plugin {
  return new Plugin({
    props: {
      decorations({ doc, selection: { $anchor, $head } }) {
        const starts = new Set([$anchor, $head].map(topBlockAt))
        const marks = [...starts].flatMap((start) => {
          const block = doc.nodeAt(start)
          return block === null
            ? []
            : Decoration.node(start, start + block.nodeSize, { class: 'is-always-rendered' })
        })
        return DecorationSet.create(doc, marks)
      },
    },
  })
}

/** The start of the block of the page at a position. */
const topBlockAt = ($at: ResolvedPos): number => ($at.depth === 0 ? $at.pos : $at.before(1))
