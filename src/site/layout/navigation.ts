/**
 * The tree of pages at the side. Branches open and close without scripts: each is a `details` beside
 * its link, open along the way to the current page.
 */
import { attributes, html, type Html } from '../html.js'
import { emojiText, icon } from '../blocks/icons.js'
import { safeUrl } from '../blocks/safe-url.js'
import type { NavigationNode } from './view.js'

/** The nodes as nested lists. */
export function renderNavigation(nodes: readonly NavigationNode[]): Html {
  return renderNodes(nodes).markup
}

/** Emoji or icon of an entry; nothing when it has neither. */
export function renderSign(entry: { readonly emoji?: string; readonly icon?: string }): Html {
  const emoji = entry.emoji === undefined ? '' : emojiText(entry.emoji)
  return emoji === '' ? icon(entry.icon) : html`<span class="emoji" aria-hidden="true">${emoji}</span>`
}

/** `current` says whether the page that is read is among the nodes or below them. */
function renderNodes(nodes: readonly NavigationNode[]): { markup: Html; current: boolean } {
  let current = false
  const items = nodes.map((node) => {
    const item = renderNode(node)
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

function renderNode(node: NavigationNode): { markup: Html; current: boolean } {
  if (node.kind === 'gap') {
    const text = `${node.count.toLocaleString('en')} more`
    const href = node.href === undefined ? undefined : safeUrl(node.href)
    const markup = href === undefined ? html`<span>${text}</span>` : html`<a href="${href}">${text}</a>`
    return { markup: html`<li class="nav-gap">${markup}</li>\n`, current: false }
  }
  if (node.kind === 'group') {
    const { markup, current } = renderNodes(node.children)
    return {
      markup: html`<li class="nav-group">
        <p>${renderSign(node)}${node.title}</p>
        ${markup}
      </li>\n`,
      current,
    }
  }
  const current = node.current === true
  const own = attributes({ href: safeUrl(node.href), 'aria-current': current ? 'page' : undefined })
  const link = html`<a${own}>${renderSign(node)}<span>${node.title}</span>${
    node.kind === 'link' && icon('arrow-up-right')
  }${node.more === true && icon('chevron-right')}</a>`
  if (node.children === undefined || node.children.length === 0) {
    return { markup: html`<li>${link}</li>\n`, current }
  }
  const inner = renderNodes(node.children)
  const open = current || inner.current
  return {
    markup: html`<li class="nav-branch">
      ${link}
      <details${attributes({ open })}>
        <summary aria-label="Pages below ${node.title}">${icon('chevron-right')}</summary>
        ${inner.markup}
      </details>
    </li>\n`,
    current: open,
  }
}
