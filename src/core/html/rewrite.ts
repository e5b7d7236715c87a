/**
 * Tree rewriting before conversion: proprietary markup is replaced by plain HTML. Replacements are collected first and
 * applied in one walk, so that many of them in one element cost no more than the tree.
 */
import { type HtmlElement, type HtmlNode, type HtmlText, isElement } from './nodes.js'

/** Replacement nodes by node; an empty list removes it. */
export type Replacements = Map<HtmlNode, readonly HtmlNode[]>

export function newText(value: string): HtmlText {
  return { kind: 'text', value, parent: undefined }
}

export function newElement(
  name: string,
  attributes: Readonly<Record<string, string>>,
  children: readonly HtmlNode[],
): HtmlElement {
  return {
    kind: 'element',
    name,
    attributes: new Map(Object.entries(attributes)),
    children: [...children],
    parent: undefined,
    holdsBlock: false,
    letters: 0,
    linkedLetters: 0,
  }
}

/** Applies the replacements, also inside replacement nodes; the caller must measure the tree again. */
export function applyReplacements(document: HtmlElement, changes: Replacements): void {
  if (changes.size === 0) return
  const pending: HtmlElement[] = [document]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.children.some((child) => changes.has(child)))
      setChildren(next, replaceIn(next.children, changes))
    for (const child of next.children) {
      child.parent = next
      if (isElement(child)) pending.push(child)
    }
  }
}

/** A replacement may contain the node it replaces, whose children may be replaced as well. */
function replaceIn(children: readonly HtmlNode[], changes: Replacements): HtmlNode[] {
  const out: HtmlNode[] = []
  const pending = children.toReversed()
  for (let next = pending.pop(); next; next = pending.pop()) {
    const replacement = changes.get(next)
    if (replacement === undefined) {
      out.push(next)
      continue
    }
    changes.delete(next)
    for (let index = replacement.length - 1; index >= 0; index--) pending.push(replacement[index]!)
  }
  return out
}

export function setChildren(element: HtmlElement, children: readonly HtmlNode[]): void {
  element.children.length = 0
  for (const child of children) {
    child.parent = element
    element.children.push(child)
  }
}
