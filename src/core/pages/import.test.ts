import { describe, expect, test } from 'vitest'
import { lineLookup } from '../document/lines.js'
import type { FileId, Hash, PageId } from '../ids.js'
import { parseConfig } from '../markdown/gitbook-yaml.js'
import { parseSummary, parseSummaryInSteps } from '../markdown/summary.js'
import { memoryObjects } from '../merkle/testing.js'
import type { Memory } from '../merkle/testing.js'
import type { Step } from '../merkle/types.js'
import { buildSnapshot } from './build.js'
import { draftOf, finishDraft, putPage } from './draft.js'
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
import { resolveTargets } from './targets.js'
import type { DocumentPage, Snapshot } from './types.js'

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
      'Welcome to all (readme)',
      'Guide (guide-1)',
      [
        'Overview (guide)',
        ['Install (guide/install)', 'Gone (guide/gone)'],
        'Below (guide/below)',
        'Picture (.gitbook/assets/logo.png)',
        'Elsewhere (https://example.com)',
        'After (after)',
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

  test('honours the root folder and the names in .gitbook.yaml: the readme is the first page alone', () => {
    const memory = memoryObjects()
    const tree: Tree = {
      '.gitbook.yaml': 'root: ./docs/\nstructure:\n  readme: index.md\n  summary: toc.md\n',
      'README.md': '# Of the repository',
      'docs/index.md': '# Home\n\n[a](a/)',
      'docs/a/README.md': '# A\n\n[b](b.md) [home](../)',
      'docs/a/index.md': '# Index',
      'docs/a/b.md': '# B',
      'docs/toc.md': '* [Home](index.md)\n* [A](a/README.md)\n  * [B](a/b.md)\n  * [Index](a/index.md)\n',
    }
    const { snapshot } = importTree(memory, tree)
    expect(titles(memory.run(pageTree(snapshot)))).toEqual([
      'Home (index)',
      'A (a)',
      ['B (a/b)', 'Index (a/index)'],
    ])
    const links = memory.run(resolveTargets(snapshot, 'docs/a/README.md', ['../', './', 'b.md']))
    expect([...links.values()].map((target) => target.kind === 'page' && target.page.title)).toEqual([
      'Home',
      'A',
      'B',
    ])
    expect(exportTree(memory, snapshot)).toEqual(tree)
    const b = memory.run(findPageByPath(snapshot, 'a/b'))!.id
    const moved = edited(memory, snapshot, { kind: 'move-page', page: b, parent: null })
    expect(drawn(moved, memory)).toBe(
      'docs/index.md: a/\ndocs/a/README.md: ../b.md ../\n  docs/a/index.md\ndocs/b.md',
    )
    expect(exportTree(memory, moved)['docs/toc.md']).toBe(
      '* [Home](index.md)\n* [A](a/README.md)\n  * [Index](a/index.md)\n* [B](b.md)\n',
    )
  })

  test('takes the title from the text, and the entry for the menu', () => {
    const memory = memoryObjects()
    const tree: Tree = {
      'SUMMARY.md':
        '* [Intro](README.md)\n* [CLI](cli.md)\n* [FAQ](faq.md "Questions")\n* [Same](same.md)\n* [Bare](bare.md)\n',
      'README.md': '# Introduction',
      'cli.md': '# Command line',
      'faq.md': '---\ntitle: Frequent questions\n---\n# Heading',
      'same.md': '# Same',
      'bare.md': 'no heading',
    }
    const { snapshot } = importTree(memory, tree)
    const record = (of: Snapshot, path: string) => memory.run(findPageByPath(of, path)) as DocumentPage
    const titlesAt = (of: Snapshot, path: string) => {
      const { title, linkTitle } = record(of, path)
      return [title, linkTitle]
    }
    expect(['readme', 'cli', 'faq', 'same', 'bare'].map((path) => titlesAt(snapshot, path))).toEqual([
      ['Introduction', 'Intro'],
      ['Command line', 'CLI'],
      ['Frequent questions', 'Questions'],
      ['Same', undefined],
      ['Bare', undefined],
    ])
    expect(exportTree(memory, snapshot)).toEqual(tree)
    expect(importTree(memory, tree, snapshot).snapshot).toEqual(snapshot)

    const write = (path: string, text: string): Edit => ({
      kind: 'update-page',
      page: record(snapshot, path).id,
      text,
    })
    const rewritten = edited(memory, snapshot, write('cli', '# Shell'), write('same', '# Other'))
    expect([titlesAt(rewritten, 'cli'), titlesAt(rewritten, 'same')]).toEqual([
      ['Shell', 'CLI'],
      ['Other', undefined],
    ])
    expect(exportTree(memory, rewritten)).toEqual({
      ...tree,
      'cli.md': '# Shell',
      'same.md': '# Other',
      'SUMMARY.md': tree['SUMMARY.md']!.replace('[Same]', '[Other]'),
    })
  })

  test('keeps the records of earlier imports, whose titles are the entries', () => {
    const memory = memoryObjects()
    const tree: Tree = {
      'SUMMARY.md': '* [Intro](README.md)\n* [CLI](cli.md)\n',
      'README.md': '# Introduction\n\n[c](cli.md)',
      'cli.md': '# Command line',
    }
    const { snapshot } = importTree(memory, tree)
    const earlier = memory.run(
      (function* () {
        const draft = draftOf(snapshot, { sink: memory, describe: describeDrawing })
        for (const path of ['readme', 'cli']) {
          const {
            linkTitle,
            contentsEntry: _,
            ...page
          } = (yield* findPageByPath(snapshot, path)) as DocumentPage
          yield* putPage(draft, { ...page, title: linkTitle! })
        }
        return yield* finishDraft(draft)
      })(),
    )
    expect(exportTree(memory, earlier)).toEqual(tree)
    const { id: cli } = memory.run(findPageByPath(earlier, 'cli'))!
    const renamed = edited(memory, earlier, { kind: 'rename-page', page: cli, slug: 'shell' })
    const written = edited(memory, renamed, { kind: 'update-page', page: cli, text: '# Shells' })
    expect(exportTree(memory, written)).toEqual({
      'SUMMARY.md': '* [Intro](README.md)\n* [CLI](shell.md)\n',
      'README.md': '# Introduction\n\n[c](shell.md)',
      'shell.md': '# Shells',
    })
    expect(memory.run(findPage(written, cli))).toMatchObject({ title: 'Shells', linkTitle: 'CLI' })
  })

  test('reads destinations that are exactly a file, and links to parts of pages', () => {
    const memory = memoryObjects()
    const tree: Tree = {
      'docs/files/a b.pdf': 'bytes',
      'docs/test protocol.md': '# T',
      'docs/設定 手順.md': '# S',
      'docs/paren (x.md': '# P',
      'docs/c#.md': '# C',
      'docs/a%20b.md': '# A',
      'docs/only.md': '# O',
      '.gitbook.yaml': 'root: docs\n',
      'docs/SUMMARY.md': [
        '* [Protocol](./test protocol.md "Nav")',
        '  * [Install](<test protocol.md#install>)',
        '* [手順](設定 手順.md)',
        '* [Paren](paren (x.md)',
        '* [C sharp](c#.md)',
        '* [Percent](a%20b.md)',
        '* [First](only.md#one)',
        '* [Second](only.md#two)',
        '* [Picture](<files/a b.pdf>)',
        '* [Missing](not there.md)',
        '* [Text](x) y',
        '',
      ].join('\n'),
    }
    const { snapshot, problems } = importTree(memory, tree)
    expect(titles(memory.run(pageTree(snapshot)))).toEqual([
      'T (test protocol)',
      ['Install (test protocol.md#install)'],
      'S (設定 手順)',
      'P (paren (x)',
      'C (c#)',
      'A (a%20b)',
      'O (only)',
      'Second (only.md#two)',
      'Picture (files/a b.pdf)',
      'Missing (missing)',
      'Text (x)',
    ])
    expect(problems.map(({ message }) => message)).toEqual([
      '“Missing” has no link: it becomes a page without text.',
      'docs/x does not exist: its page has no text.',
    ])
    expect(exportTree(memory, snapshot)).toEqual(tree)
    expect(importTree(memory, tree, snapshot).snapshot).toEqual(snapshot)
  })

  test('of links to parts follows pages and files that move, and is written back', () => {
    const memory = memoryObjects()
    const tree: Tree = {
      'files/a.pdf': 'bytes',
      'base.md': '# B',
      'SUMMARY.md':
        '* [Basics](base.md)\n  * [Install](base.md#install)\n  * [Upgrade](base.md#upgrade)\n* [Paper](files/a.pdf)\n',
    }
    const { snapshot } = importTree(memory, tree)
    const base = memory.run(findPageByPath(snapshot, 'base'))!.id
    const [file] = memory.run(listFiles(snapshot))
    const moved = edited(
      memory,
      snapshot,
      { kind: 'rename-page', page: base, slug: 'first steps' },
      { kind: 'put-file', file: { ...file!, path: 'files/b.pdf', name: 'b.pdf' } },
    )
    expect(moved).toEqual(rebuilt(moved, memory))
    expect(exportTree(memory, moved)).toEqual({
      'files/b.pdf': 'bytes',
      'first-steps.md': '# B',
      'SUMMARY.md':
        '* [Basics](first-steps.md)\n  * [Install](first-steps.md#install)\n  * [Upgrade](first-steps.md#upgrade)\n* [Paper](files/b.pdf)\n',
    })

    // An earlier import left such entries out, which is no reason to write the table of contents again.
    const links = memory
      .run(children(snapshot, base))
      .map(({ id }): Edit => ({ kind: 'delete-page', page: id }))
    const earlier = edited(memory, snapshot, ...links)
    expect(exportTree(memory, earlier)).toEqual(tree)
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

test.each(['with', 'without'])('planning many files %s a table of contents pauses often', (kind) => {
  const paths = Array.from({ length: 6_000 }, (_, at) => `folder-${at % 3}/page-${at}.md`)
  const description = { metadata: {}, references: [] }
  const entries = new Map<string, ImportEntry>(
    paths.map((path) => [path, { kind: 'text', text: { hash: path as Hash, size: 1, description } }]),
  )
  const parsing = parseSummaryInSteps(paths.map((path) => `* [x](${path})\n`).join(''))
  const summary = countPauses(parsing)
  const planning = planImport(
    null,
    { config: defaultConfig, entries, ...(kind === 'with' && { summary: summary.result.entries }) },
    { newId: () => `id${(nextId += 1)}`, newFileId: () => `id${(nextId += 1)}` as FileId, now: 1 },
  )
  const planned = countPauses(planning)
  expect(planned.result.plan.pages.filter((page) => page.type === 'document')).toHaveLength(paths.length)
  // Each pass over the files pauses on its own.
  expect(summary.pauses).toBeGreaterThanOrEqual(20)
  expect(planned.pauses).toBeGreaterThanOrEqual(60)
})

function countPauses<Result>(step: Step<Result>): { readonly result: Result; readonly pauses: number } {
  for (let pauses = 0; ; pauses += 1) {
    const state = step.next([])
    if (state.done) return { result: state.value, pauses }
  }
}

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
