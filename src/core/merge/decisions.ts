/**
 * The notebook of one merge: what is to be preferred, what somebody has decided already, and the
 * conflicts found so far. The only thing here that changes while a merge runs.
 */
import type { FileId, PageId } from '../ids.js'
import { sameJson } from '../merkle/map.js'
import type { Json } from '../merkle/types.js'
import type { FileRecord, NameEntry, PageRecord } from '../pages/types.js'
import { type Choice, type Choices, type Conflict, type ConflictId, conflictId } from './conflict.js'
import { type MergedText, type Settlement, type Side, type Versions } from './dispute.js'

export interface Decisions {
  readonly prefer: Side
  readonly choices: Choices
  readonly conflicts: Conflict[]
}

/** Three versions of a value; undefined where a version does not have it. */
export interface Three<Value> {
  readonly base: Value | undefined
  readonly ours: Value | undefined
  readonly theirs: Value | undefined
}

/** The same rule as for texts, for values compared by what they hold; undefined when both changed. */
export function settleValues<Value>({
  base,
  ours,
  theirs,
}: Three<Value>): { value: Value | undefined } | undefined {
  if (equal(ours, theirs) || equal(theirs, base)) return { value: ours }
  return equal(ours, base) ? { value: theirs } : undefined
}

export function equal(a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return a === b
  return sameJson(a as Json, b as Json)
}

/** The value of a page's member that both sides changed. */
export function decideMember(
  decisions: Decisions,
  page: PageId,
  member: string,
  { base = null, ours = null, theirs = null }: { base?: Json; ours?: Json; theirs?: Json },
): Json | null {
  const versions = { base, ours, theirs }
  const id = conflictId('member', `${page} ${member}`, versions)
  const choice = decisions.choices.get(id)
  if (choice && 'text' in choice) return choice.text
  if (!choice) decisions.conflicts.push({ kind: 'member', id, page, member, ...versions })
  return versions[choice?.take ?? decisions.prefer]
}

/** The side whose page stands when one deleted it; the one that has it, unless somebody decided. */
export function decidePage(decisions: Decisions, page: PageId, three: Three<PageRecord>): Side {
  const versions = orNull(three)
  const id = conflictId('page', page, versions)
  return decide(decisions, { kind: 'page', id, page, ...versions }, three.ours ? 'ours' : 'theirs')
}

/** The side whose file stands when both changed it or one deleted it. */
export function decideFile(decisions: Decisions, file: FileId, three: Three<FileRecord>): Side {
  const versions = orNull(three)
  const id = conflictId('file', file, versions)
  return decide(decisions, { kind: 'file', id, file, ...versions }, standing(decisions, three))
}

/** The side whose text file stands when one deleted it. */
export function decideText(decisions: Decisions, path: string, three: Three<NameEntry>): Side {
  const versions = orNull(three)
  const id = conflictId('text', path, versions)
  return decide(decisions, { kind: 'text', id, path, ...versions }, standing(decisions, three))
}

function standing({ prefer }: Decisions, { ours, theirs }: Three<unknown>): Side {
  return ours && theirs ? prefer : ours ? 'ours' : 'theirs'
}

function decide(decisions: Decisions, conflict: Conflict, otherwise: Side): Side {
  const choice = decisions.choices.get(conflict.id)
  if (choice && 'take' in choice) return choice.take
  decisions.conflicts.push(conflict)
  return otherwise
}

function orNull<Value>({ base, ours, theirs }: Three<Value>): {
  base: Value | null
  ours: Value | null
  theirs: Value | null
} {
  return { base: base ?? null, ours: ours ?? null, theirs: theirs ?? null }
}

/** Runs a merge of one text under the decisions made for it; its conflicts are noted. */
export function decideBlocks(
  decisions: Decisions,
  subject: { readonly page?: PageId; readonly path: string },
  merge: (settlement: Settlement) => MergedText,
): string {
  const ordinals = new Map<ConflictId, number>()
  const open: ConflictId[] = []
  const choose = (versions: Versions): string | null | undefined => {
    const known = withoutDestinations(versions)
    const first = conflictId('block', subject.page ?? subject.path, known)
    const ordinal = ordinals.get(first) ?? 0
    ordinals.set(first, ordinal + 1)
    const id = conflictId('block', subject.page ?? subject.path, known, ordinal)
    const choice: Choice | undefined = decisions.choices.get(id)
    if (!choice) open.push(id)
    return choice && ('text' in choice ? choice.text : versions[choice.take])
  }
  const { text, conflicts } = merge({ prefer: decisions.prefer, choose })
  // A text asks in the order in which its blocks stand, so the open questions and the conflicts pair up.
  for (const [index, conflict] of conflicts.entries()) {
    decisions.conflicts.push({ kind: 'block', id: open[index]!, ...subject, ...conflict })
  }
  return text
}

/** Answering one conflict may move a page, and links with it; the other conflicts keep their ids all the same. */
function withoutDestinations({ base, ours, theirs }: Versions): Versions {
  const bare = (text: string | null) =>
    text?.replace(/(\]\(|^[ ]{0,3}\[[^\]\n]{1,999}\]:[ \t]*|(?:href|src|url)=")[^\s)"]*/gm, '$1') ?? null
  return { base: bare(base), ours: bare(ours), theirs: bare(theirs) }
}
