/**
 * Linear output: rendered HTML, Markdown and search results grow in proportion to the source, for every block and
 * inline of the dialect, repeated, numbered and nested.
 *
 * The steps and characters of a page are counted, so they are the same on every machine. Processor time is measured only
 * where no budget counts, with a text four times as long, and counts only when it repeats.
 */
import { describe, expect, test } from 'vitest'
import { createBudget } from '../src/core/budget.js'
import type { Document } from '../src/core/document/types.js'
import { parseFragment } from '../src/core/markdown/parse.js'
import { visibleText } from '../src/core/markdown/visible-text.js'
import { createExcerpter } from '../src/core/search/excerpt.js'
import { collectSections } from '../src/core/search/sections.js'
import { createPageFragments } from '../src/site/blocks/fragments.js'
import { renderDocument, renderLimits } from '../src/site/blocks/render.js'
import { contextOf } from '../src/site/blocks/testing.js'

const fence = '`'.repeat(3)
type Grown = (size: number) => string

function repeated(unit: string, before = '', after = ''): Grown {
  return (size) => before + unit.repeat(Math.ceil(size / unit.length)) + after
}

function numbered(unit: (index: number) => string): Grown {
  return (size) => {
    let text = ''
    for (let index = 0; text.length < size; index++) text += unit(index)
    return text
  }
}

function nested(open: string, close: string, inside = 'x'): Grown {
  return (size) => {
    const levels = Math.ceil(size / (open.length + close.length))
    return open.repeat(levels) + inside + close.repeat(levels)
  }
}

const tag = (name: string, attributes = '') =>
  [`{% ${name}${attributes} %}\n`, `\n{% end${name} %}\n\n`] as const
const around = (name: string, attributes = '', inside = 'Some text.') => tag(name, attributes).join(inside)

const blocks: Readonly<Record<string, string>> = {
  paragraph: 'Some text.\n\n',
  heading: '## Heading\n\n',
  list: '- item\n',
  'loose list': '- item\n\n',
  'ordered list': '1. item\n',
  'task list': '- [x] done\n',
  divider: '***\n\n',
  quote: '> said\n\n',
  hint: around('hint', ' style="info"'),
  code: `${fence}js\nlet a = "b" // c\n${fence}\n\n`,
  'code with numbers': `{% code lineNumbers="true" title="a" %}\n${fence}js\nlet a\n${fence}\n{% endcode %}\n\n`,
  math: '$$\n\\frac{a}{b}\n$$\n\n',
  image: '![a](b.png)\n\n',
  figure: '<figure><img src="b.png" alt=""><figcaption>c</figcaption></figure>\n\n',
  file: '{% file src="a/b.zip" %}\n\n',
  embed: '{% embed url="https://a.example/b" %}\n\n',
  'content ref': '{% content-ref url="b.md" %}\n[b](b.md)\n{% endcontent-ref %}\n\n',
  include: '{% include "a.md" %}\n\n',
  expandable: '<details>\n\n<summary>a</summary>\n\nb\n\n</details>\n\n',
  tabs: around('tabs', '', around('tab', ' title="a"')),
  stepper: around('stepper', '', around('step')),
  columns: around('columns', '', around('column')),
  'pipe table': '| a | b |\n| - | - |\n| c | d |\n\n',
  'html table': '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>\n\n',
  cards:
    '<table data-view="cards"><thead><tr><th></th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>\n\n',
  if: around('if', ' x'),
  updates: around('updates', ' format="full"', around('update', ' date="2026-01-31"')),
  prompt: around('prompt', ' description="a"'),
  openapi: around('openapi-operation', ' spec="a" path="/b" method="get"'),
  integration: around('@a/b', ' url="https://c.example"'),
  'raw html': '<video src="a.mp4"></video>\n\n',
  footnote: 'a[^1]\n\n[^1]: b\n\n',
}

const inlines: Readonly<Record<string, string>> = {
  words: 'word ',
  bold: '**a** ',
  italic: '*a* ',
  code: '`a` ',
  strike: '~~a~~ ',
  link: '[a](b.md) ',
  mention: '[a](b.md "mention") ',
  address: 'https://a.example/b ',
  image: '<img src="a.png" alt="b"> ',
  emoji: ':smile: ',
  icon: '<i class="fa-leaf">:leaf:</i> ',
  expression: '<code class="expression">space.vars.a</code> ',
  math: '$$a$$ ',
  button: '<a href="b" class="button primary">a</a> ',
  color: '<mark style="color:red;">a</mark> ',
  html: '<kbd>a</kbd> ',
  'unknown html': '<var>a</var> ',
  entity: '&amp;',
  break: 'a<br>',
}

