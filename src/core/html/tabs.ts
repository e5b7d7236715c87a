/** Tabs, recognized by ARIA roles or by the classes of generators without them. */
import type { Block, Tab } from '../document/types.js'
import { type HtmlElement, elementsOf, findElement, hasClass, valueOf, wordsOf } from './nodes.js'
import { type HtmlReader, noSpan } from './reader.js'

interface Parts {
  readonly labels: readonly HtmlElement[]
  readonly panels: readonly HtmlElement[]
}

/** Returns the tabs of an element; undefined when it is not a tab group. */
export function readTabs(reader: HtmlReader, element: HtmlElement): readonly Block[] | undefined {
  if (element.children.length === 0 || !element.holdsBlock) return undefined
  const parts = findParts(element)
  if (!parts || parts.panels.length === 0 || parts.labels.length !== parts.panels.length) return undefined
  for (const label of parts.labels) reader.skipped.add(label)
  const tabs = parts.panels.map((panel, index): Tab => ({
    span: noSpan,
    title: wordsOf(parts.labels[index]!).slice(0, 200) || String(index + 1),
    anchor: '',
    blocks: reader.blocks(panel.children),
  }))
  return [{ type: 'tabs', span: noSpan, tabs }]
}

function findParts(element: HtmlElement): Parts | undefined {
  const inner = elementsOf(element)
  if (hasClass(element, 'tabbed-set')) {
    const labels = inner.find((one) => hasClass(one, 'tabbed-labels'))
    const content = inner.find((one) => hasClass(one, 'tabbed-content'))
    if (labels && content) return { labels: elementsOf(labels), panels: elementsOf(content) }
    return {
      labels: inner.filter(({ name }) => name === 'label'),
      panels: inner.filter((one) => hasClass(one, 'tabbed-content')),
    }
  }
  if (hasClass(element, 'sd-tab-set')) {
    return {
      labels: inner.filter(({ name }) => name === 'label'),
      panels: inner.filter((one) => hasClass(one, 'sd-tab-content')),
    }
  }
  if (hasClass(element, 'vp-code-group')) {
    const [labels, panels] = ['tabs', 'blocks'].map((name) => inner.find((one) => hasClass(one, name)))
    if (!labels || !panels) return undefined
    return { labels: elementsOf(labels).filter(({ name }) => name === 'label'), panels: elementsOf(panels) }
  }
  return byRole(inner)
}

/** A tab list, with its panels as siblings or in the next element. */
function byRole(inner: readonly HtmlElement[]): Parts | undefined {
  const list = inner.slice(0, 3).find((one) => valueOf(one, 'role') === 'tablist' || isListAround(one))
  if (!list) return undefined
  const whole = valueOf(list, 'role') === 'tablist' ? list : elementsOf(list)[0]!
  const labels = elementsOf(whole).flatMap((one) => {
    const siblingPanels =
      valueOf(one, 'role') === 'tab' ? one : findElement(one, (deep) => valueOf(deep, 'role') === 'tab')
    return siblingPanels ?? []
  })
  const others = inner.filter((one) => one !== list)
  const isPanel = (one: HtmlElement): boolean => valueOf(one, 'role') === 'tabpanel'
  const panels = others.some(isPanel)
    ? others.filter(isPanel)
    : others.flatMap((one) => elementsOf(one).filter(isPanel))
  return { labels, panels }
}

function isListAround(element: HtmlElement): boolean {
  const [only, ...more] = elementsOf(element)
  return only !== undefined && more.length === 0 && valueOf(only, 'role') === 'tablist'
}
