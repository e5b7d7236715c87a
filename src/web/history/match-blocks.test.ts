import { expect, test } from 'vitest'
import { matchBlocks } from './match-blocks.js'

test('blocks are found by their letters, in order, whatever stands between', () => {
  const sources = [
    'Take **flour** and [salt](salt.md).',
    '```js\nconst bread = 1\n```',
    '{% hint style="info" %}\nBake it.\n{% endhint %}',
    '***',
    'Take **flour** and [salt](salt.md).',
    '![](gone.png)',
    'Last.',
  ]
  const elements = [
    'Take flour and salt.',
    'Copy const bread = 1',
    'Bake it.',
    '',
    'Not a block',
    'Take flour and salt.',
    'Last.',
  ]
  expect(matchBlocks(sources, elements)).toEqual([0, 1, 2, 3, 5, undefined, 6])
})
