/**
 * Tenant isolation lint for SQL: each tenant table in a statement names its organization, by an equality with a value
 * or with the organization of another table which does; inserted rows contain it.
 *
 * Only what must be true of every row counts: an equality behind `or`, `not` or `case` names nothing, and one in a
 * left join nothing about the tables before it.
 */
import { type RootOperationNode, SqliteQueryCompiler } from 'kysely'
import type { KyselyPlugin } from 'kysely'
import { guard } from '../../src/store/db/cross-tenant.js'
import { tablesOfOrganizations } from '../../src/store/db/table-facts.js'
import { type Item, isMark, isQuery, isWord, readItems, split } from './sql-text.js'

const column = 'organization_id'
const tenants: ReadonlySet<string | undefined> = new Set(tablesOfOrganizations)

/** Something that a query reads from: a table, or what another query of the statement answers. */
interface Relation {
  readonly name: string
  readonly table: string | undefined
}

interface Scope {
  readonly relations: readonly Relation[]
  /** The columns that have a value, or one out of a list, as `name.column`. */
  readonly fixed: ReadonlySet<string>
  readonly outer: Scope | undefined
}

/** Returns the names of the tenant tables whose organization the statement does not name, as it calls them. */
export function findUnnamed(sql: string): readonly string[] {
  const items = readItems(sql)
  const start = items.findIndex((item) => isWord(item, 'select', 'with', 'insert', 'update', 'delete'))
  const isStatement = start === 0 || isWord(items[0], 'explain')
  const unnamed: string[] = []
  if (isStatement && start >= 0) readQuery(items.slice(start), undefined, new Set())
  return unnamed

  function readQuery(items: readonly Item[], outer: Scope | undefined, known: ReadonlySet<string>): void {
    const [rest, queries] = readCommon(items, outer, known)
    for (const arm of split(rest, 'union', 'except', 'intersect')) {
      const part = isWord(arm[0], 'all') ? arm.slice(1) : arm
      if (isWord(part[0], 'insert')) readInsert(part, outer, queries)
      else readArm(part, outer, queries)
    }
  }

  /** Reads the queries that a statement begins with, and returns what follows them, and all names of queries. */
  function readCommon(
    items: readonly Item[],
    outer: Scope | undefined,
    known: ReadonlySet<string>,
  ): [rest: readonly Item[], queries: ReadonlySet<string>] {
    if (!isWord(items[0], 'with')) return [items, known]
    const queries = new Set(known)
    let at = isWord(items[1], 'recursive') ? 2 : 1
    for (; ; at += 1) {
      const name = items[at]
      if (name?.kind === 'word') queries.add(name.text)
      while (!isQuery(items[at])) at += 1
      readQuery((items[at] as { items: readonly Item[] }).items, outer, queries)
      at += 1
      if (!isMark(items[at], ',')) return [items.slice(at), queries]
    }
  }

  function readInsert(items: readonly Item[], outer: Scope | undefined, queries: ReadonlySet<string>): void {
    const table = items[2]?.kind === 'word' ? items[2].text : ''
    const columns = items[3]?.kind === 'group' ? items[3].items : []
    if (tenants.has(table) && !columns.some((one) => one.kind === 'word' && one.text === column)) {
      unnamed.push(table)
    }
    const conflict = items.findIndex(
      (item, at) => isWord(item, 'returning') || (isWord(item, 'on') && isWord(items[at + 1], 'conflict')),
    )
    const end = conflict < 0 ? items.length : conflict
    const values = items.slice(4, end)
    if (isWord(values[0], 'select', 'with')) readQuery(values, outer, queries)
    else readInside(values, outer, queries)
    const written = { relations: [{ name: table, table }], fixed: new Set([`${table}.${column}`]), outer }
    readInside(items.slice(end), written, queries)
  }

  function readArm(items: readonly Item[], outer: Scope | undefined, queries: ReadonlySet<string>): void {
    if (items.length === 1 && isQuery(items[0])) return readQuery(items[0].items, outer, queries)
    const { relations, conditions } = readClauses(items, queries)
    const scope = { relations, fixed: findFixed(relations, outer, conditions), outer }
    for (const { name, table } of relations) {
      if (tenants.has(table) && !scope.fixed.has(`${name}.${column}`)) unnamed.push(name)
    }
    readInside(items, scope, queries)
  }

  /** Reads the queries inside of expressions. */
  function readInside(items: readonly Item[], scope: Scope | undefined, queries: ReadonlySet<string>): void {
    for (const item of items) {
      if (isQuery(item)) readQuery(item.items, scope, queries)
      else if (item.kind === 'group') readInside(item.items, scope, queries)
    }
  }
}

