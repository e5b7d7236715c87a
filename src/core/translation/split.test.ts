import { expect, test } from 'vitest'
import { everyKind } from '../../../dev/growth/growing-texts.js'
import { findGrowth, scales } from '../../../dev/growth/measure.js'
import { findFault, writeRow, writeWhole } from './check.js'
import type { InlinePart } from './inline.js'
import { splitText, unitsOf } from './split.js'
import { formatTagged, parseTagged } from './tagged.js'

const loud = (pieces: readonly InlinePart[]) =>
  pieces.map((piece) => (typeof piece === 'string' ? piece.toUpperCase() : piece))

/** The tagged units of each construct, and its text translated to capitals. */
const constructs: readonly (readonly [string, string, readonly string[], string])[] = [
  ['a paragraph over lines', 'One.\nTwo.\n', ['One. Two.'], 'ONE. TWO.\n'],
  [
    'lines that end otherwise',
    '# A b\r\n\r\nOne\r\ntwo.\r\n',
    ['A b', 'One two.'],
    '# A B\r\n\r\nONE TWO.\r\n',
  ],
  ['blank space around', '\n\n  One.  \n\n\n\nTwo.', ['One.', 'Two.'], '\n\n  ONE.  \n\n\n\nTWO.'],
  ['headings', '# Title\n\n## Set up ##\n', ['Title', 'Set up'], '# TITLE\n\n## SET UP ##\n'],
  ['an underlined heading', '# A\n\nOne\n---\n', ['A', 'One'], '# A\n\nONE\n---\n'],
  [
    'marks in marks',
    'Say **loud *and* clear**, ~~not~~.\n',
    ['Say <g1>loud <g2>and</g2> clear</g1>, <g3>not</g3>.'],
    'SAY **LOUD *AND* CLEAR**, ~~NOT~~.\n',
  ],
  ['a sign alone', 'Two * three.\n', ['Two * three.'], 'TWO \\* THREE.\n'],
  [
    'a link with marks in it',
    'See [the **page**](a.md "t") now.\n',
    ['See <g1>the <g2>page</g2></g1> now.'],
    'SEE [THE **PAGE**](a.md "t") NOW.\n',
  ],
  [
    'links by reference',
    'See [one][two] and [three].\n\n[two]: b.md\n[three]: c.md\n',
    ['See <g1>one</g1> and <x2/>.'],
    'SEE [ONE][two] AND [three].\n\n[two]: b.md\n[three]: c.md\n',
  ],
  [
    'addresses',
    'Ask me@a.example or https://a.example/b now.\n',
    ['Ask <x1/> or <x2/> now.'],
    'ASK me@a.example OR https://a.example/b NOW.\n',
  ],
  ['a picture', '![A tree](a.png) grows.\n', ['<g1>A tree</g1> grows.'], '![A TREE](a.png) GROWS.\n'],
  ['code in a line', 'Run `npm a` or ``a`b``.\n', ['Run <x1/> or <x2/>.'], 'RUN `npm a` OR ``a`b``.\n'],
  [
    'expressions and formulas',
    'Hi {{ user.name }}, take $$a+b$$ :smile: now.\n',
    ['Hi <x1/>, take <x2/> <x3/> now.'],
    'HI {{ user.name }}, TAKE $$a+b$$ :smile: NOW.\n',
  ],
  [
    'entities and escaped signs',
    'Tom &amp; \\*Jerry\\*.\n',
    ['Tom <x1/> *Jerry*.'],
    'TOM &amp; \\*JERRY\\*.\n',
  ],
  ['lines that are broken', 'One  \nTwo\\\nThree\n', ['One<x1/>Two<x2/>Three'], 'ONE  \nTWO\\\nTHREE\n'],
  [
    'elements in a line',
    'Press <kbd>K</kbd> or <b>go</b><br>now.\n',
    ['Press <x1/> or <g2>go</g2><x3/>now.'],
    'PRESS <kbd>K</kbd> OR <b>GO</b><br>NOW.\n',
  ],
  [
    'lists in lists',
    '- one\n- two\n  - three\n\n1. four\n\n* [ ] five\n',
    ['one', 'two', 'three', 'four', 'five'],
    '- ONE\n- TWO\n  - THREE\n\n1. FOUR\n\n* [ ] FIVE\n',
  ],
  ['a quote', '> one\n> two\n', ['one two'], '> ONE TWO\n'],
  [
    'a table',
    '| A b | C |\n| --- | :-: |\n| `x` one | 12 |\n',
    ['A b', 'C', '<x1/> one'],
    '| A B | C |\n| --- | :-: |\n| `x` ONE | 12 |\n',
  ],
  [
    'a table of HTML',
    '<table><thead><tr><th>One</th></tr></thead><tbody><tr><td>Two <strong>b</strong></td></tr></tbody></table>\n',
    ['One', 'Two <g1>b</g1>'],
    '<table><thead><tr><th>ONE</th></tr></thead><tbody><tr><td>TWO <strong>B</strong></td></tr></tbody></table>\n',
  ],
  [
    'tags in tags',
    '{% tabs %}\n{% tab title="First" %}\n{% hint style="info" %}\nInner words.\n{% endhint %}\n{% endtab %}\n{% endtabs %}\n',
    ['First', 'Inner words.'],
    '{% tabs %}\n{% tab title="FIRST" %}\n{% hint style="info" %}\nINNER WORDS.\n{% endhint %}\n{% endtab %}\n{% endtabs %}\n',
  ],
  [
    'what unfolds',
    '<details>\n\n<summary>More <b>of</b> it</summary>\n\nInside.\n\n</details>\n',
    ['More <g1>of</g1> it', 'Inside.'],
    '<details>\n\n<summary>MORE <b>OF</b> IT</summary>\n\nINSIDE.\n\n</details>\n',
  ],
  [
    'a figure',
    '<figure><img src="a.png" alt=""><figcaption>A cat</figcaption></figure>\n',
    ['A cat'],
    '<figure><img src="a.png" alt=""><figcaption>A CAT</figcaption></figure>\n',
  ],
  [
    'a footnote',
    'Said[^1].\n\n[^1]: The note.\n',
    ['Said<x1/>.', 'The note.'],
    'SAID[^1].\n\n[^1]: THE NOTE.\n',
  ],
  [
    'front matter',
    '---\ndescription: What it is.\nicon: leaf\n---\n\n# A b\n',
    ['What it is.', 'A b'],
    '---\ndescription: WHAT IT IS.\nicon: leaf\n---\n\n# A B\n',
  ],
  ...[
    '```js\nlet words\n```\n',
    '    let words\n',
    '$$\na b\n$$\n',
    '***\n',
    '12 %\n',
    '{% code title="words" %}\n```js\nlet words\n```\n{% endcode %}\n',
    '{% content-ref url="b.md" %}\n[words](b.md)\n{% endcontent-ref %}\n',
    '{% openapi-operation spec="words" path="/b" method="get" %}\nwords\n{% endopenapi-operation %}\n',
    '<!-- words -->\n',
  ].map((text) => [`no words: ${JSON.stringify(text)}`, text, [], text] as const),
]

