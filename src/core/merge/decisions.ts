/**
 * Conflict decisions of one merge: the preferred side, the choices already made, and the conflicts found so far.
 * The only mutable state of a running merge.
 */
import type { FileId, PageId } from '../ids.js'
import { sameJson } from '../merkle/map.js'
import type { Json } from '../merkle/types.js'
import type { FileRecord, NameEntry, PageRecord } from '../pages/types.js'
import { type Choice, type Choices, type Conflict, type ConflictId, conflictId } from './conflict.js'
import { type MergedText, type ConflictPolicy, type Side, type TextVersions } from './merged-text.js'

export interface Decisions {
  readonly prefer: Side
  readonly choices: Choices
  readonly conflicts: Conflict[]
}

/** Three versions of a value; undefined where a version does not have it. */
export interface ThreeWay<Value> {
  readonly base: Value | undefined
  readonly ours: Value | undefined
  readonly theirs: Value | undefined
}

/** The three-way rule for values compared by content; undefined when both changed. */
export function mergeValuesTrivially<Value>({
  base,
  ours,
  theirs,
}: ThreeWay<Value>): { value: Value | undefined } | undefined {
  if (equal(ours, theirs) || equal(theirs, base)) return { value: ours }
  return equal(ours, base) ? { value: theirs } : undefined
}

export function equal(a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return a === b
  return sameJson(a, b)
}

/** Returns the value of a page's member that both sides changed. */
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

/** Returns the side whose page is used when one deleted it: the one that has it, unless a choice was made. */
export function decidePage(decisions: Decisions, page: PageId, three: ThreeWay<PageRecord>): Side {
  const versions = orNull(three)
  const id = conflictId('page', page, versions)
  return decide(decisions, { kind: 'page', id, page, ...versions }, three.ours ? 'ours' : 'theirs')
}

/** Returns the side whose file is used when both changed it or one deleted it. */
export function decideFile(decisions: Decisions, file: FileId, three: ThreeWay<FileRecord>): Side {
  const versions = orNull(three)
  const id = conflictId('file', file, versions)
  return decide(decisions, { kind: 'file', id, file, ...versions }, defaultSide(decisions, three))
}

/** Returns the side whose text file is used when one deleted it. */
export function decideText(decisions: Decisions, path: string, three: ThreeWay<NameEntry>): Side {
  const versions = orNull(three)
  const id = conflictId('text', path, versions)
  return decide(decisions, { kind: 'text', id, path, ...versions }, defaultSide(decisions, three))
}

function defaultSide({ prefer }: Decisions, { ours, theirs }: ThreeWay<unknown>): Side {
  return ours && theirs ? prefer : ours ? 'ours' : 'theirs'
}

function decide(decisions: Decisions, conflict: Conflict, fallback: Side): Side {
  const choice = decisions.choices.get(conflict.id)
  if (choice && 'take' in choice) return choice.take
  decisions.conflicts.push(conflict)
  return fallback
}

function orNull<Value>({ base, ours, theirs }: ThreeWay<Value>): {
  base: Value | null
  ours: Value | null
  theirs: Value | null
} {
  return { base: base ?? null, ours: ours ?? null, theirs: theirs ?? null }
}

/** Runs the merge of one text with the choices made for it, and records its conflicts. */
export function decideBlocks(
  decisions: Decisions,
  subject: { readonly page?: PageId; readonly path: string },
  merge: (policy: ConflictPolicy) => MergedText,
): string {
  const ordinals = new Map<ConflictId, number>()
  const undecided: ConflictId[] = []
  const choose = (versions: TextVersions): string | null | undefined => {
    const comparable = withoutDestinations(versions)
    const first = conflictId('block', subject.page ?? subject.path, comparable)
    const ordinal = ordinals.get(first) ?? 0
    ordinals.set(first, ordinal + 1)
    const id = conflictId('block', subject.page ?? subject.path, comparable, ordinal)
    const choice: Choice | undefined = decisions.choices.get(id)
    if (!choice) undecided.push(id)
    return choice && ('text' in choice ? choice.text : versions[choice.take])
  }
  const { text, conflicts } = merge({ prefer: decisions.prefer, choose })
  // A text calls `choose` in document order, so the undecided ids and the conflicts pair up.
  for (const [index, conflict] of conflicts.entries()) {
    decisions.conflicts.push({ kind: 'block', id: undecided[index]!, ...subject, ...conflict })
  }
  return text
}

/** Resolving one conflict may move a page, and links with it, without changing the ids of other conflicts. */
function withoutDestinations({ base, ours, theirs }: TextVersions): TextVersions {
  const bare = (text: string | null) =>
    text?.replace(/(\]\(|^[ ]{0,3}\[[^\]\n]{1,999}\]:[ \t]*|(?:href|src|url)=")[^\s)"]*/gm, '$1') ?? null
  return { base: bare(base), ours: bare(ours), theirs: bare(theirs) }
}
