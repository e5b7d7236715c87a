/** `{% if visitor.claims.plan == "pro" %} … {% endif %}`: the expression is stored as written, and evaluated by `conditions/`. */
import { type Construct, spanOf } from './construct.js'

export const conditional: Construct = {
  read(node, reader) {
    const expression = node.tag.rest
    if (expression === '') reader.problem('{% if %} needs an expression', node.tag.span)
    return [{ type: 'if', span: spanOf(node), expression, blocks: reader.blocks(node.children) }]
  },
}

/** Returns the opening tag. */
export function formatIf({ expression }: { readonly expression: string }): string {
  return `{% if ${expression} %}`
}
