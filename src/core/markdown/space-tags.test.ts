/** The file of the tags of a space: what editing changes in it, and what stays. */
import { describe, expect, it } from 'vitest'
import { type SpaceTag, formatSpaceTags, parseSpaceTags } from './space-tags.js'

const beta: SpaceTag = { tag: 'beta', label: 'Beta', color: 'blue' }
const old: SpaceTag = { tag: 'old', label: 'Old' }
const file = `# Tags of the team.
- tag: beta # new
  label: Beta
  color: blue
  owner: ann
# Deprecated:
- tag: old
  label: "Old"
`

const cases: [name: string, original: string, tags: readonly SpaceTag[], result: string][] = [
  ['keeps all lines of what stays', file, [beta, old], file],
  [
    'changes only the lines of what changed, and keeps its other members',
    file,
    [{ ...beta, label: 'Preview', icon: 'flask' }, old],
    `# Tags of the team.
- tag: beta
  label: Preview
  color: blue
  icon: flask
  owner: ann
# Deprecated:
- tag: old
  label: "Old"
`,
  ],
  [
    'removes and adds',
    file,
    [old, { tag: 'new', label: 'New' }],
    '# Tags of the team.\n- tag: old\n  label: "Old"\n- tag: new\n  label: New\n',
  ],
  [
    'moves lines',
    '- tag: a\n- tag: b # b\n',
    [
      { tag: 'b', label: 'b' },
      { tag: 'a', label: 'a' },
    ],
    '- tag: b # b\n- tag: a\n',
  ],
  ['knows plain names', '- a\n- b\n', [{ tag: 'b', label: 'b' }], '- b\n'],
  [
    'keeps indentation and line ends',
    'tags:\r\n  - tag: a\r\n',
    [
      { tag: 'a', label: 'a' },
      { tag: 'b', label: 'B' },
    ],
    'tags:\r\n  - tag: a\r\n  - tag: b\r\n    label: B\r\n',
  ],
  [
    'ends the last line',
    '- tag: a',
    [
      { tag: 'a', label: 'a' },
      { tag: 'b', label: 'B' },
    ],
    '- tag: a\n- tag: b\n  label: B\n',
  ],
  ['rewrites other forms', '[{ tag: a }]', [{ tag: 'a', label: 'a' }], '- tag: a\n  label: a\n'],
  ['begins a file', '', [old], '- tag: old\n  label: Old\n'],
  ['leaves an empty file', 'tags:\n  - a\n', [], ''],
]

describe('editing the tags of a space', () => {
  it.each(cases)('%s', (_name, original, tags, result) => {
    expect(formatSpaceTags(tags, original)).toBe(result)
    expect(parseSpaceTags(result)).toEqual({ tags, problems: [] })
    expect(formatSpaceTags(tags, result)).toBe(result)
  })
})
