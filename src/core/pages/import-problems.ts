/**
 * Import warnings for authors. None of them fails an import: everything possible is imported, and the rest is
 * reported, with the file and the line to fix.
 */

/** Kinds of problems, the most important first. */
export const problemKinds = [
  /** A file or folder that was not imported. */
  'left-out',
  /** Content of a converted file that a page cannot have. */
  'conversion',
  /** Names that differ in case or accents alone, and pages that got a numbered address. */
  'twin',
  /** The table of contents, or `.gitbook.yaml`. */
  'structure',
  /** A missing picture. */
  'image',
  /** A broken link. */
  'link',
  /** A link to a missing section of its page. */
  'anchor',
  /** Markdown that could not be read as meant. */
  'text',
  /** Conditional content that a site without adaptive content shows to every reader. */
  'condition',
  /** A Markdown file that is imported, but is no page. */
  'unlisted',
] as const

export type ProblemKind = (typeof problemKinds)[number]

export interface ImportProblem {
  readonly kind: ProblemKind
  /** File path from the root of the tree. */
  readonly path: string
  /** From 1; absent for problems of the whole file. */
  readonly line?: number
  readonly message: string
}

/** Returns the problems in the order in which they are reported. */
export function sortProblems(problems: readonly ImportProblem[]): readonly ImportProblem[] {
  const rank = new Map(problemKinds.map((kind, index) => [kind, index]))
  return problems.toSorted(
    (one, other) =>
      rank.get(one.kind)! - rank.get(other.kind)! ||
      (one.path < other.path ? -1 : one.path > other.path ? 1 : 0) ||
      (one.line ?? 0) - (other.line ?? 0),
  )
}
