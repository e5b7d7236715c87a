import { describe, expect, it } from 'vitest'
import { parsePage } from '../markdown/parse.js'
import { type Chunks, splitContainer, splitBlocks } from './chunks.js'
import { matchSequences } from './lcs.js'
import { mergeTexts } from './merge-texts.js'
import { mergeKeys } from './merge-yaml.js'

/** `a b` means two paragraphs; conflicts of the merge are drawn as `<ours|base|theirs>`. */
const drawings: [name: string, base: string, ours: string, theirs: string, merged: string][] = [
  ['nothing changed', 'a b c', 'a b c', 'a b c', 'a b c'],
  ['neighbours edited', 'a b c', 'A b c', 'a B c', 'A B c'],
  ['an edit beside an insertion', 'a b', 'A b', 'a x b', 'A x b'],
  ['both append: both remain, ours first', 'a', 'a x', 'a y', 'a x y'],
  ['both insert the same among their own', 'a b', 'a x y b', 'a z y b', 'a x z y b'],
  ['the same edit on both sides', 'a b', 'a x', 'a x', 'a x'],
  ['deleted in ours, another edited in theirs', 'a b c', 'a c', 'a b C', 'a C'],
  ['both delete', 'a b c', 'a c', 'a c', 'a c'],
  ['edited in ours, deleted in theirs', 'a b c', 'a B c', 'a c', 'a <B|b|> c'],
  ['deleted in ours, edited in theirs', 'a b c', 'a c', 'a B c', 'a <|b|B> c'],
  ['two edits of one block', 'a b c', 'a x c', 'a y c', 'a <x|b|y> c'],
  ['moved in ours, another edited in theirs', 'a b c', 'b c a', 'a b C', 'b C a'],
  [
    'moved in ours and edited in theirs: the copy remains, the edit is the conflict',
    'a b c',
    'b c a',
    'A b c',
    '<|a|A> b c a',
  ],
  ['everything new on both sides', '', 'a b', 'c', 'a b c'],
  ['moved by both to different positions: it remains once', 'a b c d', 'b a c d', 'b c d a', 'b a c d'],
  ['moved by both to the same place', 'a b c', 'b c a', 'b c a', 'b c a'],
  ['moved in ours, replaced by nothing in theirs', 'a b c', 'b c a', 'b c', 'b c a'],
  ['swapped in ours, another replaced in theirs', 'a b c', 'b a c', 'a b x', 'b a x'],
  ['a moved block is no new version of what was replaced', 'a b c d', 'd b c a', 'A b c d', 'd <|a|A> b c a'],
]

const paragraphs = (drawing: string): string =>
  drawing
    .split(' ')
    .filter(Boolean)
    .map((word) => `${word}\n`)
    .join('\n')

function drawn(base: string, ours: string, theirs: string): string {
  const { text, conflicts } = mergeTexts(base, ours, theirs)
  let drawing = ''
  let at = 0
  for (const { span, ...versions } of conflicts) {
    drawing += `${text.slice(at, span.start)}\n<${versions.ours ?? ''}|${versions.base ?? ''}|${versions.theirs ?? ''}>\n`
    at = span.end
  }
  return (drawing + text.slice(at)).split(/\s+/).filter(Boolean).join(' ')
}

const page = (drawing: string): string => drawing.replace(/^\n/, '').replace(/^ {4}/gm, '')

