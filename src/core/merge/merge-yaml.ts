/**
 * Three-way merge of YAML mappings (front matter, variables), key by key.
 *
 * Only the lines where keys start are recognized: comments, quoting and order stay as the authors wrote them.
 * A nested mapping is merged the same way; any other value is atomic. A key that both sides add or change
 * differently is a conflict. Text that does not split into distinct keys is merged by lines.
 */
import {
  type MergedText,
  type ConflictPolicy,
  concatenate,
  resolveConflict,
  withoutConflicts,
  mergeTrivially,
} from './merged-text.js'
import { mergeLeaf } from './merge-leaf-block.js'

/** Returns the merge of three mappings, key by key; a conflict is rendered by the policy. */
export function mergeKeys(
  base: string,
  ours: string,
  theirs: string,
  policy: ConflictPolicy = { prefer: 'ours' },
): MergedText {
  const trivial = mergeTrivially(base, ours, theirs)
  if (trivial !== undefined) return withoutConflicts(trivial)
  const versions = [base, ours, theirs]
  const [inBase, inOurs, inTheirs] = splitAll(versions, splitKeys) ?? splitAll(versions, splitItems) ?? []
  if (!inBase || !inOurs || !inTheirs) {
    const merged = mergeLeaf(base, ours, theirs, false)
    return merged === undefined ? resolveConflict({ base, ours, theirs }, policy) : withoutConflicts(merged)
  }

  // The order is ours, unless only theirs has changed it.
  const [first, second] =
    keepsOrder(inBase, inOurs) && !keepsOrder(inBase, inTheirs) ? [inTheirs, inOurs] : [inOurs, inTheirs]
  const lineEnding = /\r?\n/.exec(base + ours + theirs)?.[0] ?? '\n'
  const parts: MergedText[] = []
  let needsLineEnding = false
  for (const key of mergedOrder(first, second)) {
    const part = mergeEntry(
      inBase.get(key) ?? null,
      inOurs.get(key) ?? null,
      inTheirs.get(key) ?? null,
      policy,
    )
    if (part.text !== '' && needsLineEnding) parts.push(withoutConflicts(lineEnding))
    if (part.text !== '') needsLineEnding = !part.text.endsWith('\n')
    parts.push(part)
  }
  return concatenate(parts)
}

function mergeEntry(
  base: string | null,
  ours: string | null,
  theirs: string | null,
  policy: ConflictPolicy,
): MergedText {
  const trivial = mergeTrivially(base, ours, theirs)
  if (trivial !== undefined) return withoutConflicts(trivial ?? '')
  if (base !== null && ours !== null && theirs !== null && [base, ours, theirs].every(isItem))
    return mergeItems(base, ours, theirs, policy)
  const [inBase, inOurs, inTheirs] = [base, ours, theirs].map((entry) => openMapping(entry ?? ''))
  if (inBase && inOurs && inTheirs) {
    const head = mergeLeaf(inBase.head, inOurs.head, inTheirs.head, false)
    if (head !== undefined) {
      return concatenate([
        withoutConflicts(head),
        mergeKeys(inBase.inner, inOurs.inner, inTheirs.inner, policy),
      ])
    }
  }
  return resolveConflict({ base, ours, theirs }, policy)
}

function keepsOrder(base: ReadonlyMap<string, string>, side: ReadonlyMap<string, string>): boolean {
  const before = [...base.keys()].filter((key) => side.has(key))
  const after = [...side.keys()].filter((key) => base.has(key))
  return before.every((key, index) => after[index] === key)
}

/** Every key of both, in the first's order; keys of the second alone follow their predecessor there. */
function mergedOrder(first: ReadonlyMap<string, string>, second: ReadonlyMap<string, string>): string[] {
  const following = new Map<string, string[]>()
  let last = ''
  for (const key of second.keys()) {
    if (first.has(key)) last = key
    else if (following.has(last)) following.get(last)!.push(key)
    else following.set(last, [key])
  }
  // New keys of the first side precede those of the second at the same position.
  const order: string[] = []
  const pendingKeys = [...(following.get('') ?? [])]
  for (const key of first.keys()) {
    if (second.has(key)) {
      for (const other of pendingKeys.splice(0)) order.push(other)
    }
    order.push(key)
    for (const other of following.get(key) ?? []) pendingKeys.push(other)
  }
  return [...order, ...pendingKeys]
}

