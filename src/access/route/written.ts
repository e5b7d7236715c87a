/** Replies that are serialized before they are sent: cached JSON bytes, and the items of long lists. */
import type { CacheKind } from '../../store/cache/kinds.js'
import { yieldToEventLoop } from '../../store/content/yield-to-event-loop.js'
import type { Services } from './scope.js'

/** A reply of JSON bytes, sent unchanged. It is determined by the cache kind and the key. */
export class Written {
  constructor(
    readonly json: Uint8Array,
    readonly kind: CacheKind<Uint8Array>,
    readonly key: string,
  ) {}
}

/**
 * The items of a list, serialized one after another while yielding to the event loop: a thousand of them are megabytes.
 * They are JSON text and not an array any more, so only operations declared `large` may reply with them.
 */
export class SerializedItems<Item> extends Array<Item> {
  private constructor(readonly json: string) {
    super()
  }

  static async write<Item>(items: Iterable<Item>): Promise<SerializedItems<Item>> {
    const turn = yieldToEventLoop()
    const pieces: string[] = []
    for (const item of items) {
      const rest = turn()
      if (rest !== undefined) await rest
      pieces.push(JSON.stringify(item))
    }
    return new SerializedItems(`[${pieces.join(',')}]`)
  }

  toJSON(): never {
    throw new Error('These items are written already: the operation has to be declared large')
  }
}

/** Returns the JSON of a large reply. */
export function stringifyLarge(reply: unknown): string {
  const { items, ...others } = reply as { readonly items?: unknown }
  if (!(items instanceof SerializedItems)) return JSON.stringify(reply)
  const head = JSON.stringify(others).slice(0, -1)
  return `${head}${head === '{' ? '' : ','}"items":${items.json}}`
}

/** Returns the cached reply, or makes and caches it; the key names a revision, or something else that is immutable. */
export async function cachedJson(
  { caches }: Pick<Services, 'caches'>,
  kind: CacheKind<Uint8Array>,
  key: string,
  make: () => Promise<string>,
): Promise<Written> {
  const known = caches.find(kind, key)
  if (known !== undefined) return new Written(known, kind, key)
  const json = Buffer.from(await make())
  caches.put(kind, key, json)
  return new Written(json, kind, key)
}
