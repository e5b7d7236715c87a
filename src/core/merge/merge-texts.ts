/**
 * Three-way merge of Markdown texts, block by block: the merged text and its conflicts, which may be none.
 *
 * The policy, and its price:
 * - Both sides change different blocks, even neighbours: both changes apply. A block is a thought of its own;
 *   an author who needs the two to agree must read the result.
 * - Both change the same container or list item: the same rule inside it. Both change the same block without
 *   nested blocks: by lines and words (see `merge-leaf-block.ts`), or else the whole block is the conflict.
 * - Both insert at the same position: both insertions remain, equal ones once. Items of the list above come first, then
 *   blocks of the section, then new sections, each time ours first (see `order-insertions.ts`).
 * - One edits, the other deletes: conflict. Both delete: deleted.
 * - A move is a deletion and an insertion: moved and edited is a conflict, and the moved copy remains too; moved by both
 *   to one position, it is merged there; to different ones, it remains once, where the preferred side has it.
 * - A block stays in its section: where the other side puts a heading above its neighbours, it comes before that heading;
 *   where the other side moves the section, it goes along (see `relocate-blocks.ts`). What cannot, as an item would leave
 *   its list, is a conflict by itself.
 * - A conflict grows until choosing either side deletes no block that neither side deleted, also moved, reworded or
 *   joined to others; and a merge without conflict duplicates no line (see `merge-invariants.ts`).
 * - Which blocks are conflicts depends neither on which side is ours nor on which is preferred.
 * - Blank lines never conflict. The text has no conflict markers: a conflict is rendered as the preferred side.
 */
import { planBlocks } from './plan-blocks.js'
import { splitBlocks } from './chunks.js'
import {
  type MergedText,
  type ConflictPolicy,
  concatenate,
  resolveConflict,
  withoutConflicts,
  mergeTrivially,
} from './merged-text.js'
import { renderPlan } from './render-plan.js'
import { countLines, mergeLeaf } from './merge-leaf-block.js'
import { mergeKeys } from './merge-yaml.js'

/** Texts of more lines are merged by lines, as a whole. */
const lineLimit = 100_000

/** Returns the merge of two changed versions of `base`; a conflict is rendered by the policy. */
export function mergeTexts(
  base: string,
  ours: string,
  theirs: string,
  policy: ConflictPolicy = { prefer: 'ours' },
): MergedText {
  const trivial = mergeTrivially(base, ours, theirs)
  if (trivial !== undefined) return withoutConflicts(trivial)
  if (Math.max(...[base, ours, theirs].map(countLines)) > lineLimit) {
    const merged = mergeLeaf(base, ours, theirs, true)
    return merged === undefined ? resolveConflict({ base, ours, theirs }, policy) : withoutConflicts(merged)
  }
  const [b, o, t] = [base, ours, theirs].map(splitFrontMatter) as [FrontMatter, FrontMatter, FrontMatter]
  const front = mergeFrontMatter(b, o, t, policy)
  const lineEnding = [base, ours, theirs].flatMap((text) => /\r?\n/.exec(text)?.[0] ?? [])[0] ?? '\n'
  const plan = planBlocks([splitBlocks(b.body), splitBlocks(o.body), splitBlocks(t.body)], {
    prefer: policy.prefer,
    depth: 0,
    blankLines: true,
  })
  const body = renderPlan(plan, { policy, lineEnding })
  const parts = front.text === '' || front.text.endsWith('\n') || body.text === ''
  return concatenate([front, withoutConflicts(parts ? '' : lineEnding), body])
}

interface FrontMatter {
  /** Fences and keys, each with its line ending; empty when the text has no front matter. */
  readonly open: string
  readonly keys: string
  readonly close: string
  readonly body: string
}

function splitFrontMatter(text: string): FrontMatter {
  const open = /^\uFEFF?---[ \t]*\r?\n/.exec(text)?.[0] ?? ''
  const close = open && /^---[ \t]*(?:\r?\n|$(?![^]))/m.exec(text.slice(open.length))
  if (!close) return { open: '', keys: '', close: '', body: text }
  const end = open.length + close.index
  return {
    open,
    keys: text.slice(open.length, end),
    close: close[0],
    body: text.slice(end + close[0].length),
  }
}

function mergeFrontMatter(
  base: FrontMatter,
  ours: FrontMatter,
  theirs: FrontMatter,
  policy: ConflictPolicy,
): MergedText {
  const whole = ({ open, keys, close }: FrontMatter) => open + keys + close
  const trivial = mergeTrivially(whole(base), whole(ours), whole(theirs))
  if (trivial !== undefined) return withoutConflicts(trivial)
  const keys = mergeKeys(base.keys, ours.keys, theirs.keys, policy)
  const preferred = policy.prefer === 'ours' ? ours : theirs
  const other = policy.prefer === 'ours' ? theirs : ours
  const fences = preferred.open === '' ? other : preferred
  return concatenate([withoutConflicts(fences.open), keys, withoutConflicts(fences.close)])
}
