/** Measures each element of a tree: whether it contains blocks, and how much text. */
import { blockNames, ignoredNames } from './element-names.js'
import type { HtmlElement, HtmlNode } from './nodes.js'

/** Sets the measures of every element, bottom-up, without recursion. */
export function measure(document: HtmlElement): void {
  const order: HtmlElement[] = []
  const pending: HtmlNode[] = [document]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.kind === 'text') continue
    next.holdsBlock = false
    next.letters = 0
    next.linkedLetters = 0
    order.push(next)
    for (const child of next.children) pending.push(child)
  }
  for (const element of order.toReversed()) {
    if (ignoredNames.has(element.name)) continue
    for (const child of element.children) {
      if (child.kind === 'text') {
        element.letters += child.value.replace(/\s+/g, '').length
        continue
      }
      element.holdsBlock ||= blockNames.has(child.name) || child.holdsBlock
      element.letters += child.letters
      element.linkedLetters += child.linkedLetters
    }
    if (element.name === 'a') element.linkedLetters = element.letters
  }
}