/** What must be true of the rows of a query; `joined` when it is only about a table that may have no row. */
interface Condition {
  readonly items: readonly Item[]
  readonly joined: Relation | undefined
}

/** Reads off one query without its unions which relations it has, and what is demanded of them. */
function readClauses(
  entries: readonly Item[],
  queries: ReadonlySet<string>,
): { relations: Relation[]; conditions: Condition[] } {
  const items = [...entries]
  const relations: Relation[] = []
  const conditions: Condition[] = []
  let clause: 'from' | 'condition' | 'other' = 'other'
  let isOuter = false
  let condition: Item[] = []
  for (let at = 0; at < items.length; at += 1) {
    const [item, next, before] = [items[at]!, items[at + 1], items[at - 1]]
    if (isWord(item, 'left', 'right', 'full')) isOuter = true
    if (isWord(item, 'inner', 'cross') || isMark(item, ',')) isOuter = false
    if (isWord(item, 'from', 'using', 'join') || (isWord(item, 'update') && at === 0)) {
      // `is distinct from` is no clause.
      if (!isWord(before, 'distinct')) clause = 'from'
      if (isWord(item, 'from')) isOuter = false
    } else if (isWord(item, 'where', 'on', 'having') && !isWord(before, 'distinct')) {
      clause = 'condition'
      const isOn = isWord(item, 'on')
      conditions.push({ items: (condition = []), joined: isOn && isOuter ? relations.at(-1) : undefined })
    } else if (isWord(item, ...endings)) clause = 'other'
    else if (clause === 'condition') condition.push(item)
    else if (clause === 'from' && item.kind === 'group') {
      if (isQuery(item)) relations.push({ name: aliasAt(items, at + 1) ?? '', table: undefined })
      else items.splice(at + 1, 0, ...item.items)
    } else if (clause === 'from' && item.kind === 'word' && startsRelation(before)) {
      if (isMark(next, '.')) continue
      const isTable = next?.kind !== 'group' && !queries.has(item.text)
      relations.push({
        name: aliasAt(items, at + 1) ?? item.text,
        table: isTable ? item.text : undefined,
      })
    }
  }
  return { relations, conditions }
}

const endings = [
  'select',
  'set',
  'group',
  'order',
  'limit',
  'offset',
  'returning',
  'for',
  'inner',
  'left',
  'right',
  'full',
  'cross',
]

function startsRelation(before: Item | undefined): boolean {
  return (
    isWord(before, 'from', 'join', 'using', 'update', 'lateral', 'only') ||
    isMark(before, ',') ||
    isMark(before, '.')
  )
}

function aliasAt(items: readonly Item[], at: number): string | undefined {
  const item = isWord(items[at], 'as') ? items[at + 1] : items[at]
  if (item?.kind !== 'word' || (!item.isQuoted && notAliases.has(item.text))) return undefined
  return item.text
}

const notAliases = new Set([...endings, 'where', 'on', 'join', 'using', 'having', 'union', 'except'])

