/** Changes of the variables and tags of a space, which are files of its settings folder. */
import { type SpaceTag, formatSpaceTags, parseSpaceTags } from '../../core/markdown/space-tags.js'
import {
  type VariableValue,
  type Variables,
  formatVariables,
  parseVariables,
  reasonAgainst,
} from '../../core/markdown/variables.js'
import { equal } from '../../core/merge/decisions.js'
import { loadTexts } from '../../core/merkle/steps.js'
import { range } from '../../core/merkle/map.js'
import { slugify } from '../../core/pages/paths.js'
import { entryAt } from '../../core/pages/read.js'
import type { ChangeOf } from '../../contract/changes.js'
import { ApiError } from '../../contract/errors.js'
import { type ChangeBatch, maxUses, refuseMember } from './change-batch.js'
import { settingsFile } from './settings.js'

export async function updateVariables(
  batch: ChangeBatch,
  { variables: changes }: ChangeOf<'update_variables'>,
  index: number,
): Promise<void> {
  const member = `changes[${index}].variables`
  const stored = await readSettingsFile(batch, 'vars.yaml')
  const variables = withVariables(parseVariables(stored).variables, changes, member)
  const text = formatVariables(variables, stored)
  if (!equal(parseVariables(text).variables, variables))
    refuseMember(member, 'makes more variables than a space can have')
  await writeSettingsFile(batch, 'vars.yaml', text)
  batch.outcomes.push({ object: 'updated_variables' })
}

/** Returns the variables with changes; null removes. Throws 400 with the member that is wrong. */
export function withVariables(
  before: Variables,
  changes: Readonly<Record<string, VariableValue | null>>,
  member: string,
): Variables {
  const variables = new Map<string, VariableValue>(Object.entries(before))
  for (const [name, value] of Object.entries(changes)) {
    const reason = value === null ? undefined : reasonAgainst(name, value)
    if (reason !== undefined) refuseMember(member, `is not valid: ${reason.replace(/\.$/, '')}`)
    if (value === null) variables.delete(name)
    else variables.set(name, value)
  }
  return Object.fromEntries(variables)
}

export async function insertTag(
  batch: ChangeBatch,
  { label, slug, at, ...members }: ChangeOf<'insert_tag'>,
  index: number,
): Promise<void> {
  const tag = slug ?? slugify(label)
  if (slugify(tag) !== tag)
    refuseMember(
      `changes[${index}].slug`,
      `must have lower-case letters, digits and hyphens, as "${slugify(tag)}"`,
    )
  const tags = await readTags(batch)
  if (tags.some((one) => one.tag === tag)) throw new ApiError('already_taken', { member: 'slug', value: tag })
  await writeTags(
    batch,
    tags.toSpliced(at ?? tags.length, 0, withMembers({ tag, label: label.trim() }, members)),
  )
  batch.outcomes.push({ object: 'created_tag', tag })
}

export async function updateTag(
  batch: ChangeBatch,
  change: ChangeOf<'update_tag'>,
  index: number,
): Promise<void> {
  const { tag, label, at, color, icon } = change
  const tags = await readTags(batch)
  const before = requireTag(tags, tag, `changes[${index}].tag`)
  const after = withMembers(
    { ...before, ...(label !== undefined && { label: label.trim() }) },
    { color, icon },
  )
  const others = tags.filter((one) => one !== before)
  await writeTags(batch, others.toSpliced(at ?? tags.indexOf(before), 0, after))
  batch.outcomes.push({ object: 'updated_tag', tag })
}

/** Pages that have the tag keep its name, and are reported. */
export async function deleteTag(
  batch: ChangeBatch,
  { tag }: ChangeOf<'delete_tag'>,
  index: number,
): Promise<void> {
  const tags = await readTags(batch)
  const before = requireTag(tags, tag, `changes[${index}].tag`)
  await writeTags(
    batch,
    tags.filter((one) => one !== before),
  )
  const outcome = { object: 'deleted_tag' as const, tag }
  batch.outcomes.push(outcome)
  batch.deletions.push({
    outcome,
    async listUses() {
      const isBack = (await readTags(batch)).some((one) => one.tag === tag)
      const pages = isBack ? [] : await batch.run(range(batch.snapshot.pages))
      const users = pages.filter(([, page]) => page.type === 'document' && page.tags?.includes(tag))
      return users.slice(0, maxUses).map(([page]) => ({ page }))
    },
  })
}

/** Returns the tags that the content declares. */
export async function readTags(batch: ChangeBatch): Promise<readonly SpaceTag[]> {
  return parseSpaceTags(await readSettingsFile(batch, 'tags.yaml')).tags
}

function requireTag(tags: readonly SpaceTag[], slug: string, member: string): SpaceTag {
  const found = tags.find(({ tag }) => tag === slug)
  if (found === undefined) throw new ApiError('invalid_reference', { member, thing: 'a tag of the content' })
  return found
}

function withMembers(
  { color: colorBefore, icon: iconBefore, ...tag }: SpaceTag,
  {
    color = colorBefore,
    icon = iconBefore,
  }: { readonly color?: string | undefined; readonly icon?: string | undefined },
): SpaceTag {
  const hasColor = color !== undefined && (color !== 'default' || colorBefore !== undefined)
  return { ...tag, ...(icon && { icon }), ...(hasColor && { color }) }
}

async function writeTags(batch: ChangeBatch, tags: readonly SpaceTag[]): Promise<void> {
  const text = formatSpaceTags(tags, await readSettingsFile(batch, 'tags.yaml'))
  if (!equal(parseSpaceTags(text).tags, tags))
    throw new ApiError('invalid_request', { problem: 'The tags of a space have at most 256 kB.' })
  await writeSettingsFile(batch, 'tags.yaml', text)
}

async function readSettingsFile(batch: ChangeBatch, name: string): Promise<string> {
  const path = settingsFile(name, batch.snapshot.config)
  const entry = await batch.run(entryAt(batch.snapshot, path))
  if (entry === undefined || !('text' in entry)) return ''
  return (await batch.run(loadTexts([entry.text])))[0]!
}

async function writeSettingsFile(batch: ChangeBatch, name: string, text: string): Promise<void> {
  const path = settingsFile(name, batch.snapshot.config)
  await batch.edit(text === '' ? { kind: 'delete-text', path } : { kind: 'put-text', path, text })
}
