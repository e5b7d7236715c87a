import { expect, test } from 'vitest'
import { byteLength } from '../bytes.js'
import { searchStaticIndex } from './search-static-index.js'
import { type IndexedPage, createStaticIndexBuilder, listName, partName, readPart } from './static-index.js'

const english = { language: 'en', group: 0, isDefault: true, isHidden: false }
const page = (title: string, body: string, headings: readonly string[] = []): IndexedPage => ({
  title,
  href: `${title.toLowerCase().replaceAll(' ', '-')}/`,
  headings,
  body,
})

function searchIn(files: ReadonlyMap<string, string>) {
  const read: string[] = []
  const find = async (query: string, variant = 0) => {
    read.length = 0
    const found = await searchStaticIndex(
      async (name) => {
        read.push(name)
        return files.get(name)!
      },
      variant,
      query,
    )
    return found.hits.map(({ title }) => title)
  }
  return { find, read }
}

test('pages are found by inflections, beginnings, mistypings and pairs of characters', async () => {
  const builder = createStaticIndexBuilder()
  builder.begin(english)
  builder.add(page('Setting up', 'The configuration of a server is one file, pg_hba.conf.', ['Before']))
  builder.add(page('Payments', 'Money moves. A server is named once.', ['Configure']))
  builder.add(page('中文', '如何安装数据库和服务器'))
  const { find } = searchIn(builder.finish())
  expect(await find('configuring')).toEqual(['Payments', 'Setting up'])
  expect(await find('configur')).toEqual(['Payments', 'Setting up'])
  expect(await find('pay')).toEqual(['Payments'])
  expect(await find('paymnets')).toEqual(['Payments'])
  expect(await find('pg_hba.conf')).toEqual(['Setting up'])
  expect(await find('数据库')).toEqual(['中文'])
  expect(await find('数')).toEqual(['中文'])
  expect((await find('the server')).toSorted()).toEqual(['Payments', 'Setting up'])
  expect(await find('money for nothing else')).toEqual([])
  expect(await find('nothing')).toEqual([])
  expect(await find('')).toEqual([])
})

test('a search covers the current variant and the default ones of the other sections', async () => {
  const builder = createStaticIndexBuilder()
  const add = (title: string, more: object) => {
    builder.begin({ ...english, ...more })
    builder.add(page(title, 'quagga'))
  }
  add('Home', {})
  add('Accueil', { language: 'fr', isDefault: false })
  add('API', { group: 1, section: 'API' })
  add('API v1', { group: 1, section: 'API', isDefault: false })
  add('Hidden', { group: 2, isHidden: true })
  const { find } = searchIn(builder.finish())
  expect((await find('quagga', 0)).toSorted()).toEqual(['API', 'Home'])
  expect((await find('quagga', 1)).toSorted()).toEqual(['API', 'Accueil'])
  expect((await find('quagga', 3)).toSorted()).toEqual(['API v1', 'Home'])
})

test('an index round-trips, and a query loads few of many files', async () => {
  const builder = createStaticIndexBuilder()
  builder.begin(english)
  const letters = 'bcdfghjklmnprstvw'
  const word = (seed: number): string => {
    let [made, left] = ['', seed]
    do {
      made += `${letters[left % 17]}${'aeiou'[left % 5]}`
      left = Math.floor(left / 17)
    } while (left > 0)
    return `${made}x`
  }
  const texts: string[] = []
  for (let number = 0; number < 600; number += 1) {
    const words = Array.from({ length: 400 }, (_, at) => word((number * 7919 + at * 104729) % 40_000))
    const body = words.join(' and ')
    texts.push(body)
    builder.add(page(`Page ${number}`, body))
  }
  const files = builder.finish()
  const weigh = (all: Iterable<string>) => [...all].reduce((sum, text) => sum + byteLength(text), 0)
  expect(weigh(files.values()) * 3).toBeLessThan(weigh(texts))
  const { find, read } = searchIn(files)
  expect(await find(`${word((599 * 7919) % 40_000)} `)).toContain('Page 599')
  expect(files.size).toBeGreaterThan(10)
  expect(new Set(read).size).toBeLessThan(8)

  const stems = [...files].flatMap(([name, text]) =>
    name.startsWith('words') ? [...readPart(text, () => true)] : [],
  )
  expect(stems.length).toBeGreaterThan(10_000)
  expect(stems.map(({ stem }) => stem)).toEqual(stems.map(({ stem }) => stem).toSorted())
  const isRising = ({ holders }: (typeof stems)[number]) =>
    holders.every((one, at) => at === 0 || one.page > holders[at - 1]!.page)
  expect(stems.every(isRising)).toBe(true)
})

test('an index over the size limit omits stems of a single page', () => {
  const builder = createStaticIndexBuilder()
  builder.begin(english)
  const noise = Array.from({ length: 2000 }, (_, at) => `z${(at * 2654435761) % 4294967296}q${at}`)
  builder.add(page('Log', `server ${noise.join(' ')}`))
  builder.add(page('Other', 'server'))
  const sizeOf = (files: ReadonlyMap<string, string>) =>
    [...files].reduce((sum, [name, text]) => sum + (name === listName ? 0 : text.length), 0)
  expect(sizeOf(builder.finish())).toBeGreaterThan(20_000)
  const small = builder.finish(8000)
  expect(sizeOf(small)).toBeLessThan(8000)
  expect([...readPart(small.get('words-0.txt')!, (stem) => stem === 'server')][0]!.holders).toHaveLength(2)
})

test('a stem has its own weight on each page, whatever its frequency on others', () => {
  const builder = createStaticIndexBuilder()
  builder.begin(english)
  builder.add(page('Zebra', 'zebra '.repeat(9), ['Zebras']))
  builder.add(page('Often', 'zebra zebras zebra zebras'))
  builder.add(page('Thrice', 'zebra zebras zebra'))
  builder.add(page('Elsewhere', 'quagga'))
  builder.begin({ ...english, language: null })
  builder.add(page('Heading', 'zebra '.repeat(9), ['A zebra']))
  const files = builder.finish()
  const [stem] = [...readPart(files.get(partName(0))!, (stem) => stem === 'zebra')]
  expect(stem?.holders).toEqual([
    { page: 0, level: 3 },
    { page: 1, level: 1 },
    { page: 2, level: 0 },
    { page: 4, level: 2 },
  ])
})
