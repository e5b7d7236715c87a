/** What changed inside a text: the blocks that came, went, moved and were edited, with the words. */
import { describe, expect, it } from 'vitest'
import { type BlockChange, diffBlocks } from './diff-blocks.js'
import { listBlocks } from './shown-blocks.js'
import { diffWords } from './words.js'

const text = `# Title

First words of all.

* one item
* another item here

{% hint style="info" %}
Inside some words.
{% endhint %}

Last words.
`

/** Changes as a reader would mark them: what went in brackets, what came in braces. */
const marked = (change: BlockChange): string => {
  if (change.type !== 'edited') return `${change.type} ${change.block}: ${change.words}`
  const words = change.words?.map(({ change: how, text: said }) =>
    how === 'same' ? said : how === 'removed' ? `[${said}]` : `{${said}}`,
  )
  return `edited ${change.block}${words === undefined ? '' : `: ${words.join('')}`}`
}
const told = (after: string, before = text) => diffBlocks(before, after).map(marked)

describe('blocks', () => {
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
      'a container around what was there',
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
  ])('tell of %s', (name, after, changes) => {
    expect(told(after, name.endsWith('code') ? 'Text.\n' : text)).toEqual(changes)
  })

  it('say where they stand', () => {
    const [change] = diffBlocks(
      text,
      text.replace('* one', '* zero\n* one').replace('Last words', 'The last words'),
    )
    expect(change).toEqual({ type: 'added', key: '1.0', block: 'list-item', words: 'zero' })
    const edited = diffBlocks(text, `New.\n\n${text.replace('# Title\n\n', '').replace('Last', 'The last')}`)
    expect(edited.find(({ type }) => type === 'edited')!.key).toEqual({ before: '3', after: '4' })
  })

  it('tell of everything that differs, and of nothing else, for any two texts', () => {
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
      const [was, is] = [listBlocks(before), listBlocks(after)]
      const find = (blocks: typeof was, key: string) => blocks.find((block) => block.key === key)
      for (const change of changes) {
        if (typeof change.key === 'string') {
          const side = change.type === 'removed' ? was : is
          expect(find(side, change.key)).toMatchObject({ kind: change.block })
        } else {
          const [from, to] = [find(was, change.key.before)!, find(is, change.key.after)!]
          expect(from.body === to.body).toBe(change.type === 'moved')
          if (change.type !== 'edited' || change.words === undefined) continue
          edits++
          const spell = (left: string) =>
            change
              .words!.filter((piece) => piece.change !== left)
              .map((piece) => piece.text)
              .join('')
          expect([spell('added'), spell('removed')]).toEqual([from.words, to.words])
        }
      }
      // Every leaf that only one of them has is spelled by some change.
      const spelled = changes
        .map((change) =>
          change.type === 'edited' ? (change.words ?? []).map((piece) => piece.text).join('') : change.words,
        )
        .join('\n')
      const bodies = [new Set(was.map(({ body }) => body)), new Set(is.map(({ body }) => body))]
      for (const [mine, other] of [
        [was, bodies[1]!],
        [is, bodies[0]!],
      ] as const) {
        for (const { words, body, hasBlocks } of mine) {
          if (hasBlocks || other.has(body)) continue
          for (const word of words.match(/\w+/g) ?? []) expect(spelled).toContain(word)
        }
      }
    }
    expect(edits).toBeGreaterThan(50)
  })
})

describe('words', () => {
  const said = (before: string, after: string) =>
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
  ])('from %j to %j', (before, after, pieces) => {
    expect(said(before, after)).toEqual(pieces)
  })

  it('take no more than their allowance, and spell both all the same', () => {
    const words = (length: number, by: number) =>
      Array.from({ length }, (_, at) => `w${(at * by) % 9973}`).join(' ')
    for (const length of [2_000, 4_000]) {
      const allowance = { work: 50_000 }
      const [before, after] = [words(length, 17), words(length, 31)]
      const pieces = diffWords(before, after, allowance)
      expect(allowance.work).toBeGreaterThan(-20 * length)
      const spell = (left: string) =>
        pieces
          .filter((piece) => piece.change !== left)
          .map((piece) => piece.text)
          .join('')
      expect([spell('added'), spell('removed')]).toEqual([before, after])
    }
  })
})
