import { describe, expect, test } from 'vitest'
import { byteLength } from '../bytes.js'
import type { FileId, Hash, PageId } from '../ids.js'
import { memoryObjects } from '../merkle/testing.js'
import type { Memory } from '../merkle/testing.js'
import { readLinkKey } from './keys.js'
import { range } from '../merkle/map.js'
import { editSnapshot } from './edit.js'
import type { Edit, EditResult } from './edit.js'
import {
  ancestors,
  children,
  entryAt,
  findPage,
  findPageByFile,
  findPageByPath,
  firstPage,
  listNames,
  pageAfter,
  pageBefore,
} from './read.js'
import { EditError } from './edit-error.js'
import { parseConfig } from '../markdown/gitbook-yaml.js'
import { loadTexts } from '../merkle/steps.js'
import { describeDrawing, drawn, drawnSnapshot, rebuilt, backlinks } from './testing.js'
import type { PageNode } from './read.js'
import { pageTree } from './read.js'
import { defaultConfig } from '../config.js'
import type { DocumentPage, FileRecord, PageRecord, Snapshot } from './types.js'

const id = (name: string): PageId => name as PageId

function edit(memory: Memory, snapshot: Snapshot, ...edits: Edit[]): EditResult {
  const edited = memory.run(
    editSnapshot(snapshot, edits, { sink: memory, describe: describeDrawing, now: 1_000 }),
  )
  expect(edited.snapshot).toEqual(rebuilt(edited.snapshot, memory))
  return edited
}

/** Edits a drawn space, checks every index against a rebuild, and returns the drawing of the result. */
function after(drawing: string, ...edits: Edit[]): string {
  const memory = memoryObjects()
  return drawn(edit(memory, drawnSnapshot(drawing, memory), ...edits).snapshot, memory)
}

function lines(drawing: string): string {
  const nonBlank = drawing.split('\n').filter((line) => line.trim() !== '')
  const margin = Math.min(...nonBlank.map((line) => line.search(/\S/)))
  return nonBlank.map((line) => line.slice(margin)).join('\n')
}

const space = `
  home=README.md: guide/README.md guide/first.md#top https://example.com/a.md
  ## More
    about=more/about.md: ../README.md ./missing.md
  guide=guide/README.md: first.md deep/ ../README.md
    first=guide/first.md: second.md ./second.md#x /guide/second.md
    second=guide/second.md: first.md ../more/about.md img.png
    deep=guide/deep/README.md: ../first.md leaf.md
      leaf=guide/deep/leaf.md: ../../README.md ./
  -> https://example.com
`

