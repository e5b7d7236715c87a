/**
 * The HTML of a rendered comparison, prepared for display: what is far from a change is folded, and moved blocks say where
 * the other place is. A parsed document runs no scripts and loads nothing.
 */
import { text } from '../i18n/text.js'

/** Unchanged blocks in a row that are folded, besides one at either end. */
const minFolded = 3

export function prepareComparison(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const element of body.querySelectorAll('[data-place]')) {
    const label = body.ownerDocument.createElement('span')
    label.className = 'diff-place'
    const place = element.getAttribute('data-place')!
    label.textContent = element.matches('ins')
      ? text.comparison.movedFrom(place)
      : text.comparison.movedTo(place)
    element.prepend(label)
  }
  // What is closed has no changes to step to.
  for (const details of body.querySelectorAll('details:has([class*="diff-"])'))
    details.setAttribute('open', '')
  let run: Element[] = []
  const children = [...body.children].filter((child) => !child.matches('[hidden]'))
  for (const [at, child] of children.entries()) {
    const isChanged = child.matches('[class*="diff-"]') || child.querySelector('[class*="diff-"]') !== null
    if (!isChanged) run.push(child)
    if (isChanged || at === children.length - 1) {
      fold(run, { keepsFirst: run[0] !== children[0], keepsLast: isChanged })
      run = []
    }
  }
  return body.innerHTML
}

function fold(
  run: readonly Element[],
  { keepsFirst, keepsLast }: { readonly keepsFirst: boolean; readonly keepsLast: boolean },
): void {
  const folded = run.slice(keepsFirst ? 1 : 0, keepsLast ? -1 : undefined)
  const [first] = folded
  if (first === undefined || folded.length < minFolded) return
  const { ownerDocument: document } = first
  const details = document.createElement('details')
  details.className = 'diff-fold'
  const summary = document.createElement('summary')
  summary.textContent = text.comparison.unchanged(folded.length)
  first.before(details)
  details.append(summary, ...folded)
}

/** Returns an element for each change, in document order. */
export function changesIn(root: HTMLElement): HTMLElement[] {
  const found = new Map<string, HTMLElement>()
  for (const element of root.querySelectorAll<HTMLElement>('[data-change]')) {
    const id = element.dataset['change']!
    if (!found.has(id) && element.getClientRects().length > 0) found.set(id, element)
  }
  return [...found.values()]
}

/** Makes a change the current one: it is in view and marked. */
export function showChange(root: HTMLElement, element: HTMLElement): void {
  for (const other of root.querySelectorAll('[data-current]')) other.removeAttribute('data-current')
  for (const same of root.querySelectorAll(`[data-change="${CSS.escape(element.dataset['change']!)}"]`))
    same.setAttribute('data-current', '')
  element.scrollIntoView({ block: 'center' })
}
