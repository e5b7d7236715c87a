/** What a computed page says it is made of: the YAML in its place in the table of contents. */
import { memberOf } from '../mapping.js'
import { readMapping } from '../markdown/yaml-text.js'
import type { SpecificationName } from '../pages/types.js'

export type ReferenceSource = SpecificationName & {
  /** True where the schemas get a page of their own. */
  readonly hasModels: boolean
  /** What gets a page of its own: a tag with its operations, or every operation, below its tag. */
  readonly grouping: 'tag' | 'operation'
}

/** Returns what reference pages are made of; undefined for a source of another kind, or one that names no specification. */
export function readReferenceSource(source: string): ReferenceSource | undefined {
  const { value } = readMapping(source)
  if (value['type'] !== 'builtin:openapi') return undefined
  const ref = memberOf(memberOf(value['dependencies'], 'spec'), 'ref')
  const kind = memberOf(ref, 'kind') === 'file' ? 'file' : 'spec'
  const name = memberOf(ref, kind)
  if (typeof name !== 'string' || name === '') return undefined
  const props = value['props']
  return {
    ...(kind === 'file' ? { file: name } : { spec: name }),
    hasModels: memberOf(props, 'models') === true,
    grouping: memberOf(props, 'grouping') === 'operation' ? 'operation' : 'tag',
  }
}

/** Returns the source that says the same. */
export function formatReferenceSource(source: ReferenceSource): string {
  const { hasModels, grouping } = source
  const props = [
    ...(hasModels ? ['  models: true'] : []),
    ...(grouping === 'operation' ? ['  grouping: operation'] : []),
  ]
  return [
    'type: builtin:openapi',
    ...(props.length === 0 ? [] : ['props:', ...props]),
    'dependencies:',
    '  spec:',
    '    ref:',
    ...('spec' in source
      ? ['      kind: openapi', `      spec: ${source.spec}`]
      : ['      kind: file', `      file: ${JSON.stringify(source.file)}`]),
  ].join('\n')
}
