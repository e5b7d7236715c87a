/** Items of long lists, serialized before they are sent, while yielding to the event loop: a thousand are megabytes. */
import { yieldToEventLoop } from '../../store/content/yield-to-event-loop.js'

/** The items as JSON text instead of an array, so only operations declared `large` may reply with them. */
export class SerializedItems<Item> extends Array<Item> {
  private constructor(readonly json: string) {
    super()
  }

  static async write<Item>(items: Iterable<Item>): Promise<SerializedItems<Item>> {
    const turn = yieldToEventLoop()
    const parts: string[] = []
    for (const item of items) {
      const rest = turn()
      if (rest !== undefined) await rest
      parts.push(JSON.stringify(item))
    }
    return new SerializedItems(`[${parts.join(',')}]`)
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