/** Texts, line by line; the merge has no conflicts. */
const clean: [name: string, base: string, ours: string, theirs: string, merged: string][] = [
  [
    'two words of one paragraph',
    'The quick brown fox jumps over the dog.\n',
    'The slow brown fox jumps over the dog.\n',
    'The quick brown fox jumps over the cat.\n',
    'The slow brown fox jumps over the cat.\n',
  ],
  [
    'single Han characters',
    '我们今天去北京看书\n',
    '他们今天去北京看书\n',
    '我们今天去北京写书\n',
    '他们今天去北京写书\n',
  ],
  [
    'items of a list',
    '- a\n- b\n- c\n',
    '- A\n- b\n- c\n- d\n',
    '- a\n- b\n  - n\n- c\n',
    '- A\n- b\n  - n\n- c\n- d\n',
  ],
  [
    'two items at the same place of a tight list',
    '- a\n- b\n',
    '- a\n- x\n- b\n',
    '- a\n- y\n- b\n',
    '- a\n- x\n- y\n- b\n',
  ],
  [
    'a paragraph between two lists goes, and an item changes',
    '- one\n\nA paragraph between.\n\n- two\n',
    '- one\n\n- two\n',
    '- One, and more\n\nA paragraph between.\n\n- two\n',
    '- One, and more\n\n- two\n',
  ],
  [
    'a list that is cut in two, and an item in each half',
    '- a\n- b\n- c\n',
    '- a\n\nBetween.\n\n- b\n- c\n',
    '- A\n- b\n- c\n- d\n',
    '- A\n\nBetween.\n\n- b\n- c\n- d\n',
  ],
  [
    'two items before the first of a tight list',
    'P\n\n- a\n',
    'P\n\n- x\n- a\n',
    'P\n\n- y\n- a\n',
    'P\n\n- x\n- y\n- a\n',
  ],
  [
    'blocks inside one item',
    '- a\n\n  more\n- b\n',
    '- A\n\n  more\n- b\n',
    '- a\n\n  more than that\n- b\n',
    '- A\n\n  more than that\n- b\n',
  ],
  [
    'a link and a word beside it',
    'Read [the guide](guide/start.md#one) first today.\n',
    'Read [the guide](guide/begin.md#one) first today.\n',
    'Read [the guide](guide/start.md#one) first tomorrow.\n',
    'Read [the guide](guide/begin.md#one) first tomorrow.\n',
  ],
  [
    'Windows endings that one line alone does not show',
    'One.',
    'One.\r\n\r\nTwo.\r\n',
    'Zero.\r\n\r\nOne.',
    'Zero.\r\n\r\nOne.\r\n\r\nTwo.\r\n',
  ],
  [
    'new blocks of both in a page of one line with a Windows ending',
    'One.\r\n',
    'One.\r\n\r\nTwo.\r\n',
    'One.\r\n\r\nThree.\r\n',
    'One.\r\n\r\nTwo.\r\n\r\nThree.\r\n',
  ],
  [
    'blocks inside one hint, and its style',
    '{% hint style="info" %}\none\n\ntwo\n{% endhint %}\n',
    '{% hint style="danger" %}\none\n\ntwo\n{% endhint %}\n',
    '{% hint style="info" %}\none\n\ntwo\n\nthree\n{% endhint %}\n',
    '{% hint style="danger" %}\none\n\ntwo\n\nthree\n{% endhint %}\n',
  ],
  [
    'different tabs of one set',
    '{% tabs %}\n{% tab title="a" %}\none\n{% endtab %}\n\n{% tab title="b" %}\ntwo\n{% endtab %}\n{% endtabs %}\n',
    '{% tabs %}\n{% tab title="a" %}\nOURS\n{% endtab %}\n\n{% tab title="b" %}\ntwo\n{% endtab %}\n{% endtabs %}\n',
    '{% tabs %}\n{% tab title="a" %}\none\n{% endtab %}\n\n{% tab title="b" %}\nTHEIRS\n{% endtab %}\n{% endtabs %}\n',
    '{% tabs %}\n{% tab title="a" %}\nOURS\n{% endtab %}\n\n{% tab title="b" %}\nTHEIRS\n{% endtab %}\n{% endtabs %}\n',
  ],
  [
    'lines of code that are apart',
    '```js\na\nb\nc\n```\n',
    '```js\nA\nb\nc\n```\n',
    '```js\na\nb\nC\n```\n',
    '```js\nA\nb\nC\n```\n',
  ],
  [
    'line endings of Windows, and no last one',
    'a\r\n\r\nb\r\n\r\nc',
    'A\r\n\r\nb\r\n\r\nc',
    'a\r\n\r\nb\r\n\r\nc\r\n\r\nd',
    'A\r\n\r\nb\r\n\r\nc\r\n\r\nd',
  ],
  [
    'keys of the front matter, and the body',
    '---\ntitle: a\nicon: x\n---\n\n# a\n',
    '---\ntitle: A\nicon: x\n---\n\n# a\n',
    '---\ntitle: a\nicon: x\nhidden: true\n---\n\n# a\n\nmore\n',
    '---\ntitle: A\nicon: x\nhidden: true\n---\n\n# a\n\nmore\n',
  ],
  [
    'keys below one key',
    '---\nlayout:\n  title:\n    visible: true\n  width: default\n---\n',
    '---\nlayout:\n  title:\n    visible: false\n  width: default\n---\n',
    '---\nlayout:\n  title:\n    visible: true\n  width: wide\n---\n',
    '---\nlayout:\n  title:\n    visible: false\n  width: wide\n---\n',
  ],
]