describe('moving a page', () => {
  test('takes its file to the new parent, and every link follows by its destination alone', () => {
    expect(after(space, { kind: 'move-page', page: id('first'), parent: id('about') })).toBe(
      lines(`
        README.md: guide/README.md more/about/first.md#top https://example.com/a.md
        ## More
          more/about.md: ../README.md ./missing.md
            more/about/first.md: ../../guide/second.md ../../guide/second.md#x /guide/second.md
        guide/README.md: ../more/about/first.md deep/ ../README.md
          guide/second.md: ../more/about/first.md ../more/about.md img.png
          guide/deep/README.md: ../../more/about/first.md leaf.md
            guide/deep/leaf.md: ../../README.md ./
        -> https://example.com
      `),
    )
  })

  test('takes a folder with its README and the files of subpages in it; links among them stay', () => {
    expect(after(space, { kind: 'move-page', page: id('guide'), parent: id('about') })).toBe(
      lines(`
        README.md: more/about/guide/README.md more/about/guide/first.md#top https://example.com/a.md
        ## More
          more/about.md: ../README.md ./missing.md
            more/about/guide/README.md: first.md deep/ ../../../README.md
              more/about/guide/first.md: second.md ./second.md#x /more/about/guide/second.md
              more/about/guide/second.md: first.md ../../about.md ../../../guide/img.png
              more/about/guide/deep/README.md: ../first.md leaf.md
                more/about/guide/deep/leaf.md: ../../../../README.md ./
        -> https://example.com
      `),
    )
  })

  test('among its siblings leaves files and texts alone', () => {
    expect(after(space, { kind: 'move-page', page: id('second'), parent: id('guide'), index: 0 })).toBe(
      lines(space.replace(/( +first=.*\n)( +second=.*\n)/, '$2$1').replace(/\w+=/g, '')),
    )
  })

  test.each([
    ['first', 'about', { index: 0 }],
    ['second', null, { index: 1 }],
    ['deep', 'home', {}],
    ['leaf', 'about', {}],
    ['guide', 'about', {}],
  ] as const)('%s under %s and back restores every map', (page, parent, place) => {
    const memory = memoryObjects()
    // A leading `./` is lost by moving through another folder: `../` has none.
    const before = drawnSnapshot(space.replaceAll(' ./', ' '), memory)
    const { parent: home, position } = memory.run(findPage(before, id(page)))!
    const moved = edit(memory, before, {
      kind: 'move-page',
      page: id(page),
      parent: parent && id(parent),
      ...place,
    })
    expect(moved.snapshot).not.toEqual(before)
    const back = edit(memory, moved.snapshot, { kind: 'move-page', page: id(page), parent: home, position })
    expect(back.snapshot).toEqual(before)
  })

  test('reports the paths that changed', () => {
    const memory = memoryObjects()
    const { moved } = edit(memory, drawnSnapshot(space, memory), {
      kind: 'move-page',
      page: id('deep'),
      parent: null,
    })
    expect(moved).toEqual([
      { page: 'deep', before: 'guide/deep', after: 'deep' },
      { page: 'leaf', before: 'guide/deep/leaf', after: 'deep/leaf' },
    ])
  })

  test('to a taken name gets a number', () => {
    const drawing = `
      a.md: b/x.md
      x.md
      b=b/README.md
        bx=b/x.md: ../a.md
    `
    expect(after(drawing, { kind: 'move-page', page: id('bx'), parent: null })).toBe(
      lines(`
        a.md: x-1.md
        x.md
        b/README.md
        x-1.md: a.md
      `),
    )
  })

  test.each<[string, Edit, string]>([
    ['under itself', { kind: 'move-page', page: id('guide'), parent: id('guide') }, 'inside-itself'],
    ['under its own subpage', { kind: 'move-page', page: id('guide'), parent: id('leaf') }, 'inside-itself'],
    ['that does not exist', { kind: 'move-page', page: id('nobody'), parent: null }, 'page-not-found'],
    [
      'to a parent that does not exist',
      { kind: 'move-page', page: id('leaf'), parent: id('nobody') },
      'page-not-found',
    ],
    [
      'that is a group, below another page',
      { kind: 'move-page', page: id('## More'), parent: id('guide') },
      'group-below-top',
    ],
    ['below a link', { kind: 'move-page', page: id('leaf'), parent: id('-> https') }, 'no-subpages'],
    [
      'inserted twice',
      { kind: 'insert-page', page: { type: 'group', id: id('leaf'), title: 'x' }, parent: null },
      'page-exists',
    ],
    ['whose look is text', { kind: 'update-page', page: id('leaf'), set: { emoji: 'x' } }, 'member-of-text'],
    [
      'renamed onto another file',
      { kind: 'rename-page', page: id('first'), file: 'guide/second.md' },
      'name-taken',
    ],
    ['below another root', { kind: 'put-text', path: '.gitbook.yaml', text: 'root: docs' }, 'needs-import'],
    ['put as text over a page', { kind: 'put-text', path: 'README.md', text: 'x' }, 'name-taken'],
  ])('a page %s is refused', (_, wrong, refusal) => {
    const memory = memoryObjects()
    const before = drawnSnapshot(space, memory)
    const wanted =
      'parent' in wrong && wrong.parent === '-> https' ? { ...wrong, parent: linkId(memory, before) } : wrong
    try {
      edit(memory, before, wanted)
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(EditError)
      expect((error as EditError).refusal).toBe(refusal)
    }
  })
})

