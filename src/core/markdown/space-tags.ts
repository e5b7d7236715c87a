/** Page tags of a space: `.gitbook/tags.yaml`, a list of tags with label, icon and colour. */
import { isMap, isNode, isSeq, stringify } from 'yaml'
import type { Problem } from '../document/types.js'
import { isMapping } from '../mapping.js'
import { isBoundedYaml, parseYaml, readYaml } from './yaml-text.js'

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

/**
 * Returns `original` edited to have exactly these tags, in this order: the lines of those that stay the same are moved
 * with their comments, and members of a changed one that are not known here stay. An original that is no plain block list
 * is rewritten.
 */
export function formatSpaceTags(tags: readonly SpaceTag[], original = ''): string {
  const items = splitItems(original)
  if (items === undefined) return tags.length === 0 ? '' : stringify(tags, { lineWidth: 0 })
  const before = new Map(parseSpaceTags(original).tags.map((one) => [one.tag, one]))
  const newline = original.includes('\r\n') ? '\r\n' : '\n'
  const lines = tags.map((one) => {
    const item = items.byTag.get(one.tag)
    if (item !== undefined && sameTag(before.get(one.tag), one)) return item.lines
    const written = stringify([{ ...one, ...item?.others }], { lineWidth: 0 })
    const indented = written.replace(/^(?=.)/gm, items.indentation).replaceAll('\n', newline)
    return indented + (item === undefined ? '' : commentsBelow(item.lines))
  })
  if (lines.length === 0) return items.isNested || items.opening.trim() === '' ? '' : items.opening
  return items.opening + lines.map((item) => (item.endsWith('\n') ? item : item + newline)).join('')
}

interface TagItems {
  /** Everything before the first item. */
  readonly opening: string
  readonly indentation: string
  /** True for the value of the key `tags`. */
  readonly isNested: boolean
  readonly byTag: ReadonlyMap<string, TagItem>
}

interface TagItem {
  /** Those of the item, and the comments below it. */
  readonly lines: string
  /** Members of the entry that are not those of a tag. */
  readonly others: Readonly<Record<string, unknown>>
}

/** Returns the items of a block list, alone in the text or as the only key's value; undefined for any other form. */
function splitItems(text: string): TagItems | undefined {
  if (!isBoundedYaml(text) || /^(?:---|\.\.\.)/m.test(text)) return undefined
  const document = parseYaml(text)
  if (document.errors.length > 0) return undefined
  const root = document.contents
  const isNested = isMap(root) && root.items.length === 1 && String(root.items[0]!.key) === 'tags'
  const list = isNested ? root.items[0]!.value : root
  if (!isSeq(list) || list.flow || list.items.length === 0) return undefined
  const starts = list.items.map((item) => startOfItem(text, item))
  const [first] = starts
  if (first === undefined || starts.includes(undefined)) return undefined
  const byTag = new Map<string, TagItem>()
  for (const [at, item] of list.items.entries()) {
    const value: unknown = isNode(item) ? item.toJS(document, { maxAliasCount: 100 }) : undefined
    const tag = typeof value === 'string' ? value : textOf(value, 'tag')
    if (tag === undefined || byTag.has(tag)) return undefined
    const { tag: _tag, label: _label, icon: _icon, color: _color, ...others } = isMapping(value) ? value : {}
    byTag.set(tag, { lines: text.slice(starts[at], starts[at + 1]), others })
  }
  const lineStart = text.lastIndexOf('\n', first - 1) + 1
  const indentation = /^ */.exec(text.slice(lineStart))![0]
  return { opening: text.slice(0, first), indentation, isNested, byTag }
}

/** Returns the comments and empty lines at the end of the lines. */
function commentsBelow(lines: string): string {
  const all = lines.split(/(?<=\n)/)
  const last = all.findLastIndex((line) => line.trim() !== '' && !line.trimStart().startsWith('#'))
  return all.slice(last + 1).join('')
}

/** Returns where the line of an item's dash begins; undefined where something else is before the dash. */
function startOfItem(text: string, item: unknown): number | undefined {
  const [start] = (isNode(item) && item.range) || []
  const dash = start === undefined ? -1 : text.lastIndexOf('-', start - 1)
  if (dash < 0 || text.slice(dash + 1, start).trim() !== '') return undefined
  const lineStart = text.lastIndexOf('\n', dash - 1) + 1
  return text.slice(lineStart, dash).trim() === '' ? lineStart : undefined
}

function sameTag(one: SpaceTag | undefined, other: SpaceTag): boolean {
  return (
    one?.tag === other.tag &&
    one.label === other.label &&
    one.icon === other.icon &&
    one.color === other.color
  )
}

function textOf(entry: unknown, name: string): string | undefined {
  const value = isMapping(entry) && Object.hasOwn(entry, name) ? entry[name] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