describe('merging texts', () => {
  for (const [name, base, ours, theirs, merged] of drawings) {
    it(`paragraphs: ${name}`, () => {
      expect(drawn(paragraphs(base), paragraphs(ours), paragraphs(theirs))).toBe(merged)
      expectProperties(paragraphs(base), paragraphs(ours), paragraphs(theirs))
    })
  }

  for (const [name, base, ours, theirs, merged] of clean) {
    it(`without conflict: ${name}`, () => {
      expect(mergeTexts(base, ours, theirs)).toEqual({ text: merged, conflicts: [] })
      expectProperties(base, ours, theirs)
    })
  }

  it('does not mix two rewritten sentences, nor neighbouring words or lines of code', () => {
    for (const [base, ours, theirs] of [
      ['one two three four', 'five six seven four', 'one eight nine ten'],
      ['the quick brown fox', 'the slow brown fox', 'the quick red fox'],
      ['```\na\nb\n```', '```\nA\nb\n```', '```\na\nB\n```'],
    ] as const) {
      expect(mergeTexts(base, ours, theirs)).toEqual({
        text: ours,
        conflicts: [{ base, ours, theirs, span: { start: 0, end: ours.length } }],
      })
    }
  })

  it.each([
    [
      'an address',
      'Use 10.0.0.0/16 in all nets.',
      'Use 10.1.0.0/16 in all nets.',
      'Use 10.0.0.0/24 in all nets.',
    ],
    [
      'a version',
      'Needs v1.2.3 or a later one.',
      'Needs v1.3.3 or a later one.',
      'Needs v1.2.4 or a later one.',
    ],
    [
      'a date',
      'It ends on 2026-01-31 at noon.',
      'It ends on 2027-01-31 at noon.',
      'It ends on 2026-01-30 at noon.',
    ],
    [
      'a time',
      'It runs at 10:00:00 each day.',
      'It runs at 11:00:00 each day.',
      'It runs at 10:00:30 each day.',
    ],
    [
      'a destination',
      'See [how](a/b/c.md#x-y) it works.',
      'See [how](a/d/c.md#x-y) it works.',
      'See [how](a/b/c.md#x-z) it works.',
    ],
    [
      'one with brackets',
      'See [how](a_(b)_c_d) it works.',
      'See [how](a_(B)_c_d) it works.',
      'See [how](a_(b)_c_e) it works.',
    ],
    [
      'a URL',
      'Go to https://a.example/b/c?d=e now.',
      'Go to https://z.example/b/c?d=e now.',
      'Go to https://a.example/b/c?d=f now.',
    ],
    [
      'a code span',
      'Call `first(one, two)` at the end.',
      'Call `last(one, two)` at the end.',
      'Call `first(one, three)` at the end.',
    ],
    [
      'a span of two ticks',
      'Call ``a ` b c`` at the end.',
      'Call ``x ` b c`` at the end.',
      'Call ``a ` b y`` at the end.',
    ],
    ['a definition', '[how]: a/b/c.md#x-y', '[how]: a/d/c.md#x-y', '[how]: a/b/c.md#x-z'],
  ])('takes %s for one word', (_, base, ours, theirs) => {
    expect(mergeTexts(base, ours, theirs).conflicts).toMatchObject([{ base, ours, theirs }])
  })

  it.each([
    [
      'a swap beside an edit',
      ['Install it first.', 'Configure it then.', 'Run it with the flag.'],
      ['Install it first.', 'Configure it then.', 'Run it without any flag.'],
      ['Configure it then.', 'Install it first.', 'Run it with the flag.'],
    ],
    [
      'a swap beside a replacement of the same block',
      ['Install it first.', 'Configure it then.', 'Run it with the flag.'],
      ['Install it first.', 'Something else instead.', 'Run it with the flag.'],
      ['Configure it then.', 'Install it first.', 'Stop.'],
    ],
    [
      'a paragraph between two items goes, and the first is replaced',
      ['- one', 'A paragraph between.', '- two'],
      ['- one', '- two'],
      ['Something else.', 'A paragraph between.', '- two'],
    ],
    ['a block that occurs twice', ['a', 'b', 'a'], ['a', 'b'], ['b', 'a']],
  ])('loses nothing that all versions have by settling for a side: %s', (_, base, ours, theirs) => {
    const text = (blocks: readonly string[]) => `${blocks.join('\n\n')}\n`
    for (const prefer of ['ours', 'theirs'] as const) {
      for (const [left, right] of [
        [ours, theirs],
        [theirs, ours],
      ] as const) {
        const merged = mergeTexts(text(base), text(left), text(right), { prefer }).text.split(/\n+/)
        for (const block of base) {
          if (ours.includes(block) && theirs.includes(block)) expect(merged).toContain(block)
        }
      }
    }
  })

  it('separates a paragraph from the item before it, though an item was in its place', () => {
    const text = (...blocks: string[]) => `${blocks.join('\n\n')}\n`
    const base = text('- alpha', 'alpha', '- zeta', 'alpha', 'alpha', 'alpha')
    const ours = text('alpha', '- alpha', 'alpha', 'alpha', 'alpha')
    const theirs = text('- alpha', 'alpha', 'gamma', 'alpha', 'alpha', 'alpha')
    expect(mergeTexts(base, ours, theirs, { prefer: 'theirs' }).text).toBe(
      text('alpha', '- alpha', 'gamma', 'alpha', 'alpha', 'alpha'),
    )
  })

  it.each([
    ['- alpha', '- alpha\n- iron\n\n- zeta', '- alpha\n- iron\n\n| a |\n| --- |\n| b |', '- alpha\n- gamma'],
    ['- alpha', '- alpha\n\n- zeta', '- alpha\n\n| a |\n| --- |\n| b |', '- alpha\n- gamma'],
    ['| a |', '| a |\n| --- |\n\nzeta', '| a |\n| --- |\n\n<b>beta</b>', '| a |\n| --- |\n# gamma'],
  ])(
    'separates the preferred block from %s before it, though the other side has a smaller gap',
    (...texts) => {
      const [kept, base, ours, theirs] = texts.map((text) => `${text}\n`) as [string, string, string, string]
      const preferred = { ours: ours.split('\n\n').at(-1)!, theirs: theirs.split('\n').at(-2)! }
      for (const prefer of ['ours', 'theirs'] as const) {
        const { text } = mergeTexts(base, ours, theirs, { prefer })
        expect(text.startsWith(kept)).toBe(true)
        expect(splitBlocks(text).chunks.at(-1)!.body).toBe(preferred[prefer].trimEnd())
      }
    },
  )

  it.each([
    ['- mine', '- a\n- mine\n- c\n'],
    ['Mine.', '- a\n\nMine.\n\n- c\n'],
    ['| x |\n| - |\n| y |', '- a\n\n| x |\n| - |\n| y |\n\n- c\n'],
    ['- mine\n\nMine.', '- a\n- mine\n\nMine.\n\n- c\n'],
  ])('separates a custom text from the items around it: %j', (answer, text) => {
    const list = (second: string) => `- a\n- ${second}\n- c\n`
    const policy = { prefer: 'ours', choose: () => answer } as const
    expect(mergeTexts(list('b b b'), list('one'), list('two'), policy).text).toBe(text)
  })

  it('begins and ends as the side does that has the first and the last block, whichever side is preferred', () => {
    for (const prefer of ['ours', 'theirs'] as const) {
      expect(mergeTexts('a\n', 'a\n\nb', 'A\n\n\n', { prefer }).text).toBe('A\n\nb')
      expect(mergeTexts('a\n', '\nb\n\na\n', '\n\nA\n', { prefer }).text).toBe('\nb\n\nA\n')
    }
  })

  it('adds no blank line where the preferred side has none, nor where both changed the blocks', () => {
    const text = (first: string, ...blocks: string[]) => `${first}\n${blocks.join('\n')}\n\nlast\n`
    const [ours, theirs] = [text('# h', '| a |', '| - |'), text('# h', '- item')]
    expect(mergeTexts(text('# h', 'text'), ours, theirs).text).toBe(ours)
    expect(mergeTexts(text('# h', 'text'), ours, theirs, { prefer: 'theirs' }).text).toBe(theirs)
    const words = (...words: string[]) => text(words.join(' '), '> quoted')
    const [left, right] = [words('ONE', 'two', 'three', 'four'), words('one', 'two', 'three', 'FOUR')]
    expect(mergeTexts(words('one', 'two', 'three', 'four'), left, right).text).toBe(
      words('ONE', 'two', 'three', 'FOUR'),
    )
  })

  it('separates blocks that were never neighbours in an item by a blank line, except a nested list', () => {
    const code = (word: string) => ['```', word, '```']
    const item = (...lines: string[]) => `- ${lines.join('\n  ')}\n`.replaceAll('\n  \n', '\n\n')
    for (const [last, ...gap] of [['- sub'], ['two', '']] as const) {
      const [base, ours, theirs] = [['x', 'y'], ['y'], ['x']].map((words) =>
        item('one', ...words.flatMap(code), last),
      ) as [string, string, string]
      expect(mergeTexts(base, ours, theirs).text).toBe(item('one', ...gap, last))
    }
  })

  it('puts a block that both moved at its position in the preferred side', () => {
    const [base, ours, theirs] = ['a b c d', 'b a c d', 'b c d a'].map(paragraphs) as [string, string, string]
    expect(mergeTexts(base, ours, theirs, { prefer: 'theirs' })).toEqual({ text: theirs, conflicts: [] })
  })

  it('has the same conflicts over blocks that both moved, whichever side is preferred', () => {
    const text = (...blocks: string[]) => `${blocks.join('\n\n')}\n`
    const [list, table] = ['- alpha\n- alpha', '| a |\n| --- |\n| alpha |']
    const base = text(list, '## alpha', '- v1.2.3', table, 'alpha', 'alpha')
    const ours = text(table, '## alpha', list, 'alpha', 'alpha')
    const theirs = text(list, table.replace(' a ', ' alpha '), '- v1.2.3', '## alpha', 'alpha', 'alpha')
    const [left, right] = (['ours', 'theirs'] as const).map((prefer) => {
      return mergeTexts(base, ours, theirs, { prefer }).conflicts.map(({ base, ours, theirs }) => [
        base,
        ours,
        theirs,
      ])
    })
    expect(left).toEqual(right)
  })

  it('widens a conflict to the run in which each side has the blocks of all versions', () => {
    const [base, ours, theirs] = ['a b a', 'a b', 'b a'].map(paragraphs) as [string, string, string]
    const versions = { base: 'a\n\nb\n\na', ours: 'a\n\nb', theirs: 'b\n\na' }
    expect(mergeTexts(base, ours, theirs).conflicts).toMatchObject([versions])
    expect(mergeTexts(base, ours, theirs, { prefer: 'theirs' }).text).toBe(theirs)
  })

  it('has a conflict over a line that the sides moved to different blocks, instead of duplicating it', () => {
    const block = (name: string, ...lines: string[]) => ['```', name, ...lines, '```'].join('\n')
    const text = (...blocks: string[]) => blocks.join('\n\n')
    const line = 'const moved = true'
    const [one, two, three] = ['one', 'two', 'three'].map((name) => block(name)) as [string, string, string]
    const base = text(block('one', line), two, three)
    const { conflicts } = mergeTexts(
      base,
      text(one, block('two', line), three),
      text(one, two, block('three', line)),
    )
    expect(conflicts).toMatchObject([
      { ours: text(block('two', line), three), theirs: text(two, block('three', line)) },
    ])
  })

  it('takes the line ending of the version that has one', () => {
    const front = '---\r\na: 1\r\n---'
    expect(mergeTexts('One.', 'One, more.', front).text).toBe(`${front}\r\nOne, more.`)
  })

  it('has no conflicts over blank lines', () => {
    for (const [ours, theirs] of [
      ['a\n\n\nb\n', 'a\n\n\n\nb\n'],
      ['\na\n\nb\n', 'a\n\nb\n\n\n'],
    ] as const) {
      expect(mergeTexts('a\n\nb\n', ours, theirs).conflicts).toEqual([])
    }
  })

  it('makes a key that both sides add differently one conflict, not two keys', () => {
    const { text, conflicts } = mergeKeys('a: 1\n', 'a: 1\nb: 2\n', 'a: 1\nb: 3\n')
    expect(text).toBe('a: 1\nb: 2\n')
    expect(conflicts).toEqual([{ base: null, ours: 'b: 2\n', theirs: 'b: 3\n', span: { start: 5, end: 10 } }])
  })

  it('applies choices instead of reporting their conflicts', () => {
    const [base, ours, theirs] = ['a b c', 'x b y', 'z b'].map(paragraphs) as [string, string, string]
    const decided = mergeTexts(base, ours, theirs, {
      prefer: 'ours',
      choose: ({ base }) => (base === 'a' ? 'own words' : base === 'c' ? null : undefined),
    })
    expect(decided).toEqual({ text: 'own words\n\nb\n', conflicts: [] })
  })

  it('has its properties for random texts of every construct', () => {
    const random = randomNumbers(3)
    for (let round = 0; round < 2_000; round++) {
      const base = randomText(random)
      expectProperties(base, changed(base, random), changed(base, random))
    }
  })

  it('merges adversarial texts in bounded time', () => {
    const equal = `${'x '.repeat(600)}\n\n`.repeat(4_000)
    const blank = '\n'.repeat(20_000)
    const every = (text: string, step: number) =>
      text
        .split('\n\n')
        .map((block, index) => (index % step === 0 ? `${block} ${index}` : block))
        .join('\n\n')
    expect(mergeTexts(equal, every(equal, 10), every(equal, 7)).text).toContain(' 3500')
    expect(mergeTexts(blank, `x\n${blank}`, `${blank}y`).conflicts).toEqual([])
    mergeTexts('a\n\n'.repeat(300_000), 'b\n\n'.repeat(300_000), 'c\n\n'.repeat(300_000))
    mergeTexts(
      '{% hint %}\n'.repeat(50_000),
      '{% endhint %}\n'.repeat(50_000),
      '- {% hint %}\n'.repeat(50_000),
    )
  })
})

