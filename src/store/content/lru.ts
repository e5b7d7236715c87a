/** A map that forgets what was used longest ago once its values weigh more than a budget. Knows nothing of what it holds. */

export interface Lru<Value> {
  get(key: string): Value | undefined
  /** `weight` in bytes; what weighs more than a quarter of the budget is not kept at all. */
  set(key: string, value: Value, weight: number): void
  /** Bytes held now. */
  weight(): number
}

/** Answers an empty map with a budget in bytes. */
export function createLru<Value>(budget: number): Lru<Value> {
  // A Map keeps the order of insertion: taking out and putting back moves an entry to the young end.
  const entries = new Map<string, { readonly value: Value; readonly weight: number }>()
  let held = 0
  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, weight) {
      if (weight > budget / 4 || entries.has(key)) return
      entries.set(key, { value, weight })
      held += weight
      for (const [oldest, entry] of entries) {
        if (held <= budget) break
        entries.delete(oldest)
        held -= entry.weight
      }
    },
    weight: () => held,
  }
}
