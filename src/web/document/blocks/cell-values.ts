/**
 * Cells of typed columns whose values are links (pages, files, pictures, people): what they lead to is displayed and chosen
 * in a form; in the text they are links and pictures of the cell. Ratings are chosen from a list of stars.
 */
import type { Node as ProseNode, Schema } from 'prosemirror-model'
import type { Command } from 'prosemirror-state'
import type { SourceAttributes } from '../../../core/editing/source-blocks.js'
import { documentText as text } from '../../i18n/document-text.js'
import { type AttributeField, type BlockTools, type FieldKind, attributesOf } from '../construct.js'
import { element } from '../dom.js'

/** How the values of a column are chosen. */
const kinds: ReadonlyMap<string, FieldKind> = new Map([
  ['content-ref', 'page'],
  ['files', 'file'],
  ['image', 'picture'],
  ['users', 'person'],
])

interface CellValue {
  readonly url: string
  readonly words: string
}

const typeOf = (column: SourceAttributes): string => String(column['type'] ?? 'text')
export const hasLinkValues = (column: SourceAttributes): boolean => kinds.has(typeOf(column))

/** Returns the attributes of the column that a cell is in. */
export function columnOf(doc: ProseNode, cellPosition: number): ProseNode | undefined {
  const $cell = doc.resolve(cellPosition)
  return $cell.depth < 2 ? undefined : ($cell.node(-1).firstChild?.maybeChild($cell.index()) ?? undefined)
}

/** Returns the links and pictures of a cell; undefined where it says something beside them. */
export function cellValues(cell: ProseNode): readonly CellValue[] | undefined {
  const values: CellValue[] = []
  let isMore = false
  cell.descendants((node) => {
    const { name } = node.type
    if (name === 'paragraph' || name === 'images') return true
    if (name === 'image') {
      const src: unknown = attributesOf(node)['src']
      if (typeof src === 'string' && src !== '') values.push({ url: src, words: '' })
      return false
    }
    if (node.isText) {
      const url: unknown = node.marks.find(({ type }) => type.name === 'link')?.attrs['url']
      const last = values.at(-1)
      if (typeof url === 'string' && last?.url === url)
        values[values.length - 1] = { url, words: last.words + node.text }
      else if (typeof url === 'string') values.push({ url, words: node.text ?? '' })
      else if (!/^[\s,]*$/.test(node.text ?? '')) isMore = true
      return false
    }
    const inline = name === 'atom' ? (node.attrs['inline'] as SourceAttributes) : {}
    if (inline['type'] === 'inline-image') values.push({ url: String(inline['src']), words: '' })
    else isMore = true
    return false
  })
  return isMore ? undefined : values
}

/** Returns the fields of the form of a cell; undefined where it has none. */
export function cellFields(
  cell: ProseNode,
  column: ProseNode,
):
  | {
      readonly title: string
      readonly fields: readonly AttributeField[]
      readonly attributes: SourceAttributes
    }
  | undefined {
  const type = typeOf(attributesOf(column))
  const kind = kinds.get(type)
  const values = kind && cellValues(cell)
  if (kind === undefined || values === undefined) return undefined
  const label = text.values.columnTypes[type as 'users']
  const isList = type === 'files' || type === 'users'
  const count = isList ? values.length + 1 : 1
  return {
    title: column.textContent.trim() || label,
    fields: Array.from({ length: count }, (_, index) => ({
      name: String(index),
      label: count === 1 ? label : text.partName(label, index + 1),
      kind,
    })),
    attributes: Object.fromEntries(
      values.map(({ url, words }, index) => [index, type === 'users' ? words || url : url]),
    ),
  }
}

