/** Streaming XML parser of a Confluence export: yields its objects one by one, so that only one is in memory. */
import { SaxesParser, type SaxesTagPlain } from 'saxes'

/** An object of the export with its properties; a reference to another object is that object's id. */
export interface Entity {
  readonly kind: string
  readonly id: string
  readonly properties: ReadonlyMap<string, string>
}

/** Yields the objects of these kinds. */
export async function* readEntities(
  bytes: AsyncIterable<Uint8Array>,
  kinds: ReadonlySet<string>,
): AsyncGenerator<Entity> {
  const done: Entity[] = []
  const open: string[] = []
  let entity: { kind: string; id: string; properties: Map<string, string> } | undefined
  let property: string | undefined
  let text = ''
  const parser = new SaxesParser()
  parser.on('error', () => {})
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    open.push(name)
    const kind = attributes['class'] ?? ''
    if (open.length === 2 && name === 'object' && kinds.has(kind))
      entity = { kind, id: '', properties: new Map() }
    if (open.length === 3 && name === 'property') property = attributes['name']
    if (open.length === 3 || (open.length === 4 && name === 'id')) text = ''
  })
  const appendText = (chunk: string): void => {
    if (entity !== undefined && open.length <= 4) text += chunk
  }
  parser.on('text', appendText)
  parser.on('cdata', appendText)
  parser.on('closetag', ({ name }) => {
    const depth = open.length
    open.pop()
    if (entity === undefined) return
    if (depth === 2) {
      done.push(entity)
      entity = undefined
    } else if (depth === 3 && name === 'id') entity.id = text.trim()
    else if (depth === 3 && name === 'property' && property !== undefined) {
      // A CDATA end within a CDATA section is written with a blank in it.
      entity.properties.set(property, text.replaceAll(']] >', ']]>'))
      property = undefined
    }
  })
  const decoder = new TextDecoder()
  for await (const chunk of bytes) {
    parser.write(decoder.decode(chunk, { stream: true }))
    yield* done.splice(0)
  }
  parser.close()
  yield* done
}