describe('sections and lists', () => {
  const rows = (...blocks: string[]) => `${blocks.join('\n\n')}\n`

  it.each<[name: string, base: string, ours: string, theirs: string, merged: string]>([
    [
      'an item stays in its list, before a new section',
      rows('# T', '- a one\n- b two', 'End.'),
      rows('# T', '- a one\n- b two', '## New', '- n one', 'End.'),
      rows('# T', '- a one\n- b two\n- c three', 'End.'),
      rows('# T', '- a one\n- b two\n- c three', '## New', '- n one', 'End.'),
    ],
    [
      'a paragraph stays in its section',
      rows('# T', 'One.', '## Next'),
      rows('# T', 'One.', '## New', 'New words.', '## Next'),
      rows('# T', 'One.', 'More.', '## Next'),
      rows('# T', 'One.', 'More.', '## New', 'New words.', '## Next'),
    ],
    [
      'an item comes before a paragraph that was added below its list',
      rows('- a\n- b'),
      rows('- a\n- b', 'Below.'),
      rows('- a\n- b\n- c'),
      rows('- a\n- b\n- c', 'Below.'),
    ],
    [
      'an item stays above the list that it was not in',
      rows('One.', '- a\n- b'),
      rows('One.', '- x\n- a\n- b'),
      rows('One.', 'Two.', '- a\n- b'),
      rows('One.', 'Two.', '- x\n- a\n- b'),
    ],
    [
      'a new subsection comes before a new section',
      rows('# T', '## A', 'One.'),
      rows('# T', '## A', 'One.', '## B', 'Two.'),
      rows('# T', '## A', 'One.', '### C', 'Three.'),
      rows('# T', '## A', 'One.', '### C', 'Three.', '## B', 'Two.'),
    ],
    [
      'a paragraph stays when its neighbour is replaced by a section',
      rows('# T', 'One.', 'Old.', '## Next'),
      rows('# T', 'One.', '## New', 'New words.', '## Next'),
      rows('# T', 'One.', 'Old.', 'More.', '## Next'),
      rows('# T', 'One.', 'More.', '## New', 'New words.', '## Next'),
    ],
    [
      'an item stays when its neighbour moves out',
      rows('## A', '- a', '- b', '## B', '- x'),
      rows('## A', '- a', '## B', '- b', '- x'),
      rows('## A', '- a', '- b', '- c', '## B', '- x'),
      rows('## A', '- a', '- c', '## B', '- b', '- x'),
    ],
    [
      'a paragraph stays in its section when the next ones get a heading',
      rows('# T', 'One.', 'Two.'),
      rows('# T', 'One.', '## New', 'Two.'),
      rows('# T', 'One.', 'Two.', 'Three.'),
      rows('# T', 'One.', 'Three.', '## New', 'Two.'),
    ],
    [
      'a paragraph that moves stays in its section when the next ones get a heading',
      rows('# T', 'Moves.', '## A', 'One.', 'Two.', '## B'),
      rows('# T', 'Moves.', '## A', 'One.', '## New', 'Two.', '## B'),
      rows('# T', '## A', 'One.', 'Two.', 'Moves.', '## B'),
      rows('# T', '## A', 'One.', 'Moves.', '## New', 'Two.', '## B'),
    ],
    [
      'a new subsection stays in its section as a whole',
      rows('# T', '## A', 'One.', 'Two.'),
      rows('# T', '## A', 'One.', '## New', 'Two.'),
      rows('# T', '## A', 'One.', 'Two.', '### Part', '- p', '- q'),
      rows('# T', '## A', 'One.', '### Part', '- p', '- q', '## New', 'Two.'),
    ],
    [
      'a block goes with the section that it was added to',
      rows('# T', '## A', 'One.', 'Two.', '## B', 'Three.', '## C', 'Four.'),
      rows('# T', '## B', 'Three.', '## C', 'Four.', '## A', 'One.', 'Two.'),
      rows('# T', '## A', 'One.', 'More.', 'Two.', '## B', 'Three.', '## C', 'Four.'),
      rows('# T', '## B', 'Three.', '## C', 'Four.', '## A', 'One.', 'More.', 'Two.'),
    ],
    [
      'an item goes with the list of the section that it was added to',
      rows('## A', '- a', '- b', '## B', 'Three.', '## C', 'Four.'),
      rows('## B', 'Three.', '## C', 'Four.', '## A', '- a', '- b'),
      rows('## A', '- a', '- b', '- c', '## B', 'Three.', '## C', 'Four.'),
      rows('## B', 'Three.', '## C', 'Four.', '## A', '- a', '- b', '- c'),
    ],
    [
      'a block that both moved has the change of one',
      rows('# T', 'Alpha one two.', 'Beta.'),
      rows('# T', 'Beta.', 'Alpha one two.'),
      rows('# T', 'Beta.', 'Alpha one three.'),
      rows('# T', 'Beta.', 'Alpha one three.'),
    ],
    [
      'a block that repeats is the one of its section',
      rows('## A', 'TBD', '## B', 'TBD'),
      rows('## A', 'Text of a.', '## B', 'TBD'),
      rows('## A', 'TBD', '## B', 'Words of b.'),
      rows('## A', 'Text of a.', '## B', 'Words of b.'),
    ],
    [
      'a block that repeats is the one of its section, under another name',
      rows('## A', 'TBD', '## Second part', 'TBD', '## C', 'TBD'),
      rows('## A', '## The second part', 'TBD', '## C', 'TBD'),
      rows('## A', 'TBD', '## Second part', 'Words of b.', '## C', 'TBD'),
      rows('## A', '## The second part', 'Words of b.', '## C', 'TBD'),
    ],
  ])('%s', (_name, base, ours, theirs, merged) => {
    expect(mergeTexts(base, ours, theirs)).toEqual({ text: merged, conflicts: [] })
    expectProperties(base, ours, theirs)
  })

  it.each<[name: string, base: string[], ours: string[], theirs: string[], conflict: string[][]]>([
    [
      'two new sections with one text below',
      ['# T', 'End.'],
      ['# T', '## A', 'One.', 'End.'],
      ['# T', '## B', 'Two.', 'End.'],
      [[], ['## A', 'One.'], ['## B', 'Two.']],
    ],
    [
      'a block added to a section that the other side deleted',
      ['# T', '## A', 'One.', '## B'],
      ['# T', '## B'],
      ['# T', '## A', 'One.', 'More.', '## B'],
      [['## A', 'One.'], [], ['## A', 'One.', 'More.']],
    ],
    [
      'an item of a list that the other side put below a new heading',
      ['# T', '- a', '- b'],
      ['# T', '- a', '## New', '- b'],
      ['# T', '- a', '- b', '- c'],
      [[], [], ['- c']],
    ],
    [
      'a heading over blocks that the other side put below a new one',
      ['# T', 'One.', 'Two.', 'Three.'],
      ['# T', 'One.', '## New', 'Two.', 'Three.'],
      ['# T', 'One.', 'Two.', '### Part', 'Three.'],
      [[], [], ['### Part']],
    ],
    [
      'a heading that one side removed and that the other put a section before',
      ['# T', 'One.', '## A', 'Two.'],
      ['# T', 'One.', 'Two.'],
      ['# T', 'One.', '## New', 'New words.', '## A', 'Two.'],
      [['## A'], [], ['## A']],
    ],
    [
      'equal blocks of which each side removed one and one side changed the other',
      ['Alpha.', 'B b.', 'B b.', 'Alpha.'],
      ['Alpha. More.', 'B b.', 'Alpha.'],
      ['Alpha.', 'B b.', 'B b.'],
      [
        ['Alpha.', 'B b.', 'B b.', 'Alpha.'],
        ['Alpha. More.', 'B b.', 'Alpha.'],
        ['Alpha.', 'B b.', 'B b.'],
      ],
    ],
    [
      'equal blocks of two sections of which one side removed one, and the other a heading and the other block',
      ['Alpha.', '- a', '## H', 'Alpha.', '- a', 'Last.'],
      ['Alpha.', '- z', 'Alpha.', '- a', 'Last.'],
      ['Alpha.', '- a', '## H', 'Alpha.', 'Last.'],
      [
        ['- a', '## H', 'Alpha.', '- a'],
        ['Alpha.', '- a'],
        ['- a', '## H', 'Alpha.'],
      ],
    ],
    [
      'a subsection that one side takes out of its section, while both move a block below it',
      ['Zero.', '## B', '### C'],
      ['New.', '## B', '### C', 'Zero.'],
      ['### C', 'More.', 'Zero.', '## B'],
      [
        ['### C', 'Zero.', '## B'],
        ['New.', '## B', '### C', 'Zero.'],
        ['### C', 'More.', 'Zero.', '## B'],
      ],
    ],
    [
      'different rewordings of a block that both moved apart',
      ['Alpha one two three.', 'B.', 'C.', 'D.', 'E.'],
      ['B.', 'Alpha one two four.', 'C.', 'D.', 'E.'],
      ['B.', 'C.', 'D.', 'Alpha one two five.', 'E.'],
      [
        ['C.', 'D.'],
        ['Alpha one two four.', 'C.', 'D.'],
        ['C.', 'D.', 'Alpha one two five.'],
      ],
    ],
  ])('asks about %s', (_name, base, ours, theirs, conflict) => {
    const [inBase, inOurs, inTheirs] = conflict.map((blocks) =>
      blocks.length === 0 ? null : blocks.join('\n\n'),
    )
    const { conflicts } = mergeTexts(rows(...base), rows(...ours), rows(...theirs))
    expect(conflicts).toMatchObject([{ base: inBase, ours: inOurs, theirs: inTheirs }])
    expectProperties(rows(...base), rows(...ours), rows(...theirs))
  })

  it.each([
    [
      'of two insertions at one position, and of two moves of one item',
      ['b0 b0a b0b b0c', '### b1 b1a b1b b1c', '- b2'],
      ['### b1 b1a b1b o1x', '- b2', 'b0 b0a b0b b0c'],
      ['t2', '- b2', '### t3', 't1', '### b1 b1a b1b b1c'],
    ],
    [
      'where one side removed a heading that the other changed, and added below it',
      ['### b0 b0a b0b b0c', 'b1'],
      ['## o1', 'o0', 'b1'],
      ['### b0 b0a b0b t0x', 'b1', 't1'],
    ],
    [
      'of two items below headings that both changed',
      ['b0 b0a b0b b0c', '- b1'],
      ['### o2', '- b1', '- o1'],
      ['b0 b0a b0b t0x', '- b1', '- t1'],
    ],
    [
      'where a heading goes out of the section that the other side added to',
      ['b0', '### b1', 'b2', 'b3', 'b4'],
      ['o1', 'b0', 'b2', 'b3', 'b4', '### b1'],
      ['t2', 'b0', '### b1', 't0', '## t3', 'b2', 'b3', 'b4'],
    ],
    [
      'where an item goes out of the list that the other side added to, and its heading changes',
      ['## b0', 'b1', 'b2', '- b3', 'b4', 'b5'],
      ['## o0', 'b1', 'b2', '- b3', '- o1', 'b4', 'b5'],
      ['b1', '- b3', 'b2', '## b0', 'b4', 'b5'],
    ],
    [
      'where both joined the same blocks, found as versions of different ones',
      ['b0', 'b1', 'b2', 'b3 b3a', 'b4 b4a'],
      ['## o1', 'b0', 'b2', 'b1', 'b3 b3a b4 b4a'],
      ['b0', 'b1', 'b2', 'b3 b3a b4 b4a'],
    ],
  ])('has the same conflicts in every order of sides: %s', (_name, base, ours, theirs) => {
    expectProperties(rows(...base), rows(...ours), rows(...theirs))
    const [left, right] = (['ours', 'theirs'] as const).map((prefer) =>
      mergeTexts(rows(...base), rows(...ours), rows(...theirs), { prefer }).conflicts.map(
        ({ span: _span, ...versions }) => versions,
      ),
    )
    expect(left).toEqual(right)
  })

  it.each([
    [
      'that was moved and reworded, where another was deleted and changed',
      ['Alpha one two.', 'Beta.', 'Gamma.'],
      ['Beta.', 'Alpha one three.'],
      ['Alpha one two.', 'Beta.', 'Gamma there.'],
      'Alpha one',
    ],
    [
      'that was joined to one that both changed',
      ['Alpha one two three four.', 'Beta five six.', 'C.'],
      ['Alpha one two three four. Beta five six.', 'C.'],
      ['Alpha nine eight three seven.', 'Beta five six.', 'C.'],
      'Beta five six.',
    ],
  ])('loses no block by settling for a side: one %s', (_name, base, ours, theirs, block) => {
    for (const prefer of ['ours', 'theirs'] as const) {
      const { text, conflicts } = mergeTexts(rows(...base), rows(...ours), rows(...theirs), { prefer })
      expect(conflicts).toHaveLength(1)
      expect(text).toContain(block)
    }
  })
})

