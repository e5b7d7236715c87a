/**
 * What is in a page under conditions, cut at its headings as the rest is: by its conditions, so that whoever
 * searches is judged by them before anything is found.
 *
 * It is cut by the blocks of the document, and what is closed in a text is reported by its marks (`markdown/visible-text.ts`).
 * Where the two do not say the same, as with a mark inside of a table or without its partner, nothing is found.
 */
import { visitBlocks } from '../document/visit.js'
import type { Block, Document } from '../document/types.js'
import { splitSections, type Section, type SpecificationWords } from './sections.js'

export interface ConditionalSection extends Omit<Section, 'position'> {
  /** All that must hold, the outermost first. */
  readonly conditions: readonly string[]
  /** True where its heading stands under the same conditions. */
  readonly isNamed: boolean
}

/** More of one page are not told apart: what stands under further ones is not found. */
const maxSections = 500

/**
 * Returns what stands under conditions, in order. `marks` are the expressions by which the text opens conditions, in
 * order; undefined where these are not paired.
 */
export function collectConditionalSections(
  document: Document,
  title: string,
  marks: readonly string[] | undefined,
  specificationWords: SpecificationWords = () => undefined,
): readonly ConditionalSection[] {
  if (marks === undefined || marks.length === 0) return []
  const seen: string[] = []
  const found: ConditionalSection[] = []
  const read = (blocks: readonly Block[], conditions: readonly string[], context: HeadingContext): void => {
    let inside = context
    splitSections(blocks, context, {
      section({ heading, anchor, isNamed }, body) {
        if (conditions.length === 0 || (body === '' && !isNamed)) return
        found.push({ heading, ...(anchor !== undefined && { anchor }), body, conditions, isNamed })
      },
      specificationWords,
      place(now) {
        inside = now
      },
      closed({ expression, blocks: closed }) {
        seen.push(expression)
        read(closed, [...conditions, expression], { ...inside, isNamed: false })
      },
    })
  }
  read(document.blocks, [], { heading: title, anchor: undefined, isNamed: false })
  const isSame = seen.length === marks.length && seen.every((one, at) => one === marks[at])
  return isSame && areAllCollected(document, seen.length) ? found.slice(0, maxSections) : []
}

type HeadingContext = Parameters<typeof splitSections>[1]

/** True when no condition stands where sections are not cut, as in tables. */
function areAllCollected(document: Document, count: number): boolean {
  let all = 0
  visitBlocks(document, ({ type }) => {
    if (type === 'if') all += 1
  })
  return all === count
}
