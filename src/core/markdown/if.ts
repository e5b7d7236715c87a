/**
 * `{% if visitor.claims.plan == "pro" %} … {% else %} … {% endif %}`: the expression is stored as written, and evaluated by
 * `conditions/`. Each further branch is a block of its own (`branches.ts`).
 */
import type { If } from '../document/types.js'
import { branchCondition, isBranch, maxBranches, ownExpression } from './branches.js'
import { type Construct, spanOf } from './construct.js'
import type { Node, TagNode } from './nodes.js'

export const conditional: Construct = {
  read(node, reader) {
    if (node.tag.rest === '') reader.problem('{% if %} needs an expression', node.tag.span)
    const parts = partsOf(node)
    const earlier: string[] = []
    if (parts.length > maxBranches)
      reader.problem(`A condition has at most ${maxBranches} branches`, node.tag.span)
    return parts.map(({ tag, start, children }, index): If => {
      const end = children.at(-1)?.end ?? tag.span.end
      const expression = index === 0 ? tag.rest : branchCondition(tag, earlier)
      earlier.push(index === 0 ? tag.rest : (ownExpression(tag) ?? ''))
      const span = parts.length === 1 ? spanOf(node) : { start, end }
      return { type: 'if', span, expression, blocks: reader.blocks(children) }
    })
  },
}

/** The branches are parts of their `if`, and need no end tags; each contains the ones after it. */
export const branch: Construct = { inside: 'if', read: (node, reader) => reader.blocks(node.children) }

interface Part {
  readonly tag: TagNode['tag']
  readonly start: number
  readonly children: Node[]
}

/** Returns the branches of a condition in order; without recursion, since a branch may be in another one. */
function partsOf(node: TagNode): readonly Part[] {
  const parts: Part[] = [{ tag: node.tag, start: node.start, children: [] }]
  const pending = node.children.toReversed()
  for (let child = pending.pop(); child; child = pending.pop()) {
    if (child.kind !== 'tag' || !isBranch(child.tag)) {
      parts.at(-1)!.children.push(child)
      continue
    }
    parts.push({ tag: child.tag, start: child.start, children: [] })
    for (let index = child.children.length - 1; index >= 0; index--) pending.push(child.children[index]!)
  }
  return parts
}

/** Returns the opening tag. */
export function formatIf({ expression }: { readonly expression: string }): string {
  return `{% if ${expression} %}`
}