const kinds: readonly (readonly [string, Grown])[] = [
  ...Object.entries(blocks).map(([name, unit]) => [name, repeated(unit)] as const),
  ...Object.entries(blocks).map(
    ([name, unit]) =>
      [`${name}, numbered`, numbered((index) => unit.replace(/[ab]\b/g, `$&${index}`))] as const,
  ),
  ...Object.entries(inlines).map(([name, unit]) => [`inline ${name}`, repeated(unit)] as const),
  ...Object.entries(inlines).map(
    ([name, unit]) => [`cell of ${name}`, repeated(`| ${unit} |\n`, '| a |\n| - |\n')] as const,
  ),
  ['quotes in quotes', nested('> ', '')],
  ['lists in lists', nested('- ', '')],
  ['hints in hints', nested(...tag('hint', ' style="info"'))],
  ['tabs in tabs', nested('{% tabs %}\n{% tab title="a" %}\n', '\n{% endtab %}\n{% endtabs %}\n')],
  ['bold in italic', nested('*a **b ', '***')],
  ['links in links', nested('[', '](b)')],
  ['html in html', nested('<var>', '</var>')],
  ['elements left open', repeated('<var>')],
  ['tables in tables', nested('<table><tr><td>', '</td></tr></table>')],
  ['footnotes in footnotes', numbered((index) => `[^${index}]: a[^${index + 1}]\n\n`)],
  [
    'short rows of a wide table',
    (size) => {
      const count = Math.ceil(size / 30)
      return `<table><tbody><tr>${'<td>a</td>'.repeat(count)}</tr>${'<tr><td></td></tr>'.repeat(count)}</tbody></table>`
    },
  ],
  [
    'short rows of wide cards',
    (size) => {
      const count = Math.ceil(size / 30)
      return `<table data-view="cards"><tbody><tr>${'<td>a</td>'.repeat(count)}</tr>${'<tr><td></td></tr>'.repeat(count)}</tbody></table>`
    },
  ],
  [
    'lines of nested code',
    (size) =>
      `{% code lineNumbers="true" %}\n${fence}js\n${'`${'.repeat(size / 6)}${'\n'.repeat(size / 2)}\n${fence}\n{% endcode %}\n`,
  ],
  ['one line of code', repeated('$', `${fence}pgsql\n`, `\n${fence}\n`)],
  ['one formula', repeated('{', '$$\n', '\n$$\n')],
  ['blanks in an address', repeated(' ', '<a href="a', 'x">a</a>')],
  ['slashes of a file', repeated('/', '{% file src="', 'x" %}')],
  ['slashes of an embed', repeated('/', '{% embed url="a', 'x" %}')],
]

const included = parseFragment('Some text.\n').document
const context = () => ({
  ...contextOf({ include: () => included, evaluate: () => 'value', evaluateCondition: () => true }),
  fragments: createPageFragments(),
})

/** Steps and characters of a page, and the characters of deferred fragments; their markup is dropped, which costs most text. */
function spent(document: Document): number {
  const options = context()
  const budget = createBudget(renderLimits)
  renderDocument(document, options, budget)
  let excluded = 0
  for (const { text } of options.fragments.deferred.values()) excluded += text.length
  return budget.spent('steps') + budget.spent('output') + excluded
}

function processorTime(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Milliseconds below which a measurement means nothing. */
const floor = 10

/** Whether four times the text takes more than nine times as long, however often it is tried. */
function growsTooFast(short: () => void, long: () => void): boolean {
  let [least, most] = [Infinity, Infinity]
  for (let round = 0; round < 5; round++) {
    most = Math.min(most, processorTime(long))
    if (most < floor) return false
    least = Math.min(least, processorTime(short))
    if (most <= 9 * least + floor) return false
  }
  return true
}

const parsed = (text: string) => parseFragment(text).document

describe('a page twice as long', () => {
  test.each(kinds)('spends thrice as much at most: %s', (_, grown) => {
    const [short, long] = [3_000, 6_000].map((size) => spent(parsed(grown(size))))
    expect(long).toBeLessThanOrEqual(3 * short! + 500)
  })

  test('is noticed when it spends the square', () => {
    const square = (size: number) =>
      spent(
        parsed(
          '| a '.repeat(size) +
            '|\n' +
            '| - '.repeat(size) +
            '|\n' +
            ('| a '.repeat(size) + '|\n').repeat(size),
        ),
      )
    expect(square(40)).toBeGreaterThan(3 * square(20) + 500)
  })
})

test.each(kinds)('as HTML, Markdown and excerpt, in time that follows the text: %s', (_, grown) => {
  const [short, long] = [2_500, 10_000].map((size) => {
    const text = grown(size)
    const document = parsed(text)
    const bodies = collectSections(document, 'Title').map(({ body }) => body)
    return {
      html: () => void renderDocument(document, context()),
      markdown: () => void visibleText(text, () => true),
      excerpt: () => bodies.forEach((body) => void createExcerpter(['some', 'x'])(body, 180)),
    }
  })
  for (const form of ['html', 'markdown', 'excerpt'] as const)
    expect([form, growsTooFast(short![form], long![form])]).toEqual([form, false])
})