function linkId(memory: Memory, snapshot: Snapshot): PageId {
  return memory.run(children(snapshot, null)).find((page) => page.type === 'link')!.id
}

describe('renaming a page', () => {
  test('moves its file, its folder and all links', () => {
    expect(after(space, { kind: 'rename-page', page: id('guide'), slug: 'Hand Book' })).toBe(
      lines(
        space
          .replaceAll('guide/', 'hand-book/')
          .replace(' img.png', ' ../guide/img.png')
          .replace(/\w+=/g, ''),
      ),
    )
  })

  test('to the slug it has changes nothing', () => {
    const memory = memoryObjects()
    const before = drawnSnapshot(space, memory)
    const { snapshot, moved } = edit(memory, before, {
      kind: 'rename-page',
      page: id('first'),
      slug: 'first',
    })
    expect(snapshot).toEqual(before)
    expect(moved).toEqual([])
  })

  test('to a file uses exactly this file', () => {
    expect(after('a.md: b.md\nb.md: a.md', { kind: 'rename-page', page: id('b'), file: 'x y/B c.md' })).toBe(
      'a.md: x%20y/B%20c.md\nx y/B c.md: ../a.md',
    )
  })

  test('of a group moves the pages in its folder', () => {
    expect(
      after('m=## More\n  more/a.md: ../b.md\nb.md: more/a.md', {
        kind: 'rename-page',
        page: id('m'),
        slug: 'less',
      }),
    ).toBe('## More\n  less/a.md: ../b.md\nb.md: less/a.md')
  })

  test('of two pages to each other’s names in one batch keeps both', () => {
    expect(
      after(
        'a.md: b.md\nb.md: a.md',
        { kind: 'rename-page', page: id('a'), slug: 'c' },
        { kind: 'rename-page', page: id('b'), slug: 'a' },
        { kind: 'rename-page', page: id('a'), slug: 'b' },
      ),
    ).toBe('b.md: a.md\na.md: b.md')
  })
})

describe('inserting pages', () => {
  test('places them, derives slug and file, and numbers what collides in any case', () => {
    const page = (name: string, title: string, text = `# ${title}`): Edit =>
      ({
        kind: 'insert-page',
        page: { type: 'document', id: id(name), text },
        parent: id('guide'),
        index: 1,
      }) as const
    expect(
      after(
        'guide.md\n  First=guide/First.md',
        page('n1', 'First'),
        page('n2', 'first!', '---\ntitle: FIRST\n---\n[x](./n.md)'),
        { kind: 'insert-page', page: { type: 'group', id: id('g'), title: 'Guide' }, parent: null, index: 0 },
        { kind: 'insert-page', page: { type: 'document', id: id('n3'), text: '' }, parent: id('g') },
        { kind: 'insert-page', page: { type: 'document', id: id('n4'), title: 'README' }, parent: null },
        { kind: 'insert-page', page: { type: 'document', id: id('n5'), title: 'Summary' }, parent: null },
      ),
    ).toBe(
      lines(`
        ## Guide
          guide-1/untitled.md
        guide.md
          guide/First.md
          guide/first-2.md: ./n.md
          guide/first-1.md
        readme-1.md
        summary-1.md
      `),
    )
  })

  test('under a page inserted in the same batch works', () => {
    expect(
      after(
        'a.md',
        { kind: 'insert-page', page: { type: 'document', id: id('p'), title: 'P' }, parent: null, index: 0 },
        {
          kind: 'insert-page',
          page: { type: 'document', id: id('q'), title: 'Q', text: '[](../a.md)' },
          parent: id('p'),
        },
        { kind: 'move-page', page: id('p'), parent: id('a') },
      ),
    ).toBe('a.md\n  a/p.md\n    a/p/q.md: ../../a.md')
  })

  test('repeatedly into one gap keeps positions short', () => {
    const memory = memoryObjects()
    let snapshot = drawnSnapshot('a.md\nz.md', memory)
    for (let n = 0; n < 400; n += 1) {
      const page = { type: 'link', id: id(`l${n}`), title: 'x', url: 'https://example.com' } as const
      const edits: Edit[] = [{ kind: 'insert-page', page, parent: null, index: 1 }]
      snapshot = memory.run(
        editSnapshot(snapshot, edits, { sink: memory, describe: describeDrawing, now: 1 }),
      ).snapshot
    }
    const list = memory.run(children(snapshot, null))
    expect(list.map((page) => page.id)).toEqual([
      'a',
      ...Array.from({ length: 400 }, (_, n) => `l${399 - n}`),
      'z',
    ])
    expect(Math.max(...list.map((page) => page.position.length))).toBeLessThanOrEqual(48)
    expect(snapshot).toEqual(rebuilt(snapshot, memory))
  })
})

