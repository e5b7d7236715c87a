/**
 * Splits a Markdown text into chunks, the units of a merge: its top-level blocks, and of a list its items, so that a
 * paragraph inserted between two items changes neither.
 *
 * A chunk is an exact slice with the blank space before it, so that the chunks joined are the text, byte for byte. The
 * line scanner knows only where a block ends (fences, HTML, lists, containers of `{% %}`) and parses no content. Linear.
 */

export interface Chunk {
  /** Chunks of different kinds are never versions of each other, except at the same position. */
  readonly kind: string
  /** The lines of the block, without the last line's ending. */
  readonly body: string
  /** Line endings and blank lines between the chunk before, or the start, and this one. */
  readonly before: string
}

export interface Chunks {
  readonly chunks: readonly Chunk[]
  /** What follows the last chunk; the whole text when there is none. */
  readonly end: string
}

/** A chunk with nested chunks: its opening, content and closing. */
export interface ContainerChunk {
  readonly head: string
  readonly inner: Chunks
  readonly tail: string
}

/** Returns the chunks of a text; `indent` columns of every line, `skip` characters of the first, belong to an outer list item. */
export function splitBlocks(text: string, indent = 0, skip = 0): Chunks {
  return new BlockScanner(text, indent, skip).blocks()
}

/** Returns the parts of a container or list item; undefined when the chunk has no nested chunks. */
export function splitContainer(chunk: Chunk): ContainerChunk | undefined {
  if (chunk.kind.startsWith('item')) return splitListItem(chunk.body)
  if (chunk.kind.startsWith('container')) return splitDelimited(chunk.body)
  return undefined
}

const container =
  /^[ \t]*(?:\{%-?\s*([\w-]+)(?:(?:[^\w%\r\n-]|%(?!\}))(?:[^%\r\n]|%(?!\}))*)?%\}|<(details|div)\b[^>]*>)[ \t]*/
const endTag = /^[ \t]*\{%-?\s*end([\w-]*\w)\s*-?%\}[ \t]*$/
const summaryLine = /^\s*<summary>.*<\/summary>[ \t]*/

function splitDelimited(body: string): ContainerChunk | undefined {
  const head = container.exec(body)
  if (!head) return undefined
  let start = head[0].length
  if (head[2] === 'details') start += summaryLine.exec(body.slice(start))?.[0].length ?? 0
  const end = body.lastIndexOf('\n') + 1
  const tail = body.slice(end)
  const isClosed = head[1] ? endTag.exec(tail)?.[1] === head[1] : /^[ \t]*<\/\w+>[ \t]*$/.test(tail)
  if (end <= start || !isClosed || !/^\r?\n/.test(body.slice(start, start + 2))) return undefined
  return { head: body.slice(0, start), inner: splitBlocks(body.slice(start, end)), tail }
}

const marker = /^([ \t]*)([-*+]|\d{1,9}[.)])(?:([ \t]+)|$)/

function splitListItem(body: string): ContainerChunk | undefined {
  const [first] = body.split('\n', 1)
  const width = contentIndent(first!)
  const inner = splitBlocks(body, width, Math.min(width, first!.length))
  return inner.chunks.length > 1 ? { head: '', inner, tail: '' } : undefined
}

/** Column at which the content of a list item starts; 0 for a line that is no item. */
function contentIndent(line: string): number {
  const found = marker.exec(line)
  if (!found) return 0
  const space = found[3]?.length ?? 1
  return found[1]!.length + found[2]!.length + (space > 4 ? 1 : space)
}

interface LineRange {
  readonly kind: string
  readonly from: number
  readonly to: number
}

