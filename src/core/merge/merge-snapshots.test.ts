import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { FileId, Hash, PageId } from '../ids.js'
import { count } from '../merkle/map.js'
import { type Memory, memoryObjects } from '../merkle/testing.js'
import type { LoadResult, Step } from '../merkle/types.js'
import { type Edit, editSnapshot } from '../pages/edit.js'
import { findPage, listFiles, listNames, pageTree } from '../pages/read.js'
import { EditError } from '../pages/edit-error.js'
import { resolveTargets } from '../pages/targets.js'
import { describeDrawing, drawn, drawnSnapshot, rebuilt } from '../pages/testing.js'
import type { ContentConfig } from '../config.js'
import type { DocumentPage, FileRecord, Snapshot } from '../pages/types.js'
import { type Conflict, swapSides } from './conflict.js'
import { diffSnapshots } from './diff-snapshots.js'
import { applyChoices } from './resolve-conflicts.js'
import { type MergeContext, type MergeResult, mergeSnapshots } from './merge-snapshots.js'
import { propertyRuns } from './testing.js'

const id = (name: string) => name as PageId
const edited = (memory: Memory, snapshot: Snapshot, ...edits: Edit[]): Snapshot =>
  memory.run(editSnapshot(snapshot, edits, { sink: memory, describe: describeDrawing, now: 1 })).snapshot
const merged = (
  memory: Memory,
  base: Snapshot,
  ours: Snapshot,
  theirs: Snapshot,
  context: Partial<MergeContext> = {},
): MergeResult =>
  memory.run(mergeSnapshots(base, ours, theirs, { sink: memory, describe: describeDrawing, ...context }))
const textOf = (memory: Memory, snapshot: Snapshot, page: string): string =>
  memory.text((memory.run(findPage(snapshot, id(page))) as DocumentPage).text!)
const indent = (drawing: string): string => {
  const lines = drawing.split('\n').filter((line) => line.trim() !== '')
  const margin = Math.min(...lines.map((line) => line.search(/\S/)))
  return lines.map((line) => line.slice(margin)).join('\n')
}
const named = (conflict: Conflict): string =>
  [conflict.kind, 'page' in conflict ? conflict.page : '', 'member' in conflict ? conflict.member : '']
    .join(' ')
    .trim()

const edit = (page: string, text: string): Edit => ({ kind: 'update-page', page: id(page), text })
const move = (page: string, parent: string | null): Edit => ({
  kind: 'move-page',
  page: id(page),
  parent: parent as PageId | null,
})
const rename = (page: string, slug: string): Edit => ({ kind: 'rename-page', page: id(page), slug })
const remove = (page: string): Edit => ({ kind: 'delete-page', page: id(page) })
const retitle = (page: string, title: string): Edit => ({
  kind: 'update-page',
  page: id(page),
  set: { title },
})
const insert = (page: string, parent: string | null, text: string, slug = page): Edit => ({
  kind: 'insert-page',
  page: { type: 'document', id: id(page), slug, text },
  parent: parent as PageId | null,
})
const upload = (file: string, path: string, hash: string): Edit => ({
  kind: 'put-file',
  file: {
    id: file as FileId,
    path,
    name: path.split('/').at(-1)!,
    contentType: 'image/png',
    size: 1,
    hash: hash as Hash,
  },
})
const write = (path: string, text: string, textId?: string): Edit => ({
  kind: 'put-text',
  path,
  text,
  ...(textId !== undefined && { id: textId }),
})

const space = `
  a.md: c.md
  b=b/README.md: ../a.md
    c=b/c.md: README.md ../d.md
  d.md: b/c.md`

