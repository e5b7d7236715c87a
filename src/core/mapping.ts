/** Returns whether a value, as JSON or YAML is read, is a mapping of names to values. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns what a value has under a name of its own; undefined where it is no mapping. */
export function memberOf(value: unknown, name: string): unknown {
  return isMapping(value) && Object.hasOwn(value, name) ? value[name] : undefined
}
