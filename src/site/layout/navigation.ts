/**
 * Navigation tree at the side. Branches open and close without scripts: each is a `details` beside its link, open on the
 * path to the current page. Entries that are not in the markup are fetched by a script when their branch is opened
 * (lazy loading); without scripts such a branch is only a link to the page that lists them. A large tree is most of a
 * page, so the toggle of a branch is drawn by the style sheet.
 */
import { beginsWithOtherScript } from '../../core/language/direction.js'
import { attributes, html, type Html, flatten, nothing } from '../html.js'
import { drawingsFor, emojiText, icon } from '../blocks/icons.js'
import { safeUrl } from '../blocks/safe-url.js'
import type { Words } from '../words/en.js'
import { fill, wordsIn } from '../words/words.js'
import type { EntryNode, NavigationNode } from './view.js'

/** Renders the nodes as nested lists, in a language. */
export function renderNavigation(nodes: readonly NavigationNode[], language: string): Html {
  return renderNodes(nodes, wordsIn(language)).markup
}

/** Renders the entries of a lazily loaded branch, with the icons that they reference. */
export function renderBranch(nodes: readonly NavigationNode[], language: string): string {
  const list = renderNavigation(nodes, language)
  return html`${list}${drawingsFor(list)}`.toString()
}

/** Emoji or icon of an entry, if it has one. */
export function renderEntryIcon(entry: { readonly emoji?: string; readonly icon?: string }): Html {
  const emoji = entry.emoji === undefined ? '' : emojiText(entry.emoji)
  return emoji === '' ? icon(entry.icon) : html`<span class="emoji" aria-hidden="true">${emoji}</span>`
}

interface RenderedNodes {
  readonly markup: Html
  /** True if the current page is among the entries or below them. */
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

/** Content of a lazily loaded branch: its link targets the page that lists the entries. */
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

/** Cache of rendered entries that are in many trees, with their language. */
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
  const mixed = attributes({ 'data-mixed': beginsWithOtherScript(node.title) })
  const link = html`<a${own}>${renderEntryIcon(node)}<span${mixed}>${node.title}</span>${
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
