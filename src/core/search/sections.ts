/**
 * Search sections: a page split at its headings into the units that search finds.
 *
 * Conditional blocks are omitted, because not every reader may see them: `conditional-sections.ts` splits them, and
 * their conditions are evaluated at each search.
 */
import { plainText } from '../document/plain-text.js'
import { isOpenAPI } from '../document/openapi.js'
import type { Block, Document, If, OpenAPIBlock, Table } from '../document/types.js'
import { innerBlocks, innerInlines } from '../document/visit.js'

export interface Section {
  /** Fragment of the heading; absent before the first heading. */
  readonly anchor?: string
  /** Words of the heading; the title of the page before the first heading. */
  readonly heading: string
  /** Plain text, white space made single spaces. */
  readonly body: string
  /** From 0, in the order of the text. */
  readonly position: number
}

/** A longer body continues in another section of the same heading. */
export const maxSectionLength = 4000

/** Returns the searchable words of the part of a specification that a block embeds, where they are known. */
export type SpecificationWords = (block: OpenAPIBlock) => string | undefined

/** Returns the sections of a page in order: at least the first, which represents the page itself. */
export function collectSections(
  document: Document,
  title: string,
  specificationWords: SpecificationWords = () => undefined,
): readonly Section[] {
  const sections: Section[] = []
  splitSections(
    document.blocks,
    { heading: title, anchor: undefined, isNamed: true },
    {
      section({ heading, anchor }, body) {
        sections.push({
          ...(anchor !== undefined && { anchor }),
          heading,
          body,
          position: sections.length,
        })
      },
      place() {},
      closed() {},
      specificationWords,
    },
  )
  return sections
}

/** The heading of a block. */
interface HeadingContext {
  readonly heading: string
  readonly anchor: string | undefined
  /** True where the heading is among the split blocks, and not around them. */
  readonly isNamed: boolean
}

interface SectionHandlers {
  section(place: HeadingContext, body: string): void
  /** Called for each heading, before its content. */
  place(place: HeadingContext): void
  /** Called for conditional blocks, which are in no section. */
  closed(block: If): void
  /** Returns words that precede the block's own text. */
  readonly specificationWords: SpecificationWords
}

/** Splits blocks at their headings, and long bodies by length. */
export function splitSections(
  all: readonly Block[],
  context: HeadingContext,
  cutting: SectionHandlers,
): void {
  let place = context
  let texts: string[] = []

  const close = () => {
    const body = texts.join(' ').replace(/\s+/g, ' ').trim()
    for (const piece of pieces(body)) cutting.section(place, piece)
    texts = []
  }
  const read = (blocks: readonly Block[]) => {
    for (const block of blocks) {
      if (block.type === 'if') {
        cutting.closed(block)
        continue
      }
      if (block.type === 'heading') {
        close()
        place = { heading: plainText(block.children).trim(), anchor: block.anchor, isNamed: true }
        cutting.place(place)
        continue
      }
      if (isOpenAPI(block)) texts.push(cutting.specificationWords(block) ?? '')
      const inner = block.type === 'table' ? [] : innerBlocks(block)
      if (inner.length === 0) {
        texts.push(plainText({ blocks: [block.type === 'table' ? visibleColumns(block) : block] }))
        continue
      }
      for (const inlines of innerInlines(block)) texts.push(plainText(inlines))
      for (const [index, children] of inner.entries()) {
        if (block.type === 'tabs') texts.push(block.tabs[index]!.title)
        read(children)
      }
    }
  }
  read(all)
  close()
}

/** Returns a table without its hidden columns, which hold targets and covers of cards. */
function visibleColumns(table: Table): Table {
  const isSeen = (_: unknown, at: number) => table.columns[at]?.hidden !== true
  return {
    ...table,
    columns: table.columns.filter(isSeen),
    rows: table.rows.map((row) => row.filter(isSeen)),
  }
}

/** Splits at the last space within the limit, or at the limit where there is none. */
function pieces(body: string): string[] {
  const found: string[] = []
  let start = 0
  while (body.length - start > maxSectionLength) {
    const space = body.lastIndexOf(' ', start + maxSectionLength)
    let end = space > start + maxSectionLength / 2 ? space : start + maxSectionLength
    if (/[\ud800-\udbff]/.test(body[end - 1]!)) end--
    found.push(body.slice(start, end).trim())
    start = end
  }
  found.push(body.slice(start).trim())
  return found
}
