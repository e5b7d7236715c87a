/** Lists in parts: groups of what is alike in one thing, and parts of a size. */

/** Returns the items of each key in the order given, the keys in the order in which each came first. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

/** Answers a list in parts of at most `size` items. */
export function* chunks<Item>(items: readonly Item[], size = 200): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}
