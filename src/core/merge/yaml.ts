/**
 * Three versions of a YAML mapping (front matter, variables) merged key by key, by lines.
 *
 * Nothing is parsed beyond "a key starts here": comments, quoting and order stay as the authors wrote them.
 * A mapping under a key is merged the same way; any other value is one piece. A key that both sides add or
 * change differently is a conflict. Text that does not split into distinct keys is merged by lines.
 */
import { type MergedText, type Settlement, concatenate, dispute, plain, settle } from './dispute.js'
import { mergeLeaf } from './merge-leaf-block.js'

/** Returns the merge of three mappings, key by key; where they conflict, the text shows what is settled. */
export function mergeKeys(
  base: string,
  ours: string,
  theirs: string,
  settlement: Settlement = { prefer: 'ours' },
): MergedText {
  const settled = settle(base, ours, theirs)
  if (settled !== undefined) return plain(settled)
  const [inBase, inOurs, inTheirs] = [base, ours, theirs].map((text) => splitKeys(text))
  if (!inBase || !inOurs || !inTheirs) {
    const merged = mergeLeaf(base, ours, theirs, false)
    return merged === undefined ? dispute({ base, ours, theirs }, settlement) : plain(merged)
  }

  // The order is ours, unless only theirs has changed it.
  const [first, second] =
    keepsOrder(inBase, inOurs) && !keepsOrder(inBase, inTheirs) ? [inTheirs, inOurs] : [inOurs, inTheirs]
  const lineEnding = /\r?\n/.exec(base + ours + theirs)?.[0] ?? '\n'
  const pieces: MergedText[] = []
  let open = false
  for (const key of mergedOrder(first, second)) {
    const piece = mergeEntry(
      inBase.get(key) ?? null,
      inOurs.get(key) ?? null,
      inTheirs.get(key) ?? null,
      settlement,
    )
    if (piece.text !== '' && open) pieces.push(plain(lineEnding))
    if (piece.text !== '') open = !piece.text.endsWith('\n')
    pieces.push(piece)
  }
  return concatenate(pieces)
}

function mergeEntry(
  base: string | null,
  ours: string | null,
  theirs: string | null,
  settlement: Settlement,
): MergedText {
  const settled = settle(base, ours, theirs)
  if (settled !== undefined) return plain(settled ?? '')
  const [inBase, inOurs, inTheirs] = [base, ours, theirs].map((entry) => openMapping(entry ?? ''))
  if (inBase && inOurs && inTheirs) {
    const head = mergeLeaf(inBase.head, inOurs.head, inTheirs.head, false)
    if (head !== undefined) {
      return concatenate([plain(head), mergeKeys(inBase.inner, inOurs.inner, inTheirs.inner, settlement)])
    }
  }
  return dispute({ base, ours, theirs }, settlement)
}

function keepsOrder(base: ReadonlyMap<string, string>, side: ReadonlyMap<string, string>): boolean {
  const before = [...base.keys()].filter((key) => side.has(key))
  const after = [...side.keys()].filter((key) => base.has(key))
  return before.every((key, index) => after[index] === key)
}

/** Every key of both, in the first's order; what only the second has follows what precedes it there. */
function mergedOrder(first: ReadonlyMap<string, string>, second: ReadonlyMap<string, string>): string[] {
  const following = new Map<string, string[]>()
  let last = ''
  for (const key of second.keys()) {
    if (first.has(key)) last = key
    else if (following.has(last)) following.get(last)!.push(key)
    else following.set(last, [key])
  }
  // New keys of the first side stay before those of the second at the same place.
  const order: string[] = []
  const waiting = [...(following.get('') ?? [])]
  for (const key of first.keys()) {
    if (second.has(key)) {
      for (const other of waiting.splice(0)) order.push(other)
    }
    order.push(key)
    for (const other of following.get(key) ?? []) waiting.push(other)
  }
  return [...order, ...waiting]
}

const keyLine = /^([ \t]*)("(?:[^"\\]|\\.)*"|'[^']*'|(?:[^\s#'"&*!|>%@`[\]{},?:-]|-[^\s:-])[^:\n]*):(?:\s|$)/

/** Longer mappings are merged by lines: nobody reads front matter of this size. */
const mappingLimit = 64_000

/** Key → its lines, comments above included; undefined when the text is no mapping of distinct keys. */
function splitKeys(text: string): Map<string, string> | undefined {
  const entries = new Map<string, string>()
  if (text.trim() === '') return entries
  if (text.length > mappingLimit) return undefined
  let indent: string | undefined
  let key: string | undefined
  let lead = ''
  for (const line of text.split(/(?<=\n)/)) {
    const found = keyLine.exec(line)
    if (found && (indent === undefined || found[1] === indent)) {
      indent = found[1]!
      key = found[2]!.trimEnd()
      if (entries.has(key)) return undefined
      entries.set(key, lead + line)
      lead = ''
    } else if (key !== undefined && !line.startsWith(`${indent}#`)) {
      entries.set(key, entries.get(key)! + lead + line)
      lead = ''
    } else if (line.trim() === '' || line.trimStart().startsWith('#')) {
      lead += line
    } else return undefined
  }
  if (lead !== '') {
    if (key === undefined) return undefined
    entries.set(key, entries.get(key)! + lead)
  }
  return entries
}

/** `key:` on a line of its own and the deeper mapping below it. */
function openMapping(entry: string): { head: string; inner: string } | undefined {
  const head = /^(?:[ \t]*#[^\n]*\n)*[ \t]*[^\s:][^:\n]*:[ \t]*\r?\n/.exec(entry)?.[0]
  const inner = entry.slice(head?.length ?? 0)
  return head && /^[ \t]+[^\s-]/.test(inner) ? { head, inner } : undefined
}
