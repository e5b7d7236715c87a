/** Confluence URLs as browsers show them; exports contain absolute URLs where an author copied one. */
import { decodePercent } from '../../../core/links/resolve.js'

/** What a Confluence URL refers to: a page by its id, optionally with its space, or a page by its title. */
export type WikiReference =
  | { readonly kind: 'id'; readonly id: string; readonly space?: string }
  | { readonly kind: 'page'; readonly title: string; readonly space: string }

/** Returns what a URL refers to, undefined when it is not a Confluence URL. */
export function parseWikiUrl(url: string): WikiReference | undefined {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return undefined
  const { pathname, searchParams } = new URL(url)
  const id = searchParams.get('pageId')
  if (pathname.endsWith('/pages/viewpage.action') && id !== null) return { kind: 'id', id }
  const [, space, number] = /\/spaces\/([^/]+)\/pages\/(\d+)(?:\/|$)/.exec(pathname) ?? []
  if (number !== undefined) return { kind: 'id', id: number, space: decodePart(space!) }
  const [, key, title] = /\/display\/([^/]+)\/([^/]+)$/.exec(pathname) ?? []
  return title === undefined ? undefined : { kind: 'page', title: decodePart(title), space: decodePart(key!) }
}

function decodePart(part: string): string {
  return decodePercent(part.replaceAll('+', ' '))
}
