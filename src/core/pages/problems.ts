/**
 * What an author should look at after an import. Nothing of it keeps a tree out: what can be kept is kept, and the
 * rest is told, with the file and the line where somebody can mend it.
 */

/** Sorts of problems, those first that an author should see first. */
export const problemKinds = [
  /** A file or folder that did not come in. */
  'left-out',
  /** Something of a file from elsewhere that has no place in a page. */
  'conversion',
  /** Names that differ in case or accents alone, and pages that got a numbered address. */
  'twin',
  /** The table of contents, or `.gitbook.yaml`. */
  'structure',
  /** A picture that is not there. */
  'image',
  /** A link that leads nowhere. */
  'link',
  /** A link to a part that its page does not have. */
  'anchor',
  /** Markdown that could not be read as meant. */
  'text',
  /** What a site that is not adaptive shows to everybody. */
  'condition',
  /** A Markdown file that is kept, and no page. */
  'unlisted',
] as const

export type ProblemKind = (typeof problemKinds)[number]

export interface ImportProblem {
  readonly kind: ProblemKind
  /** File path from the root of the tree. */
  readonly path: string
  /** From 1; absent for what is said of the whole file. */
  readonly line?: number
  readonly message: string
}

/** Returns the problems in the order in which they are told. */
export function inOrderOfKinds(problems: readonly ImportProblem[]): readonly ImportProblem[] {
  const rank = new Map(problemKinds.map((kind, index) => [kind, index]))
  return problems.toSorted(
    (one, other) =>
      rank.get(one.kind)! - rank.get(other.kind)! ||
      (one.path < other.path ? -1 : one.path > other.path ? 1 : 0) ||
      (one.line ?? 0) - (other.line ?? 0),
  )
}
