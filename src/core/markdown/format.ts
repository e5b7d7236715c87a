/**
 * Formats a document as Markdown of the dialect, so that parsing it gives the document again. Pages store the text as
 * their authors wrote it: this is only for imported documents, which have no Markdown text yet.
 */
import { type Budget, createBudget } from '../budget.js'
import { plainText } from '../document/plain-text.js'
import type { Block, Code, Heading, Image, Inline, List } from '../document/types.js'
import { anchorOf } from './anchors.js'
import { formatCode } from './code.js'
import { formatColumn } from './columns.js'
import { formatEmbed } from './embed.js'
import { encodeAttribute } from './entities.js'
import { escapeText } from './escape-text.js'
import { formatFile } from './file.js'
import { imageAsHtml, inlinesAsHtml } from './format-html.js'
import { type InlineContext, formatInlines } from './format-inlines.js'
import { formatTable } from './format-table.js'
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
}

/** Returns the text of a page; too deeply nested blocks become plain text. */
export function formatPage({ title, blocks }: PageToFormat, budget: Budget = createBudget()): string {
  const notes = new Map<string, readonly Block[]>()
  const writer: Writer = {
    budget,
    notes,
    inlines: {
      annotate({ identifier, body }) {
        if (!notes.has(identifier)) notes.set(identifier, body)
      },
    },
  }
  const lines: string[] = []
  const line = title?.replace(/\s+/g, ' ').trim()
  if (line) lines.push(`# ${escapeLabel(line)}`, '')
  for (const row of rows(writer, blocks)) lines.push(row)
  // Footnotes may refer to further ones, which then follow them.
  for (const [identifier, body] of notes) {
    const [first = '', ...others] = rows(writer, body)
    lines.push('', `[^${identifier}]: ${first}`)
    for (const one of others) lines.push(one === '' ? '' : `    ${one}`)
  }
  return `${lines.join('\n').trim()}\n`
}

/** Hashes at the end of a heading would be parsed as a closing sequence. */
function escapeLabel(text: string): string {
  return escapeText(text, { startsLine: false }).replace(/(^| )(#+)$/, '$1\\$2')
}

/** Returns the lines of blocks, separated by empty lines. */
function rows(writer: Writer, blocks: readonly Block[]): string[] {
  const lines: string[] = []
  for (const [index, block] of blocks.entries()) {
    const written = writer.budget.nested(
      () =>
        block.type === 'list'
          ? listRows(writer, block, isAfterSimilar(blocks, index))
          : blockRows(writer, block),
      () => [escapeText(plainText({ blocks: [block] }).replace(/\s+/g, ' '), { startsLine: true })],
    )
    if (written.length === 0) continue
    if (lines.length > 0) lines.push('')
    for (const line of written) lines.push(line)
    writer.budget.spend('steps', written.length)
  }
  return lines
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
      return formatInlines(block.children, writer.inlines).split('\n')
    case 'heading':
      return [headingRow(writer, block)]
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
      return block.images.length === 1
        ? imageRows(block.images[0]!)
        : block.images.flatMap((image, index) => [...(index > 0 ? [''] : []), ...imageRows(image)])
    case 'file':
      return captioned(writer, formatFile(block), block.caption, 'file')
    case 'embed':
      return captioned(writer, formatEmbed(block), block.caption, 'embed')
    case 'expandable':
      return [
        block.open ? '<details open>' : '<details>',
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
      // Other blocks are specific to the dialect and never imported.
      throw new TypeError(`${block.type} is not written`)
  }
}

function between(opening: string, lines: readonly string[], name: string): string[] {
  return [opening, ...lines, formatEndTag(name)]
}

function captioned(writer: Writer, opening: string, caption: readonly Inline[], name: string): string[] {
  return caption.length === 0
    ? [opening]
    : between(opening, [formatInlines(caption, { ...writer.inlines, isOneLine: true })], name)
}

function headingRow(writer: Writer, { level, anchor, children }: Heading): string {
  const text = formatInlines(children, { ...writer.inlines, isOneLine: true }).replace(/(^| )(#+)$/, '$1\\$2')
  const own = anchorOf(plainText(children))
  const named =
    anchor === '' || anchor === own
      ? ''
      : ` <a href="#${encodeAttribute(anchor)}" id="${encodeAttribute(anchor)}"></a>`
  return `${'#'.repeat(level + 1)} ${text}${named}`
}

function listRows(writer: Writer, { kind, start = 1, tight, items }: List, hasOtherSign: boolean): string[] {
  const lines: string[] = []
  for (const [index, { checked, blocks }] of items.entries()) {
    const sign = kind === 'ordered' ? `${start + index}${hasOtherSign ? ')' : '.'}` : hasOtherSign ? '+' : '-'
    const indentation = ' '.repeat(sign.length + 1)
    const inside = rows(writer, blocks)
    const box = kind === 'tasks' ? (checked === true ? '[x] ' : '[ ] ') : ''
    const content = tight ? withoutGaps(blocks, inside) : inside
    const [first = '', ...others] = content
    if (index > 0 && !tight) lines.push('')
    lines.push(`${sign} ${box}${first}`.trimEnd())
    for (const line of others) lines.push(line === '' ? '' : indentation + line)
  }
  return lines
}

/** In a tight item a nested list follows its text without an empty line. */
function withoutGaps(blocks: readonly Block[], lines: readonly string[]): readonly string[] {
  return blocks.every(({ type }, index) => (index === 0 ? type === 'paragraph' : type === 'list')) &&
    blocks.length === 2
    ? lines.filter((line) => line !== '')
    : lines
}

function codeRows(block: Code): string[] {
  const { code, syntax = '' } = block
  let longest = 2
  for (const [run] of code.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  const lines = [fence + syntax, ...code.split('\n'), fence]
  const isNamed = block.title !== undefined || block.lineNumbers !== undefined || block.overflow !== undefined
  return isNamed ? between(formatCode(block), lines, 'code') : lines
}

/** A formula that contains its own delimiter becomes code. */
function mathRows(formula: string): string[] {
  const lines = formula.split('\n').filter((line) => line.trim() !== '')
  return formula.includes('$$') ? ['```latex', ...lines, '```'] : ['$$', ...lines, '$$']
}

function imageRows(image: Image): string[] {
  const caption = image.caption ?? []
  if (caption.length === 0 && image.width === undefined)
    return [formatInlines([{ type: 'inline-image', ...image }], { annotate: () => {} })]
  return [
    `<figure>${imageAsHtml(image)}<figcaption>${caption.length === 0 ? '' : `<p>${inlinesAsHtml(caption)}</p>`}</figcaption></figure>`,
  ]
}
