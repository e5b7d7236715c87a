/**
 * A page's text looked at once more closely, for an import: what is odd in it and on which line, which fragments
 * lead into it, and what speaks for its language.
 */
import { countLines } from '../document/lines.js'
import { visitBlocks } from '../document/visit.js'
import type { TextLinks } from '../links/text-links.js'
import { type LanguageTally, tallyLanguage } from '../language/tally.js'
import { type PageDescription, describeParsed } from './describe.js'
import { frontMatterSpan } from './front-matter.js'
import { parsePage } from './parse.js'
import { linksOfParsed } from './text-links.js'

export interface PageSurvey {
  readonly description: PageDescription
  readonly problems: readonly TextProblem[]
  readonly links: TextLinks
  /** The line of each reference of the description, in the same order. */
  readonly referenceLines: readonly number[]
  readonly language: LanguageTally
}

export interface TextProblem {
  /** What could not be read as meant, or a condition that some sites do not know. */
  readonly kind: 'text' | 'condition'
  readonly line: number
  readonly message: string
}

/** Of one text; whoever mends these imports again. */
const mostProblems = 100

/** Returns what an import asks of a text; never throws. */
export function surveyPage(text: string): PageSurvey {
  const page = parsePage(text)
  const description = describeParsed(text, page)
  const lineOf = countLines(text)
  const problems = new Map<string, TextProblem>()
  const tell = (kind: TextProblem['kind'], line: number, message: string): void => {
    if (problems.size < mostProblems) problems.set(`${line} ${message}`, { kind, line, message })
  }
  for (const { message, span } of description.problems) tell('text', lineOf(span.start), message)
  if (description.metadata.condition !== undefined) {
    const line = lineOf(findCondition(text))
    tell('condition', line, shownToAll('page', description.metadata.condition))
  }
  visitBlocks(page.document, (block) => {
    if (block.type === 'if') tell('condition', lineOf(block.span.start), shownToAll('part', block.expression))
  })
  return {
    description,
    problems: [...problems.values()],
    links: linksOfParsed(text, page),
    referenceLines: description.references.map(({ span }) => lineOf(span.start)),
    language: tallyLanguage(page.document),
  }
}

function shownToAll(what: 'page' | 'part', expression: string): string {
  return `A site that is not adaptive shows this ${what} to everybody: its condition is “${expression}”.`
}

function findCondition(text: string): number {
  const span = frontMatterSpan(text)
  return (span && /^if[ \t]*:/m.exec(text.slice(span.start, span.end))?.index) ?? 0
}
