/** Binary search for a partition point, which all searches in sorted lists are. */

/** Returns how many of the first `length` positions fulfil the condition; those that do come before all others. */
export function partitionPoint(length: number, isBefore: (position: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
