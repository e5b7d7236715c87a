/** Upserts of imported trees: existing content stays, what has the same path is updated, the rest is added. */
import { describe, expect, test } from 'vitest'
import { defaultConfig } from '../config.js'
import type { FileId, Hash, PageId } from '../ids.js'
import { parseConfig } from '../markdown/gitbook-yaml.js'
import { parseSummary } from '../markdown/summary.js'
import { type Memory, memoryObjects } from '../merkle/testing.js'
import { buildSnapshot } from '../pages/build.js'
import { type Edit, editSnapshot } from '../pages/edit.js'
import { listExport } from '../pages/export.js'
import { type ImportEntry, planImport } from '../pages/import.js'
import { isTextPath } from '../pages/paths.js'
import { findPageByPath, listFiles, pageTree } from '../pages/read.js'
import { describeAndPut, describeDrawing, drawn, rebuilt } from '../pages/testing.js'
import type { Snapshot } from '../pages/types.js'
import { insertOrUpdatePlan, mergeImportedTree } from './merge-imported-tree.js'

type Tree = Readonly<Record<string, string>>

let nextId = 0

function planOf(memory: Memory, tree: Tree) {
  const config =
    tree['.gitbook.yaml'] === undefined ? defaultConfig : parseConfig(tree['.gitbook.yaml']).config
  const entries = new Map<string, ImportEntry>(
    Object.entries(tree).map(([path, content]) => [
      path,
      isTextPath(path)
        ? { kind: 'text', text: describeAndPut(content, describeDrawing, memory) }
        : { kind: 'file', contentType: 'image/png', size: content.length, hash: content as Hash },
    ]),
  )
  const summary = tree[`${config.root === '' ? '' : `${config.root}/`}${config.summary}`]
  const known = { config, entries, ...(summary !== undefined && { summary: parseSummary(summary).entries }) }
  const newId = () => `id${(nextId += 1)}`
  return memory.run(planImport(null, known, { newId, newFileId: () => newId() as FileId, now: 5_000 })).plan
}

const created = (memory: Memory, tree: Tree): Snapshot => buildSnapshot(planOf(memory, tree), memory)

function upsert(memory: Memory, snapshot: Snapshot, tree: Tree): Snapshot {
  const context = { sink: memory, describe: describeDrawing, now: 9_000 }
  const merged = memory.run(mergeImportedTree(snapshot, planOf(memory, tree), context))
  expect(merged).toEqual(rebuilt(merged, memory))
  return merged
}

function edit(memory: Memory, snapshot: Snapshot, ...edits: Edit[]): Snapshot {
  return memory.run(editSnapshot(snapshot, edits, { sink: memory, describe: describeDrawing, now: 7_000 }))
    .snapshot
}

const pageAt = (memory: Memory, snapshot: Snapshot, path: string) =>
  memory.run(findPageByPath(snapshot, path))!

function filesOf(memory: Memory, snapshot: Snapshot): Tree {
  return Object.fromEntries(
    memory.run(listExport(snapshot)).map((entry) => {
      if (entry.kind === 'text') return [entry.path, memory.text(entry.hash)]
      return [entry.path, entry.kind === 'file' ? entry.file.hash : entry.text]
    }),
  )
}

const contents = (...lines: readonly string[]) => `# Table of contents\n\n${lines.join('\n')}\n`

const book: Tree = {
  'SUMMARY.md': contents(
    '* [Home](README.md)',
    '* [A](a.md)',
    '  * [Below](a/below.md)',
    '* [C](c.md)',
    '',
    '## Rest',
    '',
    '* [Last](rest/last.md)',
  ),
  'README.md': '# Home\n\n[a](a.md)',
  'a.md': '# A',
  'a/below.md': '# Below',
  'c.md': '# C',
  'rest/last.md': '# Last',
  'picture.png': 'old picture',
  'kept.png': 'kept picture',
  '.gitbook/includes/note.md': 'Note',
}