test.each(constructs)('%s', (_name, text, passages, written) => {
  const split = splitText(text)
  const units = unitsOf(split)
  expect(units.map(({ pieces }) => formatTagged(pieces))).toEqual(passages)
  for (const unit of units) {
    expect(parseTagged(formatTagged(unit.pieces), unit.pieces)).toEqual(unit.pieces)
    expect(findFault(unit, loud(unit.pieces))).toBeUndefined()
  }
  const whole = writeWhole(text, split, ({ pieces }) => loud(pieces))
  expect(whole.text).toBe(written)
  expect([...whole.untranslated]).toEqual([])
})

test('a translated heading keeps its fragment', () => {
  const text = '# A\n\n## Set up\n\n- # In an item\n\n<h2>In HTML</h2>\n'
  const { text: written } = writeWhole(text, splitText(text), ({ line, pieces }) =>
    line === 'A' ? pieces : ['Anders', ...pieces.slice(1)],
  )
  expect(written).toBe(
    '# A\n\n## Anders <a href="#set-up" id="set-up"></a>\n\n' +
      '- # Anders <a href="#in-an-item" id="in-an-item"></a>\n\n' +
      '<h2>Anders <a href="#in-html" id="in-html"></a></h2>\n',
  )
})

test('the id that a heading sets is not translated', () => {
  const text = '# A {#a}\n\n## Set up {#setup}\n\n- # In an item { #item }\n\n<h2 id="html">In HTML</h2>\n'
  const { text: written, untranslated } = writeWhole(text, splitText(text), ({ pieces }) => [
    'Anders ',
    ...pieces.filter((piece) => typeof piece !== 'string'),
  ])
  expect(written).toBe(
    '# Anders {#a}\n\n## Anders {#setup}\n\n- # Anders { #item }\n\n<h2 id="html">Anders </h2>\n',
  )
  expect([...untranslated]).toEqual([])
})

test('any number of codes have distinct names, and come back in any order', () => {
  const text = `${Array.from({ length: 200 }, (_, index) => `[word](${index}.md)`).join(' ')}\n`
  const [unit] = unitsOf(splitText(text))
  const tagged = formatTagged(unit!.pieces)
  expect(tagged).toContain('<g200>word</g200>')
  const turned = tagged
    .match(/<g\d+>word<\/g\d+>/g)!
    .toReversed()
    .join(' ')
  const pieces = parseTagged(turned, unit!.pieces)
  expect(findFault(unit!, pieces)).toBeUndefined()
  expect(writeWhole(text, splitText(text), () => pieces).text).toBe(
    `${text.trim().split(' ').toReversed().join(' ')}\n`,
  )
})

test('untranslated text is unchanged, byte for byte, however odd it is', () => {
  const kinds = everyKind()
  expect(kinds.length).toBeGreaterThan(600)
  for (const { name, text: grown } of kinds) {
    const text = grown(300)
    const { rows, end } = splitText(text)
    const written = rows.map((row) => row.before + writeRow(row, () => undefined)).join('') + end
    expect([name, written]).toEqual([name, text])
  }
})

// Inputs that could cause quadratic scans: ends that are searched from every position, and far away or missing.
const hostile: readonly (readonly [string, string])[] = [
  ['](', ''],
  ['[a](', ''],
  ['[', ']'],
  ['<a ', ''],
  ['<a "', ''],
  ['{{ a ', '}}'],
  ['{% a ', ''],
  ['$$ a ', ''],
  ['<code>', ''],
  ['<!-- ', ''],
  ['` `` ', ''],
  ['*a ', ''],
  ['a b\n', ''],
  ['a  \n', ''],
  ['<h2>a</h2>', ''],
  ['<details><summary>', '</summary>'],
  ['| a ', '|\n| - |\n'],
]

test.each([...constructs.map(([, text]) => [text, ''] as const), ...hostile])(
  'twice the size takes thrice the work at most: %j %j',
  (unit, after) => {
    const text = (size: number) => unit.repeat(Math.ceil(size / unit.length)) + after
    const passages = (one: string) => {
      for (const { pieces } of unitsOf(splitText(one))) parseTagged(formatTagged(pieces), pieces)
    }
    expect(findGrowth({ name: unit, text }, ['passages', passages], scales.short)).toBeUndefined()
  },
)
