import { expect, it } from 'vitest'
import type { Block } from '../document/types.js'
import { formatAlert } from './alert.js'
import { formatCode } from './code.js'
import { formatColumn } from './columns.js'
import { formatContentRef } from './content-ref.js'
import { formatEmbed } from './embed.js'
import { formatFile } from './file.js'
import { formatHint } from './hint.js'
import { formatIf } from './if.js'
import { formatInclude } from './include.js'
import { formatIntegration } from './integration.js'
import { formatOpenAPI } from './openapi.js'
import { parseFragment } from './parse.js'
import { formatPrompt } from './prompt.js'
import { formatRaw } from './raw-tags.js'
import { formatStep } from './stepper.js'
import { formatSwagger } from './swagger.js'
import { formatTab, formatTabs } from './tabs.js'
import { findTags, formatEndTag, formatTag } from './tags.js'
import { formatUpdate, formatUpdates } from './updates.js'

const findCases: [
  text: string,
  ...tags: [name: string, closes: boolean, attributes: object, source: string][],
][] = [
  [
    '{% a b="c" d=\'e\' f=g h %}',
    ['a', false, { b: 'c', d: 'e', f: 'g', h: '' }, '{% a b="c" d=\'e\' f=g h %}'],
  ],
  ['{%-a-%}{% enda %}', ['a', false, {}, '{%-a-%}'], ['a', true, {}, '{% enda %}']],
  [
    '{% a b="x \\"y\\" &amp; %} z" %}',
    ['a', false, { b: 'x "y" & %} z' }, '{% a b="x \\"y\\" &amp; %} z" %}'],
  ],
  ['{% a b="c %} {% d %}', ['a', false, { b: '', c: '' }, '{% a b="c %}'], ['d', false, {}, '{% d %}']],
  ['{% a\n%} {% %} {%%} {% 1 %}'],
  ['{% @x/y-z b="" b="2" %}', ['@x/y-z', false, { b: '' }, '{% @x/y-z b="" b="2" %}']],
]

it.each(findCases)('finds the tags of %j', (text, ...expected) => {
  const found = findTags(text).map(({ name, closes, attributes, span }) => {
    const values = Object.fromEntries([...attributes].map(([key, { value }]) => [key, value]))
    return [name, closes, values, text.slice(span.start, span.end)]
  })
  expect(found).toEqual(expected)
})

const hard = 'a "b" \'c\' & &amp; <d> %} {% x'

it('parses back any formatted value', () => {
  for (const value of [hard, 'plain', 'a\nb', '😀 中文', '%}', '"', '&#37;']) {
    const text = formatTag('hint', { icon: value })
    const [tag, ...others] = findTags(text)
    expect(others).toEqual([])
    expect(tag!.attributes.get('icon')!.value).toBe(value)
    expect(tag!.span.end).toBe(text.length)
  }
})

const only = (text: string): Block => parseFragment(text).document.blocks[0]!
const around = (open: string, name: string, inner = ''): string => `${open}\n${inner}\n${formatEndTag(name)}`

const blocks: [name: string, value: object, read: (value: never) => object][] = [
  [
    'hint',
    { type: 'hint', style: 'success', icon: hard },
    (value) => only(around(formatHint(value), 'hint')),
  ],
  [
    'code',
    { type: 'code', title: hard, overflow: 'wrap', lineNumbers: false, expandable: true, fullWidth: true },
    (value) => only(around(formatCode(value), 'code', '```\nx\n```')),
  ],
  ['embed', { type: 'embed', url: hard, fullWidth: true }, (value) => only(formatEmbed(value))],
  ['file', { type: 'file', src: hard }, (value) => only(formatFile(value))],
  ['content-ref', { type: 'content-ref', url: hard }, (value) => only(formatContentRef(value))],
  ['include', { type: 'reusable-content', src: hard }, (value) => only(formatInclude(value))],
  ['if', { type: 'if', expression: 'a["x"] == 1' }, (value) => only(around(formatIf(value), 'if'))],
  [
    'integration',
    { type: 'integration', integration: 'a', block: 'b', props: { c: hard } },
    (value) => only(formatIntegration(value)),
  ],
  [
    'prompt',
    { type: 'prompt', description: hard, icon: 'x', openInAIProviders: false, defaultExpanded: 'full' },
    (value) => only(around(formatPrompt(value), 'prompt', '```\nx\n```')),
  ],
  [
    'openapi',
    { type: 'swagger', src: hard, path: '/a', method: 'get' },
    (value) => only(formatOpenAPI(value)),
  ],
  [
    'swagger',
    { type: 'swagger', method: 'put', path: '/a', server: hard, summary: hard },
    (value) => only(around(formatSwagger(value), 'swagger')),
  ],
  ['alert', { type: 'hint', style: 'danger' }, () => only(`${formatAlert('danger')}\n> a`)],
  ['raw text', { children: [{ text: '{% hint %} a' }] }, () => only(formatRaw('{% hint %} a'))],
  [
    'schemas',
    { type: 'openapi-schemas', spec: 's', schemas: ['A', 'B'], grouped: false },
    (value) => only(formatOpenAPI(value)),
  ],
  [
    'tabs',
    { type: 'tabs', fullWidth: true },
    (value) => only(around(formatTabs(value), 'tabs', around('{% tab %}', 'tab'))),
  ],
  [
    'updates',
    { type: 'updates', format: 'numeric' },
    (value) => only(around(formatUpdates(value), 'updates', around('{% update %}', 'update'))),
  ],
  [
    'tab',
    { title: hard, icon: 'x' },
    (value) =>
      (only(around('{% tabs %}', 'tabs', around(formatTab(value), 'tab'))) as Block & { type: 'tabs' })
        .tabs[0]!,
  ],
  [
    'step',
    { icon: hard },
    (value) =>
      (
        only(around('{% stepper %}', 'stepper', around(formatStep(value), 'step'))) as Block & {
          type: 'stepper'
        }
      ).steps[0]!,
  ],
  [
    'column',
    { width: '50%', verticalAlignment: 'middle' },
    (value) =>
      (
        only(around('{% columns %}', 'columns', around(formatColumn(value), 'column'))) as Block & {
          type: 'columns'
        }
      ).columns[0]!,
  ],
  [
    'update',
    { date: '2026-01-31', tags: ['a', 'b'] },
    (value) =>
      (
        only(around('{% updates %}', 'updates', around(formatUpdate(value), 'update'))) as Block & {
          type: 'updates'
        }
      ).updates[0]!,
  ],
]

it.each(blocks)('parses back a formatted %s', (_, value, read) => {
  expect(read(value as never)).toMatchObject(value)
})
