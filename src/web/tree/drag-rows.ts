/** Drag and drop of tree rows: where the dragged rows would go is displayed as a line before or after a row, or as the row itself. */
import { attachInstruction, extractInstruction } from '@atlaskit/pragmatic-drag-and-drop-hitbox/list-item'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview'
import type { RefObject } from 'react'
import { text } from '../i18n/text.js'

/** Where nodes go: before or after another one, or into it as its last children. */
export interface TreeMove {
  readonly ids: readonly string[]
  readonly target: string
  readonly place: 'before' | 'after' | 'into'
}

interface DropHandlers {
  readonly taken: (id: string) => readonly string[]
  readonly canDrop: (ids: readonly string[], target: string) => boolean
  readonly drop: (move: TreeMove) => void
}

/** Makes a row draggable, and a target of others. Returns what undoes it. */
export function dragRows(
  element: HTMLElement,
  {
    id,
    handlers,
    onPlace,
  }: {
    readonly id: string
    readonly handlers: RefObject<DropHandlers>
    readonly onPlace: (place: TreeMove['place'] | undefined) => void
  },
): () => void {
  const leave = () => onPlace(undefined)
  return combine(
    draggable({
      element,
      getInitialData: () => ({ treeRows: handlers.current.taken(id) }),
      onGenerateDragPreview: ({ nativeSetDragImage, source }) => {
        const { length } = source.data['treeRows'] as readonly string[]
        if (length < 2) return
        setCustomNativeDragPreview({
          nativeSetDragImage,
          render({ container }) {
            const label = document.createElement('div')
            label.className = 'tree-drag-count'
            label.textContent = text.space.pageCount(length)
            container.append(label)
          },
        })
      },
    }),
    dropTargetForElements({
      element,
      canDrop: ({ source }) =>
        Array.isArray(source.data['treeRows']) &&
        handlers.current.canDrop(source.data['treeRows'] as readonly string[], id),
      getData: ({ input, element: target }) =>
        attachInstruction(
          {},
          {
            input,
            element: target,
            operations: {
              'reorder-before': 'available',
              'reorder-after': 'available',
              combine: 'available',
            },
          },
        ),
      onDrag: ({ self }) => onPlace(placeOf(extractInstruction(self.data)?.operation)),
      onDragLeave: leave,
      onDrop: ({ self, source }) => {
        leave()
        const place = placeOf(extractInstruction(self.data)?.operation)
        const ids = source.data['treeRows'] as readonly string[]
        if (place !== undefined) handlers.current.drop({ ids, target: id, place })
      },
    }),
  )
}

function placeOf(operation: string | undefined): TreeMove['place'] | undefined {
  if (operation === 'reorder-before') return 'before'
  if (operation === 'reorder-after') return 'after'
  return operation === 'combine' ? 'into' : undefined
}
