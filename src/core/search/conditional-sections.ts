/**
 * Search sections of conditional content, with their conditions, which are evaluated for each reader before a section
 * can be found.
 *
 * Sections follow the blocks of the document, conditions the tags of the text (`markdown/visible-text.ts`). Where the two
 * differ, as with a tag inside a table or without its partner, nothing is indexed.
 */
import { visitBlocks } from '../document/visit.js'
import type { Block, Document } from '../document/types.js'
import { splitSections, type Section, type SpecificationWords } from './sections.js'

export interface ConditionalSection extends Omit<Section, 'position'> {
  /** Conditions that must all be true, the outermost first. */
  readonly conditions: readonly string[]
  /** True where its heading is under the same conditions. */
  readonly isNamed: boolean
}

/** Content under further conditions of one page is not indexed. */
const maxSections = 500

/**
 * Returns the conditional sections, in order. `marks` are the expressions of the conditions in the text, in
 * order; undefined where their tags are not paired.
 */
export function collectConditionalSections(
  document: Document,
  title: string,
  marks: readonly string[] | undefined,
  specificationWords: SpecificationWords = () => undefined,
): readonly ConditionalSection[] {
  if (marks === undefined || marks.length === 0) return []
  const visible: string[] = []
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
        visible.push(expression)
        read(closed, [...conditions, expression], { ...inside, isNamed: false })
      },
    })
  }
  read(document.blocks, [], { heading: title, anchor: undefined, isNamed: false })
  const isSame = visible.length === marks.length && visible.every((one, at) => one === marks[at])
  return isSame && areAllCollected(document, visible.length) ? found.slice(0, maxSections) : []
}

type HeadingContext = Parameters<typeof splitSections>[1]

/** True when no condition is where sections are not split, as in tables. */
function areAllCollected(document: Document, count: number): boolean {
  let all = 0
  visitBlocks(document, ({ type }) => {
    if (type === 'if') all += 1
  })
  return all === count
}
