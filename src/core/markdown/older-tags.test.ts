/** Older forms of tags, fences of formulas, and fences directly inside an expandable block. */
import { describe, expect, it } from 'vitest'
import { plainText } from '../document/plain-text.js'
import type { Block, OpenAPIBlock } from '../document/types.js'
import { visitBlocks } from '../document/visit.js'
import { collectConditionalSections } from '../search/conditional-sections.js'
import { formatPage } from './format.js'
import { parseFragment, parsePage } from './parse.js'
import { findConditions } from './visible-text.js'

const fence = '```'
const problemsOf = (text: string): string[] => parseFragment(text).problems.map(({ message }) => message)

/** The types of all blocks, in order. */
function typesOf(text: string): string[] {
  const types: string[] = []
  visitBlocks(parseFragment(text).document, ({ type }) => void types.push(type))
  return types
}

describe('code-tabs', () => {
  const item = (title: string, code: string) =>
    `{% code-tabs-item title="${title}" %}\n${fence}js\n${code}\n${fence}\n{% endcode-tabs-item %}\n`

  it('are tabs', () => {
    const text = `{% code-tabs %}\n${item('a.js', 'one')}${item('b.js', 'two')}{% endcode-tabs %}\n`
    const [block] = parseFragment(text).document.blocks
    expect(block).toMatchObject({
      type: 'tabs',
      tabs: [
        { title: 'a.js', blocks: [{ type: 'code', code: 'one' }] },
        { title: 'b.js', blocks: [{ type: 'code', code: 'two' }] },
      ],
    })
    expect(problemsOf(text)).toEqual([])
  })

  it('with one item are code with a title', () => {
    const text = `{% code-tabs %}\n${item('a.js', 'one')}{% endcode-tabs %}\n`
    expect(parseFragment(text).document.blocks).toMatchObject([
      { type: 'code', title: 'a.js', syntax: 'js', code: 'one', span: { start: 0 } },
    ])
    expect(problemsOf(text)).toEqual([])
  })
})

describe('api-method', () => {
  const text = [
    '{% api-method method="post" host="https://api.example.com" path="/breads/:id" %}',
    '{% api-method-summary %}',
    'Bake bread',
    '{% endapi-method-summary %}',
    '',
    '{% api-method-description %}',
    'Takes an **hour**.',
    '{% endapi-method-description %}',
    '',
    '{% api-method-spec %}',
    '{% api-method-request %}',
    '{% api-method-path-parameters %}',
    '{% api-method-parameter name="id" type="string" required=true %}',
    'Which one',
    '{% endapi-method-parameter %}',
    '{% endapi-method-path-parameters %}',
    '',
    '{% api-method-headers %}',
    '{% api-method-parameter name="X-Oven" type="string" required=false %}',
    '',
    '{% endapi-method-parameter %}',
    '{% endapi-method-headers %}',
    '{% endapi-method-request %}',
    '',
    '{% api-method-response %}',
    '{% api-method-response-example httpCode=200 %}',
    '{% api-method-response-example-description %}',
    'It is baked.',
    '{% endapi-method-response-example-description %}',
    '',
    `${fence}json`,
    '{ "baked": true }',
    fence,
    '{% endapi-method-response-example %}',
    '{% endapi-method-response %}',
    '{% endapi-method-spec %}',
    '{% endapi-method %}',
  ].join('\n')

  it('is an operation, as swagger is', () => {
    const [block, ...others] = parseFragment(text).document.blocks
    expect(others).toEqual([])
    expect(block).toMatchObject({
      type: 'swagger',
      method: 'post',
      server: 'https://api.example.com',
      path: '/breads/:id',
      summary: 'Bake bread',
    })
    const { blocks } = block as OpenAPIBlock
    expect(blocks.map((inner) => inner.type)).toEqual(['paragraph', 'table', 'expandable'])
    const table = blocks[1] as Extract<Block, { type: 'table' }>
    expect(table.rows.map((row) => row.map((cell) => plainText(cell)))).toEqual([
      ['id required', 'string · path', 'Which one'],
      ['X-Oven', 'string · header', ''],
    ])
    expect(blocks[2]).toMatchObject({
      title: [{ text: '200' }],
      blocks: [{}, { type: 'code', syntax: 'json' }],
    })
    expect(problemsOf(text)).toEqual([])
  })

  it('loses nothing that stands where it should not', () => {
    const odd = text.replace('{% api-method-request %}', 'Between.\n\n{% api-method-request %}')
    expect(plainText(parseFragment(odd).document)).toContain('Between.')
    const outside = '{% api-method-description %}\nAlone.\n{% endapi-method-description %}'
    expect(plainText(parseFragment(outside).document)).toBe('Alone.')
    expect(problemsOf(outside)).toHaveLength(1)
  })
})

