/** Table references: every table named in calls of the query builder and in SQL, found in the source text. */

export interface TableUse {
  readonly file: string
  readonly table: string
  readonly writes: boolean
}

const calls = /\b(selectFrom|insertInto|updateTable|deleteFrom|using|\w*[jJ]oin)\(\s*['"](\w+)/g
const statements = /\b(from|join|into|update)\s+(\w+)/g
const writing = new Set(['insertInto', 'updateTable', 'deleteFrom', 'into', 'update'])

/** Returns every use of the tables in a file. A list of tables counts as writing each of them. */
export function findTableUses(file: string, text: string, tables: ReadonlySet<string>): TableUse[] {
  const plain = text.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
  const sql = [...plain.matchAll(/\bsql(?:<[^`]*?>)?`([^`]*)`/g)].map(([, statement]) => statement!)
  const lists = [...plain.matchAll(/\[((?:\s*'\w+',?)+)\s*\] as const/g)].flatMap(([, list]) =>
    [...list!.matchAll(/'(\w+)'/g)].map(([, name]) => ['insertInto', name!] as const),
  )
  const named = [
    ...[...plain.matchAll(calls)].map(([, verb, name]) => [verb!, name!] as const),
    ...sql.flatMap((one) => [...one.matchAll(statements)].map(([, verb, name]) => [verb!, name!] as const)),
    ...(/\b(?:insertInto|updateTable|deleteFrom)\([a-z]\w*\)/.test(plain) ? lists : []),
  ]
  return named
    .filter(([, name]) => tables.has(name))
    .map(([verb, table]) => ({ file, table, writes: writing.has(verb) }))
}
