import { describe, expect, test } from 'vitest'
import { lineLookup } from '../document/lines.js'
import type { FileId, Hash, PageId } from '../ids.js'
import { parseConfig } from '../markdown/gitbook-yaml.js'
import { parseSummary } from '../markdown/summary.js'
import { memoryObjects } from '../merkle/testing.js'
import type { Memory } from '../merkle/testing.js'
import { buildSnapshot } from './build.js'
import { editSnapshot } from './edit.js'
import type { Edit } from './edit.js'
import { listExport } from './export.js'
import { planImport } from './import.js'
import type { ImportEntry } from './import.js'
import type { OutlineProblem } from './outline.js'
import { isTextPath } from './paths.js'
import { children, findPage, findPageByPath, listFiles, listNames, pageTree } from './read.js'
import type { PageNode } from './read.js'
import { describeDrawing, drawn, rebuilt, describeAndPut } from './testing.js'
import { defaultConfig } from '../config.js'
import type { Snapshot } from './types.js'

type Tree = Readonly<Record<string, string>>

/** Imports files given as path → content; everything that is no text is a file named by its content. */
function importTree(
  memory: Memory,
  tree: Tree,
  existing: Snapshot | null = null,
): { snapshot: Snapshot; problems: readonly OutlineProblem[] } {
  const config =
    tree['.gitbook.yaml'] === undefined ? defaultConfig : parseConfig(tree['.gitbook.yaml']).config
  const entries = new Map<string, ImportEntry>()
  for (const [path, content] of Object.entries(tree)) {
    entries.set(
      path,
      isTextPath(path)
        ? { kind: 'text', text: describeAndPut(content, describeDrawing, memory) }
        : { kind: 'file', contentType: 'image/png', size: content.length, hash: content as Hash },
    )
  }
  const summary = tree[`${config.root === '' ? '' : `${config.root}/`}${config.summary}`]
  const { plan, problems } = memory.run(
    planImport(
      existing,
      { config, entries, ...(summary !== undefined && { summary: parseSummary(summary).entries }) },
      {
        newId: () => `id${(nextId += 1)}`,
        newFileId: () => `id${(nextId += 1)}` as FileId,
        now: 5_000,
      },
    ),
  )
  const snapshot = buildSnapshot(plan, memory)
  expect(snapshot).toEqual(rebuilt(snapshot, memory))
  return { snapshot, problems }
}

let nextId = 0

function exportTree(memory: Memory, snapshot: Snapshot): Tree {
  return Object.fromEntries(
    memory.run(listExport(snapshot)).map((entry) => {
      if (entry.kind === 'text') return [entry.path, memory.text(entry.hash)]
      return [entry.path, entry.kind === 'file' ? entry.file.hash : entry.text]
    }),
  )
}

function edited(memory: Memory, snapshot: Snapshot, ...edits: Edit[]): Snapshot {
  return memory.run(editSnapshot(snapshot, edits, { sink: memory, describe: describeDrawing, now: 9_000 }))
    .snapshot
}

function titles(nodes: readonly PageNode[]): unknown[] {
  return nodes.flatMap(({ page, children: below }) => {
    const name = `${page.title} (${page.type === 'link' ? page.url : page.path})`
    return below.length > 0 ? [name, titles(below)] : [name]
  })
}

const book: Tree = {
  '.gitbook/assets/logo.png': 'logo bytes',
  '.gitbook/includes/note.md': 'See [x](../../guide/install.md)',
  '.gitbook/vars.yaml': 'version: 1\n',
  'README.md':
    '---\ndescription: Hello\n---\n# Welcome to all\n\n[go](guide/install.md#a) ![l](.gitbook/assets/logo.png)',
  'SUMMARY.md': [
    '# Table of contents',
    '',
    '* [Welcome](README.md)',
    '',
    '## Guide',
    '',
    '* [Overview](guide/README.md "Over")',
    '  * [Install](guide/install.md)',
    '  * [Gone](guide/gone.md)',
    '* [Again](guide/install.md)',
    '  * [Below the second](guide/below.md)',
    '* [Picture](.gitbook/assets/logo.png)',
    '* [Elsewhere](https://example.com)',
    '  * [After it](after.md)',
    '* Only words',
    '* ```yaml',
    '  type: builtin:openapi',
    '  dependencies:',
    '    spec:',
    '      ref:',
    '        kind: openapi',
    '        spec: pets',
    '  ```',
    '',
  ].join('\n'),
  'after.md': '# After',
  'guide/README.md': '# Overview',
  'guide/below.md': '# Below',
  'guide/install.md': '# Install\n\n[back](../README.md)',
  'unlisted.md': '# Not in the table\n\n[i](guide/install.md)',
}

