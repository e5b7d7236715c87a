/** What a page says of itself beside its content, and where all its links lead. */
import { type HtmlElement, descendants, findElement, valueOf } from './nodes.js'

export interface Head {
  readonly language?: string
  readonly canonical?: string
  readonly robots: readonly string[]
  readonly refresh?: string
  /** The page that follows this one, and the one that this one is a part of. */
  readonly next?: string
  readonly up?: string
}

/** Returns what the head of a document says; `destination` makes an address absolute. */
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
      const led = destination(valueOf(element, 'href') ?? '')
      if (words.includes('canonical')) canonical ??= led
      if (words.includes('next')) next ??= led
      if (words.includes('up')) up ??= led
    }
    if (element.name !== 'meta') continue
    const said = valueOf(element, 'content') ?? ''
    if (valueOf(element, 'name')?.toLowerCase() === 'robots')
      robots.push(
        ...said
          .toLowerCase()
          .split(',')
          .map((word) => word.trim())
          .filter(Boolean),
      )
    if (valueOf(element, 'http-equiv')?.toLowerCase() === 'refresh') {
      const target = /^[\d.\s]{0,20}[;,]\s{0,9}(?:url\s{0,9}=\s{0,9})?["']?([^"']+)/i.exec(said)?.[1]
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

/** Returns where all links lead, without fragment, each once, in their order; those that robots are told not to follow too. */
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
