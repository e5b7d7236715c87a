/**
 * Sections of a block sequence: the heading that each block stands under.
 *
 * A section reaches from its heading to the next one of its level or above. Headings inside containers and list items
 * are in a sequence of their own and open no section of the outer one.
 */

/** The members of a block that its section follows from. */
interface SectionBlock {
  readonly kind: string
  readonly body: string
}

/** Returns the level of a heading, 1 to 6; 0 for every other block. */
export function headingLevel({ kind, body }: SectionBlock): number {
  if (!kind.startsWith('heading')) return 0
  // Blocks of a document's JSON have their level in the kind.
  if (kind.length > 'heading'.length) return Number(kind.at(-1))
  if (body.includes('\n')) return body.trimEnd().endsWith('=') ? 1 : 2
  return /#{1,6}/.exec(body)?.[0].length ?? 1
}

/** A heading below which blocks may follow, with the headings above it. */
export interface OpenSection<Heading> {
  readonly level: number
  readonly heading: Heading
  readonly above: OpenSection<Heading> | undefined
}

/** Returns the innermost section that a block of this level, 0 for one that is no heading, stands in. */
export function enclosingSection<Heading>(
  open: OpenSection<Heading> | undefined,
  level: number,
): OpenSection<Heading> | undefined {
  let section = open
  if (level > 0) while (section && section.level >= level) section = section.above
  return section
}

/** Returns the index of the heading above each block, for a heading the one of its outer section; -1 for none. */
export function parentHeadings(blocks: readonly SectionBlock[]): Int32Array {
  const parents = new Int32Array(blocks.length).fill(-1)
  let open: OpenSection<number> | undefined
  for (const [at, block] of blocks.entries()) {
    const level = headingLevel(block)
    const above = enclosingSection(open, level)
    if (above) parents[at] = above.heading
    if (level > 0) open = { level, heading: at, above }
  }
  return parents
}
