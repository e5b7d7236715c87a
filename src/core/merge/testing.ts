/** Which examples the laws of merges are tried on. */

/**
 * Parameters for `fc.assert`: the same `numRuns` examples for each change, or as many others as `OCTAVO_MERGE_RUNS` asks
 * for.
 */
export function examples(numRuns: number): { readonly numRuns: number; readonly seed?: number } {
  const { OCTAVO_MERGE_RUNS: runs } = process.env
  return runs === undefined ? { numRuns, seed: 11 } : { numRuns: Number(runs) }
}
