/**
 * List queries among 1,000 rows and among 100,000: a page of spaces, the position of a move, a search through all spaces,
 * and the people with access to a space; each beside the simplest statement that could answer it.
 *
 * The rows are written by the database itself, and the functions are those that the routes call, on SQLite.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Reader } from '../../src/access/rules/levels.js'
import { spread } from '../../src/core/order/position.js'
import type { OrganizationId, SpaceId, UserId } from '../../src/core/ids.js'
import { listPeopleWithAccess } from '../../src/resources/permissions/store.js'
import { questionOf } from '../../src/resources/search/search.js'
import { findSearchScope, listVisibleSpaces } from '../../src/resources/spaces/store.js'
import type { Database, Tx } from '../../src/store/db/database.js'
import { openDatabase } from '../../src/store/db/open.js'
import { findGap } from '../../src/store/db/sibling-order.js'
import { contentSiblings } from '../../src/store/db/content-siblings.js'
import { markers } from '../../src/store/search/engine.js'
import { executeSearch } from '../../src/store/search-workers/execute-search.js'
import { insertOrganization, insertSpace } from '../../tests/test-rows.js'
import { type Figure, median } from './figure.js'

const few = 1_000
const many = 100_000
/** When a hundred times as many rows cost more than this, a list is not flat. */
const flat = 2

const organizationId = 'organization' as OrganizationId
const reader: Reader = { organizationId, userId: 'user7' as UserId, role: 'read' }
const list = { limit: 50 }

interface ListMeasurement {
  readonly name: string
  readonly product: (database: Database) => Promise<unknown>
  readonly bare: (database: Database) => Promise<unknown>
  /** False where the index itself reads every section that contains the words. */
  readonly isFlat?: boolean
}

const measured: readonly ListMeasurement[] = [
  {
    name: 'page of 50 spaces',
    product: ({ read }) => listVisibleSpaces(read, reader, list),
    bare: ({ read }) =>
      sql`select * from spaces where organization_id = ${organizationId} order by position, id limit 50`.execute(
        read,
      ),
  },
  {
    name: 'place of a move',
    product: ({ read }) =>
      findGap(contentSiblings(read, { organizationId, parentId: null }, 'space9'), { before: 'space500' }),
    bare: ({ read }) => sql`select id, position from spaces where id = 'space500'`.execute(read),
  },
  {
    name: 'search through all spaces',
    isFlat: false,
    product: async ({ read }) => {
      const searched = await findSearchScope(read, reader)
      return executeSearch(read, questionOf(searched, 'space', { query: 'common', limit: 10 }))
    },
    bare: ({ read }) =>
      sql`select rowid, bm25(search_words) from search_words where search_words match 'common' limit 400`.execute(
        read,
      ),
  },
  {
    name: '50 people with roles on a space',
    product: ({ read }) =>
      listPeopleWithAccess(read, { organizationId, kind: 'space', id: 'space1' as SpaceId }, {}, list),
    bare: ({ read }) =>
      sql`select * from members where organization_id = ${organizationId} order by joined_at limit 50`.execute(
        read,
      ),
  },
]

/** Answers two figures for each: beside the same among few rows, and beside the bare statement among many. */
export async function measureLists(turns: number): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-bench-'))
  const [small, large] = [
    await openWith(join(folder, 'few'), few),
    await openWith(join(folder, 'many'), many),
  ]
  try {
    const figures: Figure[] = []
    for (const { name, product, bare, isFlat = true } of measured) {
      const [atFew, atMany, barely] = await timeTogether(
        [() => product(small), () => product(large), () => bare(large)],
        turns,
      )
      const value = atMany!
      const unit = 'ms'
      figures.push(
        {
          name: `${name}, of 100,000`,
          value,
          unit,
          baseline: { name: 'of 1,000', value: atFew!, unit },
          ratio: value / atFew!,
          ...(isFlat && { target: { of: 'ratio', kind: 'at most', limit: flat } as const }),
        },
        {
          name: `${name}, beside a bare statement`,
          value,
          unit,
          baseline: { name: 'bare', value: barely!, unit },
          ratio: value / barely!,
        },
      )
    }
    return figures
  } finally {
    await Promise.all([small.close(), large.close()])
    await rm(folder, { recursive: true, force: true })
  }
}

/** Alternates between the works, so that other load of the machine affects all of them; returns the medians in milliseconds. */
async function timeTogether(works: readonly (() => Promise<unknown>)[], turns: number): Promise<number[]> {
  const times = works.map((): number[] => [])
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [at, work] of works.entries()) {
      const begun = performance.now()
      await work()
      times[at]!.push(performance.now() - begun)
    }
  }
  return times.map(median)
}

/** So many spaces with a section each, and so many members. */
async function openWith(dataFolder: string, count: number): Promise<Database> {
  const database = await openDatabase({ dataFolder })
  await database.write(async (tx) => {
    await insertOrganization(tx, organizationId)
    await insertSpace(tx, organizationId, 'first')
    await multiply(tx, count)
    const positions = spread(count)
    for (const [at, position] of positions.entries()) {
      await tx
        .updateTable('spaces')
        .set({ position })
        .where('id', '=', `space${at}` as SpaceId)
        .execute()
    }
  })
  return database
}

async function multiply(tx: Tx, count: number): Promise<void> {
  const numbers = sql`with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${count - 1})`
  await sql`insert into users (id, display_name, created_at, updated_at)
    ${numbers} select 'user' || n, 'User ' || n, n, n from numbers`.execute(tx)
  await sql`insert into members (organization_id, user_id, role, disabled, sso, joined_at)
    ${numbers} select ${organizationId}, 'user' || n, 'read', 0, 0, n from numbers`.execute(tx)
  await sql`insert into spaces (id, organization_id, position, title, visibility, edit_mode, default_level,
      revision_id, created_by, created_at, updated_at)
    ${numbers} select 'space' || n, organization_id, 'a' || n, 'Space ' || n, visibility, edit_mode, default_level,
      revision_id, created_by, n, n from numbers, spaces where id = 'first'`.execute(tx)
  await sql`insert into search_pages (organization_id, space_id, page_id, title, path)
    ${numbers} select ${organizationId}, 'space' || n, 'page', 'Page', 'page' from numbers`.execute(tx)
  await sql`insert into search_sections (id, organization_id, space_id, page_id, ordinal, heading, body)
    ${numbers} select n + 1, ${organizationId}, 'space' || n, 'page', 0, '', 'a common word' from numbers`.execute(
    tx,
  )
  await sql`insert into search_words (rowid, scope, title, heading, body)
    ${numbers} select n + 1, ${markers.organization(organizationId)}, 'page', '', 'a common word' from numbers`.execute(
    tx,
  )
}
