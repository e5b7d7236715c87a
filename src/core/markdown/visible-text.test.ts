/** Content hidden by a condition that does not hold, in any position, and content that stays. */
import { describe, expect, test } from 'vitest'
import { findConditions, visibleText } from './visible-text.js'

const holds = (expression: string) => expression === 'yes'
const open = (text: string) => visibleText(text, holds)

describe('hidden content', () => {
  const secret = 'SECRET'
  test.each([
    ['between its own lines', `Before.\n\n{% if no %}\n${secret}\n{% endif %}\n\nAfter.\n`],
    ['without blank lines', `Before.\n{% if no %}\n${secret}\n{% endif %}\nAfter.\n`],
    ['inside a line', `Before. Now {% if no %}${secret}{% endif %} on. After.\n`],
    ['in a heading', `Before.\n\n## Part {% if no %}${secret}{% endif %}\n\nAfter.\n`],
    ['in a quote', `Before.\n\n> {% if no %}\n> ${secret}\n> {% endif %}\n\nAfter.\n`],
    ['in a list', `Before.\n\n- one\n  {% if no %}\n  ${secret}\n  {% endif %}\n\nAfter.\n`],
    [
      'in a tab, indented',
      `Before.\n\n{% tabs %}\n{% tab title="a" %}\n    {% if no %}\n    ${secret}\n    {% endif %}\n{% endtab %}\n{% endtabs %}\n\nAfter.\n`,
    ],
    ['in a table cell', `Before.\n\n| a |\n| - |\n| {% if no %}${secret}{% endif %} |\n\nAfter.\n`],
    ['in HTML', `Before.\n\n<table><tr><td>{% if no %}${secret}{% endif %}</td></tr></table>\n\nAfter.\n`],
    ['around code', `Before.\n\n{% if no %}\n\`\`\`\n${secret}\n\`\`\`\n{% endif %}\n\nAfter.\n`],
    [
      'inside a condition that holds',
      `Before.\n\n{% if yes %}\n{% if no %}\n${secret}\n{% endif %}\n{% endif %}\n\nAfter.\n`,
    ],
    [
      'around a condition that holds',
      `Before.\n\n{% if no %}\n{% if yes %}\n${secret}\n{% endif %}\n${secret}\n{% endif %}\n\nAfter.\n`,
    ],
    ['with whitespace-trimming tags', `Before.\n\n{%- if no -%}\n${secret}\n{%- endif -%}\n\nAfter.\n`],
    [
      'with an end in another block',
      `Before.\n\n> {% if no %}\n> ${secret}\n\n${secret}\n\n{% endif %}\n\nAfter.\n`,
    ],
    [
      'crossing another tag',
      `Before.\n\n{% hint %}\n{% if no %}\n${secret}\n{% endhint %}\n${secret}\n{% endif %}\n\nAfter.\n`,
    ],
    ['with a tag over two lines', `Before.\n\n{% if no &&\n yes %}\n${secret}\n{% endif %}\n\nAfter.\n`],
  ])('%s', (_, text) => {
    const visible = open(text)
    expect(visible).not.toContain(secret)
    expect(visible).toContain('Before.')
    expect(visible).toContain('After.')
  })

  test('extends to the end of the text when unclosed', () => {
    expect(open(`Before.\n\n{% if no %}\n${secret}\n\n# More\n`)).toBe('Before.\n\n')
    expect(open(`Before.\n\n{% if no\n${secret}\n`)).toBe('Before.\n\n')
  })

  test('includes code in a text that is too long to be parsed', () => {
    const long = `\`\`\`\n{% if no %}\n${secret}\n{% endif %}\n\`\`\`\n${'x'.repeat(1_000_000)}`
    expect(open(long).includes(secret)).toBe(false)
  })
})