const fence = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})/
const heading = /^ {0,3}#{1,6}(?:[ \t]|$)/
const divider = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/
const underline = /^ {0,3}(?:=+|-+)[ \t]*$/
const tag = /^[ \t]*\{%/
const html = /^ {0,3}<(?:!--|[?!]|\/?[a-zA-Z])/
const wrapper = /^[ \t]*<(details|div|table|figure|pre|ul|ol|blockquote)\b/
const tagsOrClosings = /\{%-?\s*([@\w][\w/-]*)|<\/(details|div|table|figure|pre|ul|ol|blockquote)>/g
/** Longer lines are not searched for tags. */
const tagLineLimit = 20_000
const tableRule = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/

class BlockScanner {
  private readonly lines: string[]
  /** Lines without the indentation of the outer list item, and without `\r`. */
  private readonly dedented: string[]
  /** Line that opens a container → line that closes it. */
  private readonly closings = new Map<number, number>()

  constructor(text: string, indent: number, skip: number) {
    this.lines = text.split(/(?<=\n)/)
    this.dedented = this.lines.map((line, index) => {
      const bare = line.replace(/\r?\n$/, '')
      if (index === 0) return bare.slice(skip)
      if (indent === 0) return bare
      return bare.slice(Math.min(indent, leadingSpaces(bare)))
    })
    this.matchContainers()
  }

  blocks(): Chunks {
    const ranges: LineRange[] = []
    let at = 0
    while (at < this.lines.length) {
      if (this.isBlank(at)) {
        at++
        continue
      }
      const starts: number[] = []
      const [kind, to] = this.blockAt(at, (line) => starts.push(line))
      if (starts.length === 0) starts.push(at)
      for (const [index, from] of starts.entries()) ranges.push({ kind, from, to: starts[index + 1] ?? to })
      at = to
    }
    return this.cut(ranges)
  }

  /** Chunks of the line ranges; blank lines at the end of a range go to the next chunk. */
  private cut(ranges: readonly LineRange[]): Chunks {
    const chunks: Chunk[] = []
    let pending = ''
    let at = 0
    for (const { kind, from, to } of ranges) {
      for (; at < from; at++) pending += this.lines[at]
      let last = to
      while (last > from + 1 && this.isBlank(last - 1)) last--
      const body = this.lines.slice(from, last).join('')
      const ending = /\r?\n$/.exec(body)?.[0] ?? ''
      chunks.push({ kind, body: body.slice(0, body.length - ending.length), before: pending })
      pending = ending
      at = last
    }
    for (; at < this.lines.length; at++) pending += this.lines[at]
    return { chunks, end: pending }
  }

  private isBlank(line: number): boolean {
    return this.dedented[line]!.trim() === ''
  }

  /** Kind of the block that starts at a line, and the line after it; of a list, also the first line of each item. */
  private blockAt(at: number, onItem: (line: number) => void): [string, number] {
    const line = this.dedented[at]!
    const closing = this.closings.get(at)
    if (closing !== undefined) return [`container ${containerName(line)}`, this.containerEnd(at, closing)]
    if (tag.test(line)) return ['tag', at + 1]
    if (leadingSpaces(line) >= 4) return ['code', this.indentedEnd(at)]
    if (fence.test(line)) return ['code', this.fenceEnd(at)]
    if (/^ {0,3}\$\$[^$]*$/.test(line)) return ['math', this.mathEnd(at)]
    if (heading.test(line)) return ['heading', at + 1]
    if (divider.test(line)) return ['divider', at + 1]
    if (/^ {0,3}>/.test(line)) return ['quote', this.runEnd(at)]
    if (marker.test(line)) return [`item ${markerType(line)}`, this.walkList(at, onItem)]
    if (html.test(line)) return ['html', this.htmlEnd(at)]
    const to = this.runEnd(at)
    if (/^\[\^[^\]]+\]:/.test(line)) return ['note', this.indentedEnd(to - 1)]
    if (to > at + 1 && underline.test(this.dedented[to - 1]!)) return ['heading', to]
    return [
      to > at + 1 && line.includes('|') && tableRule.test(this.dedented[at + 1]!) ? 'table' : 'paragraph',
      to,
    ]
  }

  private containerEnd(at: number, closing: number): number {
    let end = closing
    for (let line = at; line <= end; line++) end = Math.max(end, this.closings.get(line) ?? 0)
    return end + 1
  }

  /** A fence in a list item ends with the item, `content` being the column where the item's content starts. */
  private fenceEnd(at: number, content = 0): number {
    const open = /(`{3,}|~{3,})/.exec(this.dedented[at]!)![1]!
    // linear: begins with the line, its loops share no character.
    const close = new RegExp(`^[ \\t]*\\${open[0]}{${open.length},}[ \\t]*$`)
    for (let line = at + 1; line < this.lines.length; line++) {
      if (close.test(this.dedented[line]!)) return line + 1
      if (content > 0 && leadingSpaces(this.dedented[line]!) < content && !this.isBlank(line)) return line
    }
    return this.lines.length
  }

  private mathEnd(at: number): number {
    for (let line = at + 1; line < this.lines.length; line++) {
      if (/^ {0,3}\$\$[ \t]*$/.test(this.dedented[line]!)) return line + 1
    }
    return this.lines.length
  }

  /** End of a run whose later lines are blank or indented by four columns: indented code, footnotes. */
  private indentedEnd(at: number): number {
    let end = at + 1
    for (let line = end; line < this.lines.length; line++) {
      if (this.isBlank(line)) continue
      if (leadingSpaces(this.dedented[line]!) < 4) break
      end = line + 1
    }
    return end
  }

  /** End of a paragraph or quote: a blank line, or a line that starts something else. */
  private runEnd(at: number): number {
    const quote = this.dedented[at]!.trimStart().startsWith('>')
    for (let line = at + 1; line < this.lines.length; line++) {
      const text = this.dedented[line]!
      if (this.isBlank(line)) return line
      if (!quote && underline.test(text)) return line + 1
      if (quote && /^ {0,3}>/.test(text)) continue
      if (this.interrupts(line)) return line
    }
    return this.lines.length
  }

  private interrupts(line: number): boolean {
    const text = this.dedented[line]!
    if (tag.test(text) || this.closings.has(line)) return true
    if (leadingSpaces(text) >= 4) return false
    return (
      fence.test(text) ||
      heading.test(text) ||
      divider.test(text) ||
      /^ {0,3}(?:>|\$\$[^$]*$|[-*+][ \t]+\S|1[.)][ \t]+\S)/.test(text)
    )
  }

  private htmlEnd(at: number): number {
    if (this.dedented[at]!.includes('<!--')) {
      for (let line = at; line < this.lines.length; line++) {
        if (this.dedented[line]!.includes('-->')) return line + 1
      }
      return this.lines.length
    }
    let line = at + 1
    while (line < this.lines.length && !this.isBlank(line) && !tag.test(this.dedented[line]!)) line++
    return line
  }

  /** Returns the line after the list that starts at a line; reports the first line of each of its own items. */
  private walkList(at: number, onItem: (line: number) => void): number {
    const type = markerType(this.dedented[at]!)
    let content = 0
    let end = at
    let afterBlank = false
    for (let line = at; line < this.lines.length;) {
      const text = this.dedented[line]!
      if (this.isBlank(line)) {
        afterBlank = true
        line++
        continue
      }
      const spaces = leadingSpaces(text)
      let next = line + 1
      if (content > 0 && spaces >= content) {
        const closing = this.closings.get(line)
        if (closing !== undefined) next = this.containerEnd(line, closing)
        else if (fence.test(text)) next = this.fenceEnd(line, content)
      } else if (marker.test(text) && markerType(text) === type && !divider.test(text)) {
        onItem(line)
        content = contentIndent(text)
        if (fence.test(text.slice(content))) next = this.fenceEnd(line, content)
      } else if (afterBlank || this.interrupts(line) || html.test(text)) {
        break
      }
      afterBlank = false
      end = line = next
    }
    return end
  }

  /** Matches container tags in one pass with a stack; an opening tag without an end tag is void. */
  private matchContainers(): void {
    const open: { readonly name: string; readonly line: number }[] = []
    const openCounts = new Map<string, number>()
    const push = (name: string, line: number) => {
      open.push({ name, line })
      openCounts.set(name, (openCounts.get(name) ?? 0) + 1)
    }
    const close = (name: string, line: number) => {
      if (!openCounts.get(name)) return
      for (let top = open.pop(); top; top = open.pop()) {
        openCounts.set(top.name, openCounts.get(top.name)! - 1)
        if (top.name !== name) continue
        this.closings.set(top.line, Math.max(line, this.closings.get(top.line) ?? 0))
        return
      }
    }
    for (let line = 0; line < this.lines.length; line++) {
      const text = this.dedented[line]!
      if (fence.test(text)) {
        line = this.fenceEnd(line) - 1
        continue
      }
      const wrapped = wrapper.exec(text)
      if (wrapped) push(`<${wrapped[1]}`, line)
      if (text.length > tagLineLimit || !(text.includes('{%') || text.includes('</'))) continue
      for (const [, name, element] of text.matchAll(tagsOrClosings)) {
        if (element) close(`<${element}`, line)
        else if (name!.startsWith('end')) close(name!.slice(3), line)
        else push(name!, line)
      }
    }
  }
}

function leadingSpaces(line: string): number {
  let count = 0
  while (line[count] === ' ' || line[count] === '\t') count++
  return count
}

function containerName(line: string): string {
  return /^[ \t]*(?:\{%-?\s*|<)([\w@/-]+)/.exec(line)?.[1] ?? ''
}

function markerType(line: string): string {
  const sign = marker.exec(line)?.[2] ?? ''
  return sign.length > 1 ? sign.at(-1)! : sign
}