describe('importing with a table of contents', () => {
  test('creates its order, nesting, groups, links and computed pages; oddities are problems', () => {
    const memory = memoryObjects()
    const { snapshot, problems } = importTree(memory, book)
    expect(titles(memory.run(pageTree(snapshot)))).toEqual([
      'Welcome (readme)',
      'Guide (guide-1)',
      [
        'Overview (guide)',
        ['Install (guide/install)', 'Gone (guide/gone)'],
        'Below the second (guide/below)',
        'Picture (.gitbook/assets/logo.png)',
        'Elsewhere (https://example.com)',
        'After it (after)',
        'Only words (only-words)',
        'pets (guide-1/pets)',
      ],
    ])
    const lineOf = lineLookup(book['SUMMARY.md']!)
    expect(problems.map(({ span, message }) => `${lineOf(span.start)}: ${message}`)).toEqual([
      '9: guide/gone.md does not exist: its page has no text.',
      '10: guide/install.md stands here twice: this entry is left out.',
      '13: “Elsewhere” cannot have subpages: they follow it.',
    ])
    expect(memory.run(findPageByPath(snapshot, 'guide'))).toMatchObject({
      title: 'Overview',
      linkTitle: 'Over',
    })
    expect(memory.run(findPageByPath(snapshot, ''))).toMatchObject({ description: 'Hello', createdAt: 5_000 })
    expect(memory.run(findPageByPath(snapshot, 'guide/gone'))).not.toHaveProperty('text')
    const names = new Map(memory.run(listNames(snapshot)))
    expect(names.get('unlisted.md')).toHaveProperty('text')
    expect(names.get('.gitbook/includes/note.md')).toHaveProperty('id')
    expect(names.get('.gitbook/vars.yaml')).not.toHaveProperty('id')
  })

  test('and exporting gives the same files, byte for byte', () => {
    const memory = memoryObjects()
    expect(exportTree(memory, importTree(memory, book).snapshot)).toEqual(book)
  })

  test('honours the root folder and the names in .gitbook.yaml', () => {
    const memory = memoryObjects()
    const tree: Tree = {
      '.gitbook.yaml': 'root: ./docs/\nstructure:\n  readme: index.md\n  summary: toc.md\n',
      'README.md': '# Of the repository',
      'docs/index.md': '# Home',
      'docs/a/index.md': '# A\n\n[b](b.md)',
      'docs/a/b.md': '# B',
      'docs/toc.md': '* [Home](index.md)\n* [A](a/index.md)\n  * [B](a/b.md)\n',
    }
    const { snapshot } = importTree(memory, tree)
    expect(titles(memory.run(pageTree(snapshot)))).toEqual(['Home (index)', 'A (a)', ['B (a/b)']])
    expect(exportTree(memory, snapshot)).toEqual(tree)
    const b = memory.run(findPageByPath(snapshot, 'a/b'))!.id
    const moved = edited(memory, snapshot, { kind: 'move-page', page: b, parent: null })
    expect(drawn(moved, memory)).toBe('docs/index.md\ndocs/a/index.md: ../b.md\ndocs/b.md')
    expect(exportTree(memory, moved)['docs/toc.md']).toBe(
      '* [Home](index.md)\n* [A](a/index.md)\n* [B](b.md)\n',
    )
  })
})

test('importing without a table of contents takes folders and files, and the export writes one when the tree differs', () => {
  const memory = memoryObjects()
  const tree: Tree = {
    'README.md': 'no heading',
    'b-page.md': '# Second',
    'a10.md': '---\ntitle: Ten\n---\n',
    'a9.md': '',
    'guide/README.md': '# The guide',
    'guide/deep/leaf.md': '# Leaf',
    'loose/x.md': '# X',
    'stem.md': '# Stem',
    'stem/below.md': '# Below',
    '.hidden/y.md': '# Y',
  }
  const { snapshot } = importTree(memory, tree)
  expect(titles(memory.run(pageTree(snapshot)))).toEqual([
    'README (readme)',
    'A9 (a9)',
    'Ten (a10)',
    'Second (b-page)',
    'The guide (guide)',
    ['Deep (guide/deep)', ['Leaf (guide/deep/leaf)']],
    'Loose (loose)',
    ['X (loose/x)'],
    'Stem (stem)',
    ['Below (stem/below)'],
  ])
  expect(exportTree(memory, snapshot)).toEqual(tree)

  const last = memory.run(findPageByPath(snapshot, 'a9'))!.id
  const moved = memory.run(
    editSnapshot(snapshot, [{ kind: 'move-page', page: last, parent: null }], {
      sink: memory,
      describe: describeDrawing,
      now: 1,
    }),
  ).snapshot
  const exported = exportTree(memory, moved)
  const { 'SUMMARY.md': summary, ...rest } = exported
  expect(rest).toEqual(tree)
  expect(summary).toContain('[Ten](a10.md)')
  const again = importTree(memory, exported, moved).snapshot
  expect(titles(memory.run(pageTree(again)))).toEqual(titles(memory.run(pageTree(moved))))
})