/** Sets values of a cell by their places; `words` is what a chosen one is called. */
export function setCellValues(position: number, changed: SourceAttributes): Command {
  return (state, dispatch) => {
    const cell = state.doc.nodeAt(position)
    const column = columnOf(state.doc, position)
    const before = cell && cellValues(cell)
    if (!cell || !column || !before) return false
    const { words: chosenWords, ...entered } = changed
    const values: (CellValue | undefined)[] = [...before]
    for (const [place, url] of Object.entries(entered)) {
      const words =
        typeof chosenWords === 'string' ? chosenWords : String(url).slice(String(url).lastIndexOf('/') + 1)
      values[Number(place)] = typeof url === 'string' && url !== '' ? { url, words: words || url } : undefined
    }
    const written = values.filter((value) => value !== undefined)
    const content =
      typeOf(attributesOf(column)) === 'image' && written.length > 0
        ? picturesOf(state.schema, written)
        : linksOf(state.schema, written, cell)
    dispatch?.(state.tr.replaceWith(position + 1, position + cell.nodeSize - 1, content))
    return true
  }
}

function picturesOf({ nodes }: Schema, values: readonly CellValue[]): ProseNode {
  const pictures = values.map(({ url }) => nodes['image']!.create({ attributes: { src: url } }))
  return nodes['images']!.create({ attributes: {} }, pictures)
}

function linksOf(schema: Schema, values: readonly CellValue[], cell: ProseNode): ProseNode {
  const links = values.flatMap(({ url, words }, index) => [
    ...(index > 0 ? [schema.text(', ')] : []),
    schema.text(words, [schema.marks['link']!.create({ url })]),
  ])
  return schema.nodes['paragraph']!.create(paragraphAttrs(cell), links)
}

/** The paragraph of a cell is the one that was there. */
function paragraphAttrs({ firstChild }: ProseNode) {
  const key: unknown = firstChild?.type.name === 'paragraph' ? firstChild.attrs['key'] : undefined
  return { ...(typeof key === 'number' && { key }), attributes: {} }
}

/** Replaces what a cell says. */
function setCellWords(tools: BlockTools, words: string): void {
  const position = tools.position()
  if (position === undefined) return
  const { state } = tools.view
  const cell = tools.node()
  const written = state.schema.nodes['paragraph']!.create(
    paragraphAttrs(cell),
    words === '' ? null : state.schema.text(words),
  )
  tools.view.dispatch(state.tr.replaceWith(position + 1, position + cell.nodeSize - 1, written))
}

const highestRating = 10

/** Returns the control of a cell of a column that has one; undefined where its words are written as such. */
export function valueControl(
  cell: ProseNode,
  column: SourceAttributes,
  {
    tools,
    label,
    redraw,
  }: { readonly tools: BlockTools; readonly label: string; readonly redraw: () => void },
): HTMLElement | undefined {
  if (typeOf(column) === 'rating') return ratingControl(cell, column, tools, label)
  const values = hasLinkValues(column) ? cellValues(cell) : undefined
  if (values === undefined) return undefined
  const names = values.map(({ url, words }) => {
    const target = tools.describeLink(url, redraw)
    const src = typeOf(column) === 'image' ? tools.fileUrl(url) : undefined
    if (src !== undefined) return element('img', { class: 'cell-picture', src, alt: '' })
    return element('span', { class: 'cell-link' }, target?.title ?? (words || url))
  })
  if (tools.openForm === undefined) return element('span', {}, ...names)
  const name = text.chooseValue(label)
  const button = element(
    'button',
    { type: 'button', class: 'cell-choose', 'aria-label': name, title: name },
    ...names,
    ...(names.length === 0 ? [text.choose] : []),
  )
  button.addEventListener('click', () => {
    const position = tools.position()
    if (position !== undefined && tools.isEditable()) tools.openForm?.(position, button)
  })
  return button
}

function ratingControl(
  cell: ProseNode,
  column: SourceAttributes,
  tools: BlockTools,
  label: string,
): HTMLElement | undefined {
  const words = cell.textContent.trim()
  const max = Math.min(highestRating, Math.max(1, Math.round(Number(column['max'] ?? 5)) || 5))
  // What is no whole number of stars is written as it is.
  if (words !== '' && (!/^\d{1,2}$/.test(words) || Number(words) > max)) return undefined
  const list = element('select', { 'aria-label': label }, element('option', { value: '' }, '–'))
  for (let stars = 0; stars <= max; stars++) {
    const option = element('option', { value: String(stars) }, text.stars(stars, max))
    option.selected = words === String(stars)
    list.append(option)
  }
  list.disabled = !tools.isEditable()
  list.addEventListener('change', () => setCellWords(tools, list.value))
  return list
}