describe('branches', () => {
  const answers = (...held: string[]) => {
    return (expression: string) => held.includes(expression)
  }
  const text = 'a\n{% if x %}\nb\n{% elif y %}\nc\n{% else %}\nd\n{% endif %}\ne\n'
  test.each([
    [['x'], 'a\n{% if x %}\nb\n{% endif %}\ne\n'],
    [['!(x) && (y)'], 'a\n\nc\n\ne\n'],
    [['!(x) && !(y)'], 'a\n\nd\n\ne\n'],
    [[], 'a\n\ne\n'],
  ])('of which %j holds', (held, expected) => {
    expect(visibleText(text, answers(...held))).toBe(expected)
  })

  test('are their own conditions, in order', () => {
    expect(findConditions(text)).toEqual(['x', '!(x) && (y)', '!(x) && !(y)'])
    expect(findConditions('{% if x %}{% if y %}{% else if z %}{% endif %}{% else %}{% endif %}')).toEqual([
      'x',
      'y',
      '!(y) && (z)',
      '!(x)',
    ])
  })

  test('do not hold after a condition that is invalid', () => {
    expect(findConditions('{% if a) || (b %}x{% else %}y{% endif %}')).toEqual(['a) || (b', 'false'])
    expect(findConditions('{% if a // b %}x{% else %}y{% endif %}')).toEqual(['a // b', 'false'])
    expect(findConditions('{% if "a %}x{% else %}y{% endif %}')?.[1]).toBe('false')
    expect(findConditions('{% if %}x{% else %}y{% endif %}')).toEqual(['', 'false'])
  })

  test('are hidden with the condition around them', () => {
    const nested = 'a{% if no %}b{% if yes %}c{% else %}d{% endif %}e{% else %}f{% endif %}g'
    expect(visibleText(nested, () => false)).toBe('ag')
    expect(visibleText(nested, answers('!(no)'))).toBe('afg')
  })

  test('hide what is closed inside a branch that is shown', () => {
    const nested = 'a{% if no %}b{% else %}c{% if never %}d{% endif %}e{% endif %}f'
    expect(visibleText(nested, answers('!(no)'))).toBe('acef')
  })

  test('hide a whole branch with the conditions inside it', () => {
    const nested = 'a{% if yes %}b{% else %}c{% if never %}d{% endif %}e{% endif %}f'
    expect(visibleText(nested, answers('yes'))).toBe('a{% if yes %}b{% endif %}f')
  })

  test('without a condition are text', () => {
    expect(visibleText('a{% else %}b', () => false)).toBe('a{% else %}b')
    expect(findConditions('{% if x %}{% endif %}{% else %}')).toBeUndefined()
  })

  test('are hidden where there are too many of them', () => {
    const many = `{% if x %}${'{% elif y %}b'.repeat(60)}{% endif %}`
    expect(findConditions(many)?.slice(49, 51)).toEqual([expect.stringContaining('!(x) && '), 'false'])
  })

  test('take linear work', () => {
    const many = '{% if x %}{% else %}'.repeat(2_000) + '{% endif %}'.repeat(2_000)
    expect(visibleText(many, () => true)).toBe(many)
  })
})

describe('content that stays, byte for byte', () => {
  test.each([
    ['a text without conditions', 'Text with {% hint %}\nmore\n{% endhint %}\n'],
    ['a condition that holds', 'a\n\n{% if yes %}\nb\n{% endif %}\n\nc\n'],
    ['an example in a fence', '```markdown\n{% if no %}\nb\n{% endif %}\n```\n\nc\n'],
    ['an example in a fence in a list', '- one\n\n  ```\n  {% if no %}\n  ```\n\nc\n'],
    [
      'an example in a code block with a title',
      '{% code title="a" %}\n```\n{% if no %}\n```\n{% endcode %}\n\nc\n',
    ],
    ['an example in inline code', 'Write `{% if no %}` and `{% endif %}`.\n\nc\n'],
    ['front matter', '---\ndescription: Say {% if no %}\n---\n\nc\n'],
    ['an unpaired end tag', 'a\n\n{% endif %}\n\nb\n'],
    ['another tag with the same prefix', 'a {% iframe no %} b\n'],
  ])('%s', (_, text) => {
    expect(open(text)).toBe(text)
  })
})
