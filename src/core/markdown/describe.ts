/** What a store keeps beside a page's text, so that trees and links are served without parsing it again. */
import type { PageMetadata } from '../document/metadata.js'
import { parseFrontMatter } from './front-matter.js'
import { type ParsedPage, parsePage } from './parse.js'
import type { Problem, Reference } from '../document/types.js'

export interface PageDescription {
  /** Of the front matter, else of the first heading. */
  readonly title?: string
  readonly metadata: PageMetadata
  readonly references: readonly Reference[]
  readonly problems: readonly Problem[]
}

/** Returns the summary of a page's text; never throws. */
export function describePage(text: string): PageDescription {
  return describeParsed(text, parsePage(text))
}

/** Returns the summary of a text that is parsed already. */
export function describeParsed(text: string, page: ParsedPage): PageDescription {
  const { metadata, problems } = parseFrontMatter(text)
  const title = metadata.title ?? page.title?.text
  return {
    ...(title ? { title } : {}),
    metadata,
    references: page.references,
    problems: [...problems, ...page.problems],
  }
}
