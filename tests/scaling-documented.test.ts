import { readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openDatabase } from '../src/store/db/open.js'
import { type TableFacts, tableFacts } from '../src/store/db/table-facts.js'
import { describeEngines } from './engines.js'
import { collectExamples } from './documentation-examples.js'

const page = readFileSync(new URL('../docs/guide/growing.md', import.meta.url), 'utf8')

test('docs/guide/growing.md spreads every table as it lies, what others refer to first', () => {
  const tables = (where: TableFacts['storedIn']) =>
    Object.entries(tableFacts)
      .filter(([, { storedIn }]) => storedIn === where)
      .map(([name]) => name)
  const named = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, name]) => name)
  expect(named(/^select create_reference_table\('(\w+)'\);$/gm)).toEqual(tables('everywhere'))
  expect(
    named(
      /^select create_distributed_table\('(\w+)', 'organization_id'(?:, colocate_with => 'members')?\);$/gm,
    ),
  ).toEqual(tables('organization'))
  const [, after = ''] = page.split('These tables stay on the coordinator')
  for (const name of tables('coordinator')) expect(after).toContain(`\`${name}\``)
})

const ownSchema = { layouts: ['whole'] } as const

describeEngines(
  'docs/guide/growing.md',
  ({ engine, settings }) => {
    test.skipIf(engine === 'sqlite')('makes partitions of a table', async () => {
      const place = await settings()
      await (await openDatabase(place)).close()
      const client = new pg.Client({ connectionString: place.url })
      await client.connect()
      try {
        const [partitions] = collectExamples('growing.md', page).examples
        await client.query(`begin; ${partitions!.text} commit`)
        const { rows } = await client.query(
          "select relname, relkind from pg_class where relname in ('revisions', 'revisions_3') order by relname",
        )
        expect(rows).toEqual([
          { relname: 'revisions', relkind: 'p' },
          { relname: 'revisions_3', relkind: 'r' },
        ])
      } finally {
        await client.end()
      }
    })
  },
  ownSchema,
)
