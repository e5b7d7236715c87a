/** Block diff of two texts, with the word diff of edited blocks. */
import { describe, expect, it } from 'vitest'
import { type BlockChange, diffBlocks } from './diff-blocks.js'
import { listBlocks } from './list-blocks.js'
import { diffWords } from './diff-words.js'

const text = `# Title

First words of all.

* one item
* another item here

{% hint style="info" %}
Inside some words.
{% endhint %}

Last words.
`

/** Changes as text: removed words in brackets, added words in braces. */
const drawChange = (change: BlockChange): string => {
  if (change.type !== 'edited') return `${change.type} ${change.block}: ${change.words}`
  const words = change.words?.map(({ change: how, text: drawnWords }) =>
    how === 'same' ? drawnWords : how === 'removed' ? `[${drawnWords}]` : `{${drawnWords}}`,
  )
  return `edited ${change.block}${words === undefined ? '' : `: ${words.join('')}`}`
}
const drawnChanges = (after: string, before = text) => diffBlocks(before, after).map(drawChange)

describe('block changes', () => {
  it.each<[string, string, string[]]>([
    ['nothing', text, []],
    [
      'a word',
      text.replace('words of', 'sentence of'),
      ['edited paragraph: First [words]{sentence} of all.'],
    ],
    ['a block that came', text.replace('Last', 'New ones.\n\nLast'), ['added paragraph: New ones.']],
    [
      'a block that went',
      text.replace('First words of all.\n\n', ''),
      ['removed paragraph: First words of all.'],
    ],
    [
      'a block that moved',
      text
        .replace('First words of all.\n\n', '')
        .replace('Last words.', 'Last words.\n\nFirst words of all.'),
      ['moved paragraph: First words of all.'],
    ],
    [
      'a container that went, as one',
      text.replace(/\{% hint[^]*endhint %\}\n\n/, ''),
      ['removed hint: Inside some words.'],
    ],
    [
      'a container that moved, as one',
      text.replace(/\{% hint[^]*endhint %\}\n\n/, '').replace(
        'First',
        `{% hint style="info" %}
Inside some words.
{% endhint %}

First`,
      ),
      ['moved hint: Inside some words.'],
    ],
    ['how a container is set', text.replace('info', 'danger'), ['edited hint']],
    [
      'a container around existing blocks',
      text.replace('Last words.', '{% hint style="danger" %}\nLast words.\n{% endhint %}'),
      ['added hint: '],
    ],
    [
      'an item',
      text.replace('* one item', '* one item\n* a third thing'),
      ['added list-item: a third thing'],
    ],
    [
      'words inside',
      text.replace('Inside some', 'Inside many'),
      ['edited paragraph: Inside [some]{many} words.'],
    ],
    ['the title alone', text.replace('# Title', '# Other'), []],
    ['the language of code', '```js\na\n```\n', ['removed paragraph: Text.', 'added code: a']],
  ])('of %s', (name, after, changes) => {
    expect(drawnChanges(after, name.endsWith('code') ? 'Text.\n' : text)).toEqual(changes)
  })

  it('have the keys of both texts', () => {
    const [change] = diffBlocks(
      text,
      text.replace('* one', '* zero\n* one').replace('Last words', 'The last words'),
    )
    expect(change).toEqual({ type: 'added', key: '1.0', block: 'list-item', words: 'zero' })
    const edited = diffBlocks(text, `New.\n\n${text.replace('# Title\n\n', '').replace('Last', 'The last')}`)
    expect(edited.find(({ type }) => type === 'edited')!.key).toEqual({ before: '3', after: '4' })
  })

  it('report every difference, and nothing else, for any two texts', () => {
    const parts = text.split('\n\n').concat('Some more.', '## A heading', '> A quote.\n>\n> * in it', '')
    let seed = 7
    const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below
    const any = () =>
      Array.from({ length: random(9) }, () => {
        const part = parts[random(parts.length)]!
        return random(3) === 0 ? part.replace(/\w+/, `word${random(4)}`) : part
      }).join('\n\n')
    let edits = 0
    for (let round = 0; round < 300; round++) {
      const [before, after] = [any(), any()]
      expect(diffBlocks(before, before)).toEqual([])
      const changes = diffBlocks(before, after)
      const [beforeBlocks, afterBlocks] = [listBlocks(before), listBlocks(after)]
      const find = (blocks: typeof beforeBlocks, key: string) => blocks.find((block) => block.key === key)
      for (const change of changes) {
        if (typeof change.key === 'string') {
          const side = change.type === 'removed' ? beforeBlocks : afterBlocks
          expect(find(side, change.key)).toMatchObject({ kind: change.block })
        } else {
          const [from, to] = [find(beforeBlocks, change.key.before)!, find(afterBlocks, change.key.after)!]
          expect(from.body === to.body).toBe(change.type === 'moved')
          if (change.type !== 'edited' || change.words === undefined) continue
          edits++
          const spell = (left: string) =>
            change
              .words!.filter((part) => part.change !== left)
              .map((part) => part.text)
              .join('')
          expect([spell('added'), spell('removed')]).toEqual([from.words, to.words])
        }
      }
      // Every leaf that only one of them has is spelled by some change.
      const spelled = changes
        .map((change) =>
          change.type === 'edited' ? (change.words ?? []).map((part) => part.text).join('') : change.words,
        )
        .join('\n')
      const bodies = [
        new Set(beforeBlocks.map(({ body }) => body)),
        new Set(afterBlocks.map(({ body }) => body)),
      ]
      for (const [mine, other] of [
        [beforeBlocks, bodies[1]!],
        [afterBlocks, bodies[0]!],
      ] as const) {
        for (const { words, body, hasChildren } of mine) {
          if (hasChildren || other.has(body)) continue
          for (const word of words.match(/\w+/g) ?? []) expect(spelled).toContain(word)
        }
      }
    }
    expect(edits).toBeGreaterThan(50)
  })
})

describe('word changes', () => {
  const drawnWords = (before: string, after: string) =>
    diffWords(before, after, { work: 1e6 }).map(({ change, text: words }) => `${change} ${words}`)

  it.each<[string, string, string[]]>([
    ['same', 'same', ['same same']],
    ['', 'all new', ['added all new']],
    ['one two three', 'one 2 3', ['same one ', 'removed two three', 'added 2 3']],
    ['one two three', 'one three', ['same one ', 'removed two ', 'same three']],
    ['a, b', 'a; b', ['same a', 'removed ,', 'added ;', 'same  b']],
    ['汉字很好', '汉字不好', ['same 汉字', 'removed 很', 'added 不', 'same 好']],
    ['naïve café', 'naïve cafés', ['same naïve ', 'removed café', 'added cafés']],
    ['😀 yes', '😁 yes', ['removed 😀', 'added 😁', 'same  yes']],
  ])('from %j to %j', (before, after, parts) => {
    expect(drawnWords(before, after)).toEqual(parts)
  })

  it('spell both texts also when the budget runs out', () => {
    const words = (length: number, by: number) =>
      Array.from({ length }, (_, at) => `w${(at * by) % 9973}`).join(' ')
    for (const length of [2_000, 4_000]) {
      const budget = { work: 50_000 }
      const [before, after] = [words(length, 17), words(length, 31)]
      const parts = diffWords(before, after, budget)
      expect(budget.work).toBeGreaterThan(-20 * length)
      const spell = (left: string) =>
        parts
          .filter((part) => part.change !== left)
          .map((part) => part.text)
          .join('')
      expect([spell('added'), spell('removed')]).toEqual([before, after])
    }
  })
})
