import { expect, test } from 'vitest'
import { defaultConfig } from '../config.js'
import type { TextReference } from '../links/text-links.js'
import { parsePage } from '../markdown/parse.js'
import { linksOfParsed, maxReferences } from '../markdown/text-links.js'
import { collectLinks, relationOf } from './link-items.js'

const applications = ['https://docs.example', 'https://other.example/octavo']
const collect = (...references: TextReference[]) =>
  collectLinks(references, 'folder/page.md', defaultConfig, applications)
const link = (url: string, node?: string): TextReference => ({
  kind: 'link',
  url,
  ...(node !== undefined && { node }),
})

test.each([
  ['https://docs.example', true],
  ['https://docs.example/', true],
  ['https://docs.example/o/acme', true],
  ['https://docs.example/s/space/~/revisions/r/', true],
  ['https://other.example/octavo/v1/user', true],
  ['https://docs.example/s/space/path', false],
  ['other.md', false],
  ['#part', false],
])('%s is an address of the application: %s', (url, isInApp) => {
  expect(collect(link(url))).toMatchObject([{ url, isInApp }])
})

test.each([
  'https://docs.example/@acme/site/',
  'https://docs.example.org/o/acme',
  'https://other.example/',
  'mailto:ann@example.org',
  'https://example.org',
])('%s is external', (url) => {
  expect(collect(link(url))).toEqual([])
})

test('a destination is listed once, with its blocks', () => {
  const spelled = ['a.md', './a.md', '../folder/a.md', '/folder/a.md'].map((url, at) =>
    link(url, String(at >> 1)),
  )
  expect(collect(...spelled, link('a.md#part', '3'))).toMatchObject([
    { url: 'a.md', nodes: ['0', '1'] },
    { url: 'a.md#part', nodes: ['3'] },
  ])
  const items = collect(link('a.png'), { kind: 'image', url: 'a.png' })
  expect(items.map(({ kind }) => kind)).toEqual(['link', 'image'])
})

test('content depends on embedded content', () => {
  const relations = (['link', 'image', 'reusable-content', 'openapi'] as const).map((kind) =>
    relationOf({ kind }),
  )
  expect(relations).toEqual(['reference', 'reference', 'dependsOn', 'dependsOn'])
})

test('only the first links of a text with very many are read', () => {
  const text = Array.from({ length: maxReferences + 5 }, (_, at) => `[x](${at}.md)\n`).join('\n')
  const { references } = linksOfParsed(text, parsePage(text))
  expect(references).toHaveLength(maxReferences)
  expect(references.at(-1)).toEqual(link(`${maxReferences - 1}.md`, String(maxReferences - 1)))
})
