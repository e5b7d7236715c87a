/**
 * Validation of customization beyond its JSON schema: link targets are visible to the caller, images can be displayed,
 * fonts are served by this installation, conditions parse.
 *
 * Unchanged members are not validated again: a space deleted in the meantime does not block changing a colour.
 */
import { parseExpression } from '../../core/conditions/parse.js'
import type { PageId, SpaceId } from '../../core/ids.js'
import { findFile, findPages } from '../../core/pages/read.js'
import type { Reader } from '../../access/rules/levels.js'
import type { Services } from '../../access/route/scope.js'
import type { CustomizationOverride, Reference } from '../../contract/customization.js'
import { ApiError } from '../../contract/errors.js'
import type { Tx } from '../../store/db/database.js'
import { getContent } from '../content/content.js'
import { withLevel } from '../spaces/scope.js'
import { findSpaceWithFacts } from '../spaces/store.js'
import type { SiteWithSpaces } from './store.js'

export interface CustomizationContext {
  readonly tx: Tx
  readonly services: Services
  readonly reader: Reader
  readonly site: SiteWithSpaces
}

/** A member of the settings with its path and value. */
interface Member {
  readonly path: string
  readonly name: string
  readonly value: unknown
}

/** Members that hold image URLs, at any depth. */
const pictures = new Set(['icon', 'logo', 'socialPreview'])

/** Throws 400 for the first invalid member. */
export async function requireValidCustomization(
  context: CustomizationContext,
  wanted: CustomizationOverride,
  stored: CustomizationOverride,
): Promise<void> {
  const unchanged = new Set(
    [...membersOf(stored)].map(({ path, value }) => `${path} ${JSON.stringify(value)}`),
  )
  const storedReferences = new Set(
    [...membersOf(stored)].filter(isReference).map(({ value }) => JSON.stringify(value)),
  )
  for (const member of membersOf(wanted)) {
    const { path, name, value } = member
    if (unchanged.has(`${path} ${JSON.stringify(value)}`)) continue
    if (isReference(member) && !storedReferences.has(JSON.stringify(value)))
      await requireReference(context, path, value as Reference)
    if (name === 'condition') requireExpression(path, value as string)
    if (pictures.has(name)) requirePictures(context, path, value as object)
    if (name === 'sources') requireFontFiles(context, path, value as { readonly url: string }[])
    if (name === 'emoji') requireEmoji(path, value as string)
    if (name === 'privacyPolicy') requireLink(`${path}.url`, (value as { url?: string }).url)
  }
}

/** Yields all members of a value at any depth, except undefined and null ones. */
function* membersOf(value: unknown, path = ''): Generator<Member> {
  if (typeof value !== 'object' || value === null) return
  const isList = Array.isArray(value)
  for (const [name, child] of Object.entries(value)) {
    if (child === null || child === undefined) continue
    const childPath = isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`
    yield { path: childPath, name, value: child }
    yield* membersOf(child, childPath)
  }
}

function isReference({ name, value }: Member): boolean {
  return (name === 'to' || name === 'primaryLink') && typeof value === 'object'
}

function refuse(problem: string): never {
  throw new ApiError('invalid_request', { problem })
}

async function requireReference(
  context: CustomizationContext,
  path: string,
  reference: Reference,
): Promise<void> {
  const { kind } = reference
  if (kind === 'url') return requireLink(`${path}.url`, textOf(reference, 'url', path))
  if (kind !== 'space' && kind !== 'page' && kind !== 'anchor' && kind !== 'file')
    refuse(
      `The member "${path}.kind" must be one of "url", "space", "page", "anchor", "file": nothing else is read on a site.`,
    )
  const { tx, services, reader, site } = context
  const { organization_id: organizationId } = site.row
  const id = textOf(reference, 'space', path) as SpaceId
  const found = await findSpaceWithFacts(tx, organizationId, reader.userId, id)
  const isVisible = found !== undefined && found.row.deleted_at === null && withLevel(found).level !== null
  if (!isVisible) throw new ApiError('invalid_reference', { member: `${path}.space`, thing: 'a space' })
  if (kind === 'space') return
  const source = { db: tx, services, organizationId, spaceId: id }
  const { revision, run } = await getContent(source, found.row.revision_id)
  if (kind === 'file') {
    const file = await run(findFile(revision.snapshot, textOf(reference, 'file', path) as never))
    if (!file)
      throw new ApiError('invalid_reference', { member: `${path}.file`, thing: 'a file of the space' })
    return
  }
  if (kind === 'anchor') textOf(reference, 'anchor', path)
  const [page] = await run(findPages(revision.snapshot, [textOf(reference, 'page', path) as PageId]))
  if (page === undefined)
    throw new ApiError('invalid_reference', { member: `${path}.page`, thing: 'a page of the space' })
}

function textOf(
  reference: Reference,
  name: 'url' | 'space' | 'page' | 'anchor' | 'file',
  path: string,
): string {
  const value: unknown = reference[name]
  if (typeof value !== 'string' || value === '' || value.length > 2048)
    refuse(
      `The member "${path}.${name}" must be a text of 1 to 2048 characters in a link of the kind "${reference.kind}".`,
    )
  return value
}

/** Allows only safe URL schemes: no `javascript:` links. */
function requireLink(path: string, url: string | undefined): void {
  if (url !== undefined && !/^(?:https?:\/\/|mailto:|tel:|\/(?!\/))/i.test(url))
    refuse(`The member "${path}" must begin with "https://", "http://", "mailto:", "tel:" or "/".`)
}

function requireExpression(member: string, condition: string): void {
  const parsed = parseExpression(condition)
  if (parsed.ok) return
  throw new ApiError('invalid_expression', { member, problem: parsed.problem.message.replace(/\.$/, '') })
}

/** Pages load images only by https, or from this installation. */
function requirePictures({ services }: CustomizationContext, path: string, value: object): void {
  for (const [name, url] of Object.entries(value) as [string, string][])
    if (!/^https:\/\//i.test(url) && !url.startsWith(`${services.addresses.base}/`))
      refuse(`The member "${path}.${name}" must be an address by https, or one of this installation.`)
}

/** Readers' browsers load fonts only from this installation, never from third parties. */
function requireFontFiles(
  { services }: CustomizationContext,
  path: string,
  sources: { readonly url: string }[],
): void {
  for (const [index, { url }] of sources.entries())
    if (!url.startsWith(`${services.addresses.base}/~octavo/files/`))
      refuse(
        `The member "${path}[${index}].url" must be the address of a file that is kept here: put the font into a space, and name its "downloadURL".`,
      )
}

function requireEmoji(path: string, emoji: string): void {
  const isEmoji = /\p{Extended_Pictographic}|\p{Emoji_Component}/u.test(emoji)
  if (!isEmoji && !/^[0-9a-f]{2,6}(?:[-_ ][0-9a-f]{2,6})*$/i.test(emoji))
    refuse(`The member "${path}" must be an emoji, or the code points of one.`)
}
