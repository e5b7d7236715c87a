import { expect, it } from 'vitest'
import type { Mark } from '../document/types.js'
import { parseFragment } from './parse.js'

const text = (value: string, ...marks: Mark['type'][]) =>
  marks.length === 0
    ? { type: 'text', text: value }
    : { type: 'text', text: value, marks: marks.map((type) => ({ type })) }
const paragraph = (value: string) => ({ type: 'paragraph', children: [text(value)] })

const cases: readonly [name: string, source: string, ...blocks: object[]][] = [
  [
    'alert',
    '> [!NOTE]\n> a **b**\n> c\n>\n> d',
    {
      type: 'hint',
      style: 'info',
      blocks: [{ type: 'paragraph', children: [text('a '), text('b', 'bold'), text('\nc')] }, paragraph('d')],
    },
  ],
  [
    'alert by other words',
    '> [!caution]  \n> a',
    { type: 'hint', style: 'danger', blocks: [paragraph('a')] },
  ],
  ['alert with further blocks', '> [!TIP]\n>\n> - a', { type: 'hint', style: 'success', icon: 'lightbulb' }],
  ['empty alert', '> [!WARNING]', { type: 'hint', style: 'warning', blocks: [] }],
  ['alert in an alert', '> [!NOTE]\n> > [!IMPORTANT]\n> > a', { type: 'hint', style: 'info' }],
  [
    'quote with text after the marker',
    '> [!NOTE] a',
    { type: 'blockquote', blocks: [paragraph('[!NOTE] a')] },
  ],
  ['quote with an unknown marker', '> [!ABC]\n> a', { type: 'blockquote' }],
  [
    'raw text',
    '{% raw %}\n{% hint style="info" %}\n{% endraw %}\n\na',
    paragraph('{% hint style="info" %}'),
    paragraph('a'),
  ],
  ['raw text in a line', 'a {% raw %}{{ b }}{% endraw %} c', paragraph('a {{ b }} c')],
  [
    'raw tags in code',
    '`{% raw %}` and `{% endraw %}`',
    { type: 'paragraph', children: [text('{% raw %}', 'code'), text(' and '), text('{% endraw %}', 'code')] },
  ],
  ['unclosed raw text', '{% raw %}\n\na', paragraph('{% raw %}'), paragraph('a')],
  [
    'inline operation',
    '{% swagger method="post" path="/pets" baseUrl="https://a" summary="Add" %}\n{% swagger-description %}\nA pet.\n{% endswagger-description %}\n\n{% swagger-parameter in="body" name="name" type="String" required="true" %}\nIts name.\n{% endswagger-parameter %}\n\n{% swagger-parameter name="age" %}\n{% endswagger-parameter %}\n\n{% swagger-response status="201: Created" description="Made" %}\n```js\n{}\n```\n{% endswagger-response %}\n{% endswagger %}',
    {
      type: 'swagger',
      method: 'post',
      path: '/pets',
      server: 'https://a',
      summary: 'Add',
      blocks: [
        paragraph('A pet.'),
        {
          type: 'table',
          rows: [
            [
              { blocks: [{ children: [text('name', 'code'), text(' required')] }] },
              { blocks: [paragraph('String · body')] },
              { blocks: [paragraph('Its name.')] },
            ],
            [{ blocks: [{ children: [text('age', 'code')] }] }, {}, { blocks: [] }],
          ],
        },
        {
          type: 'expandable',
          title: [text('201: Created: Made')],
          blocks: [{ type: 'code', syntax: 'js', code: '{}' }],
        },
      ],
    },
  ],
]

it.each(['<a href="b.md">a https://c.example d</a>', '[a <a href="c.md">https://c.example</a> d](b.md)'])(
  'reads no link in a link: %s',
  (source) => {
    const children = [{ type: 'link', url: 'b.md', children: [text('a https://c.example d')] }]
    expect(parseFragment(source).document.blocks).toMatchObject([{ type: 'paragraph', children }])
  },
)

it.each(cases)('reads %s', (_, source, ...blocks) => {
  expect(parseFragment(source).document.blocks).toMatchObject(blocks)
})

it.each([
  ['{% hint style="info" %}\na', '{% hint %} has no {% endhint %}'],
  ['{% tabs %}\n{% tab title="a" %}\nb\n{% endtabs %}', '{% tab %} has no {% endtab %}'],
  ['{% code title="a" %}\n```\nb\n```', '{% code %} has no {% endcode %}'],
  ['{% raw %}\n{% foo %}\n{% endraw %}\n{% bar %}', '{% bar %} is no tag'],
])('reports a problem in %j', (source, message) => {
  const { problems } = parseFragment(source)
  expect(problems.map((problem) => problem.message)).toEqual([expect.stringContaining(message)])
})

it('finds references in raw text, an alert and an operation', () => {
  const source =
    '{% raw %}[a](a.md){% endraw %}\n\n> [!TIP]\n> [b](b.md)\n\n{% swagger path="/c" %}\n{% swagger-parameter name="d" %}\n[d](d.md)\n{% endswagger-parameter %}\n{% endswagger %}'
  const { references } = parseFragment(source)
  expect(references.map(({ url }) => url)).toEqual(['a.md', 'b.md', 'd.md'])
  for (const { url, span } of references) expect(source.slice(span.start, span.end)).toBe(url)
})