/** Name, what ours does, what theirs does, the merged tree, and the conflicts by kind, page and member. */
const cases: [name: string, ours: Edit[], theirs: Edit[], drawing: string, conflicts: string[]][] = [
  [
    'edits of different pages both apply',
    [edit('a', '# a\n\nours')],
    [edit('d', '# d\n\ntheirs')],
    `
    a.md
    b/README.md: ../a.md
      b/c.md: README.md ../d.md
    d.md`,
    [],
  ],
  [
    'a page renamed on one side and linked anew on the other',
    [rename('d', 'delta')],
    [edit('a', '# a\n\n[x](d.md)')],
    `
    a.md: delta.md
    b/README.md: ../a.md
      b/c.md: README.md ../delta.md
    delta.md: b/c.md`,
    [],
  ],
  [
    'a page moved on one side and edited, links and all, on the other',
    [move('d', 'b')],
    [edit('d', '# d\n\n[x](a.md) [y](b/c.md)')],
    `
    a.md: c.md
    b/README.md: ../a.md
      b/c.md: README.md d.md
      b/d.md: ../a.md c.md`,
    [],
  ],
  [
    'a page added under a parent that was renamed is in the new folder',
    [rename('b', 'beta')],
    [insert('n', 'b', '[x](c.md)')],
    `
    a.md: c.md
    beta/README.md: ../a.md
      beta/c.md: README.md ../d.md
      beta/n.md: c.md
    d.md: beta/c.md`,
    [],
  ],
  [
    'renamed in ours and moved in theirs is both',
    [rename('d', 'delta')],
    [move('d', 'b')],
    `
    a.md: c.md
    b/README.md: ../a.md
      b/c.md: README.md delta.md
      b/delta.md: c.md`,
    [],
  ],
  [
    'two new pages of one name both remain, and links to the second follow it',
    [insert('x', null, 'ours', 'new')],
    [insert('y', null, 'theirs', 'new'), edit('a', '[x](new.md)')],
    `
    a.md: new-1.md
    b/README.md: ../a.md
      b/c.md: README.md ../d.md
    d.md: b/c.md
    new.md
    new-1.md`,
    [],
  ],
  [
    'edited in ours and deleted in theirs: the page stays as a conflict',
    [edit('c', 'rewritten')],
    [remove('c')],
    `
    a.md: c.md
    b/README.md: ../a.md
      b/c.md
    d.md: b/c.md`,
    ['page c'],
  ],
  [
    'deleted in theirs, while in ours only its links followed a renamed page: deleted',
    [rename('d', 'delta')],
    [remove('c')],
    `
    a.md: c.md
    b/README.md: ../a.md
    delta.md: b/c.md`,
    [],
  ],
  [
    'a parent deleted while the other side adds a page below it stays',
    [insert('n', 'b', 'new')],
    [remove('b')],
    `
    a.md: c.md
    b/README.md: ../a.md
      b/n.md
    d.md: b/c.md`,
    ['page b'],
  ],
  [
    'two moves that would put two pages under each other',
    [move('a', 'd')],
    [move('d', 'a')],
    `
    b/README.md: ../d/a.md
      b/c.md: README.md ../d.md
    d.md: b/c.md
      d/a.md: ../c.md`,
    ['member d parent'],
  ],
  [
    'two new names for one page',
    [rename('d', 'delta')],
    [rename('d', 'dora')],
    `
    a.md: c.md
    b/README.md: ../a.md
      b/c.md: README.md ../delta.md
    delta.md: b/c.md`,
    ['member d path'],
  ],
  [
    'two titles for one page, two parents for another',
    [retitle('a', 'Ours'), move('d', 'a')],
    [retitle('a', 'Theirs'), move('d', 'b')],
    `
    a.md: c.md
      a/d.md: ../b/c.md
    b/README.md: ../a.md
      b/c.md: README.md ../a/d.md`,
    ['member a linkTitle', 'member d parent'],
  ],
  [
    'one block written anew by both',
    [edit('a', '# a\n\nours said this')],
    [edit('a', '# a\n\ntheirs told that')],
    `
    a.md
    b/README.md: ../a.md
      b/c.md: README.md ../d.md
    d.md: b/c.md`,
    ['block a'],
  ],
]

