import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type TableFacts, tableFacts } from '../src/store/db/table-facts.js'

const page = readFileSync(new URL('../docs/guide/growing.md', import.meta.url), 'utf8')

test('docs/guide/growing.md spreads every table as it lies, what others refer to first', () => {
  const tables = (where: TableFacts['lies']) =>
    Object.entries(tableFacts)
      .filter(([, { lies }]) => lies === where)
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
