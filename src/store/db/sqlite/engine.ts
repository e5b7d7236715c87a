/**
 * The SQLite engine: Node's own where it has one, else a package with the same interface.
 *
 * Node 22 warns that its own may change. What is used of it is the part that the package mirrors, so that a change
 * would be noticed by the tests on either; whoever runs a server can do nothing about it. Other warnings are shown.
 */

/** Answers the engine. */
export async function loadEngine(): Promise<typeof import('@photostructure/sqlite')> {
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number]
  const isBuiltIn = major > 22 || (major === 22 && minor >= 13)
  if (!isBuiltIn) return import('@photostructure/sqlite')
  // The types of the oldest supported Node do not have this module.
  const load: (name: string) => unknown = process.getBuiltinModule
  return withoutNotice(() => load('node:sqlite')) as typeof import('@photostructure/sqlite')
}

/** Returns what `load` returns; meanwhile Node does not say that its SQLite is experimental. */
export function withoutNotice<Result>(load: () => Result): Result {
  const emitWarning = process.emitWarning as (...said: unknown[]) => void
  const filtering = (...said: unknown[]): void => {
    const [warning, type] = said
    const isNotice = type === 'ExperimentalWarning' && String(warning).startsWith('SQLite is an experimental')
    if (!isNotice) emitWarning.apply(process, said)
  }
  // Nothing waits in between, so nobody else's warnings pass here.
  process.emitWarning = filtering
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning as typeof process.emitWarning
  }
}
