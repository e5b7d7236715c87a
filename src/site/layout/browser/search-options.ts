/** The entries of the search dialog's list. Text of people only ever becomes text nodes. */

/** What the search answers as JSON: the `SearchItem` of layout/other-pages.ts. */
export interface Answer {
  readonly items: readonly {
    readonly title: string
    readonly href: string
    readonly section?: string
    readonly excerpt?: { readonly text: string; readonly marks: readonly (readonly [number, number])[] }
    readonly breadcrumbs?: readonly string[]
  }[]
}

function option(tag: 'a' | 'div'): HTMLElement {
  const element = document.createElement(tag)
  element.className = 'search-option'
  element.setAttribute('role', 'option')
  // The focus stays in the field; the list is walked by aria-activedescendant.
  element.tabIndex = -1
  return element
}

function small(className: string, ...content: (string | Node)[]): HTMLElement {
  const element = document.createElement('small')
  element.className = className
  element.append(...content)
  return element
}

/** A result as a link; `onTake` runs before it is followed. */
export function resultOption(item: Answer['items'][number], onTake: () => void): HTMLElement {
  const link = option('a') as HTMLAnchorElement
  link.href = item.href
  // The server is ours, but an address from data is never followed into a script.
  if (!/^https?:$/.test(link.protocol)) link.removeAttribute('href')
  const title = document.createElement('strong')
  title.textContent = item.section === undefined ? item.title : `${item.title} › ${item.section}`
  if (item.breadcrumbs !== undefined && item.breadcrumbs.length > 0) {
    link.append(small('search-path', item.breadcrumbs.join(' / ')))
  }
  link.append(title)
  if (item.excerpt !== undefined) link.append(small('search-excerpt', ...marked(item.excerpt)))
  link.addEventListener('click', onTake)
  return link
}

/** A link that stands for more than one page. */
export function messageOption(text: string, href: string): HTMLElement {
  const link = option('a') as HTMLAnchorElement
  link.href = href
  link.append(small('search-more', text))
  return link
}

/** An earlier query, to be asked again. */
export function recentOption(query: string, onTake: () => void): HTMLElement {
  const entry = option('div')
  entry.textContent = query
  entry.addEventListener('click', onTake)
  return entry
}

function marked({
  text,
  marks,
}: {
  text: string
  marks: readonly (readonly [number, number])[]
}): (string | Node)[] {
  const parts: (string | Node)[] = []
  let from = 0
  for (const [start, end] of marks) {
    if (start < from || end <= start) continue
    const mark = document.createElement('mark')
    mark.textContent = text.slice(start, end)
    parts.push(text.slice(from, start), mark)
    from = end
  }
  parts.push(text.slice(from))
  return parts
}