describe('updating a page', () => {
  test('replaces the members derived from the old text', () => {
    const memory = memoryObjects()
    const before = drawnSnapshot('a.md: b.md\nb.md', memory)
    const first = edit(memory, before, {
      kind: 'update-page',
      page: id('a'),
      text: '---\ndescription: One\nlinkTitle: L\n---\n[c](c.md)',
      set: { title: 'New title' },
    }).snapshot
    expect(memory.run(findPage(first, id('a')))).toMatchObject({
      title: 'New title',
      description: 'One',
      linkTitle: 'L',
      updatedAt: 1_000,
      size: 47,
    })
    expect(memory.run(backlinks(first, 'b.md'))).toEqual([])
    expect(memory.run(backlinks(first, 'c.md'))).toEqual([{ page: 'a' }])
    const second = edit(memory, first, { kind: 'update-page', page: id('a'), text: 'é漢\u{1f600}' }).snapshot
    const page = memory.run(findPage(second, id('a'))) as DocumentPage
    expect(page.description).toBeUndefined()
    expect(page.linkTitle).toBeUndefined()
    expect(page.size).toBe(9)
    expect(memory.run(range(second.links))).toEqual([])
  })

  test('keeps a link title that the table of contents gave', () => {
    const memory = memoryObjects()
    const named = edit(memory, drawnSnapshot('a.md', memory), {
      kind: 'update-page',
      page: id('a'),
      set: { linkTitle: 'Nav' },
    })
    const { snapshot } = edit(memory, named.snapshot, { kind: 'update-page', page: id('a'), text: 'x' })
    expect(memory.run(findPage(snapshot, id('a')))).toMatchObject({ linkTitle: 'Nav' })
    const cleared = edit(memory, snapshot, { kind: 'update-page', page: id('a'), set: { linkTitle: null } })
    expect(memory.run(findPage(cleared.snapshot, id('a')))).not.toHaveProperty('linkTitle')
  })
})

test('deleting a page deletes its subpages, without leftovers', () => {
  const memory = memoryObjects()
  const { snapshot } = edit(memory, drawnSnapshot(space, memory), { kind: 'delete-page', page: id('guide') })
  expect(drawn(snapshot, memory)).toBe(
    lines(`
      README.md: guide/README.md guide/first.md#top https://example.com/a.md
      ## More
        more/about.md: ../README.md ./missing.md
      -> https://example.com
    `),
  )
  for (const name of ['guide', 'first', 'second', 'deep', 'leaf']) {
    expect(memory.run(findPage(snapshot, id(name)))).toBeUndefined()
  }
  expect(memory.run(findPageByPath(snapshot, 'guide/deep/leaf'))).toBeUndefined()
  expect(memory.run(entryAt(snapshot, 'guide/first.md'))).toBeUndefined()
  const sources = memory.run(range(snapshot.links)).map(([key]) => readLinkKey(key).source)
  expect(sources.every((source) => 'page' in source && ['home', 'about'].includes(source.page))).toBe(true)
})

