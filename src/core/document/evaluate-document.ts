/**
 * Evaluates a document in the API's JSON: conditional blocks are replaced by their content or removed, expressions by
 * text, reusable contents by their blocks. Nodes without a result are left unchanged.
 */
import type { JsonObject, JsonValue } from './json-node.js'

export interface DocumentEvaluator {
  /** Returns whether a condition holds. */
  readonly holds: (expression: string) => boolean | undefined
  /** Returns the printed value of an expression. */
  readonly print: (expression: string) => string | undefined
  /** Returns the evaluated blocks of a reusable content. */
  readonly include: (id: string) => readonly JsonObject[] | undefined
}

/** Returns a node, or a document, with its descendants evaluated. */
export function evaluateDocument(node: JsonObject, evaluator: DocumentEvaluator): JsonObject {
  return replaceChildren(node, (inner) => evaluateNode(inner, evaluator))
}

/** Returns the ids of the reusable contents that a document includes. */
export function reusableContentIds(document: JsonObject): ReadonlySet<string> {
  const ids = new Set<string>()
  const visit = (node: JsonObject): readonly JsonObject[] => {
    const id = reusableContentId(node)
    if (id !== undefined) ids.add(id)
    replaceChildren(node, visit)
    return []
  }
  replaceChildren(document, visit)
  return ids
}

function evaluateNode(node: JsonObject, evaluator: DocumentEvaluator): readonly JsonObject[] {
  const { type, key } = node
  const { expression } = (node['data'] ?? {}) as { readonly expression?: string }
  if (type === 'if' && expression !== undefined) {
    const isVisible = evaluator.holds(expression)
    if (isVisible === false) return []
    const whole = evaluateDocument(node, evaluator)
    return isVisible === true ? (whole['nodes'] as readonly JsonObject[]) : [whole]
  }
  if (type === 'expression' && expression !== undefined) {
    const text = evaluator.print(expression)
    if (text === undefined) return [node]
    return [{ object: 'text', key: key ?? '', leaves: [{ object: 'leaf', text, marks: [] }] }]
  }
  const id = reusableContentId(node)
  const included = id === undefined ? undefined : evaluator.include(id)
  // Each inclusion prefixes the keys, so that they stay unique.
  if (included !== undefined) return included.map((one) => withKeyPrefix(one, String(key)))
  return [evaluateDocument(node, evaluator)]
}

function reusableContentId({ type, data }: JsonObject): string | undefined {
  if (type !== 'reusable-content') return undefined
  const { ref } = data as { readonly ref?: { readonly reusableContent?: string; readonly space?: string } }
  return ref?.space === undefined ? ref?.reusableContent : undefined
}

function withKeyPrefix(node: JsonObject, prefix: string): JsonObject {
  const whole = replaceChildren(node, (inner) => [withKeyPrefix(inner, prefix)])
  const fragments = whole['fragments'] as readonly JsonObject[] | undefined
  return {
    ...prefixKey(whole, prefix),
    ...(fragments !== undefined && { fragments: fragments.map((one) => prefixKey(one, prefix)) }),
  }
}

function prefixKey(node: JsonObject, prefix: string): JsonObject {
  return typeof node['key'] === 'string' ? { ...node, key: `${prefix}.${node['key']}` } : node
}

/** Returns the node with each child replaced by the nodes that `replace` returns. */
function replaceChildren(node: JsonObject, replace: (node: JsonObject) => readonly JsonObject[]): JsonObject {
  const { nodes, fragments } = node
  if (nodes === undefined && fragments === undefined) return node
  const changed = (all: JsonValue | undefined) => (all as readonly JsonObject[]).flatMap(replace)
  return {
    ...node,
    ...(nodes !== undefined && { nodes: changed(nodes) }),
    ...(fragments !== undefined && {
      // A fragment itself is never replaced, only its content.
      fragments: (fragments as readonly JsonObject[]).map((one) => replaceChildren(one, replace)),
    }),
  }
}
