/** What a store keeps beside a page's text, so that trees and links are served without parsing it again. */
import type { PageMetadata } from '../document/metadata.js'
import { addressOf, isOpenAPI } from '../document/openapi.js'
import { visitBlocks } from '../document/visit.js'
import { parseFrontMatter } from './front-matter.js'
import { type ParsedPage, parsePage } from './parse.js'
import type { Problem, Reference } from '../document/types.js'

export interface PageDescription {
  /** Of the front matter, else of the first heading. */
  readonly title?: string
  readonly metadata: PageMetadata
  readonly references: readonly Reference[]
  /** OpenAPI specifications that blocks show something of, by their slugs or their addresses. */
  readonly specifications?: readonly string[]
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
  const specifications = specificationsOf(text, page)
  return {
    ...(title ? { title } : {}),
    metadata,
    references: page.references,
    ...(specifications.length > 0 && { specifications }),
    problems: [...problems, ...page.problems],
  }
}

function specificationsOf(text: string, { document }: ParsedPage): readonly string[] {
  // Few texts have any, and a walk over all blocks is not for nothing.
  if (!/openapi|swagger/.test(text)) return []
  const found = new Set<string>()
  visitBlocks(document, (block) => {
    if (!isOpenAPI(block)) return
    const spec = block.spec?.toLowerCase()
    if (spec !== undefined && /^[a-z\d-]{1,100}$/.test(spec)) found.add(spec)
    const address = addressOf(block)
    if (address !== undefined) found.add(address)
  })
  return [...found]
}
