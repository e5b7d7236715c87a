/** Source of a computed page: its YAML in the table of contents. */
import { isScalar } from 'yaml'
import { memberOf } from '../mapping.js'
import { isBoundedYaml, parseYaml, readMapping } from '../markdown/yaml-text.js'
import type { SpecificationName } from '../pages/types.js'

export type ReferenceSource = SpecificationName & {
  /** True where the schemas get a page of their own. */
  readonly hasModels: boolean
  /** Page granularity: a page per tag with its operations, or per operation, below its tag. */
  readonly grouping: 'tag' | 'operation'
}

/** Returns the source of reference pages; undefined for another kind, or one that names no specification. */
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

/** Returns the source with another file; only the characters of its name change. */
export function withReferenceFile(source: string, file: string): string {
  const node = isBoundedYaml(source)
    ? parseYaml(source).getIn(['dependencies', 'spec', 'ref', 'file'], true)
    : undefined
  if (!isScalar(node) || !node.range) return source
  const [start, end] = node.range
  return source.slice(0, start) + JSON.stringify(file) + source.slice(end)
}

/** Returns the YAML of a source. */
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
