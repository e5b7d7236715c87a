/**
 * Prepared statements: built and compiled once for each engine, and executed with values. For statements of every edit or
 * read: building one takes longer than executing it on SQLite.
 *
 * In a write transaction they are checked and tagged as all others are.
 */
import { type Compilable, type CompiledQuery, type UnknownRow, createQueryId } from 'kysely'
import { type TrackedStatement, trackTags } from './commit-tags.js'
import { inspectByGuard } from './cross-tenant.js'
import { type Db, engineOf } from './database.js'
import type { Engine } from './engine.js'
import { type WriteTarget, readWritten } from './lock-scope.js'
import { requireTarget, writeStates } from './write-state.js'

/** Executes the statement with these values. */
export type Prepared<Values, Row> = (db: Db, values: Values) => Promise<PreparedResult<Row>>

export interface PreparedResult<Row> {
  readonly rows: readonly Row[]
  /** Rows that were written. */
  readonly count: number
}

/** A place for a value of each execution. */
class Parameter {
  constructor(readonly name: string) {}
}

interface Compiled {
  readonly query: CompiledQuery
  readonly tracked: TrackedStatement
  /** With parameters in it; undefined for reads. */
  readonly written: WriteTarget | undefined
}

/**
 * Returns a statement. `build` is called once for each engine, with a parameter in place of each value: it may pass them
 * on and nothing else.
 */
export function prepared<Values extends object>() {
  return <Row>(build: (db: Db, values: Values) => Compilable<Row>): Prepared<Values, Row> => {
    const known = new Map<Engine, Compiled>()
    return async (db, values) => {
      const engine = engineOf(db)
      let compiled = known.get(engine)
      if (compiled === undefined) known.set(engine, (compiled = compile(db, build)))
      const { query, tracked, written } = compiled
      const state = writeStates.get(db)
      const executor = db.getExecutor()
      const parameters = query.parameters.map((value) => valueOf(value, values))
      if (written === undefined) {
        if (state === undefined) {
          // Plugins of the handle see the read and its result as those of all others: the tenant guard, and counters.
          executor.transformQuery(tracked.node, query.queryId)
          const { rows } = await executor.executeQuery<UnknownRow>({ ...query, parameters })
          return { rows: rows as Row[], count: 0 }
        }
      } else if (state !== undefined) requireTarget(state, fillTarget(written, values))
      else throw new Error('This writes only in a transaction, by the handle that the work received')
      const plain = await executor.provideConnection((connection) =>
        connection.executeQuery<UnknownRow>({ ...query, parameters }),
      )
      if (state !== undefined && plain.numAffectedRows) state.hasChanges = true
      const { rows, numAffectedRows } = tracked.collect(plain, state!.tags)
      return { rows: rows as Row[], count: Number(numAffectedRows ?? 0) }
    }
  }
}

function compile<Values extends object, Row>(
  db: Db,
  build: (db: Db, values: Values) => Compilable<Row>,
): Compiled {
  const parameters = new Proxy({}, { get: (_, name) => new Parameter(name as string) }) as Values
  const bare = db.withoutPlugins()
  const { query: node } = build(bare, parameters).compile()
  inspectByGuard(db, node)
  const tracked = trackTags(node)
  const executor = bare.getExecutor()
  const query = executor.compileQuery(tracked.node, createQueryId())
  return { query, tracked, written: readWritten(node) }
}

function valueOf(value: unknown, values: object): unknown {
  return value instanceof Parameter ? (values as Record<string, unknown>)[value.name] : value
}

function fillTarget({ ids, organizations, spaces, ...rest }: WriteTarget, values: object): WriteTarget {
  const fill = <Value>(list: readonly Value[]) => list.map((value) => valueOf(value, values) as Value)
  return { ...rest, ids: fill(ids), organizations: fill(organizations), spaces: fill(spaces) }
}
