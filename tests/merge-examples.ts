/**
 * Merge examples: runs the diagrams of `docs/guide/merging.md` through the merge. Three columns become the fourth, or,
 * below a line, the conflicts.
 *
 *   merge-pages   trees, a page a line: `setup.md`, `install.md ← setup.md` for one that was renamed,
 *                 `“Title”`, `→ other.md` for a link in its text, `*` where its text was written anew
 *   merge-text    a text, line by line
 */
import { expect } from 'vitest'
import type { PageId } from '../src/core/ids.js'
import { memoryObjects } from '../src/core/merkle/testing.js'
import { type Edit, editSnapshot } from '../src/core/pages/edit.js'
import { type PageNode, pageTree } from '../src/core/pages/read.js'
import { drawnSnapshot } from '../src/core/pages/testing.js'
import type { DocumentPage, Snapshot } from '../src/core/pages/types.js'
import type { Conflict } from '../src/core/merge/conflict.js'
import { mergeSnapshots } from '../src/core/merge/merge-snapshots.js'
import { describePage } from '../src/core/markdown/describe.js'

/** Asserts a diagram of pages. */
export function checkPages(drawing: string): void {
  const { columns, asks } = readDrawing(drawing)
  const [before, space, change, after] = columns.map(readTree)
  const memory = memoryObjects()
  const edit = (snapshot: Snapshot, edits: readonly Edit[]) =>
    memory.run(editSnapshot(snapshot, edits, { sink: memory, describe: describePage, now: 1 })).snapshot
  const base = edit(drawnSnapshot('', memory), editsFor([], before!, 'before'))
  const [ours, theirs] = [
    edit(base, editsFor(before!, space!, 'space')),
    edit(base, editsFor(before!, change!, 'change request')),
  ]
  const context = { sink: memory, describe: describePage, prefer: 'theirs' } as const
  const { snapshot, conflicts } = memory.run(mergeSnapshots(base, ours, theirs, context))
  expect(conflicts.map((conflict) => describeConflict(conflict)).toSorted()).toEqual(asks.toSorted())
  if (after === undefined) return

  const lines: string[] = []
  const draw = (nodes: readonly PageNode[], depth: number): void => {
    for (const { page, children } of nodes) {
      const { file, text } = page as DocumentPage
      const words = memory.text(text!)
      const [, link] = /\]\(([^)]*)\)/.exec(words) ?? []
      const written = ['space', 'change request'].filter((side) => words.includes(`Written in the ${side}.`))
      lines.push(
        '  '.repeat(depth) +
          nameOf(file) +
          (page.title === titleOf(page.id.split('@')[0]!) ? '' : ` “${page.title}”`) +
          (link === undefined ? '' : ` → ${link}`) +
          (written.length === 0 ? '' : ' *'),
      )
      draw(children, depth + 1)
    }
  }
  draw(memory.run(pageTree(snapshot)), 0)
  expect(lines).toEqual(columns[3]!.filter((line) => line !== ''))
}

/** Asserts a diagram of a text. */
export function checkText(drawing: string): void {
  const { columns, asks } = readDrawing(drawing)
  const [before, space, change, after] = columns.map((lines) => `${lines.join('\n').trimEnd()}\n`)
  const memory = memoryObjects()
  const id = 'page' as PageId
  const insert: Edit = { kind: 'insert-page', page: { type: 'document', id, text: before! }, parent: null }
  const edit = (snapshot: Snapshot, edits: readonly Edit[]) =>
    memory.run(editSnapshot(snapshot, edits, { sink: memory, describe: describePage, now: 1 })).snapshot
  const base = edit(drawnSnapshot('', memory), [insert])
  const with_ = (text: string) => edit(base, [{ kind: 'update-page', page: id, text }])
  const context = { sink: memory, describe: describePage, prefer: 'theirs' } as const
  const merging = mergeSnapshots(base, with_(space!), with_(change!), context)
  const { snapshot, conflicts } = memory.run(merging)
  expect(conflicts.map((conflict) => describeConflict(conflict))).toEqual(asks)
  if (after === undefined) return
  const [node] = memory.run(pageTree(snapshot))
  expect(memory.text((node!.page as DocumentPage).text!)).toBe(after)
}

interface Drawing {
  /** Before, space, change request, and merged where there is no conflict. */
  readonly columns: readonly (readonly string[])[]
  readonly asks: readonly string[]
}

