/**
 * Link targets set by authors: ids of HTML elements, and `<a name="…"></a>`. They become fragments of the block that they
 * are at or before, or an anchor inside a line, so that each fragment that a text defines is in the rendered page.
 */
import type { Block, Inline, Span } from '../document/types.js'
import type { Node } from './nodes.js'
import type { Reader } from './reader.js'
import type { Attributes } from './tags.js'

/** Longer ids are no link targets. */
const maxIdLength = 200

/** Returns the ids of one element: its `id`, and the `name` of an `<a>`. */
export function idsOf({
  name,
  attributes,
}: {
  readonly name: string
  readonly attributes: Attributes
}): string[] {
  const id = attributes.get('id')?.value ?? ''
  const other = name === 'a' ? (attributes.get('name')?.value ?? '') : ''
  return [id, other].filter((one) => one !== '' && one.length <= maxIdLength)
}

/** Elements whose ids are names of their own language. */
const foreignElements = new Set(['svg', 'math', 'template', 'script', 'style'])

/** Returns the ids of all elements in `nodes`, in order; without recursion, since elements may be deeply nested. */
export function idsWithin(nodes: readonly Node[]): string[] {
  const ids: string[] = []
  const pending = nodes.toReversed()
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.kind !== 'element') continue
    ids.push(...idsOf(node))
    if (foreignElements.has(node.name)) continue
    for (let index = node.children.length - 1; index >= 0; index--) pending.push(node.children[index]!)
  }
  return ids
}

/** Returns whether a node is nothing but a link target; one without an end tag counts. */
export function isLinkTarget(node: Node): boolean {
  if (node.kind === 'stray') return idsOfStray(node).length > 0
  if (node.kind !== 'element' || (node.name !== 'a' && node.name !== 'span')) return false
  return (
    idsOf(node).length > 0 &&
    node.children.every((child) => child.kind === 'text' && child.text.trim() === '')
  )
}

/** Returns the ids of an opening tag without an end tag. */
export function idsOfStray(node: Node & { readonly kind: 'stray' }): string[] {
  return node.attributes === undefined ? [] : idsOf({ name: node.name, attributes: node.attributes })
}

/** Returns the ids of nodes that are link targets or pictures. */
export function idsOfTargets(nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => (node.kind === 'stray' ? idsOfStray(node) : idsWithin([node])))
}

/**
 * Returns the blocks, the first of which has the ids as further fragments; without blocks, an empty paragraph that has
 * them.
 */
export function withTargets(
  reader: Reader,
  blocks: readonly Block[],
  ids: readonly string[],
  span: Span,
): readonly Block[] {
  if (ids.length === 0) return blocks
  const [first] = blocks
  // The list of a block is changed in place, because the registry of anchors refers to it.
  const aliases = (first?.aliases ?? []) as string[]
  reader.anchors.claim(ids, aliases)
  if (aliases.length === 0) return blocks
  if (first === undefined) return [{ type: 'paragraph', span, aliases, children: [] }]
  return blocks.with(0, { ...first, aliases })
}

/** Appends an anchor with the ids that no other element has. */
export function pushAnchor(reader: Reader, ids: readonly string[], out: Inline[]): void {
  if (ids.length === 0) return
  const aliases: string[] = []
  reader.anchors.claim(ids, aliases)
  if (aliases.length > 0) out.push({ type: 'anchor', aliases })
}