describe('merging two changed spaces', () => {
  for (const [name, oursEdits, theirsEdits, drawing, conflicts] of cases) {
    it(name, () => {
      const memory = memoryObjects()
      const base = drawnSnapshot(space, memory)
      const [ours, theirs] = [edited(memory, base, ...oursEdits), edited(memory, base, ...theirsEdits)]
      const result = merged(memory, base, ours, theirs)
      expect(drawn(result.snapshot, memory)).toBe(indent(drawing))
      expect(result.conflicts.map(named).toSorted()).toEqual(conflicts)
      expectProperties(memory, base, ours, theirs)
    })
  }

  it('keeps one of two equal uploads, and both of two different ones', () => {
    const memory = memoryObjects()
    const base = drawnSnapshot('a.md', memory)
    const ours = edited(memory, base, upload('f1', 'x.png', 'same'), upload('f2', 'y.png', 'one'))
    const theirs = edited(
      memory,
      base,
      upload('g1', 'x.png', 'same'),
      upload('g2', 'y.png', 'two'),
      edit('a', '[i](y.png)'),
    )
    const { snapshot, conflicts } = merged(memory, base, ours, theirs)
    const files = memory.run(listFiles(snapshot)) as FileRecord[]
    expect(files.map((file) => `${file.path} ${file.hash}`)).toEqual([
      'x.png same',
      'y.png one',
      'y-1.png two',
    ])
    expect(conflicts).toEqual([])
    expect(textOf(memory, snapshot, 'a')).toBe('[i](y-1.png)')
  })

  it('has a conflict over bytes that both replaced, and joins a renaming with a replacement', () => {
    const memory = memoryObjects()
    const base = edited(
      memory,
      drawnSnapshot('a.md', memory),
      upload('f', 'x.png', '0'),
      upload('g', 'y.png', '0'),
    )
    const ours = edited(memory, base, upload('f', 'x.png', '1'), upload('g', 'y.png', '1'))
    const theirs = edited(memory, base, upload('f', 'x.png', '2'), upload('g', 'z.png', '0'))
    const { snapshot, conflicts } = merged(memory, base, ours, theirs)
    const files = memory.run(listFiles(snapshot)) as FileRecord[]
    expect(files.map((file) => `${file.path} ${file.hash}`)).toEqual(['x.png 1', 'z.png 1'])
    expect(conflicts.map((conflict) => conflict.kind)).toEqual(['file'])
  })

  it('makes a document of a group that the other side filled or moved, and has a conflict where it was renamed', () => {
    const memory = memoryObjects()
    const base = drawnSnapshot('g=## Guides\n  a=guides/a.md\nb.md: guides', memory)
    const group = id('g')
    const convert: Edit = { kind: 'convert-group', page: group, text: '# Guides' }
    const ours = edited(memory, base, convert)
    expect(ours).toEqual(rebuilt(ours, memory))
    expect(drawn(ours, memory)).toBe('guides.md\n  guides/a.md\nb.md: guides')
    const theirs = edited(memory, base, move('b', 'g'), { ...move('g', null), index: 1 } as Edit)
    for (const sides of [[ours, theirs] as const, [theirs, ours] as const]) {
      const { snapshot, conflicts } = merged(memory, base, ...sides)
      expect(conflicts).toEqual([])
      expect(drawn(snapshot, memory)).toBe('guides.md\n  guides/a.md\n  guides/b.md: ../guides')
      expect(snapshot).toEqual(rebuilt(snapshot, memory))
    }
    expect(
      merged(memory, base, ours, edited(memory, base, retitle('g', 'All'))).conflicts.map(named),
    ).toEqual(['member g type'])
    const refuse = () => edited(memory, ours, convert)
    expect(refuse).toThrow(EditError)
  })

  it('has a conflict where two rename one file, and none where one renames it and the other uses it', () => {
    const memory = memoryObjects()
    const base = edited(memory, drawnSnapshot('a.md: x.png\nb.md', memory), upload('f', 'x.png', '0'))
    const ours = edited(memory, base, upload('f', 'y.png', '0'))
    const renamed = merged(memory, base, ours, edited(memory, base, upload('f', 'z.png', '0')))
    expect(renamed.conflicts.map(named)).toEqual(['file'])
    expect(textOf(memory, renamed.snapshot, 'a')).toContain('(y.png)')
    const using = edited(memory, base, edit('b', '[i](x.png)'))
    for (const sides of [[ours, using] as const, [using, ours] as const]) {
      const { snapshot, conflicts } = merged(memory, base, ...sides)
      expect(conflicts).toEqual([])
      expect(textOf(memory, snapshot, 'a')).toContain('(y.png)')
      expect(textOf(memory, snapshot, 'b')).toBe('[i](y.png)')
      expect(snapshot).toEqual(rebuilt(snapshot, memory))
    }
  })

  it.each([
    ['file', upload('f', 'x.png', '0'), 'x.png', { kind: 'delete-file', file: 'f' as FileId }],
    [
      'text',
      write('.gitbook/includes/i.md', 'words', 'r'),
      '.gitbook/includes/i.md',
      { kind: 'delete-text', path: '.gitbook/includes/i.md' },
    ],
  ] as const)('keeps a %s that one side deleted and the other began to use', (kind, put, path, deletion) => {
    const memory = memoryObjects()
    const base = edited(memory, drawnSnapshot(`a.md: ${path}\nb.md`, memory), put)
    const deleting = edited(memory, base, deletion)
    const pathsOf = (snapshot: Snapshot) => memory.run(listNames(snapshot)).map(([name]) => name)
    const using = edited(memory, base, edit('b', `[i](${path})`))
    for (const sides of [[deleting, using] as const, [using, deleting] as const]) {
      const { snapshot, conflicts } = merged(memory, base, ...sides)
      expect(conflicts.map(named)).toEqual([kind])
      expect(pathsOf(snapshot)).toContain(path)
      const take = sides[0] === deleting ? 'ours' : 'theirs'
      const chosen = merged(memory, base, ...sides, { choices: new Map([[conflicts[0]!.id, { take }]]) })
      expect(chosen.conflicts).toEqual([])
      expect(pathsOf(chosen.snapshot)).not.toContain(path)
    }
    // Uses that were there before are no reason to keep it, nor is a use of what took its place.
    const editing = edited(memory, base, edit('a', `[i](${path}) again`))
    expect(merged(memory, base, deleting, editing).conflicts).toEqual([])
    const replacing = edited(
      memory,
      deleting,
      kind === 'file' ? upload('g', path, '1') : write(path, 'others', 's'),
    )
    expect(merged(memory, base, replacing, using).conflicts).toEqual([])
  })

  it('merges variables by key, never has conflicts in the table of contents, and renames a second include', () => {
    const memory = memoryObjects()
    const base = edited(
      memory,
      drawnSnapshot('a.md', memory),
      write('.gitbook/vars.yaml', 'a: 1\nb: 2\n'),
      write('SUMMARY.md', '* [a](a.md)\n'),
    )
    const ours = edited(
      memory,
      base,
      write('.gitbook/vars.yaml', 'a: 9\nb: 2\n'),
      write('SUMMARY.md', '* [ours](a.md)\n'),
      write('.gitbook/includes/i.md', 'ours', 'r1'),
    )
    const theirs = edited(
      memory,
      base,
      write('.gitbook/vars.yaml', 'a: 1\nb: 2\nc: 3\n'),
      write('SUMMARY.md', '* [theirs](a.md)\n'),
      write('.gitbook/includes/i.md', 'theirs', 'r2'),
      edit('a', '[i](.gitbook/includes/i.md)'),
    )
    const { snapshot, conflicts } = merged(memory, base, ours, theirs)
    expect(conflicts).toEqual([])
    const texts = memory
      .run(listNames(snapshot))
      .flatMap(([path, entry]) => ('text' in entry ? [[path, memory.text(entry.text)]] : []))
    expect(Object.fromEntries(texts)).toEqual({
      '.gitbook/vars.yaml': 'a: 9\nb: 2\nc: 3\n',
      '.gitbook/includes/i.md': 'ours',
      '.gitbook/includes/i-1.md': 'theirs',
      'SUMMARY.md': '* [ours](a.md)\n',
    })
    expect(textOf(memory, snapshot, 'a')).toBe('[i](.gitbook/includes/i-1.md)')
    expect(
      memory.run(mergeSnapshots(base, ours, theirs, { sink: memory, describe: describeDrawing })).snapshot,
    ).toEqual(rebuilt(snapshot, memory))
  })

  it('reads only what changed', () => {
    const memory = memoryObjects()
    const lines = Array.from({ length: 2_000 }, (_, index) => `p${index}.md`)
    const base = drawnSnapshot(lines.join('\n'), memory)
    const ours = edited(memory, base, edit('p7', 'ours'))
    const theirs = edited(memory, base, edit('p1900', 'theirs'))
    memory.resetCounts()
    merged(memory, base, ours, theirs)
    expect(memory.counts.reads).toBeLessThan(120)
  })
})