function readDrawing(drawing: string): Drawing {
  const [heads = '', ...lines] = drawing.split('\n')
  const names = ['before', 'space', 'change request', 'merged']
  const end = lines.findIndex((line) => /^─+$/.test(line))
  const asks = end === -1 ? [] : lines.slice(end + 1).map((line) => line.replace(/^asks: /, ''))
  const cut = (line: string) => line.split('│').map((cell, at) => (at === 0 ? cell : cell.slice(1)).trimEnd())
  expect(cut(heads)).toEqual(end === -1 ? names : names.slice(0, 3))
  const rows = (end === -1 ? lines : lines.slice(0, end)).map(cut)
  const columns = cut(heads).map((_, at) => rows.map((row) => row[at] ?? ''))
  return { columns, asks }
}

interface DrawnPage {
  readonly id: PageId
  readonly parent: PageId | null
  readonly slug: string
  readonly title: string | undefined
  readonly link: string | undefined
  readonly isWritten: boolean
}

function readTree(lines: readonly string[]): DrawnPage[] {
  const open: { depth: number; id: PageId }[] = []
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const depth = line.search(/\S/)
      while (open.length > 0 && open.at(-1)!.depth >= depth) open.pop()
      const parent = open.at(-1)?.id ?? null
      const [, slug = ''] = /^\s*([\w-]+)\.md/.exec(line) ?? []
      const [, known = slug] = / ← ([\w-]+)\.md/.exec(line) ?? []
      open.push({ depth, id: known as PageId })
      const [, title] = / “(.*)”/.exec(line) ?? []
      const [, link] = / → (\S+)/.exec(line) ?? []
      return { id: known as PageId, parent, slug, title, link, isWritten: line.endsWith(' *') }
    })
}

/** Returns the edits that turn one tree into another, as people make them. */
function editsFor(from: readonly DrawnPage[], to: readonly DrawnPage[], side: string): Edit[] {
  const [old, now] = [from, to].map((pages) => new Map(pages.map((page) => [page.id, page])))
  // Without a heading: the title is a member of its own.
  const textOf = ({ link, isWritten }: DrawnPage) =>
    [
      ...(link === undefined ? [] : [`See [it](${link}).`]),
      isWritten ? `Written in the ${side}.` : 'As it was.',
    ].join('\n\n') + '\n'
  // What both add is not the same page, even where it is called the same.
  const isNew = (id: PageId) => !old!.has(id) && side !== 'before'
  const known = (id: PageId) => (isNew(id) ? (`${id}@${side === 'space' ? 1 : 2}` as PageId) : id)
  const edits: Edit[] = []
  for (const page of to) {
    const { id, slug, title } = page
    const parent = page.parent && known(page.parent)
    const before = old!.get(id)
    if (before === undefined) {
      edits.push({
        kind: 'insert-page',
        page: { type: 'document', id: known(id), slug, title: title ?? titleOf(id), text: textOf(page) },
        parent,
      })
      continue
    }
    if (before.parent !== parent) edits.push({ kind: 'move-page', page: id, parent })
    if (before.slug !== slug) edits.push({ kind: 'rename-page', page: id, slug })
    if (before.title !== title)
      edits.push({ kind: 'update-page', page: id, set: { title: title ?? titleOf(id) } })
    // A link that follows a renamed page is not an edit of its own.
    const isRelinked =
      before.link !== page.link && !to.some((other) => other.slug !== old!.get(other.id)?.slug)
    if (page.isWritten || isRelinked) edits.push({ kind: 'update-page', page: id, text: textOf(page) })
  }
  for (const { id, parent } of from) {
    // Subpages go with their page.
    if (!now!.has(id) && (parent === null || now!.has(parent))) edits.push({ kind: 'delete-page', page: id })
  }
  return edits
}

const titleOf = (id: string) => id[0]!.toUpperCase() + id.slice(1)
const nameOf = (file: string) => file.split('/').at(-1)!

/** A conflict in the notation of the guide: the value of the space comes first. */
function describeConflict(conflict: Conflict): string {
  const { ours, theirs } = conflict
  switch (conflict.kind) {
    case 'block':
      return [ours, theirs]
        .map((text) => (text === null ? 'nothing' : (text as string).trim().replaceAll('\n', ' / ')))
        .join(' or ')
    case 'member': {
      const values = [ours, theirs].map((value) =>
        conflict.member === 'title'
          ? `“${String(value)}”`
          : value === null
            ? 'the top'
            : conflict.member === 'parent'
              ? `${String(value)}.md`
              : nameOf(String(value)),
      )
      return `the ${conflict.member} of ${conflict.page}.md: ${values.join(' or ')}`
    }
    case 'page':
      return `whether ${conflict.page}.md stays`
    default:
      return conflict.kind
  }
}
