/**
 * Cross-tenant statements: the few without an organization, such as sweeps, rows of a person, lookups by secret or host.
 *
 * All others name it, so that rows can be sharded by organization; in tests a guard rejects those that do not, and
 * this bypasses it. `tests/house.test.ts` lists every use and its reason.
 */
import { type KyselyPlugin, type RootOperationNode, createQueryId } from 'kysely'
import type { Db } from './database.js'

const guards = new WeakSet<KyselyPlugin>()

/** Registers a plugin that rejects statements without an organization, and returns it. */
export function guard(plugin: KyselyPlugin): KyselyPlugin {
  guards.add(plugin)
  return plugin
}

/** Returns the database without the guard, if it has one; the reason is for readers of the code. */
export function acrossOrganizations(db: Db, _reason: string): Db {
  const { plugins } = db.getExecutor()
  if (!plugins.some((plugin) => guards.has(plugin))) return db
  const otherPlugins = plugins.filter((plugin) => !guards.has(plugin))
  return otherPlugins.reduce((bare, plugin) => bare.withPlugin(plugin), db.withoutPlugins())
}

/** Rejects a statement that the guard of the database, if it has one, rejects. */
export function inspectByGuard(db: Db, node: RootOperationNode): void {
  for (const plugin of db.getExecutor().plugins)
    if (guards.has(plugin)) plugin.transformQuery({ node, queryId: createQueryId() })
}
