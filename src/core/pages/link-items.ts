/**
 * Outgoing links of one text, each destination once. They depend on the text and its file alone, so they are the same,
 * in the same order, in every revision with that text in that file; `link-checker.ts` checks them.
 */
import type { ContentConfig } from '../config.js'
import type { Reference } from '../document/types.js'
import { type Resolved, resolveReference } from '../links/resolve.js'
import type { TextReference } from '../links/text-links.js'
import { resolveOptions } from './paths.js'

export interface LinkItem {
  readonly kind: Reference['kind']
  /** As it is written first. */
  readonly url: string
  readonly reading: Resolved
  /** True for an address of the application where content should be meant. */
  readonly isInApp: boolean
  /** The blocks that it is in, the first ones; empty where it is in none. */
  readonly nodes: readonly string[]
}

/** Most blocks listed for one destination. */
const maxNodes = 50

/**
 * Returns what a text in this file points to: files, pages, sections, other spaces, and addresses of the application.
 * Other addresses are external and left out.
 */
export function collectLinks(
  references: readonly TextReference[],
  file: string,
  config: ContentConfig,
  applications: readonly string[],
): LinkItem[] {
  const options = { ...resolveOptions(config), applications }
  const items = new Map<string, LinkItem & { readonly nodes: string[] }>()
  for (const { kind, url, node } of references) {
    const reading = resolveReference(file, url, options)
    const isInApp = isApplication(reading, applications)
    if ((reading.kind === 'url' || reading.kind === 'mail') && !isInApp) continue
    const name = linkIdentity({ kind, reading })
    const known = items.get(name)
    const item = known ?? { kind, url, reading, isInApp, nodes: [] }
    if (known === undefined) items.set(name, item)
    if (node !== undefined && item.nodes.at(-1) !== node && item.nodes.length < maxNodes)
      item.nodes.push(node)
  }
  return [...items.values()]
}

/** Content depends on what it embeds, and refers to the rest. */
export function relationOf({ kind }: Pick<LinkItem, 'kind'>): 'dependsOn' | 'reference' {
  return kind === 'reusable-content' || kind === 'openapi' ? 'dependsOn' : 'reference'
}

/** Returns a string that identifies a link among the links of its text, in any revision. */
export function linkIdentity({ kind, reading }: Pick<LinkItem, 'kind' | 'reading'>): string {
  return `${kind} ${destinationIdentity(reading)}`
}

/** Returns a string that identifies a destination, whatever file it is written in. */
function destinationIdentity(reading: Resolved): string {
  switch (reading.kind) {
    case 'file':
      return `file ${reading.path}${fragmentOf(reading)}`
    case 'anchor':
      return `anchor${fragmentOf(reading)}`
    case 'page':
      return `page ${reading.page}${fragmentOf(reading)}`
    case 'upload':
      return `upload ${reading.file}`
    case 'space':
      return `space ${reading.space} ${reading.path}${fragmentOf(reading)}`
    default:
      return `url ${reading.url}`
  }
}

function fragmentOf({ fragment }: { readonly fragment?: string }): string {
  return fragment === undefined ? '' : `#${fragment}`
}

/** Published sites are below the base of the application too, each behind an `@`. */
function isApplication(reading: Resolved, applications: readonly string[]): boolean {
  if (reading.kind === 'space') return reading.path.startsWith('~')
  if (reading.kind !== 'url') return false
  return applications.some(
    (base) =>
      reading.url === base || (reading.url.startsWith(`${base}/`) && reading.url[base.length + 1] !== '@'),
  )
}
