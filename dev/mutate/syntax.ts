/** Syntax tree of a TypeScript file, as far as mutations need it: executable code, without types. */
import { parseAst } from 'vitest/node'

export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

const declarations = new Set(['ImportDeclaration', 'ExportAllDeclaration', 'TSTypeAliasDeclaration'])
const typeMembers = new Set([
  'typeAnnotation',
  'typeArguments',
  'typeParameters',
  'returnType',
  'superTypeArguments',
])

/** The tree of a file's text; throws where it is not TypeScript. */
export function parseFile(text: string): Node {
  return parseAst(text, { lang: 'ts' }) as unknown as Node
}

/** The executable children of a node, in the order of the text, each with its member name. */
export function children(node: Node): { node: Node; member: string }[] {
  return Object.entries(node).flatMap(([member, value]) => {
    if (typeMembers.has(member)) return []
    return [value]
      .flat()
      .filter((one) => isNode(one) && runs(one))
      .map((one) => ({ node: one as Node, member }))
  })
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

function runs({ type, importKind, exportKind }: Node): boolean {
  if (declarations.has(type) || importKind === 'type' || exportKind === 'type') return false
  return !type.startsWith('TS') || /^TS(As|NonNull|Satisfies)/.test(type)
}
