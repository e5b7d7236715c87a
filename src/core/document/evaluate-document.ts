/**
 * Evaluates a document in the API's JSON: conditional blocks are replaced by their content or removed, expressions by
 * text, reusable contents by their blocks. Nodes without a result are left unchanged.
 */
import type { DocumentJson, JsonValue } from './json-node.js'

export interface DocumentEvaluator {
  /** Returns whether a condition holds. */
  readonly holds: (expression: string) => boolean | undefined
  /** Returns the printed value of an expression. */
  readonly print: (expression: string) => string | undefined
  /** Returns the evaluated blocks of a reusable content. */
  readonly include: (id: string) => readonly DocumentJson[] | undefined
}

/** Returns a node, or a document, with its descendants evaluated. */
export function evaluateDocument(node: DocumentJson, evaluator: DocumentEvaluator): DocumentJson {
  return replaceChildren(node, (inner) => evaluateNode(inner, evaluator))
}

/** Returns the ids of the reusable contents that a document includes. */
export function reusableContentIds(document: DocumentJson): ReadonlySet<string> {
  const ids = new Set<string>()
  const visit = (node: DocumentJson): readonly DocumentJson[] => {
    const id = reusableContentId(node)
    if (id !== undefined) ids.add(id)
    replaceChildren(node, visit)
    return []
  }
  replaceChildren(document, visit)
  return ids
}

function evaluateNode(node: DocumentJson, evaluator: DocumentEvaluator): readonly DocumentJson[] {
  const { type, key } = node
  const { expression } = (node['data'] ?? {}) as { readonly expression?: string }
  if (type === 'if' && expression !== undefined) {
    const isVisible = evaluator.holds(expression)
    if (isVisible === false) return []
    const whole = evaluateDocument(node, evaluator)
    return isVisible === true ? (whole['nodes'] as readonly DocumentJson[]) : [whole]
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

function reusableContentId({ type, data }: DocumentJson): string | undefined {
  if (type !== 'reusable-content') return undefined
  const { ref } = data as { readonly ref?: { readonly reusableContent?: string; readonly space?: string } }
  return ref?.space === undefined ? ref?.reusableContent : undefined
}

function withKeyPrefix(node: DocumentJson, prefix: string): DocumentJson {
  const whole = replaceChildren(node, (inner) => [withKeyPrefix(inner, prefix)])
  const fragments = whole['fragments'] as readonly DocumentJson[] | undefined
  return {
    ...prefixKey(whole, prefix),
    ...(fragments !== undefined && { fragments: fragments.map((one) => prefixKey(one, prefix)) }),
  }
}

function prefixKey(node: DocumentJson, prefix: string): DocumentJson {
  return typeof node['key'] === 'string' ? { ...node, key: `${prefix}.${node['key']}` } : node
}

/** Returns the node with each child replaced by the nodes that `replace` returns. */
function replaceChildren(
  node: DocumentJson,
  replace: (node: DocumentJson) => readonly DocumentJson[],
): DocumentJson {
  const { nodes, fragments } = node
  if (nodes === undefined && fragments === undefined) return node
  const changed = (all: JsonValue | undefined) => (all as readonly DocumentJson[]).flatMap(replace)
  return {
    ...node,
    ...(nodes !== undefined && { nodes: changed(nodes) }),
    ...(fragments !== undefined && {
      // A fragment itself is never replaced, only its content.
      fragments: (fragments as readonly DocumentJson[]).map((one) => replaceChildren(one, replace)),
    }),
  }
}
