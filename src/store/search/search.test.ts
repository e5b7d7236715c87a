import { type KyselyPlugin, type SqlBool, sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { describeLayouts } from '../../../tests/engines.js'
import { insertOrganization, insertSpace } from '../../../tests/test-rows.js'
import type { OrganizationId, PageId, SpaceId } from '../../core/ids.js'
import type { Database } from '../db/database.js'
import { deletePages, deleteSpace, mergeParts, replacePages } from './pages.js'
import { rankPages, searchSections } from './search.js'
import { type SearchablePage, foldPages } from './fold.js'

const organizationId = 'organization' as OrganizationId
const guide = 'guideSpaceId' as SpaceId
/** Differs from the other in case only, as ids may. */
const GUIDE = 'GUIDESPACEID' as SpaceId

function page(
  id: string,
  title: string,
  ...sections: (readonly [heading: string, body: string])[]
): SearchablePage {
  return {
    pageId: id as PageId,
    title,
    path: id,
    text: '',
    sections: sections.map(([heading, body]) => ({
      anchor: heading ? heading.toLowerCase() : null,
      heading,
      body,
    })),
  }
}

const pages = [
  page(
    'install',
    'Install Octavo',
    ['', 'Download the archive.'],
    ['Docker', 'Pull the image and start it.'],
  ),
  page('docker', 'Containers', ['', 'How to install with Docker, or Podman.']),
  page('network', 'Réseau', ['Proxy', 'Set the header X-Forwarded-For; see nginx.conf and node.js.']),
  page('chinese', '快速入门', ['', '安装文档平台非常简单。']),
  page('hindi', 'हिन्दी', ['', 'प्रलेखन मंच की स्थापना']),
  page('quoted', 'Quotes', ['', `It's "quoted" AND NOT near(x) OR y* : {z} ^a -b`]),
]

describeLayouts('search', ({ open }) => {
  let database: Database

  const made = new Set<SpaceId>()
  const put = (spaceId: SpaceId, ...changed: SearchablePage[]) =>
    database.write(async (tx) => {
      if (!made.has(spaceId)) await insertSpace(tx, organizationId, spaceId)
      made.add(spaceId)
      await replacePages(tx, { organizationId, spaceId }, foldPages(changed))
    })

  async function find(text: string, spaceIds: readonly SpaceId[] = [guide], limit = 10, offset = 0) {
    return searchSections(database.read, {
      scope: { organizationId, spaceIds },
      text,
      limit,
      offset,
    })
  }
  const ids = async (text: string, spaceIds?: readonly SpaceId[]) =>
    (await find(text, spaceIds)).items.map(({ pageId }) => pageId)

  beforeAll(async () => {
    database = await open()
    await database.write((tx) => insertOrganization(tx, organizationId))
    await put(guide, ...pages)
    await put(GUIDE, page('other', 'Install elsewhere', ['', 'In another space.']))
  })

  it('ranks a page with the word in its title before one with it in its text', async () => {
    expect(await ids('install')).toEqual(['install', 'docker'])
    expect(await ids('docker')).toEqual(['install', 'docker'])
  })

  it('finds text with U+0000, which the engines cannot store', async () => {
    const nul = { ...page('nul', 'Gi\0raffe', ['Ze\0bra', 'Oka\0pi']), path: 'nul\0' }
    await put(guide, nul)
    expect((await find('raffe')).items).toMatchObject([{ pageId: 'nul', title: 'Gi\ufffdraffe' }])
    await database.write((tx) => deletePages(tx, { organizationId, spaceId: guide }, ['nul' as PageId]))
  })

  it('returns the sections as they were written, the best first', async () => {
    const { items, count } = await find('install docker')
    expect(count).toBe(2)
    expect(items[0]).toMatchObject({
      spaceId: guide,
      pageId: 'install',
      title: 'Install Octavo',
      path: 'install',
      sections: [{ anchor: 'docker', heading: 'Docker', body: 'Pull the image and start it.' }],
    })
    expect(items[0]!.score).toBeGreaterThan(items[1]!.score)
    expect((await find('install')).items[0]!.sections).toHaveLength(2)
  })

  it('requires every known word, and takes the last one as a prefix', async () => {
    expect(await ids('install podm')).toEqual(['docker'])
    expect(await ids('insta')).toEqual(['install', 'docker'])
  })

  it.each([
    ['how do I install the archive?', 'install'],
    ['installs', 'install'],
    ['installing docker', 'install'],
    ['containr', 'docker'],
    ['contianers', 'docker'],
    ['podman unheard of', 'docker'],
    ['downloading archives nowhere', 'install'],
  ])('finds what is meant by %s', async (text, expected) => {
    expect((await ids(text))[0]).toBe(expected)
  })

  it.each([
    ['10.0.0', 'version'],
    ['privilege::debug', 'debug'],
    ['curl_handle', 'curl'],
    ['--install', 'flags'],
    ['right-click', 'click'],
    ['einstellung', 'compound'],
  ])('finds %s as what it is', async (text, expected) => {
    const space = 'names' as SpaceId
    if (!made.has(space)) {
      await put(
        space,
        page('version', 'Changes', ['', 'Since 10.0.0 it is faster.']),
        page('other', 'More changes', ['', '10.1.0 and 0.0.10']),
        page('debug', 'Rights', ['', 'Type privilege::debug first.']),
        page('near', 'Privileges', ['', 'To debug, ask for a privilege.']),
        page('curl', 'Transfers', ['', 'A curl_handle is freed. Or a Curl.Handle.']),
        page('handle', 'Grips', ['', 'The handle of a curl.']),
        page('usage', 'Usage', ['', 'You install it.']),
        page('flags', 'Usage', ['', 'Pass --install to it.']),
        page('click', 'Mouse', ['', 'Right-click the icon.']),
        page('apart', 'Mouse', ['', 'Click the right icon.']),
        page('compound', 'Werte', ['', 'Die Datenbankeinstellungen werden geladen.']),
      )
      await database.write((tx) =>
        tx
          .updateTable('spaces')
          .set({ language: 'de' })
          .where('organization_id', '=', organizationId)
          .where('id', '=', space)
          .execute(),
      )
    }
    expect((await ids(text, [space]))[0]).toBe(expected)
  })

  it('returns the matched words, for highlighting', async () => {
    expect((await find('containr installs')).terms).toEqual(['containers', 'install'])
  })

  it('uses the words of readable spaces only, also for mistyped words', async () => {
    await put('secret' as SpaceId, page('codename', 'Quetzalcoatl', ['', 'Project quetzalcoatl']))
    await put('public' as SpaceId, page('birds', 'Quetzals', ['', 'A quetzal is a bird']))
    const both = ['secret', 'public'] as SpaceId[]
    expect(await ids('quetzalcoatel', both)).toEqual(['codename'])
    expect(await find('quetzalcoatel', ['public' as SpaceId])).toMatchObject({
      items: [],
      terms: ['quetzalcoatel'],
    })
    const { pages: found, terms } = await rankPages(database.read, {
      scope: { organizationId, isInScope: (space) => space('spaces.id', '=', 'public' as SpaceId) },
      text: 'quetzalcoatel quetzal',
    })
    expect([found.map(({ pageId }) => pageId), terms]).toEqual([['birds'], ['quetzal', 'quetzals']])
  })

  it('searches its organization only, also with a scope by expression', async () => {
    const elsewhere = 'elsewhere' as OrganizationId
    await database.write(async (tx) => {
      await insertOrganization(tx, elsewhere)
      const spaceId = await insertSpace(tx, elsewhere, 'theirs')
      await replacePages(
        tx,
        { organizationId: elsewhere, spaceId },
        foldPages([page('x', 'Zanzibar', ['', ''])]),
      )
    })
    const query = { scope: { organizationId, isInScope: () => sql<SqlBool>`1 = 1` }, text: 'zanzibar' }
    expect((await rankPages(database.read, query)).pages).toEqual([])
    const theirs = { ...query, scope: { ...query.scope, organizationId: elsewhere } }
    expect((await rankPages(database.read, theirs)).pages).toHaveLength(1)
  })

  it('counts the pages of each word as they are added and removed', async () => {
    const space = 'counted' as SpaceId
    const texts = ['alpha beta', 'beta beta gamma', 'gamma delta 9', '数据 alpha', '']
    let turn = 0
    for (const [id, text] of [0, 1, 2, 3, 1, 4, 2, 0].map((at) => [`p${turn++ % 4}`, texts[at]!] as const)) {
      await put(space, page(id, 'Counted', ['', text], ['Part', `${text} part`]))
    }
    await database.write((tx) => deletePages(tx, { organizationId, spaceId: space }, ['p3' as PageId]))
    const rows = await database.read
      .selectFrom('search_vocabulary')
      .select(['word', 'pages'])
      .where('organization_id', '=', organizationId)
      .where('space_id', '=', space)
      .orderBy('word')
      .execute()
    // Remaining: p0 "beta beta gamma", p1 nothing, p2 "gamma delta 9".
    expect(rows.map(({ word, pages }) => `${word} ${pages}`)).toEqual([
      '9 1',
      'beta 1',
      'counted 3',
      'delta 1',
      'gamma 2',
      'part 3',
    ])
    await database.write((tx) => deleteSpace(tx, { organizationId, spaceId: space }))
    expect(await ids('gamma', [space])).toEqual([])
  })

  it.each([
    ['reseau', 'network'],
    ['RÉSEAU', 'network'],
    ['x-forwarded-for', 'network'],
    ['nginx.conf', 'network'],
    ['forwarded', 'network'],
    ['文档', 'chinese'],
    ['快速', 'chinese'],
    ['安装 平台', 'chinese'],
    ['हिन्दी', 'hindi'],
    ['स्थापना', 'hindi'],
    ["quoted it's", 'quoted'],
  ])('folds and cuts %s like the text', async (text, expected) => {
    expect(await ids(text)).toEqual([expected])
  })

  it.each([
    '',
    ' ',
    '"',
    "'",
    '*',
    '""" AND OR NOT',
    'NEAR(a b)',
    'title : x',
    '{a} : (b',
    '-a +b ^c',
    "a' | 'b:*",
    '\\',
    '\0',
    ':* & !x',
    '😀 👩‍👩‍👧',
    '\ud800',
    'a '.repeat(256),
    '☃'.repeat(512),
    'x'.repeat(512),
    '(((((((((',
    '%_',
  ])('bears any text: %j', async (text) => {
    const { items, count } = await find(text)
    expect(items.length).toBeLessThanOrEqual(count)
  })

  it('searches the listed spaces only, also among ids that differ in case', async () => {
    expect(await ids('install', [GUIDE])).toEqual(['other'])
    expect((await ids('install', [guide, GUIDE])).toSorted()).toEqual(['docker', 'install', 'other'])
    expect(await ids('install', [])).toEqual([])
    const strangers = Array.from({ length: 1500 }, (_, at) => `stranger${at}` as SpaceId)
    expect(await ids('install', strangers)).toEqual([])
    expect(await ids('install', [...strangers, GUIDE])).toEqual(['other'])
  })

  it('returns windows of one order', async () => {
    const space = 'windows' as SpaceId
    await put(space, ...Array.from({ length: 25 }, (_, at) => page(`p${at}`, `Window ${at}`, ['', 'glass'])))
    const seen: string[] = []
    for (let offset = 0; offset < 30; offset += 10) {
      const { items, count } = await find('window', [space], 10, offset)
      expect(count).toBe(25)
      seen.push(...items.map(({ pageId }) => pageId))
    }
    expect(new Set(seen).size).toBe(25)
    const { pages } = await rankPages(database.read, {
      scope: { organizationId, spaceIds: [space] },
      text: 'glass',
    })
    expect(pages).toHaveLength(25)
  })

  it('ranks a title first though the word is in more sections than are ranked', async () => {
    const space = 'common' as SpaceId
    const many = Array.from({ length: 1300 }, (_, at) =>
      page(`p${at}`, `Page ${at}`, ['', 'a word that is common']),
    )
    await put(space, ...many, page('last', 'Common ground', ['', 'the word']))
    const { items, count } = await find('common word', [space])
    expect(items[0]!.pageId).toBe('last')
    expect(count).toBeGreaterThanOrEqual(190)
    expect(count).toBeLessThan(1300)
  })

  it.each([60, 260])('puts a phrase first among %i sections with its words', async (count) => {
    const space = `phrases${count}` as SpaceId
    const apart = Array.from({ length: count }, (_, at) =>
      page(`p${at}`, `Page ${at}`, ['', 'amber, and in the end a beacon']),
    )
    await put(space, ...apart, page('last', 'Last', ['', 'it is an amber beacon']))
    expect((await ids('amber beacon', [space]))[0]).toBe('last')
  })

  it('finds in a space what is in more sections of others', async () => {
    const [own, others] = ['minority', 'majority'] as SpaceId[]
    const many = Array.from({ length: 300 }, (_, at) => page(`p${at}`, `Page ${at}`, ['', 'a lodestar']))
    await put(others!, ...many)
    await put(own!, page('own', 'Sky', ['', 'the lodestar']))
    expect((await find('lodestar', [own!])).count).toBe(1)
    expect(await ids('lodestar', [own!])).toEqual(['own'])
    expect((await find('lodestar', [own!, others!])).count).toBeGreaterThanOrEqual(190)
  })

  /** Marks every word of a space as being in very many pages. */
  const sayCommon = (space: SpaceId) =>
    database.write((tx) =>
      tx
        .updateTable('search_vocabulary')
        .set({ pages: 5_000 })
        .where('organization_id', '=', organizationId)
        .where('space_id', '=', space)
        .execute(),
    )

  it('finds all sections with words in very many pages', async () => {
    const space = 'said' as SpaceId
    const some = Array.from({ length: 30 }, (_, at) => page(`p${at}`, `Page ${at}`, ['', 'iron']))
    await put(
      space,
      ...some,
      page('both', 'Ore', ['', 'iron and copper']),
      page('copper', 'C', ['', 'copper']),
    )
    await sayCommon(space)
    expect((await ids('iron copper', [space]))[0]).toBe('both')
    const many = Array.from({ length: 260 }, (_, at) => page(`m${at}`, `Many ${at}`, ['', 'iron copper']))
    await put(space, ...many, page('title', 'Copper of iron', ['', '']))
    const { items, count } = await find('iron copper', [space])
    expect(items[0]!.pageId).toBe('title')
    expect(count).toBeGreaterThanOrEqual(190)
    expect(await ids('iron copper', [guide])).toEqual([])
  })

  it('scans only the sections of a space for words in very many pages', async () => {
    const [own, next] = ['walked', 'walked behind'] as SpaceId[]
    const many = Array.from({ length: 150 }, (_, at) => page(`p${at}`, `Page ${at}`, ['', 'zinc brass']))
    for (const space of [own!, next!]) {
      await put(space, ...many)
      await sayCommon(space)
    }
    const { items, count } = await find('zinc brass', [own!], 200)
    expect(count).toBe(150)
    expect(new Set(items.map(({ spaceId }) => spaceId))).toEqual(new Set([own]))
    expect((await find('zinc brass', [own!, next!], 200)).count).toBe(200)
  })

  it('finds the same of very many sections with any query plan', async () => {
    const space = 'crowded' as SpaceId
    // The rows written last come first in the order of ids.
    const many = Array.from({ length: 260 }, (_, at) => page(`m${999 - at}`, `Many ${at}`, ['', 'tin lead']))
    await put(space, ...many)
    await sayCommon(space)
    const all = async () =>
      (await find('tin lead', [space], 300)).items.map(({ pageId }) => pageId).toSorted()
    const before = await all()
    expect(before).toHaveLength(200)
    await database.write((tx) => sql`analyze search_sections`.execute(tx))
    expect(await all()).toEqual(before)
  })

  it.each([
    ['32 words', Array.from({ length: 32 }, (_, at) => `common${at % 9}`).join(' ')],
    ['512 characters', `${'commom '.repeat(80)}`.slice(0, 512)],
    ['a common beginning', 'co'],
    ['mistyped words', 'comnon comnom commin commno coommon cmmon'],
    ['no spaces', '数据库'.repeat(170)],
  ])('asks for a bounded number of rows, however many there are, for %s', async (_, text) => {
    const costs: number[][] = []
    for (const size of [60, 600]) {
      const space = `bounded ${size} ${text.slice(0, 5)}` as SpaceId
      const words = (at: number) => Array.from({ length: 30 }, (_word, of) => `common${(at + of) % size}ly`)
      const many = Array.from({ length: size }, (_page, at) =>
        page(`p${at}`, `Common ${at}`, ['', `a common word 数据库 ${words(at).join(' ')}`]),
      )
      await put(space, ...many)
      costs.push(await costOf(text, space))
    }
    const [few, many] = costs as [number[], number[]]
    // PostgreSQL executes all steps in one statement.
    expect(many[0]).toBeLessThanOrEqual(database.engine === 'sqlite' ? 24 : 9)
    expect(many[1]).toBeLessThanOrEqual(Math.max(few[1]!, 1_000) * 2)
  })

  /** Counts the statements of the search, and their rows. */
  async function costOf(text: string, spaceId: SpaceId): Promise<number[]> {
    let [statements, rows] = [0, 0]
    const counting: KyselyPlugin = {
      transformQuery({ node }) {
        statements += 1
        return node
      },
      async transformResult({ result }) {
        rows += result.rows.length
        return result
      },
    }
    const db = database.read.withPlugin(counting)
    await searchSections(db, {
      scope: { organizationId, spaceIds: [spaceId] },
      text,
      limit: 20,
      offset: 0,
    })
    return [statements, rows]
  }

  it('executes two statements on PostgreSQL, for the words and for their sections, when these are few', async () => {
    const space = 'few' as SpaceId
    const some = (count: number) =>
      Array.from({ length: count }, (_, at) => page(`p${at}`, `Page ${at}`, ['', 'pewter']))
    await put(space, ...some(40))
    const [few] = await costOf('pewter', space)
    await put(space, ...some(41))
    const [more] = await costOf('pewter', space)
    // Languages of spaces are a further query.
    expect([few, more]).toEqual(database.engine === 'sqlite' ? [5, 5] : [3, 4])
  })

  it('removes former words of a page, and deleted pages and spaces', async () => {
    const space = 'changing' as SpaceId
    await put(space, page('a', 'Alpha', ['', 'one'], ['H', 'two']), page('b', 'Beta', ['', 'one']))
    expect((await ids('one', [space])).toSorted()).toEqual(['a', 'b'])
    await put(space, page('a', 'Alpha renamed', ['', 'three']))
    expect(await ids('one', [space])).toEqual(['b'])
    expect(await ids('two', [space])).toEqual([])
    expect((await find('three', [space])).items[0]!.title).toBe('Alpha renamed')
    await database.write((tx) =>
      deletePages(tx, { organizationId, spaceId: space }, ['b' as PageId, 'never' as PageId]),
    )
    expect(await ids('one', [space])).toEqual([])
    await database.write((tx) => deleteSpace(tx, { organizationId, spaceId: space }))
    expect(await ids('three', [space])).toEqual([])
    expect(await ids('install', [guide])).toEqual(['install', 'docker'])
  })

  it('rolls back a change of the index with its transaction', async () => {
    const undone = database.write(async (tx) => {
      await replacePages(
        tx,
        { organizationId, spaceId: guide },
        foldPages([page('install', 'Gone', ['', 'gone'])]),
      )
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    expect(await ids('install')).toEqual(['install', 'docker'])
    expect(await ids('gone')).toEqual([])
  })

  it('finds the same while its parts are merged, which terminates', async () => {
    const space = 'parts' as SpaceId
    for (let at = 0; at < 5; at += 1) {
      const words = Array.from({ length: 3_000 }, (_, of) => `part${at}x${of}`).join(' ')
      await put(space, page(`p${at}`, `Part ${at}`, ['', `in parts ${words}`]))
    }
    await put(space, page('p4', 'Gone', ['', 'nothing']))
    const expected = ['p0', 'p1', 'p2', 'p3']
    let steps = 0
    for (let isMore = true; isMore; steps += 1) {
      expect((await ids('parts', [space])).toSorted()).toEqual(expected)
      isMore = await database.write(mergeParts)
    }
    expect((await ids('parts', [space])).toSorted()).toEqual(expected)
    if (database.engine === 'sqlite') expect(steps).toBeGreaterThan(2)
    expect(steps).toBeLessThan(100)
  })

  it('accepts a page of endless words', async () => {
    const space = 'endless' as SpaceId
    const words = Array.from({ length: 30_000 }, (_, at) => `word${at}`).join(' ')
    await put(space, page('long', 'Long', ['', `${words} ${'x'.repeat(100_000)}`]))
    expect(await ids('word17', [space])).toEqual(['long'])
  })
})