describe('resolving conflicts', () => {
  const story = () => {
    const memory = memoryObjects()
    const base = drawnSnapshot('a.md\nb.md', memory)
    const start = edited(memory, base, edit('a', 'one\n\ntwo\n\nthree\n'))
    const ours = edited(memory, start, edit('a', 'one ours\n\ntwo\n\nours\n'), edit('b', 'kept'))
    const theirs = edited(memory, start, edit('a', 'one theirs\n\ntwo\n\ntheirs\n'), remove('b'))
    const inputs = { base: start, ours, theirs }
    const context = { sink: memory, describe: describeDrawing }
    return { memory, inputs, context, first: merged(memory, start, ours, theirs) }
  }

  it('takes a side, a custom text, or a deletion, each by its conflict', () => {
    const { memory, inputs, context, first } = story()
    expect(first.conflicts.map(named)).toEqual(['page b', 'block a', 'block a'])
    const [page, top, bottom] = first.conflicts
    const resolved = memory.run(
      applyChoices(
        inputs,
        first.snapshot,
        new Map([
          [page!.id, { take: 'theirs' }],
          [top!.id, { take: 'theirs' }],
          [bottom!.id, { text: 'both' }],
        ]),
        context,
      ),
    )
    expect(textOf(memory, resolved.snapshot, 'a')).toBe('one theirs\n\ntwo\n\nboth\n')
    expect(memory.run(findPage(resolved.snapshot, id('b')))).toBeUndefined()
    expect(resolved.conflicts).toEqual([])
  })

  it('keeps later edits, and leaves the other conflicts open under their ids', () => {
    const { memory, inputs, context, first } = story()
    const current = edited(memory, first.snapshot, edit('a', 'one ours\n\nlater\n\ntwo\n\nours\n'))
    const choices = new Map([[first.conflicts[1]!.id, { take: 'theirs' as const }]])
    const resolved = memory.run(applyChoices(inputs, current, choices, context))
    expect(textOf(memory, resolved.snapshot, 'a')).toBe('one theirs\n\nlater\n\ntwo\n\nours\n')
    expect(resolved.conflicts.map((conflict) => conflict.id)).toEqual(
      [first.conflicts[0], first.conflicts[2]].map((conflict) => conflict!.id),
    )
  })
})

