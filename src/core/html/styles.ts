/**
 * Marks of the classes in a page's own style sheet: exports give every text a numbered class, and only the style sheet
 * says that it is bold.
 */
import type { Mark } from '../document/types.js'
import { marksOfStyle } from './marks.js'
import { type HtmlElement, descendants, textOf } from './nodes.js'

/** Longer ones are hand-written themes. */
const maxStyleSheetLength = 200_000

/** Returns the marks of each generated class such as `.c12`; named classes style layout, not text. */
export function readStyles(document: HtmlElement): ReadonlyMap<string, readonly Mark[]> {
  const styles = new Map<string, readonly Mark[]>()
  let left = maxStyleSheetLength
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
