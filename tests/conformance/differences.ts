/** Known differences between responses and the client descriptions, with reasons; any other difference is a fault. */
import type { Client } from '../client-schemas.js'

export interface Difference {
  readonly clients: readonly Client[]
  /** Names of operations, as the contract has them. */
  readonly operations: RegExp
  /** What is found at their replies. */
  readonly faults: RegExp
  /** For readers of the table. */
  readonly why: string
}

export const differences: readonly Difference[] = [
  {
    clients: ['0.143', '0.202'],
    operations: /TranslationSettings$/,
    faults: /./,
    why: 'The settings of the core; these clients have another resource there',
  },
  {
    clients: ['0.143', '0.202'],
    operations: /OpenApiSpecVersionContent(ById)?$/,
    faults: /^\.filesystem \(kind\) is no object$/,
    why: '`filesystem` is a list of files, as renderers of sites read it',
  },
]

/** The difference that explains a fault, if one does. */
export function explained(client: Client, operationId: string, fault: string): Difference | undefined {
  return differences.find(
    ({ clients, operations, faults }) =>
      clients.includes(client) && operations.test(operationId) && faults.test(fault),
  )
}
