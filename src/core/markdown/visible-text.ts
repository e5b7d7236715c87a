/**
 * Conditional content: removes from a text everything between `{% if … %}` and `{% endif %}` whose condition does not
 * hold for a reader, branch by branch.
 *
 * It is removed from the source text, before anything parses, lists, renders or sends it, so that no output has to
 * handle conditions. Tags are paired in order, anywhere: a tag that the parser would treat as text, inside a line or
 * unpaired, still hides. Only in code they have no effect.
 */
import { partitionPoint } from '../binary-search.js'
import { visitBlocks } from '../document/visit.js'
import { branchCondition, isBranch, ownExpression } from './branches.js'
import { findConstruct } from './constructs.js'
import { maxTextLength, parsePage } from './parse.js'
import type { SyntaxNode } from './syntax-node.js'
import { chooseFiller, maskTags, parseSyntax, separateTags, spanIn } from './source.js'
import { type Tag, findTags } from './tags.js'

interface Range {
  readonly start: number
  readonly end: number
}

/** A tag that opens or closes a condition, or begins another branch of it. */
interface ConditionTag extends Range {
  readonly role: 'open' | 'branch' | 'close'
  /** Absent for a malformed tag, and then never true. */
  readonly tag?: Tag
}

/** Matches the start of a condition tag, even an unterminated one. */
const conditionStart = /\{%-?[ \t]*if(?![\w@/.])/g

/** Returns the text without hidden content; the same string when nothing is hidden. `holds` evaluates an expression. */
export function visibleText(text: string, holds: (expression: string) => boolean): string {
  if (text.search(conditionStart) < 0) return text
  const parts: string[] = []
  let done = 0
  for (const { start, end } of hiddenRanges(findConditionTags(text), text.length, holds)) {
    parts.push(text.slice(done, start))
    done = end
  }
  return parts.join('') + text.slice(done)
}

/** Returns the unconditional content of a text, visible to every reader. */
export function publicText(text: string): string {
  return visibleText(text, () => false)
}

/**
 * Returns the condition expressions of a text, in order; undefined when a condition tag is malformed or unpaired.
 */
export function findConditions(text: string): readonly string[] | undefined {
  if (text.search(conditionStart) < 0) return []
  const expressions: string[] = []
  /** The expressions of the branches of each open condition. */
  const open: string[][] = []
  for (const mark of findConditionTags(text)) {
    if (mark.role === 'close') {
      if (open.pop() === undefined) return undefined
      continue
    }
    const branches = mark.role === 'open' ? [] : open.at(-1)
    if (mark.tag === undefined || branches === undefined) return undefined
    expressions.push(conditionOf(mark, branches))
    if (mark.role === 'open') open.push([mark.tag.rest])
    else branches.push(ownExpression(mark.tag) ?? '')
  }
  return open.length === 0 ? expressions : undefined
}

function conditionOf({ role, tag }: ConditionTag, earlier: readonly string[]): string {
  return role === 'open' ? tag!.rest : branchCondition(tag!, earlier)
}

/** A condition whose end has not been reached. */
interface OpenCondition {
  readonly start: number
  readonly expressions: string[]
  /** True while all around it is visible: otherwise an outer range covers it. */
  readonly isOutermost: boolean
  /** Where the hidden text of the current branch begins; undefined while the branch is visible. */
  hiddenFrom: number | undefined
  /** Whether the opening tag is hidden, as it is without its branch: then the end tag is hidden too. */
  isUntagged: boolean
}

/**
 * Returns the outermost hidden ranges; an unclosed one extends to the end of the text. A branch that is visible keeps its
 * `if` tag only where it is the first.
 */
function hiddenRanges(
  marks: readonly ConditionTag[],
  length: number,
  holds: (expression: string) => boolean,
): Range[] {
  const hidden: Range[] = []
  const open: OpenCondition[] = []
  let isHidden = false
  const isBranchVisible = (mark: ConditionTag, earlier: readonly string[]): boolean =>
    mark.tag !== undefined && holds(conditionOf(mark, earlier))
  for (const mark of marks) {
    const { role, start, end } = mark
    if (role === 'open') {
      const isOutermost: boolean = !isHidden
      const isVisible: boolean = isOutermost && isBranchVisible(mark, [])
      open.push({
        start,
        expressions: [mark.tag?.rest ?? ''],
        isOutermost,
        hiddenFrom: isVisible || !isOutermost ? undefined : start,
        isUntagged: !isVisible,
      })
      isHidden ||= !isVisible
      continue
    }
    const last = open.at(-1)
    if (last === undefined) continue
    if (role === 'branch') {
      const isVisible = last.isOutermost && isBranchVisible(mark, last.expressions)
      last.expressions.push((mark.tag && ownExpression(mark.tag)) ?? '')
      if (!last.isOutermost) continue
      const { hiddenFrom, isUntagged } = last
      if (isVisible && (hiddenFrom !== undefined || isUntagged))
        hidden.push({ start: hiddenFrom ?? start, end })
      last.hiddenFrom = isVisible ? undefined : (hiddenFrom ?? start)
      isHidden = !isVisible
      continue
    }
    open.pop()
    if (!last.isOutermost) continue
    isHidden = false
    if (last.hiddenFrom !== undefined)
      hidden.push({ start: last.hiddenFrom, end: last.isUntagged ? end : start })
    else if (last.isUntagged) hidden.push({ start, end })
  }
  const unclosed = open.find(({ hiddenFrom }) => hiddenFrom !== undefined)
  return unclosed === undefined ? hidden : [...hidden, { start: unclosed.hiddenFrom!, end: length }]
}

function findConditionTags(text: string): ConditionTag[] {
  const tags = findTags(text)
  const literal = literalRanges(text, tags)
  const marks = tags.flatMap((tag): ConditionTag[] => {
    if (tag.name === 'if') return [{ ...tag.span, role: tag.closes ? 'close' : 'open', tag }]
    return isBranch(tag) ? [{ ...tag.span, role: 'branch', tag }] : []
  })
  const starts = new Set(marks.map(({ start }) => start))
  for (const { index, 0: match } of text.matchAll(conditionStart)) {
    if (!starts.has(index)) marks.push({ start: index, end: index + match.length, role: 'open' })
  }
  const inCode = within(literal)
  return marks.filter(({ start }) => !inCode(start)).toSorted((one, other) => one.start - other.start)
}

/**
 * Returns the ranges where tags are literal: the front matter, inline code, and code blocks; of those only fenced
 * ones that are code both to the Markdown parser and in the document, because either may treat as code what the other
 * renders as text.
 */
function literalRanges(text: string, tags: readonly Tag[]): Range[] {
  if (text.length > maxTextLength) return []
  const { document, frontMatter } = parsePage(text)
  const blocks: Range[] = []
  visitBlocks(document, (block) => {
    if (block.type === 'code') blocks.push(block.span)
  })
  const isBlock = within(blocks)
  const codeRanges = syntaxOf(text, tags).filter(
    // Indented code is more often than not unintended.
    ({ kind, start }) => kind === 'inlineCode' || (/[`~]/.test(text[start]!) && isBlock(start)),
  )
  return [...(frontMatter === undefined ? [] : [frontMatter]), ...codeRanges]
}

function syntaxOf(text: string, tags: readonly Tag[]): (Range & { readonly kind: string })[] {
  const knownTags = tags.filter(({ name }) => findConstruct(name) !== undefined)
  const base = text.startsWith('\ufeff') ? 1 : 0
  const scope = separateTags(maskTags(text, knownTags, chooseFiller(text)).slice(base), base)
  const codeNodes: (Range & { readonly kind: string })[] = []
  // Code that the parser did not get to see does not count: that hides more, never less.
  const pending = [...parseSyntax(scope.masked, () => {})]
  for (let node: SyntaxNode | undefined; (node = pending.pop()) !== undefined;) {
    const { start, end } = node.position
    if (node.type === 'code' || node.type === 'inlineCode') {
      codeNodes.push({ kind: node.type, ...spanIn(scope, start.offset, end.offset) })
    }
    for (const child of node.children ?? []) pending.push(child)
  }
  return codeNodes
}

/** Returns whether an offset lies in one of the ranges. */
function within(ranges: readonly Range[]): (offset: number) => boolean {
  const sorted = ranges.toSorted((one, other) => one.start - other.start)
  const ends: number[] = []
  for (const { end } of sorted) ends.push(Math.max(end, ends.at(-1) ?? 0))
  return (offset) => {
    const begun = partitionPoint(sorted.length, (position) => sorted[position]!.start <= offset)
    return begun > 0 && offset < ends[begun - 1]!
  }
}