describe('merging keys', () => {
  it.each([
    ['theirs, when they alone changed it', 'a: 1\nb: 3\n', 'b: 2\na: 1\n', 'b: 3\na: 1\n'],
    ['ours, when we alone changed it', 'b: 2\na: 1\n', 'a: 1\nb: 3\n', 'b: 3\na: 1\n'],
    ['ours, when both changed it', 'b: 2\na: 1\n', 'c: 3\nb: 2\na: 1\n', 'c: 3\nb: 2\na: 1\n'],
  ])('the order is %s', (_name, ours, theirs, text) => {
    expect(mergeKeys('a: 1\nb: 2\n', ours, theirs, { prefer: 'ours' })).toEqual({ text, conflicts: [] })
  })

  it('comments above a key go where it goes', () => {
    const [base, theirs] = ['# one\na: 1\n# two\nb: 2\n', '# two\nb: 2\n# one\na: 1\n'] as const
    expect(mergeKeys(base, '# one\na: 3\n# two\nb: 2\n', theirs, { prefer: 'ours' }).text).toBe(
      '# two\nb: 2\n# one\na: 3\n',
    )
  })

  it.each(['\n', '\r\n'])('a key added after an unterminated line starts a new line (%j)', (end) => {
    const keys = (...lines: string[]) => lines.join(end)
    expect(mergeKeys(keys('a: 1'), keys('a: 1', 'b: 2'), keys('a: 1', 'c: 3'), { prefer: 'ours' }).text).toBe(
      keys('a: 1', 'b: 2', 'c: 3'),
    )
  })

  it.each(['', ' ', ' # why', '\r'])('a mapping below a key is merged by its keys (%j)', (rest) => {
    const layout = (...members: string[]) => [`layout:${rest}`, ...members, 'b: 2\n'].join('\n')
    const [base, ours, theirs] = [layout('  a: 1'), layout('  a: 1', '  x: 1'), layout('  a: 1', '  y: 1')]
    expect(mergeKeys(base, ours, theirs)).toEqual({
      text: layout('  a: 1', '  x: 1', '  y: 1'),
      conflicts: [],
    })
  })

  const tagList = '# Tags\n- tag: a\n  label: A\n  color: red\n- tag: b\n'
  it.each([
    [
      'both add one',
      tagList + '- tag: x\n',
      tagList + '- tag: y\n  label: Y\n',
      tagList + '- tag: x\n- tag: y\n  label: Y\n',
    ],
    [
      'each changes another member of one',
      tagList.replace('label: A', 'label: First'),
      tagList.replace('red', 'blue'),
      tagList.replace('label: A', 'label: First').replace('red', 'blue'),
    ],
    [
      'one removes what the other leaves',
      '# Tags\n- tag: a\n  label: A\n  color: red\n',
      tagList + '- c\n',
      '# Tags\n- tag: a\n  label: A\n  color: red\n- c\n',
    ],
  ])('lists of tags are merged by tag: %s', (_name, ours, theirs, text) => {
    expect(mergeKeys(tagList, ours, theirs)).toEqual({ text, conflicts: [] })
  })

  it('one member of a tag that both changed is a conflict, and so is a tag that one removed and the other changed', () => {
    const label = (word: string) => tagList.replace('label: A', `label: ${word}`)
    const { text, conflicts } = mergeKeys(tagList, label('One'), label('Two'))
    expect(text).toBe(label('One'))
    expect(conflicts.map(({ ours, theirs }) => [ours, theirs])).toEqual([
      ['  label: One\n', '  label: Two\n'],
    ])
    const [conflict] = conflicts
    expect(text.slice(conflict!.span.start, conflict!.span.end)).toBe('  label: One\n')
    expect(mergeKeys(tagList, '# Tags\n- tag: b\n', label('Two')).conflicts).toHaveLength(1)
  })

  it.each(['ours', 'theirs'] as const)('the body starts a new line, for %s', (prefer) => {
    const [base, ours, theirs] = ['---\na: 1\n---', '---\na: 1\n---\nBody', '---\na: 2\n---'] as const
    expect(mergeTexts(base, ours, theirs, { prefer })).toEqual({
      text: '---\na: 2\n---\nBody',
      conflicts: [],
    })
  })

  it('front matter that one side removed and the other changed is a conflict inside its fences', () => {
    const versions = ['---\na: 1\n---\nx\n', 'x\n', '---\na: 2\n---\nx\n'] as const
    const { text, conflicts } = mergeTexts(...versions, { prefer: 'theirs' })
    expect(text).toBe('---\na: 2\n---\nx\n')
    expect(conflicts).toMatchObject([{ base: 'a: 1\n', ours: null, theirs: 'a: 2\n' }])
  })
})

