/**
 * A document of the API with what it depends on worked out: conditions become what they guard or nothing, expressions
 * become words, reusable contents become their blocks. What nobody knows an answer for stays as it is.
 */
import type { JsonObject, JsonValue } from './json-node.js'

export interface Answers {
  /** Whether what stands under a condition is shown. */
  readonly holds: (expression: string) => boolean | undefined
  /** What is printed for an expression. */
  readonly print: (expression: string) => string | undefined
  /** The blocks of a reusable content, worked out. */
  readonly include: (id: string) => readonly JsonObject[] | undefined
}

/** Returns a node, or a document, with what is in it worked out. */
export function workOut(node: JsonObject, answers: Answers): JsonObject {
  return inside(node, (inner) => workedOut(inner, answers))
}

/** Returns the ids of the reusable contents that a document shows. */
export function includedIn(document: JsonObject): ReadonlySet<string> {
  const ids = new Set<string>()
  const look = (node: JsonObject): readonly JsonObject[] => {
    const id = reusableIn(node)
    if (id !== undefined) ids.add(id)
    inside(node, look)
    return []
  }
  inside(document, look)
  return ids
}

function workedOut(node: JsonObject, answers: Answers): readonly JsonObject[] {
  const { type, key } = node
  const { expression } = (node['data'] ?? {}) as { readonly expression?: string }
  if (type === 'if' && expression !== undefined) {
    const isShown = answers.holds(expression)
    if (isShown === false) return []
    const whole = workOut(node, answers)
    return isShown === true ? (whole['nodes'] as readonly JsonObject[]) : [whole]
  }
  if (type === 'expression' && expression !== undefined) {
    const text = answers.print(expression)
    if (text === undefined) return [node]
    return [{ object: 'text', key: key ?? '', leaves: [{ object: 'leaf', text, marks: [] }] }]
  }
  const id = reusableIn(node)
  const included = id === undefined ? undefined : answers.include(id)
  // Places are told apart by where the blocks are put.
  if (included !== undefined) return included.map((one) => placed(one, String(key)))
  return [workOut(node, answers)]
}

function reusableIn({ type, data }: JsonObject): string | undefined {
  if (type !== 'reusable-content') return undefined
  const { ref } = data as { readonly ref?: { readonly reusableContent?: string; readonly space?: string } }
  return ref?.space === undefined ? ref?.reusableContent : undefined
}

function placed(node: JsonObject, prefix: string): JsonObject {
  const whole = inside(node, (inner) => [placed(inner, prefix)])
  const fragments = whole['fragments'] as readonly JsonObject[] | undefined
  return {
    ...named(whole, prefix),
    ...(fragments !== undefined && { fragments: fragments.map((one) => named(one, prefix)) }),
  }
}

function named(node: JsonObject, prefix: string): JsonObject {
  return typeof node['key'] === 'string' ? { ...node, key: `${prefix}.${node['key']}` } : node
}

/** Returns the node with each node in it replaced by those that `change` returns. */
function inside(node: JsonObject, change: (node: JsonObject) => readonly JsonObject[]): JsonObject {
  const { nodes, fragments } = node
  if (nodes === undefined && fragments === undefined) return node
  const changed = (all: JsonValue | undefined) => (all as readonly JsonObject[]).flatMap(change)
  return {
    ...node,
    ...(nodes !== undefined && { nodes: changed(nodes) }),
    ...(fragments !== undefined && {
      // A fragment is a place, and stays one.
      fragments: (fragments as readonly JsonObject[]).map((one) => inside(one, change)),
    }),
  }
}