describe('files and texts', () => {
  const file = (name: string, path: string): FileRecord => ({
    id: name as FileId,
    path,
    name: path.split('/').at(-1)!,
    contentType: 'image/png',
    size: 3,
    hash: 'h' as Hash,
  })

  test('a file whose path is taken gets a number; a moved one takes its links along', () => {
    const memory = memoryObjects()
    const before = drawnSnapshot('a.md: img/x.png\nb/c.md: ../img/x.png /img/x.png', memory)
    const put = edit(
      memory,
      before,
      { kind: 'put-file', file: file('f', 'img/x.png') },
      { kind: 'put-file', file: file('g', 'img/x.png') },
      { kind: 'put-text', path: '.gitbook/includes/i.md', text: '[x](../../img/x.png)', id: 'i' },
    ).snapshot
    expect(memory.run(listNames(put, 'img/'))).toEqual([
      ['img/x-1.png', { file: 'g' }],
      ['img/x.png', { file: 'f' }],
    ])
    expect(memory.run(backlinks(put, 'img/x.png'))).toEqual([
      { text: '.gitbook/includes/i.md' },
      { page: 'a' },
      { page: 'b/c' },
    ])
    const moved = edit(memory, put, { kind: 'put-file', file: file('f', 'y.png') }).snapshot
    expect(drawn(moved, memory)).toBe('a.md: y.png\nb/c.md: ../y.png /y.png')
    const entry = memory.run(entryAt(moved, '.gitbook/includes/i.md'))!
    expect('text' in entry && memory.text(entry.text)).toBe('[x](../../y.png)')
    expect('text' in entry && entry.id).toBe('i')
    const gone = edit(
      memory,
      moved,
      { kind: 'delete-file', file: 'f' as FileId },
      { kind: 'delete-text', path: '.gitbook/includes/i.md' },
    ).snapshot
    expect(memory.run(listNames(gone)).map(([path]) => path)).toEqual(['a.md', 'b/c.md', 'img/x-1.png'])
    expect(() => edit(memory, gone, { kind: 'delete-file', file: 'f' as FileId })).toThrow(EditError)
  })
})

test('redirects in the configuration take effect', () => {
  const memory = memoryObjects()
  const text = 'redirects:\n  old: a.md\n'
  const { snapshot } = edit(memory, drawnSnapshot('a.md', memory), {
    kind: 'put-text',
    path: '.gitbook.yaml',
    text,
  })
  expect(snapshot.config.redirects).toEqual({ old: 'a.md' })
  const without = edit(memory, snapshot, { kind: 'delete-text', path: '.gitbook.yaml' }).snapshot
  expect(without.config).toEqual(defaultConfig)
})

describe('redirects follow their targets', () => {
  const start = [
    '# Ours',
    'exclude: [node_modules]',
    'redirects:',
    '  old: ./guide/first.md # stays',
    "  quoted: 'guide/first.md#part'",
    '  "folder": "guide/"',
    '  other: more/about.md',
    '  away: https://example.com/guide/first.md',
    '  picture: img/x.png',
    '',
  ].join('\n')
  const picture: FileRecord = {
    id: 'f' as FileId,
    path: 'img/x.png',
    name: 'x.png',
    hash: 'h' as Hash,
    size: 1,
    contentType: 'image/png',
  } as FileRecord

  function redirectsAfter(...edits: Edit[]) {
    const memory = memoryObjects()
    const { snapshot } = edit(
      memory,
      drawnSnapshot(space, memory),
      { kind: 'put-file', file: picture },
      { kind: 'put-text', path: '.gitbook.yaml', text: start },
    )
    const after = edit(memory, snapshot, ...edits).snapshot
    const entry = memory.run(entryAt(after, '.gitbook.yaml')) as { text: Hash }
    const text = memory.run(loadTexts([entry.text]))[0]!
    expect(parseConfig(text).config.redirects).toEqual(after.config.redirects)
    return text
  }

  test.each<[string, Edit[], [string, string][]]>([
    [
      'a renamed page',
      [{ kind: 'rename-page', page: id('first'), slug: 'one' }],
      [
        ['./guide/first.md #', './guide/one.md #'],
        ["'guide/first.md#part'", "'guide/one.md#part'"],
      ],
    ],
    [
      'a folder that is moved',
      [{ kind: 'move-page', page: id('guide'), parent: id('about') }],
      [
        ['./guide/first.md #', './more/about/guide/first.md #'],
        ["'guide/first.md#part'", "'more/about/guide/first.md#part'"],
        ['"guide/"', '"more/about/guide/README.md"'],
      ],
    ],
    [
      'pages that swap their names',
      [
        { kind: 'rename-page', page: id('first'), slug: 'between' },
        { kind: 'rename-page', page: id('second'), slug: 'first' },
        { kind: 'rename-page', page: id('first'), slug: 'second' },
      ],
      [
        ['./guide/first.md #', './guide/second.md #'],
        ["'guide/first.md#part'", "'guide/second.md#part'"],
      ],
    ],
    [
      'a name with blanks',
      [{ kind: 'rename-page', page: id('about'), file: 'more/about us.md' }],
      [['more/about.md', 'more/about%20us.md']],
    ],
    [
      'a file',
      [{ kind: 'put-file', file: { ...picture, path: 'img/new/y.png', name: 'y.png' } }],
      [['img/x.png', 'img/new/y.png']],
    ],
    ['nothing that is deleted', [{ kind: 'delete-page', page: id('guide') }], []],
  ])('%s', (_, edits, replacements) => {
    const expected = replacements.reduce((text, [from, to]) => text.replace(from, to), start)
    expect(redirectsAfter(...edits)).toBe(expected)
  })
})

