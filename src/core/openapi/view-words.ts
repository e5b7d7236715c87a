/** Search terms of a view, for the index: a page is found by the fields of the schemas that it shows. */
import { isMapping } from '../mapping.js'
import { outlineLimits } from './outline.js'
import type { SpecificationView } from './view.js'

/** Characters of the schemas of one block: it may list fifty of them. */
const mostOfSchemas = 6_000
/** Members with descriptive texts. */
const collected = new Set(['description', 'title', 'summary'])
/** Members that are not specific to the view, or have example values. */
const passed = new Set(['samples', 'servers', 'security', 'examples', 'moreAbout', 'limits', 'discriminator'])

/** Returns the names in a view, followed by their descriptions; the deepest are omitted first. */
export function wordsOfView({ operation, schemas = [] }: SpecificationView): string {
  if (operation === undefined) return wordsIn(schemas, mostOfSchemas)
  const { method, path, operationId } = operation
  const name = [method.toUpperCase(), path, operationId].filter(Boolean).join(' ')
  return `${name} ${wordsIn(operation, outlineLimits.words)}`.trim()
}

function wordsIn(view: object, most: number): string {
  const [names, texts] = [new Set<string>(), new Set<string>()]
  const visited = new Set<unknown>()
  let level: unknown[] = [view]
  while (level.length > 0) {
    const below: unknown[] = []
    for (const value of level) {
      if (visited.has(value)) continue
      visited.add(value)
      if (Array.isArray(value)) for (const one of value) below.push(one)
      if (!isMapping(value)) continue
      for (const [key, member] of Object.entries(value)) {
        if (typeof member === 'object') {
          if (!passed.has(key)) below.push(member)
        } else if (typeof member === 'string') {
          if (key === 'name') names.add(member)
          else if (collected.has(key)) texts.add(member.replace(/\s+/g, ' ').slice(0, 300))
        }
      }
    }
    level = below
  }
  const words: string[] = []
  let left = most
  for (const text of [...names, ...texts]) {
    if (text.length > left) continue
    left -= text.length + 1
    words.push(text)
  }
  return words.join(' ')
}