describe('importing again', () => {
  test('the same tree gives the same snapshot', () => {
    const memory = memoryObjects()
    const { snapshot } = importTree(memory, book)
    expect(importTree(memory, book, snapshot).snapshot).toEqual(snapshot)
  })

  test('keeps ids by file, then by equal text; files by path, then by equal bytes', () => {
    const memory = memoryObjects()
    const before = importTree(memory, book).snapshot
    const ids = (snapshot: Snapshot, path: string): PageId => memory.run(findPageByPath(snapshot, path))!.id
    const changed: Record<string, string> = {
      ...book,
      'README.md': '# Rewritten',
      'new/place.md': book['guide/install.md']!,
    }
    delete changed['guide/install.md']
    changed['img/logo-moved.png'] = changed['.gitbook/assets/logo.png']!
    delete changed['.gitbook/assets/logo.png']
    changed['.gitbook/includes/renamed.md'] = changed['.gitbook/includes/note.md']!
    delete changed['.gitbook/includes/note.md']
    changed['SUMMARY.md'] =
      '* [Other title](new/place.md)\n* [Welcome](README.md)\n\n## Guide\n\n* [Elsewhere](https://example.com)\n'
    const { snapshot } = importTree(memory, changed, before)
    expect(ids(snapshot, 'readme')).toBe(ids(before, 'readme'))
    expect(ids(snapshot, 'new/place')).toBe(ids(before, 'guide/install'))
    expect(ids(snapshot, 'guide')).toBe(ids(before, 'guide-1'))
    const elsewhere = (of: Snapshot, group: string): PageId | undefined =>
      memory
        .run(children(of, ids(of, group)))
        .find((page) => page.type === 'link' && page.url.startsWith('https'))?.id
    expect(elsewhere(snapshot, 'guide')).toBe(elsewhere(before, 'guide-1'))
    const [file] = memory.run(listFiles(snapshot))
    expect(file).toMatchObject({
      id: memory.run(listFiles(before))[0]!.id,
      path: 'img/logo-moved.png',
      name: 'logo-moved.png',
    })
    const include = (of: Snapshot): unknown => {
      const entry = memory.run(listNames(of, '.gitbook/includes/'))[0]![1]
      return 'text' in entry && entry.id
    }
    expect(include(snapshot)).toBe(include(before))
    expect(memory.run(findPage(snapshot, ids(snapshot, 'readme')))).toMatchObject({ updatedAt: 5_000 })
  })
})

describe('exporting after edits', () => {
  test('rewrites the table of contents only when the tree differs', () => {
    const memory = memoryObjects()
    const { snapshot } = importTree(memory, book)
    const page = memory.run(findPageByPath(snapshot, 'after'))!.id
    const texts = edited(memory, snapshot, { kind: 'update-page', page, text: '# Edited' })
    expect(exportTree(memory, texts)).toEqual({ ...book, 'after.md': '# Edited' })

    const renamed = edited(memory, texts, { kind: 'update-page', page, set: { title: 'New [title]' } })
    const exported = exportTree(memory, renamed)
    expect(parseSummary(exported['SUMMARY.md']!).entries[1]!.children.map((entry) => entry.title)).toContain(
      'New [title]',
    )
    const again = importTree(memory, exported, renamed).snapshot
    expect(exportTree(memory, again)).toEqual(exported)
  })

  test('writes .gitbook.yaml when the snapshot is configured otherwise', () => {
    const memory = memoryObjects()
    const { snapshot } = importTree(memory, { 'README.md': 'x', 'SUMMARY.md': '* [x](README.md)\n' })
    const config = { ...defaultConfig, redirects: { 'old/page': 'README.md', 'tr: ue': 'a b.md' } }
    const written = exportTree(memory, { ...snapshot, config })['.gitbook.yaml']!
    expect(parseConfig(written).config).toEqual(config)
    expect(exportTree(memory, snapshot)).not.toHaveProperty('.gitbook.yaml')
  })
})
