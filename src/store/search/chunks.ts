/** A list in parts, each small enough for one statement. */

export function* chunks<Item>(items: readonly Item[], size = 200): Generator<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}
