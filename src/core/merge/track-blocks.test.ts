/** Block tracking: blocks of a text found in later texts, by their keys. */
import { describe, expect, it } from 'vitest'
import { findBlockText, trackBlocks } from './track-blocks.js'

const text = `# Title

First words of all.

* one item
* another item here

{% hint style="info" %}
Inside **some** words.
{% endhint %}

Last words.
`

/** The text at the new key of the block. */
function follow(key: string, after: string): string | undefined {
  const newKey = trackBlocks(text, after).get(key)?.key
  return newKey === undefined ? undefined : findBlockText(after, newKey)
}

describe('a block', () => {
  it('has its visible text', () => {
    expect(findBlockText(text, '0')).toBe('First words of all.')
    expect(findBlockText(text, '1.1')).toBe('another item here')
    expect(findBlockText(text, '2.0')).toBe('Inside some words.')
    for (const key of ['4', '0.7', '', 'constructor']) expect(findBlockText(text, key)).toBeUndefined()
  })

  it('stays where nothing changed', () => {
    const all = [...trackBlocks(text, text)]
    expect(all.length).toBeGreaterThan(7)
    for (const [before, after] of all) expect(after).toEqual({ key: before, isSame: true })
  })

  it.each([
    ['0', text.replace('First', 'Zeroth paragraph.\n\nFirst'), 'First words of all.'],
    ['0', text.replace('First words of all', 'First new words of all'), 'First new words of all.'],
    ['3', text.replace('\nLast words.\n', '').replace('First', 'Last words.\n\nFirst'), 'Last words.'],
    ['1.1', text.replace('* one item\n', ''), 'another item here'],
    ['1.1', text.replace('* one item', '* none\n* one item'), 'another item here'],
    ['2.0', text.replace('Inside', 'A first one.\n\nInside'), 'Inside some words.'],
    [
      '2.0',
      text.replace('{% hint style="info" %}\n', '').replace('{% endhint %}\n', ''),
      'Inside some words.',
    ],
    ['2', text.replace('info', 'danger'), 'Inside some words.'],
  ])('%s is followed into %j', (key, after, words) => {
    expect(after).not.toBe(text)
    expect(follow(key, after)).toBe(words)
  })

  it('is gone when it was deleted, or turned into something else', () => {
    expect(follow('0', text.replace('First words of all.\n\n', ''))).toBeUndefined()
    expect(follow('2.0', text.replace(/\{% hint[^]*endhint %\}\n\n/, ''))).toBeUndefined()
    expect(follow('0', '# Title\n')).toBeUndefined()
  })

  it('that occurs twice is not found at another position by its text', () => {
    const twice = '# Title\n\nSame.\n\nOther.\n\nSame.\n'
    expect(trackBlocks(twice, '# Title\n\nOther.\n\nSame.\n').get('2')).toEqual({ key: '1', isSame: false })
    expect([...trackBlocks(twice, '# Title\n\nSame.\n').keys()]).toHaveLength(1)
  })
})