test('moving a folder of a thousand pages reads its texts and records in batches', () => {
  const memory = memoryObjects()
  const below = Array.from(
    { length: 1_000 },
    (_, n) => `    p${n}=a/p${n}.md: p${(n + 1) % 1_000}.md ../b.md`,
  )
  const before = drawnSnapshot(['  a=a/README.md: p0.md', ...below, '  b.md: a/p7.md'].join('\n'), memory)
  memory.resetCounts()
  const edits: Edit[] = [{ kind: 'move-page', page: id('a'), parent: id('b') }]
  const { snapshot } = memory.run(
    editSnapshot(before, edits, { sink: memory, describe: describeDrawing, now: 1 }),
  )
  const { roundTrips } = memory.counts
  expect(memory.run(findPageByPath(snapshot, 'b/a/p999'))?.id).toBe('p999')
  expect(drawn(snapshot, memory)).toContain('b/a/p7.md: p8.md ../../b.md')
  expect(roundTrips).toBeLessThan(300)
})

describe('reading', () => {
  const memory = memoryObjects()
  const snapshot = drawnSnapshot(space, memory)

  test('finds pages by path in any case, by file, and the first for the empty path', () => {
    expect(memory.run(findPageByPath(snapshot, 'GUIDE/First'))?.id).toBe('first')
    expect(memory.run(findPageByPath(snapshot, ''))?.id).toBe('home')
    expect(memory.run(findPageByPath(snapshot, 'readme'))?.id).toBe('home')
    expect(memory.run(findPageByPath(snapshot, 'guide/nothing'))).toBeUndefined()
    expect(memory.run(findPageByFile(snapshot, 'guide/deep/README.md'))?.id).toBe('deep')
    expect(memory.run(firstPage(drawnSnapshot('## Only', memory)))).toBeUndefined()
    expect(memory.run(firstPage(drawnSnapshot('## Group\n  x.md', memory)))?.id).toBe('x')
    const leaf = memory.run(findPage(snapshot, id('leaf')))!
    expect(memory.run(ancestors(snapshot, leaf)).map((page) => page.id)).toEqual(['guide', 'deep'])
  })

  test('walks in reading order forth and back through all pages of the tree', () => {
    const all: PageRecord[] = []
    const collect = (nodes: readonly PageNode[]): void => {
      for (const node of nodes) {
        all.push(node.page)
        collect(node.children)
      }
    }
    collect(memory.run(pageTree(snapshot)))
    expect(all).toHaveLength(9)
    for (const [index, page] of all.entries()) {
      expect(memory.run(pageAfter(snapshot, page))?.id).toBe(all[index + 1]?.id)
      expect(memory.run(pageBefore(snapshot, page))?.id).toBe(all[index - 1]?.id)
    }
  })
})