describe('paragraphs among new ones', () => {
  const rows = (...texts: string[]) => texts.map((text) => `${text}\n`).join('\n')

  it('are matched by their words', () => {
    const [one, other] = ['alpha beta gamma delta', 'one two three four']
    const ours = rows('Something new.', 'alpha beta gamma DELTA', 'one two three FOUR')
    const theirs = rows('ALPHA beta gamma delta', other)
    expect(mergeTexts(rows(one, other), ours, theirs)).toEqual({
      text: rows('Something new.', 'ALPHA beta gamma DELTA', 'one two three FOUR'),
      conflicts: [],
    })
  })

  it('occur as often as both have added them', () => {
    expect(mergeTexts(rows('a', 'b'), rows('x', 'a', 'b'), rows('a', 'b', 'x'))).toEqual({
      text: rows('x', 'a', 'b', 'x'),
      conflicts: [],
    })
  })
})

describe('words of one line', () => {
  const within = (mark: string, words: string) => `${mark}\n${words}\n${mark}\n`
  const merge = (mark: string) =>
    mergeTexts(
      within(mark, 'one two three four five six'),
      within(mark, 'ONE two three four five six'),
      within(mark, 'one two three four five SIX'),
    )

  it('are merged in prose', () => {
    expect(merge('')).toEqual({ text: within('', 'ONE two three four five SIX'), conflicts: [] })
  })

  it.each(['```', '~~~', '$$'])('are never merged inside of %s', (mark) => {
    expect(merge(mark).conflicts).toHaveLength(1)
  })
})

