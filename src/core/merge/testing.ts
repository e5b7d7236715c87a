/** Parameters of the property-based merge tests. */

/**
 * Returns parameters for `fc.assert`: the same `numRuns` examples every time, or `OCTAVO_MERGE_RUNS` random ones.
 */
export function propertyRuns(numRuns: number): { readonly numRuns: number; readonly seed?: number } {
  const { OCTAVO_MERGE_RUNS: runs } = process.env
  return runs === undefined ? { numRuns, seed: 11 } : { numRuns: Number(runs) }
}
