/** Content hidden by a condition that does not hold, in any position, and content that stays. */
import { describe, expect, test } from 'vitest'
import { visibleText } from './visible-text.js'

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
