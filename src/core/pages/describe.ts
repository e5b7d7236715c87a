/**
 * Derived data of a text that a snapshot stores: members of its page, and the targets of its links. The Markdown
 * reader is injected, so that indexes can be tested with a toy dialect.
 */
import type { Reference } from '../document/types.js'
import { resolveReference } from '../links/resolve.js'
import { specificationTarget } from './keys.js'
import { resolveOptions, summaryFile } from './paths.js'
import type { ContentConfig } from '../config.js'
import type { Hash } from '../ids.js'
import type { DocumentPage } from './types.js'

/** Members of a document that come from its text alone: a new text replaces all of them. */
const derivedMembers = [
  'description',
  'noIndex',
  'noRobotsIndex',
  'condition',
  'tags',
  'cover',
  'layout',
  'variables',
  'emoji',
  'icon',
  'hidden',
] as const

export type DerivedMembers = Partial<Pick<DocumentPage, (typeof derivedMembers)[number]>>

export interface Description {
  /** Title that the body begins with. */
  readonly title?: string
  /** Members of the front matter. */
  readonly metadata: DerivedMembers & { readonly title?: string; readonly linkTitle?: string }
  readonly references: readonly Reference[]
  /** OpenAPI specifications that it embeds, by their slugs or their addresses. */
  readonly specifications?: readonly string[]
}

/** Describes a text; receives its hash where that is known; must not throw for any text. */
export type Describe = (text: string, hash?: Hash) => Description

/** Returns the page with the members derived from its text, and without those of an earlier text. */
export function withDescription(page: DocumentPage, description: Description): DocumentPage {
  const record: Record<string, unknown> = { ...page }
  for (const member of derivedMembers) {
    const value = description.metadata[member]
    if (value === undefined) delete record[member]
    else record[member] = value
  }
  if (description.metadata.linkTitle !== undefined) record['linkTitle'] = description.metadata.linkTitle
  // Members are set by name, which the type checker cannot follow.
  return record as unknown as DocumentPage
}

/**
 * Returns everything that the references may point to, for the index `links`: file paths with all their
 * readings, `/pages/<id>`, `/files/<id>`, `/openapi/<slug>` and `/openapi-at/<address>`; other destinations
 * outside the space are omitted.
 */
export function linkTargets(
  { references, specifications = [] }: Pick<Description, 'references' | 'specifications'>,
  fromFile: string,
  config: ContentConfig,
): ReadonlySet<string> {
  const targets = new Set(specifications.map(specificationTarget))
  for (const { url } of references)
    for (const target of readingsOf(fromFile, url, config)) targets.add(target)
  return targets
}

/** Returns everything that a link page may point to: its URL is relative to the table of contents. */
export function linkPageTargets(url: string, config: ContentConfig): ReadonlySet<string> {
  return new Set(readingsOf(summaryFile(config), url, config))
}

/** Returns what one destination may point to, the most literal reading first. */
export function readingsOf(fromFile: string, url: string, config: ContentConfig): readonly string[] {
  const resolved = resolveReference(fromFile, url, resolveOptions(config))
  if (resolved.kind === 'file') return [resolved.path, ...(resolved.alternatives ?? [])]
  if (resolved.kind === 'page') return [`/pages/${resolved.page}`]
  if (resolved.kind === 'upload') return [`/files/${resolved.file}`]
  return []
}
