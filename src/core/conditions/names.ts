/** Free names of an expression: the inputs its result depends on. */
import type { Callback, Expression } from './parse.js'

/** Returns the names used in an expression, including the parameters of its own functions. */
export function namesIn(expression: Expression | Callback): ReadonlySet<string> {
  const names = new Set<string>()
  const pending: (Expression | Callback)[] = [expression]
  for (let one: Expression | Callback | undefined; (one = pending.pop()) !== undefined;) {
    switch (one.type) {
      case 'value':
        break
      case 'name':
        names.add(one.name)
        break
      case 'member':
        pending.push(one.object, one.key)
        break
      case 'call':
        pending.push(one.object, ...one.values)
        break
      case 'unary':
      case 'chain':
        pending.push(one.value)
        break
      case 'binary':
        pending.push(one.left, one.right)
        break
      case 'choice':
        pending.push(one.test, one.met, one.otherwise)
        break
      case 'list':
        pending.push(...one.items)
        break
      case 'callback':
        pending.push(one.body)
    }
  }
  return names
}
