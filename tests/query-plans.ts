/**
 * Query plans of the statements that a function runs: full scans and sorts.
 *
 * PostgreSQL plans with sequential scans disabled: for the few rows of a test it would scan any table.
 */
import { CompiledQuery, sql } from 'kysely'
import type { KyselyPlugin, RootOperationNode } from 'kysely'
import { engineOf } from '../src/store/db/database.js'
import type { Db } from '../src/store/db/database.js'

export interface Plan {
  readonly sql: string
  /** Plan lines of full scans or sorts; none is best. */
  readonly costly: readonly string[]
  /** Plan lines, on SQLite, of rows found by their organization alone. */
  readonly walking: readonly string[]
  /** Plan lines, on PostgreSQL, of tables that it would scan with the present rows; for a small table that is best. */
  readonly scanning: readonly string[]
  /** The indexes by which rows are found with the present rows. */
  readonly indexes: readonly string[]
}

/** Runs the work and answers the plans of the statements it sent, in their order. */
export async function plansOf(db: Db, work: (db: Db) => Promise<unknown>): Promise<Plan[]> {
  const sent: CompiledQuery[] = []
  const executor = db.getExecutor()
  const listening: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const query = executor.compileQuery(node as RootOperationNode, queryId)
      // A prepared statement has places for values: a plan needs none.
      sent.push({ ...query, parameters: query.parameters.map((value) => (isPlain(value) ? value : '')) })
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await work(db.withPlugin(listening))
  const plans: Plan[] = []
  for (const query of sent) {
    const [costly, walking] = [await findCostly(db, query), await findWalking(db, query)]
    const [scanning, indexes] = [await findScanning(db, query), await findIndexes(db, query)]
    plans.push({ sql: query.sql, costly, walking, scanning, indexes })
  }
  return plans
}

/** True for values; false for the places for values that prepared statements have. */
const isPlain = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || value.constructor.name !== 'Parameter'

async function findWalking(db: Db, query: CompiledQuery): Promise<string[]> {
  if (engineOf(db) !== 'sqlite') return []
  return (await explain(db, query)).filter((line) => line.includes('(organization_id=?)'))
}

async function findIndexes(db: Db, query: CompiledQuery): Promise<string[]> {
  const lines = engineOf(db) === 'sqlite' ? await explain(db, query) : await explainPostgres(db, query)
  return lines.flatMap(
    (line) => / (?:USING(?: COVERING)? INDEX|using|Bitmap Index Scan on) (\w+)/.exec(` ${line}`)?.[1] ?? [],
  )
}

async function findScanning(db: Db, query: CompiledQuery): Promise<string[]> {
  if (engineOf(db) !== 'postgres') return []
  return (await explainPostgres(db, query)).filter((line) => line.includes('Seq Scan'))
}

async function explainPostgres(db: Db, { sql: text, parameters }: CompiledQuery): Promise<string[]> {
  const plan = CompiledQuery.raw(`explain ${text}`, [...parameters])
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>(plan)
  return rows.map((row) => row['QUERY PLAN'].trim())
}

async function explain(db: Db, { sql: text, parameters }: CompiledQuery): Promise<string[]> {
  const plan = CompiledQuery.raw(`explain query plan ${text}`, [...parameters])
  return (await db.executeQuery<{ detail: string }>(plan)).rows.map(({ detail }) => detail)
}

async function findCostly(db: Db, query: CompiledQuery): Promise<string[]> {
  if (engineOf(db) === 'sqlite') {
    // A subquery that is evaluated once, or a list of values, is always scanned.
    return (await explain(db, query)).filter((line) =>
      /^SCAN (?!CONSTANT)|USE TEMP B-TREE FOR ORDER BY/.test(line),
    )
  }
  const { sql: text, parameters } = query
  return inTransaction(db, async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    await sql`set local enable_bitmapscan = off`.execute(tx)
    await sql`set local enable_sort = off`.execute(tx)
    const { rows } = await tx.executeQuery<{ 'QUERY PLAN': string }>(
      CompiledQuery.raw(`explain ${text}`, [...parameters]),
    )
    return rows
      .map((row) => row['QUERY PLAN'].trim())
      .filter((line) => /Seq Scan|\bSort\b(?! Key)/.test(line))
  })
}

/** A transaction that is open already is used: none can be inside another. */
function inTransaction<Result>(db: Db, work: (tx: Db) => Promise<Result>): Promise<Result> {
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}