describe('choices about positions in the tree', () => {
  const resolved = (ours: Edit[], theirs: Edit[], side: 'ours' | 'theirs') => {
    const memory = memoryObjects()
    const base = drawnSnapshot('p.md\nq.md\nd=d/README.md\n  e=d/e.md\nf=f/README.md\n  g=f/g.md', memory)
    const inputs = { base, ours: edited(memory, base, ...ours), theirs: edited(memory, base, ...theirs) }
    const context = { sink: memory, describe: describeDrawing }
    const first = merged(memory, base, inputs.ours, inputs.theirs)
    const choices = new Map(first.conflicts.map(({ id }) => [id, { take: side }]))
    const { snapshot, conflicts } = memory.run(applyChoices(inputs, first.snapshot, choices, context))
    expect(conflicts).toEqual([])
    const positions = ['d', 'e', 'g', 'n', 'p', 'q'].flatMap((name) => {
      const page = memory.run(findPage(snapshot, id(name)))
      return page ? [`${name}<${page.parent ?? ''}`] : []
    })
    return { conflicts: first.conflicts.map(named), positions: positions.join(' ') }
  }

  it('are applied where each side put one page under the other', () => {
    const under = (side: 'ours' | 'theirs') => resolved([move('p', 'q')], [move('q', 'p')], side)
    expect(under('ours')).toEqual({ conflicts: ['member q parent'], positions: 'd< e<d g<f p<q q<' })
    expect(under('theirs')).toEqual({ conflicts: ['member q parent'], positions: 'd< e<d g<f p< q<p' })
  })

  it('are applied where a page went into one that the other side deleted', () => {
    const into = (side: 'ours' | 'theirs') => resolved([remove('d')], [move('p', 'd')], side)
    expect(into('theirs')).toEqual({ conflicts: ['page d'], positions: 'd< g<f p<d q<' })
    expect(into('ours')).toEqual({ conflicts: ['page d'], positions: 'g<f p< q<' })
  })

  it('bring a page back to where the other side has it, out of one that stays deleted', () => {
    expect(resolved([remove('d')], [move('g', 'd')], 'ours').positions).toBe('g<f p< q<')
    expect(resolved([remove('d')], [move('g', 'd')], 'theirs').positions).toBe('d< g<d p< q<')
  })

  it('move a new page one level up when the page above it stays deleted', () => {
    const inside = (side: 'ours' | 'theirs') => resolved([remove('d')], [insert('n', 'd', 'new')], side)
    expect(inside('theirs')).toEqual({ conflicts: ['page d'], positions: 'd< g<f n<d p< q<' })
    expect(inside('ours')).toEqual({ conflicts: ['page d'], positions: 'g<f n< p< q<' })
  })

  it('have the same conflicts and ids when the sides are swapped', () => {
    const memory = memoryObjects()
    const base = drawnSnapshot(space, memory)
    const ours = edited(memory, base, edit('a', '# a\n\none'), move('d', 'b'), retitle('c', 'Ours'))
    const theirs = edited(memory, base, edit('a', '# a\n\ntwo'), move('d', 'a'), retitle('c', 'Theirs'))
    const conflicts = merged(memory, base, ours, theirs).conflicts
    const swapped = merged(memory, base, theirs, ours, { prefer: 'theirs' }).conflicts
    expect(conflicts.map(named)).toEqual(['member c linkTitle', 'member d parent', 'block a'])
    expect(swapped.map(swapSides).map(withoutSpan)).toEqual(conflicts.map(withoutSpan))
  })
})

const withoutSpan = ({ path: _path, span: _span, ...conflict }: any) => conflict

describe('properties over random edits', () => {
  it('hold for trees, links, indexes and words', () => {
    const property = (seed: number) => {
      const random = randomNumbers(seed)
      const memory = memoryObjects()
      const base = drawnSnapshot(space, memory)
      const words: string[] = []
      const side = (name: string) => randomEdits(memory, base, name, random, words)
      const [ours, theirs] = [side('ours'), side('theirs')]
      expectProperties(memory, base, ours, theirs)
      const { snapshot, conflicts } = merged(memory, base, ours, theirs)
      const texts = memory.run(pageTexts(snapshot)).map((hash) => memory.text(hash))
      const everything = JSON.stringify([texts, conflicts, conflicts.flatMap((one) => textsOf(memory, one))])
      const alive = [ours, theirs].flatMap((one) =>
        memory.run(pageTexts(one)).map((hash) => memory.text(hash)),
      )
      for (const side of [ours, theirs])
        expectSameTargets(memory, base, side, side === ours ? theirs : ours, snapshot)
      for (const word of words) {
        if (alive.some((text) => text.includes(word))) expect(everything).toContain(word)
      }
    }
    fc.assert(fc.property(fc.nat(), property), propertyRuns(150))
  })
})

