/** What an expression follows from. */
import type { Callback, Expression } from './parse.js'

/** Returns the names that an expression speaks of, those of its own functions among them. */
export function namesIn(expression: Expression | Callback): ReadonlySet<string> {
  const names = new Set<string>()
  const waiting: (Expression | Callback)[] = [expression]
  for (let one: Expression | Callback | undefined; (one = waiting.pop()) !== undefined;) {
    switch (one.type) {
      case 'value':
        break
      case 'name':
        names.add(one.name)
        break
      case 'member':
        waiting.push(one.object, one.key)
        break
      case 'call':
        waiting.push(one.object, ...one.values)
        break
      case 'unary':
      case 'chain':
        waiting.push(one.value)
        break
      case 'binary':
        waiting.push(one.left, one.right)
        break
      case 'choice':
        waiting.push(one.test, one.met, one.otherwise)
        break
      case 'list':
        waiting.push(...one.items)
        break
      case 'callback':
        waiting.push(one.body)
    }
  }
  return names
}
