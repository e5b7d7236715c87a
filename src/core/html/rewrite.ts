/**
 * A tree that is put right before it is read: what one program writes in its own way becomes what HTML has for it. Changes
 * are gathered first and made in one walk, so that many of them in one place cost no more than the tree.
 */
import { type HtmlElement, type HtmlNode, type HtmlText, isElement } from './nodes.js'

/** What stands in the place of a node; nothing where it goes. */
export type Changes = Map<HtmlNode, readonly HtmlNode[]>

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

/** Makes the changes, in what takes the place of something too; whoever asks how much a part holds measures it anew. */
export function applyChanges(document: HtmlElement, changes: Changes): void {
  if (changes.size === 0) return
  const waiting: HtmlElement[] = [document]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.children.some((child) => changes.has(child))) setChildren(next, replaced(next.children, changes))
    for (const child of next.children) {
      child.parent = next
      if (isElement(child)) waiting.push(child)
    }
  }
}

/** What takes a place may hold what it took the place of, whose children may have changed as well. */
function replaced(children: readonly HtmlNode[], changes: Changes): HtmlNode[] {
  const out: HtmlNode[] = []
  const waiting = children.toReversed()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const others = changes.get(next)
    if (others === undefined) {
      out.push(next)
      continue
    }
    changes.delete(next)
    for (let index = others.length - 1; index >= 0; index--) waiting.push(others[index]!)
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
