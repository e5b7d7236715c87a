import { describe, expect, test } from 'vitest'
import { parsePage } from '../markdown/parse.js'
import type { OutlineOperation, SpecificationOutline } from './outline.js'
import { type ReferencePage, referenceLimits, referencePages } from './reference-texts.js'

const operationsOf = (tag: string, count: number): OutlineOperation[] =>
  Array.from({ length: count }, (_, at) => ({
    method: 'get',
    path: `/${tag}/${at}`,
    id: `${tag}${at}`,
    title: `Get ${tag} [${at}]`,
    words: `word${at}`,
  }))

const outline = (tags: Readonly<Record<string, number>>): SpecificationOutline => ({
  groups: Object.entries(tags).map(([name, count]) => ({
    name,
    description: `About ${name}.`,
    operations: operationsOf(name, count),
  })),
  schemas: [],
})
const pagesOf = (tags: Readonly<Record<string, number>>, grouping: 'tag' | 'operation' = 'tag') =>
  referencePages(outline(tags), { named: { spec: 'shop' }, hasModels: false, grouping })
const textOf = ({ markdown, pages }: ReferencePage) =>
  markdown((name) => (pages.some(({ key }) => key === name) ? `x/${name}.md` : undefined))
const anchorsIn = (markdown: string) =>
  parsePage(markdown).document.blocks.flatMap((block) => (block.type === 'heading' ? [block.anchor] : []))
const blocksIn = (markdown: string) => markdown.match(/\{% openapi-operation /g)?.length ?? 0

describe('the operations of a tag', () => {
  const { operations: most } = referenceLimits

  test('are on its page, or on pages of their own below a list of them', () => {
    const [small, large] = pagesOf({ small: most, large: most + 1 })
    expect([blocksIn(textOf(small!)), small!.pages]).toEqual([most, []])
    expect(blocksIn(textOf(large!))).toBe(0)
    expect(textOf(large!)).toMatch(
      /^About large\.\n\n## \[Get large \\\[0\\\]\]\(x\/operation&#32;GET&#32;\/large\/0\.md\)\n\n`GET \/large\/0`\n/,
    )
    expect(large!.pages.map(({ key, slug, title }) => [key, slug, title])).toEqual(
      operationsOf('large', most + 1).map(({ id, title }, at) => [`operation GET /large/${at}`, id, title]),
    )
    for (const page of large!.pages) expect(blocksIn(textOf(page))).toBe(1)
  })

  test('have the same fragments on the page of their tag, whatever their number', () => {
    const [large] = pagesOf({ large: most + 1 })
    const whole = large!.markdown(() => undefined)
    expect(blocksIn(whole)).toBe(most + 1)
    expect(anchorsIn(textOf(large!))).toEqual(anchorsIn(whole))
    expect(anchorsIn(whole)).toHaveLength(most + 1)
  })

  test('are found by their words on one page each', () => {
    const [small, large] = pagesOf({ small: 1, large: most + 1 })
    expect(small!.searched).toMatch(/About small\.[^]*word0/)
    expect(large!.searched).toBe('About large.\n')
    expect(large!.pages[most]!.searched).toContain(`word${most}`)
  })

  test('all have pages of their own where that is wanted', () => {
    const [small] = pagesOf({ small: 1 }, 'operation')
    expect([blocksIn(textOf(small!)), small!.pages.length]).toEqual([0, 1])
  })

  test.each(['tag', 'operation'] as const)(
    'continue on further pages where they are thousands, by %s',
    (grouping) => {
      const count = referenceLimits.pages
      const pages = pagesOf({ large: count }, grouping)
      const { operationsPerPage } = referenceLimits
      expect(pages).toHaveLength(count / operationsPerPage)
      expect(
        pages.every((page) => page.pages.length === 0 && blocksIn(textOf(page)) === operationsPerPage),
      ).toBe(true)
      expect(pages[1]).toMatchObject({ title: 'large 2', slug: 'large 2', key: 'operations large 2' })
    },
  )

  test('have inert titles and paths', () => {
    const hostile: OutlineOperation = {
      method: 'get',
      path: '/{% include "x" %}/`{{x}}`',
      title: '{% if x %} [a](javascript:b) <b>',
      words: '',
    }
    const group = { name: 'x', operations: Array.from({ length: most + 1 }, () => hostile) }
    const options = { named: { spec: 'shop' }, hasModels: false, grouping: 'tag' } as const
    const [page] = referencePages({ groups: [group], schemas: [] }, options)
    const { document, expressions } = parsePage(textOf(page!))
    expect(expressions).toEqual([])
    expect(new Set(document.blocks.map(({ type }) => type))).toEqual(new Set(['heading', 'paragraph']))
    expect(JSON.stringify(document)).not.toContain('"url":"javascript:b"')
  })
})
