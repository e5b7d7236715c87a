/** The type of a column: the cells keep what they say, as the new type has it. */
import type { Node as ProseNode } from 'prosemirror-model'
import type { Command } from 'prosemirror-state'
import type { JsonValue } from '../../../core/document/json-node.js'
import type { SelectOption } from '../../../core/document/types.js'
import type { SourceAttributes } from '../../../core/editing/source-blocks.js'
import { attributesOf, changedAttributes } from '../construct.js'

/** Sets attributes of the column whose title is at a position. */
export function setColumnAttributes(position: number, changed: SourceAttributes): Command {
  return (state, dispatch) => {
    const $title = state.doc.resolve(position)
    const title = $title.nodeAfter
    if (title?.type.name !== 'table_header') return false
    const table = $title.node(-1)
    const before = attributesOf(title)
    const type = String(changed['type'] ?? before['type'] ?? 'text')
    const isConverted = type !== (before['type'] ?? 'text')
    const cells = isConverted ? cellsOf(table, $title.before(-1), $title.index()) : []
    const options =
      isConverted && type === 'select' ? optionsOf(cells.map(({ node }) => wordsOf(node, before))) : undefined
    const attributes = changedAttributes(before, {
      ...changed,
      ...(isConverted && {
        ...unusedMembers(type),
        ...(options && { options: options as unknown as JsonValue }),
      }),
    })
    const { tr } = state
    // From the end on, so that positions stay.
    for (const { node, position: at } of cells.toReversed()) {
      const words = wordsOf(node, before)
      const values = valuesOf(words, type)
      const next = changedAttributes(attributesOf(node), { values })
      tr.setNodeAttribute(at, 'attributes', next)
      // A control has no content; what was one gets its words back.
      if (!isControl(type) && isControl(before['type'])) {
        const { paragraph } = state.schema.nodes
        const content = paragraph!.create(null, words === '' ? null : state.schema.text(words))
        tr.replaceWith(at + 1, at + node.nodeSize - 1, content)
      }
    }
    tr.setNodeAttribute(position, 'attributes', attributes)
    dispatch?.(tr)
    return true
  }
}

const isControl = (type: unknown): boolean => type === 'checkbox' || type === 'select'

/** Members of columns that only some types have. */
function unusedMembers(type: string): SourceAttributes {
  return {
    ...(type !== 'rating' && { max: undefined }),
    ...(type !== 'select' && { options: undefined }),
    ...(type !== 'content-ref' && { cardTarget: undefined }),
    ...(type !== 'files' && type !== 'image' && { cardCover: undefined, cardCoverDark: undefined }),
  }
}

function cellsOf(table: ProseNode, position: number, index: number) {
  const cells: { readonly node: ProseNode; readonly position: number }[] = []
  table.forEach((row, offset, number) => {
    if (number === 0 || index >= row.childCount) return
    let at = position + 1 + offset + 1
    for (let before = 0; before < index; before++) at += row.child(before).nodeSize
    cells.push({ node: row.child(index), position: at })
  })
  return cells
}

/** What a cell says in words. */
function wordsOf(cell: ProseNode, column: SourceAttributes): string {
  const { values } = attributesOf(cell)
  if (!isControl(column['type']) || !Array.isArray(values))
    return cell.textBetween(0, cell.content.size, ' ').trim()
  if (column['type'] === 'checkbox') return values[0] === 'true' ? '✓' : ''
  const options = Array.isArray(column['options'])
    ? (column['options'] as unknown as readonly SelectOption[])
    : []
  return values.map((value) => options.find((one) => one.value === value)?.label ?? String(value)).join(', ')
}

function valuesOf(words: string, type: string): readonly string[] | undefined {
  if (type === 'checkbox') return [String(/^(?:true|yes|x|✓|✔|1)$/i.test(words))]
  return type === 'select' ? (words === '' ? [] : [words]) : undefined
}

/** Options of the words in the cells, each once. */
function optionsOf(words: readonly string[]): readonly SelectOption[] {
  return [...new Set(words.filter((one) => one !== ''))].map((one) => ({ value: one, label: one }))
}