describe('the difference of two snapshots', () => {
  it('is reported page by page, with both values of every attribute', () => {
    const memory = memoryObjects()
    const base = drawnSnapshot(space, memory)
    const after = edited(
      memory,
      base,
      retitle('a', 'Alpha'),
      move('d', 'b'),
      remove('c'),
      insert('n', null, 'new'),
      upload('f', 'x.png', 'h'),
      write('.gitbook/vars.yaml', 'a: 1'),
    )
    const changes = memory.run(diffSnapshots(base, after))
    expect(changes.map((change) => [change.type, 'page' in change ? change.page.id : ''].join(' '))).toEqual([
      'page_edited a',
      'page_deleted c',
      'page_edited d',
      'page_moved d',
      'page_created n',
      'file_created ',
      'text_created ',
    ])
    expect(changes[0]).toMatchObject({ attributes: { linkTitle: { after: 'Alpha' } } })
    expect(changes[3]).toMatchObject({ parent: { before: null, after: 'b' } })
    expect(memory.run(diffSnapshots(after, after))).toEqual([])
  })
})

describe('the configuration of a space', () => {
  const memory = memoryObjects()
  const drawing = drawnSnapshot(space, memory)
  const configured = (snapshot: Snapshot, config: Partial<ContentConfig>): Snapshot => ({
    ...snapshot,
    config: { ...snapshot.config, ...config },
  })
  const configOf = (ours: Partial<ContentConfig>, theirs: Partial<ContentConfig>, prefer?: 'theirs') => {
    const base = configured(drawing, { redirects: { kept: 'a.md', moved: 'a.md', gone: 'a.md' } })
    const sides = [configured(base, ours), configured(base, theirs)] as const
    return merged(memory, base, ...sides, prefer ? { prefer } : {}).snapshot.config
  }

  test('is merged member by member, and redirect by redirect', () => {
    const ours = { redirects: { kept: 'a.md', moved: 'd.md', gone: 'a.md', mine: 'd.md', both: 'a.md' } }
    const theirs = { redirects: { kept: 'a.md', moved: 'a.md', yours: 'd.md', both: 'd.md' } }
    const agreed = { kept: 'a.md', moved: 'd.md', mine: 'd.md', yours: 'd.md' }
    expect(configOf(ours, theirs).redirects).toEqual({ ...agreed, both: 'a.md' })
    expect(configOf(ours, theirs, 'theirs').redirects).toEqual({ ...agreed, both: 'd.md' })
  })

  test('has redirects that follow what either side moved, in its file too', () => {
    const text = (...lines: string[]) => write('.gitbook.yaml', ['redirects:', ...lines, ''].join('\n'))
    const base = edited(memory, drawing, text('  old: a.md', '  other: d.md # kept'))
    const ours = edited(
      memory,
      base,
      rename('a', 'one'),
      text('  old: one.md', '  other: d.md # kept', '  mine: d.md'),
    )
    const theirs = edited(
      memory,
      base,
      rename('d', 'four'),
      text('  old: a.md', '  other: four.md # kept', '  yours: a.md#part'),
    )
    const redirects = { old: 'one.md', other: 'four.md', mine: 'four.md', yours: 'one.md#part' }
    const written =
      'redirects:\n  old: one.md\n  other: four.md # kept\n  mine: four.md\n  yours: one.md#part\n'
    const { snapshot, conflicts } = merged(memory, base, ours, theirs)
    const entry = memory.run(listNames(snapshot)).find(([path]) => path === '.gitbook.yaml')![1]
    expect([conflicts, snapshot.config.redirects]).toEqual([[], redirects])
    expect(memory.text((entry as { text: Hash }).text)).toBe(written)
    expect(merged(memory, base, theirs, ours).snapshot.config.redirects).toEqual(redirects)
  })

  test.each(['summary', 'readme', 'root'] as const)('"%s" is that of the side that changed it', (member) => {
    expect(configOf({ [member]: 'new' }, { redirects: {} })[member]).toBe('new')
    expect(configOf({ redirects: {} }, { [member]: 'new' })[member]).toBe('new')
    expect(configOf({ [member]: 'one' }, { [member]: 'two' })[member]).toBe('one')
    expect(configOf({ [member]: 'one' }, { [member]: 'two' }, 'theirs')[member]).toBe('two')
  })
})

