/** Metadata from the head of a page, and its link targets. */
import { type HtmlElement, descendants, findElement, valueOf } from './nodes.js'

export interface Head {
  readonly language?: string
  readonly canonical?: string
  readonly robots: readonly string[]
  readonly refresh?: string
  /** URL of the next page, and of the parent page. */
  readonly next?: string
  readonly up?: string
}

/** Returns the metadata of a document; `destination` makes a URL absolute. */
export function readHead(document: HtmlElement, destination: (url: string) => string | undefined): Head {
  const html = findElement(document, ({ name }) => name === 'html')
  const language = html && (valueOf(html, 'lang') ?? valueOf(html, 'xml:lang'))
  let canonical: string | undefined
  let refresh: string | undefined
  let next: string | undefined
  let up: string | undefined
  const robots: string[] = []
  for (const element of descendants(document)) {
    if (element.name === 'link' || (element.name === 'a' && element.attributes.has('rel'))) {
      const words = (valueOf(element, 'rel') ?? '').toLowerCase().split(/\s+/)
      const target = destination(valueOf(element, 'href') ?? '')
      if (words.includes('canonical')) canonical ??= target
      if (words.includes('next')) next ??= target
      if (words.includes('up')) up ??= target
    }
    if (element.name !== 'meta') continue
    const content = valueOf(element, 'content') ?? ''
    if (valueOf(element, 'name')?.toLowerCase() === 'robots')
      robots.push(
        ...content
          .toLowerCase()
          .split(',')
          .map((word) => word.trim())
          .filter(Boolean),
      )
    if (valueOf(element, 'http-equiv')?.toLowerCase() === 'refresh') {
      const target = /^[\d.\s]{0,20}[;,]\s{0,9}(?:url\s{0,9}=\s{0,9})?["']?([^"']+)/i.exec(content)?.[1]
      if (target !== undefined) refresh ??= destination(target.trim())
    }
  }
  return {
    ...(language !== undefined &&
      /^[a-z]{2,8}(?:[-_][a-z\d]{1,8}){0,4}$/i.test(language) && { language: language.replaceAll('_', '-') }),
    ...(canonical !== undefined && { canonical }),
    robots,
    ...(refresh !== undefined && { refresh }),
    ...(next !== undefined && { next }),
    ...(up !== undefined && { up }),
  }
}

/** Returns the targets of all links, without fragments or duplicates, in order; `nofollow` links too. */
export function linksOf(
  document: HtmlElement,
  destination: (url: string) => string | undefined,
): readonly string[] {
  const links = new Set<string>()
  for (const element of descendants(document)) {
    const isLink = element.name === 'a' || element.name === 'area'
    const href =
      isLink || element.name === 'iframe' || element.name === 'frame'
        ? element.attributes.get(isLink ? 'href' : 'src')
        : undefined
    if (href === undefined || href.startsWith('#')) continue
    const url = destination(href)?.replace(/#.*/s, '')
    if (url) links.add(url)
  }
  return [...links]
}
