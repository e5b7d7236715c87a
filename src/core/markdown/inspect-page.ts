/**
 * Import inspection of a page's text, in one parse: problems with line numbers, links and anchors, API blocks, and
 * language evidence.
 */
import { lineLookup } from '../document/lines.js'
import { type NamedBlock, isOpenAPI, namedBlockOf } from '../document/openapi.js'
import { visitBlocks } from '../document/visit.js'
import type { TextLinks } from '../links/text-links.js'
import { type LanguageTally, tallyLanguage } from '../language/tally.js'
import { type PageDescription, describeParsed } from './describe.js'
import { frontMatterSpan } from './front-matter.js'
import { parsePage } from './parse.js'
import { linksOfParsed } from './text-links.js'

export interface PageInspection {
  readonly description: PageDescription
  readonly problems: readonly TextProblem[]
  readonly links: TextLinks
  /** The line of each reference of the description, in the same order. */
  readonly referenceLines: readonly number[]
  /** Blocks that embed a part of an OpenAPI specification. */
  readonly apiBlocks: readonly PlacedApiBlock[]
  readonly language: LanguageTally
}

export type PlacedApiBlock = NamedBlock & { readonly line: number }

export interface TextProblem {
  /** A parser problem, or a condition that non-adaptive sites ignore. */
  readonly kind: 'text' | 'condition'
  readonly line: number
  readonly message: string
}

/** Problems reported per text; authors fix these and import again. */
const maxProblems = 100
/** API blocks of a text that are checked. */
const maxApiBlocks = 1_000

/** Returns the inspection of a text for an import; never throws. */
export function inspectPage(text: string): PageInspection {
  const page = parsePage(text)
  const description = describeParsed(text, page)
  const lineOf = lineLookup(text)
  const problems = new Map<string, TextProblem>()
  const report = (kind: TextProblem['kind'], line: number, message: string): void => {
    if (problems.size < maxProblems) problems.set(`${line} ${message}`, { kind, line, message })
  }
  if (description.metadata.condition !== undefined) {
    const line = lineOf(findCondition(text))
    report('condition', line, visibleToEveryone('page', description.metadata.condition))
  }
  const apiBlocks: PlacedApiBlock[] = []
  visitBlocks(page.document, (block) => {
    if (isOpenAPI(block) && apiBlocks.length < maxApiBlocks)
      apiBlocks.push({ ...namedBlockOf(block), line: lineOf(block.span.start) })
    if (block.type === 'if')
      report('condition', lineOf(block.span.start), visibleToEveryone('part', block.expression))
  })
  // Last: where there are too many problems, conditions are more important.
  for (const { message, span } of description.problems) report('text', lineOf(span.start), message)
  return {
    description,
    problems: [...problems.values()],
    links: linksOfParsed(text, page),
    referenceLines: description.references.map(({ span }) => lineOf(span.start)),
    apiBlocks,
    language: tallyLanguage(page.document),
  }
}

function visibleToEveryone(what: 'page' | 'part', expression: string): string {
  return `A site that is not adaptive shows this ${what} to everybody: its condition is “${expression}”.`
}

function findCondition(text: string): number {
  const span = frontMatterSpan(text)
  return (span && /^if[ \t]*:/m.exec(text.slice(span.start, span.end))?.index) ?? 0
}
