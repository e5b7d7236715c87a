/** What a view says in words, for the index: whoever knows a field of something finds the page that shows it. */
import { isMapping } from '../mapping.js'
import { outlineLimits } from './outline.js'
import type { SpecificationView } from './view.js'

/** Characters of what one block shows of schemas: it may list fifty of them. */
const mostOfSchemas = 6_000
/** Members whose texts say what something is about. */
const collected = new Set(['description', 'title', 'summary'])
/** Members that say nothing which belongs to this alone, or hold values. */
const passed = new Set(['samples', 'servers', 'security', 'examples', 'moreAbout', 'limits', 'discriminator'])

/** Returns the names of what is shown, and behind them what is said of it; what lies deepest is left out first. */
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
