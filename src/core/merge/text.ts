/**
 * Three versions of a Markdown text become one, and a list of conflicts that may be empty.
 *
 * Blocks first, what is inside them second. The policy, and its price:
 * - Both sides change different blocks, even neighbours: both changes stand. A block is a thought of its own;
 *   whoever needs the two to agree must read the result.
 * - Both change the same container or list item: the same rule inside it. Both change the same block with no
 *   blocks inside: by lines and words (see `leaf.ts`), or else the whole block is the conflict.
 * - Both insert at the same place: both are kept, ours first; what is equal is kept once.
 * - One edits, the other deletes: conflict. Both delete: deleted.
 * - A move is a deletion and an insertion: moved and edited is a conflict, and the moved copy stands too;
 *   moved by both to different places, it stands once, where the preferred side has it.
 * - A conflict grows until settling it for either side deletes no block that all three versions hold, and a
 *   merge without conflict holds no line more often than somebody wrote it (see `nets.ts`).
 * - Blank lines never conflict. Text never holds markers: a conflict shows the side that is preferred.
 */
import { planBlocks } from './blocks.js'
import { splitBlocks } from './chunks.js'
import { type MergedText, type Settlement, concatenate, dispute, plain, settle } from './dispute.js'
import { writePlan } from './render-plan.js'
import { countLines, mergeLeaf } from './merge-leaf-block.js'
import { mergeKeys } from './yaml.js'

/** Texts of more lines are merged by lines, as a whole. */
const lineLimit = 100_000

/** Returns the merge of two changed versions of `base`; where they conflict, the text shows what is settled. */
export function mergeTexts(
  base: string,
  ours: string,
  theirs: string,
  settlement: Settlement = { prefer: 'ours' },
): MergedText {
  const settled = settle(base, ours, theirs)
  if (settled !== undefined) return plain(settled)
  if (Math.max(...[base, ours, theirs].map(countLines)) > lineLimit) {
    const merged = mergeLeaf(base, ours, theirs, true)
    return merged === undefined ? dispute({ base, ours, theirs }, settlement) : plain(merged)
  }
  const [b, o, t] = [base, ours, theirs].map(splitFrontMatter) as [FrontMatter, FrontMatter, FrontMatter]
  const front = mergeFrontMatter(b, o, t, settlement)
  const lineEnding = [base, ours, theirs].flatMap((text) => /\r?\n/.exec(text)?.[0] ?? [])[0] ?? '\n'
  const plan = planBlocks([splitBlocks(b.body), splitBlocks(o.body), splitBlocks(t.body)], {
    prefer: settlement.prefer,
    depth: 0,
    blankLines: true,
  })
  const body = writePlan(plan, { settlement, lineEnding })
  const parts = front.text === '' || front.text.endsWith('\n') || body.text === ''
  return concatenate([front, plain(parts ? '' : lineEnding), body])
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
  settlement: Settlement,
): MergedText {
  const whole = ({ open, keys, close }: FrontMatter) => open + keys + close
  const settled = settle(whole(base), whole(ours), whole(theirs))
  if (settled !== undefined) return plain(settled)
  const keys = mergeKeys(base.keys, ours.keys, theirs.keys, settlement)
  const preferred = settlement.prefer === 'ours' ? ours : theirs
  const other = settlement.prefer === 'ours' ? theirs : ours
  const fences = preferred.open === '' ? other : preferred
  return concatenate([plain(fences.open), keys, plain(fences.close)])
}
