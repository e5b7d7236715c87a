/**
 * Formats a document as Markdown of the dialect, so that parsing it gives the document again. Pages store the text as
 * their authors wrote it: this is for imported documents, which have no Markdown text yet, and for edited blocks, whose
 * unchanged part keeps its own text (`editing/carry-edit.ts`).
 */
import { type Budget, createBudget } from '../budget.js'
import { plainText } from '../document/plain-text.js'
import type { Alignment, Block, Code, Heading, Inline, List } from '../document/types.js'
import { anchorOf } from './anchors.js'
import { formatCode, highlightedRows } from './code.js'
import { formatColumn } from './columns.js'
import { formatEmbed } from './embed.js'
import { encodeAttribute } from './entities.js'
import { escapeText } from './escape-text.js'
import { formatFile, isVideoElement } from './file.js'
import { dialectRows, imagesRows } from './format-dialect.js'
import { inlinesAsHtml } from './format-html.js'
import { type InlineContext, formatInlines } from './format-inlines.js'
import { formatTable } from './format-table.js'
import { findHeadingId } from './heading-id.js'
import { formatHint } from './hint.js'
import { formatStep } from './stepper.js'
import { formatTab, formatTabs } from './tabs.js'
import { formatEndTag, formatTag } from './tags.js'

export interface PageToFormat {
  readonly title?: string
  readonly blocks: readonly Block[]
}

interface Writer {
  readonly budget: Budget
  /** Footnotes by identifier; the first of a name wins. */
  readonly notes: Map<string, readonly Block[]>
  readonly inlines: InlineContext
  /** Lines of blocks that have them already. */
  readonly verbatim: ReadonlyMap<Block, readonly string[]>
}

function createWriter(budget: Budget, verbatim: Writer['verbatim'] = new Map()): Writer {
  const notes = new Map<string, readonly Block[]>()
  return {
    budget,
    notes,
    verbatim,
    inlines: {
      annotate({ identifier, body }) {
        if (!notes.has(identifier)) notes.set(identifier, body)
      },
    },
  }
}

/** Returns the lines of blocks without footnotes; those in `verbatim` are not formatted. */
export function formatBlocks(
  blocks: readonly Block[],
  verbatim: ReadonlyMap<Block, readonly string[]> = new Map(),
): string[] {
  return rows(createWriter(createBudget(), verbatim), blocks)
}

/** Returns the text of a page; too deeply nested blocks become plain text. */
export function formatPage({ title, blocks }: PageToFormat, budget: Budget = createBudget()): string {
  const writer = createWriter(budget)
  const lines: string[] = []
  const line = title?.replace(/\s+/g, ' ').trim()
  if (line) lines.push(`# ${escapeLabel(line)}`, '')
  for (const row of rows(writer, blocks)) lines.push(row)
  // Footnotes may refer to further ones, which then follow them.
  for (const [identifier, body] of writer.notes) {
    const [first = '', ...others] = rows(writer, body)
    lines.push('', `[^${identifier}]: ${first}`)
    for (const one of others) lines.push(one === '' ? '' : `    ${one}`)
  }
  return `${lines.join('\n').trim()}\n`
}

function escapeLabel(text: string): string {
  return escapeHeadingEnd(escapeText(text, { startsLine: false }))
}

