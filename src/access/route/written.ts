/** Replies that are written before they are sent: bytes of JSON kept under the name of what they follow from, and items of long lists. */
import type { Kind } from '../../store/cache/kinds.js'
import { takeTurns } from '../../store/content/turns.js'
import type { Services } from './scope.js'

/** A reply that is already written; it is sent as it is. It follows from the kind and the key, and from nothing else. */
export class Written {
  constructor(
    readonly json: Uint8Array,
    readonly kind: Kind<Uint8Array>,
    readonly key: string,
  ) {}
}

/**
 * The items of a list, written one after another with turns for others in between: a thousand of them are megabytes.
 * They are in no array any more, so only what is declared `large` may answer with them.
 */
export class WrittenItems<Item> extends Array<Item> {
  private constructor(readonly json: string) {
    super()
  }

  static async write<Item>(items: Iterable<Item>): Promise<WrittenItems<Item>> {
    const turn = takeTurns()
    const pieces: string[] = []
    for (const item of items) {
      const rest = turn()
      if (rest !== undefined) await rest
      pieces.push(JSON.stringify(item))
    }
    return new WrittenItems(`[${pieces.join(',')}]`)
  }

  toJSON(): never {
    throw new Error('These items are written already: the operation has to be declared large')
  }
}

/** Returns the JSON of a large reply. */
export function writeLarge(reply: unknown): string {
  const { items, ...others } = reply as { readonly items?: unknown }
  if (!(items instanceof WrittenItems)) return JSON.stringify(reply)
  const head = JSON.stringify(others).slice(0, -1)
  return `${head}${head === '{' ? '' : ','}"items":${items.json}}`
}

/** Returns the kept reply, or makes and keeps it; the key names a revision, or something else that never changes. */
export async function writeOnce(
  { caches }: Pick<Services, 'caches'>,
  kind: Kind<Uint8Array>,
  key: string,
  make: () => Promise<string>,
): Promise<Written> {
  const known = caches.find(kind, key)
  if (known !== undefined) return new Written(known, kind, key)
  const json = Buffer.from(await make())
  caches.keep(kind, key, json)
  return new Written(json, kind, key)
}
