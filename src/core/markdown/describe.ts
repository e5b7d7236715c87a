/** Page description: data derived from a page's text and stored beside it, so that trees and links need no parsing. */
import type { PageMetadata } from '../document/metadata.js'
import { specificationUrl, isOpenAPI } from '../document/openapi.js'
import { visitBlocks } from '../document/visit.js'
import { parseFrontMatter } from './front-matter.js'
import { type ParsedPage, parsePage } from './parse.js'
import type { Problem, Reference } from '../document/types.js'

export interface PageDescription {
  /** From the front matter, else from the first heading. */
  readonly title?: string
  readonly metadata: PageMetadata
  readonly references: readonly Reference[]
  /** OpenAPI specifications that blocks refer to, by slug or URL. */
  readonly specifications?: readonly string[]
  readonly problems: readonly Problem[]
}

/** Returns the description of a page's text; never throws. */
export function describePage(text: string): PageDescription {
  return describeParsed(text, parsePage(text))
}

/** Returns the description of a parsed text. */
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
  // Few texts have any, and walking all blocks is not free.
  if (!/openapi|swagger/.test(text)) return []
  const specifications = new Set<string>()
  visitBlocks(document, (block) => {
    if (!isOpenAPI(block)) return
    const spec = block.spec?.toLowerCase()
    if (spec !== undefined && /^[a-z\d-]{1,100}$/.test(spec)) specifications.add(spec)
    const address = specificationUrl(block)
    if (address !== undefined) specifications.add(address)
  })
  return [...specifications]
}