describe('an imported tree', () => {
  test('that is there already changes nothing', () => {
    const memory = memoryObjects()
    const before = created(memory, book)
    expect(upsert(memory, before, book)).toEqual(before)
    const moved = edit(memory, before, {
      kind: 'move-page',
      page: pageAt(memory, before, 'c').id,
      parent: null,
      index: 0,
    })
    // Not where somebody else has put it either.
    expect(upsert(memory, moved, book)).toEqual(moved)
    expect(drawn(moved, memory)).toMatch(/^c\.md\n/)
  })

  test('finds pages where they have moved, with the links of both', () => {
    const memory = memoryObjects()
    const linked = {
      ...book,
      'README.md': '# Home [a](a.md) [note](./a/below.md#part)',
      'a.md': '# A [home](README.md) ![p](picture.png)',
      '.gitbook.yaml': 'redirects:\n  old: a.md\n',
    }
    const before = created(memory, linked)
    const a = pageAt(memory, before, 'a').id
    const moved = edit(
      memory,
      before,
      { kind: 'move-page', page: a, parent: pageAt(memory, before, 'c').id },
      {
        kind: 'insert-page',
        page: { type: 'document', id: 'own' as PageId, slug: 'a', text: '# Own' },
        parent: null,
      },
    )
    const places = drawn(moved, memory)
    expect(filesOf(memory, moved)).toMatchObject({ 'c/a.md': expect.anything(), 'c/a/below.md': '# Below' })
    expect(moved.config.redirects).toEqual({ old: 'c/a.md' })
    expect(upsert(memory, moved, linked)).toEqual(moved)

    const edited = {
      ...linked,
      'a.md': `${linked['a.md']} [c](c.md) [me](a.md) [new](new.md)`,
      'new.md': '# New [a](a.md)',
      '.gitbook.yaml': 'redirects:\n  older: a.md#x\n',
      'SUMMARY.md': book['SUMMARY.md']!.replace('* [C]', '* [New](new.md)\n* [C]'),
    }
    const after = upsert(memory, moved, edited)
    expect(pageAt(memory, after, 'c/a').id).toBe(a)
    expect(drawn(after, memory).split('\n')).toHaveLength(places.split('\n').length + 1)
    expect(filesOf(memory, after)).toMatchObject({
      'README.md': '# Home [a](c/a.md) [note](./c/a/below.md#part)',
      'c/a.md': '# A [home](../README.md) ![p](../picture.png) [c](../c.md) [me](a.md) [new](../new.md)',
      'new.md': '# New [a](c/a.md)',
      'a.md': '# Own',
    })
    expect(after.config.redirects).toEqual({ old: 'c/a.md', older: 'c/a.md#x' })
    expect(parseConfig(filesOf(memory, after)['.gitbook.yaml']!).config).toEqual(after.config)
    // The source of a page that went to the place of another one is that place again.
    const swapped = edit(memory, before, { kind: 'rename-page', page: a, file: 'new.md' })
    expect(pageAt(memory, upsert(memory, swapped, edited), 'new').id).toBe(a)
  })

  test('inserted beside the content is found again by its source, wherever it is', () => {
    const memory = memoryObjects()
    const base = created(memory, { 'guide.md': '# Guide', 'picture.png': 'own picture' })
    const context = { sink: memory, describe: describeDrawing, now: 9_000 }
    const insert = (snapshot: Snapshot, tree: Tree, source = 'one') => {
      const target = { parent: null, name: 'Report', source }
      const after = memory.run(insertOrUpdatePlan(snapshot, target, planOf(memory, tree), context))
      expect(after).toEqual(rebuilt(after, memory))
      return after
    }
    const report = { 'README.md': '# Report ![p](photo.png)', 'photo.png': 'photo' }
    const first = insert(base, report)
    expect(insert(first, report)).toEqual(first)
    const both = insert(first, report, 'two')
    expect(Object.keys(filesOf(memory, both)).filter((path) => path.endsWith('.md'))).toHaveLength(4)
    const moved = edit(memory, both, {
      kind: 'move-page',
      page: pageAt(memory, both, 'report').id,
      parent: pageAt(memory, both, 'guide').id,
    })
    const again = insert(moved, {
      'README.md': '# Report ![p](photo.png) ![q](picture.png)',
      'photo.png': 'new photo',
      'picture.png': 'its picture',
    })
    const files = filesOf(memory, again)
    expect(Object.keys(files)).toHaveLength(Object.keys(filesOf(memory, moved)).length + 1)
    expect(files).toMatchObject({
      'picture.png': 'own picture',
      'picture-1.png': 'its picture',
      'photo.png': 'new photo',
    })
    expect(files['guide/report.md']).toBe('# Report ![p](../photo.png) ![q](../picture-1.png)')
  })

  test('updates what has the same path, adds the rest beside its neighbours, and removes nothing', () => {
    const memory = memoryObjects()
    const before = created(memory, book)
    const after = upsert(memory, before, {
      'SUMMARY.md': contents(
        '* [First](first.md)',
        '* [A](a.md)',
        '  * [New](a/new.md)',
        '* [B](b.md)',
        '* [B too](b-too.md)',
        '* [Elsewhere](https://example.com)',
        '',
        '## More',
        '',
        '* [Extra](more/extra.md)',
      ),
      'first.md': '# First',
      'a.md': '# A again\n\n[new](a/new.md)',
      'a/new.md': '# New',
      'b.md': '# B',
      'b-too.md': '# B too',
      'more/extra.md': '# Extra',
      'picture.png': 'new picture',
      'second.png': 'second picture',
      '.gitbook/includes/note.md': 'Another note',
    })
    expect(drawn(after, memory)).toBe(
      [
        'README.md: a.md',
        'first.md',
        'a.md: a/new.md',
        '  a/below.md',
        '  a/new.md',
        'b.md',
        'b-too.md',
        '-> https://example.com',
        'c.md',
        '## Rest',
        '  rest/last.md',
        '## More',
        '  more/extra.md',
      ].join('\n'),
    )
    const [was, is] = [pageAt(memory, before, 'a'), pageAt(memory, after, 'a')]
    expect(is).toMatchObject({ id: was.id, position: was.position, title: 'A again', updatedAt: 9_000 })
    expect(is.createdAt).toBe(5_000)
    expect(pageAt(memory, after, 'c')).toEqual(pageAt(memory, before, 'c'))
    const pictures = memory.run(listFiles(after)).map(({ path, hash }) => [path, hash])
    expect(pictures.toSorted()).toEqual([
      ['kept.png', 'kept picture'],
      ['picture.png', 'new picture'],
      ['second.png', 'second picture'],
    ])
    expect(filesOf(memory, after)['.gitbook/includes/note.md']).toBe('Another note')
    // The same again is the same content.
    expect(filesOf(memory, upsert(memory, after, filesOf(memory, after)))).toEqual(filesOf(memory, after))
  })

  test('keeps the text of a page that it lists and does not hold', () => {
    const memory = memoryObjects()
    const before = created(memory, book)
    const after = upsert(memory, before, {
      'SUMMARY.md': contents('* [A](a.md)', '* [N](n.md)'),
      'n.md': '# N',
    })
    expect(filesOf(memory, after)['a.md']).toBe('# A')
  })

  test('is a page where it was a text beside the pages, and stays one where it is listed no more', () => {
    const memory = memoryObjects()
    const before = created(memory, { ...book, 'unlisted.md': '# Unlisted' })
    const after = upsert(memory, before, {
      'SUMMARY.md': contents('* [Unlisted](unlisted.md)'),
      'unlisted.md': '# Listed',
      'c.md': '# C, not listed',
    })
    expect(drawn(after, memory)).toBe(drawn(before, memory).replace('c.md\n', 'c.md\nunlisted.md\n'))
    expect(pageAt(memory, after, 'c')).toMatchObject({
      id: pageAt(memory, before, 'c').id,
      title: 'C, not listed',
    })
  })

  test.each([
    ['another spelling', 'A.md', 'A.md: a/below.md'],
    ['a folder of its own', 'a/README.md', 'a/README.md: below.md'],
  ])('updates the page at the same path in %s', (_, file, line) => {
    const memory = memoryObjects()
    const before = created(memory, { ...book, 'a.md': '# A\n\n[b](a/below.md)' })
    const link = file === 'A.md' ? 'a/below.md' : 'below.md'
    const after = upsert(memory, before, {
      'SUMMARY.md': contents(`* [A](${file})`),
      [file]: `# A again\n\n[b](${link})`,
    })
    expect(pageAt(memory, after, 'a').id).toBe(pageAt(memory, before, 'a').id)
    const lines = drawn(after, memory).split('\n')
    expect(lines).toContain(line)
    // Links to it follow.
    expect(lines[0]).toBe(`README.md: ${file}`)
  })

  test('gets a number where its path is taken by something else', () => {
    const memory = memoryObjects()
    const before = created(memory, book)
    const after = upsert(memory, before, {
      'SUMMARY.md': contents('* [Rest](rest.md)', '', '## C', '', '* [In](c/in.md)'),
      'rest.md': '# Another rest',
      'c/in.md': '# In',
    })
    expect(pageAt(memory, after, 'rest')).toMatchObject({ type: 'group' })
    expect(pageAt(memory, after, 'rest-1')).toMatchObject({ type: 'document', file: 'rest.md' })
    expect(pageAt(memory, after, 'c')).toMatchObject({ type: 'document', file: 'c.md' })
    expect(pageAt(memory, after, 'c-1')).toMatchObject({ type: 'group' })
  })

  test('merges variables, tags and redirects by name', () => {
    const memory = memoryObjects()
    const before = created(memory, {
      ...book,
      '.gitbook/vars.yaml': 'one: 1\ntwo: 2\n',
      '.gitbook/tags.yaml': '- tag: old\n- tag: both\n  label: Before\n',
      '.gitbook.yaml': 'redirects:\n  gone: a.md\n  moved: a.md\n',
    })
    const after = upsert(memory, before, {
      'README.md': '# Home',
      '.gitbook/vars.yaml': 'two: II\nthree: 3\n',
      '.gitbook/tags.yaml': '- tag: both\n  label: After\n',
      '.gitbook.yaml': 'redirects:\n  moved: c.md\n',
    })
    const files = filesOf(memory, after)
    expect(files['.gitbook/vars.yaml']!.split('\n').toSorted()).toEqual(['', 'one: 1', 'three: 3', 'two: II'])
    expect(files['.gitbook/tags.yaml']).toBe('- tag: both\n  label: After\n- tag: old\n  label: old\n')
    expect(after.config.redirects).toEqual({ gone: 'a.md', moved: 'c.md' })
    expect(parseConfig(files['.gitbook.yaml']!).config.redirects).toEqual(after.config.redirects)
  })

  test('of other settings leaves those of the content, and its files where they are', () => {
    const memory = memoryObjects()
    const before = created(memory, book)
    const after = upsert(memory, before, {
      '.gitbook.yaml': 'root: ./docs/\n',
      'docs/SUMMARY.md': contents('* [Start](README.md)', '* [A](a.md)'),
      'docs/README.md': '# Start\n\n[a](a.md)',
      'docs/a.md': '# Other A',
    })
    expect(after.config).toEqual(before.config)
    expect(pageAt(memory, after, 'docs')).toMatchObject({ title: 'Start', file: 'docs/README.md' })
    expect(pageAt(memory, after, 'docs/a')).toMatchObject({ title: 'Other A' })
    expect(filesOf(memory, after)['a.md']).toBe('# A')
    expect(filesOf(memory, after)).not.toHaveProperty('docs/SUMMARY.md')
  })

  test('makes room between siblings that have none', () => {
    const memory = memoryObjects()
    const first = created(memory, book)
    const [a, c] = [pageAt(memory, first, 'a'), pageAt(memory, first, 'c')]
    // Equal positions are ordered by their ids.
    const [one, other] = a.id < c.id ? [a, c] : [c, a]
    const tied = edit(memory, first, {
      kind: 'move-page',
      page: other.id,
      parent: null,
      position: one.position,
    })
    const [name] = one.id === a.id ? ['a'] : ['c']
    const after = upsert(memory, tied, {
      'SUMMARY.md': contents(`* [One](${name}.md)`, '* [New](new.md)'),
      'new.md': '# New',
    })
    const top = memory.run(pageTree(after)).map(({ page }) => page)
    const paths = top.map((page) => ('path' in page ? page.path : page.url))
    expect(paths).toEqual(['readme', name, 'new', name === 'a' ? 'c' : 'a', 'rest'])
    expect(new Set(top.map(({ position }) => position)).size).toBe(top.length)
  })

  test('costs in proportion to itself, also among many siblings', () => {
    const loads = (existing: number, added: number): number => {
      const memory = memoryObjects()
      const pages = (prefix: string, many: number): Tree => {
        const names = Array.from({ length: many }, (_, at) => `${prefix}${at}.md`)
        return {
          ...Object.fromEntries(names.map((name) => [name, `# ${name}`])),
          'SUMMARY.md': contents(...names.map((name) => `* [P](${name})`)),
        }
      }
      const before = created(memory, pages('old', existing))
      const plan = planOf(memory, pages('new', added))
      memory.resetCounts()
      memory.run(mergeImportedTree(before, plan, { sink: memory, describe: describeDrawing, now: 1 }))
      return memory.counts.reads
    }
    expect(loads(50, 400)).toBeLessThan(3 * loads(50, 200))
    expect(loads(400, 50)).toBeLessThan(3 * loads(200, 50))
  })
})
