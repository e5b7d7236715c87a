import { describe, expect, test } from 'vitest'
import { parsePage } from '../markdown/parse.js'
import { summaryOf } from './summary.js'

const of = (markdown: string) => summaryOf(parsePage(markdown).document)

describe('summaryOf', () => {
  test.each([
    [
      'the first paragraph',
      '# Title\n\nFirst *words* of\nthe [page](b.md).\n\nMore.\n',
      'First words of the page.',
    ],
    ['nothing for a page without one', '# Title\n\n* item\n', undefined],
    ['not what says nothing', '# T\n\n![](a.png)\n\n…\n\nWords.\n', 'Words.'],
    ['not what stands in a box', '# T\n\n{% hint style="info" %}\nBeta\n{% endhint %}\n\nWords.\n', 'Words.'],
    ['markup as its characters', '# T\n\na &lt;b&gt; `"c"`\n', 'a <b> "c"'],
    ['the whole of what just fits', `${'ab '.repeat(53)}c`, `${'ab '.repeat(53)}c`],
    ['whole words of what is longer', 'ab '.repeat(60), `${'ab '.repeat(53).trim()}…`],
    [
      'no sign that leads on before the dots',
      `${'ab '.repeat(52)}xy, ${'ab '.repeat(9)}`,
      `${'ab '.repeat(52)}xy…`,
    ],
    ['as much of a script without blanks as is shown', '語'.repeat(300), `${'語'.repeat(159)}…`],
    ['no half characters', '𠀀'.repeat(300), `${'𠀀'.repeat(159)}…`],
    ['a part of a word that is too long', 'x'.repeat(5000), `${'x'.repeat(159)}…`],
  ])('is %s', (_law, markdown, summary) => {
    expect(of(markdown)).toBe(summary)
    expect([...(summary ?? '')].length).toBeLessThanOrEqual(160)
  })
})
