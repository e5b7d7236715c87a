/**
 * The SQLite engine: `node:sqlite` where available, else a package with the same interface.
 *
 * Node 22 warns that `node:sqlite` is experimental. We use only the part that the package mirrors, so the tests on both
 * would notice a change, and operators can do nothing about it: the warning is suppressed. Others are printed.
 */

/** Loads the engine. */
export async function loadEngine(): Promise<typeof import('@photostructure/sqlite')> {
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number]
  const isBuiltIn = major > 22 || (major === 22 && minor >= 13)
  if (!isBuiltIn) return import('@photostructure/sqlite')
  // The types of the oldest supported Node do not have this module.
  const load: (name: string) => unknown = process.getBuiltinModule
  return withoutNotice(() => load('node:sqlite')) as typeof import('@photostructure/sqlite')
}

/** Returns what `load` returns, and suppresses Node's warning that its SQLite is experimental. */
export function withoutNotice<Result>(load: () => Result): Result {
  const emitWarning = process.emitWarning as (...args: unknown[]) => void
  const filtering = (...args: unknown[]): void => {
    const [warning, type] = args
    const isNotice = type === 'ExperimentalWarning' && String(warning).startsWith('SQLite is an experimental')
    if (!isNotice) emitWarning.apply(process, args)
  }
  // Synchronous, so no other code's warnings are affected.
  process.emitWarning = filtering
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning as typeof process.emitWarning
  }
}