test('a page that changed its type on either side is one conflict, and each choice is applied', () => {
  const memory = memoryObjects()
  const [base, ours, theirs] = ['d.md', 'd=## Delta', 'd=-> https://octavo.test'].map((line) =>
    drawnSnapshot(`a.md\n${line}`, memory),
  ) as [Snapshot, Snapshot, Snapshot]
  const { conflicts } = merged(memory, base, ours, theirs)
  expect(conflicts.map(named)).toEqual(['member d type'])
  for (const [take, type] of [
    ['ours', 'group'],
    ['theirs', 'link'],
  ] as const) {
    const resolved = merged(memory, base, ours, theirs, { choices: new Map([[conflicts[0]!.id, { take }]]) })
    expect(resolved.conflicts).toEqual([])
    expect(memory.run(findPage(resolved.snapshot, id('d')))?.type).toBe(type)
  }
  const others = edited(memory, base, retitle('a', 'A'), move('a', 'd'))
  const alone = merged(memory, base, ours, others)
  expect([alone.conflicts, memory.run(findPage(alone.snapshot, id('d')))?.type]).toEqual([[], 'group'])
  const renamed = merged(memory, base, ours, edited(memory, base, retitle('d', 'D')))
  expect(renamed.conflicts.map(named)).toEqual(['member d type'])
})

test.each<[name: string, theirs: Edit[]]>([
  ['moved in theirs', [move('d', 'b')]],
  ['given another link in theirs', [edit('d', '# d\n\nSee [it](a.md).')]],
  ['given other words after its link in theirs', [edit('d', '# d\n\nSee [it](b/c.md) too.')]],
])('a page that was deleted in ours and %s is a conflict', (_name, theirs) => {
  const memory = memoryObjects()
  const base = drawnSnapshot(space, memory)
  const sides = [edited(memory, base, remove('d')), edited(memory, base, ...theirs)] as const
  expect(merged(memory, base, ...sides).conflicts.map(named)).toEqual(['page d'])
})

test('a page put under one that stays deleted moves to the position of the deleted page', () => {
  const memory = memoryObjects()
  const base = drawnSnapshot('g=g/README.md\n  p=g/p/README.md', memory)
  const ours = edited(memory, base, remove('p'))
  const theirs = edited(memory, base, insert('n', 'p', 'New.'))
  const { conflicts } = merged(memory, base, ours, theirs)
  expect(conflicts.map(named)).toEqual(['page p'])
  const choices = new Map([[conflicts[0]!.id, { take: 'ours' as const }]])
  const { snapshot } = merged(memory, base, ours, theirs, { choices })
  expect(memory.run(findPage(snapshot, id('n')))?.parent).toBe('g')
})

test('times never conflict: the earlier creation and the later update win', () => {
  const memory = memoryObjects()
  const base = drawnSnapshot(space, memory)
  const at = (now: number, ...edits: Edit[]) =>
    memory.run(editSnapshot(base, edits, { sink: memory, describe: describeDrawing, now })).snapshot
  const updated = (ours: Snapshot, theirs: Snapshot) =>
    memory.run(findPage(merged(memory, base, ours, theirs).snapshot, id('a')))?.updatedAt
  const [early, late] = [at(5, edit('a', '# a\n\nText.')), at(9, retitle('a', 'Alpha'))]
  expect([updated(early, late), updated(late, early)]).toEqual([9, 9])
})

function expectProperties(memory: Memory, base: Snapshot, ours: Snapshot, theirs: Snapshot): void {
  const unchanged = { conflicts: [] }
  expect(merged(memory, base, base, theirs)).toEqual({ ...unchanged, snapshot: theirs })
  expect(merged(memory, base, ours, base)).toEqual({ ...unchanged, snapshot: ours })
  expect(merged(memory, base, ours, ours)).toEqual({ ...unchanged, snapshot: ours })
  const result = merged(memory, base, ours, theirs)
  const swapped = merged(memory, base, theirs, ours, { prefer: 'theirs' })
  expect(swapped.conflicts.map(named).toSorted()).toEqual(result.conflicts.map(named).toSorted())
  for (const { snapshot } of [result, swapped, merged(memory, base, ours, theirs, { prefer: 'theirs' })]) {
    expect(snapshot).toEqual(rebuilt(snapshot, memory))
    const pages = memory.run(count(snapshot.pages))
    expect(drawn(snapshot, memory).split('\n').filter(Boolean)).toHaveLength(pages)
  }
  expect(memory.run(pageIds(swapped.snapshot))).toEqual(memory.run(pageIds(result.snapshot)))
  expect(swapped.conflicts.map(({ id }) => id).toSorted()).toEqual(
    result.conflicts.map(({ id }) => id).toSorted(),
  )
  for (const take of ['ours', 'theirs'] as const) {
    const choices = new Map(result.conflicts.map(({ id }) => [id, { take }]))
    const resolved = merged(memory, base, ours, theirs, { choices })
    expect(resolved.snapshot).toEqual(rebuilt(resolved.snapshot, memory))
    const chosen = new Set(choices.keys())
    expect(resolved.conflicts.filter(({ id }) => chosen.has(id))).toEqual([])
    for (const conflict of result.conflicts) {
      if (conflict.kind !== 'page' || conflict[take] !== null) continue
      expect(memory.run(findPage(resolved.snapshot, conflict.page))).toBeUndefined()
    }
  }
}

