/**
 * Import inspection of a page's text, in one parse: problems with line numbers, links and anchors, API blocks, and
 * language evidence.
 */
import { listImagesWithoutAlternative } from '../document/alternative-texts.js'
import { lineLookup } from '../document/lines.js'
import { type NamedBlock, isOpenAPI, namedBlockOf } from '../document/openapi.js'
import { visitBlocks } from '../document/visit.js'
import type { TextLinks } from '../links/text-links.js'
import { type LanguageTally, tallyLanguage } from '../language/tally.js'
import { type PageDescription, describeParsed } from './describe.js'
import { frontMatterSpan } from './front-matter.js'
import { type ParsedPage, parsePage } from './parse.js'
import { linksOfParsed } from './text-links.js'

export interface PageInspection {
  readonly description: PageDescription
  readonly problems: readonly TextProblem[]
  readonly links: TextLinks
  /** The line of each reference of the description, in the same order. */
  readonly referenceLines: readonly number[]
  /** Images without an alternative text, with their lines. */
  readonly bareImages: readonly BareImage[]
  /** Blocks that embed a part of an OpenAPI specification. */
  readonly apiBlocks: readonly PlacedApiBlock[]
  readonly language: LanguageTally
}

export interface BareImage {
  readonly url: string
  readonly line: number
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
/** Images without an alternative text that are reported per text. */
const maxBareImages = 100
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
    bareImages: findBareImages(page, lineOf),
    apiBlocks,
    language: tallyLanguage(page.document),
  }
}

/** The document has no position of an image inside a paragraph: its reference has. */
function findBareImages(
  { document, references }: ParsedPage,
  lineOf: (offset: number) => number,
): BareImage[] {
  const bare = listImagesWithoutAlternative(document).slice(0, maxBareImages)
  if (bare.length === 0) return []
  const urls = new Set(bare.map(({ url }) => url))
  const offsets = new Map<string, number[]>()
  for (const { kind, url, span } of references) {
    if (kind !== 'image' || !urls.has(url)) continue
    const ofUrl = offsets.get(url)
    if (ofUrl === undefined) offsets.set(url, [span.start])
    else ofUrl.push(span.start)
  }
  return bare.map(({ url, nth }) => ({ url, line: lineOf(offsets.get(url)?.[nth] ?? 0) }))
}

function visibleToEveryone(what: 'page' | 'part', expression: string): string {
  return `A site that is not adaptive shows this ${what} to everybody: its condition is “${expression}”.`
}

function findCondition(text: string): number {
  const span = frontMatterSpan(text)
  return (span && /^if[ \t]*:/m.exec(text.slice(span.start, span.end))?.index) ?? 0
}
