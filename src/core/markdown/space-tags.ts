/** Page tags of a space: `.gitbook/tags.yaml`, a list of tags with label, icon and colour. */
import { stringify } from 'yaml'
import type { Problem } from '../document/types.js'
import { isMapping } from '../mapping.js'
import { readYaml } from './yaml-text.js'

export interface SpaceTag {
  /** The name used by pages. */
  readonly tag: string
  readonly label: string
  readonly icon?: string
  readonly color?: string
}

/** Returns the tags in order; invalid and duplicate entries are skipped with a problem. */
export function parseSpaceTags(text: string): { tags: readonly SpaceTag[]; problems: readonly Problem[] } {
  const { value, problems } = readYaml(text)
  const report = (message: string) => problems.push({ message, span: { start: 0, end: text.length } })
  const listed = isMapping(value) ? value.tags : value
  if (listed === undefined || listed === null) return { tags: [], problems }
  if (!Array.isArray(listed)) {
    report('A list of tags is expected.')
    return { tags: [], problems }
  }
  const tags = new Map<string, SpaceTag>()
  for (const [index, entry] of listed.entries()) {
    const tag = typeof entry === 'string' ? entry : textOf(entry, 'tag')
    if (tag === undefined || tag === '') report(`Tag ${index + 1} has no name.`)
    else if (tags.has(tag)) report(`The tag ${tag} stands here twice.`)
    else {
      const icon = textOf(entry, 'icon')
      const color = textOf(entry, 'color')
      const label = textOf(entry, 'label') ?? tag
      tags.set(tag, {
        tag,
        label,
        ...(icon !== undefined && { icon }),
        ...(color !== undefined && { color }),
      })
    }
  }
  return { tags: [...tags.values()], problems }
}

/** Returns the text of a tags file with exactly these tags. */
export function formatSpaceTags(tags: readonly SpaceTag[]): string {
  return tags.length === 0 ? '' : stringify(tags, { lineWidth: 0 })
}

function textOf(entry: unknown, name: string): string | undefined {
  const value = isMapping(entry) && Object.hasOwn(entry, name) ? entry[name] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
