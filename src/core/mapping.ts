/** Returns whether a value, as JSON or YAML is read, is a mapping of names to values. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
