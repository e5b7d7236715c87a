/**
 * What the classes of a page's own style sheet say of text: programs that export what people wrote give every text a
 * class of a number, and say only there that it is bold.
 */
import type { Mark } from '../document/types.js'
import { marksOfStyle } from './marks.js'
import { type HtmlElement, descendants, textOf } from './nodes.js'

/** Longer ones were written by people, for many pages. */
const longestSheet = 200_000

/** Returns the marks of each class such as `.c12`; those of names that people give are no matter of single words. */
export function readStyles(document: HtmlElement): ReadonlyMap<string, readonly Mark[]> {
  const styles = new Map<string, readonly Mark[]>()
  let left = longestSheet
  for (const element of descendants(document)) {
    if (element.name !== 'style') continue
    const sheet = textOf(element)
    if ((left -= sheet.length) < 0) break
    for (const [, name, rules] of sheet.matchAll(/\.(c\d{1,5})\{([^{}]{0,2000})\}/g)) {
      const marks = marksOfStyle(rules!)
      if (marks.length > 0) styles.set(name!, marks)
    }
  }
  return styles
}