const keyLine = /^([ \t]*)("(?:[^"\\]|\\.)*"|'[^']*'|(?:[^\s#'"&*!|>%@`[\]{},?:-]|-[^\s:-])[^:\n]*):(?:\s|$)/

/** Longer mappings are merged by lines: no author reads front matter of this size. */
const mappingLimit = 64_000

/** Key → its lines, comments above included; undefined when the text is no mapping of distinct keys. */
function splitKeys(text: string): Map<string, string> | undefined {
  const entries = new Map<string, string>()
  if (text.trim() === '') return entries
  if (text.length > mappingLimit) return undefined
  let indent: string | undefined
  let key: string | undefined
  let pendingLines = ''
  for (const line of text.split(/(?<=\n)/)) {
    const found = keyLine.exec(line)
    if (found && (indent === undefined || found[1] === indent)) {
      indent = found[1]!
      key = found[2]!.trimEnd()
      if (entries.has(key)) return undefined
      entries.set(key, pendingLines + line)
      pendingLines = ''
    } else if (key !== undefined && !line.startsWith(`${indent}#`)) {
      entries.set(key, entries.get(key)! + pendingLines + line)
      pendingLines = ''
    } else if (line.trim() === '' || line.trimStart().startsWith('#')) {
      pendingLines += line
    } else return undefined
  }
  if (pendingLines !== '') {
    if (key === undefined) return undefined
    entries.set(key, entries.get(key)! + pendingLines)
  }
  return entries
}

function splitAll(
  texts: readonly string[],
  split: (text: string) => Map<string, string> | undefined,
): Map<string, string>[] | undefined {
  const all = texts.map(split)
  return all.some((one) => one === undefined) ? undefined : (all as Map<string, string>[])
}

const itemLine = /^([ \t]*)-[ \t]+\S/
/** The name of an item of a list of tags: the value of its key `tag`, or the item itself. */
const itemName = /^[ \t]*(?:-[ \t]+)?tag:[ \t]+(\S[^\n]*)|^[ \t]*-[ \t]+([^\s:#][^:\n]*)$/m

/** Tag → its lines, comments above included; undefined when the text is no list of distinct tags. */
function splitItems(text: string): Map<string, string> | undefined {
  const items = new Map<string, string>()
  if (text.trim() === '') return items
  if (text.length > mappingLimit) return undefined
  const blocks: string[] = []
  let indent: string | undefined
  let above = ''
  for (const line of text.split(/(?<=\n)/)) {
    const found = itemLine.exec(line)
    if (found && (indent === undefined || found[1] === indent)) {
      indent = found[1]!
      blocks.push(above + line)
      above = ''
    } else if (line.trim() === '' || line.trimStart().startsWith('#')) above += line
    else if (blocks.length > 0 && line.startsWith(`${indent} `)) {
      blocks.push(blocks.pop()! + above + line)
      above = ''
    } else return undefined
  }
  if (blocks.length === 0) return undefined
  blocks.push(blocks.pop()! + above)
  for (const block of blocks) {
    const [, named, plain] = itemName.exec(block) ?? []
    const written = named ?? plain
    if (written === undefined) return undefined
    const comment = written.search(/\s#/)
    const name = (comment < 0 ? written : written.slice(0, comment)).trim()
    if (items.has(name)) return undefined
    items.set(name, block)
  }
  return items
}

function isItem(entry: string): boolean {
  return /^(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*-[ \t]/.test(entry)
}

/** Merges an item as the mapping that it is: its dash counts as indentation. */
function mergeItems(base: string, ours: string, theirs: string, policy: ConflictPolicy): MergedText {
  const mappings = [base, ours, theirs].map((entry) => entry.replace(/^([ \t]*)-(?=[ \t])/m, '$1 '))
  const [inBase, inOurs, inTheirs] = mappings as [string, string, string]
  if (splitAll(mappings, splitKeys) === undefined) return resolveConflict({ base, ours, theirs }, policy)
  const { text, conflicts } = mergeKeys(inBase, inOurs, inTheirs, policy)
  return { text: text.replace(/^([ \t]*) (?=[ \t][^\s#])/m, '$1-'), conflicts }
}

/** `key:` on a line of its own, with a comment or none, and the deeper mapping below it. */
function openMapping(entry: string): { head: string; inner: string } | undefined {
  const head = /^(?:[ \t]*#[^\n]*\n)*[ \t]*[^\s:][^:\n]*:(?:[ \t]+#[^\n]*|[ \t]*\r?)\n/.exec(entry)?.[0]
  const inner = entry.slice(head?.length ?? 0)
  return head && /^[ \t]+[^\s-]/.test(inner) ? { head, inner } : undefined
}