describe('cutting a text into blocks', () => {
  const texts = [
    page(`
    # Title

    Text
    over two lines
    ## Heading
    - a

      more
      - b
    * other list
    1. one
    2. two

    > quote
    lazy

    | a | b |
    |---|---|
    | 1 | 2 |
    `),
    page(`
    {% hint style="info" %}
    One

    {% code title="x" %}
    \`\`\`js
    {% hint %}
    \`\`\`
    {% endcode %}
    {% endhint %}

    {% tabs %}
    {% tab title="a" %}
    x

    y
    {% endtab %}

    {% endtabs %}
    {% embed url="https://example.com" %}

    <details>

    <summary>More</summary>

    inside

    </details>
    `),
    page(`
    <figure><img src="a.png" alt=""><figcaption></figcaption></figure>

    <table>
    <tr><td>a</td></tr>
    </table>

    $$
    x

    y
    $$

    Setext
    ======

    ***

        indented

        code
    `),
  ]

  it('never cuts through a block of the parser', () => {
    for (const text of texts) {
      const cuts = boundaries(splitBlocks(text))
      for (const block of parsePage(text).document.blocks) {
        for (const { span } of block.type === 'list' ? block.items : [block]) {
          expect(
            cuts.filter((cut) => cut > span.start && cut < span.end),
            block.type,
          ).toEqual([])
        }
      }
    }
  })

  it('is reversible, byte for byte, at every depth', () => {
    const random = randomNumbers(9)
    for (let round = 0; round < 2_000; round++) {
      const text = randomText(random)
      expect(joined(splitBlocks(text))).toBe(text)
      expectWhole(splitBlocks(text))
    }
  })
})