/** Returns the columns whose values follow from the conditions. What another query answers was read by itself. */
function findFixed(
  relations: readonly Relation[],
  outer: Scope | undefined,
  conditions: readonly Condition[],
): ReadonlySet<string> {
  const answered = relations.filter(({ table }) => table === undefined).map(({ name }) => `${name}.${column}`)
  const fixed = new Set(answered)
  const scope = { relations, fixed, outer }
  const equal: { readonly of: string; readonly as: string }[] = []
  for (const { items, joined } of conditions) {
    for (const [left, right] of equalities(items)) {
      const [one, other] = [findColumn(left, scope), findColumn(right, scope)]
      for (const [of, as, by] of [
        [one, other, right],
        [other, one, left],
      ] as const) {
        if (typeof of !== 'object' || (joined !== undefined && of.relation !== joined)) continue
        if (as === 'fixed' || isValue(by)) fixed.add(of.name)
        else if (as !== undefined) equal.push({ of: of.name, as: as.name })
      }
    }
  }
  for (let count = -1; count < fixed.size;) {
    count = fixed.size
    for (const { of, as } of equal) if (fixed.has(as)) fixed.add(of)
  }
  return fixed
}

type Operand = readonly Item[]

/** The pairs of operands that are equal whenever the condition is true. */
function equalities(items: readonly Item[]): (readonly [Operand, Operand])[] {
  if (split(items, 'or').length > 1) return []
  return split(items, 'and').flatMap((part) => {
    const [only] = part
    if (part.length === 1 && only!.kind === 'group' && !only!.isCase && !isQuery(only)) {
      return equalities(only!.items)
    }
    const at = part.findIndex((item) => isMark(item, '=') || isWord(item, 'in', 'is'))
    // The `from` of `is not distinct from` is left out where clauses are read.
    const words = isWord(part[at], 'is') ? ['not', 'distinct'] : []
    const isEquality = at >= 0 && words.every((word, index) => isWord(part[at + 1 + index], word))
    return isEquality ? [[part.slice(0, at), part.slice(at + 1 + words.length)] as const] : []
  })
}

/** A value, a list of values, or `any` of them. */
function isValue(operand: Operand): boolean {
  const [first, second] = operand
  if (isWord(first, 'any')) return operand.length === 2 && isValue([second!])
  if (operand.length !== 1) return false
  if (first?.kind === 'group') {
    return first.items.every((item) => item.kind === 'value' || isMark(item, ','))
  }
  return first?.kind === 'value'
}

/** The column that the operand is, or that it is one of an outer query which has a value. */
function findColumn(
  operand: Operand,
  scope: Scope,
): { readonly relation: Relation; readonly name: string } | 'fixed' | undefined {
  const words = operand.map((item) => (item.kind === 'word' ? item.text : isMark(item, '.') ? '.' : ''))
  const isQualified = words.length === 3 && words[1] === '.'
  if (words.length !== 1 && !isQualified) return undefined
  const [qualifier, wanted] = isQualified ? [words[0], words[2]!] : [undefined, words[0]!]
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const { relations, fixed } = at
    const relation = relations.find(({ name, table }) =>
      qualifier === undefined
        ? relations.length === 1 || (wanted === column && tenants.has(table))
        : name === qualifier,
    )
    if (relation === undefined) continue
    const name = `${relation.name}.${wanted}`
    if (at === scope) return { relation, name }
    return fixed.has(name) ? 'fixed' : undefined
  }
  return undefined
}

/** Returns a plugin that throws for a statement which does not name the organization of a tenant table. */
export function namedOrganizations(): KyselyPlugin {
  return guard({
    transformQuery({ node, queryId }) {
      const { sql } = compiler.compileQuery(node, queryId)
      if (passed.has(sql)) return node
      const unnamed = findUnnamed(sql)
      if (unnamed.length > 0) {
        throw new Error(
          `A statement does not name the organization of ${unnamed.join(' and ')}. ` +
            'Add an equality of its organization_id with a value, or with that of a table which has one; ' +
            `or declare with acrossOrganizations why it concerns all of them:\n${sql}`,
        )
      }
      passed.add(sql)
      return node
    },
    transformResult: async ({ result }) => result,
  })
}

/** Statements that passed, of all databases of the process: each is parsed once. */
const passed = new Set<string>()

const compiler: { compileQuery(node: RootOperationNode, queryId: object): { sql: string } } =
  new SqliteQueryCompiler() as never