/** Hashes at the end of a heading would be parsed as a closing sequence, and braces as its id. */
function escapeHeadingEnd(text: string): string {
  const escaped = text.replace(/(^| )(#+)$/, '$1\\$2')
  if (findHeadingId(escaped) === undefined) return escaped
  const brace = escaped.lastIndexOf('{')
  return `${escaped.slice(0, brace)}\\${escaped.slice(brace)}`
}

/** Returns the lines of blocks, separated by empty lines; in a tight list only where they would be one block. */
function rows(writer: Writer, blocks: readonly Block[], isTight = false): string[] {
  const lines: string[] = []
  for (const [index, block] of blocks.entries()) {
    const verbatim = writer.verbatim.get(block)
    const written = writer.budget.nested(
      () =>
        verbatim !== undefined
          ? [...verbatim]
          : block.type === 'list'
            ? listRows(writer, block, isAfterSimilar(blocks, index))
            : blockRows(writer, block),
      () => [escapeText(plainText({ blocks: [block] }).replace(/\s+/g, ' '), { startsLine: true })],
    )
    if (written.length === 0) continue
    if (lines.length > 0 && !(isTight && mayFollow(blocks[index - 1]!, block))) lines.push('')
    for (const line of written) lines.push(line)
    writer.budget.spend('steps', written.length)
  }
  return lines
}

const ownEnd = new Set<Block['type']>(['code', 'heading', 'divider'])
const ownStart = new Set<Block['type']>(['code', 'heading', 'blockquote'])

/** Whether a block begins on the line after another one without becoming a part of it. */
function mayFollow(before: Block, block: Block): boolean {
  if (ownEnd.has(before.type)) return true
  if (before.type !== 'paragraph') return before.type === 'list' && ownStart.has(block.type)
  return ownStart.has(block.type) || (block.type === 'list' && (block.start ?? 1) === 1)
}

/** Adjacent lists with the same marker would merge: every second one has another marker. */
function isAfterSimilar(blocks: readonly Block[], index: number): boolean {
  let count = 0
  while (index - count > 0 && isSimilar(blocks[index - count - 1]!, blocks[index]!)) count++
  return count % 2 === 1
}

function isSimilar(one: Block, other: Block): boolean {
  return (
    one.type === 'list' && other.type === 'list' && (one.kind === 'ordered') === (other.kind === 'ordered')
  )
}

function blockRows(writer: Writer, block: Block): string[] {
  switch (block.type) {
    case 'paragraph':
      return aligned(block.align, formatInlines(block.children, writer.inlines).split('\n'))
    case 'heading':
      return aligned(block.align, [headingRow(writer, block)])
    case 'list':
      return listRows(writer, block, false)
    case 'divider':
      return ['***']
    case 'blockquote':
      return rows(writer, block.blocks).map((line) => (line === '' ? '>' : `> ${line}`))
    case 'hint':
      return between(formatHint(block), rows(writer, block.blocks), 'hint')
    case 'code':
      return codeRows(block)
    case 'math':
      return mathRows(block.formula)
    case 'images':
      return imagesRows(block)
    case 'file':
      return captioned(writer, formatFile(block), isVideoElement(block) ? [] : block.caption, 'file')
    case 'embed':
      return captioned(writer, formatEmbed(block), block.caption, 'embed')
    case 'expandable':
      return [
        `<details${block.id === undefined ? '' : ` id="${encodeAttribute(block.id)}"`}${block.open ? ' open' : ''}>`,
        '',
        `<summary>${inlinesAsHtml(block.title)}</summary>`,
        '',
        ...rows(writer, block.blocks),
        '',
        '</details>',
      ]
    case 'tabs':
      return between(
        formatTabs(block),
        block.tabs.flatMap((tab) => between(formatTab(tab), rows(writer, tab.blocks), 'tab')),
        'tabs',
      )
    case 'stepper':
      return between(
        formatTag('stepper'),
        block.steps.flatMap((step) => between(formatStep(step), rows(writer, step.blocks), 'step')),
        'stepper',
      )
    case 'columns':
      return between(
        formatTag('columns', { fullWidth: block.fullWidth }),
        block.columns.flatMap((column) =>
          between(formatColumn(column), rows(writer, column.blocks), 'column'),
        ),
        'columns',
      )
    case 'table':
      return formatTable(block, writer.inlines)
    case 'html':
      return block.html.split('\n')
    default:
      return dialectRows(
        block,
        (inner) => rows(writer, inner),
        (code) => codeRows({ type: 'code', span: block.span, code }),
      )
  }
}

/** Markdown has no alignment: an element around the block has it. */
function aligned(align: Alignment | undefined, lines: string[]): string[] {
  if (align === undefined) return lines
  const side = { start: 'left', center: 'center', end: 'right' }[align]
  return [`<div align="${side}">`, '', ...lines, '', '</div>']
}

function between(opening: string, lines: readonly string[], name: string): string[] {
  return [opening, ...lines, formatEndTag(name)]
}

function captioned(writer: Writer, opening: string, caption: readonly Inline[], name: string): string[] {
  return caption.length === 0
    ? [opening]
    : between(opening, [formatInlines(caption, { ...writer.inlines, isOneLine: true })], name)
}

function headingRow(writer: Writer, { level, anchor, id, children }: Heading): string {
  const text = escapeHeadingEnd(formatInlines(children, { ...writer.inlines, isOneLine: true }))
  const name = id ?? (anchor === anchorOf(plainText(children)) ? '' : anchor)
  const named = name === '' ? '' : ` <a href="#${encodeAttribute(name)}" id="${encodeAttribute(name)}"></a>`
  return `${'#'.repeat(level + 1)} ${text}${named}`
}

function listRows(writer: Writer, { kind, start = 1, tight, items }: List, hasOtherSign: boolean): string[] {
  const lines: string[] = []
  for (const [index, { checked, blocks }] of items.entries()) {
    const sign = kind === 'ordered' ? `${start + index}${hasOtherSign ? ')' : '.'}` : hasOtherSign ? '+' : '-'
    const indentation = ' '.repeat(sign.length + 1)
    const [first = '', ...others] = rows(writer, blocks, tight)
    const box = checked === undefined ? '' : checked ? '[x] ' : '[ ] '
    if (index > 0 && !tight) lines.push('')
    // Blanks at its end may be a break.
    lines.push(first === '' ? `${sign} ${box}`.trimEnd() : `${sign} ${box}${first}`)
    for (const line of others) lines.push(line === '' ? '' : indentation + line)
  }
  return lines
}

function codeRows(block: Code): string[] {
  const { code, syntax = '', title, lineNumbers, overflow, expandable, fullWidth, highlighted } = block
  if (highlighted !== undefined) return highlightedRows(block, highlighted)
  let longest = 2
  for (const [run] of code.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  const lines = [fence + syntax, ...code.split('\n'), fence]
  const options = [title, lineNumbers, overflow, expandable, fullWidth]
  return options.some((option) => option !== undefined) ? between(formatCode(block), lines, 'code') : lines
}

/** A formula that contains its own delimiter is fenced. */
function mathRows(formula: string): string[] {
  const lines = formula.split('\n').filter((line) => line.trim() !== '')
  return formula.includes('$$') ? ['```math', ...lines, '```'] : ['$$', ...lines, '$$']
}
