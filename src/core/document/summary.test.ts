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
    ['not a paragraph without words', '# T\n\n![](a.png)\n\n…\n\nWords.\n', 'Words.'],
    [
      'not a paragraph in a hint',
      '# T\n\n{% hint style="info" %}\nBeta\n{% endhint %}\n\nWords.\n',
      'Words.',
    ],
    ['markup as its characters', '# T\n\na &lt;b&gt; `"c"`\n', 'a <b> "c"'],
    ['the whole paragraph when it just fits', `${'ab '.repeat(53)}c`, `${'ab '.repeat(53)}c`],
    ['whole words of a longer one', 'ab '.repeat(60), `${'ab '.repeat(53).trim()}…`],
    ['no comma before the ellipsis', `${'ab '.repeat(52)}xy, ${'ab '.repeat(9)}`, `${'ab '.repeat(52)}xy…`],
    ['the full length of a script without spaces', '語'.repeat(300), `${'語'.repeat(159)}…`],
    ['no half characters', '𠀀'.repeat(300), `${'𠀀'.repeat(159)}…`],
    ['a part of an overlong word', 'x'.repeat(5000), `${'x'.repeat(159)}…`],
  ])('is %s', (_law, markdown, summary) => {
    expect(of(markdown)).toBe(summary)
    expect([...(summary ?? '')].length).toBeLessThanOrEqual(160)
  })
})
