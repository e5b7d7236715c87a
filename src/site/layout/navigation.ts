/**
 * The tree of pages at the side. Branches open and close without scripts: each is a `details` beside
 * its link, open along the way to the current page. Entries that are not on the page are fetched by a script when
 * their branch is opened; without one such a branch is a link alone, to the page that shows them. A large tree is most of
 * a page: what opens a branch is drawn by the style sheet.
 */
import { attributes, html, type Html, flatten, nothing } from '../html.js'
import { drawingsFor, emojiText, icon } from '../blocks/icons.js'
import { safeUrl } from '../blocks/safe-url.js'
import type { Words } from '../words/en.js'
import { fill, wordsIn } from '../words/words.js'
import type { EntryNode, NavigationNode } from './view.js'

/** The nodes as nested lists, on a page in a language. */
export function renderNavigation(nodes: readonly NavigationNode[], language: string): Html {
  return renderNodes(nodes, wordsIn(language)).markup
}

/** The entries of a branch, to be put in where it is opened, with the drawings that they refer to. */
export function renderBranch(nodes: readonly NavigationNode[], language: string): string {
  const list = renderNavigation(nodes, language)
  return html`${list}${drawingsFor(list)}`.toString()
}

/** Emoji or icon of an entry; nothing when it has neither. */
export function renderEntryIcon(entry: { readonly emoji?: string; readonly icon?: string }): Html {
  const emoji = entry.emoji === undefined ? '' : emojiText(entry.emoji)
  return emoji === '' ? icon(entry.icon) : html`<span class="emoji" aria-hidden="true">${emoji}</span>`
}

interface RenderedNodes {
  readonly markup: Html
  /** True when the page that is read is among the entries or below them. */
  readonly current: boolean
}

function renderNodes(nodes: readonly NavigationNode[], words: Words): RenderedNodes {
  let current = false
  const items = nodes.map((node) => {
    const item = renderNode(node, words)
    current ||= item.current
    return item.markup
  })
  return {
    markup: html`<ul role="list">
      ${items}
    </ul>`,
    current,
  }
}

function childrenOf({ children = [] }: EntryNode, words: Words): RenderedNodes | undefined {
  return children.length === 0 ? undefined : renderNodes(children, words)
}

/** In a branch whose entries are fetched: its own link leads to the page that shows them. */
const loadedOnDemand: RenderedNodes = { markup: nothing, current: false }

function renderNode(node: NavigationNode, words: Words): RenderedNodes {
  if (node.kind === 'gap') {
    const text = words.morePages(node.count)
    const href = node.href === undefined ? undefined : safeUrl(node.href)
    const markup = href === undefined ? html`<span>${text}</span>` : html`<a href="${href}">${text}</a>`
    return { markup: html`<li class="nav-gap">${markup}</li>\n`, current: false }
  }
  if (node.kind === 'group') {
    const { markup, current } = renderNodes(node.children, words)
    return {
      markup: html`<li class="nav-group">
        <p>${renderEntryIcon(node)}${node.title}</p>
        ${markup}
      </li>\n`,
      current,
    }
  }
  return node.isCached === true ? renderCached(node, words) : renderEntry(node, words)
}

/** What was made of entries that stand in many trees, and in which words. */
const cache = new WeakMap<EntryNode, { readonly words: Words; readonly rendered: RenderedNodes }>()

function renderCached(node: EntryNode, words: Words): RenderedNodes {
  const cached = cache.get(node)
  if (cached?.words === words) return cached.rendered
  const { markup, current } = renderEntry(node, words)
  const rendered = { markup: flatten(markup), current }
  cache.set(node, { words, rendered })
  return rendered
}

function renderEntry(node: EntryNode, words: Words): RenderedNodes {
  const current = node.current === true
  const own = attributes({ href: safeUrl(node.href), 'aria-current': current ? 'page' : undefined })
  const link = html`<a${own}>${renderEntryIcon(node)}<span>${node.title}</span>${
    node.kind === 'link' && icon('arrow-up-right')
  }</a>`
  const inner = node.branch === undefined ? childrenOf(node, words) : loadedOnDemand
  if (inner === undefined) return { markup: html`<li>${link}</li>\n`, current }
  const open = current || inner.current
  return {
    markup: html`<li class="nav-branch">
      ${link}
      <details${attributes({ open, 'data-branch': node.branch })}>
        <summary aria-label="${fill(words.pagesBelow, node.title)}"></summary>
        ${inner.markup}
      </details>
    </li>\n`,
    current: open,
  }
}