test('thousands of random edits keep every index equal to a rebuild', () => {
  let state = 11
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % limit
  }
  for (let round = 0; round < 60; round += 1) {
    const memory = memoryObjects()
    const config = { ...defaultConfig, root: round % 3 === 0 ? 'docs' : '' }
    let snapshot = drawnSnapshot(config.root ? 'r=docs/README.md' : space, memory, config)
    const names = ['a', 'b', 'Guide', 'first', 'x y']
    for (let turn = 0; turn < 40; turn += 1) {
      const pages = memory.run(range(snapshot.pages)).map(([, page]) => page as unknown as PageRecord)
      const some = pages[below(pages.length)]
      const parent = below(3) ? (pages[below(pages.length)]?.id ?? null) : null
      const links = pages
        .map((page) => (page.type === 'document' ? `[l](/${page.file})` : ''))
        .slice(0, below(4))
      const target = pages[below(pages.length)]
      const text = [
        ...links,
        target?.type === 'document' ? `[t](${target.file.split('/').at(-1)})` : '',
      ].join(' ')
      const name = id(`p${round}-${turn}`)
      const title = names[below(names.length)]!
      const edits: Edit[] =
        below(3) === 0 || !some
          ? [
              {
                kind: 'insert-page',
                page: { type: 'document', id: name, title, text },
                parent,
                index: below(5),
              },
            ]
          : below(2)
            ? [{ kind: 'move-page', page: some.id, parent, index: below(5) }]
            : below(2)
              ? [{ kind: 'rename-page', page: some.id, slug: title }]
              : below(3)
                ? [{ kind: 'update-page', page: some.id, text }]
                : [{ kind: 'delete-page', page: some.id }]
      try {
        const before = targetsOf(memory, snapshot)
        snapshot = edit(memory, snapshot, ...edits).snapshot
        if (edits[0]!.kind === 'move-page' || edits[0]!.kind === 'rename-page') {
          // A broken link may get a target when a page moves to its path; no link may lose its target.
          const now = targetsOf(memory, snapshot)
          for (const [source, targets] of Object.entries(before)) {
            expect(now[source]).toEqual(expect.arrayContaining(targets))
          }
        }
      } catch (error) {
        if (!(error instanceof EditError)) throw error
      }
    }
  }
})

/** The target page of each absolute or sibling link of each page, by ids, which moving must not change. */
function targetsOf(memory: Memory, snapshot: Snapshot): Record<string, string[]> {
  const names = new Map(memory.run(listNames(snapshot)))
  const result: Record<string, string[]> = {}
  for (const [key] of memory.run(range(snapshot.links))) {
    const { target, source } = readLinkKey(key)
    const entry = names.get(target)
    if (!entry || !('page' in entry) || !('page' in source)) continue
    ;(result[source.page] ??= []).push(entry.page)
  }
  for (const list of Object.values(result)) list.sort()
  return result
}

test('pages of long titles nest until the address limit', () => {
  const memory = memoryObjects()
  let { snapshot } = edit(memory, drawnSnapshot('README.md', memory))
  let parent: PageId | null = null
  const insert = (depth: number): Edit => {
    const page = { type: 'document', id: id(`p${depth}`), title: '安'.repeat(100), text: '# x' } as const
    return { kind: 'insert-page', page, parent }
  }
  for (let depth = 0; depth < 10; depth++) {
    ;({ snapshot } = edit(memory, snapshot, insert(depth)))
    parent = id(`p${depth}`)
  }
  expect(() => edit(memory, snapshot, insert(10))).toThrow(EditError)
  parent = null
  ;({ snapshot } = edit(memory, snapshot, insert(10)))
  const under = { kind: 'move-page', page: id('p0'), parent: id('p10') } as const
  expect(() => edit(memory, snapshot, under)).toThrow(EditError)
  for (const [path] of memory.run(listNames(snapshot))) {
    expect(Math.max(...path.split('/').map((name) => byteLength(name)))).toBeLessThanOrEqual(255)
    expect(byteLength(path)).toBeLessThanOrEqual(2_048)
  }
})