/** Where only one side touched a page, each of its links has the target that its author meant. */
function expectSameTargets(
  memory: Memory,
  base: Snapshot,
  side: Snapshot,
  other: Snapshot,
  result: Snapshot,
): void {
  for (const change of memory.run(diffSnapshots({ ...base, pages: null }, side))) {
    if (change.type !== 'page_created' || change.page.type !== 'document') continue
    const page = (snapshot: Snapshot) =>
      memory.run(findPage(snapshot, change.page.id)) as DocumentPage | undefined
    if (page(other)?.text !== page(base)?.text || !page(result)) continue
    const targets = (snapshot: Snapshot) => memory.run(targetsOf(memory, snapshot, page(snapshot)!))
    const [meant, actual] = [targets(side), targets(result)]
    // A broken link that now happens to have a target is not compared.
    const before = page(base)?.text === page(side)!.text ? targets(base) : meant
    for (const [index, target] of meant.entries()) {
      const exists = target !== undefined && memory.run(findPage(result, target)) !== undefined
      if (exists && before[index] === target) expect(actual[index]).toBe(target)
    }
  }
}

function* targetsOf(memory: Memory, snapshot: Snapshot, page: DocumentPage) {
  const urls = describeDrawing(memory.text(page.text!)).references.map(({ url }) => url)
  const targets = yield* resolveTargets(snapshot, page.file, urls)
  return urls.map((url) => {
    const target = targets.get(url)
    return target?.kind === 'page' ? target.page.id : undefined
  })
}

/** A parent restored for its children is a conflict again as long as they exist. */
function* pageIds(snapshot: Snapshot) {
  return (yield* diffSnapshots({ ...snapshot, pages: null }, snapshot)).flatMap((change) =>
    'page' in change ? [change.page.id] : [],
  )
}

function* pageTexts(snapshot: Snapshot) {
  const nodes = [...(yield* pageTree(snapshot))]
  const texts: Hash[] = []
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    nodes.push(...node.children)
    if (node.page.type === 'document' && node.page.text) texts.push(node.page.text)
  }
  return texts
}

function textsOf(memory: Memory, conflict: Conflict): string[] {
  if (conflict.kind !== 'page') return []
  return [conflict.ours, conflict.theirs].flatMap((page) =>
    page?.type === 'document' && page.text ? [memory.text(page.text)] : [],
  )
}

function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % below
  }
}

function randomEdits(
  memory: Memory,
  base: Snapshot,
  name: string,
  random: (below: number) => number,
  words: string[],
): Snapshot {
  const pages = ['a', 'b', 'c', 'd']
  let snapshot = base
  for (let step = 1 + random(4); step > 0; step--) {
    const page = pages[random(pages.length)]!
    const other = [...pages, null][random(pages.length + 1)]!
    const word = `${name}${words.length}`
    const added = `n${name}${pages.length}`
    const link = ['a.md', 'b/c.md', '../d.md', 'README.md', 'shared.md'][random(5)]!
    const edits: Edit[] = [
      edit(page, `# ${page}\n\n${word} and [l](${link})\n`),
      edit(page, `# ${page}\n\nSee [it](${link}).\n\n${word}\n`),
      move(page, other),
      rename(page, ['delta', 'shared', 'gamma'][random(3)]!),
      remove(page),
      retitle(page, word),
      insert(added, other, `${word} [x](${link})`, ['shared', 'other'][random(2)]!),
    ]
    const chosen = edits[random(edits.length)]!
    try {
      snapshot = edited(memory, snapshot, chosen)
      words.push(word)
      if (chosen.kind === 'insert-page') pages.push(added)
    } catch (error) {
      if (!(error instanceof EditError)) throw error
    }
  }
  return snapshot
}

it('pauses at each page before it merges texts, and loads nothing in between', () => {
  const memory = memoryObjects()
  const files = Array.from({ length: 300 }, (_, index) => `page-${index}.md`)
  const base = drawnSnapshot(files.join('\n'), memory)
  const retitled = (title: string) =>
    edited(memory, base, ...files.map((file) => retitle(file.slice(0, -3), `${title} ${file}`)))
  const [ours, theirs] = [retitled('Ours'), retitled('Theirs')]
  const step = mergeSnapshots(base, ours, theirs, { sink: memory, describe: describeDrawing })
  let pauses = 0
  let state = step.next([])
  while (!state.done) {
    const conflicts = state.value
    if ('nodes' in conflicts && conflicts.nodes.length === 0) pauses += 1
    const answer = memory.run(
      (function* (): Step<LoadResult> {
        return yield conflicts
      })(),
    )
    state = step.next(answer)
  }
  expect(state.value.conflicts).toHaveLength(files.length)
  expect(pauses).toBeGreaterThanOrEqual(3 * files.length)
})
