/**
 * A page's text looked at once more closely, for an import: what is odd in it and on which line, which fragments
 * lead into it, and what speaks for its language.
 */
import { countLines } from '../document/lines.js'
import type { Block, Document } from '../document/types.js'
import { visitBlocks } from '../document/visit.js'
import { type LanguageTally, tallyLanguage } from '../language/tally.js'
import { anchorOf } from './anchors.js'
import { type PageDescription, describeParsed } from './describe.js'
import { frontMatterSpan } from './front-matter.js'
import { maxTextLength, parsePage } from './parse.js'

export interface PageSurvey {
  readonly description: PageDescription
  readonly problems: readonly TextProblem[]
  /** Every fragment that leads into the page. */
  readonly anchors: readonly string[]
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
    anchors: collectAnchors(text, page.document, page.title?.text),
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

function collectAnchors(text: string, document: Document, title: string | undefined): string[] {
  const anchors = new Set<string>()
  if (text.length > maxTextLength) return []
  if (title !== undefined) anchors.add(anchorOf(title))
  visitBlocks(document, (block) => {
    for (const anchor of anchorsOf(block)) anchors.add(anchor)
  })
  // Elements and headings of the author's own naming, wherever they stand.
  for (const [, id] of text.matchAll(/\s(?:id|name)=["']([^"'\n]{1,200})["']/g)) anchors.add(id!)
  return [...anchors]
}

function anchorsOf(block: Block): readonly string[] {
  const anchored = (list: readonly { readonly anchor: string; readonly aliases?: readonly string[] }[]) =>
    list.flatMap(({ anchor, aliases = [] }) => [anchor, ...aliases])
  switch (block.type) {
    case 'heading':
    case 'expandable':
      return anchored([block])
    case 'tabs':
      return anchored(block.tabs)
    case 'updates':
      return anchored(block.updates)
    default:
      return []
  }
}
