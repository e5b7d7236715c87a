/**
 * The few statements that name no organization: whole sweeps, what belongs to a person, what a secret or a host finds.
 *
 * All others name it, so that rows can be spread by organization; in tests a guard refuses those which do not, and
 * this is the way around it. `tests/house.test.ts` lists every place and its reason.
 */
import type { KyselyPlugin } from 'kysely'
import type { Db } from './database.js'

const guards = new WeakSet<KyselyPlugin>()

/** Declares a plugin that refuses statements which name no organization, and returns it. */
export function guard(plugin: KyselyPlugin): KyselyPlugin {
  guards.add(plugin)
  return plugin
}

/** Returns the database without the guard, if it has one; the reason is for those who read it here. */
export function acrossOrganizations(db: Db, _reason: string): Db {
  const { plugins } = db.getExecutor()
  if (!plugins.some((plugin) => guards.has(plugin))) return db
  const kept = plugins.filter((plugin) => !guards.has(plugin))
  return kept.reduce((bare, plugin) => bare.withPlugin(plugin), db.withoutPlugins())
}