describe('branches of conditions', () => {
  const text = '{% if x %}\nb\n\n{% if y %}\nc\n{% endif %}\n{% else if z %}\nd\n{% else %}\ne\n{% endif %}\n'

  it('are blocks with conditions of their own', () => {
    const conditions: string[] = []
    visitBlocks(parseFragment(text).document, (block) => {
      if (block.type === 'if') conditions.push(`${block.expression}: ${plainText(block)}`)
    })
    expect(conditions.map((one) => one.replaceAll('\n', ' '))).toEqual([
      'x: b c',
      'y: c',
      '!(x) && (z): d',
      '!(x) && !(z): e',
    ])
    expect(problemsOf(text)).toEqual([])
  })

  it('are found under their conditions', () => {
    const sections = collectConditionalSections(parsePage(text).document, 'T', findConditions(text))
    expect(sections.map(({ body, conditions }) => [body, conditions])).toEqual([
      ['c', ['x', 'y']],
      ['b', ['x']],
      ['d', ['!(x) && (z)']],
      ['e', ['!(x) && !(z)']],
    ])
  })

  it('outside of a condition are reported, with their content', () => {
    expect(plainText(parseFragment('{% else %}\n\na').document)).toBe('a')
    expect(problemsOf('{% else %}\n\na')).not.toEqual([])
  })
})

describe('a formula in a fence', () => {
  it('is a formula', () => {
    expect(parseFragment(`${fence}math\nx^2\n${fence}`).document.blocks).toMatchObject([
      { type: 'math', formula: 'x^2' },
    ])
  })

  it('is written for one that has dollar signs in it', () => {
    const block: Block = { type: 'math', span: { start: 0, end: 0 }, formula: 'a $$ b' }
    const written = formatPage({ blocks: [block] })
    expect(parseFragment(written).document.blocks).toMatchObject([{ type: 'math', formula: 'a $$ b' }])
  })
})

describe('a fence directly inside an expandable block', () => {
  it.each([
    [
      'after the summary',
      `<details>\n<summary>Bake</summary>\n${fence}js\none\n\ntwo\n${fence}\n</details>\n\nAfter.`,
    ],
    [
      'after the tag',
      `<details><summary>Bake</summary>\n${fence}js\none\n\ntwo\n${fence}\n</details>\n\nAfter.`,
    ],
    [
      'in a list',
      `- <details><summary>Bake</summary>\n  ${fence}js\n  one\n\n  two\n  ${fence}\n  </details>\n\nAfter.`,
    ],
    [
      'with tags on the page',
      `<details><summary>Bake</summary>\n${fence}js\none\n\ntwo\n${fence}\n</details>\n\n{% hint style="info" %}\nAfter.\n{% endhint %}`,
    ],
  ])('is code: %s', (_, text) => {
    const { document } = parseFragment(text)
    expect(typesOf(text)).toEqual(expect.arrayContaining(['expandable', 'code']))
    visitBlocks(document, (block) => {
      if (block.type === 'code') {
        expect(block.code).toBe('one\n\ntwo')
        expect(text.slice(block.span.start, block.span.end)).toMatch(/^```js[^]*```$/)
      }
    })
    expect(plainText(document)).toMatch(/After\.$/)
  })

  it('without an end is not taken for code', () => {
    expect(typesOf(`<details>\n${fence}js\none\n\nAfter.`)).not.toContain('code')
  })

  it('takes linear work', () => {
    const text = Array.from(
      { length: 5_000 },
      (_, index) => `<details>\n${'`'.repeat(3 + (index % 50))}js\n`,
    ).join('')
    expect(plainText(parseFragment(text).document)).not.toBe('')
  })
})
