/** Lists, including task lists; definition lists become lists with the terms in bold. */
import type { Block, Inline, List, ListItem, Mark } from '../document/types.js'
import { trimInlines } from '../markdown/caption.js'
import { defined } from '../markdown/reader.js'
import { type HtmlElement, type HtmlNode, descendants, elementsOf, hasClass, valueOf } from './nodes.js'
import { type HtmlReader, noSpan } from './reader.js'

/** Returns the blocks of an HTML list. */
export function readLists(reader: HtmlReader, element: HtmlElement): readonly Block[] {
  if (element.name === 'dl') return readTerms(reader, element)
  const items: { checked?: boolean; nodes: HtmlNode[] }[] = []
  for (const child of element.children) {
    if (child.kind === 'text' && child.value.trim() === '') continue
    if (child.kind === 'element' && reader.skipped.has(child)) continue
    if (child.kind === 'element' && child.name === 'li')
      items.push({ ...checkOf(reader, child), nodes: [...child.children] })
    else if (items.length > 0) items.at(-1)!.nodes.push(child)
    else items.push({ nodes: [child] })
  }
  const read = items.map(({ checked, nodes }): ListItem =>
    defined({ span: noSpan, checked, blocks: reader.blocks(nodes) }),
  )
  const filled = read.filter(({ blocks }) => blocks.length > 0)
  if (filled.length === 0) return []
  const isTasks = filled.some(({ checked }) => checked !== undefined)
  const start = Number(valueOf(element, 'start') ?? '1')
  const kind = isTasks ? 'tasks' : element.name === 'ol' ? 'ordered' : 'unordered'
  const list: List = {
    type: 'list',
    span: noSpan,
    kind,
    ...(kind === 'ordered' && {
      start: Number.isSafeInteger(start) && start >= 0 && start < 1e9 ? start : 1,
    }),
    tight: filled.every(({ blocks }) => isTight(blocks)),
    items: isTasks ? filled.map((item) => ({ checked: false, ...item })) : filled,
  }
  return [list]
}

function isTight(blocks: readonly Block[]): boolean {
  return blocks.every(({ type }, index) =>
    index === 0 ? type === 'paragraph' || type === 'list' : type === 'list',
  )
}

function checkOf(reader: HtmlReader, item: HtmlElement): { checked?: boolean } {
  if (item.attributes.has('data-inline-task-id')) return { checked: hasClass(item, 'checked') }
  // Google Docs: with a picture of the box.
  if (valueOf(item, 'role') === 'checkbox') {
    const picture = elementsOf(item).find(({ name }) => name === 'img')
    if (picture !== undefined) reader.skipped.add(picture)
    return { checked: valueOf(item, 'aria-checked') === 'true' }
  }
  let examined = 0
  for (const one of descendants(item)) {
    if (isBox(one)) {
      reader.skipped.add(one)
      return { checked: one.attributes.has('checked') }
    }
    // A checkbox precedes the text.
    if (++examined > 4 || one.name === 'li') break
  }
  return {}
}

function isBox(element: HtmlElement): boolean {
  return element.name === 'input' && valueOf(element, 'type') === 'checkbox'
}

/** Each term with its definitions becomes an item, the term in bold. */
function readTerms(reader: HtmlReader, list: HtmlElement): readonly Block[] {
  const items: { terms: Inline[][]; blocks: Block[] }[] = []
  for (const child of rowsOf(list)) {
    if (reader.skipped.has(child)) continue
    const last = items.at(-1)
    if (child.name === 'dt') {
      const term = trimInlines(reader.inlines(child.children, [{ type: 'bold' } satisfies Mark]))
      if (term.length === 0) continue
      if (last !== undefined && last.blocks.length === 0) last.terms.push([...term])
      else items.push({ terms: [[...term]], blocks: [] })
    } else {
      const blocks = reader.blocks(child.name === 'dd' ? child.children : [child])
      if (last === undefined) items.push({ terms: [], blocks })
      else for (const block of blocks) last.blocks.push(block)
    }
  }
  const read = items.flatMap(({ terms, blocks }): ListItem[] => {
    const children = terms.flatMap((term, index): Inline[] =>
      index === 0 ? term : [{ type: 'break' }, ...term],
    )
    const first: Block[] = children.length > 0 ? [{ type: 'paragraph', span: noSpan, children }] : []
    const all = [...first, ...blocks]
    return all.length > 0 ? [{ span: noSpan, blocks: all }] : []
  })
  if (read.length === 0) return []
  return [{ type: 'list', span: noSpan, kind: 'unordered', tight: false, items: read }]
}

/** Terms may be grouped in `<div>` elements. */
function rowsOf(list: HtmlElement): readonly HtmlElement[] {
  return elementsOf(list).flatMap((child) => (child.name === 'div' ? elementsOf(child) : [child]))
}
