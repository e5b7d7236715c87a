/**
 * Settings of documents that are kept in the front matter of their text: tags, cover, layout and variables. Only the
 * characters of what changes are written.
 */
import { isMapping, memberOf } from '../../core/mapping.js'
import type { PageMetadata } from '../../core/document/metadata.js'
import { parseFrontMatter } from '../../core/markdown/front-matter.js'
import {
  type FrontMatterMember,
  frontMatterValue,
  setFrontMatter,
  setFrontMatterMembers,
} from '../../core/markdown/front-matter-edit.js'
import type { VariableValue } from '../../core/markdown/variables.js'
import { EditError } from '../../core/pages/edit-error.js'
import type { ChangeOf, ContentTarget } from '../../contract/changes.js'
import { ApiError } from '../../contract/errors.js'
import { type ChangeBatch, refuseMember } from './change-batch.js'
import { readTags, withVariables } from './change-settings.js'
import { destinationOf } from './content-targets.js'
import { presentLayout } from './present.js'

type Settings = Pick<ChangeOf<'update_page'>, 'tags' | 'cover' | 'layout' | 'variables'>

/** The document whose settings change, and the member of the request that has them. */
interface SettingsTarget {
  readonly text: string
  /** The file of the text. */
  readonly file: string
  readonly member: string
}

/** Returns the text with these settings in its front matter. */
export async function setPageSettings(
  batch: ChangeBatch,
  { text, file, member }: SettingsTarget,
  { tags, cover, layout, variables }: Settings,
): Promise<string> {
  if ([tags, cover, layout, variables].every((setting) => setting === undefined)) return text
  if (parseFrontMatter(text).problems.length > 0) throw new EditError('invalid-front-matter', file)
  let changed = text
  if (tags !== undefined) changed = await setTags(batch, changed, tags, `${member}.tags`)
  if (cover !== undefined) changed = await setCover(batch, { text: changed, file, member }, cover)
  if (layout !== undefined) changed = setLayout(changed, layout)
  if (variables !== undefined) changed = setVariables(changed, variables, `${member}.variables`)
  return changed
}

/** Returns the settings that the front matter of a new text does not have: its own take precedence. */
export function missingSettings(
  { tags, cover, layout, variables }: Settings,
  metadata: PageMetadata,
): Settings {
  return {
    ...(tags !== undefined && metadata.tags === undefined && { tags }),
    ...(cover !== undefined && metadata.cover === undefined && { cover }),
    ...(layout !== undefined && { layout: withoutMembers(layout, metadata.layout ?? {}) }),
    ...(variables !== undefined && { variables: withoutMembers(variables, metadata.variables ?? {}) }),
  }
}

function withoutMembers<Value extends object>(value: Value, known: object): Value {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !Object.hasOwn(known, name))) as Value
}

async function setTags(
  batch: ChangeBatch,
  text: string,
  slugs: readonly string[],
  member: string,
): Promise<string> {
  const before = parseFrontMatter(text).metadata.tags ?? []
  const tags = [...new Set(slugs)]
  if (tags.join('\n') === before.join('\n')) return text
  const known = new Set([...before, ...(await readTags(batch)).map(({ tag }) => tag)])
  for (const [at, tag] of tags.entries())
    if (!known.has(tag))
      throw new ApiError('invalid_reference', { member: `${member}[${at}]`, thing: 'a tag of the content' })
  // An entry may have more members than the tag: it stays as it is.
  const written = frontMatterValue(text, 'tags')
  const entries = new Map(
    (Array.isArray(written) ? written : []).map((entry: unknown) => [memberOf(entry, 'tag') ?? entry, entry]),
  )
  return setFrontMatter(text, {
    tags: tags.length === 0 ? undefined : tags.map((tag) => entries.get(tag) ?? tag),
  })
}

async function setCover(
  batch: ChangeBatch,
  { text, file, member }: SettingsTarget,
  cover: NonNullable<Settings['cover']> | null,
): Promise<string> {
  const removed = { cover: undefined, coverDark: undefined, coverY: undefined, coverHeight: undefined }
  if (cover === null) return setFrontMatter(text, removed)
  const { yPos, height } = cover
  const pictures = [
    ['ref', 'light', 'cover'],
    ['refDark', 'dark', 'coverDark'],
  ] as const
  let changed = text
  for (const [name, key, ownKey] of pictures) {
    const target = cover[name]
    if (target === undefined) continue
    const url = await pictureOf(batch, target, file, `${member}.cover.${name}`)
    changed = isMapping(frontMatterValue(changed, 'cover'))
      ? orRefuse(setFrontMatterMembers(changed, [[['cover', key], url]]))
      : setFrontMatter(changed, { [ownKey]: url })
  }
  return setFrontMatter(changed, {
    ...(yPos !== undefined && { coverY: yPos === 0 ? undefined : yPos }),
    ...(height !== undefined && { coverHeight: height ?? undefined }),
  })
}

async function pictureOf(
  batch: ChangeBatch,
  target: ContentTarget | null,
  file: string,
  member: string,
): Promise<string | undefined> {
  if (target === null) return undefined
  const url = await destinationOf(batch, target, file, member)
  if (target.kind === 'url' && !/^https?:/i.test(url))
    refuseMember(`${member}.url`, 'must begin with "https://" or "http://"')
  return url
}

type LayoutMember = keyof NonNullable<Settings['layout']>

/** A member that has its default already is not written. */
function setLayout(text: string, layout: NonNullable<Settings['layout']>): string {
  const current = presentLayout(parseFrontMatter(text).metadata.layout)
  // A cover that is only shown or hidden gets a mapping first.
  const coverVisibility = memberOf(frontMatterValue(text, 'layout'), 'cover')
  const members = (Object.keys(layout) as LayoutMember[]).flatMap((name): FrontMatterMember[] => {
    const value = layout[name]
    if (value === undefined || value === current[name]) return []
    if (name === 'width') return [[['layout', 'width'], value]]
    if (name !== 'coverSize' && name !== 'coverMask') return [[['layout', name, 'visible'], value]]
    const key = name === 'coverSize' ? 'size' : 'mask'
    const isHidden = typeof coverVisibility === 'boolean' && !('cover' in layout)
    return [
      ...(isHidden ? [[['layout', 'cover', 'visible'], coverVisibility] as FrontMatterMember] : []),
      [['layout', 'cover', key], value],
    ]
  })
  return orRefuse(setFrontMatterMembers(text, members))
}

function setVariables(
  text: string,
  changes: Readonly<Record<string, VariableValue | null>>,
  member: string,
): string {
  const before = parseFrontMatter(text).metadata.variables ?? {}
  withVariables(before, changes, member)
  const changed = Object.entries(changes).filter(([name, value]) => value !== (before[name] ?? null))
  const members = changed.map(([name, value]): FrontMatterMember => [['vars', name], value ?? undefined])
  return orRefuse(setFrontMatterMembers(text, members))
}

function orRefuse(changed: string | undefined): string {
  if (changed === undefined) throw new EditError('invalid-front-matter', '')
  return changed
}