describe('matching sequences', () => {
  it('finds a longest common sequence of short ones', () => {
    const random = randomNumbers(11)
    for (let round = 0; round < 2_000; round++) {
      const [a, b] = [0, 0].map(() => Array.from({ length: random(12) }, () => random(4))) as [
        number[],
        number[],
      ]
      const partner = [...matchSequences(a, b)]
      const matched = partner.flatMap((j, i) => (j < 0 ? [] : [[i, j] as const]))
      expect(matched.every(([i, j]) => a[i] === b[j])).toBe(true)
      expect(matched.map(([, j]) => j)).toEqual(matched.map(([, j]) => j).toSorted((x, y) => x - y))
      expect(matched).toHaveLength(longestCommon(a, b))
    }
  })
})

function expectProperties(base: string, ours: string, theirs: string): void {
  expect(mergeTexts(base, base, theirs)).toEqual({ text: theirs, conflicts: [] })
  expect(mergeTexts(base, ours, base)).toEqual({ text: ours, conflicts: [] })
  expect(mergeTexts(base, ours, ours)).toEqual({ text: ours, conflicts: [] })
  const merged = mergeTexts(base, ours, theirs)
  for (const { span, ours } of merged.conflicts)
    expect(merged.text.slice(span.start, span.end)).toBe(ours ?? '')

  const swapped = mergeTexts(base, theirs, ours, { prefer: 'theirs' })
  expect(wordsOf(swapped.text)).toEqual(wordsOf(merged.text))
  expect(swapped.conflicts.map(({ base, ours, theirs }) => [base, theirs, ours])).toEqual(
    merged.conflicts.map(({ base, ours, theirs }) => [base, ours, theirs]),
  )

  const everything = new Set(
    wordsOf([merged.text, ...merged.conflicts.flatMap((one) => [one.ours, one.theirs])].join(' ')),
  )
  const inBase = new Set(wordsOf(base))
  for (const word of wordsOf(`${ours} ${theirs}`)) {
    if (!inBase.has(word)) expect(everything.has(word), word).toBe(true)
  }
}

function wordsOf(text: string): string[] {
  return (text.match(/\w+/g) ?? []).toSorted()
}

function joined({ chunks, end }: Chunks): string {
  return chunks.map((chunk) => chunk.before + chunk.body).join('') + end
}

function expectWhole({ chunks }: Chunks): void {
  for (const chunk of chunks) {
    const parts = splitContainer(chunk)
    if (!parts) continue
    expect(parts.head + joined(parts.inner) + parts.tail).toBe(chunk.body)
    expectWhole(parts.inner)
  }
}

function boundaries({ chunks }: Chunks): number[] {
  let at = 0
  return chunks.map((chunk) => {
    const start = at + chunk.before.length
    at = start + chunk.body.length
    return start
  })
}

function longestCommon(a: readonly number[], b: readonly number[]): number {
  const lengths = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0))
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i]![j] =
        a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!)
    }
  }
  return lengths[0]![0]!
}

function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % below
  }
}

const lines =
  `# T|alpha beta gamma delta||||- a|- b|  - c|  more|\`\`\`|code|> q|1. one|{% hint style="info" %}|{% endhint %}
{% tabs %}|{% tab title="x" %}|{% endtab %}|{% endtabs %}|<details>|<summary>s</summary>|</details>|$$|---|key: v
k2:|  in: 1|    four|[^1]: note|one two\r|\r|***|- \`\`\`|<table><tr><td>a</td></tr></table>|a & b`.split(
    /[|\n]/,
  )

function randomText(random: (below: number) => number): string {
  const front = random(3) === 0 ? '---\na: 1\nb: 2\n---\n' : ''
  const body = Array.from({ length: random(25) }, () => lines[random(lines.length)]!).join('\n')
  return front + body + (random(2) ? '\n' : '')
}

function changed(text: string, random: (below: number) => number): string {
  const parts = text.split('\n')
  for (let step = random(4); step >= 0; step--) {
    const at = random(parts.length)
    const kind = random(4)
    if (kind === 0) parts.splice(at, 0, lines[random(lines.length)]!)
    else if (kind === 1) parts.splice(at, 1)
    else if (kind === 2) parts[at] = (parts[at] ?? '').replace(/\w+/, `W${random(1_000)}`)
    else parts.splice(random(parts.length), 0, ...parts.splice(at, 1))
  }
  return parts.join('\n')
}
