/** What a whole tree says of each of its elements: whether it holds blocks, and how much text. */
import { blockNames, silentNames } from './names.js'
import type { HtmlElement, HtmlNode } from './nodes.js'

/** Sets what is known of every element of a tree as it is; goes from the leaves up, without recursion. */
export function measure(document: HtmlElement): void {
  const order: HtmlElement[] = []
  const waiting: HtmlNode[] = [document]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.kind === 'text') continue
    next.holdsBlock = false
    next.letters = 0
    next.linkedLetters = 0
    order.push(next)
    for (const child of next.children) waiting.push(child)
  }
  for (const element of order.toReversed()) {
    if (silentNames.has(element.name)) continue
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
